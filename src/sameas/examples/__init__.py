"""Example files made for sameas: English texts, Spanish texts, and a table of records."""

from __future__ import annotations

from pathlib import Path

__all__ = ["EXAMPLES", "RECORDS", "SPANISH", "example_path"]

EXAMPLES = ("key.conll", "careful.conll", "eager.conll")  # a key and two systems
SPANISH = ("spanish.conllu", "spanish-system.conllu")  # with zeros, heads and types
RECORDS = ("truth.csv", "prediction.csv")  # the clusters of eight records


def example_path(name: str) -> Path:
    """Return the path of an example file.

    >>> example_path("key.conll").name
    'key.conll'
    """
    return Path(__file__).parent / name
