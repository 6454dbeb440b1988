"""A simple coreference system of our own, to have one that shares nothing with the estimate."""

from __future__ import annotations

from sameas.documents.document import Document, Entity, Mention

__all__ = ["resolve"]

_PRONOUNS = frozenset(("he", "him", "his", "she", "her", "hers", "they", "them", "their"))


def resolve(document: Document) -> Document:
    """Runs of capitals are mentions, and the same if they are the same string.

    A word that begins a sentence counts only if it is written large elsewhere too, inside of one;
    third-person pronouns go with the latest run.
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
