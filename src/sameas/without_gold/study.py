"""Correlate the scores of names with the scores of whole entities, as in the paper.

Lin et al. 2010 correlate CONE with the score of whole entities over documents (Tables 1 to 4) and
over entities (Figure 1), with a control: mentions that are not names. Whole entities are those with
a name, with all their mentions (NE-CRR). Names are a large part of these mentions, and a part
correlates with its whole; so CONE can also be correlated with the score of all mentions. The scores
of single entities are defined in `entity_scores.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from sameas.chance.resampling import Bootstrap, Floats, Interval, bootstrap, interval
from sameas.documents.document import Corpus
from sameas.errors import InputError, Problem, UsageError, require
from sameas.metrics.statistics import choose_metrics
from sameas.notes import Note
from sameas.presented import Presented
from sameas.results.result import PARTS, Result
from sameas.run.inputs import Input, load
from sameas.run.memory import score_pairing
from sameas.run.scoring import score
from sameas.settings import ConeSettings, Matcher, Mentions, Options, Resampling, Settings
from sameas.tables.correlation import LEAST, Correlation, correlate, kendall
from sameas.tables.scoretable import ScoreTable
from sameas.without_gold.across import AcrossGiven
from sameas.without_gold.entity_scores import entity_scores
from sameas.without_gold.named import Names
from sameas.without_gold.options import Against, Level, ShareOf, Studying
from sameas.without_gold.scoring import THE_KEY, NamedKey, plain_settings, signature_of

__all__ = ["ALL", "WITHIN", "Study", "check_names", "cone_study"]

ALL, WITHIN = "all systems", "within systems"  # names of table rows
FEW = 3  # names in a document below which its CONE score is hardly better than chance
_METRICS = ("b3", "ceafm")  # of the paper, whose CEAF is φ3
#: The metric and the part (f1, recall or precision) of each column of the table.
_Columns = dict[str, tuple[str, str]]


@dataclass(frozen=True)
class Study(Presented):
    """Scores of names and of whole entities, row by row, and their correlations.

    Attributes
    ----------
    table
        One row per document (or entity) of each system, in percent. Every metric and part has one
        column for the whole (`b3`, `b3_recall`) and one for CONE (`cone_b3`); a metric without
        recall and precision, such as the CoNLL average, has no columns for them.
    correlations, notes
        By system; under "", those of all systems pooled, and the notes on the study.
    whole, cone
        The results of each system for whole entities and for names.
    settings, level, against, share_of, resampling
        The settings of the study.
    within
        For several systems, the correlations of deviations from each system's mean, which show
        whether names predict on which documents a system is good. Pooled correlations also reflect
        how good the systems are.
    ceiling, part_of_whole
        The score of the key itself (a perfect response) under an estimated key; and the share of
        names among the key mentions of the whole (None if the key is estimated).

    Examples
    --------
    >>> from sameas.examples import example_path
    >>> systems = {name: example_path(f"{name}.conll") for name in ("careful", "eager")}
    >>> study = cone_study(example_path("key.conll"), systems, least=1)
    >>> study.correlations[""][0].y, study.correlations[""][0].rows
    ('cone_b3', 7)
    >>> study.agreement("b3"), study.agreement_interval("b3")
    (-1.0, Interval(low=-1.0, high=1.0))
    """

    table: ScoreTable
    correlations: Mapping[str, Sequence[Correlation]]
    whole: Mapping[str, Result]
    cone: Mapping[str, Result]
    settings: ConeSettings
    level: str
    resampling: Resampling
    notes: Mapping[str, Sequence[Note]]
    against: str = "entities"
    share_of: str = "entity"
    within: Sequence[Correlation] = ()
    ceiling: Result | None = None
    part_of_whole: float | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for pickles and copies, without samples, which can be drawn again."""
        return {name: value for name, value in self.__dict__.items() if name != "_samples"}

    def agreement(self, metric: str) -> float | None:
        """Return Kendall's τ between the rankings of the systems by the whole score and by CONE.

        Parameters
        ----------
        metric
            The name of a metric.

        Returns
        -------
        float or None
            None for one system.
        """
        values = [
            np.array([result[metric].value for result in results.values()])
            for results in (self.whole, self.cone)
        ]
        return kendall(*values) if len(self.whole) > 1 else None

    def agreement_interval(self, metric: str) -> Interval | None:
        """Return the confidence interval of `agreement`, from the bootstrap over documents.

        Parameters
        ----------
        metric
            The name of a metric; all systems are scored on the same samples of documents.

        Returns
        -------
        Interval or None
            None for one system or one document, or if systems have different documents.
        """
        value = self.agreement(metric)
        if value is None or self._samples is None:
            return None
        sides = ([one.rates[metric].value for one in side] for side in self._samples)
        taus = _taus(*map(np.array, sides))
        jackknife = None
        if self.resampling.interval == "bca":
            without = (
                [one.source.jackknife[metric].value for one in side] for side in self._samples
            )
            jackknife = _taus(*map(np.array, without))
        return interval(taus, value, jackknife, confidence=self.resampling.confidence)

    @cached_property
    def _samples(self) -> list[list[Bootstrap]] | None:
        """The scores of every system on every sample of documents, for the whole and for CONE."""
        sides = [
            {name: result.in_order() for name, result in side.items()}
            for side in (self.whole, self.cone)
        ]
        documents = [one.statistics.documents for side in sides for one in side.values()]
        if len(documents[0]) < 2 or any(some != documents[0] for some in documents):
            return None
        rows = ({name: one.additive() for name, one in side.items()} for side in sides)
        # The same seed draws the same documents for both.
        return [list(bootstrap(side, self.resampling).values()) for side in rows]

    @property
    def signature(self) -> str:
        """All settings that affect the numbers."""
        result = next(iter(self.cone.values()))
        more = [f"by:{self.level}", f"against:{self.against}"]
        whole = next(iter(self.whole.values())).settings.match
        if whole != self.settings.match:
            more.append(f"whole-match:{whole}")
        if self.level == "entity":
            more.append(f"share-of:{self.share_of}")
        more += [str(self.resampling), f"rows:{len(self.table)}"]
        return signature_of("cone-study", result, *more)


