"""Decode names with the joint model: a beam search for the n best paths, many names at once.

A name is a lattice. Its positions lie between its letters; an arc leads from one position to
another over letters that are the source of some pairs, and emits one of these pairs. A path from
the first position to the last transliterates the name. The search visits the positions from left
to right. At each position it keeps the `beam` most promising hypotheses (partial paths) and prunes
all others:

- Of hypotheses with the same history and the same text, only the most probable is kept.
- The estimate of a hypothesis is the sum of its own log-probability, that of the most probable next
  pair after its last one, and those of the most probable pairs after that, without context.
- With interpolated smoothing, the log-probability of a pair unseen after a history is ln of the
  back-off weight of the history plus the log-probability after the shorter history. So the search
  tries the pairs seen after a history, then those seen after the shorter one, and so on to the
  empty history. There, it extends the k-th hypothesis by the beam / k most promising pairs of each
  arc: nearly all others rank behind `beam` hypotheses with higher estimates.

The n-best list is not exact. For 5,442 held-out names in six languages, with a trigram model and a
beam of 60 for 20 candidates, the first candidate was the most probable one for all names but one,
and the lists contained 99.2% to 99.8% of the 20 most probable candidates; those missing ranked
near the end. A beam wide enough for all hypotheses makes the list exact; tests compare it with an
exhaustive search.
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

MOST = 20  # default number of candidates per name
BEAM = 3  # default beam width per candidate
STEPS = 64  # histogram bins, of a quarter of a nat each
PRESELECTED = 2  # preselect this many times the beam width, since some hypotheses are duplicates
AT_ONCE = 60_000  # hypotheses kept over all positions of the names of one batch
_PRIME = 0x9E3779B97F4A7C15  # multiplier for text hashes; any odd number works

Hashes = NDArray[np.uint64]


class Way(NamedTuple):
    """A path for a name: its target, ln of its probability, and its pairs, numbered from 1."""

    target: str
    log_probability: float
    numbers: list[int]

    def pairs(self, model: JointModel) -> tuple[Pair, ...]:
        """Return the pairs of the path.

        >>> from sameas.names.joint import fit
        >>> model = fit([[("a", "爱"), ("li", "丽")]], order=2)
        >>> decode(model, ["ali"])[0].ways[0].pairs(model)
        (('a', '爱'), ('li', '丽'))
        """
        return tuple(model.pairs[number - 1] for number in self.numbers)


class Ways(NamedTuple):
    """The most probable paths for a name, best first, and the letters they omit."""

    ways: tuple[Way, ...]
    left_out: str  # letters that no pair of the model covers in this name


def decode(
    model: JointModel,
    sources: Iterable[Sequence[str]],
    *,
    most: int = MOST,
    beam: int | None = None,
    width: float = math.inf,
) -> list[Ways]:
    """Return the `most` most probable targets of each source, over all its segmentations.

    A source is a name, or a sequence of letters if letters have several characters. A letter that
    no pair covers in this name (never seen, or seen only with other letters) is omitted and
    returned in `left_out`; as few as possible are omitted. At each position the search keeps the
    `beam` most promising hypotheses (default: 3 per candidate) at most `width` nats below the best.

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
        lattices = [_build_lattice(automaton, source) for source in batch]
        search = _Search(automaton, _Lattice(automaton, lattices), beam, width)
        found += map(Ways, search.ways(most), [name.left_out for name in lattices])
    return found


