"""`sameas align`: align the letters of names with those of their transliterations."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from sameas.cli.common import (
    check_plot,
    not_overwritten,
    one_standard_input,
    print_notes,
    refuse_other_styles,
    show,
)
from sameas.cli.names import pairs_of, read_with, refuse_with_dataset
from sameas.cli.options import Arguments, CommandParser, Declared, option_named, refuse
from sameas.cli.progress import Progress
from sameas.errors import UsageError
from sameas.names.aligning import CIRCUMSTANCES, SOUNDS, Aligning, signed
from sameas.notes import Note

if TYPE_CHECKING:
    from sameas.names.aligned import AlignedNames
    from sameas.names.aligner import Aligner, FittedAligner, Step
    from sameas.names.pairs import NamePairs
    from sameas.names.quality import AlignmentQuality

_OPTIONS = tuple(one.name for one in fields(Aligning))
# The sample to learn from if only one pair is aligned, keyed by the script of its target.
_SAMPLES = {
    "Han": "zh",
    "Cyrillic": "ru",
    "Arabic": "ar",
    "Hebrew": "he",
    "Hangul": "ko",
    "Katakana": "ja",
    "Devanagari": "hi",
    "Greek": "el",
}


_PICTURE: Declared = {
    "--show": {
        "nargs": 2,
        "metavar": ("SOURCE", "TARGET"),
        "help": "draw the alignment of one pair; without PAIRS, it is learned from a sample",
    }
}
_SOUNDS: Declared = {
    "--source-sounds": ("FILE", "sounds of source names: a name, a tab, space-separated sounds"),
    "--target-sounds": ("FILE", "sounds of target units: a unit, a tab, space-separated sounds"),
    "--signature": ("TEXT", "use the settings of this signature"),
}
_GOLD: Declared = {
    "--gold": ("FILE", "gold alignments: show recall, precision and F1 after each iteration"),
}
USAGE = "PAIRS\n--show SOURCE TARGET"


def declare(parser: CommandParser) -> None:
    """Align names with their transliterations, letter by letter, and show the
    alignment entropy after each iteration (Pervouchine, Li & Lin 2009).

    PAIRS has one pair per line: a name, a tab, its transliteration. The output
    adds a third column with the alignment, such as a/爱 li/丽 ce/丝. Names can be
    in any two scripts; the methods phoneme and phonological use the sounds of
    English and Chinese (the latter needs pypinyin)."""
    parser.add_pairs()
    parser.add_written("-o", "--output", help="file for the aligned names")
    parser.add_options(_PICTURE)
    how = parser.add_argument_group("how to align (recorded in the signature)")
    parser.add_settings(Aligning, group=how)
    parser.add_options(_SOUNDS, how, rare=True)
    parser.add_options(_GOLD)
    parser.add_skip_bad()
    parser.add_output(3, "bits", to_file=False)
    parser.set_defaults(digits=None)
    parser.add_plot("the entropy after each iteration")


def run(options: Arguments) -> int:
    from sameas.names.aligned import read_alignments
    from sameas.show.alignment import render_iterations

    options.refuse_empty()
    aligners = _aligners(options)
    _check(options, aligners)
    check_plot(options.plot)
    pairs = _pairs(options)
    notes = [*pairs.notes]
    gold = read_with(options, read_alignments, options.gold) if options.gold else None
    fitted = _fitted(options, aligners, pairs, gold is not None)
    against = _against(fitted, gold)
    first = next(iter(fitted.values()))
    if options.signature is not None:
        notes += _signature_notes(options.signature, first.signature)
    if options.show is not None:
        return _show(options, first, notes)
    shown_notes = _all_notes(notes, fitted, against)
    if options.plot is not None:
        from sameas.show.plot import draw_entropy

        draw_entropy({name: one.steps for name, one in fitted.items()}, options.plot)
    style, digits = options.style or "text", 3 if options.digits is None else options.digits
    text = render_iterations(fitted, against, style, digits=digits, notes=shown_notes)
    alone = len(fitted) == 1 and not (options.gold or options.plot or options.style)
    if options.output == "-" or (options.output is None and alone):
        # The alignment is the output; the table goes to standard error.
        print(first.aligned)
        print(text, file=sys.stderr)
        return 0
    if options.output is not None:
        first.aligned.save(options.output)
    show(options, text, [("", shown_notes)])
    return 0


def _fitted(
    options: Arguments, aligners: Mapping[str, Aligner], pairs: NamePairs, keep: bool
) -> dict[str, FittedAligner]:
    sounds = {name: _sounds(getattr(options, name)) for name in SOUNDS}
    fitted: dict[str, FittedAligner] = {}
    with Progress(sum(aligner.iterations for aligner in aligners.values()) + 1) as progress:
        progress.step(f"preparing {len(pairs):,} pairs")
        for name, aligner in aligners.items():

            def show_step(step: Step, name: str = name) -> None:
                progress.step(f"{name} {step.iteration}: entropy {step.entropy:.3f} bits")

            fitted[name] = aligner.fit(pairs, keep=keep, on_step=show_step, **sounds)
    return fitted


def _all_notes(
    notes: Sequence[Note],
    fitted: Mapping[str, FittedAligner],
    against: Mapping[str, Sequence[AlignmentQuality]],
) -> list[str]:
    """Return the notes to show: those on the pairs, then those on the methods, then those on gold.

    If there are several methods, each note on a method begins with its name.
    """
    from sameas.show.alignment import quality_notes

    found = [str(note) for note in notes]
    for name, one in fitted.items():
        own = [str(note) for note in one.notes if note not in notes]
        found += [f"{name}: {note}" for note in own] if len(fitted) > 1 else own
    for name, qualities in list(against.items())[:1]:
        last = qualities[-1]
        # The notes on the entropy, which the table shows, are already included.
        seen = (*fitted[name].notes, *(note for note in last.notes if note.code == "only-tokens"))
        found += quality_notes(last, but=seen)
    return found


def _aligners(options: Arguments) -> dict[str, Aligner]:
    from sameas.names.aligner import Aligner
    from sameas.names.units import scripts

    if options.signature is not None:
        for name in options.given(*_OPTIONS):
            raise UsageError("in-signature", option=option_named(name))
        aligner = Aligner.parse(options.signature)
        return {aligner.method: aligner}
    methods: list[Any] = ["segment"] if options.method is None else options.method.split(",")
    if options.show is not None and options.method is None and not _corpus(options):
        source, target = options.show
        if scripts(source) == ("Latin",) and _sounds_chinese(target):
            methods = ["phonological"]  # needs only sounds, and there are no pairs to learn from
    refuse("" in methods, "option-empty", option="--method")
    refuse(len(set(methods)) < len(methods), "method-twice")
    named = options.fields_of(Aligning)
    return {method: Aligner.of(**{**named, "method": method}) for method in methods}


def _sounds_chinese(target: str) -> bool:
    """Return whether a name is Chinese, and has sounds because pypinyin is installed."""
    from sameas.names.units import scripts
    from sameas.names.verification.alphabet import can_read_han

    return scripts(target) == ("Han",) and can_read_han()


def _corpus(options: Arguments) -> bool:
    return options.pairs is not None or options.dataset is not None


def _check(options: Arguments, aligners: Mapping[str, Aligner]) -> None:
    """Reject incompatible options before any file is read."""
    refuse_with_dataset(options, options.pairs)
    refuse(not _corpus(options) and options.show is None, "align-nothing")
    read = [options.pairs, options.gold, options.source_sounds, options.target_sounds]
    one_standard_input(*read)
    refuse(len(aligners) > 1 and any(options.given("output", "show")), "one-alignment")
    refuse_other_styles(options.output)
    not_overwritten(options.output, *read)
    to_output = options.output == "-" and options.style is not None
    refuse(to_output, "output-and-style", style=options.style)
    for name in options.given("gold", "output", "plot", "style", "digits"):
        option = f"--{options.style}" if name == "style" else option_named(name)
        refuse(options.show is not None, "option-not-for", option=option, other="--show")
    used = {name for one in aligners.values() for name in one.used}
    for name in options.given(*_OPTIONS, *SOUNDS):
        refuse(name not in used, "option-unused", how=name)
    by_sounds = signed(options.signature or "").get("sounds") == "given"
    refuse(by_sounds and not any(options.given(*SOUNDS)), "signature-of-sounds")


def _signature_notes(given: str, found: str) -> list[Note]:
    """Return notes if pairs, sounds or version differ from those of the given signature."""
    there, here = signed(given), signed(found)
    return [
        Note("other-than-signed", what=name, there=there[name], here=here.get(name, "–"))
        for name in CIRCUMSTANCES
        if name in there and there[name] != here.get(name)
    ]


def _pairs(options: Arguments) -> NamePairs:
    if _corpus(options):
        return pairs_of(options)
    from sameas.names.datasets import dataset
    from sameas.names.pairs import NamePairs, check_pairs
    from sameas.names.units import scripts

    # A single pair is aligned together with the sample for its script.
    own = check_pairs([options.show])
    kinds = scripts(options.show[1])
    code = _SAMPLES.get(kinds[0]) if kinds and scripts(options.show[0]) == ("Latin",) else None
    if code is None:
        return replace(own, notes=(Note("nothing-to-learn"), *own.notes))
    found = dataset(f"sample:{code}")
    note = Note("learned-from-sample", count=len(found.pairs), name=found.name)
    return NamePairs([*found.pairs, *own.pairs], notes=(note,))


def _sounds(path: str | None) -> dict[str, Sequence[str]] | None:
    """Read sounds: on each line a name or a unit, a tab, and its sounds, separated by spaces."""
    if path is None:
        return None
    from sameas.names.rows import lines_of
    from sameas.names.units import composed

    read = lines_of(path)
    found: dict[str, Sequence[str]] = {}
    for number, line in read.lines:
        name, _, sounds = line.partition("\t")
        if name.strip() and sounds.split():
            found[composed(name.strip())] = tuple(sounds.split())
        else:
            read.problem("no-sounds-here", number)
    # A missing line would change the alignment of other names, so bad lines cannot be skipped.
    read.settle([] if read.problems else found, "no-sounds")
    return found


def _against(
    fitted: Mapping[str, FittedAligner], gold: AlignedNames | None
) -> dict[str, list[AlignmentQuality]]:
    if gold is None:
        return {}
    from sameas.names.quality import entropy

    return {
        name: [
            entropy(one.at(step.iteration), gold=gold, case=one.settings.case) for step in one.steps
        ]
        for name, one in fitted.items()
    }


def _show(options: Arguments, fitted: FittedAligner, notes: Sequence[Note]) -> int:
    from sameas.names.mandarin import sounds
    from sameas.show.alignment import picture

    shown = fitted.align_all([options.show])
    (pair,) = shown
    chinese = pair.target if _sounds_chinese(pair.target) else ""
    print(picture(pair, {unit: sounds(unit) for unit in chinese}), pair, sep="\n\n")
    print_notes((*notes, *(note for note in fitted.notes if note not in notes), *shown.notes))
    return 0
