"""Test whether one system is better than another: differences, intervals and p-values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Unpack

import numpy as np

from sameas.chance.differences import LEVELS, Compared, Difference, differences, pairs_as_dicts
from sameas.chance.resampling import FEW, Additive, Intervals
from sameas.chance.swapping import Pair
from sameas.errors import InputError, Problem, UsageError, require
from sameas.notes import Note
from sameas.presented import PresentedInNotebooks
from sameas.results.result import Result
from sameas.run.inputs import Input
from sameas.run.scoring import score_several
from sameas.settings import (
    Comparing,
    ComparingOptions,
    Options,
    Signature,
    comparing_of,
    require_known,
)

__all__ = ["Comparison", "Difference", "compare", "compare_results"]

_BY_NAME = '{"base": …, "new": …}'


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Compared, PresentedInNotebooks):
    """Several systems scored on the same documents, and the differences between pairs.

    Attributes
    ----------
    results
        The result of each system, keyed by name.
    differences
        The differences, keyed by pair (new, base) and metric.
    intervals
        The confidence intervals of the scores, keyed by system and metric.
    comparing
        How the systems were compared.
    notes
        What to know before believing the p-values.

    Examples
    --------
    >>> from sameas.examples import example_path
    >>> systems = {name: example_path(f"{name}.conll") for name in ("careful", "eager")}
    >>> comparison = compare(example_path("key.conll"), systems, metrics=["muc", "b3"])
    >>> difference = comparison["eager", "careful"]["muc"]
    >>> round(difference.value, 4), difference.p, (difference.wins, difference.losses)
    (0.0468, 0.375, (3, 1))
    >>> comparison.as_dict()["documents"]
    4
    """

    results: Mapping[str, Result]
    differences: Mapping[Pair, Mapping[str, Difference]]
    intervals: Mapping[str, Mapping[str, Intervals]]
    comparing: Comparing
    notes: Sequence[Note] = ()

    @property
    def metrics(self) -> Sequence[str]:
        """The compared metrics."""
        return self._first.metrics

    @property
    def _first(self) -> Result:
        return next(iter(self.results.values()))

    @property
    def signature(self) -> str:
        """All settings that affect the numbers, in one line."""
        settings = self._first.settings
        return str(Signature(settings, len(self._first), resampling=self.comparing))

    @property
    def remarks(self) -> list[str]:
        """The notes of the comparison, then those of each system's result."""
        of_systems = (
            f"{name}: {remark}"
            for name, result in self.results.items()
            for remark in result.remarks
        )
        return [*map(str, self.notes), *dict.fromkeys(of_systems)]

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison in the form of its JSON output.

        Returns
        -------
        dict
            Signature, number of documents, systems, pairs and notes.
        """
        systems = {
            name: {
                "response": result.name,
                "metrics": {
                    metric: {
                        **result[metric].as_dict(),
                        "interval": self.intervals[name][metric].as_dict(),
                    }
                    for metric in self.metrics
                },
            }
            for name, result in self.results.items()
        }
        return {
            "signature": self.signature,
            "documents": len(self._first),
            "systems": systems,
            "pairs": pairs_as_dicts(self.differences),
            "notes": self.remarks,
        }

    def __repr__(self) -> str:
        """Return one line with the compared systems."""
        names = ", ".join(self.results)
        return f"<Comparison of {names}: {len(self._first)} documents>"


class CompareOptions(ComparingOptions, Options, total=False):
    """The keywords of `compare`, for scoring and for comparing."""


def compare(
    key: Input,
    responses: Mapping[str, Input],
    *,
    metrics: str | Sequence[str] | None = None,
    format: str | None = None,
    **options: Unpack[CompareOptions],
) -> Comparison:
    """Score systems against one key and test whether they differ.

    Intervals come from the bootstrap over documents. The p-values are two-sided. They come from
    a permutation test, which swaps documents between two systems: `test="studentised"` divides
    differences by their standard errors, `"randomisation"` does not. All permutations are tried if
    there are at most `samples` of them.
    With `test="bootstrap"` the p-values come from the bootstrap too.

    Parameters
    ----------
    key
        The key, in any form that `sameas.score` accepts.
    responses
        The response of each system, keyed by name; the base comes first.
    metrics, format
        As for `sameas.score`.
    **options
        `test`, `interval` (`percentile` or `bca`), `confidence`, `samples` and `seed`; `pairs`
        (`first`: each system with the first, or `all`); `correction` of p-values for the number of
        pairs, separately for each metric (`holm` or `none`); `signature`; and the settings of
        `sameas.score`.

    Returns
    -------
    Comparison
        The results, and the differences of each pair.

    Examples
    --------
    >>> from sameas.examples import example_path
    >>> systems = {name: example_path(f"{name}.conll") for name in ("careful", "eager")}
    >>> compare(example_path("key.conll"), systems, seed=0)
    <Comparison of careful, eager: 4 documents>
    """
    require(responses, Mapping, "responses", _BY_NAME)
    require_known(options, CompareOptions, compare)
    names = [one.name for one in fields(Comparing)]
    comparing = comparing_of(options.get("signature"), {name: options.get(name) for name in names})
    settings: Any = {name: value for name, value in options.items() if name not in names}
    found = score_several(key, list(responses.values()), metrics=metrics, format=format, **settings)
    results = dict(zip(map(str, responses), found, strict=True))
    return compare_results(results, comparing)


def compare_results(
    results: Mapping[str, Result], comparing: Comparing | None = None
) -> Comparison:
    """Compare results of systems that were scored against the same key with the same settings.

    Parameters
    ----------
    results
        The result of each system, keyed by name; the base comes first.
    comparing
        How to compare them; `Comparing()` by default.

    Returns
    -------
    Comparison
        The results on the shared documents, and the differences of each pair.

    Raises
    ------
    UsageError
        When there are fewer than two results, or when they differ in settings or metrics.
    InputError
        When the keys differ, or when the results have no document in common.

    Examples
    --------
    >>> import sameas
    >>> key = [sameas.Document.from_clusters(name, [["a", "b"], ["c"]]) for name in "xy"]
    >>> same = sameas.score(key, key)
    >>> compare_results({"one": same, "two": same})["two", "one"]["b3"].p
    1.0
    """
    comparing = Comparing() if comparing is None else comparing
    require(comparing, Comparing, "comparing", "a sameas.settings.Comparing")
    require(results, Mapping, "results", _BY_NAME)
    for name, result in results.items():
        require(result, Result, f"the result of {name}", "a sameas.Result")
    if len(results) < 2:
        raise UsageError("too-few-systems", count=len(results))
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
    notes += _doubts(first, systems, by_pair, comparing)
    intervals = {
        name: samples[name].intervals(comparing) if samples else results[name].intervals()
        for name in names
    }
    return Comparison(results, by_pair, intervals, comparing, notes)


def _shared(results: Mapping[str, Result]) -> tuple[dict[str, Result], list[Note]]:
    """Return the results on the documents that all systems have, and notes on the others."""
    base, first = next(iter(results.items()))
    for name, result in results.items():
        if result.settings != first.settings or tuple(result.metrics) != tuple(first.metrics):
            raise UsageError("scored-otherwise", new=name, base=base)
        if len(set(result.statistics.documents)) < len(result):
            raise UsageError("compared-twice", system=name)
    _same_key(results)
    common = set.intersection(*(set(one.statistics.documents) for one in results.values()))
    if not common:
        has = [f"{name} ({_some(result)})" for name, result in results.items()]
        raise InputError([Problem("none-shared", documents=has)])
    notes = []
    shared = {}
    order = [name for name in first.statistics.documents if name in common]
    for name, result in results.items():
        if skipped := len(result) - len(common):
            notes.append(Note("not-shared", count=skipped, total=len(result), system=name))
        if list(result.statistics.documents) != order:
            places = {document: n for n, document in enumerate(result.statistics.documents)}
            selected = result.select([places[document] for document in order])
            result = replace(selected, notes=result.notes)
        shared[name] = result
    return shared, notes


def _same_key(results: Mapping[str, Result]) -> None:
    """Reject results with different keys: numbers that depend only on the key must be equal."""
    (base, one), *others = (
        (name, dict(zip(result.statistics.documents, _key_rows(result), strict=True)))
        for name, result in results.items()
    )
    for name, other in others:
        for document, row in other.items():
            if one.get(document, row) != row:
                raise InputError([Problem("other-key", new=name, base=base, document=document)])


def _key_rows(result: Result) -> list[tuple[float, ...]]:
    """Return for each document the second number of every metric; it depends only on the key."""
    columns = [numbers[1].tolist() for numbers in result.statistics.columns.values() if numbers]
    return list(zip(*columns, strict=True))


def _some(result: Result) -> str:
    names = list(result.statistics.documents)
    return ", ".join([*names[:2], *["…"] * (len(names) > 2)]) or "–"


def _doubts(
    first: Result,
    systems: Mapping[str, Additive],
    differences: Mapping[Pair, Mapping[str, Difference]],
    comparing: Comparing,
) -> list[Note]:
    """Return notes on the limitations of the p-values."""
    documents = len(first)
    kind = {"how": "records"} if first.of_records else {}
    notes = [Note("one-document-compared", values=kind)] if documents == 1 else []
    swaps = comparing.test != "bootstrap" and documents > 1

    def bound(differ: int) -> dict[str, Any]:
        """Return the values of a note if so few differing documents cannot give p < 0.05."""
        least = max(2.0 ** (1 - differ), 1 / (comparing.samples + 1))
        if not swaps or not differ or least < LEVELS[0]:
            return {}
        return {"how": "always" if differ == 1 else "bound", "least": least}

    differing = {
        (new, base): int(np.any(systems[new].rows != systems[base].rows, axis=1).sum())
        for new, base in differences
    }
    most = max(differing.values())
    if 1 < documents < FEW:
        notes.append(Note("few-documents-compared", count=documents, values=bound(most)))
    for (new, base), differ in differing.items():
        if not differ:
            notes.append(Note("alike", new=new, base=base))
        elif differ < min(FEW, most, documents) or differ < FEW <= documents:
            values = {"new": new, "base": base, **bound(differ)}
            notes.append(Note("few-differ", count=differ, values=values))
    exact = [
        found.exact
        for by_metric in differences.values()
        for found in by_metric.values()
        if found.value or found.wins or found.losses
    ]
    if any(exact):
        how = "all" if all(exact) else "some"
        notes.append(Note("exact-p", count=sum(exact), total=len(exact), how=how))
    least = len(differences) / (comparing.samples + 1)
    if comparing.correction == "holm" and least > 0.01 and not all(exact):
        notes.append(
            Note("least-corrected", count=len(differences), samples=comparing.samples, least=least)
        )
    return notes
