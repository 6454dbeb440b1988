"""The two kinds of error that names show: those that are missing, and those in the wrong group."""

from __future__ import annotations

from typing import NamedTuple

from sameas.arithmetic.assignment import assign
from sameas.errors import UsageError, require
from sameas.metrics.contingency import contingency
from sameas.results.result import Result
from sameas.settings import ConeSettings

__all__ = ["NameErrors", "name_errors"]


class NameErrors(NamedTuple):
    """How many names the key has, and how many of them the response misses or groups wrongly.

    >>> NameErrors(3, 1, 0).missing
    1
    """

    names: int
    missing: int
    misgrouped: int


def name_errors(result: Result) -> NameErrors:
    """Count the errors in a result of `cone` (Lin et al. 2010, section 4.1, names no formula).

    Missing named entity (MNE): "a named mention is missing from the system output": a name of the
    key, in G^NM, that matches no name of the response, in O^NM. Incorrectly grouped named entity
    (IGNE): a name that the response has, but not in the entity that CEAF aligns with the name's own
    entity of the key. So CONE CEAFm recall is 1 − (MNE + IGNE) / names. The paper's example, in
    which capitals are names: O1 misses C, O2 has B in another entity.

    >>> from sameas.without_gold.scoring import cone
    >>> gold, names = [["A", "B", "C", 1, 2, 3, 4]], {"A", "B", "C"}
    >>> name_errors(cone(gold, [["A", "B", 1, 2, 3]], names=names))
    NameErrors(names=3, missing=1, misgrouped=0)
    >>> name_errors(cone(gold, [["A", "C", 1, 2, 4], ["B", 3]], names=names))
    NameErrors(names=3, missing=0, misgrouped=1)
    """
    require(result, Result, "result", "a sameas.Result, as sameas.cone gives it")
    settings = result.settings
    if not isinstance(settings, ConeSettings) or settings.mentions != "named":
        mentions = getattr(settings, "mentions", "")
        raise UsageError("name-errors-of", what=settings.what, mentions=mentions, how=settings.what)
    if not result.matchings:
        raise UsageError("name-errors-part")
    names = found = right = 0
    for matching in result.matchings:
        table = contingency(matching)
        names += int(table.k.sum())
        found += int(table.n.sum())
        right += int(table.n[assign(table.i, table.j, table.n)].sum())
    return NameErrors(names, names - found, found - right)
