"""A second implementation of name alignment: slow, obvious, and straight from the definitions.

Pervouchine, Li & Lin 2009: distances, affinities and probabilities by section 3 (equations 1 to 6),
entropy by section 4 (equation 7), precision and recall by section 2; segments as joint multigrams
(Deligne, Yvon & Bimbot 1995). It enumerates every alignment and every segmentation of a pair, and
returns the best or the sum. Names are tuples of letters; nothing, the paper's `*`, is None.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

Symbol = Hashable
Name = Sequence[Symbol]
Place = int | None
Path = tuple[tuple[Place, Place], ...]
Run = tuple[Symbol, ...]
Segment = tuple[Run, Run]
Table = Mapping[tuple[Symbol, Symbol], float]
S = TypeVar("S", bound=Hashable)

# Equations 1 and 2


def alignments(letters: int, units: int) -> Iterator[Path]:
    """Yield all alignments of two names, as steps: match, skip a letter, skip a unit."""
    if not letters and not units:
        yield ()
    if letters and units:
        for path in alignments(letters - 1, units - 1):
            yield (*path, (letters - 1, units - 1))
    if units:
        for path in alignments(letters, units - 1):
            yield (*path, (None, units - 1))
    if letters:
        for path in alignments(letters - 1, units):
            yield (*path, (letters - 1, None))


def length(path: Path, source: Name, target: Name, distance: Table) -> float:
    """Return the sum of the distances of an alignment (equation 2)."""
    return sum(
        distance[None if i is None else source[i], None if j is None else target[j]]
        for i, j in path
    )


def nearest(source: Name, target: Name, distance: Table) -> float:
    """Return the smallest distance of all alignments (equation 1)."""
    paths = alignments(len(source), len(target))
    return min(length(path, source, target, distance) for path in paths)


def path_of(links: Sequence[Place], units: int) -> Path:
    """Return the alignment with these links; between two links, units come first."""
    path: list[tuple[Place, Place]] = []
    at = 0
    for i, j in enumerate(links):
        if j is not None:
            path += [(None, skipped) for skipped in range(at, j)]
            at = j + 1
        path.append((i, j))
    return (*path, *((None, skipped) for skipped in range(at, units)))


# Equations 3 to 5


def counted(corpus: Iterable[tuple[Name, Name, Sequence[Place]]]) -> Counter[tuple[Symbol, Symbol]]:
    """Return count(e, c): how often a symbol was aligned with a symbol, or with nothing."""
    counts: Counter[tuple[Symbol, Symbol]] = Counter()
    for source, target, links in corpus:
        for i, j in path_of(links, len(target)):
            counts[None if i is None else source[i], None if j is None else target[j]] += 1
    return counts


def conditional(counts: Table) -> dict[tuple[Symbol, Symbol], float]:
    """Return P(c|e) = count(e, c) / Σ_c count(e, c), for the pairs counted."""
    totals: dict[Symbol, float] = defaultdict(float)
    for (e, _), count in counts.items():
        totals[e] += count
    return {(e, c): count / totals[e] for (e, c), count in counts.items() if count}


# Equation 6


def composed(
    one: Table, two: Table, letters: Name, phonemes: Name, sounds: Name
) -> dict[tuple[Symbol, Symbol], float]:
    """Return P(c|e) = Σ_p P(c|p) P(p|e), from count(e, p) and count(p, c).

    A letter without a phoneme has no sound. Sounds without a letter are those without a phoneme,
    and those of phonemes without a letter, weighted by the number of such phonemes; nothing is not
    a sound.
    """
    found: dict[tuple[Symbol, Symbol], float] = defaultdict(float)
    first, second = conditional(one), conditional(two)
    for e in letters:
        for p in phonemes:
            for c in (*sounds, None):
                found[e, c] += first.get((e, p), 0) * second.get((p, c), 0)
        found[e, None] += first.get((e, None), 0)
    inserted: dict[tuple[Symbol, Symbol], float] = defaultdict(float)
    for c in sounds:
        inserted[None, c] += two.get((None, c), 0)
        for p in phonemes:
            inserted[None, c] += one.get((None, p), 0) * second.get((p, c), 0)
    return {**found, **conditional(inserted)}


# Equation 7


def entropy(tokens: Iterable[tuple[Hashable, Hashable]]) -> float:
    """Return H = −Σ_j P(c_j) Σ_m P(e_m|c_j) log₂ P(e_m|c_j) over pairs of tokens."""
    by_target: dict[Hashable, Counter[Hashable]] = defaultdict(Counter)
    for source, target in tokens:
        by_target[target][source] += 1
    total = sum(counts.total() for counts in by_target.values())
    return math.fsum(
        counts.total() / total * entropy_of_one(counts.values()) for counts in by_target.values()
    )


def entropy_of_one(counts: Iterable[int]) -> float:
    """Return −Σ p log₂ p of counts."""
    counts = list(counts)
    return -math.fsum(n / sum(counts) * math.log2(n / sum(counts)) for n in counts)


# Links to tokens


def tokens_of_links(
    source: Sequence[S], units: Sequence[S], owners: Sequence[Place]
) -> list[tuple[tuple[S, ...], tuple[S, ...]]]:
    """Return the letters of each unit, from the unit of each letter, if any.

    A letter without a unit joins the letter before it; letters before the first one with a unit
    join that one.
    """
    linked = [owner for owner in owners if owner is not None]
    at = linked[0]
    letters: dict[int, list[S]] = defaultdict(list)
    for letter, owner in zip(source, owners, strict=True):
        at = at if owner is None else owner
        letters[at].append(letter)
    return [(tuple(letters[j]), (unit,)) for j, unit in enumerate(units)]


# Segments


def segmentations(
    source: Sequence[Symbol], target: Sequence[Symbol], letters: int, units: int
) -> Iterator[tuple[Segment, ...]]:
    """Return all segmentations of a pair into segments of 0..letters letters and 1..units units.

    Only segments of one unit may have 0 letters. If a name has more letters than its units can take
    one by one, the limit is raised to the smallest that fits.
    """
    limit = max(letters, math.ceil(len(source) / len(target)))
    yield from _segmentations(tuple(source), tuple(target), limit, units)


def _segmentations(
    source: Run, target: Run, letters: int, units: int
) -> Iterator[tuple[Segment, ...]]:
    if not source and not target:
        yield ()
    for n in range(1, min(units, len(target)) + 1):
        for m in range(1 if n > 1 else 0, min(letters, len(source)) + 1):
            for rest in _segmentations(source[m:], target[n:], letters, units):
                yield ((source[:m], target[:n]), *rest)


def probability(segments: Iterable[Segment], probabilities: Mapping[Segment, float]) -> float:
    """Return the product of the segments' probabilities."""
    return math.prod(probabilities[segment] for segment in segments)


