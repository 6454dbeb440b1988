"""A corpus of forty small documents, and the output of `sameas cone` for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from command_line import good
from sameas.examples import EXAMPLES, SPANISH, example_path
from saying import says

Written = dict[str, Any]
KEY, CAREFUL, EAGER = (example_path(name) for name in EXAMPLES)
SPANISH_KEY, SPANISH_SYSTEM = (example_path(name) for name in SPANISH)


def write(path: str | Path, documents: Iterable[Written]) -> None:
    Path(path).write_text("".join(json.dumps(document) + "\n" for document in documents))


Documents = Callable[[str], list[Written]]


def b3(*arguments: object) -> float:
    """Return the B³ of a command from its JSON output."""
    shown = json.loads(good("cone", *arguments, "--metrics", "b3", "--json"))
    return float(shown["metrics"]["b3"]["f1"])


def contains(out: str, code: str, **values: object) -> bool:
    """Return whether the output contains a note or error, regardless of line breaks."""
    return says(code, **values) in " ".join(out.split())
