"""A scoring to its errors: what is wrong, where, and what the score would be if it were not.

Seven kinds of errors, after Kummerfeld & Klein (2013): what has to be done to the response to make
it the key. Mentions are matched as they were scored. Then, in this order:

- span: a response mention that matches nothing gets the words of a key mention that nothing
  matches, if both have the same head;
- conflated: a response entity with mentions of several key entities is split;
- extra mention: a mention that the key lacks is taken out of an entity; extra entity: an entity
  that has no key mention at all is removed;
- divided: parts of one key entity in several response entities are joined;
- missing mention: a key mention is put into the entity where it belongs; missing entity: a key
  entity is added of which nothing was found.

Each error is one of these steps, and any set of them can be repaired. A response entity falls into
parts, one for each key entity; its largest part (of two, the one that comes first) stays where it
is when others are split off, and extra mentions stay with it, also when it is joined to another.
Divided parts join the largest part of their key entity, and missing mentions are put there. So
repairing nothing gives the response, and repairing everything gives the key.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from sameas.coref.contingency import contingency
from sameas.coref.document import Bools, Ints
from sameas.coref.findings import KINDS, LINKS, PLURALS, Error, Errors, Quoted, kind_named
from sameas.coref.heads import describe, head_word
from sameas.coref.layout import Layout
from sameas.coref.links import Link, links
from sameas.coref.matching import Matching
from sameas.coref.scoring import Input, score
from sameas.coref.sides import Mentions, Side
from sameas.coref.statistics import METRICS, measure
from sameas.errors import UsageError
from sameas.result import Result

__all__ = ["Analysis", "Repair", "analyse", "analyse_result", "analyse_results"]


def analyse(key: Input, response: Input, **settings: Any) -> Analysis:
    """Find the errors of a response; key, response and settings are those of `sameas.score`.

    >>> found = analyse([["a", "b"], ["c", "d"]], [["a", "b", "c"], ["e", "f"]])
    >>> found.counts
    {'span': 0, 'conflated': 1, 'extra mention': 0, 'extra entity': 1, 'divided': 0, \
'missing mention': 1, 'missing entity': 0}
    """
    return analyse_result(score(key, response, **settings))


def analyse_result(result: Result) -> Analysis:
    """Find the errors behind a result, as `sameas.score` gives it.

    >>> import sameas
    >>> analyse_result(sameas.score([["a", "b"]], [["a"]])).errors[0].kind
    'missing mention'
    """
    if len(result.matchings) != 1:
        raise UsageError(
            "errors are those of one scoring, as `score` gives it: not of results that were added, "
            "of selected documents, or after pickling"
        )
    matching = result.matchings[0]
    if len(matching.names) != len(result):
        raise UsageError("errors are those of one whole scoring, not of a part that was added")
    if matching.repeated is not None or matching.lookup is not None:
        raise UsageError(
            f"compat {result.settings.compat} (of --compat or a preset) counts mentions that match "
            "several others; errors are found one to one: leave it out, and name the other "
            "settings, such as --singletons drop, by themselves"
        )
    return Analysis(result)


def analyse_results(results: Sequence[Result]) -> list[Analysis]:
    """The analyses of several responses to one key, whose documents are laid out once for all.

    >>> import sameas
    >>> key = sameas.Document.from_clusters("a", [["x", "y"]])
    >>> results = [sameas.score(key, [["x", "y"]]), sameas.score(key, [["x"]])]
    >>> [len(found.errors) for found in analyse_results(results)]
    [0, 1]
    """
    found = [analyse_result(result) for result in results]
    keys = [analysis.matching.key.read.documents for analysis in found]
    if any(
        len(key) != len(keys[0]) or any(a is not b for a, b in zip(key, keys[0], strict=True))
        for key in keys
    ):
        raise UsageError(
            "the responses are not scored against the same documents of one key; if one lacks "
            "documents, --missing-documents empty scores them against nothing"
        )
    layouts = [
        Layout([key, *responses])
        for key, *responses in zip(
            keys[0],
            *(analysis.matching.response.read.documents for analysis in found),
            strict=True,
        )
    ]
    for analysis in found:
        analysis.layouts = layouts
        analysis._described_key = found[0]._described_key
    return found


class Repair(NamedTuple):
    """What repairing one kind of errors does: how many there are, and the scores that result.

    `alone` is the result with nothing else repaired; `in_turn` with all kinds before it, too.
    """

    kind: str
    errors: int
    alone: Result
    in_turn: Result


@dataclass(frozen=True)
class Described:
    """What is known of the mentions of one side, in the order in which they were read."""

    kinds: list[str]
    heads: list[int]  # words of the layout
    head_words: list[str]
    places: list[list[tuple[int, int]]]  # words of the layout
    types: list[str]
    order: Ints  # rank of each mention in the text


@dataclass(frozen=True)
class _Parts:
    """The parts into which key entities cut response entities; span errors count as matched."""

    home: Ints  # the response entity of each part
    target: Ints  # its key entity
    size: Ints
    main: Ints  # the largest part of each response entity, -1 if it has none
    anchor: Ints  # the largest part of each key entity, -1 if it has none


class _Rows:
    """The mentions of one side that were scored, and what is known of them."""

    def __init__(self, side: Side, described: Described) -> None:
        self.side = side
        places = side.place.tolist()
        self.order: Ints = described.order[side.place]
        self.kinds = [described.kinds[place] for place in places]
        self.heads = [described.head_words[place] for place in places]
        self.types = [described.types[place] for place in places]
        self._rank = self.order.tolist()
        self._head_counts: dict[int, tuple[list[int], Counter[str]]] = {}

    def grouped(self, labels: Ints, only: Bools | None = None) -> dict[int, list[int]]:
        """The rows of each label, or some of them, in the order of the text."""
        groups: dict[int, list[int]] = {}
        label_of = labels.tolist()
        wanted = None if only is None else only.tolist()
        for row in np.argsort(self.order, kind="stable").tolist():
            if wanted is None or wanted[row]:
                groups.setdefault(label_of[row], []).append(row)
        return groups

    def nearest(self, row: int, rest: list[int]) -> int | None:
        """The closest of the other rows before this one, or else after it."""
        at = bisect_left(rest, self._rank[row], key=self._rank.__getitem__)
        return rest[at - 1] if at else rest[0] if rest else None

    def shares_head(self, heads: list[str], rest: list[int]) -> bool:
        """Whether one of the heads is that of one of the rows."""
        if len(rest) == 1:
            return self.heads[rest[0]] in heads and bool(self.heads[rest[0]])
        if id(rest) not in self._head_counts:  # which keeps the list, so that no other has its id
            self._head_counts[id(rest)] = rest, Counter(self.heads[one] for one in rest)
        _, counts = self._head_counts[id(rest)]
        return any(counts[head] for head in heads if head)


class Analysis:
    """The errors of one response against one key.

    >>> import sameas
    >>> from sameas.examples import example_path
    >>> found = sameas.analyse(example_path("key.conll"), example_path("eager.conll"))
    >>> found.counts["extra entity"], len(found.errors.where(mention="pronoun"))
    (6, 2)
    >>> round(found.repaired("conflated").conll.f1, 4), found.repaired().conll.f1
    (0.876, 1.0)
    """

    def __init__(self, result: Result) -> None:
        self.matching: Matching = result.matchings[0]
        # Metrics that look at places in files cannot score a response that no file holds.
        self.metrics = tuple(name for name in result.metrics if METRICS[name].places is None)
        if not self.metrics:
            raise UsageError("none of these metrics can be scored on a repaired response")
        wanted = {part for name in self.metrics for part in (name, *METRICS[name].average_of)}
        columns = {name: columns for name, columns in result.statistics.columns.items()
                   if name in wanted}  # fmt: skip
        statistics = replace(result.statistics, columns=columns)
        self.result = replace(result, metrics=self.metrics, statistics=statistics)
        left_out = [name for name in result.metrics if name not in self.metrics]
        self.notes = [f"not scored on repaired responses: {', '.join(left_out)}"] * bool(left_out)

    @property
    def name(self) -> str:
        """The response."""
        return self.result.name

    def __repr__(self) -> str:
        """One line: how many errors there are of each kind."""
        counts = ", ".join(f"{number} {kind}" for kind, number in self.counts.items() if number)
        return f"<Analysis of {self.name}: {counts or 'no errors'}>"

    def __str__(self) -> str:
        """Tables of at most 80 columns that end with the signature."""
        from sameas.output.errors import render_analysis

        return render_analysis(self, self.errors)

    @cached_property
    def layouts(self) -> list[Layout]:
        """The words of each document."""
        return [
            Layout(pair)
            for pair in zip(
                self.matching.key.read.documents,
                self.matching.response.read.documents,
                strict=True,
            )
        ]

    @cached_property
    def _tags(self) -> list[list[str] | None]:
        """The parts of speech of the words of each document, where the key says them."""
        found: list[list[str] | None] = []
        for layout, document in zip(self.layouts, self.matching.key.read.documents, strict=True):
            tags = getattr(document.text, "tags", lambda: None)()
            # Empty nodes or unknown words may be among the words; then there are fewer tags.
            found.append(tags if tags is not None and len(tags) == len(layout.words) else None)
        return found

    @cached_property
    def _described_key(self) -> Described:
        return self._describe(self.matching.key.read)

    @cached_property
    def _described(self) -> tuple[Described, Described]:
        return self._described_key, self._describe(self.matching.response.read)

    def _describe(self, read: Mentions) -> Described:
        kinds: list[str] = []
        heads: list[int] = []
        head_words: list[str] = []
        places: list[list[tuple[int, int]]] = []
        for layout, document, tags in zip(self.layouts, read.documents, self._tags, strict=True):
            more, where = describe(layout, document, tags)
            kinds += more
            heads += where
            head_words += (
                head_word(layout, document, number, head) for number, head in enumerate(where)
            )
            places += (layout.places(document, n) for n in range(document.mention_count))
        types = read.labels("types") or [""] * len(kinds)
        firsts = np.array([spans[0][0] for spans in places], dtype=np.int64)
        lasts = np.array([spans[-1][1] for spans in places], dtype=np.int64)
        order = np.empty(len(kinds), dtype=np.int64)
        order[np.lexsort((-lasts, firsts, read.document))] = np.arange(len(kinds))
        return Described(kinds, heads, head_words, places, types, order)

    @cached_property
    def _twins(self) -> tuple[Ints, Ints, Ints]:
        """For each response row the key row it matches, or -1; then rows of span errors."""
        key, response = self.matching.key, self.matching.response
        row_of = np.full(self.matching.mention_count, -1, dtype=np.int64)
        row_of[key.mention] = np.arange(len(key.mention))
        twin = row_of[response.mention]
        found = np.zeros(len(key.mention), dtype=np.bool_)
        found[twin[twin >= 0]] = True
        pairs = self._span_errors(np.flatnonzero(~found), np.flatnonzero(twin < 0))
        key_rows = np.array([pair[0] for pair in pairs], dtype=np.int64)
        response_rows = np.array([pair[1] for pair in pairs], dtype=np.int64)
        return twin, key_rows, response_rows

    def _span_errors(self, missing: Ints, extra: Ints) -> list[tuple[int, int]]:
        """Pairs of key and response rows that have one head: most words in common first."""
        ours, theirs = self._described
        key, response = self.matching.key, self.matching.response
        by_head: dict[tuple[int, int], list[int]] = {}
        for row in missing.tolist():
            place = int(key.place[row])
            if ours.heads[place] >= 0:
                home = int(key.read.document[place])
                by_head.setdefault((home, ours.heads[place]), []).append(row)
        candidates = []
        for row in extra.tolist():
            place = int(response.place[row])
            home = int(response.read.document[place])
            for other in by_head.get((home, theirs.heads[place]), ()):
                its = int(key.place[other])
                share = _overlap(ours.places[its], theirs.places[place])
                candidates.append(
                    (-share, int(ours.order[its]), int(theirs.order[place]), other, row)
                )
        taken: set[tuple[str, int]] = set()
        pairs = []
        for _, _, _, row, other in sorted(candidates):
            if ("key", row) not in taken and ("response", other) not in taken:
                taken |= {("key", row), ("response", other)}
                pairs.append((row, other))
        return pairs

    @cached_property
    def _goal(self) -> Ints:
        """For each response row the key row that it is, or that it would be with other words."""
        twin, key_rows, response_rows = self._twins
        goal = twin.copy()
        goal[response_rows] = key_rows
        return goal

    @cached_property
    def _target(self) -> Ints:
        """For each response row the key entity where it belongs, or -1."""
        target = self._goal.copy()
        target[target >= 0] = self.matching.key.entity[target[target >= 0]]
        return target

    @cached_property
    def _parts(self) -> _Parts:
        key, response = self.matching.key, self.matching.response
        real = np.flatnonzero(self._target >= 0)
        width = int(key.entity.max(initial=-1)) + 1
        cells, part, size = np.unique(
            response.entity[real] * max(width, 1) + self._target[real],
            return_inverse=True,
            return_counts=True,
        )
        home, target = cells // max(width, 1), cells % max(width, 1)
        begins = _firsts(part, self._described[1].order[response.place[real]], len(cells))
        rank = np.lexsort((begins, -size))
        main = np.full(int(response.entity.max(initial=-1)) + 1, -1, dtype=np.int64)
        anchor = np.full(width, -1, dtype=np.int64)
        main[home[rank[::-1]]] = rank[::-1]  # of several, the last to be written is the largest
        anchor[target[rank[::-1]]] = rank[::-1]
        return _Parts(home, target, size, main, anchor)

    def main_parts(self) -> tuple[list[int], list[int]]:
        """For each response entity the key entity of its largest part, or -1, and how large it is.

        >>> analyse([["a", "b"], ["c"]], [["a", "b", "c"], ["d"]]).main_parts()
        ([0, -1], [2, 0])
        """
        parts = self._parts
        has = parts.main >= 0
        target, size = np.full(len(has), -1), np.zeros(len(has), dtype=np.int64)
        target[has] = parts.target[parts.main[has]]
        size[has] = parts.size[parts.main[has]]
        return target.tolist(), size.tolist()

    @cached_property
    def _part_of(self) -> Ints:
        """The part of each response row, or -1."""
        parts, response = self._parts, self.matching.response
        width = max(len(parts.anchor), 1)
        part = np.full(len(response.entity), -1, dtype=np.int64)
        real = self._target >= 0
        wanted = response.entity[real] * width + self._target[real]
        part[real] = np.searchsorted(parts.home * width + parts.target, wanted)
        return part

    @cached_property
    def _steps(self) -> dict[str, Ints]:
        """What each kind of error is about: rows, parts or entities, in the order of the text."""
        key, response, parts = self.matching.key, self.matching.response, self._parts
        ours, theirs = (
            described.order[side.place]
            for described, side in zip(self._described, (key, response), strict=True)
        )
        number = np.arange(len(parts.home))
        extra = np.flatnonzero(self._target < 0)
        among = parts.main[response.entity[extra]] >= 0
        found = np.zeros(len(key.entity), dtype=np.bool_)
        found[self._goal[self._goal >= 0]] = True
        missing = np.flatnonzero(~found)
        missing = missing[parts.anchor[key.entity[missing]] >= 0]
        in_parts = self._part_of >= 0
        begins = _firsts(self._part_of[in_parts], theirs[in_parts], len(parts.home))
        places = {
            "span": theirs,
            "conflated": begins,
            "extra mention": theirs,
            "extra entity": _firsts(response.entity, theirs, len(parts.main)),
            "divided": begins,
            "missing mention": ours,
            "missing entity": _firsts(key.entity, ours, len(parts.anchor)),
        }
        steps = {
            "span": self._twins[2],
            "conflated": number[parts.main[parts.home] != number],
            "extra mention": extra[among],
            "extra entity": np.flatnonzero(parts.main < 0),
            "divided": number[parts.anchor[parts.target] != number],
            "missing mention": missing,
            "missing entity": np.flatnonzero(parts.anchor < 0),
        }
        assert tuple(steps) == KINDS
        return {kind: step[np.argsort(places[kind][step])] for kind, step in steps.items()}

    @property
    def counts(self) -> dict[str, int]:
        """How many errors there are of each kind."""
        return {kind: len(step) for kind, step in self._steps.items()}

    def repaired(self, what: str | Error | Iterable[str | Error] | None = None) -> Result:
        """The result if some errors were repaired: one kind, several, single errors, or all.

        >>> found = analyse([["a", "b"], ["c", "d"]], [["a", "b", "c"]])
        >>> found.repaired([])["muc"].f1, found.repaired(found.errors[:1])["muc"].f1
        (0.5, 0.6666666666666666)
        """
        chosen = self._chosen(what)
        result = self._score(self._repair(chosen))
        done = [
            f"{PLURALS[kind]}" if flags.all() else f"{int(flags.sum())} {PLURALS[kind]}"
            for kind, flags in chosen.items()
            if flags.any()
        ]
        if not done:
            return result
        note = f"not the response, but what it would be with these repaired: {', '.join(done)}"
        return replace(result, name=f"{result.name}, repaired", notes=[*result.notes, note])

    def _chosen(self, what: str | Error | Iterable[str | Error] | None) -> dict[str, Bools]:
        steps = self._steps
        if what is None:
            what = KINDS
        elif isinstance(what, (str, Error)):
            what = [what]
        chosen = {kind: np.zeros(len(step), dtype=np.bool_) for kind, step in steps.items()}
        for one in what:
            if isinstance(one, Error):
                own = one.number < len(self.errors) and self.errors[one.number] is one
                if not own:
                    raise UsageError("only this analysis's own errors can be repaired, not links")
                chosen[one.kind][one.number - self._first_number[one.kind]] = True
            elif kind_named(one) in chosen:
                chosen[kind_named(one)][:] = True
            else:
                raise UsageError(f"a {kind_named(one)} cannot be repaired by itself")
        return chosen

    @cached_property
    def _first_number(self) -> dict[str, int]:
        """The number of the first error of each kind."""
        before, found = 0, {}
        for kind, step in self._steps.items():
            found[kind] = before
            before += len(step)
        return found

    def _repair(self, chosen: Mapping[str, Bools]) -> Side:
        """The response with the chosen steps done."""
        key, response, parts, steps = (
            self.matching.key, self.matching.response, self._parts, self._steps,
        )  # fmt: skip
        entities, count = len(parts.main), len(parts.home)
        # The name of the entity that each part is in: its response entity's, or its own.
        label = parts.home.copy()
        split = steps["conflated"][chosen["conflated"]]
        label[split] = entities + split
        where = np.arange(count)
        joined = steps["divided"][chosen["divided"]]
        where[joined] = parts.anchor[parts.target[joined]]
        label = label[where]
        mention = response.mention.copy()
        spans = steps["span"][chosen["span"]]
        mention[spans] = key.mention[self._goal[spans]]
        part = np.where(self._part_of >= 0, self._part_of, parts.main[response.entity])
        entity = response.entity.copy()
        entity[part >= 0] = label[part[part >= 0]]
        stays = np.ones(len(entity), dtype=np.bool_)
        stays[steps["extra mention"][chosen["extra mention"]]] = False
        gone = np.zeros(entities, dtype=np.bool_)
        gone[steps["extra entity"][chosen["extra entity"]]] = True
        stays &= ~gone[response.entity]
        added = steps["missing mention"][chosen["missing mention"]]
        whole = np.zeros(len(parts.anchor), dtype=np.bool_)
        whole[steps["missing entity"][chosen["missing entity"]]] = True
        new = np.flatnonzero(whole[key.entity])
        entity = np.concatenate(
            [
                entity[stays],
                label[parts.anchor[key.entity[added]]],
                entities + count + key.entity[new],
            ]
        )
        rows = np.concatenate([added, new])
        repaired = Side(
            np.concatenate([response.document[stays], key.document[rows]]),
            np.unique(entity, return_inverse=True)[1],
            np.concatenate([mention[stays], key.mention[rows]]),
            np.concatenate([response.place[stays], np.full(len(rows), -1)]),  # no file holds them
            response.read,
        )
        if self.result.settings.singletons == "drop":
            alone = np.bincount(repaired.entity)[repaired.entity] == 1
            repaired = repaired.keep(~alone) if alone.any() else repaired
        return repaired

    def _score(self, response: Side) -> Result:
        matching = replace(self.matching, response=response)
        statistics = measure(contingency(matching), self.metrics)
        return replace(self.result, statistics=statistics, matchings=())

    @cached_property
    def what_if(self) -> list[Repair]:
        """The scores that result when each kind is repaired, alone and in turn.

        >>> found = analyse([["a", "b"], ["c", "d"]], [["a", "b", "c"]])
        >>> [(repair.kind, round(repair.in_turn["b3"].f1, 2)) for repair in found.what_if][-2:]
        [('missing mention', 1.0), ('missing entity', 1.0)]
        """
        none = self._chosen([])
        before = dict(none)
        results: dict[bytes, Result] = {}

        def scored(chosen: dict[str, Bools]) -> Result:
            code = b"".join(np.packbits(flags).tobytes() for flags in chosen.values())
            if code not in results:
                results[code] = self._score(self._repair(chosen))
            return results[code]

        found = []
        for kind, flags in none.items():
            before[kind] = np.ones_like(flags)
            alone = scored({**none, kind: before[kind]})
            found.append(Repair(kind, len(flags), alone, scored(dict(before))))
        return found

    def repaired_shares(
        self, kind: str, *, steps: int = 5, samples: int = 3, seed: int = 1
    ) -> list[tuple[float, list[Result]]]:
        """The results if only a share of the errors of a kind were repaired, chosen by chance.

        >>> found = analyse([["a", "b"], ["c", "d"]], [["a", "b", "c"]])
        >>> (none, before), (all, after) = found.repaired_shares("conflated", steps=1)
        >>> before[0]["muc"].f1, after[0]["muc"].f1
        (0.5, 0.6666666666666666)
        """
        kind, none = kind_named(kind), self._chosen([])
        bits = np.random.PCG64(seed)
        size = len(none[kind])
        orders = [np.argsort(bits.random_raw(size)) for _ in range(samples)]
        found = []
        steps = max(min(steps, size), 1)
        for step in range(steps + 1):
            number = round(step / steps * size)
            share = number / size if size else step / steps
            if step in (0, steps):
                flags = [np.full(size, step > 0)]
            else:
                flags = [np.isin(np.arange(len(order)), order[:number]) for order in orders]
            results = [self._score(self._repair({**none, kind: one})) for one in flags]
            found.append((share, results))
        return found

    @property
    def remarks(self) -> list[str]:
        """The notes; and where a repair lowers a score, why that is."""
        remarks = [*self.notes, *self.result.remarks]
        dropped = self.result.settings.singletons == "drop"
        before = self.result
        for repair in self.what_if:
            alone = self._lowered(repair.alone, self.result)
            in_turn = self._lowered(repair.in_turn, before)
            notes = {" alone": alone, " in turn": in_turn}
            for when, lower in ({"": alone} if alone == in_turn else notes).items():
                if lower:
                    remarks.append(
                        f"repairing {PLURALS[repair.kind]}{when} lowers {lower}: "
                        + _WHY[repair.kind]
                        + ("; mentions left alone are dropped, as singletons are" * dropped)
                    )
            before = repair.in_turn
        return remarks

    def _lowered(self, now: Result, before: Result) -> str:
        return ", ".join(
            f"{METRICS[name].title} by {100 * (before[name].value - now[name].value):.2f}"
            for name in self.metrics
            if now[name].value < before[name].value - 1e-9
        )

    @cached_property
    def errors(self) -> Errors:
        """Every error, kind by kind, in the order of the text."""
        return Errors(list(self._errors()))

    @cached_property
    def links(self) -> Errors:
        """Missing and wrong links, after Martschat & Strube (2014): recall and precision errors.

        The mentions of a key entity are joined by a spanning tree: each to the closest one before
        it that the response, too, has in one entity with it; else, if it is a name or nominal, to
        the closest name, or else nominal; else to the closest mention. Of two that begin with the
        same word, the longer one comes first. The links of the tree that the response lacks are
        missing; with key and response changing places, they are wrong. There are as many as MUC
        counts.

        >>> found = analyse([["a", "b", "c"]], [["a", "b"], ["c", "d"]])
        >>> [(link.kind, link.mentions[0].text, link.other.text) for link in found.links]
        [('missing link', 'c', 'b'), ('wrong link', 'd', 'c')]
        """
        return Errors(
            [
                self._link_error(number, kind, side, link)
                for number, (kind, side, link) in enumerate(self._broken())
            ]
        )

    def _broken(self) -> Iterator[tuple[str, str, Link]]:
        for kind, side in (("missing link", "key"), ("wrong link", "response")):
            yield from ((kind, side, link) for link in self._links[side] if not link.found)

    @cached_property
    def _links(self) -> dict[str, list[Link]]:
        key, response = self._rows["key"], self._rows["response"]
        return {
            "key": links(key.side, response.side, key.order, key.kinds),
            "response": links(response.side, key.side, response.order, response.kinds),
        }

    def linked(self) -> dict[str, dict[tuple[str, str], tuple[int, int]]]:
        """Links by kind of anaphor and antecedent: how many there are, and how many are wrong.

        Of the key's links, how many the response lacks; of the response's, how many the key lacks.

        >>> analyse([["a", "b", "c"]], [["a", "b"]]).linked()["key"]
        {('unknown', 'unknown'): (2, 1)}
        """
        table: dict[str, dict[tuple[str, str], tuple[int, int]]] = {}
        for name, found in self._links.items():
            kinds = self._rows[name].kinds
            cells = table[name] = {}
            for link in found:
                pair = kinds[link.anaphor], kinds[link.antecedent]
                total, wrong = cells.get(pair, (0, 0))
                cells[pair] = total + 1, wrong + (not link.found)
        return table

    @cached_property
    def _quoted(self) -> dict[str, Any]:
        return {
            "key": self._quoting("key", self.matching.key, self._described[0]),
            "response": self._quoting("response", self.matching.response, self._described[1]),
        }

    def _quoting(self, name: str, side: Side, about: Described) -> Any:
        read, known = side.read, {}

        def quote(row: int) -> Quoted:
            if row not in known:
                place = int(side.place[row])
                home = int(read.document[place])
                document, layout = read.documents[home], self.layouts[home]
                number = place - int(read.starts[home])
                places = about.places[place]
                known[row] = Quoted(
                    name,
                    document.entity_ids[int(document.entity[number])],
                    layout.text(places),
                    about.kinds[place],
                    layout.sentence(places[0][0]) + 1,
                    tuple(places),
                    number,
                )
            return known[row]

        return quote

    @cached_property
    def _rows(self) -> dict[str, _Rows]:
        return {
            "key": _Rows(self.matching.key, self._described[0]),
            "response": _Rows(self.matching.response, self._described[1]),
        }

    def _errors(self) -> Iterator[Error]:
        key, response, parts = self.matching.key, self.matching.response, self._parts
        ours, theirs = self._rows["key"], self._rows["response"]
        in_part = theirs.grouped(self._part_of)
        in_home = theirs.grouped(response.entity)
        in_key = ours.grouped(key.entity)
        right_in_home = theirs.grouped(response.entity, self._target >= 0)
        found = np.zeros(len(key.entity), dtype=np.bool_)
        found[self._goal[self._goal >= 0]] = True
        found_in_key = ours.grouped(key.entity, found)
        # What is wrong, and what it is or should be with; rows of the key or of the response.
        makers: dict[str, Callable[[int], tuple[_Rows, list[int], _Rows, list[int]]]] = {
            "span": lambda row: (theirs, [row], ours, [int(self._goal[row])]),
            "conflated": lambda part: (
                theirs, in_part[part], theirs, in_part[int(parts.main[parts.home[part]])],
            ),
            "extra mention": lambda row: (
                theirs, [row], theirs, right_in_home[int(response.entity[row])],
            ),
            "extra entity": lambda entity: (theirs, in_home[entity], theirs, []),
            "divided": lambda part: (
                theirs, in_part[part], theirs, in_part[int(parts.anchor[parts.target[part]])],
            ),
            "missing mention": lambda row: (ours, [row], ours, found_in_key[int(key.entity[row])]),
            "missing entity": lambda entity: (ours, in_key[entity], ours, []),
        }  # fmt: skip
        number = 0
        for kind, step in self._steps.items():
            for one in step.tolist():
                yield self._error(number, kind, *makers[kind](one))
                number += 1

    def _error(
        self, number: int, kind: str, side: _Rows, rows: list[int], there: _Rows, rest: list[int]
    ) -> Error:
        key, response = self.matching.key, self.matching.response
        other = rest[0] if there is not side else there.nearest(rows[0], rest)
        if side.side is key:
            home, target = -1, int(key.entity[rows[0]])
        else:
            home, target = int(response.entity[rows[0]]), int(self._target[rows[0]])
        if target < 0:
            size, type = self._size(response, home), side.types[rows[0]]
        else:
            row = rows[0] if side.side is key else int(self._goal[rows[0]])
            size, type = self._size(key, target), self._rows["key"].types[row]
        return self._made(number, kind, side, rows, there, rest, other,
                          (self._entity_id(key, target), self._entity_id(response, home)),
                          size, type)  # fmt: skip

    def _made(
        self,
        number: int,
        kind: str,
        side: _Rows,
        rows: list[int],
        there: _Rows,
        rest: list[int],
        other: int | None,
        entities: tuple[str, str],
        size: int,
        type: str,
    ) -> Error:
        quote, quote_there = (
            self._quoted["key" if one.side is self.matching.key else "response"]
            for one in (side, there)
        )
        mentions = tuple(quote(row) for row in rows)
        quoted = None if other is None else quote_there(other)
        place, place_there = (
            int(one.side.read.document[one.side.place[row]])
            for one, row in ((side, rows[0]), (there, rows[0] if other is None else other))
        )
        in_text = quoted is not None and self.layouts[place].in_text
        return Error(
            number,
            kind,
            self.matching.names[int(side.side.document[rows[0]])],
            place,
            mentions,
            quoted,
            *entities,
            size,
            type,
            abs(mentions[0].sentence - quoted.sentence)
            if quoted and in_text and place == place_there
            else None,
            there.shares_head([side.heads[row] for row in rows], rest) if in_text else None,
            sum(self._was_dropped(side, row) for row in rows) if kind not in LINKS else 0,
        )

    def _link_error(self, number: int, kind: str, name: str, link: Link) -> Error:
        rows = self._rows[name]
        id = self._entity_id(rows.side, int(rows.side.entity[link.anaphor]))
        return self._made(
            number,
            kind,
            rows,
            [link.anaphor],
            rows,
            [link.antecedent],
            link.antecedent,
            (id, "") if name == "key" else ("", id),
            self._size(rows.side, int(rows.side.entity[link.anaphor])),
            rows.types[link.anaphor],
        )

    def _was_dropped(self, side: _Rows, row: int) -> bool:
        """Whether the other side has the same words as a singleton that was dropped."""
        if self.result.settings.singletons != "drop":
            return False
        place = int(side.side.place[row])
        read = side.side.read
        home = int(read.document[place])
        mention = read.documents[home].mentions[place - int(read.starts[home])]
        return (home, mention) in self._dropped["response" if side is self._rows["key"] else "key"]

    @cached_property
    def _dropped(self) -> dict[str, set[tuple[int, Hashable]]]:
        """Document and identity of the mentions of each side that were read and not scored."""
        found = {}
        for name in ("key", "response"):
            side = getattr(self.matching, name)
            scored = set(side.place.tolist())
            found[name] = {
                (home, mention)
                for home, document in enumerate(side.read.documents)
                for number, mention in enumerate(document.mentions)
                if int(side.read.starts[home]) + number not in scored
            }
        return found

    @cached_property
    def _sizes(self) -> dict[int, Ints]:
        return {
            id(side): np.bincount(side.entity)
            for side in (self.matching.key, self.matching.response)
        }

    def _size(self, side: Side, entity: int) -> int:
        return int(self._sizes[id(side)][entity])

    def described(self, name: str) -> Described:
        """What is known of the mentions of the `key` or the `response`, as they were read."""
        return self._described[name == "response"]

    def entity_ids(self, name: str) -> list[str]:
        """The names of the entities of the `key` or the `response` that were scored."""
        return self._ids[id(getattr(self.matching, name))]

    @cached_property
    def _ids(self) -> dict[int, list[str]]:
        """The entities' names; one of a file, where several were joined."""
        found = {}
        for side in (self.matching.key, self.matching.response):
            all_ids = [name for document in side.read.documents for name in document.entity_ids]
            ids = [""] * (int(side.entity.max(initial=-1)) + 1)
            read = side.read.entity[side.place].tolist()
            for entity, there in zip(side.entity.tolist(), read, strict=True):
                ids[entity] = ids[entity] or all_ids[there]
            found[id(side)] = ids
        return found

    def _entity_id(self, side: Side, entity: int) -> str:
        return self._ids[id(side)][entity] if entity >= 0 else ""


def _firsts(labels: Ints, order: Ints, count: int) -> Ints:
    """Where the first row of each label is in the text."""
    found = np.full(count, np.iinfo(np.int64).max)
    np.minimum.at(found, labels, order)
    return found


def _overlap(one: list[tuple[int, int]], other: list[tuple[int, int]]) -> float:
    """How much of their words two mentions share: 2n/(a+b)."""
    shared = sum(
        max(0, min(last, last_there) - max(first, first_there) + 1)
        for first, last in one
        for first_there, last_there in other
    )
    words = sum(last - first + 1 for spans in (one, other) for first, last in spans)
    return 2 * shared / words


_WHY = {
    "span": "mentions that match now are in wrong entities, and count there",
    "conflated": "until other kinds are repaired, too, there are more entities than the key has, "
    "and extra mentions are apart from more mentions",
    "extra mention": "what is left of their entities weighs otherwise",
    "extra entity": "what is left weighs otherwise",
    "divided": "parts are joined inside entities that are still conflated",
    "missing mention": "mentions are put into entities that are still conflated or divided",
    "missing entity": "what was there weighs less",
}
