"""Every matching of mentions, compared with brute force on sets of nodes; and properties."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import isclose

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import sameas
from brute import scores
from brute_matching import Annotated, Node, brute_scores, in_text, matched, prepared
from effort import examples
from sameas import Corpus, Document, Entity, Mention
from sameas.arithmetic.assignment import assign, assign_in_order
from sameas.authorities import authority_of
from sameas.documents.document import INITIAL, WrittenText
from sameas.formats.conllu.read import read_conllu
from sameas.matching.pairing import pair_documents
from sameas.settings import Settings

unhurried = settings(deadline=None, max_examples=examples(30))  # machines may be slow
few = settings(deadline=None, max_examples=examples(6))

METHODS = ["exact", "head", "partial", "min"]
ZEROS = ["linear", "dependent", "drop"]
SINGLETONS = ["keep", "drop"]
COUNTED = ["mention", "muc", "b3", "ceafm", "ceafe", "lea", "pairwise", "ceaf1", "ceaf2"]
PLACED = ["mor", "zero"]
METRICS = [*COUNTED, *PLACED, "blanc", "conll"]

# Texts of two sentences, of three and four words; zeros before, between and after words.

SENTENCES = (("Ann", "saw", "Bob"), ("She", "told", "him", "all"))
WORDS = sum(map(len, SENTENCES))
STARTS = (0, 3)
NUMBERS = {(0, INITIAL + 1), (1, 1), (1, 2), (3, 1), (3, INITIAL + 1), (3, INITIAL + 2), (7, 1)}
PLACES: list[Node] = sorted([*range(WORDS), *NUMBERS], key=in_text)
TEXT = WrittenText(SENTENCES)


def sentence_of(node: Node) -> int:
    if isinstance(node, int):
        return int(node >= STARTS[1])
    return int(node[0] > STARTS[1] or (node[0] == STARTS[1] and node[1] >= INITIAL))


# Mentions


def node_sets(places: Sequence[Node]) -> st.SearchStrategy[frozenset[Node]]:
    """Generate pieces of the text, zeros, and any sets of nodes."""
    words = [place for place in places if isinstance(place, int)]
    bounds = st.tuples(st.sampled_from(words), st.integers(0, 3))
    pieces = bounds.map(lambda b: frozenset(word for word in words if b[0] <= word <= b[0] + b[1]))
    anything = st.frozensets(st.sampled_from(list(places)), min_size=1, max_size=4)
    found = [pieces, pieces, anything]
    zeros = [place for place in places if not isinstance(place, int)]
    if zeros:
        found.append(st.sampled_from(zeros).map(lambda zero: frozenset([zero])))
    return st.one_of(found)


def annotated_mentions(
    nodes: st.SearchStrategy[frozenset[Node]],
    parents: dict[Node, frozenset[tuple[str, str]]] | None = None,
) -> st.SearchStrategy[Annotated]:
    def with_head(found: frozenset[Node]) -> st.SearchStrategy[Annotated]:
        inside = sorted(found, key=in_text)
        return st.builds(
            lambda entity, head, minimum: Annotated(
                found,
                entity,
                head,
                minimum,
                sentence_of(head),
                (parents or {}).get(head, frozenset()),
            ),
            st.sampled_from("abcd"),
            st.sampled_from(inside),
            st.frozensets(st.sampled_from(inside), max_size=2),
        )

    return nodes.flatmap(with_head)


def sides(
    mentions: st.SearchStrategy[Annotated], most: int = 8
) -> st.SearchStrategy[list[Annotated]]:
    return st.lists(mentions, min_size=most // 4, max_size=most, unique_by=lambda m: m.nodes)


@st.composite
def side_pairs(draw: st.DrawFn) -> tuple[list[Annotated], list[Annotated]]:
    """Generate a key, and a response with some of its mentions, some changed ones, and others."""
    mentions = annotated_mentions(node_sets(PLACES))
    key = draw(sides(mentions))
    kept = []
    for mention in key:
        if draw(st.booleans()):
            change = draw(st.integers(0, 3))
            nodes = mention.nodes
            if change == 1:
                nodes = nodes | {draw(st.sampled_from(PLACES))}
            elif change == 2:
                nodes = nodes - {draw(st.sampled_from(sorted(nodes, key=in_text)))} or nodes
            head = mention.head if mention.head in nodes else min(nodes, key=in_text)
            entity = draw(st.sampled_from("abcd")) if change == 3 else mention.entity
            kept.append(
                replace(mention, nodes=nodes, head=head, entity=entity, sentence=sentence_of(head))
            )
    unique = {mention.nodes: mention for mention in [*kept, *draw(sides(mentions, 5))]}
    return key, list(unique.values())


PAIRS = side_pairs()
CORPORA = st.lists(PAIRS, min_size=1, max_size=2)


def mention_of(one: Annotated) -> Mention:
    words = sorted(node for node in one.nodes if isinstance(node, int))
    spans: list[tuple[int, int]] = []
    for word in words:
        if spans and spans[-1][1] == word - 1:
            spans[-1] = (spans[-1][0], word)
        else:
            spans.append((word, word))
    zeros = tuple(sorted(node for node in one.nodes if not isinstance(node, int)))
    minimum = tuple(sorted(one.minimum, key=in_text))
    return Mention(tuple(spans), zeros, head=one.head, minimum=minimum)


def document(name: str, side: Sequence[Annotated]) -> Document:
    entities: dict[str, list[Mention]] = {}
    for one in side:
        entities.setdefault(one.entity, []).append(mention_of(one))
    return Document(name, [Entity(id, tuple(found)) for id, found in entities.items()], text=TEXT)


def by_entity(side: Sequence[Annotated]) -> list[Annotated]:
    """Return the mentions in the order of a document of entities."""
    order = {entity: number for number, entity in enumerate(dict.fromkeys(m.entity for m in side))}
    return sorted(side, key=lambda mention: order[mention.entity])


def documents(
    corpus: Sequence[tuple[Sequence[Annotated], Sequence[Annotated]]], which: int
) -> list[Document]:
    return [document(f"d{number}", pair[which]) for number, pair in enumerate(corpus)]


def annotated(corpus: Sequence[tuple[list[Annotated], list[Annotated]]]) -> bool:
    """Return whether a document with mentions has a minimum span, which `min` requires."""
    return all(not key or any(mention.minimum for mention in key) for key, _ in corpus)


# Comparisons


def close(found: Sequence[float], expected: Sequence[object]) -> bool:
    return len(found) == len(expected) and all(
        isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)  # type: ignore[arg-type]
        for a, b in zip(found, expected, strict=True)
    )


def check(
    result: sameas.Result,
    corpus: Sequence[tuple[Sequence[Annotated], Sequence[Annotated]]],
    **policies: str,
) -> None:
    expected = brute_scores(corpus, **policies)
    for name in [*COUNTED, *PLACED]:
        assert close(result[name].counts, expected[name]), name
        found = result[name].recall, result[name].precision, result[name].f1
        assert close(found, scores(expected[name])), name
    blanc = result["blanc"]
    assert close(blanc.coref.counts, expected["blanc.coref"])
    assert close(blanc.noncoref.counts, expected["blanc.noncoref"])
    assert close([blanc.recall, blanc.precision, blanc.f1], expected["blanc/luo2014"])
    assert close([result["conll"].f1], expected["conll"])


def numbers(result: sameas.Result) -> list[object]:
    return [(name, result[name].counts, result[name].f1) for name in METRICS]


# Brute force


@pytest.mark.long
@pytest.mark.parametrize(
    ("method", "zeros", "singletons"), list(product(METHODS, ["linear", "drop"], SINGLETONS))
)
@few
@given(corpus=CORPORA)
def test_documents_are_matched_as_by_brute_force(
    method: str, zeros: str, singletons: str, corpus: list[tuple[list[Annotated], list[Annotated]]]
) -> None:
    if method == "min" and not annotated(corpus):
        return
    corpus = [(by_entity(key), by_entity(response)) for key, response in corpus]
    result = sameas.score(
        *(documents(corpus, which) for which in (0, 1)),
        metrics=METRICS,
        match=method,
        zeros=zeros,
        singletons=singletons,
    )
    check(result, corpus, method=method, zeros=zeros, singletons=singletons)


@few
@given(corpus=CORPORA)
def test_without_heads_zeros_are_mentions_without_words(
    corpus: list[tuple[list[Annotated], list[Annotated]]],
) -> None:
    corpus = [
        (
            [replace(m, head=None) for m in by_entity(key)],
            [replace(m, head=None) for m in by_entity(response)],
        )
        for key, response in corpus
    ]
    for zeros in ("linear", "drop"):
        result = sameas.score(
            *(documents(corpus, which) for which in (0, 1)), metrics=METRICS, zeros=zeros
        )
        check(result, corpus, zeros=zeros)


# The same with files: zeros matched by their dependencies


@dataclass(frozen=True)
class File:
    """One CoNLL-U document, and its mentions."""

    text: bytes
    side: list[Annotated]


def id_of(node: Node) -> str:
    """Return the ID in the first column."""
    start = STARTS[sentence_of(node)]
    if isinstance(node, int):
        return str(node - start + 1)
    return f"{node[0] - start}.{node[1] % INITIAL}"


RELATIONS = st.frozensets(
    st.tuples(st.sampled_from(["1", "2", "3", "1.1"]), st.sampled_from(["nsubj", "obj", "obl:in"])),
    max_size=3,
)


@st.composite
def files(draw: st.DrawFn, name: str = "d0") -> File:
    gaps = [
        ((0, INITIAL), 2),
        ((1, 0), 2),
        ((3, 0), 1),
        ((3, INITIAL), 2),
        ((5, 0), 2),
        ((7, 0), 1),
    ]
    zeros = [
        (before, first + number)
        for (before, first), most in gaps
        for number in range(1, draw(st.integers(0, most)) + 1)
    ]
    parents = {zero: draw(RELATIONS) for zero in zeros}
    places: list[Node] = sorted([*range(WORDS), *zeros], key=in_text)
    inside = st.one_of(
        *(node_sets([p for p in places if sentence_of(p) == number]) for number in (0, 1))
    )
    side: list[Annotated] = []
    for mention in draw(sides(annotated_mentions(inside, parents))):
        # Brackets of one entity must be unambiguous: they may not cross.
        apart = (
            entity
            for entity in (mention.entity, *"efghijkl")
            if not any(reaches(mention, other) for other in side if other.entity == entity)
        )
        side.append(replace(mention, entity=next(apart)))
    return File(written(name, places, parents, side), in_file(side, places))


def reaches(one: Annotated, other: Annotated) -> bool:
    (a, b, _), (c, d, _) = one.order, other.order
    return a <= d and c <= b


def in_file(side: Sequence[Annotated], places: Sequence[Node]) -> list[Annotated]:
    """Return the mentions in the order of their opening brackets."""
    return sorted(side, key=lambda m: (m.order[0], -in_file_last(m, places), m.entity))


def in_file_last(mention: Annotated, places: Sequence[Node]) -> int:
    """Return the position of the last node of the mention's first piece."""
    return places.index(pieces_of(mention, places)[0][-1])


