"""What files annotate beside entities, and which scores do not count: how much of it there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sameas.coref.anaphora import SPLIT
from sameas.coref.document import Document
from sameas.coref.pairing import Pairing
from sameas.notes import Note

__all__ = ["note_unscored"]

#: What is counted, in the order in which it is noted, by the code of its note.
_RELATIONS: dict[str, Callable[[Document], int]] = {
    "split antecedent": lambda document: len(document.split_antecedents),
    "bridging link": lambda document: len(document.bridging),
    "discourse deixis mention": lambda document: getattr(document.text, "discourse_deixis", 0),
    "non-referring mention": lambda document: len(document.non_referring),
}
_METRICS = {
    "split antecedent": tuple(f"split_{metric}" for metric in SPLIT),
    "non-referring mention": ("nonreferring",),
}


def note_unscored(pairing: Pairing, metrics: Sequence[str]) -> list[str]:
    """Return a note for each kind of relation that a side has and none of the metrics counts.

    >>> key = Document.from_clusters("a", [["Ann"], ["Bob"], ["they"]])
    >>> key.split_antecedents = {"2": ("0", "1")}
    >>> note_unscored(Pairing([key], [Document("a")], ["a"]), ["b3"])[0][:58]
    '1 split antecedent in the key not scored; metrics such as '
    >>> note_unscored(Pairing([key], [Document("a")], ["a"]), ["split_b3"])
    []
    """
    notes: list[str] = []
    for noun, count in _RELATIONS.items():
        by = _METRICS.get(noun, ())
        if not any(metric in by for metric in metrics):
            for side, documents in (("key", pairing.key), ("response", pairing.response)):
                number = sum(map(count, documents))
                if number:
                    notes.append(Note(noun, side, number, done=_rest(by)))
    return notes


def _rest(metrics: Sequence[str]) -> str:
    """What scores a relation: one of the metrics is enough to find the others."""
    if not metrics:
        return " by any metric"
    if len(metrics) == 1:
        return f"; metric {metrics[0]} scores them"
    return f"; metrics such as {metrics[1]} score them"
