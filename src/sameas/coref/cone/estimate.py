"""The estimated gold standard: names found in a text, and grouped by what they look like.

This is G^NM-approx of Lin et al. 2010, section 4: a recogniser finds the names, a matcher groups
them. It needs the words of a text and no annotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sameas.coref.cone.across import Across, AcrossGiven
from sameas.coref.cone.matcher import explain, group_names
from sameas.coref.cone.named import NO_WORDS, NamedText, Namer, Names, keep_mentions
from sameas.coref.cone.names import Name, agree_types
from sameas.coref.document import Corpus, Document, WrittenAnnotation
from sameas.coref.scoring import Input, load
from sameas.errors import InputError, Problem, UsageError

__all__ = ["estimate_document", "estimate_key", "require_words", "without_mentions"]


def estimate_key(
    text: Input,
    *,
    names: Names = "rules",
    matcher: str = "rules",
    across: AcrossGiven | None = None,
    format: str | None = None,
) -> Corpus:
    """Estimate which names of a text are the same: a key for `cone` where there is none.

    `text` is what `score` takes, and needs words only. `names` says what finds them (see `cone`;
    `annotated` takes the names that the text marks), `matcher` what groups them; `across`, a model
    that `sameas transliterate train` has learned or its file, joins names in its two scripts. Why
    two names were joined is said in `meta["joins"]` of the documents.

    >>> from sameas.coref.document import WrittenText
    >>> words = "Mr. Henry Dashwood met Mary . Dashwood left .".split()
    >>> key = estimate_key(Document("a", text=WrittenText((tuple(words),))))
    >>> [[mention.spans for mention in entity.mentions] for entity in key.documents[0].entities]
    [[((0, 2),), ((6, 6),)], [((4, 4),)]]
    >>> key.documents[0].meta["joins"]
    ["'Dashwood' joined 'Mr. Henry Dashwood': last name"]
    """
    corpus = load(text, "text", format=format)
    namer = Namer(names)
    require_words(corpus)
    if namer.name != "annotated":
        corpus = without_mentions(corpus)
    ready = None if across is None else Across.of(across)
    found = [estimate_document(document, namer, matcher, ready) for document in corpus.documents]
    return replace(corpus, documents=found)


def require_words(corpus: Corpus) -> None:
    """Refuse a text in which no document has words."""
    if any(document.text.token_count for document in corpus.documents):
        return
    for document in corpus.documents[:1]:
        message = f"document {document.name} has no words, so no names are found in it"
        path = document.origin.path or corpus.path
        raise InputError([Problem(message, path, document.origin.line, 1, NO_WORDS)])


def without_mentions(corpus: Corpus) -> Corpus:
    """The words alone."""
    documents = []
    none = np.zeros(0, dtype=np.int64)
    for document in corpus.documents:
        bare = Document.from_columns(
            document.name,
            none,
            none,
            none,
            [],
            text=document.text,
            meta=document.meta,
            origin=document.origin,
        )
        bare.unit = document.unit
        documents.append(bare)
    return replace(corpus, documents=documents)


def estimate_document(
    document: Document, namer: Namer, matcher: str = "rules", across: Across | None = None
) -> Document:
    """The names of one document, grouped by the matcher."""
    if namer.given is not None:
        raise UsageError("a matcher looks at the words of names; names that are given have none")
    text = namer.text(document)
    if namer.name == "annotated":
        return _group_mentions(document, namer, text, matcher, across)
    words = text.words
    names = agree_types(words.words, list(dict.fromkeys(text.names)))
    grouping = group_names(words.words, names, matcher, across)
    first = np.array([name.first for name in names], dtype=np.int64)
    last = np.array([name.last for name in names], dtype=np.int64)
    found = Document.from_columns(
        document.name,
        words.start(first),
        words.stop(last),
        np.array(grouping.entity, dtype=np.int64),
        _numbers(grouping.entity),
        text=document.text,
        meta={**document.meta, "joins": explain(words.words, names, grouping)},
        origin=document.origin,
    )
    found.unit = document.unit
    found.annotation = WrittenAnnotation(
        all_heads=text.nodes(found),
        all_types=[name.type for name in names],
        all_kinds=["name"] * len(names),
    )
    return found


def _group_mentions(
    document: Document, namer: Namer, text: NamedText, matcher: str, across: Across | None
) -> Document:
    """The mentions that the document says are names, grouped by the matcher."""
    if document.first is None and document.mention_count:
        raise UsageError(
            f"the mentions of document {document.name} are no pieces of a text, and a matcher "
            "looks at words"
        )
    named, _ = namer.named(document, document)
    kept = keep_mentions(document, named, text, named)
    if not kept.mention_count:
        kept.meta = {**kept.meta, "joins": []}
        return kept
    assert kept.first is not None and kept.last is not None and kept.annotation is not None
    words = text.words
    types = kept.annotation.types() or [""] * kept.mention_count
    spans = zip(words.word(kept.first).tolist(), words.word(kept.last).tolist(), types, strict=True)
    names = [Name(*name) for name in spans]
    grouping = group_names(words.words, names, matcher, across)
    kept.entity = np.array(grouping.entity, dtype=np.int64)
    kept.entity_ids = _numbers(grouping.entity)
    kept.meta = {**kept.meta, "joins": explain(words.words, names, grouping)}
    return kept


def _numbers(entity: Sequence[int]) -> list[str]:
    return [str(number) for number in range(max(entity, default=-1) + 1)]
