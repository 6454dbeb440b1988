"""A document of the report: its text with brackets, its errors, finding words, two responses."""

from __future__ import annotations

import re

import pytest

import sameas
from browser.corpora import KEY, document, example, example_analyses, long, synthetic
from browser.expected import CODES, around, covered, errors_of, members, placements, written
from browser.pages import (
    DESKTOP,
    Show,
    address,
    chosen,
    done,
    link,
    numbers,
    seen,
    text_of,
    visit,
    words_of,
    words_with,
)
from sameas.analysis.findings import KINDS, Error

pytestmark = pytest.mark.long


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


def test_hover_highlights_exactly_the_entity(show: Show) -> None:
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
    show.again(page, synthetic().report, link(document="made 00", show="key"))
    done(page)
    word = next(iter(covered(members(synthetic().key[0])[0])))
    page.locator(f".w[data-w='{word}']").hover()
    assert words_with(page, "lit-key") and not words_with(page, "lit-response")


def test_hover_over_a_bracket_highlights_only_its_side(show: Show) -> None:
    page = done(
        show(example(), link(document="story/lighthouse_0", system="eager"), viewport=DESKTOP)
    )
    document = next(d for d in sameas.read(KEY).documents if d.name == "story/lighthouse_0")
    page.locator(".b.key[role=button]").first.hover()
    entity = next(e for e in members(document) if ((0, 1)) in [spans[0] for spans in e])
    assert words_with(page, "lit-key") == covered(entity)
    assert words_with(page, "lit-response") == set()
    info = page.locator("#info").inner_text()
    assert (
        document.entities[0].id in info
        and f"{len(entity)} mention" in info
        and "Mara Quill" in info
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
    # An error chosen by address is shown, whatever the filters exclude.
    page.evaluate(
        "(to) => { location.hash = to; }",
        link(document="made 05", system="system 1", error=expected[2].number),
    )
    page.wait_for_selector('[aria-current="true"]')
    assert numbers(page) == [error.number for error in expected]
    # The filters are in the address.
    page.locator("input[data-kind='0']").uncheck()
    page.locator("input[data-kind='4']").uncheck()
    left = numbers(page)
    assert address(page)["hide"] == "S,D"
    page.reload()
    done(page)
    assert numbers(page) == left
    # Choosing an error that the filters exclude resets them.
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
        assert error.message in page.locator("#announcement").inner_text()
    # The last error is beyond the first page of the list.
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


def test_more_errors_are_listed_on_demand(show: Show) -> None:
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


def test_clicks_cycle_through_the_errors_of_a_mention(show: Show) -> None:
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


def test_words_are_found_beyond_the_first_batch(show: Show) -> None:
    sentences = [["w", str(n), "end"] for n in range(4000)]
    one = document("a", sentences, [[(0, 0), (3, 3)]])
    page = show(sameas.report([one], [one]), link(document="a"))
    page.locator("#find").fill("3999 END")
    assert seen(page, page.locator(".w[data-w='11998']"))
    done(page)
    assert words_with(page, "hit") == {11998, 11999}
    assert len(words_of(page)) == 12000


def test_responses_are_switched_and_shown_side_by_side(show: Show) -> None:
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
    # A response next to itself is shown only once.
    page.locator("#second").select_option("eager")
    page.wait_for_function("() => document.getElementById('second').selectedIndex === 0")
