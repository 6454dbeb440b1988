"""The report: one HTML file with scores, errors and texts."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, TypeGuard

from sameas.analysis.analysis import analyse_results
from sameas.analysis.comparison import compare_results
from sameas.errors import UsageError, require
from sameas.files import package_data, write_file
from sameas.results.result import Result
from sameas.run.inputs import Input
from sameas.run.scoring import score_several
from sameas.settings import Comparing, Signature
from sameas.show.page.data import Chance, document_blocks, group_errors, overview
from sameas.show.scores import render

__all__ = ["Report", "report", "report_results"]


@dataclass(frozen=True, repr=False)
class Report:
    """A self-contained HTML page: it needs no other file, no network and no server.

    In a notebook, the report is displayed as the page.

    Attributes
    ----------
    html
        The HTML of the page.
    systems
        The names of the responses.
    documents
        The number of documents.

    Examples
    --------
    >>> import sameas
    >>> page = sameas.report([["a", "b"], ["c"]], [["a", "b", "c"]])
    >>> page
    <Report of response: 1 document>
    >>> page.save("report.html")  # doctest: +SKIP
    """

    html: str
    systems: list[str]
    documents: int

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file.

        Parameters
        ----------
        path
            The file to write; an existing file is overwritten.

        Raises
        ------
        InputError
            If the file cannot be written.
        """
        write_file(path, self.html)

    def __repr__(self) -> str:
        """Return one line with the responses and the number of documents."""
        documents = f"{self.documents} document{'s' * (self.documents != 1)}"
        return f"<Report of {', '.join(self.systems)}: {documents}>"

    def _repr_html_(self) -> str:
        page = escape(self.html, quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="800" title="sameas report"></iframe>'


def report(
    key: Input,
    responses: Input | Mapping[str, Input],
    *,
    title: str | None = None,
    comparing: Comparing | None = None,
    **settings: Any,
) -> Report:
    """Create a report on one or more responses to a key.

    The report has scores with confidence intervals and significance tests, the gains from repairing
    each kind of error, and the texts with the entities and errors marked.

    Parameters
    ----------
    key
        The key, in any form that `sameas.score` accepts.
    responses
        One response in any of these forms, or a dictionary of several, keyed by name.
    title
        The title of the page (default: the file name of the key, if it is a path).
    comparing
        How to compute confidence intervals and p-values (default: `sameas.settings.Comparing()`,
        with all pairs of responses).
    **settings
        Further arguments of `sameas.score`, such as `metrics` and `match`.

    Returns
    -------
    Report
        The page, with a method `save`.

    Raises
    ------
    InputError
        If a file cannot be read or scored.
    UsageError
        If there are no responses, if several are given without names, or if entities are scored
        across documents (`scope="topic"` or `scope="corpus"`).

    Examples
    --------
    >>> from sameas.examples import example_path
    >>> systems = {name: example_path(f"{name}.conll") for name in ("careful", "eager")}
    >>> report(example_path("key.conll"), systems)
    <Report of careful, eager: 4 documents>
    """
    if isinstance(responses, (list, tuple)) and responses and all(map(_is_path, responses)):
        raise UsageError("several-responses")
    if not isinstance(responses, Mapping):
        responses = {Path(responses).stem if _is_path(responses) else "response": responses}
    scored = score_several(key, list(responses.values()), **settings)
    results = dict(zip(map(str, responses), scored, strict=True))
    if title is None:
        title = Path(key).name if _is_path(key) else ""
    return report_results(results, title=title, comparing=comparing)


def _is_path(value: object) -> TypeGuard[str | os.PathLike[str]]:
    return isinstance(value, (str, os.PathLike))


def report_results(
    results: Mapping[str, Result], *, title: str = "", comparing: Comparing | None = None
) -> Report:
    """Create a report from results that share a key.

    Parameters
    ----------
    results
        The results of `sameas.score`, keyed by name.
    title
        The title of the page.
    comparing
        How to compute confidence intervals and p-values (default: `sameas.settings.Comparing()`,
        with all pairs of results).

    Returns
    -------
    Report
        The page, with a method `save`.

    Raises
    ------
    UsageError
        If there are no results, if an argument has the wrong type, or if entities were scored
        across documents.

    Examples
    --------
    >>> import sameas
    >>> key = sameas.Document.from_clusters("a", [["x", "y"]])
    >>> report_results({"small": sameas.score(key, [["x"]])})
    <Report of small: 1 document>
    """
    comparing = _check(results, title, comparing)
    found = dict(zip(results, analyse_results(list(results.values())), strict=True))
    scored = {name: replace(analysis.result, name=name) for name, analysis in found.items()}
    analyses = list(found.values())
    groups = group_errors(analyses)
    data = overview(found, _judge(scored, comparing), groups, title=title)
    blocks = document_blocks(analyses, groups)
    style, script = _file("style.css"), _file("script.js")
    html = _fill(
        _file("page.html"),
        policy=_policy(style, script),
        title=escape(f"{title} – sameas report" if title else "sameas report"),
        style=style,
        script=script,
        scores=_in_classes(render(list(scored.values()), "html")),
        data=_json(data),
        documents="\n".join(
            f'<script type="application/json" id="document-{number}">{_json(block)}</script>'
            for number, block in enumerate(blocks)
        ),
    )
    return Report(html, list(results), len(data["documents"]))


def _check(results: Mapping[str, Result], title: str, comparing: Comparing | None) -> Comparing:
    """Reject invalid arguments, and return how to compare responses."""
    require(results, Mapping, "results", 'results by name, {"name": result, …}')
    if not results:
        raise UsageError("report-empty")
    for name, result in results.items():
        require(result, Result, f"the result of {name}", "a sameas.Result")
    require(title, str, "title", "a string")
    require(comparing or Comparing(), Comparing, "comparing", "a sameas.settings.Comparing")
    if next(iter(results.values())).settings.scope != "document":
        raise UsageError("report-scope")
    return comparing or Comparing(pairs="all")


def _judge(scored: Mapping[str, Result], comparing: Comparing) -> Chance:
    """Return the confidence intervals of the scores and the tests of their differences."""
    if len(scored) > 1:
        found = compare_results(scored, comparing)
        return Chance(found.intervals, found.differences, found.signature, found.notes)
    ((name, result),) = scored.items()
    resampling = comparing.alone()
    signature = str(Signature(result.settings, len(result), resampling=resampling))
    return Chance({name: result.intervals(resampling)}, {}, signature, [])


def _fill(html: str, **parts: str) -> str:
    """Replace the placeholders of the page with the parts, which must be in the same order."""
    for name, part in parts.items():
        before, after = html.split(f"<!-- {name} -->", 1)
        html = before + part + after
    # JSON can contain lone surrogates, but UTF-8 files and addresses cannot.
    return html.encode("utf-8", "replace").decode("utf-8")


def _file(name: str) -> str:
    return package_data(f"show/page/{name}").decode()


def _policy(style: str, script: str) -> str:
    """Return the Content-Security-Policy, which allows only this style sheet and this script.

    Blocks of JSON need no permission, because they are not executed.
    """
    style, script = (
        "'sha256-" + b64encode(sha256(f"\n{text}\n".encode()).digest()).decode("ascii") + "'"
        for text in (style, script)
    )
    return (
        f"default-src 'none'; style-src {style}; script-src {script}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _in_classes(table: str) -> str:
    """Return a table in which the inline styles of cells are replaced by classes of the page.

    The text of a cell cannot look like an attribute, because its quotation marks are escaped.
    """
    table = table.replace(' style="text-align:left;white-space:pre"', ' class="word"')
    return table.replace(' style="text-align:right;white-space:pre"', "")


def _json(data: object) -> str:
    """Return JSON for a script element, escaped so that no text can end the element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
