"""Simulate whether intervals have their stated coverage and p-values are valid under the null.

::

    python tests/simulation.py --runs 5000 --samples 1000 --documents 100 --seed 0

Thousands of documents are generated, each with two responses whose errors follow the same rule, and
scored once. They are the population, and its score is the true value. Every run draws some
documents from it, with replacement. 95% of the 95% intervals should contain the true value. For the
p-values, a coin decides in each drawn document which response belongs to which system, so that
neither system is better in the population. The p-values should be uniform, which a
Kolmogorov–Smirnov test checks.

Two systems with the same score may still be different; for example, one never predicts a singleton.
For this case documents are drawn with probabilities that make their scores in the population equal,
and 5% of the p-values should be below 0.05.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.stats import kstest

import sameas
from sameas.chance.resampling import bootstrap

METRICS = ("b3", "ceafe", "conll")
INTERVALS = ("percentile", "bca")
TESTS = ("studentised", "randomisation", "bootstrap")
POPULATION = 3000

Floats = np.ndarray[Any, np.dtype[np.float64]]
Clusters = list[list[int]]
Rows = dict[tuple[str, str], float]  # by method and metric


# Documents


def clusters(labels: Sequence[int]) -> Clusters:
    """Cluster the mentions 0, 1, 2, … by label; a mention with a negative label is missing."""
    entities: dict[int, list[int]] = {}
    for mention, label in enumerate(labels):
        if label >= 0:
            entities.setdefault(label, []).append(mention)
    return list(entities.values())


def random_key(generator: random.Random) -> Clusters:
    """Return about ten entities; most have one or two mentions, some have twenty."""
    sizes = [
        min(20, int(generator.paretovariate(1.2)))
        for _ in range(1 + round(generator.lognormvariate(2.2, 0.6)))
    ]
    mentions = iter(range(sum(sizes)))
    return [[next(mentions) for _ in range(size)] for size in sizes]


def random_response(key: Clusters, errors: float, generator: random.Random) -> Clusters:
    """Return the key with mentions missing, moved to another or a new entity, and added."""
    response: Clusters = [[] for _ in key]
    mentions = sum(map(len, key))
    for home, entity in enumerate(key):
        for mention in entity:
            if generator.random() < errors / 2:
                continue  # missing
            place = home
            if generator.random() < errors:
                place = int(generator.random() * (len(key) + 1))
            _put(mention, place, response, len(key))
            if generator.random() < errors / 2:
                place = int(generator.random() * (len(key) + 1))
                _put(mentions + mention, place, response, len(key))
    return [entity for entity in response if entity]


def _put(mention: int, place: int, response: Clusters, entities: int) -> None:
    if place < entities:
        response[place].append(mention)
    else:
        response.append([mention])


def random_systems(
    documents: int,
    seed: int,
    *,
    errors: Sequence[float] = (1, 1),
    metrics: Sequence[str] = METRICS,
) -> list[sameas.Result]:
    """Return systems on the same documents, with an error rate that depends on the document.

    `errors` contains a factor of the error rate for each system.
    """
    generator = random.Random(seed)
    keys: list[sameas.Document] = []
    responses: list[list[sameas.Document]] = [[] for _ in errors]
    for number in range(documents):
        name = f"document {number:04}"
        key, rate = random_key(generator), generator.betavariate(2, 6)
        keys.append(sameas.Document.from_clusters(name, key))
        for system, times in zip(responses, errors, strict=True):
            response = random_response(key, times * rate, generator)
            system.append(sameas.Document.from_clusters(name, response))
    return [sameas.score(keys, response, metrics=metrics) for response in responses]


def drawn(population: sameas.Result, numbers: list[int]) -> sameas.Result:
    """Return some documents of the population, with new names because they may repeat."""
    sample = population.select(numbers)
    names = [f"draw {number}" for number in range(len(numbers))]
    return replace(sample, statistics=replace(sample.statistics, documents=names))


# Simulations


def coverage(
    population: sameas.Result, *, runs: int, samples: int, documents: int, seed: int
) -> Rows:
    """Return how often the 95% intervals of F1 contain that of the population."""
    generator = random.Random(f"coverage {seed}")
    methods = {name: sameas.settings.Resampling(name, samples=samples) for name in INTERVALS}
    hits = dict.fromkeys(((name, metric) for name in methods for metric in METRICS), 0)
    for run in range(runs):
        sample = drawn(population, generator.choices(range(len(population)), k=documents))
        resamples = bootstrap(
            {"": sample.additive()}, sameas.settings.Resampling(samples=samples, seed=run)
        )
        for name, resampling in methods.items():
            intervals = resamples[""].intervals(resampling)
            for metric in METRICS:
                low, high = intervals[metric].value or (2, -2)
                hits[name, metric] += low <= population[metric].f1 <= high
    return {row: hit / runs for row, hit in hits.items()}


def null_p_values(
    systems: Sequence[sameas.Result],
    *,
    runs: int,
    samples: int,
    documents: int,
    seed: int,
) -> dict[tuple[str, str], list[float]]:
    """Return the p-values of two systems, neither of which is better, by test and metric."""
    generator = random.Random(f"null {seed}")
    one, other = systems
    size = len(one)
    names = [f"{name}, other response" for name in other.statistics.documents]
    other = replace(other, statistics=replace(other.statistics, documents=names))
    both = one + other
    found: dict[tuple[str, str], list[float]] = {
        (test, metric): [] for test in TESTS for metric in METRICS
    }
    for run in range(runs):
        heads = generator.choices(range(len(both)), k=documents)
        tails = [(number + size) % len(both) for number in heads]  # the other response
        pair = {"heads": drawn(both, heads), "tails": drawn(both, tails)}
        for test in TESTS:
            comparing = sameas.settings.Comparing(samples=samples, seed=run, test=test)
            differences = sameas.analysis.compare_results(pair, comparing)["tails", "heads"]
            for metric in METRICS:
                found[test, metric].append(differences[metric].p or 0.0)
    return found


def unlike_systems(documents: int, seed: int) -> list[sameas.Result]:
    """Return two systems on the same documents; the second has no singletons."""
    generator = random.Random(f"unlike {seed}")
    sides: list[list[sameas.Document]] = [[], [], []]
    for number in range(documents):
        key, rate = random_key(generator), generator.betavariate(2, 6)
        one, other = (random_response(key, rate, generator) for _ in range(2))
        other = [entity for entity in other if len(entity) > 1]
        for side, clusters in zip(sides, (key, one, other), strict=True):
            side.append(sameas.Document.from_clusters(f"document {number:04}", clusters))
    return [sameas.score(sides[0], response, metrics=METRICS) for response in sides[1:]]


def even_weights(systems: Sequence[sameas.Result], metric: str) -> Floats:
    """Return weights of documents with which both systems have the same score.

    The less a document favours the better system, the higher its weight.
    """
    one, other = (system.additive() for system in systems)
    favour = one.by_document[metric] - other.by_document[metric]

    def difference(tilt: float) -> float:
        sums = (np.exp(tilt * favour)[None, :] @ system.rows for system in (one, other))
        first, second = (
            system.rates(part)[metric].value.item()
            for system, part in zip((one, other), sums, strict=True)
        )
        return first - second

    return np.exp(brentq(difference, -20, 20) * favour)


def unlike_p_values(
    systems: Sequence[sameas.Result], *, runs: int, samples: int, documents: int, seed: int
) -> Rows:
    """Return how often p is below 0.05 for unlike systems with equal scores, by test and metric."""
    generator = random.Random(f"unlike draws {seed}")
    found = dict.fromkeys(((test, metric) for test in TESTS for metric in METRICS), 0)
    for metric in METRICS:
        weights = even_weights(systems, metric).tolist()
        alone = [replace(system, metrics=[metric]) for system in systems]
        for run in range(runs):
            numbers = generator.choices(range(len(systems[0])), weights, k=documents)
            pair = {name: drawn(one, numbers) for name, one in zip("ab", alone, strict=True)}
            for test in TESTS:
                comparing = sameas.settings.Comparing(samples=samples, seed=run, test=test)
                difference = sameas.analysis.compare_results(pair, comparing)["b", "a"][metric]
                found[test, metric] += (difference.p or 0.0) < 0.05
    return {row: number / runs for row, number in found.items()}


def uniformity(p_values: dict[tuple[str, str], list[float]]) -> Rows:
    """Return the Kolmogorov–Smirnov p-value of p-values against the uniform distribution."""
    return {row: float(kstest(values, "uniform").pvalue) for row, values in p_values.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Coverage of intervals, uniformity of p-values.")
    parser.add_argument("--runs", type=int, default=5000)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--population", type=int, default=POPULATION)
    parser.add_argument("--key", help="measure unlike systems on real documents: a key …")
    parser.add_argument("--responses", nargs=2, help="… and two responses to it")
    options = vars(parser.parse_args())
    population_size = options.pop("population")
    key, responses = options.pop("key"), options.pop("responses")
    if key:
        real = [sameas.score(key, response, metrics=METRICS) for response in responses]
        print_unlike(real, options)
        return
    population = random_systems(population_size, options["seed"])
    print(population[0])
    print(f"\n{'':28}" + "".join(f"{metric:>10}" for metric in METRICS))
    covered = coverage(population[0], **options)
    for name in INTERVALS:
        _print(f"{name}: coverage %", [100 * covered[name, metric] for metric in METRICS], 2)
    p_values = null_p_values(population, **options)
    uniform = uniformity(p_values)
    for test in TESTS:
        found = [p_values[test, metric] for metric in METRICS]
        small = [100 * sum(p < 0.05 for p in values) / len(values) for values in found]
        _print(f"{test}: % p < 0.05", small, 2)
        _print(f"{test}: KS p", [uniform[test, metric] for metric in METRICS], 3)
    print_unlike(unlike_systems(population_size, options["seed"]), options)


def print_unlike(systems: Sequence[sameas.Result], options: dict[str, int]) -> None:
    found = unlike_p_values(systems, **options)
    print(f"{'unlike systems':28}" + "".join(f"{metric:>10}" for metric in METRICS))
    for test in TESTS:
        _print(f"{test}: % p < 0.05", [100 * found[test, metric] for metric in METRICS], 2)


def _print(title: str, values: list[float], digits: int) -> None:
    print(f"{title:28}" + "".join(f"{value:>10.{digits}f}" for value in values))


if __name__ == "__main__":
    main()
