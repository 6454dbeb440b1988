"""The Universal Anaphora format."""
