"""Small corpora of our own: four English documents as CoNLL, two Spanish ones as CoNLL-U."""

from __future__ import annotations

from pathlib import Path

__all__ = ["EXAMPLES", "SPANISH", "example_path"]

EXAMPLES = ("key.conll", "careful.conll", "eager.conll")  # a key and two systems
SPANISH = ("spanish.conllu", "spanish-system.conllu")  # with zeros, heads and types


def example_path(name: str) -> Path:
    """Where a file of the example corpus is.

    >>> example_path("key.conll").name
    'key.conll'
    """
    return Path(__file__).parent / name
