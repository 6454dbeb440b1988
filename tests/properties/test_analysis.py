"""Errors and their repair: against brute force, and what must hold whatever the documents.

Brute force lists the errors from their definitions and does the steps of a repair on sets; what it
gives is scored as any response is. See `brute_analysis`.
"""

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import chain, combinations
from math import isclose
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import brute_analysis
import sameas
from brute_analysis import KINDS, errors, links, place, span_errors
from sameas import Analysis, Document, Entity, Mention, Result
from saying import has
from simulation import clusters

unhurried = settings(deadline=None, max_examples=40)

Clusters = Sequence[Sequence[Hashable]]
Pair = tuple[Clusters, Clusters]  # key and response of one document

#: Metrics of places in files cannot score a repaired response, which no file holds.
METRICS = [name for name, metric in sameas.METRICS.items() if metric.places is None]
SUBSETS = [kinds for size in range(len(KINDS) + 1) for kinds in combinations(KINDS, size)]
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
    """Any clusters of some of the mentions; now and then singletons, one entity, or nothing."""
    anything = st.lists(st.integers(-1, 4), min_size=mentions, max_size=mentions)
    extremes = st.sampled_from([list(range(mentions)), [0] * mentions, [-1] * mentions])
    return st.one_of(anything, anything, extremes).map(clusters)


SPANS = [(first, last) for last in (3, 5, 8) for first in range(max(last - 4, 0), last + 1)]
PAIRS = st.integers(0, 8).flatmap(lambda mentions: st.tuples(side(mentions), side(mentions)))
SPAN_PAIRS = st.tuples(st.permutations(SPANS), PAIRS).map(
    lambda drawn: tuple([[drawn[0][m] for m in entity] for entity in side] for side in drawn[1])
)
ITEM_PAIRS = PAIRS.map(lambda pair: tuple(as_items(side) for side in pair))
ITEM_CORPORA = st.lists(ITEM_PAIRS, min_size=1, max_size=3)
SPAN_CORPORA = st.lists(SPAN_PAIRS, min_size=1, max_size=3)
CORPORA = st.one_of(ITEM_CORPORA, SPAN_CORPORA)


def as_items(clusters: Iterable[Iterable[int]]) -> list[list[str]]:
    """Mentions that are no pieces of a text."""
    return [[f"m{mention}" for mention in entity] for entity in clusters]


def random_pairs(size: int, seed: int, kind: str, largest: int = 8) -> list[Pair]:
    """Documents with missing and extra mentions and singletons; of items, words or spans.

    Among the spans are many that share their last word, which without a text is their head.
    """
    generator = random.Random(seed)
    presences = [0.3, 0.4, 0.6, 0.8] if kind == "spans" else [0.0, 0.5, 0.8, 1.0]
    pairs: list[Pair] = []
    for _ in range(size):
        mentions = generator.randint(0, largest)
        spans = generator.sample(SPANS, mentions) if kind == "spans" else []

        def random_side(mentions: int = mentions, spans: list[Any] = spans) -> Clusters:
            entities, presence = generator.randint(1, 5), generator.choice(presences)
            found = clusters(
                [
                    generator.randrange(entities) if generator.random() < presence else -1
                    for _ in range(mentions)
                ]
            )
            if kind == "items":
                return as_items(found)
            return [[spans[m] if spans else (m, m) for m in entity] for entity in found]

        pairs.append((random_side(), random_side()))
    return pairs


def documents(sides: Iterable[Iterable[Iterable[Hashable]]]) -> list[Document]:
    return [
        Document.from_clusters(f"document {number:05}", [list(entity) for entity in entities])
        for number, entities in enumerate(sides)
    ]


def analyse(pairs: Sequence[Pair], **options: Any) -> Analysis:
    key, response = zip(*pairs, strict=True)
    return sameas.analyse(documents(key), documents(response), metrics=METRICS, **options)


def in_text(pairs: Sequence[Pair]) -> bool:
    return all(isinstance(m, tuple) for pair in pairs for side in pair for e in side for m in e)