def cone_study(
    key: Input,
    systems: Mapping[str, Input],
    *,
    names: Names | None = None,
    matcher: Matcher | None = None,
    across: AcrossGiven | None = None,
    mentions: Mentions = "named",
    level: Level = "document",
    against: Against = "entities",
    share_of: ShareOf = "entity",
    metrics: str | Sequence[str] | None = None,
    least: int = FEW,
    resampling: Resampling | None = None,
    **settings: Unpack[Options],
) -> Study:
    """Correlate the scores of names with those of whole entities.

    Parameters
    ----------
    key, names, matcher, across, **settings
        As for `cone`; the whole is scored against the key itself. For an estimated key, by default,
        names and `entities` match by head (guessed if missing), `all` mentions exactly.
    systems
        The response of each system, by name.
    level, mentions
        The rows, `document` or `entity`; and `named`, or `unnamed` for the paper's control.
    against
        The whole: mentions of `entities` with a name (NE-CRR), or `all` mentions, as in `score`.
    share_of, metrics
        For entities, the divisor of shared mentions (the aligned `entity` or the `corpus`); and the
        metrics (default `b3` and `ceafm`, the only ones for entities).
    least, resampling
        Skip documents with fewer names than this in the key (default 3) or none in a response; and
        how to compute intervals.

    Returns
    -------
    Study
        The correlations, by system and pooled.

    Examples
    --------
    >>> from sameas.examples import example_path
    >>> systems = {name: example_path(f"{name}.conll") for name in ("careful", "eager")}
    >>> found = cone_study(example_path("key.conll"), systems, least=1)
    >>> round(found.correlations["careful"][0].pearson.value, 2)
    0.21
    """
    matcher = None if matcher == "none" else matcher
    studying = Studying(level, against, share_of)
    _check_options(matcher, mentions, level, settings.get("scope"))
    resampling = Resampling() if resampling is None else resampling
    _check_systems(systems, least, resampling)
    chosen, omitted = _choose(metrics, level)
    source: dict[str, Any] = {"names": names, "matcher": matcher, "across": across}
    whole, part = _named_keys(load(key, "key"), mentions, against, source, settings)
    pairs = _pairs(systems, whole, part, chosen, against)
    ceiling = part.ceiling(whole.key, pairs[0].part.metrics) if part.estimated else None
    return _study(pairs, chosen, omitted, part.settings, studying, least, resampling, ceiling)


