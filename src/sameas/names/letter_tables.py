"""Read the tables of letters and sounds, which are data files of the package."""

from __future__ import annotations

from sameas.files import package_data

__all__ = ["read_tables"]


def read_tables(name: str) -> dict[str, list[list[str]]]:
    """Return the tables in a file, keyed by title, as rows of fields separated by spaces.

    A line in brackets is a title; a # begins a comment.

    >>> read_tables("phonology")["english"][0]
    ['AA', 'vowel', 'syllabic', 'low', 'back']
    """
    tables: dict[str, list[list[str]]] = {}
    for line in package_data(f"names/data/{name}.txt").decode().splitlines():
        words = line.partition("#")[0].split()
        if line.startswith("["):
            rows = tables.setdefault(line.strip("[]"), [])
        elif words:
            rows.append(words)
    return tables
