"""Compare errors and repairs with brute force, and check properties that hold for all documents."""

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import brute_analysis
import sameas
from brute_analysis import KINDS, errors, links, place
from effort import examples
from properties.analysis.random_errors import (
    METRICS,
    SPANS,
    SUBSETS,
    Clusters,
    Pair,
    analyse,
    as_items,
    brute,
    check_perfect,
    close,
    documents,
    in_text,
    random_pairs,
    same_scores,
)
from sameas import Analysis, Document, Entity
from simulation import clusters

unhurried = settings(deadline=None, max_examples=examples(40))
SWAPPED = {
    "span": "span",
    "conflated": "divided",
    "divided": "conflated",
    "extra mention": "missing mention",
    "missing mention": "extra mention",
    "extra entity": "missing entity",
    "missing entity": "extra entity",
}


# Documents


def side(mentions: int) -> st.SearchStrategy[list[list[int]]]:
    """Return random clusters of some mentions; sometimes singletons, one entity, or nothing."""
    anything = st.lists(st.integers(-1, 4), min_size=mentions, max_size=mentions)
    extremes = st.sampled_from([list(range(mentions)), [0] * mentions, [-1] * mentions])
    return st.one_of(anything, anything, extremes).map(clusters)


PAIRS = st.integers(0, 8).flatmap(lambda mentions: st.tuples(side(mentions), side(mentions)))
SPAN_PAIRS = st.tuples(st.permutations(SPANS), PAIRS).map(
    lambda drawn: tuple([[drawn[0][m] for m in entity] for entity in side] for side in drawn[1])
)
ITEM_PAIRS = PAIRS.map(lambda pair: tuple(as_items(side) for side in pair))
ITEM_CORPORA = st.lists(ITEM_PAIRS, min_size=1, max_size=3)
SPAN_CORPORA = st.lists(SPAN_PAIRS, min_size=1, max_size=3)
CORPORA = st.one_of(ITEM_CORPORA, SPAN_CORPORA)


def named(error: Any) -> brute_analysis.Error:
    """Return an error in the form of brute force."""
    return error.kind, frozenset(
        mention.places[0] if mention.text[0] != "m" else mention.text for mention in error.mentions
    )


def by_document(analysis: Analysis, number: int) -> list[list[brute_analysis.Error]]:
    found: list[list[brute_analysis.Error]] = [[] for _ in range(number)]
    for error in analysis.errors:
        found[error.place].append(named(error))
    return found


Choice = tuple[Any, Callable[[int, brute_analysis.Error], bool]]


def check_repairs(
    analysis: Analysis, pairs: Sequence[Pair], choices: Sequence[Choice], **options: Any
) -> None:
    """Repair the choices, also by brute force, and compare every number of every metric.

    A choice is an argument of `repaired`, and a test of whether it covers an error of a document.
    """
    drop = options.get("singletons") == "drop"
    known = [(document := brute(pair, drop), errors(document)) for pair in pairs]
    rows: dict[tuple[int, frozenset[frozenset[Hashable]]], int] = {}  # repaired documents, cached
    wanted = []
    for _, means in choices:
        numbers = []
        for number, (document, found) in enumerate(known):
            entities = brute_analysis.repair(
                document, [error for error in found if means(number, error)]
            )
            row = number, frozenset(frozenset(entity) for entity in entities)
            numbers.append(rows.setdefault(row, len(rows)))
        wanted.append(numbers)
    scored = sameas.score(
        documents(pairs[number][0] for number, _ in rows),
        documents(entities for _, entities in rows),
        metrics=METRICS,
        **options,
    ).statistics
    for (what, _), numbers in zip(choices, wanted, strict=True):
        repaired = analysis.repaired(what).statistics
        for metric in METRICS:
            columns = zip(repaired.columns[metric], scored.columns[metric], strict=True)
            for found, expected in columns:
                assert close(found, expected[numbers]), (what, metric)


def kind_choices(kinds: Iterable[tuple[str, ...]]) -> list[Choice]:
    return [(list(some), lambda number, error, some=some: error[0] in some) for some in kinds]


def single_choices(analysis: Analysis, number: int, seed: int) -> list[Choice]:
    """Return some random sets of single errors."""
    generator = random.Random(seed)
    found: list[Choice] = []
    for _ in range(number):
        share = generator.random()
        some = [error for error in analysis.errors if generator.random() < share]
        chosen = {(error.place, *named(error)) for error in some}
        found.append((some, lambda number, error, chosen=chosen: (number, *error) in chosen))
    return found


