"""The report in a real browser, driven as a person would: by mouse, by keyboard, by address.

Every page of every test must end without a message in the console, an error, a dialog, or a
request for anything but its own file: the fixture `show` sees to that.
"""

from __future__ import annotations

import csv
import io
import itertools
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote, urlencode

import pytest

import sameas
from sameas.analysis.analysis import analyse_results
from sameas.analysis.findings import KINDS, Error
from sameas.analysis.placement import Placement, key_placements, response_placements
from sameas.documents.document import Document, Entity, Mention, WrittenText
from sameas.examples import example_path
from sameas.show.page.data import GROUPED

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Show = Any  # Windows of conftest.py
CODES = dict(zip(KINDS, ["S", "C", "X", "XE", "D", "M", "ME"], strict=True))
KEY = example_path("key.conll")
SYSTEMS = {name: example_path(f"{name}.conll") for name in ("careful", "eager")}
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}


# --- corpora ------------------------------------------------------------------------------------


@cache
def example() -> sameas.Report:
    return sameas.report(KEY, SYSTEMS)


@cache
def example_analyses() -> dict[str, sameas.Analysis]:
    key = sameas.read(KEY)
    results = [sameas.score(key, path) for path in SYSTEMS.values()]
    return dict(zip(SYSTEMS, analyse_results(results), strict=True))


def document(
    name: str,
    sentences: Sequence[Sequence[str]],
    entities: Sequence[Sequence[Any]],
    *,
    ids: Sequence[str] | None = None,
    types: Sequence[str | None] | None = None,
) -> Document:
    """A document of words; a mention is a pair of numbers, or several pieces."""
    return Document(
        name,
        [
            Entity(
                ids[number] if ids else str(number),
                tuple(mentions),
                types[number] if types else None,
            )
            for number, mentions in enumerate(entities)
        ],
        text=WrittenText(tuple(tuple(sentence) for sentence in sentences)),
    )


WORDS = [
    "the", "of", "it", "she", "Ann", "Bob", "ship", "harbour", "old", "said", "was", "Norwell", "their",
    ",", "them", "Quill",
]  # fmt: skip


