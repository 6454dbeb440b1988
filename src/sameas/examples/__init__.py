"""A small corpus of our own: four short documents, a key and two systems."""

from __future__ import annotations

from pathlib import Path

__all__ = ["EXAMPLES", "example_path"]

EXAMPLES = ("key.conll", "careful.conll", "eager.conll")


def example_path(name: str) -> Path:
    """Where a file of the example corpus is.

    >>> example_path("key.conll").name
    'key.conll'
    """
    return Path(__file__).parent / name
