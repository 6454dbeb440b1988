"""Exact sums, assignments, and the rates that make up scores."""
