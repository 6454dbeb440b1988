"""Documents, their mentions as columns, and what their words say."""
