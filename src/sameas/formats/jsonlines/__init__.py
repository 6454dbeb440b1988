"""JSON lines of neural systems."""
