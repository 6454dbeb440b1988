"""What comes out: scores, rows of numbers per document, notes."""
