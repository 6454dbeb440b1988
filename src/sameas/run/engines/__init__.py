"""Engines for inputs larger than memory: the same SQL on DuckDB (embedded) and Spark (cluster)."""
