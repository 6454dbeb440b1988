"""The quality of an alignment: its entropy, which needs no gold, and its scores against gold.

Pervouchine, Li & Lin 2009, section 4: the more consistently target tokens are mapped to the same
source tokens, the lower the alignment entropy and, usually, the better the alignment.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from sameas._version import __version__
from sameas.arithmetic.scores import Rates, Score
from sameas.errors import InputError, Problem, counted, require
from sameas.names.aligned import AlignedNames, AlignedPair
from sameas.names.aligning import Case
from sameas.names.tokens import entropy_of
from sameas.names.units import graphemes, spelling
from sameas.notes import Note
from sameas.presented import Presented

if TYPE_CHECKING:
    from sameas.chance.resampling import Intervals
    from sameas.settings import Resampling

__all__ = ["AlignmentQuality", "GoldScores", "TokenMappings", "entropy"]

ALONE = 0.2  # share of tokens whose target token occurs once, above which the entropy means little
FEW = 20  # gold pairs below which scores mean little


@dataclass(frozen=True, slots=True)
class TokenMappings:
    """The source tokens that a target token is mapped to, and how consistently.

    `bits` is the entropy of its source tokens, and `share` is its share of the alignment entropy.
    `mappings` are the source tokens with their counts, the most frequent first; `examples` has, for
    each of them, the first pair of names in which it is mapped to the target token.
    """

    token: str
    count: int
    bits: float
    share: float
    mappings: tuple[tuple[str, int], ...]
    examples: tuple[AlignedPair, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the mappings as they appear in JSON."""
        values = {name: getattr(self, name) for name in self.__slots__}
        examples = [one.as_dict() for one in self.examples]
        return {**values, "mappings": dict(self.mappings), "examples": examples}


@dataclass(frozen=True, eq=False)
class GoldScores:
    """The scores of an alignment against a gold standard.

    For `mappings`, the unit of counting is a pair of a source and a target token, both nonempty; it
    is correct if it has the same positions in both alignments (section 2: C_AG / C_A, C_AG / C_G).
    For `letters`, it is a pair of a letter and a unit in the same token.
    """

    mappings: Score
    letters: Score
    pairs: int  # number of pairs in both alignments
    exact: int  # number of these with the same tokens in both
    wrong: tuple[tuple[AlignedPair, AlignedPair], ...]  # the rest: as aligned, and as in gold
    rows: np.ndarray[Any, np.dtype[np.float64]]  # six counts per pair
    notes: tuple[Note, ...] = ()  # on the gold standard

    def intervals(self, resampling: Resampling) -> dict[str, Intervals]:
        """Return confidence intervals, from the bootstrap over pairs of names.

        >>> from sameas.settings import Resampling
        >>> gold = AlignedNames((AlignedPair("bo", "波", (("bo", "波"),)),))
        >>> found = entropy(gold, gold=gold).gold.intervals(Resampling(samples=100))
        >>> found["mappings"].value
        Interval(low=1.0, high=1.0)
        """
        from sameas.chance.resampling import Additive, bootstrap

        def rates(sums: Any) -> dict[str, Rates]:
            return {name: Rates.of(*sums[:, columns].T) for name, columns in _COLUMNS.items()}

        additive = Additive(self.rows, rates, _COLUMNS, {}, {})
        return bootstrap({"": additive}, resampling)[""].intervals(resampling)


# Numerator and denominator of recall, then of precision. The columns are the counts of common, own
# and gold mappings, then of common, own and gold letter pairs.
_COLUMNS: Mapping[str, tuple[int, int, int, int]] = {
    "mappings": (0, 2, 0, 1),
    "letters": (3, 5, 3, 4),
}


