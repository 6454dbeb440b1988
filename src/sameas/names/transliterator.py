"""Transliterate names: learn from pairs of names, then write any name in the other script.

The road: pairs → aligned tokens (`aligner.py`) → a model of tokens (`joint.py`, `network.py`) →
the most probable ways to write a name (`decoder.py`) → candidates with probabilities that sum to
one over 20 of them. There are four models:

- `bigram`: the joint source-channel model (Li, Zhang & Su 2004) as in Pervouchine, Li & Lin (2009);
- `ngram`: the same with longer histories;
- `network`: a network that reads the letters around each letter, `network.py`;
- `best`: an n-gram model, networks that write from left to right and from right to left, and, where
  English can say the names, an n-gram model of their phonemes. Each gives its candidates, and the
  mean of the logarithms of their probabilities decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from sameas._version import __version__
from sameas.errors import UsageError, require
from sameas.names.aligned import AlignedNames
from sameas.names.aligner import Aligner
from sameas.names.candidates import Candidates, combined, joined_parts, shown_candidates
from sameas.names.decoder import MOST
from sameas.names.joint import from_columns
from sameas.names.learning import (
    ModelPart,
    align_names,
    join_tokens,
    learn_parts,
    letters_of,
    usual_script,
)
from sameas.names.letters import read_letters, without_formatting
from sameas.names.modelfile import WRONG, broken, check_model, notes_of, read_model, write_model
from sameas.names.network import Network
from sameas.names.options import Learning, LearningOptions, Model, Writing
from sameas.names.pairs import NamePairs
from sameas.names.units import composed, graphemes, spelt
from sameas.names.verifier import Verifier
from sameas.names.words import COMMAS, HYPHENS, split
from sameas.notes import Note
from sameas.settings import chosen

__all__ = ["Transliterator"]

PARTS = 0.8  # candidates of each part for one that is wanted of all together
# What stands between words of names, by script: a dot or space, and a comma.
_DOTS = {"Han": "·", "Katakana": "・"}
_COMMAS = {"Han": "，", "Katakana": "、", "Arabic": "، "}
LONGEST = 1_000  # letters of a name


def _between(sign: str, script: str) -> str:
    """What stands between words in a script, where this sign stands in the source."""
    if sign and sign in COMMAS:
        return _COMMAS.get(script, ", ")
    return "-" if sign and sign in HYPHENS else _DOTS.get(script, " ")


@dataclass(frozen=True, eq=False, repr=False)
class Transliterator:
    """What `fit` has learned, or `load` has read: `transliterate` writes names in the other script.

    >>> pairs = [("anna", "안나"), ("nana", "나나"), ("ana", "아나"), ("hana", "하나")]
    >>> made = Transliterator.fit(pairs, model="bigram")
    >>> made.transliterate("Nahana", n=3).best
    '나하나'
    """

    settings: Learning
    pairs: int  # that it has learned from
    letters: frozenset[str]
    scripts: tuple[str, str]  # of the sources and of the targets
    alignment: str  # the signature of the alignment it has learned from
    notes: tuple[Note, ...]
    verifier: Verifier | None
    _parts: tuple[ModelPart, ...]

    def __repr__(self) -> str:
        """What it is."""
        return f"<Transliterator {self.signature}>"

    @property
    def signature(self) -> str:
        """Every setting that can move a candidate, and from how many pairs it was learned."""
        method = self.alignment.partition("|method:")[2].partition("|")[0] or "given"
        method += "-sounds" if "|target:sounds|" in self.alignment else ""
        source, target = self.scripts
        phonemes = "|phonemes:english" if any(one.reads != "letters" for one in self._parts) else ""
        return (
            f"{self.settings}|align:{method}{phonemes}|scripts:{source}-{target}"
            f"|pairs:{self.pairs}|version:{__version__}"
        )

    @classmethod
    def fit(
        cls,
        pairs: Iterable[tuple[str, str]] | NamePairs,
        model: Model = "best",
        *,
        aligner: Aligner | None = None,
        aligned: AlignedNames | None = None,
        verifier: bool = True,
        on_step: Callable[[Note], None] | None = None,
        **options: Unpack[LearningOptions],
    ) -> Transliterator:
        """Learn from pairs of names; with `reverse`, to write the second in the first's script.

        The names are aligned by segments unless another `aligner`, or names that are `aligned`
        already, are given. With `verifier` it also learns to tell genuine pairs from false ones.
        The options are those of `Learning`.

        >>> made = Transliterator.fit([("anna", "안나"), ("nana", "나나")], "bigram", reverse=True)
        >>> made.transliterate("나안").best
        'naan'
        """
        settings = Learning(model, **chosen(options, Learning))
        case, turn = settings.case, -1 if settings.reverse else 1
        tell = on_step or (lambda what: None)
        given = NamePairs.of(pairs)
        given = given.turned() if settings.reverse else given
        if not given.pairs:
            raise UsageError("no-pairs-to-learn")
        tell(Note("step-align", count=len(given)))
        if aligned is None:
            tokens, signature, notes = align_names(given, aligner or Aligner(case=case), case)
        else:
            if [(one.source, one.target)[::turn] for one in aligned] != given.pairs:
                raise UsageError("aligned-differ")
            tokens = [join_tokens([token[::turn] for token in one.tokens], case) for one in aligned]
            signature, notes = aligned.signature, aligned.notes
        letters = frozenset(letter for name in tokens for letter in letters_of(name))
        parts = tuple(learn_parts(settings, given, tokens, tell))
        checker = None
        sides = list(zip(*given.pairs, strict=True))
        if verifier and all(len(set(map(composed, names))) > 1 for names in sides):
            tell(Note("step-verify"))
            checker = Verifier.fit(given, seed=settings.seed, case=case)
        elif verifier:
            notes = (*notes, Note("no-verifier"))
        return cls(
            settings,
            len(tokens),
            letters,
            (usual_script(sides[0]), usual_script(sides[1])),
            signature,
            (*given.notes, *notes),
            checker,
            parts,
        )

    def transliterate(self, name: str, n: int = MOST, *, threshold: float = 0.0) -> Candidates:
        """The `n` most probable ways to write a name; none, if its `confidence` is below the
        `threshold`.

        Probabilities sum to one over 20 candidates, or `n` if that is more; the confidence is the
        best one's. Parts of a name between spaces, hyphens and dots are written one by one, if the
        model has not learned from such names.

        >>> pairs = [("anna", "안나"), ("nana", "나나"), ("ana", "아나")]
        >>> made = Transliterator.fit([*pairs, ("ann", "안")], "bigram")
        >>> found = made.transliterate("Annä", n=1)
        >>> found.best, found.left_out, found.read_as
        ('안나', '', (('ä', 'a'),))
        >>> found.candidates[0].probability == found.confidence < 1
        True
        """
        require(name, str, "a name", "a string")
        return self.transliterate_all([name], n, threshold=threshold)[0]

    def transliterate_all(
        self, names: Iterable[str], n: int = MOST, *, threshold: float = 0.0
    ) -> list[Candidates]:
        """The most probable ways to write each of many names, which is faster than one by one.

        The probabilities of networks may differ in the sixth digit by what names are written
        together; those of n-grams do not.

        >>> pairs = [("anna", "안나"), ("nana", "나나"), ("ana", "아나")]
        >>> made = Transliterator.fit(pairs, "bigram")
        >>> [found.best for found in made.transliterate_all(["anna", "ana"])]
        ['안나', '아나']
        """
        if isinstance(names, str):
            raise UsageError("one-string", what="names", value=names)
        require(names, Iterable, "names", "a list of names")
        Writing(n, threshold)  # checks them
        given = list(names)
        parts = [self._split(name) for name in given]
        read = [self._read(part) for name in parts for part in name[::2]]
        # Of shorter lists the first are taken, so that neither their order nor their probabilities
        # depend on how many are asked for.
        lists = self._lists([letters for letters, _, _ in read], max(n, MOST))
        written = zip(read, lists, strict=True)
        found = []
        for name, words in zip(given, parts, strict=True):
            together: list[tuple[str, float]] = []
            left_out = ""
            read_as: dict[str, str] = {}
            for place in range(0, len(words), 2):
                (letters, unknown, others), (candidates, more) = next(written)
                left_out += unknown + more
                read_as |= others
                if len(letters) == len(graphemes(more)):
                    continue  # nothing of this part can be written
                between = words[place - 1] if together else ""
                before = [(target + between, log) for target, log in together] or [("", 0.0)]
                together = joined_parts(before, candidates, max(n, MOST))
            made = shown_candidates(together, name, self.settings.case)
            sure = made[0].probability if made else 0.0
            abstained = bool(made) and sure < threshold
            shown = () if abstained else made[:n]
            found.append(Candidates(name, shown, left_out, abstained, sure, tuple(read_as.items())))
        return found

    def _split(self, name: str) -> list[str]:
        """The parts of a name, and between them what stands between their transliterations; a name
        whose spaces and hyphens were learned, or that has none, is one part."""
        require(name, str, "a name", "a string")
        parts = split(without_formatting(name), self.letters)
        script = self.scripts[1].split("+")[-1]
        parts[1::2] = [_between(sign.strip(), script) for sign in parts[1::2]]
        return parts

    def _read(self, name: str) -> tuple[tuple[str, ...], str, dict[str, str]]:
        """The letters of a name that the model knows, the others, and those read as known ones."""
        units = graphemes(name.strip())
        if not units:
            raise UsageError("empty-name", how="alone")
        if len(units) > LONGEST:
            raise UsageError("long-name", how="alone", letters=len(units), most=LONGEST)
        folded = spelt(name.strip(), self.settings.case)
        read = list(zip(units, folded, read_letters(folded, self.letters), strict=True))
        return (
            tuple(letter for _, _, letters in read for letter in letters),
            "".join(unit for unit, _, letters in read if not letters),
            {unit: "".join(letters) for unit, one, letters in read if letters not in ((), (one,))},
        )

    def _lists(
        self, names: Sequence[tuple[str, ...]], most: int
    ) -> list[tuple[list[tuple[str, float]], str]]:
        """The candidates of each name with ln of their probabilities, the most probable first, and
        the letters left out of it that the model knows beside others only."""
        # One name is often asked for twice, and counts once.
        distinct = list(dict.fromkeys(names))
        if len(self._parts) == 1:
            found = self._parts[0].found(distinct, most)
        else:
            wanted = max(round(PARTS * most), 10)
            by_part = [part.found(distinct, wanted) for part in self._parts]
            found = [
                (combined([candidates for candidates, _ in lists])[:most], "")
                for lists in zip(*by_part, strict=True)
            ]
        known = dict(zip(distinct, found, strict=True))
        return [known[name] for name in names]

    def save(self, path: str | Path) -> None:
        """Write the model to a file; `load` reads it.

        >>> import tempfile
        >>> made = Transliterator.fit([("anna", "안나"), ("nana", "나나")], "bigram")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     made.save(Path(folder, "small.model"))
        ...     Transliterator.load(Path(folder, "small.model")).transliterate("Nana").best
        '나나'
        """
        arrays: dict[str, NDArray[Any]] = {}
        told: list[dict[str, Any]] = []
        for number, part in enumerate(self._parts):
            one, named = part.model.saved()
            arrays |= {f"part{number}-{name}": array for name, array in named.items()}
            told.append({"reads": part.reads, "backwards": part.backwards, **one})
        header: dict[str, Any] = {
            "settings": asdict(self.settings),
            "pairs": self.pairs,
            "letters": sorted(self.letters),
            "scripts": list(self.scripts),
            "alignment": self.alignment,
            "notes": list(map(str, self.notes)),
            "parts": told,
            "written": __version__,
        }
        if self.verifier is not None:
            header["verifier"], checked = self.verifier.parts()
            arrays |= {f"verifier-{name}": array for name, array in checked.items()}
        write_model(path, header, arrays)

    @classmethod
    def load(cls, path: str | Path) -> Transliterator:
        """Read a model that `save` wrote; anything else is an error that says what is wrong.

        >>> Transliterator.load("nowhere.model")
        Traceback (most recent call last):
        ...
        sameas.errors.InputError: nowhere.model: cannot be read: No such file or directory
          hint: sameas transliterate train writes models
        """
        header, arrays = read_model(path)
        try:
            parts = tuple(
                _read_part(part, _named(arrays, f"part{number}-"))
                for number, part in enumerate(header["parts"])
            )
            check_model(bool(parts), "no-part")
            settings = dict(header["settings"])
            if settings["model"] == "network":
                settings["order"] = 0
            verifier = None
            if "verifier" in header:
                verifier = Verifier.from_parts(header["verifier"], _named(arrays, "verifier-"))
            source, target = map(str, header["scripts"])
            return cls(
                Learning(**settings),
                int(header["pairs"]),
                frozenset(map(str, header["letters"])),
                (source, target),
                str(header["alignment"]),
                notes_of(header["notes"]),
                verifier,
                parts,
            )
        except WRONG as error:
            raise broken(str(path), error) from None


def _named(arrays: Mapping[str, NDArray[Any]], begin: str) -> dict[str, NDArray[Any]]:
    return {
        name.removeprefix(begin): array for name, array in arrays.items() if name.startswith(begin)
    }


def _read_part(told: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> ModelPart:
    reads = str(told["reads"])
    check_model(reads in ("letters", "phonemes"), "reads", reads=reads)
    backwards = bool(told["backwards"])
    if "outputs" not in told:
        return ModelPart(reads, backwards, from_columns(told["pairs"], int(told["order"]), arrays))
    letters, outputs = tuple(map(str, told["letters"])), tuple(map(str, told["outputs"]))
    check_model(outputs[:1] == ("",) and len(set(outputs)) == len(outputs), "outputs")
    shapes = Network(letters, outputs, ()).shapes()
    members = []
    for member in range(int(told["members"])):
        weights = [arrays[f"{member}-{place}"].astype(np.float32) for place in range(len(shapes))]
        finite = all(np.isfinite(one).all() for one in weights)
        check_model(finite and [one.shape for one in weights] == shapes, "weights")
        members.append(tuple(weights))
    check_model(bool(members), "no-members")
    return ModelPart(reads, backwards, Network(letters, outputs, tuple(members)))
