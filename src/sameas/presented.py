"""Values that people print: how they look is known to `sameas.show` alone.

Values never import presentation. They inherit `__str__` from here, and `sameas/__init__.py` says
who writes the text.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Presented", "PresentedInNotebooks", "present_by"]

Present = Callable[[object, str], str]
_presents: list[Present] = []


def present_by(present: Present) -> None:
    """Let a function of a value and a form (text, html) write all values."""
    _presents[:] = [present]


class Presented:
    """A value that is printed as a table of at most 80 columns, which ends with its signature."""

    __slots__ = ()

    def __str__(self) -> str:
        """The table that the command line prints."""
        return _presents[0](self, "text")


class PresentedInNotebooks(Presented):
    """A value that notebooks show as HTML."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return _presents[0](self, "html")
