"""Everything that is measured about CONE, from the data to the page docs/cone-study.md.

    python studies/cone.py DATA [--output docs] [--only matching,correlation,…] [--spacy MODEL]

DATA is a folder with `litbank` and `gum` (key.conll, key.jsonl, responses/*.conll), `enron`
(text.jsonl, responses/*.conll) and `redocred` (dev_revised.json, test_revised.json). A line of
key.jsonl is a document: doc_id, tokens, sentences ([start, end) of tokens), clusters of [first,
last] tokens, and mentions as [[first, last], NAM, NOM or PRO, entity type]. None of it is part of
the project.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from simple import resolve

import sameas
from sameas.coref.cone.matcher import group_names
from sameas.coref.cone.named import Namer, restrict_pairing
from sameas.coref.cone.names import Name
from sameas.coref.cone.recognise import recogniser
from sameas.coref.cone.scoring import NamedKey
from sameas.coref.cone.study import Study, cone_study
from sameas.coref.document import Corpus, Document, Entity, Mention, WrittenText
from sameas.coref.pairing import pair_documents
from sameas.output.plot import scatter
from sameas.prediction import predict

SYSTEMS = ("neuralcoref", "xrenner", "mention-pair", "sieve", "string-match")
KINDS = {"NAM": "name", "NOM": "nominal", "PRO": "pronoun"}
#: Lin et al. 2010, Tables 1 to 4: B³ P, R, F1, then CEAF P, R, F1, of four systems; documents.
PAPER = {
    "Table 1: gold names, ACE phase 2": (29, {
        "LBJ": (0.82, 0.71, 0.70, 0.81, 0.71, 0.77),
        "BART": (0.85, 0.50, 0.66, 0.71, 0.61, 0.68),
        "LingPipe": (0.84, 0.66, 0.67, 0.74, 0.71, 0.73),
        "OpenNLP": (0.31, 0.57, 0.61, 0.79, 0.72, 0.79),
    }),
    "Table 2: gold names, ACE 2005": (81, {
        "LBJ": (0.60, 0.62, 0.62, 0.75, 0.61, 0.68),
        "BART": (0.74, 0.82, 0.84, 0.72, 0.68, 0.67),
        "LingPipe": (0.91, 0.65, 0.73, 0.44, 0.57, 0.53),
        "OpenNLP": (0.48, 0.77, 0.80, 0.54, 0.67, 0.65),
    }),
    "Table 3: estimated names, ACE phase 2": (29, {
        "LBJ": (0.31, 0.23, 0.22, 0.33, 0.55, 0.56),
        "BART": (0.71, 0.44, 0.43, 0.61, 0.63, 0.71),
        "LingPipe": (0.57, 0.43, 0.49, 0.36, 0.25, 0.31),
        "OpenNLP": (0.10, 0.60, 0.64, 0.35, 0.53, 0.53),
    }),
    "Table 4: estimated names, ACE 2005": (81, {
        "LBJ": (0.33, 0.32, 0.42, 0.22, 0.34, 0.36),
        "BART": (0.25, 0.66, 0.65, 0.20, 0.45, 0.37),
        "LingPipe": (0.19, 0.33, 0.34, 0.77, 0.68, 0.72),
        "OpenNLP": (0.26, 0.66, 0.67, 0.28, 0.42, 0.38),
    }),
}  # fmt: skip
#: Table 5: CONE B³ and CONE CEAF on Enron, in percent.
PAPER_ENRON = {
    "LBJ": (43, 21, 23, 31, 17, 21),
    "BART": (26, 18, 20, 26, 16, 20),
    "LingPipe": (61, 51, 53, 58, 53, 54),
    "OpenNLP": (19, 3, 5, 11, 2, 4),
}


class Data:
    """The corpora, read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: dict[str, Any] = {}

    def key(self, corpus: str) -> Corpus:
        """The gold standard, with kinds of mentions and types of entities."""
        return self._once(f"{corpus} key", lambda: Corpus(list(self._documents(corpus)), corpus))

    def _documents(self, corpus: str) -> Iterator[Document]:
        read = sameas.read(self.folder / corpus / "key.conll").documents
        names = [document.name for document in read]
        lines = (self.folder / corpus / "key.jsonl").read_text().splitlines()
        for name, line in zip(names, lines, strict=True):
            record = json.loads(line)
            assert name.startswith(record["doc_id"])
            said = {tuple(span): (KINDS[kind], type) for span, kind, type in record["mentions"]}
            entities = [
                Entity(
                    str(number),
                    tuple(Mention((tuple(m),), kind=said[tuple(m)][0]) for m in cluster),
                    said[tuple(cluster[0])][1],
                )
                for number, cluster in enumerate(record["clusters"])
            ]
            yield Document(name, entities, text=_text(record))

    def responses(self, corpus: str) -> dict[str, Corpus]:
        """What the systems made of it."""
        folder = self.folder / corpus / "responses"
        return self._once(
            f"{corpus} responses",
            lambda: {name: sameas.read(folder / f"{name}.conll") for name in SYSTEMS},
        )

    def enron(self) -> Corpus:
        """The words of the e-mails."""
        responses = sameas.read(self.folder / "enron" / "responses" / "xrenner.conll").documents
        lines = (self.folder / "enron" / "text.jsonl").read_text().splitlines()
        documents = [
            Document(response.name, text=_text(json.loads(line)))
            for response, line in zip(responses, lines, strict=True)
        ]
        return Corpus(documents, "enron")

    def names(self, corpus: str) -> Iterator[tuple[str, list[str], list[Name], list[int]]]:
        """Document, words, gold names and their entities."""
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

    def _once(self, name: str, make: Callable[[], Any]) -> Any:
        if name not in self._read:
            self._read[name] = make()
        return self._read[name]


