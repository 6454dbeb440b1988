"""The metrics: each is a few pure functions.

`measure` turns the contingency table into a few numbers a document; these add up over documents.
`score` turns their sums into recall, precision and F1; `rates` does so for arrays of sums, as
resampling needs it, and gives the same digits. With n = |K_i ∩ R_j| for the non-zero cells,
k and r the sizes of the entities:

| metric            | recall                                 | precision                    |
|-------------------|----------------------------------------|------------------------------|
| mention detection | Σn / Σk                                | Σn / Σr                      |
| MUC               | Σ(n−1) / Σ(k−1)                        | Σ(n−1) / Σ(r−1)              |
| B³                | Σ n²/k / Σk                            | Σ n²/r / Σr                  |
| CEAF              | best assignment of φ / Σ φ(K,K)        | the same / Σ φ(R,R)          |
| BLANC             | mean of coreference and non-coreference link scores                   |
| LEA               | Σ k·C(n,2)/C(k,2) / Σk                 | Σ r·C(n,2)/C(r,2) / Σr       |

Ratios 0/0 are 0 throughout; BLANC alone has boundary cases of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any, NamedTuple

import numpy as np

from sameas.coref.anaphora import non_referring_columns, split_columns
from sameas.coref.approximate import overlap_columns, zero_columns
from sameas.coref.assignment import assign
from sameas.coref.contingency import Contingency, Table
from sameas.coref.document import Ints, Numbers
from sameas.coref.quotients import sum_quotients
from sameas.coref.sides import Side
from sameas.scores import Rates, Score, harmonic, harmonics, ratio, ratios

__all__ = ["DEFAULT", "STANDARD", "Metric", "blanc_rates", "blanc_score"]

Columns = tuple[Numbers, ...]


@dataclass(frozen=True, slots=True)
class Metric:
    """A name, a paper, and pure functions.

    >>> STANDARD["muc"].paper
    'Vilain et al. 1995'
    """

    name: str
    title: str
    paper: str
    measure: Callable[[Any], Columns]  # of a Table; CEAF's of a Contingency, with rows and columns
    score: Callable[..., Score] = Score.of
    rates: Callable[..., Rates] = Rates.of
    average_of: tuple[str, ...] = ()  # for a mean of other metrics: their names
    # for a metric that looks at places, not only at the table: key, response, number of documents
    places: Callable[[Side, Side, int], Columns] | None = None


def pairs(n: Ints) -> Ints:
    """C(n, 2), the links among n mentions."""
    return n * (n - 1) // 2


def mention(table: Table) -> Columns:
    """Mention detection: recall Σn/Σk, precision Σn/Σr, without regard to entities.

    A mention counts if the other side has it too.
    """
    shared = table.by_cell(table.n)
    return shared, table.by_key(table.k), shared, table.by_response(table.r)


def muc(table: Table) -> Columns:
    """MUC (Vilain et al. 1995): links needed to join each entity, less those that are missing.

    Σ(|K_i| − |p(K_i)|) / Σ(|K_i| − 1), where p(K_i) are the parts into which the response cuts K_i;
    a mention the response lacks is a part of its own. The numerator is Σ(n−1) on both sides.
    """
    links = table.by_cell(table.n - 1)
    return links, table.by_key(table.k - 1), links, table.by_response(table.r - 1)


def b3(table: Table) -> Columns:
    """B³ (Bagga & Baldwin 1998): every mention votes with the purity of its entity.

    Recall Σ n²/k / Σk, precision Σ n²/r / Σr, as in Pradhan et al. 2014, section 4.2.
    """
    square = table.n * table.n
    return (
        table.by_cell(square, table.cell_k),
        table.by_key(table.k),
        table.by_cell(square, table.cell_r),
        table.by_response(table.r),
    )


def best_assignment(
    table: Table, row: Ints, column: Ints, document: Ints, similarity: Ints
) -> Ints:
    """The total similarity of the best one-to-one assignment, for each document."""
    cells = assign(row, column, similarity)
    total = np.zeros(len(table.documents), dtype=np.int64)
    np.add.at(total, document[cells], similarity[cells])
    return total


def _best(table: Contingency, similarity: Ints) -> Ints:
    return best_assignment(table, table.i, table.j, table.cell_document, similarity)


def entity_columns(table: Table, similarity: Numbers) -> Columns:
    """CEAF that counts entities, of the best assignments."""
    return (
        similarity,
        table.by_key(np.ones_like(table.k)),
        similarity,
        table.by_response(np.ones_like(table.r)),
    )


def ceaf1(table: Table) -> Columns:
    """CEAF with φ1 (Luo 2005): 1 for a response entity equal to its key entity."""
    equal = (table.n == table.cell_k) & (table.n == table.cell_r)
    return entity_columns(table, table.by_cell(equal.astype(np.int64)))


def ceaf2(table: Contingency) -> Columns:
    """CEAF with φ2 (Luo 2005): 1 for a response entity that shares a mention with its key one."""
    return entity_columns(table, _best(table, np.ones_like(table.n)))


def ceafm(table: Contingency) -> Columns:
    """CEAFm (Luo 2005), with φ3: the mentions that aligned entities share."""
    return ceafm_columns(table, _best(table, table.n))


def ceafm_columns(table: Table, best: Ints) -> Columns:
    """CEAFm of the best assignments."""
    return best, table.by_key(table.k), best, table.by_response(table.r)


def ceafe(table: Contingency) -> Columns:
    """CEAFe (Luo 2005), with φ4 = 2n/(k+r), the F1 of two aligned entities."""
    twice, both = 2 * table.n, table.cell_k + table.cell_r
    cells = assign(table.i, table.j, twice / both)
    document = table.cell_document[cells]
    return entity_columns(
        table, sum_quotients(document, twice[cells], both[cells], len(table.documents))
    )


def lea(table: Table) -> Columns:
    """LEA (Moosavi & Strube 2016): how much of each entity's links is resolved, weighted by size.

    Recall Σ k·C(n,2)/C(k,2) / Σk. An entity of one mention has one link, to itself, and it is
    resolved if the other side has the same singleton.
    """
    k, r = table.cell_k, table.cell_r
    # k·C(n,2)/C(k,2) is n(n−1)/(k−1)
    links = np.where((k == 1) & (r == 1), 1, table.n * (table.n - 1))
    return (
        table.by_cell(links, np.maximum(k - 1, 1)),
        table.by_key(table.k),
        table.by_cell(links, np.maximum(r - 1, 1)),
        table.by_response(table.r),
    )


class Links(NamedTuple):
    """The link counts behind BLANC, pairwise scores and the Rand index, and mention counts."""

    both: Any  # coreference links of both sides, of the key, of the response
    key: Any
    response: Any
    non_both: Any  # non-coreference links likewise
    non_key: Any
    non_response: Any
    key_shared: Any  # among mentions that both sides have: links coreferent in the key,
    response_shared: Any  # in the response,
    every: Any  # and all links
    shared: Any  # mentions of both sides, of the key, of the response
    of_key: Any
    of_response: Any


def links(table: Table) -> Links:
    """Count links without listing them: C(n,2) is how many there are among n mentions."""
    shared = table.by_cell(table.n)
    of_key, of_response = table.by_key(table.k), table.by_response(table.r)
    both = table.by_cell(pairs(table.n))
    key, response = table.by_key(pairs(table.k)), table.by_response(pairs(table.r))
    key_shared = table.by_key(pairs(table.k_shared))
    response_shared = table.by_response(pairs(table.r_shared))
    every = pairs(shared)
    return Links(
        both,
        key,
        response,
        every - key_shared - response_shared + both,
        pairs(of_key) - key,
        pairs(of_response) - response,
        key_shared,
        response_shared,
        every,
        shared,
        of_key,
        of_response,
    )


def _gold_links(counts: Links) -> Links:
    """Only the links between mentions that both sides have."""
    return counts._replace(
        key=counts.key_shared,
        response=counts.response_shared,
        non_key=counts.every - counts.key_shared,
        non_response=counts.every - counts.response_shared,
    )


def blanc_score(version: str) -> Callable[..., Score]:
    """BLANC: the mean of coreference and non-coreference link scores, in one of three versions.

    `luo2014` (Luo et al. 2014, equations 16–19): a link class counts unless both sides lack it;
    with no links at all the score is 1 if the mentions are the same, else 0 (section 4.1).
    `gold` (Recasens & Hovy 2011, as equations 2–8 there): only links between mentions that both
    sides have; the boundary cases are the same. `conll-8.01`: a link class counts unless the key
    lacks it; with no links in the key the score is 0. `corefud-1.2`: as `luo2014`, but 0 with no
    links at all.

    >>> score = blanc_score("luo2014")(1, 3, 2, 2, 3, 4, 1, 1, 3, 3, 4, 4)
    >>> score.coref.value, score.noncoref.value, score.value == (2 / 5 + 4 / 7) / 2
    (0.4, 0.5714285714285714, True)
    """

    def score(*numbers: float) -> Score:
        counts = Links(*numbers)
        if version == "gold":
            counts = _gold_links(counts)
        coref = Score.of(counts.both, counts.key, counts.both, counts.response)
        noncoref = Score.of(counts.non_both, counts.non_key, counts.non_both, counts.non_response)
        reference = version == "conll-8.01"
        if reference:  # it computes F1 this way, which can differ in the last digit
            coref, noncoref = (
                replace(part, value=harmonic(part.recall or 0, part.precision or 0))
                for part in (coref, noncoref)
            )
        classes = []
        if counts.key or (counts.response and not reference):
            classes.append(coref)
        if counts.non_key or (counts.non_response and not reference):
            classes.append(noncoref)
        if classes:
            recall, precision, value = (
                sum(getattr(part, name) for part in classes) / len(classes)
                for name in ("recall", "precision", "value")
            )
        else:
            same = counts.shared == counts.of_key == counts.of_response
            recall = precision = value = float(same and version in ("luo2014", "gold"))
        return Score(value, recall, precision, (recall, 1, precision, 1), coref, noncoref)

    return score


def blanc_rates(version: str) -> Callable[..., Rates]:
    """`blanc_score` for arrays of counts.

    >>> import numpy as np
    >>> blanc_rates("luo2014")(*np.array([[1, 3, 2, 2, 3, 4, 1, 1, 3, 3, 4, 4]]).T).value
    array([0.48571429])
    """

    def rates(*numbers: Numbers) -> Rates:
        counts = _gold_links(Links(*numbers)) if version == "gold" else Links(*numbers)
        coref = Rates.of(counts.both, counts.key, counts.both, counts.response)
        noncoref = Rates.of(counts.non_both, counts.non_key, counts.non_both, counts.non_response)
        reference = version == "conll-8.01"
        has_coref, has_noncoref = counts.key > 0, counts.non_key > 0
        if reference:
            coref, noncoref = (
                Rates(recall, precision, harmonics(recall, precision))
                for recall, precision, _ in (coref, noncoref)
                if recall is not None and precision is not None
            )
            otherwise: Any = 0.0
        else:
            has_coref, has_noncoref = (
                has_coref | (counts.response > 0),
                has_noncoref | (counts.non_response > 0),
            )
            same = (counts.shared == counts.of_key) & (counts.shared == counts.of_response)
            otherwise = same.astype(np.float64) * (version != "corefud-1.2")
        classes = has_coref.astype(np.int64) + has_noncoref

        def mean(one: Any, other: Any) -> Any:
            total = np.where(has_coref, one, 0) + np.where(has_noncoref, other, 0)
            return np.where(classes > 0, total / np.maximum(classes, 1), otherwise)

        return Rates(*(mean(*parts) for parts in zip(coref, noncoref, strict=True)))

    return rates


def pairwise_score(*numbers: float) -> Score:
    """Pairwise recall and precision: the coreference half of BLANC."""
    counts = Links(*numbers)
    return Score.of(counts.both, counts.key, counts.both, counts.response)


def pairwise_rates(*numbers: Numbers) -> Rates:
    """`pairwise_score` for arrays."""
    counts = Links(*numbers)
    return Rates.of(counts.both, counts.key, counts.both, counts.response)


def rand_score(*numbers: float) -> Score:
    """Rand index (Rand 1971): the share of links between shared mentions on which both sides agree.

    The denominator is the number of links; equation 1 of Luo et al. 2014 prints another one.
    """
    counts = Links(*numbers)
    agree = counts.both + counts.non_both
    return Score(ratio(agree, counts.every), counts=(agree, counts.every))


def rand_rates(*numbers: Numbers) -> Rates:
    """`rand_score` for arrays."""
    counts = Links(*numbers)
    return Rates(None, None, ratios(counts.both + counts.non_both, counts.every))


def ari_score(*numbers: float) -> Score:
    """Adjusted Rand index (Hubert & Arabie 1985), on the links between shared mentions.

    (C − E)/(M − E) with C links coreferent on both sides, E = K·R/T what chance gives and
    M = (K+R)/2; partitions that agree everywhere score 1.
    """
    counts = Links(*numbers)
    both, key, response, every = (
        counts.both,
        counts.key_shared,
        counts.response_shared,
        counts.every,
    )
    expected = ratio(key * response, every)
    agree = every > 0 and both == key == response
    value = 1.0 if agree else ratio(both - expected, (key + response) / 2 - expected)
    return Score(value, counts=(both, key, response, every))


def ari_rates(*numbers: Numbers) -> Rates:
    """`ari_score` for arrays."""
    counts = Links(*numbers)
    both, key, response = counts.both, counts.key_shared, counts.response_shared
    expected = ratios(key * response, counts.every)
    agree = (counts.every > 0) & (both == key) & (both == response)
    value = ratios(both - expected, (key + response) / 2 - expected)
    return Rates(None, None, np.where(agree, 1.0, value))


def conll_score(*f1: float) -> Score:
    """The CoNLL average: the mean F1 of MUC, B³ and CEAFe (Pradhan et al. 2011)."""
    return Score(_added(f1) / len(f1))


def conll_rates(*f1: Numbers) -> Rates:
    """`conll_score` for arrays."""
    return Rates(None, None, _added(f1) / len(f1))


def _added(numbers: Iterable[Any]) -> Any:
    """The sum, rounded at every step: since Python 3.12 `sum` rounds floats once, arrays not."""
    return reduce(add, numbers)


def no_measure(table: Table) -> Columns:
    """A mean of other metrics, and a metric of places, measure nothing in the table."""
    return ()


STANDARD: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("mention", "Mentions", "Pradhan et al. 2014", mention),
        Metric("muc", "MUC", "Vilain et al. 1995", muc),
        Metric("b3", "B³", "Bagga & Baldwin 1998", b3),
        Metric("ceafm", "CEAFm", "Luo 2005", ceafm),
        Metric("ceafe", "CEAFe", "Luo 2005", ceafe),
        Metric(
            "blanc",
            "BLANC",
            "Luo et al. 2014",
            links,
            blanc_score("luo2014"),
            blanc_rates("luo2014"),
        ),
        Metric("lea", "LEA", "Moosavi & Strube 2016", lea),
        Metric(
            "conll",
            "CoNLL",
            "Pradhan et al. 2011",
            no_measure,
            conll_score,
            conll_rates,
            ("muc", "b3", "ceafe"),
        ),
        Metric("ceaf1", "CEAF φ1", "Luo 2005", ceaf1),
        Metric("ceaf2", "CEAF φ2", "Luo 2005", ceaf2),
        Metric("pairwise", "Pairwise", "Luo et al. 2014", links, pairwise_score, pairwise_rates),
        Metric("rand", "Rand", "Rand 1971", links, rand_score, rand_rates),
        Metric("ari", "Adj. Rand", "Hubert & Arabie 1985", links, ari_score, ari_rates),
        Metric("mor", "MOR", "Žabokrtský et al. 2022", no_measure, places=overlap_columns),
        Metric("zero", "Zeros", "Žabokrtský et al. 2022", no_measure, places=zero_columns),
        Metric(
            "nonreferring", "Non-ref.", "Yu et al. 2022", no_measure, places=non_referring_columns
        ),
        *(
            Metric(
                f"split_{name}",
                f"Split {title}",
                "Paun et al. 2022",
                no_measure,
                places=split_columns(name),
            )
            for name, title in (
                ("muc", "MUC"),
                ("b3", "B³"),
                ("ceafm", "CEAFm"),
                ("ceafe", "CEAFe"),
                ("lea", "LEA"),
            )
        ),
    )
}
DEFAULT = ("mention", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")