def check_errors(analysis: Analysis, pairs: Sequence[Pair], drop: bool = False) -> None:
    expected = [errors(brute(pair, drop)) for pair in pairs]
    for found, wanted in zip(by_document(analysis, len(pairs)), expected, strict=True):
        assert Counter(found) == Counter(wanted)
    assert Counter(analysis.counts) == Counter(kind for some in expected for kind, _ in some)


# Brute force


@pytest.mark.long
@pytest.mark.parametrize("options", [{}, {"singletons": "drop"}], ids=str)
@pytest.mark.parametrize("kind", ["items", "spans"])
def test_errors_and_every_set_of_kinds_equal_brute_force(
    kind: str, options: dict[str, str]
) -> None:
    pairs = random_pairs(140, seed=2013, kind=kind)
    analysis = analyse(pairs, **options)
    assert all(analysis.counts[error] > 3 for error in KINDS if (error, kind) != ("span", "items"))
    check_errors(analysis, pairs, drop=bool(options))
    check_repairs(analysis, pairs, kind_choices(SUBSETS), **options)


@pytest.mark.long
@pytest.mark.parametrize("options", [{}, {"singletons": "drop"}], ids=str)
@pytest.mark.parametrize("kind", ["items", "spans"])
def test_repairs_of_single_errors_equal_brute_force(kind: str, options: dict[str, str]) -> None:
    pairs = random_pairs(200, seed=2014, kind=kind)
    analysis = analyse(pairs, **options)
    check_repairs(analysis, pairs, single_choices(analysis, 25, seed=1), **options)


@unhurried
@given(CORPORA, st.integers(0, 1 << 16))
def test_any_errors_and_repairs_equal_brute_force(corpus: list[Pair], seed: int) -> None:
    if not any(key for key, _ in corpus):
        return  # see test_a_key_without_mentions
    analysis = analyse(corpus)
    check_errors(analysis, corpus)
    some = random.Random(seed).sample(SUBSETS, 6)
    check_repairs(analysis, corpus, kind_choices(some) + single_choices(analysis, 4, seed))


@pytest.mark.long
def test_two_thousand_documents_have_the_errors_of_brute_force() -> None:
    for kind in ("items", "words", "spans"):
        pairs = random_pairs(700, seed=5, kind=kind, largest=12)
        check_errors(analyse(pairs), pairs)


@unhurried
@given(CORPORA)
@example([([["m0"]], [["m0", "m1"]])])
@example([([["m0"], ["m1"]], [["m0", "m1"]])])
@example([([["m0"]], []), ([["m0"]], [["m1"], ["m2", "m3"]])])
@example([([], [["m0"]]), ([["m0", "m1"]], [])])
def test_repairing_all_is_perfect_and_repairing_nothing_changes_nothing(
    corpus: list[Pair],
) -> None:
    if not any(key for key, _ in corpus):
        return  # see test_a_key_without_mentions
    analysis = analyse(corpus)
    check_perfect(analysis.repaired(), (key for key, _ in corpus))
    assert analysis.repaired(KINDS) == analysis.repaired(analysis.errors) == analysis.repaired()
    key, response = zip(*corpus, strict=True)
    plain = sameas.score(documents(key), documents(response), metrics=METRICS)
    assert analysis.repaired([]) == plain == analysis.result


@pytest.mark.long
@pytest.mark.parametrize("kind", ["items", "words", "spans"])
def test_each_of_a_thousand_documents_is_repaired(kind: str) -> None:
    pairs = random_pairs(1000, seed=7, kind=kind)
    analysis = analyse(pairs)
    repaired = analysis.repaired()
    assert same_scores(
        repaired, sameas.score(*[documents(key for key, _ in pairs)] * 2, metrics=METRICS)
    )
    check_perfect(repaired, (key for key, _ in pairs))
    for number in range(0, len(pairs), 10):
        check_perfect(repaired.select([number]), [pairs[number][0]])
    assert analysis.repaired([]) == analysis.result


@pytest.mark.parametrize("options", [{}, {"singletons": "drop"}], ids=str)
def test_a_key_without_mentions(options: dict[str, str]) -> None:
    key: Clusters = [["a"]] if options else []
    analysis = analyse([(key, [["a", "b"], ["c", "d"]])], **options)
    assert analysis.counts == {**dict.fromkeys(KINDS, 0), "extra entity": 2}
    check_perfect(analysis.repaired(), [[]])


