"""Results: scores, rows of numbers per document, and notes."""