def brute(pair: Pair, drop: bool = False) -> brute_analysis.Document:
    """A document for brute force; singletons may be dropped, as scoring does it."""
    key, response = ([e for e in side if len(e) > drop] for side in pair)
    if in_text([pair]):
        meant = span_errors(chain(*key), chain(*response), lambda span: span[1])
        return brute_analysis.Document(key, response, place, meant)
    # Mentions that are no pieces of a text come as they are listed: the key first.
    rank = {mention: number for number, mention in enumerate(dict.fromkeys(chain(*key, *response)))}
    return brute_analysis.Document(key, response, lambda mention: (rank[mention],))


def named(error: Any) -> brute_analysis.Error:
    """An error as brute force says it."""
    return error.kind, frozenset(
        mention.places[0] if mention.text[0] != "m" else mention.text for mention in error.mentions
    )


def by_document(analysis: Analysis, number: int) -> list[list[brute_analysis.Error]]:
    found: list[list[brute_analysis.Error]] = [[] for _ in range(number)]
    for error in analysis.errors:
        found[error.place].append(named(error))
    return found


def close(one: Any, other: Any) -> bool:
    return bool(np.allclose(one, other, rtol=1e-12, atol=1e-12))


def same_scores(one: Result, other: Result) -> bool:
    """Equal but for the order in which fractions were added."""
    return all(
        close(ours, theirs)
        for metric in METRICS
        for ours, theirs in zip(
            one.statistics.columns[metric], other.statistics.columns[metric], strict=True
        )
    )


Choice = tuple[Any, Callable[[int, brute_analysis.Error], bool]]


def check_repairs(
    analysis: Analysis, pairs: Sequence[Pair], choices: Sequence[Choice], **options: Any
) -> None:
    """Repair as told, and the same by brute force, and compare every number of every metric.

    A choice is what `repaired` is told, and whether it means an error of a document.
    """
    drop = options.get("singletons") == "drop"
    known = [(document := brute(pair, drop), errors(document)) for pair in pairs]
    rows: dict[tuple[int, frozenset[frozenset[Hashable]]], int] = {}  # repaired documents, once
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
    """Some random sets of single errors."""
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


def test_two_thousand_documents_have_the_errors_of_brute_force() -> None:
    for kind in ("items", "words", "spans"):
        pairs = random_pairs(700, seed=5, kind=kind, largest=12)
        check_errors(analyse(pairs), pairs)


# Boundaries


def check_perfect(result: Result, keys: Iterable[Clusters], blanc: str = "luo2014") -> None:
    """All is right – where there is anything to be right about.

    MUC and the pairwise score count links, and the Rand indices pairs of mentions in one document:
    without any, they are 0, and with MUC, the mean of CoNLL's three is less than 1. All others
    need a mention; BLANC of 2014 needs nothing, but the scorers' BLANC needs a link.
    """
    keys = list(keys)
    mentions = any(keys)
    coreference = any(len(entity) > 1 for key in keys for entity in key)
    pairs = any(len(list(chain(*key))) > 1 for key in keys)
    for metric in METRICS:
        score = result[metric]
        if metric == "blanc":
            right = blanc in ("luo2014", "gold") or pairs
        elif metric in ("muc", "pairwise", "conll"):
            right = coreference
        else:
            right = pairs if metric in ("rand", "ari") else mentions
        if right:
            assert score.value == 1.0, metric
            assert score.recall in (1.0, None) and score.precision in (1.0, None), metric
        elif metric != "conll":
            assert score.value == 0.0, metric
        else:
            assert score.value == (2 / 3 if mentions else 0), metric


@unhurried
@given(CORPORA)
@example([([["m0"]], [["m0", "m1"]])])
@example([([["m0"], ["m1"]], [["m0", "m1"]])])
@example([([["m0"]], []), ([["m0"]], [["m1"], ["m2", "m3"]])])
@example([([], [["m0"]]), ([["m0", "m1"]], [])])
def test_all_repaired_is_perfect_and_nothing_repaired_is_nothing_changed(
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


def test_nothing_on_both_sides() -> None:
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
    """Each mention but the first has one antecedent before it, of the same entity."""
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
    """All that an error says but its number and the names of entities."""
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


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "span"])
def test_errors_of_a_kind_come_in_the_order_of_the_text(kind: str) -> None:
    analysis = analyse(random_pairs(300, seed=19, kind="spans"))
    assert in_order(analysis.errors.where(kind=kind))


