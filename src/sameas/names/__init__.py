"""Names across scripts: align a name with its transliteration, and tell how well it was done."""
