"""Time intervals and tests in sameas and in scipy, on the same statistics.

::

    python benchmarks/resampling.py

makes 1,000 documents and five systems, scores them once, and prints a Markdown table: all eight
metrics and ten pairs for sameas, one metric and one pair for scipy, and the seconds per metric (and
pair). scipy is included if it is installed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator

import numpy as np

import sameas
from sameas import analysis


def corpus(documents: int, systems: int, seed: int) -> Iterator[list[sameas.Document]]:
    """Yield a key, then noisy copies as responses."""
    rng = np.random.default_rng(seed)
    labels = [rng.zipf(1.7, size=rng.integers(10, 120)) % 40 for _ in range(documents)]
    yield [_document(number, entity) for number, entity in enumerate(labels)]
    for system in range(systems):
        noise = 0.2 + 0.02 * system
        yield [
            _document(
                number,
                np.where(rng.random(len(entity)) < noise, rng.integers(0, 60, len(entity)), entity),
            )
            for number, entity in enumerate(labels)
        ]


def _document(number: int, labels: np.ndarray) -> sameas.Document:
    clusters: dict[int, list[int]] = {}
    for mention, entity in enumerate(labels.tolist()):
        clusters.setdefault(entity, []).append(mention)
    return sameas.Document.from_clusters(f"document {number}", clusters.values())


def seconds(function: Callable[[], object], repeat: int) -> float:
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    key, *responses = corpus(options.documents, 5, seed=0)
    results = {f"system {n}": sameas.score(key, one) for n, one in enumerate(responses)}
    first, second = list(results.values())[:2]
    metrics = len(first.metrics)
    rows = []
    for method in ("percentile", "bca"):
        how = sameas.settings.Resampling(interval=method, samples=options.samples)
        # A new result each time, because intervals are cached.
        took = seconds(lambda how=how: first.average("micro").intervals(how), options.repeat)
        rows.append((f"{method} intervals", "sameas", f"{metrics} metrics", took, took / metrics))
    for test in ("randomisation", "studentised"):
        comparing = sameas.settings.Comparing(samples=options.samples, pairs="all", test=test)
        took = seconds(lambda how=comparing: analysis.compare_results(results, how), options.repeat)
        work = f"{metrics} metrics, 10 pairs"
        rows.append((f"{test} tests", "sameas", work, took, took / metrics / 10))
    rows += scipy_rows(first, second, options.samples)
    print(f"{options.documents} documents, {options.samples} samples\n")
    print("| what | tool | computed | seconds | seconds each |")
    print("|---|---|---|---:|---:|")
    for what, tool, work, took, each in rows:
        print(f"| {what} | {tool} | {work} | {took:.2f} | {each:.3f} |")


def scipy_rows(
    first: sameas.Result, second: sameas.Result, samples: int
) -> Iterator[tuple[str, str, str, float, float]]:
    try:
        from scipy import stats
    except ImportError:
        return
    ours, theirs = first.additive(), second.additive()
    rows = np.vstack([ours.rows, theirs.rows])
    numbers = np.arange(len(ours.rows))

    def conll(drawn: np.ndarray, axis: int = -1) -> np.ndarray:
        return ours.rates(rows[drawn].sum(axis=-2).reshape(-1, rows.shape[1]))["conll"].value

    def difference(one: np.ndarray, two: np.ndarray, axis: int = -1) -> np.ndarray:
        return conll(one) - conll(two)

    for method, name in (("percentile", "percentile"), ("BCa", "bca")):
        took = seconds(
            lambda method=method: stats.bootstrap(
                (numbers,), conll, vectorized=True, n_resamples=samples, method=method, batch=200
            ),
            1,
        )
        yield f"{name} intervals", "scipy", "1 metric", took, took
    took = seconds(
        lambda: stats.permutation_test(
            (numbers, numbers + len(numbers)), difference, permutation_type="samples",
            vectorized=True, n_resamples=samples, batch=200,
        ),
        1,
    )  # fmt: skip
    yield "randomisation tests", "scipy", "1 metric, 1 pair", took, took


if __name__ == "__main__":
    main()
