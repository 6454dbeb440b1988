"""The n best targets of a name, by exhaustive enumeration.

A derivation is a sequence of a model's pairs whose left sides spell the source; the right sides
spell its target. The score of a target is that of its best derivation, or the sum over all of them.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from sameas.names import joint

Derivation = tuple[joint.Pair, ...]


def start(model: joint.JointModel) -> int:
    """Return the state at the beginning of a name.

    >>> start(joint.fit([[("a", "AE")]], order=2))
    1
    """
    return int(model.states[1 + joint.BOUNDARY])


def follow(model: joint.JointModel, state: int, token: int) -> tuple[float, int]:
    """Return the log-probability of a pair after a state, and the next state.

    >>> model = joint.fit([[("a", "AE")]], order=2)
    >>> [round(math.exp(follow(model, start(model), token)[0]), 2) for token in (0, 1)]
    [0.33, 0.67]
    """
    left = 0.0
    while True:
        low, high = model.first[state], model.first[state + 1]
        here = low + np.flatnonzero(model.token[low:high] == token)
        if len(here):
            node = int(here[0])
            return left + math.log(model.probability[node]), int(model.states[node])
        left += math.log(model.gamma[state])
        state = int(model.suffix[state])


def conditional(model: joint.JointModel, history: Sequence[joint.Pair]) -> list[float]:
    """Return the probabilities of the end of a name and of each pair, after the first pairs of a
    name. An unknown pair resets the history.

    >>> model = joint.fit([[("a", "AE"), ("l", "L")], [("a", "AH")]], order=2)
    >>> [round(p, 2) for p in conditional(model, [("a", "AE")])]
    [0.21, 0.21, 0.21, 0.37]
    """
    state = start(model)
    for pair in history:
        known = pair in model.pairs
        state = follow(model, state, model.pairs.index(pair) + 1)[1] if known else 0
    tokens = range(len(model.pairs) + 1)
    return [math.exp(follow(model, state, token)[0]) for token in tokens]


def log_probability(model: joint.JointModel, name: Sequence[joint.Pair]) -> float:
    """Return the log-probability of an aligned name, step by step; −∞ if it has an unknown pair.

    >>> model = joint.fit([[("a", "AE"), ("l", "L")], [("a", "AH")]], order=2)
    >>> round(log_probability(model, [("a", "AE"), ("l", "L")]), 3)
    -3.19
    """
    if not set(name) <= set(model.pairs):
        return -math.inf
    total, state = 0.0, start(model)
    for token in (*(model.pairs.index(pair) + 1 for pair in name), joint.BOUNDARY):
        step, state = follow(model, state, token)
        total += step
    return total


def derivations(model: joint.JointModel, source: str) -> Iterator[Derivation]:
    """Yield every sequence of pairs that spells the source; none if a letter is in no pair.

    >>> model = joint.fit([[("a", "X"), ("b", "Y")], [("ab", "Z")]], order=2)
    >>> list(derivations(model, "ab"))
    [(('a', 'X'), ('b', 'Y')), (('ab', 'Z'),)]
    >>> list(derivations(model, "abc")), list(derivations(model, ""))
    ([], [()])
    """
    if not source:
        yield ()
    for pair in model.pairs:
        if source.startswith(pair[0]):
            for rest in derivations(model, source[len(pair[0]) :]):
                yield (pair, *rest)


def scored(
    model: joint.JointModel, source: str, between: str = ""
) -> dict[str, list[tuple[float, Derivation]]]:
    """Return the derivations of each target with their log-probabilities, best first.

    >>> model = joint.fit([[("a", "X"), ("b", "Y")], [("ab", "XY")]], order=2)
    >>> for target, found in scored(model, "ab").items():
    ...     print(target, [(round(score, 2), pairs) for score, pairs in found])
    XY [(-2.2, (('ab', 'XY'),)), (-3.19, (('a', 'X'), ('b', 'Y')))]
    """
    found: dict[str, list[tuple[float, Derivation]]] = defaultdict(list)
    for pairs in derivations(model, source):
        target = between.join(right for _, right in pairs if right)
        found[target].append((log_probability(model, pairs), pairs))
    return {
        target: sorted(ways, key=lambda way: (-way[0], way[1])) for target, ways in found.items()
    }


def best(
    model: joint.JointModel, source: str, most: int, *, by: str = "best", between: str = ""
) -> list[tuple[str, float]]:
    """Return the `most` best targets and their log-probabilities, `by` "best" derivation or "sum".

    Ties are sorted by their characters.

    >>> model = joint.fit([[("a", "X"), ("b", "Y")], [("ab", "XY")], [("ab", "Z")]], order=2)
    >>> [(target, round(score, 2)) for target, score in best(model, "ab", 2)]
    [('XY', -2.69), ('Z', -2.69)]
    >>> [(target, round(score, 2)) for target, score in best(model, "ab", 2, by="sum")]
    [('XY', -2.43), ('Z', -2.69)]
    """
    if by not in ("best", "sum"):
        raise ValueError(f"by is best or sum, not {by!r}")
    targets = [
        (target, ways[0][0] if by == "best" else together([score for score, _ in ways]))
        for target, ways in scored(model, source, between).items()
    ]
    return sorted(targets, key=lambda one: (-one[1], one[0]))[:most]


def together(scores: list[float]) -> float:
    """Return ln of the sum of probabilities given as logarithms.

    >>> round(math.exp(together([math.log(0.25), math.log(0.5)])), 12)
    0.75
    """
    top = max(scores)
    return top + math.log(math.fsum(math.exp(score - top) for score in scores))
