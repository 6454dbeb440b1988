"""Shared parts of the commands on names: checks of options, and reading pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from sameas.cli.common import print_skipped
from sameas.cli.options import Arguments, refuse

if TYPE_CHECKING:
    from sameas.names.pairs import NamePairs

T = TypeVar("T")


def refuse_with_dataset(options: Arguments, files: str | None) -> None:
    """Reject --dataset together with files, or with --skip-bad, which applies only to files."""
    refuse(options.dataset is not None and files is not None, "dataset-and-files")
    refuse(options.dataset is not None and options.skip_bad, "skip-bad-nothing", how="dataset")


def pairs_of(options: Arguments) -> NamePairs:
    """Return the pairs of the data set or file that the options name."""
    if options.dataset is not None:
        from sameas.names.datasets import dataset_pairs

        return dataset_pairs(options.dataset)
    from sameas.names.pairs import read_pairs

    return read_with(options, read_pairs, options.pairs)


def read_with(options: Arguments, read: Callable[..., T], path: str, **settings: Any) -> T:
    """Read a file; with --skip-bad, skip its bad lines and print them."""
    found: Any = read(path, skip_bad=options.skip_bad, **settings)
    print_skipped(found.skipped)
    return found  # type: ignore[no-any-return]
