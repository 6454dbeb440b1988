"""Estimate a gold standard: find the names in a text, and group them by their form.

This is G^NM-approx of Lin et al. 2010, section 4: a recogniser finds the names, and a matcher
groups them. It needs the words of a text, but no annotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sameas.documents.document import Annotation, Corpus, Document
from sameas.documents.mentions import columns_of
from sameas.errors import UsageError
from sameas.run.inputs import Input, load
from sameas.settings import Matcher
from sameas.without_gold.across import Across, AcrossGiven
from sameas.without_gold.matcher import explain, group_names
from sameas.without_gold.name import Name, agree_types
from sameas.without_gold.named import NamedText, Namer, Names, keep_mentions, no_words
from sameas.without_gold.text_words import TextWords

__all__ = ["estimate_document", "estimate_key", "text_of"]


def estimate_key(
    text: Input,
    *,
    names: Names = "rules",
    matcher: Matcher = "rules",
    across: AcrossGiven | None = None,
    format: str | None = None,
) -> Corpus:
    """Estimate a key for `cone`: find the names in a text and group those of the same entity.

    Parameters
    ----------
    text
        A text, in any form that `score` accepts; only its words are needed.
    names
        How to find names, as for `cone`; `annotated` uses the names that the text marks.
    matcher
        How to group names: `rules`, `paper` or `exact`.
    across
        A transliteration model (`sameas transliterate train`) or its file; joins names in its two
        scripts.
    format
        As for `score`.

    Returns
    -------
    Corpus
        The names as entities; `meta["joins"]` of each document gives the reasons for joining names.

    Raises
    ------
    InputError
        When the text has no words.

    Examples
    --------
    >>> from sameas.documents.document import WrittenText
    >>> words = "Mr. Henry Dashwood met Mary . Dashwood left .".split()
    >>> key = estimate_key(Document("a", text=WrittenText((tuple(words),))))
    >>> [[mention.spans for mention in entity.mentions] for entity in key.documents[0].entities]
    [[((0, 2),), ((6, 6),)], [((4, 4),)]]
    >>> print(*key.documents[0].meta["joins"])
    'Dashwood' joined 'Mr. Henry Dashwood': last name
    """
    corpus = load(text, "text", format=format)
    namer = Namer(names)
    corpus = text_of(corpus, namer)
    ready = None if across is None else Across.of(across)
    found = [estimate_document(document, namer, matcher, ready) for document in corpus.documents]
    return replace(corpus, documents=found)


def text_of(corpus: Corpus, namer: Namer) -> Corpus:
    """Return the text to estimate a key from, with mentions only if they mark the names.

    Reject a text without words.
    """
    if corpus.documents and not any(one.text.token_count for one in corpus.documents):
        raise no_words(corpus.documents[0], corpus.path)
    if namer.name == "annotated":
        return corpus
    return replace(corpus, documents=[_with(document) for document in corpus.documents])


def _with(document: Document, **columns: Any) -> Document:
    """Return a document with the same text and other mentions."""
    kept = {name: getattr(document, name) for name in ("text", "meta", "origin", "unit")}
    return Document(document.name, **{**kept, **columns})


def estimate_document(
    document: Document, namer: Namer, matcher: str = "rules", across: Across | None = None
) -> Document:
    """Return a document whose entities are its names, grouped by the matcher."""
    if namer.given is not None:
        raise UsageError("names-given")
    text = namer.text(document)
    if namer.name == "annotated":
        return _group_mentions(document, namer, text, matcher, across)
    words = text.words
    names = agree_types(words.words, list(dict.fromkeys(text.names)))
    first, last = columns_of([(name.first, name.last) for name in names])
    grouped = _grouped(document, words, names, matcher, across)
    found = _with(document, first=words.start(first), last=words.stop(last), **grouped)
    annotation = Annotation(
        all_heads=text.nodes(found),
        all_types=[name.type for name in names],
        all_kinds=["name"] * len(names),
    )
    return replace(found, annotation=annotation)


def _group_mentions(
    document: Document, namer: Namer, text: NamedText, matcher: str, across: Across | None
) -> Document:
    """Return a document whose entities are its annotated names, grouped by the matcher."""
    if document.first is None and document.mention_count:
        raise UsageError("names-not-in-text", document=document.name, how="matcher")
    named, _ = namer.named(document, document)
    kept = keep_mentions(document, named, text, named)
    if not kept.mention_count:
        return replace(kept, meta={**kept.meta, "joins": []})
    assert kept.first is not None and kept.last is not None and kept.annotation is not None
    words = text.words
    types = kept.annotation.types() or [""] * kept.mention_count
    spans = zip(words.word(kept.first).tolist(), words.word(kept.last).tolist(), types, strict=True)
    names = [Name(*name) for name in spans]
    return replace(kept, **_grouped(kept, words, names, matcher, across))


def _grouped(
    document: Document, words: TextWords, names: Sequence[Name], matcher: str, across: Across | None
) -> dict[str, Any]:
    """Return the entity of each name, and the reasons for joining them, as fields of a document."""
    grouping = group_names(words.words, names, matcher, across)
    return {
        "entity": np.array(grouping.entity, dtype=np.int64),
        "entity_ids": [str(number) for number in range(max(grouping.entity, default=-1) + 1)],
        "meta": {**document.meta, "joins": explain(words.words, names, grouping)},
    }
