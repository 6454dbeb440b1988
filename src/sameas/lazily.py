"""Import public names on first use, so that `import sameas` stays fast."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

__all__ = ["lazily"]


def lazily(
    package: str, homes: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the `__getattr__` and `__dir__` of a package (PEP 562).

    Parameters
    ----------
    package
        The package's name.
    homes
        The public names, keyed by the module in the package that defines them; names under `""`
        are themselves modules.

    Examples
    --------
    >>> get, names = lazily("sameas", {"errors": ["SameasError"], "": ["errors"]})
    >>> get("SameasError").__name__, get("errors").__name__, names()
    ('SameasError', 'sameas.errors', ['SameasError', 'errors'])
    """
    modules = {name: home for home, names in homes.items() for name in names}

    def get(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = modules[name]
        if not home:
            return import_module(f"{package}.{name}")
        value = getattr(import_module(f"{package}.{home}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return get, lambda: sorted(modules)
