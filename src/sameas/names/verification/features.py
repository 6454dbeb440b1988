"""The features of a pair: how well its letters fit its units, and how probable both are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sameas.names import affinity
from sameas.names.affinity import Matrix
from sameas.names.ngrams import stream_of
from sameas.names.segment import Arcs, Floats, arcs_of, best_path, likelihoods
from sameas.names.units import Integers, NameSide, batches, spread, starts_of
from sameas.names.verification.alphabet import EncodedPairs
from sameas.names.verification.counting import LONGEST, PairCounts

__all__ = [
    "FEATURES",
    "LetterFit",
    "RunShares",
    "measure_distances",
    "measure_features",
    "tabulate_runs",
]

# Maximum number of cells in the table of runs and units. A batch of lattices has at most 1/64 of
# this.
CELLS = 40_000_000
LEAST = 1e-200  # smallest probability of a number of letters
FEATURES = (
    *("near letters", "near sounds", "near both"),
    *("fit", "fit a letter", "fit a unit", "best a unit", "worst unit"),
    *("chain", "rarest", "frequency", "least frequency", "foreign"),
    *("letters never seen", "ratio", "ratio squared", "units"),
)


@dataclass(frozen=True, slots=True)
class RunShares:
    """P(run of letters | unit), with a column for every seen unit, one for every syllable and one
    for all other units; and the back-off weight of each column, for all other runs."""

    shares: NDArray[np.float32]  # by row and column; the last row is for other runs
    row: Integers  # by run, with an extra entry for unseen runs
    spare: Floats  # the back-off weight by column
    column: Integers  # by unit of the alphabet
    first: int  # the column of the first syllable
    lengths: Floats  # the probabilities of 0, 1, 2 … letters

    def columns(self, syllable: Integers) -> Integers:
        """Return the column of every unit, whether in the alphabet or unseen."""
        others = syllable[len(self.column) :]
        last = len(self.spare) - 1
        return np.concatenate([self.column, np.where(others >= 0, self.first + others, last)])

    def weigh(
        self, arcs: Sequence[Arcs], columns: Integers, rows: Sequence[Integers], logs: Floats
    ) -> Floats:
        """Return P(letters | unit) / P(letters) for each arc of a batch.

        `columns` are the columns of the units, `rows` the rows of the runs that begin at each
        letter, by length, and `logs` the log-probabilities of the letters.
        """
        many = len(logs)
        before = np.concatenate([np.zeros((1, logs.shape[1])), np.cumsum(logs, axis=0)])
        longer = np.maximum(np.arange(many + 1) - LONGEST, 0)
        shares = self.lengths[np.minimum(np.arange(many + 1), LONGEST)] * 0.1**longer
        shares = np.maximum(shares, LEAST)
        weights = []
        for one in arcs:
            column = columns[one.unit - 1]
            weight = self.spare[column] * shares[one.letters]
            if one.letters <= LONGEST:
                # An empty run may begin past the last letter.
                begins = np.minimum(np.arange(one.begins.start, one.begins.stop), many - 1)
                known = self.shares[rows[one.letters][begins], column]
                weight = weight + known * np.exp(before[one.begins] - before[one.ends])
            weights.append(np.broadcast_to(weight, (one.count, logs.shape[1])).ravel())
        return np.concatenate(weights)


def tabulate_runs(counts: PairCounts, syllable: Integers) -> RunShares:
    """Return P(run | unit), interpolated (Witten–Bell) with P(run | syllable) and P(run)."""
    many = len(counts.unit_times)
    runs, units = np.divmod(counts.tokens, many)
    syllable = syllable[:many]
    total = np.bincount(units, weights=counts.times, minlength=many)
    seen = np.flatnonzero(total > 0)
    column = np.full(many, -1)
    column[seen] = np.arange(len(seen))
    columns = len(seen) + int(syllable.max()) + 2  # each syllable is that of a unit
    lower = np.where(syllable >= 0, len(seen) + syllable, columns - 1)
    # In a very large corpus the rarest runs are dropped, as if unseen.
    often = np.bincount(runs, weights=counts.times, minlength=counts.runs.count)
    kept = np.sort(np.argsort(-often, kind="stable")[: max(CELLS // columns, 1)])
    row = np.full(counts.runs.count + 1, len(kept))
    row[kept] = np.arange(len(kept))
    shares = np.zeros((len(kept) + 1, columns))
    spare = np.ones(columns)

    def interpolate(place: Integers, chosen: NDArray[np.bool_]) -> None:
        """Scale down the columns of the chosen tokens' units, and add the tokens' runs to them."""
        cells, which = np.unique(runs[chosen] * columns + place[units[chosen]], return_inverse=True)
        times = np.bincount(which.reshape(-1), counts.times[chosen], minlength=len(cells))
        at, where = row[cells // columns], cells % columns
        kinds = np.bincount(where, minlength=columns)
        parts = np.maximum(np.bincount(where, times, minlength=columns) + kinds, 1.0)
        left = np.where(kinds > 0, kinds / parts, 1.0)
        np.multiply(shares, left, out=shares)
        np.multiply(spare, left, out=spare)
        shares[at, where] += times / parts[where]

    interpolate(lower, syllable[units] >= 0)
    shares[:, : len(seen)], spare[: len(seen)] = shares[:, lower[seen]], spare[lower[seen]]
    interpolate(column, np.ones(len(units), dtype=np.bool_))
    shares[-1] = 0.0
    lengths = counts.lengths + 0.5
    found = np.where(column >= 0, column, lower)
    return RunShares(
        shares.astype(np.float32), row, spare, found, len(seen), lengths / lengths.sum()
    )


@dataclass(frozen=True, slots=True)
class LetterFit:
    """How well letters fit units, as log (P(letters | units) / P(letters))."""

    total: Floats  # by pair: over all segmentations
    best: Floats  # by pair: of the best segmentation
    sizes: Integers  # by unit: its number of letters in the best segmentation
    values: Floats  # by unit: its part of `best`


def fit_letters(names: EncodedPairs, counts: PairCounts, table: RunShares) -> LetterFit:
    """Return how well the letters of every pair fit its units."""
    lengths = names.letters.lengths
    within, _ = spread(np.arange(len(lengths)) + names.letters.starts[:-1], lengths)
    logs = counts.letters.logs(stream_of(names.letters))[within]
    # By length and position: the row of the run in the table; unknown runs (-1) get the last row.
    runs = [table.row[found] for found in counts.runs.all_of(names.letters, LONGEST)]
    columns = table.columns(names.syllable)
    letters, units = names.letters.pick(names.first), names.units.pick(names.second)
    total, best = np.zeros(len(names)), np.zeros(len(names))
    sizes = np.zeros(len(units.codes), dtype=np.int64)
    values = np.zeros(len(units.codes))
    for batch in batches(letters, units, 4096, cells=CELLS // 64):
        place = (
            names.letters.starts[names.first[batch.pairs]] + np.arange(len(batch.source))[:, None]
        )
        arcs = arcs_of(batch, LONGEST, 1)
        weights = table.weigh(
            arcs, columns[batch.target], [found[place] for found in runs], logs[place]
        )
        total[batch.pairs] = likelihoods(batch, arcs, weights)
        path = best_path(batch, arcs, np.log(weights))
        best[batch.pairs] = path.logs
        sizes[path.target_ends - 1], values[path.target_ends - 1] = path.letters, path.token_logs
    return LetterFit(total, best, sizes, values)


def measure_distances(letters: NameSide, sounds: NameSide, counts: Matrix) -> Floats:
    """Return D of every pair (equation 2); a link costs at most ln(number of counted links)."""
    unseen = float(np.log(max(counts.sum(), 2.0)))
    near = np.minimum(affinity.distances(counts), unseen)
    return affinity.align(letters, sounds, near, unseen, link=False).by_pair


def measure_features(
    names: EncodedPairs, counts: PairCounts, table: RunShares
) -> tuple[list[Floats], Floats, LetterFit]:
    """Return the features of every pair, the distances of the alignments, and the letter fits."""
    letters, units, (sounds, _) = names.letters, names.units, names.sounds()
    many, few = letters.lengths[names.first], units.lengths[names.second]
    sounds_count = names.spoken()[names.second]
    distance = measure_distances(letters.pick(names.first), sounds.pick(names.second), counts.links)
    paths = fit_letters(names, counts, table)
    logs = counts.units.logs(stream_of(units))
    bounds = starts_of(units.lengths + 1)
    chain = np.add.reduceat(logs, bounds[:-1])
    inner = np.delete(logs, bounds[1:] - 1)
    seen = np.zeros(len(names.syllable))
    seen[: len(counts.unit_times)] = counts.unit_times
    kinds = np.count_nonzero(seen)
    # An unseen unit has the count 0.5, so that its weight is learned from rare units.
    frequency = np.log((seen + 0.5) / (seen.sum() + 0.5 * (kinds + 1)))[units.codes]
    unseen = counts.unseen(letters).astype(np.float64)
    ratio = np.log(many / few)
    second = names.second
    found = [
        distance / many,
        distance / sounds_count,
        distance / (many + sounds_count),
        paths.total,
        paths.total / many,
        paths.total / few,
        paths.best / few,
        _least(paths.values, units.pick(second)),
        (chain / units.lengths)[second],
        _least(inner, units)[second],
        _mean(frequency, units)[second],
        _least(frequency, units)[second],
        _mean(names.foreign[units.codes], units)[second],
        _mean(unseen, letters)[names.first],
        ratio,
        ratio**2,
        np.log(few),
    ]
    return found, distance, paths


def _mean(values: Floats, side: NameSide) -> Floats:
    owner = np.repeat(np.arange(len(side)), side.lengths)
    return np.bincount(owner, weights=values, minlength=len(side)) / side.lengths


def _least(values: Floats, side: NameSide) -> Floats:
    found: Floats = np.minimum.reduceat(values, side.starts[:-1])
    return found
