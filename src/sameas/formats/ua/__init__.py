"""Universal Anaphora."""
