"""Score coreference resolution and entity resolution.

>>> import sameas
>>> result = sameas.score([["a", "b", "c"], ["d", "e", "f", "g"]],
...                       [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]])
>>> result["muc"].counts, result["ceafe"].recall
((2, 5, 2, 5), 0.65)
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing is slow to import; type checkers know this name

if TYPE_CHECKING:
    from sameas import analysis as analysis
    from sameas import errors as errors
    from sameas import names as names
    from sameas import settings as settings
    from sameas import show as show
    from sameas import tables as tables
    from sameas import without_gold as without_gold
    from sameas._version import __version__ as __version__
    from sameas.analysis.analysis import Analysis as Analysis
    from sameas.analysis.analysis import analyse as analyse
    from sameas.analysis.comparison import Comparison as Comparison
    from sameas.analysis.comparison import compare as compare
    from sameas.arithmetic.scores import Score as Score
    from sameas.chance.resampling import Interval as Interval
    from sameas.documents.document import Corpus as Corpus
    from sameas.documents.document import Document as Document
    from sameas.documents.document import Entity as Entity
    from sameas.documents.document import Mention as Mention
    from sameas.formats.reading import read as read
    from sameas.formats.writing import save as save
    from sameas.formats.writing import write as write
    from sameas.metrics.statistics import METRICS as METRICS
    from sameas.names.aligner import align as align
    from sameas.notes import Note as Note
    from sameas.results.result import Result as Result
    from sameas.run.datasets import score_datasets as score_datasets
    from sameas.run.online import Scorer as Scorer
    from sameas.run.scoring import score as score
    from sameas.settings import Settings as Settings
    from sameas.show.page import Report as Report
    from sameas.show.page import report as report
    from sameas.tables.correlation import correlate as correlate
    from sameas.tables.record import published as published
    from sameas.without_gold.scoring import cone as cone
else:
    from sameas.lazily import lazily

    __getattr__, __dir__ = lazily(
        __name__,
        {
            "": ["analysis", "errors", "names", "settings", "show", "tables", "without_gold"],
            "_version": ["__version__"],
            "analysis.analysis": ["Analysis", "analyse"],
            "analysis.comparison": ["Comparison", "compare"],
            "arithmetic.scores": ["Score"],
            "chance.resampling": ["Interval"],
            "documents.document": ["Corpus", "Document", "Entity", "Mention"],
            "formats.reading": ["read"],
            "formats.writing": ["save", "write"],
            "metrics.statistics": ["METRICS"],
            "names.aligner": ["align"],
            "notes": ["Note"],
            "results.result": ["Result"],
            "run.datasets": ["score_datasets"],
            "run.online": ["Scorer"],
            "run.scoring": ["score"],
            "settings": ["Settings"],
            "show.page": ["Report", "report"],
            "tables.correlation": ["correlate"],
            "tables.record": ["published"],
            "without_gold.scoring": ["cone"],
        },
    )

# The names used every day; the others are in subpackages such as `sameas.names`.
__all__ = [
    "METRICS",
    "Analysis",
    "Comparison",
    "Corpus",
    "Document",
    "Entity",
    "Interval",
    "Mention",
    "Note",
    "Report",
    "Result",
    "Score",
    "Scorer",
    "Settings",
    "__version__",
    "align",
    "analyse",
    "analysis",
    "compare",
    "cone",
    "correlate",
    "errors",
    "names",
    "published",
    "read",
    "report",
    "save",
    "score",
    "score_datasets",
    "settings",
    "show",
    "tables",
    "without_gold",
    "write",
]


def _present(value: object, form: str) -> str:
    """Return a value as text or HTML; see `sameas.presented`."""
    from sameas.show.values import present

    return present(value, form)
