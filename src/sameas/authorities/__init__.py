"""Authorities: the papers, or the scorer that `compat` selects instead.

An authority's object contains everything that it does differently. The rest of the package calls
the object that the settings select, and never compares names.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from sameas.authorities.paper import Authority
from sameas.settings import Settings

__all__ = ["Authority", "authority_of"]

#: The module of each authority; versions of BLANC have the same names.
_MODULES = {"none": "paper", "conll-8.01": "conll801", "corefud-1.2": "corefud12"}


@cache
def authority_of(settings: Settings) -> Authority:
    """Return the authority that the settings select.

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
