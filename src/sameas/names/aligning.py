"""The options of an alignment, declared once with their values, defaults and help.

The command line, the checks, the signature and `Aligner` use these declarations. This module does
not import numpy, so that `--help` is fast.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, Self, TypedDict, Unpack

from sameas.errors import UsageError
from sameas.settings import check, chosen, option

__all__ = ["SOUNDS", "AlignOptions", "Aligning", "Case", "Cut", "Format", "signed"]

Case = Literal["fold", "keep"]  # fold ignores case
Cut = Literal["coda", "final", "phone"]  # how a Chinese syllable is cut into sounds
Format = Literal["sameas", "m2m", "phonetisaurus"]  # file formats of aligned names
Method = Literal["affinity", "phoneme", "phonological", "segment"]
Start = Literal["affinity", "even", "random"]
Target = Literal["graphemes", "sounds"]


class OtherOptions(TypedDict, total=False):
    """The fields of `Aligning` except `method`."""

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


#: The keywords of `Aligner.fit` that set the sounds.
SOUNDS = ("source_sounds", "target_sounds")
#: The fields of a signature that are not options.
CIRCUMSTANCES = ("sounds", "pairs", "version")
_ONLY = (("start", "affinity", "segment"), ("target", "sounds", "affinity"))
PIVOT = ("phoneme", "phonological")


def signed(signature: str) -> dict[str, str]:
    """Return the fields of a signature, keyed by name; white space and a leading # are ignored.

    >>> signed("# sameas:align|method:segment")
    {'sameas': 'align', 'method': 'segment'}
    """
    spelt = "".join(signature.split()).removeprefix("#")
    parts = (part.partition(":") for part in spelt.split("|"))
    return {name: value for name, _, value in parts}


@dataclass(frozen=True, slots=True)
class Aligning:
    """The settings of an alignment: everything that can change it.

    Affinity methods start from an `even` alignment or, as in the paper, from a `random` one with a
    `seed`. The `segment` method starts from an `affinity` alignment, or from `even` or `random`
    weights. `letters` and `units` limit the length of a segment; `cut` sets how Chinese syllables
    are cut into sounds.

    >>> str(Aligning())
    'sameas:align|method:segment|start:affinity|letters:6|units:1|case:fold|iterations:50'
    >>> Aligning.parse(str(Aligning("affinity"))) == Aligning("affinity")
    True
    """

    method: Method = option(
        "segment", "alignment method, or several to compare, comma-separated", Method
    )
    start: Start | Literal[""] = option(
        "", "initial alignment (default for segment: affinity; for others: even)", Start
    )
    seed: int = option(1, "seed of the random start", (0, 10**18))
    target: Target = option(
        "graphemes",
        "with --method affinity: align letters with characters or with their sounds",
        Target,
    )
    cut: Cut = option(
        "coda",
        "how to cut Chinese syllables into sounds: 连 is l ie n (coda), l ian (final) or l y eh n "
        "(phone)",
        Cut,
    )
    letters: int = option(6, "maximum letters of a segment", (1, 20))
    units: int = option(1, "maximum number of target units in a segment", (1, 4))
    case: Case = option("fold", "ignore case (fold), or keep it", Case)
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
        """Return the settings with these options; None stands for the default.

        Parameters
        ----------
        **options
            The parameters of `Aligner`, by name.

        Returns
        -------
        Self
            The settings.

        Examples
        --------
        >>> Aligning.of(method="affinity", start=None).start
        'even'
        """
        return cls(**chosen(options, cls))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the settings in a signature.

        Parameters
        ----------
        text
            A signature of `sameas:align`.

        Returns
        -------
        Self
            The settings.

        Raises
        ------
        UsageError
            When the text is not such a signature, or when a value is invalid.

        Examples
        --------
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
        """The options that affect this method, and the sounds that it needs.

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
        """Return the signature, without unused options."""
        parts = [f"{name}:{getattr(self, name)}" for name in self.used if name not in SOUNDS]
        return "|".join(["sameas:align", *parts])
