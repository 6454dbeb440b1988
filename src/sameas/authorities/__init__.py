"""Authorities: the papers, and the scorers that are followed instead where `compat` says so.

What an authority does differently is in its object, and nowhere else; the rest of the package asks
the object that the settings choose, and compares no names.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from sameas.authorities.paper import Authority
from sameas.settings import Settings

__all__ = ["Authority", "authority_of"]

#: The module of each authority; BLANC has versions of their names.
_MODULES = {"none": "paper", "conll-8.01": "conll801", "corefud-1.2": "corefud12"}


@cache
def authority_of(settings: Settings) -> Authority:
    """Return the authority that the settings choose.

    >>> authority_of(Settings()).reads_as_reference
    False
    >>> authority_of(Settings.of(compat="conll-8.01")).reads_as_reference
    True
    """
    matching, scoring = (
        import_module(f"sameas.authorities.{_MODULES.get(name, 'paper')}")
        for name in (settings.compat, settings.blanc)
    )
    chosen: Authority = matching.AUTHORITY(scoring.BLANC[settings.blanc])
    return chosen
