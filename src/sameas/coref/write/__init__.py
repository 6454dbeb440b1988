"""Documents to files. What a format cannot hold is told or refused, never bent in silence."""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from sameas.coref.document import Corpus, Document, stated_heads
from sameas.errors import InputError, Problem, UsageError, require, suggest, visible
from sameas.files import write_file, write_files

__all__ = ["ENDINGS", "WRITTEN", "losses", "save", "write"]

_BEYOND = {"ids", "types", "heads", "zeros", "pieces", "split", "bridging", "meta"}
#: The formats that can be written, and what each holds besides words, sentences and clusters.
WRITTEN: dict[str, frozenset[str]] = {
    "conll": frozenset({"words", "ids"}),
    "conllu": frozenset({"words", *_BEYOND}),
    "jsonlines": frozenset({"words", "kinds", "minima", *_BEYOND}),
    "ua": frozenset({"words", "minima", "silent", *_BEYOND} - {"heads", "meta"}),
    "brat": frozenset({"words", "types", "pieces"}),
    "csv": frozenset({"ids", "types", "kinds", "heads", "zeros", "pieces"}),
    "tsv": frozenset({"ids", "types", "kinds", "heads", "zeros", "pieces"}),
    "parquet": frozenset({"ids", "types", "kinds", "heads", "zeros", "pieces"}),
    "arrow": frozenset({"ids", "types", "kinds", "heads", "zeros", "pieces"}),
}
TABLES = ("csv", "tsv", "parquet", "arrow")
ENDINGS = {
    ".conll": "conll",
    ".v4_gold_conll": "conll",
    ".v4_auto_conll": "conll",
    ".conllu": "conllu",
    ".jsonl": "jsonlines",
    ".jsonlines": "jsonlines",
    ".conllua": "ua",
    ".ann": "brat",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
}


def write(documents: Corpus | Document | Iterable[Document], format: str) -> str:
    r"""Write documents in a format that is text in one file.

    That is `conll`, `conllu`, `jsonlines`, `ua`, `csv` or `tsv`; `save` writes the others, too.

    >>> from sameas.coref.read.jsonlines import read_jsonlines
    >>> line = b'{"doc_key": "a_0", "sentences": [["Ann", "ran"]], "clusters": [[[0, 0], [0, 1]]]}'
    >>> print(write(read_jsonlines(line), "conll").replace("\t", " "), end="")
    #begin document (a); part 000
    a 0 0 Ann (0|(0)
    a 0 1 ran 0)
    <BLANKLINE>
    #end document
    """
    found = _bytes(_documents(documents), format)
    if format in ("parquet", "arrow"):
        raise UsageError(f"{format} is not text; sameas.save writes it")
    return found.decode("utf-8", "surrogateescape")


