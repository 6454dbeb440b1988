"""The corpora for the study of CONE, read once; studies/cone.py describes their folder."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import sameas
from sameas.documents.document import Corpus, Document, Entity, Mention, WrittenText
from sameas.without_gold.name import Name

SYSTEMS = ("neuralcoref", "xrenner", "mention-pair", "sieve", "string-match")
KINDS = {"NAM": "name", "NOM": "nominal", "PRO": "pronoun"}


class Data:
    """The corpora, read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: dict[str, Any] = {}

    def key(self, corpus: str) -> Corpus:
        """Return the gold standard, with kinds of mentions and types of entities."""
        return self.once(f"{corpus} key", lambda: Corpus(list(self._documents(corpus)), corpus))

    def _documents(self, corpus: str) -> Iterator[Document]:
        read = sameas.read(self.folder / corpus / "key.conll").documents
        names = [document.name for document in read]
        lines = (self.folder / corpus / "key.jsonl").read_text().splitlines()
        for name, line in zip(names, lines, strict=True):
            record = json.loads(line)
            assert name.startswith(record["doc_id"])
            labels = {tuple(span): (KINDS[kind], type) for span, kind, type in record["mentions"]}
            entities = [
                Entity(
                    str(number),
                    tuple(Mention((tuple(m),), kind=labels[tuple(m)][0]) for m in cluster),
                    labels[tuple(cluster[0])][1],
                )
                for number, cluster in enumerate(record["clusters"])
            ]
            yield Document(name, entities, text=text_of(record))

    def responses(self, corpus: str) -> dict[str, Corpus]:
        """Return the responses of the systems."""
        folder = self.folder / corpus / "responses"
        return self.once(
            f"{corpus} responses",
            lambda: {name: sameas.read(folder / f"{name}.conll") for name in SYSTEMS},
        )

    def enron(self) -> Corpus:
        """Return the text of the e-mails."""
        responses = sameas.read(self.folder / "enron" / "responses" / "xrenner.conll").documents
        lines = (self.folder / "enron" / "text.jsonl").read_text().splitlines()
        documents = [
            Document(response.name, text=text_of(json.loads(line)))
            for response, line in zip(responses, lines, strict=True)
        ]
        return Corpus(documents, "enron")

    def names(self, corpus: str) -> Iterator[tuple[str, list[str], list[Name], list[int]]]:
        """Yield each document's title, words, gold names, and the entity of each name."""
        if corpus == "redocred":
            for part in ("dev", "test"):
                records = json.loads((self.folder / corpus / f"{part}_revised.json").read_text())
                for record in records:
                    yield _redocred(record)
            return
        for line in (self.folder / corpus / "key.jsonl").read_text().splitlines():
            record = json.loads(line)
            named = {tuple(span): type for span, kind, type in record["mentions"] if kind == "NAM"}
            found = sorted(
                (tuple(span), number)
                for number, cluster in enumerate(record["clusters"])
                for span in cluster
                if tuple(span) in named
            )
            names = [Name(*span, named[span]) for span, _ in found]
            yield record["doc_id"], record["tokens"], names, [number for _, number in found]

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """Return the value cached under a name; compute it on first use."""
        if name not in self._read:
            self._read[name] = make()
        return self._read[name]


def text_of(record: dict[str, Any]) -> WrittenText:
    """Return the sentences of a JSON record."""
    tokens = record["tokens"]
    return WrittenText(tuple(tuple(tokens[start:stop]) for start, stop in record["sentences"]))


def _redocred(record: dict[str, Any]) -> tuple[str, list[str], list[Name], list[int]]:
    starts = [0]
    for sentence in record["sents"]:
        starts.append(starts[-1] + len(sentence))
    found: dict[tuple[int, int], tuple[int, str]] = {}
    for number, vertices in enumerate(record["vertexSet"]):
        for vertex in vertices:
            if vertex["type"] in ("TIME", "NUM"):
                continue
            start = starts[vertex["sent_id"]]
            first, stop = vertex["pos"]
            found.setdefault((start + first, start + stop - 1), (number, vertex["type"]))
    names = [Name(*span, type) for span, (_, type) in sorted(found.items())]
    words = [word for sentence in record["sents"] for word in sentence]
    return record["title"], words, names, [number for _, (number, _) in sorted(found.items())]


def held_out(document: str) -> bool:
    """Return whether a document was held out while the rules were written."""
    return zlib.crc32(document.encode()) % 2 == 1


HALVES: dict[str, Callable[[str], bool]] = {
    "all": lambda name: True,
    "seen": lambda name: not held_out(name),
    "held out": held_out,
}


def some(corpus: Corpus, wanted: Callable[[str], bool]) -> Corpus:
    """Return the documents whose names pass `wanted`."""
    return Corpus([d for d in corpus.documents if wanted(d.name)], corpus.path)
