"""The counts of the CorefUD scorer 1.2, where they are not those of a one-to-one matching.

That scorer keeps a mention that stands in two entities in both, and looks it up in the later one;
and it keeps the pairs of mentions that are not at the same place in one dictionary for both sides,
so that a key zero and a response zero at one place are taken for each other. Then recall, precision
and CEAF see different tables. Here are the three of them, for `compat corefud-1.2`; without
repeated mentions and moved zeros they are one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sameas.arithmetic.arrays import Ints
from sameas.authorities.lookup import Lookup, look_up
from sameas.authorities.paper import Authority
from sameas.matching.approximate import overlap_columns, pairs_inside, zero_columns
from sameas.matching.matching import Matching, check_annotation, count_repeated
from sameas.matching.sides import Side
from sameas.metrics.contingency import Table, table_of_pairs
from sameas.metrics.standard import STANDARD, Blanc, Columns
from sameas.metrics.statistics import Statistics, measured
from sameas.notes import Side as Role
from sameas.settings import Settings

__all__ = ["AUTHORITY", "BLANC", "CorefudScorer"]

BLANC = {"corefud-1.2": Blanc(same_without_links=0.0)}
#: The metrics that it counts, and those that follow from the same tables.
_COUNTED = frozenset(
    {"muc", "b3", "ceafm", "ceafe", "ceaf1", "ceaf2", "blanc", "lea", "mor", "zero"}
    | {"pairwise", "rand", "ari"}
)


class CorefudScorer(Authority):
    """The CorefUD scorer 1.2 of the CRAC shared tasks (Žabokrtský et al. 2022)."""

    def unrepeated(self, side: Side, raw: Sequence[Side], role: Role, settings: Settings) -> Side:
        """Keep each mention once in an entity."""
        width = int(side.mention.max(initial=0)) + 1
        return side.first_of_each(side.entity * width + side.mention)

    def matched(self, exact: Matching, settings: Settings) -> Matching:
        """Match one to one, and keep how the scorer looks mentions up if that differs."""
        sides, count = (exact.key, exact.response), exact.mention_count
        notes = [*exact.notes, *check_annotation(settings.match, sides)]
        key, response, lookup = look_up(*sides, settings.match, settings.zeros, count)
        return Matching(exact.names, key, response, 2 * count, notes, lookup)

    def measure(
        self, table: Table, metrics: Sequence[str], matching: Matching | None = None
    ) -> Statistics:
        """Count as the scorer does what it counts."""
        if matching is None or not isinstance(matching.kept, Lookup):
            return super().measure(table, metrics, matching)
        names = measured(metrics)
        others = super().measure(table, [one for one in names if one not in _COUNTED], matching)
        counted = {name: _columns(table, matching.kept, name) for name in _COUNTED & set(names)}
        columns = {**others.columns, **counted}
        return replace(others, columns={name: columns[name] for name in names})

    def sees_whole_corpus(self, matching: Matching) -> bool:
        """Whether mentions are in two entities: it looks at their ids in the whole corpus."""
        return matching.kept is not None and any(map(count_repeated, matching.kept.sides))

    def is_one_to_one(self, matching: Matching) -> bool:
        """Whether the scorer finds the same mentions in both directions."""
        return matching.kept is None


AUTHORITY = CorefudScorer


def _columns(table: Table, lookup: Lookup, name: str) -> Columns:
    """A metric's columns: recall from the key's mentions, precision from the response's."""
    if name == "mor":
        return overlap_columns(lookup.key, lookup.response, len(table.documents))
    if name == "zero":
        return zero_columns(lookup.key, lookup.response, len(table.documents), lookup.aligned)

    def measured_of(i: Ints, j: Ints) -> Columns:
        pairs = table_of_pairs(table.documents, lookup.key, lookup.response, i, j)
        return STANDARD[name].measure(pairs)

    if name in ("ceafm", "ceafe", "ceaf1", "ceaf2"):
        return measured_of(*_members(lookup))
    found = lookup.in_response[lookup.aligned[lookup.key.mention]]
    recall = measured_of(lookup.key.entity, found)
    if len(recall) != 4:  # BLANC and its kin count links once
        return recall
    found = lookup.in_key[lookup.aligned[lookup.response.mention]]
    precision = measured_of(found, lookup.response.entity)
    return (*recall[:2], *precision[2:])


def _members(lookup: Lookup) -> tuple[Ints, Ints]:
    """Every pair of a key entity and a response entity that has one of its mentions."""
    wanted = lookup.aligned[lookup.key.mention]
    k, r = pairs_inside(wanted, wanted, lookup.response.mention)
    return lookup.key.entity[k], lookup.response.entity[r]
