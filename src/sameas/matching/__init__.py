"""Pair the documents of key and response, and match their mentions."""
