"""Tables of scores: read, correlated, and the published ones."""
