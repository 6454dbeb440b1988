"""Layout of the report: accessibility, narrow windows, print, dark and light, large documents."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

import sameas
from browser.corpora import Corpus, corpus_of, document, example, long, made, small
from browser.expected import errors_of
from browser.pages import (
    DESKTOP,
    PHONE,
    Show,
    done,
    link,
    seen,
    text_of,
    words_of,
    words_with,
)

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="session")
def axe() -> Any:
    module = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="pip install '.[browser]'"
    )
    return module.Axe()


VIEWS = {
    "overview": "",
    "errors": "#view=errors",
    "document": "#document=made+01",
    "error": "#document=made+01&error={error}",
    "help": "#document=made+01",
    "second": "#document=made+01&second=system+1&error={error}",
}


def violations(axe: Any, page: Page) -> list[tuple[str, str]]:
    """Return the violated rules, and the elements that violate them."""
    found = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [(one["id"], node["html"][:160]) for one in found for node in one["nodes"]]


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing(show: Show, axe: Any, view: str) -> None:
    error = errors_of(small().analyses["system 0"], 1)[0].number
    page = show(small().report, VIEWS[view].format(error=error), viewport=DESKTOP)
    if "document" in VIEWS[view]:
        done(page)
        page.locator(".b").first.hover()
    if view == "help":
        page.keyboard.press("?")
    looks = [(DESKTOP, "light"), (PHONE, "dark")]
    if view == "overview":  # with its cells of all colours
        looks.append((DESKTOP, "dark"))
    for size, scheme in {"error": looks[1:], "help": looks[:1]}.get(view, looks):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        assert violations(axe, page) == [], (size, scheme)


def sideways(page: Page) -> int:
    """Return by how much the page is wider than the window."""
    return page.evaluate("() => document.documentElement.scrollWidth - innerWidth")


PLACES = {
    "overview": "",
    "overview, two": "#second=system+1",
    "errors": "#view=errors",
    "document": "#document=made+01",
    "document, two": "#document=made+01&second=system+1&error=1",
}


def test_nothing_is_wider_than_the_window(show: Show) -> None:
    page = show(small().report)
    for name, place in PLACES.items():
        show.again(page, small().report, place)
        for width in (360, 768, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            assert sideways(page) <= 0, (name, width)


@cache
def named() -> Corpus:
    """Return documents with names as long as in real corpora, and two responses."""
    names = [f"{number}_the_house_behind_the_cedars_a_story_0" for number in range(100, 105)]
    names.append("averylongnamewithoutaplacetobreakitat" * 2)
    words, key = [["the", "house", "fell"]] * 700, [[(0, 1), (3, 4)], [(6, 7), (9, 10)]]
    one = [document(name, words, key) for name in names]
    other = [document(name, words, key[:1]) for name in names]
    return corpus_of(one, {"first": other, "a-longer-name": one})


@pytest.mark.parametrize("place", ["", "#second=a-longer-name"])
def test_all_columns_of_documents_fit_the_window(show: Show, place: str) -> None:
    page = show(named().report, place)
    last = page.locator("#table-documents thead th").last
    for width in (1920, 1440, 1366, 1280, 1024):
        page.set_viewport_size({"width": width, "height": 800})
        assert sideways(page) <= 0, width
        box, inside = last.bounding_box(), page.locator("#documents .scroll").bounding_box()
        assert box is not None and inside is not None
        if not place or width > 1024:
            assert box["x"] + box["width"] <= inside["x"] + inside["width"] + 1 <= width
        last.scroll_into_view_if_needed()
        assert last.bounding_box()["x"] + box["width"] <= width  # type: ignore[index]


def test_the_last_column_can_be_reached_on_a_phone(show: Show) -> None:
    page = show(named().report, viewport=PHONE)
    scroll, last = page.locator("#documents .scroll"), page.locator("#table-documents th").nth(11)
    assert sideways(page) <= 0 and last.inner_text().startswith("CoNLL")
    scroll.evaluate("(box) => { box.scrollLeft = box.scrollWidth; }")
    box, name = last.bounding_box(), page.locator("#table-documents tbody th").first.bounding_box()
    assert box is not None and name is not None
    # It is not hidden by the names, which do not scroll.
    assert name["x"] + name["width"] <= box["x"] and box["x"] + box["width"] <= PHONE["width"]


def test_long_names_are_broken(show: Show) -> None:
    name = "nw/" + "averylongnamewithoutaspace" * 4
    one = document(name, [["x", "y"]], [[(0, 0), (1, 1)]])
    report = sameas.report([one], {"s" * 60: [one], "t" * 60: [one]})
    page = show(report, viewport=PHONE)
    for place in ("", "#view=errors", f"#document={quote(name, safe='')}"):
        show.again(page, report, place)
        assert sideways(page) <= 0, place


def test_long_words_are_broken(show: Show) -> None:
    one = document("a", [["x" * 400, "y"]], [[(0, 0), (1, 1)]])
    page = done(
        show(
            sameas.report([one], [document("a", [["x" * 400, "y"]], [])]),
            link(document="a"),
            viewport={"width": 768, "height": 800},
        )
    )
    page.keyboard.press("j")
    page.locator(".w").first.hover()
    assert sideways(page) <= 0


def test_print(show: Show) -> None:
    page = show(long().report, link(document="long two"))
    done(page)
    page.emulate_media(media="print")
    for hidden in (".controls", ".tools", ".kinds input", "#find", ".csv", "#help"):
        for one in page.locator(hidden).all():
            assert not one.is_visible(), hidden
    unseen = page.evaluate(
        """() => [...document.querySelectorAll("#text .w")].filter((word) =>
          !word.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })
          || word.getBoundingClientRect().height === 0).length"""
    )
    assert unseen == 0 and words_of(page) == long().key[1].tokens
    page.evaluate("() => { location.hash = ''; }")
    page.wait_for_selector("#table-documents")
    for name in ("scores", "repairs", "errors-by-kind", "documents"):
        assert page.locator(f"#table-{name}").is_visible()
    for hidden in (".csv", ".bar-controls", ".controls"):
        assert not any(one.is_visible() for one in page.locator(hidden).all())


def background(page: Page) -> tuple[int, ...]:
    colour = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    return tuple(map(int, re.findall(r"\d+", colour)[:3]))


def test_light_and_dark(show: Show) -> None:
    page = show(example(), color_scheme="light")
    light = background(page)
    page.emulate_media(color_scheme="dark")
    dark = background(page)
    assert min(light) > 200 and max(dark) < 60
    for theme, expected in (("light", light), ("dark", dark), ("", dark)):
        page.locator("#theme").select_option(theme)
        assert background(page) == expected
    page.emulate_media(color_scheme="light")
    page.locator("#theme").select_option("dark")
    assert background(page) == dark
    page.locator("#theme").select_option("")
    assert background(page) == light
    page.emulate_media(media="print", color_scheme="dark")
    assert min(background(page)) > 200, "paper is light"


def test_a_sentence_without_end(show: Show) -> None:
    """A text without sentences is one sentence of many words; all is shown, its number once."""
    words = [f"w{n}" for n in range(3000)]
    key = [
        document(
            "a", [["Before", "."], words, ["After", "."]], [[(0, 0), (2000, 2001)], [(2998, 3003)]]
        )
    ]
    response = [document("a", [["Before", "."], words, ["After", "."]], [[(0, 0), (2700, 2701)]])]
    page = done(show(sameas.report(key, response), link(document="a"), viewport=DESKTOP))
    assert words_of(page) == key[0].tokens
    numbered = page.locator(".sentence > .number").all_text_contents()
    assert [number for number in numbered if number] == ["1", "2", "3"]
    flat = " ".join(text_of(page))
    assert re.sub(r"[\[‹][0-9x]+(ME|[MSXCD])?|[\]›]", "", flat) == " ".join(key[0].tokens)
    page.locator(".w[data-w='0']").hover()
    assert words_with(page, "lit-key") == {0, 2000, 2001}
    for _ in range(3):
        page.keyboard.press("j")
        assert seen(page, page.locator(".w.wrong").first)


def test_a_large_report_stays_below_15_megabytes(show: Show) -> None:
    key, responses = made([f"large {n:03d}" for n in range(100)], words=1500)
    assert sum(one.mention_count for one in key) == 30_000
    report = sameas.report(key, responses)
    assert len(report.html.encode()) < 15e6
    page = show(report)
    page.locator("#table-documents a").first.click()
    done(page)
