"""Helpers for tables of scores that are read or refused."""

from __future__ import annotations

from typing import Any

from sameas.tables.scoretable import ScoreTable


def shown(scores: ScoreTable) -> list[tuple[Any, ...]]:
    return [tuple(record.values()) for record in scores.records()]
