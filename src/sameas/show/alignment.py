"""Render aligned names: drawings, iterations, and the quality of alignments."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from sameas.errors import counted
from sameas.names.aligned import AlignedPair, written_token
from sameas.names.aligner import FittedAligner
from sameas.names.quality import AlignmentQuality, GoldScores, TokenMappings
from sameas.names.units import graphemes
from sameas.notes import Note
from sameas.settings import Resampling
from sameas.show.cells import beginning, percent, printable, rate_cells, rate_header, text_width
from sameas.show.records import compact_json, json_of, limits, write_records
from sameas.show.table import TextTable, changes, join_notes, lay_out

__all__ = ["picture", "quality_notes", "render_iterations", "render_quality", "render_token"]

_LEFT_TO_RIGHT = "\u200e"  # keeps tokens of Arabic and Hebrew in the order of the letters
WIDTH, GAP = 80, 2  # width of a drawing, and the gap between its tokens
LONGEST = 46  # maximum width of an example
SHOWN = 3  # source tokens shown for a target token in the table
FIRST = 8  # iterations shown before the last two if there are many
_PARTS = ("recall", "precision", "f1")
_SCORES = ("mappings", "letters")  # the scores against gold
_STEP = ("method", "iteration", "entropy", "bits_a_pair")


def picture(pair: AlignedPair, sounds: Mapping[str, Sequence[str]] | None = None) -> str:
    """Draw an alignment: letters above the units aligned with them, and the units' sounds below.

    >>> print(picture(AlignedPair("alice", "爱丽丝", (("a", "爱"), ("li", "丽"), ("ce", "丝")))))
    a   l i  c e
    │   └┬┘  └┬┘
    爱   丽   丝
    """
    blocks: list[list[list[str]]] = []
    room = -1
    for source, target in pair.tokens:
        letters = [_sign(one) for one in graphemes(source)] or ["*"]
        units = [_sign(one) for one in graphemes(target)] or ["*"]
        spoken = [sound for unit in graphemes(target) for sound in (sounds or {}).get(unit, ())]
        wide = sum(map(text_width, letters)) + len(letters) - 1
        line = "│" if wide < 2 else "├┘"
        if wide > 2:
            line = f"└{'┬':─^{wide - 2}}┘"
        column = [" ".join(letters), line, " ".join(units), " ".join(spoken)]
        width = max(map(text_width, column))
        if width + GAP > room:
            blocks.append([[] for _ in column])
            room = WIDTH + GAP
        room -= width + GAP
        for row, text in zip(blocks[-1], column, strict=True):
            row.append(_centred(text, width, wide))
    gap = " " * GAP
    return "\n\n".join(
        "\n".join(gap.join(row).rstrip() for row in (rows if sounds else rows[:3]))
        for rows in blocks
    )


def _sign(unit: str) -> str:
    return printable(unit).replace(" ", "␣").replace("*", "\\*")


def _centred(text: str, width: int, letters: int) -> str:
    """Return the text padded so that it is centred below its letters."""
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
    """Render the iterations of aligners: entropy, cost and, if there is gold, scores.

    >>> from sameas.names.aligner import Aligner
    >>> fitted = Aligner("affinity").fit([("anna", "안나"), ("nana", "나나")])
    >>> print(render_iterations({"affinity": fitted}, {}))
    method    iteration  entropy  bits per pair
    ───────────────────────────────────────────
    affinity          0    0.000              –
    affinity          1    0.689          3.245
    <BLANKLINE>
    sameas:align|method:affinity|start:even|target:graphemes|case:fold|iterations:50
      |pairs:2|version:0.1.0
    """
    signatures = {name: one.signature for name, one in fitted.items()}
    steps = list(_iterations(fitted, against))
    if style == "json":
        return compact_json({"signatures": signatures, "iterations": steps, "notes": [*notes]})
    if style == "csv":
        return write_records(
            {name: step[name] for name in _STEP}
            | {part: step["mappings"][part] for part in _PARTS if against}
            | {"signature": signatures[step["method"]]}
            for step in steps
        )
    rows: list[list[str]] = []
    for name in fitted:
        own = [_step_cells(step, digits) for step in steps if step["method"] == name]
        if len(own) > FIRST + 4 and not against:
            own[FIRST:-2] = [[name, "…", "…", "…"]]
        rows += own
    header = ["method", "iteration", "entropy", "bits per pair"]
    header += ["recall", "precision", "F1"] if against else []
    if len(fitted) > 1:
        notes = [*notes, str(Note("bits-compare"))]
    table = TextTable(header, rows, rules=changes(rows))
    return lay_out([table], notes, [*signatures.values()], style)


def _step_cells(step: Mapping[str, Any], digits: int) -> list[str]:
    entropy, cost = f"{step['entropy']:.{digits}f}", step["bits_a_pair"]
    bits = "–" if cost is None else f"{cost:.{digits}f}"
    parts = _PARTS if "mappings" in step else ()
    scores = (percent(step["mappings"][part], max(digits - 1, 0)) for part in parts)
    return [step["method"], str(step["iteration"]), entropy, bits, *scores]


def _iterations(
    fitted: Mapping[str, FittedAligner], against: Mapping[str, Sequence[AlignmentQuality]]
) -> Iterator[dict[str, Any]]:
    for name, one in fitted.items():
        for place, step in enumerate(one.steps):
            shown = {"method": name, "iteration": step.iteration, "entropy": step.entropy}
            gold = against[name][place].gold if against else None
            scores = {} if gold is None else {"mappings": gold.mappings.as_dict()}
            yield {**shown, "bits_a_pair": step.cost, **scores}


def render_quality(
    found: Sequence[AlignmentQuality],
    style: str = "text",
    *,
    digits: int = 3,
    top: int = 10,
    wrong: bool = False,
    resampling: Resampling | None = None,
) -> str:
    """Render the quality of alignments.

    For a single alignment, the tokens with the largest shares of the entropy follow; with `wrong`,
    the names whose alignments differ from gold follow instead.

    >>> from sameas.names.quality import entropy
    >>> print(render_quality([entropy([AlignedPair("an", "안", (("an", "안"),))])]))
    alignment  pairs  tokens  entropy
    ─────────────────────────────────
    –              1       1    0.000
    <BLANKLINE>
    by their share of the entropy
    token  mapped to  times   bits  share
    ─────────────────────────────────────
    안     an 1           1  0.000  0.0 %
    <BLANKLINE>
    note: 1 of 1 tokens has a unit that occurs only once: it adds no entropy, right
      or wrong
    <BLANKLINE>
    sameas:entropy|case:fold|pairs:1|version:0.1.0
    """
    if style == "json":
        return json_of([_as_dict(one, resampling) for one in found])
    if style == "csv":
        return write_records([_quality_row(one, resampling) for one in found])
    several = len(found) > 1
    header = ["alignment", "pairs", "tokens", "entropy"]
    rows = [
        [one.name or "–", f"{one.pairs:,}", f"{one.tokens:,}", f"{one.entropy:.{digits}f}"]
        for one in found
    ]
    tables = [TextTable(header, rows)]
    against = [(one.gold, one.name if several else "") for one in found if one.gold is not None]
    tables += [_gold_table(gold, digits, resampling, title) for gold, title in against]
    if wrong:
        tables += [_wrong_table(gold, title) for gold, title in against]
    elif not several and top:
        tables.append(_token_table(found[0].by_token[:top], digits))
    notes = join_notes([(one.name, quality_notes(one)) for one in found])
    return lay_out(tables, notes, [_signed(one, resampling) for one in found], style)


def quality_notes(quality: AlignmentQuality, but: Container[Note] = ()) -> list[str]:
    """Return the notes as text, except those in `but`, then the notes on the gold standard.

    >>> from sameas.names.quality import entropy
    >>> pairs = [AlignedPair("an", "안", (("an", "안"),))]
    >>> [note.partition(":")[0] for note in quality_notes(entropy(pairs, gold=pairs))]
    ['1 of 1 tokens has a unit that occurs only once', 'only 1 gold pair']
    """
    notes = [str(note) for note in quality.notes if note not in but]
    gold = quality.gold.notes if quality.gold is not None else ()
    return notes + [f"gold: {note}" for note in gold]


def _gold_table(
    gold: GoldScores, digits: int, resampling: Resampling | None, title: str
) -> TextTable:
    decimals = max(digits - 1, 0)
    intervals = gold.intervals(resampling) if resampling is not None else {}
    header = ["", *rate_header(resampling)]
    rows = [
        [name, *rate_cells(getattr(gold, name), decimals, intervals.get(name), "{:,}".format)]
        for name in _SCORES
    ]
    exact = percent(gold.exact / gold.pairs, decimals)
    right = f"{gold.exact:,} / {gold.pairs:,}"
    first = [right, exact] if resampling is None else [f"{exact} ({right})"]
    rows.append(["names", *first, *[""] * (len(header) - 1 - len(first))])
    pairs = counted(gold.pairs, "gold pair")
    return TextTable(header, rows, title=f"{title}: {pairs}" if title else pairs)


def _wrong_table(gold: GoldScores, title: str) -> TextTable:
    """Return the names whose alignment differs from gold; long alignments are truncated."""
    rows = [[beginning(str(one), 38, spaced=True) for one in pair] for pair in gold.wrong]
    return TextTable(["aligned", "gold"], rows or [["–", "–"]], words=2, title=title)


def _token_table(found: Sequence[TokenMappings], digits: int) -> TextTable:
    rows = []
    for one in found:
        mapped = ", ".join(f"{_short(token)} {times:,}" for token, times in one.mappings[:SHOWN])
        more = len(one.mappings) - SHOWN
        mapped += f", {more} more" if more > 0 else ""
        share = f"{percent(one.share, 1)} %"
        rows.append([_short(one.token), mapped, f"{one.count:,}", f"{one.bits:.{digits}f}", share])
    header = ["token", "mapped to", "times", "bits", "share"]
    return TextTable(header, rows, words=2, title="by their share of the entropy")


def _short(token: str) -> str:
    """Return a token as written in a file, truncated if it is long."""
    return beginning(printable(written_token(token)), 12, spaced=True)


def render_token(
    found: TokenMappings, style: str = "text", *, digits: int = 3, signature: str = ""
) -> str:
    """Render everything that one target token is mapped to, with example names.

    >>> from sameas.names.quality import entropy
    >>> quality = entropy([AlignedPair("an", "안", (("an", "안"),))])
    >>> print(render_token(quality.by_token[0]))
    안: 0.000 bits
    mapped to  example  times      %
    ────────────────────────────────
    an         an/안        1  100.0
    """
    if style == "json":
        return compact_json({"signature": signature, **found.as_dict()})
    if style == "csv":
        return write_records(
            {"token": found.token, "source_token": token, "times": times, "signature": signature}
            for token, times in found.mappings
        )
    examples = [beginning(printable(str(one)), LONGEST, spaced=True) for one in found.examples]
    rows = [
        [_short(token), example, f"{times:,}", percent(times / found.count, 1)]
        for (token, times), example in zip(found.mappings, examples, strict=True)
    ]
    title = f"{_short(found.token)}: {found.bits:.{digits}f} bits"
    table = TextTable(["mapped to", "example", "times", "%"], rows, words=2, title=title)
    return lay_out([table], [], [signature] if signature else [], style)


def _as_dict(quality: AlignmentQuality, resampling: Resampling | None) -> dict[str, Any]:
    shown: dict[str, Any] = {"name": quality.name, "signature": _signed(quality, resampling)}
    shown |= _numbers(quality)
    gold = quality.gold
    if gold is not None:
        scores = {name: getattr(gold, name).as_dict() for name in _SCORES}
        wrong = [{**own.as_dict(), "gold": str(right)} for own, right in gold.wrong]
        shown["gold"] = {"pairs": gold.pairs, "exact": gold.exact, **scores, "wrong": wrong}
        if resampling is not None:
            intervals = gold.intervals(resampling)
            shown["gold"]["intervals"] = {name: one.as_dict() for name, one in intervals.items()}
    shown["by_token"] = [one.as_dict() for one in quality.by_token]
    shown["notes"] = quality_notes(quality)
    return shown


def _quality_row(quality: AlignmentQuality, resampling: Resampling | None) -> dict[str, object]:
    """Return the CSV row of an alignment; only JSON also contains the tokens."""
    row: dict[str, object] = {"alignment": quality.name, **_numbers(quality)}
    gold = quality.gold
    if gold is not None:
        row |= {"gold_pairs": gold.pairs, "names_right": gold.exact}
        intervals = gold.intervals(resampling) if resampling is not None else {}
        for name in _SCORES:
            score = getattr(gold, name)
            row |= {f"{name}_{part}": getattr(score, part) for part in _PARTS}
            for part, interval in zip(_PARTS, intervals.get(name, ()), strict=False):
                row |= limits(interval, f"{name}_{part}_")
    return {**row, "signature": _signed(quality, resampling)}


def _numbers(quality: AlignmentQuality) -> dict[str, float]:
    """Return the counts and the entropy, which every alignment has."""
    return {name: getattr(quality, name) for name in ("pairs", "tokens", "entropy")}


def _signed(quality: AlignmentQuality, resampling: Resampling | None) -> str:
    if resampling is None:
        return quality.signature
    return quality.signature.replace("|pairs:", f"|{resampling}|pairs:")
