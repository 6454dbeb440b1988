"""How likely pairs are false, word by word, and why."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sameas.names.affinity import Matrix
from sameas.names.segment import Floats
from sameas.names.units import Integers, scripts, spelt
from sameas.names.verification.alphabet import (
    Alphabet,
    NeverSeen,
    encode_pairs,
    read_as_known,
)
from sameas.names.verification.counting import PairCounts, count_beginnings
from sameas.names.verification.falsehoods import KINDS
from sameas.names.verification.features import RunShares, measure_features
from sameas.names.words import NameWords, Question, WordMatching, has_signs, match, questions

__all__ = ["Judge", "Judgement", "in_blocks", "probability_of"]

_BIT = float(np.log(2))
BLOCK = 1 << 16  # pairs that are looked at together
_SUMS = ["distance", "letters", "spoken"]  # of names of several words, sums over these
_ROW = np.dtype([("odds", "f8"), *((name, "f8") for name in _SUMS), ("kind", "i8")])


class Judgement(NamedTuple):
    """By pair, a row: the odds against it, the distance of its alignment, letters, the length of
    the transcription, as which kind it would be false. And what was never seen."""

    rows: NDArray[Any]
    new: NeverSeen

    @classmethod
    def joined(cls, blocks: Sequence[Judgement]) -> Judgement:
        """Return what is known of the pairs of all blocks."""
        new = NeverSeen(set(), set(), {})
        for block in blocks:
            new.letters.update(block.new.letters)
            new.units.update(block.new.units)
            new.read.update(block.new.read)
        return cls(np.concatenate([np.zeros(0, _ROW), *(block.rows for block in blocks)]), new)

    def of_pairs(
        self,
        place: Integers,
        matchings: Mapping[int, WordMatching],
        asked: Mapping[tuple[str, str], int],
    ) -> Judgement:
        """The same of pairs whose names are single words, found at their `place`, or are matched:
        their distances and lengths are sums over words."""
        made = self.rows[place]
        for number, matching in matchings.items():
            words = self.rows[[asked[pair] for pair in matching.asked]]
            made["odds"][number] = matching.odds
            if len(words):
                for name in _SUMS:
                    made[name][number] = words[name].sum()
                made["kind"][number] = words["kind"][np.argmax(words["odds"])]
        return self._replace(rows=made)


@dataclass(frozen=True, slots=True)
class Judge:
    """All that is learned of genuine pairs and of false ones made of them."""

    alphabet: Alphabet
    counts: PairCounts
    table: RunShares
    usual: tuple[float, float]  # between which nearly all letters a unit are
    mean: Floats  # by feature, as the next
    scale: Floats
    weights: Matrix  # by kind; the first is the one that stands alone

    def judge(
        self, pairs: Sequence[tuple[str, str]], convert: bool
    ) -> tuple[Judgement, dict[int, WordMatching]]:
        """What is known of each pair; and, of names that have more than the letters of one word,
        which words belong together."""
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
                # Where all words are the same in both, distances are those of the whole names.
                pair = "".join(words[0].judged), "".join(words[1].judged)
            place[number] = asked.setdefault(pair, len(asked))
        told = list(asked)
        judged = Judgement.joined([self._ask(block, convert) for block in in_blocks(told)])
        odds = {
            Question(*pair): chance
            for pair, chance in zip(told, judged.rows["odds"].tolist(), strict=True)
        }
        odds |= self._initial_odds(initials, convert)
        matchings = {number: match(*words, odds, shared) for number, words in cut.items()}
        dropped = [word for words in cut.values() for one in words for word in one.dropped]
        judged = judged._replace(new=judged.new._replace(dropped=tuple(dropped)))
        return judged.of_pairs(place, matchings, asked), matchings

    def _initial_odds(self, asked: Collection[Question], convert: bool) -> dict[Question, float]:
        """The odds against letters as the beginnings of words that begin with these units: how much
        rarer the letter is for the unit than for any."""
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
            (begun,), _ = read_as_known([spelt(one, alphabet.case)], alphabet.letters, convert)
            (shown,), _ = read_as_known([spelt(two, alphabet.case)], alphabet.units, convert)
            letter, unit = letters.get(begun[0]), units.get(shown[0])
            found[question] = 1.0
            if letter is not None and unit is not None:
                here = begins[unit, letter] + anywhere[letter]
                found[question] = float(anywhere[letter] * (begins[unit].sum() + 1.0) / here)
        return found

    def _ask(self, pairs: Sequence[tuple[str, str]], convert: bool) -> Judgement:
        """What is known of pairs of a word each."""
        names, new = encode_pairs(pairs, self.alphabet, convert=convert)
        features, distance, _ = measure_features(names, self.counts, self.table)
        rows = np.zeros(len(names), _ROW)
        rows["odds"], rows["kind"] = self.odds(features)
        rows["distance"], rows["letters"] = distance, names.letters.lengths[names.first]
        rows["spoken"] = names.spoken()[names.second]
        return Judgement(rows, new)

    def odds(self, features: list[Floats]) -> tuple[Floats, Integers]:
        """The odds against each pair, and as which kind it would be false."""
        against = []
        for share, weights in zip(KINDS.values(), self.weights, strict=True):
            # A sum in order: a product of matrices depends on how many pairs there are.
            score = np.full(len(features[0]), weights[0])
            for column, mean, scale, weight in zip(
                features, self.mean, self.scale, weights[1:], strict=True
            ):
                score += (column - mean) / scale * weight
            against.append(share * np.exp(-np.clip(score, -300.0, 300.0)))
        by_kind = np.stack(against)
        return by_kind.sum(axis=0), np.argmax(by_kind, axis=0)


def in_blocks(pairs: list[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """Yield the pairs in lists that are looked at together."""
    return (pairs[begin : begin + BLOCK] for begin in range(0, len(pairs), BLOCK))


def probability_of(odds: Floats, prior: float) -> Floats:
    """Return how likely pairs are genuine, from the odds against them."""
    chance: Floats = 1 / (1 + odds * ((1 - prior) / prior))
    return chance
