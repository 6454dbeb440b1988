"""What speaks for and against pairs, from what the judge knows of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress

import numpy as np

from sameas.names.ngrams import stream_of
from sameas.names.segment import CLOSE
from sameas.names.verification.alphabet import encode_pairs, written_letters
from sameas.names.verification.falsehoods import KIND_NAMES
from sameas.names.verification.features import measure_features
from sameas.names.verification.judging import Judge, probability_of
from sameas.names.verification.reasons import JudgedToken, JudgedWord, Reason
from sameas.names.words import ComparedWords

__all__ = ["explain_pairs"]

_BIT = float(np.log(2))


def explain_pairs(
    judge: Judge, pairs: list[tuple[str, str]], prior: float, convert: bool
) -> Iterator[Reason]:
    """Yield what speaks for and against each pair, if a share `prior` is genuine."""
    judged, matchings = judge.judge(pairs, convert)
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
    """A word of a name of several, with what speaks against it."""
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
    # Ln of the probability of the letters before each place; names have an end besides.
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