def test_span_errors_links_and_mentions_come_in_the_order_of_the_text() -> None:
    analysis = analyse(random_pairs(300, seed=19, kind="spans"))
    assert in_order(analysis.errors.where(kind="span"))
    for kind in ("missing link", "wrong link"):
        assert in_order(analysis.links.where(kind=kind))
    for error in analysis.errors:
        spans = [place(mention.places[0]) for mention in error.mentions]
        assert spans == sorted(spans)


@pytest.mark.parametrize("kind", ["items", "spans"])
def test_documents_are_analysed_as_if_alone(kind: str) -> None:
    pairs = [pair for pair in random_pairs(60, seed=23, kind=kind) if pair[0]]
    whole = analyse(pairs)
    for number, pair in enumerate(pairs):
        alone = analyse([pair])
        here = [about(error)[2:] for error in whole.errors if error.place == number]
        assert here == [about(error)[2:] for error in alone.errors]
        for repair, repaired in zip(whole.what_if, alone.what_if, strict=True):
            assert same_scores(repair.in_turn.select([number]), repaired.in_turn)


# Repairs that lower a score

PLURAL = {
    "span": "span errors",
    "conflated": "conflated entities",
    "extra mention": "extra mentions",
    "extra entity": "extra entities",
    "divided": "divided entities",
    "missing mention": "missing mentions",
    "missing entity": "missing entities",
}
OLD = ["b3_sys", "ceaf_sys"]  # variants that change key and response before they are scored
SPAN = ["rand", "ari", "b3_0", "ceafm_rn", "ceafe_rn"]
CONFLATED = ["ceafe", "blanc", "conll", "ceaf1", "ceaf2", "ceafe_rn"]
#: The metrics that a repair can lower, alone and then in turn; found with half a million documents.
LOWERS = {
    "span": ([*SPAN, *OLD], [*SPAN, *OLD]),
    "conflated": (
        [*CONFLATED, "b3_rn", *OLD],
        CONFLATED,
    ),
    "extra mention": (["b3_rn", *OLD], ["ceaf_sys"]),
    "extra entity": (["b3_all", "b3_rn", *OLD], ["b3_all", "b3_rn", "ceaf_sys"]),
    "divided": ([name for name in METRICS if name not in ("mention", "ceaf1")], []),
    "missing mention": (
        [name for name in METRICS if name not in ("mention", "ceaf1", "ceaf2")],
        [],
    ),
    "missing entity": (["blanc"], []),
}


def lowered(analysis: Analysis) -> set[tuple[str, bool, str]]:
    """Kind, whether alone, and metric of every fall."""
    found, before = set(), analysis.result
    for repair in analysis.what_if:
        for alone, result, base in (
            (True, repair.alone, analysis.result),
            (False, repair.in_turn, before),
        ):
            found |= {
                (repair.kind, alone, name)
                for name in analysis.metrics
                if result[name].value < base[name].value - 1e-9
            }
        before = repair.in_turn
    return found


def noted(analysis: Analysis) -> set[tuple[str, bool, str]]:
    """The same, as the remarks say it."""
    titles = {sameas.METRICS[name].title: name for name in METRICS}
    found = set()
    for remark in analysis.remarks:
        if remark.code == "repair-lowers":
            for title, amount in (part.rsplit(" by ", 1) for part in remark.values["metrics"]):
                assert float(amount) >= 0
                for when in remark.values["when"].split(", "):
                    kind = remark.values["how"].replace("-", " ")
                    found.add((kind, when == "alone", titles[title]))
    return found


