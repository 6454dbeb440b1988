"""A second implementation of CONE: slow, obvious, straight from the definitions of Lin et al. 2010.

Entities are lists of mentions; a function decides which mentions are names. Section 4 defines G^NM
and O^NM as the entities restricted to names, and CONE as any score of the two. Section 5 drops
entities without a name. Section 4.1 correlates scores over documents and over entities, with a
control on the mentions that are not names. The metrics are those of `brute.py`.
"""

import math
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from brute import ZERO, Entities, Entity, brute, entities, entity_of, harmonic, ratio, scores

M = TypeVar("M", bound=Hashable)
Parts = tuple[Fraction, Fraction, Fraction]  # F1, recall, precision


# Restriction


def named_only(clusters: Sequence[Sequence[M]], is_name: Callable[[M], bool]) -> list[list[M]]:
    """Return G^NM: the names of every entity that has any."""
    found = [[mention for mention in cluster if is_name(mention)] for cluster in clusters]
    return [cluster for cluster in found if cluster]


def with_a_name(clusters: Sequence[Sequence[M]], is_name: Callable[[M], bool]) -> list[list[M]]:
    """Return G as in NE-CRR: "equivalences classes without any NEs are not considered"."""
    return [list(cluster) for cluster in clusters if any(map(is_name, cluster))]


def others(clusters: Sequence[Sequence[M]], is_name: Callable[[M], bool]) -> list[list[M]]:
    """Return the control G_i − G_i^NM: the mentions that are not names, of entities with a name."""
    return named_only(with_a_name(clusters, is_name), lambda mention: not is_name(mention))


def everything(clusters: Sequence[Sequence[M]], is_name: Callable[[M], bool]) -> list[list[M]]:
    """Return all mentions of all entities, as in plain coreference scores."""
    return [list(cluster) for cluster in clusters]


RESTRICTIONS = {
    "named": named_only,
    "entities": with_a_name,
    "unnamed": others,
    "all": everything,
}


# Which mentions are names


def capital_words(sentences: Sequence[Sequence[str]], pronouns: Collection[str]) -> list[bool]:
    """Return whether each word is capitalised, and not only as the start of a sentence.

    A sentence also starts after an opening sign, such as a quotation mark.
    """
    words = [word for sentence in sentences for word in sentence]
    found = []
    for sentence in sentences:
        for place, word in enumerate(sentence):
            begins = place == 0 or (place == 1 and not sentence[0][:1].isalnum())
            large = word[:1].isupper() and word.lower() not in pronouns
            found.append(large and not (begins and word.lower() in words))
    return found


def by_key(
    place: Hashable,
    head: int,
    key: Sequence[tuple[Hashable, int, bool]],
    large: Sequence[bool],
) -> bool:
    """Return whether a response mention without a kind is a name.

    `key` has the place and the head of each mention, and whether it is a name. The key mention at
    the same place decides, else one with the same head, else the capital of the head word.
    """
    same_place = [named for where, _, named in key if where == place]
    if same_place:
        return any(same_place)
    same_head = [named for _, other, named in key if other == head]
    if same_head:
        return any(same_head)
    return large[head]


# Scores


def document_scores(
    key: Sequence[Sequence[Hashable]], response: Sequence[Sequence[Hashable]], metric: str
) -> Parts:
    """Return F1, recall and precision of one document."""
    recall, precision, f1 = scores(brute([(key, response)])[metric])
    return f1, recall, precision


def alignments(key: Entities, response: Entities) -> Iterator[dict[int, int]]:
    """Yield all one-to-one maps of some key entities to response entities that share a mention."""
    if not key:
        yield {}
        return
    last = len(key) - 1
    for rest in alignments(key[:-1], response):
        yield rest
        for j, candidate in enumerate(response):
            if j not in rest.values() and key[last] & candidate:
                yield {**rest, last: j}


