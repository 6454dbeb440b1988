"""Paired randomisation tests: swap documents, and count differences as large as the observed one.

Like `resampling`, this module works only on arrays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sameas.chance.resampling import (
    CLOSE,
    Additive,
    Floats,
    all_swaps,
    at_least,
    exactly_additive,
    random_swaps,
)
from sameas.settings import Comparing

__all__ = ["Pair", "SwapTest", "swap_tests"]

ROUNDING = 1e-7  # bound on the rounding error of standard errors, from small differences
Pair = tuple[str, str]  # the new system, and the one it is compared with


class SwapTest(NamedTuple):
    """A two-sided p-value, and whether all swaps were tried."""

    p: float
    exact: bool


def swap_tests(
    systems: Mapping[str, Additive],
    pairs: Sequence[Pair],
    metrics: Sequence[str],
    comparing: Comparing,
) -> dict[Pair, dict[str, SwapTest]]:
    """Test every pair on every metric, all with the same swaps.

    Swapping a document for which both systems have the same numbers changes nothing. Only the
    other documents count towards the number of swaps. If there are no more swaps than samples, all
    swaps are tried.
    """
    found: dict[Pair, dict[str, SwapTest]] = {pair: {} for pair in pairs}
    sampled: dict[Pair, list[str]] = {}
    swapping = {pair: _exactly(*(systems[name] for name in pair)) for pair in pairs}
    documents = len(next(iter(systems.values())).rows)
    for pair, (new, base) in swapping.items():
        for metric in metrics:
            columns = list(new.columns[metric])
            differ = np.flatnonzero(np.any(new.rows[:, columns] != base.rows[:, columns], axis=1))
            if 2 ** len(differ) <= comparing.samples:
                every = all_swaps(documents, differ)
                hits = sum(
                    _hits(new, base, swaps, [metric], comparing.test)[metric] for swaps in every
                )
                found[pair][metric] = SwapTest(hits / 2 ** len(differ), True)
            else:
                sampled.setdefault(pair, []).append(metric)
    hits_of: dict[Pair, Counter[str]] = {pair: Counter() for pair in sampled}
    samples = comparing.samples if sampled else 0
    for swaps in random_swaps(documents, samples, comparing.seed):
        for pair, names in sampled.items():
            hits_of[pair].update(_hits(*swapping[pair], swaps, names, comparing.test))
    for pair, by_metric in hits_of.items():
        for metric, hits in by_metric.items():
            found[pair][metric] = SwapTest((hits + 1) / (comparing.samples + 1), False)
    return found


def _hits(
    new: Additive, base: Additive, swaps: Floats, metrics: Sequence[str], test: str
) -> dict[str, int]:
    """Count, for each metric, the swaps with a difference at least as large as the observed one.

    The studentised test divides each difference by its own standard error.
    """
    # The first row swaps nothing and gives the observed difference.
    swaps = np.vstack([np.zeros(len(new.rows)), swaps])
    moved = swaps @ (base.rows - new.rows)
    ours, theirs = new.rows.sum(axis=0) + moved, base.rows.sum(axis=0) - moved
    rates, their_rates = new.rates(ours), base.rates(theirs)
    hits = {}
    for metric in metrics:
        differences = rates[metric].value - their_rates[metric].value
        if test == "studentised":
            errors = _standard_errors(metric, new, base, ours, theirs, swaps)
            differences = _studentised(differences, errors)
            differences[0] *= 1 - ROUNDING
        hits[metric] = at_least(differences[1:], differences[0].item())
    return hits


def _standard_errors(
    metric: str, new: Additive, base: Additive, ours: Floats, theirs: Floats, swaps: Floats
) -> Floats:
    """Return the standard error of the difference for each swap, by the delta method.

    The contribution of a document is the gradient times its row for the new system, minus the same
    product for the base; the variance is the sum of the squared contributions.
    """
    gradient, their_gradient = new.gradient(metric, ours), base.gradient(metric, theirs)
    row, their_row = (system.rows[:, list(new.columns[metric])].T for system in (new, base))
    moves = gradient @ row - their_gradient @ their_row
    moves += swaps * (gradient @ their_row - their_gradient @ row - moves)
    errors: Floats = np.sqrt(np.einsum("bd,bd->b", moves, moves))
    return np.where(errors < ROUNDING, 0.0, errors)


def _studentised(differences: Floats, errors: Floats) -> Floats:
    """Divide differences by their standard errors; non-zero over zero gives infinity."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.abs(differences) <= CLOSE, 0.0, differences / errors)


def _exactly(new: Additive, base: Additive) -> tuple[Additive, Additive]:
    """Return both systems with rows rounded so that all sums of their rows are exact."""
    ours, theirs = exactly_additive(np.stack([new.rows, base.rows]))
    return replace(new, rows=ours), replace(base, rows=theirs)
