"""A valid CorefUD file and more than two hundred ways to damage it, with the expected reports.

Every `Kind` names the damage, its line (and column), and the verdict: `error` if a score could be
wrong, `warning` if something is skipped or only looks wrong, `accepted` if the file is unambiguous
and read correctly. Unless noted otherwise, the verdicts follow the CoNLL-U page of Universal
Dependencies, CorefUD 1.0 and level 6 of the UD validator.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from dataclasses import dataclass


def _row(id: str, form: str, misc: str = "_", tag: str = "NOUN") -> str:
    empty = "." in id
    head = "_" if empty or "-" in id else "0" if id == "1" else "1"
    deps = "1:dep" if empty else "_"
    return "\t".join([id, form, "_", "_" if "-" in id else tag, "_", "_", head, "_", deps, misc])


#: Two documents with zeros, a discontinuous mention, nesting, crossing, a split antecedent, a
#: bridging link, a range and comments. Line n of the file is LINES[n - 1].
LINES: tuple[str, ...] = (
    "# newdoc id = story/boat",  # 1
    "# global.Entity = eid-etype-head-other-minspan",
    "# sent_id = boat-1",
    "# text = Ann's brother and Bob saw the big old boat there",
    _row("1-2", "Ann's"),  # 5
    _row("1", "Ann", "Entity=(e2-person-3--3(e1-person-1--1)", "PROPN"),
    _row("2", "'s"),
    _row("3", "brother", "Entity=e2)"),
    _row("4", "and"),
    _row("5", "Bob", "Entity=(e3-person-1--1)", "PROPN"),  # 10
    _row("5.1", "they", "Entity=(e4-person-1--1)|SplitAnte=e2<e4,e3<e4", "PRON"),
    _row("6", "saw"),
    _row("7", "the", "Entity=(e5-object-4--4"),
    _row("8", "big", "Entity=(e6-abstract-1--1"),
    _row("9", "old"),  # 15
    _row("10", "boat", "Entity=e5)"),
    _row("11", "there", "Entity=e6)|SpaceAfter=No"),
    "",
    "# sent_id = boat-2",
    "# text = Took her away on its deck",  # 20
    _row("0.1", "they", "Entity=(e7[1/2]-event-2--2(e4-person-1--1)", "PRON"),
    _row("1", "Took", "Entity=e7[1/2])"),
    _row("2", "her", "Entity=(e1-person-1--1)", "PRON"),
    _row("3", "away", "Entity=(e7[2/2]-event-2--2)"),
    _row("4", "on"),  # 25
    _row("5", "its", "Bridge=e5<e8:part|Entity=(e8-place-2--2(e5-object-1--1)", "PRON"),
    _row("6", "deck", "Entity=e8)"),
    "",
    "# newdoc id = story/dog",
    "# sent_id = dog-1",  # 30
    "# text = The dog ran .",
    _row("1", "The", "Entity=(e21-animal-2--2"),
    _row("2", "dog", "Entity=e21)"),
    _row("3", "ran"),
    _row("3.1", "there"),  # 35
    _row("3.2", "it", "Entity=(e21-animal-1--1)", "PRON"),
    _row("4", "."),
    "",
    "# sent_id = dog-2",
    "# text = It found a bone and it",  # 40
    _row("1", "It", "Entity=(e21-animal-1--1)", "PRON"),
    _row("2", "found"),
    _row("3", "a", "Entity=(e22-object-2--2"),
    _row("4", "bone", "Entity=e22)"),
    _row("5", "and"),  # 45
    _row("6", "it", "Entity=(e22-object-1--1)", "PRON"),
    "",
)
SOUND = "\n".join(LINES) + "\n"

Damage = Callable[[], str | bytes]
Report = str | tuple[object, ...]  # a code, or a code and values


@dataclass(frozen=True)
class Kind:
    """A kind of damage and its expected report.

    `line` is the line in the damaged file. `at` is the text in that line to which the column must
    point ("…" before it selects the last occurrence), "" for the start of the line, None for any
    column. `report` is the code of the report, possibly with some of its values. `options` make
    `sameas score` use the damaged annotation of a key if it is only read on access.
    """

    name: str
    damage: Damage
    verdict: str
    line: int = 0
    at: str | None = None
    report: Report = ""
    options: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[int, ...]:
        """The accepted columns, of the text or the bracket before it; empty if any is accepted."""
        if self.at is None:
            return ()
        line = self.content.split(b"\n")[self.line - 1] if self.at else b""
        text = self.at.encode()
        place = line.rfind(text[3:]) if self.at.startswith("…") else line.find(text)
        assert place >= 0, (self.name, self.at)
        return (place + 1, place) if line[place - 1 : place] == b"(" else (place + 1,)

    @property
    def content(self) -> bytes:
        """The damaged file."""
        found = self.damage()
        return found if isinstance(found, bytes) else found.encode()


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n"


def change(*edits: tuple[int, str, str]) -> Damage:
    """Replace the first text with the second in line n."""

    def damage() -> str:
        lines = list(LINES)
        for number, old, new in edits:
            assert old in lines[number - 1], (number, old)
            lines[number - 1] = lines[number - 1].replace(old, new, 1)
        return _joined(lines)

    return damage


def whole(number: int, text: str) -> Damage:
    """Replace line n."""
    return lambda: _joined([*LINES[: number - 1], text, *LINES[number:]])


def drop(*numbers: int) -> Damage:
    """Drop some lines."""
    return lambda: _joined([line for n, line in enumerate(LINES, 1) if n not in numbers])


def insert(number: int, *texts: str) -> Damage:
    """Insert lines, the first of which becomes line n."""
    return lambda: _joined([*LINES[: number - 1], *texts, *LINES[number - 1 :]])


def swap(one: int, other: int) -> Damage:
    """Swap two lines."""

    def damage() -> str:
        lines = list(LINES)
        lines[one - 1], lines[other - 1] = lines[other - 1], lines[one - 1]
        return _joined(lines)

    return damage


def raw(make: Callable[[bytes], bytes]) -> Damage:
    """Change the bytes of the file."""
    return lambda: make(SOUND.encode())


def error(
    name: str,
    damage: Damage,
    line: int,
    at: str | None = "",
    report: Report = "",
    options: tuple[str, ...] = (),
) -> Kind:
    """Expect the file to be refused."""
    return Kind(name, damage, "error", line, at, report, options)


def warning(name: str, damage: Damage, line: int, at: str | None = "", report: Report = "") -> Kind:
    """Expect the file to be read with a warning."""
    return Kind(name, damage, "warning", line, at, report)


def accepted(name: str, damage: Damage) -> Kind:
    """Expect the file to be read like the valid one."""
    return Kind(name, damage, "accepted")


def _number(old: int, id: str) -> Damage:
    """Replace the number of the node in a line."""
    return whole(old, "\t".join([id, *LINES[old - 1].split("\t")[1:]]))


def _misc(number: int, misc: str) -> Damage:
    """Replace the MISC of the node in a line."""
    return _miscs({number: misc})


def _miscs(cells: dict[int, str]) -> Damage:
    """Replace the MISC of the nodes in some lines."""

    def damage() -> str:
        lines = list(LINES)
        for number, misc in cells.items():
            lines[number - 1] = "\t".join([*LINES[number - 1].split("\t")[:9], misc])
        return _joined(lines)

    return damage


def _joined_without_words() -> str:
    return _joined([*LINES[:20], _row("0.1", "they", "Entity=(e4-person-1--1)"), *LINES[27:]])


COLUMNS = [
    error("nine columns", change((9, "\t_\t_\t_", "\t_\t_")), 9, "", "conllu-columns"),
    error("eleven columns", change((9, "and\t", "and\t\t")), 9, "", ("conllu-columns", 11)),
    error("a tab after MISC", change((8, "e2)", "e2)\t")), 8, "", ("conllu-columns", 11)),
    error("one column", whole(9, "4"), 9, "", ("conllu-columns", 1)),
    error("only a word", whole(9, "and"), 9, "", ("conllu-columns", 1)),
    error("blanks instead of tabs in one line", whole(9, LINES[8].replace("\t", " ")), 9, "", ("conllu-columns", 1)),
    error("blanks instead of tabs throughout", lambda: SOUND.replace("\t", "    "), 5, "", ("conllu-columns", 1)),
    error("blanks instead of tabs, and no comments", lambda: _joined([x.replace("\t", "  ") for x in LINES if x[:1] != "#"]), 1, ""),
    error("two tabs instead of one", whole(9, LINES[8].replace("\t", "\t\t")), 9, "", ("conllu-columns", 19)),
    error("a line broken in two", whole(9, LINES[8].replace("\tand", "\n\tand")), 9, "", ("conllu-columns", 1)),
    error("two lines joined", lambda: SOUND.replace("_\n5\tBob", "_5\tBob"), 9, "", ("conllu-columns", 19)),
    error("a vertical bar instead of a tab", whole(9, LINES[8].replace("\t", "|", 1)), 9, "", ("conllu-columns", 9)),
    error("columns of CoNLL-2012", whole(9, "boat 0 3 and -"), 9, "", ("conllu-columns", 1)),
    error("junk between sentences", insert(19, "----"), 19, "", ("conllu-columns", 1)),
    error("an indented line", whole(9, " " + LINES[8]), 9, "", "node-number"),
    error("an indented comment", whole(3, " " + LINES[2]), 3, "", ("conllu-columns", 1)),
]  # fmt: skip

NUMBERS = [
    error("a number is missing", whole(9, LINES[8][1:]), 9, "", "node-number"),
    error("a number twice", _number(9, "3"), 9, "", ("word-number", 4, 3)),
    error("a number skipped", drop(9), 9, "", ("word-number", 4, 5)),
    error("numbers out of order", swap(9, 10), 9, "", ("word-number", 4, 5)),
    error("a negative number", _number(9, "-4"), 9, "", "node-number"),
    error("a plus sign", _number(9, "+4"), 9, "", "node-number"),
    error("a huge number", _number(9, "4" * 30), 9, "", "node-number"),
    error("a number of nine digits", _number(9, "999999999"), 9, "", ("word-number", 4)),
    error("a number beyond 64 bits", _number(9, "18446744073709551620"), 9, "", "node-number"),
    error("a word instead of a number", _number(9, "four"), 9, "", "node-number"),
    error("letters after a number", _number(9, "4a"), 9, "", "node-number"),
    error("a number with an exponent", _number(9, "4e0"), 9, "", "node-number"),
    error("digits of another script", _number(9, "٤"), 9, "", "node-number"),
    error("a blank after a number", _number(9, "4 "), 9, "", "node-number"),
    error("word 0", _number(6, "0"), 6, "", ("word-number", 1, 0)),
    error("an underscore instead of a number", _number(9, "_"), 9, "", "node-number"),
    error("words count from 0", lambda: _joined([
        *LINES[:40], *(f"{int(x.split(chr(9))[0]) - 1}\t" + x.split("\t", 1)[1]
                       for x in LINES[40:46]), ""]), 41, "", ("word-number", 1, 0)),
    error("words count through the document", lambda: _joined([
        *LINES[:40], *(f"{int(x.split(chr(9))[0]) + 4}\t" + x.split("\t", 1)[1]
                       for x in LINES[40:46]), ""]), 41, "", ("word-number", 1, 5)),
    accepted("a number with a leading zero", _number(9, "04")),
    error("a range of words and a half", _number(5, "1-2.1"), 5, "", "node-number"),
    error("a range without an end", _number(5, "1-"), 5, "", "node-number"),
    error("a range of three numbers", _number(5, "1-2-3"), 5, "", "node-number"),
    warning("a range of one word", _number(5, "1-1"), 5, None, ("range-place", "1-1")),
    warning("a range backwards", _number(5, "2-1"), 5, "", ("range-place", "2-1")),
    warning("a range before another word", _number(5, "3-4"), 5, "", ("range-place", "3-4")),
    warning("a range beyond the sentence", _number(5, "1-99"), 5, None, ("range-place", "1-99")),
    warning("a range twice", insert(6, LINES[4]), 6, None, ("range-place", "1-2")),
    warning("ranges that overlap", insert(7, _row("2-3", "'s brother")), 7, None, ("range-place", "2-3")),
    warning("a range after its words", lambda: _joined(
        [*LINES[:4], *LINES[5:7], LINES[4], *LINES[7:]]), 7, "", ("range-place", "1-2")),
]  # fmt: skip

EMPTY_NODES = [
    error("empty node 1.0", _number(11, "5.0"), 11, "", ("zero-number", "5.1", "5.0")),
    error("an empty node after another word", _number(11, "4.1"), 11, "", ("zero-number", "4.1")),
    error("an empty node before its word", swap(11, 10), 10, "", ("zero-number", "4.1", "5.1")),
    error("empty nodes from 2", _number(11, "5.2"), 11, "", ("zero-number", "5.1", "5.2")),
    error("an empty node twice", insert(12, LINES[10]), 12, "", ("zero-number", "5.2", "5.1")),
    error("empty nodes out of order", swap(35, 36), 35, "", ("zero-number", "3.1", "3.2")),
    error("an empty node skipped", drop(35), 35, "", ("zero-number", "3.1", "3.2")),
    error("an empty node of three numbers", _number(11, "5.1.1"), 11, "", "node-number"),
    error("an empty node without a number", _number(11, "5."), 11, "", "node-number"),
    error("an empty node with a comma", _number(11, "5,1"), 11, "", "node-number"),
    error("a huge empty node", _number(11, "5.999999999"), 11, "", ("zero-number", "5.1")),
    error("empty node 0.1 after the first word", swap(21, 22), 22, "", ("zero-number", "1.1")),
    error("a sentence of empty nodes only", _joined_without_words, 21, "", "wordless-zero"),
    accepted("empty node 1.10 after 1.9", insert(
        10, *(_row(f"4.{n}", "_") for n in range(1, 12)))),
]  # fmt: skip

BLANKS = [
    error("no empty line between sentences", drop(18), 21, "", ("word-number", 12, 1)),
    error("no empty line between documents", drop(28), 31, "", ("word-number", 7, 1)),
    error("no empty lines at all", lambda: "\n".join(x for x in LINES if x) + "\n", 21, "",
          ("word-number", 12, 1)),
    error("an empty line inside a sentence", insert(9, ""), 10, "", ("word-number", 1, 4)),
    error("an empty line after every word", lambda: "\n\n".join(LINES), 13, "",
          ("word-number", 1)),
    accepted("two empty lines between sentences", insert(18, "")),
    accepted("ten empty lines at the start", insert(1, *[""] * 10)),
    accepted("ten empty lines at the end", lambda: SOUND + "\n" * 10),
    error("blanks between sentences", whole(18, "  "), 18, "", "blank-line"),
    error("a line with one tab", whole(18, "\t"), 18, "", "blank-line"),
    error("a line of nine tabs", whole(18, "\t" * 9), 18, "", "blank-line"),
    error("a line of no-break spaces", whole(18, "\u00a0"), 18, "", ("conllu-columns", 1)),
    warning("a comment between words", insert(9, "# hello"), 9, "", "late-comment"),
    warning("a comment at the end of a sentence", insert(18, "# hello"), 18, "", "late-comment"),
    error("`newdoc` at the end of a sentence", lambda: _joined(
        [*LINES[:27], LINES[28], "", *LINES[29:]]), 28, "", ""),
    error("`newdoc` between words", insert(9, "# newdoc id = middle"), 9, "", ""),
    warning("`global.Entity` between words", insert(9, LINES[1]), 9, "", "late-comment"),
]  # fmt: skip

SCHEMA = [
    error("no `global.Entity`", drop(2), 5, "Entity=", "no-fields"),
    error("a misspelt `global.Entity`", change((2, "global.Entity", "global.Entities")), 6,
          "Entity=", "no-fields"),
    error("a lower-case `global.entity`", change((2, "global.Entity", "global.entity")), 6, "Entity=",
          "no-fields"),
    error("`global.Entity` without its hash", change((2, "# ", "")), 2, "", ("conllu-columns", 1)),
    error("`global.Entity` after the entities", lambda: _joined(
        [LINES[0], *LINES[2:18], LINES[1], *LINES[18:]]), 18, None, "late-fields"),
    error("`global.Entity` in the second document", lambda: _joined(
        [LINES[0], *LINES[2:29], LINES[1], *LINES[29:]]), 5, "Entity=", "no-fields"),
    error("`global.Entity` without fields", whole(2, "# global.Entity ="), 2, "", "no-eid"),
    error("`global.Entity` without eid", change((2, "eid-", "")), 2, "", "no-eid"),
    error("`global.Entity` with a misspelt eid", change((2, "eid-", "id-")), 2, "", "no-eid"),
    error("`global.Entity` with commas", change((2, "eid-etype", "eid,etype")), 2, "", "no-eid"),
    error("eid twice in the schema", change((2, "eid-etype", "eid-eid")), 2, None, "field-twice"),
    accepted("`global.Entity` without a blank", change((2, " = ", "="))),
    accepted("the same schema twice", insert(3, LINES[1])),
    accepted("the same schema in each document", insert(30, LINES[1])),
    error("another schema midway", insert(19, "# global.Entity = etype-eid-head-other-minspan"),
          19, "", ""),
    error("another schema midway, with the ids in the same field", insert(
        19, "# global.Entity = eid-head-etype-other-minspan"), 19, "", ""),
    error("the next document's schema before its `newdoc`", insert(
        29, "# global.Entity = etype-eid-head-other-minspan"), 33, None, "never-closed"),
]  # fmt: skip

BRACKETS = [
    error("never closed", _misc(8, "_"), 6, "(e2-", ("never-closed", "e2")),
    error("never opened", _misc(6, "Entity=(e1-person-1--1)"), 8, "e2)", "not-opened"),
    error("closed twice", _misc(8, "Entity=e2)e2)"), 8, None, "not-opened"),
    error("closed twice, one after another", _misc(9, "Entity=e2)"), 9, "e2)", "not-opened"),
    error("closed twice, the second position", _misc(8, "Entity=e2)e2)"), 8, "…e2)", "not-opened"),
    error("not opened, after a longer name", _misc(10, "Entity=(e33-person-1--1)e3)"), 10,
          "…e3)", "not-opened"),
    error("opened twice, closed once", change((6, "Entity=", "Entity=(e2-person-1--1")), 6, "(e2-", ("never-closed", "e2")),
    warning("closed in the next sentence", _miscs(
        {17: "SpaceAfter=No", 25: "Entity=e6)"}), 14, None, "over-sentences"),
    error("closed in the next document", _miscs({27: "_", 34: "Entity=e8)"}), 26, "(e8-",
          ("never-closed", "e8")),
    error("closed by another entity", change((8, "e2)", "e3)")), 8, "e3)", "not-opened"),
    error("closed with the fields", change((8, "e2)", "e2-person-3--3)")), 8, "e2-",
          "not-opened"),
    error("closed with blanks before", change((8, "e2)", " e2)")), 8, None, "not-opened"),
    error("blanks after the bracket", change((8, "e2)", "e2) ")), 8, None, ""),
    error("a closing bracket alone", change((8, "e2)", ")")), 8, ")", ""),
    error("an opening bracket alone", change((10, "(e3-person-1--1)", "(")), 10, "(", ""),
    error("empty brackets", change((10, "(e3-person-1--1)", "()")), 10, "(", ""),
    error("two opening brackets", change((10, "(e3", "((e3")), 10, "((e3", ""),
    error("two closing brackets", change((10, "--1)", "--1))")), 10, "…)", ""),
    error("brackets the wrong way round", change((10, "(e3-person-1--1)", ")e3(")), 10, ")", ""),
    error("no brackets", change((10, "(e3-person-1--1)", "e3")), 10, "e3", ""),
    error("square brackets", change((10, "(e3-person-1--1)", "[e3-person-1--1]")), 10, "[", ""),
    error("brackets of CoNLL-2012", change((10, "(e3-person-1--1)", "(e3)|(e4)")), 10, "(e4)", ""),
    error("junk after brackets", change((10, "--1)", "--1)junk")), 10, "junk", ""),
    error("junk between brackets", change((6, "(e1-", ")junk(e1-")), 6, None, ""),
    error("a comma between brackets", change((6, "(e1-", "),(e1-"), (8, "e2)", "")), 6, ",", ""),
    error("an empty Entity=", change((10, "(e3-person-1--1)", "")), 10, None, "empty-entity"),
    error("an underscore after Entity=", change((10, "(e3-person-1--1)", "_")), 10, "…_", ""),
    warning("Entity without an equals sign", change((10, "Entity=", "Entity")), 10, "Entity", ""),
    warning("Entity with a colon", change((10, "Entity=", "Entity:")), 10, "Entity", ""),
    warning("a lower-case entity=", change((10, "Entity=", "entity=")), 10, "entity", ""),
    warning("a blank before Entity=", change((10, "Entity=", " Entity=")), 10, None, "unread-item"),
    error("Entity twice in one MISC", _misc(10, "Entity=(e3-person-1--1)|Entity=(e9-person-1--1)"),
          10, None, "entity-twice"),
    error("Entity= after a blank", change((17, "Entity=e6)|SpaceAfter=No",
          "SpaceAfter=No Entity=e6)")), 14, None, "never-closed"),
    warning("Entity= after a comma", change((11, "Entity=(e4-person-1--1)|SplitAnte",
          "SpaceAfter=No,Entity=(e4-person-1--1)|SplitAnte")), 11, None, ""),
    warning("a blank inside an id", change((10, "(e3-", "(e 3-")), 11, None, "link-unknown"),
    error("no id", change((10, "(e3-", "(-")), 10, None, "no-id"),
    error("no id and no fields", change((10, "(e3-person-1--1)", "(-)")), 10, None, "no-id"),
    accepted("too many fields", change((2, "-minspan", ""), (10, "--1)", "--1-x)"))),
    accepted("last fields omitted", change((10, "--1)", ")"))),
    warning("brackets at a range", _misc(
        5, "Entity=(e9-person-1--1)"), 5, "Entity=", "misplaced"),
    error("opened at a range", _miscs({5: "Entity=(e2-person-3--3", 6: "Entity=(e1-person-1--1)"}),
          8, "e2)", "not-opened"),
    warning("brackets in another column", whole(9, LINES[8].replace("and\t_", "and\tEntity=(e9)")),
            9, "Entity=", "misplaced"),
    error("opened in another column", lambda: _joined([
        *LINES[:5], LINES[5].replace("(e2-person-3--3", "").replace("\t_\t", "\tEntity=(e2-x\t", 1),
        *LINES[6:]]), 8, "e2)", "not-opened"),
    error("an entity as a comment", lambda: _joined(
        [*LINES[:5], "#" + LINES[5], *LINES[6:]]), 7, "", ("word-number", 1, 2)),
]  # fmt: skip

PIECES = [
    error("the last piece is missing", _misc(24, "_"), 21, None, ("lacks-pieces", 2)),
    error("the last piece is missing, the column", _misc(24, "_"), 21, None, ("lacks-pieces", 2)),
    error("the first piece is missing", _miscs({21: "Entity=(e4-person-1--1)", 22: "_"}), 24,
          "e7[2/2]", ("piece-order", "missing")),
    error("a piece comes again", _misc(25, "Entity=(e7[2/2]-event-1--1)"), 25, "e7[2/2]", "piece-order"),
    error("the first piece comes again", _misc(25, "Entity=(e7[1/2]-event-1--1)"), 25, None,
          ("lacks-pieces", 2)),
    error("a wrong total", change((24, "[2/2]", "[2/3]")), 24, None, ""),
    error("a wrong total in the first piece", change((21, "[1/2]", "[1/3]"), (
        22, "[1/2]", "[1/3]")), 24, None, ""),
    error("pieces out of order", _miscs({
        21: "Entity=(e7[2/2]-event-2--2(e4-person-1--1)", 22: "Entity=e7[2/2])",
        24: "Entity=(e7[1/2]-event-2--2)"}), 21, "e7[2/2]", ("piece-order", "missing")),
    error("piece 0 of 2", _misc(25, "Entity=(e9[0/2]-event-1--1)"), 25, "e9[0/2]", ""),
    error("piece 0 of 2, then 1 and 2", change((21, "[1/2]", "[0/2]"), (22, "[1/2]", "[0/2]"), (
        24, "[2/2]", "[1/2]")), 21, "e7[0/2]", ""),
    error("piece 3 of 2", _misc(25, "Entity=(e7[3/2]-event-1--1)"), 25, "e7[3/2]", ""),
    error("piece 3 of 2 alone", _misc(25, "Entity=(e9[3/2]-event-1--1)"), 25, "e9[3/2]", "not-a-piece"),
    error("piece 1 of 0", _misc(25, "Entity=(e9[1/0]-event-1--1)"), 25, "e9[1/0]", ""),
    accepted("piece 1 of 1", change((10, "(e3-", "(e3[1/1]-"))),
    error("piece 1 of 99999", _misc(25, "Entity=(e9[1/99999]-event-1--1)"), 25, "e9[1/99999]", ""),
    error("piece 1 of a thousand", _misc(25, "Entity=(e9[1/1000]-event-1--1)"), 25, None,
          ("lacks-pieces", 1000)),
    error("piece a of b", _misc(25, "Entity=(e9[a/b]-event-1--1)"), 25, "e9[a/b]", ""),
    error("piece without a total", change((24, "[2/2]", "[2]")), 24, "e7[2]", ""),
    error("a piece with a backslash", change((24, "[2/2]", "[2\\2]")), 24, "e7[2", ""),
    error("a piece with a minus", change((24, "[2/2]", "[-2/2]")), 24, None, ""),
    error("half a bracket", change((24, "[2/2]", "[2/2")), 24, "e7[2/2", ""),
    error("closed as another piece", change((22, "e7[1/2])", "e7[2/2])")), 22, None, "other-piece"),
    accepted("closed without its piece", change((22, "e7[1/2])", "e7)"))),
    error("closed as a piece, opened as continuous", change((8, "e2)", "e2[1/2])")), 8, None, "other-piece"),
    error("a piece never closed", _misc(22, "_"), 21, "(e7[1/2]", "never-closed"),
    warning("pieces in two sentences", _miscs(
        {17: "Entity=e6)(e9[1/2]-event-1--1)|SpaceAfter=No", 25: "Entity=(e9[2/2]-event-1--1)"}), 17, None, "over-sentences"),
    error("pieces in two documents", _miscs(
        {25: "Entity=(e9[1/2]-event-1--1)", 34: "Entity=(e9[2/2]-event-1--1)"}), 34, "e9[2/2]",
        ("piece-order", "missing")),
    error("two mentions of one entity with interleaved pieces", _miscs(
        {12: "Entity=(e9[1/2]-event-1--1)", 13: "Entity=(e5-object-4--4(e9[1/2]-event-1--1)",
         15: "Entity=(e9[2/2]-event-1--1)", 16: "Entity=(e9[2/2]-event-1--1)e5)"}), 15, None, ""),
    error("a piece and a mention of one entity that cross", _miscs(
        {12: "Entity=(e9[1/2]-event-1--1", 13: "Entity=(e5-object-4--4(e9-event-1--1",
         15: "Entity=e9[1/2])", 16: "Entity=e9)e5)", 25: "Entity=(e9[2/2]-event-1--1)"}), 15, None,
        ""),
]  # fmt: skip

HEAD = ("--match", "head")
MINIMUM = ("--match", "min")
HEADS = [
    error("head 0", change((10, "-1--1", "-0--1")), 10, None, ("not-in-mention", "head", "0"), HEAD),
    error("a negative head", change((2, "-other-minspan", ""), (10, "-1--1", "--1")), 6, None, ("not-in-mention", "head"), options=('--match', 'head')),
    error("a head too large", change((10, "-1--1", "-2--1")), 10, None, ("not-in-mention", "head", "2"), HEAD),
    error("a head beyond the document", change((6, "-3--3", "-3000--3")), 6, None, ("not-in-mention", "head", "3000"), HEAD),
    error("a huge head", change((10, "-1--1", "-" + "9" * 40 + "--1")), 10, None, ("not-in-mention", "head"), HEAD),
    error("a word instead of a head", change((10, "-1--1", "-Bob--1")), 10, None, ("not-in-mention", "head", "Bob"), HEAD),
    error("two heads", change((6, "-3--3", "-1,3--3")), 6, None, ("not-in-mention", "head", "1,3"), HEAD),
    error("half a head", change((6, "-3--3", "-1.5--3")), 6, None, ("not-in-mention", "head", "1.5"), HEAD),
    error("a head too large in a discontinuous mention", change((21, "event-2", "event-4")), 21,
          None, ("not-in-mention", "head", "4"), HEAD),
    error("a head too large at a zero", change((11, "person-1", "person-2")), 11, None, ("not-in-mention", "head", "2"), HEAD),
    accepted("a head with a leading zero", change((10, "-1--1", "-01--1"))),
    accepted("no head", change((10, "-1--1", "---1"))),
    error("a minimum beyond the mention", change((10, "-1--1", "-1--7")), 10, None, ("not-in-mention", "minspan", "7"), options=('--match', 'min')),
    error("a minimum of 0", change((10, "-1--1", "-1--0")), 10, None, ("not-in-mention", "minspan", "0"), options=('--match', 'min')),
    error("a minimum that is a word", change((10, "-1--1", "-1--Bob")), 10, None, ("not-in-mention", "minspan", "Bob"), options=('--match', 'min')),
    error("a minimum with a dash", change((6, "-3--3", "-3--1-3")), 6, None, ("not-in-mention", "minspan", "1-3"), options=('--match', 'min')),
]  # fmt: skip

LINKS = [
    error("SplitAnte without <", change((11, "e2<e4,", "e2,")), 11, None, "not-a-link"),
    error("SplitAnte with >", change((11, "e2<e4,", "e2>e4,")), 11, None, "not-a-link"),
    error("SplitAnte without an antecedent", change((11, "e2<e4,", "<e4,")), 11, None, "not-a-link"),
    error("SplitAnte without an anaphor", change((11, "e2<e4,", "e2<,")), 11, None, "not-a-link"),
    error("SplitAnte with two <", change((11, "e2<e4,", "e2<e4<e5,")), 11, None, ""),
    error("an empty SplitAnte", change((11, "e2<e4,e3<e4", "")), 11, None, "not-a-link"),
    error("SplitAnte with a comma at its end", change((11, "e3<e4", "e3<e4,")), 11, None, "not-a-link"),
    error("SplitAnte with plus signs", change((11, "e2<e4,e3<e4", "e2+e3")), 11, None, "not-a-link"),
    warning("SplitAnte of an unknown antecedent", change((11, "e2<e4", "e99<e4")), 11, None, "link-unknown"),
    warning("SplitAnte of an unknown anaphor", change((11, "e2<e4", "e2<e99")), 11, None, "link-unknown"),
    error("SplitAnte of itself", change((11, "e2<e4", "e4<e4")), 11, None, "link-to-itself"),
    warning("SplitAnte in another document", change((33, "Entity", "SplitAnte=e1<e21,e2<e21|Entity")),
            33, None, "link-unknown"),
    error("Bridge without <", change((26, "e5<e8", "e5e8")), 26, None, "not-a-link"),
    error("Bridge without an anaphor", change((26, "e5<e8:part", "e5<")), 26, None, "not-a-link"),
    error("Bridge with only a relation", change((26, "e5<e8:part", "e5<:part")), 26, None, "not-a-link"),
    warning("Bridge of an unknown antecedent", change((26, "e5<e8", "e99<e8")), 26, None, "link-unknown"),
    error("Bridge of itself", change((26, "e5<e8", "e8<e8")), 26, None, "link-to-itself"),
    warning("SplitAnte at a range", _misc(5, "SplitAnte=e2<e4"), 5, "SplitAnte", "misplaced"),
    warning("SplitAnte in another column", whole(
        9, LINES[8].replace("and\t_", "and\tSplitAnte=e2<e4")), 9, None, "misplaced"),
    accepted("SplitAnte in a comment", insert(3, "# text = x\tSplitAnte=e9<e1")),
]  # fmt: skip

DOCUMENTS = [
    error("`newdoc` twice", insert(2, "# newdoc id = story/ship"), 2, "", "newdoc-twice"),
    error("the same `newdoc` twice", insert(2, LINES[0]), 2, "", "newdoc-twice"),
    warning("two documents with one name", change((29, "story/dog", "story/boat")), 29, "",
            ""),
    warning("a document without words", insert(29, "# newdoc id = empty", ""), 29, "", ""),
    warning("a document without words at the end", lambda: SOUND + "# newdoc id = empty\n\n", 48,
            "", ""),
    warning("a document of comments", insert(29, "# newdoc id = empty", "# hello", ""), 29, "", ""),
    warning("words before the first `newdoc`", drop(1), 5, None, "newdoc-late"),
    warning("`newdoc` with no id", whole(29, "# newdoc"), 29, None, "newdoc-unnamed"),
    warning("`newdoc` with an empty id", whole(29, "# newdoc id ="), 29, None, "newdoc-unnamed"),
    accepted("`newdoc` without blanks", whole(29, "#newdoc id=story/dog")),
]  # fmt: skip

BYTES = [
    error("an empty file", lambda: "", 1, "", ""),
    error("one empty line", lambda: "\n", 1, "", ""),
    error("comments only", lambda: _joined(LINES[:4]), 1, "", "no-words"),
    accepted("no newline at the end", lambda: SOUND.rstrip("\n")),
    accepted("no empty line at the end", lambda: SOUND.rstrip("\n") + "\n"),
    accepted("CR line ends", raw(lambda data: data.replace(b"\n", b"\r"))),
    warning("CR LF line ends", raw(lambda data: data.replace(b"\n", b"\r\n")), 1, "", "crlf"),
    warning("CR LF in one line", raw(lambda data: data.replace(b"e2)\n", b"e2)\r\n")), 1, None,
            "crlf"),
    error("CR in one line end", raw(lambda data: data.replace(b"_\n5\t", b"_\r5\t", 1)), 9, "", ("conllu-columns", 19)),
    error("CR before a line end", raw(lambda data: data.replace(b"e2)\n", b"e2)\r\r\n")), 8, None,
          ""),
    accepted("a byte order mark", raw(lambda data: b"\xef\xbb\xbf" + data)),
    error("two byte order marks", raw(lambda data: b"\xef\xbb\xbf" * 2 + data), 1, "", ""),
    error("a byte order mark inside", whole(9, "\ufeff" + LINES[8]), 9, "", "node-number"),
    error("UTF-16", lambda: SOUND.encode("utf-16"), 1, "", ""),
    error("UTF-16 without a mark", lambda: SOUND.encode("utf-16-le"), 1, None, ""),
    error("UTF-32", lambda: SOUND.encode("utf-32"), 1, None, ""),
    error("big-endian UTF-16 without a mark", lambda: SOUND.encode("utf-16-be"), 1, None, ""),
    error("a NUL at the start of a line", raw(lambda data: data.replace(b"\n4\tand", b"\n\0004\tand")),
          9, "", "node-number"),
    warning("a NUL in an id", raw(lambda data: data.replace(b"(e3-", b"(e\0003-")), 11, None,
            "link-unknown"),
    warning("invalid UTF-8 in a comment", raw(
        lambda data: data.replace(b"# text", b"# te\xfft", 1)), 4, None, ""),
    error("invalid UTF-8 in a number", raw(lambda data: data.replace(b"\n4\tand", b"\n\xff4\tand")),
          9, "", "node-number"),
    error("a form feed instead of an empty line", whole(18, "\f"), 18, "", "blank-line"),
    error("a form feed at the start of a line", whole(9, "\f" + LINES[8]), 9, "", "node-number"),
    error("a vertical tab instead of a tab", whole(9, LINES[8].replace("\t", "\v", 1)), 9, "", ("conllu-columns", 9)),
    error("a line separator instead of a line end", lambda: SOUND.replace("_\n5\t", "_\u20285\t", 1), 9, "",
          ("conllu-columns", 19)),
    error("cut off in the middle of a line", lambda: SOUND[: SOUND.index("4\tbone") + 12], 44, "",
          "conllu-columns"),
    error("cut off inside brackets", lambda: SOUND[: SOUND.index("(e22-object-2") + 8], 43, "(e22",
          "never-closed"),
    error("cut off after the number", lambda: SOUND[: SOUND.index("4\tbone") + 1], 44, "", ("conllu-columns", 1)),
    error("a cut-off gzip", lambda: gzip.compress(SOUND.encode(), mtime=0)[:-20], 1, "",
          ""),
    error("a damaged gzip", lambda: _flip(gzip.compress(SOUND.encode(), mtime=0), 200), 1, "",
          ""),
    error("junk after a gzip", lambda: gzip.compress(SOUND.encode(), mtime=0) + b"junk", 1, "",
          ""),
    accepted("a gzip", lambda: gzip.compress(SOUND.encode(), mtime=0)),
    accepted("two gzips", lambda: gzip.compress(SOUND[:900].encode(), mtime=0)
             + gzip.compress(SOUND[900:].encode(), mtime=0)),
    error("ten megabytes in one line", insert(9, "x" * 10_000_000), 9, "", ("conllu-columns", 1)),
    error("ten megabytes of tabs", insert(9, "\t" * 10_000_000), 9, "", "blank-line"),
    error("a megabyte of brackets", _misc(9, "Entity=" + "(" * 1_000_000), 9, None, ""),
    accepted("a comment of ten megabytes", insert(3, "# text = " + "x" * 10_000_000)),
    error("ten thousand brackets that are never closed", _misc(
        9, "Entity=" + "".join(f"(x{n}--1--" for n in range(10_000))), 9, "(x0-", "never-closed"),
    error("ten thousand brackets of one entity that are never closed", _misc(
        9, "Entity=" + "(x--1--" * 10_000), 9, "(x-", "never-closed"),
    error("ten thousand brackets that were never opened", _misc(
        9, "Entity=" + "".join(f"x{n})" for n in range(10_000))), 9, "x0)", "not-opened"),
    error("JSON instead of CoNLL-U", lambda: '{"doc_key": "a"', 1, None, ""),
    error("HTML instead of CoNLL-U", lambda: "<!DOCTYPE html>\n<html></html>\n", 1, None, ""),
]  # fmt: skip


def _flip(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]


KINDS: tuple[Kind, ...] = (
    *COLUMNS, *NUMBERS, *EMPTY_NODES, *BLANKS, *SCHEMA, *BRACKETS, *PIECES, *HEADS, *LINKS,
    *DOCUMENTS, *BYTES,
)  # fmt: skip
