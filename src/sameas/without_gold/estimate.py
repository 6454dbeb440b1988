"""The estimated gold standard: names found in a text, and grouped by what they look like.

This is G^NM-approx of Lin et al. 2010, section 4: a recogniser finds the names, a matcher groups
them. It needs the words of a text and no annotation.
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
    """Estimate which names of a text are the same: a key for `cone` where there is none.

    `text` is what `score` takes, and needs words only. `names` says what finds them (see `cone`;
    `annotated` takes the names that the text marks), `matcher` what groups them; `across`, a model
    that `sameas transliterate train` has learned or its file, joins names in its two scripts. Why
    two names were joined is said in `meta["joins"]` of the documents.

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
    """What a key is estimated from: the words, with mentions only where these say what is a name.

    A text in which no document has words is refused.
    """
    if corpus.documents and not any(one.text.token_count for one in corpus.documents):
        raise no_words(corpus.documents[0], corpus.path)
    if namer.name == "annotated":
        return corpus
    return replace(corpus, documents=[_with(document) for document in corpus.documents])


def _with(document: Document, **columns: Any) -> Document:
    """The text of a document with other mentions."""
    kept = {name: getattr(document, name) for name in ("text", "meta", "origin", "unit")}
    return Document(document.name, **{**kept, **columns})


def estimate_document(
    document: Document, namer: Namer, matcher: str = "rules", across: Across | None = None
) -> Document:
    """The names of one document, grouped by the matcher."""
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
    """The mentions that the document says are names, grouped by the matcher."""
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
    """What the matcher makes of names: the entity of each, and why they were joined."""
    grouping = group_names(words.words, names, matcher, across)
    return {
        "entity": np.array(grouping.entity, dtype=np.int64),
        "entity_ids": [str(number) for number in range(max(grouping.entity, default=-1) + 1)],
        "meta": {**document.meta, "joins": explain(words.words, names, grouping)},
    }
