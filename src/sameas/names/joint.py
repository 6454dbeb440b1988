"""The joint source-channel model (Li, Zhang & Su 2004): an n-gram model over aligned pairs.

A name and its transliteration are written together, pair by pair: <a, AE> <l, L> <i, AH> <ce, S>.
The model gives each pair a probability after the pairs before it; to transliterate is to find the
most probable sequence of pairs whose left sides spell the name.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sameas.errors import UsageError
from sameas.names.ngrams import BOUNDARY, SMOOTHINGS, Floats, Ints, NgramModel, fit_ngrams
from sameas.names.options import Smoothing

__all__ = [
    "BOUNDARY",
    "SMOOTHINGS",
    "Decoded",
    "Floats",
    "Ints",
    "JointModel",
    "Pair",
    "columns",
    "decode",
    "fit",
    "from_columns",
]

Pair = tuple[str, str]

_ROUNDING = 1e-9  # sums of the same numbers in another order may differ by less than this
_MISSING = 1e4  # nats for a letter that no pair can spell: never taken where there is another way


@dataclass(frozen=True, eq=False)
class JointModel(NgramModel):
    """An n-gram model over pairs, as `fit` or `from_columns` makes it.

    >>> model = fit([[("a", "AE"), ("l", "L")], [("a", "AH")]], order=2)
    >>> model.pairs, len(model)
    ((('a', 'AE'), ('a', 'AH'), ('l', 'L')), 9)
    """

    pairs: tuple[Pair, ...]  # sorted, so that pairs with one source are neighbours

    @cached_property
    def sources(self) -> tuple[list[str], Ints]:
        """Of each pair: its source; and the number of that, 0 for the boundary."""
        sources = ["", *(source for source, _ in self.pairs)]
        return sources, np.cumsum([0, *(one != two for one, two in pairwise(sources))])

    @cached_property
    def _automaton(self) -> _Automaton:
        return _Automaton(self)


def fit(
    aligned: Iterable[Sequence[Pair]],
    *,
    order: int = 3,
    smoothing: Smoothing = "kneser-ney",
    prune: float = 0.0,
) -> JointModel:
    """Learn a model from aligned names; `order`, `smoothing` and `prune` are those of `fit_ngrams`.

    >>> len(fit([[("a", "AE"), ("l", "L")], [("a", "AH")]], order=2))
    9
    >>> fit([[("", "AE")]], order=2)
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: the pair ('', 'AE') has no source; join it to a neighbour
    """
    pairs, stream = _numbered(aligned)
    return _of_pairs(pairs, fit_ngrams(stream, len(pairs) + 1, order, smoothing, prune))


def _of_pairs(pairs: tuple[Pair, ...], grams: NgramModel) -> JointModel:
    return JointModel(grams.size, grams.order, grams.token, grams.children, grams.codes, pairs)


def _numbered(aligned: Iterable[Sequence[Pair]]) -> tuple[tuple[Pair, ...], Ints]:
    """The pairs, sorted, and all names as one stream of their numbers between boundaries."""
    numbers: dict[Pair, int] = {}
    stream = [0]
    for name in aligned:
        stream.extend(
            numbers.setdefault((source, target), len(numbers) + 1) for source, target in name
        )
        stream.append(0)
    if len(stream) == 1:
        raise UsageError("no-names-to-learn")
    pairs = sorted(numbers)
    if pairs and not pairs[0][0]:
        raise UsageError("pair-without-source", pair=repr(pairs[0]))
    rank = np.zeros(len(pairs) + 1, dtype=np.int64)
    rank[[numbers[pair] for pair in pairs]] = np.arange(1, len(pairs) + 1)
    return tuple(pairs), rank[stream]


class Decoded(NamedTuple):
    """The best way found to write a name: its pairs, ln of their probability, and what is left out.

    >>> Decoded((("a", "AE"), ("x", "K S")), -3.5, "").target
    'AE K S'
    """

    pairs: tuple[Pair, ...]
    log_probability: float  # of the pairs, without the letters left out
    left_out: str  # letters that no pair of the model can spell here

    @property
    def target(self) -> str:
        """The right sides, with a space between; empty ones leave no trace."""
        return " ".join(target for _, target in self.pairs if target)


class _Automaton:
    """The model as states and steps in plain lists, which single steps read faster than arrays.

    A state is a node that has children: the longest history that can tell anything. Those children
    of a state whose pairs have the same source lie together, and are a bundle. All of them were
    also seen after the shorter history, so that each bundle has a lower one, down to the root's.
    """

    def __init__(self, model: JointModel) -> None:
        levels, parent, suffix = model.levels, model.parent, model.suffix
        step, backoff = np.log(model.probability), np.log(model.gamma)
        sources, ranks = model.sources
        bundle = parent * len(sources) + ranks[model.token]
        begins = np.concatenate([[1], np.flatnonzero(np.diff(bundle[1:])) + 2])
        del bundle
        # The best step from each bundle, in itself or below, kept at its first node.
        best = np.zeros(len(suffix))
        best[begins] = np.maximum.reduceat(step, begins)
        opening = np.zeros(len(suffix), dtype=np.int64)
        opening[begins] = begins
        opening = np.maximum.accumulate(opening)
        for start, end in levels[2:]:
            low, high = np.searchsorted(begins, [start, end])
            here = begins[low:high]
            best[here] = np.maximum(best[here], backoff[parent[here]] + best[opening[suffix[here]]])
        self.state: list[int] = model.states.tolist()
        self.token: list[int] = model.token.tolist()
        self.first: list[int] = model.first.tolist()
        self.suffix: list[int] = suffix.tolist()
        self.step: list[float] = step.tolist()
        self.backoff: list[float] = backoff.tolist()
        self.best: list[float] = best.tolist()
        self.start = self.state[1 + BOUNDARY]
        self.ranges: dict[str, tuple[int, int]] = {}
        for place, (source, _) in enumerate(model.pairs, 1):
            self.ranges[source] = (self.ranges.get(source, (place, 0))[0], place + 1)
        self.longest = max(1, *map(len, sources))

    def follow(self, state: int, token: int) -> tuple[float, int]:
        """Return ln p(token | state), and the state after it."""
        backoff = 0.0
        while True:
            low, high = self.first[state], self.first[state + 1]
            place = bisect_left(self.token, token, low, high)
            if place < high and self.token[place] == token:
                return backoff + self.step[place], self.state[place]
            backoff += self.backoff[state]
            state = self.suffix[state]


def decode(
    model: JointModel, sources: Iterable[str], *, beam: int = 12, width: float = 8.0
) -> list[Decoded]:
    """The most probable sequence of pairs that spells each source, over all its segmentations.

    At each place of a source the `beam` best histories go on, if they are less than `width` nats
    below the best. A letter that no pair spells here (never seen, or seen only beside others) is
    left out, said, and changes nothing else.

    >>> model = fit([[("a", "AE"), ("l", "L")], [("a", "AH"), ("x", "K S")]], order=2)
    >>> [(best.target, best.left_out) for best in decode(model, ["ax", "alé", ""])]
    [('AH K S', ''), ('AE L', 'é'), ('', '')]
    """
    if isinstance(sources, str):
        raise UsageError("one-string", what="sources", value=sources)
    if beam < 1:
        raise UsageError("at-least-one", what="beam", value=beam)
    return [_decoded(model, source, beam, width) for source in sources]


def _decoded(model: JointModel, source: str, beam: int, width: float) -> Decoded:
    automaton = model._automaton
    size = len(source)
    # At each place: the score and trail of every history that can be there. A trail is the latest
    # token and the trail before it; tokens below 0 are letters left out.
    table: list[dict[int, tuple[float, Any]]] = [{} for _ in range(size + 1)]
    best = [-math.inf] * (size + 1)
    table[0][automaton.start] = (0.0, None)
    first, tokens, tops = automaton.first, automaton.token, automaton.best
    backoff, suffix = automaton.backoff, automaton.suffix
    for place in range(size):
        alive = [(score, state, trail) for state, (score, trail) in table[place].items()]
        alive.sort(key=itemgetter(0), reverse=True)
        del alive[beam:]
        for end in range(place + 1, min(place + automaton.longest, size) + 1):
            spelt = automaton.ranges.get(source[place:end])
            if spelt is None:
                if end == place + 1:  # always one way on, even if it is to leave the letter out
                    for score, state, trail in alive:
                        score -= _MISSING
                        if state not in table[end] or table[end][state][0] < score:
                            table[end][state] = (score, (-1 - place, trail))
                    best[end] = max(best[end], alive[0][0] - _MISSING)
                continue
            low, high = spelt
            top = best[end]
            found = []
            for score, state, trail in alive:
                if score < top - width:
                    break
                while True:
                    stop = first[state + 1]
                    node = bisect_left(tokens, low, first[state], stop)
                    if node < stop and tokens[node] < high:
                        break
                    score += backoff[state]
                    state = suffix[state]
                reached = score + tops[node]
                if reached > top:
                    top = reached
                found.append((reached, score, state, node, trail))
            best[end] = top
            _spread(automaton, found, spelt, top - width - _ROUNDING, table[end])
    follow = automaton.follow
    score, trail = max(
        (
            (score + follow(state, BOUNDARY)[0], trail)
            for state, (score, trail) in table[size].items()
        ),
        key=itemgetter(0),
    )
    chosen: list[int] = []
    while trail is not None:
        token, trail = trail
        chosen.append(token)
    chosen.reverse()
    left_out = "".join(source[-1 - token] for token in chosen if token < 0)
    pairs = tuple(model.pairs[token - 1] for token in chosen if token > 0)
    return Decoded(pairs, score + _MISSING * len(left_out), left_out)


def _spread(
    automaton: _Automaton,
    found: list[tuple[float, float, int, int, Any]],
    spelt: tuple[int, int],
    bound: float,
    cells: dict[int, tuple[float, Any]],
) -> None:
    """Take the steps of bundles that reach the bound, and keep the best way to each state."""
    first, tokens = automaton.first, automaton.token
    steps, states = automaton.step, automaton.state
    low, high = spelt
    for reached, score, state, node, trail in found:
        if reached < bound:
            continue
        taken: list[int] = []
        while True:
            stop = first[state + 1]
            while node < stop and (token := tokens[node]) < high:
                after = score + steps[node]
                if after >= bound and token not in taken:
                    taken.append(token)
                    cell = cells.get(states[node])
                    if cell is None or cell[0] < after:
                        cells[states[node]] = (after, (token, trail))
                node += 1
            if not state:
                break
            score += automaton.backoff[state]
            if score < bound:
                break
            state = automaton.suffix[state]
            node = bisect_left(tokens, low, first[state], first[state + 1])
            if score + automaton.best[node] < bound:
                break


def columns(model: JointModel) -> dict[str, Ints]:
    """Return the three columns of a model, without what is the same in all models.

    >>> model = fit([[("a", "AE"), ("l", "L")]], order=2)
    >>> len(from_columns(model.pairs, 2, columns(model))) == len(model)
    True
    """
    return model.columns()


def from_columns(
    pairs: Iterable[Sequence[str]], order: int, columns: Mapping[str, NDArray[Any]]
) -> JointModel:
    """Return the model of such columns; ValueError says what is wrong with them.

    >>> from_columns([("a", "AE")], 1, dict.fromkeys(("token", "children", "codes"), np.ones(1)))
    Traceback (most recent call last):
    ...
    ValueError: its columns do not belong together
    """
    known = tuple((str(source), str(target)) for source, target in pairs)
    grams = NgramModel.from_columns(len(known) + 1, order, columns)
    if list(known) != sorted(set(known)) or not all(source for source, _ in known):
        raise ValueError("its pairs are not in order")
    return _of_pairs(known, grams)