@dataclass(frozen=True, eq=False, repr=False)
class AlignmentQuality(Presented):
    """The quality of an alignment, as `entropy` returns it.

    Attributes
    ----------
    entropy
        Alignment entropy, in bits.
    pairs, tokens
        Numbers of aligned pairs and of tokens.
    by_token
        The mappings of each target token, the largest contributions to the entropy first.
    gold
        Scores against gold alignments, or None.
    notes
        Notes on the alignment.
    signature
        Every setting that can change a number.
    name
        Name of the corpus, usually its file.

    Examples
    --------
    >>> found = entropy([AlignedPair("anna", "안나", (("an", "안"), ("na", "나")))])
    >>> found.pairs, found.tokens, [one.token for one in found.by_token], found.gold
    (1, 2, ['나', '안'], None)
    """

    entropy: float
    pairs: int
    tokens: int
    by_token: tuple[TokenMappings, ...]
    gold: GoldScores | None
    notes: tuple[Note, ...]
    signature: str
    name: str = ""

    def __repr__(self) -> str:
        """Show the entropy and the number of pairs."""
        return f"<AlignmentQuality {self.entropy:.3f} bits, {counted(self.pairs, 'pair')}>"


def _names_of(aligned: AlignedNames | Iterable[AlignedPair], what: str) -> AlignedNames:
    """Return the aligned names; raise UsageError if the value is anything else."""
    if isinstance(aligned, AlignedNames):
        return aligned
    expected = "the result of sameas.names.align or sameas.names.read_alignments"
    require(aligned, Iterable, what, expected)
    pairs = tuple(aligned)
    for pair in pairs:
        require(pair, AlignedPair, what, expected)
    return AlignedNames(pairs)


def entropy(
    aligned: AlignedNames | Iterable[AlignedPair],
    *,
    gold: AlignedNames | Iterable[AlignedPair] | None = None,
    case: Case = "fold",
) -> AlignmentQuality:
    """Measure the alignment entropy, token by token, and with `gold` also precision and recall.

    H = −Σ P(e, c) log₂ P(e|c), over pairs of a source token e and a target token c (Pervouchine, Li
    & Lin 2009, equation 7).

    Parameters
    ----------
    aligned
        Aligned names, from `align` or `read_alignments`.
    gold
        Gold alignments of the same names.
    case
        `fold` (default) ignores case, `keep` does not.

    Returns
    -------
    AlignmentQuality
        The entropy, with the mappings of each target token, and the scores against gold.

    Examples
    --------
    >>> read = [AlignedPair("anna", "안나", (("an", "안"), ("na", "나"))),
    ...         AlignedPair("nana", "나나", (("na", "나"), ("na", "나")))]
    >>> entropy(read).entropy
    0.0
    """
    spell = spelling(case)
    corpus = _names_of(aligned, "the aligned names")
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    first: dict[tuple[str, str], AlignedPair] = {}
    empty = 0
    for pair in corpus.pairs:
        for one, two in pair.tokens:
            source, target = spell(one), spell(two)
            counts[target][source] += 1
            first.setdefault((target, source), pair)
            empty += not (one and two)
    total = _entropy(counts)
    tokens = sum(found.total() for found in counts.values())
    by_token = _by_token(counts, first, total, tokens)
    notes = list(corpus.notes)
    if empty:
        notes.append(Note("mapped-to-nothing", count=empty, total=tokens))
    single = sum(found.total() == 1 for found in counts.values())
    if single > ALONE * tokens:
        notes.append(Note("only-tokens", count=single, total=tokens))
    against = (
        _gold_scores(corpus, _names_of(gold, "gold"), spell, notes) if gold is not None else None
    )
    signature = f"sameas:entropy|case:{case}|pairs:{len(corpus)}|version:{__version__}"
    return AlignmentQuality(
        total, len(corpus), tokens, by_token, against, tuple(notes), signature, corpus.name
    )


