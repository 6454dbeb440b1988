"""Report annotation other than entities if no requested metric scores it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sameas.documents.document import Document
from sameas.matching.pairing import Pairing
from sameas.metrics.anaphora import SPLIT
from sameas.notes import Note

__all__ = ["note_unscored"]

#: How to count each kind of annotation, and the metrics that score it, keyed by the note's code.
_RELATIONS: dict[str, tuple[Callable[[Document], int], Sequence[str]]] = {
    "unscored-split": (
        lambda document: len(document.split_antecedents),
        [f"split_{metric}" for metric in SPLIT],
    ),
    "unscored-bridging": (lambda document: len(document.bridging), ()),
    "unscored-deixis": (lambda document: getattr(document.text, "discourse_deixis", 0), ()),
    "unscored-non-referring": (lambda document: len(document.non_referring), ["nonreferring"]),
}


def note_unscored(pairing: Pairing, metrics: Sequence[str]) -> list[Note]:
    """Return a note per side and kind of annotation that no requested metric scores.

    >>> from dataclasses import replace
    >>> key = Document.from_clusters("a", [["Ann"], ["Bob"], ["they"]])
    >>> key = replace(key, split_antecedents={"2": ("0", "1")})
    >>> print(note_unscored(Pairing([key], [Document("a")], ["a"]), ["b3"])[0])
    1 split antecedent in the key not scored; metrics such as split_b3 score it
    >>> note_unscored(Pairing([key], [Document("a")], ["a"]), ["split_b3"])
    []
    """
    notes = []
    for code, (count, scored_by) in _RELATIONS.items():
        if not any(metric in scored_by for metric in metrics):
            notes += [
                Note(code, "key", sum(map(count, pairing.key))),
                Note(code, "response", sum(map(count, pairing.response))),
            ]
    return [note for note in notes if note.count]
