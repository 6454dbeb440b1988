"""The JSON format of scorch."""
