"""Coreference: which mentions are the same entity, and how well a system tells."""
