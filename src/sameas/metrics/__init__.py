"""Compute a few numbers per document from matched mentions, and scores from these numbers."""
