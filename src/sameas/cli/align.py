"""`sameas align`: which letters of a name are which of its transliteration."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sameas.cli.progress import Progress
from sameas.cli.score import check_plot, exists, one_standard_input
from sameas.errors import InputError, Problem, UsageError, suggest, written
from sameas.output.alignment import picture, render_iterations
from sameas.translit.aligned import AlignedNames, read_alignments
from sameas.translit.aligner import ALIGN_CHOICES, Aligner, FittedAligner, Step
from sameas.translit.datasets import dataset
from sameas.translit.pairs import NamePairs, check_pairs, lines_of, read_pairs
from sameas.translit.quality import AlignmentQuality, entropy
from sameas.translit.units import scripts

_SETTINGS = ("start", "seed", "target", "cut", "letters", "units", "case", "iterations")
# What the sample has for the script of a name, to align a single pair without a corpus.
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


def run(options: argparse.Namespace) -> int:
    aligners = _aligners(options)
    _check(options, aligners)
    check_plot(options.plot)
    notes: list[str] = []
    pairs = _pairs(options, notes)
    gold = read_alignments(options.gold) if options.gold is not None else None
    sounds = {
        f"{side}_sounds": _sounds(getattr(options, f"{side}_sounds"))
        for side in ("source", "target")
    }
    fitted: dict[str, FittedAligner] = {}
    with Progress(sum(aligner.iterations for aligner in aligners.values()) + 1) as progress:
        progress.step(f"preparing {len(pairs):,} pairs")
        for name, aligner in aligners.items():

            def tell(step: Step, name: str = name) -> None:
                progress.step(f"{name} {step.iteration}: entropy {step.entropy:.3f} bits")

            fitted[name] = aligner.fit(pairs, keep=gold is not None, on_step=tell, **sounds)
        against = _against(fitted, gold)
    for name, one in fitted.items():
        told = [note for note in one.notes if note not in notes]
        notes += [f"{name}: {note}" for note in told] if len(fitted) > 1 else told
    if options.show is not None:
        return _show(options, next(iter(fitted.values())), notes)
    if gold is not None:
        notes += [note for note in against[next(iter(against))][-1].notes if "gold" in note]
    if options.plot is not None:
        from sameas.output.plot import draw_entropy

        draw_entropy({name: one.steps for name, one in fitted.items()}, options.plot)
    text = render_iterations(
        fitted, against, options.style or "text", digits=options.digits, notes=notes
    )
    if options.output is not None:
        next(iter(fitted.values())).aligned.save(options.output)
    elif len(fitted) == 1 and not _only_told(options):
        # The alignment is the output, and what there is to say goes where it does not disturb.
        print(next(iter(fitted.values())).aligned)
        print(text, file=sys.stderr)
        return 0
    if options.style == "csv":
        for note in notes:
            print(f"note: {note}", file=sys.stderr)
    print(text)
    return 0


def _only_told(options: argparse.Namespace) -> bool:
    """Whether the iterations are what was asked for, and not the alignment itself."""
    return any((options.gold, options.plot, options.style))


def _aligners(options: argparse.Namespace) -> dict[str, Aligner]:
    named = {name: getattr(options, name) for name in _SETTINGS}
    if options.signature is not None:
        given = [name for name in ("method", *_SETTINGS) if getattr(options, name) is not None]
        if given:
            raise UsageError(f"--{given[0]} is in the signature already; leave out one of them")
        aligner = Aligner.parse(options.signature)
        return {aligner.method: aligner}
    methods = ["segment"] if options.method is None else options.method.split(",")
    if options.show is not None and options.method is None and not _corpus(options):
        methods = ["phonological" if _sounds_english_chinese(*options.show) else "segment"]
    for method in methods:
        if method not in ALIGN_CHOICES["method"]:
            known = ALIGN_CHOICES["method"]
            raise UsageError(f"unknown method {method or '(empty)'}: {suggest(method, known)}")
    if len(set(methods)) < len(methods):
        raise UsageError("a method comes twice")
    return {method: Aligner.of(method=method, **named) for method in methods}


def _sounds_english_chinese(source: str, target: str) -> bool:
    """Whether names can be aligned by their sounds alone, with nothing to learn from."""
    if scripts(source) != ("Latin",) or scripts(target) != ("Han",):
        return False
    from importlib.util import find_spec

    return find_spec("pypinyin") is not None


def _corpus(options: argparse.Namespace) -> bool:
    return options.pairs is not None or options.dataset is not None


def _check(options: argparse.Namespace, aligners: Mapping[str, Aligner]) -> None:
    if options.pairs is not None and options.dataset is not None:
        raise UsageError("--dataset brings its own pairs; leave out the file")
    if not _corpus(options) and options.show is None:
        raise UsageError(
            "a file of pairs is wanted: sameas align PAIRS.tsv; or try sameas align --dataset "
            "sample:zh"
        )
    for name in ("gold", "output", "source_sounds", "target_sounds", "plot"):
        if getattr(options, name) == "":
            raise UsageError(f"--{name.replace('_', '-')} is empty")
    one_standard_input(*(path for path in (options.pairs, options.gold) if path is not None))
    if len(aligners) > 1 and (options.output is not None or options.show is not None):
        raise UsageError("one alignment is written or shown; name one --method")
    if options.output is not None and options.pairs is not None and exists(options.output):
        from pathlib import Path

        if options.pairs != "-" and Path(options.output).samefile(options.pairs):
            raise UsageError(f"{options.output} would be overwritten by its own alignment")
    if options.show is not None:
        for name in ("gold", "output", "plot", "style"):
            if getattr(options, name) is not None:
                option = options.style if name == "style" else name
                raise UsageError(f"--{option} is not for --show; leave out one of them")


def _pairs(options: argparse.Namespace, notes: list[str]) -> NamePairs:
    if options.dataset is not None:
        found = dataset(options.dataset)
        notes += [f"names: {found.source}", *found.notes]
        checked = check_pairs(found.pairs, skip_bad=True)
        if checked.skipped:
            notes.append(f"{len(checked.skipped):,} pairs of the data set cannot be aligned")
        return replace(checked, name=options.dataset)
    if options.pairs is not None:
        read = read_pairs(options.pairs, skip_bad=options.skip_bad)
        for line in written(read.skipped[: InputError.shown]):
            print(line, file=sys.stderr)
        if len(read.skipped) > InputError.shown:
            print(f"… and {len(read.skipped) - InputError.shown} more problems", file=sys.stderr)
        return read
    # A single pair: it is learned from together with our sample of its script.
    own = check_pairs([options.show])
    kinds = scripts(options.show[1])
    code = _SAMPLES.get(kinds[0]) if kinds and scripts(options.show[0]) == ("Latin",) else None
    if code is None:
        notes.append("there is nothing to learn from; name a file of pairs, or a --dataset")
        return own
    found = dataset(f"sample:{code}")
    notes.append(
        f"learned from our sample of {len(found.pairs)} names (sample:{code}) and this one; a file "
        "of pairs, or a --dataset, teaches more"
    )
    return NamePairs([*found.pairs, *own.pairs])


def _sounds(path: str | None) -> dict[str, Sequence[str]] | None:
    """Sounds from a file: a name or a unit, a tab, its sounds with spaces between."""
    if path is None:
        return None
    read = lines_of(path)
    found: dict[str, Sequence[str]] = {}
    for number, line in read.lines:
        name, tab, sounds = line.partition("\t")
        if not tab or not name.strip() or not sounds.split():
            hint = "a line is a name, a tab, its sounds with spaces between"
            problem = Problem("this says no sounds", read.path, number, 1, hint)
            raise InputError([*read.problems, problem])
        found[name.strip()] = tuple(sounds.split())
    if read.problems:
        raise InputError(read.problems)
    return found


def _against(
    fitted: Mapping[str, FittedAligner], gold: AlignedNames | None
) -> dict[str, list[AlignmentQuality]]:
    if gold is None:
        return {}
    return {
        name: [
            entropy(one.at(step.iteration), gold=gold, case=one.settings.case) for step in one.steps
        ]
        for name, one in fitted.items()
    }


def _show(options: argparse.Namespace, fitted: FittedAligner, notes: Sequence[str]) -> int:
    pair = fitted.align(*options.show)
    heard = None
    if scripts(pair.target) == ("Han",):
        from importlib.util import find_spec

        if find_spec("pypinyin") is not None:
            from sameas.translit.mandarin import sounds

            heard = {unit: sounds(unit) for unit in pair.target}
    print(picture(pair, heard))
    print()
    print(pair)
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    return 0
