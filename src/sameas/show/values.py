"""Rendering of values that are printed, or shown in a notebook."""

from __future__ import annotations

from importlib import import_module

__all__ = ["present"]

#: For each class, the module and the function that render it, and whether that takes a list.
_RENDERERS = {
    "Result": ("scores", "render", True),
    "DatasetScores": ("scores", "render_datasets", True),
    "Comparison": ("comparison", "render_comparison", False),
    "Analysis": ("errors", "render_analysis", False),
    "Study": ("cone", "render_study", False),
    "PredictedScores": ("cone", "render_predictions", True),
    "AlignmentQuality": ("alignment", "render_quality", True),
    "RankingScores": ("ranking", "render_ranking", True),
    "RankingComparison": ("ranking", "render_ranking_comparison", False),
}


def present(value: object, form: str) -> str:
    """Return a value as text or HTML.

    >>> import sameas
    >>> print(present(sameas.score([["a"]], [["a"]], metrics="muc"), "text").splitlines()[0])
    metric  recall     %  precision     %    F1
    """
    kind = next(one.__name__ for one in type(value).__mro__ if one.__name__ in _RENDERERS)
    module, function, several = _RENDERERS[kind]
    render = getattr(import_module(f"sameas.show.{module}"), function)
    shown: str = render([value] if several else value, form)
    return shown