def made(
    names: Sequence[str], *, systems: int = 1, words: int = 80, seed: int = 1
) -> tuple[list[Document], dict[str, list[Document]]]:
    """A key and responses of nonsense, with errors of all kinds, mentions nested and crossing."""
    key: list[Document] = []
    responses: dict[str, list[Document]] = {f"system {n}": [] for n in range(systems)}
    for name in names:
        generator = random.Random(f"{seed} {name}")
        sentences: list[list[str]] = []
        while sum(map(len, sentences)) < words:
            sentences.append(generator.choices(WORDS, k=generator.randint(4, 14)))
        starts = [0, *itertools.accumulate(map(len, sentences))]
        spans: set[tuple[int, int]] = set()
        while len(spans) < words // 5:
            at = generator.randrange(len(sentences))
            first = generator.randrange(starts[at], starts[at + 1])
            spans.add((first, min(first + generator.choice([0, 0, 1, 2]), starts[at + 1] - 1)))
        mentions = sorted(spans)
        generator.shuffle(mentions)
        entities = [mentions[n::7] for n in range(7)]
        types = [generator.choice(["person", "place", None]) for _ in entities]
        key.append(document(name, sentences, entities, types=types))
        for response in responses.values():
            taken = set(spans)
            found: list[list[tuple[int, int]]] = []
            for entity in entities:
                kept = []
                for first, last in entity:
                    wider = (first, last + 1)
                    chance = generator.random()
                    if chance < 0.15:
                        continue
                    if chance < 0.3 and wider not in taken and last + 1 < starts[-1]:
                        taken.add(wider)
                        kept.append(wider)
                    else:
                        kept.append((first, last))
                if generator.random() < 0.3:
                    found += [kept[: len(kept) // 2], kept[len(kept) // 2 :]]
                elif found and generator.random() < 0.3:
                    found[-1] += kept
                else:
                    found.append(kept)
            for number in range(4):
                at = generator.randrange(starts[-1])
                if (at, at) not in taken:
                    taken.add((at, at))
                    if number % 2:
                        found.append([(at, at)])
                    else:
                        found[0].append((at, at))
            response.append(document(name, sentences, [entity for entity in found if entity]))
    return key, responses


@dataclass(frozen=True)
class Corpus:
    """A corpus, its report, and what sameas says of it."""

    key: list[Document]
    responses: Mapping[str, list[Document]]
    report: sameas.Report
    analyses: dict[str, sameas.Analysis]


def corpus_of(
    key: list[Document], responses: Mapping[str, list[Document]], title: str = ""
) -> Corpus:
    results = {name: sameas.score(key, response) for name, response in responses.items()}
    report = sameas.report_results(results, title=title)
    found = dict(zip(results, analyse_results(list(results.values())), strict=True))
    return Corpus(key, responses, report, found)


@cache
def synthetic() -> Corpus:
    """Twelve documents, one of them empty, and two responses."""
    key, responses = made([f"made {n:02d}" for n in range(11)], systems=2)
    nothing = document("nothing at all", [["Silence", "."]], [])
    return corpus_of(
        [*key, nothing], {name: [*found, nothing] for name, found in responses.items()}
    )


@cache
def small() -> Corpus:
    """Three short documents and two responses, for what takes long."""
    key, responses = made([f"made {n:02d}" for n in range(3)], systems=2, words=40)
    return corpus_of(key, responses)


@cache
def long() -> Corpus:
    """Two documents that do not fit a window, with more errors than a list shows at a time."""
    key, responses = made(["long one", "long two"], words=3500)
    return corpus_of(key, responses)


# --- what is on the page ------------------------------------------------------------------------


def cells(page: Page, name: str) -> tuple[list[str], list[list[str]], list[list[list[str]]]]:
    """Heads, cells and the small lines below them, of one table."""
    head, rows, small = page.evaluate(
        """(name) => {
        const table = document.getElementById(`table-${name}`);
        const big = (cell) => [...cell.childNodes].filter((node) => node.nodeName !== "SMALL")
          .map((node) => node.textContent).join("");
        const rows = [...table.tBodies[0].rows].map((row) => [...row.cells]);
        return [[...table.tHead.rows[0].cells].map((cell) => cell.textContent),
          rows.map((row) => row.map(big)),
          rows.map((row) => row.map((cell) => [...cell.querySelectorAll("small")].map((one) => one.textContent)))];
        }""",
        name,
    )
    return head, rows, small


def number(text: str) -> float:
    return float(text.replace("−", "-").replace("+", "").rstrip("*"))


def near(text: str, value: float | None) -> bool:
    """Whether a share is shown as this text, in per cent."""
    return text == "–" if value is None else abs(number(text) - 100 * value) < 0.00502


def interval(text: str) -> list[float]:
    return [number(end) for end in text.strip("[]").split(", ")]


def shown(page: Page) -> str:
    """The one view that is shown."""
    visible = [
        view for view in ("overview", "errors", "document") if page.locator(f"#{view}").is_visible()
    ]
    assert len(visible) == 1
    return visible[0]


def done(page: Page) -> Page:
    """Wait until a document is laid out to its end."""
    page.wait_for_selector("#text[data-done]", state="attached")
    return page


def at(page: Page, name: str) -> None:
    """Wait until a document is shown, to its end."""
    page.evaluate(
        """async (name) => {
        for (let tries = 0; tries < 3000; tries++) {
          if (!document.getElementById("document").hidden && document.getElementById("text")?.dataset.done
            && document.getElementById("document-name").textContent === name) return;
          await new Promise((done) => setTimeout(done, 1));
        }
        throw new Error(`${name} is not shown`);
        }""",
        name,
    )


VISIT = """async ([places, inside]) => {
  const found = [];
  const wait = () => new Promise((done) => setTimeout(done, 1));
  for (const to of places) {
    if (location.hash !== to) {
      const changed = new Promise((done) => addEventListener("hashchange", done, { once: true }));
      location.hash = to;
      await changed;
    }
    const text = () => document.querySelector("#text");
    while (!document.querySelector("#document").hidden && !text().dataset.done) await wait();
    const line = [...document.querySelectorAll(".sentence")].map((sentence) => {
      const copy = sentence.querySelector(".line").cloneNode(true);
      copy.querySelector(".who")?.remove();
      return copy.textContent;
    });
    const marked = [];
    const numbers = [...document.querySelectorAll("#error-list [data-n]")].map((one) => Number(one.dataset.n));
    for (const _ of inside ? numbers : []) {
      document.getElementById("next-error").click();
      const chosen = [...document.querySelectorAll('#error-list [aria-current="true"]')];
      marked.push([chosen.map((one) => Number(one.dataset.n)), [...document.querySelectorAll(
        ".line:first-child .w.wrong")].map((word) => Number(word.dataset.w))]);
    }
    found.push({ name: document.getElementById("document-name")?.textContent, text: line, numbers, marked,
      words: [...document.querySelectorAll(".line:first-child .w")].map((word) => word.textContent),
      plain: [...document.querySelectorAll(".w")].every((word) => word.children.length === 0),
      show: document.querySelector("input[name=show]:checked")?.value,
      system: document.getElementById("system").value,
      signs: [...new Set([...document.querySelectorAll("#text .b")].map((b) => b.firstChild.data))].sort(),
      listed: [...document.querySelectorAll("#errors .found a")].map((a) => a.textContent) });
  }
  return found;
}"""


def visit(page: Page, places: Sequence[str], *, errors: bool = False) -> list[dict[str, Any]]:
    """What is shown at each address; with errors, each is chosen one after another."""
    return page.evaluate(VISIT, [list(places), errors])


def pick(page: Page, id: str, place: int) -> None:
    """Choose from a select, quicker than a person."""
    page.evaluate(
        """([id, place]) => { const one = document.getElementById(id); one.selectedIndex = place;
          one.dispatchEvent(new Event("change", { bubbles: true })); }""",
        [id, place],
    )


def link(**parts: object) -> str:
    return f"#{urlencode(parts)}"


def address(page: Page) -> dict[str, str]:
    given = page.evaluate("() => location.hash.slice(1)")
    return {name: values[0] for name, values in parse_qs(given, keep_blank_values=True).items()}


def chosen(page: Page) -> int | None:
    """The number of the error that is chosen in the list."""
    found = page.locator('#error-list [aria-current="true"]')
    assert found.count() <= 1
    return int(found.get_attribute("data-n") or "") if found.count() else None


def numbers(page: Page) -> list[int]:
    """The errors in the list."""
    return page.locator("#error-list [data-n]").evaluate_all(
        "(found) => found.map((one) => Number(one.dataset.n))"
    )


def words_with(page: Page, style: str, line: int = 0) -> set[int]:
    """The words of the text that are marked in a way."""
    return set(
        page.evaluate(
            """([style, line]) => [...document.querySelectorAll(".sentence")].flatMap((sentence) =>
            [...sentence.querySelectorAll(".line")[line].querySelectorAll(`.w.${style}`)]
              .map((word) => Number(word.dataset.w)))""",
            [style, line],
        )
    )


def text_of(page: Page, line: int = 0) -> list[str]:
    """What is written in each sentence, brackets and all."""
    return page.evaluate(
        """(line) => [...document.querySelectorAll(".sentence")].map((sentence) => {
          const copy = sentence.querySelectorAll(".line")[line].cloneNode(true);
          copy.querySelector(".who")?.remove();
          return copy.textContent;
        })""",
        line,
    )


def words_of(page: Page) -> list[str]:
    return page.evaluate(
        "() => [...document.querySelectorAll('.line:first-child .w')].map((word) => word.textContent)"
    )


def seen(page: Page, place: Locator) -> bool:
    """Whether an element is in the window, below what sticks to its top."""
    box = place.bounding_box()
    assert box is not None
    below = page.evaluate(
        "() => Math.max(0, document.querySelector('.tools')?.getBoundingClientRect().bottom ?? 0)"
    )
    height = page.evaluate("() => innerHeight")
    return bool(box["y"] >= below - 1 and box["y"] + box["height"] <= height + 1)


def focus(page: Page) -> str:
    """Id of what has the focus, or its tag."""
    return page.evaluate(
        "() => document.activeElement.id || document.activeElement.tagName.toLowerCase()"
    )


# --- what should be on the page -----------------------------------------------------------------


def errors_of(analysis: sameas.Analysis, place: int) -> list[Error]:
    """The errors of a document in the order of the text."""
    return sorted(
        (error for error in analysis.errors if error.place == place),
        key=lambda e: (e.mentions[0].places[0][0], KINDS.index(e.kind), e.number),
    )


@cache
def placements(analysis: sameas.Analysis) -> tuple[list[Placement], list[Placement]]:
    keys = key_placements(analysis)
    return keys, response_placements(analysis, keys)


def written(analysis: sameas.Analysis, place: int, sides: str) -> list[str]:
    """The sentences of a document with brackets, numbers of entities and codes of errors."""
    layout = analysis.layouts[place]
    keys, responses = placements(analysis)
    placed = {"key": keys[place], "response": responses[place]}
    codes: dict[tuple[str, int], str] = {}
    for error in errors_of(analysis, place):
        for mention in error.mentions:
            codes.setdefault((mention.side, mention.number), "")
            codes[mention.side, mention.number] += CODES[error.kind]
    opens: dict[int, list[tuple[int, int, int, str]]] = {}
    closes: dict[int, list[tuple[int, int, int, str]]] = {}
    for rank, (side, signs) in enumerate([("key", "[]"), ("response", "‹›")]):
        if sides not in (side, "both"):
            continue
        for count, mention in enumerate(placed[side].mentions):
            opening = signs[0] + placed[side].labels[mention.entity]
            opening += codes.get((side, mention.number), "")
            for first, last in mention.places:
                opens.setdefault(first, []).append((first - last, rank, count, opening))
                closes.setdefault(last, []).append((last - first, -rank, count, signs[1]))
    lines = []
    bounds = [*layout.starts, len(layout.words)] if layout.starts else []
    for start, stop in itertools.pairwise(bounds):
        line = ""
        for word in range(start, stop):
            line += " " * (word > start and word not in layout.glued)
            line += "".join(one[-1] for one in sorted(opens.get(word, [])))
            line += layout.words[word]
            line += "".join(one[-1] for one in sorted(closes.get(word, [])))
        lines.append(line)
    return lines


def members(document: Document) -> list[list[list[tuple[int, int]]]]:
    """For each entity the pieces of each mention, from the corpus itself."""
    found = []
    for entity in document.entities:
        mentions = [m if isinstance(m, Mention) else Mention((m,)) for m in entity.mentions]  # type: ignore[arg-type]
        found.append([list(mention.spans) for mention in mentions])
    return found


def covered(pieces: list[list[tuple[int, int]]]) -> set[int]:
    return {word for spans in pieces for first, last in spans for word in range(first, last + 1)}


def around(document: Document, word: int) -> set[int]:
    """The words of the entity whose mention is the innermost at a word."""
    best: tuple[int, int] | None = None
    found: set[int] = set()
    for entity in members(document):
        for spans in entity:
            if any(first <= word <= last for first, last in spans):
                length = spans[-1][1] - spans[0][0]
                rank = (length, -spans[0][0])
                if best is None or rank < best:
                    best, found = rank, covered(entity)
    return found


# --- 1. the overview ----------------------------------------------------------------------------


def test_scores_are_those_of_sameas(show: Show) -> None:
    page = show(example())
    for place, part in enumerate(["value", "recall", "precision"]):
        page.locator("#part").select_option(index=place)
        assert focus(page) in ("part", "body")
        head, rows, small = cells(page, "scores")
        assert len(head) == 9 and [row[0] for row in rows] == list(SYSTEMS)
        for row, below, path in zip(rows, small, SYSTEMS.values(), strict=True):
            result = sameas.score(KEY, path)
            intervals = result.intervals()
            for cell, ends, metric in zip(row[1:], below[1:], result.metrics, strict=True):
                value = getattr(result[metric], part)
                assert near(cell, value), (metric, cell, value)
                expected = getattr(intervals[metric], part)
                if value is None or expected is None:
                    assert ends == []
                else:
                    assert interval(ends[0]) == pytest.approx(
                        [100 * end for end in expected], abs=0.00502
                    )
    page.locator("#part").select_option(index=0)
    best = page.locator("#table-scores td.best").all_inner_texts()
    assert len(best) == 8


def test_differences_follow_the_base(show: Show) -> None:
    page = show(synthetic().report)
    results = {name: found.result for name, found in synthetic().analyses.items()}
    comparison = sameas.compare_results(results, sameas.Comparing(pairs="all"))
    names = list(results)
    ((new, base),) = comparison.pairs
    for chosen_base in (base, new):
        page.locator("#base").select_option(chosen_base)
        assert page.locator("#base").input_value() == chosen_base
        _, rows, small = cells(page, "differences")
        assert [row[0] for row in rows] == [name for name in names if name != chosen_base]
        sign = 1 if chosen_base == base else -1
        for cell, below, metric in zip(
            rows[0][1:], small[0][1:], results[new].metrics, strict=True
        ):
            one = comparison[new, base][metric]
            assert near(cell.rstrip("*"), sign * one.value)
            p = one.adjusted
            assert cell.count("*") == (2 if p < 0.01 else 1 if p < 0.05 else 0)
            ends = sorted(100 * sign * end for end in one.interval)
            assert interval(below[0]) == pytest.approx(ends, abs=0.00502)
            assert below[1] == ("p < .0001" if p < 0.0001 else "p = " + f"{p:.4f}".lstrip("0"))


def test_repairs_follow_the_metric_and_the_response(show: Show) -> None:
    page = show(example())
    for system, analysis in example_analyses().items():
        page.locator("#system").select_option(system)
        for place, metric in enumerate(analysis.metrics):
            pick(page, "metric", place)
            assert address(page).get("metric", "conll") == metric
            _, rows, _ = cells(page, "repairs")
            start = before = analysis.result[metric].value
            for row, repair in zip(rows, analysis.what_if, strict=True):
                assert int(row[1]) == repair.errors == analysis.counts[repair.kind]
                turn = repair.in_turn[metric].value
                assert near(row[2], repair.alone[metric].value - start)
                assert near(row[3], turn - before) and near(row[4], turn)
                before = turn
            assert rows[-1][4] == "100.00"
        bars = page.locator(".bar").evaluate_all(
            "(bars) => bars.map((bar) => bar.getAttribute('aria-label'))"
        )
        assert [bar.partition(":")[0] for bar in bars] == list(SYSTEMS)


def test_bars_are_as_wide_as_the_scores(show: Show) -> None:
    page = show(example())
    for bar, analysis in zip(page.locator(".bar").all(), example_analyses().values(), strict=True):
        widths = bar.evaluate(
            "(bar) => [bar.clientWidth, ...[...bar.children].map((one) => one.getBoundingClientRect().width)]"
        )
        assert widths[1] / widths[0] == pytest.approx(analysis.result.conll.value, abs=0.005)
        assert sum(widths[1:]) / widths[0] == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("corpus", [None, synthetic], ids=["example", "synthetic"])
def test_error_counts_lead_to_so_many_errors(
    show: Show, corpus: Callable[[], Corpus] | None
) -> None:
    analyses = corpus().analyses if corpus else example_analyses()
    page = show(corpus().report if corpus else example())
    groupings = GROUPED if corpus is None else {by: GROUPED[by] for by in ("mention", "type")}
    for system, analysis in analyses.items():
        page.locator("#system").select_option(system)
        for by, title in groupings.items():
            pick(page, "by", list(GROUPED).index(by))
            assert title in page.locator("#table-errors-by-kind caption").text_content()
            head, rows, _ = cells(page, "errors-by-kind")
            labels = head[1:-1]
            assert labels == list(analysis.errors.by(by))
            assert [int(row[-1]) for row in rows] == list(analysis.counts.values())
            for row, kind in zip(rows, KINDS, strict=True):
                for label, cell in zip(labels, row[1:-1], strict=True):
                    assert int(cell) == len(analysis.errors.where(kind=kind, **{by: label}))
            # Each number that is not zero is a link; the list behind it has so many errors.
            links = page.locator("#table-errors-by-kind a")
            hrefs = links.evaluate_all(
                "(all) => all.map((a) => [a.getAttribute('href'), Number(a.textContent)])"
            )
            assert [count for _, count in hrefs] == [
                int(cell) for row in rows for cell in row[1:] if cell != "0"
            ]
            listed = page.evaluate(
                """async (hrefs) => {
                const found = [];
                for (const href of hrefs) {
                  const changed = new Promise((done) => addEventListener("hashchange", done, { once: true }));
                  location.hash = href;
                  await changed;
                  const more = document.querySelector("#errors button:not(.csv)");
                  while (more && !more.hidden) more.click();
                  found.push([document.querySelectorAll("#errors .found li").length,
                    [...new Set([...document.querySelectorAll("#errors .found .code")].map((one) => one.textContent))]]);
                }
                return found;
                }""",
                [href for href, _ in hrefs],
            )
            assert listed == [
                [count, [CODES[parse_qs(href[1:])["kind"][0]]]] for href, count in hrefs
            ]
            visit(page, [link(system=system)])


def test_a_count_is_clicked(show: Show) -> None:
    page = show(example(), link(system="eager"))
    page.locator("#by").select_option("entity size")
    counted = page.locator("#table-errors-by-kind a").first
    count = int(counted.inner_text())
    counted.click()
    page.wait_for_selector("#errors-title")
    assert shown(page) == "errors" and page.locator("#errors .found li").count() == count
    assert page.locator("#system").input_value() == "eager"
    assert (
        page.locator("#errors-by").evaluate("(one) => one.selectedOptions[0].textContent")
        == "entity size"
    )
    everything = example_analyses()["eager"].errors
    page.locator("#errors-label").select_option(index=0)
    page.locator("#errors-kind").select_option(index=0)
    page.wait_for_function(
        "(n) => document.querySelectorAll('#errors .found li').length === n", arg=len(everything)
    )
    shown_texts = page.locator("#errors .found a").all_inner_texts()
    assert sorted(shown_texts) == sorted(error.message for error in everything)
    # From the list to the text.
    first = page.locator("#errors .found a").first
    first.click()
    done(page)
    assert chosen(page) is not None and shown(page) == "document"


def test_long_lists_of_errors_are_shown_bit_by_bit(show: Show) -> None:
    page = show(long().report, link(view="errors"))
    (analysis,) = long().analyses.values()
    total, more = len(analysis.errors), page.get_by_role("button", name="Show more")
    assert total > 300
    before = page.locator("#errors .found li").count()
    assert 0 < before < total
    while more.is_visible():
        more.click()
    assert page.locator("#errors .found li").count() == total


def test_links_are_counted(show: Show) -> None:
    page = show(example(), link(system="eager"))
    linked = example_analyses()["eager"].linked()
    for side, name in (("key", "links-missing"), ("response", "links-wrong")):
        head, rows, _ = cells(page, name)
        table = {
            (row[0], other): cell
            for row in rows
            for other, cell in zip(head[1:], row[1:], strict=True)
        }
        for pair, (total, bad) in linked[side].items():
            assert table.pop(pair) == f"{bad} of {total}"
        assert set(table.values()) <= {"–"}


def test_the_grouping_stays_with_another_response(show: Show) -> None:
    page = show(example())
    page.locator("#by").select_option("entity size")
    page.locator("#system").select_option("eager")
    page.wait_for_function(
        "() => document.querySelector('#groups h2').textContent.includes('eager')"
    )
    assert (
        page.locator("#by").evaluate("(one) => one.selectedOptions[0].textContent") == "entity size"
    )


def test_the_second_response_is_compared_by_the_chosen_metric(show: Show) -> None:
    page = show(example(), link(system="careful", second="eager"))
    assert cells(page, "documents")[0][-2].startswith("CoNLL")
    page.locator("#metric").select_option("MUC")
    assert cells(page, "documents")[0][-2].startswith("MUC")


def test_a_group_that_the_other_response_lacks(show: Show) -> None:
    analyses = example_analyses()
    assert "0" in analyses["eager"].errors.by("distance")
    assert "0" not in analyses["careful"].errors.by("distance")
    page = show(example(), link(view="errors", by="distance", label="0", system="eager"))
    assert page.locator("#errors .found li").count() > 0
    page.locator("#system").select_option("careful")
    page.wait_for_function(
        "() => document.querySelector('#errors-title').textContent.startsWith('careful')"
    )
    # What is chosen is what is listed, and everything can be had back.
    assert page.locator("#errors-label").input_value() == "0"
    assert page.locator("#errors .found li").count() == 0
    page.locator("#errors-label").select_option("any")
    assert page.locator("#errors .found li").count() == len(analyses["careful"].errors)


# --- 2. the table of documents ------------------------------------------------------------------


def test_documents_worst_first(show: Show) -> None:
    page = show(synthetic().report)
    head, rows, _ = cells(page, "documents")
    scores = [row[-1] for row in rows]
    assert head[-1] == "CoNLL" and scores[-1] == "–"
    assert [number(score) for score in scores[:-1]] == sorted(
        number(score) for score in scores[:-1]
    )
    analysis = synthetic().analyses["system 0"]
    by_document = dict(
        zip((d.name for d in synthetic().key), analysis.result.by_document(), strict=True)
    )
    for row in rows:
        about = next(d for d in synthetic().key if d.name == row[0])
        assert [int(cell) for cell in row[1:3]] == [about.text.token_count, about.mention_count]
        assert int(row[3]) == len(analysis.errors.where(document=row[0]))
        for cell, metric in zip(row[4:], analysis.metrics, strict=True):
            assert near(cell, by_document[row[0]][metric])


@pytest.mark.parametrize("how", ["mouse", "keyboard"])
def test_documents_sorted_by_any_column(show: Show, how: str) -> None:
    page = show(synthetic().report, link(system="system 1", second="system 0"))
    columns = page.locator("#table-documents th button").count()
    assert columns == 4 + 8 + 2
    for column in (0, 3, 4, columns - 1) if how == "mouse" else range(columns):
        directions = set()
        for _ in range(2):
            button = page.locator("#table-documents th button").nth(column)
            if how == "mouse":
                button.click()
            else:
                button.focus()
                page.keyboard.press("Enter")
            sorts = page.locator("#table-documents thead th").evaluate_all(
                "(heads) => heads.map((head) => head.getAttribute('aria-sort'))"
            )
            assert [place for place, sort in enumerate(sorts) if sort] == [column]
            directions.add(sorts[column])
            _, rows, _ = cells(page, "documents")
            values = [row[column] for row in rows]
            known = [value for value in values if value != "–"]
            assert values == known + ["–"] * (len(values) - len(known)), (
                "what is unknown comes last"
            )
            keys = known if column == 0 else [number(value) for value in known]
            assert keys == sorted(keys, reverse=sorts[column] == "descending")  # type: ignore[type-var]
            assert button.evaluate("(one) => one === document.activeElement")
        assert directions == {"ascending", "descending"}


def test_documents_filtered_by_name(show: Show) -> None:
    page = show(synthetic().report)
    field = page.locator("#filter")
    field.press_sequentially("MADE 0")
    names = [row[0] for row in cells(page, "documents")[1]]
    assert sorted(names) == [f"made {n:02d}" for n in range(10)]
    assert focus(page) == "filter" and field.input_value() == "MADE 0"
    field.press("ArrowLeft")
    field.fill("zzz")
    assert cells(page, "documents")[1] == []
    field.fill("")
    assert len(cells(page, "documents")[1]) == 12
    field.fill("nothing")
    page.locator("#table-documents a").click()
    at(page, "nothing at all")
    page.go_back()
    page.wait_for_selector("#filter")
    assert field.input_value() == "nothing" and len(cells(page, "documents")[1]) == 1


# --- 3. a document ------------------------------------------------------------------------------


def test_brackets_written_by_hand(show: Show) -> None:
    page = done(show(example(), link(document="news/merger_0", system="careful")))
    assert text_of(page)[:2] == [
        "[1‹1Tallis Bank›] said on Monday [1‹1it›] would buy [2‹2Norwell Savings›] .",
        "[3METhe deal] values [2Mthe smaller lender] at two billion .",
    ]


@pytest.mark.parametrize("name", ["example", "synthetic"])
def test_text_and_brackets(show: Show, name: str) -> None:
    report, analyses = (
        (example(), example_analyses())
        if name == "example"
        else (synthetic().report, synthetic().analyses)
    )
    page = show(report)
    key = next(iter(analyses.values())).matching.key.read.documents
    for system, analysis in analyses.items():
        for sides in ("key", "response", "both"):
            found = visit(page, [link(document=d.name, system=system, show=sides) for d in key])
            for place, (one, there) in enumerate(zip(key, found, strict=True)):
                assert (there["name"], there["show"], there["system"]) == (one.name, sides, system)
                assert there["words"] == one.tokens
                assert there["text"] == written(analysis, place, sides)
                assert set(there["signs"]) <= set(
                    {"key": "[]", "response": "‹›"}.get(sides, "[]‹›")
                )


def test_show_is_chosen_with_the_mouse(show: Show) -> None:
    page = done(show(example(), link(document="story/ferry_0", system="eager")))
    for sides in ("key", "response", "both"):
        page.get_by_role("radio", name=sides, exact=True).check()
        page.wait_for_function(
            "(v) => document.querySelector(`input[value=${v}]`).checked", arg=sides
        )
        done(page)
        place = [d.name for d in sameas.read(KEY).documents].index("story/ferry_0")
        assert text_of(page) == written(example_analyses()["eager"], place, sides)
        assert address(page).get("show", "both") == sides


def test_hover_lights_up_exactly_the_entity(show: Show) -> None:
    page = show(synthetic().report, link(document="made 03", system="system 1"), viewport=DESKTOP)
    done(page)
    documents = {"key": synthetic().key[3], "response": synthetic().responses["system 1"][3]}
    count = len(documents["key"].tokens)
    for word in range(0, count, 7):
        page.locator(f".w[data-w='{word}']").hover()
        for side, one in documents.items():
            assert words_with(page, f"lit-{side}") == around(one, word), (side, word)
    page.mouse.move(5, 5)
    assert words_with(page, "lit-key") == words_with(page, "lit-response") == set()
    assert page.locator("#info").inner_text() == ""


def test_hover_over_a_bracket_lights_up_its_side_only(show: Show) -> None:
    page = done(
        show(example(), link(document="story/lighthouse_0", system="eager"), viewport=DESKTOP)
    )
    document = next(d for d in sameas.read(KEY).documents if d.name == "story/lighthouse_0")
    page.locator(".b.key[role=button]").first.hover()
    entity = next(e for e in members(document) if ((0, 1)) in [spans[0] for spans in e])
    assert words_with(page, "lit-key") == covered(entity)
    assert words_with(page, "lit-response") == set()
    told = page.locator("#info").inner_text()
    assert (
        document.entities[0].id in told
        and f"{len(entity)} mention" in told
        and "Mara Quill" in told
    )
    lit = page.locator(".w.lit-key").first.evaluate(
        "(one) => getComputedStyle(one).backgroundColor"
    )
    plain = page.locator(".w:not(.lit-key)").first.evaluate(
        "(one) => getComputedStyle(one).backgroundColor"
    )
    assert lit != plain
    page.mouse.move(5, 5)
    assert page.locator(".lit-key").count() == 0


def test_hover_in_one_show_only(show: Show) -> None:
    page = done(show(synthetic().report, link(document="made 00", show="key"), viewport=DESKTOP))
    word = next(iter(covered(members(synthetic().key[0])[0])))
    page.locator(f".w[data-w='{word}']").hover()
    assert words_with(page, "lit-key") and not words_with(page, "lit-response")


def test_errors_of_a_document(show: Show) -> None:
    page = done(show(synthetic().report, link(document="made 05", system="system 1")))
    expected = errors_of(synthetic().analyses["system 1"], 5)
    assert numbers(page) == [error.number for error in expected]
    texts = page.locator("#error-list .error").evaluate_all(
        "(all) => all.map((one) => [one.querySelector('.code').textContent, one.childNodes[1].data.trim()])"
    )
    assert texts == [[CODES[error.kind], error.message] for error in expected]
    for place, kind in enumerate(KINDS):
        label = page.locator(".kinds label").nth(place)
        count = sum(error.kind == kind for error in expected)
        assert kind in label.inner_text() and label.inner_text().split()[-1] == str(count)
        page.locator(f"input[data-kind='{place}']").uncheck()
        left = [error.number for error in expected if error.kind != kind]
        assert numbers(page) == left
        assert page.locator("#error-count").inner_text().split()[-1] == str(len(left))
        page.locator(f"input[data-kind='{place}']").check()
    for box in page.locator(".kinds input").all():
        box.uncheck()
    assert numbers(page) == []
    page.locator("#next-error").click()
    assert chosen(page) is None
    # What is chosen by address is shown, whatever was filtered out.
    page.evaluate(
        "(to) => { location.hash = to; }",
        link(document="made 05", system="system 1", error=expected[2].number),
    )
    page.wait_for_selector('[aria-current="true"]')
    assert numbers(page) == [error.number for error in expected]
    # What is filtered out is in the address.
    page.locator("input[data-kind='0']").uncheck()
    page.locator("input[data-kind='4']").uncheck()
    left = numbers(page)
    assert address(page)["hide"] == "S,D"
    page.reload()
    done(page)
    assert numbers(page) == left
    # To choose what they leave out, the filters have to go.
    out = next(error for error in expected if error.kind == "divided")
    page.evaluate("(to) => { location.hash = to; }", link(**{**address(page), "error": out.number}))
    page.wait_for_selector(f'[aria-current="true"][data-n="{out.number}"]')
    assert page.locator("input[data-kind='4']").is_checked()
    assert not page.locator("input[data-kind='0']").is_checked()


def test_errors_that_the_other_response_does_not_make(show: Show) -> None:
    first, second = (synthetic().analyses[f"system {number}"] for number in (0, 1))

    def named(error: Error) -> tuple[str, object]:
        return error.kind, tuple(mention.places for mention in error.mentions)

    for number in range(len(synthetic().key)):
        theirs = {named(error) for error in errors_of(second, number)}
        ours = errors_of(first, number)
        expected = [error.number for error in ours if named(error) not in theirs]
        if 0 < len(expected) < len(ours):
            break
    else:
        pytest.fail("no document in which both make an error and one makes another")
    name = synthetic().key[number].name
    where = link(document=name, system="system 0", second="system 1")
    page = done(show(synthetic().report, where))
    page.locator("#only").check()
    assert numbers(page) == expected
    page.reload()
    done(page)
    assert numbers(page) == expected


def test_an_error_is_marked_and_scrolled_to(show: Show) -> None:
    page = done(show(long().report, link(document="long one"), viewport=DESKTOP))
    (analysis,) = long().analyses.values()
    expected = errors_of(analysis, 0)
    assert len(expected) > 150
    for error in (expected[0], expected[77], expected[3]):
        page.locator(f"#error-list [data-n='{error.number}']").click()
        assert chosen(page) == error.number and address(page)["error"] == str(error.number)
        wrong = {
            w for m in error.mentions for first, last in m.places for w in range(first, last + 1)
        }
        assert words_with(page, "wrong") == wrong
        other = (
            {w for first, last in error.other.places for w in range(first, last + 1)}
            if error.other
            else set()
        )
        assert words_with(page, "other") == other
        page.wait_for_timeout(50)
        assert seen(page, page.locator(f".w[data-w='{min(wrong)}']"))
        assert error.message in page.locator("#say").inner_text()
    # The last error is beyond what the list shows at first.
    page.keyboard.press("Escape")
    page.locator("#previous-error").click()
    assert chosen(page) == expected[-1].number
    assert page.locator("#error-count").inner_text().split() == [
        str(len(expected)),
        "of",
        str(len(expected)),
    ]
    last = page.locator('#error-list [aria-current="true"]')
    assert seen(page, last)
    page.locator("#next-error").click()
    assert chosen(page) == expected[0].number


def test_more_errors_are_listed_when_asked_for(show: Show) -> None:
    page = done(show(long().report, link(document="long one")))
    (analysis,) = long().analyses.values()
    expected = [error.number for error in errors_of(analysis, 0)]
    found = numbers(page)
    while page.locator("#more-errors").count():
        page.locator("#more-errors").click()
        found += numbers(page)
    assert found == expected and len(numbers(page)) < len(expected)
    while page.locator("#fewer-errors").count():
        page.locator("#fewer-errors").click()
    assert numbers(page) == expected[: len(numbers(page))]


def test_a_click_on_a_mention_chooses_its_error(show: Show) -> None:
    page = done(show(synthetic().report, link(document="made 02"), viewport=DESKTOP))
    analysis = synthetic().analyses["system 0"]
    keys, responses = placements(analysis)
    placed = {"key": keys[2], "response": responses[2]}
    for side in ("key", "response"):
        for count, mention in list(enumerate(placed[side].mentions))[::3]:
            its = [
                error.number
                for error in errors_of(analysis, 2)
                if any((m.side, m.number) == (side, mention.number) for m in error.mentions)
            ]
            page.locator(f".b[role=button][data-side={side}][data-m='{count}']").click()
            if its:
                assert chosen(page) == its[0] if len(its) == 1 else chosen(page) in its
                assert address(page)["error"] == str(chosen(page))
    page.locator(".sentence .number").first.click()
    page.keyboard.press("Escape")
    assert chosen(page) is None and "error" not in address(page)
    assert words_with(page, "wrong") == words_with(page, "other") == set()


def test_clicks_go_round_the_errors_of_a_mention(show: Show) -> None:
    key = [
        document(
            "a",
            [["Ann", "saw", "Bob", "and", "her", "him", "x"]],
            [[(0, 0), (4, 4)], [(2, 2), (5, 5)]],
        )
    ]
    response = [
        document(
            "a",
            [["Ann", "saw", "Bob", "and", "her", "him", "x"]],
            [[(0, 0), (2, 2), (5, 6)], [(4, 4)]],
        )
    ]
    report = sameas.report(key, response)
    page = done(show(report, link(document="a")))
    twice = [
        place
        for place, one in enumerate(page.locator(".b[role=button]").all())
        if one.locator(".code").count() > 1
    ]
    for place in twice:
        found = []
        for _ in range(3):
            page.locator(".b[role=button]").nth(place).click()
            found.append(chosen(page))
        assert found[0] == found[2] != found[1]


def test_words_are_found(show: Show) -> None:
    page = done(
        show(
            example(), link(document="story/lighthouse_0"), viewport={"width": 1280, "height": 300}
        )
    )
    document = next(d for d in sameas.read(KEY).documents if d.name == "story/lighthouse_0")
    tokens = [token.lower() for token in document.tokens]
    field, hits = page.locator("#find"), page.locator("#hits")
    field.press_sequentially("the")
    expected = [place for place, token in enumerate(tokens) if "the" in token]
    assert words_with(page, "hit") == set(expected)
    assert re.findall(r"\d+", hits.inner_text()) == ["1", str(len(expected))]
    for count in [*range(2, len(expected) + 1), 1]:
        field.press("Enter")
        assert re.findall(r"\d+", hits.inner_text()) == [str(count), str(len(expected))]
        assert seen(page, page.locator(f".w[data-w='{expected[count - 1]}']"))
    field.press("Shift+Enter")
    assert re.findall(r"\d+", hits.inner_text())[0] == str(len(expected))
    field.fill("  LIGHTHOUSE   at ")
    assert words_with(page, "hit") == {4, 5}
    field.fill("ouse at dun")
    assert words_with(page, "hit") == {4, 5, 6}
    field.fill("nowhere")
    assert words_with(page, "hit") == set() and hits.inner_text() == "0 hits"
    field.press("Enter")
    field.fill("")
    assert words_with(page, "hit") == set() and hits.inner_text() == ""


def test_words_are_found_beyond_what_is_laid_out_first(show: Show) -> None:
    sentences = [["w", str(n), "end"] for n in range(4000)]
    one = document("a", sentences, [[(0, 0), (3, 3)]])
    page = show(sameas.report([one], [one]), link(document="a"))
    page.locator("#find").fill("3999 END")
    assert seen(page, page.locator(".w[data-w='11998']"))
    done(page)
    assert words_with(page, "hit") == {11998, 11999}
    assert len(words_of(page)) == 12000


def test_responses_are_switched_and_shown_beside(show: Show) -> None:
    page = done(show(example(), link(document="news/storm_0", system="careful"), viewport=DESKTOP))
    place = [d.name for d in sameas.read(KEY).documents].index("news/storm_0")
    careful, eager = example_analyses().values()
    assert numbers(page) == [error.number for error in errors_of(careful, place)]
    page.locator("#system").select_option("eager")
    page.wait_for_function("() => location.hash.includes('system=eager')")
    done(page)
    assert text_of(page) == written(eager, place, "both")
    assert numbers(page) == [error.number for error in errors_of(eager, place)]
    page.locator("#second").select_option("careful")
    page.wait_for_selector(".line:nth-child(2)")
    assert address(page)["second"] == "careful"
    assert text_of(page, 0) == written(eager, place, "both")
    assert text_of(page, 1) == written(careful, place, "both")
    assert page.locator(".sentence").first.locator(".who").all_inner_texts() == ["eager", "careful"]
    page.locator(".line:nth-child(2) .b.response[role=button]").first.hover()
    assert words_with(page, "lit-response", 1) and not words_with(page, "lit-response", 0)
    assert page.locator("#info").inner_text().startswith("careful")
    page.locator("#second").select_option(index=0)
    page.wait_for_function("() => !document.querySelector('.line:nth-child(2)')")
    assert "second" not in address(page)
    # Beside itself is beside nothing.
    page.locator("#second").select_option("eager")
    page.wait_for_function("() => document.getElementById('second').selectedIndex === 0")


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


@pytest.mark.parametrize("name", ['a "quoted" name', "amp&system=eager"])
def test_the_address_of_what_is_chosen_shows_the_same(show: Show, name: str) -> None:
    page = show(odd().report)
    order = [row[0] for row in cells(page, "documents")[1]]
    page.locator("#table-documents tbody a").nth(order.index(name)).click()
    at(page, name)
    page.locator("#system").select_option("system 1")
    page.wait_for_function("() => location.hash.includes('system=system+1')")
    page.get_by_role("radio", name="response", exact=True).check()
    page.wait_for_selector("input[value=response]:checked")
    page.locator("#error-list .error").nth(1).click()
    given, number, text, wrong = page.url, chosen(page), text_of(page), words_with(page, "wrong")
    show.again(page, odd().report, "#" + given.partition("#")[2])
    at(page, name)
    assert (chosen(page), text_of(page), words_with(page, "wrong")) == (number, text, wrong)
    assert page.locator("#system").input_value() == "system 1"
    assert page.locator("input[value=response]").is_checked()


def test_a_document_without_a_name(show: Show) -> None:
    one = document("", [["x", "y"]], [[(0, 0), (1, 1)]])
    page = done(show(sameas.report([one], [one]), "#document="))
    assert words_of(page) == ["x", "y"]
    page.keyboard.press("o")
    page.wait_for_selector("#table-documents")
    assert page.locator("#table-documents a").is_visible()


def test_deep_link_written_by_other_hands(show: Show) -> None:
    """Links that were percent-encoded in another way lead to the same place."""
    page = done(show(odd().report, f"#document={quote('100% %41 %')}&system=system%201"))
    assert page.locator("#document-name").inner_text() == "100% %41 %"
    assert page.locator("#system").input_value() == "system 1"


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
                    "nowhere|999999", " ".join(page.locator("#say, [role=alert]").all_inner_texts())
                )


def test_a_wrong_document_is_named_on_the_page(show: Show) -> None:
    page = show(synthetic().report, "#document=nowhere")
    place = page.get_by_text("nowhere").first
    box = place.bounding_box()
    assert box and box["width"] > 10 and box["height"] > 5


@pytest.mark.parametrize("wrong", ["#view=errors&by=constructor", "#by=toString"])
def test_wrong_deep_links_by_inherited_names(show: Show, wrong: str) -> None:
    page = show(synthetic().report, wrong)
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


def test_next_document_goes_through_all_worst_first(show: Show) -> None:
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


def test_the_next_document_begins_at_its_beginning(show: Show) -> None:
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


def test_two_documents_of_one_name(show: Show) -> None:
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


# --- 4. by keyboard alone -----------------------------------------------------------------------


def tab_stops(page: Page, most: int = 200) -> list[str]:
    """What Tab reaches, from where the focus is, once around; each must show the focus."""
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


def test_skip_link(show: Show) -> None:
    page = show(example())
    page.keyboard.press("Tab")
    assert focus(page) == "skip" and seen(page, page.locator("#skip"))
    page.keyboard.press("Enter")
    assert focus(page) == "main"
    page.keyboard.press("Tab")
    assert focus(page) == "part"


def test_overview_by_keyboard(show: Show) -> None:
    page = show(example())

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
        assert page.locator("#say").inner_text() == page.locator("#info").inner_text().strip()
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
    page.keyboard.press("n")  # there is none
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
    page.keyboard.press("j")  # no key reaches what is behind
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


def test_focus_stays_on_next_document(show: Show) -> None:
    page = done(show(synthetic().report, link(document=made_order()[0])))
    page.locator("#next-document").focus()
    page.keyboard.press("Enter")
    at(page, made_order()[1])
    assert focus(page) == "next-document"


def test_focus_stays_on_what_is_shown(show: Show) -> None:
    page = done(show(synthetic().report, link(document="made 00")))
    page.get_by_role("radio", name="both").focus()
    page.keyboard.press("ArrowUp")
    page.wait_for_function("() => location.hash.includes('show=response')")
    done(page)
    assert page.evaluate("() => document.activeElement.value") == "response"


@pytest.mark.parametrize("field", ["errors-kind", "errors-label"])
def test_focus_stays_on_the_choice_of_errors(show: Show, field: str) -> None:
    page = show(synthetic().report, "#view=errors")
    page.locator(f"#{field}").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_function("() => /kind=|label=/.test(location.hash)")
    page.wait_for_timeout(20)
    assert focus(page) == field


def test_space_presses_a_mention(show: Show) -> None:
    page = done(show(synthetic().report, link(document="made 00")))
    page.locator(".b[role=button]", has=page.locator(".code")).first.focus()
    page.keyboard.press("Space")
    assert chosen(page) is not None


def made_order() -> list[str]:
    """The documents of the synthetic corpus, worst first."""
    result = synthetic().analyses["system 0"].result
    scores = [found["conll"] for found in result.by_document()]
    places = sorted(range(len(scores)), key=lambda n: (2 if scores[n] is None else scores[n], n))
    return [synthetic().key[place].name for place in places]


# --- 5. downloads -------------------------------------------------------------------------------


def downloaded(page: Page, name: str) -> list[list[str]]:
    with page.expect_download() as waiting:
        page.locator(f"#csv-{name}").click()
    assert waiting.value.suggested_filename == f"{name}.csv"
    data = Path(waiting.value.path()).read_bytes()
    return list(csv.reader(io.StringIO(data.decode("utf-8"), newline="")))


AWKWARD = 'a, "b"\nc\r\n=1+1;\té'


@cache
def awkward() -> Corpus:
    """Names, words, types and responses with commas, quotes and ends of lines."""
    key, responses = made(["one", "two, three", 'say "hi"', "li\nne"], words=40)
    for number, one in enumerate(key):
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
        key[number] = Document(one.name, entities, text=text)
        (name,) = responses
        responses[name][number] = Document(one.name, responses[name][number].entities, text=text)
    (response,) = responses.values()
    return corpus_of(key, {AWKWARD: response, "plain": key}, title=AWKWARD)


def same(text: str, value: str) -> bool:
    """Whether a cell of a table and of its CSV file say the same."""
    if text == "–":
        return value == ""
    if match := re.fullmatch(r"(\d+) of \d+", text):
        return value == match[1]
    if re.fullmatch(r"[+−]?\d+(\.\d+)?\*{0,2}", text):
        return abs(number(text) - float(value)) < 0.00512
    return text == value


@pytest.mark.parametrize("corpus", [synthetic, awkward])
def test_tables_are_downloaded_as_they_are_shown(show: Show, corpus: Callable[[], Corpus]) -> None:
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
        head, rows, small = cells(page, name)
        file = downloaded(page, name)
        if name in ("scores", "differences"):  # a line for each cell, with what stands below it
            lines = [line for line in file[1:] if line[0] == rows[0][0]]
            assert len(file) == 1 + len(rows) * (len(head) - 1)
            for cell, below, line in zip(rows[0][1:], small[0][1:], lines, strict=True):
                value = line[2] if name == "scores" else line[3]
                assert same(cell.rstrip("*"), value)
                ends = line[3:5] if name == "scores" else line[4:6]
                if below and "[" in below[0]:
                    assert interval(below[0]) == pytest.approx([*map(float, ends)], abs=0.0051)
            continue
        if name.startswith("links"):  # a line for each cell
            word = name.removeprefix("links-")
            assert file[0] == ["anaphor", "antecedent", "links", word]
            shown = {
                (row[0], kind): cell
                for row in rows
                for kind, cell in zip(head[1:], row[1:], strict=True)
            }
            for anaphor, antecedent, total, bad in file[1:]:
                assert shown.pop((anaphor, antecedent)) == f"{bad} of {total}"
            assert set(shown.values()) <= {"–"}
            continue
        assert file[0] == head
        assert len(file) == len(rows) + 1
        for row, line in zip(rows, file[1:], strict=True):
            shown_row = [
                row[0].strip() if name in ("repairs", "errors-by-kind") else row[0],
                *row[1:],
            ]
            if name in ("repairs", "errors-by-kind"):  # without the code
                shown_row[0] = shown_row[0].split(" ", 1)[1]
            assert len(line) == len(row) and all(map(same, shown_row, line)), (shown_row, line)
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
def test_errors_are_downloaded_as_they_are_shown(show: Show, corpus: Callable[[], Corpus]) -> None:
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


# --- 6. text is data ----------------------------------------------------------------------------

NASTY = [
    "<script>alert(1)</script>", "</script>", "<!--", "-->", "<!-- data -->", "<!-- documents -->", '"', "'",
    "&amp;", "&lt;", "${x}", "\u2028", "\u2029", "{what}", "{other}", "$&", "$1", "`", "\\", "\\u003c",
    "<img src=x onerror=alert(1)>", "שלום", "مرحبا", "\u202eabc\u202c", "e\u0301", "🙂", "👩‍👩‍👧", "\x00", "\ufeff",
    "]]>", "<![CDATA[", "__proto__", "constructor", "%3Cb%3E", "</style>", "javascript:alert(1)", "<b>x</b>",
    "\x7f", "null", "a\tb", "</textarea>", "\u0085",
]  # fmt: skip


@cache
def nasty() -> tuple[sameas.Report, list[Document]]:
    """Everything that can be text is nasty: words, names, ids, types, responses, the title."""
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
    systems = page.locator("#system option").evaluate_all(
        "(all) => all.map((one) => one.textContent)"
    )
    assert (
        systems == report.systems == ["</script><script>alert(1)</script>", '"&amp;<!-- data -->$&']
    )
    assert page.title().startswith("<!-- data --></title><script>alert(1)</script>$&")
    assert page.locator("#what").inner_text() == "<!-- data --></title><script>alert(1)</script>$&"
    found = elements(page)
    assert found["script"] == 2 + len(key) and found["style"] == found["title"] == 1
    assert not {"img", "b", "textarea", "iframe"} & set(found)
    assert [row[0] for row in cells(page, "scores")[1]] == systems
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
        told = page.locator("#info").evaluate("(one) => one.textContent")
        assert f"({one.entities[0].id})" in told and f"“{one.tokens[0]}”" in told
    assert page.evaluate("() => document.querySelectorAll('script').length") == 2 + len(key)


def test_messages_are_not_templates(show: Show) -> None:
    """`{what}`, `{other}` and `$&` in words stay what they are in messages."""
    report, key = nasty()
    page = show(report, link(view="errors"))
    analysis = sameas.analyse(key, nasty_first())
    while page.get_by_role("button", name="Show more").is_visible():
        page.get_by_role("button", name="Show more").click()
    texts = page.locator(".found a").evaluate_all("(all) => all.map((one) => one.textContent)")
    assert sorted(texts) == sorted(error.message for error in analysis.errors)
    assert not {"img", "b", "iframe"} & set(elements(page))


def nasty_first() -> list[Document]:
    """The first response, as far as messages tell of it."""
    clusters = [[(0, 0), (5, 5)], [(1, 1), (3, 4)], [(7, 7)]]
    return [
        document(name, [NASTY[n:] + NASTY[:n], ["x", "y"]], clusters)
        for n, name in enumerate(NASTY)
    ]


def test_no_script_runs_but_the_page_s_own(show: Show) -> None:
    """The policy of the page names its script and style sheet by their hashes."""
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
    assert not ran and not show.quiet()  # the browser says what it refused
    changed = report.html.replace('"use strict";', '"use strict";window.ran = true;', 1)
    page = show(changed)
    page.wait_for_timeout(50)
    assert page.evaluate("() => window.ran") is None and not show.quiet()


def test_without_javascript_the_scores_are_text(show: Show) -> None:
    report, _ = nasty()
    page = show(report, java_script_enabled=False)
    told = page.locator("noscript").inner_text()
    assert "MUC" in told and "CoNLL" in told
    assert page.locator("noscript script, noscript img").count() == 0
    cells = page.locator("noscript tbody tr").first.locator("td")
    assert cells.first.evaluate("(cell) => getComputedStyle(cell).textAlign") == "left"
    assert cells.last.evaluate("(cell) => getComputedStyle(cell).textAlign") == "right"


def test_a_lone_surrogate_is_shown_as_something(show: Show) -> None:
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
    """A notebook shows a report in a frame of its own."""
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


# --- 7. accessibility ---------------------------------------------------------------------------


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
    """Rules that are broken, and where."""
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


# --- 8. layout ----------------------------------------------------------------------------------


def sideways(page: Page) -> int:
    """By how much the page is wider than the window."""
    return page.evaluate("() => document.documentElement.scrollWidth - innerWidth")


PLACES = {
    "overview": "",
    "overview, two": "#second=system+1",
    "errors": "#view=errors",
    "document": "#document=made+01",
    "document, two": "#document=made+01&second=system+1&error=1",
}


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_nothing_is_wider_than_the_window(show: Show, width: int) -> None:
    page = show(small().report, viewport={"width": width, "height": 800})
    for name, place in PLACES.items():
        show.again(page, small().report, place)
        assert sideways(page) <= 0, name


@cache
def named() -> Corpus:
    """Documents with names as long as those of real corpora, and two responses."""
    names = [f"{number}_the_house_behind_the_cedars_a_story_0" for number in range(100, 105)]
    names.append("averylongnamewithoutaplacetobreakitat" * 2)
    words, key = [["the", "house", "fell"]] * 700, [[(0, 1), (3, 4)], [(6, 7), (9, 10)]]
    one = [document(name, words, key) for name in names]
    other = [document(name, words, key[:1]) for name in names]
    return corpus_of(one, {"first": other, "a-longer-name": one})


@pytest.mark.parametrize("width", [1024, 1280, 1366, 1440, 1920])
@pytest.mark.parametrize("place", ["", "#second=a-longer-name"])
def test_all_columns_of_documents_are_in_the_window(show: Show, width: int, place: str) -> None:
    page = show(named().report, place, viewport={"width": width, "height": 800})
    assert sideways(page) <= 0
    last = page.locator("#table-documents thead th").last
    box, inside = last.bounding_box(), page.locator("#documents .scroll").bounding_box()
    assert box is not None and inside is not None
    if not place or width > 1024:
        assert box["x"] + box["width"] <= inside["x"] + inside["width"] + 1 <= width
    last.scroll_into_view_if_needed()
    assert last.bounding_box()["x"] + box["width"] <= width  # type: ignore[index]


def test_the_last_column_is_reached_on_a_phone(show: Show) -> None:
    page = show(named().report, viewport=PHONE)
    scroll, last = page.locator("#documents .scroll"), page.locator("#table-documents th").nth(11)
    assert sideways(page) <= 0 and last.inner_text().startswith("CoNLL")
    scroll.evaluate("(box) => { box.scrollLeft = box.scrollWidth; }")
    box, name = last.bounding_box(), page.locator("#table-documents tbody th").first.bounding_box()
    assert box is not None and name is not None
    # It does not lie under the names, which stay where they are.
    assert name["x"] + name["width"] <= box["x"] and box["x"] + box["width"] <= PHONE["width"]


@pytest.mark.parametrize("place", ["", "#view=errors", "#document={name}"])
def test_long_names_are_broken(show: Show, place: str) -> None:
    name = "nw/" + "averylongnamewithoutaspace" * 4
    one = document(name, [["x", "y"]], [[(0, 0), (1, 1)]])
    report = sameas.report([one], {"s" * 60: [one], "t" * 60: [one]})
    page = show(report, place.format(name=quote(name, safe="")), viewport=PHONE)
    assert sideways(page) <= 0


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


def test_print_is_light(show: Show) -> None:
    page = show(example(), color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert min(background(page)) > 200


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


# --- 9. documents of all shapes -----------------------------------------------------------------


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
    report = sameas.report_results(results, comparing=sameas.Comparing(pairs="all", samples=200))
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
def test_guessed_kinds_are_said_beside_the_tables(show: Show, language: str) -> None:
    words = [["the", "dog", "saw", "it"]] if language == "English" else [["הוא", "ראה", "את", "זה"]]
    one = document("a", words, [[(0, 1), (3, 3)]])
    page = show(sameas.report([one], [one]))
    said = "are guessed, by rules for English: 4 of 4" if language == "English" else "are unknown"
    for section in ("groups", "links"):
        assert said in page.locator(f"#{section} p.faint").inner_text()
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


def test_mentions_that_are_no_text(show: Show) -> None:
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
    shape(show, key, synthetic().responses["system 0"][:1])


def test_one_document_promises_no_intervals(show: Show) -> None:
    page = show(sameas.report(synthetic().key[:1], synthetic().responses["system 0"][:1]))
    assert "interval" not in page.locator("#table-scores caption").inner_text()


def test_a_response_that_lacks_documents(show: Show) -> None:
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


def test_metrics_that_were_asked_for(show: Show) -> None:
    page = show(sameas.report(KEY, SYSTEMS, metrics=["muc", "b3"]))
    assert cells(page, "scores")[0][1:] == ["MUC", "B³"]
    head, rows, _ = cells(page, "documents")
    assert head[-2:] == ["MUC", "B³"]
    assert [number(row[-2]) for row in rows] == sorted(number(row[-2]) for row in rows)


# --- 10. size -----------------------------------------------------------------------------------


def test_a_sentence_without_end(show: Show) -> None:
    """A text without sentences is one of many words; all of it is shown, its number once."""
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
    begin = time.perf_counter()
    key, responses = made([f"large {n:03d}" for n in range(100)], words=1500)
    count = sum(one.mention_count for one in key)
    assert count == 30_000
    prepared = time.perf_counter()
    report = sameas.report(key, responses)
    reported = time.perf_counter()
    size = len(report.html.encode())
    page = show(report)
    page.locator("#table-documents a").first.click()
    done(page)
    opened = time.perf_counter()
    print(
        f"\n30,000 mentions: {size / 1e6:.1f} MB; corpus {prepared - begin:.1f} s, "
        f"report {reported - prepared:.1f} s, opened {opened - reported:.1f} s"
    )
    assert size < 15e6
