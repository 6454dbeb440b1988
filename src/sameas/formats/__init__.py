"""File formats: what each can represent, with its reader and its writer."""
