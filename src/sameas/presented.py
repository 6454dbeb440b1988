"""Values that people print: how they look is known to `sameas.show` alone.

Values never import presentation. They inherit `__str__` from here, and `sameas/__init__.py` says
who writes the text.
"""

from __future__ import annotations

import sys

__all__ = ["Presented", "PresentedInNotebooks"]


class Presented:
    """A value that is printed as a table of at most 80 columns, which ends with its signature."""

    __slots__ = ()

    def __str__(self) -> str:
        """The table that the command line prints."""
        return _written(self, "text")


class PresentedInNotebooks(Presented):
    """A value that notebooks show as HTML."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return _written(self, "html")


def _written(value: object, form: str) -> str:
    """Return a value as the package writes it; it is loaded before any of its values."""
    text: str = sys.modules["sameas"]._present(value, form)
    return text
