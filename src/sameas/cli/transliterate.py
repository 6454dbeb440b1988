"""`sameas transliterate`: learn to write names in another script, do it, and score who does it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from sameas.cli.common import (
    exists,
    given,
    not_overwritten,
    one_standard_input,
    refuse,
    refuse_empty,
    tell_notes,
    tell_skipped,
)
from sameas.cli.names import pairs_of, read_with, refuse_beside_dataset
from sameas.cli.progress import Progress
from sameas.errors import UsageError, counted, visible
from sameas.files import is_regular, peek, write_file
from sameas.names.aligner import Aligner
from sameas.names.candidates import Candidates
from sameas.names.datasets import dataset_pairs
from sameas.names.letters import CHINESE_VARIANTS, Removed, told_as
from sameas.names.options import Learning, Ranking, Writing
from sameas.names.pairs import NamePairs
from sameas.names.ranked_lists import by_name, read_candidates, read_references
from sameas.names.ranking import RankingScores, rank_scores
from sameas.names.rows import BadLine, check_name, lines_of
from sameas.names.transliterator import LONGEST, Transliterator
from sameas.names.units import JOINERS, graphemes, scripts
from sameas.notes import Note
from sameas.settings import Resampling, chosen
from sameas.show import lay_out, printable

TEST = 10  # one name in so many of a data set is for testing
# What is learned from a data set, and was learned already where there is a model.
_LEARNED = ("model", "order", "smoothing", "method", "target", "seed", "reverse")
TOGETHER = 5_000  # names that are written before the next ones are looked at


def run(options: argparse.Namespace) -> int:
    refuse_empty(options)
    return {"train": _train, "apply": _apply, "evaluate": _evaluate}[options.action](options)


def _train(options: argparse.Namespace) -> int:
    refuse_beside_dataset(options, options.pairs)
    refuse(options.pairs is None and options.dataset is None, "no-pairs-given")
    refuse(options.output in (None, "-"), "no-model-file")
    not_overwritten(options.output, options.pairs)
    settings = _settings(options)
    made = _fitted(pairs_of(options), settings)
    made.save(options.output)
    size = Path(options.output).stat().st_size
    shown = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(round(size / 1e3), 1)} kB"
    told = f"learned from {counted(made.pairs, 'pair')}; written to {options.output} ({shown})"
    notes = list(made.notes)
    if made.verifier is not None:
        others = [note for note in made.verifier.notes if note not in notes]
        notes += [Note("note-of", how="verifying", note=note) for note in others]
    shown = lay_out([], list(map(str, notes)), [made.signature], "text")
    print(f"{printable(told)}\n\n{shown}")
    return 0


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    """What is asked of `Transliterator.fit`, checked before anything is read."""
    given = {field.name: getattr(options, field.name) for field in fields(Learning)}
    named = chosen(given, Learning)
    model = Learning(**named).model
    refuse(model == "network" and options.smoothing is not None, "network-smoothing")
    counted_only = model in ("bigram", "ngram")
    refuse(counted_only and options.seed is not None, "ngram-seed", model=model)
    refuse(options.target is not None and options.method != "affinity", "target-method")
    if options.method is not None:
        named["aligner"] = Aligner.of(
            method=options.method, target=options.target, case=options.case
        )
    return named


def _fitted(pairs: NamePairs, settings: Mapping[str, Any], verifier: bool = True) -> Transliterator:
    with Progress(100) as progress:

        def tell(step: Note) -> None:
            # Networks take nearly all of the time, and say how far they are.
            training = step.code == "step-train"
            progress.done = step.count - 1 if training else max(progress.done - 1, -1)
            progress.step(str(step))

        return Transliterator.fit(pairs, verifier=verifier, on_step=tell, **settings)


def _apply(options: argparse.Namespace) -> int:
    refuse(options.model is None, "no-model-given", how="apply")
    refuse(options.file is not None and options.names, "file-and-names")
    refuse(options.file is None and not options.names, "no-names-given")
    refuse(options.names and options.skip_bad, "skip-bad-nothing", how="names")
    writing = Writing(**chosen({"n": options.most, "threshold": options.threshold}, Writing))
    not_overwritten(options.output, options.model, options.file)
    made = Transliterator.load(options.model)
    removed = Removed()
    if options.file is not None:
        names, notes = _names(options, removed)
    else:
        names = [removed.from_name(name.strip()).strip() for name in options.names]
        notes = removed.notes()
    for number, name in enumerate(names, 1):
        refuse(not name, "empty-name", how="numbered", number=number, total=len(names))
        refuse(any(sign < " " for sign in name), "name-not-line", value=name)
    odd: list[Candidates] = []  # what there is something to say about

    def written() -> Iterator[Candidates]:
        for begin in range(0, len(names), TOGETHER):
            progress.step(str(Note("step-write", count=len(names))))
            some = names[begin : begin + TOGETHER]
            for one in made.transliterate_all(some, **asdict(writing)):
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
    tell_notes((*notes, *_remarks(odd, made, len(names))))
    return 0


def _names(options: argparse.Namespace, removed: Removed) -> tuple[list[str], list[Note]]:
    """The names of a file, one a line, and notes; what follows a tab is no part of the name."""
    further = 0

    def row(number: int, columns: list[str]) -> str:
        nonlocal further
        further += len(columns) > 1
        name = removed.from_name(columns[0].strip()).strip()
        check_name(name, "", 1, LONGEST)
        return name

    read = lines_of(options.file).rows(row, "no-names", skip_bad=options.skip_bad, how="alone")
    tell_skipped(read.skipped)
    notes = [*read.notes, *removed.notes()]
    if further:
        notes.insert(len(read.notes), Note("further-columns", count=further, how="names"))
    return read.rows, notes


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
) -> Iterator[Note]:
    """Yield notes on letters read as others or left out, and on names without a candidate.

    `names` is how many names there are in all, if not all of them are among those found.
    """
    none = [one.source for one in found if not len(one) and not one.abstained]
    source, target = made.scripts
    written = sorted({kind for name in none for kind in scripts(name)})
    most = 2 * len(none) > (len(found) if names is None else names)
    if most and written and source not in written:
        yield Note("other-direction", source=source, target=target, scripts=written)
    read = [letters for one in found for letters in one.read_as]
    if read:
        within = sum(bool(one.read_as) for one in found)
        yield Note("note-of", how="names", note=told_as(read), count=within)
    odd = [one for one in found if one.left_out]
    if odd:
        letters = [letter for one in odd for letter in graphemes(one.left_out)]
        yield Note("letters-left-out", count=len(odd), letters=_shown(letters))
    silent = [one.source for one in found if one.abstained]
    for how, sources in (("abstained", silent), ("none", none)):
        if sources:
            yield Note("no-candidate", count=len(sources), sources=_shown(sources), how=how)


def _shown(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys("␣" if word == " " else visible(word) for word in words))


def _evaluate(options: argparse.Namespace) -> int:
    from sameas.names.comparing import compare_rankings
    from sameas.show.ranking import render_ranking, render_ranking_comparison

    _check_evaluate(options)
    chance = {"confidence": options.confidence, "samples": options.samples}
    named = {"most": options.most, "ties": options.ties, "case": options.case}
    scoring: dict[str, Any] = asdict(Ranking(**chosen(named, Ranking)))
    scoring["variants"] = _variants(options.variants)
    notes: list[Note] = []
    found: list[RankingScores] = []
    if options.dataset is not None:
        settings = _settings(options)
        names = options.dataset.split(",")
        for name in names:
            found.append(_held_out(name, settings, scoring, notes, brief=len(names) > 1))
    else:
        references = read_with(options, read_references, options.references)
        for name, path in _systems(options.systems).items():
            found.append(_system(name, path, references, options, scoring))
    if options.compare:
        compared = compare_rankings({one.name: one for one in found}, **chance)
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
            resampling=Resampling.of(**chance) if options.interval else None,
        )
    )
    return 0


def _tell_csv(options: argparse.Namespace, notes: Iterable[Note]) -> None:
    """CSV has no room for notes."""
    if options.style == "csv":
        tell_notes(dict.fromkeys(notes))


def _check_evaluate(options: argparse.Namespace) -> None:
    refuse_beside_dataset(options, options.references)
    if options.dataset is not None:
        names = options.dataset.split(",")
        refuse(len(set(names)) < len(names), "dataset-twice")
        refuse(options.compare, "compare-dataset")
    else:
        for name in given(options, *_LEARNED):
            raise UsageError("learned-already", option=name)
        refuse(options.references is None or not options.systems, "no-systems-given")
        paths = [path for _, path in map(_named, options.systems)]
        one_standard_input(options.references, options.variants, *paths)
    systems, style = len(options.systems), options.style
    refuse(options.compare and options.wrong, "not-together", option="wrong", other="compare")
    refuse(options.compare and systems < 2, "too-few-systems", count=systems)
    no_room = options.wrong is not None and style in ("csv", "latex")
    refuse(no_room, "not-together", option="wrong", other=style)
    for name in given(options, "confidence", "samples"):
        refuse(not options.interval and not options.compare, "needs-interval", option=name)


def _variants(given: str | None) -> Iterable[Iterable[str]] | None:
    """Groups of characters that count as one: ours, or those of a file, a group a line."""
    if given is None:
        return None
    if given == "chinese":
        return CHINESE_VARIANTS

    def row(number: int, columns: list[str]) -> tuple[str, ...]:
        units = graphemes("".join("".join(columns).split()))
        if len(set(units)) < 2:
            raise BadLine("not-a-group")
        return units

    return lines_of(given).rows(row, "no-groups").rows


def _systems(given: Sequence[str]) -> dict[str, str]:
    """The name of each system, and its file."""
    named: dict[str, str] = {}
    for one in given:
        name, path = _named(one)
        refuse(not name or not path, "not-a-system", value=one)
        refuse(name in named, "system-twice", system=name)
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
) -> RankingScores:
    """The scores of a model, or of a file of candidates."""
    if is_regular(path) and peek(path, 7) == b"sameas ":
        made = Transliterator.load(path)
        with Progress(1) as progress:
            progress.step(str(Note("step-write", count=len(references))))
            return _ranked(made, references, name, scoring)
    read = read_with(options, read_candidates, path)
    return rank_scores(references, read, name=name, **scoring)


def _ranked(
    made: Transliterator,
    references: Mapping[str, Sequence[str]],
    name: str,
    scoring: Mapping[str, Any],
) -> RankingScores:
    """The scores of what a model writes."""
    found = made.transliterate_all(list(references), scoring["most"])
    lists = {one.source: list(one) for one in found}
    scores = rank_scores(references, lists, name=name, **scoring)
    told = (*_remarks(found, made), Note("model-is", signature=made.signature))
    return replace(scores, notes=(*scores.notes, *told))


def _held_out(
    name: str,
    settings: Mapping[str, Any],
    scoring: Mapping[str, Any],
    notes: list[Note],
    brief: bool,
) -> RankingScores:
    """The scores of a model that has learned nine names in ten, on the tenth."""
    pairs = dataset_pairs(name)
    told = list(pairs.notes)
    if brief:
        told = [*told[:1], Note("names-of-each")]
    notes += [note for note in told if note not in notes]
    turned = settings.get("reverse", False)
    asked = [(pair[::-1] if turned else pair) for pair in pairs.pairs]
    # One name is on one side, whatever it is written as in the other script.
    names = sorted({source.casefold() for source, _ in asked})
    refuse(len(names) < 2 * TEST, "too-few-names", dataset=name, count=len(names))
    import numpy as np

    order = np.random.Generator(np.random.PCG64(settings.get("seed", 1))).permutation(len(names))
    held = {names[place] for place in order[: len(names) // TEST].tolist()}
    known = [
        pair
        for pair, (source, _) in zip(pairs.pairs, asked, strict=True)
        if source.casefold() not in held
    ]
    made = _fitted(replace(pairs, pairs=known), settings, verifier=False)
    references = by_name(pair for pair in asked if pair[0].casefold() in held)
    return _ranked(made, references, name, scoring)
