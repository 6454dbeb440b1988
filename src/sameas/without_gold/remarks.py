"""Notes on the limits of scores of names, and on signs that they mean less than they seem to."""

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

SMALL = 0.25  # share of names below which the score covers only a small part
MOSTLY = 0.8  # share of names above which a key may be an estimate, corrected or not
CIRCULAR = 0.97  # share of equal names or links above which chance is ruled out
HARDLY = 0.1  # share of the expected unnamed mentions below which a response only groups names
FEW = 30  # names or links below which shares are unreliable
#: Notes on scores of names against an estimated key, for several systems and for one; and against
#: another key, for several systems.
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
    """Return notes on what was scored, and warnings."""
    estimated = settings.matcher != "none"
    if estimated:
        names = sum(key.mention_count for key in restricted.key)
        entities = sum(len(key.entity_ids) for key in restricted.key)
        found = [Note("estimated-key", count=names, entities=entities)]
    else:
        names = ours.named
        found = [_share(ours, "key", settings.mentions)]
    found.append(_share(theirs, "response", settings.mentions if estimated else ""))
    found += _note_name_sources(theirs)
    if settings.match == "head":
        found += _of_sides("guessed-heads", restricted, guessed_heads)
    if not names:
        found.append(Note("no-name", values={} if namer.name == "rules" else {"how": "annotated"}))
    elif not estimated and names >= MOSTLY * ours.mentions:
        found.append(Note("only-names", percent=100 * names // ours.mentions))
    if estimated:
        found += _note_silent(pairing)
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


def _note_name_sources(theirs: Counts) -> list[Note]:
    """Note how names were found in a response without kinds of mentions."""
    if not theirs.by_head and not theirs.guessed:
        return []
    same = theirs.named - theirs.by_head - theirs.guessed
    return [Note("name-sources", same=same, head=theirs.by_head, guessed=theirs.guessed)]


def _note_silent(pairing: Pairing) -> list[Note]:
    """Note the documents in which the response has no mention, unless already noted."""
    silent = [one.name for one in pairing.response if not one.mention_count]
    noted = not silent or any(note.code == "silent" for note in pairing.notes)
    return [] if noted else [Note("silent", count=len(silent), names=silent)]


def _of_sides(
    code: str, pairing: Pairing, count: Callable[[Sequence[Document]], int]
) -> list[Note]:
    """Return a note for each side with a count above 0."""
    sides: dict[Side, Sequence[Document]] = {"key": pairing.key, "response": pairing.response}
    return [Note(code, side, number) for side in sides if (number := count(sides[side]))]


def _share(counts: Counts, side: Side, mentions: str) -> Note:
    """Return a note on the number of names; a warning if names are scored and there are few."""
    few = mentions == "named" and 0 < counts.named < SMALL * counts.mentions
    code = "few-names" if few else "names"
    return Note(code, side, counts.named, total=counts.mentions)


def note_errors(names: int, missing: int, misgrouped: int, estimated: bool = False) -> list[Note]:
    """Return a note on missing and misgrouped names of the key.

    >>> print(*note_errors(9, 2, 1))
    of 9 names in the key, 2 are missing (MNE) and 1 is in the wrong entity (IGNE)
    """
    if not names:
        return []
    how = "estimated" if estimated else "key"
    return [Note("name-errors", count=names, missing=missing, misgrouped=misgrouped, how=how)]


def note_empty(result: Result) -> list[Note]:
    """Return a note on documents without anything to score, for scores by document.

    >>> from sameas import Document, score
    >>> key = [Document("a"), Document.from_clusters("b", [["x"]])]
    >>> [note.count for note in note_empty(score(key, key))]
    [1]
    """
    empty = sum(all(v is None for v in values.values()) for values in result.by_document())
    return [Note("nothing-to-score", count=empty)] if empty else []


def values_of(result: Result) -> dict[str, float]:
    """Return the score of each metric.

    >>> from sameas import score
    >>> values_of(score([["a", "b"]], [["a", "b"]], metrics=["muc", "b3"]))
    {'muc': 1.0, 'b3': 1.0}
    """
    return {metric: result[metric].value for metric in result}


def note_ceiling(
    ceiling: Mapping[str, float], systems: Mapping[str, Mapping[str, float]], where: str = "text"
) -> list[Note]:
    """Return notes on the gold key's own score under the estimate, and on systems above it.

    Scores are keyed by metric, those of systems by system and metric. `where` is their source: the
    whole `text` or the `annotated` documents.

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
        # Tolerate rounding: sums may differ by the order of their terms.
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
    """Return a note if texts do not look like English.

    >>> texts = [["der", "Hund", "und", "die", "Katze"] * 20, ["the", "dog"] * 50]
    >>> [(note.code, note.count, note.total) for note in note_language(texts)]
    [('not-english', 1, 2)]
    """
    english = look_english(texts)
    foreign = english.count(False)
    return [Note("not-english", count=foreign, total=len(english))] if foreign else []


def disagreement(whole: Mapping[str, float], cone: Mapping[str, float]) -> tuple[int, str, str]:
    """Return the number of system pairs that two scores rank differently, and the clearest pair.

    The first system of this pair is better on the whole score, but worse on names.

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
    """Return a note if names and the whole rank systems differently.

    Scores are keyed by system and metric. `by` is the kind of the whole score: of `all`
    mentions, or `predicted`.

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
    """Return notes on signs that response and estimate were made in the same way."""
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
        # Links between shared names: those in both, in the estimate, in the response.
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
    """Return a note if the response only groups names (section 4.1 of the paper)."""
    there = ours.unnamed
    if estimated:
        there = sum(
            word.lower() in _PRONOUNS for key in pairing.key for word in namer.text(key).words.words
        )
    if there < FEW or theirs.unnamed >= HARDLY * there:
        return []
    how = "estimated" if estimated else "key"
    return [Note("groups-names-only", count=there, response=theirs.unnamed, how=how)]