@pytest.mark.parametrize(
    "options", [{}, {"singletons": "drop"}, {"average": "macro"}, {"blanc": "gold"}], ids=str
)
def test_every_fall_of_a_score_is_noted(options: dict[str, str]) -> None:
    generator = random.Random(29)
    pairs = [pair for pair in random_pairs(260, seed=29, kind="spans") if pair[0]]
    falls: set[tuple[str, bool, str]] = set()
    for _ in range(90):
        analysis = analyse(generator.sample(pairs, generator.choice([1, 1, 2])), **options)
        try:
            found = lowered(analysis)
        except IndexError:  # see test_a_key_without_mentions
            assert options == {"singletons": "drop"}
            continue
        assert noted(analysis) == found
        falls |= found
    assert len(falls) > 15
    if not options:
        assert all(name in LOWERS[kind][not alone] for kind, alone, name in falls)


def values(result: Result, metric: str) -> Any:
    """The score of each document."""
    if parts := sameas.METRICS[metric].average_of:
        return sum(values(result, part) for part in parts) / len(parts)
    columns = [np.asarray(column) for column in result.statistics.columns[metric]]
    return sameas.METRICS[metric].rates(*columns).value


@pytest.mark.parametrize("kind", ["words", "spans"])
def test_some_repairs_can_lower_some_metrics_and_no_others(kind: str) -> None:
    analysis = analyse(random_pairs(6000, seed=31, kind=kind))
    base = before = {name: values(analysis.result, name) for name in METRICS}
    for repair in analysis.what_if:
        alone, in_turn = (
            {name: values(result, name) for name in METRICS}
            for result in (repair.alone, repair.in_turn)
        )
        for old, new, known in (
            (base, alone, LOWERS[repair.kind][0]),
            (before, in_turn, LOWERS[repair.kind][1]),
        ):
            fell = {name for name in METRICS if (new[name] < old[name] - 1e-9).any()}
            assert fell <= set(known), repair.kind
        before = in_turn
    assert all(
        (before[name] >= base[name] - 1e-9).all()
        for name in METRICS
        if name not in ("b3_all", "b3_rn")
    )


def words(text: str) -> Clusters:
    """Clusters written as `abc de`: a mention is a word, by its letter."""
    return [[(ord(m) - ord("a"),) * 2 for m in entity] for entity in text.split()]


def spans(text: str) -> Clusters:
    """Clusters written as `13,22 45`: a mention is its first and last word."""
    return [[(int(m[0]), int(m[1])) for m in e.split(",")] for e in text.split()]


