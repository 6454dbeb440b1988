"""The workload of an engine, and the memory that it needs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from sameas.errors import UsageError
from sameas.sentences import sentence

__all__ = ["BATCH", "Workload", "bytes_of", "megabytes"]

_SIZE = re.compile(r"\s*([0-9]{1,18}(?:\.[0-9]{1,9})?)\s*(?:(?:([KMGTkmgt])([Ii]?))?[Bb])?\s*")

BATCH = 1_000_000  # cells that are solved at once, unless one component has more
BYTES_PER_CELL = 450  # upper limit for solving a batch; small components need the most


@dataclass(frozen=True)
class Workload:
    """The work to be done, and where it is done.

    >>> Workload("duckdb", "here", (5, 5), 1, 5, (2, 2), 3, 3, 0, 0, 0, 0, 0).memory
    0
    """

    engine: str
    where: str
    rows: tuple[int, ...]  # of the key and of the response
    documents: int
    largest_document: int
    entities: tuple[int, ...]
    cells: int
    alone: int
    stars: int
    star_cells: int
    components: int
    component_cells: int
    largest_component: int
    of_records: bool = False  # whether the words are those of entity resolution

    @property
    def memory(self) -> int:
        """The approximate number of bytes needed to solve the largest batch of components."""
        return BYTES_PER_CELL * max(self.largest_component, min(BATCH, self.component_cells))

    @property
    def sentence(self) -> str:
        """The sentence that states what CEAF needs.

        >>> Workload("duckdb", "", (9, 9), 1, 9, (5, 5), 8, 1, 0, 0, 2, 7, 4).sentence
        'CEAF needs about 1 MB of memory for 7 cells in 2 components, the largest with 4'
        """
        return sentence("ceaf-needs", self.needs)

    @property
    def needs(self) -> dict[str, Any]:
        """What CEAF needs, as values of the sentence."""
        return {
            "cells": self.component_cells,
            "components": self.components,
            "largest": self.largest_component,
            "memory": megabytes(self.memory),
        }

    def as_dict(self) -> dict[str, Any]:
        """Return the workload as plain data for JSON."""
        numbers = {name: one for name, one in self.__dict__.items() if name != "of_records"}
        return {**numbers, "memory": self.memory}


def megabytes(number: int) -> str:
    """Return an amount of memory in megabytes, rounded up.

    >>> megabytes(1_234_000_000)
    '1,234'
    """
    return f"{-(-number // 1_000_000):,}"


def bytes_of(memory: str | int | None) -> int | None:
    """Return an amount of memory, such as `4GB`, in bytes.

    >>> bytes_of("1.5 GB"), bytes_of("512MiB")
    (1500000000, 536870912)
    """
    if memory is None:
        return None
    found = _SIZE.fullmatch(str(memory))
    size = 0.0
    if found:
        number, prefix, binary = found.groups()
        power = " KMGT".index((prefix or " ").upper())
        size = float(number) * (1024 if binary else 1000) ** power
    if not 1 <= size < 2**62:
        raise UsageError("memory-size", value=str(memory))
    return int(size)