def test_empty_on_both_sides() -> None:
    analysis = analyse([([], [])])
    assert (
        not any(analysis.counts.values()) and not len(analysis.errors) and not len(analysis.links)
    )
    assert analysis.linked() == {"key": {}, "response": {}}
    assert analysis.repaired() == analysis.repaired([]) == analysis.result


@unhurried
@given(st.one_of(ITEM_PAIRS, SPAN_PAIRS))
def test_a_perfect_response_has_no_errors(pair: Pair) -> None:
    analysis = analyse([(pair[0], list(pair[0])[::-1])])
    assert (
        not any(analysis.counts.values()) and not len(analysis.errors) and not len(analysis.links)
    )


# Numbers of errors and links


@pytest.mark.parametrize("kind", ["items", "words", "spans"])
def test_errors_are_numbered_and_counted(kind: str) -> None:
    analysis = analyse(random_pairs(300, seed=11, kind=kind))
    assert [error.number for error in analysis.errors] == [*range(len(analysis.errors))]
    kinds = [error.kind for error in analysis.errors]
    assert kinds == sorted(kinds, key=KINDS.index)
    assert analysis.counts == {kind: kinds.count(kind) for kind in KINDS}
    assert list(analysis.counts) == list(KINDS)
    assert [link.number for link in analysis.links] == [*range(len(analysis.links))]
    assert [repair.kind for repair in analysis.what_if] == list(KINDS)
    assert [repair.errors for repair in analysis.what_if] == list(analysis.counts.values())


def test_what_if_repairs_each_kind_alone_and_in_turn() -> None:
    analysis = analyse(random_pairs(100, seed=12, kind="spans"))
    for number, repair in enumerate(analysis.what_if):
        assert repair.alone == analysis.repaired(repair.kind) == analysis.repaired([repair.kind])
        assert repair.in_turn == analysis.repaired(KINDS[: number + 1])
    assert analysis.what_if[0].alone == analysis.what_if[0].in_turn
    assert analysis.what_if[-1].in_turn == analysis.repaired()


@pytest.mark.long
@pytest.mark.parametrize("options", [{}, {"singletons": "drop"}], ids=str)
@pytest.mark.parametrize("kind", ["items", "words", "spans"])
def test_links_are_those_that_muc_counts(kind: str, options: dict[str, str]) -> None:
    pairs = random_pairs(800, seed=13, kind=kind)
    analysis = analyse(pairs, **options)
    columns = analysis.result.statistics.columns["muc"]
    found = {"missing link": np.zeros(len(pairs), int), "wrong link": np.zeros(len(pairs), int)}
    for link in analysis.links:
        found[link.kind][link.place] += 1
    assert (found["missing link"] == columns[1] - columns[0]).all()
    assert (found["wrong link"] == columns[3] - columns[2]).all()
    right, in_key, _, in_response = analysis.result["muc"].counts
    for name, total in (("key", in_key), ("response", in_response)):
        cells = analysis.linked()[name].values()
        assert sum(number for number, _ in cells) == total
        assert sum(number - wrong for number, wrong in cells) == right
    # And by brute force, document by document.
    for number, pair in enumerate(pairs):
        key, response = ([e for e in one if len(e) > bool(options)] for one in pair)
        assert links(key, response) == (columns[1][number], columns[0][number])
        assert links(response, key) == (columns[3][number], columns[2][number])


@unhurried
@given(SPAN_PAIRS)
def test_links_of_an_entity_are_a_tree(pair: Pair) -> None:
    """Each mention except the first has one antecedent before it, in the same entity."""
    if not pair[0]:
        return
    analysis = analyse([pair])
    for name, entities in zip(("key", "response"), pair, strict=True):
        home = {mention: number for number, entity in enumerate(entities) for mention in entity}
        broken = [link for link in analysis.links if link.mentions[0].side == name]
        anaphors = [link.mentions[0].places[0] for link in broken]
        assert len(set(anaphors)) == len(anaphors)
        for link in broken:
            anaphor, antecedent = link.mentions[0].places[0], link.other.places[0]
            assert place(antecedent) < place(anaphor)
            assert home[antecedent] == home[anaphor]


def about(error: Any) -> tuple[object, ...]:
    """Return an error without its number and the names of entities."""
    other = error.other and (
        error.other.side,
        error.other.places,
        error.other.text,
        error.other.kind,
    )
    return (
        error.kind,
        error.place,
        tuple((m.side, m.places, m.text, m.kind, m.sentence) for m in error.mentions),
        other,
        error.size,
        error.distance,
        error.head,
    )