def _text(record: dict[str, Any]) -> WrittenText:
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


def held_back(document: str) -> bool:
    """Whether a document was not looked at while rules were written."""
    return zlib.crc32(document.encode()) % 2 == 1


HALVES: dict[str, Callable[[str], bool]] = {
    "all": lambda name: True,
    "seen": lambda name: not held_back(name),
    "held back": held_back,
}


def matching(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Names of gold, grouped by what they look like."""
    yield "## Grouping names\n"
    yield (
        "Gold names with gold types, grouped by each matcher, against the gold entities of names. "
        "Rules were written looking at the seen half only (documents whose name has an even "
        "CRC-32). The other half was scored, and its errors never looked at (but for the "
        "beginnings of two of its documents, seen when the file formats were, and "
        "counts of types over all).\n"
    )
    columns = ("corpus", "documents, names, entities", "matcher", "half", "B³ P", "B³ R", "B³")
    yield f"| {' | '.join([*columns, 'CEAFm', 'CEAFe', 'LEA'])} |"
    yield "|---|---|---|---|--:|--:|--:|--:|--:|--:|"
    for corpus in ("litbank", "gum", "redocred"):
        documents = list(data.names(corpus))
        for matcher in ("exact", "paper", "rules", "rules, no types"):
            key, response = [], []
            for number, (name, words, names, gold) in enumerate(documents):
                given = names if matcher != "rules, no types" else [
                    Name(one.first, one.last) for one in names
                ]  # fmt: skip
                grouped = group_names(words, given, matcher.split(",")[0]).entity
                for side, entity in ((key, gold), (response, grouped)):
                    clusters: dict[int, list[Any]] = {}
                    for one, place in zip(names, entity, strict=True):
                        clusters.setdefault(place, []).append((one.first, one.last))
                    side.append(Document.from_clusters(f"{number} {name}", list(clusters.values())))
            for half, wanted in HALVES.items():
                if half != "all" and matcher != "rules":
                    continue
                chosen = [n for n, document in enumerate(documents) if wanted(document[0])]
                result = sameas.score(
                    [key[n] for n in chosen], [response[n] for n in chosen],
                    metrics="b3,ceafm,ceafe,lea",
                )  # fmt: skip
                names_there = sum(key[n].mention_count for n in chosen)
                entities = sum(len(key[n].entity_ids) for n in chosen)
                b3 = result["b3"]
                scores = [b3.precision, b3.recall, *(result[m].f1 for m in result)]
                numbers = " | ".join(f"{100 * value:.1f}" for value in scores)
                size = f"{len(chosen)}, {names_there:,}, {entities:,}"
                yield f"| {corpus} | {size} | {matcher} | {half} | {numbers} |"
    yield ""


def recognition(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Names found in the words."""
    yield "## Finding names\n"
    yield (
        "Against gold names: exact spans; relaxed, one to one, where one span is inside the other; "
        "head, the last word before *of* or a comma. In GUM the gold spans are whole noun phrases, "
        "so exact says little there.\n"
    )
    columns = ("corpus", "recogniser", "half", "exact P/R/F1", "relaxed P/R/F1", "head P/R/F1")
    yield f"| {' | '.join([*columns, 'words a second'])} |"
    yield "|---|---|---|---|---|---|--:|"
    for corpus in ("litbank", "gum"):
        for source in ["rules", *([f"spacy:{options.spacy}"] if options.spacy else [])]:
            find = recogniser(source)
            counts: dict[str, Any] = {half: np.zeros(5) for half in HALVES}
            words = seconds = 0.0
            gold = {name: names for name, _, names, _ in data.names(corpus)}
            for line in (data.folder / corpus / "key.jsonl").read_text().splitlines():
                record = json.loads(line)
                sentences = _text(record).sentences()
                began = time.perf_counter()
                found = find(sentences)
                seconds += time.perf_counter() - began
                words += len(record["tokens"])
                counted = _count_names(record["tokens"], gold[record["doc_id"]], found)
                for half, wanted in HALVES.items():
                    if wanted(record["doc_id"]):
                        counts[half] += counted
            for half, (ours, theirs, *same) in counts.items():
                shown = " | ".join(_rates(n, ours, theirs) for n in same)
                speed = f"{words / seconds:,.0f}" if half == "all" else ""
                yield f"| {corpus} | {find.name} | {half} | {shown} | {speed} |"
    yield ""


def _count_names(words: Sequence[str], gold: Sequence[Name], found: Sequence[Name]) -> Any:
    spans = [{(name.first, name.last) for name in names} for names in (gold, found)]
    heads = [{_head(words, *span) for span in some} for some in spans]
    relaxed = 0
    free = set(spans[1])
    for first, last in sorted(spans[0], key=lambda span: span not in spans[1]):
        inside = (
            span
            for span in free
            if (first <= span[0] and span[1] <= last) or (span[0] <= first and last <= span[1])
        )
        one = min(inside, key=lambda span: span != (first, last), default=None)
        if one is not None:
            free.remove(one)
            relaxed += 1
    # Heads that several gold spans share are one.
    same = len(heads[0] & heads[1])
    return np.array([len(spans[0]), len(spans[1]), len(spans[0] & spans[1]), relaxed, same])


def _head(words: Sequence[str], first: int, last: int) -> int:
    stop = next((n for n in range(first + 1, last + 1) if words[n] in ("of", ",")), last + 1)
    return stop - 1


def _rates(same: float, ours: float, theirs: float) -> str:
    precision, recall = same / max(theirs, 1), same / max(ours, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return "/".join(f"{100 * value:.1f}" for value in (precision, recall, f1))


def estimation(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """The estimated key, names and groups, against gold."""
    yield "## The estimated key against gold\n"
    yield (
        "Names found by our rules, their types guessed, grouped by each matcher: the estimated "
        "key as if it were a response, against the gold names and their entities; mentions match "
        "by their heads.\n"
    )
    yield "| corpus | matcher | half | names P | R | F1 | B³ P | R | F1 | CEAFm | CEAFe | LEA |"
    yield "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for corpus in ("litbank", "gum"):
        key = data.key(corpus)
        for matcher in ("exact", "paper", "rules"):
            found = sameas.estimate_key(key, matcher=matcher)
            for half, wanted in HALVES.items():
                if half != "all" and matcher != "rules":
                    continue
                chosen = {d.name for d in key.documents if wanted(d.name.removesuffix("_0"))}
                result = sameas.cone(
                    *(_some(one, chosen.__contains__) for one in (key, found)),
                    names="annotated", match="head", metrics="mention,b3,ceafm,ceafe,lea",
                )  # fmt: skip
                values = [
                    getattr(result[metric], part)
                    for metric in ("mention", "b3")
                    for part in ("precision", "recall", "f1")
                ] + [result[metric].f1 for metric in ("ceafm", "ceafe", "lea")]
                numbers = " | ".join(f"{100 * value:.1f}" for value in values)
                yield f"| {corpus} | {matcher} | {half} | {numbers} |"
    yield ""


def correlation(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """The paper's Tables 1 to 4 and Figures 1 to 5."""
    yield "## Does CONE tell the score of whole entities?\n"
    yield (
        "Pearson's r over documents, between the score of the entities that have a name (all their "
        "mentions) and the score of their names alone, with 95% intervals by the bootstrap over "
        "documents; mentions match by their heads unless it says otherwise; documents with fewer "
        "than three gold names, or without a response, are left out. CEAF is φ₃ (CEAFm), as "
        "in the paper.\n"
    )
    corpora = {
        "GUM news": ("gum", lambda name: "_news_" in name),
        "GUM": ("gum", lambda name: True),
        "LitBank": ("litbank", lambda name: True),
    }
    pooled = []
    for title, (corpus, wanted) in corpora.items():
        key = _some(data.key(corpus), wanted)
        systems = {n: _some(c, wanted) for n, c in data.responses(corpus).items()}
        for kind, names in (
            ("gold names", {}),
            ("estimated names, our rules", {"names": "rules", "matcher": "rules"}),
            (
                "estimated names, the paper's matcher",
                {"names": "rules", "matcher": "paper"},
            ),
            ("control: unnamed mentions", {"mentions": "unnamed"}),
            ("gold names, matched exactly", {"match": "exact"}),
        ):
            found = cone_study(key, systems, **{"match": "head", **names})
            yield f"### {title}, {kind}\n"
            yield from _correlation_rows(found)
            yield from (f"*{note}*\n" for note in _left_out(found))
            pooled.append((title, kind, found))
            if kind in ("gold names", "estimated names, our rules"):
                file = f"cone-{title} {kind.split(' ')[0]}.png".lower().replace(" ", "-")
                scatter(found.table, found.correlations[""][::3], str(options.output / file),
                        by="system")  # fmt: skip
                yield f"![Scores of documents: {title}, {kind}]({file})\n"
    yield "### All systems pooled, F1, beside the paper's\n"
    yield "| | n | B³ | CEAF |"
    yield "|---|--:|---|---|"
    for title, kind, found in pooled:
        b3, ceaf = found.correlations[""][0], found.correlations[""][3]
        yield f"| {title}, {kind} | {b3.rows} | {_r(b3)} | {_r(ceaf)} |"
    yield "| paper, Figures 2 and 3: ACE phase 2, gold names | 4 × 29 | 0.70 | 0.83 |"
    yield "| paper, Figures 4 and 5: ACE 2005, gold names | 4 × 81 | 0.89 | 0.82 |\n"
    yield "### Ranking the systems (Kendall's τ over five systems)\n"
    yield "| | B³ | CEAF |"
    yield "|---|--:|--:|"
    for title, kind, found in pooled:
        taus = [found.agreement(metric) for metric in ("b3", "ceafm")]
        yield (
            f"| {title}, {kind} | "
            + " | ".join(f"{tau:.1f}".replace("-", "−") for tau in taus)
            + " |"
        )
    yield ""
    yield "### The paper's tables, with the intervals their n gives (Fisher)\n"
    for title, (n, rows) in PAPER.items():
        yield f"{title}, n = {n}\n"
        yield "| system | B³ P | R | F1 | CEAF P | R | F1 |"
        yield "|---|---|---|---|---|---|---|"
        for system, values in rows.items():
            yield f"| {system} | " + " | ".join(_fisher(r, n) for r in values) + " |"
        yield ""
    yield "### Over entities (the paper's Figure 1)\n"
    yield (
        "Each key entity that has a name: its recall and precision by the entity that CEAF aligns "
        "it to, or by B³ over its mentions, of all its mentions and of its names; the control "
        "takes its other mentions. Entities of a document are drawn together. The paper has 0.73 "
        "for CEAF precision (LBJ and BART on ACE phase 2), and 0.03 for the control.\n"
    )
    yield "| corpus | names or others | n | B³ P | B³ R | CEAF P | CEAF R |"
    yield "|---|---|--:|---|---|---|---|"
    for title, (corpus, wanted) in corpora.items():
        key = _some(data.key(corpus), wanted)
        systems = {n: _some(c, wanted) for n, c in data.responses(corpus).items()}
        for mentions in ("named", "unnamed"):
            found = cone_study(key, systems, match="head", level="entity", mentions=mentions)
            some = found.correlations[""]
            cells = " | ".join(_r(some[number]) for number in (2, 1, 5, 4))
            yield f"| {title} | {mentions} | {some[0].rows} | {cells} |"
    yield ""


def _some(corpus: Corpus, wanted: Callable[[str], bool]) -> Corpus:
    return Corpus([d for d in corpus.documents if wanted(d.name)], corpus.path)


def _correlation_rows(found: Study) -> Iterator[str]:
    yield "| system | n | B³ P | R | F1 | CEAF P | R | F1 |"
    yield "|---|--:|---|---|---|---|---|---|"
    for name, some in found.correlations.items():
        cells = " | ".join(_r(some[number]) for number in (2, 1, 0, 5, 4, 3))
        yield f"| {name or '**all**'} | {some[0].rows} | {cells} |"
    yield ""


def _left_out(found: Study) -> list[str]:
    return [f"{note}." for note in found.notes]


def _r(one: Any) -> str:
    if one.pearson.value is None:
        return "–"
    text = f"{one.pearson.value:.2f}"
    if one.pearson.interval:
        text += " [{:.2f}, {:.2f}]".format(*one.pearson.interval)
    return text.replace("-", "−")


def _fisher(r: float, n: int) -> str:
    reach = 1.959964 / math.sqrt(n - 3)
    low, high = (math.tanh(math.atanh(r) + side * reach) for side in (-1, 1))
    return f"{r:.2f} [{low:.2f}, {high:.2f}]".replace("-", "−")


def enron(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """The paper's Table 5."""
    yield "## E-mail that nobody annotated (the paper's Table 5)\n"
    text = data.enron()
    words = sum(document.text.token_count for document in text.documents)
    yield (
        f"{len(text.documents)} parts of Enron e-mail, {words:,} words, names found by our rules "
        "and grouped; mentions match by their heads. `capitals` (studies/simple.py) is a system of "
        "our own: runs of capital letters, the same if they are the same string, and third-person "
        "pronouns joined to the latest run. `estimate` is the estimated key itself, scored against "
        "itself, to show what is said of it.\n"
    )
    xrenner = sameas.read(data.folder / "enron" / "responses" / "xrenner.conll")
    responses = {
        "xrenner": xrenner,
        "capitals": Corpus([resolve(document) for document in text.documents], "capitals"),
        "estimate": sameas.estimate_key(text),
    }
    yield "| system | matcher | CONE B³ P | R | F1 | CONE CEAF P | R | F1 |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|"
    notes: dict[str, list[str]] = {}
    for matcher in ("paper", "rules"):
        for name, response in responses.items():
            result = sameas.cone(text, response, matcher=matcher)
            scores = [
                getattr(result[metric], part)
                for metric in ("b3", "ceafm")
                for part in ("precision", "recall", "f1")
            ]
            numbers = " | ".join(f"{100 * value:.1f}" for value in scores)
            yield f"| {name} | {matcher} | {numbers} |"
            notes[f"{name}, {matcher}"] = list(result.notes)
    for system, values in PAPER_ENRON.items():
        numbers = " | ".join(str(value) for value in values)
        yield f"| {system} (paper) | its own | {numbers} |"
    yield "\nWhat the scores of `--matcher rules` come with:\n"
    for name, some in notes.items():
        if name.endswith("rules"):
            yield from (f"- {name.split(',')[0]}: {note}" for note in some)
    yield ""


def prediction(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Coverage and width of prediction-powered intervals."""
    yield "## A small gold standard and CONE of everything\n"
    draws = options.draws
    yield (
        f"GUM, 263 documents: n of them drawn by chance are annotated, {draws:,} times, and the "
        "score of all mentions of all documents is estimated from these alone, and with CONE "
        "(names by our rules, estimated key). Coverage is how often the 95% interval has the true "
        "score of the 263; width is that of the interval with CONE, as a share of the one "
        "without, on average; bias is the mean error of the estimate, in points of F1.\n"
    )
    yield "| system | metric | n | coverage, sample alone | coverage, with CONE | width | bias |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    key = data.key("gum")
    metrics = ["muc", "b3", "ceafm", "ceafe", "lea", "conll"]
    random = np.random.default_rng(1)
    named_key = NamedKey.of(key, "rules", matcher="rules")
    ends: list[tuple[float, float]] = []
    wider: list[bool] = []
    for name, response in data.responses("gum").items():
        full = sameas.score(key, response, metrics=metrics)
        proxy = named_key.score(response, metrics).additive()
        for n in (20, 40):
            found: dict[str, list[list[float]]] = {metric: [] for metric in metrics}
            for _ in range(draws):
                drawn = np.sort(random.choice(len(full), n, replace=False)).tolist()
                part = predict(full.select(drawn).additive(), proxy, drawn, metrics)
                for metric in metrics:
                    one, truth = part[metric]["f1"], full[metric].value
                    wider.append(one.gain > 1.02)
                    found[metric].append(
                        [
                            one.sample.interval.low <= truth <= one.sample.interval.high,
                            one.predicted.interval.low <= truth <= one.predicted.interval.high,
                            one.sample.interval.high - one.sample.interval.low,
                            one.predicted.interval.high - one.predicted.interval.low,
                            one.predicted.value - truth,
                        ]
                    )
            for metric, rows in found.items():
                alone, both, wide, narrow, bias = np.array(rows).mean(axis=0).tolist()
                ends.append((both, narrow / wide))
                title = sameas.METRICS[metric].title
                yield (
                    f"| {name} | {title} | {n} | {100 * alone:.1f}% | {100 * both:.1f}% | "
                    f"{narrow / wide:.2f} | {100 * bias:+.2f} |".replace("-", "−").replace(
                        name.replace("-", "−"), name
                    )
                )
    coverage, width = zip(*ends, strict=True)
    yield (
        f"\nCoverage with CONE is from {100 * min(coverage):.1f}% to {100 * max(coverage):.1f}% "
        f"(two standard errors of {draws:,} draws are {200 * math.sqrt(0.05 * 0.95 / draws):.1f} "
        f"points), mean width from {min(width):.2f} to {max(width):.2f}, "
        f"{sum(width) / len(width):.2f} on average; in {100 * sum(wider) / len(wider):.0f}% of "
        "single draws the interval with CONE is more than 2% wider than the one without.\n"
    )


def speed(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """What the restriction to names costs."""
    yield "## Speed\n"
    path = data.folder / "gum"
    times: dict[str, list[float]] = {"score": [], "restrict": [], "estimate": []}
    annotated = data.key("gum")
    gc.collect()
    gc.freeze()  # what the other parts left in memory is not to be looked through again
    for _ in range(7):
        began = time.perf_counter()
        key = sameas.read(path / "key.conll")
        response = sameas.read(path / "responses" / "xrenner.conll")
        sameas.score(key, response)
        times["score"].append(time.perf_counter() - began)
        pairing = pair_documents(annotated, response)
        began = time.perf_counter()
        restrict_pairing(pairing, Namer("annotated"))
        times["restrict"].append(time.perf_counter() - began)
        began = time.perf_counter()
        sameas.cone(key, response, names="rules", matcher="rules")
        times["estimate"].append(time.perf_counter() - began)
    score, restrict, estimate = (1000 * min(some) for some in times.values())
    yield (
        f"GUM, 263 documents, {sum(d.mention_count for d in annotated.documents):,} key mentions, "
        f"best of 7: reading and scoring {score:.0f} ms; restricting key and response to annotated "
        f"names {restrict:.0f} ms; finding and grouping the names of 251,725 words and scoring "
        f"them {estimate:.0f} ms. The words a second of the recognisers are in the table above.\n"
    )


PARTS = {
    "matching": matching,
    "recognition": recognition,
    "estimation": estimation,
    "correlation": correlation,
    "enron": enron,
    "prediction": prediction,
    "speed": speed,
}


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder of corpora")
    parser.add_argument("--output", type=Path, default=Path("docs"), help="where to write (docs)")
    parser.add_argument("--only", help=f"some parts, to standard output: {', '.join(PARTS)}")
    parser.add_argument("--spacy", metavar="MODEL", help="also measure this model")
    parser.add_argument("--draws", type=int, default=2000, help="of the simulation (2000)")
    options = parser.parse_args()
    data = Data(options.data)
    parts = options.only.split(",") if options.only else list(PARTS)
    lines: list[str] = []
    for part in parts:
        for line in PARTS[part](data, options):
            lines.append(line)
            if options.only:
                print(line, flush=True)
    if not options.only:
        text = "\n".join([HEAD, *lines])
        (options.output / "cone-study.md").write_text(text.rstrip("\n") + "\n")


HEAD = """# CONE, measured

Written by `python studies/cone.py DATA`, which says what DATA is; none of the data is part of the
project. What stands in for what: the paper scored four systems of 2010 on ACE phase 2 newswire and
ACE 2005, which are not free. Here GUM news stands in for newswire, GUM (24 genres) and LitBank
(fiction) for other text, and five systems: neuralcoref (a neural one, its inference written anew)
and xrenner (rules; it knows GUM) are systems that people use, mention-pair, sieve and string-match
are simple ones made for comparison. Names of gold are the mentions labelled so (LitBank) or with a
proper noun as head (GUM).
"""

if __name__ == "__main__":
    main()