def _study(
    pairs: Sequence[_Pair],
    chosen: _Columns,
    omitted: Sequence[Note],
    settings: ConeSettings,
    studying: Studying,
    least: int,
    resampling: Resampling,
    ceiling: Result | None,
) -> Study:
    """Correlate the scores of systems."""
    level = studying.level
    table, notes = _table(pairs, chosen, studying, least)
    correlations, within = _correlations(table, chosen, level, resampling, notes)
    short = [
        Note("study-short", count=len(some), system=name, how=level)
        for name, some in table.by("system").items()
        if name not in correlations
    ]
    every = pairs[0].whole.key_mentions
    return Study(
        table,
        correlations,
        {pair.name: pair.whole for pair in pairs},
        {pair.name: pair.part for pair in pairs},
        settings,
        level,
        resampling,
        {"": [*omitted, *short], **notes},
        studying.against,
        studying.share_of,
        within,
        ceiling,
        pairs[0].part.key_mentions / every if every and ceiling is None else None,
    )


def _check_options(matcher: str | None, mentions: str, level: str, scope: str | None) -> None:
    if level == "entity" and matcher is not None:
        raise UsageError("study-entities-estimated")
    if mentions == "entities":
        raise UsageError("study-mentions")
    if scope not in (None, "document"):
        raise UsageError("cone-scope")


def _check_systems(systems: object, least: object, resampling: object) -> None:
    if not isinstance(systems, Mapping) or not systems:
        raise UsageError("study-systems")
    if not isinstance(least, int) or least < 0:
        raise UsageError("wrong-type", what="least", expected="a number of names", value=least)
    check_names(systems)
    require(resampling, Resampling, "resampling", "a sameas.settings.Resampling")


def check_names(systems: Iterable[str]) -> None:
    """Reject names of systems that are names of table rows.

    >>> check_names(["mine", "the key"])
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: a response cannot be named 'the key': tables have a row of that name
    """
    for name in systems:
        if name in ("", ALL, WITHIN, THE_KEY):  # "" is all systems
            raise UsageError("study-system-name", name=name)


def _named_keys(
    key: Corpus, mentions: str, against: str, source: Mapping[str, Any], settings: Mapping[str, Any]
) -> tuple[NamedKey, NamedKey]:
    """Return the keys of the whole and of the part; `source` is the source of names."""
    estimated = source["matcher"] is not None
    if settings.get("match") is None and estimated and against == "entities":
        settings = {**settings, "match": "head"}
    names = None if estimated else source["names"]
    whole = NamedKey.of(key, names, mentions="entities", **settings)
    part = NamedKey.of(key, mentions=mentions, **source, **settings)
    if not estimated:
        part.namer = whole.namer  # find names only once
    return whole, part


def _table(
    pairs: Sequence[_Pair], columns: _Columns, studying: Studying, least: int
) -> tuple[ScoreTable, dict[str, list[Note]]]:
    """Return the scores of each document or entity of each system, and each system's notes."""
    labels: dict[str, list[str]] = {"system": [], "document": []}
    rows: list[list[float]] = []
    notes: dict[str, list[Note]] = {}
    for pair in pairs:
        numbers, omitted = pair.documents(least)
        notes[pair.name] = [*pair.whole.remarks, *omitted]
        by_document = studying.level == "document"
        found = (
            pair.by_document(numbers, columns)
            if by_document
            else pair.by_entity(numbers, studying.share_of)
        )
        for document, scores in found:
            labels["system"].append(pair.name)
            labels["document"].append(document)
            rows.append(scores)
    names = [f"{before}{column}" for before in ("", "cone_") for column in columns]
    scores_by_column = 100 * np.array(rows).reshape(-1, len(names)).T
    return ScoreTable(labels, dict(zip(names, scores_by_column, strict=True))), notes


def _correlations(
    table: ScoreTable,
    columns: _Columns,
    level: str,
    resampling: Resampling,
    notes: Mapping[str, Sequence[Note]],
) -> tuple[dict[str, list[Correlation]], list[Correlation]]:
    """Return the correlations of each system, of all pooled (""), and within systems.

    Systems with too few rows are omitted; if all rows together are too few, an error is raised.
    """
    if len(table) < LEAST:
        why = tuple(dict.fromkeys(note for some in notes.values() for note in some))
        raise InputError([Problem("study-too-short", count=len(table), notes=why, how=level)])
    pairs = [(name, f"cone_{name}") for name in columns]
    groups = table.by("system")
    found = {
        name: correlate(some, pairs=pairs, intervals=["pearson"], resampling=resampling)
        for name, some in {**groups, "": table}.items()
        if len(some) >= LEAST
    }
    if len(groups) < 2:
        return found, []
    return found, correlate(table, pairs=pairs, within="system", resampling=resampling)


