"""Base classes of values that people print; only `sameas.show` decides how they look.

Values never import the code that presents them. They inherit `__str__` from here, which calls
`_present` in `sameas/__init__.py`.
"""

from __future__ import annotations

import sys

__all__ = ["Presented", "PresentedInNotebooks"]


class Presented:
    """A value printed as a table at most 80 characters wide that ends with its signature."""

    __slots__ = ()

    def __str__(self) -> str:
        """Return the table that the command line prints."""
        return _written(self, "text")


class PresentedInNotebooks(Presented):
    """A value that notebooks show as HTML."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return _written(self, "html")


def _written(value: object, form: str) -> str:
    """Return a value as text or HTML; `sameas` is imported before any of its values exists."""
    text: str = sys.modules["sameas"]._present(value, form)
    return text
