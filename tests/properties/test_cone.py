"""CONE of random documents is the score of documents that were restricted beforehand, by hand.

Files are written here, not by the writers of the library; brute force says which mentions stay.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import isclose
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import sameas
from brute import brute
from brute_cone import (
    RESTRICTIONS,
    by_key,
    capital_words,
    centred,
    document_scores,
    entity_b3,
    entity_ceafm,
    kendall,
    name_errors,
    pearson,
)
from sameas import Document, Entity, Mention, Resampling
from sameas.documents.document import WrittenText
from sameas.documents.heads import (
    PRONOUNS,
    clues,
    describe,
    guess_heads,
    guess_names,
)
from sameas.documents.layout import Layout
from sameas.errors import InputError
from sameas.notes import Note
from saying import raises_problems

few = settings(deadline=None, max_examples=60)
fewer = settings(deadline=None, max_examples=25)

KINDS = ("name", "name", "nominal", "pronoun", "zero", "")
SENTENCES = (
    ("Ann", "saw", "Bob", "and", "the", "Queen"),
    ("The", "old", "Queen", "met", "he", "."),
)
WORDS = [word for sentence in SENTENCES for word in sentence]


@dataclass(frozen=True)
class Piece:
    """A mention of a file: its words (all, in order), head, kind, and the id of its entity."""

    words: tuple[int, ...]
    head: int
    kind: str
    entity: str = ""  # entities of one id are the same in the whole corpus, if that is the scope

    @property
    def span(self) -> tuple[int, int]:
        return self.words[0], self.words[-1]

    @property
    def runs(self) -> list[list[int]]:
        found: list[list[int]] = []
        for word in self.words:
            if found and found[-1][1] == word - 1:
                found[-1][1] = word
            else:
                found.append([word, word])
        return found


Clusters = list[list[Piece]]
Side = list[tuple[str, Clusters]]  # documents


def is_name(piece: Piece) -> bool:
    return piece.kind == "name"


# --- documents ----------------------------------------------------------------------------------


@st.composite
def pieces(draw: st.DrawFn, broken: bool, kinds: Sequence[str]) -> Piece:
    first = draw(st.integers(0, len(WORDS) - 1))
    last = min(len(WORDS) - 1, first + draw(st.integers(0, 3)))
    words = tuple(range(first, last + 1))
    if broken and len(words) > 2 and draw(st.booleans()):
        words = (words[0], *words[2:])
    return Piece(words, draw(st.sampled_from(words)), draw(st.sampled_from(kinds)))


@st.composite
def sides(
    draw: st.DrawFn,
    *,
    documents: int = 3,
    repeats: bool = True,
    broken: bool = True,
    kinds: Sequence[str] = KINDS[:-1],
) -> tuple[Side, Side]:
    """Key and response: mentions of one pool, so that they meet; each may say its own kind."""
    ours: Side = []
    theirs: Side = []
    for number in range(draw(st.integers(1, documents))):
        pool = draw(
            st.lists(pieces(broken, kinds), max_size=8, unique_by=lambda piece: piece.words)
        )
        for side in (ours, theirs):
            clusters: dict[int, list[Piece]] = {}
            for piece in pool:
                times = draw(st.sampled_from([1, 1, 1, 2])) if repeats else 1
                for _ in range(times):
                    label = draw(st.integers(-1, 3))
                    kind = draw(st.sampled_from([piece.kind, piece.kind, *kinds]))
                    if label >= 0:
                        mention = replace(piece, kind=kind, entity=f"e{label}")
                        clusters.setdefault(label, []).append(mention)
            side.append((f"d{number}", list(clusters.values())))
    return ours, theirs


def restricted(side: Side, mentions: str, named: Callable[[Piece], bool] = is_name) -> Side:
    return [(name, RESTRICTIONS[mentions](clusters, named)) for name, clusters in side]


# --- files --------------------------------------------------------------------------------------


def jsonlines(
    side: Side, zeros: Sequence[int] = (), keys: Iterable[str] = ("kinds", "heads")
) -> str:
    lines = []
    for name, clusters in side:
        record: dict[str, Any] = {
            "doc_key": name,
            "sentences": SENTENCES,
            "clusters": [[piece.span for piece in cluster] for cluster in clusters],
            "pieces": [
                [c, m, piece.runs]
                for c, cluster in enumerate(clusters)
                for m, piece in enumerate(cluster)
                if len(piece.runs) > 1
            ],
            "kinds": [[piece.kind for piece in cluster] for cluster in clusters],
            "heads": [[piece.head for piece in cluster] for cluster in clusters],
            "minima": [[[piece.head] for piece in cluster] for cluster in clusters],
            "zeros": list(zeros),
            "entity_ids": [cluster[0].entity for cluster in clusters],
        }
        kept = {
            "doc_key",
            "sentences",
            "clusters",
            "entity_ids",
            "pieces",
            "minima",
            "zeros",
            *keys,
        }
        lines.append(json.dumps({key: value for key, value in record.items() if key in kept}))
    return "\n".join(lines) + "\n"


def conll(side: Side) -> str:
    lines = []
    for name, clusters in side:
        lines.append(f"#begin document ({name}); part 000")
        cells: list[list[str]] = [[] for _ in WORDS]
        for cluster in clusters:
            for piece in cluster:
                first, last = piece.span
                if first == last:
                    cells[first].append(f"({piece.entity})")
                else:
                    cells[first].append(f"({piece.entity}")
                    cells[last].append(f"{piece.entity})")
        place = 0
        for sentence in SENTENCES:
            for number, word in enumerate(sentence):
                lines.append(f"{name}\t0\t{number}\t{word}\t{'|'.join(cells[place]) or '-'}")
                place += 1
            lines.append("")
        lines.append("#end document")
    return "\n".join(lines) + "\n"


def table(side: Side) -> str:
    lines = ["document,start,end,entity,kind"]
    for name, clusters in side:
        for cluster in clusters:
            lines += [f"{name},{p.span[0]},{p.span[1]},{p.entity},{p.kind}" for p in cluster]
    return "\n".join(lines) + "\n"


class Files:
    """A folder to write to, one for all examples."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()

    def __call__(self, name: str, text: str) -> str:
        path = Path(self._folder.name, name)
        path.write_text(text, encoding="utf-8")
        return str(path)