def save(
    documents: Corpus | Document | Iterable[Document],
    path: str | os.PathLike[str],
    format: str | None = None,
) -> list[str]:
    """Write documents to a file, or brat files to a folder, and tell what is not in there.

    The format is told from the name of the file: .conll, .conllu, .jsonl, .conllua (Universal
    Anaphora), .ann (brat), .csv, .tsv, .parquet, .arrow, with .gz after it if it is to be packed.

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
        _save_brat(found, path)
        return [*notes, *_renamed(found, path)]
    data = _bytes(found, chosen)
    write_file(path, gzip.compress(data, mtime=0) if path.endswith(".gz") else data)
    return notes


def _renamed(documents: Sequence[Document], path: str) -> list[str]:
    """A note on documents whose names are not those of their files."""
    if path.lower().endswith(".ann"):
        stems = [Path(path).name[: -len(".ann")]]
    else:
        stems = [_file_name(document) for document in documents]
    others = [
        f"{document.name} is {stem}"
        for document, stem in zip(documents, stems, strict=True)
        if document.name != stem
    ]
    more = f", and {len(others) - 1} more" if len(others) > 1 else ""
    return [f"brat documents have the names of their files: {others[0]}{more}"] if others else []


def _file_name(document: Document) -> str:
    return document.name.replace("/", "_").replace("\\", "_")


def format_of(path: str) -> str:
    """The format that the name of a file tells.

    >>> format_of("key.jsonl.gz")
    'jsonlines'
    """
    ending = Path(path.removesuffix(".gz")).suffix.lower()
    if ending not in ENDINGS:
        known = ", ".join(ending for ending in ENDINGS if not ending.startswith(".v4"))
        raise UsageError(f"the name {path!r:.60} tells no format to write: end it in {known}")
    return ENDINGS[ending]


def _documents(documents: Corpus | Document | Iterable[Document]) -> list[Document]:
    if isinstance(documents, Corpus):
        return list(documents.documents)
    if isinstance(documents, Document):
        return [documents]
    require(documents, Iterable, "the documents", "a sameas.Corpus or a list of sameas.Document")
    found = list(documents)
    for document in found:
        require(document, Document, "each of the documents", "a sameas.Document")
    return found


def _bytes(documents: Sequence[Document], format: str) -> bytes:
    if not isinstance(format, str) or format not in WRITTEN:
        raise UsageError(f"cannot write {format}: {suggest(str(format), WRITTEN)}")
    if format in TABLES:
        from sameas.coref.write.table import write_table

        table = write_table(documents, format)
        return table if isinstance(table, bytes) else table.encode("utf-8", "backslashreplace")
    documents = [_in_tokens(document) for document in documents]
    if format == "ua":
        from sameas.coref.write.ua import write_ua

        return _encoded(write_ua(documents), documents, format)
    if format == "brat":
        raise UsageError("brat is two files a document; sameas.save writes it")
    if format == "conllu":
        return _encoded(_conllu(documents), documents, format)
    writer = _writer(format)
    return _encoded("".join(map(writer, documents)), documents, format)


def _encoded(text: str, documents: Sequence[Document], format: str) -> bytes:
    """The bytes of a file; halves of characters, which JSON can spell, are for JSON alone."""
    if format == "jsonlines":
        return text.encode("utf-8", "backslashreplace")  # as JSON spells them
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        _refuse_halves(documents, format)
    try:  # bytes that were not UTF-8 where they came from
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        message = f"half a character (a lone surrogate), which {format} cannot hold"
        raise InputError([Problem(message)]) from None


_HALF = re.compile("[\ud800-\udfff]")


def _refuse_halves(documents: Sequence[Document], format: str) -> None:
    for document in documents:
        if _as_read(document, format):
            continue
        place = (document.origin.path, document.origin.line, 1)
        what = "one of its other fields"
        for number, word in enumerate(document.tokens):
            if _HALF.search(word):
                place = (document.origin.path, *document.text.place(number))
                what = f"the word {visible(word)}"
                break
        else:
            if "\\ud" not in repr((document.name, list(document.entity_ids), document.meta)):
                continue
        message = f"document {document.name}: {what} has half a character (a lone surrogate)"
        hint = f"{format} cannot hold it, jsonlines can; or mend the text it was made from"
        raise InputError([Problem(message, *place, hint)])


def _conllu(documents: Sequence[Document]) -> str:
    """Ids are those of the file in CorefUD, or, where documents share some, those of each (GRP)."""
    from sameas.coref.write.conllu import write_conllu

    new = [document for document in documents if not _as_read(document, "conllu")]
    ids = [id for document in new for id in set(document.entity_ids)]
    local = len(set(ids)) < len(ids)
    return "".join(write_conllu(document, local_ids=local) for document in documents)


def _writer(format: str) -> Callable[[Document], str]:
    if format == "jsonlines":
        from sameas.coref.write.jsonlines import write_jsonlines

        return write_jsonlines
    from sameas.coref.write.conll import write_conll

    return write_conll


def _in_tokens(document: Document) -> Document:
    """A document whose spans count characters, in tokens."""
    if document.unit != "character":
        return document
    from sameas.coref.read.brat import CharacterText

    if not isinstance(document.text, CharacterText):
        raise InputError([Problem(f"document {document.name} has no text to find words in")])
    return document.text.tokenised(document)


def _save_brat(documents: Sequence[Document], path: str) -> None:
    """One document into NAME.ann and NAME.txt; several into a folder."""
    from sameas.coref.write.brat import write_brat

    single = path.lower().endswith(".ann")
    if single and len(documents) != 1:
        raise UsageError(f"brat holds one document a file, and there are {len(documents)}: "
                         "name a folder")  # fmt: skip
    written = [write_brat(document) for document in documents]
    for document, (text, _) in zip(documents, written, strict=True):
        if _HALF.search(text):  # written out, it would move every place after it
            _refuse_halves([_in_tokens(document)], "brat")
    is_new = not single and not os.path.exists(path)
    if single:
        stems = [path[: -len(".ann")]]
    else:
        names = [_file_name(document) for document in documents]
        again = next((name for name in names if names.count(name) > 1), None)
        if again is not None:
            raise UsageError(f"two documents would be written to {again}.ann")
        try:
            Path(path).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError([Problem(f"cannot be written: {error.strerror}", path)]) from None
        stems = [os.path.join(path, name) for name in names]
    contents = [
        (f"{stem}.{ending}", content)
        for stem, both in zip(stems, written, strict=True)
        for ending, content in zip(("txt", "ann"), both, strict=True)
    ]
    try:
        write_files(contents)
    except BaseException:
        if is_new:
            with suppress(OSError):
                os.rmdir(path)
        raise


def losses(documents: Sequence[Document], format: str) -> list[str]:
    """What of these documents a format cannot hold, and what becomes of it.

    >>> from sameas.coref.document import Entity, Mention, WrittenText
    >>> entity = Entity("e1", (Mention(((0, 0), (2, 2))),))
    >>> losses([Document("a", [entity], text=WrittenText((("Ann", "ran"),)))], "conll")
    ['conll cannot hold 1 discontinuous mention: written from its first to its last word']
    """
    if not isinstance(format, str) or format not in WRITTEN:
        raise UsageError(f"cannot write {format}: {suggest(str(format), WRITTEN)}")
    holds = WRITTEN[format]
    notes = []
    for what, nouns, done in _CONTENTS:
        if what in holds:
            continue
        count = sum(
            _count(document, what, format)
            for document in documents
            if not _as_read(document, format)
        )
        if count:
            noun = nouns.partition("|")
            named = f"{count} {noun[0] if count == 1 else noun[2]}"
            notes.append(f"{format} cannot hold {named}: {done if count > 1 else _one(done)}")
    if format not in (*TABLES, "brat"):
        notes += _misfits(documents)
    if format in TABLES and any(document.unit == "character" for document in documents):
        notes.append("start and end count characters here, not tokens")
    notes += _numbered_anew(documents, format)
    headless = sum(map(_headless, documents)) if format == "conllu" else 0
    if headless:
        notes.append(
            f"{headless} mention{'s have' if headless > 1 else ' has'} no known head: none is "
            "written, and matching by heads will take the first word"
        )
    return notes


def _numbered_anew(documents: Sequence[Document], format: str) -> list[str]:
    """A note on documents whose entities get other ids, because brackets cannot hold theirs."""
    if format not in ("conll", "conllu", "ua"):
        return []
    written_ids = import_module(f"sameas.coref.write.{format}").written_ids
    found = [
        id
        for document in documents
        if not _as_read(document, format)
        for id, written in zip(document.entity_ids, written_ids(document), strict=True)
        if id != written
    ]
    if not found:
        return []
    return [
        f"{format} cannot hold entity ids such as {found[0]!r:.40}: {len(found)} numbered anew, "
        "document by document, so that --scope topic and --scope corpus would join others"
    ]


def _misfits(documents: Sequence[Document]) -> list[str]:
    """Notes on mentions of characters that begin or end inside of words."""
    cut = widened = 0
    for document in documents:
        if document.unit == "character" and getattr(document.text, "raw", None) is not None:
            words, mentions = document.text.misfits(document)  # type: ignore[attr-defined]
            cut, widened = cut + words, widened + mentions
    notes = []
    if cut:
        words = (
            "1 word is cut where a mention begins or ends in it"
            if cut == 1
            else (f"{cut} words are cut where mentions begin or end in them")
        )
        notes.append(f"{words}: another file of the same text may be cut otherwise")
    if widened:
        some = "1 mention begins or ends" if widened == 1 else f"{widened} mentions begin or end"
        notes.append(f"{some} inside a token: written with the whole token")
    return notes


def _headless(document: Document) -> int:
    """How many of its mentions of several nodes will be written without a head."""
    if _as_read(document, "conllu") or document.first is None or document.last is None:
        return 0
    several = document.last > document.first
    several[[number for number, mention in document.special.items() if mention.size > 1]] = True
    heads = stated_heads(document)
    return int(several.sum() if heads is None else (several & (heads < 0)).sum())


def _one(done: str) -> str:
    return done.replace("their first to their last", "its first to its last")


_CONTENTS = (
    ("words", "document's words|documents' words", "left out"),
    ("columns", "document's other columns|documents' other columns", "left out"),
    ("meta", "document's metadata|documents' metadata", "left out"),
    ("ids", "entity id|entity ids", "numbered anew"),
    ("types", "entity type|entity types", "left out"),
    ("heads", "mention head|mention heads", "left out"),
    ("kinds", "kind of a mention|kinds of mentions", "left out"),
    ("minima", "minimum span|minimum spans", "left out"),
    ("minimum pieces", "minimum span of several pieces|minimum spans of several pieces",
     "written from their first to their last word"),
    ("pieces", "discontinuous mention|discontinuous mentions",
     "written from their first to their last word"),
    ("zeros", "zero|zeros", "left out"),
    ("inner zeros", "mention with empty nodes in it|mentions with empty nodes in them",
     "written without these"),
    ("split", "split antecedent|split antecedents", "left out"),
    ("bridging", "bridging link|bridging links", "left out"),
    ("silent", "non-referring mention|non-referring mentions", "left out"),
)  # fmt: skip


def _count(document: Document, what: str, format: str) -> int:
    """How much of it a document has."""
    said = document.annotation
    special = document.special.values()
    if what in ("types", "kinds", "minima"):
        values = getattr(said, what)() if said else None
        return sum(1 for value in values if value) if values is not None else 0
    if what == "heads":
        heads = stated_heads(document)
        return 0 if heads is None else int((heads >= 0).sum())
    if what == "columns":
        return int(_has_columns(document, format))
    if what == "ids":
        ids = list(document.entity_ids)
        return 0 if ids == [str(number) for number in range(len(ids))] else len(ids)
    counts: dict[str, Callable[[], int]] = {
        "words": lambda: int(document.text.token_count > 0),
        "meta": lambda: int(bool(document.meta)),
        "minimum pieces": lambda: (
            sum(map(_in_pieces, (said and said.minima()) or ())) if format == "ua" else 0
        ),
        "pieces": lambda: sum(len(mention.spans) > 1 for mention in special),
        "zeros": lambda: sum(not mention.spans for mention in special),
        "inner zeros": lambda: (
            0
            if "zeros" in WRITTEN[format]
            else sum(bool(mention.spans and mention.zeros) for mention in special)
        ),
        "split": lambda: len(document.split_antecedents),
        "bridging": lambda: len(document.bridging),
        "silent": lambda: len(document.non_referring),
    }
    return counts[what]()


def _in_pieces(minimum: Sequence[int]) -> bool:
    """Whether a minimum span has gaps between its words."""
    words = {place >> 16 for place in minimum if not place & 0xFFFF}
    return bool(words) and len(words) <= max(words) - min(words)


def _as_read(document: Document, format: str) -> bool:
    """Whether the document came in this format, and keeps what it came with."""
    return getattr(document.text, "written_as", "") == format


def _has_columns(document: Document, format: str) -> bool:
    """Whether the file had other columns than words, and this format loses them."""
    if _as_read(document, "conllu") or _as_read(document, "ua"):
        return format != "ua"
    rows = document.text.rows() if format != "conll" else None
    return bool(rows) and any(len(row) > 4 for sentence in rows or () for row in sentence)
