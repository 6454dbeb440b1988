"""Write documents; report or reject what a format cannot represent, never alter it silently."""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path

from sameas.documents.document import Corpus, Document, check_columns, stated_heads
from sameas.documents.records import hold_records
from sameas.errors import InputError, Problem, UsageError, require, unknown, visible
from sameas.files import write_file, write_files
from sameas.formats.declarations import FORMATS, TABLES, WRITTEN
from sameas.formats.nodes import cannot
from sameas.notes import Note

__all__ = ["losses", "save", "write"]


def write(documents: Corpus | Document | Iterable[Document], format: str) -> str:
    r"""Return documents as text, in a format that consists of one text file.

    Use `save` for the other formats, for files, and for notes on what a format cannot
    represent.

    Parameters
    ----------
    documents
        A corpus, a document, or several documents.
    format
        `"conll"`, `"conllu"`, `"jsonlines"`, `"ua"`, `"csv"` or `"tsv"`.

    Returns
    -------
    str
        The content of the file.

    Raises
    ------
    InputError
        When the format cannot represent a document: CoNLL, for example, requires a text.

    Examples
    --------
    >>> from sameas.formats.jsonlines.read import read_jsonlines
    >>> line = b'{"doc_key": "a_0", "sentences": [["Ann", "ran"]], "clusters": [[[0, 0], [0, 1]]]}'
    >>> print(write(read_jsonlines(line), "conll").replace("\t", " "), end="")
    #begin document (a); part 000
    a 0 0 Ann (0|(0)
    a 0 1 ran 0)
    <BLANKLINE>
    #end document
    """
    found = _bytes(_documents(documents), format)
    if not FORMATS[format].is_text:
        raise UsageError("write-bytes", format=format)
    return found.decode("utf-8", "surrogateescape")


def save(
    documents: Corpus | Document | Iterable[Document],
    path: str | os.PathLike[str],
    format: str | None = None,
) -> list[Note]:
    """Write documents to a file, or to a folder of brat files, and report what is lost.

    Parameters
    ----------
    documents
        A corpus, a document, or several documents.
    path
        The file to write. Its extension selects the format: .conll, .conllu, .jsonl, .conllua
        (Universal Anaphora), .ann (brat), .csv, .tsv, .parquet or .arrow. A further .gz
        compresses the file. Several documents in brat need a folder.
    format
        The name of the format, such as `"jsonlines"`; by default, the extension selects it.

    Returns
    -------
    list of Note
        What the format cannot represent, and what happens to it.

    Raises
    ------
    InputError
        When the format cannot represent a document, or the file cannot be written.
    UsageError
        When the extension and `format` select no format.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(Document.from_clusters("a", [["x", "y"]]), f"{folder}/a.csv")
    []
    """
    require(path, (str, os.PathLike), "the path", "a path")
    path = os.fspath(path)
    chosen = format or format_of(path)
    found = _documents(documents)
    notes = losses(found, chosen)
    if chosen == "brat":
        return [*notes, *_renamed(found, _save_brat(found, path))]
    data = _bytes(found, chosen)
    write_file(path, gzip.compress(data, mtime=0) if path.endswith(".gz") else data)
    return notes


def _renamed(documents: Sequence[Document], stems: Sequence[str]) -> list[Note]:
    """Return a note on documents whose names differ from those of their files."""
    names = [document.name for document in documents]
    others = [pair for pair in zip(names, stems, strict=True) if pair[0] != pair[1]]
    if not others:
        return []
    more, (name, stem) = len(others) - 1, others[0]
    how = "several" if more else "one"
    return [Note("brat-names", count=len(others), names=[name], stem=stem, more=more, how=how)]


def format_of(path: str, how: str = "") -> str:
    """Return the format for a file name; `how` is the variant of the error.

    >>> format_of("key.jsonl.gz")
    'jsonlines'
    """
    ending = Path(path.removesuffix(".gz")).suffix.lower()
    for name in WRITTEN:
        if ending in FORMATS[name].endings:
            return name
    known = [FORMATS[name].endings[0] for name in WRITTEN]
    raise UsageError("no-ending", how=how, path=path, known=known)


def _documents(documents: Corpus | Document | Iterable[Document]) -> list[Document]:
    if isinstance(documents, Corpus):
        return list(documents.documents)
    if isinstance(documents, Document):
        documents = [documents]
    require(documents, Iterable, "the documents", "a sameas.Corpus or a list of sameas.Document")
    found = list(documents)
    for document in found:
        require(document, Document, "each of the documents", "a sameas.Document")
        check_columns(document)
    return found


