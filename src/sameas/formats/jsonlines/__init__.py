"""The JSON Lines format of neural systems."""
