"""Errors, what repairs are worth, and differences between systems."""
