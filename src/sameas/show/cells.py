"""The contents of table cells: percentages, intervals, rates, and texts that fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sameas.arithmetic.scores import Score
    from sameas.chance.resampling import Interval
    from sameas.settings import Resampling

__all__ = [
    "beginning",
    "bracket",
    "end",
    "percent",
    "printable",
    "rate_cells",
    "rate_header",
    "score_rows",
    "shorten",
    "text_width",
]


def percent(value: float | None, digits: int, sign: str = "") -> str:
    """Return a fraction as a percentage, or a dash if it is missing.

    >>> percent(0.12345, 2), percent(-0.01, 1, "+"), percent(None, 2)
    ('12.35', '−1.0', '–')
    """
    if value is None:
        return "–"
    text = f"{100 * value:{sign}.{digits}f}"
    return text.lstrip("+-") if float(text) == 0 else text.replace("-", "−")


def bracket(interval: Interval | None, digits: int, sign: str = "") -> str:
    """Return an interval as percentages, or a dash if it is missing.

    >>> from sameas.chance.resampling import Interval
    >>> bracket(Interval(-0.5, 0.25), 1, "+")
    '[−50.0, +25.0]'
    """
    if interval is None:
        return "–"
    return f"[{percent(interval.low, digits, sign)}, {percent(interval.high, digits, sign)}]"


def rate_header(resampling: Resampling | None) -> list[str]:
    """Return the header of the columns of `rate_cells`.

    >>> rate_header(None)
    ['recall', '%', 'precision', '%', 'F1']
    """
    if resampling is None:
        return ["recall", "%", "precision", "%", "F1"]
    return [f"{part} [{resampling.percentage}%]" for part in ("recall", "precision", "F1")]


def rate_cells(
    score: Score,
    digits: int,
    intervals: Iterable[Interval | None] | None,
    count: Callable[[float], str],
) -> list[str]:
    """Return recall and precision with their counts, and F1; or each of the three with an interval.

    >>> from sameas.arithmetic.scores import Score
    >>> rate_cells(Score.of(1, 2, 1, 4), 1, None, str)
    ['1 / 2', '50.0', '1 / 4', '25.0', '33.3']
    """
    parts = (score.recall, score.precision, score.value)
    shares = ["" if part is None else percent(part, digits) for part in parts]
    if intervals is not None:
        return [
            share and f"{share} {bracket(interval, digits)}"
            for share, interval in zip(shares, intervals, strict=True)
        ]
    ratios = ["", ""]
    if score.counts is not None and score.recall is not None and not score.coref:
        numbers = [count(number) for number in score.counts]
        ratios = [" / ".join(numbers[:2]), " / ".join(numbers[2:])]
    return [ratios[0], shares[0], ratios[1], *shares[1:]]


def score_rows(
    name: str,
    values: Iterable[float | None],
    digits: int,
    intervals: Iterable[Interval | None] = (),
) -> list[list[str]]:
    """Return the row of a system's scores, and below it the row of the intervals, if given.

    >>> score_rows("eager", [0.5, None], 1)
    [['eager', '50.0', '–']]
    """
    rows = [[name, *(percent(value, digits) for value in values)]]
    brackets = [bracket(interval, digits) for interval in intervals]
    return [*rows, ["", *brackets]] if brackets else rows


def text_width(text: str) -> int:
    """Return the width of a text on a terminal: 2 for a Chinese character, 0 for a combining mark.

    >>> text_width("B³"), text_width("名"), text_width("हु")
    (2, 2, 1)
    """
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    shown = [sign for sign in text if category(sign) not in ("Mn", "Me", "Cf")]
    return len(shown) + sum(east_asian_width(sign) in "WF" for sign in shown)


def end(text: str, width: int) -> str:
    """Return a name truncated at its beginning, which is less informative than its end."""
    return beginning(text[::-1], width, spaced=True)[::-1]


def shorten(names: Iterable[str], width: int) -> dict[str, str]:
    """Map each name to itself, truncated to a width so that different names stay different.

    Names lose their beginnings; if they would then be equal, they lose what they have in common at
    the end, at the beginning, or on both sides; if nothing else helps, they are numbered.

    >>> list(shorten(["runs/seed-1/output", "runs/seed-2/output"], 8).values())
    ['…seed-1…', '…seed-2…']
    """
    every = dict.fromkeys(names)
    long = {name: None for name in every if text_width(name) > width}
    before = _shared(list(long))
    after = _shared([name[before:][::-1] for name in long])
    ways: list[Callable[[str], str]] = [
        lambda name: end(name, width),
        lambda name: end(name[: len(name) - after] + "…", width),
        lambda name: beginning("…" + name[before:], width),
        lambda name: beginning("…" + name[before : len(name) - after] + "…", width),
    ]
    for shown in ways:
        found = {name: shown(name) if name in long else name for name in every}
        if len(set(found.values())) == len(found):
            return found
    numbers = {name: f" #{number}" for number, name in enumerate(long, 1)}
    for name, number in numbers.items():
        found[name] = end(name, max(width - len(number), 1)) + number
    return found


def _shared(names: Sequence[str]) -> int:
    """Return the length of the longest common prefix of all names."""
    if not names:
        return 0
    least, most = min(names), max(names)
    differing = (place for place, sign in enumerate(least) if most[place : place + 1] != sign)
    return next(differing, len(least))


def beginning(text: str, room: int, *, spaced: bool = False) -> str:
    """Return a text truncated to `room` columns.

    A space before the cut is kept only if `spaced`.

    >>> beginning("Barthélemy", 7)
    'Barthé…'
    """
    if text_width(text) <= room:
        return text
    text = text[: 4 * room]  # combining marks have no width; four per character are enough
    while text and text_width(text) > room - 1:
        text = text[:-1]
    return (text if spaced else text.rstrip()) + "…"


def printable(text: str) -> str:
    """Return the text with line breaks and other unprintable characters escaped.

    >>> printable("two\\nlines")
    'two\\\\nlines'
    """
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )
