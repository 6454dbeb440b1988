"""Which documents and which mentions belong together."""
