"""A second implementation of every coreference metric: slow, exact, in the papers' set notation.

Links, mentions, partitions and alignments are enumerated one by one as the papers define them, with
fractions, as an independent check of the fast code. Clusters must not contain duplicate mentions,
and must be small, because alignments are searched exhaustively.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations

Mention = Hashable
Entity = frozenset[Mention]
Entities = list[Entity]
Link = frozenset[Mention]
Clusters = Sequence[Collection[Mention]]
Counts = tuple[Fraction, ...]

ZERO, ONE = Fraction(0), Fraction(1)


def brute(documents: Sequence[tuple[Clusters, Clusters]]) -> dict[str, Counts]:
    """Score documents, each a pair of key and response clusters.

    - a metric's own name gives the numerator and denominator of recall, then of precision, summed
      over the documents;
    - `blanc.coref`, `blanc.noncoref` and `blanc-gold.coref`, `blanc-gold.noncoref` give the same
      four counts for one class of links;
    - `blanc/luo2014`, `blanc/gold`, `blanc/conll-8.01`, `blanc/corefud-1.2` give recall, precision and F;
    - `rand`, `ari` and `conll` give one value.
    """
    pairs = [(entities(key), entities(response)) for key, response in documents]
    result = {name: total(count(k, r) for k, r in pairs) for name, count in COUNTS.items()}
    same_mentions = all(mentions(key) == mentions(response) for key, response in pairs)
    for version, prefix in (("luo2014", "blanc"), ("gold", "blanc-gold")):
        links = result[f"{prefix}.coref"], result[f"{prefix}.noncoref"]
        result[f"blanc/{version}"] = blanc_luo2014(*links, same_mentions)
    links = result["blanc.coref"], result["blanc.noncoref"]
    result["blanc/corefud-1.2"] = blanc_luo2014(*links, False)
    result["blanc/conll-8.01"] = blanc_conll(result["blanc.coref"], result["blanc.noncoref"])
    agreement = total(pair_agreement(key, response) for key, response in pairs)
    result["rand"] = (rand(*agreement),)
    result["ari"] = (adjusted_rand(*agreement),)
    averaged = [scores(result[name])[2] for name in ("muc", "b3", "ceafe")]
    result["conll"] = (sum(averaged, ZERO) / 3,)
    return result


# Numbers


def ratio(numerator: Fraction | int, denominator: Fraction | int) -> Fraction:
    """Divide, with 0/0 = 0 (and x/0 = 0)."""
    return Fraction(numerator) / denominator if denominator else ZERO


def harmonic(recall: Fraction, precision: Fraction) -> Fraction:
    return ratio(2 * recall * precision, recall + precision)


def scores(counts: Counts) -> Counts:
    """Return recall, precision and F from four counts."""
    recall, precision = ratio(*counts[:2]), ratio(*counts[2:])
    return recall, precision, harmonic(recall, precision)


def total(rows: Iterable[Counts]) -> Counts:
    """Sum the counts of documents; without documents, return zeros."""
    sums = [ZERO] * 4
    for row in rows:
        sums = [total + value for total, value in zip(sums, row, strict=True)]
    return tuple(sums)


def both_sides(
    side: Callable[[Entities, Entities], tuple[Fraction | int, Fraction | int]],
) -> Callable[[Entities, Entities], Counts]:
    """Return a function of four counts, given one of recall; swapped sides give precision."""

    def counts(key: Entities, response: Entities) -> Counts:
        return tuple(map(Fraction, side(key, response) + side(response, key)))

    return counts


# Entities


def entities(clusters: Clusters) -> Entities:
    found = [frozenset(cluster) for cluster in clusters]
    assert sum(map(len, clusters)) == len(mentions(found)), "brute force knows no duplicates"
    return found


def mentions(side: Entities) -> frozenset[Mention]:
    return frozenset().union(*side)


def entity_of(mention: Mention, side: Entities) -> Entity:
    """Return the entity that contains the mention; empty if the mention is twinless."""
    return next((entity for entity in side if mention in entity), frozenset())


def without(side: Entities, discarded: Collection[Mention]) -> Entities:
    """Return the entities without some mentions; drop entities that become empty."""
    return [kept for entity in side if (kept := entity - frozenset(discarded))]


def with_singletons(side: Entities, added: Collection[Mention]) -> Entities:
    return side + [frozenset([mention]) for mention in added]


def coreference_links(side: Entities) -> set[Link]:
    return {frozenset(pair) for entity in side for pair in combinations(entity, 2)}


def noncoreference_links(side: Entities) -> set[Link]:
    return {frozenset((m, n)) for one, other in combinations(side, 2) for m in one for n in other}


# Metrics


def mention_side(side: Entities, other: Entities) -> tuple[int, int]:
    return len(mentions(side) & mentions(other)), len(mentions(side))


def partition(entity: Entity, other: Entities) -> set[Entity]:
    """Return p(K_i) of Pradhan et al. 2014, section 4.1: K_i divided by the other side's entities.

    A mention that the other side lacks is a part of its own.
    """
    parts = {entity & cutter for cutter in other if entity & cutter}
    return parts | {frozenset([mention]) for mention in entity - mentions(other)}


def muc_side(side: Entities, other: Entities) -> tuple[int, int]:
    """Vilain et al. 1995."""
    found = sum(len(entity) - len(partition(entity, other)) for entity in side)
    return found, sum(len(entity) - 1 for entity in side)


def b3_side(side: Entities, other: Entities) -> tuple[Fraction, int]:
    """Bagga & Baldwin 1998: one credit per mention."""
    credit = ZERO
    for entity in side:
        for mention in entity:
            credit += Fraction(len(entity & entity_of(mention, other)), len(entity))
    return credit, len(mentions(side))


Similarity = Callable[[Entity, Entity], Fraction | int]


def phi1(k: Entity, r: Entity) -> int:
    return 1 if k == r else 0


def phi2(k: Entity, r: Entity) -> int:
    return 1 if k & r else 0


def phi3(k: Entity, r: Entity) -> int:
    return len(k & r)


def phi4(k: Entity, r: Entity) -> Fraction:
    return Fraction(2 * len(k & r), len(k) + len(r))


def best_alignment(key: Entities, response: Entities, phi: Similarity) -> Fraction:
    """Return the greatest total similarity over all one-to-one maps between subsets (Luo 2005).

    The first key entity stays unaligned or is aligned with any response entity, and so on
    recursively. Aligning entities of similarity 0 is the same as not aligning them.
    """
    if not key:
        return ZERO
    first, rest = key[0], key[1:]
    best = best_alignment(rest, response, phi)
    for j, candidate in enumerate(response):
        if similarity := phi(first, candidate):
            remaining = response[:j] + response[j + 1 :]
            best = max(best, similarity + best_alignment(rest, remaining, phi))
    return Fraction(best)


def ceaf(phi: Similarity) -> Callable[[Entities, Entities], Counts]:
    """CEAF (Luo 2005): each side is normalised by its similarity to itself."""

    def counts(key: Entities, response: Entities) -> Counts:
        similarity = best_alignment(key, response, phi)
        key_self = sum(phi(entity, entity) for entity in key)
        response_self = sum(phi(entity, entity) for entity in response)
        return similarity, Fraction(key_self), similarity, Fraction(response_self)

    return counts


def coreference_side(side: Entities, other: Entities) -> tuple[int, int]:
    """Luo et al. 2014, equation 16."""
    links = coreference_links(side)
    return len(links & coreference_links(other)), len(links)


def noncoreference_side(side: Entities, other: Entities) -> tuple[int, int]:
    """Luo et al. 2014, equation 17."""
    links = noncoreference_links(side)
    return len(links & noncoreference_links(other)), len(links)


def gold_coreference_side(side: Entities, other: Entities) -> tuple[int, int]:
    """Luo et al. 2014, equations 2 and 3."""
    links = coreference_links(side)
    right = len(links & coreference_links(other))
    return right, right + len(links & noncoreference_links(other))


def gold_noncoreference_side(side: Entities, other: Entities) -> tuple[int, int]:
    """Luo et al. 2014, equations 5 and 6."""
    links = noncoreference_links(side)
    right = len(links & noncoreference_links(other))
    return right, len(links & coreference_links(other)) + right


def blanc_luo2014(coref: Counts, noncoref: Counts, same_mentions: bool) -> Counts:
    """Luo et al. 2014, equation 19 and the boundary cases of section 4.1."""
    no_coref = coref[1] == coref[3] == 0
    no_noncoref = noncoref[1] == noncoref[3] == 0
    if no_coref and no_noncoref:
        return (ONE,) * 3 if same_mentions else (ZERO,) * 3
    if no_coref:
        return scores(noncoref)
    if no_noncoref:
        return scores(coref)
    return tuple((c + n) / 2 for c, n in zip(scores(coref), scores(noncoref), strict=True))


def blanc_conll(coref: Counts, noncoref: Counts) -> Counts:
    """The reference scorer v8.01, whose boundary cases depend only on the key."""
    if coref[1] == 0 and noncoref[1] == 0:
        return (ZERO,) * 3
    if coref[1] == 0:
        return scores(noncoref)
    if noncoref[1] == 0:
        return scores(coref)
    return tuple((c + n) / 2 for c, n in zip(scores(coref), scores(noncoref), strict=True))


def lea_links(entity: Entity) -> set[Link]:
    """Return the links of an entity; a singleton has one, to itself."""
    return coreference_links([entity]) if len(entity) > 1 else {entity}


def lea_side(side: Entities, other: Entities) -> tuple[Fraction, int]:
    """Moosavi & Strube 2016: importance (size) times resolution (links found / links)."""
    found = set().union(*map(lea_links, other))
    resolved = ZERO
    for entity in side:
        links = lea_links(entity)
        resolved += len(entity) * Fraction(len(links & found), len(links))
    return resolved, sum(map(len, side))


def pair_agreement(key: Entities, response: Entities) -> Counts:
    """Count pairs of shared mentions: coreferent on both sides, in the key, in the response; all.

    Rand 1971 and Hubert & Arabie 1985 compare partitions of one set: here, the shared mentions.
    """
    both = in_key = in_response = pairs = 0
    for m, n in combinations(mentions(key) & mentions(response), 2):
        together_in_key = entity_of(m, key) == entity_of(n, key)
        together_in_response = entity_of(m, response) == entity_of(n, response)
        both += together_in_key and together_in_response
        in_key += together_in_key
        in_response += together_in_response
        pairs += 1
    return Fraction(both), Fraction(in_key), Fraction(in_response), Fraction(pairs)


def rand(both: Fraction, in_key: Fraction, in_response: Fraction, pairs: Fraction) -> Fraction:
    neither = pairs - in_key - in_response + both
    return ratio(both + neither, pairs)


def adjusted_rand(
    both: Fraction, in_key: Fraction, in_response: Fraction, pairs: Fraction
) -> Fraction:
    if pairs and both == in_key == in_response:
        return ONE  # both sides agree on every pair, whatever the expected value
    expected = ratio(in_key * in_response, pairs)
    return ratio(both - expected, (in_key + in_response) / 2 - expected)


# Variants: build the manipulated key and response, then apply the plain metric


def b3_0(key: Entities, response: Entities) -> Counts:
    """Stoyanov et al. 2009: no twinless response mentions."""
    response = without(response, mentions(response) - mentions(key))
    return b3(key, response)


def b3_all(key: Entities, response: Entities) -> Counts:
    """Stoyanov et al. 2009: a twinless mention stands alone on the other side."""
    missing, spurious = mentions(key) - mentions(response), mentions(response) - mentions(key)
    recall = b3(key, with_singletons(response, missing))[:2]
    precision = b3(with_singletons(key, spurious), response)[2:]
    return recall + precision


def without_twinless_singletons(key: Entities, response: Entities) -> Entities:
    return [entity for entity in response if len(entity) > 1 or entity <= mentions(key)]


def rahman_ng(
    metric: Callable[[Entities, Entities], Counts],
) -> Callable[[Entities, Entities], Counts]:
    """Rahman & Ng 2009: no twinless response singletons, and then the plain metric."""

    def counts(key: Entities, response: Entities) -> Counts:
        return metric(key, without_twinless_singletons(key, response))

    return counts


def system(
    metric: Callable[[Entities, Entities], Counts],
) -> Callable[[Entities, Entities], Counts]:
    """Cai & Strube 2010: one manipulated pair for recall, another for precision."""

    def counts(key: Entities, response: Entities) -> Counts:
        response = without_twinless_singletons(key, response)
        spurious = mentions(response) - mentions(key)
        response = with_singletons(response, mentions(key) - mentions(response))
        recall = metric(key, without(response, spurious))[:2]
        precision = metric(with_singletons(key, spurious), response)[2:]
        return recall + precision

    return counts


b3 = both_sides(b3_side)
ceafm = ceaf(phi3)
ceafe = ceaf(phi4)

COUNTS: dict[str, Callable[[Entities, Entities], Counts]] = {
    "mention": both_sides(mention_side),
    "muc": both_sides(muc_side),
    "b3": b3,
    "ceaf1": ceaf(phi1),
    "ceaf2": ceaf(phi2),
    "ceafm": ceafm,
    "ceafe": ceafe,
    "blanc.coref": both_sides(coreference_side),
    "blanc.noncoref": both_sides(noncoreference_side),
    "blanc-gold.coref": both_sides(gold_coreference_side),
    "blanc-gold.noncoref": both_sides(gold_noncoreference_side),
    "lea": both_sides(lea_side),
    "pairwise": both_sides(coreference_side),
    "b3_0": b3_0,
    "b3_all": b3_all,
    "b3_rn": rahman_ng(b3_all),
    "ceafm_rn": rahman_ng(ceafm),
    "ceafe_rn": rahman_ng(ceafe),
    "b3_sys": system(b3),
    "ceaf_sys": system(ceafm),
    "mor": both_sides(mention_side),  # for mentions that are not spans of a text
    "zero": lambda key, response: (0, 0, 0, 0),
    **{
        name: lambda key, response: (0, 0, 0, 0)
        for name in (
            "nonreferring",
            *(f"split_{m}" for m in ("muc", "b3", "ceafm", "ceafe", "lea")),
        )
    },
}