IN_TURN, ALONE = False, True
#: The smallest documents that were found in which a repair lowers these metrics.
SMALLEST: list[tuple[str, bool, str, list[tuple[Clusters, Clusters]]]] = [
    ("span", IN_TURN, "b3_sys ceaf_sys", [(spans("33"), spans("23,02"))]),
    ("span", IN_TURN, "rand ari", [(spans("13,02 11"), spans("13 11 22"))]),
    ("span", IN_TURN, "b3_0", [(spans("11,22 34"), spans("11,44,22"))]),
    ("span", IN_TURN, "ceafm_rn ceafe_rn", [(spans("33,35"), spans("33 45"))]),
    ("conflated", IN_TURN, "ceaf2", [(words("ab c"), words("a bc"))]),
    ("conflated", IN_TURN, "ceafe ceafe_rn", [(words("ad bc"), words("a bd"))]),
    ("conflated", IN_TURN, "conll ceafe", [(words("ac bd"), words("a b cd"))]),
    ("conflated", IN_TURN, "ceaf1", [(words("ad be c"), words("ab c"))]),
    ("conflated", IN_TURN, "blanc", [(spans("24 01 45"), spans("24,22,11,45,02,13 01"))]),
    ("conflated", ALONE, "blanc", [(spans("22,33 45"), spans("02,45 33"))]),
    ("conflated", ALONE, "ceaf_sys", [(spans("12 02,33"), spans("22,02"))]),
    ("conflated", ALONE, "b3_rn", [(spans("33 01"), spans("44 23,11"))]),
    ("extra mention", IN_TURN, "ceaf_sys", [(words("ab"), words("bc"))]),
    ("extra mention", ALONE, "b3_rn", [(spans("33"), spans("23,02"))]),
    ("extra mention", ALONE, "b3_sys", [([], words("abcd")), (spans("45"), spans("00 35,11"))]),
    ("extra entity", IN_TURN, "b3_all", [(words("a"), words("b"))]),
    ("extra entity", IN_TURN, "b3_all b3_rn", [(words("a"), words("bc"))]),
    ("extra entity", IN_TURN, "ceaf_sys", [(words("abc"), words("de"))]),
    ("extra entity", ALONE, "b3_sys", [(words("a"), words("abc de"))]),
    ("divided", ALONE, "ceafe ceaf2", [(words("ac b"), words("ab c"))]),
    ("divided", ALONE, "ceafm", [(words("ab cd"), words("acd b"))]),
    ("divided", ALONE, "b3 conll b3_all b3_rn b3_sys", [(spans("33,35"), spans("33 45"))]),
    ("divided", ALONE, "ceafm_rn ceafe_rn", [(spans("33,35"), spans("33 45"))]),
    ("divided", ALONE, "blanc rand ari b3_0", [(spans("22,33 45"), spans("02,45 33"))]),
    ("divided", ALONE, "muc lea pairwise", [(spans("34,00,35"), spans("00,35 24"))]),
    ("divided", ALONE, "ceaf_sys", [(spans("44,23"), spans("45,23 34"))]),
    ("missing mention", ALONE, "ceafm ceaf_sys", [(words("ab cd"), words("abc"))]),
    ("missing mention", ALONE, "b3_all b3_sys", [(spans("44,22"), spans("24"))]),
    ("missing mention", ALONE, "b3_rn", [(spans("35,13"), spans("12,45"))]),
    ("missing mention", ALONE, "ceafm ceafe conll", [(spans("24,22 34"), spans("12,34"))]),
    ("missing mention", ALONE, "ceafm_rn ceafe_rn", [(spans("15,78,48"), spans("35 48"))]),
    ("missing mention", ALONE, "lea", [(spans("24 33,34"), spans("24 23"))]),
    (
        *("missing mention", ALONE, "muc b3 blanc pairwise rand ari b3_0"),
        [(spans("01,00 33,12"), spans("33,12,11"))],
    ),
    ("missing entity", ALONE, "blanc", [(words("a"), words("b")), (words("a b"), words("a b"))]),
]


@pytest.mark.parametrize(("kind", "alone", "metrics", "corpus"), SMALLEST)
def test_these_repairs_lower_these_metrics(
    kind: str, alone: bool, metrics: str, corpus: list[Pair]
) -> None:
    analysis = analyse(corpus)
    fell = {
        name for which, by_itself, name in noted(analysis) if (which, by_itself) == (kind, alone)
    }
    assert set(metrics.split()) <= fell <= set(LOWERS[kind][not alone])


def test_every_fall_that_is_known_has_a_smallest_document() -> None:
    shown = {(kind, alone, m) for kind, alone, metrics, _ in SMALLEST for m in metrics.split()}
    for kind, both in LOWERS.items():
        for alone, known in zip((ALONE, IN_TURN), both, strict=True):
            for name in known:
                # What comes first in turn comes alone; what falls in turn mostly falls alone.
                assert {(kind, alone, name), (kind, IN_TURN, name)} & shown or (
                    (kind, name) == ("conflated", "b3_sys")  # seen in one of 100,000 corpora
                ), (kind, name)


@pytest.mark.parametrize(
    ("corpus", "metric"),
    [((words("ac bd"), words("cd")), "mention"), ((words("ad"), words("cd")), "mention")],
)
def test_with_singletons_dropped_what_is_left_alone_is_dropped(corpus: Pair, metric: str) -> None:
    """Splitting and taking out can lower even mention detection: a mention left alone is dropped."""
    analysis = analyse([corpus], singletons="drop")
    assert any(name == metric and not alone for _, alone, name in noted(analysis))
    check_perfect(analysis.repaired(), [corpus[0]])


