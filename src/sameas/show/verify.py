"""Render verified pairs: the most doubtful pairs of a list, and the error rates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from typing import Any

import numpy as np

from sameas._version import __version__
from sameas.names.audit import ALL, ListedPairs
from sameas.names.validation import DetCurve
from sameas.names.verifier import Verified, Verifier
from sameas.notes import Note
from sameas.show.cells import beginning, bracket, percent, text_width
from sameas.show.records import compact_json, write_records
from sameas.show.table import WIDTH, TextTable, changes, lay_out

__all__ = ["render_audit", "render_rates", "signed", "written_audit"]

NAME = 20  # width of a name in a table
FALSE = 0.5  # a pair with a lower probability counts as false
_WRITTEN = ("source", "target", "probability", "score1", "score2", "score3")
_Curves = Sequence[tuple[str, str, str, DetCurve]]


def signed(found: Verified, verifier: Verifier) -> str:
    """Return the signature of an audit: everything that can change a digit.

    >>> from sameas.names.datasets import dataset
    >>> verifier = Verifier.fit(dataset("sample:ru").pairs)
    >>> signed(verifier.verify([("anna", "анна")]), verifier)
    'sameas:verify|prior:0.5|learned:75|seed:1|sounds:none|pairs:1|version:0.1.0'
    """
    converted = "|chinese:converted" if found.converted else ""
    return (
        f"sameas:verify|prior:{found.prior:g}|learned:{verifier.pairs}|seed:{verifier.seed}"
        f"|sounds:{verifier.sounds}{converted}|pairs:{len(found)}|version:{__version__}"
    )


def render_audit(
    found: Verified,
    listed: ListedPairs,
    verifier: Verifier,
    style: str = "text",
    *,
    digits: int = 2,
    top: int = 20,
    notes: Sequence[Note] = (),
) -> str:
    """Render the pairs of a list, the worst first, with their probabilities and the evidence.

    Tables show the `top` worst pairs; JSON and CSV contain all pairs.

    >>> from sameas.names.datasets import dataset
    >>> verifier = Verifier.fit(dataset("sample:ru").pairs)
    >>> listed = ListedPairs([("anna", "анна"), ("anna", "петр")], [1, 2])
    >>> print(render_audit(verifier.verify(listed.pairs), listed, verifier).splitlines()[0])
    1 of 2 pairs is more likely false than genuine; the 2 worst:
    """
    signature = signed(found, verifier)
    if style == "json":
        pairs = list(_pair_records(found, listed, verifier))
        return compact_json({"signature": signature, "notes": [*map(str, notes)], "pairs": pairs})
    if style == "csv":
        return write_records(_rows(found, listed, verifier))
    shown = _worst_first(found)[:top]
    reasons = verifier.reasons([found.pairs[place] for place in shown], convert=found.converted)
    rows = []
    for place, reason in zip(shown, reasons, strict=True):
        names = (beginning(name, NAME) for name in (reason.source, reason.target))
        probability = percent(float(found.probability[place]), digits)
        rows.append([str(listed.lines[place]), *names, probability, str(reason)])
    header = ["line", "name", "target", "%", "evidence against it"]
    if style == "text":
        rows = _fitted(header, rows)
    false = int(np.count_nonzero(found.probability < FALSE))
    worst = {"worst": len(rows), "how": "worst"} if top else {}
    title = Note("likely-false", count=false, total=len(found), values=worst)
    tables = [TextTable(header, rows, words=5, title=str(title))] if rows else []
    shown_notes = notes if tables else [title, *notes]
    return lay_out(tables, shown_notes, [signature], style)


def _worst_first(found: Verified) -> list[int]:
    order: list[int] = np.argsort(found.probability, kind="stable").tolist()
    return order


def _fitted(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the rows with right-aligned numbers and the last column truncated to fit the line."""
    widths = [max(map(text_width, column)) for column in zip(header, *rows, strict=True)]
    room = max(WIDTH - sum(widths[:4]) - 2 * 4, 24)
    return [
        [line.rjust(widths[0]), name, target, share.rjust(widths[3]), beginning(against, room)]
        for line, name, target, share, against in rows
    ]


def _pair_records(
    found: Verified, listed: ListedPairs, verifier: Verifier
) -> Iterator[dict[str, Any]]:
    """Yield the record of each pair, with the evidence against it if it is probably false."""
    order = _worst_first(found)
    false = [place for place in order if found.probability[place] < FALSE]
    evidence = verifier.reasons([found.pairs[place] for place in false], convert=found.converted)
    reasons = dict(zip(false, evidence, strict=True))
    for place in order:
        pair = found[place]
        yield {
            "line": listed.lines[place],
            **{name: getattr(pair, name) for name in _WRITTEN},
            "wrong": [
                {"source": word.source, "target": word.target, "probability": word.probability}
                for word in (reasons[place].wrong if place in reasons else ())
            ],
            "against": str(reasons.get(place, "")),
            **({} if listed.genuine is None else {"genuine": int(listed.genuine[place])}),
            **({} if listed.kind is None else {"kind": listed.kind[place]}),
        }


def _rows(found: Verified, listed: ListedPairs, verifier: Verifier) -> Iterator[dict[str, Any]]:
    """Yield the records of the pairs for tables, with the wrong words as text."""
    for row in _pair_records(found, listed, verifier):
        wrong = "; ".join(f"{one['source']}/{one['target']}" for one in row["wrong"])
        yield {**row, "wrong": wrong}


