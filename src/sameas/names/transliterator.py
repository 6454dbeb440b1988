"""Transliterate names: learn from pairs of names, then write any name in the other script.

The steps: pairs → aligned tokens (`aligner.py`) → a model of tokens (`joint.py`, `network.py`) →
the most probable transliterations of a name (`decoder.py`) → candidates, with probabilities that
sum to one over 20 of them. There are four models:

- `bigram`: the joint source-channel model (Li, Zhang & Su 2004) as in Pervouchine, Li & Lin (2009);
- `ngram`: the same with longer histories;
- `network`: a network that reads the letters around each letter (`network.py`);
- `best`: an ensemble of an n-gram model, networks that write from left to right and from right to
  left, and, if the names can be pronounced as English and this helps, an n-gram model of phonemes.
  Its candidates are ranked by the mean of the log-probabilities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias, Unpack

import numpy as np
from numpy.typing import NDArray

from sameas._version import __version__
from sameas.errors import UsageError, require
from sameas.names.aligned import AlignedNames
from sameas.names.aligner import Aligner
from sameas.names.candidates import Candidates, combined, joined_parts, shown_candidates
from sameas.names.decoder import MOST
from sameas.names.joint import Pair, from_columns
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

PARTS = 0.8  # candidates requested from each model of an ensemble, per candidate of the ensemble
# Separators between the words of names, by script: the dot (default: a space) and the comma.
_DOTS = {"Han": "·", "Katakana": "・"}
_COMMAS = {"Han": "，", "Katakana": "、", "Arabic": "، "}
LONGEST = 1_000  # maximum letters of a name
# Known letters of a name, unknown ones, and letters read as known ones.
_Read: TypeAlias = tuple[tuple[str, ...], str, dict[str, str]]


def _between(sign: str, script: str) -> str:
    """Return the separator in a script that corresponds to a separator of the source."""
    if sign and sign in COMMAS:
        return _COMMAS.get(script, ", ")
    return "-" if sign and sign in HYPHENS else _DOTS.get(script, " ")


@dataclass(frozen=True, eq=False, repr=False)
class Transliterator:
    """A trained model that transliterates names; made by `fit`, or read by `load`.

    Attributes
    ----------
    settings
        The settings it was trained with.
    pairs
        Number of pairs it was trained on.
    letters
        The letters it knows.
    scripts
        The scripts of the sources and of the targets.
    alignment
        Signature of the alignment it was trained on.
    notes
        Notes on the pairs and on the training.
    verifier
        The verifier trained on the same pairs, or None.
    _parts
        Private.

    Examples
    --------
    >>> pairs = [("anna", "안나"), ("nana", "나나"), ("ana", "아나"), ("hana", "하나")]
    >>> made = Transliterator.fit(pairs, model="bigram")
    >>> made.transliterate("Nahana", n=3).best
    '나하나'
    >>> back = Transliterator.fit(pairs, model="bigram", reverse=True)
    >>> back.transliterate("나안").best
    'naan'
    """

    settings: Learning
    pairs: int
    letters: frozenset[str]
    scripts: tuple[str, str]
    alignment: str
    notes: tuple[Note, ...]
    verifier: Verifier | None
    _parts: tuple[ModelPart, ...]

    def __repr__(self) -> str:
        """Show the signature."""
        return f"<Transliterator {self.signature}>"

    @property
    def signature(self) -> str:
        """Every setting that can change a candidate, and the number of training pairs."""
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
        """Train a model on pairs of names.

        Parameters
        ----------
        pairs
            Names with their transliterations.
        model
            `best` (default), `bigram`, `ngram` or `network`.
        aligner
            Aligner of the names (default: `segment`).
        aligned
            The pairs, already aligned, in the same order; replaces the `aligner`.
        verifier
            Also train a verifier, which recognises false pairs.
        on_step
            Called with a note on each step.
        **options
            `order` and `smoothing` of n-grams, `seed`, `case`; `reverse` transliterates the second
            name of a pair into the script of the first.

        Returns
        -------
        Transliterator
            The trained model.
        """
        settings = Learning(model, **chosen(options, Learning))
        report = on_step or (lambda step: None)
        given = NamePairs.of(pairs)
        given = given.turned() if settings.reverse else given
        if not given.pairs:
            raise UsageError("no-pairs-to-learn")
        report(Note("step-align", count=len(given)))
        tokens, signature, notes = _tokens_of(given, settings, aligner, aligned)
        letters = frozenset(letter for name in tokens for letter in letters_of(name))
        parts = tuple(learn_parts(settings, given, tokens, report))
        sides = list(zip(*given.pairs, strict=True))
        checker = _fit_verifier(given, settings, report) if verifier else None
        if verifier and checker is None:
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
        """Return the `n` most probable transliterations of a name.

        Probabilities sum to one over 20 candidates, or over `n` if that is more. Parts of a name
        between spaces, hyphens and dots are transliterated separately, unless the model was trained
        on names with these signs.

        Parameters
        ----------
        name
            The name.
        n
            Number of candidates (default 20).
        threshold
            Return no candidates if the probability of the best one is below this (default 0).

        Returns
        -------
        Candidates
            The candidates, with the probability of the best one as `confidence`.

        Examples
        --------
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
        """Return the most probable transliterations of each name, faster than a call per name.

        The probabilities of networks may differ in the sixth digit, depending on which names are
        transliterated together; those of n-grams do not.

        Parameters
        ----------
        names
            The names.
        n, threshold
            As for `transliterate`.

        Returns
        -------
        list of Candidates
            The candidates of each name, in order.

        Examples
        --------
        >>> pairs = [("anna", "안나"), ("nana", "나나"), ("ana", "아나")]
        >>> made = Transliterator.fit(pairs, "bigram")
        >>> [found.best for found in made.transliterate_all(["anna", "ana"])]
        ['안나', '아나']
        """
        if isinstance(names, str):
            raise UsageError("one-string", what="names", value=names)
        require(names, Iterable, "names", "a list of names")
        Writing(n, threshold)  # checks the values
        given = list(names)
        parts = [self._split(name) for name in given]
        read = [self._read(part) for name in parts for part in name[::2]]
        # At least `MOST` candidates are found and the list is cut later, so that a smaller `n`
        # changes neither order nor probabilities.
        lists = self._lists([letters for letters, _, _ in read], max(n, MOST))
        written = zip(read, lists, strict=True)
        return [
            self._joined(name, words, written, n, threshold)
            for name, words in zip(given, parts, strict=True)
        ]

    def _joined(
        self,
        name: str,
        words: Sequence[str],
        written: Iterator[tuple[_Read, tuple[list[tuple[str, float]], str]]],
        n: int,
        threshold: float,
    ) -> Candidates:
        """Return the candidates of a name, joined from those of its parts.

        The candidates of its parts are the next items of `written`.
        """
        together: list[tuple[str, float]] = []
        left_out = ""
        read_as: dict[str, str] = {}
        for index in range(0, len(words), 2):
            (letters, unknown, others), (candidates, more) = next(written)
            left_out += unknown + more
            read_as |= others
            if len(letters) == len(graphemes(more)):
                continue  # this part cannot be transliterated
            between = words[index - 1] if together else ""
            before = [(target + between, log) for target, log in together] or [("", 0.0)]
            together = joined_parts(before, candidates, max(n, MOST))
        made = shown_candidates(together, name, self.settings.case)
        confidence = made[0].probability if made else 0.0
        abstained = bool(made) and confidence < threshold
        shown = () if abstained else made[:n]
        return Candidates(name, shown, left_out, abstained, confidence, tuple(read_as.items()))

    def _split(self, name: str) -> list[str]:
        """Return the parts of a name, with the separators of their transliterations in between.

        A name without spaces or hyphens, or with ones that the model knows, is a single part.
        """
        require(name, str, "a name", "a string")
        parts = split(without_formatting(name), self.letters)
        script = self.scripts[1].split("+")[-1]
        parts[1::2] = [_between(sign.strip(), script) for sign in parts[1::2]]
        return parts

    def _read(self, name: str) -> _Read:
        """Return the known letters of a name, the unknown ones, and those read as known ones."""
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
        """Return the candidates of each name, best first, with their log-probabilities (ln).

        Also return the letters that were omitted because the model knows them only next to
        other letters.
        """
        # Names often repeat: transliterate each once.
        distinct = list(dict.fromkeys(names))
        if len(self._parts) == 1:
            found = self._parts[0].found(distinct, most)
        else:
            requested = max(round(PARTS * most), 10)
            by_part = [part.found(distinct, requested) for part in self._parts]
            found = [
                (combined([candidates for candidates, _ in lists])[:most], "")
                for lists in zip(*by_part, strict=True)
            ]
        known = dict(zip(distinct, found, strict=True))
        return [known[name] for name in names]

    def save(self, path: str | Path) -> None:
        """Write the model to a file that `load` can read.

        Parameters
        ----------
        path
            File to write.

        Examples
        --------
        >>> import tempfile
        >>> made = Transliterator.fit([("anna", "안나"), ("nana", "나나")], "bigram")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     made.save(Path(folder, "small.model"))
        ...     Transliterator.load(Path(folder, "small.model")).transliterate("Nana").best
        '나나'
        """
        arrays: dict[str, NDArray[Any]] = {}
        described: list[dict[str, Any]] = []
        for number, part in enumerate(self._parts):
            one, named = part.model.saved()
            arrays |= {f"part{number}-{name}": array for name, array in named.items()}
            described.append({"reads": part.reads, "backwards": part.backwards, **one})
        header: dict[str, Any] = {
            "settings": asdict(self.settings),
            "pairs": self.pairs,
            "letters": sorted(self.letters),
            "scripts": list(self.scripts),
            "alignment": self.alignment,
            "notes": list(map(str, self.notes)),
            "parts": described,
            "written": __version__,
        }
        if self.verifier is not None:
            header["verifier"], checked = self.verifier.parts()
            arrays |= {f"verifier-{name}": array for name, array in checked.items()}
        write_model(path, header, arrays)

    @classmethod
    def load(cls, path: str | Path) -> Transliterator:
        """Read a model that `save` wrote.

        Parameters
        ----------
        path
            File of the model.

        Returns
        -------
        Transliterator
            The model.

        Raises
        ------
        InputError
            When the file cannot be read, or is not a model of this version.

        Examples
        --------
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


def _tokens_of(
    given: NamePairs, settings: Learning, aligner: Aligner | None, aligned: AlignedNames | None
) -> tuple[list[list[Pair]], str, tuple[Note, ...]]:
    """Return the tokens of the pairs, and the signature and the notes of their alignment."""
    case, turn = settings.case, -1 if settings.reverse else 1
    if aligned is None:
        return align_names(given, aligner or Aligner(case=case), case)
    if [(one.source, one.target)[::turn] for one in aligned] != given.pairs:
        raise UsageError("aligned-differ")
    tokens = [join_tokens([token[::turn] for token in one.tokens], case) for one in aligned]
    return tokens, aligned.signature, aligned.notes


def _fit_verifier(
    given: NamePairs, settings: Learning, report: Callable[[Note], None]
) -> Verifier | None:
    """Return a verifier trained on the pairs, or None if all names on a side are equal."""
    sides = zip(*given.pairs, strict=True)
    if not all(len(set(map(composed, names))) > 1 for names in sides):
        return None
    report(Note("step-verify"))
    return Verifier.fit(given, seed=settings.seed, case=settings.case)


def _named(arrays: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    """Return the arrays whose names begin with a prefix, keyed by their names without it."""
    return {
        name.removeprefix(prefix): array
        for name, array in arrays.items()
        if name.startswith(prefix)
    }


def _read_part(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> ModelPart:
    reads = str(header["reads"])
    check_model(reads in ("letters", "phonemes"), "reads", reads=reads)
    backwards = bool(header["backwards"])
    if "outputs" not in header:
        model = from_columns(header["pairs"], int(header["order"]), arrays)
        return ModelPart(reads, backwards, model)
    letters, outputs = tuple(map(str, header["letters"])), tuple(map(str, header["outputs"]))
    check_model(outputs[:1] == ("",) and len(set(outputs)) == len(outputs), "outputs")
    shapes = Network(letters, outputs, ()).shapes()
    members = []
    for member in range(int(header["members"])):
        weights = [arrays[f"{member}-{number}"].astype(np.float32) for number in range(len(shapes))]
        finite = all(np.isfinite(one).all() for one in weights)
        check_model(finite and [one.shape for one in weights] == shapes, "weights")
        members.append(tuple(weights))
    check_model(bool(members), "no-members")
    return ModelPart(reads, backwards, Network(letters, outputs, tuple(members)))