# Settings


def check_invariants(analysis: Analysis, mentions: bool = True) -> None:
    assert analysis.repaired([]) == analysis.result
    assert len(analysis.errors) == sum(analysis.counts.values())
    assert len(analysis.what_if) == len(KINDS)
    right, in_key, _, in_response = analysis.result.average("micro")["muc"].counts
    kinds = Counter(link.kind for link in analysis.links)
    assert kinds["missing link"] == in_key - right
    assert kinds["wrong link"] == in_response - right
    if mentions:
        assert analysis.repaired()["b3"].value == analysis.repaired()["ceafm"].value == 1


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("blanc", ["luo2014", "gold", "conll-8.01", "corefud-1.2"])
def test_averages_and_versions_of_blanc(average: str, blanc: str) -> None:
    pairs = random_pairs(60, seed=37, kind="spans")
    options = {"average": average, "blanc": blanc}
    analysis = analyse(pairs, **options)
    check_invariants(analysis)
    known = [(document := brute(pair), errors(document)) for pair in pairs]
    key = documents(key for key, _ in pairs)
    for kinds in random.Random(37).sample(SUBSETS, 12):
        response = documents(
            brute_analysis.repair(document, [error for error in found if error[0] in kinds])
            for document, found in known
        )
        scored = sameas.score(key, response, metrics=METRICS, **options)
        repaired = analysis.repaired(kinds)
        assert repaired.settings == scored.settings
        for name in METRICS:
            assert isclose(repaired[name].value, scored[name].value, rel_tol=1e-9), (kinds, name)
    if average == "micro":
        check_perfect(analysis.repaired(), (key for key, _ in pairs), blanc)
    else:
        # A document without a link counts 0 in the BLANC of the scorers, and no other metric.
        right = {name for name in METRICS if analysis.repaired()[name].value == 1}
        assert right >= {*METRICS} - {"blanc"}
        assert ("blanc" in right) == (blanc in ("luo2014", "gold"))


def mentions_with_heads(pairs: Sequence[Pair], generator: random.Random) -> list[list[Document]]:
    """Word m becomes a mention among the words 10m to 10m + 9, whose head is word 10m + 5."""
    return [
        [
            Document(
                f"document {number:05}",
                [
                    Entity(
                        str(name),
                        tuple(
                            Mention(
                                (
                                    (
                                        10 * m + generator.randint(0, 5),
                                        10 * m + generator.randint(5, 9),
                                    ),
                                ),
                                head=10 * m + 5,
                            )
                            for m, _ in entity
                        ),
                    )
                    for name, entity in enumerate(clusters)
                ],
            )
            for number, clusters in enumerate(side)
        ]
        for side in zip(*pairs, strict=True)
    ]


@pytest.mark.parametrize("match", ["head", "partial"])
def test_mentions_are_matched_as_they_were_scored(match: str) -> None:
    pairs = random_pairs(150, seed=41, kind="words")
    plain = analyse(pairs)
    key, response = mentions_with_heads(pairs, random.Random(41))
    if match == "partial":  # a response mention inside the key mention that has its head
        response = [
            Document(
                document.name,
                [
                    Entity(
                        e.id, tuple(Mention(((m.head, m.head),), head=m.head) for m in e.mentions)
                    )
                    for e in document.entities
                ],
            )
            for document in response
        ]
    found = sameas.analyse(key, response, metrics=METRICS, match=match)
    assert found.counts == plain.counts
    for kinds in random.Random(41).sample(SUBSETS, 30):
        assert same_scores(found.repaired(kinds), plain.repaired(kinds))
    check_invariants(found)
    assert found.counts["span"] == 0
    assert found.linked() == {
        side: dict.fromkeys([("nominal", "nominal")], *table.values())
        for side, table in plain.linked().items()
    }
    exact = sameas.analyse(key, response, metrics=METRICS)
    assert exact.counts["span"] > 100
    assert {kind: number for kind, number in exact.counts.items() if kind != "span"} == {
        kind: number for kind, number in plain.counts.items() if kind != "span"
    }
    assert same_scores(exact.repaired("span"), plain.result)


