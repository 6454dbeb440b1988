"""How many examples property tests use: few in the quick suite, many in the thorough one."""

from __future__ import annotations

from hypothesis import settings


def examples(count: int) -> int:
    """Return the number of examples for a property that the thorough suite tests with `count`."""
    return max(5, count * settings.default.max_examples // 100)
