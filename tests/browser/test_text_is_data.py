"""No text of a document is treated as part of the page."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import sameas
from browser.corpora import document, example
from browser.pages import Show, cells, done, link, visit, words_of
from sameas.documents.document import Document

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from playwright.sync_api import Page


NASTY = [
    "<script>alert(1)</script>", "</script>", "<!--", "-->", "<!-- data -->", "<!-- documents -->", '"', "'",
    "&amp;", "&lt;", "${x}", "\u2028", "\u2029", "{what}", "{other}", "$&", "$1", "`", "\\", "\\u003c",
    "<img src=x onerror=alert(1)>", "שלום", "مرحبا", "\u202eabc\u202c", "e\u0301", "🙂", "👩‍👩‍👧", "\x00", "\ufeff",
    "]]>", "<![CDATA[", "__proto__", "constructor", "%3Cb%3E", "</style>", "javascript:alert(1)", "<b>x</b>",
    "\x7f", "null", "a\tb", "</textarea>", "\u0085",
]  # fmt: skip


@cache
def nasty() -> tuple[sameas.Report, list[Document]]:
    """Return a corpus in which all text is nasty: words, names, ids, types, responses, the title."""
    key, first, second = [], [], []
    for number, name in enumerate(NASTY):
        sentences = [NASTY[number:] + NASTY[:number], ["x", "y"]]
        count = len(NASTY)
        key.append(
            document(
                name,
                sentences,
                [[(0, 0), (3, 4)], [(1, 1), (5, 5)], [(count, count)]],
                ids=[NASTY[(number + n) % count] for n in range(3)],
                types=[NASTY[(number + n) % count] for n in range(3)],
            )
        )
        first.append(
            document(
                name,
                sentences,
                [[(0, 0), (5, 5)], [(1, 1), (3, 4)], [(7, 7)]],
                ids=[NASTY[(number + n + 5) % count] for n in range(3)],
            )
        )
        second.append(document(name, sentences, [[(0, 0), (3, 4)]]))
    systems = {"</script><script>alert(1)</script>": first, '"&amp;<!-- data -->$&': second}
    return sameas.report(
        key, systems, title="<!-- data --></title><script>alert(1)</script>$&"
    ), key


def elements(page: Page) -> dict[str, int]:
    return page.evaluate(
        """() => { const found = {}; for (const one of document.querySelectorAll("*"))
          found[one.localName] = (found[one.localName] ?? 0) + 1; return found; }"""
    )


def test_text_is_data(show: Show) -> None:
    report, key = nasty()
    page = show(report)
    systems = page.locator("#system option").evaluate_all("(all) => all.map((one) => one.title)")
    assert (
        systems == report.systems == ["</script><script>alert(1)</script>", '"&amp;<!-- data -->$&']
    )
    assert page.title().startswith("<!-- data --></title><script>alert(1)</script>$&")
    assert page.locator("#what").inner_text() == "<!-- data --></title><script>alert(1)</script>$&"
    found = elements(page)
    assert found["script"] == 2 + len(key) and found["style"] == found["title"] == 1
    assert not {"img", "b", "textarea", "iframe"} & set(found)
    rows = page.locator("#table-scores th[scope=row] span")
    assert rows.evaluate_all("(all) => all.map((one) => one.title)") == systems
    names = [row[0] for row in cells(page, "documents")[1]]
    assert sorted(names) == sorted(NASTY)
    page.locator("#by").select_option("entity type")
    types = cells(page, "errors-by-kind")[0][1:-1]
    assert set(types) <= {*NASTY, "–"} and len(types) > 10
    places = [link(document=d.name, system=systems[0], second=systems[1]) for d in key]
    visited = visit(page, places[::4], errors=True)
    for one, there in zip(key, visit(page, places), strict=True):
        assert (there["name"], there["words"], there["plain"]) == (one.name, one.tokens, True)
    for there in visited:
        assert [chosen for chosen, _ in there["marked"]] == [
            [number] for number in there["numbers"]
        ]
    for one, to in list(zip(key, places, strict=True))[::8]:
        visit(page, [to])
        page.locator(".w[data-w='0']").first.hover()
        info = page.locator("#info").evaluate("(one) => one.textContent")
        assert f"({one.entities[0].id})" in info and f"“{one.tokens[0]}”" in info
    assert page.evaluate("() => document.querySelectorAll('script').length") == 2 + len(key)


def test_messages_are_not_templates(show: Show) -> None:
    """`{what}`, `{other}` and `$&` in words are unchanged in messages."""
    report, key = nasty()
    page = show(report, link(view="errors"))
    analysis = sameas.analyse(key, nasty_first())
    while page.get_by_role("button", name="Show more").is_visible():
        page.get_by_role("button", name="Show more").click()
    texts = page.locator(".found a").evaluate_all("(all) => all.map((one) => one.textContent)")
    assert sorted(texts) == sorted(error.message for error in analysis.errors)
    assert not {"img", "b", "iframe"} & set(elements(page))


def nasty_first() -> list[Document]:
    """Return the first response, with the mentions that messages quote."""
    clusters = [[(0, 0), (5, 5)], [(1, 1), (3, 4)], [(7, 7)]]
    return [
        document(name, [NASTY[n:] + NASTY[:n], ["x", "y"]], clusters)
        for n, name in enumerate(NASTY)
    ]


def test_only_the_script_of_the_page_runs(show: Show) -> None:
    """The policy of the page lists the hashes of its script and style sheet."""
    report = example()
    assert "unsafe" not in report.html
    page = show(report)
    assert page.locator("#table-documents").count() == 1 and show.quiet()
    ran = page.evaluate(
        """() => {
          for (const tag of ["script", "style"]) {
            const element = document.createElement(tag);
            element.textContent = tag === "script" ? "window.ran = true" : "body { width: 7px }";
            document.body.append(element);
          }
          document.body.setAttribute("onclick", "window.ran = true");
          document.body.click();
          return window.ran === true || document.body.clientWidth === 7;
        }"""
    )
    page.wait_for_timeout(50)
    assert not ran and not show.quiet()  # the browser reports what it refused
    changed = report.html.replace('"use strict";', '"use strict";window.ran = true;', 1)
    page = show(changed)
    page.wait_for_timeout(50)
    assert page.evaluate("() => window.ran") is None and not show.quiet()


def test_without_javascript_the_scores_are_text(show: Show) -> None:
    report, _ = nasty()
    page = show(report, java_script_enabled=False)
    text = page.locator("noscript").inner_text()
    assert "MUC" in text and "CoNLL" in text
    assert page.locator("noscript script, noscript img").count() == 0
    cells = page.locator("noscript tbody tr").first.locator("td")
    assert cells.first.evaluate("(cell) => getComputedStyle(cell).textAlign") == "left"
    assert cells.last.evaluate("(cell) => getComputedStyle(cell).textAlign") == "right"


def test_a_lone_surrogate_is_replaced(show: Show) -> None:
    one = document("a\ud800", [["x\udfff", "y"]], [[(0, 0), (1, 1)]], ids=["\ud83d"])
    page = show(sameas.report([one], {"b\ud800": [one], "c": [one]}))
    page.locator("#table-documents a").click()
    done(page)
    assert words_of(page)[0] in ("x?", "x\ufffd") and words_of(page)[1] == "y"


def test_a_lone_surrogate_in_the_title(tmp_path: Path) -> None:
    one = document("a", [["x", "y"]], [[(0, 0), (1, 1)]])
    sameas.report([one], [one], title="a\ud800").save(tmp_path / "report.html")


def test_an_entity_type_called_any(show: Show) -> None:
    key = [document("a", [["x", "y", "z"]], [[(0, 0), (1, 1)], [(2, 2)]], types=["any", "other"])]
    page = show(
        sameas.report(key, [document("a", [["x", "y", "z"]], [])]),
        link(view="errors", by="type", label="any"),
    )
    assert page.locator(".found li").count() == 1
    assert page.locator("#errors-label").evaluate("(one) => one.selectedIndex") > 0


@pytest.mark.parametrize("what", ["link", "select"])
def test_in_a_notebook(show: Show, what: str) -> None:
    """A notebook shows a report in a frame."""
    notebook = (
        f"<!doctype html><meta charset=utf-8><title>notebook</title>{example()._repr_html_()}"
    )
    page = show(notebook)
    frame = page.frame_locator("iframe").first
    frame.locator("#table-documents").wait_for()
    if what == "link":
        frame.locator("#table-documents a").first.click()
        page.wait_for_timeout(200)
        assert frame.locator("#document-name").count() == 1
    else:
        frame.locator("#metric").select_option("MUC")
        assert show.quiet()
