"""Variants of B³ and CEAF that change key or response before scoring, to compare with old papers.

Pradhan et al. 2014, section 2, argue against them: with key {abc}, B³₀ gives {abd} perfect
precision, and B³all scores {abd}{c} higher than {abd}. A mention is twinless if the other side
lacks it. These variants are scored only on request.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sameas.arithmetic.arrays import Ints
from sameas.metrics.standard import Columns, Metric, b3, best_assignment, ceafe, ceafm

if TYPE_CHECKING:
    from sameas.metrics.contingency import Contingency, Table

__all__ = ["VARIANTS"]


def b3_0(table: Table) -> Columns:
    """Measure B³₀ (Stoyanov et al. 2009): twinless response mentions are discarded.

    Missing key mentions still count as 0 for recall.
    """
    recall, key, _, _ = b3(table)
    precision = table.by_cell(table.n * table.n, table.cell_r_shared)
    return recall, key, precision, table.by_cell(table.n)


def b3_all(table: Table) -> Columns:
    """Measure B³all (Stoyanov et al. 2009): twinless mentions count as the other side's singletons.

    A twinless response mention has precision 1/r, a twinless key mention recall 1/k.
    """
    recall, key, precision, response = b3(table)
    missing = table.by_key(table.k - table.k_shared, table.k)
    twinless = table.by_response(table.r - table.r_shared, table.r)
    return recall + missing, key, precision + twinless, response


def _spurious_singleton(table: Table) -> Ints:
    alone: Ints = ((table.r == 1) & (table.r_shared == 0)).astype(np.int64)
    return alone


def b3_rn(table: Table) -> Columns:
    """Measure B³r&n (Rahman & Ng 2009): B³all without twinless response singletons."""
    recall, key, precision, response = without_spurious_singletons(table, b3_all(table))
    # In B³all each of these singletons has precision 1.
    return recall, key, precision - table.by_response(_spurious_singleton(table)), response


def ceafm_rn(table: Contingency) -> Columns:
    """Measure CEAFm r&n (Rahman & Ng 2009): CEAFm without twinless response singletons."""
    return without_spurious_singletons(table, ceafm(table))


def ceafe_rn(table: Contingency) -> Columns:
    """Measure CEAFe r&n (Rahman & Ng 2009): CEAFe without twinless response singletons."""
    return without_spurious_singletons(table, ceafe(table))


def without_spurious_singletons(table: Table, columns: Columns) -> Columns:
    """Return the columns of a metric of mentions or entities, without twinless response singletons.

    These share nothing with the key, so they count only in the denominator of precision. Each is
    one mention and one entity.
    """
    recall, key, precision, response = columns
    return recall, key, precision, response - table.by_response(_spurious_singleton(table))


def b3_sys(table: Table) -> Columns:
    """Measure B³sys (Cai & Strube 2010): twinless mentions become singletons of the other side.

    Missing key mentions are added to the response as singletons, and twinless response singletons
    are discarded. The other twinless response mentions are added to the key as singletons for
    precision, and discarded for recall.
    """
    recall, key, precision, response = b3_rn(table)
    missing = table.by_key(table.k - table.k_shared)
    return recall, key, precision + missing, response + missing


def ceaf_sys(table: Contingency) -> Columns:
    """Measure CEAFsys (Cai & Strube 2010): CEAFm, after changing key and response as for B³sys.

    Each added singleton shares its mention with one entity, so an entity with twinless mentions can
    always be aligned with one of them, with similarity 1.
    """
    return ceaf_sys_columns(table, *best_sys(table))


def ceaf_sys_columns(table: Table, recall: Ints, precision: Ints) -> Columns:
    """Return the columns of CEAFsys, given the best assignments for recall and for precision."""
    _, key, _, response = b3_sys(table)
    return recall, key, precision, response


def best_sys(table: Contingency) -> tuple[Ints, Ints]:
    """Return the best total similarities of CEAFsys per document, for recall and for precision."""
    missing = np.flatnonzero(table.k_shared < table.k)
    spurious = np.flatnonzero((table.r_shared < table.r) & (table.r > 1))
    # Rows: key entities, then one added singleton for each response entity with twinless mentions.
    of_key = (missing, len(table.r) + np.arange(len(missing)), table.k_document[missing])
    rows = len(table.k) + np.arange(len(spurious))
    of_response = (rows, spurious, table.r_document[spurious])
    return _assign(table, of_key), _assign(table, of_key, of_response)


def _assign(table: Contingency, *added: tuple[Ints, Ints, Ints]) -> Ints:
    row = np.concatenate([table.i, *(part[0] for part in added)])
    column = np.concatenate([table.j, *(part[1] for part in added)])
    document = np.concatenate([table.cell_document, *(part[2] for part in added)])
    weight = np.concatenate([table.n, np.ones(len(row) - len(table.n), dtype=np.int64)])
    return best_assignment(table, row, column, document, weight)


VARIANTS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("b3_0", "B³₀", "Stoyanov et al. 2009", b3_0),
        Metric("b3_all", "B³all", "Stoyanov et al. 2009", b3_all),
        Metric("b3_rn", "B³r&n", "Rahman & Ng 2009", b3_rn),
        Metric("ceafm_rn", "CEAFm r&n", "Rahman & Ng 2009", ceafm_rn),
        Metric("ceafe_rn", "CEAFe r&n", "Rahman & Ng 2009", ceafe_rn),
        Metric("b3_sys", "B³sys", "Cai & Strube 2010", b3_sys),
        Metric("ceaf_sys", "CEAFsys", "Cai & Strube 2010", ceaf_sys),
    )
}
