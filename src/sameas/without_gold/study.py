"""How well do the scores of names go with the scores of everything? The correlations of the paper.

Lin et al. 2010 correlate CONE with the score of whole entities over documents (Tables 1 to 4) and
over entities (Figure 1), with a control: the mentions that are no names, instead of those that are.
Whole entities are those that have a name, with all their mentions (NE-CRR). Names are a large part
of these mentions, and a part goes with its whole; so CONE can be correlated with the score of all
mentions of all entities as well.

At the level of entities, let M be the mentions that a key entity shares with the response entity
that CEAF aligns it to, and S what the paper divides M by (section 4.1, where S is not defined).
`share_of="entity"`: S is the aligned entity, P = M/|O_f(i)| and R = M/|G_i|, between 0 and 1 for
each entity, as Figure 1 draws them; they do not add up to the score. `share_of="corpus"`: S is
everything, P = M/Σ|O_j| and R = M/Σ|G_i|, so that Σ P_i is the CEAF precision, as the paper's
derivation from entities to the whole needs it. Likewise B³: an entity has Σ_j M²_ij/|G_i| and Σ_j
M²_ij/|O_j|, as a share of its own mentions (for precision, of those found), or of all mentions. F1
is the harmonic mean of the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from sameas.arithmetic.assignment import assign
from sameas.arithmetic.scores import harmonic
from sameas.chance.resampling import Bootstrap, Floats, Interval, bootstrap, interval
from sameas.documents.document import Corpus
from sameas.errors import InputError, Problem, UsageError, require
from sameas.metrics.contingency import contingency
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
from sameas.without_gold.named import Names
from sameas.without_gold.options import Against, Level, ShareOf, Studying
from sameas.without_gold.scoring import THE_KEY, NamedKey, plain_settings, signature_of

__all__ = ["ALL", "WITHIN", "Study", "check_names", "cone_study"]

ALL, WITHIN = "all systems", "within systems"  # what rows of tables are called
FEW = 3  # names in a document, below which its CONE score is next to chance
_METRICS = ("b3", "ceafm")  # the paper's: its CEAF is φ3
#: Columns of the table by name: a metric, and f1, recall or precision.
_Columns = dict[str, tuple[str, str]]


@dataclass(frozen=True)
class Study(Presented):
    """Scores of names and of whole entities, row by row, and how they correlate.

    `table` has a row for each document (or entity) of each system, and for each metric and part
    a column of the whole (`b3`, `b3_recall`) and one of CONE (`cone_b3`), in percent; a metric
    without recall and precision, as the CoNLL average, has one column. `correlations` are by
    system, and "" stands for all of them pooled. `within` are those of the deviations from the mean
    of each system, where there are several: whether names tell on which documents a system is good,
    while the pooled ones also have how good the systems are. `ceiling` is the score of the key
    itself under an estimated key, which a perfect response would have. `part_of_whole` is the share
    of names in the key mentions of the whole; None if the key is estimated. `notes` are by system,
    and "" has those on the study.

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
    notes: Mapping[str, Sequence[Note]]
    against: str = "entities"
    share_of: str = "entity"
    within: Sequence[Correlation] = ()
    ceiling: Result | None = None
    part_of_whole: float | None = None

    def __getstate__(self) -> dict[str, Any]:
        """For pickles and copies: without the samples, which are drawn again when needed."""
        return {name: value for name, value in self.__dict__.items() if name != "_samples"}

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

    def agreement_interval(self, metric: str) -> Interval | None:
        """The confidence interval of `agreement`, by the bootstrap over documents.

        All scores of all systems are of the same samples of documents. None for one system, for
        one document, and if the systems were scored on different documents.

        >>> from sameas.examples import example_path
        >>> systems = {name: example_path(f"{name}.conll") for name in ("careful", "eager")}
        >>> found = cone_study(example_path("key.conll"), systems, least=1)
        >>> found.agreement_interval("b3")
        Interval(low=-1.0, high=1.0)
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
        """The scores of every system on every sample of documents, whole and CONE."""
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
        """Everything that can move a digit."""
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
    """Correlate the scores of names alone with those of whole entities.

    `against` says with what: all mentions of the `entities` that have a name (the paper's NE-CRR),
    or `all` mentions of all entities, which is the score that `score` gives. `names`, `matcher`,
    `across` and the settings are those of `cone`; with a matcher it is the estimated key against
    which names are scored, and always the key itself for whole entities. `match` is for both; if it
    is not given and the key is estimated, names match by their heads, and so do the mentions of
    `entities`, but `all` mentions match exactly, as in `score`. By heads, those that a file lacks
    are guessed on both sides. `level` is `document` or `entity`; `mentions="unnamed"` is the
    paper's control. Documents with fewer than `least` names in the key, and those in which a
    response has no name, are left out.

    >>> from sameas.examples import example_path
    >>> systems = {name: example_path(f"{name}.conll") for name in ("careful", "eager")}
    >>> found = cone_study(example_path("key.conll"), systems, least=1)
    >>> round(found.correlations["careful"][0].pearson.value, 2)
    0.21
    """
    matcher = None if matcher == "none" else matcher
    studying = Studying(level, against, share_of)
    if level == "entity" and matcher is not None:
        raise UsageError("study-entities-estimated")
    if mentions == "entities":
        raise UsageError("study-mentions")
    if settings.get("scope") not in (None, "document"):
        raise UsageError("cone-scope")
    _check_systems(systems, least)
    chosen, left_out = _choose(metrics, level)
    metrics = list(dict.fromkeys(metric for metric, _ in chosen.values()))
    resampling = Resampling() if resampling is None else resampling
    require(resampling, Resampling, "resampling", "a sameas.Resampling")
    ours = load(key, "key")
    source: dict[str, Any] = {"names": names, "matcher": matcher, "across": across}
    whole, part = _named_keys(ours, mentions, against, source, settings)
    pairs = [
        _pair(name, whole, part, load(response, "response"), metrics, against)
        for name, response in systems.items()
    ]
    ceiling = part.ceiling(ours, pairs[0].part.metrics) if part.estimated else None
    return _study(pairs, chosen, left_out, part.settings, studying, least, resampling, ceiling)


def _study(
    pairs: Sequence[_Pair],
    chosen: _Columns,
    left_out: Sequence[Note],
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
        {"": [*left_out, *short], **notes},
        studying.against,
        studying.share_of,
        within,
        ceiling,
        pairs[0].part.key_mentions / every if every and ceiling is None else None,
    )


def _check_systems(systems: object, least: object) -> None:
    if not isinstance(systems, Mapping) or not systems:
        raise UsageError("study-systems")
    if not isinstance(least, int) or least < 0:
        raise UsageError("wrong-type", what="least", expected="a number of names", value=least)
    check_names(systems)


def check_names(systems: Iterable[str]) -> None:
    """Refuse names of systems that rows of tables have.

    >>> check_names(["mine", "the key"])
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: a response cannot be named 'the key': tables have a row of that name
    """
    for name in systems:
        if name in ("", ALL, WITHIN, THE_KEY):  # "" stands for all
            raise UsageError("study-system-name", name=name)


def _named_keys(
    key: Corpus, mentions: str, against: str, source: Mapping[str, Any], settings: Mapping[str, Any]
) -> tuple[NamedKey, NamedKey]:
    """The keys by which the whole is scored, and the part; `source` is where its names are from."""
    estimated = source["matcher"] is not None
    if settings.get("match") is None and estimated and against == "entities":
        settings = {**settings, "match": "head"}
    names = None if estimated else source["names"]
    whole = NamedKey.of(key, names, mentions="entities", **settings)
    part = NamedKey.of(key, mentions=mentions, **source, **settings)
    if not estimated:
        part.namer = whole.namer  # names are found once
    return whole, part


def _table(
    pairs: Sequence[_Pair], columns: _Columns, studying: Studying, least: int
) -> tuple[ScoreTable, dict[str, list[Note]]]:
    """The scores of each document or entity of each system; and the notes of each system."""
    labels: dict[str, list[str]] = {"system": [], "document": []}
    rows: list[list[float]] = []
    notes: dict[str, list[Note]] = {}
    for pair in pairs:
        numbers, left_out = pair.documents(least)
        notes[pair.name] = [*pair.whole.remarks, *left_out]
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
    """Those of each system and of all pooled (""), and those within systems if there are several.

    Systems with too few rows have none; if all have too few together, the notes tell why.
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
    """Kendall's τ_b of each column; 0 where all systems are equal on a side, which has no order.

    >>> _taus(np.array([[1.0, 1.0], [2.0, 2.0]]), np.array([[3.0, 5.0], [4.0, 4.0]])).tolist()
    [1.0, -1.0]
    """
    one, other = np.triu_indices(len(x), 1)
    signs_x, signs_y = (np.sign(side[one] - side[other]) for side in (x, y))
    untied = np.sqrt((signs_x**2).sum(axis=0) * (signs_y**2).sum(axis=0))
    tau: Floats = (signs_x * signs_y).sum(axis=0) / np.maximum(untied, 1)
    return tau


def _choose(metrics: str | Sequence[str] | None, level: str) -> tuple[_Columns, list[Note]]:
    """The metrics and parts to correlate, and what is to be said of metrics left out."""
    wanted = list(_METRICS) if metrics is None else choose_metrics(metrics)
    may = [name for name in wanted if level == "document" or name in _METRICS]
    left_out = [name for name in wanted if name not in may]
    if not may or (left_out and metrics != "all"):
        raise UsageError("study-metrics", metrics=left_out)
    one = score([["a", "b"]], [["a"]], metrics=may)
    columns = {
        name if part == "f1" else f"{name}_{part}": (name, part)
        for name in may
        for part in PARTS
        if getattr(one[name], part) is not None
    }
    return columns, [Note("study-metrics-left-out", metrics=tuple(left_out))] if left_out else []


@dataclass(frozen=True)
class _Pair:
    """The scores of one system, of whole entities and of names."""

    name: str
    whole: Result
    part: Result
    names: Sequence[int]  # in the key, by document
    empty: Sequence[bool]  # whether the response has no name, by document

    def documents(self, least: int) -> tuple[list[int], list[Note]]:
        """The documents that count, and what is to be said of the others."""
        enough = [number for number, names in enumerate(self.names) if names >= least]
        counted = [number for number in enough if not self.empty[number]]
        left_out = {
            "study-few-names": len(self.names) - len(enough),
            "study-no-names": len(enough) - len(counted),
        }
        notes = [Note(code, count=count, least=least) for code, count in left_out.items() if count]
        return counted, notes

    def by_document(
        self, numbers: Sequence[int], columns: _Columns
    ) -> Iterator[tuple[str, list[float]]]:
        for number in numbers:
            both = self.whole.documents[number], self.part.documents[number]
            row = [getattr(one[metric], part) for one in both for metric, part in columns.values()]
            yield self.whole.statistics.documents[number], row

    def by_entity(self, numbers: Sequence[int], share_of: str) -> Iterator[tuple[str, list[float]]]:
        """The entities of the key that both have: those with a mention that is left."""
        whole, part = (_entities(result, share_of) for result in (self.whole, self.part))
        wanted = {self.whole.statistics.documents[number] for number in numbers}
        for place, ours in whole.items():
            if place[0] in wanted and place in part:
                yield place[0], [*ours, *part[place]]


def _pair(
    name: str,
    whole: NamedKey,
    part: NamedKey,
    response: Corpus,
    metrics: Sequence[str],
    against: str,
) -> _Pair:
    """Score one system both ways."""

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


def _entities(result: Result, share_of: str) -> dict[tuple[str, str], list[float]]:
    """F1, recall and precision of each key entity, as `cone_study` defines them."""
    (matching,) = result.matchings
    table = contingency(matching)
    side = matching.key
    ids = [
        (name, id)
        for name, document in zip(matching.names, side.read.documents, strict=True)
        for id in document.entity_ids
    ]
    numbers = side.read.entity[side.place].tolist()
    of = {entity: ids[n] for entity, n in zip(side.entity.tolist(), numbers, strict=True)}
    columns: list[Floats] = []
    for metric in result.metrics:
        found, right = np.zeros(len(table.k)), np.zeros(len(table.k))
        if metric == "ceafm":
            cells = assign(table.i, table.j, table.n)
            i = table.i[cells]
            found[i] = right[i] = table.n[cells]
            sizes = np.ones(len(table.k))
            sizes[i] = table.r[table.j[cells]]
        else:
            np.add.at(found, table.i, table.n**2 / table.k[table.i])
            np.add.at(right, table.i, table.n**2 / table.r[table.j])
            sizes = np.maximum(table.k_shared, 1)
        if share_of == "corpus":
            recall, precision = found / table.k.sum(), right / max(int(table.r.sum()), 1)
        else:
            recall, precision = found / table.k, right / sizes
        columns += [harmonic(recall, precision), recall, precision]
    rows = np.array(columns).T.tolist()
    return {of[entity]: row for entity, row in enumerate(rows)}