file = Files()


def numbers(result: sameas.Result) -> list[Any]:
    """Everything that a result says, in total and by document."""
    found: list[Any] = [len(result)]
    for one in (result, *result.documents):
        for metric in result.metrics:
            score = one[metric]
            parts = [score, *(p for p in (score.coref, score.noncoref) if p is not None)]
            found += [
                (metric, part.recall, part.precision, part.f1, part.value, part.counts)
                for part in parts
            ]
    return found


def same(cone: sameas.Result, score: sameas.Result) -> None:
    assert numbers(cone) == numbers(score)
    # What was done with the mentions that stay.
    ours, theirs = (
        [note for note in result.notes if note.code in ("repeated", "singletons")]
        for result in (cone, score)
    )
    assert ours == theirs


SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "singletons": st.sampled_from(["keep", "drop"]),
        "duplicates": st.sampled_from(["first", "last", "merge"]),
        "average": st.sampled_from(["micro", "macro"]),
        "blanc": st.sampled_from(["luo2014", "gold", "conll-8.01"]),
        "scope": st.sampled_from(["document", "corpus"]),
    },
)


# --- the restriction ----------------------------------------------------------------------------


@few
@given(
    sides(),
    st.sampled_from(["named", "entities", "unnamed"]),
    st.sampled_from(["exact", "head", "partial", "min"]),
    SETTINGS,
    st.sampled_from([(), (1, 4), (3, 7)]),
    st.sampled_from(["linear", "drop"]),
)
def test_cone_is_the_score_of_restricted_files(
    corpus: tuple[Side, Side],
    mentions: str,
    match: str,
    options: dict[str, str],
    zeros: Sequence[int],
    of_zeros: str,
) -> None:
    """Kinds, heads, minima, pieces and empty nodes are all in the files."""
    whole = [file(f"{n}.jsonl", jsonlines(side, zeros)) for n, side in enumerate(corpus)]
    parts = [
        file(f"{n}-part.jsonl", jsonlines(restricted(side, mentions), zeros))
        for n, side in enumerate(corpus)
    ]
    more = {"metrics": "all", "match": match, "zeros": of_zeros, **options}
    found = sameas.cone(*whole, names="annotated", mentions=mentions, **more)
    same(found, sameas.score(*parts, **more))


@few
@given(
    sides(repeats=False, broken=False),
    st.sampled_from(["named", "entities", "unnamed"]),
    st.sampled_from(["keep", "drop"]),
)
def test_whatever_format_the_restricted_documents_are_written_in(
    corpus: tuple[Side, Side], mentions: str, singletons: str
) -> None:
    whole = [file(f"{n}.jsonl", jsonlines(side)) for n, side in enumerate(corpus)]
    more = {"metrics": "all", "singletons": singletons}
    found = sameas.cone(*whole, names="annotated", mentions=mentions, **more)
    parts = [restricted(side, mentions) for side in corpus]
    if not any(crossing(cluster) for side in parts for _, clusters in side for cluster in clusters):
        written = [[(f"{name}_0", c) for name, c in side] for side in parts]
        files = [file(f"{n}.conll", conll([(name[:-2], c) for name, c in side]))
                 for n, side in enumerate(written)]  # fmt: skip
        alike(found, sameas.score(*files, **more))
    if all(clusters for side in parts for _, clusters in side):  # a table has mentions only
        files = [file(f"{n}.csv", table(side)) for n, side in enumerate(parts)]
        alike(found, sameas.score(*files, **more))


def alike(cone: sameas.Result, score: sameas.Result) -> None:
    """The same numbers; entities come in another order there, and sums are rounded otherwise."""
    for one, other in zip(numbers(cone), numbers(score), strict=True):
        for a, b in zip(flat(one), flat(other), strict=True):
            assert a == b or isclose(a, b, rel_tol=1e-12)


def flat(values: Any) -> list[Any]:
    return [x for value in values for x in flat(value)] if isinstance(values, tuple) else [values]


def crossing(cluster: Sequence[Piece]) -> bool:
    """Whether brackets of the entity would cross."""
    return any(a.span[0] < b.span[0] <= a.span[1] < b.span[1] for a in cluster for b in cluster)


@fewer
@given(sides(), st.sampled_from(["named", "entities", "unnamed"]), SETTINGS)
def test_documents_in_memory(
    corpus: tuple[Side, Side], mentions: str, options: dict[str, str]
) -> None:
    def made(side: Side) -> list[Document]:
        return [
            Document(
                name,
                [
                    Entity(
                        cluster[0].entity,
                        tuple(
                            Mention(tuple((a, b) for a, b in p.runs), head=p.head, kind=p.kind)
                            for p in cluster
                        ),
                    )
                    for cluster in clusters
                ],
                text=WrittenText(SENTENCES),
            )
            for name, clusters in side
        ]

    whole = [made(side) for side in corpus]
    parts = [made(restricted(side, mentions)) for side in corpus]
    found = sameas.cone(*whole, names="annotated", mentions=mentions, metrics="all", **options)
    same(found, sameas.score(*parts, metrics="all", **options))


@fewer
@given(sides(documents=4), st.sampled_from(["empty", "skip"]), st.sampled_from(["micro", "macro"]))
def test_missing_documents(corpus: tuple[Side, Side], missing: str, average: str) -> None:
    key, response = corpus
    response = response[: max(1, len(response) - 1)]
    more = {"metrics": "all", "missing_documents": missing, "average": average}
    whole = [file(f"{n}.jsonl", jsonlines(side)) for n, side in enumerate((key, response))]
    parts = [
        file(f"{n}-part.jsonl", jsonlines(restricted(side, "named")))
        for n, side in enumerate((key, response))
    ]
    found, expected = sameas.cone(*whole, **more, names="annotated"), sameas.score(*parts, **more)
    assert numbers(found) == numbers(expected)


