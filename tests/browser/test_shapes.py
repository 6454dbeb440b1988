"""Reports on documents of all shapes, compared with the analyses end to end."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sameas
from browser.corpora import KEY, SYSTEMS, document, made, synthetic
from browser.expected import errors_of, written
from browser.pages import Show, address, at, cells, done, link, number, shown, visit, words_with
from sameas.analysis.analysis import analyse_results
from sameas.documents.document import Mention
from sameas.examples import example_path

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from playwright.sync_api import Page


def everything(page: Page, report: sameas.Report, analyses: Mapping[str, sameas.Analysis]) -> None:
    """Open every document of every response, and compare texts and errors."""
    several = len(analyses) > 1
    assert [row[0] for row in cells(page, "scores")[1]] == list(analyses)
    assert (
        page.locator("#system-label").is_visible()
        == page.locator("#second-label").is_visible()
        == several
    )
    assert (page.locator("#table-differences").count() == 1) == several
    for system, analysis in analyses.items():
        names = [one.name for one in analysis.matching.key.read.documents]
        found = visit(page, [link(document=name, system=system) for name in names], errors=True)
        for place, (name, there) in enumerate(zip(names, found, strict=True)):
            assert there["name"] == name and there["system"] in (
                system,
                "response",
                report.systems[0],
            )
            assert there["text"] == written(analysis, place, "both")
            expected = errors_of(analysis, place)
            assert there["numbers"] == [error.number for error in expected]
            assert there["marked"] == [
                [
                    [error.number],
                    sorted(
                        {w for m in error.mentions for a, b in m.places for w in range(a, b + 1)}
                    ),
                ]
                for error in expected
            ]
        (there,) = visit(page, [link(view="errors", system=system)])
        assert sorted(there["listed"]) == sorted(error.message for error in analysis.errors)
    page.evaluate("() => { location.hash = '#'; }")
    page.wait_for_selector("#overview:not([hidden])")


def shape(show: Show, key: Any, responses: Any, **settings: Any) -> Page:
    corpus = sameas.read(key) if isinstance(key, Path) else key
    if not isinstance(responses, dict):
        responses = {"response": responses}
    results = {name: sameas.score(corpus, one, **settings) for name, one in responses.items()}
    report = sameas.show.report_results(
        results, comparing=sameas.settings.Comparing(pairs="all", samples=200)
    )
    analyses = dict(zip(results, analyse_results(list(results.values())), strict=True))
    page: Page = show(report)
    everything(page, report, analyses)
    return page


def test_a_text_from_right_to_left(show: Show) -> None:
    words = [["“", "הוא", "ראה", "את", "הכלב"], ["Ann", "saw", "it"]]
    one = document("a", words, [[(1, 1), (4, 4)], [(5, 5)]])
    other = document("a", words, [[(1, 1)], [(4, 4), (5, 5)]])
    page = done(show(sameas.report([one], [other]), link(document="a")))
    left = "(word) => word.getBoundingClientRect().left"
    places = [word.evaluate(left) for word in page.locator(".w").all()]
    assert places[:5] == sorted(places[:5], reverse=True)
    assert places[5:] == sorted(places[5:])
    assert page.locator('.line[dir="rtl"]').count() == 1


@pytest.mark.parametrize("language", ["English", "other"])
def test_guessed_kinds_are_noted_below_the_tables(show: Show, language: str) -> None:
    words = [["the", "dog", "saw", "it"]] if language == "English" else [["הוא", "ראה", "את", "זה"]]
    one = document("a", words, [[(0, 1), (3, 3)]])
    page = show(sameas.report([one], [one]))
    note = "is guessed by rules for English" if language == "English" else "is unknown"
    for section in ("groups", "links"):
        assert note in page.locator(f"#{section} p.faint").inner_text()
    page.locator("#by").select_option("entity size")
    assert page.locator("#groups p.faint").count() == 0


def test_zeros(show: Show) -> None:
    page = shape(show, example_path("spanish.conllu"), example_path("spanish-system.conllu"))
    page.locator("#table-documents a").first.click()
    done(page)
    key = sameas.read(example_path("spanish.conllu")).documents
    assert any(
        not mention.spans
        for d in key
        for e in d.entities
        for mention in e.mentions
        if isinstance(mention, Mention)
    )


BRAT = "Ann Lee met Bob's sister.\n\nShe naïvely thanked him — “😀”.\nBob-haters left.\n"


def brat(folder: Path, *chains: Sequence[tuple[int, int]]) -> Path:
    folder.mkdir()
    (folder / "f.txt").write_text(BRAT, encoding="utf-8")
    lines, number = [], 0
    for chain in chains:
        ids = []
        for first, last in chain:
            number += 1
            ids.append(f"T{number}")
            lines.append(f"T{number}\tPerson {first} {last}\t{BRAT[first:last]}")
        if len(ids) > 1:
            lines.append(f"*\tCoref {' '.join(ids)}")
    (folder / "f.ann").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def places(*words: str) -> list[tuple[int, int]]:
    found, end = [], 0
    for word in words:
        start = BRAT.index(word, end)
        end = start + 1
        found.append((start, start + len(word)))
    return found


def test_brat_characters(show: Show, tmp_path: Path) -> None:
    key = brat(tmp_path / "key", places("Ann Lee", "She"), places("Bob", "him", "Bob"))
    response = brat(
        tmp_path / "response", places("Ann", "She", "haters"), places("Bob's sister", "him")
    )
    page = shape(show, key, response)
    page.locator("#table-documents a").first.click()
    done(page)
    page.get_by_role("radio", name="key", exact=True).check()
    page.wait_for_function("() => location.hash.includes('show=key')")
    done(page)
    page.locator("#find").fill("Bob's")
    assert page.locator("#hits").inner_text() == "1 of 1"


def test_context_of_characters(show: Show, tmp_path: Path) -> None:
    key = brat(tmp_path / "key", places("Ann Lee", "She"))
    response = brat(tmp_path / "response", places("Ann Lee", "She"), places("Bob"))
    page = show(sameas.report(key, response), "#view=errors")
    assert page.locator(".found q").inner_text() == "Ann Lee met Bob's sister."


def test_pieces(show: Show) -> None:
    words = [["Ann", "saw", "both", "Bob", ",", "Cy", "and", "Dee", "and", "they", "left"]]
    pieces = Mention(((2, 3), (5, 5), (7, 7)))
    key = [document("a", words, [[pieces, (9, 9)], [(0, 0)]])]
    responses = {
        "whole": [document("a", words, [[(2, 7), (9, 9)], [(0, 0)]])],
        "same": [document("a", words, [[pieces, (9, 9)]])],
        "wrong": [document("a", words, [[pieces, (0, 0)]])],
    }
    page = shape(show, key, responses)
    page.locator("#table-documents a").first.click()
    done(page)
    page.locator(".w[data-w='9']").hover()
    assert words_with(page, "lit-key") == {2, 3, 5, 7, 9}
    page.locator(".w[data-w='4']").hover()
    assert words_with(page, "lit-key") == set()
    page.locator(".b.key[role=button]").nth(3).hover()
    assert words_with(page, "lit-key") == {2, 3, 5, 7, 9}
    assert "“both Bob … Cy … Dee”" in page.locator("#info").inner_text()


def test_mentions_that_are_not_text(show: Show) -> None:
    key = [sameas.Document.from_clusters("a", [["m 1", "m2"], ["m3", "m<4>"]])]
    shape(show, key, [sameas.Document.from_clusters("a", [["m 1", "m2", "m3"], ["m5"]])])


def test_spans_without_words(show: Show) -> None:
    key = [sameas.Document.from_clusters("a", [[(0, 1), (3, 3)], [(7, 9), (8, 8)]])]
    shape(show, key, [sameas.Document.from_clusters("a", [[(0, 1), (4, 4)], [(7, 9), (12, 12)]])])


def test_empty_documents(show: Show) -> None:
    empty = sameas.Document("empty", [])
    words = document("words", [["Only", "words", "."], [], ["."]], [])
    full = document("full", [["Ann", "saw", "Ann"]], [[(0, 0), (2, 2)]])
    page = shape(
        show,
        [empty, words, full],
        {"a": [empty, words, full], "b": [empty, words, document("full", full.sentences, [])]},
    )
    order = [row[0] for row in cells(page, "documents")[1]]
    assert order[0] == "full"
    page.locator("#table-documents a", has_text="empty").click()
    at(page, "empty")
    for key in "jkmMnp123s":
        page.keyboard.press(key)
        page.wait_for_timeout(5)


@pytest.mark.parametrize("systems", [1, 2])
def test_nothing_at_all(show: Show, systems: int) -> None:
    empty = [sameas.Document(f"empty {n}", []) for n in range(systems)]
    shape(show, empty, {f"system {n}": empty for n in range(systems)})


def test_no_errors(show: Show) -> None:
    key = synthetic().key[:3]
    page = shape(show, key, key)
    assert {cell for row in cells(page, "errors-by-kind")[1] for cell in row[1:]} == {"0"}
    assert page.locator("#table-errors-by-kind a").count() == 0
    assert {cell for row in cells(page, "scores")[1] for cell in row[1:]} == {"100.00"}


def test_one_document_has_no_intervals(show: Show) -> None:
    key = synthetic().key[:1]
    page = shape(show, key, {name: found[:1] for name, found in synthetic().responses.items()})
    assert not any(itertools.chain(*cells(page, "scores")[2]))
    page = shape(show, key, synthetic().responses["system 0"][:1])
    assert "interval" not in page.locator("#table-scores caption").inner_text()


def test_a_response_with_missing_documents(show: Show) -> None:
    key = synthetic().key[:4]
    page = shape(
        show,
        key,
        {
            "all": synthetic().responses["system 0"][:4],
            "some": synthetic().responses["system 1"][:2],
        },
    )
    assert "missing" in page.locator("#foot").inner_text() or len(cells(page, "documents")[1]) == 4


def test_one_system(show: Show) -> None:
    page = show(sameas.report(KEY, SYSTEMS["eager"]))
    assert page.locator("#differences").count() == 0
    assert not page.locator("#system").is_visible() and not page.locator("#second").is_visible()
    page.keyboard.press("s")
    assert shown(page) == "overview"
    page.locator("#table-documents a").first.click()
    done(page)
    assert "system" not in address(page)
    page.keyboard.press("s")
    page.keyboard.press("o")
    page.wait_for_selector("#overview:not([hidden])")


def test_five_systems(show: Show) -> None:
    key, responses = made(["one", "two", "three"], systems=5, words=40)
    page = shape(show, key, responses)
    assert len(cells(page, "differences")[1]) == 4
    page.locator("#base").select_option("system 3")
    assert [row[0] for row in cells(page, "differences")[1]] == [
        f"system {n}" for n in (0, 1, 2, 4)
    ]
    for count in (1, 2, 3, 4, 0):
        page.keyboard.press("s")
        page.wait_for_function(
            "(n) => document.getElementById('system').selectedIndex === n", arg=count
        )


def test_requested_metrics(show: Show) -> None:
    page = show(sameas.report(KEY, SYSTEMS, metrics=["muc", "b3"]))
    assert cells(page, "scores")[0][1:] == ["MUC", "B³"]
    head, rows, _ = cells(page, "documents")
    assert head[-2:] == ["MUC", "B³"]
    assert [number(row[-2]) for row in rows] == sorted(number(row[-2]) for row in rows)
