"""The metrics: each is two pure functions.

`measure` computes a few numbers per document from the contingency table; these are summed over
documents. `rates` computes recall, precision and F1 from the sums, or from arrays of sums, as
resampling requires. With n = |K_i ∩ R_j| for the non-zero cells, and k and r the entity sizes:

| metric            | recall                                 | precision                    |
|-------------------|----------------------------------------|------------------------------|
| mention detection | Σn / Σk                                | Σn / Σr                      |
| MUC               | Σ(n−1) / Σ(k−1)                        | Σ(n−1) / Σ(r−1)              |
| B³                | Σ n²/k / Σk                            | Σ n²/r / Σr                  |
| CEAF              | best assignment of φ / Σ φ(K,K)        | the same / Σ φ(R,R)          |
| BLANC             | mean of coreference and non-coreference link scores                   |
| LEA               | Σ k·C(n,2)/C(k,2) / Σk                 | Σ r·C(n,2)/C(r,2) / Σr       |

Ratios 0/0 are 0, except in LEA for singletons, in BLANC and in the adjusted Rand index, which have
rules of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, reduce
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sameas.arithmetic.arrays import Ints, Numbers
from sameas.arithmetic.assignment import assign
from sameas.arithmetic.quotients import sum_places, sum_quotients
from sameas.arithmetic.scores import Rates, choose, harmonic, ratio
from sameas.matching.approximate import overlap_columns, zero_columns
from sameas.metrics.anaphora import SPLIT, non_referring_columns, split_columns

if TYPE_CHECKING:
    from sameas.matching.sides import Side
    from sameas.metrics.contingency import Contingency, Table

__all__ = ["DEFAULT", "STANDARD", "Blanc", "Metric"]

Columns = tuple[Numbers, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Metric:
    """A metric: its name, its paper, and its two pure functions.

    >>> STANDARD["muc"].paper
    'Vilain et al. 1995'
    """

    name: str
    title: str
    paper: str
    # takes a Table (for CEAF, a Contingency); averages and metrics of spans measure nothing in it
    measure: Callable[[Any], Columns] = lambda table: ()
    rates: Callable[..., Rates] = Rates.of  # takes sums of the measured numbers
    average_of: tuple[str, ...] = ()  # for an average of other metrics, their names
    # for a metric that needs spans, not only the table: takes key, response, number of documents
    places: Callable[[Side, Side, int], Columns] | None = None


def pairs(n: Ints) -> Ints:
    """Return C(n, 2), the number of links among n mentions."""
    return n * (n - 1) // 2


def mention(table: Table) -> Columns:
    """Measure mention detection: recall Σn/Σk, precision Σn/Σr, regardless of entities.

    A mention counts if the other side has it too.
    """
    shared = table.by_cell(table.n)
    return mention_columns(table, shared, shared)


def mention_columns(table: Table, recall: Numbers, precision: Numbers) -> Columns:
    """Return the columns of a metric that counts mentions, given its numerators."""
    return recall, table.by_key(table.k), precision, table.by_response(table.r)


def muc(table: Table) -> Columns:
    """Measure MUC (Vilain et al. 1995): the links that join each entity, less the missing ones.

    Σ(|K_i| − |p(K_i)|) / Σ(|K_i| − 1), where p(K_i) are the parts into which the response divides
    K_i; a mention that the response lacks is a part of its own. The numerator is Σ(n−1) on both
    sides.
    """
    links = table.by_cell(table.n - 1)
    return links, table.by_key(table.k - 1), links, table.by_response(table.r - 1)


def b3(table: Table) -> Columns:
    """Measure B³ (Bagga & Baldwin 1998): the recall and precision of single mentions, averaged.

    Recall Σ n²/k / Σk, precision Σ n²/r / Σr, as in Pradhan et al. 2014, section 4.2.
    """
    square = table.n * table.n
    recall, precision = table.by_cell(square, table.cell_k), table.by_cell(square, table.cell_r)
    return mention_columns(table, recall, precision)


def best_assignment(
    table: Table, row: Ints, column: Ints, document: Ints, similarity: Ints
) -> Ints:
    """Return the total similarity of the best one-to-one assignment in each document."""
    cells = assign(row, column, similarity)
    return sum_places(similarity[cells], document[cells], len(table.documents))


def _best(table: Contingency, similarity: Ints) -> Ints:
    return best_assignment(table, table.i, table.j, table.cell_document, similarity)


def entity_columns(table: Table, similarity: Numbers) -> Columns:
    """Return the columns of a CEAF that counts entities, given the best total similarities."""
    keys, responses = table.by_key(np.ones_like(table.k)), table.by_response(np.ones_like(table.r))
    return similarity, keys, similarity, responses


def ceaf1(table: Table) -> Columns:
    """Measure CEAF with φ1 (Luo 2005): 1 for a response entity equal to its key entity."""
    equal = (table.n == table.cell_k) & (table.n == table.cell_r)
    return entity_columns(table, table.by_cell(equal.astype(np.int64)))


def ceaf2(table: Contingency) -> Columns:
    """Measure CEAF with φ2 (Luo 2005): 1 for aligned entities that share a mention."""
    return entity_columns(table, _best(table, np.ones_like(table.n)))


def ceafm(table: Contingency) -> Columns:
    """Measure CEAFm (Luo 2005), with φ3: the mentions that aligned entities share."""
    best = _best(table, table.n)
    return mention_columns(table, best, best)


def ceafe(table: Contingency) -> Columns:
    """Measure CEAFe (Luo 2005), with φ4 = 2n/(k+r), the F1 of two aligned entities."""
    twice, both = 2 * table.n, table.cell_k + table.cell_r
    cells = assign(table.i, table.j, twice / both)
    place, count = table.cell_document[cells], len(table.documents)
    return entity_columns(table, sum_quotients(place, twice[cells], both[cells], count))


def lea(table: Table) -> Columns:
    """Measure LEA (Moosavi & Strube 2016): the resolved links of each entity, weighted by size.

    Recall Σ k·C(n,2)/C(k,2) / Σk. A singleton has one link, to itself, which is resolved if the
    other side has the same singleton.
    """
    k, r = table.cell_k, table.cell_r
    # k·C(n,2)/C(k,2) is n(n−1)/(k−1)
    links = np.where((k == 1) & (r == 1), 1, table.n * (table.n - 1))
    recall = table.by_cell(links, np.maximum(k - 1, 1))
    precision = table.by_cell(links, np.maximum(r - 1, 1))
    return mention_columns(table, recall, precision)


class Links(NamedTuple):
    """The link and mention counts behind BLANC, pairwise scores and the Rand indices."""

    both: Any  # coreference links on both sides, in the key, in the response
    key: Any
    response: Any
    non_both: Any  # non-coreference links on both sides, in the key, in the response
    non_key: Any
    non_response: Any
    key_shared: Any  # links between mentions that both sides have: coreferent in the key,
    response_shared: Any  # coreferent in the response,
    every: Any  # and all of them
    shared: Any  # mentions on both sides, in the key, in the response
    of_key: Any
    of_response: Any


def links(table: Table) -> Links:
    """Count links without listing them: there are C(n,2) among n mentions."""
    mentions = table.by_cell(table.n), table.by_key(table.k), table.by_response(table.r)
    every, every_key, every_response = map(pairs, mentions)
    both = table.by_cell(pairs(table.n))
    key, response = table.by_key(pairs(table.k)), table.by_response(pairs(table.r))
    key_shared = table.by_key(pairs(table.k_shared))
    response_shared = table.by_response(pairs(table.r_shared))
    non_both = every - key_shared - response_shared + both
    apart = non_both, every_key - key, every_response - response
    return Links(both, key, response, *apart, key_shared, response_shared, every, *mentions)


@dataclass(frozen=True, eq=False, repr=False)
class Blanc:
    """BLANC: the mean of coreference and non-coreference link scores, in one of its versions.

    The defaults are those of Luo et al. 2014, equations 16–19: a link class counts unless both
    sides lack it; with no links at all the score is 1 if the mentions are the same, else 0
    (section 4.1). The fields select other versions.

    >>> score = Blanc().rates(1, 3, 2, 2, 3, 4, 1, 1, 3, 3, 4, 4).score
    >>> score.coref.value, score.noncoref.value, score.value == (2 / 5 + 4 / 7) / 2
    (0.4, 0.5714285714285714, True)
    """

    shared_only: bool = False  # only links between mentions that both sides have
    key_only: bool = False  # a link class counts unless the key lacks it
    f1_of_rates: bool = False  # F1 from recall and precision, which may change the last digit
    same_without_links: float = 1.0  # the score of equal mentions without any link

    def rates(self, *numbers: Any) -> Rates:
        """Score the link counts."""
        counts = Links(*numbers)
        if self.shared_only:
            counts = counts._replace(
                key=counts.key_shared,
                response=counts.response_shared,
                non_key=counts.every - counts.key_shared,
                non_response=counts.every - counts.response_shared,
            )
        coref = Rates.of(counts.both, counts.key, counts.both, counts.response)
        noncoref = Rates.of(counts.non_both, counts.non_key, counts.non_both, counts.non_response)
        if self.f1_of_rates:
            coref, noncoref = (
                part._replace(value=harmonic(part.recall, part.precision))
                for part in (coref, noncoref)
            )
        has_coref, has_noncoref = counts.key > 0, counts.non_key > 0
        if not self.key_only:
            has_coref = has_coref | (counts.response > 0)
            has_noncoref = has_noncoref | (counts.non_response > 0)
        same = (counts.shared == counts.of_key) & (counts.shared == counts.of_response)
        classes = 1 * has_coref + has_noncoref

        def mean(one: Any, other: Any) -> Any:
            total = choose(has_coref, one, 0.0) + choose(has_noncoref, other, 0.0)
            return choose(classes > 0, ratio(total, classes), same * self.same_without_links)

        recall, precision, value = map(mean, coref[:3], noncoref[:3])
        return Rates(recall, precision, value, (recall, 1, precision, 1), coref, noncoref)


def pairwise(*numbers: Any) -> Rates:
    """Return pairwise recall and precision: the coreference half of BLANC."""
    counts = Links(*numbers)
    return Rates.of(counts.both, counts.key, counts.both, counts.response)


def rand(*numbers: Any) -> Rates:
    """Return the Rand index (Rand 1971): the share of links on which both sides agree.

    Only links between shared mentions count, and their number is the denominator; equation 1 of
    Luo et al. 2014 prints a different one.
    """
    counts = Links(*numbers)
    agree = counts.both + counts.non_both
    return Rates(None, None, ratio(agree, counts.every), (agree, counts.every))


def adjusted_rand(*numbers: Any) -> Rates:
    """Return the adjusted Rand index (Hubert & Arabie 1985) of the links between shared mentions.

    (C − E)/(M − E), where C is the number of links coreferent on both sides, E = K·R/T its expected
    value by chance, and M = (K+R)/2. K links are coreferent in the key and R in the response, out
    of T in all. Identical partitions score 1.
    """
    counts = Links(*numbers)
    both, key, response = counts.both, counts.key_shared, counts.response_shared
    expected = ratio(key * response, counts.every)
    agree = (counts.every > 0) & (both == key) & (both == response)
    value = ratio(both - expected, (key + response) / 2 - expected)
    return Rates(None, None, choose(agree, 1.0, value), (both, key, response, counts.every))


def mean(*f1: Any) -> Rates:
    """Return the CoNLL average: the mean F1 of MUC, B³ and CEAFe (Pradhan et al. 2011)."""
    # Not `sum`: since Python 3.12 it rounds sums of floats once, but sums of arrays at every step.
    return Rates(None, None, reduce(add, f1) / len(f1))


_TITLED = (
    Metric("mention", "Mentions", "Pradhan et al. 2014", mention),
    Metric("muc", "MUC", "Vilain et al. 1995", muc),
    Metric("b3", "B³", "Bagga & Baldwin 1998", b3),
    Metric("ceafm", "CEAFm", "Luo 2005", ceafm),
    Metric("ceafe", "CEAFe", "Luo 2005", ceafe),
    Metric("blanc", "BLANC", "Luo et al. 2014", links, Blanc().rates),
    Metric("lea", "LEA", "Moosavi & Strube 2016", lea),
    Metric("conll", "CoNLL", "Pradhan et al. 2011", rates=mean, average_of=("muc", "b3", "ceafe")),
    Metric("ceaf1", "CEAF φ1", "Luo 2005", ceaf1),
    Metric("ceaf2", "CEAF φ2", "Luo 2005", ceaf2),
    Metric("pairwise", "Pairwise", "Luo et al. 2014", links, pairwise),
    Metric("rand", "Rand", "Rand 1971", links, rand),
    Metric("ari", "Adj. Rand", "Hubert & Arabie 1985", links, adjusted_rand),
    Metric("mor", "MOR", "Žabokrtský et al. 2022", places=overlap_columns),
    Metric("zero", "Zeros", "Žabokrtský et al. 2022", places=zero_columns),
    Metric("nonreferring", "Non-ref.", "Yu et al. 2022", places=non_referring_columns),
)
_SPLIT = tuple(
    Metric(
        f"split_{one.name}",
        f"Split {one.title}",
        "Paun et al. 2022",
        places=partial(split_columns, one.name),
    )
    for one in _TITLED
    if one.name in SPLIT
)
STANDARD: dict[str, Metric] = {metric.name: metric for metric in (*_TITLED, *_SPLIT)}
DEFAULT = ("mention", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")
