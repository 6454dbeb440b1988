"""Measure CONE, and write docs/cone-study.md.

    python studies/cone.py DATA [--output docs] [--only ranking,correlation,…] [--spacy MODEL]

DATA is a folder with `litbank` and `gum` (key.conll, key.jsonl, responses/*.conll), `enron`
(text.jsonl, responses/*.conll) and `redocred` (dev_revised.json, test_revised.json). A line of
key.jsonl is a document: doc_id, tokens, sentences ([start, end) of tokens), clusters of [first,
last] tokens, and mentions as [[first, last], NAM, NOM or PRO, entity type]. None of it is part of
the project. With --only, the other sections of the page stay unchanged.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from cone_data import HALVES, Data, some, text_of
from cone_worth import calling, correlation, entities, errors, paper, ranking, tables
from simple import resolve

import sameas
from sameas.chance.prediction import predict
from sameas.documents.document import Corpus, Document
from sameas.files import write_file
from sameas.matching.pairing import pair_documents
from sameas.without_gold.matcher import group_names
from sameas.without_gold.name import Name
from sameas.without_gold.named import Namer, restrict_pairing
from sameas.without_gold.recognise import recogniser
from sameas.without_gold.scoring import NamedKey

#: Table 5: CONE B³ and CONE CEAF on Enron, in percent.
PAPER_ENRON = {
    "LBJ": (43, 21, 23, 31, 17, 21),
    "BART": (26, 18, 20, 26, 16, 20),
    "LingPipe": (61, 51, 53, 58, 53, 54),
    "OpenNLP": (19, 3, 5, 11, 2, 4),
}


def matching(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Yield the section on how well the matchers group gold names."""
    yield "## Grouping names\n"
    yield (
        "Each matcher groups the gold names, given their gold types, and the groups are "
        "compared with the gold entities. The rules were developed on the seen half only "
        "(documents whose name has an even CRC-32). The held-out half was scored, but its "
        "errors were never inspected. (The beginnings of two of its documents were seen when "
        "the file formats were examined, as were counts of types over all documents.)\n"
    )
    columns = ("corpus", "documents", "names", "entities", "matcher", "half", "B³ P", "B³ R", "B³")
    yield f"| {' | '.join([*columns, 'CEAFm', 'CEAFe', 'LEA'])} |"
    yield "|---|--:|--:|--:|---|---|--:|--:|--:|--:|--:|--:|"
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
                name_count = sum(key[n].mention_count for n in chosen)
                entities = sum(len(key[n].entity_ids) for n in chosen)
                b3 = result["b3"]
                scores = [b3.precision, b3.recall, *(result[m].f1 for m in result)]
                numbers = " | ".join(f"{100 * value:.1f}" for value in scores)
                size = f"{len(chosen):,} | {name_count:,} | {entities:,}"
                yield f"| {corpus} | {size} | {matcher} | {half} | {numbers} |"
    yield ""