def _by_token(
    counts: Mapping[str, Counter[str]],
    first: Mapping[tuple[str, str], AlignedPair],
    total: float,
    tokens: int,
) -> tuple[TokenMappings, ...]:
    """Return the mappings of each target token, the largest contributions to the entropy first."""
    by_token = []
    for target, found in counts.items():
        count, times = found.total(), np.array(list(found.values()))
        bits = float((times * np.log2(count / times)).sum() / count)
        share = bits * count / tokens / total if total else 0.0
        ordered = tuple(sorted(found.items(), key=lambda one: (-one[1], one[0])))
        examples = tuple(first[target, source] for source, _ in ordered)
        by_token.append(TokenMappings(target, count, abs(bits), share, ordered, examples))
    by_token.sort(key=lambda one: (-one.bits * one.count, one.token))
    return tuple(by_token)


def _entropy(counts: Mapping[str, Counter[str]]) -> float:
    """Return the entropy of equation 7, computed with the function that the aligners use."""
    numbers: dict[str, int] = {}
    mapped = [
        (numbers.setdefault(token, len(numbers)), target, count)
        for target, found in enumerate(counts.values())
        for token, count in found.items()
    ]
    source, target, times = np.array(mapped, dtype=np.int64).reshape(-1, 3).T
    return entropy_of(np.repeat(source, times), np.repeat(target, times))


def _gold_scores(
    corpus: AlignedNames, gold: AlignedNames, spell: Callable[[str], str], notes: list[Note]
) -> GoldScores:
    """Score the pairs that gold also has; repeated names are paired in order."""
    ours: dict[tuple[str, str], list[AlignedPair]] = defaultdict(list)
    for pair in corpus.pairs:
        ours[spell(pair.source), spell(pair.target)].append(pair)
    seen: Counter[tuple[str, str]] = Counter()
    both: list[tuple[AlignedPair, AlignedPair]] = []
    for pair in gold.pairs:
        name = (spell(pair.source), spell(pair.target))
        if name in ours:
            # If gold repeats a name more often than the corpus, reuse the corpus's last alignment.
            both.append((ours[name][min(seen[name], len(ours[name]) - 1)], pair))
            seen[name] += 1
    wrong = tuple((own, pair) for own, pair in both if list(_spans(own)) != list(_spans(pair)))
    rows = [_counts_of(own, pair) for own, pair in both]
    missing = len(gold) - len(both)
    other = len({(*map(spell, (one.source, one.target)), one.tokens) for one in gold.pairs})
    other -= len({(spell(one.source), spell(one.target)) for one in gold.pairs})
    if other:
        notes.append(Note("gold-pairs-again", count=other))
    if missing:
        notes.append(Note("gold-missing", count=missing, total=len(gold)))
    if not rows:
        problem = Problem("gold-apart", gold.name, gold=len(gold), aligned=len(corpus))
        raise InputError([problem])
    if len(rows) < FEW:
        notes.append(Note("few-gold", count=len(rows)))
    table = np.array(rows, dtype=np.float64)
    sums = list(map(sum, zip(*rows, strict=True)))
    mappings, letters = (Score.of(*(sums[at] for at in columns)) for columns in _COLUMNS.values())
    exact = len(both) - len(wrong)
    return GoldScores(mappings, letters, len(both), exact, wrong, table, gold.notes)


def _counts_of(own: AlignedPair, gold: AlignedPair) -> list[int]:
    """Count common, own and gold mappings, then common, own and gold letter pairs."""
    sets: Any = ((_mapped(own), _mapped(gold)), (_linked(own), _linked(gold)))
    return [count for one, two in sets for count in (len(one & two), len(one), len(two))]


def _spans(pair: AlignedPair) -> Iterator[tuple[int, int, int, int]]:
    """Yield the start and end of each token on both sides, in letters."""
    i = j = 0
    for source, target in pair.tokens:
        after = i + len(graphemes(source)), j + len(graphemes(target))
        yield i, after[0], j, after[1]
        i, j = after


def _mapped(pair: AlignedPair) -> set[tuple[int, int, int, int]]:
    return {(a, b, c, d) for a, b, c, d in _spans(pair) if a < b and c < d}


def _linked(pair: AlignedPair) -> set[tuple[int, int]]:
    return {link for a, b, c, d in _spans(pair) for link in product(range(a, b), range(c, d))}
