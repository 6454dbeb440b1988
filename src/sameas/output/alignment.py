"""Aligned names to something a person reads: pictures, iterations, and their quality."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from sameas.output import Table, compact_json, lay_out, percent, printable, text_width, write_csv
from sameas.resampling import Interval
from sameas.signature import Resampling
from sameas.translit.aligned import AlignedPair
from sameas.translit.aligner import FittedAligner
from sameas.translit.quality import AlignmentQuality, TokenMappings
from sameas.translit.units import graphemes

__all__ = ["picture", "render_iterations", "render_quality", "render_token"]

_LEFT_TO_RIGHT = "\u200e"  # keeps tokens of Arabic and Hebrew in the order of the letters
SHOWN = 3  # source tokens of a target token in the table
FIRST = 8  # iterations of many that are shown before the last two


def picture(pair: AlignedPair, sounds: Mapping[str, Sequence[str]] | None = None) -> str:
    """Draw an alignment: the letters above the units they stand for, and below how these sound.

    >>> print(picture(AlignedPair("alice", "爱丽丝", (("a", "爱"), ("li", "丽"), ("ce", "丝")))))
    a   l i  c e
    │   └┬┘  └┬┘
    爱   丽   丝
    """
    rows: list[list[str]] = [[], [], [], []]
    for source, target in pair.tokens:
        letters = [printable(one).replace(" ", "␣") for one in graphemes(source)] or ["*"]
        units = [printable(one).replace(" ", "␣") for one in graphemes(target)] or ["*"]
        heard = [sound for unit in graphemes(target) for sound in (sounds or {}).get(unit, ())]
        wide = sum(map(text_width, letters)) + len(letters) - 1
        line = "│" if wide == 1 else "└" + "─" * ((wide - 3) // 2) + "┬" + "─" * ((wide - 2) // 2)
        line = line if wide == 1 else line[: wide - 1] + "┘"
        column = [" ".join(letters), line, " ".join(units), " ".join(heard)]
        width = max(map(text_width, column))
        for row, text in zip(rows, column, strict=True):
            row.append(_centred(text, width, wide))
    shown = rows if sounds else rows[:3]
    return "\n".join("  ".join(row).rstrip() for row in shown)


def _centred(text: str, width: int, letters: int) -> str:
    """Under the middle of the letters above it."""
    own = text_width(text)
    before = max(0, min((letters - own + 1) // 2, width - own))
    backwards = any(unicodedata.bidirectional(one) in ("R", "AL") for one in text)
    mark = _LEFT_TO_RIGHT if backwards else ""
    return " " * before + mark + text + mark + " " * (width - own - before)


def render_iterations(
    fitted: Mapping[str, FittedAligner],
    against: Mapping[str, Sequence[AlignmentQuality]],
    style: str = "text",
    *,
    digits: int = 3,
    notes: Sequence[str] = (),
) -> str:
    """Write how the aligners went: entropy, cost and, if there is gold, scores by iteration.

    >>> from sameas.translit.aligner import Aligner
    >>> fitted = Aligner("affinity").fit([("anna", "안나"), ("nana", "나나")])
    >>> print(render_iterations({"affinity": fitted}, {}))
    method    iteration  entropy  bits a pair
    ─────────────────────────────────────────
    affinity          0    0.000            –
    affinity          1    0.689        3.245
    <BLANKLINE>
    sameas:align|method:affinity|start:even|target:graphemes|case:fold|iterations:50
      |pairs:2|version:0.1.0
    """
    signatures = [one.signature for one in fitted.values()]
    if style in ("json", "csv"):
        return _iterations_for_programs(fitted, against, style, notes)
    header = ["method", "iteration", "entropy", "bits a pair"]
    if against:
        header += ["recall", "precision", "F1"]
    rows: list[list[str]] = []
    rules = []
    for name, one in fitted.items():
        if rows:
            rules.append(len(rows))
        last = len(one.steps)
        left_out = range(FIRST, last - 2) if last > FIRST + 4 and not against else range(0)
        for place, step in enumerate(one.steps):
            if place in left_out:
                if place == FIRST:
                    rows.append([name, "…", "…", "…"])
                continue
            cost = "–" if step.cost is None else f"{step.cost:.{digits}f}"
            row = [name, str(step.iteration), f"{step.entropy:.{digits}f}", cost]
            if against:
                score = _gold(against[name][place]).mappings
                parts = (score.recall, score.precision, score.value)
                row += [percent(part, max(digits - 1, 0)) for part in parts]
            rows.append(row)
    return lay_out([Table(header, rows, rules=rules)], notes, signatures, style)


def _gold(quality: AlignmentQuality) -> Any:
    assert quality.gold is not None
    return quality.gold


def _iterations_for_programs(
    fitted: Mapping[str, FittedAligner],
    against: Mapping[str, Sequence[AlignmentQuality]],
    style: str,
    notes: Sequence[str],
) -> str:
    steps = [
        {
            "method": name,
            "iteration": step.iteration,
            "entropy": step.entropy,
            "bits_a_pair": step.cost,
            **({"mappings": _gold(against[name][place]).mappings.as_dict()} if against else {}),
        }
        for name, one in fitted.items()
        for place, step in enumerate(one.steps)
    ]
    if style == "json":
        signatures = {name: one.signature for name, one in fitted.items()}
        return compact_json({"signatures": signatures, "iterations": steps, "notes": [*notes]})
    header = ["method", "iteration", "entropy", "bits_a_pair"]
    parts = ["recall", "precision", "f1"] if against else []
    rows: list[list[object]] = [[*header, *parts, "signature"]]
    for step in steps:
        rows.append(
            [
                *("" if step[name] is None else step[name] for name in header),
                *(step["mappings"][part] for part in parts),
                fitted[step["method"]].signature,
            ]
        )
    return write_csv(rows)


def render_quality(
    found: Sequence[AlignmentQuality],
    style: str = "text",
    *,
    digits: int = 3,
    top: int = 10,
    resampling: Resampling | None = None,
) -> str:
    """Write the quality of alignments; of a single one also its most inconsistent tokens.

    >>> from sameas.translit.quality import entropy
    >>> print(render_quality([entropy([AlignedPair("an", "안", (("an", "안"),))])]))
    pairs  tokens  entropy
    ──────────────────────
    1           1    0.000
    <BLANKLINE>
    token  mapped to  times   bits  share
    ─────────────────────────────────────
    안     an 1           1  0.000  0.0 %
    <BLANKLINE>
    sameas:entropy|case:fold|pairs:1|version:0.1.0
    """
    if style == "json":
        shown = [_as_dict(one, resampling) for one in found]
        return compact_json(shown[0] if len(shown) == 1 else shown)
    if style == "csv":
        return write_csv(_quality_csv(found))
    several = len(found) > 1
    header = [*(["alignment"] if several else []), "pairs", "tokens", "entropy"]
    rows = [
        [
            *([one.name] if several else []),
            f"{one.pairs:,}",
            f"{one.tokens:,}",
            f"{one.entropy:.{digits}f}",
        ]
        for one in found
    ]
    tables = [Table(header, rows)]
    for one in found:
        if one.gold is not None:
            tables.append(_gold_table(one, digits, resampling, one.name if several else ""))
    if not several and top:
        tables.append(_token_table(found[0].by_token[:top], digits))
    notes = [f"{one.name}: {note}" if several else note for one in found for note in one.notes]
    signatures = list(dict.fromkeys(one.signature for one in found))
    if resampling is not None:
        signatures = [text.replace("|pairs:", f"|{resampling}|pairs:") for text in signatures]
    return lay_out(tables, notes, signatures, style)


def _gold_table(
    quality: AlignmentQuality, digits: int, resampling: Resampling | None, title: str
) -> Table:
    gold = _gold(quality)
    decimals = max(digits - 1, 0)
    intervals = gold.intervals(resampling) if resampling is not None else {}
    rows = []
    for name, score in (("mappings", gold.mappings), ("letters", gold.letters)):
        shares = [percent(part, decimals) for part in (score.recall, score.precision, score.value)]
        if resampling is not None:
            rows.append(
                [name]
                + [
                    f"{share} {_bracket(part, decimals)}"
                    for share, part in zip(shares, intervals[name], strict=True)
                ]
            )
        else:
            counts = [f"{number:,}" for number in score.counts]
            rows.append(
                [name, " / ".join(counts[:2]), shares[0], " / ".join(counts[2:]), *shares[1:]]
            )
    header = [f"{gold.pairs:,} gold pairs", "recall", "%", "precision", "%", "F1"]
    if resampling is not None:
        confidence = f"[{resampling.percentage}%]"
        header = [header[0], *(f"{part} {confidence}" for part in ("recall", "precision", "F1"))]
    exact = percent(gold.exact / gold.pairs, decimals)
    rows.append(
        ["names right", f"{gold.exact:,} / {gold.pairs:,}", exact, *[""] * (len(header) - 3)]
    )
    return Table(header, rows, title=title)


def _bracket(interval: Interval | None, digits: int) -> str:
    if interval is None:
        return "–"
    return f"[{percent(interval.low, digits)}, {percent(interval.high, digits)}]"


def _token_table(found: Sequence[TokenMappings], digits: int) -> Table:
    rows = []
    for one in found:
        mapped = ", ".join(f"{_token(token)} {times:,}" for token, times in one.mappings[:SHOWN])
        more = len(one.mappings) - SHOWN
        mapped += f", {more} more" if more > 0 else ""
        share = f"{percent(one.share, 1)} %"
        rows.append([_token(one.token), mapped, f"{one.count:,}", f"{one.bits:.{digits}f}", share])
    return Table(["token", "mapped to", "times", "bits", "share"], rows, words=2)


def _token(text: str) -> str:
    return text.replace(" ", "␣") or "*"


def render_token(found: TokenMappings, style: str = "text", *, signature: str = "") -> str:
    """Write all that one target token is mapped to, with names.

    >>> from sameas.translit.quality import entropy
    >>> quality = entropy([AlignedPair("an", "안", (("an", "안"),))])
    >>> print(render_token(quality.by_token[0]))
    안 is mapped to  example  times      %
    ──────────────────────────────────────
    an               an/안        1  100.0
    """
    examples = {
        token: str(example)
        for (token, _), example in zip(found.mappings, found.examples, strict=False)
    }
    rows = [
        [_token(token), examples.get(token, ""), f"{times:,}", percent(times / found.count, 1)]
        for token, times in found.mappings
    ]
    table = Table([f"{_token(found.token)} is mapped to", "example", "times", "%"], rows, words=2)
    return lay_out([table], [], [signature] if signature else [], style)


def _as_dict(quality: AlignmentQuality, resampling: Resampling | None) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "name": quality.name,
        "signature": quality.signature,
        "pairs": quality.pairs,
        "tokens": quality.tokens,
        "entropy": quality.entropy,
    }
    if quality.gold is not None:
        gold = quality.gold
        shown["gold"] = {
            "pairs": gold.pairs,
            "exact": gold.exact,
            "mappings": gold.mappings.as_dict(),
            "letters": gold.letters.as_dict(),
        }
        if resampling is not None:
            shown["gold"]["intervals"] = {
                name: {part: list(one) for part, one in found.as_dict().items()}
                for name, found in gold.intervals(resampling).items()
            }
            shown["signature"] = quality.signature.replace("|pairs:", f"|{resampling}|pairs:")
    shown["by_token"] = [one.as_dict() for one in quality.by_token]
    shown["notes"] = list(quality.notes)
    return shown


def _quality_csv(found: Sequence[AlignmentQuality]) -> list[list[object]]:
    rows: list[list[object]] = [
        ["alignment", "token", "times", "bits", "share", "source_token", "mapped", "signature"]
    ]
    for one in found:
        for token in one.by_token:
            for source, times in token.mappings:
                rows.append(
                    [
                        one.name,
                        token.token,
                        token.count,
                        token.bits,
                        token.share,
                        source,
                        times,
                        one.signature,
                    ]
                )
    return rows
