"""Intervals, tests and predictions, computed from rows of numbers only."""
