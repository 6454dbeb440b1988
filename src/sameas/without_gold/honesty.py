"""What a score of names alone cannot say, and signs that it says less than it seems to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations
from math import comb

from sameas.documents.document import Document
from sameas.documents.language import look_english
from sameas.matching.pairing import Pairing
from sameas.metrics.statistics import METRICS
from sameas.notes import Note, Side
from sameas.results.result import Result
from sameas.settings import ConeSettings
from sameas.without_gold.lexicon import listed
from sameas.without_gold.named import Counts, Namer, guessed_heads
from sameas.without_gold.text_words import heads_are_first_words

__all__ = [
    "BY_KEY",
    "ORDER",
    "ORDER_OF_ONE",
    "disagreement",
    "note_ceiling",
    "note_disagreement",
    "note_empty",
    "note_errors",
    "note_language",
    "remarks",
    "values_of",
]

SMALL = 0.25  # share of names below which the score is of a small part only
MOSTLY = 0.8  # share of names above which a key may be an estimated one, corrected or not
CIRCULAR = 0.97  # share of names or links that are the same, above which chance is not at work
HARDLY = 0.1  # share of the mentions beside names that makes a system more than a matcher
FEW = 30  # names or links, below which shares say little
#: Of an estimated key and several systems, or one; of several systems and a key.
ORDER, ORDER_OF_ONE, BY_KEY = Note("estimate-ranks"), Note("estimate-compares"), Note("key-ranks")
_PRONOUNS = listed("pronouns")


def remarks(
    pairing: Pairing,
    restricted: Pairing,
    ours: Counts,
    theirs: Counts,
    settings: ConeSettings,
    namer: Namer,
) -> list[Note]:
    """What was scored, and warnings."""
    estimated = settings.matcher != "none"
    if estimated:
        names = sum(key.mention_count for key in restricted.key)
        entities = sum(len(key.entity_ids) for key in restricted.key)
        found = [Note("estimated-key", count=names, entities=entities)]
    else:
        names = ours.named
        found = [_share(ours, "key", settings.mentions)]
    found.append(_share(theirs, "response", settings.mentions if estimated else ""))
    found += _told_names(theirs)
    if settings.match == "head":
        found += _of_sides("guessed-heads", restricted, guessed_heads)
    if not names:
        found.append(Note("no-name"))
    elif not estimated and names >= MOSTLY * ours.mentions:
        found.append(Note("only-names", percent=100 * names // ours.mentions))
    if estimated:
        found += _silent(pairing)
    found += _of_sides(
        "first-word-heads", pairing, lambda documents: sum(map(heads_are_first_words, documents))
    )
    if namer.name == "rules":
        pairs = zip(pairing.key, pairing.response, strict=True)
        found += note_language(namer.text(*pair).words.words for pair in pairs)
    if estimated:
        found += _circular(restricted)
    if settings.mentions == "named" and theirs.mentions:
        found += _only_names(pairing, ours, theirs, estimated, namer)
    return found


def _told_names(theirs: Counts) -> list[Note]:
    """Note how names of a response that says nothing were told."""
    if not theirs.by_head and not theirs.guessed:
        return []
    same = theirs.named - theirs.by_head - theirs.guessed
    return [Note("told-names", same=same, head=theirs.by_head, guessed=theirs.guessed)]


def _silent(pairing: Pairing) -> list[Note]:
    """Note in which documents the response has no mention, unless that is noted already."""
    silent = [one.name for one in pairing.response if not one.mention_count]
    noted = not silent or any(note.code == "silent" for note in pairing.notes)
    return [] if noted else [Note("silent", count=len(silent), names=silent)]


def _of_sides(
    code: str, pairing: Pairing, count: Callable[[Sequence[Document]], int]
) -> list[Note]:
    """A note for each side of which there is something to count."""
    sides: dict[Side, Sequence[Document]] = {"key": pairing.key, "response": pairing.response}
    return [Note(code, side, number) for side in sides if (number := count(sides[side]))]


def _share(counts: Counts, side: Side, mentions: str) -> Note:
    """How many mentions are names; with a warning if these are scored, and few."""
    few = mentions == "named" and 0 < counts.named < SMALL * counts.mentions
    code = "few-names" if few else "names"
    return Note(code, side, counts.named, total=counts.mentions)


def note_errors(names: int, missing: int, misgrouped: int, estimated: bool = False) -> list[Note]:
    """What became of the names of the key.

    >>> print(*note_errors(9, 2, 1))
    of 9 names in the key, 2 are missing (MNE) and 1 is in the wrong entity (IGNE)
    """
    if not names:
        return []
    how = "estimated" if estimated else "key"
    return [Note("name-errors", count=names, missing=missing, misgrouped=misgrouped, how=how)]


def note_empty(result: Result) -> list[Note]:
    """How many documents have nothing to score, where the scores of documents are shown.

    >>> from sameas import Document, score
    >>> key = [Document("a"), Document.from_clusters("b", [["x"]])]
    >>> [note.count for note in note_empty(score(key, key))]
    [1]
    """
    empty = sum(all(v is None for v in values.values()) for values in result.by_document())
    return [Note("nothing-to-score", count=empty)] if empty else []


def values_of(result: Result) -> dict[str, float]:
    """The score of each metric.

    >>> from sameas import score
    >>> values_of(score([["a", "b"]], [["a", "b"]], metrics=["muc", "b3"]))
    {'muc': 1.0, 'b3': 1.0}
    """
    return {metric: result[metric].value for metric in result}


def note_ceiling(
    ceiling: Mapping[str, float], systems: Mapping[str, Mapping[str, float]], where: str = "text"
) -> list[Note]:
    """What the gold key itself scores under the estimated key, and which systems score more.

    Scores are by metric, those of systems by system and metric; `where` they are from is the
    whole `text`, or the `annotated` documents.

    >>> systems = {"a": {"muc": 0.9, "b3": 0.7}, "b": {"muc": 0.1, "b3": 0.1}}
    >>> first, second = note_ceiling({"muc": 0.8, "b3": 0.75}, systems)
    >>> first.values["scores"], second.values["systems"]
    ({'MUC': 80.0, 'B³': 75.0}, ('a (MUC)',))
    """
    shown = ["conll"] if "conll" in ceiling else ceiling
    scores = {METRICS[metric].title: 100 * ceiling[metric] for metric in shown}
    notes = [Note("gold-ceiling", scores=scores, how=where)]
    above = {}
    for name, values in systems.items():
        # A sum of the same numbers in another order is not above.
        higher = [METRICS[m].title for m, value in values.items() if value > ceiling[m] + 1e-12]
        if higher:
            above[name] = ", ".join(higher)
    if above and len(systems) == 1:
        notes += [Note("response-above-gold", metrics=metrics) for metrics in above.values()]
    elif above:
        shown_systems = tuple(f"{name} ({metrics})" for name, metrics in above.items())
        notes.append(Note("above-gold", count=len(above), systems=shown_systems))
    return notes


def note_language(texts: Iterable[Sequence[str]]) -> list[Note]:
    """A note if texts do not look like English.

    >>> texts = [["der", "Hund", "und", "die", "Katze"] * 20, ["the", "dog"] * 50]
    >>> [(note.code, note.count, note.total) for note in note_language(texts)]
    [('not-english', 1, 2)]
    """
    english = look_english(texts)
    foreign = english.count(False)
    return [Note("not-english", count=foreign, total=len(english))] if foreign else []


def disagreement(whole: Mapping[str, float], cone: Mapping[str, float]) -> tuple[int, str, str]:
    """How many pairs of systems two scores put in another order, and the two farthest apart.

    The first of these is better by the whole score, and worse by names.

    >>> disagreement({"a": 0.5, "b": 0.6, "c": 0}, {"a": 0.9, "b": 0.8, "c": 0})
    (1, 'b', 'a')
    """
    apart = {
        (one, other): min(whole[one] - whole[other], cone[other] - cone[one])
        for one, other in permutations(whole, 2)
    }
    swapped = [pair for pair in apart if apart[pair] > 0]
    return len(swapped), *max(swapped, key=apart.__getitem__, default=("", ""))


def note_disagreement(
    wholes: Mapping[str, Mapping[str, float]], cones: Mapping[str, Mapping[str, float]], by: str
) -> list[Note]:
    """A note if systems stand in another order by names; scores by system and metric.

    `by` says what the whole score is: of `all` mentions, or `predicted`.

    >>> (note,) = note_disagreement(
    ...     {"a": {"b3": 5}, "b": {"b3": 6}}, {"a": {"b3": 9}, "b": {"b3": 8}}, "all"
    ... )
    >>> note.values["pairs"], note.values["better"]
    ({'B³': 1}, 'b')
    """
    found = {
        METRICS[metric].title: disagreement(
            *({name: scores[metric] for name, scores in side.items()} for side in (wholes, cones))
        )
        for metric in next(iter(wholes.values()))
    }
    found = {title: one for title, one in found.items() if one[0]}
    if not found:
        return []
    metric, (_, better, worse) = next(iter(found.items()))  # one example is enough
    return [
        Note(
            "names-disagree",
            total=comb(len(wholes), 2),
            pairs={title: pairs for title, (pairs, _, _) in found.items()},
            metric=metric,
            better=better,
            worse=worse,
            how=by,
        )
    ]


def _circular(restricted: Pairing) -> list[Note]:
    """Signs that response and estimate were made by the same means."""
    names = same = links = same_links = 0
    for key, response in zip(restricted.key, restricted.response, strict=True):
        entity = dict(zip(key.mentions, key.entity.tolist(), strict=True))
        shared = [
            (entity[mention], number)
            for mention, number in zip(response.mentions, response.entity.tolist(), strict=True)
            if mention in entity
        ]
        names += key.mention_count
        same += len(shared)
        # Links between names that both have: those of both, of the estimate, of the response.
        both, ours, theirs = (
            sum(comb(size, 2) for size in Counter(groups).values())
            for groups in (shared, [one for one, _ in shared], [other for _, other in shared])
        )
        links += ours + theirs - both
        same_links += both
    counted = {"circular-names": (same, names), "circular-links": (same_links, links)}
    return [
        Note(code, count=part, total=every)
        for code, (part, every) in counted.items()
        if every >= FEW and part >= CIRCULAR * every
    ]


def _only_names(
    pairing: Pairing, ours: Counts, theirs: Counts, estimated: bool, namer: Namer
) -> list[Note]:
    """Whether the response does no more than group names (section 4.1 of the paper)."""
    there = ours.beside
    if estimated:
        there = sum(
            word.lower() in _PRONOUNS for key in pairing.key for word in namer.text(key).words.words
        )
    if there < FEW or theirs.beside >= HARDLY * there:
        return []
    how = "estimated" if estimated else "key"
    return [Note("groups-names-only", count=there, response=theirs.beside, how=how)]
