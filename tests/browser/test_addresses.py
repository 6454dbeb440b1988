"""Every view of the report has an address: links, wrong links, back and forward."""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import quote

import pytest

import sameas
from browser.corpora import Corpus, corpus_of, document, long, made, small, synthetic
from browser.expected import errors_of, written
from browser.pages import (
    DESKTOP,
    Show,
    address,
    at,
    cells,
    chosen,
    done,
    link,
    shown,
    text_of,
    visit,
    words_of,
    words_with,
)

pytestmark = pytest.mark.long

ODD = [
    "plain", 'a "quoted" name', "it's", "hash#tag", "amp&system=eager", "100% %41 %", "with  spaces ",
    "dir/sub/../x", "Ünïcödé 日本語 🙂", "+plus+", "two\nlines", "<b>bold</b>", "?q=1;x", "a=b", "שלום",
    "#document=plain", "é combining e\u0301",
]  # fmt: skip


@cache
def odd() -> Corpus:
    key, responses = made(ODD, systems=2, words=30)
    return corpus_of(key, responses)


def test_deep_links(show: Show) -> None:
    report, analysis = odd().report, odd().analyses["system 1"]
    page = show(report)
    order = [row[0] for row in cells(page, "documents")[1]]
    hrefs = page.locator("#table-documents tbody a").evaluate_all(
        "(all) => all.map((a) => a.getAttribute('href'))"
    )
    assert [there["name"] for there in visit(page, hrefs)] == order
    for place, name in enumerate(ODD):
        error = errors_of(analysis, place)[1]
        where = {"document": name, "system": "system 1", "show": "response", "error": error.number}
        show.again(page, report, link(**where))
        at(page, name)
        assert address(page) == {part: str(value) for part, value in where.items()}
        assert page.locator("#system").input_value() == "system 1"
        assert page.locator("input[value=response]").is_checked()
        assert chosen(page) == error.number
        assert text_of(page) == written(analysis, place, "response")
        assert words_with(page, "wrong") == {
            w for m in error.mentions for first, last in m.places for w in range(first, last + 1)
        }
        assert " ".join(name.split()) in page.title()


def test_the_address_of_a_choice_shows_the_same(show: Show) -> None:
    page = show(odd().report)
    for name in ('a "quoted" name', "amp&system=eager"):
        show.again(page, odd().report, "")
        order = [row[0] for row in cells(page, "documents")[1]]
        page.locator("#table-documents tbody a").nth(order.index(name)).click()
        at(page, name)
        page.locator("#system").select_option("system 1")
        page.wait_for_function("() => location.hash.includes('system=system+1')")
        page.get_by_role("radio", name="response", exact=True).check()
        page.wait_for_selector("input[value=response]:checked")
        page.locator("#error-list .error").nth(1).click()
        given, number, text, wrong = (
            page.url,
            chosen(page),
            text_of(page),
            words_with(page, "wrong"),
        )
        show.again(page, odd().report, "#" + given.partition("#")[2])
        at(page, name)
        assert (chosen(page), text_of(page), words_with(page, "wrong")) == (number, text, wrong)
        assert page.locator("#system").input_value() == "system 1"
        assert page.locator("input[value=response]").is_checked()
    # Links that other software percent-encoded differently lead to the same place.
    show.again(page, odd().report, f"#document={quote('100% %41 %')}&system=system%201")
    done(page)
    assert page.locator("#document-name").inner_text() == "100% %41 %"
    assert page.locator("#system").input_value() == "system 1"


def test_a_document_without_a_name(show: Show) -> None:
    one = document("", [["x", "y"]], [[(0, 0), (1, 1)]])
    page = done(show(sameas.report([one], [one]), "#document="))
    assert words_of(page) == ["x", "y"]
    page.keyboard.press("o")
    page.wait_for_selector("#table-documents")
    assert page.locator("#table-documents a").is_visible()


WRONG = [
    "#document=nowhere", "#document=made+00&error=999999", "#document=made+00&error=-1",
    "#document=made+00&error=1e3", "#document=made+00&system=nobody", "#system=nobody&second=nobody",
    "#document=made+00&second=system+0", "#document=made+00&show=nothing", "#view=nothing", "#nonsense",
    "#%E0%A4%A", "#document=%", "#view=errors&kind=nothing&by=nothing&label=nothing", "#metric=nothing",
    "#document=made+00&error=99999999999999999999999", "#view=errors&label=x", "#main", "#document=__proto__",
    "#view=errors&kind=toString", "#document=made+00&document=made+01", "#document=made+00&view=errors",
]  # fmt: skip


