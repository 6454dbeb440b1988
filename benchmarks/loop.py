"""Compare `sameas.Scorer` in a training loop with the evaluator that most repositories bundle.

::

    pip install coreference-eval scipy
    python benchmarks/loop.py

The peer is `coreference-eval` from PyPI, the evaluator of e2e-coref with LEA added: MUC, B³, CEAFe
and LEA. `Scorer` computes these and mention detection, CEAFm and BLANC. Both score the same
documents in the same run, in alternation. The documents have the size of LitBank's: 290 mentions
and 79 entities, most of one mention, some of fifty.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

import sameas

Clusters = list[list[tuple[int, int]]]


def document(seed: int, mentions: int = 290, entities: int = 79) -> tuple[Clusters, Clusters]:
    """Return a key, and a response with a tenth of the mentions replaced and a tenth moved."""
    generator = random.Random(seed)
    starts = generator.sample(range(10 * mentions), mentions)
    spans = [(start, start + generator.randrange(3)) for start in starts]
    key: Clusters = [[span] for span in spans[:entities]]
    weights = [1 / (rank + 1) for rank in range(entities)]
    for span, place in zip(
        spans[entities:], generator.choices(range(entities), weights, k=mentions), strict=False
    ):
        key[place].append(span)
    response: Clusters = [[] for _ in key]
    for place, cluster in enumerate(key):
        for span in cluster:
            chance = generator.random()
            if chance < 0.1:
                span = (span[0] + 100_000, span[1] + 100_000)
            elif chance < 0.2:
                place = generator.randrange(entities)
            response[place].append(span)
    return key, [cluster for cluster in response if cluster]


def timed(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--documents", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    from corefeval import Document, Scorer  # type: ignore[import-not-found]

    documents = [document(seed) for seed in range(options.documents)]

    def ours() -> None:
        scorer = sameas.Scorer()
        for key, response in documents:
            scorer.update(key, response)
        scorer.compute()

    def updates() -> None:
        scorer = sameas.Scorer()
        for key, response in documents:
            scorer.update(key, response)

    def each() -> None:
        for key, response in documents:
            scorer = sameas.Scorer()
            scorer.update(key, response)
            scorer.compute()

    def theirs() -> None:
        scorer = Scorer()
        for key, response in documents:
            scorer.update(Document(predicted=response, truth=key))
        scorer.detailed_score("", "", verbose=False)

    runs = {
        "coreference-eval (MUC, B³, CEAFe, LEA)": theirs,
        "sameas.Scorer.update": updates,
        "sameas.Scorer, update and one compute (seven metrics)": ours,
        "sameas.Scorer, compute after every document": each,
    }
    for run in runs.values():
        run()
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(options.rounds):
        for name, run in runs.items():
            times[name].append(timed(run) / len(documents))
    base = statistics.median(times["coreference-eval (MUC, B³, CEAFe, LEA)"])
    print(f"{'microseconds per document':<56}{'median':>8}{'ratio':>8}")
    for name, found in times.items():
        middle = statistics.median(found)
        print(f"{name:<56}{1e6 * middle:>8.0f}{base / middle:>8.1f}")


if __name__ == "__main__":
    main()
