"""The report: one HTML file with scores, errors and texts that a person can look at."""

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
    """A page that stands by itself: it needs no other file, no network and no server.

    >>> Report("<!doctype html>", ["base"], 4)
    <Report of base: 4 documents>
    """

    html: str
    systems: list[str]
    documents: int

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page into a file."""
        write_file(path, self.html)

    def __repr__(self) -> str:
        """One line: what it is about."""
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
    """Make the report of one response, or of several by name, against a key.

    `settings` are those of `sameas.score`; `comparing` says how intervals and p-values are made.

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
    """Make the report of results of one key, as `sameas.score` gives them.

    >>> import sameas
    >>> key = sameas.Document.from_clusters("a", [["x", "y"]])
    >>> "<script>" in report_results({"s": sameas.score(key, [["x"]])}).html
    True
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
    """Refuse what no report can be made of, and return how responses are compared."""
    require(results, Mapping, "results", 'results by name, {"name": result, …}')
    if not results:
        raise UsageError("report-empty")
    for name, result in results.items():
        require(result, Result, f"the result of {name}", "a sameas.Result")
    require(title, str, "title", "a string")
    require(comparing or Comparing(), Comparing, "comparing", "a sameas.Comparing")
    if next(iter(results.values())).settings.scope != "document":
        raise UsageError("report-scope")
    return comparing or Comparing(pairs="all")


def _judge(scored: Mapping[str, Result], comparing: Comparing) -> Chance:
    """Estimate what chance could do to the scores."""
    if len(scored) > 1:
        found = compare_results(scored, comparing)
        return Chance(found.intervals, found.differences, found.signature, found.notes)
    ((name, result),) = scored.items()
    resampling = comparing.alone()
    signature = str(Signature(result.settings, len(result), resampling=resampling))
    return Chance({name: result.intervals(resampling)}, {}, signature, [])


def _fill(html: str, **parts: str) -> str:
    """Put parts, in the order of the page, where it names them."""
    for name, part in parts.items():
        before, after = html.split(f"<!-- {name} -->", 1)
        html = before + part + after
    # No file can hold half a character, and no address of a page, even if JSON can spell it.
    return html.encode("utf-8", "replace").decode("utf-8")


def _file(name: str) -> str:
    return package_data(f"show/page/{name}").decode()


def _policy(style: str, script: str) -> str:
    """The Content-Security-Policy: this style sheet and this script, and nothing from elsewhere.

    Blocks of JSON are not run, so that they need no leave.
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
    """A table whose cells have the classes of the page's style sheet, and no styles of their own.

    In the text of a cell quotation marks are written out, so that no text looks like an attribute.
    """
    table = table.replace(' style="text-align:left;white-space:pre"', ' class="word"')
    return table.replace(' style="text-align:right;white-space:pre"', "")


def _json(data: object) -> str:
    """JSON that can stand in a script element: no text in it can end the element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