def test_wrong_deep_links_show_something_sensible(show: Show) -> None:
    report = small().report
    page = show(report)
    for wrong in WRONG:
        for fresh in (False, True) if wrong in WRONG[:3] + WRONG[-3:] else (False,):
            if fresh:
                show.again(page, report, wrong)
            else:
                page.evaluate("(to) => { location.hash = to; }", wrong)
                page.wait_for_timeout(20)
            view = shown(page)
            assert page.locator(f"#{view}").inner_text().strip(), wrong
            expected = (
                "document"
                if "document=made+00" in wrong
                else "errors"
                if "view=errors" in wrong
                else "overview"
            )
            assert view == expected, wrong
            if view == "document":
                done(page)
                assert words_of(page) == small().key[0].tokens
                assert chosen(page) is None and "error" not in address(page)
            assert page.locator("#system").input_value() == "system 0"
            if wrong in ("#document=nowhere", "#document=made+00&error=999999"):
                assert re.search(
                    "nowhere|999999",
                    " ".join(page.locator("#announcement, [role=alert]").all_inner_texts()),
                )


def test_a_wrong_document_is_named_on_the_page(show: Show) -> None:
    page = show(synthetic().report, "#document=nowhere")
    place = page.get_by_text("nowhere").first
    box = place.bounding_box()
    assert box and box["width"] > 10 and box["height"] > 5
    for wrong in ("#view=errors&by=constructor", "#by=toString"):  # names that every object has
        show.again(page, synthetic().report, wrong)
        page.wait_for_timeout(20)
        assert show.quiet()
        assert page.locator(f"#{shown(page)}").inner_text().strip()


def test_back_and_forward(show: Show) -> None:
    page = show(synthetic().report)
    page.locator("#table-documents a", has_text="made 04").click()
    at(page, "made 04")
    page.locator("#error-list .error").nth(3).click()
    first = chosen(page)
    page.locator("#next-document").click()
    page.wait_for_function(
        "() => document.getElementById('document-name').textContent !== 'made 04'"
    )
    second = page.locator("#document-name").inner_text()
    assert chosen(page) is None
    page.go_back()
    at(page, "made 04")
    assert chosen(page) == first and words_with(page, "wrong")
    page.go_back()
    page.wait_for_selector("#overview:not([hidden])")
    assert shown(page) == "overview"
    page.go_forward()
    at(page, "made 04")
    assert chosen(page) == first
    page.go_forward()
    at(page, second)
    page.locator("#home").click()
    page.wait_for_selector("#overview:not([hidden])")
    assert shown(page) == "overview"


def test_next_document_visits_all_worst_first(show: Show) -> None:
    page = show(synthetic().report)
    order = [row[0] for row in cells(page, "documents")[1]]
    page.locator("#table-documents a").first.click()
    for name in order:
        at(page, name)
        if name != order[-1]:
            page.locator("#next-document").click()
    assert page.locator("#next-document").is_disabled()
    page.locator("#previous-document").click()
    at(page, order[-2])
    page.get_by_role("link", name="Overview").click()
    page.wait_for_selector("#overview:not([hidden])")


def test_the_next_document_is_shown_from_its_start(show: Show) -> None:
    page = show(long().report, link(document="long one"), viewport=DESKTOP)
    done(page)
    if page.locator("#next-document").is_disabled():
        page.keyboard.press("p")
        at(page, "long two")
    page.evaluate("() => scrollTo(0, 3000)")
    name = page.locator("#document-name").inner_text()
    page.keyboard.press("n")
    page.wait_for_function(
        "(was) => document.getElementById('document-name').textContent !== was", arg=name
    )
    done(page)
    assert page.evaluate("() => scrollY") < 400
    assert page.locator("#sentence-1").evaluate(
        "(one) => one.getBoundingClientRect().top < innerHeight"
    )


def test_two_documents_with_the_same_name(show: Show) -> None:
    both = [document("twin", [["first"]], [[(0, 0)]]), document("twin", [["second"]], [[(0, 0)]])]
    page = show(sameas.report(both, both))
    texts = []
    for place in range(2):
        page.locator("#table-documents a").nth(place).click()
        done(page)
        texts += words_of(page)
        page.go_back()
        page.wait_for_selector("#table-documents a")
    assert sorted(texts) == ["first", "second"]
