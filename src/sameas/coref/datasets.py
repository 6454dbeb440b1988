"""Folders of data sets to one score: each is scored by itself, and the scores are averaged.

This is how the CRAC shared tasks rank systems: the CoNLL score of every data set, and their mean.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from sameas.coref.document import Document
from sameas.coref.pairing import Pairing
from sameas.coref.read import read
from sameas.coref.scoring import score_pairing
from sameas.coref.statistics import METRICS, choose_metrics
from sameas.coref.streaming import score_at_once, score_streaming
from sameas.errors import InputError, Problem, UsageError, require
from sameas.files import list_folder
from sameas.processes import count_jobs, run
from sameas.result import Result
from sameas.scores import Score
from sameas.signature import Settings

__all__ = ["DatasetScores", "pair_datasets", "score_datasets"]


@dataclass(frozen=True, eq=False)
class DatasetScores:
    """The results of the data sets, and their mean.

    >>> import sameas
    >>> results = {name: sameas.score([["a", "b"]], [["a", "b"]]) for name in ("cs", "en")}
    >>> DatasetScores(results)["conll"].f1
    1.0
    """

    results: Mapping[str, Result]
    notes: Sequence[str] = ()
    name: str = "response"

    def __getitem__(self, metric: str) -> Score:
        """The mean of the metric's scores over the data sets in which it has anything to count."""
        scores = [result[metric] for result in self._counted(metric)] or [
            result[metric] for result in self.results.values()
        ]
        recall, precision = (
            None if scores[0].recall is None else _mean([getattr(s, part) for s in scores])
            for part in ("recall", "precision")
        )
        return Score(_mean([score.value for score in scores]), recall, precision)

    def _counted(self, metric: str) -> list[Result]:
        return [
            result
            for result in self.results.values()
            if METRICS[metric].average_of or any(result.statistics.total(metric))
        ]

    @property
    def remarks(self) -> list[str]:
        """What was noted, and which metrics leave out data sets."""
        notes = list(self.notes)
        for metric in self.metrics:
            counted = len(self._counted(metric))
            if 0 < counted < len(self.results):
                notes.append(
                    f"{METRICS[metric].title} is averaged over {counted} of {len(self.results)} "
                    "data sets; the others have nothing to count"
                )
        return notes

    @property
    def metrics(self) -> Sequence[str]:
        """The metrics that were scored."""
        return next(iter(self.results.values())).metrics

    def as_dict(self) -> dict[str, Any]:
        """What JSON shows."""
        shown: dict[str, Any] = {
            "response": self.name,
            "macro": {metric: self[metric].as_dict() for metric in self.metrics},
            "datasets": {name: result.as_dict() for name, result in self.results.items()},
        }
        if self.remarks:
            shown["notes"] = self.remarks
        return shown

    def __str__(self) -> str:
        """A table with a row for each data set and one for the mean."""
        from sameas.output import render_datasets

        return render_datasets([self], "text")


