"""`sameas transliterate`: learn to write names in another script, do it, and score who does it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sameas.cli.progress import Progress
from sameas.cli.score import exists, not_overwritten, one_standard_input, tell_skipped
from sameas.errors import InputError, Problem, UsageError, counted, visible
from sameas.files import is_regular, write_file
from sameas.output import lay_out, printable
from sameas.signature import Resampling
from sameas.translit.aligner import Aligner
from sameas.translit.datasets import dataset
from sameas.translit.letters import Removed, told_as
from sameas.translit.pairs import SKIP, NamePairs, check_pairs, left_out, lines_of, read_pairs
from sameas.translit.transliterator import Candidates, Transliterator
from sameas.translit.units import JOINERS, graphemes, scripts

TEST = 10  # one name in so many of a data set is for testing
TOGETHER = 5_000  # names that are written before the next ones are looked at
SHOWN = 5  # names that a note tells


def run(options: argparse.Namespace) -> int:
    for name, value in vars(options).items():
        if value == "":
            raise UsageError(f"{_option(name)} is empty")
    return {"train": _train, "apply": _apply, "evaluate": _evaluate}[options.action](options)


def _option(name: str) -> str:
    place = name in ("pairs", "references", "systems", "names")
    return name.upper() if place else f"--{name.replace('_', '-')}"


def _train(options: argparse.Namespace) -> int:
    if options.pairs is not None and options.dataset is not None:
        raise UsageError("--dataset brings its own pairs; leave out the file")
    if options.pairs is None and options.dataset is None:
        raise UsageError(
            "a file of pairs is wanted: sameas transliterate train PAIRS.tsv -o names.model; or "
            "try --dataset sample:zh"
        )
    if options.output is None:
        raise UsageError("say where the model is to be written: -o names.model")
    if options.output == "-":
        raise UsageError("a model is written into a file, not to standard output")
    if options.dataset is not None and options.skip_bad:
        raise UsageError("--skip-bad is about the lines of a file; --dataset has none")
    not_overwritten(options.output, options.pairs)
    settings = _settings(options)
    notes: list[str] = []
    if options.dataset is not None:
        pairs = _dataset(options.dataset, notes)
    else:
        pairs = read_pairs(options.pairs, skip_bad=options.skip_bad)
        tell_skipped(pairs.skipped)
    _check_place(options.output)
    made = _fitted(pairs, settings)
    made.save(options.output)
    size = Path(options.output).stat().st_size
    shown = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(round(size / 1e3), 1)} kB"
    told = f"learned from {counted(made.pairs, 'pair')}; written to {options.output} ({shown})"
    notes += [note for note in made.notes if note not in notes]
    if made.verifier is not None:
        notes += [f"to verify: {note}" for note in made.verifier.notes if note not in notes]
    print(f"{printable(told)}\n\n{lay_out([], notes, [made.signature], 'text')}")
    return 0


def _check_place(path: str) -> None:
    """Say that a model cannot be written before it is learned, and not after."""
    folder = Path(path).parent
    if not folder.is_dir():
        raise InputError([Problem("cannot be written: there is no such folder", str(path))])
    if Path(path).is_dir():
        raise InputError([Problem("cannot be written: it is a folder", str(path))])


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    """What is asked of `Transliterator.fit`, checked before anything is read."""
    from sameas.translit.transliterator import Settings

    named = {
        name: value
        for name in ("model", "order", "smoothing", "seed", "case")
        if (value := getattr(options, name)) is not None
    }
    if "order" in named and named["order"] == 0:
        raise UsageError("order is a whole number from 1 to 8, not 0")
    made = Settings(**named, reverse=options.reverse)
    if made.model == "network" and options.smoothing is not None:
        raise UsageError("--smoothing is for n-grams; a network has none")
    if made.model in ("bigram", "ngram") and options.seed is not None:
        raise UsageError(f"--seed is for networks; nothing is random in {made.model}")
    if options.target is not None and options.method != "affinity":
        raise UsageError("--target is for --method affinity")
    if options.method is not None or options.target is not None:
        named["aligner"] = Aligner.of(
            method=options.method, target=options.target, case=options.case
        )
    return {**named, "reverse": options.reverse}


def _fitted(pairs: NamePairs, settings: Mapping[str, Any], verifier: bool = True) -> Transliterator:
    with Progress(100) as progress:

        def tell(what: str) -> None:
            # Networks take nearly all of the time, and say how far they are.
            share = what.partition(", ")[2].removesuffix(" %")
            progress.done = int(share) - 1 if share.isdigit() else max(progress.done - 1, -1)
            progress.step(what)

        return Transliterator.fit(pairs, verifier=verifier, on_step=tell, **settings)


def _dataset(name: str, notes: list[str]) -> NamePairs:
    found = dataset(name)
    notes += [f"the names are from {found.source}", *found.notes]
    checked = check_pairs(found.pairs, skip_bad=True)
    if checked.skipped:
        notes.append(f"{len(checked.skipped):,} pairs of the data set cannot be aligned")
    return replace(checked, name=name)


def _apply(options: argparse.Namespace) -> int:
    if options.model is None:
        raise UsageError(
            "a model is wanted: sameas transliterate apply MODEL NAME …; sameas transliterate "
            "train makes one"
        )
    if options.file is not None and options.names:
        raise UsageError("--file brings its own names; leave out the others")
    if options.file is None and not options.names:
        raise UsageError("names are wanted: sameas transliterate apply MODEL NAME …, or --file")
    if options.most is not None and not 1 <= options.most <= 1000:
        raise UsageError(f"--most is from 1 to 1000, not {options.most}")
    if options.names and options.skip_bad:
        raise UsageError("--skip-bad is about the lines of a file; add --file")
    not_overwritten(options.output, options.model, options.file)
    made = Transliterator.load(options.model)
    notes: list[str] = []
    removed = Removed()
    names = _names(options, notes, removed) if options.file is not None else options.names
    if options.file is None:
        names = [removed.from_name(name.strip()).strip() for name in names]
    notes += removed.notes()
    for number, name in enumerate(names, 1):
        if not name:
            raise UsageError(f"a name is empty: number {number:,} of {len(names):,}")
        if any(sign < " " for sign in name):
            raise UsageError(f"a name is one line without tabs, not {name!r:.60}")
    most, threshold = options.most or 20, options.threshold or 0.0
    odd: list[Candidates] = []  # what there is something to say about

    def written() -> Iterator[Candidates]:
        for begin in range(0, len(names), TOGETHER):
            progress.step(f"writing {counted(len(names), 'name')}")
            for one in made.transliterate_all(
                names[begin : begin + TOGETHER], most, threshold=threshold
            ):
                if one.left_out or one.read_as or not len(one):
                    odd.append(one)
                yield one

    with Progress(1 + len(names) // TOGETHER) as progress:
        text = _as_json(written(), made) if options.style == "json" else ""
        if options.output not in (None, "-"):
            lines = text or "\n".join(_lines(written()))
            write_file(options.output, lines + "\n")
        elif text:
            print(text)
        else:
            for line in _lines(written()):
                print(line)
    for note in (*notes, *_remarks(odd, made, len(names))):
        print(f"note: {note}", file=sys.stderr)
    return 0


def _names(options: argparse.Namespace, notes: list[str], removed: Removed) -> list[str]:
    """The names of a file, one a line; what follows a tab is no part of the name."""
    from sameas.translit.transliterator import LONGEST

    read = lines_of(options.file)
    problems, names, further = read.problems, [], 0
    for number, line in read.lines:
        name, tab, _ = line.partition("\t")
        name = removed.from_name(name.strip()).strip()
        further += bool(tab)
        if not name:
            problems.append(Problem("the name is empty", read.path, number, 1, "a line is a name"))
        elif len(name) > LONGEST and len(graphemes(name)) > LONGEST:
            message = f"the name has more than {LONGEST:,} letters"
            problems.append(Problem(message, read.path, number, 1, "a line is one name"))
        else:
            names.append(name)
    problems.sort(key=lambda problem: problem.line)
    if problems and not options.skip_bad:
        raise InputError(problems, SKIP if names else "")
    tell_skipped(problems)
    if not names:
        raise InputError([Problem("there are no names", read.path, hint="a line is a name")])
    notes += left_out(problems)
    if further:
        notes.append(f"{counted(further, 'line')} of several columns: the first is the name")
    return names


def _lines(found: Iterable[Candidates]) -> Iterable[str]:
    for one in found:
        # Joiners are letters where signs of layout are removed: they are in the references too.
        name = "".join(sign if sign in JOINERS else visible(sign) for sign in one.source)
        for target, probability in one:
            yield f"{name}\t{target}\t{probability:.6g}"


def _as_json(found: Iterable[Candidates], made: Transliterator) -> str:
    shown = {
        "signature": made.signature,
        "names": [
            {
                "name": one.source,
                "candidates": [
                    {"target": target, "probability": probability} for target, probability in one
                ],
                "confidence": one.confidence,
                "left_out": one.left_out,
                "read_as": dict(one.read_as),
                "abstained": one.abstained,
            }
            for one in found
        ],
    }
    return json.dumps(shown, ensure_ascii=False, indent=2)


def _remarks(
    found: Sequence[Candidates], made: Transliterator, names: int | None = None
) -> Iterable[str]:
    """Yield notes on letters read as others or left out, and on names without a candidate.

    `names` is how many names there are in all, if not all of them are among those found.
    """
    foreign = [one.source for one in found if not len(one) and not one.abstained]
    if foreign and 2 * len(foreign) > (len(found) if names is None else names):
        source, target = made.scripts
        written = sorted({kind for name in foreign for kind in scripts(name)})
        if source not in written and written:
            yield (
                f"the model reads {source} and writes {target}, and these names are in "
                f"{', '.join(written)}: --reverse learns the other direction"
            )
    read = [letters for one in found for letters in one.read_as]
    if read:
        names_ = counted(sum(bool(one.read_as) for one in found), "name")
        yield f"{told_as(read)} (in {names_})"
    odd = [one for one in found if one.left_out]
    if odd:
        letters = dict.fromkeys(letter for one in odd for letter in graphemes(one.left_out))
        yield (
            f"letters never seen, left out of {counted(len(odd), 'name')}: "
            f"{_some(letter.replace(' ', '␣') for letter in letters)}"
        )
    silent = [one.source for one in found if one.abstained]
    if silent:
        yield f"no candidate is probable enough for {counted(len(silent), 'name')}: {_some(silent)}"
    none = [one.source for one in found if not len(one) and not one.abstained]
    if none:
        yield f"no candidate for {counted(len(none), 'name')}: {_some(none)}"


def _some(words: Iterable[str]) -> str:
    listed = list(dict.fromkeys(map(visible, words)))
    return ", ".join(listed[:SHOWN]) + (" …" if len(listed) > SHOWN else "")


def _evaluate(options: argparse.Namespace) -> int:
    from sameas.output.ranking import render_ranking, render_ranking_comparison
    from sameas.translit.comparing import compare_rankings
    from sameas.translit.ranking import RankingScores

    _check_evaluate(options)
    resampling = _resampling(options)
    variants = _variants(options.variants)
    scoring: dict[str, Any] = {"variants": variants, "most": options.most or 20}
    scoring |= _chosen(ties=options.ties, case=options.case)
    notes: list[str] = []
    found: list[RankingScores] = []
    if options.dataset is not None:
        settings = _settings(options)
        names = options.dataset.split(",")
        for name in names:
            found.append(_held_out(name, settings, scoring, notes, brief=len(names) > 1))
    else:
        from sameas.translit.ranking import read_references

        references = read_references(options.references, skip_bad=options.skip_bad)
        tell_skipped(references.skipped)
        named = _systems(options.systems)
        for name, path in named.items():
            found.append(_system(name, path, references, options, scoring))
    if options.compare:
        compared = compare_rankings(
            {one.name: one for one in found},
            **_chosen(confidence=options.confidence, samples=options.samples),
        )
        text = render_ranking_comparison(compared, options.style or "text", digits=options.digits)
        _tell_csv(options, [*notes, *compared.notes])
        print(text)
        return 0
    found = [replace(one, notes=(*one.notes, *notes)) for one in found] if notes else found
    _tell_csv(options, [note for one in found for note in one.notes])
    print(
        render_ranking(
            found,
            options.style or "text",
            digits=options.digits,
            wrong=options.wrong or 0,
            resampling=resampling,
        )
    )
    return 0


def _tell_csv(options: argparse.Namespace, notes: Iterable[str]) -> None:
    """CSV has no room for notes."""
    if options.style == "csv":
        for note in dict.fromkeys(notes):
            print(f"note: {note}", file=sys.stderr)


def _check_evaluate(options: argparse.Namespace) -> None:
    if options.dataset is not None:
        if options.references is not None:
            raise UsageError("--dataset brings its own names; leave out the files")
        if options.skip_bad:
            raise UsageError("--skip-bad is about the lines of a file; --dataset has none")
        names = options.dataset.split(",")
        if len(set(names)) < len(names):
            raise UsageError("a data set comes twice")
        if options.compare:
            raise UsageError("--compare is for systems on the same names; --dataset has one")
    else:
        for name in ("model", "order", "smoothing", "method", "target", "seed", "reverse"):
            if getattr(options, name) is not None and getattr(options, name) is not False:
                raise UsageError(f"--{name} is what --dataset learns; a model has learned already")
        if options.references is None or not options.systems:
            raise UsageError(
                "references and systems are wanted: sameas transliterate evaluate "
                "REFERENCES.tsv MODEL …"
            )
        paths = [path for _, path in map(_named, options.systems)]
        one_standard_input(options.references, options.variants, *paths)
    if options.compare and (options.wrong or len(options.systems) < 2):
        if options.wrong:
            raise UsageError("--wrong is not for --compare; leave out one of them")
        raise UsageError("--compare takes two systems or more")
    if options.most is not None and not 1 <= options.most <= 1000:
        raise UsageError(f"--most is from 1 to 1000, not {options.most}")
    if options.wrong is not None and options.style in ("csv", "latex"):
        raise UsageError(f"--wrong is not for --{options.style}; leave out one of them")
    if not options.interval and not options.compare:
        for name in ("confidence", "samples"):
            if getattr(options, name) is not None:
                raise UsageError(f"--{name} is about intervals; add --interval")


def _chosen(**named: Any) -> dict[str, Any]:
    return {name: value for name, value in named.items() if value is not None}


def _resampling(options: argparse.Namespace) -> Resampling | None:
    if not options.interval:
        return None
    return Resampling.of(confidence=options.confidence, samples=options.samples)


def _variants(given: str | None) -> Iterable[Iterable[str]] | None:
    """Groups of characters that count as one: ours, or those of a file, a group a line."""
    if given is None:
        return None
    if given == "chinese":
        from sameas.translit.ranking import CHINESE_VARIANTS

        return CHINESE_VARIANTS
    read = lines_of(given)
    problems = read.problems
    groups = []
    for number, line in read.lines:
        units = graphemes("".join(line.split()))
        if len(set(units)) < 2:
            hint = "a line is a group of characters that count as one, such as 莱赖"
            problems.append(Problem("this is no group", read.path, number, 1, hint))
        groups.append(units)
    if problems or not groups:
        raise InputError(problems or [Problem("there are no groups", read.path)])
    return groups


def _systems(given: Sequence[str]) -> dict[str, str]:
    """The name of each system, and its file."""
    named: dict[str, str] = {}
    for one in given:
        name, path = _named(one)
        if not name or not path:
            raise UsageError(f"{one!r} is no system: write NAME=FILE, or a file")
        if name in named:
            raise UsageError(f"a system comes twice: {name}")
        named[name] = path
    return named


def _named(given: str) -> tuple[str, str]:
    name, equals, path = given.partition("=")
    return (name, path) if equals and not exists(given) else (given, given)


def _system(
    name: str,
    path: str,
    references: Mapping[str, Sequence[str]],
    options: argparse.Namespace,
    scoring: Mapping[str, Any],
) -> Any:
    """The scores of a model, or of a file of candidates."""
    from sameas.translit.ranking import rank_scores, read_candidates

    if _is_model(path):
        made = Transliterator.load(path)
        with Progress(1) as progress:
            progress.step(f"writing {counted(len(references), 'name')}")
            found = made.transliterate_all(list(references), scoring["most"])
        lists = {one.source: list(one) for one in found}
        scores = rank_scores(references, lists, name=name, **scoring)
        told = (*scores.notes, *_remarks(found, made), f"the model is {made.signature}")
        return replace(scores, notes=told)
    read = read_candidates(path, skip_bad=options.skip_bad)
    tell_skipped(read.skipped)
    scores = rank_scores(references, read, name=name, **scoring)
    return replace(scores, notes=(*scores.notes, *read.notes))


def _is_model(path: str) -> bool:
    if not is_regular(path):
        return False
    try:
        with Path(path).open("rb") as file:
            return file.read(7) == b"sameas "
    except (OSError, ValueError):
        return False


def _held_out(
    name: str,
    settings: Mapping[str, Any],
    scoring: Mapping[str, Any],
    notes: list[str],
    brief: bool,
) -> Any:
    """The scores of a model that has learned nine names in ten, on the tenth."""
    from sameas.translit.ranking import rank_scores

    told: list[str] = []
    pairs = _dataset(name, told)
    if brief:
        told = [*told[:1], "sameas align --dataset NAME tells which names of each were taken"]
    notes += [note for note in told if note not in notes]
    turned = settings.get("reverse", False)
    asked = [target if turned else source for source, target in pairs.pairs]
    # One name is on one side, whatever it is written as in the other script.
    names = sorted({one.casefold() for one in asked})
    if len(names) < 2 * TEST:
        raise UsageError(f"{name} has {counted(len(names), 'name')}, too few to hold some out")
    import numpy as np

    order = np.random.Generator(np.random.PCG64(settings.get("seed", 1))).permutation(len(names))
    held = {names[place] for place in order[: len(names) // TEST].tolist()}
    known = [
        pair for pair, one in zip(pairs.pairs, asked, strict=True) if one.casefold() not in held
    ]
    test = [pair for pair, one in zip(pairs.pairs, asked, strict=True) if one.casefold() in held]
    made = _fitted(replace(pairs, pairs=known), settings, verifier=False)
    references: dict[str, list[str]] = {}
    for source, target in test:
        one, two = (target, source) if turned else (source, target)
        references.setdefault(one, []).append(two)
    found = made.transliterate_all(list(references), scoring["most"])
    lists = {one.source: list(one) for one in found}
    scores = rank_scores(references, lists, name=name, **scoring)
    told = [*_remarks(found, made), f"the model is {made.signature}"]
    return replace(scores, notes=(*scores.notes, *told))
