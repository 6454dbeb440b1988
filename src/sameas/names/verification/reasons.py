"""Explain the judgements of pairs of names: the evidence for and against each pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from operator import attrgetter

import numpy as np

from sameas.errors import visible
from sameas.names.ngrams import stream_of
from sameas.names.segment import CLOSE
from sameas.names.verification.alphabet import encode_pairs, written_letters
from sameas.names.verification.features import measure_features
from sameas.names.verification.judging import KIND_NAMES, Judge, probability_of
from sameas.names.words import ComparedWords
from sameas.notes import Note

__all__ = ["JudgedToken", "JudgedWord", "Reason", "explain_pairs"]

_BIT = float(np.log(2))


@dataclass(frozen=True, slots=True)
class JudgedToken:
    """Letters and a unit that are aligned in the best alignment, as written.

    `bits` is log₂(P(e|c) / P(e)), for letters e and unit c; if negative, it is evidence against the
    pair. `one_in` is 1 / P(e|c).
    """

    source: str
    target: str
    bits: float
    one_in: float
    seen: bool  # whether the unit was seen in training

    def __str__(self) -> str:
        """Return text like `sch/舍 +2.1`."""
        return f"{self.source}/{self.target} {self.bits:+.1f}"

    def note(self) -> Note:
        """Return the note that presents the token as evidence against the pair."""
        if not self.source or not self.target:
            return Note("no-counterpart", word=self.source or self.target)
        letters, unit = _short(self.source), _short(self.target)
        often = {"how": "million"} if self.one_in >= 1e6 else {"one_in": _rounded(self.one_in)}
        return Note("rare-part", letters=letters, unit=unit, **often)


@dataclass(frozen=True, slots=True)
class JudgedWord:
    """Matched words of both names, or a word without a counterpart, and the evidence against them.

    >>> print(JudgedWord("Smith", "", 0.2))
    Smith has no counterpart
    """

    source: str
    target: str
    probability: float
    against: tuple[Note, ...] = ()  # empty if there is no evidence, or if not judged

    def note(self, wrong: bool = False) -> Note:
        """Return the note on the words: whether they are `wrong`, and the evidence against them."""
        if not self.source or not self.target:
            return Note("no-counterpart", word=self.source or self.target)
        how = ("wrong" if wrong else "right") + ("-why" if self.against else "")
        return Note("words", how=how, source=self.source, target=self.target, why=self.against)

    def __str__(self) -> str:
        """Return text like `Smith/史密斯`, with the evidence against the words, if any."""
        return str(self.note())


@dataclass(frozen=True, slots=True)
class Reason:
    """The evidence for and against a pair; `str` gives the evidence against it.

    >>> from sameas.names.datasets import dataset
    >>> from sameas.names.verifier import Verifier
    >>> reason = Verifier.fit(dataset("sample:ru").pairs).reason("anna", "аннэ")
    >>> [str(part).split()[0] for part in reason.parts]
    ['a/а', 'n/н', 'n/н', 'a/э']
    """

    source: str
    target: str
    probability: float
    parts: tuple[JudgedToken, ...]
    never: tuple[str, ...]  # unseen units
    strange: tuple[str, ...]  # unseen letters
    lengths: tuple[int, int] | None  # of both names, if their ratio is unusual
    kind: str  # the most likely kind of false pair
    words: tuple[JudgedWord, ...] = ()  # of names of several words
    turned: bool = False  # the words are rotated, and no comma signals it

    @property
    def wrong(self) -> tuple[JudgedWord, ...]:
        """The words that make the pair more likely false than genuine, the worst first.

        >>> from sameas.names.datasets import dataset
        >>> from sameas.names.verifier import Verifier
        >>> reason = Verifier.fit(dataset("sample:ru").pairs).reason("Anna Boris", "Анна Катя")
        >>> [(word.source, word.target) for word in reason.wrong]
        [('Boris', 'Катя')]
        """
        if not self.words or self.probability >= 0.5:
            return ()
        listed = sorted(self.words, key=attrgetter("probability"))
        return tuple(word for word in listed if word.probability < 0.5) or tuple(listed[:1])

    @property
    def against(self) -> tuple[Note, ...]:
        """The evidence against the pair, the strongest first; at most three tokens per word.

        >>> from sameas.names.datasets import dataset
        >>> from sameas.names.verifier import Verifier
        >>> Verifier.fit(dataset("sample:ru").pairs).reason("anna", "анна").against
        ()
        """
        if self.words:
            return tuple(self._against_words())
        bad = sorted(
            (one for one in self.parts if one.bits < 0 and one.seen), key=attrgetter("bits")
        )
        found = list(dict.fromkeys(part.note() for part in bad))[:3]
        for units in (self.never, self.strange):
            if units:
                found.append(Note("units-never-seen", count=len(units), units=" ".join(units)))
        if self.lengths:
            source, target = self.lengths
            found.append(Note("odd-lengths", source=source, target=target))
        if not found and self.probability < 0.5:
            found.append(Note("more-like", kind=self.kind))
        return tuple(found)

    def _against_words(self) -> Iterator[Note]:
        wrong = self.wrong
        yield from (word.note(wrong=True) for word in wrong)
        for word in sorted(self.words, key=attrgetter("probability")):
            if word not in wrong and not (word.source and word.target and not word.against):
                yield word.note()
        if self.turned:
            yield Note("words-turned")

    def __str__(self) -> str:
        """Return the evidence against the pair."""
        return visible("; ".join(map(str, self.against or (Note("nothing-against"),))))


def explain_pairs(
    judge: Judge, pairs: list[tuple[str, str]], prior: float, convert: bool
) -> Iterator[Reason]:
    """Yield the evidence for and against each pair; `prior` is the share of genuine pairs."""
    judged = judge.judge(pairs, convert)
    matchings = judged.matchings
    by_pair = [
        matchings[number].asked if number in matchings else [pair]
        for number, pair in enumerate(pairs)
    ]
    distinct = list(dict.fromkeys(word for words in by_pair for word in words))
    known = dict(zip(distinct, _explain_words(judge, distinct, prior, convert), strict=True))
    probability = probability_of(judged.rows["odds"], prior)
    for number, (pair, words) in enumerate(zip(pairs, by_pair, strict=True)):
        matching = matchings.get(number)
        if matching is None or (len(matching.words) == 1 and words):
            yield replace(known[words[0]], source=pair[0], target=pair[1])
            continue
        reasons = [known[asked] for asked in words]
        yield Reason(
            *pair,
            float(probability[number]),
            tuple(part for reason in reasons for part in reason.parts),
            tuple(dict.fromkeys(unit for reason in reasons for unit in reason.never)),
            tuple(dict.fromkeys(letter for reason in reasons for letter in reason.strange)),
            None,
            KIND_NAMES[judged.rows["kind"][number]],
            tuple(_judged_word(word, known, prior) for word in matching.words),
            matching.turned,
        )


def _judged_word(
    word: ComparedWords, known: Mapping[tuple[str, str], Reason], prior: float
) -> JudgedWord:
    """Return a matched word of a name of several words, with the evidence against it."""
    probability = float(probability_of(np.array(word.odds), prior))
    against = known[word.asked[:2]].against if word.asked else ()
    return JudgedWord(word.source, word.target, probability, against)


def _explain_words(
    judge: Judge, pairs: Sequence[tuple[str, str]], prior: float, convert: bool
) -> Iterator[Reason]:
    if not pairs:
        return
    alphabet = judge.alphabet
    names, _ = encode_pairs(pairs, alphabet, convert=convert)
    features, _, paths = measure_features(names, judge.counts, judge.table)
    odds, kinds = judge.odds(features)
    probability = probability_of(odds, prior).tolist()
    units = names.units.pick(names.second)
    sizes, values = paths.sizes.tolist(), paths.values.tolist()
    unseen = (units.codes >= len(alphabet.units)).tolist()
    strange = judge.counts.unseen(names.letters).tolist()
    # Log-probability of the letters before each position; each name also has an end symbol.
    sums = np.concatenate([[0.0], np.cumsum(judge.counts.letters.logs(stream_of(names.letters)))])
    first = names.first.tolist()
    starts, unit_at = names.letters.starts.tolist(), units.starts.tolist()
    for number, pair in enumerate(pairs):
        source, target = (
            written_letters(name, symbols, alphabet.case, convert)
            for name, symbols in zip(pair, alphabet.known(), strict=True)
        )
        letters, characters = alphabet.turned(source, target)
        begin = starts[first[number]]
        before = sums[begin + first[number] :]
        here = slice(unit_at[number], unit_at[number + 1])
        parts, at = [], 0
        for unit, size, value, new in zip(
            characters, sizes[here], values[here], unseen[here], strict=True
        ):
            sides = alphabet.turned("".join(letters[at : at + size]), unit)
            chance = -value - float(before[at + size] - before[at])
            one_in = float(np.exp(min(chance, 300.0)))
            parts.append(JudgedToken(*sides, value / _BIT, one_in, not new))
            at += size
        ratio = float(np.log(len(letters) / len(characters)))
        usual = judge.usual[0] - CLOSE <= ratio <= judge.usual[1] + CLOSE
        yield Reason(
            *pair,
            probability[number],
            tuple(parts),
            tuple(dict.fromkeys(compress(characters, unseen[here]))),
            tuple(dict.fromkeys(compress(letters, strange[begin:]))),
            None if usual else (len(source), len(target)),
            KIND_NAMES[int(kinds[number])],
        )


def _short(text: str) -> str:
    return text if len(text) <= 20 else text[:19] + "…"


def _rounded(number: float) -> int:
    """Return a number rounded to one significant figure.

    >>> _rounded(5321.0), _rounded(7.4)
    (5000, 7)
    """
    size: int = 10 ** max(len(str(round(number))) - 1, 0)
    return round(number / size) * size
