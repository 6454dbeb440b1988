"""JSON of SCORCH."""
