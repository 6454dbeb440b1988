"""What several commands share: options, files that are named, what is told beside results."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence

from sameas.cli.options import Arguments, refuse
from sameas.errors import InputError, Problem, UsageError, visible

# --- options ------------------------------------------------------------------------------------


def check_plot(path: str | None) -> None:
    """Refuse a picture that cannot be drawn, before the work begins."""
    if path is not None:
        from sameas.show.plot import load_matplotlib

        load_matplotlib(path)


# --- files --------------------------------------------------------------------------------------


def example_files(key: str | None) -> list[str]:
    """Return the key and the responses of the example corpus."""
    from sameas.examples import EXAMPLES, example_path

    refuse(key, "example-files")
    return [str(example_path(name)) for name in EXAMPLES]


def named_systems(systems: Sequence[str]) -> dict[str, str]:
    """Return the systems by name: `name=path`, or a path, whose name is that of the file."""
    named: dict[str, str] = {}
    for system in systems:
        name, equals, path = system.partition("=")
        if not equals or os.path.exists(system):
            name, path = os.path.basename(os.path.normpath(system)).split(".")[0] or system, system
        refuse(not name or not path, "not-name-file", system=system)
        refuse(name in named, "named-alike", name=name, path=path)
        named[name] = path
    return named


def one_standard_input(*paths: str | None) -> None:
    """Refuse to read standard input twice."""
    refuse(paths.count("-") > 1, "one-stdin")


def not_overwritten(output: str | None, *read: str | None) -> None:
    """Refuse to write into a file that is read."""
    if output is None or output == "-" or not os.path.exists(output):
        return
    for path in filter(None, read):
        if path != "-" and os.path.exists(path) and os.path.samefile(path, output):
            raise UsageError("overwritten", output=output, path=path)


# --- beside the results -------------------------------------------------------------------------


def show(options: Arguments, text: str, named: Iterable[tuple[str, Iterable[object]]]) -> None:
    """Print rendered results; CSV has no room for their notes, which are told beside them."""
    if options.style == "csv":
        for name, notes in named:
            tell_notes(notes, name)
    print(text)


def tell_notes(notes: Iterable[object], name: str = "") -> None:
    """Print notes where they do not disturb the output."""
    for note in notes:
        print(visible(f"{name}: note: {note}" if name else f"note: {note}"), file=sys.stderr)


def tell_skipped(problems: Sequence[Problem]) -> None:
    """Say on standard error which lines were left out, the first of them."""
    if problems:
        print(InputError(problems), file=sys.stderr)
