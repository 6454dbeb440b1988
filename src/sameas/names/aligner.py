"""One interface for all aligners: `fit(pairs)`, then `align(source, target)`.

Three methods are from Pervouchine, Li & Lin (2009); `segment` is an addition:

- `affinity`: grapheme affinity alignment (section 3.1; `affinity.py`);
- `phoneme`: phoneme affinity alignment through English phonemes (3.2.1, equation 6);
- `phonological`: the same, initialised with phonological distances (3.2.2);
- `segment`: aligns runs of letters, using expected counts over all segmentations (`segment.py`).
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

MANY = 0.1  # share of units without letters above which a note warns
FEW = 50  # pairs below which a note warns of overfitting


class Aligner(Aligning):
    """The settings of an alignment; `fit` returns an aligner trained on pairs of names.

    Parameters
    ----------
    method
        `segment` (default), `affinity`, `phoneme` or `phonological`.
    start
        Initial alignment: `affinity` (default of `segment`), `even` (default of the others) or
        `random`.
    seed
        Seed of the random start.
    target
        What `affinity` links letters with: `graphemes` (default) or their `sounds`.
    cut
        How Chinese syllables are cut into sounds: `coda` (连 is l ie n), `final` (l ian) or `phone`
        (l y eh n).
    letters, units
        Maximum number of letters (default 6) and of units (default 1) in a segment.
    case
        `fold` (default) ignores case, `keep` does not.
    iterations
        Stop after this number of iterations (default 50).

    Examples
    --------
    >>> print(Aligner("affinity", start="random", seed=3))
    sameas:align|method:affinity|start:random|seed:3|target:graphemes|case:fold|iterations:50
    >>> Aligner.of(method="affinity", start=None) == Aligner.parse("sameas:align|method:affinity")
    True
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

        Parameters
        ----------
        pairs
            Names with their transliterations.
        source_sounds, target_sounds
            Phonemes of a source name, and sounds of a target unit: a mapping or a function
            (default: those of English names and of Chinese characters).
        keep
            Keep the alignments of all iterations, for `FittedAligner.at`.
        on_step
            Called after each iteration.

        Returns
        -------
        FittedAligner
            The fitted aligner.

        Examples
        --------
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
    """An iteration: its number, the alignment entropy after it, and its cost in bits per pair.

    `cost` is the alignment distance of equation 5 or, for segments, the negative log-likelihood.
    Iteration 0 is the start, which has no cost.
    """

    iteration: int
    entropy: float
    cost: float | None


@dataclass(frozen=True, slots=True)
class _Names:
    """Names as units: as written, and as numbers."""

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
            written = [tuple(map(fold, name)) for name in names] if case == "fold" else names
            if known:
                symbols = frozenset(known[number].symbols)
                written = [
                    tuple(unit if unit in symbols else _without_marks(unit) for unit in name)
                    for name in written
                ]
            sides.append(NameSide.of(written, known[number].symbols if known else None))
        return cls(pairs, source, target, *sides)

    def sounds(
        self, sound_of: SoundOf | None, symbols: Sequence[str] | None = None
    ) -> tuple[NameSide, Integers]:
        """Return the units or sounds that letters are linked with, and the unit index of each."""
        if sound_of is None:
            return self.units, np.arange(len(self.units.codes))
        return unit_sounds(self.target, sound_of, symbols)

    def tokens(self, cuts: Cuts) -> tuple[AlignedPair, ...]:
        """Return the names with their tokens, as written."""
        same: dict[tuple[str, str], tuple[str, str]] = {}  # saves memory: each token is kept once
        sides = _parts(self.source, cuts.source_ends), _parts(self.target, cuts.target_ends)
        tokens = [same.setdefault(token, token) for token in zip(*sides, strict=True)]
        last = np.searchsorted(cuts.target_ends, self.units.starts[1:], side="right")
        spans = zip(self.pairs, pairwise([0, *last.tolist()]), strict=True)
        return tuple(AlignedPair(*pair, tuple(tokens[i:j])) for pair, (i, j) in spans)

    def entropy(self, cuts: Cuts) -> float:
        """Return the alignment entropy of these names with these cuts."""
        source = number_tokens(self.letters, cuts.source_ends)
        return entropy_of(source, number_tokens(self.units, cuts.target_ends))


def _parts(names: Iterable[tuple[str, ...]], ends: Integers) -> Iterator[str]:
    """Yield the parts of the concatenated names that end at these positions."""
    units = list(chain.from_iterable(names))
    return ("".join(units[begin:end]) for begin, end in pairwise([0, *ends.tolist()]))


def _without_marks(unit: str) -> str:
    """Return the base letter of an accented letter, for use if the latter was never seen."""
    return unicodedata.normalize("NFD", unit)[:1]


@dataclass(frozen=True, slots=True)
class _Links:
    """The matrix of distances used to link letters with units or with their sounds."""

    distance: Matrix
    sounds: tuple[str, ...]  # the symbols that letters are linked with
    sound_of: SoundOf | None  # None: letters are linked with units

    def cut(self, names: _Names) -> Cuts:
        side, owners = names.sounds(self.sound_of, self.sounds)
        links = affinity.align(names.letters, side, self.distance).links
        return cuts_of_links(names.letters, names.units, links, owners)


@dataclass(frozen=True, slots=True)
class _Segmentation:
    """Segments and their probabilities."""

    segments: Segments
    probabilities: Floats
    tokens: int  # number of tokens in the corpus

    def cut(self, names: _Names) -> Cuts:
        learned = self.segments, self.probabilities, self.tokens
        return segment_others(names.letters, names.units, *learned)


