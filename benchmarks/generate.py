"""Write synthetic corpora in the style of CoNLL-2012, reproducible from a seed.

::

    python benchmarks/generate.py ontonotes big --output corpora

writes ``ontonotes.key.conll``, ``ontonotes.response.conll`` and so on. The words are nonsense,
but the numbers of documents, tokens, mentions and entities, the skew of entity sizes, the nesting
of mentions, and the kinds of errors in the response are realistic.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

Span = tuple[int, int]
Entities = list[list[Span]]


@dataclass(frozen=True)
class Errors:
    """Shares of wrong mentions in a response; `split` and `merged` are shares of entities."""

    missing: float = 0.0
    spurious: float = 0.0
    split: float = 0.0
    merged: float = 0.0
    moved: float = 0.0


@dataclass(frozen=True)
class Corpus:
    """The size of a corpus and the errors of its response."""

    name: str
    key_seed: str
    documents: int
    tokens: int
    mentions: int
    entities: int
    errors: Errors


ONTONOTES = Corpus(
    "ontonotes",
    "ontonotes",
    documents=348,
    tokens=170_000,
    mentions=20_000,
    entities=4_500,
    errors=Errors(missing=0.09, spurious=0.09, split=0.15, merged=0.07, moved=0.03),
)
BIG = Corpus(
    "big",
    "big",
    documents=1,
    tokens=425_000,
    mentions=50_000,
    entities=5_000,
    errors=Errors(missing=0.01, spurious=0.01, split=0.35, merged=0.28, moved=0.04),
)
UNRELATED = replace(BIG, name="unrelated", errors=Errors(moved=1.0))
CORPORA = {
    corpus.name: corpus
    for corpus in [
        ONTONOTES,
        replace(
            ONTONOTES,
            name="ontonotes10",
            key_seed="ontonotes10",
            documents=3_480,
            tokens=1_700_000,
            mentions=200_000,
            entities=45_000,
        ),
        BIG,
        replace(BIG, name="tangled", errors=Errors(moved=0.08)),
        UNRELATED,
        replace(
            UNRELATED,
            name="unrelated4",
            key_seed="unrelated4",
            tokens=1_700_000,
            mentions=200_000,
            entities=20_000,
        ),
    ]
}

GENRES = ["bc", "bn", "mz", "nw", "pt", "tc", "wb"]
MENTION_LENGTHS = [1, 2, 3, 4, 5, 6, 8, 11, 15]
MENTION_LENGTH_WEIGHTS = [46, 26, 10, 6, 4, 3, 2, 2, 1]
PARTS_OF_SPEECH = ["NN", "IN", "DT", "NNP", "JJ", "NNS", "PRP", "VBD", "RB", "VB", "CC", "VBZ"]
NAME_TYPES = ["PERSON", "ORG", "GPE", "DATE", "NORP", "CARDINAL"]
SPEAKERS = ["-", "speaker_a", "speaker_b"]


@dataclass
class Document:
    """The name and the sentence lengths of a document, and its entities on both sides."""

    name: str
    sentences: list[int]
    key: Entities
    response: Entities


def documents(corpus: Corpus, seed: int = 0) -> Iterator[Document]:
    """Yield the documents of a corpus."""
    sizes = random.Random(f"{seed}/{corpus.key_seed}/sizes")
    weights = [sizes.lognormvariate(0, 0.7) + 0.15 for _ in range(corpus.documents)]
    tokens = _shares(corpus.tokens, weights, least=30)
    mentions = _shares(corpus.mentions, [float(count) for count in tokens], least=2)
    entities = _shares(corpus.entities, [float(count) for count in mentions], least=1)
    for number in range(corpus.documents):
        generator = random.Random(f"{seed}/{corpus.key_seed}/{number}")
        sentences = _sentences(generator, tokens[number])
        spans = Spans(generator, sentences)
        found = [spans.invent() for _ in range(mentions[number])]
        key = _entities(generator, found, min(entities[number], mentions[number] // 2))
        wrong = random.Random(f"{seed}/{corpus.name}/{number}/response")
        spans.generator = wrong
        genre = GENRES[number * len(GENRES) // corpus.documents]
        yield Document(
            f"{genre}/made/{number // 100:02d}/made_{number:04d}",
            sentences,
            key,
            _response(wrong, key, spans, corpus.errors),
        )


def _shares(total: int, weights: list[float], least: int) -> list[int]:
    """Return integers that sum to the total, roughly in proportion to the weights."""
    rest = total - least * len(weights)
    scale = rest / sum(weights)
    shares = [least + int(weight * scale) for weight in weights]
    for place in range(total - sum(shares)):
        shares[place % len(shares)] += 1
    return shares


def _sentences(generator: random.Random, tokens: int) -> list[int]:
    """Return sentence lengths that sum to the number of tokens."""
    lengths = []
    while tokens > 0:
        length = min(tokens, max(3, round(generator.gammavariate(3, 6.5))))
        lengths.append(length)
        tokens -= length
    return lengths


class Spans:
    """Distinct mentions within sentences; they may nest but do not cross."""

    def __init__(self, generator: random.Random, sentences: list[int]) -> None:
        self.generator = generator
        self._lengths = sentences
        self._starts = [0]
        for length in sentences:
            self._starts.append(self._starts[-1] + length)
        self._taken: list[list[Span]] = [[] for _ in sentences]

    def invent(self) -> Span:
        """Return a mention that is not used yet."""
        generator = self.generator
        while True:
            sentence = generator.randrange(len(self._lengths))
            start = self._starts[sentence] + generator.randrange(self._lengths[sentence])
            [length] = generator.choices(MENTION_LENGTHS, MENTION_LENGTH_WEIGHTS)
            end = min(start + length, self._starts[sentence + 1]) - 1
            if all(_compatible((start, end), other) for other in self._taken[sentence]):
                self._taken[sentence].append((start, end))
                return start, end


def _compatible(span: Span, other: Span) -> bool:
    """Return whether two spans differ and are disjoint or nested."""
    (start, end), (first, last) = span, other
    if end < first or last < start:
        return True
    inside, outside = first <= start and end <= last, start <= first and last <= end
    return inside != outside


def _entities(generator: random.Random, spans: list[Span], number: int) -> Entities:
    """Group spans by preferential attachment: few large entities, many small, no singletons."""
    shuffled = generator.sample(spans, len(spans))
    entities = [shuffled[2 * place : 2 * place + 2] for place in range(number)]
    owners: list[int] = []
    for span in shuffled[2 * number :]:
        newcomer = generator.random() * (0.35 * number + len(owners)) < 0.35 * number
        owner = generator.randrange(number) if newcomer else generator.choice(owners)
        entities[owner].append(span)
        owners.append(owner)
    return entities


def _response(generator: random.Random, key: Entities, spans: Spans, errors: Errors) -> Entities:
    """Return a response with the given errors; as in OntoNotes it has no singletons."""
    entities = [[span for span in entity if generator.random() >= errors.missing] for entity in key]
    for place in range(len(entities)):
        entity = entities[place]
        if len(entity) > 2 and generator.random() < errors.split:
            cut = generator.randint(1, len(entity) - 1)
            entities.append(entity[cut:])
            del entity[cut:]
    for entity in entities:
        if generator.random() < errors.merged:
            other = generator.choice(entities)
            if other is not entity:
                other.extend(entity)
                entity.clear()
    spurious = round(errors.spurious * sum(len(entity) for entity in key))
    while spurious > 0:
        count = min(spurious, generator.choice([1, 1, 1, 2, 3]))
        spurious -= count
        invented = [spans.invent() for _ in range(count)]
        if count == 1:
            generator.choice(entities).extend(invented)
        else:
            entities.append(invented)
    if errors.moved:
        moved = []
        for entity in entities:
            chosen = {span for span in entity if generator.random() < errors.moved}
            moved += [span for span in entity if span in chosen]
            entity[:] = [span for span in entity if span not in chosen]
        for span in moved:
            generator.choice(entities).append(span)
    return [entity for entity in entities if len(entity) > 1]


# ---------------------------------------------------------------------------------------------
# Text
# ---------------------------------------------------------------------------------------------


def write(corpus: Corpus, folder: Path, seed: int = 0) -> tuple[Path, Path]:
    """Write both files of a corpus and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = folder / f"{corpus.name}.key.conll", folder / f"{corpus.name}.response.conll"
    vocabulary, weights = _vocabulary(random.Random(f"{seed}/words"))
    with paths[0].open("w", newline="\n") as key, paths[1].open("w", newline="\n") as response:
        for number, document in enumerate(documents(corpus, seed)):
            generator = random.Random(f"{seed}/{corpus.key_seed}/{number}/words")
            words = generator.choices(vocabulary, cum_weights=weights, k=sum(document.sentences))
            columns = _columns(generator, document, words)
            key.write(_text(document, columns, document.key))
            response.write(_text(document, columns, document.response))
    return paths


