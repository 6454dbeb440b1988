"""Score folders of data sets: each data set separately, and their average.

The CRAC shared tasks rank systems in this way: by the mean of the data sets' CoNLL scores.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Unpack

from sameas.arithmetic.scores import Score
from sameas.authorities import authority_of
from sameas.documents.document import Corpus, Document
from sameas.errors import InputError, Problem, UsageError, refuse_problems, require
from sameas.files import list_folder
from sameas.formats.reading import read
from sameas.metrics.standard import mean
from sameas.metrics.statistics import METRICS
from sameas.notes import Note, warn_of_sample
from sameas.presented import Presented
from sameas.results.result import Result
from sameas.run import Plan, run
from sameas.run.processes import count_jobs, run_tasks
from sameas.settings import Options, require_known

__all__ = ["DatasetScores", "pair_datasets", "score_datasets"]


@dataclass(frozen=True, eq=False)
class DatasetScores(Presented):
    """The results of the data sets, and their mean.

    >>> import sameas
    >>> results = {name: sameas.score([["a", "b"]], [["a", "b"]]) for name in ("cs", "en")}
    >>> DatasetScores(results)["conll"].f1
    1.0
    """

    results: Mapping[str, Result]
    notes: Sequence[Note] = ()
    name: str = "response"

    def __getitem__(self, metric: str) -> Score:
        """Return the metric's mean over the data sets in which it has anything to count."""
        scores = [result[metric] for result in self._counted(metric) or self.results.values()]
        rated = scores[0].recall is not None
        parts = ("value", "recall", "precision") if rated else ("value",)
        return Score(*(mean(*(getattr(one, part) for one in scores)).value for part in parts))

    def _counted(self, metric: str) -> list[Result]:
        return [
            result
            for result in self.results.values()
            if METRICS[metric].average_of or any(result.statistics.total(metric))
        ]

    @property
    def remarks(self) -> list[Note]:
        """The notes, and notes on metrics whose means omit data sets without anything to count."""
        notes = list(self.notes)
        for metric in self.metrics:
            counted, every = len(self._counted(metric)), len(self.results)
            if 0 < counted < every:
                title = METRICS[metric].title
                notes.append(Note("left-out-sets", count=counted, total=every, metric=title))
        return notes

    @property
    def metrics(self) -> Sequence[str]:
        """The metrics that were scored."""
        return next(iter(self.results.values())).metrics

    def as_dict(self) -> dict[str, Any]:
        """Return the scores as plain data for JSON."""
        shown: dict[str, Any] = {
            "response": self.name,
            "macro": {metric: self[metric].as_dict() for metric in self.metrics},
            "datasets": {name: result.as_dict() for name, result in self.results.items()},
        }
        if self.remarks:
            shown["notes"] = list(map(str, self.remarks))
        return shown


def score_datasets(
    key: str | os.PathLike[str],
    response: str | os.PathLike[str],
    *,
    metrics: str | Sequence[str] | None = None,
    format: str | None = None,
    jobs: int | str | None = None,
    **options: Unpack[Options],
) -> DatasetScores:
    """Score every data set in a folder, and average the scores.

    A data set is a file or folder in `key`, and the one with the same name in `response`. The name
    of a data set is its file name before the first dot. If the response has no such name, only the
    part before the first dash is compared (`cs_pdt-corefud-dev.conllu` and `cs_pdt.conllu`). A data
    set that the response lacks scores 0, is skipped, or is an error (`missing_documents`).

    Parameters
    ----------
    key, response
        Paths of folders.
    metrics
        Names of metrics, as in `sameas.score`.
    format
        Format of all files (default: detect it).
    jobs
        Number of processes that share the data sets (0 or `all`: one per core). Large files are
        then read in pieces, and results contain no mentions, so they have no classes of mentions.
    options
        The fields of `sameas.Settings`, `preset` and `signature`.

    Returns
    -------
    DatasetScores
        The results of the data sets; indexing by the name of a metric gives its mean.

    Raises
    ------
    InputError
        When files cannot be scored, or no data set exists in both folders.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sameas.examples import example_path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("key", "response"):
    ...         Path(folder, name).mkdir()
    ...         _ = Path(folder, name, "en.conll").write_text(example_path("key.conll").read_text())
    ...     score_datasets(Path(folder, "key"), Path(folder, "response"))["conll"].f1
    1.0
    """
    require_known(options, Options, score_datasets)
    for folder, role in ((key, "key"), (response, "response")):
        require(folder, (str, os.PathLike), f"the {role}", "the path of a folder")
    ours, theirs = os.fspath(key), os.fspath(response)
    plan = Plan.of(None, [], metrics, options, format=format, jobs=jobs)
    scores = score_pairs(pair_datasets(ours, theirs), theirs, plan)
    warn_of_sample(note for result in scores.results.values() for note in result.notes)
    return scores


