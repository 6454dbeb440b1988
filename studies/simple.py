"""A simple coreference system that shares nothing with the estimated key."""

from __future__ import annotations

from sameas.documents.document import Document, Entity, Mention

__all__ = ["resolve"]

_PRONOUNS = frozenset(("he", "him", "his", "she", "her", "hers", "they", "them", "their"))


def resolve(document: Document) -> Document:
    """Resolve runs of capitalised words, which corefer if they are the same string.

    A word at the start of a sentence counts only if it is also capitalised inside a sentence.
    Third-person pronouns join the latest run.
    """
    inside = {
        word
        for sentence in document.sentences
        for word in sentence[1:]
        if word[:1].isupper() and word != "I"
    }
    groups: dict[str, list[Mention]] = {}
    latest = ""
    number = 0
    for sentence in document.sentences:
        start = 0
        while start < len(sentence):
            stop = start
            while stop < len(sentence) and sentence[stop] in inside:
                stop += 1
            if stop > start:
                latest = " ".join(sentence[start:stop]).lower()
                groups.setdefault(latest, []).append(Mention.at(number + start, number + stop - 1))
            elif latest and sentence[start].lower() in _PRONOUNS:
                groups[latest].append(Mention.at(number + start, number + start))
            start = max(stop, start + 1)
        number += len(sentence)
    entities = [Entity(str(n), tuple(mentions)) for n, mentions in enumerate(groups.values())]
    return Document(document.name, entities, text=document.text)
