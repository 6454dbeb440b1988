"""Names and candidates, and helpers that run `sameas transliterate`."""

from __future__ import annotations

import csv
import io
from typing import get_args

from command_line import refused, run
from sameas.names.datasets import dataset
from sameas.names.options import Model
from saying import says

MODELS = get_args(Model)
RUSSIAN = dataset("sample:ru").pairs
NO_CANDIDATE = says("no-candidate", how="none", count=1, sources=["½"])
BROKEN = f"cut.model: {says('broken-model', how='short')}"
PAIRS = "".join(f"{source}\t{target}\n" for source, target in RUSSIAN)
TEST = "".join(f"{source}\t{target}\n" for source, target in RUSSIAN[:20])
CANDIDATES = "".join(f"{source}\t{target}\n" for source, target in RUSSIAN[1:20])


def do(action: str, *arguments: object) -> tuple[str, str]:
    """Return the output and the messages of an action."""
    code, out, err = run("transliterate", action, *arguments)
    assert code == 0, err
    assert "Traceback" not in err
    return out, err


def no(action: str, *arguments: object) -> str:
    """Return the messages about wrong usage."""
    code, err = refused("transliterate", action, *arguments)
    assert code == 2, err
    assert err.startswith("sameas")
    return err


def bad(action: str, *arguments: object) -> str:
    """Return the messages about bad input."""
    code, err = refused("transliterate", action, *arguments)
    assert code == 1, err
    return err


def wrong_number(name: str, most: int, value: int) -> str:
    return f"argument --{name}: {value} is not a whole number from 1 to {most:,}"


def measured(text: str) -> dict[str, dict[str, float]]:
    """Return the metrics of each system, from CSV."""
    found: dict[str, dict[str, float]] = {}
    for row in csv.DictReader(io.StringIO(text)):
        found.setdefault(row["system"], {})[row["metric"]] = float(row["value"])
    return found
