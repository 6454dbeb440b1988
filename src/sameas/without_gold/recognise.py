"""Find the names in a text with our rules, with spaCy, or with a caller-supplied function."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import index
from typing import Any

from sameas.errors import UsageError, how_to_install, unknown
from sameas.settings import SOURCES
from sameas.without_gold.large_words import Sentences
from sameas.without_gold.name import UNNAMED, Name
from sameas.without_gold.name_rules import find_names

__all__ = ["Recogniser", "find_names", "recogniser"]

RULES, SPACY, CALLABLE = "rules", "spacy", "function"
MODEL = "en_core_web_sm"
AT_ONCE = 20_000  # words per call of a spaCy pipeline


@dataclass(frozen=True)
class Recogniser:
    """A function that finds the names in a document, in order, as indices of words."""

    name: str  # in the signature: `rules`, `spacy:en_core_web_sm@3.8.0`, `function:mine`
    find: Callable[[Sentences, Sequence[str] | None], list[Name]] = field(repr=False)

    def __call__(self, sentences: Sentences, tags: Sequence[str] | None = None) -> list[Name]:
        """Return the names in the sentences of a document; `tags` are parts of speech, if known."""
        return self.find(sentences, tags)


def recogniser(source: str | Callable[..., Iterable[Any]]) -> Recogniser:
    """Return the recogniser of `rules`, `spacy`, `spacy:MODEL` or a caller-supplied function.

    MODEL is an installed spaCy model or a folder; `MODEL@VERSION` requires that version.

    A function takes the sentences and returns `(first, last)` or `(first, last, type)` for each
    name. Words are numbered through the document; both ends are included. A spaCy pipeline is
    accepted too.

    >>> recogniser("rules")([["I", "met", "Mr.", "Darcy", "in", "London", "."]])
    [Name(first=2, last=3, type='person'), Name(first=5, last=5, type='place')]
    >>> recogniser(lambda sentences: [(0, 1, "PER")])([["Jane", "Fairfax"]])
    [Name(first=0, last=1, type='PER')]
    """
    if isinstance(source, str):
        kind, _, model = source.partition(":")
        if kind == RULES and not model:
            return Recogniser(RULES, find_names)
        if kind == SPACY:
            return _load(model or MODEL)
        raise unknown("names", source, SOURCES)
    if hasattr(source, "pipeline") and hasattr(source, "vocab"):
        return _of_pipeline(source)
    if not callable(source):
        expected = "a name or a function"
        raise UsageError("wrong-type", what="a recogniser", expected=expected, value=source)
    name = getattr(source, "__name__", "")
    name = f"{CALLABLE}:{name}" if name.isidentifier() else CALLABLE
    return Recogniser(name, partial(_found_by_function, source))


# --- a caller-supplied function --------------------------------------------------------------


def _found_by_function(
    function: Callable[..., Iterable[Any]], sentences: Sentences, tags: object
) -> list[Name]:
    found = function(sentences)
    size = sum(map(len, sentences))
    try:
        each = iter(found)
    except TypeError:
        raise UsageError("recogniser-gives", value=found) from None
    names = {_checked(one, size) for one in each}
    return sorted(names, key=lambda name: (name.first, -name.last, name.type))


def _checked(one: Any, size: int) -> Name:
    """Return a name from the output of a function; reject names outside the document."""
    try:
        parts = (one.first, one.last, one.type) if isinstance(one, Name) else tuple(one)
        # Accepts numpy integers, but no floats, which would be rounded.
        first, last = map(index, parts[:2])
        label = parts[2] if len(parts) > 2 else ""
    except (TypeError, ValueError):
        raise UsageError("recogniser-gives", value=one) from None
    if len(parts) > 3 or isinstance(one, bytes) or not isinstance(label, str | None):
        raise UsageError("recogniser-gives", value=one)
    if first > last:
        raise UsageError("recogniser-ends", value=parts)
    if first < 0 or last >= size:
        raise UsageError("recogniser-outside", value=parts, size=size)
    return Name(first, last, label or "")


# --- spaCy -----------------------------------------------------------------------------------


def _load(model: str) -> Recogniser:
    try:
        import spacy  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise UsageError("spacy-missing", command=how_to_install("spacy")) from None
    model, _, version = model.partition("@") if not os.path.isdir(model) else (model, "", "")
    try:
        pipeline = spacy.load(model)
    except OSError:
        raise UsageError("spacy-no-model", model=model) from None
    except Exception as error:  # spaCy does not document what models of other versions raise
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise UsageError("spacy-load", model=model, reason=reason) from None
    found = _of_pipeline(pipeline)
    found_version = found.name.rpartition("@")[2]
    if version and version != found_version:
        raise UsageError("spacy-version", model=model, found=found_version, version=version)
    return found


def _of_pipeline(pipeline: Any) -> Recogniser:
    parts = (str(pipeline.meta.get(part, "")) for part in ("lang", "name", "version"))
    return Recogniser("{}:{}_{}@{}".format(SPACY, *parts), partial(_found_by_spacy, pipeline))


def _found_by_spacy(pipeline: Any, sentences: Sentences, tags: object) -> list[Name]:
    # The tokens stay unchanged: the components process an already tokenised document.
    from spacy.tokens import Doc  # type: ignore[import-not-found, unused-ignore]

    names: list[Name] = []
    before = 0
    for words, starts in _portions(sentences):
        # spaCy rejects empty words.
        document = Doc(pipeline.vocab, words=[word or " " for word in words], sent_starts=starts)
        for _, component in pipeline.pipeline:
            document = component(document)
        names.extend(
            Name(before + entity.start, before + entity.end - 1, entity.label_)
            for entity in document.ents
            if entity.label_ not in UNNAMED
        )
        before += len(words)
    return names


def _portions(sentences: Sentences) -> Iterable[tuple[list[str], list[bool | int | None]]]:
    """Yield chunks of whole sentences: the words, and whether each starts a sentence.

    Chunks limit memory, since a pipeline keeps arrays for every word.
    """
    words: list[str] = []
    starts: list[bool | int | None] = []
    for sentence in sentences:
        if words and len(words) + len(sentence) > AT_ONCE:
            yield words, starts
            words, starts = [], []
        words.extend(sentence)
        starts.extend(place == 0 for place in range(len(sentence)))
    if words:
        yield words, starts
