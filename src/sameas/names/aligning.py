"""The options of an alignment, declared once: their values, default and help.

The command line, the checks, the signature and `Aligner` are made from them. Nothing here needs
numpy, so that `--help` is quick.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, Self, TypedDict, Unpack

from sameas.errors import UsageError
from sameas.settings import check, chosen, option

__all__ = ["SOUNDS", "AlignOptions", "Aligning", "Case", "Cut", "Format", "signed"]

Case = Literal["fold", "keep"]  # whether capitals and small letters are one
Cut = Literal["coda", "final", "phone"]  # of a syllable
Format = Literal["sameas", "m2m", "phonetisaurus"]  # of files of aligned names
Method = Literal["affinity", "phoneme", "phonological", "segment"]
Start = Literal["affinity", "even", "random"]
Target = Literal["graphemes", "sounds"]


class OtherOptions(TypedDict, total=False):
    """The fields of `Aligning` beside `method`."""

    start: Start | None
    seed: int | None
    target: Target | None
    cut: Cut | None
    letters: int | None
    units: int | None
    case: Case | None
    iterations: int | None


class AlignOptions(OtherOptions, total=False):
    """The keywords of functions that align: the fields of `Aligning`."""

    method: Method | None


#: Sounds that can be given beside the options.
SOUNDS = ("source_sounds", "target_sounds")
#: What a signature tells beside the options.
CIRCUMSTANCES = ("sounds", "pairs", "version")
_ONLY = (("start", "affinity", "segment"), ("target", "sounds", "affinity"))
PIVOT = ("phoneme", "phonological")


def signed(signature: str) -> dict[str, str]:
    """Return what a signature says, by name; it may be broken into lines, or begin with a #.

    >>> signed("# sameas:align|method:segment")
    {'sameas': 'align', 'method': 'segment'}
    """
    spelt = "".join(signature.split()).removeprefix("#")
    parts = (part.partition(":") for part in spelt.split("|"))
    return {name: value for name, _, value in parts}


@dataclass(frozen=True, slots=True)
class Aligning:
    """How names are aligned: everything that can move a letter.

    Affinities begin with an `even` alignment, or as in the paper at `random`, with a `seed`;
    segments begin with an `affinity` alignment, or with `even` or `random` weights. `letters` and
    `units` are the longest segments, `cut` says how syllables of Chinese are cut into sounds.

    >>> str(Aligning())
    'sameas:align|method:segment|start:affinity|letters:6|units:1|case:fold|iterations:50'
    >>> Aligning.parse(str(Aligning("affinity"))) == Aligning("affinity")
    True
    """

    method: Method = option("segment", "several, with commas, are compared", Method)
    start: Start | Literal[""] = option(
        "", "where it begins (segment: affinity; others: even)", Start
    )
    seed: int = option(1, "of the random start", (0, 10**18))
    target: Target = option(
        "graphemes", "what affinity links letters with: characters, or their sounds", Target
    )
    cut: Cut = option("coda", "sounds of Chinese: 连 is l ie n, l ian, or l y eh n", Cut)
    letters: int = option(6, "the most letters of a segment", (1, 20))
    units: int = option(1, "the most units of a segment", (1, 4))
    case: Case = option("fold", "are A and a one letter?", Case)
    iterations: int = option(50, "stop after N iterations", (0, 1000))

    def __post_init__(self) -> None:
        if self.start == "":
            begins = "affinity" if self.method == "segment" else "even"
            object.__setattr__(self, "start", begins)
        check(self)
        if self.iterations < 1 and self.method != "affinity":
            raise UsageError("no-iterations", method=self.method)
        for name, value, only in _ONLY:
            if getattr(self, name) == value and self.method != only:
                raise UsageError(
                    "other-method", name=name, value=value, only=only, method=self.method
                )

    @classmethod
    def of(cls, **options: Unpack[AlignOptions]) -> Self:
        """Return the settings named; None leaves the default.

        >>> Aligning.of(method="affinity", start=None).start
        'even'
        """
        return cls(**chosen(options, cls))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the settings that a signature tells.

        >>> Aligning.parse("sameas:align|method:affinity|pairs:3|version:0.1.0").method
        'affinity'
        """
        values: dict[str, Any] = signed(text)
        if values.pop("sameas", "") != "align":
            raise UsageError("not-align-signature", text=text)
        for name in CIRCUMSTANCES:
            values.pop(name, None)
        for one in fields(cls):
            if one.name in values and "bounds" in one.metadata:
                try:
                    values[one.name] = int(values[one.name])
                except ValueError:
                    text = values[one.name]
                    raise UsageError("signature-number", name=one.name, text=text) from None
        return cls(**chosen(values, cls))

    @property
    def by_sounds(self) -> bool:
        """Whether letters are linked with the sounds of units.

        >>> Aligning("phoneme").by_sounds, Aligning("affinity").by_sounds
        (True, False)
        """
        return self.method in PIVOT or self.target == "sounds"

    @property
    def used(self) -> tuple[str, ...]:
        """The options that make a difference to this method, and which of the sounds it needs.

        >>> Aligning("affinity").used
        ('method', 'start', 'target', 'case', 'iterations')
        """
        uses = {
            "seed": self.start == "random",
            "target": self.method == "affinity",
            "cut": self.by_sounds,
            "letters": self.method == "segment",
            "units": self.method == "segment",
            "source_sounds": self.method in PIVOT,
            "target_sounds": self.by_sounds,
        }
        names = [*(one.name for one in fields(self)), *SOUNDS]
        return tuple(name for name in names if uses.get(name, True))

    def __str__(self) -> str:
        """The signature, without what is not used."""
        parts = [f"{name}:{getattr(self, name)}" for name in self.used if name not in SOUNDS]
        return "|".join(["sameas:align", *parts])
