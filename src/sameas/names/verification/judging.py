"""Judge, word by word, how likely pairs are to be false, and of which kind."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sameas.names.affinity import Matrix
from sameas.names.segment import Floats
from sameas.names.units import Integers, scripts
from sameas.names.verification.alphabet import Alphabet, NeverSeen, encode_pairs, read_as_known
from sameas.names.verification.counting import PairCounts, count_beginnings
from sameas.names.verification.features import RunShares, measure_features
from sameas.names.words import NameWords, Question, WordMatching, has_signs, match, questions

__all__ = ["KINDS", "KIND_NAMES", "Judge", "Judgement", "in_blocks", "probability_of"]

#: The kinds of false pairs, and the prior share of each among false pairs.
KINDS = {
    "another name": 0.4,
    "another tradition": 0.5,
    "partly another name": 0.05,
    "a similar name": 0.05,
}
KIND_NAMES = tuple(KINDS)
BLOCK = 1 << 16  # pairs judged at once
_SUMS = ["distance", "letters", "spoken"]  # columns summed over the words of a name
_ROW = np.dtype([("odds", "f8"), *((name, "f8") for name in _SUMS), ("kind", "i8")])


class Judgement(NamedTuple):
    """The judgement of a list of pairs.

    The columns of `rows` are the odds against the pair, the distance of its alignment, the number
    of letters, the length of the transcription, and the most likely kind of false pair.
    """

    rows: NDArray[Any]
    new: NeverSeen
    matchings: Mapping[int, WordMatching]  # by index, of pairs with spaces or punctuation


@dataclass(frozen=True, slots=True)
class Judge:
    """A model trained on genuine pairs and on false pairs made from them."""

    alphabet: Alphabet
    counts: PairCounts
    table: RunShares
    usual: tuple[float, float]  # range of ln(letters / units) for nearly all pairs
    mean: Floats  # by feature, as is the scale
    scale: Floats
    weights: Matrix  # by kind and feature; the first column is the intercept

    def judge(self, pairs: Sequence[tuple[str, str]], convert: bool) -> Judgement:
        """Return the judgement of the pairs."""
        known = self.alphabet.known()
        shared = set(scripts("".join(known[0]))) & set(scripts("".join(known[1])))
        asked: dict[tuple[str, str], int] = {}
        initials: set[Question] = set()
        cut: dict[int, tuple[NameWords, NameWords]] = {}
        place = np.zeros(len(pairs), dtype=np.int64)
        for number, pair in enumerate(pairs):
            if has_signs(pair[0]) or has_signs(pair[1]):
                words = NameWords.of(pair[0], known[0]), NameWords.of(pair[1], known[1])
                cut[number] = words
                for question in questions(*words, shared):
                    if question.initial:
                        initials.add(question)
                    else:
                        asked.setdefault(question[:2], len(asked))
                # If all words are copied, the distances are those of the whole names.
                pair = "".join(words[0].judged), "".join(words[1].judged)
            place[number] = asked.setdefault(pair, len(asked))
        dropped = tuple(word for words in cut.values() for one in words for word in one.dropped)
        new = NeverSeen(set(), set(), {}, dropped)
        blocks = [self._judge_pairs(block, convert, new) for block in in_blocks(list(asked))]
        judged = np.concatenate([np.zeros(0, _ROW), *blocks])
        odds = dict(zip(starmap(Question, asked), judged["odds"].tolist(), strict=True))
        odds |= self._initial_odds(initials, convert)
        matchings = {number: match(*words, odds, shared) for number, words in cut.items()}
        rows = judged[place]
        for number, matching in matchings.items():
            parts = judged[[asked[pair] for pair in matching.asked]]
            rows["odds"][number] = matching.odds
            if len(parts):
                for name in _SUMS:
                    rows[name][number] = parts[name].sum()
                rows["kind"][number] = parts["kind"][np.argmax(parts["odds"])]
        return Judgement(rows, new, matchings)

    def _initial_odds(self, asked: Collection[Question], convert: bool) -> dict[Question, float]:
        """Return the odds against initials: P(letter) / P(letter | unit).

        These are the probabilities that the letters of a unit begin with the initial: of any unit,
        and of the word's first unit.
        """
        if not asked:
            return {}
        begins = count_beginnings(self.counts)
        alphabet = self.alphabet
        letters = {letter: number for number, letter in enumerate(alphabet.letters)}
        units = {unit: number for number, unit in enumerate(alphabet.units)}
        anywhere = (begins.sum(axis=0) + 0.5) / (begins.sum() + 0.5 * len(letters))
        found = {}
        for question in asked:
            one, two = alphabet.turned(question.source, question.target)
            (begun,), _ = read_as_known([one], alphabet.letters, alphabet.case, convert)
            (shown,), _ = read_as_known([two], alphabet.units, alphabet.case, convert)
            letter, unit = letters.get(begun[0]), units.get(shown[0])
            found[question] = 1.0
            if letter is not None and unit is not None:
                here = begins[unit, letter] + anywhere[letter]
                found[question] = float(anywhere[letter] * (begins[unit].sum() + 1.0) / here)
        return found

    def _judge_pairs(
        self, pairs: Sequence[tuple[str, str]], convert: bool, new: NeverSeen
    ) -> NDArray[Any]:
        """Return the rows of pairs of one word each, and add unseen symbols to `new`."""
        names, found = encode_pairs(pairs, self.alphabet, convert=convert)
        new.letters.update(found.letters)
        new.units.update(found.units)
        new.read.update(found.read)
        features, distance, _ = measure_features(names, self.counts, self.table)
        rows = np.zeros(len(names), _ROW)
        rows["odds"], rows["kind"] = self.odds(features)
        rows["distance"], rows["letters"] = distance, names.letters.lengths[names.first]
        rows["spoken"] = names.spoken()[names.second]
        return rows

    def odds(self, features: list[Floats]) -> tuple[Floats, Integers]:
        """Return the odds against each pair, and the most likely kind of false pair."""
        against = []
        for share, weights in zip(KINDS.values(), self.weights, strict=True):
            # Add in order: the rounding of a matrix product depends on the number of pairs.
            score = np.full(len(features[0]), weights[0])
            for column, mean, scale, weight in zip(
                features, self.mean, self.scale, weights[1:], strict=True
            ):
                score += (column - mean) / scale * weight
            against.append(share * np.exp(-np.clip(score, -300.0, 300.0)))
        by_kind = np.stack(against)
        return by_kind.sum(axis=0), np.argmax(by_kind, axis=0)


def in_blocks(pairs: list[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """Yield the pairs in blocks that are judged together."""
    return (pairs[begin : begin + BLOCK] for begin in range(0, len(pairs), BLOCK))


def probability_of(odds: Floats, prior: float) -> Floats:
    """Return the probability that pairs are genuine, from the odds against them and the prior."""
    chance: Floats = 1 / (1 + odds * ((1 - prior) / prior))
    return chance