def recognition(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Yield the section on the quality and the speed of the recognisers."""
    yield "## Finding names\n"
    yield (
        "The names that the recognisers find are matched with gold names in three ways: by exact "
        "span; by relaxed span (one to one, if one span is inside the other); and by head (the "
        "last word before *of* or a comma). In GUM the gold spans are whole noun phrases, so the "
        "exact scores mean little there.\n"
    )
    columns = ("corpus", "recogniser", "half", "exact P/R/F1", "relaxed P/R/F1", "head P/R/F1")
    yield f"| {' | '.join([*columns, 'words per second'])} |"
    yield "|---|---|---|---|---|---|--:|"
    for corpus in ("litbank", "gum"):
        for source in ["rules", *([f"spacy:{options.spacy}"] if options.spacy else [])]:
            find = recogniser(source)
            counts: dict[str, Any] = {half: np.zeros(5) for half in HALVES}
            words = seconds = 0.0
            gold = {name: names for name, _, names, _ in data.names(corpus)}
            for line in (data.folder / corpus / "key.jsonl").read_text().splitlines():
                record = json.loads(line)
                sentences = text_of(record).sentences()
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
    # Gold spans that share a head count once.
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
    """Yield the section that scores the estimated key (names and groups) against gold."""
    yield "## The estimated key against gold\n"
    yield (
        "Our rules find the names and guess their types, and each matcher groups them. The "
        "table scores the estimated key as if it were a response, against the gold names and "
        "their entities; mentions match by their heads. The heads are those that `sameas` "
        "guesses for any mention, not those of the previous section (the last word before "
        "*of* or a comma). So on GUM, where spans are whole noun phrases, the F1 of names "
        "differs from the head F1 in the previous section.\n"
    )
    yield "| corpus | matcher | half | names P | R | F1 | B³ P | R | F1 | CEAFm | CEAFe | LEA |"
    yield "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for corpus in ("litbank", "gum"):
        key = data.key(corpus)
        for matcher in ("exact", "paper", "rules"):
            found = sameas.without_gold.estimate_key(key, matcher=matcher)
            for half, wanted in HALVES.items():
                if half != "all" and matcher != "rules":
                    continue
                chosen = {d.name for d in key.documents if wanted(d.name.removesuffix("_0"))}
                result = sameas.cone(
                    *(some(one, chosen.__contains__) for one in (key, found)),
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


def enron(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Yield the section on the paper's Table 5."""
    yield "## E-mail that nobody annotated (the paper's Table 5)\n"
    text = data.enron()
    words = sum(document.text.token_count for document in text.documents)
    yield (
        f"The data are {len(text.documents)} parts of the Enron e-mail corpus ({words:,} words). "
        "Our rules find the names, and the matcher in the second column groups them; mentions "
        "match by their heads. In addition to xrenner, the table shows two responses:\n\n"
        "- `capitals` (studies/simple.py), a simple system of our own: runs of capitalised "
        "words corefer if they are the same string, and third-person pronouns join the latest "
        "run;\n"
        "- `estimate`, the key that our rules and our matcher estimate, scored as a response "
        "to show which notes it gets.\n"
    )
    xrenner = sameas.read(data.folder / "enron" / "responses" / "xrenner.conll")
    responses = {
        "xrenner": xrenner,
        "capitals": Corpus([resolve(document) for document in text.documents], "capitals"),
        "estimate": sameas.without_gold.estimate_key(text),
    }
    yield "| system | matcher | average | CONE B³ P | R | F1 | CONE CEAF P | R | F1 |"
    yield "|---|---|---|--:|--:|--:|--:|--:|--:|"
    notes: dict[str, list[str]] = {}
    below: list[float] = []
    for matcher in ("paper", "rules"):
        for name, response in responses.items():
            result = sameas.cone(text, response, matcher=matcher)
            for average in ("micro", "macro"):
                averaged = result.average(average)
                scores = [
                    getattr(averaged[metric], part)
                    for metric in ("b3", "ceafm")
                    for part in ("precision", "recall", "f1")
                ]
                if average == "macro" and matcher == "paper" and name != "estimate":
                    below += [_gap(*scores[:3]), _gap(*scores[3:])]
                numbers = " | ".join(f"{100 * value:.1f}" for value in scores)
                yield f"| {name} | {matcher} | {average} | {numbers} |"
            notes[f"{name}, {matcher}"] = list(map(str, result.notes))
    for system, values in PAPER_ENRON.items():
        numbers = " | ".join(str(value) for value in values)
        yield f"| {system} (paper) | its own | not stated | {numbers} |"
    yield (
        "\n"
        "The F1 values that are possible given the paper's rounded P and R, if F1 is their "
        "harmonic mean:\n"
    )
    yield "| system | B³: printed | possible | CEAF: printed | possible |"
    yield "|---|--:|--:|--:|--:|"
    for system, (p, r, f1, q, s, g) in PAPER_ENRON.items():
        yield f"| {system} | {f1} | {_possible(p, r)} | {g} | {_possible(q, s)} |"
    yield (
        "\nFour of the eight printed values are too low for a harmonic mean: B³ of LBJ, BART and "
        "LingPipe, and CEAF of LingPipe. None is too high. Averaging the F1 of documents would "
        "explain this: the harmonic mean is concave, so the mean F1 of documents is never above "
        "the F1 of their mean P and mean R. Here, with the paper's matcher, it is lower by "
        + ", ".join(f"{one:.1f}" for one in below[:-1])
        + f" and {below[-1]:.1f} points (B³ and CEAF of xrenner, then of capitals).\n"
    )
    yield ("\nWith `--matcher rules`, the scores have these notes:\n")
    for name, remarks in notes.items():
        if name.endswith("rules"):
            yield from (f"- {name.split(',')[0]}: {note}" for note in remarks)
    yield ""


def _possible(precision: int, recall: int) -> str:
    """Return the whole percentages that F1 can have, given rounded P and R."""
    ends = [
        2 * (precision + half) * (recall + half) / (precision + recall + 2 * half)
        for half in (-0.5, 0.5)
    ]
    low, high = (round(end) for end in ends)
    return f"{low}" if low == high else f"{low} to {high}"


def _gap(precision: float, recall: float, f1: float) -> float:
    """Return how many points F1 is below the harmonic mean of precision and recall."""
    return 100 * (2 * precision * recall / (precision + recall) - f1)


def prediction(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Yield the section on the coverage and the width of prediction-powered intervals."""
    yield "## A small gold standard plus CONE on all documents\n"
    draws = options.draws
    yield (
        f"GUM has 263 documents. In each of {draws:,} draws, n documents are chosen at random to "
        "be the annotated ones. The score of all mentions in all documents is estimated twice: "
        "from the annotated documents alone, and from them together with CONE (names found by "
        "our rules, estimated key).\n\n"
        "- Coverage is how often the 95% interval contains the true score of the 263 "
        "documents.\n"
        "- Width is the mean width of the interval with CONE, divided by that of the interval "
        "without CONE.\n"
        "- Bias is the mean error of the estimate with CONE, in points of F1.\n"
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
        "\n"
        f"Coverage with CONE ranges from {100 * min(coverage):.1f}% to "
        f"{100 * max(coverage):.1f}% (two standard errors over {draws:,} draws are "
        f"{200 * math.sqrt(0.05 * 0.95 / draws):.1f} points). Width ranges from "
        f"{min(width):.2f} to {max(width):.2f}, with a mean of {sum(width) / len(width):.2f}. In "
        f"{100 * sum(wider) / len(wider):.0f}% of single draws the interval with CONE is more "
        "than 2% wider than the interval without it.\n"
    )


def speed(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Yield the section on the time that CONE takes."""
    yield "## Speed\n"
    path = data.folder / "gum"
    times: dict[str, list[float]] = {"score": [], "restrict": [], "estimate": []}
    annotated = data.key("gum")
    gc.collect()
    gc.freeze()  # exclude the objects of other parts from garbage collection
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
        "On GUM (263 documents, "
        f"{sum(d.mention_count for d in annotated.documents):,} key mentions), the best of 7 "
        f"runs takes {score:.0f} ms to read and score the files, {restrict:.0f} ms to restrict key "
        f"and response to annotated names, and {estimate:,.0f} ms to find and group the names in "
        "251,725 words and score them. The section on finding names shows the words per second "
        "of the recognisers.\n"
    )


#: The parts in page order; the first line of each is its only second-level heading.
PARTS: dict[str, Callable[[Data, argparse.Namespace], Iterator[str]]] = {
    "ranking": ranking,
    "correlation": correlation,
    "calling": calling,
    "entities": entities,
    "errors": errors,
    "tables": tables,
    "paper": paper,
    "enron": enron,
    "prediction": prediction,
    "matching": matching,
    "recognition": recognition,
    "estimation": estimation,
    "speed": speed,
}


def main() -> None:
    """Write the page, or only some of its sections."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="folder of corpora")
    parser.add_argument(
        "--output", type=Path, default=Path("docs"), help="folder to write to (default: docs)"
    )
    parser.add_argument(
        "--only", metavar="PARTS", help=f"replace these sections of the page: {', '.join(PARTS)}"
    )
    parser.add_argument("--spacy", metavar="MODEL", help="also measure this spaCy model")
    parser.add_argument(
        "--draws", type=int, default=2000, help="draws of the simulation (default: 2000)"
    )
    options = parser.parse_args()
    parts = options.only.split(",") if options.only else list(PARTS)
    if unknown := [part for part in parts if part not in PARTS]:
        parser.error(f"--only: unknown {', '.join(unknown)}; known: {', '.join(PARTS)}")
    data = Data(options.data)
    page = options.output / "cone-study.md"
    made = {}
    for part in parts:
        title, *lines = PARTS[part](data, options)
        made[part] = "\n".join([f"{title.rstrip()}\n<!-- {part} -->\n", *lines]).strip()
    sections = _sections(page.read_text()) if options.only and page.exists() else {}
    sections.update(made)
    text = "\n\n".join([HEAD.strip(), *(sections[part] for part in PARTS if part in sections)])
    write_file(page, text + "\n")


def _sections(page: str) -> dict[str, str]:
    """Return the sections of a page, keyed by the part named below each heading."""
    found = {}
    for section in re.split(r"^(?=## )", page, flags=re.MULTILINE)[1:]:
        part = re.match(r"## .*\n<!-- (\w+) -->", section)
        if part:
            found[part[1]] = section.strip()
    return found


HEAD = """# CONE: a study

This page is written by `python studies/cone.py DATA`; the script describes DATA. None of the data
is part of the project.

The paper (Lin et al. 2010, see [cone.md](cone.md)) scored four systems of its time on ACE phase 2
newswire and ACE 2005, which are not free. This study uses other data and systems instead:

- GUM news stands in for newswire; GUM (24 genres) and LitBank (fiction) stand in for other text.
- Two systems are in common use: neuralcoref (neural, with its inference reimplemented) and xrenner
  (rule-based; GUM is not unseen data for it). Three are simple and were made for comparison:
  mention-pair, sieve and string-match.
- Gold names are the mentions that are labelled as names (LitBank) or have a proper noun as head
  (GUM).
"""

if __name__ == "__main__":
    main()
