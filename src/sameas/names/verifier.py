"""Is a pair of names a genuine transliteration? The paper's distances, and a learned probability.

Pervouchine, Li & Lin (2009, section 5.3) validate a pair by the distance D of its alignment, under
the d(e, cp) between letters and sounds that was learned from genuine names, divided by the letters
of the source (score1), by the phonetic length of the target (score2) or by both (score3): low is
genuine. The phonetic length of Chinese names is counted in pinyin's initials and finals.

`Verifier` learns more from the same genuine pairs. Segment alignment tells which runs of letters
stand for a unit, and for the unknown units that sound like it; letters and units have n-grams of
their own. False pairs are made of the genuine ones, of several kinds (`KINDS`), since a pair can be
false because it sounds wrong or because nobody would write a name with such characters, and one
does not make up for the other. So each kind has a logistic regression of its own against genuine
pairs, and Bayes' rule joins them: the odds against a pair are the mean of those of the kinds. What
a pair looks like is learned from other names than its own, in folds: to those who have learned it
by heart a pair looks better than it will in use.
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
from sameas.names.verification.saved import judge_parts, read_judge, read_list, read_typed, want
from sameas.names.verification.training import train_weights
from sameas.notes import Note
from sameas.settings import chosen

__all__ = ["KINDS", "JudgedToken", "JudgedWord", "Reason", "Verified", "VerifiedPair", "Verifier"]

FEW = 1000  # pairs, below which little is learned
_CHINESE = ("kept", "converted")


@dataclass(frozen=True, slots=True)
class VerifiedPair:
    """A pair of names, how likely it is genuine, its distances, and as what it would be false."""

    source: str
    target: str
    probability: float
    score1: float
    score2: float
    score3: float
    kind: str

    def __str__(self) -> str:
        """The pair and its probability."""
        return f"{self.source}\t{self.target}\t{self.probability:.4f}"


@dataclass(frozen=True, eq=False, repr=False)
class Verified(Listing[Any]):
    """Pairs in the order they were given, with an array for each thing that was found.

    >>> from sameas.names.datasets import dataset
    >>> verifier = Verifier.fit(dataset("sample:ru").pairs)
    >>> found = verifier.verify([("anna", "анна"), ("anna", "петр")])
    >>> bool(found.probability[0] > found.probability[1]), bool(found.score2[0] < found.score2[1])
    (True, True)
    """

    pairs: list[tuple[str, str]]
    probability: Floats
    score1: Floats  # distance by the letters of the source, score2 by those of its transcription
    score2: Floats
    score3: Floats
    kind: Integers  # as which of `KINDS` a pair would most likely be false
    prior: float
    notes: tuple[Note, ...] = ()
    converted: bool = False  # traditional characters were read as simplified ones, or vice versa

    def __getitem__(self, number: int) -> VerifiedPair:
        """One of them."""
        columns = (self.probability, self.score1, self.score2, self.score3)
        chance, one, two, three = (float(column[number]) for column in columns)
        kind = KIND_NAMES[int(self.kind[number])]
        return VerifiedPair(*self.pairs[number], chance, one, two, three, kind)

    def __iter__(self) -> Iterator[VerifiedPair]:
        """One after another."""
        return (self[number] for number in range(len(self)))


@dataclass(frozen=True, eq=False, repr=False)
class Verifier:
    """Tells genuine transliterations from false ones, after some thousand genuine ones.

    >>> from sameas.names.datasets import dataset
    >>> verifier = Verifier.fit(dataset("sample:ru").pairs)
    >>> [pair.probability > 0.5 for pair in verifier.verify([("anna", "анна"), ("anna", "петр")])]
    [True, False]
    """

    pairs: int  # it was fitted to
    seed: int
    prior: float
    notes: tuple[Note, ...]
    _judge: Judge

    def __repr__(self) -> str:
        """How much it has seen."""
        return f"<Verifier of {counted(self.pairs, 'genuine pair')}>"

    @property
    def sounds(self) -> str:
        """What letters were linked with: the sounds of pinyin, or units themselves (`none`).

        >>> Verifier.fit([("anna", "анна"), ("ivan", "иван")]).sounds
        'none'
        """
        return "pinyin" if self._judge.alphabet.speaks else "none"

    @classmethod
    def fit(
        cls,
        pairs: NamePairs | Iterable[tuple[str, str]],
        **options: Unpack[VerifyingOptions],
    ) -> Verifier:
        """Learn from genuine pairs. The `seed` is for the folds and the false pairs, which are made
        here; `prior` is the share of genuine pairs to expect where `verify` is not told another.

        >>> print(*Verifier.fit([("anna", "анна"), ("ivan", "иван")]).notes)
        only 2 pairs to learn from: reliable probabilities need a few thousand
        """
        settings = Verifying(**chosen(options, Verifying))
        given = NamePairs.of(pairs)
        # In order, so that the order they are given in does not matter.
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
        """The notes that concern whatever is verified; the other `notes` are of the pairs learned.

        >>> [note.code for note in Verifier.fit([("anna", "анна"), ("ivan", "иван")] * 2).limits]
        ['little-learned']
        """
        little = [Note("little-learned", count=self.pairs)] if self.pairs < FEW else []
        deaf = self._judge.alphabet.charsets and not self._judge.alphabet.speaks
        return (*little, *([Note("no-sounds", how="learned")] if deaf else []))

    def verify(
        self,
        pairs: NamePairs | Iterable[tuple[str, str]],
        *,
        prior: float | None = None,
        convert: bool | None = False,
    ) -> Verified:
        """The probability that each pair is genuine, if a share `prior` of such pairs is, and the
        paper's distances. Any two names will do, in any script: what was never seen speaks against
        a pair. A pair is judged by itself: others in the list do not move a digit.

        With `convert`, traditional Chinese characters are read as the simplified ones that were
        learned, or simplified ones as traditional; None is to do so if the list is written in the
        other way: if that gives at least half of the names with characters never seen. (Japanese
        has many of the same characters, and others too.)

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
        rows = judged.rows
        one, two = alphabet.turned(rows["letters"], rows["spoken"])
        return Verified(
            given,
            probability_of(rows["odds"], share),
            rows["distance"] / one,
            rows["distance"] / two,
            rows["distance"] / (one + two),
            rows["kind"],
            share,
            (
                *notes,
                *note_never_seen(alphabet, judged.new),
                *note_unlike(alphabet, given, converts),
            ),
            converts,
        )

    def reason(self, source: str, target: str, *, convert: bool = False) -> Reason:
        """What speaks for a pair and against it, letters by letters.

        >>> from sameas.names.datasets import dataset
        >>> print(Verifier.fit(dataset("sample:ru").pairs).reason("anna", "анна"))
        no evidence against it
        """
        return next(self.reasons([(source, target)], convert=convert))

    def reasons(
        self, pairs: Iterable[tuple[str, str]], *, convert: bool = False
    ) -> Iterator[Reason]:
        """What speaks for pairs and against them, much faster than one by one; `convert` is that
        of `verify`.

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
        """All there is to keep: a header that JSON can hold, and arrays of numbers.

        >>> header, arrays = Verifier.fit([("anna", "анна"), ("ivan", "иван")]).parts()
        >>> header["pairs"], len(Verifier.from_parts(header, arrays).verify([("ann", "анн")]))
        (2, 1)
        """
        header, arrays = judge_parts(self._judge)
        own = {"pairs": self.pairs, "seed": self.seed, "prior": self.prior}
        return {**header, **own, "notes": list(map(str, self.notes))}, arrays

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Verifier:
        """The verifier of which these are the `parts`, if they fit together.

        >>> Verifier.from_parts({}, {})
        Traceback (most recent call last):
        ...
        sameas.errors.UsageError: the verifier of the model has format None, not 2
        """
        judge = read_judge(header, arrays)
        prior = read_typed(header, "prior", float)
        want(0 < prior < 1, "prior")
        pairs, seed = (read_typed(header, name, int) for name in ("pairs", "seed"))
        return cls(pairs, seed, prior, notes_of(read_list(header, "notes")), judge)
