"""What a score of names alone cannot say, and signs that it says less than it seems to."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sameas.coref.cone.named import Counts, Namer
from sameas.coref.pairing import Pairing
from sameas.signature import ConeSettings

__all__ = ["counted", "disagreement", "remarks"]

SMALL = 0.25  # share of names below which the score is of a small part only
CIRCULAR = 0.97  # share of names or links that are the same, above which chance is not at work
HARDLY = 0.1  # share of the mentions beside names that makes a system more than a matcher
FEW = 30  # names or links, below which shares say little
ENOUGH = 20_000  # words that tell the language
ENGLISH = 0.08  # share of the commonest words that English does not fall below
_COMMON = frozenset(("the", "of", "and", "to", "in", "a", "is", "that", "for", "it", "i", "you"))
#: Pronouns that name nothing by themselves, and that a system has to resolve.
_PRONOUNS = frozenset(
    ("he", "him", "his", "himself", "she", "her", "hers", "herself", "they", "them", "their")
)


def remarks(
    pairing: Pairing,
    restricted: Pairing,
    ours: Counts,
    theirs: Counts,
    settings: ConeSettings,
    namer: Namer,
) -> list[str]:
    """What was scored, and warnings."""
    estimated = settings.matcher != "none"
    found = []
    if estimated:
        names = sum(key.mention_count for key in restricted.key)
        entities = sum(len(key.entity_ids) for key in restricted.key)
        found.append(
            f"the key is estimated: {counted(names, 'name')} in {counted(entities, 'entity')}"
        )
    else:
        found.append(_share(ours, "key", settings.mentions))
    found.append(_share(theirs, "response", settings.mentions if estimated else ""))
    if not sum(key.mention_count for key in restricted.key):
        found.append("there is no name in the key: nothing to score")
    if estimated:
        silent = sum(not response.mention_count for response in pairing.response)
        if silent:
            found.append(f"{counted(silent, 'response document')} without any mention")
    if namer.name == "rules":
        found += _other_language(pairing, namer)
    if estimated:
        found += _circular(restricted)
    if settings.mentions == "named" and theirs.mentions:
        found += _only_names(pairing, ours, theirs, settings, namer)
    return found


def _share(counts: Counts, side: str, mentions: str) -> str:
    """How many mentions are names; with a warning if these are scored, and few."""
    text = f"{counts.named} of {counts.mentions} {side} mentions are names"
    if mentions == "named" and 0 < counts.named < SMALL * counts.mentions:
        share = 100 * counts.named / counts.mentions
        text += f" ({share:.0f}%): the score says nothing of the rest"
    return text


def counted(number: int, noun: str) -> str:
    """How many there are, in words that fit.

    >>> counted(1, "entity"), counted(2, "entity"), counted(0, "name")
    ('1 entity', '2 entities', '0 names')
    """
    return (
        f"{number} {noun if number == 1 else noun[:-1] + 'ies' if noun[-1] == 'y' else noun + 's'}"
    )


def _other_language(pairing: Pairing, namer: Namer) -> list[str]:
    """Whether the text has too few of the commonest English words."""
    words = common = 0
    for key, response in zip(pairing.key, pairing.response, strict=True):
        text = namer.text(key, response).words.words
        words += len(text)
        common += sum(map(_COMMON.__contains__, text))
        if words > ENOUGH:
            break
    if words >= 10 * FEW and common < ENGLISH * words:
        return [
            "the text does not look like English, for which the rules are made: take another "
            "recogniser (--names)"
        ]
    return []


def disagreement(whole: Mapping[str, float], cone: Mapping[str, float]) -> str:
    """The two systems that the scores put in the other order by the most; empty if there are none.

    >>> disagreement({"a": 0.5, "b": 0.6}, {"a": 0.9, "b": 0.8})
    'b is better than a as a whole, and worse by CONE'
    """
    worst, least = "", 0.0
    for one in whole:
        for other in whole:
            apart = min(whole[one] - whole[other], cone[other] - cone[one])
            if apart > least:
                least = apart
                worst = f"{one} is better than {other} as a whole, and worse by CONE"
    return worst


def _circular(restricted: Pairing) -> list[str]:
    """Signs that response and estimate were made by the same means."""
    names = same = links = same_links = 0
    for key, response in zip(restricted.key, restricted.response, strict=True):
        entity = dict(zip(key.mentions, key.entity.tolist(), strict=True))
        groups: dict[int, list[int]] = {}
        for mention, number in zip(response.mentions, response.entity.tolist(), strict=True):
            if mention in entity:
                groups.setdefault(number, []).append(entity[mention])
        names += key.mention_count
        same += sum(map(len, groups.values()))
        # Links between names that both have: those of both, of the estimate, of the response.
        whole = [place for group in groups.values() for place in group]
        both = sum(_pairs(group) for group in groups.values())
        theirs = sum(len(group) * (len(group) - 1) // 2 for group in groups.values())
        either = _pairs(whole) + theirs - both
        links, same_links = links + either, same_links + both
    found = []
    if names >= FEW and same >= CIRCULAR * names:
        found.append(
            f"the response has {100 * same / names:.1f}% of the names that were found, to the "
            "word: if the system uses this recogniser, the score flatters it (circular)"
        )
    if links >= FEW and same_links >= CIRCULAR * links:
        found.append(
            f"the response groups names as the estimate does ({100 * same_links / links:.1f}% of "
            "links): if the system uses this matcher, the score says nothing of it (circular)"
        )
    return found


def _pairs(groups: list[int]) -> int:
    """How many pairs of equal numbers there are."""
    sizes = np.bincount(np.array(groups, dtype=np.int64)) if groups else np.zeros(0, np.int64)
    return int((sizes * (sizes - 1) // 2).sum())


def _only_names(
    pairing: Pairing, ours: Counts, theirs: Counts, settings: ConeSettings, namer: Namer
) -> list[str]:
    """Whether the response does no more than group names (section 4.1 of the paper)."""
    if settings.matcher == "none":
        if ours.beside >= FEW and theirs.beside < HARDLY * ours.beside:
            return [
                f"the key has {ours.beside} mentions beside names in the entities that have a "
                f"name, the response {theirs.beside}: it hardly does more than group names, and "
                "CONE cannot see that"
            ]
        return []
    pronouns = sum(
        word.lower() in _PRONOUNS for key in pairing.key for word in namer.text(key).words.words
    )
    if pronouns >= FEW and theirs.beside < HARDLY * pronouns:
        return [
            f"the text has {pronouns} third-person pronouns, the response {theirs.beside} mentions "
            "beside names in the entities that have a name: it hardly does more than group names, "
            "and CONE cannot see that"
        ]
    return []
