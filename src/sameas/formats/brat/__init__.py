"""brat standoff."""
