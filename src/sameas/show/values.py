"""How values look when they are printed, or shown in a notebook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["present"]


def present(value: object, form: str) -> str:
    """Return a value as text or HTML.

    >>> import sameas
    >>> print(present(sameas.score([["a"]], [["a"]], metrics="muc"), "text").splitlines()[0])
    metric  recall     %  precision     %    F1
    """
    return next(_FORMS[kind.__name__] for kind in type(value).__mro__ if kind.__name__ in _FORMS)(
        value, form
    )


def _result(value: Any, form: str) -> str:
    from sameas.show.scores import render

    return render([value], form)


def _datasets(value: Any, form: str) -> str:
    from sameas.show.datasets import render_datasets

    return render_datasets([value], form)


def _comparison(value: Any, form: str) -> str:
    from sameas.show.comparison import render_comparison

    return render_comparison(value, form)


def _analysis(value: Any, form: str) -> str:
    from sameas.show.errors import render_analysis

    return render_analysis(value, value.errors)


def _study(value: Any, form: str) -> str:
    from sameas.show.cone import render_study

    return render_study(value)


def _predictions(value: Any, form: str) -> str:
    from sameas.show.cone import render_predictions

    return render_predictions([value])


def _quality(value: Any, form: str) -> str:
    from sameas.show.alignment import render_quality

    return render_quality([value])


def _ranking(value: Any, form: str) -> str:
    from sameas.show.ranking import render_ranking

    return render_ranking([value])


def _ranking_comparison(value: Any, form: str) -> str:
    from sameas.show.ranking import render_ranking_comparison

    return render_ranking_comparison(value)


_FORMS: dict[str, Callable[[Any, str], str]] = {
    "Result": _result,
    "DatasetScores": _datasets,
    "Comparison": _comparison,
    "Analysis": _analysis,
    "Study": _study,
    "PredictedScores": _predictions,
    "AlignmentQuality": _quality,
    "RankingScores": _ranking,
    "RankingComparison": _ranking_comparison,
}
