"""CoNLL-U with CorefUD or GUM annotation."""