def test_a_wider_scope_joins_documents() -> None:
    generator = random.Random(43)
    for _ in range(15):
        count = generator.randint(1, 4)
        pairs = random_pairs(count, generator.randrange(1 << 30), "words")
        if not any(key for key, _ in pairs):
            continue
        sides = [
            [
                Document(f"t_{number}", [Entity(str(n), tuple(e)) for n, e in enumerate(clusters)])
                for number, clusters in enumerate(side)
            ]
            for side in zip(*pairs, strict=True)
        ]
        joined = []
        for side in sides:
            entities: dict[str, list[Hashable]] = {}
            for number, document in enumerate(side):
                for entity in document.entities:
                    found = [
                        tuple(100 * number + word for word in m.spans[0]) for m in entity.mentions
                    ]
                    entities.setdefault(entity.id, []).extend(found)
            joined.append(list(entities.values()))
        whole = analyse([(joined[0], joined[1])])
        for scope in ("corpus", "topic"):
            analysis = sameas.analyse(*sides, metrics=METRICS, scope=scope)
            check_invariants(analysis)
            assert analysis.counts == whole.counts
            for kinds in generator.sample(SUBSETS, 10):
                assert same_scores(analysis.repaired(kinds), whole.repaired(kinds))


def without_duplicates(clusters: Clusters, policy: str) -> list[list[Hashable]]:
    """Each mention once: in the first entity or the last that has it, or these entities as one."""
    if policy == "merge":
        merged: list[list[Hashable]] = []
        for entity in clusters:
            shares = [other for other in merged if set(other) & set(entity)]
            joined = list(dict.fromkeys(chain(*shares, entity)))
            position = merged.index(shares[0]) if shares else len(merged)
            rest = [other for other in merged if other not in shares]
            merged = [*rest[:position], joined, *rest[position:]]
        return merged
    order = clusters if policy == "first" else clusters[::-1]
    seen: set[Hashable] = set()
    found = []
    for entity in order:
        found.append([m for m in dict.fromkeys(entity) if m not in seen])
        seen |= set(entity)
    return [entity for entity in (found if policy == "first" else found[::-1]) if entity]


@pytest.mark.parametrize("policy", ["first", "last", "merge"])
def test_repeated_mentions(policy: str) -> None:
    generator = random.Random(47)
    pairs = []
    for key, response in random_pairs(120, seed=47, kind="items"):
        sides = []
        for side in (key, response):
            named = list(chain(*side))
            again = [
                generator.choice(named) for _ in range(generator.randint(0, 2) if named else 0)
            ]
            entities = [list(entity) for entity in side]
            for mention in again:
                generator.choice(entities).append(mention)
            sides.append(entities)
        pairs.append((sides[0], sides[1]))
    analysis = analyse(pairs, duplicates=policy)
    check_invariants(analysis)
    clean = [tuple(without_duplicates(side, policy) for side in pair) for pair in pairs]
    once = analyse(clean)
    assert analysis.result.statistics.equal(once.result.statistics) or same_scores(
        analysis.result, once.result
    )
    assert analysis.counts == once.counts
    assert same_scores(analysis.repaired(), once.repaired())


def test_a_metric_of_places_is_left_out_with_a_note() -> None:
    pairs = random_pairs(20, seed=53, kind="spans")
    key, response = zip(*pairs, strict=True)
    analysis = sameas.analyse(documents(key), documents(response), metrics=["b3", "mor", "zero"])
    assert list(analysis.metrics) == ["b3"]
    assert any(has(one, "not-on-repaired", metrics=("mor", "zero")) for one in analysis.remarks)
    assert list(analysis.repaired()) == ["b3"]


def test_nothing_repaired_is_nothing_changed_also_with_metrics_of_places() -> None:
    analysis = sameas.analyse([["a", "b"]], [["a"]], metrics=["b3", "mor"])
    assert analysis.repaired([]) == analysis.result
