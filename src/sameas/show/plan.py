"""Render the work that an engine would have to do."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from sameas.errors import counted
from sameas.run.engines.workload import Workload, megabytes
from sameas.sentences import of_records
from sameas.show.records import compact_json
from sameas.show.table import WIDTH

__all__ = ["render_plans"]


def render_plans(plans: Sequence[tuple[str, Workload]], style: str = "text") -> str:
    """Render the amount of work for each response, as text or JSON.

    >>> plan = Workload("duckdb", "here", (9, 8), 1, 9, (5, 4), 8, 1, 1, 2, 1, 5, 5)
    >>> print(render_plans([("a", plan)]))
    rows        9 in the key, 8 in the response
    documents   1, the largest of 9 mentions
    entities    5 in the key, 4 in the response
    cells       8 pairs of entities that share mentions
      alone     1, nothing to choose
      stars     1 of 2 cells, settled by the largest cell
      the rest  5 cells in 1 component, the largest of 5
    CEAF        about 1 MB of memory for the rest
    runs        here
    """
    if style == "json":
        return compact_json([{"response": name, **plan.as_dict()} for name, plan in plans])
    parts = []
    for name, plan in plans:
        title = [name] if len(plans) > 1 else []
        parts.append("\n".join([*title, *_lines(plan)]))
    return "\n\n".join(parts)


def _lines(plan: Workload) -> list[str]:
    components = counted(plan.components, "component")
    rest = f"{plan.component_cells:,} cells in {components}, the largest of "
    shown = {
        "rows": f"{plan.rows[0]:,} in the key, {plan.rows[1]:,} in the response",
        "documents": f"{plan.documents:,}, the largest of {plan.largest_document:,} mentions",
        "entities": f"{plan.entities[0]:,} in the key, {plan.entities[1]:,} in the response",
        "cells": f"{plan.cells:,} pairs of entities that share mentions",
        "  alone": f"{plan.alone:,}, nothing to choose",
        "  stars": f"{plan.stars:,} of {plan.star_cells:,} cells, settled by the largest cell",
        "  the rest": f"{rest}{plan.largest_component:,}" if plan.components else "nothing",
        "CEAF": f"about {megabytes(plan.memory)} MB of memory for the rest",
    }
    if plan.of_records:
        shown = {of_records(name): of_records(text) for name, text in shown.items()}
    shown["runs"] = plan.where  # may contain an address, which has its own words
    return [
        fill(f"{name:<12}{text}", WIDTH, subsequent_indent=" " * 12, break_long_words=False)
        for name, text in shown.items()
    ]