def _bytes(documents: Sequence[Document], format: str) -> bytes:
    _check_format(format)
    if format in TABLES:
        from sameas.formats.table.write import write_table

        table = write_table(documents, format)
        return table if isinstance(table, bytes) else table.encode("utf-8", "backslashreplace")
    if format == "brat":
        raise UsageError("write-bytes", format=format, how="files")
    documents = [_in_tokens(document) for document in documents]
    writer = getattr(import_module(f"sameas.formats.{format}.write"), f"write_{format}")
    return _encoded(writer(documents), documents, format)


def _check_format(format: str) -> None:
    if not isinstance(format, str) or format not in WRITTEN:
        raise unknown("output format", format, WRITTEN)


def _encoded(text: str, documents: Sequence[Document], format: str) -> bytes:
    """Encode the text of a file; only JSON can represent lone surrogates, by escaping them."""
    if format == "jsonlines":
        return text.encode("utf-8", "backslashreplace")  # JSON's escapes
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        _refuse_surrogates(documents, format)
    try:  # bytes that were not UTF-8 in the input
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise InputError([Problem("write-half", format=format, how="file")]) from None


_SURROGATE = re.compile("[\ud800-\udfff]")


def _refuse_surrogates(documents: Sequence[Document], format: str) -> None:
    for document in documents:
        if document.was_read_as(format):
            continue
        place = document.origin.place()
        values = {"document": document.name, "format": format, "how": "field"}
        for number, word in enumerate(document.tokens):
            if _SURROGATE.search(word):
                place = (document.origin.path, *document.text.place(number))
                values |= {"word": visible(word), "how": "word"}
                break
        else:
            if "\\ud" not in repr((document.name, list(document.entity_ids), document.meta)):
                continue
        raise InputError([Problem("write-half", *place, values=values)])


def _in_tokens(document: Document) -> Document:
    """Convert a document from characters to tokens if its spans count characters."""
    if document.unit != "character":
        return document
    from sameas.formats.brat.text import CharacterText

    if not isinstance(document.text, CharacterText):
        raise cannot(document, "write-no-text")
    return document.text.tokenised(document)


def _save_brat(documents: Sequence[Document], path: str) -> list[str]:
    """Write one document as NAME.ann and NAME.txt, or several to a folder; return their NAMEs."""
    from sameas.formats.brat.write import write_brat

    single = not in_folder(path, "brat")
    if single and len(documents) != 1:
        raise UsageError("brat-one-file", count=len(documents))
    written = [write_brat(document) for document in documents]
    for document, (text, _) in zip(documents, written, strict=True):
        if _SURROGATE.search(text):  # an escape would shift every offset after it
            _refuse_surrogates([_in_tokens(document)], "brat")
    folder, stems = path, [re.sub(r"[/\\]", "_", document.name) for document in documents]
    if single:
        folder, name = os.path.split(path)
        stems = [name[: -len(".ann")]]
    again = next((stem for stem in stems if stems.count(stem) > 1), None)
    if again is not None:
        raise UsageError("brat-same-file", name=again)
    contents = [
        (os.path.join(folder, f"{stem}.{ending}"), content)
        for stem, both in zip(stems, written, strict=True)
        for ending, content in zip(("txt", "ann"), both, strict=True)
    ]
    write_files(contents, folder=None if single else path)
    return stems


def in_folder(path: str, format: str) -> bool:
    """Return whether documents in a format are written to a folder of this name, not to a file.

    >>> in_folder("corpus", "brat"), in_folder("a.ann", "brat"), in_folder("a.csv", "csv")
    (True, False, False)
    """
    return format == "brat" and not path.lower().endswith(".ann")


