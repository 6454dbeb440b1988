"""Results as text, tables, plots and pages, with one module for each kind of result."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sameas.show.page import Report as Report
    from sameas.show.page import report as report
    from sameas.show.page import report_results as report_results
else:
    from sameas.lazily import lazily

    __getattr__, __dir__ = lazily(
        __name__,
        {
            "page": ["Report", "report", "report_results"],
        },
    )

__all__ = [
    "Report",
    "report",
    "report_results",
]