@few
@given(sides(), st.sets(st.integers(0, 11)), SETTINGS)
def test_names_that_a_function_finds(
    corpus: tuple[Side, Side], words: set[int], options: dict[str, str]
) -> None:
    """A mention is a name if its head is a word of one, whatever kind the file says it has."""
    whole = [file(f"{n}.jsonl", jsonlines(side)) for n, side in enumerate(corpus)]

    def named(piece: Piece) -> bool:
        return piece.head in words

    parts = [
        file(f"{n}-part.jsonl", jsonlines(restricted(side, "named", named)))
        for n, side in enumerate(corpus)
    ]
    found = sameas.cone(
        *whole, names=lambda sentences: [(w, w) for w in words], metrics="all", **options
    )
    same(found, sameas.score(*parts, metrics="all", **options))


@few
@given(sides(broken=False), st.sets(st.tuples(st.integers(0, 11), st.integers(0, 3))), SETTINGS)
def test_names_that_are_given(
    corpus: tuple[Side, Side], spans: set[tuple[int, int]], options: dict[str, str]
) -> None:
    names = {(first, first + more) for first, more in spans}
    whole = [file(f"{n}.jsonl", jsonlines(side)) for n, side in enumerate(corpus)]
    parts = [
        file(f"{n}-part.jsonl", jsonlines(restricted(side, "named", lambda p: p.span in names)))
        for n, side in enumerate(corpus)
    ]
    found = sameas.cone(*whole, names=names, metrics="all", **options)
    same(found, sameas.score(*parts, metrics="all", **options))


@few
@given(sides(kinds=("name", "nominal", "pronoun"), repeats=False), SETTINGS)
def test_a_response_of_which_nothing_is_said(
    corpus: tuple[Side, Side], options: dict[str, str]
) -> None:
    """As the key's mention of that place, or else of that head, or else by the head's capital."""
    key, response = corpus
    large = capital_words(SENTENCES, PRONOUNS)
    parts: Side = []
    for (name, ours), (_, theirs) in zip(key, response, strict=True):
        said = [(p.words, p.head, is_name(p)) for cluster in ours for p in cluster]

        def named(piece: Piece, said: Any = said) -> bool:
            return by_key(piece.words, piece.head, said, large)

        parts.append((name, RESTRICTIONS["named"](theirs, named)))
    files = [
        file("key.jsonl", jsonlines(key)),
        file("response.jsonl", jsonlines(response, keys=["heads"])),
    ]
    expected = [
        file("key-part.jsonl", jsonlines(restricted(key, "named"))),
        file("response-part.jsonl", jsonlines(parts)),
    ]
    found = sameas.cone(*files, names="annotated", metrics="all", **options)
    same(found, sameas.score(*expected, metrics="all", **options))


@fewer
@given(sides(repeats=False, broken=False))
def test_brute_force(corpus: tuple[Side, Side]) -> None:
    """The counts themselves, from the definitions."""
    files = [file(f"{n}.jsonl", jsonlines(side)) for n, side in enumerate(corpus)]
    found = sameas.cone(*files, names="annotated", metrics="all")
    pairs = [
        tuple([[p.span for p in c] for c in clusters] for _, clusters in documents)
        for documents in zip(*(restricted(side, "named") for side in corpus), strict=True)
    ]
    expected = brute(pairs)  # type: ignore[arg-type]
    for metric in (
        "mention",
        "muc",
        "b3",
        "ceafm",
        "ceafe",
        "lea",
        "pairwise",
        "b3_sys",
        "ceaf_sys",
    ):
        for one, other in zip(found[metric].counts, expected[metric], strict=True):
            assert isclose(one, other, rel_tol=1e-12, abs_tol=1e-12)


@fewer
@given(sides(), st.sampled_from(["named", "entities", "unnamed"]))
def test_recall_and_precision_swap(corpus: tuple[Side, Side], mentions: str) -> None:
    files = [file(f"{n}.jsonl", jsonlines(side)) for n, side in enumerate(corpus)]
    more = {"names": "annotated", "mentions": mentions}
    one, other = sameas.cone(*files, **more), sameas.cone(*reversed(files), **more)
    for metric in ("muc", "b3", "ceafm", "ceafe", "lea", "blanc"):
        assert isclose(one[metric].recall, other[metric].precision, abs_tol=1e-12)
        assert isclose(one[metric].f1, other[metric].f1, abs_tol=1e-12)


