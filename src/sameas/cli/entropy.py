"""`sameas entropy`: how good is an alignment, without gold and with it?"""

from __future__ import annotations

import argparse
import sys

from sameas.cli.score import interval_of, one_standard_input
from sameas.errors import InputError, UsageError, written
from sameas.output.alignment import render_quality, render_token
from sameas.translit.aligned import AlignedNames, read_alignments
from sameas.translit.quality import AlignmentQuality, entropy
from sameas.translit.units import fold


def run(options: argparse.Namespace) -> int:
    if not options.aligned:
        raise UsageError("aligned names are wanted: sameas entropy ALIGNED.tsv")
    paths = [*options.aligned, *([options.gold] if options.gold is not None else [])]
    one_standard_input(*paths)
    resampling = interval_of(options)
    if resampling is not None and options.gold is None:
        raise UsageError("--interval is of the scores against gold; add --gold GOLD")
    if options.token is not None and len(options.aligned) > 1:
        raise UsageError("--token is about one alignment")
    gold = _read(options.gold, None, options) if options.gold is not None else None
    found = [
        entropy(_read(path, options.format, options), gold=gold, case=options.case or "fold")
        for path in options.aligned
    ]
    if options.token is not None:
        print(_token(found[0], options))
        return 0
    if options.style == "csv":
        for one in found:
            for note in one.notes:
                print(f"{one.name}: note: {note}", file=sys.stderr)
    print(
        render_quality(
            found,
            options.style or "text",
            digits=options.digits,
            top=options.top,
            resampling=resampling,
        )
    )
    return 0


def _read(path: str, format: str | None, options: argparse.Namespace) -> AlignedNames:
    read = read_alignments(path, format=format, skip_bad=options.skip_bad)
    for line in written(read.skipped[: InputError.shown]):
        print(line, file=sys.stderr)
    if len(read.skipped) > InputError.shown:
        print(f"… and {len(read.skipped) - InputError.shown} more problems", file=sys.stderr)
    return read


def _token(quality: AlignmentQuality, options: argparse.Namespace) -> str:
    wanted = "" if options.token == "*" else options.token
    shown = wanted if options.case == "keep" else fold(wanted)
    for one in quality.by_token:
        if one.token == shown:
            return render_token(one, options.style or "text", signature=quality.signature)
    raise UsageError(f"no target token is {options.token}")