def _vocabulary(generator: random.Random) -> tuple[list[str], list[float]]:
    """Return nonsense words and their cumulative weights; a few words are very frequent."""
    syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
    words = ["the", ",", ".", "of", "to", "a", "and", "in", "it", "he", "she", "they", "-LRB-"]
    while len(words) < 8000:
        words.append("".join(generator.choices(syllables, k=generator.choice([1, 2, 2, 3, 3, 4]))))
    weights, total = [], 0.0
    for rank in range(len(words)):
        total += 1 / (rank + 3)
        weights.append(total)
    return words, weights


def _columns(generator: random.Random, document: Document, words: list[str]) -> list[str]:
    """Return all columns except the last, tab-separated, one string per token."""
    rows = []
    token = 0
    for length in document.sentences:
        speaker = generator.choice(SPEAKERS)
        tags = generator.choices(PARTS_OF_SPEECH, k=length)
        for index in range(length):
            word, tag = words[token], tags[index]
            parse = "(NP*)" if tag.startswith("N") else "*"
            if index == 0:
                parse = "(TOP(S" + parse
            if index == length - 1:
                parse += "))"
            lemma = frame = sense = "-"
            if tag.startswith("VB"):
                lemma, frame, sense = word, "01", "1"
            name = f"({generator.choice(NAME_TYPES)})" if tag == "NNP" else "*"
            fields = [document.name, "0", str(index), word, tag, parse, lemma, frame, sense]
            rows.append("\t".join([*fields, speaker, name]))
            token += 1
    return rows