@fewer
@given(sides())
def test_names_and_others_make_up_the_entities_that_have_a_name(corpus: tuple[Side, Side]) -> None:
    key = file("key.jsonl", jsonlines(corpus[0]))
    counts = [
        sameas.cone(key, key, names="annotated", mentions=which, duplicates="first")["mention"]
        for which in ("named", "unnamed", "entities")
    ]
    repeated = any(
        len({p.words for c in clusters for p in c}) < sum(map(len, clusters))
        for _, clusters in corpus[0]
    )
    assume(not repeated)
    named, others, whole = (score.counts[1] for score in counts)
    assert named + others == whole


@fewer
@given(sides(), SETTINGS, st.sampled_from(["named", "entities", "unnamed"]))
def test_the_signature_scores_the_same(
    corpus: tuple[Side, Side], options: dict[str, str], mentions: str
) -> None:
    files = [file(f"{n}.jsonl", jsonlines(side)) for n, side in enumerate(corpus)]
    found = sameas.cone(*files, names="annotated", mentions=mentions, metrics="all", **options)
    parsed = sameas.Signature.parse(found.signature)
    assert str(parsed) == found.signature
    assert parsed.settings == found.settings
    again = sameas.cone(*files, metrics="all", signature=found.signature)
    assert numbers(again) == numbers(found)
    assert again.notes == found.notes


# --- heads --------------------------------------------------------------------------------------

VOCABULARY, TAGS = (
    text.split()
    for text in (
        "the The Queen queen of Of , ( ; - 's ’ . … Ann ann and And AND or & nor with who which "
        "that US us IT it he He She 1990 é Élan -- : \" “ ' He's 3 both Both all All one In in",
        "NN NNS NNP NNPS PRP PRP$ WP WDT DT IN TO CC CD JJ VBG VBD RB , : . POS -LRB- FW",
    )
)


@st.composite
def texts(draw: st.DrawFn) -> tuple[list[list[str]], list[tuple[int, int]]]:
    sentences = draw(
        st.lists(
            st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=8), min_size=1, max_size=4
        )
    )
    size = sum(map(len, sentences))
    spans = [(a, b) for a in range(size) for b in range(a, min(size, a + 7))]
    chosen = draw(st.lists(st.sampled_from(spans), min_size=1, max_size=20, unique=True))
    return sentences, chosen


def described(
    sentences: Sequence[Sequence[str]], spans: Sequence[tuple[int, int]], tags: Sequence[str] | None
) -> tuple[list[str], list[int]]:
    text = WrittenText(tuple(map(tuple, sentences)))
    document = Document("a", [Entity("0", tuple(Mention((span,)) for span in spans))], text=text)
    return describe(Layout([document]), document, tags)


def columns(spans: Sequence[tuple[int, int]]) -> Any:
    return np.array(spans, dtype=np.int64).reshape(-1, 2).T


def begins(sentences: Sequence[Sequence[str]]) -> Any:
    found, start = set(), 0
    for sentence in sentences:
        found.add(start)
        if not sentence[0][:1].isalnum() and len(sentence) > 1:
            found.add(start + 1)
        start += len(sentence)
    return np.array(sorted(found), dtype=np.int64)


@settings(deadline=None, max_examples=200)
@given(texts())
def test_heads_at_once_are_heads_one_by_one(
    text: tuple[list[list[str]], list[tuple[int, int]]],
) -> None:
    sentences, spans = text
    words = [word for sentence in sentences for word in sentence]
    kinds, heads = described(sentences, spans, None)
    found = clues(words)
    assert guess_heads(found, *columns(spans)).tolist() == heads
    large = guess_names(words, found, begins(sentences))
    for kind, head, (first, last) in zip(kinds, heads, spans, strict=True):
        # "Ann and Bob" is a name of its own kind; "Both of them" see below.
        joined = words[head].lower() in ("and", "or", "nor", "&") and first < head < last
        longer = first < last and words[head].lower() in PRONOUNS
        if not joined and not longer:
            assert bool(large[head]) == (kind == "name"), words[first : last + 1]


