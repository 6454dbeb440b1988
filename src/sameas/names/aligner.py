"""One interface for all aligners: `fit(pairs)`, then `align(source, target)`.

The methods are those of Pervouchine, Li & Lin (2009), and one more:

- `affinity`: grapheme affinity alignment (section 3.1), `affinity.py`;
- `phoneme`: phoneme affinity alignment through English phonemes (3.2.1, equation 6);
- `phonological`: the same, begun with the distances between features of phonemes (3.2.2);
- `segment`: runs of letters, by soft counts over all segmentations, `segment.py`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Unpack

import numpy as np

from sameas._version import __version__
from sameas.errors import UsageError
from sameas.names import affinity
from sameas.names.affinity import Matrix
from sameas.names.aligned import AlignedNames, AlignedPair
from sameas.names.aligning import PIVOT, Aligning, Method, OtherOptions
from sameas.names.pairs import NamePairs, check_pairs
from sameas.names.pivot import through_phonemes
from sameas.names.segment import ENOUGH, Floats, Segments, fit_segments, segment, segment_others
from sameas.names.sounds import (
    SoundOf,
    Sounds,
    count_units,
    source_sounds,
    target_sounds,
    unit_sounds,
    version_of_sounds,
)
from sameas.names.tokens import Cuts, cuts_of_links, entropy_of, number_tokens
from sameas.names.units import Integers, NameSide, fold, graphemes
from sameas.notes import Note

__all__ = [
    "Aligner",
    "FittedAligner",
    "Sounds",
    "Step",
    "align",
]

MANY = 0.1  # share of units without letters from which something is amiss
FEW = 50  # pairs, below which nothing can be learned


class Aligner(Aligning):
    """How names are aligned: everything that can move a letter; `fit` makes it ready to align.

    >>> print(Aligner("affinity", start="random", seed=3))
    sameas:align|method:affinity|start:random|seed:3|target:graphemes|case:fold|iterations:50
    """

    __slots__ = ()

    def fit(
        self,
        pairs: Iterable[tuple[str, str]] | NamePairs,
        *,
        source_sounds: Sounds | None = None,
        target_sounds: Sounds | None = None,
        keep: bool = False,
        on_step: Callable[[Step], None] | None = None,
    ) -> FittedAligner:
        """Fit the aligner to pairs of names.

        How names sound is known for English names and Chinese characters; for others
        `source_sounds` tells the phonemes of a name, and `target_sounds` those of a unit. With
        `keep` the alignments of all iterations are kept; `on_step` is called after each.

        >>> fitted = Aligner("affinity").fit([("anna", "안나"), ("nana", "나나"), ("ana", "아나")])
        >>> [step.iteration for step in fitted.steps]
        [0, 1]
        >>> print(fitted.align("hana", "하나"))
        ha/하 na/나
        """
        given = NamePairs.of(pairs)
        if not given.pairs:
            raise UsageError("nothing-to-align")
        names = _Names.of(given.pairs, self.case)
        notes = list(given.notes)
        steps: list[Step] = []
        kept: list[Cuts] = []
        given_sounds = source_sounds, target_sounds
        for found in _iterations(names, self, given_sounds, notes):
            model, cuts, cost = found
            bits = None if cost is None else float(cost / np.log(2) / len(given)) + 0.0
            number = steps[-1].iteration + 1 if steps else int(cost is not None)
            steps.append(Step(number, names.entropy(cuts), bits))
            kept = [*kept, cuts] if keep else [cuts]
            if on_step:
                on_step(steps[-1])
        sounds = ""
        if self.by_sounds:
            sounds = version_of_sounds() if given_sounds == (None, None) else "given"
        fitted = FittedAligner(
            self, tuple(steps), tuple(notes), given.name, names, tuple(kept), model, sounds
        )
        return replace(fitted, notes=(*fitted.notes, *_remarks(fitted)))


@dataclass(frozen=True, slots=True)
class Step:
    """An iteration: its number, the alignment entropy after it, and the bits a pair it costs.

    `cost` is the alignment distance of equation 5, or for segments the negative log-likelihood;
    0 is the start, which has none.
    """

    iteration: int
    entropy: float
    cost: float | None


@dataclass(frozen=True, slots=True)
class _Names:
    """Names as units: as they are written, and as numbers."""

    pairs: list[tuple[str, str]]
    source: list[tuple[str, ...]]
    target: list[tuple[str, ...]]
    letters: NameSide
    units: NameSide

    @classmethod
    def of(
        cls, pairs: list[tuple[str, str]], case: str, known: tuple[NameSide, NameSide] | None = None
    ) -> _Names:
        source = [graphemes(one) for one, _ in pairs]
        target = [graphemes(two) for _, two in pairs]
        sides = []
        for number, names in enumerate((source, target)):
            shown = [tuple(map(fold, name)) for name in names] if case == "fold" else names
            if known:
                symbols = frozenset(known[number].symbols)
                shown = [
                    tuple(unit if unit in symbols else _without_marks(unit) for unit in name)
                    for name in shown
                ]
            sides.append(NameSide.of(shown, known[number].symbols if known else None))
        return cls(pairs, source, target, *sides)

    def sounds(
        self, sound_of: SoundOf | None, symbols: Sequence[str] | None = None
    ) -> tuple[NameSide, Integers]:
        """What letters are linked with, and which unit each is of: units, or their sounds."""
        if sound_of is None:
            return self.units, np.arange(len(self.units.codes))
        return unit_sounds(self.target, sound_of, symbols)

    def tokens(self, cuts: Cuts) -> tuple[AlignedPair, ...]:
        """The names with their tokens, as they are written."""
        same: dict[tuple[str, str], tuple[str, str]] = {}  # tokens recur, and are kept once
        sides = _parts(self.source, cuts.source_ends), _parts(self.target, cuts.target_ends)
        tokens = [same.setdefault(token, token) for token in zip(*sides, strict=True)]
        last = np.searchsorted(cuts.target_ends, self.units.starts[1:], side="right")
        places = zip(self.pairs, pairwise([0, *last.tolist()]), strict=True)
        return tuple(AlignedPair(*pair, tuple(tokens[i:j])) for pair, (i, j) in places)

    def entropy(self, cuts: Cuts) -> float:
        """Alignment entropy of these names, so cut."""
        source = number_tokens(self.letters, cuts.source_ends)
        return entropy_of(source, number_tokens(self.units, cuts.target_ends))


def _parts(names: Iterable[tuple[str, ...]], ends: Integers) -> Iterator[str]:
    """The names one after another, cut where parts of them end."""
    units = list(chain.from_iterable(names))
    return ("".join(units[begin:end]) for begin, end in pairwise([0, *ends.tolist()]))


def _without_marks(unit: str) -> str:
    """The letter of an accented one, which will do where the accented one was never seen."""
    return unicodedata.normalize("NFD", unit)[:1]


@dataclass(frozen=True, slots=True)
class _Links:
    """Letters linked with units, or with the sounds of units, by a matrix of distances."""

    distance: Matrix
    sounds: tuple[str, ...]  # the symbols that letters are linked with
    sound_of: SoundOf | None  # None: units themselves

    def cut(self, names: _Names) -> Cuts:
        side, owners = names.sounds(self.sound_of, self.sounds)
        links = affinity.align(names.letters, side, self.distance).links
        return cuts_of_links(names.letters, names.units, links, owners)


@dataclass(frozen=True, slots=True)
class _Segmentation:
    """Segments with their probabilities."""

    segments: Segments
    probabilities: Floats
    tokens: int  # of the corpus

    def cut(self, names: _Names) -> Cuts:
        learned = self.segments, self.probabilities, self.tokens
        return segment_others(names.letters, names.units, *learned)


@dataclass(frozen=True, repr=False)
class FittedAligner:
    """An aligner that has seen a corpus: `align` aligns any pair, `aligned` is the corpus.

    >>> fitted = Aligner().fit([("anna", "안나"), ("nana", "나나"), ("ana", "아나")])
    >>> print(fitted.align("Hanna", "한나"))
    Han/한 na/나
    """

    settings: Aligner
    steps: tuple[Step, ...]
    notes: tuple[Note, ...]
    name: str
    _names: _Names
    _cuts: tuple[Cuts, ...]  # of every iteration, or of the last
    _model: _Links | _Segmentation
    _sounds: str = ""

    def __repr__(self) -> str:
        """What it is, without its names."""
        return f"<FittedAligner {self.signature}, entropy {self.entropy:.3f} bits>"

    @property
    def signature(self) -> str:
        """Every setting that can move a letter.

        >>> Aligner().fit([("anna", "안나")]).signature
        'sameas:align|method:segment|start:affinity|letters:6|units:1|case:fold|iterations:50|pairs:1|version:0.1.0'
        """
        return self._signed(self.settings)

    def _signed(self, settings: Aligner) -> str:
        sounds = f"|sounds:{self._sounds}" if self._sounds else ""
        return f"{settings}{sounds}|pairs:{len(self._names.source)}|version:{__version__}"

    @property
    def entropy(self) -> float:
        """Alignment entropy of the corpus, in bits.

        >>> Aligner().fit([("anna", "안나"), ("nana", "나나")]).entropy
        0.0
        """
        return self.steps[-1].entropy

    @property
    def aligned(self) -> AlignedNames:
        """The corpus it was fitted to, aligned.

        >>> print(Aligner().fit([("anna", "안나"), ("nana", "나나")]).aligned[1])
        na/나 na/나
        """
        return self._as_aligned(self._cuts[-1], self.signature)

    def at(self, iteration: int) -> AlignedNames:
        """The corpus as it was aligned after an iteration, if it was fitted with `keep`.

        >>> fitted = Aligner("affinity").fit([("anna", "안나")], keep=True)
        >>> print(fitted.at(0)[0])
        an/안 na/나
        """
        numbers = [step.iteration for step in self.steps]
        if len(self._cuts) < len(self.steps) or iteration not in numbers:
            first, last = numbers[0], numbers[-1]
            raise UsageError("no-such-iteration", iteration=iteration, first=first, last=last)
        which = numbers.index(iteration)
        # A first iteration of 0, the start, can be asked for with affinities only.
        settings = replace(self.settings, iterations=iteration)
        return self._as_aligned(self._cuts[which], self._signed(settings))

    def align(self, source: str, target: str) -> AlignedPair:
        """Align one pair of names, by the distances or probabilities that the last alignment of
        the corpus gave; where it was stopped before it settled, that is a step further.

        >>> print(Aligner().fit([("anna", "안나"), ("nana", "나나")]).align("anana", "아나나"))
        a/아 na/나 na/나
        """
        return self.align_all([(source, target)])[0]

    def align_all(self, pairs: Iterable[tuple[str, str]]) -> AlignedNames:
        """Align pairs of names, which need not be those it was fitted to.

        >>> len(Aligner().fit([("anna", "안나"), ("nana", "나나")]).align_all([("ana", "아나")]))
        1
        """
        checked = check_pairs(pairs)
        known = self._names.letters, self._names.units
        names = _Names.of(checked.pairs, self.settings.case, known)
        notes = (*checked.notes, *_unseen(names, known, self.settings.by_sounds))
        tokens = names.tokens(self._model.cut(names))
        return AlignedNames(tokens, notes=notes, signature=self.signature)

    def _as_aligned(self, cuts: Cuts, signature: str) -> AlignedNames:
        tokens = self._names.tokens(cuts)
        return AlignedNames(tokens, self.name, notes=self.notes, signature=signature)


def align(
    pairs: Iterable[tuple[str, str]] | NamePairs,
    method: Method | None = None,
    **options: Unpack[OtherOptions],
) -> AlignedNames:
    """Align a corpus of names with their transliterations; options are those of `Aligner`.

    >>> print(align([("anna", "안나"), ("nana", "나나"), ("ana", "아나")])[0])
    an/안 na/나
    """
    return Aligner.of(method=method, **options).fit(pairs).aligned


def _remarks(fitted: FittedAligner) -> Iterator[Note]:
    """What the entropy does not say."""
    settings, steps, names = fitted.settings, fitted.steps, fitted._names
    if 0 < steps[-1].iteration == settings.iterations and not _settled(fitted):
        yield Note("not-settled", count=settings.iterations)
    cuts = fitted._cuts[-1]
    empty = int(np.count_nonzero(np.diff(cuts.source_ends, prepend=0) == 0))
    if empty > MANY * len(cuts):
        yield Note("units-without-letters", count=empty, total=len(cuts))
    if len(names.source) < FEW:
        yield Note("few-pairs", count=len(names.source))


def _settled(fitted: FittedAligner) -> bool:
    if isinstance(fitted._model, _Links):
        following = fitted._model.cut(fitted._names)
        return np.array_equal(following.source_ends, fitted._cuts[-1].source_ends)
    costs = [step.cost for step in fitted.steps if step.cost is not None]
    return len(costs) > 1 and costs[-2] - costs[-1] <= ENOUGH * costs[-1]


def _unseen(names: _Names, known: tuple[NameSide, NameSide], by_sounds: bool) -> Iterator[Note]:
    """A note on letters and units that the corpus did not have; those that sound may do without."""
    for what, written, side, before in (
        ("letters", names.source, names.letters, known[0]),
        ("units", names.target, names.units, known[1]),
    ):
        flat = [unit for name in written for unit in name]
        new = [flat[at] for at in np.flatnonzero(side.codes > len(before.symbols)).tolist()]
        if new and not (by_sounds and what == "units"):
            yield count_units("never-seen", new, how=what)


def _iterations(
    names: _Names,
    settings: Aligner,
    given: tuple[Sounds | None, Sounds | None],
    notes: list[Note],
) -> Iterator[tuple[_Links | _Segmentation, Cuts, float | None]]:
    """The model, the alignment and its cost, iteration by iteration."""
    if settings.method == "segment":
        yield from _segments(names, settings)
        return
    sound_of = None
    if settings.by_sounds:
        sound_of = target_sounds(names.target, given[1], settings)
        units = {one for name in names.target for one in name}
        silent = sorted(unit for unit in units if not sound_of(unit))
        notes += [count_units("silent-units", silent)] if silent else []
    side, owners = names.sounds(sound_of)
    first: affinity.Aligned | Matrix
    most = settings.iterations
    if settings.method in PIVOT:
        said = [name for name, _ in names.pairs]
        phonemes = source_sounds(said, given[0], settings, notes)
        how = settings.method == "phonological", settings.start, settings.seed
        *_, first = through_phonemes(names.letters, phonemes, side, *how)
        most -= 1
    else:
        first = affinity.start(names.letters, side, settings.start, settings.seed)
    for found, near in affinity.iterate(names.letters, side, first, most):
        cuts = cuts_of_links(names.letters, names.units, found.links, owners)
        cost = None if np.isinf(found.distance) else found.distance
        yield _Links(near, side.symbols, sound_of), cuts, cost


def _segments(names: _Names, settings: Aligner) -> Iterator[tuple[_Segmentation, Cuts, float]]:
    first: Cuts | int | None = None
    if settings.start == "affinity":
        links = affinity.settled(names.letters, names.units)
        first = cuts_of_links(names.letters, names.units, links, np.arange(len(names.units.codes)))
    elif settings.start == "random":
        first = settings.seed
    limits = settings.letters, settings.units, settings.iterations
    segments, lattices, steps = fit_segments(names.letters, names.units, first, *limits)
    for probabilities, likelihood in steps:
        cuts = segment(lattices, probabilities)
        yield _Segmentation(segments, probabilities, len(cuts)), cuts, -likelihood
