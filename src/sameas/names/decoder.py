"""The most probable ways to write names by the joint model: a beam search, many names at once.

A name is a lattice. Its places lie between its letters; an arc leads from one place to another over
letters that are the source of some pairs, and writes one of these pairs. A way to write the name is
a path from the first place to the last. The search goes through the places from left to right; at
each place the `beam` most promising beginnings go on, and all others are given up:

- Of beginnings with one history that have written the same text only the most probable goes on.
- What a beginning promises is its own log-probability, that of the most probable next pair after
  its last one, and that of the most probable pairs after that, whatever was before them.
- With interpolated smoothing a pair that was not seen after a history costs what the history leaves
  (one number) and what the pair costs after the shorter history (another). So the pairs that were
  seen after a history are looked at, then those seen after the shorter one, down to the empty one.
  There, the k-th of the beginnings goes on with the beam / k most promising pairs of each arc:
  nearly all others stand behind `beam` that promise more.

Such a list is not exact. With 60 beginnings for 20 ways, of 5,442 names in six languages that a
trigram had not seen, the first way was the most probable of all for all but one, and 99.2% to 99.8%
of the 20 most probable were in the lists; those missing belonged near the end. A beam in which all
beginnings have room makes the list exact, which tests compare with a search of everything.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, groupby, pairwise
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from sameas.errors import UsageError
from sameas.names.joint import BOUNDARY, Floats, Ints, JointModel, Pair
from sameas.names.units import lookup, ranks, spread, starts_of

__all__ = ["Way", "Ways", "decode", "follow"]

MOST = 20  # ways to write a name, unless another number is asked for
BEAM = 3  # beginnings that go on at each place, for each way that is wanted
STEPS = 64  # of a quarter of a nat
CROWD = 2  # times as many are looked at, since some are alike
AT_ONCE = 60_000  # beginnings that go on, at all places of the names that are searched together
_PRIME = 0x9E3779B97F4A7C15  # for numbers that stand for texts; any odd number will do

Hashes = NDArray[np.uint64]


class Way(NamedTuple):
    """One way to write a name: what is written, ln of its probability, and the pairs that write it,
    as the model numbers them from 1."""

    target: str
    log_probability: float
    numbers: list[int]

    def pairs(self, model: JointModel) -> tuple[Pair, ...]:
        """Return the pairs themselves.

        >>> from sameas.names.joint import fit
        >>> model = fit([[("a", "爱"), ("li", "丽")]], order=2)
        >>> decode(model, ["ali"])[0].ways[0].pairs(model)
        (('a', '爱'), ('li', '丽'))
        """
        return tuple(model.pairs[number - 1] for number in self.numbers)


class Ways(NamedTuple):
    """The most probable ways to write a name, the best first, and the letters left out of it."""

    ways: tuple[Way, ...]
    left_out: str  # letters that no pair of the model can spell here


def decode(
    model: JointModel,
    sources: Iterable[Sequence[str]],
    *,
    most: int = MOST,
    beam: int | None = None,
    width: float = math.inf,
) -> list[Ways]:
    """Return the `most` most probable targets of each source, over all its segmentations.

    A source is a name, or its letters where one letter is several signs. A letter that no pair
    spells here (never seen, or seen only beside others) is left out and said, as few as possible.
    At each place the `beam` most promising beginnings go on (3 for each way wanted) if they are
    no more than `width` nats below the first.

    >>> from sameas.names.joint import fit
    >>> model = fit([[("a", "爱"), ("li", "丽")], [("li", "利"), ("a", "阿")]], order=2)
    >>> found = decode(model, ["ali", "xa"], most=2)
    >>> [[way.target for way in one.ways] for one in found], found[1].left_out
    ([['爱丽', '阿丽'], ['阿', '爱']], 'x')
    """
    if isinstance(sources, str):
        raise UsageError("one-string", what="sources", value=sources)
    beam = BEAM * most if beam is None else beam
    for what, value in {"number of ways": most, "beam": beam}.items():
        if value < 1:
            raise UsageError("at-least-one", what=what, value=value)
    automaton = _automaton_of(model)
    found: list[Ways] = []
    for batch in _batches(sources, AT_ONCE // beam):
        spelt = [_spelt(automaton, source) for source in batch]
        search = _Search(automaton, _Lattice(automaton, spelt), beam, width)
        found += map(Ways, search.ways(most), [name.left_out for name in spelt])
    return found


def _batches(sources: Iterable[Sequence[str]], most: int) -> Iterator[list[Sequence[str]]]:
    """Cut a list of names where they have `most` letters together."""
    names = list(sources)
    ends = iter(accumulate(map(len, names)))
    for _, batch in groupby(names, key=lambda name: next(ends) // max(most, 1)):
        yield list(batch)


class _Automaton:
    """A joint model as arrays to search.

    A state is a node that has children: the longest history that can tell anything. Those children
    of a state whose pairs have the same source lie together, and are a bundle. All of them were
    also seen after the shorter history, so each bundle has a lower one, down to the root's. These
    come first, in the order of the sources, and have all the pairs.
    """

    def __init__(self, model: JointModel) -> None:
        parent, self.suffix, self.token = model.parent, model.suffix, model.token
        source_texts, source_of = model.sources
        first = np.flatnonzero(np.diff(source_of, prepend=-1))
        self.pairs_of: Ints = np.append(first, len(source_texts))  # where each source's pairs begin
        self.sources = len(first)
        self.numbers = {source_texts[at]: number for number, at in enumerate(first.tolist()) if at}
        self.longest = max(map(len, source_texts))
        # Of each pair: its target, the number of that, and by what the number of a text is
        # multiplied when the target is written after it.
        self.targets = ["", *(target for _, target in model.pairs)]
        numbers = [_text_number(target) for target in self.targets]
        self.text, self.shift = np.array(numbers, dtype=np.uint64).T.copy()
        # Of each node: ln p of its pair after its parent, ln of what it leaves to shorter
        # histories, the state after it; and its parent and its pair as one number, in order.
        self.step: Floats = np.log(model.probability)
        self.backoff: Floats = np.log(model.gamma)
        self.states, self.keys = model.states, model.keys
        # Of each bundle: its state and its source as one number, in order; where its nodes begin;
        # its lower bundle; and the most that a pair of either can have.
        bundle = parent * self.sources + source_of[self.token]
        bundle[0] = -1
        begins = np.flatnonzero(np.diff(bundle, prepend=-1))
        self.bundle_keys: Ints = bundle[begins]
        self.bundle_at: Ints = np.append(begins, len(parent))
        self.owner: Ints = parent[begins]
        wanted = self.suffix[self.owner] * self.sources + source_of[self.token[begins]]
        self.lower: Ints = lookup(self.bundle_keys, wanted)[0]
        self.best: Floats = np.maximum.reduceat(self.step, begins)
        for start, end in model.levels[2:]:
            low, high = np.searchsorted(begins, [start, end])
            left = self.backoff[self.owner[low:high]] + self.best[self.lower[low:high]]
            self.best[low:high] = np.maximum(self.best[low:high], left)
        # Of each pair: ln p of the end of the name after it alone.
        self.closing = self.ends(self.states[1 : 1 + len(self.targets)])

    def bundles(self, state: Ints, source: Ints) -> tuple[Ints, Floats]:
        """Return the bundles of sources after states, or after the longest of the shorter histories
        that has one; and ln of what the histories before that leave to it."""
        bundle = np.empty(len(state), dtype=np.int64)
        left = np.zeros(len(state))
        waiting = np.arange(len(state))
        while len(waiting):
            found, there = lookup(self.bundle_keys, state * self.sources + source[waiting])
            bundle[waiting] = found
            waiting, state = waiting[~there], state[~there]
            left[waiting] += self.backoff[state]
            state = self.suffix[state]
        return bundle, left

    def ends(self, state: Ints) -> Floats:
        """Return ln p of the end of a name after states."""
        bundle, left = self.bundles(state, np.full(len(state), BOUNDARY))
        return left + self.step[self.bundle_at[bundle]]


_automata: WeakKeyDictionary[JointModel, _Automaton] = WeakKeyDictionary()


def _automaton_of(model: JointModel) -> _Automaton:
    """Return the automaton of a model, which is made once."""
    if model not in _automata:
        _automata[model] = _Automaton(model)
    return _automata[model]


def _text_number(target: str) -> tuple[int, int]:
    """Return a number for a text, and the one by which the number of what is before it is
    multiplied, so that two texts and their concatenation have the same number."""
    number, shift = 0, 1
    for sign in target:
        number = (number * _PRIME + ord(sign) + 1) % 2**64
        shift = shift * _PRIME % 2**64
    return number, shift


class _Spelt(NamedTuple):
    """The letters of a name that pairs can spell together, as arcs over them."""

    arcs: list[tuple[int, int, int]]  # where each begins and ends, and the number of its source
    rest: list[float]  # of each place: the most that pairs from here to the end have by themselves
    left_out: str


def _spelt(automaton: _Automaton, name: Sequence[str]) -> _Spelt:
    """Return the lattice of a name, as few letters as possible left out."""
    size, longest, numbers = len(name), automaton.longest, automaton.numbers
    arcs: list[tuple[int, int, int]] = []
    for place in range(size):
        for end in range(place + 1, min(place + longest, size) + 1):
            run = name[place:end]
            number = numbers.get(run if isinstance(run, str) else "".join(run))
            if number is not None:
                arcs.append((place, end, number))
    best = automaton.best
    rest = [-math.inf] * size + [0.0]
    for place, end, number in reversed(arcs):
        rest[place] = max(rest[place], float(best[number]) + rest[end])
    if rest[0] > -math.inf:
        return _Spelt([arc for arc in arcs if rest[arc[1]] > -math.inf], rest, "")
    kept, left_out = _parted(name, arcs)
    return _spelt(automaton, kept)._replace(left_out=left_out)


def _parted(name: Sequence[str], arcs: Iterable[tuple[int, int, int]]) -> tuple[Sequence[str], str]:
    """Return the letters of a name without the fewest whose absence lets the others be spelt, and
    these few."""
    runs: dict[int, list[int]] = {}
    for begin, end, _ in arcs:
        runs.setdefault(end, []).append(begin)
    fewest: list[tuple[int, ...]] = [()]  # before each place: the letters left out
    for place in range(1, len(name) + 1):
        ways = [(len(fewest[begin]), begin, fewest[begin]) for begin in runs.get(place, ())]
        without = (*fewest[-1], place - 1)
        fewest.append(min([*ways, (len(without), place - 1, without)])[2])
    kept = [letter for at, letter in enumerate(name) if at not in fewest[-1]]
    left_out = "".join(name[at] for at in fewest[-1])
    return "".join(kept) if isinstance(name, str) else kept, left_out


class _Lattice:
    """The names of a batch: places, arcs from one to another, and nodes, the pairs of each arc.

    Places are counted by how far they are from the end of their name, so that all names end at the
    same step of the search, whatever their lengths.
    """

    def __init__(self, automaton: _Automaton, names: Sequence[_Spelt]) -> None:
        begins = starts_of([len(name.rest) for name in names])
        self.begins: Ints = begins[:-1]
        # Of each place: its name, and how many letters follow it.
        self.name = np.repeat(np.arange(len(names)), np.diff(begins))
        self.to_go: Ints = begins[1:][self.name] - 1 - np.arange(begins[-1])
        # Of each arc: where it ends, and its source. Those from one place lie together.
        columns = np.array([*chain.from_iterable(name.arcs for name in names)], dtype=np.int64)
        start, end, self.source = columns.reshape(-1, 3).T
        before = np.repeat(self.begins, [len(name.arcs) for name in names])
        self.end: Ints = end + before
        self.arcs_at = starts_of(np.bincount(start + before, minlength=len(self.name)))
        # Of each node: what its pair promises, by the most probable next pair and the rest.
        sizes = np.diff(automaton.pairs_of)[self.source]
        tokens, self.nodes_at = spread(automaton.pairs_of[self.source], sizes)
        self.ahead = automaton.closing[tokens]
        arc, node = _members(self.arcs_at, np.repeat(self.end, sizes))
        bundle, left = automaton.bundles(1 + tokens[node], self.source[arc])
        rest = np.array([*chain.from_iterable(name.rest for name in names)])
        promise = left + automaton.best[bundle] + rest[self.end[arc]]
        heads = np.flatnonzero(np.diff(node, prepend=-1))
        if len(heads):
            self.ahead[node[heads]] = np.maximum.reduceat(promise, heads)
        self.node_of_first = self.nodes_at[:-1] - automaton.pairs_of[self.source]
        # The pairs of each arc once more, those first that promise most without a history.
        arc = np.repeat(np.arange(len(sizes)), sizes)
        self.ranked: Ints = tokens[np.lexsort((-automaton.step[1 + tokens] - self.ahead, arc))]


def _members(begins: Ints, groups: Ints) -> tuple[Ints, Ints]:
    """Return the members of groups, and of each the place of its group in the list of these."""
    members, bounds = spread(begins[groups], begins[groups + 1] - begins[groups])
    return members, np.repeat(np.arange(len(groups)), np.diff(bounds))


class _Begun(NamedTuple):
    """Beginnings of names: what they have come to, and what was written on the way."""

    place: Ints
    state: Ints
    score: Floats  # ln of the probability so far
    promise: Floats  # and with the best that seems to follow
    text: Hashes
    number: Ints  # among all beginnings ever made

    def pick(self, rows: Ints) -> _Begun:
        return _Begun._make(column[rows] for column in self)


class _Search:
    """A search for ways through a lattice: beginnings that wait, by how many letters are to go."""

    def __init__(self, automaton: _Automaton, lattice: _Lattice, beam: int, width: float) -> None:
        self.automaton, self.lattice, self.beam, self.width = automaton, lattice, beam, width
        self.waiting: list[list[_Begun]] = [[] for _ in range(int(lattice.to_go.max()) + 1)]
        # Of all beginnings ever made: the last pair, and the number of the one it goes on from.
        self.trail: list[tuple[Ints, Ints]] = []
        self.made = 0
        names = len(lattice.begins)
        start = np.full(names, automaton.states[1 + BOUNDARY])
        nothing = np.zeros(names)
        text = nothing.astype(np.uint64)
        first = _Begun(lattice.begins, start, nothing, nothing, text, np.arange(names))
        self._add(first, np.full(names, BOUNDARY), np.full(names, -1))

    def ways(self, most: int) -> Iterator[tuple[Way, ...]]:
        """Return the ways of each name."""
        for letters in range(len(self.waiting) - 1, 0, -1):
            if self.waiting[letters]:
                self._go_on(letters)
        ended, _ = self._taken(0)
        score = ended.score + self.automaton.ends(ended.state)
        name = self.lattice.name[ended.place]
        order = np.lexsort((-score, name))
        trails = follow(self.trail, ended.number[order])
        scores = score[order].tolist()
        targets = self.automaton.targets
        bounds = np.searchsorted(name[order], np.arange(len(self.lattice.begins) + 1)).tolist()
        for at, end in pairwise(bounds):
            distinct: dict[str, Way] = {}
            for row in range(at, end):
                if len(distinct) == most:
                    break
                target = "".join([targets[token] for token in trails[row]])
                distinct.setdefault(target, Way(target, scores[row], trails[row]))
            yield tuple(sorted(distinct.values(), key=lambda way: (-way[1], way[0])))

    def _add(self, begun: _Begun, token: Ints, before: Ints) -> None:
        """Let beginnings wait, the last pairs of which are these, for what follows them."""
        self.trail.append((token, before))
        self.made += len(token)
        letters = self.lattice.to_go[begun.place]
        for one in np.flatnonzero(np.bincount(letters)).tolist():
            self.waiting[one].append(begun.pick(np.flatnonzero(letters == one)))

    def _taken(self, letters: int) -> tuple[_Begun, Ints]:
        """Return the beginnings with so many letters to go that go on, the most promising of each
        place first, and their ranks there."""
        begun = _Begun(*map(np.concatenate, zip(*self.waiting[letters], strict=True)))
        self.waiting[letters] = []
        place, promise = begun.place, begun.promise
        near = self._near(self.lattice.name[place], promise)
        order = near[np.lexsort((-promise[near], place[near]))]
        # Of those alike in place, state and text the first one.
        alike = begun.text[order] * _PRIME + place[order].astype(np.uint64)
        alike = alike * _PRIME + begun.state[order].astype(np.uint64)
        order = order[np.sort(np.unique(alike, return_index=True)[1])]
        rank = ranks(place[order])
        kept = rank < self.beam
        return begun.pick(order[kept]), rank[kept]

    def _near(self, name: Ints, promise: Floats) -> Ints:
        """Return the beginnings that are near the first of their name, by steps of a quarter of a
        nat: all that can be in the beam, and hardly more, since to sort is what takes the time."""
        names = len(self.lattice.begins)
        top = np.full(names, -math.inf)
        np.maximum.at(top, name, promise)
        gap = top[name] - promise
        step = np.minimum(gap * 4, STEPS - 1).astype(np.int64)
        counts = np.bincount(name * STEPS + step, minlength=names * STEPS)
        nearer = np.cumsum(counts.reshape(names, STEPS), axis=1)
        last = np.sum(nearer < CROWD * self.beam, axis=1)
        return np.flatnonzero((step <= last[name]) & (gap <= self.width))

    def _go_on(self, letters: int) -> None:
        """Write the next pair after the beginnings with so many letters to go."""
        automaton, lattice = self.automaton, self.lattice
        begun, rank = self._taken(letters)
        arc, row = _members(lattice.arcs_at, begun.place)
        bundle, left = automaton.bundles(begun.state[row], lattice.source[arc])
        score = begun.score[row] + left
        # The history from which the search came to this one; −1 is the key of the root.
        longer = np.full(len(row), -2)
        while len(row):
            first = automaton.bundle_at[bundle]
            counts = automaton.bundle_at[bundle + 1] - first
            shortest = bundle < automaton.sources
            first[shortest] = lattice.nodes_at[arc[shortest]]
            counts[shortest] = np.minimum(counts, self.beam // (1 + rank[row]))[shortest]
            node, bounds = spread(first, counts)
            here = np.repeat(np.arange(len(row)), np.diff(bounds))
            alone = np.flatnonzero(shortest[here])
            node[alone] = 1 + lattice.ranked[node[alone]]
            # A pair seen after the longer history too has been written, with more probability.
            wanted = longer[here] * len(automaton.targets) + automaton.token[node]
            new = np.flatnonzero(~lookup(automaton.keys, wanted)[1])
            here, node = here[new], node[new]
            self._write(begun, row[here], arc[here], node, score[here] + automaton.step[node])
            on = np.flatnonzero(~shortest)
            row, arc, bundle = row[on], arc[on], bundle[on]
            longer = automaton.owner[bundle]
            score = score[on] + automaton.backoff[longer]
            bundle = automaton.lower[bundle]

    def _write(self, begun: _Begun, row: Ints, arc: Ints, node: Ints, score: Floats) -> None:
        """Add the pairs of nodes of the model to beginnings, on arcs of the lattice."""
        automaton, lattice = self.automaton, self.lattice
        token = automaton.token[node]
        made = _Begun(
            lattice.end[arc],
            automaton.states[node],
            score,
            score + lattice.ahead[lattice.node_of_first[arc] + token],
            begun.text[row] * automaton.shift[token] + automaton.text[token],
            self.made + np.arange(len(row)),
        )
        self._add(made, token, begun.number[row])


def follow(trail: Iterable[tuple[Ints, Ints]], last: Ints) -> list[list[int]]:
    """Return what was written on each way, from its last step back to its beginning, and forth.

    Steps are what they write, which may be nothing, 0; and the number of the step before, if any.

    >>> trail = [(np.array([3, 0]), np.array([-1, 0])), (np.array([4]), np.array([1]))]
    >>> follow(trail, np.arange(3))
    [[3], [3], [3, 4]]
    """
    written, before = (np.concatenate(column) for column in zip(*trail, strict=True))
    columns = []
    while np.any(last >= 0):
        columns.append(np.where(last >= 0, written[last], 0))
        last = np.where(last >= 0, before[last], -1)
    rows = np.array(columns[::-1]).reshape(len(columns), len(last)).T.tolist()
    return [[number for number in row if number] for row in rows]
