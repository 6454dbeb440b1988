"""Score each key entity separately, as in Figure 1 of Lin et al. 2010.

Let M be the number of mentions that a key entity shares with the response entity aligned to it by
CEAF, and S the divisor of M (section 4.1, where S is not defined).
`share_of="entity"`: S is the size of the entity, P = M/|O_f(i)| and R = M/|G_i|. These scores are
from 0 to 1, as in Figure 1, and do not add up to the score of the corpus. `share_of="corpus"`: S is
the size of the corpus, P = M/Σ|O_j| and R = M/Σ|G_i|, so Σ P_i is the CEAF precision, as the
paper's derivation from entities to the whole requires. For B³, recall is Σ_j M²_ij/|G_i| and
precision Σ_j M²_ij/|O_j|, where entities i and j share M_ij mentions; each is divided by the number
of mentions in the entity (for precision, only those found) or in the corpus. F1 is the harmonic
mean of recall and precision.
"""

from __future__ import annotations

import numpy as np

from sameas.arithmetic.assignment import assign
from sameas.arithmetic.scores import harmonic
from sameas.chance.resampling import Floats
from sameas.metrics.contingency import contingency
from sameas.results.result import Result

__all__ = ["entity_scores"]


def entity_scores(result: Result, share_of: str) -> dict[tuple[str, str], list[float]]:
    """Return F1, recall and precision in each metric, keyed by document and id of the key entity.

    They are defined at the top of this module.
    """
    (matching,) = result.matchings
    table = contingency(matching)
    side = matching.key
    ids = [
        (name, id)
        for name, document in zip(matching.names, side.read.documents, strict=True)
        for id in document.entity_ids
    ]
    numbers = side.read.entity[side.place].tolist()
    of = {entity: ids[n] for entity, n in zip(side.entity.tolist(), numbers, strict=True)}
    columns: list[Floats] = []
    for metric in result.metrics:
        found, right = np.zeros(len(table.k)), np.zeros(len(table.k))
        if metric == "ceafm":
            cells = assign(table.i, table.j, table.n)
            i = table.i[cells]
            found[i] = right[i] = table.n[cells]
            sizes = np.ones(len(table.k))
            sizes[i] = table.r[table.j[cells]]
        else:
            np.add.at(found, table.i, table.n**2 / table.k[table.i])
            np.add.at(right, table.i, table.n**2 / table.r[table.j])
            sizes = np.maximum(table.k_shared, 1)
        if share_of == "corpus":
            recall, precision = found / table.k.sum(), right / max(int(table.r.sum()), 1)
        else:
            recall, precision = found / table.k, right / sizes
        columns += [harmonic(recall, precision), recall, precision]
    rows = np.array(columns).T.tolist()
    return {of[entity]: row for entity, row in enumerate(rows)}
