"""The most probable ways to write names by the joint model: exact, and many names at once.

A name is a lattice: its arcs are the runs of letters that some pair of the model spells, and the
nodes are these pairs, each at its place. A way to write the name is a path from its beginning to
its end. The search has three steps, each over the arrays of a whole batch of names:

1. From the end to the beginning, the best that can follow each node, or a little more: after the
   last pair alone, no longer history makes the next pair more probable than `most` says. For a
   model of order 2 this is no bound but the very score.
2. From the beginning to the end, the best way through each node. As many nodes as ways are wanted
   say how far below the best way the last of these may be.
3. All ways that are not further below, one pair after the other: a beginning is dropped when what
   can follow cannot lift it above that line, or when another spells the same letters in the same
   way, with the same history, and is more probable. Where too few different targets came out, the
   line is lowered, and the name is searched again. Only the most promising beginnings are kept,
   and the best of those let go is remembered: if it might still have been in the list, the name
   is searched again with more, up to 100 for each way wanted, and fewer for long names.

So the list holds the most probable targets, each by its most probable segmentation, and none that
belongs there is missing; where that would take too long, `Ways.exact` is false. With interpolated
smoothing a pair that was not seen after another costs what the history leaves (one number) and the
pair's own probability (another), which is why all the pairs that were never seen together need not
be looked at one by one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sameas.errors import UsageError
from sameas.names.joint import BOUNDARY, Floats, Ints, JointModel, Pair
from sameas.names.units import lookup, ranks, spread, starts_of

__all__ = ["Way", "Ways", "best_ways"]

MOST = 20  # ways to write a name, unless another number is asked for
TOGETHER = 8_000  # letters of names that are searched at once
_ROUNDING = 1e-9  # sums of the same numbers in another order may differ by less than this
_LOWER = 1.6  # how much further below the best a second search goes
_KEPT = 4  # beginnings kept per requested way, in the first search
_MOST_KEPT = 100  # beginnings kept per requested way, in any search
_LONG = 50  # letters, above which fewer go on: as many over all letters of the name as over these
_AT_ONCE = 200_000  # beginnings that go on at one place, over all names searched together
_PRIME = 0x9E3779B97F4A7C15  # for numbers that stand for texts; any odd number will do
_NEVER = -math.inf


class Way(NamedTuple):
    """One way to write a name: what is written, ln of its probability, and the pairs that do it,
    as the model numbers them from 1."""

    target: str
    log_probability: float
    numbers: list[int]

    def pairs(self, model: JointModel) -> tuple[Pair, ...]:
        """The pairs themselves.

        >>> from sameas.names.joint import fit
        >>> model = fit([[("a", "爱"), ("li", "丽")]], order=2)
        >>> best_ways(model, ["ali"])[0].ways[0].pairs(model)
        (('a', '爱'), ('li', '丽'))
        """
        return tuple(model.pairs[number - 1] for number in self.numbers if number)


class Ways(NamedTuple):
    """The most probable ways to write a name, the best first, and the letters left out of it."""

    ways: tuple[Way, ...]
    left_out: str  # letters that no pair of the model can spell here
    exact: bool = True  # whether no target that is not in the list can be more probable


def best_ways(
    model: JointModel,
    sources: Iterable[Sequence[str]],
    *,
    most: int = MOST,
) -> list[Ways]:
    """The `most` most probable different targets of each source, over all its segmentations.

    A source is a name, or its letters where one letter is several signs. A letter that no pair
    spells here (never seen, or seen only beside others) is left out and said, as few as possible.

    >>> from sameas.names.joint import fit
    >>> model = fit([[("a", "爱"), ("li", "丽")], [("li", "利"), ("a", "阿")]], order=2)
    >>> found = best_ways(model, ["ali", "xa"], most=2)
    >>> [[way.target for way in one.ways] for one in found], found[1].left_out
    ([['爱丽', '阿丽'], ['阿', '爱']], 'x')
    """
    if isinstance(sources, str):
        raise UsageError("one-string", what="sources", value=sources)
    if most < 1:
        raise UsageError("at-least-one", what="number of ways", value=most)
    tables = _tables(model)
    found: list[Ways] = []
    for batch in _batches(sources):
        found += _search(tables, batch, most)
    return found


def _batches(sources: Iterable[Sequence[str]]) -> Iterator[list[Sequence[str]]]:
    batch: list[Sequence[str]] = []
    letters = 0
    for source in sources:
        batch.append(source)
        letters += len(source)
        if letters >= TOGETHER:
            yield batch
            batch, letters = [], 0
    if batch:
        yield batch


class _Tables:
    """What the search asks of a model, as arrays."""

    def __init__(self, model: JointModel) -> None:
        levels, parent, suffix, token = model.levels, model.parent, model.suffix, model.token
        sources, source_of = model.sources
        first = np.append(np.flatnonzero(np.diff(source_of, prepend=-1)), len(sources))
        self.model = model
        # Of the sources that pairs have: their numbers, the longest in signs, and the first pair
        # of each; pairs of one source are neighbours.
        self.numbers = {sources[at]: number for number, at in enumerate(first[:-1].tolist()) if at}
        self.longest = max(map(len, sources))
        self.first: Ints = first
        # Of each pair: its target, a number for that, and by what the number of a text is
        # multiplied when the target is written after it.
        self.targets = ["", *(target for _, target in model.pairs)]
        numbers = [_text(target) for target in self.targets]
        self.text = np.array([number for number, _ in numbers], dtype=np.uint64)
        self.shift = np.array([shift for _, shift in numbers], dtype=np.uint64)
        # Of each node: ln p of its pair after its parent, and ln of what it leaves to shorter
        # histories, alone and with all that the shorter ones leave.
        self.step: Floats = np.log(model.probability)
        self.backoff: Floats = np.log(model.gamma)
        self.left = self.backoff.copy()
        for start, end in levels[1:]:
            self.left[start:end] += self.left[suffix[start:end]] if start > 1 else 0.0
        self.left[0] = 0.0
        # The most that the pair of each node can have after its history, or a longer one.
        self.most = self.step.copy()
        for start, end in reversed(levels[3:]):
            np.maximum.at(self.most, suffix[start:end], self.most[start:end])
        # Pairs seen after one another: the one before and the source of the other as one number,
        # and where the nodes of each such bundle begin, and end.
        low, high = levels[2] if len(levels) > 2 else (len(token), len(token))
        bundle = token[parent[low:high]] * len(first) + source_of[token[low:high]]
        begins = np.flatnonzero(np.diff(bundle, prepend=-1))
        self.bundles: Ints = bundle[begins]
        self.bundle_at: Ints = low + np.append(begins, high - low)
        # Of each node: its parent and its pair as one number, in order below the root's.
        self.keys: Ints = parent * len(sources) + token
        self.keys[0] = -1
        # Of each pair: ln p without a history, and the most that the end of the name can have
        # after it. That comes first below each pair, if it was seen there.
        self.alone = self.step[slice(*levels[1])]
        ends = np.minimum(model.first[1 : 1 + len(sources)], len(token) - 1)
        seen = self.keys[ends] == np.arange(1, 1 + len(sources)) * len(sources) + BOUNDARY
        unseen = self.backoff[slice(*levels[1])] + self.alone[BOUNDARY]
        self.closing: Floats = np.where(seen, self.most[ends], unseen)

    def follow(self, state: Ints, token: Ints) -> tuple[Floats, Ints]:
        """Return ln p of pairs after states, and the states after them."""
        size = len(self.targets)
        total = np.zeros(len(state))
        after = np.empty(len(state), dtype=np.int64)
        waiting = np.arange(len(state))
        state = state.copy()
        while len(waiting):
            here, wanted = state[waiting], token[waiting]
            # Below the root all pairs are there, in order.
            key = here * size + wanted
            node = np.where(here == 0, 1 + wanted, np.searchsorted(self.keys, key))
            node = np.minimum(node, len(self.keys) - 1)
            seen = self.keys[node] == key
            total[waiting] += np.where(seen, self.step[node], self.backoff[here])
            after[waiting] = self.model.states[node]
            state[waiting] = np.where(seen, state[waiting], self.model.suffix[here])
            waiting = waiting[~seen]
        return total, after


def _tables(model: JointModel) -> _Tables:
    """Return the tables of a model, which are made once."""
    known: _Tables = model.__dict__.get("_nbest") or _Tables(model)
    model.__dict__["_nbest"] = known
    return known


def _text(target: str) -> tuple[int, int]:
    """A number for a text, and the one by which what is before it is multiplied: texts that are
    written together have the number of what they are together."""
    number, shift = 0, 1
    for sign in target:
        number = (number * _PRIME + ord(sign) + 1) % 2**64
        shift = shift * _PRIME % 2**64
    return number, shift


class _Spelt(NamedTuple):
    """A name that pairs can spell from its beginning to its end."""

    letters: int
    arcs: list[int]  # one after another: where a run of letters begins, where it ends, its number
    left_out: str


def _spelt(tables: _Tables, name: Sequence[str]) -> _Spelt:
    arcs, complete = _arcs(tables, name)
    if complete:
        return _Spelt(len(name), arcs, "")
    # The fewest letters whose absence lets the others be spelt.
    fewest = [(0, 0, False)]  # letters left out before each place, the place before, left out
    runs: dict[int, list[int]] = {}
    for begin, end, _ in zip(*[iter(arcs)] * 3, strict=True):
        runs.setdefault(end, []).append(begin)
    for place in range(1, len(name) + 1):
        ways = [(fewest[begin][0], begin, False) for begin in runs.get(place, ())]
        fewest.append(min([*ways, (fewest[place - 1][0] + 1, place - 1, True)]))
    kept: list[Sequence[str]] = []
    dropped: list[Sequence[str]] = []
    place = len(name)
    while place:
        _, begin, out = fewest[place]
        (dropped if out else kept).append(name[begin:place])
        place = begin
    letters = [letter for run in reversed(kept) for letter in run]
    rest: Sequence[str] = "".join(letters) if isinstance(name, str) else letters
    left_out = "".join(letter for run in reversed(dropped) for letter in run)
    return _Spelt(len(rest), _arcs(tables, rest)[0], left_out)


def _arcs(tables: _Tables, name: Sequence[str]) -> tuple[list[int], bool]:
    """The runs of letters that a pair spells, and whether they lead through the whole name."""
    numbers, longest, size = tables.numbers, tables.longest, len(name)
    if not size:
        return [], True
    arcs: list[int] = []
    reached = {0}
    for place in range(size):
        for end in range(place + 1, min(place + longest, size) + 1):
            run = name[place:end]
            number = numbers.get(run if isinstance(run, str) else "".join(run))
            if number is not None:
                arcs += (place, end, number)
                if place in reached:
                    reached.add(end)
    return (_on_a_way(arcs, reached, size), True) if size in reached else (arcs, False)


def _on_a_way(arcs: list[int], reached: set[int], size: int) -> list[int]:
    """The runs that lie on a way through the whole name: others only lead astray."""
    ending = {size}
    kept: list[int] = []
    for at in range(len(arcs) - 3, -1, -3):
        place, end, number = arcs[at : at + 3]
        if end in ending and place in reached:
            ending.add(place)
            kept += (number, end, place)
    return kept[::-1]


class _Lattice:
    """The names of a batch: places between letters, and nodes that reach from one to another.

    Places are counted by how far they are from the end of their name, so that what follows a node
    is always done before it, whatever the lengths of the names.
    """

    def __init__(self, tables: _Tables, names: Sequence[_Spelt]) -> None:
        lengths = np.array([name.letters for name in names], dtype=np.int64)
        begins = starts_of(lengths + 1)
        places = int(begins[-1])
        # Of each place its name, and how many letters follow it; of each name its last place.
        self.owner = np.repeat(np.arange(len(names)), lengths + 1)
        self.to_go: Ints = begins[1:][self.owner] - 1 - np.arange(places)
        self.ends: Ints = begins[1:] - 1
        columns = np.array([part for name in names for part in name.arcs], dtype=np.int64)
        columns = columns.reshape(-1, 3)
        shift = np.repeat(begins[:-1], [len(name.arcs) // 3 for name in names])
        columns[:, :2] += shift[:, None]
        columns = columns[np.argsort(self.to_go[columns[:, 0]], kind="stable")]
        arc_start, arc_end, arc_source = columns.T
        counts = tables.first[arc_source + 1] - tables.first[arc_source]
        tokens, at = spread(tables.first[arc_source], counts)
        first_of_arc = len(names) + at[:-1]
        # Of each node its pair, and the places before and after it; the first nodes are the
        # beginnings of the names. Of each place, how many nodes start there.
        self.token = np.concatenate([np.zeros(len(names), dtype=np.int64), tokens])
        self.start = np.concatenate([np.full(len(names), -1), np.repeat(arc_start, counts)])
        self.end = np.concatenate([begins[:-1], np.repeat(arc_end, counts)])
        self.node_count = np.bincount(self.start[len(names) :], minlength=places)
        # Every node with every arc that goes on from it: which pairs were seen after its own?
        arc_at, arc_count = _grouped(arc_start, places)
        by_end = np.argsort(self.to_go[self.end], kind="stable")
        after = self.end[by_end]
        following, bounds = spread(arc_at[after], arc_count[after])
        before = np.repeat(by_end, np.diff(bounds))
        wanted = self.token[before] * len(tables.first) + arc_source[following]
        place, there = lookup(tables.bundles, wanted)
        seen = np.flatnonzero(there)
        place = place[seen]
        bundle_at = tables.bundle_at[place]
        # Pairs seen after one another, in order of letters to go: the model's node of the two, the
        # first node and the one that follows; of each node, where its followers begin, how many.
        self.pair, bounds = spread(bundle_at, tables.bundle_at[place + 1] - bundle_at)
        many = np.diff(bounds)
        arc = np.repeat(following[seen], many)
        self.source = np.repeat(before[seen], many)
        number = tables.model.token[self.pair] - tables.first[arc_source[arc]]
        self.follower: Ints = first_of_arc[arc] + number
        self.source_at, self.source_count = _grouped(self.source, len(self.token))

    def steps(self) -> list[tuple[Ints, slice, slice]]:
        """Return, by how many letters are to go, the nodes that end there, those that start there,
        and the pairs seen after one another that meet there."""
        names, by_end = len(self.ends), np.argsort(self.to_go[self.end], kind="stable")
        bounds = np.arange(int(self.to_go.max(initial=0)) + 2)
        ends = np.searchsorted(self.to_go[self.end[by_end]], bounds)
        starts = names + np.searchsorted(self.to_go[self.start[names:]], bounds)
        pairs = np.searchsorted(self.to_go[self.end[self.source]], bounds)
        return [
            (
                by_end[slice(*ends[at : at + 2])],
                slice(*starts[at : at + 2]),
                slice(*pairs[at : at + 2]),
            )
            for at in bounds[:-1].tolist()
        ]


def _grouped(owner: Ints, owners: int) -> tuple[Ints, Ints]:
    """Where the rows of each owner begin, which lie together, and how many there are."""
    heads = np.flatnonzero(np.diff(owner, prepend=-1))
    begins = np.zeros(owners, dtype=np.int64)
    begins[owner[heads]] = heads
    return begins, np.bincount(owner, minlength=owners)


def _ahead(tables: _Tables, lattice: _Lattice) -> Floats:
    """The most that can follow each node: the end of the name included, the node itself not."""
    token, end = lattice.token, lattice.end
    leaves = tables.backoff[1 + token]
    ahead = np.full(len(token), _NEVER)
    best = np.full(len(lattice.to_go), _NEVER)  # of the places: what can follow with no history
    most = tables.most[lattice.pair]
    (last, *_), *steps = lattice.steps()
    ahead[last] = tables.closing[token[last]]
    for nodes, following, seen in steps:
        if following.start == following.stop:
            continue
        place = lattice.start[following]
        heads = np.flatnonzero(np.diff(place, prepend=-1))
        promise = tables.alone[token[following]] + ahead[following]
        best[place[heads]] = np.maximum.reduceat(promise, heads)
        ahead[nodes] = leaves[nodes] + best[end[nodes]]
        if seen.start < seen.stop:
            source = lattice.source[seen]
            heads = np.flatnonzero(np.diff(source, prepend=-1))
            promise = np.maximum.reduceat(most[seen] + ahead[lattice.follower[seen]], heads)
            ahead[source[heads]] = np.maximum(ahead[source[heads]], promise)
    return ahead


def _behind(tables: _Tables, lattice: _Lattice) -> Floats:
    """The most that can lead to each node, the node itself included."""
    token, end, start = lattice.token, lattice.end, lattice.start
    leaves = tables.backoff[1 + token]
    behind = np.full(len(token), _NEVER)
    behind[: len(lattice.ends)] = 0.0
    # Of the places: what can be before them, all forgotten.
    best = np.full(len(lattice.to_go), _NEVER)
    most = tables.most[lattice.pair]
    for nodes, following, seen in reversed(lattice.steps()[1:]):
        np.maximum.at(best, end[nodes], behind[nodes] + leaves[nodes])
        behind[following] = best[start[following]] + tables.alone[token[following]]
        np.maximum.at(behind, lattice.follower[seen], behind[lattice.source[seen]] + most[seen])
    return behind


def _lines(lattice: _Lattice, through: Floats, best: Floats, most: int) -> Floats:
    """How probable a way must be to be looked at, at first: as the best one through the node that
    is as far down the list of nodes as ways are wanted."""
    names = len(best)
    if len(through) == names:
        return best
    owner = lattice.owner[lattice.end[names:]]
    through = through[names:]
    order = np.lexsort((-through, owner))
    counts = np.bincount(owner, minlength=names)
    last = np.cumsum(counts) - counts + np.minimum(counts, most) - 1
    line: Floats = np.where(counts > 0, through[order][np.maximum(last, 0)], best)
    return line


class _Promising:
    """The nodes that start at each place, those first that promise most with no history."""

    def __init__(self, tables: _Tables, lattice: _Lattice, ahead: Floats) -> None:
        names = len(lattice.ends)
        start = lattice.start[names:]
        worth = -(tables.alone[lattice.token[names:]] + ahead[names:])
        order = np.lexsort((worth, start))
        self.nodes: Ints = names + order
        self.promise: Floats = worth[order]  # the other way round, so that it grows
        counts = np.bincount(start, minlength=len(lattice.to_go))
        self.at = np.cumsum(counts) - counts  # of each place: where its nodes begin

    def reaching(self, begin: Ints, count: Ints, most: Floats) -> Ints:
        """How many of the nodes from `begin` are worth no more than `most` the other way round."""
        low, high = np.zeros(len(begin), dtype=np.int64), count.copy()
        while np.any(open_ := low < high):
            middle = (low + high) // 2
            here = np.minimum(begin + middle, len(self.promise) - 1)
            up = open_ & (self.promise[here] <= most)
            low = np.where(up, middle + 1, low)
            high = np.where(open_ & ~up, middle, high)
        return low


class _Found(NamedTuple):
    """Ways above the lines, those of each name together and the best first."""

    owner: Ints
    score: Floats
    pairs: list[list[int]]
    below: NDArray[np.bool_]  # of each name: whether there are ways below its line
    let_go: Floats  # of each name: the most that a beginning could have reached that was let go


class _Space(NamedTuple):
    """What is searched: the ways through a lattice, and how many of each name are wanted."""

    tables: _Tables
    lattice: _Lattice
    ahead: Floats
    promising: _Promising
    most: int


def _above(space: _Space, line: Floats, wanted: Ints, kept: Ints) -> _Found:
    """All ways of the names wanted that are above their lines, `kept` beginnings at each place."""
    tables, lattice, ahead, promising, _ = space
    names, size = len(lattice.ends), len(tables.targets)
    simple = tables.model.order <= 2
    below = np.zeros(names, dtype=np.bool_)
    let_go = np.full(names, _NEVER)
    waiting = _Waiting(space, wanted, kept)
    for letters in range(waiting.furthest, 0, -1):
        if not waiting.groups[letters]:
            continue
        node, state, score, text, own = waiting.take(letters, let_go)
        owner = lattice.owner[lattice.end[node]]
        bound = line[owner] - _ROUNDING
        # Pairs that were seen after the last one.
        rows, bounds = spread(lattice.source_at[node], lattice.source_count[node])
        here = np.repeat(np.arange(len(node)), np.diff(bounds))
        follower, pair = lattice.follower[rows], lattice.pair[rows]
        high = score[here] + tables.most[pair] + ahead[follower] >= bound[here]
        below[owner[here[~high]]] = True
        here, follower, pair = here[high], follower[high], pair[high]
        if simple:
            after, reached = tables.model.states[pair], score[here] + tables.step[pair]
        else:
            step, after = tables.follow(state[here], lattice.token[follower])
            reached = score[here] + step
            high = reached + ahead[follower] >= bound[here]
            below[owner[here[~high]]] = True
            here, follower, after, reached = here[high], follower[high], after[high], reached[high]
        waiting.add(follower, after, reached, text[here], own[here])
        # All others, which forget what was before.
        forgot = score + tables.left[state]
        place = lattice.end[node]
        count = promising.reaching(promising.at[place], lattice.node_count[place], forgot - bound)
        below[owner[count < lattice.node_count[place]]] = True
        rows, bounds = spread(promising.at[place], count)
        here = np.repeat(np.arange(len(node)), np.diff(bounds))
        follower = promising.nodes[rows]
        token = lattice.token[follower]
        key = (1 + lattice.token[node[here]]) * size + token
        new = np.flatnonzero(~lookup(tables.keys, key)[1])
        here, follower, token = here[new], follower[new], token[new]
        reached = forgot[here] + tables.alone[token]
        waiting.add(follower, tables.model.states[1 + token], reached, text[here], own[here])
    if not waiting.groups[0]:
        return _Found(np.zeros(0, dtype=np.int64), np.zeros(0), [], below, let_go)
    node, state, score, _, own = waiting.take(0, let_go)
    owner = lattice.owner[lattice.end[node]]
    score = score + tables.follow(state, np.zeros(len(state), dtype=np.int64))[0]
    high = score >= line[owner] - _ROUNDING
    below[owner[~high]] = True
    owner, score, own = owner[high], score[high], own[high]
    order = np.lexsort((-score, owner))
    pairs = _trails(waiting.tokens, waiting.backs, own[order])
    return _Found(owner[order], score[order], pairs, below, let_go)


class _Waiting:
    """Beginnings of names that wait for what follows them, by how many letters are to go."""

    def __init__(self, space: _Space, wanted: Ints, kept: Ints) -> None:
        self.tables, self.lattice, self.ahead, _, self.most = space
        self.kept = kept
        self.furthest = int(self.lattice.to_go[self.lattice.end[wanted]].max())
        self.groups: list[list[tuple[Any, ...]]] = [[] for _ in range(self.furthest + 1)]
        self.tokens: list[Ints] = []  # of all beginnings ever made: the last pair
        self.backs: list[Ints] = []  # and the number of the one that it goes on from
        self.made = 0
        state = np.full(len(wanted), self.tables.model.states[1 + BOUNDARY])
        text = np.zeros(len(wanted), dtype=np.uint64)
        self.add(wanted, state, np.zeros(len(wanted)), text, np.full(len(wanted), -1))

    def add(
        self, node: Ints, state: Ints, score: Floats, text: NDArray[np.uint64], back: Ints
    ) -> None:
        token = self.lattice.token[node]
        self.tokens.append(token)
        self.backs.append(back)
        own = np.arange(self.made, self.made + len(node))
        self.made += len(node)
        text = text * self.tables.shift[token] + self.tables.text[token]
        letters = self.lattice.to_go[self.lattice.end[node]]
        for one in np.flatnonzero(np.bincount(letters)).tolist():
            here = np.flatnonzero(letters == one)
            group = (node[here], state[here], score[here], text[here], own[here])
            self.groups[one].append(group)

    def take(self, letters: int, let_go: Floats) -> Sequence[NDArray[Any]]:
        """The beginnings with so many letters to go: of those with one history and one text the
        best, after one history as many as are wanted, of each name not more than are kept."""
        columns = list(map(np.concatenate, zip(*self.groups[letters], strict=True)))
        self.groups[letters] = []
        owner = self.lattice.owner[self.lattice.end[columns[0]]]
        crowd = np.bincount(owner)[owner] > self.kept[owner]
        if not crowd.any():
            return columns
        # Only names with many beginnings are worth the sorting.
        rows = np.flatnonzero(crowd)
        _, state, score, text, _ = (column[rows] for column in columns)
        rows = rows[np.lexsort((-score, text, state, owner[rows]))]
        rows = rows[ranks(owner[rows], columns[1][rows], columns[3][rows]) == 0]
        # After one history, no more texts than are wanted can lead into the list.
        order = np.lexsort((-columns[2][rows], columns[1][rows], owner[rows]))
        rows = rows[order]
        rank = ranks(owner[rows], columns[1][rows])
        first = rank[rank < self.most] == 0
        rows = rows[rank < self.most]
        # Half of what is kept are the best of each history, or all would soon have one history.
        name = owner[rows]
        promise = columns[2][rows] + self.ahead[columns[0][rows]]
        chosen = np.zeros(len(rows), dtype=np.bool_)
        for among, share in ((first, self.kept[name] // 2), (None, self.kept[name])):
            open_ = np.flatnonzero(~chosen if among is None else among)
            order = open_[np.lexsort((-promise[open_], name[open_]))]
            taken = np.bincount(name[chosen], minlength=len(let_go))
            chosen[order[ranks(name[order]) < (share - taken[name])[order]]] = True
        np.maximum.at(let_go, name[~chosen], promise[~chosen])
        all_of_them = np.concatenate([np.flatnonzero(~crowd), rows[chosen]])
        return [column[all_of_them] for column in columns]


def _trails(tokens: list[Ints], backs: list[Ints], last: Ints) -> list[list[int]]:
    """The pairs of each way, from its last one back to its beginning, and forth again."""
    token, back = np.concatenate(tokens), np.concatenate(backs)
    columns = []
    while np.any(last >= 0):
        columns.append(np.where(last >= 0, token[last], BOUNDARY))
        last = np.where(last >= 0, back[last], -1)
    rows: list[list[int]] = np.stack(columns[::-1], axis=1).tolist() if columns else []
    return rows


def _search(tables: _Tables, sources: Sequence[Sequence[str]], most: int) -> list[Ways]:
    spelt = [_spelt(tables, source) for source in sources]
    lattice = _Lattice(tables, spelt)
    names = len(sources)
    ahead = _ahead(tables, lattice)
    best = ahead[:names]
    line = _lines(lattice, _behind(tables, lattice) + ahead, best, most)
    space = _Space(tables, lattice, ahead, _Promising(tables, lattice, ahead), most)
    done: list[Ways] = [Ways((), "")] * names
    left = np.arange(names)
    # By name, so that names do not depend on those they are searched with.
    kept = np.full(names, max(_KEPT * most, 64))
    letters = np.array([name.letters for name in spelt])
    most_kept = _MOST_KEPT * max(most, MOST) * _LONG // np.maximum(letters, _LONG)
    most_kept = np.maximum(kept, most_kept)
    while len(left):
        again, lower, wider = [], [], []
        for some in _pieces(left, kept):
            found = _above(space, line, some, kept)
            for name, ways in zip(some.tolist(), _distinct(tables, found, some, most), strict=True):
                last = ways[-1].log_probability if len(ways) == most else line[name]
                exact = bool(found.let_go[name] <= last + _ROUNDING)
                done[name] = Ways(tuple(ways), spelt[name].left_out, exact)
                if not exact and kept[name] < most_kept[name]:
                    again.append(name)
                    wider.append(name)
                elif len(ways) < most and found.below[name]:
                    again.append(name)
                    lower.append(name)
        left = np.array(again, dtype=np.int64)
        line[lower] = best[lower] - _LOWER * (best[lower] - line[lower]) - 0.5
        kept[wider] = np.minimum(8 * kept[wider], most_kept[wider])
    return done


def _pieces(names: Ints, kept: Ints) -> list[Ints]:
    """Split names so that no piece keeps many more than `_AT_ONCE` beginnings."""
    return np.split(names, np.flatnonzero(np.diff(np.cumsum(kept[names]) // _AT_ONCE)) + 1)


def _distinct(tables: _Tables, found: _Found, names: Ints, most: int) -> Iterator[list[Way]]:
    """The best different targets of each name."""
    targets = tables.targets
    begins = np.searchsorted(found.owner, names).tolist()
    ends = np.searchsorted(found.owner, names, side="right").tolist()
    scores = found.score.tolist()
    for begin, end in zip(begins, ends, strict=True):
        distinct: dict[str, Way] = {}
        for row in range(begin, end):
            target = "".join([targets[token] for token in found.pairs[row]])
            if target not in distinct:
                distinct[target] = Way(target, scores[row], found.pairs[row])
                if len(distinct) == most:
                    break
        yield list(distinct.values())
