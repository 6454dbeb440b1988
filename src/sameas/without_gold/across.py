"""Join names in two scripts, such as Alice and 爱丽丝, with a verifier of transliterations.

A model of `sameas transliterate train` covers two scripts. Names of a document in one script are
compared with names in the other, part by part (约翰·史密斯 has two); a name of one part is compared
with the last part of a longer name. Every pair of parts must be more likely genuine than not, with
all names in the document equally likely a priori. The most probable pairs are joined first. A group
of names is joined with only one group in the other script, since an entity has one name there.
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

#: A transliteration model, or its file.
AcrossGiven: TypeAlias = "str | Path | Transliterator | Across"
SURE = 0.5  # minimum probability for joining two names
_BETWEEN = re.compile(r"[\s\-\u2010-\u2015·•・‧=＝]+")
_UNSPACED = ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar")


@dataclass(frozen=True, eq=False)
class Across:
    """A verifier of transliterations, for joining the names of a document.

    >>> from sameas.names.datasets import dataset
    >>> from sameas.names.transliterator import Transliterator
    >>> across = Across.of(Transliterator.fit(dataset("sample:ru").pairs, "bigram"))
    >>> [(one, two) for one, two, _ in across.same([("Anna",), ("Ivan",)], [("Анна",)])]
    [(0, 0)]
    """

    model: Transliterator
    digest: str  # identifies the model in signatures

    @classmethod
    def of(cls, given: AcrossGiven) -> Across:
        """Return the verifier for a model or its file."""
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
        """Return the script of a name: 0 for the sources', 1 for the targets', -1 for neither.

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
        """Yield the indices of two matching names, and the probability of the match.

        That is the lowest among the probabilities of their parts. The most probable matches come
        first. Each name is given as its words.
        """
        verifier = self.model.verifier
        assert verifier is not None
        parts = [[_parts(name) for name in names] for names in (sources, targets)]
        compared = (
            (one, two, _compared(source, target))
            for one, source in enumerate(parts[0])
            for two, target in enumerate(parts[1])
        )
        comparable = [(one, two, pairs) for one, two, pairs in compared if pairs]
        distinct = list(dict.fromkeys(pair for _, _, pairs in comparable for pair in pairs))
        if not distinct:
            return
        prior = 1 / (1 + max(len(sources), len(targets)))
        probabilities = verifier.verify(distinct, prior=prior).probability.tolist()
        known = dict(zip(distinct, probabilities, strict=True))
        found = [(min(known[pair] for pair in pairs), one, two) for one, two, pairs in comparable]
        for probability, one, two in sorted(found, key=lambda row: (-row[0], row[1], row[2])):
            if probability >= SURE:
                yield one, two, probability


def _parts(words: Sequence[str]) -> tuple[str, ...]:
    """Return the parts of a name; in scripts without spaces, words are joined first."""
    from sameas.names.units import scripts

    text = "".join(words)
    unspaced = any(kind in _UNSPACED for kind in scripts(text))
    found = _BETWEEN.split(text if unspaced else " ".join(words))
    return tuple(part for part in found if any(map(str.isalpha, part)))


def _compared(source: Sequence[str], target: Sequence[str]) -> list[tuple[str, str]]:
    if len(source) == len(target):
        return list(zip(source, target, strict=True))
    return [(source[-1], target[-1])] if min(len(source), len(target)) == 1 else []