def pieces_of(mention: Annotated, places: Sequence[Node]) -> list[list[Node]]:
    pieces: list[list[Node]] = []
    for number, place in enumerate(places):
        if place not in mention.nodes:
            continue
        if pieces and pieces[-1][-1] == places[number - 1]:
            pieces[-1].append(place)
        else:
            pieces.append([place])
    return pieces


def written(
    name: str,
    places: Sequence[Node],
    parents: dict[Node, frozenset[tuple[str, str]]],
    side: Sequence[Annotated],
) -> bytes:
    opening: dict[Node, list[tuple[int, str, str]]] = {}
    closing: dict[Node, list[tuple[int, str, str]]] = {}
    alone: dict[Node, list[str]] = {}
    for mention in side:
        nodes = sorted(mention.nodes, key=in_text)
        minimum = ",".join(str(nodes.index(n) + 1) for n in sorted(mention.minimum, key=in_text))
        fields = f"thing-{nodes.index(mention.head) + 1}-{minimum}"  # type: ignore[arg-type]
        pieces = pieces_of(mention, places)
        for number, piece in enumerate(pieces, 1):
            id = mention.entity + (f"[{number}/{len(pieces)}]" if len(pieces) > 1 else "")
            low, high = places.index(piece[0]), places.index(piece[-1])
            if low == high:
                alone.setdefault(piece[0], []).append(f"({id}-{fields})")
            else:
                opening.setdefault(piece[0], []).append((-high, mention.entity, f"({id}-{fields}"))
                closing.setdefault(piece[-1], []).append((-low, mention.entity, f"{id})"))
    lines = [f"# newdoc id = {name}", "# global.Entity = eid-etype-head-minspan"]
    for place in places:
        brackets = [text for _, _, text in sorted(opening.get(place, []))]
        brackets = [*(text for _, _, text in sorted(closing.get(place, []))), *brackets]
        brackets += sorted(alone.get(place, []))
        misc = "Entity=" + "".join(brackets) if brackets else "_"
        links = (
            "|".join(sorted(f"{parent}:{name}" for parent, name in parents.get(place, ()))) or "_"
        )
        form = sum(SENTENCES, ())[place] if isinstance(place, int) else "_"
        row = [
            id_of(place),
            form,
            *"____",
            "0" if isinstance(place, int) else "_",
            "_",
            links,
            misc,
        ]
        lines.append("\t".join(row))
        follows = places.index(place) + 1
        if follows == len(places) or sentence_of(places[follows]) > sentence_of(place):
            lines.append("")
    return ("\n".join(lines) + "\n").encode()


