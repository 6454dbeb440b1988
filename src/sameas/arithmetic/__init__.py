"""Exact sums, assignments, and the rates that scores are made of."""
