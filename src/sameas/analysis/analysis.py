"""Find the errors behind a result, and what the score would be without them.

The errors are the steps of `steps.py`, after Kummerfeld & Klein (2013), and the links of
`links.py`, after Martschat & Strube (2014).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from sameas.analysis.described import Scored, describe_mentions
from sameas.analysis.findings import KINDS, PLURALS, Error, Errors, kind_named
from sameas.analysis.links import Link, links
from sameas.analysis.steps import Steps
from sameas.arithmetic.arrays import Bools
from sameas.authorities import authority_of
from sameas.documents.document import Document
from sameas.documents.language import look_english
from sameas.documents.layout import Layout
from sameas.errors import UsageError, require
from sameas.matching.matching import Matching
from sameas.matching.sides import marked
from sameas.metrics.contingency import contingency
from sameas.metrics.statistics import METRICS, measure, measured
from sameas.notes import Note
from sameas.presented import Presented
from sameas.results.result import Result
from sameas.results.words import words_of
from sameas.run.inputs import Input
from sameas.run.scoring import score
from sameas.sentences import wording

__all__ = ["Analysis", "Repair", "analyse", "analyse_result", "analyse_results"]


def analyse(key: Input, response: Input, **settings: Any) -> Analysis:
    """Find the errors of a response.

    Parameters
    ----------
    key, response, **settings
        As for `sameas.score`.

    Returns
    -------
    Analysis
        The errors, and the scores after repairing them.

    Examples
    --------
    >>> found = analyse([["a", "b"], ["c", "d"]], [["a", "b", "c"], ["e", "f"]])
    >>> found.counts
    {'span': 0, 'conflated': 1, 'extra mention': 0, 'extra entity': 1, 'divided': 0, \
'missing mention': 1, 'missing entity': 0}
    """
    return analyse_result(score(key, response, **settings))


def analyse_result(result: Result) -> Analysis:
    """Find the errors behind a result of `sameas.score`.

    Parameters
    ----------
    result
        The result of one response.

    Returns
    -------
    Analysis
        The errors, and the scores after repairing them.

    Examples
    --------
    >>> import sameas
    >>> analyse_result(sameas.score([["a", "b"]], [["a"]])).errors[0].kind
    'missing mention'
    """
    require(result, Result, "result", "a sameas.Result")
    return analyse_results([result])[0]


def analyse_results(results: Sequence[Result]) -> list[Analysis]:
    """Return the analyses of several responses to one key, laying out each document only once."""
    results = [_one_to_one(result) for result in results]
    matchings = [result.matchings[0] for result in results]
    keys = [list(matching.key.read.documents) for matching in matchings]
    if any(key != keys[0] for key in keys):
        raise UsageError("not-one-key", **wording(results[0].of_records))
    responses = (matching.response.read.documents for matching in matchings)
    layouts = [Layout(documents) for documents in zip(keys[0], *responses, strict=True)]
    tags = [_tags(key, layout) for key, layout in zip(keys[0], layouts, strict=True)]
    english = look_english(layout.words if layout.in_text else () for layout in layouts)
    describe = partial(describe_mentions, layouts=layouts, tags=tags, english=english)
    described = describe(matchings[0].key.read)
    return [
        Analysis(
            result,
            Scored("key", matching.key, described, layouts),
            Scored("response", matching.response, describe(matching.response.read), layouts),
        )
        for result, matching in zip(results, matchings, strict=True)
    ]


def _one_to_one(result: Result) -> Result:
    """Return the result with mentions matched one to one; reject results that prevent this."""
    if len(result.matchings) != 1 or len(result.matchings[0].names) != len(result):
        raise UsageError("not-one-scoring", what="errors")
    matching = result.matchings[0]
    if matching.kept is None:
        return result
    authority, plain = authority_of(result.settings), replace(matching, kept=None)
    statistics = authority.measure(contingency(plain), result.metrics, plain)
    rescored = replace(result, statistics=statistics, matchings=(plain,))
    # If no mention is repeated, the scorers that `compat` follows match one to one as well.
    if not authority.is_one_to_one(matching) or any(
        abs(rescored[name].value - result[name].value) > 1e-9 for name in result.metrics
    ):
        words = wording(result.of_records)
        raise UsageError("errors-compat", compat=result.settings.compat, **words)
    return rescored


def _tags(key: Document, layout: Layout) -> list[str] | None:
    """Return the parts of speech of a document's words, if the key has them."""
    tags: list[str] | None = getattr(key.text, "tags", lambda: None)()
    # The words may include empty nodes or unknown words, which have no tag.
    return tags if tags is not None and len(tags) == len(layout.words) else None