FILES = st.tuples(files(), files())


def read(file: File) -> Corpus:
    corpus = read_conllu(file.text)
    assert not corpus.problems
    return corpus


@unhurried
@given(file=files())
def test_files_contain_what_was_written(file: File) -> None:
    """What is read equals what was written, which the tests below rely on."""
    (found,) = read(file).documents
    meant = {(mention_of(m), m.head, frozenset(m.minimum), m.entity) for m in file.side}
    mentions = [(mention, entity.id) for entity in found.entities for mention in entity.mentions]
    assert {
        (Mention(m.spans, m.zeros), m.head, frozenset(m.minimum), entity) for m, entity in mentions
    } == meant


@pytest.mark.long
@pytest.mark.parametrize(
    ("method", "zeros", "singletons"), list(product(METHODS, ZEROS, SINGLETONS))
)
@few
@given(pair=FILES)
def test_files_are_matched_as_by_brute_force(
    method: str, zeros: str, singletons: str, pair: tuple[File, File]
) -> None:
    result = sameas.score(
        *map(read, pair), metrics=METRICS, match=method, zeros=zeros, singletons=singletons
    )
    sides = (pair[0].side, pair[1].side)
    check(result, [sides], method=method, zeros=zeros, singletons=singletons)


# Crowds: many mentions around few heads, so that nearly every assignment has ties


