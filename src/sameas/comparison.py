"""Is one system better than another, or is it chance? Differences, intervals, p-values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from sameas.coref.document import Corpus, Document
from sameas.coref.scoring import Input, check_settings, load, score
from sameas.differences import Difference, differences
from sameas.errors import InputError, Problem, UsageError, require
from sameas.resampling import (
    FEW,
    Additive,
    Intervals,
)
from sameas.result import Result
from sameas.signature import Comparing, Resampling, Signature
from sameas.swapping import Pair

__all__ = ["Comparison", "Difference", "compare", "compare_results"]


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Several systems on the same documents, and the differences between pairs of them.

    >>> import sameas
    >>> from sameas.examples import example_path
    >>> systems = {name: example_path(f"{name}.conll") for name in ("careful", "eager")}
    >>> comparison = compare(example_path("key.conll"), systems, metrics=["muc", "b3"])
    >>> difference = comparison["eager", "careful"]["muc"]
    >>> round(difference.value, 4), difference.p, (difference.wins, difference.losses)
    (0.0468, 0.375, (3, 1))
    """

    results: Mapping[str, Result]
    differences: Mapping[Pair, Mapping[str, Difference]]
    intervals: Mapping[str, Mapping[str, Intervals]]  # of the scores, by system and metric
    comparing: Comparing
    notes: Sequence[str] = ()

    def __getitem__(self, pair: Pair) -> Mapping[str, Difference]:
        """The differences of a pair, by metric: `comparison["new", "base"]["b3"]`."""
        if pair in self.differences:
            return self.differences[pair]
        known = ", ".join(map(str, self.differences))
        raise UsageError(f"no pair {pair!r:.80} was compared; these were: {known}")

    @property
    def pairs(self) -> list[Pair]:
        """The pairs compared: the new system, and the one it is compared with."""
        return list(self.differences)

    @property
    def metrics(self) -> Sequence[str]:
        """The metrics compared."""
        return self._first.metrics

    @property
    def _first(self) -> Result:
        return next(iter(self.results.values()))

    @property
    def signature(self) -> str:
        """Everything that can move a digit, in one line."""
        settings = self._first.settings
        return str(Signature(settings, len(self._first), resampling=self.comparing))

    @property
    def remarks(self) -> list[str]:
        """The notes of the comparison, then those of each system's result."""
        return [
            *self.notes,
            *dict.fromkeys(
                f"{name}: {remark}"
                for name, result in self.results.items()
                for remark in result.remarks
            ),
        ]

    def as_dict(self) -> dict[str, Any]:
        """The comparison as JSON shows it."""
        systems = {}
        for name, result in self.results.items():
            systems[name] = {
                "response": result.name,
                "metrics": {
                    metric: {
                        **result[metric].as_dict(),
                        "interval": self.intervals[name][metric].as_dict(),
                    }
                    for metric in self.metrics
                },
            }
        return {
            "signature": self.signature,
            "documents": len(self._first),
            "systems": systems,
            "pairs": [
                {
                    "new": new,
                    "base": base,
                    "metrics": {name: found.as_dict() for name, found in by_metric.items()},
                }
                for (new, base), by_metric in self.differences.items()
            ],
            "notes": self.remarks,
        }

    def __repr__(self) -> str:
        """One line: what was compared."""
        names = ", ".join(self.results)
        return f"<Comparison of {names}: {len(self._first)} documents>"

    def __str__(self) -> str:
        """Tables of at most 80 columns that end with the signature."""
        from sameas.output.comparison import render_comparison

        return render_comparison(self, "text")

    def _repr_html_(self) -> str:
        from sameas.output.comparison import render_comparison

        return render_comparison(self, "html")