class Repair(NamedTuple):
    """The effect of repairing one kind of error: the number of errors and the new scores.

    `alone` is the result after repairing only this kind; `in_turn` is the result after also
    repairing all kinds before it.
    """

    kind: str
    errors: int
    alone: Result
    in_turn: Result


class Analysis(Presented):
    """The errors of one response against one key.

    Attributes
    ----------
    result
        The result before any repair.
    key, response
        The scored mentions of each side.
    errors, counts, links, what_if
        The errors, their number by kind, missing and wrong links, and the scores after repairs.

    Examples
    --------
    >>> from sameas.examples import example_path
    >>> found = analyse(example_path("key.conll"), example_path("eager.conll"))
    >>> found.counts["extra entity"], len(found.errors.where(mention="pronoun"))
    (6, 2)
    >>> round(found.repaired("conflated").conll.f1, 4), found.repaired().conll.f1
    (0.876, 1.0)
    >>> round(found.repaired(found.errors[:1]).conll.f1, 4)
    0.8572
    """

    def __init__(self, result: Result, key: Scored, response: Scored) -> None:
        self.matching: Matching = result.matchings[0]
        self.key, self.response = key, response
        # Metrics that need token offsets cannot score a repaired response, which no file contains.
        self.metrics = tuple(name for name in result.metrics if METRICS[name].places is None)
        if not self.metrics:
            raise UsageError("not-repairable")
        wanted = measured(self.metrics)
        columns = {name: of for name, of in result.statistics.columns.items() if name in wanted}
        statistics = replace(result.statistics, columns=columns)
        self.result = replace(result, metrics=self.metrics, statistics=statistics)
        omitted = [name for name in result.metrics if name not in self.metrics]
        self.notes = [Note("not-on-repaired", metrics=tuple(omitted))] if omitted else []

    @property
    def name(self) -> str:
        """The name of the response."""
        return self.result.name

    @property
    def headline(self) -> str:
        """The metric to show if there is room for only one: CoNLL, else the first metric."""
        return "conll" if "conll" in self.metrics else self.metrics[0]

    def __repr__(self) -> str:
        """Return one line with the number of errors of each kind."""
        counts = [f"{number} {kind}" for kind, number in self.counts.items() if number]
        return f"<Analysis of {self.name}: {', '.join(counts) or 'no errors'}>"

    @property
    def layouts(self) -> Sequence[Layout]:
        """The words of each document."""
        return self.key.layouts

    @cached_property
    def steps(self) -> Steps:
        """The steps that turn the response into the key."""
        return Steps(self.key, self.response)

    @property
    def counts(self) -> dict[str, int]:
        """The number of errors of each kind."""
        return {kind: len(step) for kind, step in self.steps.by_kind.items()}

    def repaired(self, what: str | Error | Iterable[str | Error] | None = None) -> Result:
        """Return the result after repairing some errors.

        Parameters
        ----------
        what
            One kind of error, one `Error`, or several of either; all errors by default.

        Returns
        -------
        Result
            The scores of the repaired response.
        """
        chosen = self._chosen(what)
        result, worded = self._score(chosen), words_of(self.result)
        done = [
            worded(PLURALS[kind] if flags.all() else f"{int(flags.sum())} {PLURALS[kind]}")
            for kind, flags in chosen.items()
            if flags.any()
        ]
        if not done:
            return result
        note = Note("repaired", kinds=tuple(done))
        return replace(result, name=f"{result.name}, repaired", notes=[*result.notes, note])

    def _chosen(self, what: str | Error | Iterable[str | Error] | None) -> dict[str, Bools]:
        steps = self.steps.by_kind
        if what is None:
            what = KINDS
        elif isinstance(what, (str, Error)):
            what = [what]
        flags = np.zeros(sum(map(len, steps.values())), dtype=np.bool_)  # by number of the error
        ends = np.cumsum([len(step) for step in steps.values()])[:-1]
        chosen = dict(zip(steps, np.split(flags, ends), strict=True))  # views of the flags
        for one in what:
            if isinstance(one, Error):
                if one.number >= len(flags) or self.errors[one.number] is not one:
                    raise UsageError("other-errors")
                flags[one.number] = True
            elif kind_named(one) in chosen:
                chosen[kind_named(one)][:] = True
            else:
                raise UsageError("not-by-itself", kind=kind_named(one))
        return chosen

    def _score(self, chosen: Mapping[str, Bools]) -> Result:
        drop = self.result.settings.singletons == "drop"
        matching = replace(self.matching, response=self.steps.repair(chosen, drop=drop))
        statistics = measure(contingency(matching), self.metrics)
        return replace(self.result, statistics=statistics, matchings=())

    @cached_property
    def what_if(self) -> list[Repair]:
        """The scores after repairing each kind, alone and in turn.

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
                results[code] = self._score(chosen)
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
        """Return the results after repairing random shares of the errors of a kind.

        Parameters
        ----------
        kind
            The kind of error.
        steps
            Number of steps from none to all (default 5), at most the number of errors.
        samples, seed
            Number of random orders of repair (default 3), and their random seed (default 1).

        Returns
        -------
        list of tuple
            Each share and its results: one per sample, or only one for none and for all errors.

        Examples
        --------
        >>> found = analyse([["a", "b"], ["c", "d"]], [["a", "b", "c"]])
        >>> (none, before), (all, after) = found.repaired_shares("conflated", steps=1)
        >>> before[0]["muc"].f1, after[0]["muc"].f1
        (0.5, 0.6666666666666666)
        """
        self._chosen(kind)  # rejects unknown kinds
        kind, none = kind_named(kind), self._chosen([])
        bits = np.random.PCG64(seed)
        size = len(none[kind])
        orders = [np.argsort(bits.random_raw(size)) for _ in range(samples)]
        found = []
        steps = max(min(steps, size), 1)
        for step in range(steps + 1):
            number = round(step / steps * size)
            share = number / size if size else step / steps
            drawn = orders if 0 < step < steps else [np.arange(size)]
            flags = [marked(size, order[:number]) for order in drawn]
            found.append((share, [self._score({**none, kind: one}) for one in flags]))
        return found

    @property
    def guesses(self) -> list[Note]:
        """Notes on the mentions whose kind is not in the files.

        >>> from sameas.examples import example_path
        >>> print(*analyse(example_path("key.conll"), example_path("eager.conll")).guesses)
        for 82 of 82 mentions, the kind (name, nominal or pronoun) is guessed by rules for English
        """
        return [*self._note_missing_kinds("kinds-guessed"), *self.unknowns]

    @property
    def unknowns(self) -> list[Note]:
        """Notes on the mentions whose kind is neither in the files nor guessed, with the reason."""
        return self._note_missing_kinds("kinds-foreign", "kinds-textless")

    def _note_missing_kinds(self, *codes: str) -> list[Note]:
        sides = () if self.result.of_records else (self.key.described, self.response.described)
        every = sum(len(side.kinds) for side in sides)  # records have no kinds
        counts = {code: sum(side.missing_kinds[code] for side in sides) for code in codes}
        return [Note(code, count=count, total=every) for code, count in counts.items() if count]

    @property
    def remarks(self) -> list[Note]:
        """The notes, and an explanation of each repair that lowers a score."""
        remarks = [*self.notes, *self.guesses, *self.result.remarks]
        before, lowers = self.result, False
        for repair in self.what_if:
            alone = self._lowered(repair.alone, self.result)
            in_turn = self._lowered(repair.in_turn, before)
            found = [("alone", alone), ("in turn", in_turn)]
            for when, lower in [("alone, in turn", alone)] if alone == in_turn else found:
                if lower:
                    lowers, how = True, repair.kind.replace(" ", "-")
                    remarks.append(Note("repair-lowers", how=how, when=when, metrics=lower))
            before = repair.in_turn
        if lowers and self.result.settings.singletons == "drop":
            remarks.append(Note("repair-drops"))
        return [note.of_records() for note in remarks] if self.result.of_records else remarks

    def _lowered(self, now: Result, before: Result) -> tuple[str, ...]:
        return tuple(
            f"{METRICS[name].title} by {100 * (before[name].value - now[name].value):.2f}"
            for name in self.metrics
            if now[name].value < before[name].value - 1e-9
        )

    @cached_property
    def errors(self) -> Errors:
        """All errors, sorted by kind, then in text order."""
        return Errors(list(self._errors()))

    @cached_property
    def links(self) -> Errors:
        """Missing and wrong links, after Martschat & Strube (2014): recall and precision errors.

        A spanning tree joins the mentions of each key entity. Each mention is linked to the closest
        preceding mention that the response also puts into its entity. Without such a mention, a
        name or nominal is linked to the closest preceding name, else nominal, else mention, and any
        other mention to the closest preceding one. If two mentions start at the same word, the
        longer is first. Links that the response lacks are missing; links in the trees of response
        entities that the key lacks are wrong. Their numbers equal MUC's errors.

        >>> found = analyse([["a", "b", "c"]], [["a", "b"], ["c", "d"]])
        >>> [(link.kind, link.mentions[0].text, link.other.text) for link in found.links]
        [('missing link', 'c', 'b'), ('wrong link', 'd', 'c')]
        """
        found: list[Error] = []
        for kind, side in (("missing link", self.key), ("wrong link", self.response)):
            for link in self._links[side.name]:
                if not link.found:
                    rows = [link.anaphor], side, [link.antecedent]
                    found.append(self._error(len(found), kind, side, *rows))
        return Errors(found)

    @cached_property
    def _links(self) -> dict[str, list[Link]]:
        sides = (self.key, self.response), (self.response, self.key)
        return {side.name: links(side, other) for side, other in sides}

    def linked(self) -> dict[str, dict[tuple[str, str], tuple[int, int]]]:
        """Count links and wrong links by the kinds of anaphor and antecedent.

        Returns
        -------
        dict
            For `key` and `response`, keyed by the kinds of anaphor and antecedent: the number of
            links, and how many of them the other side lacks.

        Examples
        --------
        >>> analyse([["a", "b", "c"]], [["a", "b"]]).linked()["key"]
        {('unknown', 'unknown'): (2, 1)}
        """
        table: dict[str, dict[tuple[str, str], tuple[int, int]]] = {}
        for side in (self.key, self.response):
            found = self._links[side.name]
            pairs = [(side.kinds[link.anaphor], side.kinds[link.antecedent]) for link in found]
            wrong = Counter(pair for pair, link in zip(pairs, found, strict=True) if not link.found)
            table[side.name] = {pair: (n, wrong[pair]) for pair, n in Counter(pairs).items()}
        return table

    def _errors(self) -> Iterator[Error]:
        ours, theirs, parts = self.key, self.response, self.steps.parts
        in_part = theirs.grouped(parts.of_row)
        in_home = theirs.grouped(theirs.side.entity)
        in_key = ours.grouped(ours.side.entity)
        right_in_home = theirs.grouped(theirs.side.entity, self.steps.target >= 0)
        found_in_key = ours.grouped(ours.side.entity, self.steps.found)

        def two_parts(part: int, other: int) -> tuple[Scored, list[int], Scored, list[int]]:
            return theirs, in_part[part], theirs, in_part[int(other)]

        # Rows of a side: the wrong mentions, and those that share, or should share, their entity.
        makers: dict[str, Callable[[int], tuple[Scored, list[int], Scored, list[int]]]] = {
            "span": lambda row: (theirs, [row], ours, [int(self.steps.goal[row])]),
            "conflated": lambda part: two_parts(part, parts.main[parts.home[part]]),
            "extra mention": lambda row: (theirs, [row], theirs, right_in_home[theirs.entity[row]]),
            "extra entity": lambda entity: (theirs, in_home[entity], theirs, []),
            "divided": lambda part: two_parts(part, parts.anchor[parts.target[part]]),
            "missing mention": lambda row: (ours, [row], ours, found_in_key[ours.entity[row]]),
            "missing entity": lambda entity: (ours, in_key[entity], ours, []),
        }
        kinds = [(kind, one) for kind, step in self.steps.by_kind.items() for one in step.tolist()]
        for number, (kind, one) in enumerate(kinds):
            yield self._error(number, kind, *makers[kind](one))

    def _error(
        self, number: int, kind: str, side: Scored, rows: list[int], there: Scored, rest: list[int]
    ) -> Error:
        """Return the error of `rows`; the rows in `rest` share, or should share, their entity."""
        first = rows[0]
        other = there.nearest(first, rest) if there is side else rest[0]
        row = first if side is self.key else int(self.steps.goal[first])  # of the key, or -1
        owner, its = (self.key, row) if row >= 0 else (side, first)
        layout = self.layouts[side.document[first]]
        distance = head = None
        if other is not None and layout.in_text:
            heads = [side.head_words[row] for row in rows]
            head = kind == "span" or there.shares_head(heads, rest)
            if side.document[first] == there.document[other]:
                distance = abs(side.quote(first).sentence - there.quote(other).sentence)
        return Error(
            number,
            kind,
            self.matching.names[int(side.side.document[first])],
            side.document[first],
            tuple(side.quote(row) for row in rows),
            None if other is None else there.quote(other),
            self.key.ids[self.key.entity[row]] if row >= 0 else "",
            "" if side is self.key else side.ids[side.entity[first]],
            owner.sizes[owner.entity[its]],
            owner.types[its],
            distance,
            head,
            sum(self._was_dropped(side, row) for row in rows),
        )

    def _was_dropped(self, side: Scored, row: int) -> bool:
        """Return whether the other side has the mention as a singleton that was dropped."""
        settings = self.result.settings
        if settings.singletons != "drop":
            return False
        there, place = self.response if side is self.key else self.key, side.place[row]
        if side.identity(place) in there.unscored:
            return True
        return settings.match != "exact" and side.head(place) in there.unscored_heads
