"""Documents, their mentions as columns, the heads and kinds of mentions, and the language."""
