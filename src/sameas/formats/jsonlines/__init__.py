"""The JSON lines of neural systems."""
