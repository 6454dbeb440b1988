"""Score responses against a key: `sameas.score`."""

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

    Parameters
    ----------
    key, response
        A path (file, folder, or `-` for standard input), a document, a list of documents, a data
        frame with columns `document, mention, entity` or `document, start, end, entity`, a list of
        clusters of hashable mentions (one document), or the cluster of each record, as a
        dictionary or a pandas Series indexed by record.
    metrics
        Names of metrics (default: mention muc b3 ceafm ceafe blanc lea conll; `all` for all).
    format
        Format of the files (default: detect it).
    engine
        `memory` scores in this process; `duckdb` scores Parquet files larger than memory, and
        `spark` does so on a cluster.
    jobs
        Number of processes that score large files in pieces, or threads of an engine (0 or `all`:
        one per core). Results of pieces and engines have no classes of mentions.
    memory, work, master
        For engines: the memory to use ("4GB"), the folder for data that does not fit into it, and
        the master of Spark.
    options
        The fields of `sameas.Settings`. `preset` scores like a shared task (conll12, crac22 to
        crac25, litbank) unless overridden; `signature` scores like the result with that signature.

    Returns
    -------
    Result
        The scores by metric, document and group.

    Raises
    ------
    InputError
        When the input cannot be scored.

    Examples
    --------
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
        key = list(key)  # an iterator could be read only once
    results = run(Plan.of(key, responses, metrics, options, format=format))
    for result in results:
        warn_of_sample(result.notes)
    return results
