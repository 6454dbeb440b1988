"""File formats: what each can hold, its reader and its writer."""