def _batches(sources: Iterable[Sequence[str]], most: int) -> Iterator[list[Sequence[str]]]:
    """Yield the names in batches of about `most` letters."""
    names = list(sources)
    ends = iter(accumulate(map(len, names)))
    for _, batch in groupby(names, key=lambda name: next(ends) // max(most, 1)):
        yield list(batch)


class _Automaton:
    """A joint model as arrays for the search.

    A state is a node that has children: the longest history that matters for what follows. The
    children of a state whose pairs have the same source are adjacent and form a bundle. All these
    pairs were also seen after the shorter history, so each bundle has a lower one, down to those of
    the root. The bundles of the root come first, in the order of the sources, and have all pairs.
    """

    def __init__(self, model: JointModel) -> None:
        parent, self.suffix, self.token = model.parent, model.suffix, model.token
        source_texts, source_of = model.sources
        first = np.flatnonzero(np.diff(source_of, prepend=-1))
        self.pairs_of: Ints = np.append(first, len(source_texts))  # where each source's pairs begin
        self.sources = len(first)
        self.numbers = {source_texts[at]: number for number, at in enumerate(first.tolist()) if at}
        self.longest = max(map(len, source_texts))
        # By pair: its target, the hash of the target, and the factor by which the hash of a text is
        # multiplied when the target is appended.
        self.targets = ["", *(target for _, target in model.pairs)]
        numbers = [_hash_and_factor(target) for target in self.targets]
        self.text, self.shift = np.array(numbers, dtype=np.uint64).T.copy()
        # By node: ln p of its pair after its parent, ln of its back-off weight, the state after it,
        # and the sorted key of its parent and its pair.
        self.step: Floats = np.log(model.probability)
        self.backoff: Floats = np.log(model.gamma)
        self.states, self.keys = model.states, model.keys
        # By bundle: the sorted key of its state and its source, where its nodes begin, its lower
        # bundle, and the highest log-probability of any pair in either.
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
        # By pair: ln p of the end of the name, given this pair only.
        self.closing = self.ends(self.states[1 : 1 + len(self.targets)])

    def bundles(self, state: Ints, source: Ints) -> tuple[Ints, Floats]:
        """Return the bundle of each source after its state, and ln of the total back-off weight.

        If the state has no such bundle, return that of the longest shorter history that has one;
        the total is the product of the back-off weights down to that history.
        """
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
        """Return ln p of the end of the name after each state."""
        bundle, left = self.bundles(state, np.full(len(state), BOUNDARY))
        return left + self.step[self.bundle_at[bundle]]


_automata: WeakKeyDictionary[JointModel, _Automaton] = WeakKeyDictionary()


def _automaton_of(model: JointModel) -> _Automaton:
    """Return the automaton of a model, which is built once."""
    if model not in _automata:
        _automata[model] = _Automaton(model)
    return _automata[model]


def _hash_and_factor(target: str) -> tuple[int, int]:
    """Return the hash of a text, and the factor by which to multiply the hash of the text before
    it: hash(one + two) = hash(one) · factor(two) + hash(two)."""
    number, shift = 0, 1
    for sign in target:
        number = (number * _PRIME + ord(sign) + 1) % 2**64
        shift = shift * _PRIME % 2**64
    return number, shift


class _NameLattice(NamedTuple):
    """The lattice of a name: arcs over its letters, except the omitted letters."""

    arcs: list[tuple[int, int, int]]  # begin, end and source number of each
    rest: list[float]  # by position: highest log-probability of the rest, without context
    left_out: str


def _build_lattice(automaton: _Automaton, name: Sequence[str]) -> _NameLattice:
    """Return the lattice of a name, omitting as few letters as possible."""
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
        return _NameLattice([arc for arc in arcs if rest[arc[1]] > -math.inf], rest, "")
    kept, left_out = _omit_letters(name, arcs)
    return _build_lattice(automaton, kept)._replace(left_out=left_out)


def _omit_letters(
    name: Sequence[str], arcs: Iterable[tuple[int, int, int]]
) -> tuple[Sequence[str], str]:
    """Return the letters of a name that pairs can cover, omitting as few as possible, and the
    omitted letters."""
    runs: dict[int, list[int]] = {}
    for begin, end, _ in arcs:
        runs.setdefault(end, []).append(begin)
    fewest: list[tuple[int, ...]] = [()]  # by position: the offsets omitted so far
    for place in range(1, len(name) + 1):
        ways = [(len(fewest[begin]), begin, fewest[begin]) for begin in runs.get(place, ())]
        without = (*fewest[-1], place - 1)
        fewest.append(min([*ways, (len(without), place - 1, without)])[2])
    kept = [letter for at, letter in enumerate(name) if at not in fewest[-1]]
    left_out = "".join(name[at] for at in fewest[-1])
    return "".join(kept) if isinstance(name, str) else kept, left_out


class _Lattice:
    """The lattices of a batch: positions, arcs between them, and nodes (the pairs of each arc).

    Positions are counted from the end of their name, so that names of all lengths end at the same
    step of the search.
    """

    def __init__(self, automaton: _Automaton, names: Sequence[_NameLattice]) -> None:
        begins = starts_of([len(name.rest) for name in names])
        self.begins: Ints = begins[:-1]
        # By position: its name, and the number of letters after it.
        self.name = np.repeat(np.arange(len(names)), np.diff(begins))
        self.to_go: Ints = begins[1:][self.name] - 1 - np.arange(begins[-1])
        # By arc: where it ends, and its source. The arcs from one position are adjacent.
        columns = np.array([*chain.from_iterable(name.arcs for name in names)], dtype=np.int64)
        start, end, self.source = columns.reshape(-1, 3).T
        before = np.repeat(self.begins, [len(name.arcs) for name in names])
        self.end: Ints = end + before
        self.arcs_at = starts_of(np.bincount(start + before, minlength=len(self.name)))
        # By node: the estimated log-probability of what follows: the best next pair and the rest.
        sizes = np.diff(automaton.pairs_of)[self.source]
        tokens, self.nodes_at = spread(automaton.pairs_of[self.source], sizes)
        self.ahead = automaton.closing[tokens]
        arc, node = _members(self.arcs_at, np.repeat(self.end, sizes))
        bundle, left = automaton.bundles(1 + tokens[node], self.source[arc])
        rest = np.array([*chain.from_iterable(name.rest for name in names)])
        estimate = left + automaton.best[bundle] + rest[self.end[arc]]
        heads = np.flatnonzero(np.diff(node, prepend=-1))
        if len(heads):
            self.ahead[node[heads]] = np.maximum.reduceat(estimate, heads)
        self.node_of_first = self.nodes_at[:-1] - automaton.pairs_of[self.source]
        # The pairs of each arc again, sorted by their estimate without a history.
        arc = np.repeat(np.arange(len(sizes)), sizes)
        self.ranked: Ints = tokens[np.lexsort((-automaton.step[1 + tokens] - self.ahead, arc))]


def _members(begins: Ints, groups: Ints) -> tuple[Ints, Ints]:
    """Return the members of groups, and for each member the index of its group in `groups`."""
    members, bounds = spread(begins[groups], begins[groups + 1] - begins[groups])
    return members, np.repeat(np.arange(len(groups)), np.diff(bounds))


class _Hypotheses(NamedTuple):
    """Hypotheses: partial paths, with the position and the state they have reached."""

    place: Ints
    state: Ints
    score: Floats  # ln of the probability so far
    estimate: Floats  # the score plus the estimate for the rest
    text: Hashes
    number: Ints  # among all hypotheses made so far

    def pick(self, rows: Ints) -> _Hypotheses:
        return _Hypotheses._make(column[rows] for column in self)


class _Search:
    """A search for paths: the hypotheses still to be extended, by number of letters left."""

    def __init__(self, automaton: _Automaton, lattice: _Lattice, beam: int, width: float) -> None:
        self.automaton, self.lattice, self.beam, self.width = automaton, lattice, beam, width
        self.waiting: list[list[_Hypotheses]] = [[] for _ in range(int(lattice.to_go.max()) + 1)]
        # By hypothesis made so far: its last pair, and the number of the one it extends.
        self.trail: list[tuple[Ints, Ints]] = []
        self.made = 0
        names = len(lattice.begins)
        start = np.full(names, automaton.states[1 + BOUNDARY])
        nothing = np.zeros(names)
        text = nothing.astype(np.uint64)
        first = _Hypotheses(lattice.begins, start, nothing, nothing, text, np.arange(names))
        self._queue(first, np.full(names, BOUNDARY), np.full(names, -1))

    def ways(self, most: int) -> Iterator[tuple[Way, ...]]:
        """Yield, for each name, up to `most` paths with different targets, best first."""
        for letters in range(len(self.waiting) - 1, 0, -1):
            if self.waiting[letters]:
                self._expand(letters)
        ended, _ = self._prune(0)
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

    def _queue(self, partial: _Hypotheses, token: Ints, before: Ints) -> None:
        """Queue hypotheses by number of letters left; record their last pairs and predecessors."""
        self.trail.append((token, before))
        self.made += len(token)
        letters = self.lattice.to_go[partial.place]
        for one in np.flatnonzero(np.bincount(letters)).tolist():
            self.waiting[one].append(partial.pick(np.flatnonzero(letters == one)))

    def _prune(self, letters: int) -> tuple[_Hypotheses, Ints]:
        """Return the best hypotheses with `letters` letters left, and their ranks per position.

        They are sorted by position, then by decreasing estimate.
        """
        partial = _Hypotheses(*map(np.concatenate, zip(*self.waiting[letters], strict=True)))
        self.waiting[letters] = []
        place, estimate = partial.place, partial.estimate
        near = self._preselect(self.lattice.name[place], estimate)
        order = near[np.lexsort((-estimate[near], place[near]))]
        # Keep the first of those with the same position, state and text.
        alike = partial.text[order] * _PRIME + place[order].astype(np.uint64)
        alike = alike * _PRIME + partial.state[order].astype(np.uint64)
        order = order[np.sort(np.unique(alike, return_index=True)[1])]
        rank = ranks(place[order])
        kept = rank < self.beam
        return partial.pick(order[kept]), rank[kept]

    def _preselect(self, name: Ints, estimate: Floats) -> Ints:
        """Return the hypotheses near the best of their name: enough for the beam, unless most are
        duplicates. They are found with a histogram (bins of ¼ nat); sorting all would be slow."""
        names = len(self.lattice.begins)
        top = np.full(names, -math.inf)
        np.maximum.at(top, name, estimate)
        gap = top[name] - estimate
        step = np.minimum(gap * 4, STEPS - 1).astype(np.int64)
        counts = np.bincount(name * STEPS + step, minlength=names * STEPS)
        nearer = np.cumsum(counts.reshape(names, STEPS), axis=1)
        last = np.sum(nearer < PRESELECTED * self.beam, axis=1)
        return np.flatnonzero((step <= last[name]) & (gap <= self.width))

    def _expand(self, letters: int) -> None:
        """Extend the hypotheses with `letters` letters left by one pair."""
        automaton, lattice = self.automaton, self.lattice
        partial, rank = self._prune(letters)
        arc, row = _members(lattice.arcs_at, partial.place)
        bundle, left = automaton.bundles(partial.state[row], lattice.source[arc])
        score = partial.score[row] + left
        # The longer history that was tried before; −2 for none, since −1 is the key of the root.
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
            # Skip pairs also seen after the longer history, where they were more probable.
            wanted = longer[here] * len(automaton.targets) + automaton.token[node]
            new = np.flatnonzero(~lookup(automaton.keys, wanted)[1])
            here, node = here[new], node[new]
            self._extend(partial, row[here], arc[here], node, score[here] + automaton.step[node])
            on = np.flatnonzero(~shortest)
            row, arc, bundle = row[on], arc[on], bundle[on]
            longer = automaton.owner[bundle]
            score = score[on] + automaton.backoff[longer]
            bundle = automaton.lower[bundle]

    def _extend(
        self, partial: _Hypotheses, row: Ints, arc: Ints, node: Ints, score: Floats
    ) -> None:
        """Extend hypotheses by the tokens at nodes of the model, along arcs of the lattice."""
        automaton, lattice = self.automaton, self.lattice
        token = automaton.token[node]
        made = _Hypotheses(
            lattice.end[arc],
            automaton.states[node],
            score,
            score + lattice.ahead[lattice.node_of_first[arc] + token],
            partial.text[row] * automaton.shift[token] + automaton.text[token],
            self.made + np.arange(len(row)),
        )
        self._queue(made, token, partial.number[row])


def follow(trail: Iterable[tuple[Ints, Ints]], last: Ints) -> list[list[int]]:
    """Return, for each step in `last`, the outputs along the path that ends there, in order.

    A step in `trail` has an output, which is 0 if empty, and the number of the step before it,
    which is negative at the start of a path.

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