def entity_ceafm(
    clusters: Sequence[Sequence[Hashable]], other: Sequence[Sequence[Hashable]]
) -> list[list[Parts]]:
    """Return the scores of each key entity with its aligned entity, for every optimal alignment.

    Section 4.1: M_i,f(i), divided by the size of either entity.
    """
    key, response = entities(clusters), entities(other)
    found = [(sum(len(key[i] & response[j]) for i, j in one.items()), one)
             for one in alignments(key, response)]  # fmt: skip
    best = max(shared for shared, _ in found)
    return [
        [_aligned(entity, response[one[i]] if i in one else frozenset())
         for i, entity in enumerate(key)]
        for shared, one in found if shared == best
    ]  # fmt: skip


def _aligned(entity: Entity, other: Entity) -> Parts:
    recall, precision = (
        ratio(len(entity & other), len(entity)),
        ratio(len(entity & other), len(other)),
    )
    return harmonic(recall, precision), recall, precision


def entity_b3(
    clusters: Sequence[Sequence[Hashable]], other: Sequence[Sequence[Hashable]]
) -> list[Parts]:
    """Return for each key entity the mean B³ recall of its mentions, and precision of those found."""
    key, response = entities(clusters), entities(other)
    rows = []
    for entity in key:
        recalls, precisions = [], []
        for mention in entity:
            cluster = entity_of(mention, response)
            recalls.append(Fraction(len(entity & cluster), len(entity)))
            if cluster:
                precisions.append(Fraction(len(entity & cluster), len(cluster)))
        recall = sum(recalls, ZERO) / len(recalls)
        precision = ratio(sum(precisions, ZERO), len(precisions))
        rows.append((harmonic(recall, precision), recall, precision))
    return rows


def name_errors(
    key: Sequence[Sequence[Hashable]], response: Sequence[Sequence[Hashable]]
) -> tuple[int, int, int]:
    """Count the key's names, those missing in the response, and those outside the aligned entity.

    This is MNE and IGNE of section 4.1, mention by mention, for the alignment with the fewest names
    outside. Both sides contain only names.
    """
    gold, output = entities(key), entities(response)
    names = [(i, name) for i, entity in enumerate(gold) for name in entity]
    missing = [name for _, name in names if not entity_of(name, output)]
    outside = min(
        sum(
            name not in missing and (i not in one or name not in output[one[i]])
            for i, name in names
        )
        for one in alignments(gold, output)
    )
    return len(names), len(missing), outside


# Correlation


def centred(values: Sequence[Fraction], groups: Sequence[Hashable]) -> list[Fraction]:
    """Return the deviations from the mean of each value's group."""
    found = []
    for value, group in zip(values, groups, strict=True):
        same = [v for v, other in zip(values, groups, strict=True) if other == group]
        found.append(value - sum(same, ZERO) / len(same))
    return found


def pearson(x: Sequence[Fraction | float], y: Sequence[Fraction | float]) -> float | None:
    """Return Pearson's r by the formula; None if one side is constant."""
    a, b = ([Fraction(value) for value in side] for side in (x, y))
    mean_a, mean_b = sum(a, ZERO) / len(a), sum(b, ZERO) / len(b)
    together = sum(((i - mean_a) * (j - mean_b) for i, j in zip(a, b, strict=True)), ZERO)
    spread_a, spread_b = (
        sum(((value - mean) ** 2 for value in side), ZERO)
        for side, mean in ((a, mean_a), (b, mean_b))
    )
    if not spread_a or not spread_b:
        return None
    return float(together) / math.sqrt(spread_a * spread_b)


def kendall(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Return Kendall's τ_b by comparing every pair."""
    agree = untied_x = untied_y = 0
    for i, j in combinations(range(len(x)), 2):
        a, b = (side[i] - side[j] for side in (x, y))
        agree += (a * b > 0) - (a * b < 0)
        untied_x, untied_y = untied_x + (a != 0), untied_y + (b != 0)
    return agree / math.sqrt(untied_x * untied_y) if untied_x and untied_y else None