@dataclass(frozen=True, repr=False)
class FittedAligner:
    """An aligner fitted to a corpus, which can align any pair; returned by `Aligner.fit`.

    Attributes
    ----------
    settings
        The settings it was fitted with.
    steps
        The iterations, with the entropy and the cost of each.
    notes
        Notes on the pairs and on the fit.
    name
        Name of the corpus, usually its file.
    _names, _cuts, _model, _sounds
        Private.

    Examples
    --------
    >>> fitted = Aligner().fit([("anna", "안나"), ("nana", "나나"), ("ana", "아나")])
    >>> print(fitted.align("Hanna", "한나"))
    Han/한 na/나
    >>> len(fitted.align_all([("nanna", "난나"), ("hana", "하나")]))
    2
    >>> print(Aligner("affinity").fit([("anna", "안나")], keep=True).at(0)[0])
    an/안 na/나
    """

    settings: Aligner
    steps: tuple[Step, ...]
    notes: tuple[Note, ...]
    name: str
    _names: _Names
    _cuts: tuple[Cuts, ...]  # of every iteration, or of the last one only
    _model: _Links | _Segmentation
    _sounds: str = ""

    def __repr__(self) -> str:
        """Show the signature and the entropy."""
        return f"<FittedAligner {self.signature}, entropy {self.entropy:.3f} bits>"

    @property
    def signature(self) -> str:
        """Every setting that can change an alignment.

        >>> Aligner().fit([("anna", "안나")]).signature
        'sameas:align|method:segment|start:affinity|letters:6|units:1|case:fold|iterations:50|pairs:1|version:0.1.0'
        """
        return self._signature_with(self.settings)

    def _signature_with(self, settings: Aligner) -> str:
        sounds = f"|sounds:{self._sounds}" if self._sounds else ""
        return f"{settings}{sounds}|pairs:{len(self._names.source)}|version:{__version__}"

    @property
    def entropy(self) -> float:
        """The alignment entropy of the corpus, in bits.

        >>> Aligner().fit([("anna", "안나"), ("nana", "나나")]).entropy
        0.0
        """
        return self.steps[-1].entropy

    @property
    def aligned(self) -> AlignedNames:
        """The aligned corpus.

        >>> print(Aligner().fit([("anna", "안나"), ("nana", "나나")]).aligned[1])
        na/나 na/나
        """
        return self._as_aligned(self._cuts[-1], self.signature)

    def at(self, iteration: int) -> AlignedNames:
        """Return the alignment of the corpus after an iteration; requires a fit with `keep`.

        Parameters
        ----------
        iteration
            Number of the iteration.

        Returns
        -------
        AlignedNames
            The aligned corpus.
        """
        numbers = [step.iteration for step in self.steps]
        if len(self._cuts) < len(self.steps) or iteration not in numbers:
            first, last = numbers[0], numbers[-1]
            raise UsageError("no-such-iteration", iteration=iteration, first=first, last=last)
        which = numbers.index(iteration)
        # Only affinity has an iteration 0, the start.
        settings = replace(self.settings, iterations=iteration)
        return self._as_aligned(self._cuts[which], self._signature_with(settings))

    def align(self, source: str, target: str) -> AlignedPair:
        """Align one pair of names.

        It uses the distances or probabilities estimated from the last alignment of the corpus. If
        the fit stopped before it converged, the result is one iteration ahead of `aligned`.

        Parameters
        ----------
        source, target
            A name and its transliteration.

        Returns
        -------
        AlignedPair
            The pair with its tokens.
        """
        return self.align_all([(source, target)])[0]

    def align_all(self, pairs: Iterable[tuple[str, str]]) -> AlignedNames:
        """Align pairs of names, which need not be in the corpus.

        Parameters
        ----------
        pairs
            Names with their transliterations.

        Returns
        -------
        AlignedNames
            The aligned pairs, in order.
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
    """Align a corpus of names with their transliterations.

    Parameters
    ----------
    pairs
        Names with their transliterations.
    method
        Alignment method: `segment` (default), `affinity`, `phoneme` or `phonological`.
    **options
        The other settings of `Aligner`.

    Returns
    -------
    AlignedNames
        The aligned pairs, in order.

    Examples
    --------
    >>> print(align([("anna", "안나"), ("nana", "나나"), ("ana", "아나")])[0])
    an/안 na/나
    """
    return Aligner.of(method=method, **options).fit(pairs).aligned


def _remarks(fitted: FittedAligner) -> Iterator[Note]:
    """Yield notes on what can make the entropy misleading."""
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
    """Return whether the fit converged."""
    if isinstance(fitted._model, _Links):
        following = fitted._model.cut(fitted._names)
        return np.array_equal(following.source_ends, fitted._cuts[-1].source_ends)
    costs = [step.cost for step in fitted.steps if step.cost is not None]
    return len(costs) > 1 and costs[-2] - costs[-1] <= ENOUGH * costs[-1]


def _unseen(names: _Names, known: tuple[NameSide, NameSide], by_sounds: bool) -> Iterator[Note]:
    """Yield notes on letters and units never seen in the corpus.

    Unseen units are not reported if letters are linked with their sounds.
    """
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
    """Yield the model, the alignment and its cost after each iteration."""
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
        sources = [name for name, _ in names.pairs]
        phonemes = source_sounds(sources, given[0], settings, notes)
        options = settings.method == "phonological", settings.start, settings.seed
        *_, first = through_phonemes(names.letters, phonemes, side, *options)
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
