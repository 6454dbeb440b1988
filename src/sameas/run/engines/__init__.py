"""Engines for inputs larger than memory: one SQL text on DuckDB (embedded) and Spark (cluster)."""