@settings(deadline=None, max_examples=200)
@given(texts(), st.randoms(use_true_random=False))
def test_tagged_heads_at_once_are_heads_one_by_one(
    text: tuple[list[list[str]], list[tuple[int, int]]], generator: random.Random
) -> None:
    sentences, spans = text
    words = [word for sentence in sentences for word in sentence]
    tags = [generator.choice(TAGS) for _ in words]
    _, heads = described(sentences, spans, tags)
    assert guess_heads(clues(words, tags), *columns(spans)).tolist() == heads


@settings(deadline=None, max_examples=100)
@given(texts())
def test_large_words_by_brute_force(text: tuple[list[list[str]], list[tuple[int, int]]]) -> None:
    sentences, _ = text
    words = [word for sentence in sentences for word in sentence]
    found = guess_names(words, clues(words), begins(sentences))
    expected = capital_words(sentences, PRONOUNS)
    for word, one, other in zip(words, found.tolist(), expected, strict=True):
        if word not in ("US", "IT"):  # which are names, though pronouns in small letters
            assert one == other


# --- studies ------------------------------------------------------------------------------------


@st.composite
def studies(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """A key and two systems: clusters of words by document; the first five words are names."""

    def side() -> dict[str, list[list[tuple[int, int]]]]:
        found = {}
        for number in range(6):
            labels = draw(st.lists(st.integers(-1, 2), min_size=8, max_size=8))
            clusters: dict[int, list[tuple[int, int]]] = {}
            for word, label in enumerate(labels):
                if label >= 0:
                    clusters.setdefault(label, []).append((word, word))
            found[f"d{number}"] = list(clusters.values())
        return found

    return side(), {"one": side(), "two": side()}


def is_named(span: tuple[int, int]) -> bool:
    return span[0] < 5


STUDIED_NAMES = {(word, word) for word in range(5)}
QUICK = Resampling(samples=100)


def study_documents(side: dict[str, Any]) -> list[Document]:
    return [Document.from_clusters(name, clusters) for name, clusters in side.items()]


def counted(key: dict[str, Any], response: dict[str, Any], least: int) -> list[str]:
    return [
        name
        for name in key
        if sum(is_named(m) for cluster in key[name] for m in cluster) >= least
        and RESTRICTIONS["entities"](response[name], is_named)
    ]


@fewer
@given(
    studies(),
    st.sampled_from(["named", "unnamed"]),
    st.sampled_from(["entities", "all"]),
    st.integers(1, 3),
)
def test_study_by_document(
    corpus: tuple[dict[str, Any], dict[str, dict[str, Any]]],
    mentions: str,
    against: str,
    least: int,
) -> None:
    key, systems = corpus
    expected: list[tuple[str, str, dict[str, float]]] = []
    left_out: dict[str, tuple[int, int]] = {}
    for system, response in systems.items():
        names = counted(key, response, least)
        too_few = sum(
            sum(is_named(m) for cluster in clusters for m in cluster) < least
            for clusters in key.values()
        )
        left_out[system] = (too_few, len(key) - too_few - len(names))
        for name in names:
            row: dict[str, float] = {}
            for before, which in (("", against), ("cone_", mentions)):
                sides = [RESTRICTIONS[which](side[name], is_named) for side in (key, response)]
                for metric in ("b3", "ceafm", "muc"):
                    f1, recall, precision = document_scores(*sides, metric)
                    row |= {f"{before}{metric}": f1, f"{before}{metric}_recall": recall,
                            f"{before}{metric}_precision": precision}  # fmt: skip
            expected.append((system, name, row))
    made = {name: study_documents(side) for name, side in systems.items()}
    options = {"names": STUDIED_NAMES, "mentions": mentions, "metrics": ["b3", "ceafm", "muc"],
               "against": against, "least": least, "resampling": QUICK}  # fmt: skip
    if len(expected) < 3:
        with raises_problems("study-too-short", count=len(expected)):
            sameas.cone_study(study_documents(key), made, **options)
        return
    found = sameas.cone_study(study_documents(key), made, **options)
    table = found.table
    assert list(zip(*table.labels.values(), strict=True)) == [row[:2] for row in expected]
    for column, values in table.columns.items():
        wanted = [float(100 * row[column]) for _, _, row in expected]
        assert np.allclose(values, wanted, rtol=0, atol=1e-9), column
    for name, correlations in found.correlations.items():
        for one in correlations:
            rows = [row for system, _, row in expected if name in ("", system)]
            assert one.rows == len(rows) and one.y == f"cone_{one.x}"
            r = pearson([row[one.x] for row in rows], [row[one.y] for row in rows])
            assert (one.pearson.value is None) == (r is None)
            if r is not None:
                assert isclose(one.pearson.value, r, abs_tol=1e-9)
                plain = np.corrcoef(
                    [float(row[one.x]) for row in rows], [float(row[one.y]) for row in rows]
                )[0, 1]
                assert isclose(one.pearson.value, plain, abs_tol=1e-6)
    groups = [system for system, _, _ in expected]
    assert len(found.within) == (9 if len(set(groups)) > 1 else 0)
    for one in found.within:
        away = [centred([row[c] for _, _, row in expected], groups) for c in (one.x, one.y)]
        r = pearson(*away)
        assert (one.pearson.value is None) == (r is None) and one.rows == len(expected)
        assert r is None or isclose(one.pearson.value, r, abs_tol=1e-9)
    if against == "all":
        for system in systems:
            plain = sameas.score(study_documents(key), made[system], metrics=["b3"])
            assert numbers(plain) == numbers(replace(found.whole[system], metrics=["b3"]))
    for metric in ("b3", "ceafm", "muc"):
        low, high = found.agreement_interval(metric) or (-1, 1)
        assert -1 <= low <= high <= 1
        whole, cone = ([result[metric].f1 for result in side.values()]
                       for side in (found.whole, found.cone))  # fmt: skip
        assert found.agreement(metric) == kendall(whole, cone)
    for system, (too_few, empty) in left_out.items():
        said = [
            note
            for note in found.notes[system]
            if note.code in ("study-few-names", "study-no-names")
        ]
        counts = (("study-few-names", too_few), ("study-no-names", empty))
        assert said == [Note(code, count=count, least=least) for code, count in counts if count]
        # The scores by which systems are ranked are those of all documents.
        plain = sameas.cone(
            study_documents(key), made[system], names=STUDIED_NAMES, mentions=mentions
        )
        assert numbers(replace(plain, metrics=["b3"])) == numbers(
            replace(found.cone[system], metrics=["b3"])
        )


@fewer
@given(studies(), st.sampled_from(["entities", "all"]))
def test_scores_of_entities_add_up(
    corpus: tuple[dict[str, Any], dict[str, dict[str, Any]]], against: str
) -> None:
    """As shares of the corpus, entities with a name have the score of CONE together."""
    key, systems = corpus
    made = {name: study_documents(side) for name, side in systems.items()}
    try:
        found = sameas.cone_study(
            study_documents(key), made, names=STUDIED_NAMES, level="entity", share_of="corpus",
            against=against, least=0, resampling=QUICK
        )  # fmt: skip
    except InputError:
        return
    for name, table in found.table.by("system").items():
        for metric in ("b3", "ceafm"):
            for part in ("recall", "precision"):
                total = table.columns[f"cone_{metric}_{part}"].sum() / 100
                assert isclose(total, getattr(found.cone[name][metric], part), abs_tol=1e-9)
                total = table.columns[f"{metric}_{part}"].sum() / 100
                whole = getattr(found.whole[name][metric], part)
                assert total <= whole + 1e-9
                assert against == "all" or isclose(total, whole, abs_tol=1e-9)
        total = table.columns["cone_ceafm"].sum() / 100
        assert isclose(total, found.cone[name]["ceafm"].f1, abs_tol=1e-9)


@fewer
@given(studies())
def test_name_errors_by_brute_force(
    corpus: tuple[dict[str, Any], dict[str, dict[str, Any]]],
) -> None:
    key, systems = corpus
    result = sameas.cone(study_documents(key), study_documents(systems["one"]), names=STUDIED_NAMES)
    wanted = np.zeros(3, dtype=int)
    for name in key:
        wanted += name_errors(
            *(RESTRICTIONS["named"](side[name], is_named) for side in (key, systems["one"]))
        )
    found = sameas.name_errors(result)
    assert list(found) == wanted.tolist()
    if found.names:
        lost = (found.missing + found.misgrouped) / found.names
        assert isclose(result["ceafm"].recall, 1 - lost, abs_tol=1e-12)


@fewer
@given(studies(), st.sampled_from(["named", "unnamed"]))
def test_study_by_entity(
    corpus: tuple[dict[str, Any], dict[str, dict[str, Any]]], mentions: str
) -> None:
    """Rows of b3 exactly; those of CEAF are of one of the best alignments, in each document."""
    key, systems = corpus
    rows: list[tuple[str, str]] = []
    b3: list[list[float]] = []
    for system, response in systems.items():
        for name in counted(key, response, 1):
            whole = RESTRICTIONS["entities"](key[name], is_named)
            part = [[m for m in c if is_named(m) == (mentions == "named")] for c in whole]
            theirs = [
                RESTRICTIONS[which](response[name], is_named) for which in ("entities", mentions)
            ]
            left = iter(entity_b3([c for c in part if c], theirs[1]))
            for scores, cluster in zip(entity_b3(whole, theirs[0]), part, strict=True):
                if cluster:
                    rows.append((system, name))
                    b3.append([float(100 * x) for x in (*scores, *next(left))])
    made = {name: study_documents(side) for name, side in systems.items()}
    options = {"names": STUDIED_NAMES, "mentions": mentions, "level": "entity", "least": 1,
               "resampling": QUICK}  # fmt: skip
    if len(rows) < 3:
        with raises_problems("study-too-short", count=len(rows)):
            sameas.cone_study(study_documents(key), made, **options)
        return
    found = sameas.cone_study(study_documents(key), made, **options)
    table = found.table
    assert list(zip(*table.labels.values(), strict=True)) == rows
    names = ["b3", "b3_recall", "b3_precision"]
    values = np.column_stack([table.columns[f"{b}{n}"] for b in ("", "cone_") for n in names])
    assert np.allclose(values, np.array(b3), rtol=0, atol=1e-9)
    for x, y in [(f"{n}", f"cone_{n}") for n in names]:
        (one,) = [c for c in found.correlations[""] if c.x == x]
        r = pearson([row[names.index(x)] for row in b3], [row[3 + names.index(x)] for row in b3])
        assert one.y == y
        if r is not None and one.pearson.value is not None:
            assert isclose(one.pearson.value, r, abs_tol=1e-6)
    ceaf = [f"{b}ceafm{p}" for b in ("", "cone_") for p in ("", "_recall", "_precision")]
    values = np.column_stack([table.columns[name] for name in ceaf])
    for system, response in systems.items():
        for name in counted(key, response, 1):
            here = [n for n, row in enumerate(rows) if row == (system, name)]
            whole = RESTRICTIONS["entities"](key[name], is_named)
            part = [[m for m in c if is_named(m) == (mentions == "named")] for c in whole]
            stays = [n for n, c in enumerate(part) if c]
            sides = [RESTRICTIONS[w](response[name], is_named) for w in ("entities", mentions)]
            possible = [
                [[float(100 * x) for x in one[n]] for n in stays]
                for one in entity_ceafm(whole, sides[0])
            ]
            mine = values[here][:, :3]
            assert not stays or any(np.allclose(mine, one, atol=1e-9) for one in possible)
            possible = [
                [[float(100 * x) for x in parts] for parts in one]
                for one in entity_ceafm([part[n] for n in stays], sides[1])
            ]
            mine = values[here][:, 3:]
            assert not stays or any(np.allclose(mine, one, atol=1e-9) for one in possible)