def crowd(
    generator: random.Random, places: Sequence[Node], entities: str, *, repeated: bool = False
) -> list[Annotated]:
    """Generate many mentions; if `repeated`, the same words may occur again with another head."""
    heads = generator.sample(list(places), 3)
    found: dict[object, Annotated] = {}
    for _ in range(generator.randint(6, 12)):
        head = generator.choice(heads)
        near = places.index(head)
        low, high = near - generator.randint(0, 2), near + generator.randint(0, 2)
        nodes = {place for place in places[max(low, 0) : high + 1] if generator.random() < 0.8}
        nodes.add(head)
        minimum = frozenset([head] if generator.random() < 0.8 else [])
        parents = frozenset(
            (generator.choice("12"), generator.choice(["nsubj", "obj"])) for _ in range(2)
        )
        mention = Annotated(
            frozenset(nodes), generator.choice(entities), head, minimum, sentence_of(head), parents
        )
        found.setdefault((mention.nodes, head if repeated else None), mention)
    return list(found.values())


@pytest.mark.long
@pytest.mark.parametrize(
    ("method", "zeros", "singletons"), list(product(METHODS, ["linear", "drop"], SINGLETONS))
)
def test_crowds_are_matched_as_by_brute_force(method: str, zeros: str, singletons: str) -> None:
    generator = random.Random(2022)
    for _ in range(15):
        corpus = [
            tuple(by_entity(crowd(generator, PLACES[3:10], "abc")) for _ in (0, 1)) for _ in (0, 1)
        ]
        result = sameas.score(
            *(documents(corpus, which) for which in (0, 1)),
            metrics=METRICS,
            match=method,
            zeros=zeros,
            singletons=singletons,
        )
        check(result, corpus, method=method, zeros=zeros, singletons=singletons)


