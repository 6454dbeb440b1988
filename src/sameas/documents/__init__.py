"""Documents, their mentions as columns, and the heads, kinds and language of their words."""