def _taus(x: Floats, y: Floats) -> Floats:
    """Return Kendall's τ_b of each column; 0 if all systems are tied on a side.

    >>> _taus(np.array([[1.0, 1.0], [2.0, 2.0]]), np.array([[3.0, 5.0], [4.0, 4.0]])).tolist()
    [1.0, -1.0]
    """
    one, other = np.triu_indices(len(x), 1)
    signs_x, signs_y = (np.sign(side[one] - side[other]) for side in (x, y))
    untied = np.sqrt((signs_x**2).sum(axis=0) * (signs_y**2).sum(axis=0))
    tau: Floats = (signs_x * signs_y).sum(axis=0) / np.maximum(untied, 1)
    return tau


def _choose(metrics: str | Sequence[str] | None, level: str) -> tuple[_Columns, list[Note]]:
    """Return the metrics and parts to correlate, and a note on omitted metrics."""
    wanted = list(_METRICS) if metrics is None else choose_metrics(metrics)
    may = [name for name in wanted if level == "document" or name in _METRICS]
    omitted = [name for name in wanted if name not in may]
    if not may or (omitted and metrics != "all"):
        raise UsageError("study-metrics", metrics=omitted)
    one = score([["a", "b"]], [["a"]], metrics=may)
    columns = {
        name if part == "f1" else f"{name}_{part}": (name, part)
        for name in may
        for part in PARTS
        if getattr(one[name], part) is not None
    }
    return columns, [Note("study-metrics-left-out", metrics=tuple(omitted))] if omitted else []


@dataclass(frozen=True)
class _Pair:
    """The scores of one system for whole entities and for names."""

    name: str
    whole: Result
    part: Result
    names: Sequence[int]  # in the key, by document
    empty: Sequence[bool]  # whether the response has no name, by document

    def documents(self, least: int) -> tuple[list[int], list[Note]]:
        """Return the documents with enough names, and notes on the others."""
        enough = [number for number, names in enumerate(self.names) if names >= least]
        counted = [number for number in enough if not self.empty[number]]
        omitted = {
            "study-few-names": len(self.names) - len(enough),
            "study-no-names": len(enough) - len(counted),
        }
        notes = [Note(code, count=count, least=least) for code, count in omitted.items() if count]
        return counted, notes

    def by_document(
        self, numbers: Sequence[int], columns: _Columns
    ) -> Iterator[tuple[str, list[float]]]:
        for number in numbers:
            both = self.whole.documents[number], self.part.documents[number]
            row = [getattr(one[metric], part) for one in both for metric, part in columns.values()]
            yield self.whole.statistics.documents[number], row

    def by_entity(self, numbers: Sequence[int], share_of: str) -> Iterator[tuple[str, list[float]]]:
        """Yield the scores of the key entities that are in both results."""
        whole, part = (entity_scores(result, share_of) for result in (self.whole, self.part))
        wanted = {self.whole.statistics.documents[number] for number in numbers}
        for place, ours in whole.items():
            if place[0] in wanted and place in part:
                yield place[0], [*ours, *part[place]]


def _pairs(
    systems: Mapping[str, Input],
    whole: NamedKey,
    part: NamedKey,
    columns: _Columns,
    against: str,
) -> list[_Pair]:
    """Score all systems on whole entities and on names."""
    metrics = list(dict.fromkeys(metric for metric, _ in columns.values()))
    return [
        _pair(name, whole, part, load(response, "response"), metrics, against)
        for name, response in systems.items()
    ]


def _pair(
    name: str,
    whole: NamedKey,
    part: NamedKey,
    response: Corpus,
    metrics: Sequence[str],
    against: str,
) -> _Pair:
    """Score one system on whole entities and on names."""

    def scored(key: NamedKey, mentions: str | None, settings: Settings) -> Result:
        restricted, _ = key.restrict(response, mentions)
        problems = [*key.key.problems, *response.problems]
        return score_pairing(restricted, settings, metrics, name=name, problems=problems)

    settings = plain_settings(whole.settings) if against == "all" else whole.settings
    named, _ = whole.restrict(response, "named")
    return _Pair(
        name,
        scored(whole, against, settings),
        scored(part, None, part.settings),
        [key.mention_count for key in named.key],
        [not response.mention_count for response in named.response],
    )
