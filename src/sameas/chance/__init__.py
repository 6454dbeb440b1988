"""Intervals, tests and predictions, from rows of numbers alone."""
