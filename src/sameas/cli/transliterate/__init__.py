"""Write names in another script, by a model that has learned from pairs of names
(the joint source-channel model of Li, Zhang & Su 2004, and better ones)."""

from __future__ import annotations

__all__ = ["ACTIONS"]

#: The actions, each a module, with their lines in the list of actions.
ACTIONS = {
    "train": "learn from pairs of names",
    "apply": "write names by a model",
    "evaluate": "score models and candidates",
}
