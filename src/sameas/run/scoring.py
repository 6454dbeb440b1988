"""`sameas.score`: a key and a response to a result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Unpack

from sameas.notes import warn_of_sample
from sameas.results.result import Result
from sameas.run import Engine, Plan, run
from sameas.run.inputs import Input
from sameas.settings import Options, require_known

__all__ = ["score", "score_several"]


def score(
    key: Input,
    response: Input,
    *,
    metrics: str | Sequence[str] | None = None,
    format: str | None = None,
    engine: Engine = "memory",
    jobs: int | str | None = None,
    memory: str | int | None = None,
    work: Any = None,
    master: str | None = None,
    **options: Unpack[Options],
) -> Result:
    """Score a response against a key.

    Each is a path (a file of any format, a folder of them, `-` for standard input), a document, a
    list of documents, a data frame with columns `document, mention, entity` or `document, start,
    end, entity`, a list of clusters of hashable mentions (one document), or the cluster of each
    record, as a dictionary or a pandas Series indexed by record.
    `metrics` names what to score (default: mention muc b3 ceafm ceafe blanc lea conll; `all` for
    everything). The options are the fields of `sameas.Settings`; `preset` scores as a shared task
    did (conll12, crac22 to crac25, litbank) where no other option is named, and `signature` as the
    result with that signature was scored.
    With a number of `jobs` large files are scored in pieces by that many processes (0 or "all": one
    per core), and only rows of numbers are kept: classes of mentions cannot be asked for. `engine`
    is who counts: this process (memory), `duckdb` for Parquet larger than memory, or `spark`;
    `jobs` is then how many threads it uses, `memory` how much memory ("4GB"), `work` the folder for
    what does not fit, `master` that of Spark.

    >>> score([["a", "b", "c"], ["d"]], [["b", "c"], ["d", "e"]])["blanc"].f1 == 17 / 35
    True
    """
    require_known(options, Options, score)
    resources = {"memory": memory, "work": work, "master": master}
    how: dict[str, Any] = {"format": format, "engine": engine, "jobs": jobs}
    (result,) = run(Plan.of(key, [response], metrics, options, resources=resources, **how))
    warn_of_sample(result.notes)
    return result


def score_several(
    key: Input,
    responses: Sequence[Input],
    *,
    metrics: str | Sequence[str] | None = None,
    format: str | None = None,
    **options: Unpack[Options],
) -> list[Result]:
    """Score several responses against one key, which is read once.

    >>> [result["muc"].f1 for result in score_several([["a", "b"]], [[["a", "b"]], [["a"]]])]
    [1.0, 0.0]
    """
    require_known(options, Options, score_several)
    if isinstance(key, Iterator):
        key = list(key)  # it would serve one response only
    results = run(Plan.of(key, responses, metrics, options, format=format))
    for result in results:
        warn_of_sample(result.notes)
    return results
