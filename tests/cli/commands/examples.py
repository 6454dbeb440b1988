"""A small key and a response, and expected output."""

from __future__ import annotations

import sameas
from sameas.errors import Problem
from saying import says

VERSION = sameas.__version__
SIGNATURE = (
    "sameas:coref|match:exact|singletons:keep|duplicates:first|missing:empty\n"
    f"  |blanc:luo2014|average:micro|docs:{{}}|version:{VERSION}\n"
)
UNCLOSED = says("conll-unclosed", entity="1", how="wrong")
KEY = """\
#begin document (a); part 000
a 0 0 Ann (0)
a 0 1 saw -
a 0 2 her (1|(0)
a 0 3 sister 1)

a 0 0 She (1)
#end document
"""
RESPONSE = """\
#begin document (a); part 000
a 0 0 Ann (7)
a 0 1 saw -
a 0 2 her (8|(8)
a 0 3 sister 8)

a 0 0 She (8)
#end document
"""


def warning(code: str, path: str, line: int, column: int, **values: object) -> str:
    """Return the line that a command prints for a warning."""
    return f"{Problem(code, path, line, column, severity='warning', values=values)}\n"


TABLE = """\
metric          recall       %  precision       %      F1
─────────────────────────────────────────────────────────
Mentions         4 / 4  100.00      4 / 4  100.00  100.00
MUC              1 / 2   50.00      1 / 2   50.00   50.00
B³            3.00 / 4   75.00   2.67 / 4   66.67   70.59
CEAFm            3 / 4   75.00      3 / 4   75.00   75.00
CEAFe         1.47 / 2   73.33   1.47 / 2   73.33   73.33
BLANC                    50.00              50.00   48.57
  coref.         1 / 2   50.00      1 / 3   33.33   40.00
  non-coref.     2 / 4   50.00      2 / 3   66.67   57.14
LEA           2.00 / 4   50.00   1.00 / 4   25.00   33.33
─────────────────────────────────────────────────────────
CoNLL                                               64.64
"""
LINE = (
    '{"doc_key": "a_0", "sentences": [["Ann", "saw", "her", "sister"], ["She"]], '
    '"clusters": [[[0, 0], [2, 2]], [[2, 3], [4, 4]]]}\n'
)
