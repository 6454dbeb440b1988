"""What the commands on names share: options that do not go together, where pairs come from."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from sameas.cli.common import tell_skipped
from sameas.errors import UsageError
from sameas.translit.datasets import dataset_pairs
from sameas.translit.pairs import NamePairs, read_pairs

T = TypeVar("T")
_FILES = ("aligned", "pairs", "references", "systems", "names")  # that no option names


def refuse(wrong: object, code: str, **values: Any) -> None:
    """Refuse options if they are wrong; `code` says in which way."""
    if wrong:
        raise UsageError(code, **values)


def refuse_empty(options: argparse.Namespace) -> None:
    """Refuse options that were given and left empty."""
    for name, value in vars(options).items():
        refuse(value == "", "option-empty", option=option_named(name))


def refuse_beside_dataset(options: argparse.Namespace, files: str | None) -> None:
    """Refuse what a data set has no use for: files, and the option for their bad lines."""
    refuse(options.dataset is not None and files is not None, "dataset-and-files")
    refuse(options.dataset is not None and options.skip_bad, "skip-bad-nothing", how="dataset")


def option_named(name: str) -> str:
    """Return an option as it is written on the command line."""
    return name.upper() if name in _FILES else f"--{name.replace('_', '-')}"


def given(options: argparse.Namespace, *names: str) -> Iterator[str]:
    """Yield the names of those options that were given."""
    for name in names:
        if getattr(options, name) is not None and getattr(options, name) is not False:
            yield name


def pairs_of(options: argparse.Namespace) -> NamePairs:
    """Return the pairs of the data set or of the file that the options name."""
    if options.dataset is not None:
        return dataset_pairs(options.dataset)
    return read_with(options, read_pairs, options.pairs)


def read_with(options: argparse.Namespace, read: Callable[..., T], path: str, **settings: Any) -> T:
    """Read a file, skipping bad lines if the options say so, and tell which were skipped."""
    found: Any = read(path, skip_bad=options.skip_bad, **settings)
    tell_skipped(found.skipped)
    return found  # type: ignore[no-any-return]
