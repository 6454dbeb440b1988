"""Use of the report by keyboard only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import sameas
from browser.corpora import KEY, example, example_analyses, made_order, small, synthetic
from browser.expected import errors_of, written
from browser.pages import (
    DESKTOP,
    Show,
    at,
    cells,
    chosen,
    done,
    focus,
    link,
    seen,
    shown,
    text_of,
    words_with,
)

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from playwright.sync_api import Page


def tab_stops(page: Page, most: int = 200) -> list[str]:
    """Return what Tab reaches from the current focus, once around; each stop must show the focus."""
    found: list[str] = []
    page.evaluate("() => { window.stops = new Map(); }")
    for _ in range(most):
        page.keyboard.press("Tab")
        stop, again, visible = page.evaluate(
            """() => {
            const one = document.activeElement;
            if (one === document.body) return ["body", false, true];
            const again = window.stops.has(one);
            if (!again) window.stops.set(one, window.stops.size);
            const style = getComputedStyle(one);
            const box = one.getBoundingClientRect();
            return [`${one.tagName.toLowerCase()}#${one.id}:${(one.innerText ?? "").slice(0, 30)}`, again,
              one.matches(":focus-visible") && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2
              && box.width > 0 && box.right > 0 && box.bottom > 0 && box.top < innerHeight];
            }"""
        )
        if again:
            break
        assert visible, f"the focus cannot be seen: {stop}"
        if stop != "body":
            found.append(stop)
        elif len(found) > 1:
            break
    return found


def test_tab_reaches_everything_and_shows_where_it_is(show: Show) -> None:
    page = show(small().report, viewport=DESKTOP)
    for where in ("", "#view=errors", "#document=made+01"):
        show.again(page, small().report, where)
        found = tab_stops(page)
        missed = page.evaluate(
            """() => [...document.querySelectorAll("a[href], button, select, input")].filter((one) =>
              one.checkVisibility() && !one.disabled && !window.stops.has(one)
              && !(one.type === "radio" && !one.checked)).map((one) => one.outerHTML)"""
        )
        assert missed == [] and len(found) > 10
        assert found[0].startswith("a#skip")


def test_overview_by_keyboard(show: Show) -> None:
    page = show(example())
    page.keyboard.press("Tab")
    assert focus(page) == "skip" and seen(page, page.locator("#skip"))
    page.keyboard.press("Enter")
    assert focus(page) == "main"
    page.keyboard.press("Tab")
    assert focus(page) == "part"
    show.again(page, example(), "")

    def tab_to(id: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if focus(page) == id:
                return
        raise AssertionError(f"Tab does not lead to {id}")

    tab_to("system")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("() => location.hash.includes('system=eager')")
    assert focus(page) == "system"
    tab_to("part")
    page.keyboard.press("ArrowDown")
    assert page.locator("#part").input_value() == "recall" and focus(page) == "part"
    tab_to("base")
    page.keyboard.press("ArrowDown")
    assert cells(page, "differences")[1][0][0] == "careful" and focus(page) == "base"
    tab_to("metric")
    page.keyboard.press("ArrowUp")
    assert cells(page, "repairs")[0][-1] == "LEA" and focus(page) == "metric"
    tab_to("by")
    page.keyboard.press("ArrowDown")
    assert focus(page) == "by"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.matches('#table-errors-by-kind a')")
    count = int(page.evaluate("() => document.activeElement.textContent"))
    page.keyboard.press("Enter")
    page.wait_for_selector("#errors-title")
    assert page.locator(".found li").count() == count and focus(page) == "main"
    page.keyboard.press("o")
    page.wait_for_selector("#overview:not([hidden])")
    page.keyboard.press("/")
    assert focus(page) == "filter"
    page.keyboard.type("ferry")
    page.keyboard.press("Escape")
    assert focus(page) != "filter"


def test_document_by_keyboard(show: Show) -> None:
    page = show(example())
    page.keyboard.press("/")
    page.keyboard.type("lighthouse")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.matches('#table-documents a')"):
            break
    page.keyboard.press("Enter")
    at(page, "story/lighthouse_0")
    place = [d.name for d in sameas.read(KEY).documents].index("story/lighthouse_0")
    wanted = [error.number for error in errors_of(example_analyses()["careful"], place)]
    assert focus(page) == "main" and len(wanted) == 2
    page.keyboard.press("j")
    assert chosen(page) == wanted[0]
    page.keyboard.press("j")
    assert chosen(page) == wanted[1]
    page.keyboard.press("j")
    assert chosen(page) == wanted[0]
    page.keyboard.press("k")
    assert chosen(page) == wanted[1]
    page.keyboard.press("Escape")
    assert chosen(page) is None and words_with(page, "wrong") == set()
    page.keyboard.press("k")
    assert chosen(page) == wanted[-1]
    for key, sides in (("1", "key"), ("2", "response"), ("3", "both")):
        page.keyboard.press(key)
        page.wait_for_function(
            "(v) => document.querySelector(`input[value=${v}]`).checked", arg=sides
        )
        assert text_of(page) == written(example_analyses()["careful"], place, sides)
    page.keyboard.press("s")
    page.wait_for_function("() => location.hash.includes('system=eager')")
    assert page.locator("#system").input_value() == "eager"
    page.keyboard.press("s")
    page.wait_for_function("() => location.hash.includes('system=careful')")
    page.keyboard.press("/")
    assert focus(page) == "find"
    page.keyboard.type("quill")
    page.keyboard.press("Enter")
    assert words_with(page, "hit") == {1, 26}
    page.keyboard.press("Escape")
    assert focus(page) != "find"
    page.keyboard.press("Escape")
    assert words_with(page, "hit") == set() and page.locator("#find").input_value() == ""


def test_mentions_by_keyboard(show: Show) -> None:
    page = done(
        show(example(), link(document="story/lighthouse_0", system="careful"), viewport=DESKTOP)
    )
    mentions = page.locator(".b[role=button]")

    def where() -> int:
        return mentions.evaluate_all("(all) => all.indexOf(document.activeElement)")

    for expected in (0, 1, 2):
        page.keyboard.press("m")
        assert where() == expected
        assert words_with(page, "lit-key") or words_with(page, "lit-response")
        assert (
            page.locator("#announcement").inner_text() == page.locator("#info").inner_text().strip()
        )
        style = mentions.nth(expected).evaluate("(one) => getComputedStyle(one).outlineStyle")
        assert style != "none"
    page.keyboard.press("Shift+M")
    assert where() == 1
    page.keyboard.press("Shift+M")
    page.keyboard.press("Shift+M")
    assert where() == mentions.count() - 1
    wrong = mentions.evaluate_all("(all) => all.findIndex((one) => one.querySelector('.code'))")
    while where() != wrong:
        page.keyboard.press("m")
    page.keyboard.press("Enter")
    assert chosen(page) is not None


def test_documents_by_keyboard(show: Show) -> None:
    page = show(example())
    order = [row[0] for row in cells(page, "documents")[1]]
    page.locator("#table-documents a").first.focus()
    page.keyboard.press("Enter")
    at(page, order[0])
    for name in order[1:]:
        page.keyboard.press("n")
        at(page, name)
    page.keyboard.press("n")  # there is no further document
    page.keyboard.press("p")
    at(page, order[-2])
    page.keyboard.press("o")
    page.wait_for_selector("#overview:not([hidden])")
    assert focus(page) == "main"


def test_help_dialog(show: Show) -> None:
    page = done(show(example(), link(document="news/storm_0")))
    page.locator("#next-error").focus()
    page.keyboard.press("?")
    dialog = page.locator("#help")
    assert dialog.is_visible()
    listed = " ".join(dialog.locator("kbd").all_inner_texts())
    for key in ["j", "k", "m", "M", "n", "p", "1", "2", "3", "s", "/", "o", "Esc", "?"]:
        assert key in re.split(r"[ ,]+", listed)
    page.keyboard.press("j")  # keys do not reach the page behind the dialog
    assert chosen(page) is None
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate(
        "() => document.activeElement === document.body || document.getElementById('help').contains(document.activeElement)"
    )
    page.keyboard.press("Escape")
    assert not dialog.is_visible() and focus(page) == "next-error"
    page.locator("#help-button").focus()
    page.keyboard.press("Enter")
    assert dialog.is_visible()
    page.get_by_role("button", name="Close").press("Enter")
    assert not dialog.is_visible() and focus(page) == "help-button"
    page.locator("#help-button").click()
    assert dialog.is_visible()
    page.get_by_role("button", name="Close").click()
    assert not dialog.is_visible()


def test_keys_are_text_in_a_field(show: Show) -> None:
    page = done(show(example(), link(document="news/storm_0")))
    page.locator("#find").focus()
    page.keyboard.type("jkmMnp123s/o?")
    assert page.locator("#find").input_value() == "jkmMnp123s/o?"
    assert (
        chosen(page) is None
        and shown(page) == "document"
        and not page.locator("#help").is_visible()
    )
    page.locator("#theme").focus()
    page.keyboard.press("d")  # chooses dark
    assert page.locator("#theme").input_value() == "dark" and shown(page) == "document"


def test_focus_stays_where_it_is(show: Show) -> None:
    report = synthetic().report
    first, second, *_ = made_order()
    page = done(show(report, link(document=first)))
    page.locator("#next-document").focus()
    page.keyboard.press("Enter")
    at(page, second)
    assert focus(page) == "next-document"
    show.again(page, report, link(document="made 00"))
    page.get_by_role("radio", name="both").focus()
    page.keyboard.press("ArrowUp")
    page.wait_for_function("() => location.hash.includes('show=response')")
    done(page)
    assert page.evaluate("() => document.activeElement.value") == "response"
    for field in ("errors-kind", "errors-label"):
        show.again(page, report, "#view=errors")
        page.locator(f"#{field}").focus()
        page.keyboard.press("ArrowDown")
        page.wait_for_function("() => /kind=|label=/.test(location.hash)")
        page.wait_for_timeout(20)
        assert focus(page) == field
    show.again(page, report, link(document="made 00"))
    done(page)
    page.locator(".b[role=button]", has=page.locator(".code")).first.focus()
    page.keyboard.press("Space")
    assert chosen(page) is not None
