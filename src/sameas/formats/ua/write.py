"""Write documents as Universal Anaphora files ("exploded" CoNLL-U-Plus).

A document that was read from such a file keeps its lines; only the cells of IDENTITY are
rewritten. Other documents get the fifteen usual columns, separated by tabs; if the document was
read from CoNLL-U, ten of them are copied. Closing brackets have no names, as in most files, unless
mentions cross.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

from sameas.documents.document import Document
from sameas.documents.mentions import INITIAL, Mention, Span, adjacent_word, node
from sameas.formats.conllu.text import ConlluText
from sameas.formats.nodes import Brackets, cannot, first_crossing, ids_or_numbers, mention_objects
from sameas.formats.ua.read import GLOBAL, NEWDOC
from sameas.formats.ua.text import COLUMNS, UaAnnotation, UaText, find_cells

__all__ = ["write_ua"]

_WRONG_ID = re.compile(r"[()|=,@\s]|[-_]pseudo$", re.IGNORECASE)
_WRONG_VALUE = re.compile(r"[()|=@\s]")


def write_ua(documents: Sequence[Document]) -> str:
    r"""Write documents as a Universal Anaphora file.

    >>> from sameas.documents.document import Entity, WrittenText
    >>> entity = Entity("e1", (Mention.at(0, 1),))
    >>> text = write_ua([Document("a", [entity], text=WrittenText((("Ann", "Lee", "ran"),)))])
    >>> print(text.replace("\t", " "), end="")  # doctest: +ELLIPSIS
    # global.columns = ID FORM LEMMA ... IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM
    # newdoc id = a
    # sent_id = a-1
    # text = Ann Lee ran
    1 Ann _ _ _ _ _ _ _ _ (EntityID=e1|MarkableID=markable_1 _ _ _ _
    2 Lee _ _ _ _ _ _ _ _ ) _ _ _ _
    3 ran _ _ _ _ _ _ _ _ _ _ _ _ _
    <BLANKLINE>
    """
    lines: list[str] = []
    columns: Sequence[str] = COLUMNS
    for document in documents:
        text = document.text
        if isinstance(text, UaText):
            # Its file may name the document and the columns in other lines, or not at all.
            if lines and not any(map(NEWDOC.match, text.lines)):
                lines.append(f"# newdoc id = {_checked_name(document)}")
            if text.columns != tuple(columns) and not any(map(GLOBAL.match, text.lines)):
                lines.append("# global.columns = " + " ".join(text.columns))
            columns = text.columns
        else:
            columns = COLUMNS
        lines.extend(_lines(document))
    return "".join(line + "\n" for line in lines)


def _lines(document: Document) -> list[str]:
    mentions, silent = _mentions(document)
    kept, text = document.annotation, document.text
    if (
        isinstance(kept, UaAnnotation)
        and isinstance(text, UaText)
        and len(kept.attributes) == len(mentions)
        and len(kept.non_referring) == len(silent)
    ):
        pieces = map(_pieces, [*mentions, *silent])
        texts = [*kept.attributes, *kept.non_referring]
        identity = _cells(zip(pieces, texts, strict=True), text.named)
        return _kept_lines(document, text, {"IDENTITY": identity})
    marked = _Marked(document, mentions, silent)
    columns = {
        "IDENTITY": _cells(marked.written, isinstance(text, UaText) and text.named),
        "BRIDGING": marked.bridging(),
        "NOM_SEM": marked.types(),
    }
    if isinstance(text, UaText):
        return _kept_lines(document, text, columns)
    zeros = {place for place in columns["IDENTITY"] if place & 0xFFFF}
    lines = ["# global.columns = " + " ".join(COLUMNS), f"# newdoc id = {_checked_name(document)}"]
    written = [columns.get(name, {}) for name in COLUMNS[10:]]
    sentences = list(_sentences(document, zeros))
    _require_nodes(document, zeros, {place for _, nodes in sentences for place, _ in nodes})
    for comments, nodes in sentences:
        lines.extend(comments)
        for place, row in nodes:
            word, zero = place >> 16, place & 0xFFFF
            id = f"{word}.{zero % INITIAL}" if zero else str(word)
            lines.append("\t".join([id, *row, *(cells.get(place, "_") for cells in written)]))
        lines.append("")
    return lines


def _mentions(document: Document) -> tuple[list[Mention], list[Mention]]:
    """Return the mentions of entities and those that do not refer; all must be in the text."""
    count = document.text.token_count
    mentions = mention_objects(document)
    silent: list[Any] = list(document.non_referring)
    silent = [one if isinstance(one, Mention) else Mention((one,)) for one in silent]
    for mention in (*mentions, *silent):
        if not mention.size:
            raise cannot(document, "write-no-places")
        if not all(0 <= first <= last < count for first, last in mention.spans) or not all(
            0 <= before <= count for before, _ in mention.zeros
        ):
            raise cannot(document, "write-outside", count=count, unit=document.unit)
    return mentions, silent


def _require_nodes(document: Document, needed: Set[int], written: Set[int]) -> None:
    """Reject a document with mentions of empty nodes that have no line."""
    if not needed <= written:
        raise cannot(document, "write-node-outside")


def _pieces(mention: Mention) -> tuple[Span, ...]:
    words = ((node(first), node(last)) for first, last in mention.spans)
    return tuple(sorted([*words, *((node(zero), node(zero)) for zero in mention.zeros)]))


def written_ids(document: Document) -> list[str]:
    """Return the ids of the entities if this format can represent all of them, else numbers."""
    fits = (lambda id: id and not _WRONG_ID.search(id), lambda number: str(number + 1))
    return ids_or_numbers(document, *fits)


class _Marked:
    """The mentions of a document with attributes made from its annotation."""

    def __init__(self, document: Document, mentions: list[Mention], silent: list[Mention]) -> None:
        self.document = document
        ids = written_ids(document)
        self.ids = dict(zip(document.entity_ids, ids, strict=True))
        entity = [ids[number] for number in document.entity.tolist()]
        pseudo = [f"{number}-Pseudo" for number in range(1, len(silent) + 1)]
        self.pieces = [_pieces(mention) for mention in [*mentions, *silent]]
        order = sorted(range(len(self.pieces)), key=lambda n: _by_place(self.pieces[n]))
        self.markable: dict[int, str] = {}
        self.first: dict[str, int] = {}  # the first mention of each entity in the text
        for place, number in enumerate(order, start=1):
            self.markable[number] = f"markable_{place}"
            if number < len(mentions):
                self.first.setdefault(entity[number], number)
        minima = self._minima()
        elements = self._elements()
        self.written: list[_Written] = []
        for number, id in enumerate([*entity, *pseudo]):
            text = f"EntityID={id}|MarkableID={self.markable[number]}{minima.get(number, '')}"
            whole = elements.get(number)
            last = f"|ElementOf={','.join(whole)}" if whole else ""
            self.written.append((self.pieces[number], (text + last,)))

    def _minima(self) -> dict[int, str]:
        """Return `|Min=…` for each mention with a minimum, without zeros, which have no number."""
        found = {}
        for number, nodes in enumerate(self.document.details.minima() or ()):
            words = sorted(place >> 16 for place in nodes if not place & 0xFFFF)
            if words:
                low, high = words[0], words[-1]
                found[number] = f"|Min={low}" if low == high else f"|Min={low},{high}"
        return found

    def _elements(self) -> dict[int, list[str]]:
        """Map the first mention of each entity to the split antecedents that contain the entity."""
        found: dict[int, list[str]] = defaultdict(list)
        for whole, parts in self.document.split_antecedents.items():
            for part in parts:
                if part in self.ids and whole in self.ids:  # drop links to unknown entities
                    found[self.first[self.ids[part]]].append(self.ids[whole])
        return found

    def bridging(self) -> dict[int, str]:
        """Return the cells of BRIDGING, which link the first mentions of anaphor and antecedent."""
        found: dict[int, str] = defaultdict(str)
        for link in self.document.bridging:
            if link.anaphor not in self.ids or link.antecedent not in self.ids:
                continue  # a link to an unknown entity
            anaphor, id = self.first[self.ids[link.anaphor]], self.ids[link.antecedent]
            if _WRONG_VALUE.search(link.relation):
                raise cannot(self.document, "write-relation", relation=link.relation, format="ua")
            relation = f"|Rel={link.relation}" if link.relation else ""
            anchor = f"|MentionAnchor={self.markable[self.first[id]]}|EntityAnchor={id}"
            place = self.pieces[anaphor][0][0]
            found[place] += f"(MarkableID={self.markable[anaphor]}{relation}{anchor})"
        return found

    def types(self) -> dict[int, str]:
        """Return the cells of NOM_SEM: the type of each mention's entity."""
        found: dict[int, str] = defaultdict(str)
        for number, type in enumerate(self.document.details.types() or ()):
            if type:
                value = _WRONG_VALUE.sub("_", type)
                text = f"(MarkableID={self.markable[number]}|Entity_Type={value})"
                found[self.pieces[number][0][0]] += text
        return found


