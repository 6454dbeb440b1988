"""Transliterate names with a model trained on pairs of names (the joint
source-channel model of Li, Zhang & Su 2004, or a stronger one), and evaluate
transliterations."""

from __future__ import annotations

__all__ = ["ACTIONS"]

#: The actions, with a summary; each action is a module of the same name.
ACTIONS = {
    "train": "train a model on pairs of names",
    "apply": "transliterate names with a model",
    "evaluate": "score models and files of candidates",
}
