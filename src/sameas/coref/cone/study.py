"""How well do the scores of names go with the scores of everything? The correlations of the paper.

Lin et al. 2010 correlate CONE with the score of whole entities over documents (Tables 1 to 4) and
over entities (Figure 1), with a control: the mentions that are no names, instead of those that are.
Whole entities are those that have a name, with all their mentions (NE-CRR).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sameas.coref.assignment import assign
from sameas.coref.cone.across import AcrossGiven
from sameas.coref.cone.named import Names
from sameas.coref.cone.scoring import NamedKey
from sameas.coref.contingency import contingency
from sameas.coref.document import Corpus
from sameas.coref.scoring import Input, load, score, score_pairing
from sameas.coref.statistics import choose_metrics
from sameas.correlation import LEAST, Correlation, correlate, kendall
from sameas.errors import InputError, Problem, UsageError, counted, require, suggest
from sameas.resampling import Floats
from sameas.result import PARTS, Result, join_notes
from sameas.scoretable import ScoreTable
from sameas.signature import ConeSettings, Resampling

__all__ = ["LEVELS", "Study", "cone_study"]

LEVELS = ("document", "entity")
FEW = 3  # names in a document, below which its CONE score is next to chance
_METRICS = ("b3", "ceafm")  # the paper's: its CEAF is φ3


@dataclass(frozen=True)
class Study:
    """Scores of names and of whole entities, row by row, and how they correlate.

    `table` has a row for each document (or entity) of each system, and for each metric and part
    a column of the whole (`b3`, `b3_recall`) and one of CONE (`cone_b3`), in percent.
    `correlations` are by system, and "" stands for all of them pooled.

    >>> from sameas.examples import example_path
    >>> systems = {name: example_path(f"{name}.conll") for name in ("careful", "eager")}
    >>> one = cone_study(example_path("key.conll"), systems, least=1).correlations[""][0]
    >>> one.x, one.y, one.rows
    ('b3', 'cone_b3', 7)
    """

    table: ScoreTable
    correlations: Mapping[str, Sequence[Correlation]]
    whole: Mapping[str, Result]  # of each system
    cone: Mapping[str, Result]
    settings: ConeSettings
    level: str
    resampling: Resampling
    notes: Sequence[str] = ()

    def agreement(self, metric: str) -> float | None:
        """Kendall's τ of the systems' order by the whole score and by CONE; None for one system.

        >>> from sameas.examples import example_path
        >>> systems = {name: example_path(f"{name}.conll") for name in ("careful", "eager")}
        >>> cone_study(example_path("key.conll"), systems, least=1).agreement("b3")
        -1.0
        """
        values = [
            np.array([result[metric].value for result in results.values()])
            for results in (self.whole, self.cone)
        ]
        return kendall(*values) if len(self.whole) > 1 else None

    @property
    def signature(self) -> str:
        """Everything that can move a digit."""
        result = next(iter(self.cone.values()))
        cone, _, end = result.signature.removeprefix("sameas:cone").rpartition("|docs:")
        rows = len(self.table)
        return f"sameas:cone-study{cone}|by:{self.level}|{self.resampling}|rows:{rows}|docs:{end}"

    def __str__(self) -> str:
        """Tables of at most 80 columns that end with the signature."""
        from sameas.output.cone import render_study

        return render_study(self)


def cone_study(
    key: Input,
    systems: Mapping[str, Input],
    *,
    names: Names | None = None,
    matcher: str | None = None,
    across: AcrossGiven | None = None,
    mentions: str = "named",
    level: str = "document",
    metrics: str | Sequence[str] | None = None,
    least: int = FEW,
    resampling: Resampling | None = None,
    **settings: Any,
) -> Study:
    """Correlate the scores of names alone with those of the whole entities that have a name.

    `names`, `matcher`, `across` and the settings are those of `cone`; with a matcher it is the
    estimated key against which names are scored, and always the key itself for whole entities.
    `level` is `document` or `entity`; `mentions="unnamed"` is the paper's control. Documents with
    fewer than `least` names in the key, and those in which a response has no mention, are left out.

    >>> from sameas.examples import example_path
    >>> systems = {name: example_path(f"{name}.conll") for name in ("careful", "eager")}
    >>> found = cone_study(example_path("key.conll"), systems, least=1)
    >>> round(found.correlations["careful"][0].pearson.value, 2)
    0.21
    """
    if level not in LEVELS:
        raise UsageError(f"unknown level {level}: {suggest(str(level), LEVELS)}")
    matcher = None if matcher == "none" else matcher
    if level == "entity" and matcher is not None:
        raise UsageError("the entities of an estimated key are not those of the key")
    if mentions == "entities":
        raise UsageError("entities are what names are correlated with: named or unnamed mentions")
    if settings.get("scope") not in (None, "document"):
        raise UsageError("documents are correlated one by one; leave out scope")
    if not isinstance(systems, Mapping) or not systems:
        raise UsageError('systems are given by name, at least one: {"mine": "mine.conll"}')
    if not isinstance(least, int) or least < 0:
        raise UsageError(f"least is a number of names, not {least!r:.40}")
    chosen, left_out = _choose(metrics, level)
    resampling = Resampling() if resampling is None else resampling
    require(resampling, Resampling, "resampling", "a sameas.Resampling")
    ours = load(key, "key")
    if matcher is not None:
        settings.setdefault("match", "head")
    whole = NamedKey.of(ours, names if matcher is None else None, mentions="entities", **settings)
    part = NamedKey.of(ours, names, None, across, mentions=mentions, matcher=matcher, **settings)
    if matcher is None:
        part.namer = whole.namer  # names are found once
    results = [
        _Pair(name, whole, part, load(response, "response"), chosen)
        for name, response in systems.items()
    ]
    rows: list[tuple[str, str, list[float]]] = []
    said: list[tuple[str, list[str]]] = []
    for pair in results:
        numbers, not_counted = pair.documents(least)
        said.append((pair.name, [*pair.notes, *not_counted]))
        found = pair.by_document(numbers) if level == "document" else pair.by_entity(numbers)
        rows += [(pair.name, document, numbers) for document, numbers in found]
    notes = [*left_out, *join_notes(said)]
    table = _table(rows, chosen)
    columns = [(name, f"cone_{name}") for name in _columns(chosen)]
    groups = table.by("system")
    correlations: dict[str, list[Correlation]] = {}
    for name, some in {**groups, "": table}.items():
        if len(some) < LEAST:
            thing = counted(len(some), level)
            if not name:
                message = f"a correlation takes three rows or more, not {thing}"
                raise InputError([Problem(message, hint="; ".join(notes))])
            notes.append(f"{name}: {thing}, too few to correlate")
            continue
        correlations[name] = correlate(
            some, pairs=columns, intervals=["pearson"], resampling=resampling
        )
    return Study(
        table,
        correlations,
        {pair.name: pair.whole for pair in results},
        {pair.name: pair.part for pair in results},
        part.settings,
        level,
        resampling,
        notes,
    )


def _choose(metrics: str | Sequence[str] | None, level: str) -> tuple[list[str], list[str]]:
    """The metrics to correlate, and what is to be said of those that are left out."""
    wanted = list(_METRICS) if metrics is None else choose_metrics(metrics)
    if level == "entity":
        may = [name for name in wanted if name in _METRICS]
        why = "entities are scored one by one by b3 and ceafm only"
    else:
        both = score([["a", "b"]], [["a"]], metrics=wanted)
        may = [name for name in wanted if both[name].recall is not None]
        why = "recall and precision are correlated, and these have none"
    left_out = [name for name in wanted if name not in may]
    if not may or (left_out and metrics != "all"):
        raise UsageError(f"{why}: leave out {', '.join(left_out)}")
    return may, [f"{why}; left out: {', '.join(left_out)}"] if left_out else []


class _Pair:
    """The scores of one system, of whole entities and of names."""

    def __init__(
        self, name: str, whole: NamedKey, part: NamedKey, response: Corpus, metrics: Sequence[str]
    ) -> None:
        self.name, self.metrics = name, metrics
        found = []
        for named_key in (whole, part):
            restricted, _ = named_key.restrict(response)
            problems = [*named_key.key.problems, *response.problems]
            found.append(
                score_pairing(restricted, named_key.settings, metrics, name=name, problems=problems)
            )
        self.whole, self.part = found
        self.notes = self.whole.remarks
        pairing, _ = whole.restrict(response, "named")
        self.names = [key.mention_count for key in pairing.key]
        self.empty = [not response.mention_count for response in self.whole_responses()]

    def whole_responses(self) -> Sequence[Any]:
        return self.whole.matchings[0].response.read.documents

    def documents(self, least: int) -> tuple[list[int], list[str]]:
        """The documents that count, and what is to be said of the others."""
        few = sum(names < least for names in self.names)
        empty = sum(
            names >= least and is_empty
            for names, is_empty in zip(self.names, self.empty, strict=True)
        )
        notes = []
        if few:
            notes.append(
                f"{counted(few, 'document')} left out, in which the key has fewer than "
                f"{counted(least, 'name')}"
            )
        if empty:
            notes.append(
                f"{counted(empty, 'document')} left out, in which the response has no entity "
                "with a name"
            )
        numbers = [
            number
            for number, (names, is_empty) in enumerate(zip(self.names, self.empty, strict=True))
            if names >= least and not is_empty
        ]
        return numbers, notes

    def by_document(self, numbers: Sequence[int]) -> Iterator[tuple[str, list[float]]]:
        for number in numbers:
            row = []
            for result in (self.whole, self.part):
                one = result.documents[number]
                row += [getattr(one[metric], part) for metric in self.metrics for part in PARTS]
            yield self.whole.statistics.documents[number], row

    def by_entity(self, numbers: Sequence[int]) -> Iterator[tuple[str, list[float]]]:
        """The entities of the key that both have: those with a mention that is left."""
        whole, part = (_entities(result, self.metrics) for result in (self.whole, self.part))
        wanted = {self.whole.statistics.documents[number] for number in numbers}
        for place, ours in whole.items():
            if place[0] in wanted and place in part:
                yield place[0], [*ours, *part[place]]


def _entities(result: Result, metrics: Sequence[str]) -> dict[tuple[str, str], list[float]]:
    """F1, recall and precision of each key entity.

    CEAF: of an entity and the one it is aligned to, the share of mentions that both have in those
    of the one and the other. B³: the mean over the mentions of an entity, of those found.
    """
    (matching,) = result.matchings
    table = contingency(matching)
    side = matching.key
    ids = [
        (name, id)
        for name, document in zip(matching.names, side.read.documents, strict=True)
        for id in document.entity_ids
    ]
    of: dict[int, tuple[str, str]] = {}
    for entity, place in zip(side.entity.tolist(), side.place.tolist(), strict=True):
        of[entity] = ids[int(side.read.entity[place])]
    found: list[list[Floats]] = []
    for metric in metrics:
        recall, precision = (np.zeros(len(table.k)) for _ in range(2))
        if metric == "ceafm":
            cells = assign(table.i, table.j, table.n)
            i, j, n = table.i[cells], table.j[cells], table.n[cells]
            recall[i], precision[i] = n / table.k[i], n / table.r[j]
        else:
            np.add.at(recall, table.i, table.n**2 / table.k[table.i] ** 2)
            np.add.at(precision, table.i, table.n**2 / table.r[table.j])
            precision /= np.maximum(table.k_shared, 1)
        both = recall + precision
        f1 = np.divide(2 * recall * precision, both, out=np.zeros_like(both), where=both > 0)
        found.append([f1, recall, precision])
    columns = [column for parts in found for column in parts]
    return {
        of[entity]: [float(column[entity]) for column in columns] for entity in range(len(table.k))
    }


def _table(rows: Sequence[tuple[str, str, list[float]]], metrics: Sequence[str]) -> ScoreTable:
    names = [before + name for before in ("", "cone_") for name in _columns(metrics)]
    numbers = np.array([row for _, _, row in rows]).reshape(-1, len(names))
    return ScoreTable(
        {"system": [row[0] for row in rows], "document": [row[1] for row in rows]},
        {name: 100 * numbers[:, number] for number, name in enumerate(names)},
    )


def _columns(metrics: Sequence[str]) -> list[str]:
    return [m if part == "f1" else f"{m}_{part}" for m in metrics for part in PARTS]
