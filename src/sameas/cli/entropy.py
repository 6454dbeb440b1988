"""`sameas entropy`: the quality of an alignment, with or without gold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, get_args

from sameas.cli.common import named_systems, one_standard_input, show
from sameas.cli.names import read_with
from sameas.cli.options import Arguments, CommandParser, Declared, option_named, refuse, whole
from sameas.errors import UsageError
from sameas.names.aligning import Aligning, Format

if TYPE_CHECKING:
    from sameas.names.quality import AlignmentQuality

_FILES: Declared = {
    "aligned*": ("[NAME=]ALIGNED", "aligned names; - is standard input"),
    "--gold": ("FILE", "gold alignments of the same names"),
}
_SHOWN: Declared = {
    "--top": {
        "type": whole,
        "metavar": "N",
        "help": "show the N tokens with the highest entropy (default: 10)",
    },
    "--token": ("UNIT", "show everything that one token is aligned to"),
    "--wrong": "list names whose alignment differs from gold",
}
USAGE = "[NAME=]ALIGNED ..."


def declare(parser: CommandParser) -> None:
    """Measure the quality of an alignment of names. Without gold: the alignment
    entropy in bits (Pervouchine, Li & Lin 2009, equation 7), and the units that are
    aligned least consistently. With gold: recall, precision and F1 of mappings.

    ALIGNED is a file from sameas align, m2m-aligner or Phonetisaurus."""
    parser.add_options(_FILES)
    formats = get_args(Format)
    known = f"format of ALIGNED: {', '.join(formats)} (default: detected)"
    parser.add_options({"--format": ("NAME", known, formats)}, rare=True)
    parser.add_options(_SHOWN)
    parser.add_settings(Aligning, ("case",))
    parser.add_skip_bad()
    parser.add_intervals("gold names")
    parser.set_defaults(signature=None)
    parser.add_output(3, "bits")


def run(options: Arguments) -> int:
    from sameas.names.aligned import read_alignments
    from sameas.names.quality import entropy
    from sameas.show.alignment import quality_notes, render_quality

    _check(options)
    resampling = options.intervals()
    gold = read_with(options, read_alignments, options.gold) if options.gold else None
    found = []
    for name, path in named_systems(options.aligned, by_path=True).items():
        aligned = read_with(options, read_alignments, path, format=options.format)
        quality = entropy(aligned, gold=gold, case=options.case or "fold")
        found.append(quality if name in (path, "<stdin>") else replace(quality, name=name))
    if options.token is not None:
        print(_token(found[0], options))
        return 0
    text = render_quality(
        found,
        options.style or "text",
        digits=options.digits,
        top=10 if options.top is None else options.top,
        wrong=options.wrong,
        resampling=resampling,
    )
    show(options, text, ((one.name, quality_notes(one)) for one in found))
    return 0


def _check(options: Arguments) -> None:
    refuse(not options.aligned, "entropy-nothing")
    refuse("" in options.aligned, "option-empty", option=option_named("aligned"))
    options.refuse_empty()
    one_standard_input(*options.aligned, options.gold)
    several = len(options.aligned) > 1
    if options.token is not None:
        refuse(several, "token-of-several")
        for name in options.given("gold", "top", "interval", "wrong"):
            raise UsageError("option-not-for", option=f"--{name}", other="--token")
    for name in options.given("wrong", "interval"):
        refuse(options.gold is None, "needs-gold", how=name)
    if options.style in ("json", "csv"):
        refuse(options.wrong, "wrong-not-for", style=options.style)
        other = f"--{options.style}"
        refuse(options.top is not None, "option-not-for", option="--top", other=other)
    refuse(several and options.top is not None, "top-of-several")


def _token(quality: AlignmentQuality, options: Arguments) -> str:
    from sameas.names.aligned import read_token
    from sameas.names.units import spelling
    from sameas.show.alignment import render_token

    shown = spelling(options.case or "fold")(read_token(options.token))
    for one in quality.by_token:
        if one.token == shown:
            return render_token(
                one, options.style or "text", digits=options.digits, signature=quality.signature
            )
    raise UsageError("no-such-token", token=options.token)