def written_audit(found: Verified, listed: ListedPairs, verifier: Verifier) -> str:
    """Return all pairs as tab-separated lines, the worst first, below a header.

    >>> from sameas.names.datasets import dataset
    >>> verifier = Verifier.fit(dataset("sample:ru").pairs)
    >>> listed = ListedPairs([("anna", "анна")], [1])
    >>> written_audit(verifier.verify(listed.pairs), listed, verifier).split("\\t")[:3]
    ['line', 'source', 'target']
    """
    # Numbers have full precision, so that thresholds can be applied to them.
    rows = list(_rows(found, listed, verifier))
    lines = [list(rows[0]), *(list(row.values()) for row in rows)]
    return "".join("\t".join(map(str, line)) + "\n" for line in lines)


def render_rates(
    rates: _Curves,
    found: Verified,
    verifier: Verifier,
    style: str = "text",
    *,
    digits: int = 2,
    false_alarm: float | None = None,
    interval: bool = False,
    notes: Sequence[Note] = (),
) -> str:
    """Render the equal error rate of each score.

    There is one rate for each kind of genuine pair against each kind of false pair. With
    `false_alarm`, the thresholds that accept at most this share of false pairs follow.

    >>> from sameas.names.validation import det
    >>> from sameas.names.datasets import dataset
    >>> verifier = Verifier.fit(dataset("sample:ru").pairs)
    >>> curve = det([0.9, 0.2], [True, False])
    >>> rates, found = [("all", "all", "learned", curve)], verifier.verify([("anna", "анна")] * 2)
    >>> print(render_rates(rates, found, verifier).splitlines()[3])
    all      all        1      1     0.00
    """
    signature = signed(found, verifier)
    if style in ("json", "csv"):
        shown = [_rate(*one, false_alarm, interval) for one in rates]
        if style == "csv":
            return write_records(shown)
        return compact_json({"signature": signature, "notes": [*map(str, notes)], "rates": shown})
    tables = [_rate_table(rates, digits, interval)]
    if false_alarm is not None:
        tables.append(_threshold_table(rates, false_alarm, digits))
    return lay_out(tables, notes, [signature], style)


def _rate(
    one: str, two: str, score: str, curve: DetCurve, false_alarm: float | None, interval: bool
) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "genuine": one,
        "false": two,
        "genuine_pairs": curve.genuine,
        "false_pairs": curve.false,
        "score": score,
        "eer": curve.eer,
        "eer_threshold": curve.eer_threshold,
        "area": curve.area,
    }
    if interval:
        shown["eer_low"], shown["eer_high"] = curve.interval()
    if false_alarm is not None:
        point = curve.threshold(false_alarm=false_alarm)
        shown |= {
            "threshold": point.threshold if np.isfinite(point.threshold) else None,
            "miss": point.miss,
            "false_alarm": point.false_alarm,
        }
    return shown


def _rate_table(rates: _Curves, digits: int, interval: bool) -> TextTable:
    title = "equal error rates, %"
    if interval:
        rows = [
            [*kinds, percent(curve.eer, digits), bracket(curve.interval(), digits)]
            for *kinds, curve in rates
        ]
        header = ["genuine", "false", "score", "EER", "95% interval"]
        return TextTable(header, rows, words=3, rules=changes(rows), title=title)
    by_kinds: dict[tuple[str, str], list[str]] = {}
    for one, two, _, curve in rates:
        row = by_kinds.setdefault((one, two), [one, two, f"{curve.genuine:,}", f"{curve.false:,}"])
        row.append(percent(curve.eer, digits))
    scores = list(dict.fromkeys(score for _, _, score, _ in rates))
    rows = list(by_kinds.values())
    header = ["genuine", "false", "pairs", "false", *scores]
    return TextTable(header, rows, words=2, rules=changes(rows), title=title)


def _threshold_table(rates: _Curves, false_alarm: float, digits: int) -> TextTable:
    rows = []
    for one, _, score, curve in (rate for rate in rates if rate[1] == ALL):
        point = curve.threshold(false_alarm=false_alarm)
        threshold = _printed(curve, point.threshold) if np.isfinite(point.threshold) else "–"
        shares = [percent(share, digits) for share in (point.miss, point.false_alarm)]
        rows.append([one, score, threshold, *shares])
    title = f"thresholds that accept at most {percent(false_alarm, digits)}% of false pairs"
    return TextTable(["genuine", "score", "threshold", "miss", "false alarm"], rows, 2, title=title)


def _printed(curve: DetCurve, threshold: float) -> str:
    """Return the condition of acceptance, such as ≥ 0.5.

    The number is the shortest one, with at least four digits, that accepts the same pairs as this
    threshold of the curve.
    """
    genuine = curve.higher == "genuine"
    sign = "≥" if genuine else "≤"
    rejected = curve.thresholds[int(np.argmax(curve.thresholds == threshold)) + 1 :][:1]
    for digits in range(4, 16):
        towards_rejected = Context(prec=digits, rounding=ROUND_FLOOR if genuine else ROUND_CEILING)
        shown = float(towards_rejected.create_decimal_from_float(threshold))
        if all(shown > rejected if genuine else shown < rejected):
            return f"{sign} {shown:.{digits}g}"
    return f"{sign} {threshold!r}"
