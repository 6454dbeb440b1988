"""`sameas align`: which letters of a name are which of its transliteration."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sameas.cli.progress import Progress
from sameas.cli.score import check_plot, not_overwritten, one_standard_input, tell_skipped
from sameas.errors import InputError, Problem, UsageError, suggest
from sameas.output.alignment import picture, render_iterations
from sameas.translit.aligned import AlignedNames, read_alignments
from sameas.translit.aligner import ALIGN_CHOICES, Aligner, FittedAligner, Step
from sameas.translit.datasets import dataset
from sameas.translit.pairs import NamePairs, check_pairs, lines_of, read_pairs
from sameas.translit.quality import AlignmentQuality, entropy
from sameas.translit.units import composed, scripts

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
    for name, value in vars(options).items():
        if value == "":
            raise UsageError(f"{_option(name)} is empty")
    aligners = _aligners(options)
    _check(options, aligners)
    check_plot(options.plot)
    notes: list[str] = []
    pairs = _pairs(options, notes)
    gold = None
    if options.gold is not None:
        gold = read_alignments(options.gold, skip_bad=options.skip_bad)
        tell_skipped(gold.skipped)
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
    if options.signature is not None:
        notes += _other(options.signature, next(iter(fitted.values())).signature)
    for name, one in fitted.items():
        told = [note for note in one.notes if note not in notes]
        notes += [f"{name}: {note}" for note in told] if len(fitted) > 1 else told
    if options.show is not None:
        return _show(options, next(iter(fitted.values())), notes)
    if gold is not None:
        name, steps = next(iter(against.items()))
        said = fitted[name].notes  # of these a name may be "gold", and they were told above
        notes += [note for note in steps[-1].notes if "gold" in note and note not in said]
    if options.plot is not None:
        from sameas.output.plot import draw_entropy

        draw_entropy({name: one.steps for name, one in fitted.items()}, options.plot)
    text = render_iterations(
        fitted,
        against,
        options.style or "text",
        digits=3 if options.digits is None else options.digits,
        notes=notes,
    )
    first = next(iter(fitted.values()))
    wanted = len(fitted) == 1 and not (options.gold or options.plot or options.style)
    if options.output == "-" or (options.output is None and wanted):
        # The alignment is the output, and what there is to say goes where it does not disturb.
        print(first.aligned)
        print(text, file=sys.stderr)
        return 0
    if options.output is not None:
        first.aligned.save(options.output)
    if options.style == "csv":
        for note in notes:
            print(f"note: {note}", file=sys.stderr)
    print(text)
    return 0


def _aligners(options: argparse.Namespace) -> dict[str, Aligner]:
    named = {name: getattr(options, name) for name in _SETTINGS}
    if options.signature is not None:
        given = [name for name in ("method", *_SETTINGS) if getattr(options, name) is not None]
        if given:
            raise UsageError(f"{_option(given[0])} is in the signature; leave out one of them")
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
    """Say what does not go together, before anything is read."""
    if options.pairs is not None and options.dataset is not None:
        raise UsageError("--dataset brings its own pairs; leave out the file")
    if options.dataset is not None and options.skip_bad:
        raise UsageError("--skip-bad is about the lines of a file; --dataset has none")
    if not _corpus(options) and options.show is None:
        raise UsageError(
            "a file of pairs is wanted: sameas align PAIRS.tsv; or try sameas align --dataset "
            "sample:zh"
        )
    read = [options.pairs, options.gold, options.source_sounds, options.target_sounds]
    one_standard_input(*read)
    if len(aligners) > 1 and (options.output is not None or options.show is not None):
        raise UsageError("one alignment is written or shown; name one --method")
    not_overwritten(options.output, *read)
    if options.output == "-" and options.style is not None:
        raise UsageError(f"-o - writes the alignment where --{options.style} would; name a file")
    if options.show is not None:
        for name in ("gold", "output", "plot", "style", "digits"):
            if getattr(options, name) is not None:
                option = f"--{options.style}" if name == "style" else _option(name)
                raise UsageError(f"{option} is not for --show; leave out one of them")
    _check_used(options, list(aligners.values()))


def _check_used(options: argparse.Namespace, aligners: Sequence[Aligner]) -> None:
    """Refuse options that none of the aligners looks at."""
    segments = any(one.method == "segment" for one in aligners)
    phonemes = any(one.method in ("phoneme", "phonological") for one in aligners)
    sounds = phonemes or any(one.target == "sounds" for one in aligners)
    used = {
        "seed": (any(one.start == "random" for one in aligners), "--start random"),
        "letters": (segments, "--method segment"),
        "units": (segments, "--method segment"),
        "cut": (sounds, "methods by sounds"),
        "target": (any(one.method == "affinity" for one in aligners), "--method affinity"),
        "source_sounds": (phonemes, "--method phoneme or phonological"),
        "target_sounds": (sounds, "methods by sounds"),
    }
    for name, (is_used, where) in used.items():
        if getattr(options, name) is not None and not is_used:
            raise UsageError(f"{_option(name)} is for {where}")
    given = options.source_sounds is not None or options.target_sounds is not None
    if "sounds:given" in (options.signature or "") and not given:
        raise UsageError("the signature is of given sounds; add --source-sounds or --target-sounds")


def _other(wanted: str, found: str) -> list[str]:
    """A note if the pairs, the sounds or the version are not those of the signature."""
    one, other = (
        dict(part.split(":", 1) for part in "".join(text.split()).split("|") if ":" in part)
        for text in (wanted, found)
    )
    differ = [
        f"{name} {one[name]} there, {other.get(name, 'none')} here"
        for name in ("sounds", "pairs", "version")
        if name in one and one[name] != other.get(name)
    ]
    return [f"not all is as in the signature: {'; '.join(differ)}"] if differ else []


def _option(name: str) -> str:
    return "PAIRS" if name == "pairs" else f"--{name.replace('_', '-')}"


def _pairs(options: argparse.Namespace, notes: list[str]) -> NamePairs:
    if options.dataset is not None:
        found = dataset(options.dataset)
        notes += [f"the names are from {found.source}", *found.notes]
        checked = check_pairs(found.pairs, skip_bad=True)
        if checked.skipped:
            notes.append(f"{len(checked.skipped):,} pairs of the data set cannot be aligned")
        return replace(checked, name=options.dataset)
    if options.pairs is not None:
        read = read_pairs(options.pairs, skip_bad=options.skip_bad)
        tell_skipped(read.skipped)
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
        found[composed(name.strip())] = tuple(sounds.split())
    if read.problems or not found:
        hint = "a line is a name, a tab, its sounds with spaces between"
        raise InputError(read.problems or [Problem("says no sounds", read.path, hint=hint)])
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
    shown = fitted.align_all([options.show])
    pair = shown[0]
    heard = None
    if scripts(pair.target) == ("Han",):
        from importlib.util import find_spec

        if find_spec("pypinyin") is not None:
            from sameas.translit.mandarin import sounds

            heard = {unit: sounds(unit) for unit in pair.target}
    print(picture(pair, heard))
    print()
    print(pair)
    for note in (*notes, *shown.notes):
        print(f"note: {note}", file=sys.stderr)
    return 0