def expected(
    corpus: Iterable[tuple[Name, Name]],
    probabilities: Mapping[Segment, float],
    letters: int,
    units: int,
) -> tuple[dict[Segment, float], float]:
    """Return the expected count of each segment, and the log-likelihood of the corpus."""
    counts: dict[Segment, float] = defaultdict(float)
    likelihood = 0.0
    for source, target in corpus:
        ways = list(segmentations(source, target, letters, units))
        products = [probability(way, probabilities) for way in ways]
        total = math.fsum(products)
        likelihood += math.log(total)
        for way, product in zip(ways, products, strict=True):
            for segment in way:
                counts[segment] += product / total
    return dict(counts), likelihood


def log_likelihood(
    source: Name,
    target: Name,
    letters: int,
    units: int,
    probabilities: Mapping[Segment, float],
) -> float:
    """Return ln of the sum over all segmentations, for names too long to enumerate them.

    It is computed cell by cell, in logarithms, so that nothing underflows.
    """
    limit = max(letters, math.ceil(len(source) / len(target)))
    sums = {(0, 0): 0.0}
    for j in range(1, len(target) + 1):
        for i in range(len(source) + 1):
            terms = [
                sums[i - m, j - n] + math.log(probabilities[segment])
                for n in range(1, min(units, j) + 1)
                for m in range(1 if n > 1 else 0, min(limit, i) + 1)
                if (i - m, j - n) in sums
                and (segment := (tuple(source[i - m : i]), tuple(target[j - n : j])))
                in probabilities
            ]
            if terms:
                most = max(terms)
                sums[i, j] = most + math.log(math.fsum(math.exp(term - most) for term in terms))
    return sums[len(source), len(target)]


# Section 2: against a gold standard


def mappings(tokens: Iterable[tuple[Name, Name]]) -> set[tuple[int, int, int, int]]:
    """Return the tokens with both letters and units, as their offsets in letters and units."""
    found = set()
    i = j = 0
    for source, target in tokens:
        if len(source) and len(target):
            found.add((i, i + len(source), j, j + len(target)))
        i, j = i + len(source), j + len(target)
    return found


def linked_letters(tokens: Iterable[tuple[Name, Name]]) -> set[tuple[int, int]]:
    """Return the pairs of a letter and a unit in the same token."""
    return {
        (letter, unit)
        for first, last, start, end in mappings(tokens)
        for letter in range(first, last)
        for unit in range(start, end)
    }


def rates(pairs: Iterable[tuple[set[S], set[S]]]) -> tuple[float, float, float]:
    """Return Rc = C_AG / C_G, Pr = C_AG / C_A and F = 2 Pr Rc / (Pr + Rc) of pairs (A, G).

    0/0 is 0.
    """
    pairs = list(pairs)
    common = sum(len(own & gold) for own, gold in pairs)
    own, gold = (sum(len(pair[side]) for pair in pairs) for side in (0, 1))
    recall, precision = common / gold if gold else 0.0, common / own if own else 0.0
    both = recall + precision
    return recall, precision, 2 * recall * precision / both if both else 0.0