def score_pairs(
    pairs: Mapping[str, tuple[str | None, str | None]], name: str, plan: Plan
) -> DatasetScores:
    """Score data sets that are already paired by name, each with this plan."""
    extra = [dataset for dataset, (ours, _) in pairs.items() if ours is None]
    missing = [dataset for dataset, (_, theirs) in pairs.items() if theirs is None]
    policy = plan.settings.missing_documents
    if policy == "error":
        refuse_problems(
            [Problem("set-missing", name, dataset=dataset) for dataset in missing]
            + [Problem("set-extra", name, dataset=dataset) for dataset in extra]
        )
    scored = {
        dataset: (dataset, *paths)
        for dataset, paths in pairs.items()
        if paths[0] is not None and (paths[1] is not None or policy != "skip")
    }
    keep = plan.jobs is None
    do = partial(_score_pair, plan=replace(plan, jobs=None if keep else 1), keep=keep)
    jobs = 1 if plan.jobs is None else count_jobs(plan.jobs)
    with closing(run_tasks(do, scored.values(), jobs)) as found:
        results = dict(zip(scored, found, strict=True))
    if not results:
        raise InputError([Problem("no-sets-shared", name)])
    how = "skip" if policy == "skip" else "empty"
    notes = [Note("missing-set", names=[dataset], how=how) for dataset in missing]
    notes += [Note("extra-set", names=[dataset]) for dataset in extra]
    return DatasetScores(results, notes, name)


def _score_pair(pair: tuple[str, Any, Any], plan: Plan, keep: bool) -> Result:
    """Return the result of a data set, given its name and paths; `keep` keeps its documents."""
    name, key, response = pair
    missing = response is None
    if missing:
        reference = authority_of(plan.settings).reads_as_reference
        key = read(key, format=plan.format, role="key", reference=reference)
        empty = [Document(document.name) for document in key.documents]
        response = Corpus(empty, name, reference=reference)
    (result,) = run(replace(plan, key=key, responses=[response]))
    if missing:  # a note on the whole data set reports that its documents are empty
        result = replace(result, notes=[note for note in result.notes if note.code != "silent"])
    return result if keep else replace(result, matchings=())


def pair_datasets(key: str, response: str) -> dict[str, tuple[str | None, str | None]]:
    """Map the name of each data set to its path in each of two folders, or None if missing."""
    ours, theirs = _datasets(key), _datasets(response)
    stems = [Counter(map(_stem, side)) for side in (ours, theirs)]
    by_stem = {_stem(name): path for name, path in theirs.items()}
    pairs: dict[str, tuple[str | None, str | None]] = {}
    for name, path in ours.items():
        only = all(times[_stem(name)] == 1 for times in stems)
        pairs[name] = (path, theirs.get(name) or (by_stem[_stem(name)] if only else None))
    taken = {theirs for _, theirs in pairs.values()}
    pairs.update({name: (None, path) for name, path in theirs.items() if path not in taken})
    return pairs


def _stem(name: str) -> str:
    return name.split("-", 1)[0]


def _datasets(folder: str) -> dict[str, str]:
    if not os.path.isdir(folder):
        raise UsageError("sets-not-folder", folder=folder)
    found: dict[str, str] = {}
    for entry in list_folder(folder):
        if entry.startswith("."):
            continue
        name = entry.split(".", 1)[0]
        if name in found:
            raise InputError([Problem("set-twice", folder, dataset=name)])
        found[name] = os.path.join(folder, entry)
    if not found:
        raise InputError([Problem("no-sets", folder)])
    return found
