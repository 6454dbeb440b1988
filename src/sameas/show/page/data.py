"""The data of the page: one block for the overview, and one for each document.

Their shapes are declared in `page/src/data.ts`, as `Overview` and `DocumentBlock`.

A corpus can have hundreds of thousands of mentions and errors, so they are written as flat lists of
integers. The mentions of one side of a document are in the order of the text, with three numbers
each: the offset of the first word from that of the mention before, the number of further words, and
the entity. The errors of a document have one list per kind: the number of the first error, then for
each error the number of mentions, the mentions, the other mention + 1 (0: no other mention), and
the combination of its groups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from sameas._version import __version__
from sameas.analysis.analysis import Analysis
from sameas.analysis.findings import CODES, DROPPED, KINDS, MESSAGES, PLURALS, Error, in_order
from sameas.analysis.placement import Placement, key_placements, response_placements
from sameas.chance.differences import Difference
from sameas.chance.resampling import Intervals
from sameas.chance.swapping import Pair
from sameas.documents.document import KINDS as MENTION_KINDS
from sameas.documents.heads import UNKNOWN
from sameas.metrics.statistics import METRICS
from sameas.notes import Note
from sameas.results.result import Result
from sameas.results.words import words_of
from sameas.show.cells import shorten

__all__ = [
    "GROUPED",
    "Chance",
    "ErrorGroups",
    "document_blocks",
    "group_errors",
    "overview",
]  # fmt: skip

MENTIONS = (*MENTION_KINDS, UNKNOWN)
#: The properties by which the overview groups errors, with their titles.
GROUPED = {
    "mention": "kind of mention",
    "other": "kind of the other mention",
    "distance": "distance in sentences",
    "size": "entity size",
    "type": "entity type",
    "head": "head match",
}
DIGITS = 6
LABEL = 20  # maximum length of a system's name, in characters
#: The side of the wrong mentions and that of the other mention, unless both are the response.
_SIDES = {
    "span": ("response", "key"),
    "missing mention": ("key", "key"),
    "missing entity": ("key", "key"),
}


Combinations = Sequence[tuple[str, ...]]


class Chance(NamedTuple):
    """Confidence intervals by system and metric, and differences of pairs with their p-values."""

    intervals: Mapping[str, Mapping[str, Intervals]]
    differences: Mapping[Pair, Mapping[str, Difference]]
    signature: str
    notes: Sequence[Note]


class ErrorGroups(NamedTuple):
    """The combinations of groups that occur, and for each analysis the combinations of its errors.

    The last value of a combination is the number of the error's mentions that are singletons on
    the other side.
    """

    combinations: Combinations
    of: Sequence[Sequence[int]]


def overview(
    analyses: Mapping[str, Analysis], chance: Chance, groups: ErrorGroups, *, title: str
) -> dict[str, Any]:
    """Return the data on the corpus as a whole."""
    found = list(analyses.values())
    first = found[0]
    metrics = list(first.metrics)
    names = list(analyses)
    worded = words_of(first.result)
    return {
        "title": title,
        "version": __version__,
        "signature": chance.signature,
        "notes": [*map(str, chance.notes), *_remarks(analyses)],
        "systems": names,
        "labels": [*shorten(names, LABEL).values()],
        "records": first.result.of_records,
        "metrics": [[name, worded(METRICS[name].title)] for name in metrics],
        "headline": metrics.index(first.headline),
        "kinds": list(KINDS),
        "plurals": [worded(PLURALS[kind]) for kind in KINDS],
        "messages": [worded(MESSAGES[kind]) for kind in KINDS],
        "dropped": [worded(DROPPED[kind]) for kind in KINDS],
        "codes": [CODES[kind] for kind in KINDS],
        "sides": [_SIDES.get(kind, ("response", "response")) for kind in KINDS],
        "mentions": list(MENTIONS),
        "guesses": [list(map(str, one.guesses)) for one in found],
        "grouped": {by: worded(title) for by, title in GROUPED.items()},
        "scores": [
            [_score(analysis.result, name, chance.intervals[system][name]) for name in metrics]
            for system, analysis in analyses.items()
        ],
        "pairs": [
            [names.index(new), names.index(base), [_difference(by[metric]) for metric in metrics]]
            for (new, base), by in chance.differences.items()
        ],
        "repairs": [_repairs(analysis) for analysis in found],
        "combinations": groups.combinations,
        "groups": [
            _count_groups(analysis, groups.combinations, of)
            for analysis, of in zip(found, groups.of, strict=True)
        ],
        "links": [
            {side: [[*pair, *counts] for pair, counts in cells.items()] for side, cells in linked}
            for linked in (analysis.linked().items() for analysis in found)
        ],
        "documents": _documents(found),
    }


def _remarks(analyses: Mapping[str, Analysis]) -> list[str]:
    """Return the remarks of all analyses, with the name of the system if there are several."""
    return [
        f"{name}: {remark}" if len(analyses) > 1 else str(remark)
        for name, analysis in analyses.items()
        for remark in analysis.remarks
    ]


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)


def _score(result: Result, metric: str, found: Intervals) -> list[list[float | None] | None]:
    """Return the headline number, recall and precision, each with the ends of its interval."""
    score = result[metric]
    values = (score.value, score.recall, score.precision)
    ends = (found.value, found.recall, found.precision)
    return [
        None if value is None else [_round(value), *map(_round, interval or ())]
        for value, interval in zip(values, ends, strict=True)
    ]


def _difference(found: Difference) -> list[Any]:
    ends = list(map(_round, found.interval)) if found.interval else None
    return [_round(found.value), ends, found.adjusted, found.wins, found.ties, found.losses]


def _repairs(analysis: Analysis) -> dict[str, Any]:
    def values(result: Result) -> list[float | None]:
        return [_round(result[metric].value) for metric in analysis.metrics]

    return {
        "errors": [repair.errors for repair in analysis.what_if],
        "alone": [values(repair.alone) for repair in analysis.what_if],
        "turn": [values(repair.in_turn) for repair in analysis.what_if],
    }


def group_errors(analyses: Sequence[Analysis]) -> ErrorGroups:
    """Return the combinations of groups that occur, and the combination of every error."""
    numbers: dict[tuple[str, ...], int] = {}
    of = []
    for analysis in analyses:
        found = [(*map(error.group, GROUPED), str(error.dropped)) for error in analysis.errors]
        of.append([numbers.setdefault(groups, len(numbers)) for groups in found])
    return ErrorGroups(list(numbers), of)


def _count_groups(
    analysis: Analysis, combinations: Combinations, of: Sequence[int]
) -> dict[str, Any]:
    """Return the labels of each grouping, and the number of errors of each kind and label."""
    tally = Counter(zip((error.kind for error in analysis.errors), of, strict=True))
    shown = {}
    for place, by in enumerate(GROUPED):
        counts: Counter[tuple[str, str]] = Counter()
        for (kind, combination), number in tally.items():
            counts[kind, combinations[combination][place]] += number
        labels = in_order(by, Counter(combinations[one][place] for one in of))
        table = [[counts[kind, label] for label in labels] for kind in KINDS]
        shown[by] = {"labels": labels, "table": table}
    return shown


def _documents(analyses: Sequence[Analysis]) -> list[dict[str, Any]]:
    """Return the size of each document, with its scores and errors in each analysis."""
    first = analyses[0]
    mentions = np.bincount(first.matching.key.document, minlength=len(first.layouts)).tolist()
    errors = [Counter((error.place, error.kind) for error in one.errors) for one in analyses]
    scored = [list(analysis.result.by_document()) for analysis in analyses]
    return [
        {
            "name": name,
            "words": len(layout.words) if layout.in_text else None,
            "mentions": mentions[number],
            "scores": [
                [_round(rows[number][metric]) for metric in first.metrics] for rows in scored
            ],
            "errors": [[counts[number, kind] for kind in KINDS] for counts in errors],
        }
        for number, (name, layout) in enumerate(
            zip(first.matching.names, first.layouts, strict=True)
        )
    ]


def document_blocks(analyses: Sequence[Analysis], groups: ErrorGroups) -> list[dict[str, Any]]:
    """Return the data on each document: words, mentions of all sides, and errors."""
    keys = key_placements(analyses[0])
    responses = [response_placements(analysis, keys) for analysis in analyses]
    errors = [_errors_by_document(analysis) for analysis in analyses]
    blocks = []
    for number, layout in enumerate(analyses[0].layouts):
        key, shown = keys[number], []
        for found, placements, of in zip(errors, responses, groups.of, strict=True):
            own = placements[number]
            flat = _flatten(found[number], key, own, of)
            shown.append({**_side(own), "main": own.main, "labels": own.labels, "errors": flat})
        glued = {"glued": layout.glued} if layout.glued else {}
        text = {"words": layout.words, "starts": layout.starts, **glued}
        blocks.append({**text, "key": _side(key), "responses": shown})
    return blocks


def _side(placement: Placement) -> dict[str, Any]:
    """Return the mentions of one side of a document, any separate pieces, and the entity ids."""
    flat: list[int] = []
    pieces = {}
    before = 0
    for number, mention in enumerate(placement.mentions):
        first, last = mention.places[0][0], mention.places[-1][1]
        flat += (first - before, last - first, mention.entity)
        before = first
        if len(mention.places) > 1:
            pieces[number] = mention.places
    return {"mentions": flat, "ids": placement.ids, **({"pieces": pieces} if pieces else {})}


def _errors_by_document(analysis: Analysis) -> list[list[Error]]:
    found: list[list[Error]] = [[] for _ in analysis.layouts]
    for error in analysis.errors:
        found[error.place].append(error)
    return found


def _flatten(
    errors: Sequence[Error], key: Placement, response: Placement, of: Sequence[int]
) -> list[list[int]]:
    """Return the errors of one document as flat lists, one for each kind.

    Only the number of the first error is written, because numbers within a kind are consecutive.
    """
    numbers = {
        (name, mention.number): place
        for name, side in (("key", key), ("response", response))
        for place, mention in enumerate(side.mentions)
    }
    lists: dict[str, list[int]] = {kind: [] for kind in KINDS}
    for error in errors:
        mentions = [numbers[mention.side, mention.number] for mention in error.mentions]
        other = 1 + numbers[error.other.side, error.other.number] if error.other else 0
        start = [] if lists[error.kind] else [error.number]
        lists[error.kind] += [*start, len(mentions), *mentions, other, of[error.number]]
    return list(lists.values())
