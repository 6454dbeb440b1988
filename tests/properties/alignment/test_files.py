"""Round trips of names in all scripts through files; gold scores of random alignments."""

from __future__ import annotations

import random
import tempfile
import unicodedata
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import brute_alignment as brute
from properties.alignment.corpora import Tokens, aligned_of, few, many, names, some
from sameas.names.aligned import AlignedNames, AlignedPair, read_alignments, spelt
from sameas.names.aligner import align
from sameas.names.quality import entropy
from sameas.names.units import graphemes
from sameas.settings import Resampling

# Text of all scripts, and files

SCRIPTS = {
    "Latin": "aAzéßİıñ",
    "Latin with marks": "e\u0301o\u0308a\u0323\u0302",
    "Greek": "αΣςά",
    "Cyrillic": "яйЁ",
    "Hebrew": "שםא\u05b8\u05bc",
    "Arabic": "بتا\u064b\u0651ﻻ",
    "Devanagari": "कि\u094dषा",
    "Thai": "กำเ\u0e49",
    "Han": "爱丽𠀀",
    "Hangul": "김안\u1100\u1161\u11a8",
    "Katakana": "アーガ\u3099",
}
SIGNS = "/*_\\-'|:}# "


@st.composite
def texts(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Generate pairs of names, each side in one script, with special characters of files."""
    one, two = (SCRIPTS[draw(st.sampled_from(sorted(SCRIPTS)))] for _ in range(2))
    sides = (
        st.text(st.sampled_from(one + SIGNS), min_size=1, max_size=7),
        st.text(st.sampled_from(two + SIGNS), min_size=1, max_size=5),
    )
    name = [side.map(str.strip).filter(bool) for side in sides]
    return draw(st.lists(st.tuples(*name), min_size=1, max_size=6))


def composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


@many
@given(texts(), st.sampled_from(["affinity", "segment"]), st.integers(1, 3))
def test_tokens_spell_the_names(pairs: list[tuple[str, str]], method: str, most_units: int) -> None:
    aligned = align(pairs, method, units=most_units, iterations=4)
    assert len(aligned) == len(pairs)
    for (source, target), pair in zip(pairs, aligned, strict=True):
        assert (composed(pair.source), composed(pair.target)) == (
            composed(source),
            composed(target),
        )
        assert tuple(map(composed, spelt(pair.tokens))) == (composed(source), composed(target))
        for side in (0, 1):
            letters = [letter for token in pair.tokens for letter in graphemes(token[side])]
            assert tuple(letters) == graphemes((source, target)[side])
        assert all(target for _, target in pair.tokens)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "aligned.tsv")
        aligned.save(path)
        again = read_alignments(path)
        assert again.pairs == aligned.pairs
        assert again.pairs == read_alignments(path, format="sameas").pairs
        again.save(path)
        assert read_alignments(path).pairs == aligned.pairs


@pytest.mark.parametrize("pair", [(" a", "爱"), ("a", "爱 "), ("\u2028a", "爱")])
def test_names_that_begin_or_end_with_a_space_come_back(
    pair: tuple[str, str], tmp_path: Path
) -> None:
    aligned = align([pair])
    aligned.save(tmp_path / "aligned.tsv")
    assert read_alignments(tmp_path / "aligned.tsv").pairs == aligned.pairs


plain_tokens = st.lists(
    st.tuples(
        st.lists(st.sampled_from(["a", "é", "שׁ", "q"]), max_size=3).map("".join),
        st.lists(st.sampled_from(["爱", "김", "ガ", "कि"]), max_size=2).map("".join),
    ).filter(any),
    min_size=1,
    max_size=5,
).filter(lambda tokens: all(any(token[side] for token in tokens) for side in (0, 1)))


def m2m_line(tokens: Tokens) -> str:
    """Return a line like `a|l:i|c:e|` on both sides: `|` ends a token, `:` joins letters."""
    return "\t".join(
        "".join((":".join(graphemes(token[side])) or "_") + "|" for token in tokens)
        for side in (0, 1)
    )


def phonetisaurus_line(tokens: Tokens) -> str:
    """Return a line like `a}爱 l|i}丽`: `}` separates the sides, `|` joins letters, `_` is null."""
    return " ".join(
        "}".join("|".join(graphemes(part)) or "_" for part in token) for token in tokens
    )


@some
@given(st.lists(plain_tokens.map(tuple), min_size=1, max_size=5))
def test_all_formats_give_the_same_names(lists: list[Tokens]) -> None:
    aligned = aligned_of([[tuple(map(composed, token)) for token in one] for one in lists])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "aligned.txt")
        for format, line in (
            ("sameas", lambda tokens: str(aligned_of([tokens]))),
            ("m2m", m2m_line),
            ("phonetisaurus", phonetisaurus_line),
        ):
            text = "\n".join(line(pair.tokens) for pair in aligned)
            path.write_text(text + "\n", encoding="utf-8")
            assert read_alignments(path).pairs == aligned.pairs
            assert read_alignments(path, format=format).pairs == aligned.pairs


# Comparison with gold


@st.composite
def two_alignments(draw: st.DrawFn) -> tuple[AlignedNames, AlignedNames]:
    """Generate two segmentations of the same names."""
    texts = draw(st.lists(st.tuples(names("aé", 5), names("爱丽", 4)), min_size=1, max_size=5))
    found = tuple(
        aligned_of([draw(cut_somehow(source, target)) for source, target in texts])
        for _ in range(2)
    )
    return found[0], found[1]


@st.composite
def cut_somehow(draw: st.DrawFn, source: Sequence[str], target: Sequence[str]) -> Tokens:
    cuts = draw(
        st.lists(st.tuples(st.integers(0, len(source)), st.integers(0, len(target))), max_size=4)
    )
    ends = [*zip(sorted(i for i, _ in cuts), sorted(j for _, j in cuts), strict=True)]
    begins = [(0, 0), *ends]
    ends = [*ends, (len(source), len(target))]
    return tuple(
        token
        for (i, j), (p, q) in zip(begins, ends, strict=True)
        if any(token := ("".join(source[i:p]), "".join(target[j:q])))
    )


def letter_tokens(pair: AlignedPair) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [(graphemes(source), graphemes(target)) for source, target in pair.tokens]


@many
@given(two_alignments())
def test_gold_is_compared_by_sets(both: tuple[AlignedNames, AlignedNames]) -> None:
    own, gold = both
    found = entropy(own, gold=gold).gold
    assert found is not None
    assert found.pairs == len(gold)
    tokens = [
        (letter_tokens(one), letter_tokens(other)) for one, other in zip(own, gold, strict=True)
    ]
    for score, sets in ((found.mappings, brute.mappings), (found.letters, brute.linked_letters)):
        plain = brute.rates([(sets(one), sets(other)) for one, other in tokens])
        assert (score.recall, score.precision, score.f1) == pytest.approx(plain, rel=1e-12)
    assert found.exact == sum(
        one.tokens == other.tokens for one, other in zip(own, gold, strict=True)
    )
    swapped = entropy(gold, gold=own).gold
    assert swapped is not None
    assert swapped.mappings.recall == found.mappings.precision
    assert swapped.letters.f1 == found.letters.f1


@some
@given(two_alignments())
def test_gold_against_itself_is_perfect(both: tuple[AlignedNames, AlignedNames]) -> None:
    corpus, _ = both
    found = entropy(corpus, gold=corpus).gold
    assert found is not None
    assert found.exact == found.pairs == len(corpus)
    mapped = any(all(token) for pair in corpus for token in pair.tokens)
    for score in (found.mappings, found.letters):
        assert (score.recall, score.precision, score.f1) == ((1, 1, 1) if mapped else (0, 0, 0))


@few
@given(two_alignments(), st.sampled_from(["percentile", "bca"]))
def test_intervals_are_around_the_scores(
    both: tuple[AlignedNames, AlignedNames], kind: str
) -> None:
    own, gold = both
    found = entropy(own, gold=gold).gold
    assert found is not None
    intervals = found.intervals(Resampling(kind, samples=200))
    assert set(intervals) == {"mappings", "letters"}
    for name, score in (("mappings", found.mappings), ("letters", found.letters)):
        for interval, estimate in zip(
            intervals[name], (score.recall, score.precision, score.f1), strict=True
        ):
            assert interval is not None
            assert estimate is not None
            assert 0 <= interval.low <= interval.high <= 1
            if kind == "percentile":
                assert interval.low - 1e-12 <= estimate <= interval.high + 1e-12


@some
@given(two_alignments(), two_alignments(), st.randoms())
def test_gold_may_be_in_another_order_and_a_part(
    first: tuple[AlignedNames, AlignedNames],
    second: tuple[AlignedNames, AlignedNames],
    generator: random.Random,
) -> None:
    """Names that occur once in gold are found anywhere; names that gold lacks are not counted."""
    own, gold = first
    known = {(pair.source, pair.target) for pair in gold}
    assume(len(known) == len(gold))
    others = [pair for pair in second[0] if (pair.source, pair.target) not in known]
    mixed = [*own, *others]
    generator.shuffle(mixed)
    found, plain = entropy(mixed, gold=gold).gold, entropy(own, gold=gold).gold
    assert found is not None
    assert plain is not None
    assert (found.pairs, found.exact) == (plain.pairs, plain.exact)
    assert (found.mappings, found.letters) == (plain.mappings, plain.letters)
