"""Results to something a person or a program reads: one file a subject."""
