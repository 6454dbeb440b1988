"""The papers: the default authority.

Authorities that do something differently are subclasses that override it.
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

#: BLANC of Luo et al. 2014, and of Recasens & Hovy 2011 as described by Luo et al.
BLANC = {"luo2014": Blanc(), "gold": Blanc(shared_only=True)}


class Authority:
    """How mentions are matched, measured and scored: here, as in the papers."""

    #: Whether files are read and documents paired as by the reference scorer: the last of several
    #: documents with the same name counts, a response may have none of the key's documents, and
    #: errors prevent scoring only if they are in documents that are scored.
    reads_as_reference: ClassVar[bool] = False
    #: Whether classes of mentions can be scored separately.
    has_classes: ClassVar[bool] = True

    def __init__(self, blanc: Blanc) -> None:
        self.blanc = blanc

    def match(self, pairing: Pairing, settings: Settings) -> Matching:
        """Match the mentions of paired documents."""
        return match(pairing, settings, self)

    def unrepeated(self, side: Side, raw: Sequence[Side], role: Role, settings: Settings) -> Side:
        """Apply the policy for repeated mentions; `raw` are both sides as read."""
        return count_once(side, role, settings.duplicates)

    def matched(self, exact: Matching, settings: Settings) -> Matching:
        """Match mentions that have no exact match."""
        return match_others(exact, settings.match, settings.zeros)

    def measure(
        self, table: Table, metrics: Sequence[str], matching: Matching | None = None
    ) -> Statistics:
        """Measure the metrics, one row per document; those that need spans require the matching."""
        return measure(table, metrics, matching)

    def scoring(self, metric: str) -> Metric | Blanc:
        """Return the object with the `rates` function of a metric."""
        return self.blanc if metric == "blanc" else METRICS[metric]

    def sees_whole_corpus(self, matching: Matching) -> bool:
        """Return whether a document's score depends on other documents of the corpus."""
        return False

    def is_one_to_one(self, matching: Matching) -> bool:
        """Return whether every mention counts once, and matches at most one other."""
        return True


AUTHORITY = Authority