def _mean(values: Sequence[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total / len(values)


def score_datasets(
    key: str | os.PathLike[str],
    response: str | os.PathLike[str],
    *,
    metrics: str | Sequence[str] | None = None,
    format: str | None = None,
    jobs: int | str | None = None,
    **settings: str | None,
) -> DatasetScores:
    """Score every data set of a folder: a file or folder in `key`, and its namesake in `response`.

    A data set's name is that of its file before the first dot; if the response has no such name,
    the part before the first dash counts (`cs_pdt-corefud-dev.conllu` and `cs_pdt.conllu`). A data
    set that the response lacks scores 0 (`missing_documents="skip"` leaves it out, `"error"`
    refuses). The other settings are those of `sameas.score`.

    With a number of `jobs` so many processes share the data sets, large files are read in pieces,
    and only rows of numbers are kept: classes of mentions cannot be asked for.
    """
    for folder, role in ((key, "key"), (response, "response")):
        require(folder, (str, os.PathLike), f"the {role}", "the path of a folder")
    chosen = Settings.of(**settings)
    names = choose_metrics(metrics, settings.get("preset"))
    return score_pairs(
        pair_datasets(os.fspath(key), os.fspath(response)),
        os.fspath(response),
        chosen,
        names,
        format,
        jobs,
    )


def score_pairs(
    pairs: Mapping[str, tuple[str | None, str | None]],
    name: str,
    settings: Settings,
    metrics: Sequence[str],
    format: str | None = None,
    jobs: int | str | None = None,
) -> DatasetScores:
    """Score data sets that are already paired by name."""
    extra = [dataset for dataset, (ours, _) in pairs.items() if ours is None]
    missing = [dataset for dataset, (_, theirs) in pairs.items() if theirs is None]
    if settings.missing_documents == "error" and (missing or extra):
        raise InputError(
            [Problem(f"data set {dataset} is missing", name) for dataset in missing]
            + [Problem(f"data set {dataset} is not in the key", name) for dataset in extra]
        )
    scored = {
        dataset: (dataset, *paths)
        for dataset, paths in pairs.items()
        if paths[0] is not None and (paths[1] is not None or settings.missing_documents != "skip")
    }
    do = partial(_score_pair, settings=settings, metrics=metrics, format=format, keep=jobs is None)
    with closing(run(do, scored.values(), 1 if jobs is None else count_jobs(jobs))) as found:
        results = dict(zip(scored, found, strict=True))
    if not results:
        raise InputError([Problem("none of the key's data sets is there", name)])
    done = "left out" if settings.missing_documents == "skip" else "scored 0"
    notes = [f"data set {dataset} is missing in the response: {done}" for dataset in missing]
    notes += [f"data set {dataset} is not in the key: not scored" for dataset in extra]
    return DatasetScores(results, notes, name)


def _score_pair(
    pair: tuple[str, str, str | None],
    settings: Settings,
    metrics: Sequence[str],
    format: str | None,
    keep: bool,
) -> Result:
    """The result of a data set, from its name and paths; `keep` its documents in it."""
    name, key_path, response_path = pair
    if response_path is not None:
        do = score_at_once if keep else score_streaming
        return do(key_path, response_path, settings, metrics, format=format)
    key = read(key_path, format=format, role="key", reference=settings.compat == "conll-8.01")
    names = [document.name for document in key.documents]
    pairing = Pairing(key.documents, [Document(one) for one in names], names)
    result = score_pairing(pairing, settings, metrics, name=name, problems=key.problems)
    return result if keep else replace(result, matchings=())


def pair_datasets(key: str, response: str) -> dict[str, tuple[str | None, str | None]]:
    """The data sets of two folders by name: where each is in `key` and in `response`, if it is."""
    ours, theirs = _datasets(key), _datasets(response)
    short: dict[str, list[str]] = {}
    for name in theirs:
        short.setdefault(name.split("-", 1)[0], []).append(name)
    pairs: dict[str, tuple[str | None, str | None]] = {}
    for name, path in ours.items():
        near = short.get(name.split("-", 1)[0], [])
        alike = [other for other in ours if other.split("-", 1)[0] == name.split("-", 1)[0]]
        if name in theirs:
            pairs[name] = (path, theirs[name])
        elif len(near) == len(alike) == 1:
            pairs[name] = (path, theirs[near[0]])
        else:
            pairs[name] = (path, None)
    taken = {theirs for _, theirs in pairs.values()}
    pairs.update({name: (None, path) for name, path in theirs.items() if path not in taken})
    return pairs


def _datasets(folder: str) -> dict[str, str]:
    if not os.path.isdir(folder):
        raise UsageError(f"{folder} is not a folder; data sets are the files or folders in one")
    found: dict[str, str] = {}
    for entry in list_folder(folder):
        if entry.startswith("."):
            continue
        name = entry.split(".", 1)[0]
        if name in found:
            raise InputError([Problem(f"two data sets are named {name}", folder)])
        found[name] = os.path.join(folder, entry)
    if not found:
        raise InputError([Problem("no data sets in this folder", folder)])
    return found