#: First and last node of each piece of a mention, and the texts that open the pieces; the last
#: text is used for all further pieces.
_Written = tuple[tuple[Span, ...], tuple[str, ...]]


def _cells(mentions: Iterable[_Written], named: bool) -> dict[int, str]:
    """Return the cells of IDENTITY: closings, openings (longest first), one-node mentions."""
    pieces = [
        (first, last, texts[min(number, len(texts) - 1)])
        for spans, texts in sorted(mentions, key=lambda mention: _by_place(mention[0]))
        for number, (first, last) in enumerate(spans)
    ]
    # Crossing mentions need names. A mention that ends at a node does not cross one that begins
    # there, because closings precede openings.
    spans = [(first, last - 1) for first, last, _ in pieces if first < last]
    named = named or first_crossing(spans) is not None
    brackets = Brackets()
    for first, last, text in pieces:
        found = re.search(r"(?:^|\|)MarkableID=([^|]*)", text)
        id = found[1] if found else ""
        brackets.add(first, last, text, id if named else "", id)
    return brackets.cells(lambda opening, whole, closing: "".join([*closing, *opening, *whole]))


def _by_place(pieces: Sequence[Span]) -> Span:
    return pieces[0][0], -pieces[0][1]


def _kept_lines(
    document: Document, text: UaText, columns: Mapping[str, Mapping[int, str]]
) -> list[str]:
    """Return the lines of a file, with some columns replaced."""
    lines, nodes = list(text.lines), text.nodes
    _require_nodes(document, columns["IDENTITY"].keys(), nodes.keys())
    for place, line in nodes.items():
        for name, cells in columns.items():
            if name in text.columns:
                cell = cells.get(place, "_")
                if cell == "_" and ")" not in lines[line] and "(" not in lines[line]:
                    continue  # the line had no annotation
                lines[line] = _with_cell(lines[line], text.columns.index(name), cell, text.columns)
    return lines