def losses(documents: Sequence[Document], format: str) -> list[Note]:
    """Return notes on the parts of documents that a format would lose or change, and how.

    >>> from sameas.documents.document import Entity, Mention, WrittenText
    >>> entity = Entity("e1", (Mention(((0, 0), (2, 2))),))
    >>> print(*losses([Document("a", [entity], text=WrittenText((("Ann", "ran"),)))], "conll"))
    conll cannot hold 1 discontinuous mention: written from its first to its last word
    """
    _check_format(format)
    new = [document for document in documents if not document.was_read_as(format)]
    notes = [
        Note("cannot-hold", count=sum(counted(d, format) for d in new), format=format, how=what)
        for what, counted in _CONTENTS.items()
        if what not in WRITTEN[format]
    ]
    if format not in (*TABLES, "brat"):
        notes += _misfits(documents)
    notes = [note for note in notes if note.count]
    if format in TABLES and any(document.unit == "character" for document in documents):
        notes.append(Note("counts-characters"))
    notes += _numbered_anew(new, format)
    headless = sum(map(_headless, new)) if format == "conllu" else 0
    notes += [Note("write-headless", count=headless)] * bool(headless)
    return [note.of_records() for note in notes] if hold_records(documents) else notes


def _numbered_anew(documents: Sequence[Document], format: str) -> list[Note]:
    """Return a note on entities that get new ids because brackets cannot represent theirs."""
    if format not in ("conll", "conllu", "ua"):
        return []
    written_ids = import_module(f"sameas.formats.{format}.write").written_ids
    found = [
        id
        for document in documents
        for id, written in zip(document.entity_ids, written_ids(document), strict=True)
        if id != written
    ]
    return [Note("ids-anew", count=len(found), names=found[:1], format=format)] if found else []


def _misfits(documents: Sequence[Document]) -> list[Note]:
    """Return notes on character spans that begin or end inside words."""
    found = [
        document.text.misfits(document)  # type: ignore[attr-defined]
        for document in documents
        if document.unit == "character" and getattr(document.text, "raw", None) is not None
    ]
    cut, widened = (sum(counts) for counts in zip(*found, strict=True)) if found else (0, 0)
    return [Note("words-cut", count=cut), Note("mentions-widened", count=widened)]


def _headless(document: Document) -> int:
    """Return how many multi-node mentions are written without a head."""
    if document.first is None or document.last is None:
        return 0
    several = document.last > document.first
    several[[number for number, mention in document.special.items() if mention.size > 1]] = True
    heads = stated_heads(document)
    return int(several.sum() if heads is None else (several & (heads < 0)).sum())


def _annotated(what: str) -> Callable[[Document, str], int]:
    """Return a function that counts the mentions in a document that have this annotation."""
    return lambda document, _: sum(map(bool, getattr(document.details, what)() or ()))


def _heads(document: Document, _: str) -> int:
    heads = stated_heads(document)
    return 0 if heads is None else int((heads >= 0).sum())


def _ids(document: Document, _: str) -> int:
    ids = list(document.entity_ids)
    return 0 if ids == [str(number) for number in range(len(ids))] else len(ids)


def _minimum_pieces(document: Document, format: str) -> int:
    minima = document.details.minima() or ()
    return sum(map(_in_pieces, minima)) if format == "ua" else 0


#: Contents that some formats cannot represent, in the order of the notes, and how to count them
#: in a document.
_CONTENTS: dict[str, Callable[[Document, str], int]] = {
    "words": lambda document, _: int(document.text.token_count > 0),
    "columns": lambda document, format: int(_has_columns(document, format)),
    "meta": lambda document, _: int(bool(document.meta)),
    "ids": _ids,
    "types": _annotated("types"),
    "heads": _heads,
    "kinds": _annotated("kinds"),
    "minima": _annotated("minima"),
    "minimum-pieces": _minimum_pieces,
    "pieces": lambda document, _: sum(len(m.spans) > 1 for m in document.special.values()),
    "zeros": lambda document, _: sum(not m.spans for m in document.special.values()),
    "inner-zeros": lambda document, format: (
        "zeros" not in WRITTEN[format]
        and sum(bool(m.spans and m.zeros) for m in document.special.values())
    ),
    "split": lambda document, _: len(document.split_antecedents),
    "bridging": lambda document, _: len(document.bridging),
    "silent": lambda document, _: len(document.non_referring),
}


def _in_pieces(minimum: Sequence[int]) -> bool:
    """Return whether a minimum span has gaps between its words."""
    words = {place >> 16 for place in minimum if not place & 0xFFFF}
    return bool(words) and len(words) <= max(words) - min(words)


def _has_columns(document: Document, format: str) -> bool:
    """Return whether the document's file has columns, other than words, that this format loses."""
    if document.was_read_as("conllu") or document.was_read_as("ua"):
        return format != "ua"
    rows = document.text.rows() if format != "conll" else None
    return bool(rows) and any(len(row) > 4 for sentence in rows or () for row in sentence)
