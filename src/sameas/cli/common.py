"""What several commands share: options, files that are named, what is told beside results."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from typing import Any

from sameas.errors import InputError, Problem, UsageError, visible
from sameas.notes import Note
from sameas.settings import Resampling, Signature

_FILES = ("aligned", "pairs", "references", "systems", "names")  # that no option names


# --- options ------------------------------------------------------------------------------------


def refuse(wrong: object, code: str, **values: Any) -> None:
    """Refuse options if they are wrong; `code` says in which way."""
    if wrong:
        raise UsageError(code, **values)


def refuse_empty(options: argparse.Namespace) -> None:
    """Refuse options that were given and left empty."""
    for name, value in vars(options).items():
        refuse(value == "", "option-empty", option=option_named(name))


def option_named(name: str) -> str:
    """Return an option as it is written on the command line."""
    return name.upper() if name in _FILES else f"--{name.replace('_', '-')}"


def given(options: argparse.Namespace, *names: str) -> Iterator[str]:
    """Yield the names of those options that were given."""
    for name in names:
        if getattr(options, name) is not None and getattr(options, name) is not False:
            yield name


def named_by(options: argparse.Namespace, settings: type) -> dict[str, Any]:
    """Return the fields of a class of settings as the options have them, None if not given."""
    return {
        one.name: getattr(options, one.metadata.get("flag", one.name), None)
        for one in fields(settings)
    }


def interval_of(options: argparse.Namespace, always: bool = False) -> Resampling | None:
    """How to make intervals: as the options say, or else as the given signature.

    None without --interval, unless they are `always` made.
    """
    first = next(given(options, "method", "confidence", "samples", "seed"), None)
    signed = Signature.parse(options.signature).resampling if options.signature else None
    if signed:
        refuse(first, "signature-decides")
        return signed.alone()
    refuse(first and not options.interval and not always, "needs-interval", option=first)
    return resampling_of(options) if options.interval else None


def resampling_of(options: argparse.Namespace) -> Resampling:
    """How to make intervals, as the options say."""
    return Resampling.of(**named_by(options, Resampling))


def check_plot(path: str | None) -> None:
    """Refuse a picture that cannot be drawn, before the work begins."""
    if path is not None:
        from sameas.show.plot import load_matplotlib

        load_matplotlib(path)


# --- files --------------------------------------------------------------------------------------


def example_files(key: str | None) -> list[str]:
    """Return the key and the responses of the example corpus."""
    from sameas.examples import EXAMPLES, example_path

    if key:
        raise UsageError("example-files")
    return [str(example_path(name)) for name in EXAMPLES]


def named_systems(systems: Sequence[str]) -> dict[str, str]:
    """Return the systems by name: `name=path`, or a path, whose name is that of the file."""
    named: dict[str, str] = {}
    for system in systems:
        name, equals, path = system.partition("=")
        if not equals or exists(system):
            name, path = os.path.basename(os.path.normpath(system)).split(".")[0] or system, system
        if not name or not path:
            raise UsageError("not-name-file", system=system)
        if name in named:
            raise UsageError("named-alike", name=name, path=path)
        named[name] = path
    return named


def exists(path: str) -> bool:
    """Return whether there is such a file, as far as one can tell."""
    try:
        return os.path.exists(path)
    except (OSError, ValueError):
        return False


def one_standard_input(*paths: str | None) -> None:
    """Refuse to read standard input twice."""
    if paths.count("-") > 1:
        raise UsageError("one-stdin")


def not_overwritten(output: str | None, *read: str | None, code: str = "overwritten") -> None:
    """Refuse to write into a file that is read."""
    if output is None or output == "-" or not exists(output):
        return
    for path in read:
        if path is not None and path != "-" and exists(path) and os.path.samefile(path, output):
            raise UsageError(code, output=output, path=path)


# --- beside the results -------------------------------------------------------------------------


def show(
    options: argparse.Namespace, text: str, notes: Iterable[Note | str] = (), name: str = ""
) -> None:
    """Print a rendered result; CSV has no room for its notes, which are told beside it."""
    if options.style == "csv":
        tell_notes(notes, name)
    print(text)


def tell_notes(notes: Iterable[Note | str], name: str = "") -> None:
    """Print notes where they do not disturb the output."""
    for note in notes:
        print(visible(f"{name}: note: {note}" if name else f"note: {note}"), file=sys.stderr)


def tell_skipped(problems: Sequence[Problem]) -> None:
    """Say on standard error which lines were left out, the first of them."""
    if problems:
        print(InputError(problems), file=sys.stderr)