def compare(
    key: Input,
    responses: Mapping[str, Input],
    *,
    metrics: str | Sequence[str] | None = None,
    interval: str | None = None,
    confidence: float | None = None,
    samples: int | None = None,
    seed: int | None = None,
    test: str | None = None,
    pairs: str | None = None,
    correction: str | None = None,
    signature: str | None = None,
    **settings: str | None,
) -> Comparison:
    """Score systems against one key and test whether they differ.

    `responses` names the systems, the base first. Intervals come from the bootstrap over documents
    (`interval` percentile or bca). The p-values come from swapping documents between two systems
    (`test="studentised"`, where differences are divided by their standard errors, or
    `"randomisation"`, where they are not; every swap is tried if there are no more than `samples`),
    or from the `bootstrap`. `pairs` are `first` (each system with the first) or `all`; p-values are
    corrected for their number, metric by metric (`correction` holm or none). Further settings are
    those of `sameas.score`.

    >>> from sameas.examples import example_path
    >>> systems = {name: example_path(f"{name}.conll") for name in ("careful", "eager")}
    >>> compare(example_path("key.conll"), systems, seed=0)
    <Comparison of careful, eager: 4 documents>
    """
    if not isinstance(responses, Mapping):
        raise UsageError('expected the systems as {"base": …, "new": …}')
    check_settings(settings, *(field.name for field in fields(Comparing)))
    named = {
        "interval": interval,
        "confidence": confidence,
        "samples": samples,
        "seed": seed,
        "test": test,
        "pairs": pairs,
        "correction": correction,
    }
    if signature is None:
        comparing = Comparing.of(**named)
    elif any(value is not None for value in named.values()):
        raise UsageError("the signature says how to compare; leave out the other settings")
    else:
        comparing = comparing_of(Signature.parse(signature).resampling)
    reference = settings.get("compat") == "conll-8.01" or (
        signature is not None and Signature.parse(signature).settings.compat == "conll-8.01"
    )
    if isinstance(key, Iterator):
        key = list(key)  # it would serve one system only
    elif not isinstance(key, (Corpus, Document, list, tuple)):
        key = load(key, "key", format=settings.get("format"), reference=reference)
    results = {
        str(name): score(key, response, metrics=metrics, signature=signature, **settings)
        for name, response in responses.items()
    }
    return compare_results(results, comparing)


def comparing_of(resampling: Resampling | None) -> Comparing:
    """How to compare, where a signature may tell only how to make intervals.

    >>> comparing_of(Resampling(seed=0)).seed, comparing_of(None).seed
    (0, 1)
    """
    if resampling is None or isinstance(resampling, Comparing):
        return resampling or Comparing()
    return Comparing(
        resampling.interval, resampling.confidence, resampling.samples, resampling.seed
    )


def compare_results(
    results: Mapping[str, Result], comparing: Comparing | None = None
) -> Comparison:
    """Compare systems that are scored already, against the same key and in the same way.

    >>> import sameas
    >>> key = [sameas.Document.from_clusters(name, [["a", "b"], ["c"]]) for name in "xy"]
    >>> same = sameas.score(key, key)
    >>> compare_results({"one": same, "two": same})["two", "one"]["b3"].p
    1.0
    """
    comparing = Comparing() if comparing is None else comparing
    require(comparing, Comparing, "comparing", "a sameas.Comparing")
    if not isinstance(results, Mapping):
        raise UsageError('expected the results as {"base": …, "new": …}')
    for name, result in results.items():
        require(result, Result, f"the result of {name}", "a sameas.Result")
    if len(results) < 2:
        raise UsageError(f"two systems or more are compared, not {len(results)}")
    results, notes = _shared(results)
    names = list(results)
    first = results[names[0]]
    metrics = first.metrics
    systems = {name: result.in_order().additive() for name, result in results.items()}
    by_pair, samples = differences(
        systems,
        metrics,
        comparing,
        value=lambda pair, metric: results[pair[0]][metric].value - results[pair[1]][metric].value,
    )
    notes += _warnings(first, systems, by_pair, comparing)
    intervals = {
        name: samples[name].intervals(comparing) if samples else results[name].intervals()
        for name in names
    }
    return Comparison(results, by_pair, intervals, comparing, notes)