def _text(document: Document, columns: list[str], entities: Entities) -> str:
    """Return one side of a document as text, with entities numbered by their first mentions."""
    opening: dict[int, list[tuple[int, str]]] = {}
    closing: dict[int, list[tuple[int, str]]] = {}
    single: dict[int, list[str]] = {}
    for label, entity in enumerate(sorted(entities, key=min)):
        for start, end in entity:
            if start == end:
                single.setdefault(start, []).append(f"({label})")
            else:
                opening.setdefault(start, []).append((-end, f"({label}"))
                closing.setdefault(end, []).append((-start, f"{label})"))
    lines = [f"#begin document ({document.name}); part 000"]
    token = 0
    for length in document.sentences:
        for _ in range(length):
            cell = [bracket for _, bracket in sorted(opening.get(token, []))]
            cell += single.get(token, [])
            cell += [bracket for _, bracket in sorted(closing.get(token, []))]
            lines.append(f"{columns[token]}\t{'|'.join(cell) or '-'}")
            token += 1
        lines.append("")
    lines.append("#end document\n")
    return "\n".join(lines)


def main() -> None:
    """Write the corpora named on the command line and print their sizes."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("corpora", nargs="+", choices=sorted(CORPORA), metavar="CORPUS")
    parser.add_argument("--output", type=Path, default=Path(), help="folder for the files")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    for name in arguments.corpora:
        corpus = CORPORA[name]
        for side, path in zip(
            ("key", "response"), write(corpus, arguments.output, arguments.seed), strict=True
        ):
            tally = [getattr(document, side) for document in documents(corpus, arguments.seed)]
            sizes = [len(entity) for entities in tally for entity in entities]
            print(
                f"{path}: {len(tally):,} documents, {corpus.tokens:,} tokens, {sum(sizes):,} "
                f"mentions, {len(sizes):,} entities, largest {max(sizes):,}"
            )


if __name__ == "__main__":
    main()
