"""Names in two scripts that are one name: Alice and 爱丽丝, told by a verifier of transliterations.

A model that `sameas transliterate train` has learned knows two scripts. Names of a document in the
one are compared with names in the other, part by part (约翰·史密斯 has two), a single part with the
last of several; the parts that are compared must all be more likely genuine than not, if one name
in the document is as likely as another to be the right one. The most probable join first, and a
group of names is joined with one group across scripts, since one entity has one name there.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from sameas.errors import InputError, Problem, require

if TYPE_CHECKING:
    from sameas.names.transliterator import Transliterator

__all__ = ["Across", "AcrossGiven"]

#: A model of names, or the file that holds it.
AcrossGiven: TypeAlias = "str | Path | Transliterator | Across"
SURE = 0.5  # probability from which two names are one
_BETWEEN = re.compile(r"[\s\-\u2010-\u2015·•・‧=＝]+")
_UNSPACED = ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar")


@dataclass(frozen=True, eq=False)
class Across:
    """A verifier of names, ready to join those of a document.

    >>> from sameas.names.datasets import dataset
    >>> from sameas.names.transliterator import Transliterator
    >>> across = Across.of(Transliterator.fit(dataset("sample:ru").pairs, "bigram"))
    >>> [(one, two) for one, two, _ in across.same([("Anna",), ("Ivan",)], [("Анна",)])]
    [(0, 0)]
    """

    model: Transliterator
    digest: str  # stands for the model in signatures

    @classmethod
    def of(cls, given: AcrossGiven) -> Across:
        """Of a model, or of the file that holds one."""
        from sameas.names.transliterator import Transliterator

        if isinstance(given, Across):
            return given
        path = ""
        if isinstance(given, str | Path):
            path = str(given)
            given = Transliterator.load(given)
        require(given, Transliterator, "across", "a model of names or its file")
        if given.verifier is None:
            raise InputError([Problem("across-cannot-verify", path)])
        header, arrays = given.verifier.parts()
        code = zlib.crc32(json.dumps(header, sort_keys=True).encode())
        for name in sorted(arrays):
            code = zlib.crc32(arrays[name].tobytes(), code)
        return cls(given, f"{code:08x}")

    def side(self, text: str) -> int:
        """Of which script a name is: 0 for that of the sources, 1 of the targets, -1 of neither.

        >>> from sameas.names.transliterator import Transliterator
        >>> across = Across.of(Transliterator.fit([("ana", "안나"), ("nan", "난")], "bigram"))
        >>> across.side("Ann"), across.side("안"), across.side("Анна")
        (0, 1, -1)
        """
        from sameas.names.units import scripts

        written = set(scripts(text))
        for side, known in enumerate(self.model.scripts):
            if written and written <= set(known.split("+")):
                return side
        return -1

    def same(
        self, sources: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]
    ) -> Iterator[tuple[int, int, float]]:
        """The pairs of names that are one, by their numbers, with the least probability of their
        parts, the most probable first. Names are given as words."""
        verifier = self.model.verifier
        assert verifier is not None
        parts = [[_parts(name) for name in names] for names in (sources, targets)]
        compared = (
            (one, two, _compared(source, target))
            for one, source in enumerate(parts[0])
            for two, target in enumerate(parts[1])
        )
        wanted = [(one, two, pairs) for one, two, pairs in compared if pairs]
        asked = list(dict.fromkeys(pair for _, _, pairs in wanted for pair in pairs))
        if not asked:
            return
        prior = 1 / (1 + max(len(sources), len(targets)))
        told = verifier.verify(asked, prior=prior).probability.tolist()
        known = dict(zip(asked, told, strict=True))
        found = [(min(known[pair] for pair in pairs), one, two) for one, two, pairs in wanted]
        for probability, one, two in sorted(found, key=lambda row: (-row[0], row[1], row[2])):
            if probability >= SURE:
                yield one, two, probability


def _parts(words: Sequence[str]) -> tuple[str, ...]:
    """The parts of a name; a script without spaces has none between the words of a name either."""
    from sameas.names.units import scripts

    text = "".join(words)
    unspaced = any(kind in _UNSPACED for kind in scripts(text))
    found = _BETWEEN.split(text if unspaced else " ".join(words))
    return tuple(part for part in found if any(map(str.isalpha, part)))


def _compared(source: Sequence[str], target: Sequence[str]) -> list[tuple[str, str]]:
    if len(source) == len(target):
        return list(zip(source, target, strict=True))
    return [(source[-1], target[-1])] if min(len(source), len(target)) == 1 else []
