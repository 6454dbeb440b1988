"""The papers: what is done unless another authority is followed.

An authority that does something differently is a subclass, and overrides that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from sameas.matching.matching import Matching, count_once, match, match_others
from sameas.matching.pairing import Pairing
from sameas.matching.sides import Side
from sameas.metrics.contingency import Table
from sameas.metrics.standard import Blanc, Metric
from sameas.metrics.statistics import METRICS, Statistics, measure
from sameas.notes import Side as Role
from sameas.settings import Settings

__all__ = ["AUTHORITY", "BLANC", "Authority"]

#: The versions of BLANC of Luo et al. 2014 and, as they tell it, of Recasens & Hovy 2011.
BLANC = {"luo2014": Blanc(), "gold": Blanc(shared_only=True)}


class Authority:
    """How mentions are matched and measured, and how that is scored: as the papers do."""

    #: Whether files are read and documents paired as the reference scorer does it: of documents of
    #: one name the last counts, a response may share none with the key, and only documents that are
    #: scored are refused for what is wrong in them.
    reads_as_reference: ClassVar[bool] = False
    #: Whether classes of mentions can be scored by themselves.
    has_classes: ClassVar[bool] = True

    def __init__(self, blanc: Blanc) -> None:
        self.blanc = blanc

    def match(self, pairing: Pairing, settings: Settings) -> Matching:
        """Match the mentions of paired documents."""
        return match(pairing, settings, self)

    def unrepeated(self, side: Side, raw: Sequence[Side], role: Role, settings: Settings) -> Side:
        """Apply the policy for mentions that come several times; `raw` are both sides as read."""
        return count_once(side, role, settings.duplicates)

    def matched(self, exact: Matching, settings: Settings) -> Matching:
        """Match mentions that have no exact twin."""
        return match_others(exact, settings.match, settings.zeros)

    def measure(
        self, table: Table, metrics: Sequence[str], matching: Matching | None = None
    ) -> Statistics:
        """Measure the metrics, one row a document; those that look at places need the matching."""
        return measure(table, metrics, matching)

    def scoring(self, metric: str) -> Metric | Blanc:
        """Return that whose `rates` score what was measured."""
        return self.blanc if metric == "blanc" else METRICS[metric]

    def sees_whole_corpus(self, matching: Matching) -> bool:
        """Whether the documents cannot be scored in pieces, because of others in the corpus."""
        return False

    def is_one_to_one(self, matching: Matching) -> bool:
        """Whether every mention counts once, and matches one other at most."""
        return True


AUTHORITY = Authority
