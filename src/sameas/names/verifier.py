"""Verify transliterations, with the distances of the paper and a learned probability.

Pervouchine, Li & Lin (2009, section 5.3) validate a pair with the distance D of its alignment: the
sum of the distances d(e, cp) between letters and sounds, learned from genuine pairs. D is divided
by the number of letters in the source (score1), by the phonetic length of the target (score2) or by
their sum (score3); genuine pairs have low scores. The phonetic length of Chinese names is counted
in pinyin initials and finals.

`Verifier` learns more from the same genuine pairs. Segment alignment shows which runs of letters
stand for a unit, or for an unknown unit that sounds like it; n-gram models give the probabilities
of letters and of units. False pairs of several kinds (`KINDS`) are made from the genuine ones: a
pair can be false because it sounds wrong, or because nobody would write a name with such
characters, and being right in one respect does not make up for the other. So each kind has its own
logistic regression against genuine pairs, and Bayes' rule combines them: the odds against a pair
are the mean of the odds for each kind, weighted by the prior share of the kind. Features are
computed out of fold, to avoid leakage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import NoneType
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from sameas.errors import UsageError, counted, require
from sameas.names.modelfile import notes_of
from sameas.names.options import Verifying, VerifyingOptions
from sameas.names.pairs import NamePairs
from sameas.names.rows import Listing
from sameas.names.segment import Floats
from sameas.names.units import Integers, composed
from sameas.names.verification.alphabet import encode_pairs, learn_alphabet, list_outsiders
from sameas.names.verification.counting import align_genuine, count_pairs
from sameas.names.verification.features import tabulate_runs
from sameas.names.verification.judging import KIND_NAMES, KINDS, Judge, in_blocks, probability_of
from sameas.names.verification.reasons import JudgedToken, JudgedWord, Reason, explain_pairs
from sameas.names.verification.remarks import (
    check_two_names,
    count_other_chinese,
    note_never_seen,
    note_unlike,
)
from sameas.names.verification.saved import check, judge_parts, read_judge, read_list, read_typed
from sameas.names.verification.training import train_weights
from sameas.notes import Note
from sameas.settings import chosen

__all__ = ["KINDS", "JudgedToken", "JudgedWord", "Reason", "Verified", "VerifiedPair", "Verifier"]

FEW = 1000  # pairs below which a note warns that little is learned
_CHINESE = ("kept", "converted")


@dataclass(frozen=True, slots=True)
class VerifiedPair:
    """A pair, its probability of being genuine, its distances, and its likeliest kind if false."""

    source: str
    target: str
    probability: float
    score1: float
    score2: float
    score3: float
    kind: str

    def __str__(self) -> str:
        """Return the pair and its probability."""
        return f"{self.source}\t{self.target}\t{self.probability:.4f}"


@dataclass(frozen=True, eq=False, repr=False)
class Verified(Listing[Any]):
    """Verified pairs in the given order, with an array for each result.

    Attributes
    ----------
    pairs
        The pairs of names.
    probability
        Probability that each pair is genuine.
    score1, score2, score3
        Distance of its alignment, divided by the number of letters in the source, by the length of
        the transcription of the target, or by their sum.
    kind
        Index in `KINDS` of the most likely kind of each pair, if it is false.
    prior
        The expected share of genuine pairs.
    notes
        Notes on the pairs.
    converted
        Whether traditional Chinese characters were read as simplified ones, or vice versa.

    Examples
    --------
    >>> from sameas.names.datasets import dataset
    >>> verifier = Verifier.fit(dataset("sample:ru").pairs)
    >>> found = verifier.verify([("anna", "анна"), ("anna", "петр")])
    >>> bool(found.probability[0] > found.probability[1]), bool(found.score2[0] < found.score2[1])
    (True, True)
    """

    pairs: list[tuple[str, str]]
    probability: Floats
    score1: Floats
    score2: Floats
    score3: Floats
    kind: Integers
    prior: float
    notes: tuple[Note, ...] = ()
    converted: bool = False

    def __getitem__(self, number: int) -> VerifiedPair:
        """Return the pair at an index, with its results."""
        columns = (self.probability, self.score1, self.score2, self.score3)
        probability, one, two, three = (float(column[number]) for column in columns)
        kind = KIND_NAMES[int(self.kind[number])]
        return VerifiedPair(*self.pairs[number], probability, one, two, three, kind)

    def __iter__(self) -> Iterator[VerifiedPair]:
        """Yield the pairs with their results."""
        return (self[number] for number in range(len(self)))


@dataclass(frozen=True, eq=False, repr=False)
class Verifier:
    """A classifier of genuine and false transliterations, trained on genuine ones by `fit`.

    Attributes
    ----------
    pairs
        Number of distinct genuine pairs it was trained on.
    seed
        Seed of the folds and of the false pairs.
    prior
        The expected share of genuine pairs, unless `verify` is given another.
    notes
        Notes on the pairs and on the fit.
    _judge
        Private.

    Examples
    --------
    >>> from sameas.names.datasets import dataset
    >>> verifier = Verifier.fit(dataset("sample:ru").pairs)
    >>> [pair.probability > 0.5 for pair in verifier.verify([("anna", "анна"), ("anna", "петр")])]
    [True, False]
    """

    pairs: int
    seed: int
    prior: float
    notes: tuple[Note, ...]
    _judge: Judge

    def __repr__(self) -> str:
        """Show the number of training pairs."""
        return f"<Verifier of {counted(self.pairs, 'genuine pair')}>"

    @property
    def sounds(self) -> str:
        """What letters are linked with: the sounds of pinyin, or the units themselves (`none`).

        >>> Verifier.fit([("anna", "анна"), ("ivan", "иван")]).sounds
        'none'
        """
        return "pinyin" if self._judge.alphabet.has_sounds else "none"

    @classmethod
    def fit(
        cls,
        pairs: NamePairs | Iterable[tuple[str, str]],
        **options: Unpack[VerifyingOptions],
    ) -> Verifier:
        """Train a verifier on genuine pairs.

        Parameters
        ----------
        pairs
            Genuine pairs of names; with fewer than 1,000, probabilities are unreliable.
        **options
            `seed` of the folds and of the generated false pairs (default 1), `case` (default
            `fold`), and `prior`, the expected share of genuine pairs (default 0.5).

        Returns
        -------
        Verifier
            The trained verifier.

        Examples
        --------
        >>> print(*Verifier.fit([("anna", "анна"), ("ivan", "иван")]).notes)
        only 2 pairs to learn from: reliable probabilities need a few thousand
        """
        settings = Verifying(**chosen(options, Verifying))
        given = NamePairs.of(pairs)
        # Sorted, so that the given order does not matter.
        genuine = sorted({(composed(one), composed(two)) for one, two in given.pairs})
        if len({one for one, _ in genuine}) < 2 or len({two for _, two in genuine}) < 2:
            raise UsageError("nothing-to-tell", count=len(genuine))
        alphabet = learn_alphabet(genuine, settings.case)
        outsiders = list_outsiders(alphabet)
        names, _ = encode_pairs(genuine, alphabet, outsiders)
        corpus = align_genuine(names)
        counts = count_pairs(corpus, np.ones(len(genuine), dtype=bool))
        weights = train_weights(names, corpus, settings.seed)
        ratio = np.log(names.letters.lengths[names.first] / names.units.lengths[names.second])
        low, high = np.quantile(ratio, [0.001, 0.999])
        repeated = len(given.pairs) - len(genuine)
        again = [Note("pairs-again", count=repeated)] if repeated else []
        table = tabulate_runs(counts, names.syllable)
        judge = Judge(alphabet, counts, table, (float(low), float(high)), *weights)
        notes = (*given.notes, *again)
        made = cls(len(genuine), settings.seed, float(settings.prior), notes, judge)
        return replace(made, notes=(*notes, *made.limits))

    @property
    def limits(self) -> tuple[Note, ...]:
        """The notes that apply to all verified pairs; the other `notes` are on the training pairs.

        >>> [note.code for note in Verifier.fit([("anna", "анна"), ("ivan", "иван")] * 2).limits]
        ['little-learned']
        """
        little = [Note("little-learned", count=self.pairs)] if self.pairs < FEW else []
        silent = self._judge.alphabet.charsets and not self._judge.alphabet.has_sounds
        return (*little, *([Note("no-sounds", how="learned")] if silent else []))

    def verify(
        self,
        pairs: NamePairs | Iterable[tuple[str, str]],
        *,
        prior: float | None = None,
        convert: bool | None = False,
    ) -> Verified:
        """Return the probability that each pair is genuine, and the distances of the paper.

        Names may be in any script: characters never seen count against a pair. The results of a
        pair do not depend on the other pairs.

        Parameters
        ----------
        pairs
            The pairs to verify.
        prior
            The expected share of genuine pairs (default: that of `fit`).
        convert
            Read traditional Chinese characters as the learned simplified ones, or vice versa. None
            does so only if that resolves at least half of the names with characters never seen.
            (Japanese shares many of these characters, but has some of its own.)

        Returns
        -------
        Verified
            The results, in the order of the pairs.

        Examples
        --------
        >>> from sameas.names.datasets import dataset
        >>> verifier = Verifier.fit(dataset("sample:ru").pairs)
        >>> sure, wary = (verifier.verify([("ivan", "иван")], prior=p) for p in (0.9, 0.1))
        >>> bool(sure.probability[0] > wary.probability[0])
        True
        """
        share = self.prior if prior is None else Verifying(prior=prior).prior
        require(convert, (bool, NoneType), "convert", "True, False or None")
        alphabet = self._judge.alphabet
        ready = isinstance(pairs, NamePairs) and pairs.checked
        given, notes = (list(pairs), []) if ready else check_two_names(pairs)
        new, other_way = count_other_chinese(alphabet, given)
        converts = 0 < new <= 2 * other_way if convert is None else convert
        if other_way:
            notes.append(Note("other-chinese", count=other_way, how=_CHINESE[converts]))
        judged = self._judge.judge(given, converts)
        notes += note_never_seen(alphabet, judged.new)
        notes += note_unlike(alphabet, given, converts)
        return self._verified(given, judged.rows, share, notes, converts)

    def _verified(
        self,
        pairs: list[tuple[str, str]],
        rows: NDArray[Any],
        share: float,
        notes: Iterable[Note],
        converted: bool,
    ) -> Verified:
        """Return the results of pairs from the rows of the judge."""
        one, two = self._judge.alphabet.turned(rows["letters"], rows["spoken"])
        return Verified(
            pairs,
            probability_of(rows["odds"], share),
            rows["distance"] / one,
            rows["distance"] / two,
            rows["distance"] / (one + two),
            rows["kind"],
            share,
            tuple(notes),
            converted,
        )

    def reason(self, source: str, target: str, *, convert: bool = False) -> Reason:
        """Return the evidence for and against a pair, token by token.

        Parameters
        ----------
        source, target
            The names.
        convert
            As for `verify`, except that None is not allowed.

        Returns
        -------
        Reason
            The evidence; `str` summarises it.

        Examples
        --------
        >>> from sameas.names.datasets import dataset
        >>> print(Verifier.fit(dataset("sample:ru").pairs).reason("anna", "анна"))
        no evidence against it
        """
        return next(self.reasons([(source, target)], convert=convert))

    def reasons(
        self, pairs: Iterable[tuple[str, str]], *, convert: bool = False
    ) -> Iterator[Reason]:
        """Yield the evidence for and against each pair, much faster than calling `reason` for each.

        Parameters
        ----------
        pairs
            The pairs of names.
        convert
            As for `verify`, except that None is not allowed.

        Yields
        ------
        Reason
            The evidence of the next pair.

        Examples
        --------
        >>> from sameas.names.datasets import dataset
        >>> verifier = Verifier.fit(dataset("sample:ru").pairs)
        >>> [reason.never for reason in verifier.reasons([("anna", "анна"), ("anna", "安娜")])]
        [(), ('安', '娜')]
        """
        require(convert, bool, "convert", "True or False")
        given, _ = check_two_names(pairs)
        for block in in_blocks(given):
            yield from explain_pairs(self._judge, block, self.prior, convert)

    def parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the parts of the verifier to save: a JSON header, and arrays of numbers.

        Returns
        -------
        tuple
            The header and the arrays, for `from_parts`.

        Examples
        --------
        >>> header, arrays = Verifier.fit([("anna", "анна"), ("ivan", "иван")]).parts()
        >>> header["pairs"], len(Verifier.from_parts(header, arrays).verify([("ann", "анн")]))
        (2, 1)
        """
        header, arrays = judge_parts(self._judge)
        own = {"pairs": self.pairs, "seed": self.seed, "prior": self.prior}
        return {**header, **own, "notes": list(map(str, self.notes))}, arrays

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Verifier:
        """Return the verifier with these `parts`.

        Parameters
        ----------
        header, arrays
            The result of `parts`.

        Returns
        -------
        Verifier
            The verifier.

        Raises
        ------
        UsageError
            When the parts are inconsistent, or of another version.

        Examples
        --------
        >>> Verifier.from_parts({}, {})
        Traceback (most recent call last):
        ...
        sameas.errors.UsageError: the verifier of the model has format None, not 3
        """
        judge = read_judge(header, arrays)
        prior = read_typed(header, "prior", float)
        check(0 < prior < 1, "prior")
        pairs, seed = (read_typed(header, name, int) for name in ("pairs", "seed"))
        return cls(pairs, seed, prior, notes_of(read_list(header, "notes")), judge)
