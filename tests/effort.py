"""How hard the tests try: a little in the quick suite, much in the thorough one."""

from __future__ import annotations

from hypothesis import settings


def examples(count: int) -> int:
    """Return how many examples to try of a property that the thorough suite tries `count` times."""
    return max(5, count * settings.default.max_examples // 100)