@pytest.mark.parametrize("singletons", SINGLETONS)
def test_the_same_words_with_another_head_are_another_mention(singletons: str) -> None:
    generator = random.Random(2023)
    for _ in range(25):
        corpus = [
            tuple(by_entity(crowd(generator, PLACES[3:8], "abc", repeated=True)) for _ in (0, 1))
        ]
        result = sameas.score(
            *(documents(corpus, which) for which in (0, 1)),
            metrics=METRICS,
            match="head",
            singletons=singletons,
            duplicates="error",
        )
        check(result, corpus, method="head", singletons=singletons)


def crowded_file(generator: random.Random) -> File:
    """Generate zeros around the words of the second sentence, many with equal dependencies."""
    zeros = [(3, INITIAL + 1), (3, INITIAL + 2), (5, 1), (5, 2), (6, 1)]
    zeros = [zero for zero in zeros if zero[1] % INITIAL == 1 or generator.random() < 0.5]
    places: list[Node] = sorted([*range(WORDS), *zeros], key=in_text)
    parents = {
        zero: frozenset(
            (generator.choice(["1", "2", "2.1"]), generator.choice(["nsubj", "obj"]))
            for _ in range(generator.randint(0, 3))
        )
        for zero in zeros
    }
    side: list[Annotated] = []
    for mention in crowd(generator, [place for place in places if sentence_of(place)], "abc"):
        near = replace(mention, parents=parents.get(mention.head, frozenset()))  # type: ignore[arg-type]
        apart = (
            entity
            for entity in (mention.entity, *"defghijklmno")
            if not any(reaches(near, other) for other in side if other.entity == entity)
        )
        side.append(replace(near, entity=next(apart)))
    for zero in zeros:  # most of them as singletons
        alone = frozenset([zero])
        if all(mention.nodes != alone for mention in side) and generator.random() < 0.9:
            one = Annotated(alone, "", zero, alone, 1, parents[zero])
            apart = (e for e in "abcdefghijklmno" if not any(
                reaches(one, other) for other in side if other.entity == e))  # fmt: skip
            side.append(replace(one, entity=next(apart)))
    side = [m for m in side if m.entity in "abcdef"]  # brute force tries all alignments
    return File(written("d0", places, parents, side), in_file(side, places))


@pytest.mark.long
@pytest.mark.parametrize("zeros", ["linear", "dependent"])
@pytest.mark.parametrize("singletons", SINGLETONS)
@pytest.mark.parametrize("method", METHODS)
def test_crowds_of_zeros_are_matched_as_by_brute_force(
    method: str, zeros: str, singletons: str
) -> None:
    generator = random.Random(2024)
    for _ in range(12):
        pair = crowded_file(generator), crowded_file(generator)
        result = sameas.score(
            *map(read, pair), metrics=METRICS, match=method, zeros=zeros, singletons=singletons
        )
        sides = (pair[0].side, pair[1].side)
        check(result, [sides], method=method, zeros=zeros, singletons=singletons)


# What holds for every matching