def _with_cell(line: str, place: int, cell: str, columns: Sequence[str]) -> str:
    found = find_cells(line, len(columns))
    if place >= len(found):
        missing = place - len(found)
        return line if cell == "_" else line + "\t_" * missing + "\t" + cell
    low, high = found[place]
    if line[low:high].strip(" ") in (cell, "" if cell == "_" else cell):
        return line
    return line[:low] + cell + line[high:]


def _checked_name(document: Document) -> str:
    found = NEWDOC.fullmatch(f"# newdoc id = {document.name}")
    if not document.name or not found or found[1].strip() != document.name or "\r" in document.name:
        raise cannot(document, "write-name", format="ua")
    return document.name


_Sentence = tuple[list[str], list[tuple[int, list[str]]]]  # comments; nodes and nine columns


def _sentences(document: Document, zeros: set[int]) -> Iterator[_Sentence]:
    if isinstance(document.text, ConlluText):
        yield from _conllu_sentences(document.text)
        return
    near: dict[int, set[int]] = defaultdict(set)  # zeros, by the word before (after, if initial)
    for zero in zeros:
        # Zeros are numbered by their order, so those before this one must be written as well.
        near[adjacent_word(zero)] |= {zero - n for n in range((zero & 0xFFFF) % INITIAL)}
    word = 0
    for number, sentence in enumerate(document.sentences, start=1):
        if not sentence:
            raise cannot(document, "write-empty-sentence", number=number, format="ua")
        nodes = []
        for form in sentence:
            if not form or form != form.strip(" ") or re.search(r"[\t\r\n]", form):
                raise cannot(document, "write-word", word=form, format="ua")
            nodes.append((node(word), [form] + ["_"] * 8))
            nodes.extend((zero, ["_"] * 9) for zero in near[word])
            word += 1
        comments = [f"# sent_id = {document.name}-{number}", f"# text = {' '.join(sentence)}"]
        yield comments, sorted(nodes)


def _conllu_sentences(text: ConlluText) -> Iterator[_Sentence]:
    """Yield the sentences of a CoNLL-U file, without its coreference and its word ranges."""
    comments: list[str] = []
    nodes: list[tuple[int, list[str]]] = []
    for number, line in enumerate([*text.lines, b""], start=text.start):
        written = line.decode("utf-8", "backslashreplace")
        place = text.nodes.get(number)
        if place is not None:
            row = written.split("\t")[1:10]
            misc = [
                part
                for part in row[8].split("|")
                if part.partition("=")[0] not in ("Entity", "Bridge", "SplitAnte", "Split")
            ]
            nodes.append((place, [cell.strip(" ") or "_" for cell in [*row[:8], "|".join(misc)]]))
        elif written.startswith("#"):
            if not re.match(r"#\s*(newdoc|global\.)", written):
                comments.append(written)
        elif not written and nodes:
            yield comments, nodes
            comments, nodes = [], []
