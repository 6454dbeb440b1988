"""From matched mentions to a few numbers per document, and from numbers to scores."""
