"""CSV, TSV, Parquet, Arrow and data frames."""