# Symmetry, names and order


@unhurried
@given(CORPORA)
def test_swapping_the_sides_swaps_the_errors(corpus: list[Pair]) -> None:
    if not any(key for key, _ in corpus) or not any(response for _, response in corpus):
        return
    one, other = analyse(corpus), analyse([(response, key) for key, response in corpus])
    assert {SWAPPED[kind]: number for kind, number in one.counts.items()} == other.counts
    ours, theirs = (analysis.links.by("kind") for analysis in (one, other))
    assert len(ours.get("missing link", ())) == len(theirs.get("wrong link", ()))
    assert len(ours.get("wrong link", ())) == len(theirs.get("missing link", ()))
    if in_text(corpus):
        linked = one.linked()
        assert other.linked() == {"key": linked["response"], "response": linked["key"]}


@pytest.mark.long
def test_swapping_the_sides_swaps_errors_with_many_spans() -> None:
    pairs = random_pairs(1000, seed=17, kind="spans", largest=12)
    one, other = analyse(pairs), analyse([(response, key) for key, response in pairs])
    assert one.counts["span"] > 100
    assert {SWAPPED[kind]: number for kind, number in one.counts.items()} == other.counts
    found, swapped = (Counter((e.place, e.kind) for e in a.errors) for a in (one, other))
    assert {(number, SWAPPED[kind]): n for (number, kind), n in found.items()} == swapped
    links = [
        Counter(
            (link.kind, link.place, link.mentions[0].places, link.other.places) for link in a.links
        )
        for a in (one, other)
    ]
    other_kind = {"missing link": "wrong link", "wrong link": "missing link"}
    assert (
        Counter({(other_kind[kind], *rest): n for (kind, *rest), n in links[0].items()}) == links[1]
    )


@unhurried
@given(SPAN_CORPORA, st.randoms(use_true_random=False))
def test_names_and_order_of_entities_change_nothing(
    corpus: list[Pair], generator: random.Random
) -> None:
    if not any(key for key, _ in corpus):
        return

    def disguised(sides: Iterable[Clusters]) -> list[Document]:
        return [
            Document(
                f"document {number:05}",
                [
                    Entity(f"entity {generator.random()}", tuple(generator.sample(e, len(e))))
                    for e in generator.sample(entities, len(entities))
                ],
            )
            for number, entities in enumerate(sides)
        ]

    key, response = zip(*corpus, strict=True)
    plain = analyse(corpus)
    other = sameas.analyse(disguised(key), disguised(response), metrics=METRICS)
    assert plain.counts == other.counts
    assert Counter(map(about, plain.errors)) == Counter(map(about, other.errors))
    assert Counter(map(about, plain.links)) == Counter(map(about, other.links))
    assert plain.linked() == other.linked()
    for kinds in generator.sample(SUBSETS, 10):
        assert same_scores(plain.repaired(kinds), other.repaired(kinds))


def in_order(found: Iterable[Any]) -> bool:
    places = [(error.place, *place(error.mentions[0].places[0])) for error in found]
    return places == sorted(places)


@pytest.mark.long
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "span"])
def test_errors_of_a_kind_are_in_text_order(kind: str) -> None:
    analysis = analyse(random_pairs(300, seed=19, kind="spans"))
    assert in_order(analysis.errors.where(kind=kind))


def test_span_errors_links_and_mentions_are_in_text_order() -> None:
    analysis = analyse(random_pairs(300, seed=19, kind="spans"))
    assert in_order(analysis.errors.where(kind="span"))
    for kind in ("missing link", "wrong link"):
        assert in_order(analysis.links.where(kind=kind))
    for error in analysis.errors:
        spans = [place(mention.places[0]) for mention in error.mentions]
        assert spans == sorted(spans)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["items", "spans"])
def test_documents_are_analysed_independently(kind: str) -> None:
    pairs = [pair for pair in random_pairs(60, seed=23, kind=kind) if pair[0]]
    whole = analyse(pairs)
    for number, pair in enumerate(pairs):
        alone = analyse([pair])
        here = [about(error)[2:] for error in whole.errors if error.place == number]
        assert here == [about(error)[2:] for error in alone.errors]
        for repair, repaired in zip(whole.what_if, alone.what_if, strict=True):
            assert same_scores(repair.in_turn.select([number]), repaired.in_turn)
