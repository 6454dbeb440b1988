"""Error analysis: errors, the scores after repairing them, and differences between systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sameas.analysis.analysis import Analysis as Analysis
    from sameas.analysis.analysis import analyse as analyse
    from sameas.analysis.analysis import analyse_result as analyse_result
    from sameas.analysis.comparison import Comparison as Comparison
    from sameas.analysis.comparison import Difference as Difference
    from sameas.analysis.comparison import compare as compare
    from sameas.analysis.comparison import compare_results as compare_results
else:
    from sameas.lazily import lazily

    __getattr__, __dir__ = lazily(
        __name__,
        {
            "analysis": ["Analysis", "analyse", "analyse_result"],
            "comparison": ["Comparison", "Difference", "compare", "compare_results"],
        },
    )

__all__ = [
    "Analysis",
    "Comparison",
    "Difference",
    "analyse",
    "analyse_result",
    "compare",
    "compare_results",
]
