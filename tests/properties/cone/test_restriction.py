"""CONE of random documents equals the score of documents that were restricted beforehand."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import isclose
from pathlib import Path
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

import sameas
from brute import brute
from brute_cone import RESTRICTIONS, by_key, capital_words
from effort import examples
from properties.cone.documents import fewer, numbers
from sameas import Document, Entity, Mention
from sameas.documents.document import WrittenText
from sameas.documents.heads import PRONOUNS

few = settings(deadline=None, max_examples=examples(60))

KINDS = ("name", "name", "nominal", "pronoun", "zero", "")
SENTENCES = (
    ("Ann", "saw", "Bob", "and", "the", "Queen"),
    ("The", "old", "Queen", "met", "he", "."),
)
WORDS = [word for sentence in SENTENCES for word in sentence]


@dataclass(frozen=True)
class Piece:
    """A mention in a file: its words (all, in order), head, kind, and the id of its entity."""

    words: tuple[int, ...]
    head: int
    kind: str
    entity: str = ""  # the same id means the same entity in the whole corpus, if that is the scope

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
    """Generate key and response with mentions from one pool; each side may have its own kinds."""
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
    """A folder to write to, shared by all examples."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()

    def __call__(self, name: str, text: str) -> str:
        path = Path(self._folder.name, name)
        path.write_text(text, encoding="utf-8")
        return str(path)


file = Files()


def same(cone: sameas.Result, score: sameas.Result) -> None:
    assert numbers(cone) == numbers(score)
    # The notes on the mentions that are kept.
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
    """The files contain kinds, heads, minimum spans, pieces and empty nodes."""
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
    if all(clusters for side in parts for _, clusters in side):  # a table contains only mentions
        files = [file(f"{n}.csv", table(side)) for n, side in enumerate(parts)]
        alike(found, sameas.score(*files, **more))


def alike(cone: sameas.Result, score: sameas.Result) -> None:
    """Assert equal numbers, up to rounding, because entities are in a different order."""
    for one, other in zip(numbers(cone), numbers(score), strict=True):
        for a, b in zip(flat(one), flat(other), strict=True):
            assert a == b or isclose(a, b, rel_tol=1e-12)


def flat(values: Any) -> list[Any]:
    return [x for value in values for x in flat(value)] if isinstance(values, tuple) else [values]


def crossing(cluster: Sequence[Piece]) -> bool:
    """Return whether brackets of the entity would cross."""
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
    """A mention is a name if its head is a word of a name, whatever its kind in the file."""
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
def test_given_names(
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
def test_a_response_without_annotation(corpus: tuple[Side, Side], options: dict[str, str]) -> None:
    """Use the key's mention with that span or that head, or else the head's capital letter."""
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
    """Compare the counts with those from the definitions."""
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
    parsed = sameas.settings.Signature.parse(found.signature)
    assert str(parsed) == found.signature
    assert parsed.settings == found.settings
    again = sameas.cone(*files, metrics="all", signature=found.signature)
    assert numbers(again) == numbers(found)
    assert again.notes == found.notes
