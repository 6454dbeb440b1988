"""Align runs of letters with runs of units, using expected counts over all segmentations.

A pair of names is cut into segments, each with some letters and some units. The probability of a
pair is the sum, over all segmentations, of the product of the probabilities of the segments: a
joint multigram (Deligne, Yvon & Bimbot 1995; as a letter aligner, Jiampojamarn, Kondrak & Sherif
2007). EM finds the probabilities that maximise the likelihood of the corpus; the most likely
segmentation of each pair is its alignment. A segment has `0..letters` letters and `1..units` units
(0 letters only for a single unit, with a penalty). A name of I letters and J units with
I > J · `letters` may have segments of up to ⌈I / J⌉ letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sameas.names.tokens import Cuts, RunNumbers, token_runs
from sameas.names.units import Batch, Integers, NameSide, batches, lookup

__all__ = [
    "Arcs",
    "CutPath",
    "Lattice",
    "Segments",
    "Unseen",
    "arcs_of",
    "best_path",
    "expect",
    "first_weights",
    "fit_segments",
    "iterate_segments",
    "lattice_of",
    "likelihoods",
    "penalties_of",
    "segment",
    "segment_others",
    "unseen_segments",
]

Floats: TypeAlias = NDArray[np.float64]
LARGEST = 700.0  # largest exponent of e that does not overflow
CLOSE = 1e-9  # tolerance for sums of the same logarithms in a different order
RARE = 0.1  # a segment with a smaller expected count is treated as unseen
LETTERS, UNITS = 6, 1
EMPTY = 0.1  # factor for units without letters
SPARE = 0.01  # initial count of a segment that is not in the initial alignment
# Stop when an iteration improves the log-likelihood by a smaller fraction: further gains are mostly
# overfitting, especially in a small corpus.
ENOUGH = 1e-3


@dataclass(frozen=True, slots=True)
class Arcs:
    """For every name of a batch: the segments of `units` units and `letters` letters that end at
    unit `unit`, one for each letter at which a segment may begin."""

    unit: int
    units: int
    letters: int
    begins: slice  # the letter offsets at which they may begin
    ends: slice  # the letter offsets at which they may end
    slots: slice  # their positions in the batch's list of arcs
    count: int

    @property
    def before(self) -> int:
        """The number of units before the segments."""
        return self.unit - self.units


@dataclass(frozen=True, slots=True)
class Lattice:
    """All segmentations of the names of a batch: its arcs, and the segment number of each."""

    batch: Batch
    arcs: tuple[Arcs, ...]
    local: NDArray[np.int32]  # for each arc in order, the index into `numbers`
    numbers: Integers  # of the segments in this batch


@dataclass(frozen=True, slots=True)
class Segments:
    """The segments of a corpus, numbered by their runs of letters and of units."""

    source: RunNumbers
    target: RunNumbers
    codes: Integers  # sorted: letter-run id · (`target.count` + 1) + unit-run id
    letters: int
    units: int

    def __len__(self) -> int:
        """Return the number of segments."""
        return len(self.codes)


def lattice_of(
    source: NameSide,
    target: NameSide,
    letters: int = LETTERS,
    units: int = UNITS,
    segments: Segments | None = None,
) -> tuple[Segments, list[Lattice]]:
    """Return the segments and all segmentations; unknown segments are numbered `len(segments)`.

    >>> source, target = NameSide.of([tuple("ana")]), NameSide.of([tuple("あな")])
    >>> segments, lattices = lattice_of(source, target, letters=2)
    >>> len(segments), len(lattices[0].arcs)
    (4, 4)
    """
    if segments is not None:
        letters, units = segments.letters, segments.units
    left, right = (segments.source, segments.target) if segments else (RunNumbers(), RunNumbers())
    many, few = source.lengths, target.lengths
    limits = np.maximum(letters, -(-many // np.maximum(few, 1)))
    longest = int(limits.max(initial=0))
    source_runs = left.all_of(source, min(letters, longest))
    target_runs = right.all_of(target, min(units, int(few.max(initial=0))))
    # Number long runs only in the few names that need them; all names together have too many.
    others = np.flatnonzero(limits > letters)
    apart = source.pick(others)
    other_runs = left.all_of(apart, longest) if len(others) else []
    # The codes of segments depend on how many runs of units there are: number all of these first.
    width = right.count + 1
    drafts = []
    for batch in batches(source, target):
        runs, begins = source_runs, batch.source_at
        if limits[batch.pairs[0]] > letters:
            runs, begins = other_runs, apart.starts[np.searchsorted(others, batch.pairs)]
        arcs = arcs_of(batch, letters, units)
        drafts.append(_draft(batch, begins, arcs, runs, target_runs, width))
    if segments is None:
        codes = np.sort(np.concatenate([codes for *_, codes in drafts] or [np.zeros(0, int)]))
        codes = codes[np.diff(codes, prepend=-2) > 0]  # np.unique is slow for this many
        left.frozen = right.frozen = True
        segments = Segments(left, right, codes, letters, units)
    lattices = []
    for batch, arcs, local, codes in drafts:
        at, there = lookup(segments.codes, codes)
        lattices.append(Lattice(batch, arcs, local, np.where(there, at, len(segments))))
    return segments, lattices


def arcs_of(batch: Batch, letters: int, units: int) -> tuple[Arcs, ...]:
    """Return the arcs that lie on a complete segmentation of the names of a batch, with at most
    `units` units and `letters` letters (or as many letters as a unit must have).

    >>> (batch,) = batches(NameSide.of([tuple("ana")]), NameSide.of([tuple("あな")]))
    >>> [(one.unit, one.letters, one.begins.start) for one in arcs_of(batch, 2, 1)]
    [(1, 1, 0), (1, 2, 0), (2, 1, 2), (2, 2, 1)]
    """
    many, few = len(batch.source), len(batch.target)
    most = max(letters, -(-many // few))
    arcs, used = [], 0
    for unit in range(1, few + 1):
        for length in range(1, min(units, unit) + 1):
            for count in range(0 if length == 1 else 1, min(most, many) + 1):
                # The units before and after must be able to cover the letters before and after.
                first = max(0, many - (few - unit) * most - count)
                last = min(many - count, (unit - length) * most)
                if last < first:
                    continue
                places = last + 1 - first
                size = places * len(batch.pairs)
                starts, ends = slice(first, last + 1), slice(first + count, last + 1 + count)
                slots = slice(used, used + size)
                arcs.append(Arcs(unit, length, count, starts, ends, slots, places))
                used += size
    return tuple(arcs)


def _draft(
    batch: Batch,
    source_at: Integers,
    arcs: tuple[Arcs, ...],
    source_runs: list[Integers],
    target_runs: list[Integers],
    width: int,
) -> tuple[Batch, tuple[Arcs, ...], NDArray[np.int32], Integers]:
    codes = []
    for one in arcs:
        over = target_runs[one.units][batch.target_at + one.unit - one.units]
        begins = np.arange(one.begins.start, one.begins.stop)[:, None]
        # An empty run may begin past the last letter.
        runs = source_runs[one.letters][np.minimum(source_at + begins, len(source_runs[0]) - 1)]
        codes.append(_segment_codes(runs, over, width).ravel())
    distinct, local = np.unique(np.concatenate(codes), return_inverse=True)
    return batch, arcs, local.reshape(-1).astype(np.int32), distinct


def _segment_codes(runs: Integers, over: Integers, width: int) -> Integers:
    """Return the codes of segments, from their runs on both sides; -1 if a run is unknown."""
    return np.where((runs >= 0) & (over >= 0), runs * width + over, -1)


def _forward(
    batch: Batch, arcs: Sequence[Arcs], weights: Floats, *, alone: bool = False
) -> tuple[Floats, Floats]:
    """Return the forward sums by number of units and letters, and the logarithms of their scales.

    The probabilities of long names would underflow. So they are scaled to sum to one at each unit;
    if no path reaches a unit, the logarithm of its scale is −∞.
    """
    names, many, few = len(batch.pairs), len(batch.source), len(batch.target)
    forward = np.zeros((few + 1, many + 1, names))
    scales = np.full((few + 1, names), -np.inf)
    forward[0, 0], scales[0] = 1.0, 0.0
    for unit, ending in _grouped(arcs, few, "unit"):
        most, relative = _relative(scales, {unit - one.units for one in ending})
        for one in ending:
            begin = forward[unit - one.units, one.begins]
            part = weights[one.slots].reshape(one.count, names)
            here = forward[unit, one.ends]
            here += begin * part * relative[unit - one.units]
        _rescale(forward[unit], scales[unit], most, alone=alone)
    return forward, scales


def likelihoods(batch: Batch, arcs: Sequence[Arcs], weights: Floats) -> Floats:
    """Return ln of the total weight of each name's segmentations, bitwise identical in any batch.

    >>> (batch,) = batches(NameSide.of([tuple("ana")]), NameSide.of([tuple("あな")]))
    >>> np.exp(likelihoods(batch, arcs_of(batch, 2, 1), np.array([0.1, 0.2, 0.3, 0.4]))).round(2)
    array([0.1])
    """
    forward, scales = _forward(batch, arcs, weights, alone=True)
    found: Floats = scales[-1] + np.log(forward[-1, -1])
    return found


def expect(lattices: list[Lattice], probabilities: Floats) -> tuple[Floats, float]:
    """Return the expected count of each segment, and the log-likelihood of the corpus.

    >>> source, target = NameSide.of([tuple("ana")]), NameSide.of([tuple("あな")])
    >>> segments, lattices = lattice_of(source, target, 2)
    >>> counts, likelihood = expect(lattices, np.full(len(segments), 0.25))
    >>> counts.round(9).tolist(), round(float(np.exp(likelihood)), 3)
    ([0.5, 0.5, 0.5, 0.5], 0.125)
    """
    counts = np.zeros(len(probabilities))
    likelihood = 0.0
    for lattice in lattices:
        batch = lattice.batch
        names, many, few = len(batch.pairs), len(batch.source), len(batch.target)
        weights = probabilities[lattice.numbers][lattice.local]
        forward, scales = _forward(batch, lattice.arcs, weights)
        total = scales[few] + np.log(forward[few, many])
        likelihood += float(total.sum())
        backward = np.zeros_like(forward)
        behind = np.full((few + 1, names), -np.inf)  # scales of the backward sums
        backward[few, many], behind[few] = 1.0, 0.0
        expected = np.empty_like(weights)
        for unit, beginning in reversed(_grouped(lattice.arcs, few, "before")):
            most, relative = _relative(behind, {one.unit for one in beginning})
            through = {
                after: np.exp(np.minimum(scales[unit] + behind[after] - total, LARGEST))
                for after in relative
            }
            for one in beginning:
                part = weights[one.slots].reshape(one.count, names)
                after = backward[one.unit, one.ends] * part
                backward[unit, one.begins] += after * relative[one.unit]
                after *= forward[unit, one.begins]
                after *= through[one.unit]
                expected[one.slots] = after.ravel()
            _rescale(backward[unit], behind[unit], most)
        local = np.bincount(lattice.local, weights=expected, minlength=len(lattice.numbers))
        counts[lattice.numbers] += local
    return counts, likelihood


def _grouped(arcs: Sequence[Arcs], few: int, place: str) -> list[tuple[int, list[Arcs]]]:
    """Group the arcs by their last unit (`unit`), or by the number of units before (`before`)."""
    first = 1 if place == "unit" else 0
    found: dict[int, list[Arcs]] = {unit: [] for unit in range(first, few + first)}
    for one in arcs:
        found[getattr(one, place)].append(one)
    return list(found.items())


def _relative(scales: Floats, units: set[int]) -> tuple[Floats, dict[int, Floats | float]]:
    """Return the largest of the scales at these units, and the ratio of each to it."""
    if len(units) == 1:
        (unit,) = units
        return scales[unit], {unit: 1.0}
    most = scales[sorted(units)].max(axis=0)
    known = np.where(most > -np.inf, most, 0.0)
    return most, {unit: np.exp(scales[unit] - known) for unit in units}


def _rescale(row: Floats, scale: Floats, most: Floats, *, alone: bool = False) -> None:
    # The rounding of numpy's sum depends on the number of names; that of adding rows does not.
    sums = sum(row) if alone else row.sum(axis=0)
    row /= np.where(sums > 0, sums, 1.0)
    with np.errstate(divide="ignore"):
        scale[:] = most + np.log(sums)


def first_weights(
    segments: Segments, source: NameSide, target: NameSide, start: Cuts | int | None = None
) -> Floats:
    """Return the weights of segments before the first iteration.

    If `start` is an alignment, they are the counts of its segments, all increased by `SPARE`. If it
    is a seed, they are random; if it is None, they are equal.

    >>> source, target = NameSide.of([tuple("ana")]), NameSide.of([tuple("あな")])
    >>> segments, _ = lattice_of(source, target, letters=2)
    >>> first_weights(segments, source, target, Cuts(np.array([1, 3]), np.array([1, 2]))).tolist()
    [1.01, 0.01, 0.01, 1.01]
    """
    weights = np.ones(len(segments))
    if isinstance(start, int):
        weights = np.random.Generator(np.random.PCG64(start)).random(len(segments)) + 1e-3
    if not isinstance(start, Cuts):
        return weights
    _, left = token_runs(source, start.source_ends, known=segments.source)
    _, right = token_runs(target, start.target_ends, known=segments.target)
    codes = _segment_codes(left, right, segments.target.count + 1)
    at, known = lookup(segments.codes, codes)
    return np.bincount(at[known], minlength=len(segments)) + SPARE * weights


def penalties_of(segments: Segments) -> Floats:
    """Return the factor by which each probability is multiplied: `EMPTY` for units without letters.

    Nearly every unit has letters. Without the penalty, rare units would take more and more letters
    from the frequent units next to them, since rare units overfit to any letters.

    >>> source, target = NameSide.of([tuple("an")]), NameSide.of([tuple("あん")])
    >>> penalties_of(lattice_of(source, target, letters=2)[0]).tolist()
    [0.1, 0.1, 1.0, 1.0, 1.0, 1.0]
    """
    return np.where(segments.codes // (segments.target.count + 1) == 0, EMPTY, 1.0)


def iterate_segments(
    lattices: list[Lattice], weights: Floats, most: int = 50, penalties: Floats | float = 1.0
) -> Iterator[tuple[Floats, float]]:
    """Run EM until the log-likelihood hardly improves.

    Yield, after each iteration, the probabilities of segments times their penalties, and the
    log-likelihood of the corpus before the iteration. The penalties are constant, so the
    log-likelihood still never falls.

    >>> source = NameSide.of([tuple("ana"), tuple("na")])
    >>> target = NameSide.of([tuple("あな"), tuple("な")])
    >>> segments, lattices = lattice_of(source, target)
    >>> for _, likelihood in iterate_segments(lattices, np.ones(len(segments)), most=3):
    ...     print(round(likelihood, 3))
    -4.852
    -3.766
    -2.75
    """
    probabilities = weights / weights.sum()
    before = -np.inf
    for _ in range(most):
        counts, likelihood = expect(lattices, probabilities * penalties)
        probabilities = counts / counts.sum()
        yield probabilities * penalties, likelihood
        if likelihood - before <= ENOUGH * abs(likelihood):
            break
        before = likelihood


def fit_segments(
    source: NameSide,
    target: NameSide,
    start: Cuts | int | None = None,
    letters: int = LETTERS,
    units: int = UNITS,
    most: int = 50,
) -> tuple[Segments, list[Lattice], Iterator[tuple[Floats, float]]]:
    """Return the segments, all segmentations and the EM iterations from `first_weights(start)`.

    >>> source = NameSide.of([tuple("ana"), tuple("na")])
    >>> target = NameSide.of([tuple("あな"), tuple("な")])
    >>> _, _, steps = fit_segments(source, target, most=2)
    >>> [round(likelihood, 1) for _, likelihood in steps]
    [-5.4, -3.1]
    """
    segments, lattices = lattice_of(source, target, letters, units)
    weights = first_weights(segments, source, target, start)
    return segments, lattices, iterate_segments(lattices, weights, most, penalties_of(segments))


@dataclass(frozen=True, slots=True)
class Unseen:
    """The log-probabilities of segments that are unseen in the corpus, or nearly so: `by_letters`
    has one for each number of letters, which replaces any value of at most `least`."""

    least: float
    by_letters: Floats


def unseen_segments(segments: Segments, probabilities: Floats, tokens: int, longest: int) -> Unseen:
    """Return the log-probabilities of segments unseen in a corpus of `tokens` tokens.

    Each is rarer than any segment seen. Its number of letters is as likely as in seen segments, and
    all letters are equally likely.

    >>> source, target = NameSide.of([tuple("ana")]), NameSide.of([tuple("あな")])
    >>> segments, lattices = lattice_of(source, target, 2)
    >>> unseen_segments(segments, np.full(len(segments), 0.25), 2, 3).by_letters.round(1).tolist()
    [-19.1, -6.7, -7.4, -21.2]
    """
    width = segments.target.count + 1
    lengths = np.searchsorted(segments.source.first, segments.codes // width, side="right")
    shares = np.bincount(lengths, weights=probabilities, minlength=longest + 1)[: longest + 1]
    letters = np.arange(longest + 1) * np.log(max(len(segments.source.known[0]), 1))
    least = float(np.log(RARE / max(tokens, 1)))
    return Unseen(least, least + np.log(RARE * np.maximum(shares, 1e-6)) - letters)


def segment_others(
    source: NameSide, target: NameSide, segments: Segments, probabilities: Floats, tokens: int
) -> Cuts:
    """Align names that need not be in the corpus of the segments, which has `tokens` tokens.

    >>> source, target = NameSide.of([tuple("ana")]), NameSide.of([tuple("あな")])
    >>> segments, _ = lattice_of(source, target, 2)
    >>> other = NameSide.of([tuple("nana")], source.symbols)
    >>> segment_others(other, target, segments, np.full(len(segments), 0.25), 2).source_ends
    array([2, 4])
    """
    _, lattices = lattice_of(source, target, segments=segments)
    if all(lattice.numbers.max() < len(segments) for lattice in lattices):
        return segment(lattices, probabilities)
    longest = max(one.letters for lattice in lattices for one in lattice.arcs)
    unseen = unseen_segments(segments, probabilities, tokens, longest)
    return segment(lattices, probabilities, unseen)


def segment(lattices: list[Lattice], probabilities: Floats, unseen: Unseen | None = None) -> Cuts:
    """Return the most likely segmentation of every pair; ties go to the one that gives letters to
    the earlier units. For names outside the corpus, `unseen` sets the cost of unseen segments.

    >>> segments, lattices = lattice_of(NameSide.of([tuple("ana")]), NameSide.of([tuple("あな")]))
    >>> segment(lattices, np.ones(len(segments))).source_ends.tolist()
    [3, 3]
    """
    with np.errstate(divide="ignore"):  # the last entry is for unknown segments
        logs = np.log(np.append(probabilities, 0.0))
    ends = [np.zeros((2, 0), dtype=np.int64)]
    for lattice in lattices:
        weights = logs[lattice.numbers][lattice.local]
        if unseen is not None:
            for one in lattice.arcs:
                part = weights[one.slots]
                part[part <= unseen.least] = unseen.by_letters[one.letters]
        path = best_path(lattice.batch, lattice.arcs, weights)
        ends.append(np.stack([path.source_ends, path.target_ends]))
    source_ends, target_ends = np.hstack(ends)
    order = np.argsort(target_ends)
    return Cuts(source_ends[order], target_ends[order])


class CutPath(NamedTuple):
    """The best segmentation of each name of a batch, and all tokens of these segmentations."""

    logs: Floats  # by name: the logarithm of the weight
    source_ends: Integers  # by token, as are the fields below
    target_ends: Integers
    letters: Integers  # the number of letters
    token_logs: Floats  # the logarithms of the weights


def best_path(batch: Batch, arcs: Sequence[Arcs], logs: Floats) -> CutPath:
    """Return the best segmentation of every name of a batch, given the log-weights of its arcs.

    >>> (batch,) = batches(NameSide.of([tuple("ana")]), NameSide.of([tuple("あな")]))
    >>> best_path(batch, arcs_of(batch, 2, 1), np.log([0.1, 0.2, 0.3, 0.4])).letters.tolist()
    [1, 2]
    """
    names, many, few = len(batch.pairs), len(batch.source), len(batch.target)
    best = np.full((few + 1, many + 1, names), -np.inf)
    best[0, 0] = 0.0
    steps = np.zeros((few + 1, many + 1, names), dtype=np.int16)
    for number, one in enumerate(arcs):
        here = best[one.unit, one.ends]
        part = logs[one.slots].reshape(one.count, names)
        found = best[one.unit - one.units, one.begins] + part
        better = found > here + CLOSE
        here[better] = found[better]
        steps[one.unit, one.ends][better] = number
    letters = np.array([one.letters for one in arcs])
    units = np.array([one.units for one in arcs])
    slots = np.array([one.slots.start - one.begins.start * names for one in arcs])
    i, j = np.full(names, many), np.full(names, few)
    tokens: list[tuple[NDArray[Any], ...]] = []
    while len(left := np.flatnonzero(j > 0)):
        step = steps[j[left], i[left], left]
        ends = batch.source_at[left] + i[left], batch.target_at[left] + j[left]
        i[left] -= letters[step]
        j[left] -= units[step]
        tokens.append((*ends, letters[step], logs[slots[step] + i[left] * names + left]))
    return CutPath(best[few, many], *map(np.concatenate, zip(*tokens, strict=True)))
