"""A second implementation of n-gram models: slow, exact, and straight from the papers.

Modified Kneser–Ney is that of Chen & Goodman 1998 ("An Empirical Study of Smoothing Techniques for
Language Modeling", TR-10-98), interpolated; Witten–Bell is theirs too, after Witten & Bell 1991
(their method C), interpolated. Counts are dictionaries from tuples to numbers, everything else is
fractions, so that probabilities sum to exactly one.

A name is a sequence of tokens of any kind. It is preceded by BEGIN, which is never predicted, and
followed by END, which is. Both papers back off to the uniform distribution over all next tokens.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Token = Hashable
Gram = tuple[Token, ...]
BEGIN, END = "<begin>", "<end>"
CEILING = Fraction(95, 100)  # largest discount as a share of the count, if the paper has no rule


@dataclass(frozen=True)
class Model:
    """By history: the share of each token seen after it, and the back-off weight.

    p(w | h) = share(h, w) + left(h) p(w | h without its oldest token)
    """

    order: int
    tokens: tuple[Token, ...]  # all that can be next
    shares: Mapping[Gram, Mapping[Token, Fraction]]
    left: Mapping[Gram, Fraction]


def counted(names: Iterable[Sequence[Token]], order: int) -> list[Counter[Gram]]:
    """Return the counts of n-grams: of no token, of one, … of `order`.

    >>> [dict(counts) for counts in counted([["a", "b"]], 2)][1:]
    [{('a',): 1, ('b',): 1, ('<end>',): 1}, {('<begin>', 'a'): 1, ('a', 'b'): 1, ('b', '<end>'): 1}]
    """
    counts: list[Counter[Gram]] = [Counter() for _ in range(order + 1)]
    for name in names:
        written = (BEGIN, *name, END)
        for length in range(1, order + 1):
            for end in range(1, len(written)):  # the last token is never BEGIN
                if end - length + 1 >= 0:
                    counts[length][written[end - length + 1 : end + 1]] += 1
    return counts


def followers(counts: Mapping[Gram, int]) -> dict[Gram, dict[Token, int]]:
    """Return the n-grams of one length by their histories."""
    found: dict[Gram, dict[Token, int]] = defaultdict(dict)
    for gram, count in counts.items():
        found[gram[:-1]][gram[-1]] = count
    return dict(found)


def paper_discounts(counts: Mapping[Gram, int]) -> list[Fraction]:
    """Return the discounts of counts of 0, 1, 2, and of 3 and more (Chen & Goodman 1998).

    Y = n₁ / (n₁ + 2 n₂), D₁ = 1 − 2 Y n₂ / n₁, D₂ = 2 − 3 Y n₃ / n₂, D₃₊ = 3 − 4 Y n₄ / n₃, where nᵢ
    is the number of n-grams that were counted i times. Counts that do not occur have no discount in
    the paper; here they divide by zero.

    >>> many = {(place,): count for place, count in enumerate([1] * 8 + [2] * 4 + [3, 3, 4])}
    >>> [str(one) for one in paper_discounts(many)]
    ['0', '1/2', '5/4', '2']
    """
    n = Counter(counts.values())
    y = Fraction(n[1], n[1] + 2 * n[2])
    return [Fraction(0), *(k - (k + 1) * y * Fraction(n[k + 1], n[k]) for k in (1, 2, 3))]


def patched_discounts(counts: Mapping[Gram, int]) -> list[Fraction]:
    """Return the discounts for so few names that some counts do not occur, or are unusual.

    The paper has no rule for this case. These are the choices of `sameas.names.ngrams`: there are
    at least 1, 1/2, 1/4, 1/8 n-grams that were counted 1, 2, 3, 4 times, and the discount of a
    count of k is at least 1/10 and at most CEILING times k.

    >>> [str(one) for one in patched_discounts({("a",): 7})]
    ['0', '1/2', '5/4', '2']
    """
    n = Counter(counts.values())
    many = [max(Fraction(n[k]), Fraction(1, 2 ** (k - 1))) for k in (1, 2, 3, 4)]
    y = many[0] / (many[0] + 2 * many[1])
    found = [k - (k + 1) * y * many[k] / many[k - 1] for k in (1, 2, 3)]
    return [
        Fraction(0),
        *(min(max(one, Fraction(1, 10)), k * CEILING) for k, one in enumerate(found, 1)),
    ]


def kneser_ney(
    names: Sequence[Sequence[Token]],
    order: int,
    discounts: Callable[[Mapping[Gram, int]], list[Fraction]] = paper_discounts,
) -> Model:
    """Return the interpolated model of modified Kneser–Ney.

    The count of a shorter n-gram is the number of different tokens before it, N₁₊(• g). N-grams
    that begin with BEGIN have nothing before them, and keep their counts.

    >>> model = kneser_ney([["a", "b"], ["a", "c"]], 2, patched_discounts)
    >>> [str(probability(model, ["a"], token)) for token in ("a", "b", "c", "<end>")]
    ['33/200', '199/600', '199/600', '103/600']
    """
    counts = counted(names, order)
    shares, left = {}, {}
    for length in range(1, order + 1):
        used = dict(counts[length])
        if length < order:
            before: dict[Gram, set[Token]] = defaultdict(set)
            for gram in counts[length + 1]:
                before[gram[1:]].add(gram[0])
            used = {
                gram: count if gram[0] == BEGIN else len(before[gram])
                for gram, count in used.items()
            }
        if not used:
            continue
        taken = discounts(used)
        for history, after in followers(used).items():
            total = sum(after.values())
            shares[history] = {
                token: (count - taken[min(count, 3)]) / total for token, count in after.items()
            }
            n = Counter(min(count, 3) for count in after.values())  # N₁, N₂, N₃₊ of this history
            left[history] = (taken[1] * n[1] + taken[2] * n[2] + taken[3] * n[3]) / total
    return Model(order, _tokens(names), shares, left)


def witten_bell(names: Sequence[Sequence[Token]], order: int) -> Model:
    """Return the interpolated model of Witten–Bell: N₁₊(h •) / (c(h) + N₁₊(h •)) is backed off.

    >>> model = witten_bell([["a", "b"], ["a", "c"]], 2)
    >>> [str(probability(model, ["a"], token)) for token in ("a", "b", "c", "<end>")]
    ['3/20', '7/20', '7/20', '3/20']
    """
    shares, left = {}, {}
    for length, counts in enumerate(counted(names, order)):
        for history, after in followers(counts).items() if length else ():
            parts = sum(after.values()) + len(after)
            shares[history] = {token: Fraction(count, parts) for token, count in after.items()}
            left[history] = Fraction(len(after), parts)
    return Model(order, _tokens(names), shares, left)


def _tokens(names: Iterable[Sequence[Token]]) -> tuple[Token, ...]:
    return (END, *sorted({token for name in names for token in name}))  # type: ignore[type-var]


def chain(model: Model, history: Sequence[Token], token: Token) -> list[tuple[Fraction, Fraction]]:
    """Return the share of a token and the back-off weight, from the longest history to the empty.

    `history` has the first tokens of a name. If it is unseen, the back-off weight is 1.

    >>> chain(witten_bell([["a", "b"], ["a", "c"]], 2), ["a"], "b")
    [(Fraction(1, 4), Fraction(1, 2)), (Fraction(1, 10), Fraction(2, 5))]
    """
    written: Gram = (BEGIN, *history)
    known = written[max(0, len(written) - model.order + 1) :]
    histories = [known[start:] for start in range(len(known) + 1)]
    return [
        (model.shares.get(one, {}).get(token, Fraction(0)), model.left.get(one, Fraction(1)))
        for one in histories
    ]


def probability(model: Model, history: Sequence[Token], token: Token) -> Fraction:
    """Return p(token | first tokens of the name); 0 for an unseen token."""
    if token not in model.tokens:
        return Fraction(0)
    found = Fraction(1, len(model.tokens))
    for share, left in reversed(chain(model, history, token)):
        found = share + left * found
    return found


def log_probability(model: Model, name: Sequence[Token]) -> float:
    """Return the natural logarithm of the probability of a whole name.

    >>> round(log_probability(witten_bell([["a", "b"], ["a", "c"]], 2), ["a", "b"]), 3)
    -1.746
    """
    written = [*name, END]
    steps = (probability(model, written[:place], one) for place, one in enumerate(written))
    return sum(math.log(step) if step else -math.inf for step in steps)


def rounded(model: Model, steps: int) -> Model:
    """Return the model with shares rounded down to exp(−n / steps), n whole, and more back-off.

    >>> rough = rounded(witten_bell([["a", "b"], ["a", "c"]], 2), 1)
    >>> [round(float(part), 4) for part in chain(rough, ["a"], "b")[0]]  # 1/4 is between e⁻¹, e⁻²
    [0.1353, 0.7293]
    """
    shares = {
        history: {
            token: Fraction(math.exp(-math.ceil(-steps * math.log(share)) / steps))
            for token, share in after.items()
        }
        for history, after in model.shares.items()
    }
    left = {
        history: 1 - sum(after.values(), start=Fraction(0)) for history, after in shares.items()
    }
    return Model(model.order, model.tokens, shares, left)