def _shared(results: Mapping[str, Result]) -> tuple[dict[str, Result], list[str]]:
    """The results on the documents that all have, and what was left out."""
    first = next(iter(results.values()))
    for name, result in results.items():
        if result.settings != first.settings or tuple(result.metrics) != tuple(first.metrics):
            raise UsageError(f"{name} was scored in another way than {next(iter(results))}")
        if len(set(result.statistics.documents)) < len(result):
            raise UsageError(f"{name} has a document twice; documents are compared by their names")
    _same_key(results)
    common = set(first.statistics.documents)
    for result in results.values():
        common &= set(result.statistics.documents)
    if not common:
        raise InputError([Problem(
            "there is no document that all systems have",
            hint="; ".join(f"{name} has {_some(result)}" for name, result in results.items()),
        )])  # fmt: skip
    notes = []
    shared = {}
    order = [name for name in first.statistics.documents if name in common]
    for name, result in results.items():
        left_out = len(result) - len(common)
        if left_out:
            notes.append(
                f"{name}: {left_out} of {len(result)} documents left out: not all systems have them"
            )
        if list(result.statistics.documents) != order:
            places = {document: n for n, document in enumerate(result.statistics.documents)}
            result = result.select([places[document] for document in order])
        shared[name] = result
    return shared, notes


def _same_key(results: Mapping[str, Result]) -> None:
    """Refuse results of different keys: what a key alone decides must be the same."""
    (first, one), *others = (
        (name, dict(zip(result.statistics.documents, _key_rows(result), strict=True)))
        for name, result in results.items()
    )
    for name, other in others:
        for document, row in other.items():
            if one.get(document, row) != row:
                raise InputError([Problem(
                    f"{name} and {first} were scored against different keys: document {document}",
                    hint="documents are compared by their names; give clusters a name with "
                    "sameas.Document.from_clusters(name, clusters)",
                )])  # fmt: skip


def _key_rows(result: Result) -> list[tuple[float, ...]]:
    """The second column of every metric: what the key has to find, whatever the response is."""
    columns = [numbers[1].tolist() for numbers in result.statistics.columns.values() if numbers]
    return list(zip(*columns, strict=True))


def _some(result: Result) -> str:
    names = list(result.statistics.documents)
    return ", ".join(names[:2]) + (", …" if len(names) > 2 else "") if names else "none"


def _warnings(
    first: Result,
    systems: Mapping[str, Additive],
    differences: Mapping[Pair, Mapping[str, Difference]],
    comparing: Comparing,
) -> list[str]:
    """What a reader must know before believing the p-values, in plain words."""
    notes = []
    documents = len(first)
    if documents == 1:
        notes.append("one document: whether a difference is chance cannot be said from it")
    swaps = comparing.test != "bootstrap" and documents > 1

    def bound(differ: int) -> str:
        least = max(2.0 ** (1 - differ), 1 / (comparing.samples + 1))
        return f"no p-value can be below {least:.3g}"

    differing = {
        (new, base): int(np.any(systems[new].rows != systems[base].rows, axis=1).sum())
        for new, base in differences
    }
    most = max(differing.values())
    if 1 < documents < FEW:
        text = f"only {documents} documents: take intervals and p-values as rough at best"
        notes.append(f"{text}; {bound(most)}" if swaps and most else text)
    for (new, base), differ in differing.items():
        if not differ:
            notes.append(f"{new} and {base} score alike in every document")
        elif differ < min(FEW, most, documents) or differ < FEW <= documents:
            text = f"{new} and {base} differ in only {differ} document{'s' * (differ > 1)}"
            notes.append(f"{text}: {bound(differ)}" if swaps else text)
    exact = [
        found.exact
        for by_metric in differences.values()
        for found in by_metric.values()
        if found.value or found.wins or found.losses
    ]
    if exact and all(exact):
        notes.append("every swap of documents was tried: the p-values are exact")
    elif any(exact):
        notes.append(
            f"{sum(exact)} of {len(exact)} p-values are exact: every swap of documents was tried"
        )
    floor = len(differences) / (comparing.samples + 1)
    if comparing.correction == "holm" and floor > 0.01 and not all(exact):
        notes.append(
            f"with {len(differences)} pairs and {comparing.samples} samples no corrected p-value "
            f"can be below {floor:.2g}; more samples can show more"
        )
    return notes
