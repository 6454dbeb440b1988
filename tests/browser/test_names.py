"""The words of a report: records in reports of tables, and short names of responses."""

from __future__ import annotations

import re

import pytest

import sameas
from browser.corpora import KEY, SYSTEMS
from browser.pages import Show, cells, link

pytestmark = pytest.mark.long

TRUTH = {"r1": "A", "r2": "A", "r3": "B", "r4": "B", "r5": "C"}
PREDICTION = {"r1": "x", "r2": "y", "r3": "y", "r4": "y", "r6": "z"}
MENTIONS = re.compile(
    r"\b(mention|entit|response|key\b|span|head\b|unknown|word|sentence)", re.IGNORECASE
)
GO = """async (place) => {
  location.hash = place;
  await new Promise((done) => setTimeout(done, 200));
}"""
VISIBLE = """() => [
  document.body.innerText,
  ...[...document.querySelectorAll("option")].map((one) => one.textContent),
  ...[...document.querySelectorAll("main [title], main [aria-label]")]
    .map((one) => one.title + " " + one.getAttribute("aria-label")),
].join("\\n")"""


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_report_of_records_speaks_of_records(show: Show) -> None:
    page = show(sameas.report(TRUTH, {"one": PREDICTION, "two": dict.fromkeys(TRUTH, "a")}))
    for place in ("#", link(view="errors"), link(document="document", second="two")):
        page.evaluate(GO, place)
        text = page.evaluate(VISIBLE)
        assert "cluster" in text
        assert not MENTIONS.search(text), MENTIONS.findall(text)
    assert "Second prediction" in page.inner_text("header")
    page.evaluate(GO, link(document="document", error=0))
    page.keyboard.press("?")
    assert "records in a document" in page.inner_text("dialog")


def test_long_names_are_shortened_where_they_differ(show: Show) -> None:
    path = SYSTEMS["eager"]
    start = "bert-base-" * 20
    names = [f"{start}seed-{number}-of-many-runs" for number in range(3)]
    page = show(sameas.report(KEY, dict.fromkeys(names, path)))
    for options in ("#system option", "#base option"):
        shown = page.locator(options).all_text_contents()
        assert len(set(shown)) == 3
        assert max(map(len, shown)) <= 20
    assert page.locator("#system option").first.get_attribute("title") == names[0]
    rows = [row[0] for row in cells(page, "scores")[1]]
    assert len(set(rows)) == 3
    titles = page.locator("#table-scores th[scope=row] span")
    assert [one.get_attribute("title") for one in titles.all()] == names
    wide = "() => document.documentElement.scrollWidth <= innerWidth"
    assert page.evaluate(wide)
    page.evaluate(GO, link(view="errors", system=names[1]))
    assert page.evaluate(wide)
    assert len(page.inner_text("#errors-title")) < 40
