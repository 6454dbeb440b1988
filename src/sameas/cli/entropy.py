"""`sameas entropy`: how good is an alignment, without gold and with it?"""

from __future__ import annotations

import argparse
import sys

from sameas.cli.score import interval_of, one_standard_input, tell_skipped
from sameas.errors import UsageError
from sameas.output.alignment import render_quality, render_token
from sameas.translit.aligned import AlignedNames, read_alignments, read_token
from sameas.translit.quality import AlignmentQuality, entropy
from sameas.translit.units import composed, fold


def run(options: argparse.Namespace) -> int:
    _check(options)
    resampling = interval_of(options)
    gold = _read(options.gold, None, options) if options.gold is not None else None
    case = "fold" if options.case is None else options.case
    found = [
        entropy(_read(path, options.format, options), gold=gold, case=case)
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
            top=10 if options.top is None else options.top,
            wrong=options.wrong,
            resampling=resampling,
        )
    )
    return 0


def _check(options: argparse.Namespace) -> None:
    if not options.aligned:
        raise UsageError("aligned names are wanted: sameas entropy ALIGNED.tsv")
    if "" in options.aligned:
        raise UsageError("ALIGNED is empty")
    for name in ("gold", "token", "case", "format"):
        if getattr(options, name) == "":
            raise UsageError(f"--{name} is empty")
    one_standard_input(*options.aligned, options.gold)
    if options.token is not None:
        if len(options.aligned) > 1:
            raise UsageError("--token is about one alignment")
        for name in ("gold", "top", "interval", "wrong"):
            if getattr(options, name) not in (None, False):
                raise UsageError(f"--{name} is not for --token; leave out one of them")
    if options.wrong and options.gold is None:
        raise UsageError("--wrong lists what is not as in gold; add --gold GOLD")
    if options.wrong and options.style in ("json", "csv"):
        raise UsageError(f"--wrong is not for --{options.style}; JSON has the wrong names always")
    if options.interval and options.gold is None:
        raise UsageError("--interval is of the scores against gold; add --gold GOLD")
    if options.top is not None and (options.style in ("json", "csv") or len(options.aligned) > 1):
        what = f"--{options.style}" if options.style in ("json", "csv") else "several alignments"
        raise UsageError(f"--top is not for {what}; leave it out")


def _read(path: str, format: str | None, options: argparse.Namespace) -> AlignedNames:
    read = read_alignments(path, format=format, skip_bad=options.skip_bad)
    tell_skipped(read.skipped)
    return read


def _token(quality: AlignmentQuality, options: argparse.Namespace) -> str:
    wanted = read_token(options.token)
    shown = composed(wanted) if options.case == "keep" else fold(wanted)
    for one in quality.by_token:
        if one.token == shown:
            return render_token(
                one, options.style or "text", digits=options.digits, signature=quality.signature
            )
    raise UsageError(f"no target token is {options.token}")
