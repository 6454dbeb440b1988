"""Formats of files: what each can hold, its reader and its writer."""
