"""A corpus of forty small documents, and what `sameas cone` says of it."""

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
    """B³ of a command, from its JSON."""
    shown = json.loads(good("cone", *arguments, "--metrics", "b3", "--json"))
    return float(shown["metrics"]["b3"]["f1"])


def told(out: str, code: str, **values: object) -> bool:
    """Whether the output has this note or error, wherever its lines end."""
    return says(code, **values) in " ".join(out.split())
