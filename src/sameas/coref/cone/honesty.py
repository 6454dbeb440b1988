"""What a score of names alone cannot say, and signs that it says less than it seems to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from sameas.coref.cone.named import Counts, Namer, guessed_heads
from sameas.coref.cone.words import heads_are_first_words
from sameas.coref.language import look_english
from sameas.coref.pairing import Pairing
from sameas.coref.statistics import METRICS
from sameas.errors import counted
from sameas.notes import Note, code_of
from sameas.result import Result
from sameas.signature import ConeSettings

__all__ = [
    "BY_KEY",
    "ORDER",
    "ORDER_OF_ONE",
    "disagreement",
    "note_ceiling",
    "note_empty",
    "note_errors",
    "other_language",
    "ranking",
    "remarks",
]

SMALL = 0.25  # share of names below which the score is of a small part only
MOSTLY = 0.8  # share of names above which a key may be an estimated one, corrected or not
CIRCULAR = 0.97  # share of names or links that are the same, above which chance is not at work
HARDLY = 0.1  # share of the mentions beside names that makes a system more than a matcher
FEW = 30  # names or links, below which shares say little
#: The range is over three corpora, three metrics, and what is scored by gold.
_TAU = (
    "Kendall's τ with the order of five systems by gold was −0.6 to 0.6 on news, other genres and "
    "fiction, 0.0 on average (docs/cone-study.md)"
)
_NOT_COMPARED = "do not compare the response with other systems by this score"
#: Of an estimated key and several systems, or one.
ORDER = f"do not rank systems by an estimated key: {_TAU}"
ORDER_OF_ONE = f"{_NOT_COMPARED}: {_TAU}"
#: Of several systems and a key.
BY_KEY = "names are a part of the score: rank systems by all mentions of the key (sameas score)"
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
    found: list[str] = []
    names = sum(key.mention_count for key in restricted.key) if estimated else ours.named
    if estimated:
        entities = sum(len(key.entity_ids) for key in restricted.key)
        found.append(
            f"the key is estimated: {counted(names, 'name')} in {counted(entities, 'entity')}"
        )
    else:
        found.append(_share(ours, "key", settings.mentions))
    found.append(_share(theirs, "response", settings.mentions if estimated else ""))
    found += _decided(theirs)
    if settings.match == "head":
        found += _guessed(restricted)
    if not names:
        found.append(Note("no name"))
    elif not estimated and names >= MOSTLY * ours.mentions:
        found.append(Note("only names", number=100 * names // ours.mentions))
    if estimated:
        silent = [one.name for one in pairing.response if not one.mention_count]
        if silent and not any(code_of(note) == "silent" for note in pairing.notes):
            found.append(Note("silent", number=len(silent), names=silent))
    for side, documents in (("key", pairing.key), ("response", pairing.response)):
        odd = sum(map(heads_are_first_words, documents))
        if odd:
            found.append(
                f"the heads in {counted(odd, 'document')} of the {side} are first words "
                "throughout: if a conversion wrote them, score the file it was made from"
            )
    if namer.name == "rules":
        pairs = zip(pairing.key, pairing.response, strict=True)
        found += other_language(namer.text(*pair).words.words for pair in pairs)
    if estimated:
        found += _circular(restricted)
    if settings.mentions == "named" and theirs.mentions:
        found += _only_names(pairing, ours, theirs, settings, namer)
    return found


def _decided(counts: Counts) -> list[str]:
    """How the names of a response that says nothing were told."""
    if not counts.by_head and not counts.guessed:
        return []
    exact = counts.named - counts.by_head - counts.guessed
    return [
        f"names of the response: {exact:,} as the key's mention of the same words, "
        f"{counts.by_head:,} of the same head, {counts.guessed:,} by a capital letter"
    ]


def _guessed(restricted: Pairing) -> list[str]:
    """How many heads, by which mentions match, are guessed."""
    sides = (("key", restricted.key), ("response", restricted.response))
    guessed = {side: guessed_heads(documents) for side, documents in sides}
    return [
        f"heads of {counted(number, f'{side} mention')} are guessed (the file has none)"
        for side, number in guessed.items()
        if number
    ]


def _share(counts: Counts, side: str, mentions: str) -> str:
    """How many mentions are names; with a warning if these are scored, and few."""
    text = f"{counts.named:,} of {counts.mentions:,} {side} mentions are names"
    if mentions == "named" and 0 < counts.named < SMALL * counts.mentions:
        share = 100 * counts.named / counts.mentions
        text += f" ({share:.1f}%): the score says nothing of the rest"
    return text


def note_errors(names: int, missing: int, misgrouped: int, estimated: bool = False) -> list[str]:
    """What became of the names of the key.

    >>> note_errors(9, 2, 1)
    ['of 9 names of the key 2 are missing (MNE) and 1 is in the wrong entity (IGNE)']
    """
    if not names:
        return []
    what = counted(names, "estimated name") if estimated else f"{counted(names, 'name')} of the key"
    lost, wrong = (f"{n:,} {'is' if n == 1 else 'are'}" for n in (missing, misgrouped))
    return [
        f"of {what} {lost} missing (MNE) and {wrong} in the wrong entity (IGNE)",
    ]


def note_empty(result: Result) -> list[str]:
    """How many documents have nothing to score, where the scores of documents are shown.

    >>> from sameas import Document, score
    >>> key = [Document("a"), Document.from_clusters("b", [["x"]])]
    >>> note_empty(score(key, key))
    ['1 document with nothing to score in key and response: shown as 0, the total is without it']
    """
    empty = sum(all(v is None for v in values.values()) for values in result.by_document())
    if not empty:
        return []
    return [
        f"{counted(empty, 'document')} with nothing to score in key and response: shown as 0, "
        f"the total is without {'it' if empty == 1 else 'them'}"
    ]


def note_ceiling(
    ceiling: Mapping[str, float], systems: Mapping[str, Mapping[str, float]], where: str = ""
) -> list[str]:
    """What the gold key itself scores under the estimated key, and which systems score more.

    Scores are by metric, those of systems by system and metric.

    >>> systems = {"a": {"muc": 0.9, "b3": 0.7}, "b": {"muc": 0.1, "b3": 0.1}}
    >>> first, second = note_ceiling({"muc": 0.8, "b3": 0.75}, systems)
    >>> first.partition(" under")[0]
    'the gold key, scored as a response, gets MUC 80.00, B³ 75.00'
    >>> second.partition(":")[0]
    'a (MUC) scores above the gold key'
    """
    said = ["conll"] if "conll" in ceiling else ceiling
    shown = ", ".join(f"{METRICS[metric].title} {100 * ceiling[metric]:.2f}" for metric in said)
    notes = [
        f"the gold key, scored as a response, gets {shown} under the estimated key{where}; a "
        "perfect system would too"
    ]
    alone = len(systems) == 1
    above = []
    for name, scores in systems.items():
        # A sum of the same numbers in another order is not above.
        higher = [m for m, value in scores.items() if value > ceiling[m] + 1e-12]
        if higher:
            titles = ", ".join(METRICS[metric].title for metric in higher)
            above.append(f"{'the response' if alone else name} ({titles})")
    if above:
        verb = "scores" if len(above) == 1 else "score"
        notes.append(
            f"{', '.join(above)} {verb} above the gold key: the estimate rewards being like the "
            "estimate more than being right; "
            + (_NOT_COMPARED if alone else "the order of systems by it says nothing")
        )
    return notes


def other_language(texts: Iterable[Sequence[str]]) -> list[str]:
    """A note if texts do not look like English.

    >>> texts = [["der", "Hund", "und", "die", "Katze"] * 20, ["the", "dog"] * 50]
    >>> other_language(texts)[0][:49]
    '1 of 2 documents does not look like English, for '
    """
    english = look_english(texts)
    foreign = english.count(False)
    if not foreign:
        return []
    verb = "does" if foreign == 1 else "do"
    return [
        f"{foreign:,} of {counted(len(english), 'document')} {verb} not look like English, for "
        "which the rules are made: take another recogniser (--names)"
    ]


def disagreement(whole: Mapping[str, float], cone: Mapping[str, float], by: str) -> str:
    """How many pairs of systems two scores put in another order; empty if none.

    `by` says what the other score is of; the pair that is the farthest apart is named.

    >>> disagreement({"a": 0.5, "b": 0.6, "c": 0}, {"a": 0.9, "b": 0.8, "c": 0}, "all mentions")
    '1 of 3 pairs (b is better than a by all mentions, and worse by names)'
    """
    worst, least, pairs = "", 0.0, 0
    for one in whole:
        for other in whole:
            apart = min(whole[one] - whole[other], cone[other] - cone[one])
            pairs += apart > 0
            if apart > least:
                least = apart
                worst = f"{one} is better than {other} by {by}, and worse by names"
    every = len(whole) * (len(whole) - 1) // 2
    return f"{pairs} of {counted(every, 'pair')} ({worst})" if worst else ""


def ranking(
    wholes: Mapping[str, Mapping[str, float]], cones: Mapping[str, Mapping[str, float]], by: str
) -> list[str]:
    """A note if systems stand in another order by names; scores by metric and system.

    >>> ranking({"MUC": {"a": 5, "b": 6}}, {"MUC": {"a": 9, "b": 8}}, "gold")
    ['other order by names: MUC 1 of 1 pair (b is better than a by gold, and worse by names)']
    """
    found = {title: disagreement(wholes[title], cones[title], by) for title in wholes}
    told = [f"{title} {text}" for title, text in found.items() if text]
    # One example will do.
    short = [told[0], *(text.partition(" (")[0] for text in told[1:])] if told else []
    return [f"other order by names: {', '.join(short)}"] if short else []


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
                f"the key has {ours.beside:,} mentions beside names in the entities that have a "
                f"name, the response {theirs.beside:,}: it hardly does more than group names, and "
                "CONE cannot see that"
            ]
        return []
    pronouns = sum(
        word.lower() in _PRONOUNS for key in pairing.key for word in namer.text(key).words.words
    )
    if pronouns >= FEW and theirs.beside < HARDLY * pronouns:
        return [
            f"the text has {pronouns:,} third-person pronouns, the response {theirs.beside:,} "
            "mentions beside names in the entities that have a name: it hardly does more than "
            "group names, and CONE cannot see that"
        ]
    return []
