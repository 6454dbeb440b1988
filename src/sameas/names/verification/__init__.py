"""How pairs of names are verified: what is learned of genuine pairs, and what it says of others."""