@pytest.mark.long
@pytest.mark.parametrize(("method", "zeros"), list(product(METHODS, ZEROS)))
@few
@given(file=files())
def test_a_key_against_itself_is_perfect(method: str, zeros: str, file: File) -> None:
    result = sameas.score(read(file), read(file), metrics=METRICS, match=method, zeros=zeros)
    left = prepared(file.side, zeros, "keep")
    for name in ("mention", "b3", "ceafm", "ceafe", "lea", "mor"):
        assert result[name].f1 == (1 if left else 0), name
    for name in ("muc", "pairwise", "zero"):
        right, wanted, also_right, given_ = result[name].counts
        assert right == wanted == also_right == given_, name


@pytest.mark.parametrize(("method", "zeros"), list(product(METHODS, ZEROS)))
@few
@given(pair=FILES)
def test_matching_is_one_to_one_and_counted(
    method: str, zeros: str, pair: tuple[File, File]
) -> None:
    pairing = pair_documents(*map(read, pair))
    how = Settings(match=method, zeros=zeros)
    found = authority_of(how).match(pairing, how)
    for side in (found.key, found.response):
        assert len(set(side.mention.tolist())) == len(side.mention)
        assert side.mention.max(initial=-1) < found.mention_count
    both = len(np.intersect1d(found.key.mention, found.response.mention))
    key, response = (prepared(file.side, zeros, "keep") for file in pair)
    result = sameas.score(*map(read, pair), metrics=METRICS, match=method, zeros=zeros)
    assert result["mention"].counts == (both, len(key), both, len(response))
    assert both == len(matched(key, response, method, zeros)) <= min(len(key), len(response))
    for name in METRICS:
        parts = [result[name].recall, result[name].precision, result[name].f1]
        assert all(part is None or 0 <= part <= 1 for part in parts), name
    again = sameas.score(*map(read, pair), metrics=METRICS, match=method, zeros=zeros)
    assert numbers(again) == numbers(result)


@pytest.mark.parametrize("method", ["head", "partial", "min"])
@unhurried
@given(pair=PAIRS)
def test_a_wider_matching_finds_no_less_than_an_exact_one(
    method: str, pair: tuple[list[Annotated], list[Annotated]]
) -> None:
    """This holds if mentions with the same words have the same head."""
    key, response = pair
    right = {mention.nodes: mention.head for mention in key}
    response = [replace(m, head=right.get(m.nodes, m.head)) for m in response]
    if method == "min" and not annotated([pair]):
        return
    sides = [document("d", side) for side in (key, response)]
    exact, wide = (sameas.score(*sides, metrics=["mention"], match=m) for m in ("exact", method))
    assert exact["mention"].counts[0] <= wide["mention"].counts[0]


@pytest.mark.parametrize("method", METHODS)
@few
@given(corpus=CORPORA, generator=st.randoms(use_true_random=False))
def test_the_order_of_entities_and_documents_changes_nothing(
    method: str, corpus: list[tuple[list[Annotated], list[Annotated]]], generator: random.Random
) -> None:
    if method == "min" and not annotated(corpus):
        return

    def shuffled(which: int) -> list[Document]:
        sides = [generator.sample(pair[which], len(pair[which])) for pair in corpus]
        found = [document(f"d{number}", side) for number, side in enumerate(sides)]
        return generator.sample(found, len(found))

    # Mentions with the same start, end and size are taken in the order of the file; keep only
    # one.
    corpus = [tuple([*{m.order: m for m in side}.values()] for side in pair) for pair in corpus]  # type: ignore[misc]
    plain = sameas.score(documents(corpus, 0), documents(corpus, 1), metrics=METRICS, match=method)
    other = sameas.score(shuffled(0), shuffled(1), metrics=METRICS, match=method)
    for name in METRICS:
        one, two = plain[name].counts, other[name].counts
        assert one is None or close(two, one), name
        assert isclose(plain[name].f1, other[name].f1, abs_tol=1e-12), name


# The assignment


def dense(rows: int, columns: int, cells: dict[int, dict[int, float]]) -> np.ndarray:
    matrix = np.zeros((rows, columns))
    for i, row in cells.items():
        for j, value in row.items():
            matrix[i, j] = value
    return matrix


