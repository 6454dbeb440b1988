"""Verify pairs of names: train on genuine pairs, and judge the pairs of a list."""
