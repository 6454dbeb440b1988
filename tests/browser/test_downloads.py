"""The tables of the report as CSV files."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.corpora import Corpus, corpus_of, made, synthetic
from browser.expected import errors_of
from browser.pages import Show, at, cells, interval, link, number, numbers
from sameas.analysis.findings import Error
from sameas.documents.document import Document, Entity, WrittenText

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from playwright.sync_api import Page


def downloaded(page: Page, name: str) -> list[list[str]]:
    with page.expect_download() as waiting:
        page.locator(f"#csv-{name}").click()
    assert waiting.value.suggested_filename == f"{name}.csv"
    data = Path(waiting.value.path()).read_bytes()
    return list(csv.reader(io.StringIO(data.decode("utf-8"), newline="")))


AWKWARD = 'a, "b"\nc\r\n=1+1;\té'


@cache
def awkward() -> Corpus:
    """Return names, words, types and responses with commas, quotes and line breaks."""
    key, responses = made(["one", "two, three", 'say "hi"', "li\nne"], words=40)
    for index, one in enumerate(key):
        sentences = [list(sentence) for sentence in one.sentences]
        words = list(itertools.chain(*sentences))
        for place in range(0, len(words), 3):
            words[place] = [AWKWARD, ",", '"', "\n", '""', "a,b"][place // 3 % 6]
        cut = iter(words)
        text = WrittenText(tuple(tuple(next(cut) for _ in sentence) for sentence in sentences))
        entities = [
            Entity(e.id, e.mentions, AWKWARD if place == 0 else e.type)
            for place, e in enumerate(one.entities)
        ]
        key[index] = Document(one.name, entities, text=text)
        (name,) = responses
        responses[name][index] = Document(one.name, responses[name][index].entities, text=text)
    (response,) = responses.values()
    return corpus_of(key, {AWKWARD: response, "plain": key}, title=AWKWARD)


def same(text: str, value: str) -> bool:
    """Return whether a cell of a table and one of its CSV file have the same value."""
    if text == "–":
        return value == ""
    if match := re.fullmatch(r"(\d+) of \d+", text):
        return value == match[1]
    if re.fullmatch(r"[+−]?\d+(\.\d+)?\*{0,2}", text):
        return abs(number(text) - float(value)) < 0.00512
    return text == value


Table = tuple[list[str], list[list[str]], list[list[list[str]]]]


def check_lines_of_intervals(shown: Table, file: list[list[str]], *, value: int) -> None:
    """Check that the file has a line for each cell, with the interval in columns after the value."""
    head, rows, small = shown
    lines = [line for line in file[1:] if line[0] == rows[0][0]]
    assert len(file) == 1 + len(rows) * (len(head) - 1)
    for cell, below, line in zip(rows[0][1:], small[0][1:], lines, strict=True):
        assert same(cell.rstrip("*"), line[value])
        ends = line[value + 1 : value + 3]
        if below and "[" in below[0]:
            assert interval(below[0]) == pytest.approx([*map(float, ends)], abs=0.0051)


def check_lines_of_links(shown: Table, file: list[list[str]], word: str) -> None:
    """Check that the file has a line for each cell that counts links."""
    head, rows, _ = shown
    assert file[0] == ["anaphor", "antecedent", "links", word]
    counts = {
        (row[0], kind): cell for row in rows for kind, cell in zip(head[1:], row[1:], strict=True)
    }
    for anaphor, antecedent, total, bad in file[1:]:
        assert counts.pop((anaphor, antecedent)) == f"{bad} of {total}"
    assert set(counts.values()) <= {"–"}


def check_lines_of_rows(shown: Table, file: list[list[str]], *, coded: bool) -> None:
    """Check that the file has a line for each row, without the codes of kinds of errors."""
    head, rows, _ = shown
    assert file[0] == head
    assert len(file) == len(rows) + 1
    for row, line in zip(rows, file[1:], strict=True):
        name = row[0].strip().split(" ", 1)[1] if coded else row[0]
        assert len(line) == len(row) and all(map(same, [name, *row[1:]], line)), (row, line)


@pytest.mark.parametrize("corpus", [synthetic, awkward])
def test_downloaded_tables_match_the_page(show: Show, corpus: Callable[[], Corpus]) -> None:
    page = show(corpus().report)
    page.locator("#by").select_option("entity type")
    page.locator("#table-documents th button").nth(0).click()
    names = page.locator(".csv").evaluate_all(
        "(all) => all.map((one) => one.id.replace('csv-', ''))"
    )
    assert names == [
        "scores", "differences", "repairs", "errors-by-kind", "links-missing", "links-wrong", "documents"
    ]  # fmt: skip
    for name in names:
        shown, file = cells(page, name), downloaded(page, name)
        if name in ("scores", "differences"):
            check_lines_of_intervals(shown, file, value=2 if name == "scores" else 3)
        elif name.startswith("links"):
            check_lines_of_links(shown, file, name.removeprefix("links-"))
        else:
            check_lines_of_rows(shown, file, coded=name in ("repairs", "errors-by-kind"))
    page.locator("#filter").fill("o")
    assert [line[0] for line in downloaded(page, "documents")[1:]] == [
        row[0] for row in cells(page, "documents")[1]
    ]


def error_lines(corpus: Corpus, errors: Sequence[Error]) -> list[list[str]]:
    return [
        [
            str(error.number), error.kind, error.document, str(error.mentions[0].sentence),
            error.mentions[0].text, error.mention, str(len(error.mentions)),
            error.other.text if error.other else "", error.message,
        ]
        for error in errors
    ]  # fmt: skip


@pytest.mark.parametrize("corpus", [synthetic, awkward])
def test_downloaded_errors_match_the_page(show: Show, corpus: Callable[[], Corpus]) -> None:
    system = next(iter(corpus().analyses))
    analysis = corpus().analyses[system]
    page = show(corpus().report, link(view="errors", system=system))
    everything = [
        error for place in range(len(corpus().key)) for error in errors_of(analysis, place)
    ]
    head, *lines = downloaded(page, "errors")
    assert head[:5] == ["number", "kind", "document", "sentence", "text"]
    assert lines == error_lines(corpus(), everything)
    page.locator("#errors-kind").select_option("conflated")
    page.wait_for_function("() => location.hash.includes('kind=conflated')")
    page.wait_for_timeout(20)
    some = [error for error in everything if error.kind == "conflated"]
    assert downloaded(page, "errors")[1:] == error_lines(corpus(), some)
    place = 2
    page.evaluate(
        "(to) => { location.hash = to; }", link(document=corpus().key[place].name, system=system)
    )
    at(page, corpus().key[place].name)
    assert downloaded(page, "document-errors")[1:] == error_lines(
        corpus(), errors_of(analysis, place)
    )
    page.locator("input[data-kind='5']").uncheck()
    left = [error for error in errors_of(analysis, place) if error.kind != "missing mention"]
    assert downloaded(page, "document-errors")[1:] == error_lines(corpus(), left)
    assert numbers(page) == [error.number for error in left]