def check_assignment(matrix: np.ndarray, generator: random.Random | None = None) -> None:
    rows, columns = matrix.shape
    places = [(i, j) for i in range(rows) for j in range(columns) if matrix[i, j]]
    if generator:
        generator.shuffle(places)
    cells: dict[int, dict[int, float]] = {}
    for i, j in places:
        cells.setdefault(i, {})[j] = float(matrix[i, j])
    wanted = zip(*linear_sum_assignment(matrix, maximize=True), strict=True)
    found = assign_in_order(rows, columns, cells)
    assert found == [(i, j) for i, j in wanted if matrix[i, j]]


WEIGHTS = [0, 0, 0, 1, 1, 2, 1 / 3, 2 / 3, 0.5, 11.0, 10 * 0.4 + 2 / 3]


@unhurried
@given(
    st.integers(1, 7).flatmap(
        lambda columns: st.lists(
            st.lists(st.sampled_from(WEIGHTS), min_size=columns, max_size=columns),
            min_size=1,
            max_size=7,
        )
    ),
    st.randoms(use_true_random=False),
)
def test_the_assignment_is_the_one_of_scipy(
    weights: list[list[float]], generator: random.Random
) -> None:
    check_assignment(np.array(weights, dtype=float), generator)


@unhurried
@given(
    st.integers(1, 9).flatmap(
        lambda columns: st.lists(
            st.lists(st.sampled_from([0, 0, 0, 1, 1, 2, 3, 5]), min_size=columns, max_size=columns),
            min_size=1,
            max_size=9,
        )
    ),
    st.sampled_from([(0, 0), (0, 2000), (400, 2000)]),
)
def test_any_assignment_has_the_total_of_scipy(
    weights: list[list[int]], limits: tuple[int, int]
) -> None:
    """The weights are counts, or counts relative to the sizes of both sides."""
    n = np.array(weights)
    row, column = np.nonzero(n)
    sizes = np.add.outer(n.sum(axis=1), n.sum(axis=0))
    with pytest.MonkeyPatch.context() as patch:
        # 0: small components are solved like large ones
        for name, limit in zip(("_FEW", "_HARD"), limits, strict=True):
            patch.setattr(f"sameas.arithmetic.assignment.{name}", limit)
        for matrix in (n, 2 * n / np.maximum(sizes, 1)):
            cells = assign(row, column, matrix[row, column]) if row.size else row
            assert len(set(row[cells].tolist())) == len(set(column[cells].tolist())) == len(cells)
            best = matrix[linear_sum_assignment(matrix, maximize=True)].sum()
            assert isclose(matrix[row[cells], column[cells]].sum(), best, rel_tol=1e-12)


@pytest.mark.parametrize("choices", [[0, 1], [0, 0, 0, 1, 2], [1, 2, 3], [0.1, 0.2, 0.3, 0.7], [0]])
@pytest.mark.parametrize("shape", [(1, 9), (9, 1), (6, 6), (5, 12), (12, 5), (20, 23), (30, 17)])
def test_the_assignment_of_many_ties_is_the_one_of_scipy(
    shape: tuple[int, int], choices: list[float]
) -> None:
    generator = random.Random(str((shape, choices)))
    for _ in range(10):
        matrix = np.array(
            [[generator.choice(choices) for _ in range(shape[1])] for _ in range(shape[0])]
        )
        check_assignment(matrix.astype(float), generator)


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (4, 4), (3, 6), (6, 3)])
@pytest.mark.parametrize("value", [0, 1, 1 / 3])
def test_equal_values_are_assigned_in_order(shape: tuple[int, int], value: float) -> None:
    check_assignment(np.full(shape, value, dtype=float))
    cells = {i: dict.fromkeys(range(shape[1]), value) for i in range(shape[0])} if value else {}
    wanted = [(number, number) for number in range(min(shape))] if value else []
    assert assign_in_order(*shape, cells) == wanted


def test_nothing_to_assign() -> None:
    assert assign_in_order(0, 0, {}) == assign_in_order(0, 3, {}) == assign_in_order(3, 0, {}) == []
