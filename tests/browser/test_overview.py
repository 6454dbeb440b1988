"""The overview of the report: scores, differences, repairs, errors by kind, links, documents."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs

import pytest

import sameas
from browser.corpora import KEY, SYSTEMS, Corpus, example, example_analyses, long, synthetic
from browser.expected import CODES
from browser.pages import (
    Show,
    address,
    at,
    cells,
    chosen,
    done,
    focus,
    interval,
    link,
    near,
    number,
    pick,
    shown,
    visit,
)
from sameas.analysis.findings import KINDS
from sameas.show.page.data import GROUPED

pytestmark = pytest.mark.long


def test_scores_match_sameas(show: Show) -> None:
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
    comparison = sameas.analysis.compare_results(results, sameas.settings.Comparing(pairs="all"))
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
    for bar, analysis in zip(page.locator(".bar").all(), example_analyses().values(), strict=True):
        widths = bar.evaluate(
            "(bar) => [bar.clientWidth, ...[...bar.children].map((one) => one.getBoundingClientRect().width)]"
        )
        assert widths[1] / widths[0] == pytest.approx(analysis.result.conll.value, abs=0.005)
        assert sum(widths[1:]) / widths[0] == pytest.approx(1, abs=0.01)
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


@pytest.mark.parametrize("corpus", [None, synthetic], ids=["example", "synthetic"])
def test_error_counts_link_to_that_many_errors(
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
            # Each number except zero is a link to a list of that many errors.
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
    # Go from the list to the text.
    first = page.locator("#errors .found a").first
    first.click()
    done(page)
    assert chosen(page) is not None and shown(page) == "document"


def test_long_lists_of_errors_are_shown_in_batches(show: Show) -> None:
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


def test_choices_are_kept_for_another_response(show: Show) -> None:
    page = show(example(), link(system="careful", second="eager"))
    assert cells(page, "documents")[0][-2].startswith("CoNLL")
    page.locator("#metric").select_option("MUC")
    assert cells(page, "documents")[0][-2].startswith("MUC")
    show.again(page, example(), "")
    page.locator("#by").select_option("entity size")
    page.locator("#system").select_option("eager")
    page.wait_for_function(
        "() => document.querySelector('#groups h2').textContent.includes('eager')"
    )
    assert (
        page.locator("#by").evaluate("(one) => one.selectedOptions[0].textContent") == "entity size"
    )


def test_a_group_missing_from_the_other_response(show: Show) -> None:
    analyses = example_analyses()
    assert "0" in analyses["eager"].errors.by("distance")
    assert "0" not in analyses["careful"].errors.by("distance")
    page = show(example(), link(view="errors", by="distance", label="0", system="eager"))
    assert page.locator("#errors .found li").count() > 0
    page.locator("#system").select_option("careful")
    page.wait_for_function(
        "() => document.querySelector('#errors-title').textContent.startsWith('careful')"
    )
    # The list has the chosen errors, and the choice can be undone.
    assert page.locator("#errors-label").input_value() == "0"
    assert page.locator("#errors .found li").count() == 0
    page.locator("#errors-label").select_option("any")
    assert page.locator("#errors .found li").count() == len(analyses["careful"].errors)


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


def test_documents_sorted_by_any_column(show: Show) -> None:
    page = show(synthetic().report, link(system="system 1", second="system 0"))
    columns = page.locator("#table-documents th button").count()
    assert columns == 4 + 8 + 2
    by_mouse = [("mouse", column) for column in (0, 3, 4, columns - 1)]
    for how, column in [*by_mouse, *(("keyboard", column) for column in range(columns))]:
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
