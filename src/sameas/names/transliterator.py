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

import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from string import ascii_letters
from threading import Event
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from sameas._version import __version__
from sameas.errors import UsageError, require
from sameas.names.aligned import AlignedNames
from sameas.names.aligner import Aligner
from sameas.names.decoder import decode
from sameas.names.joint import JointModel, Pair, columns, fit, from_columns
from sameas.names.letters import read_letters, without_formatting
from sameas.names.modelfile import WRONG, broken, check_model, notes_of, read_model, write_model
from sameas.names.network import Network, fit_network, weights_of
from sameas.names.options import Case, Learning, LearningOptions, Model, Writing
from sameas.names.pairs import NamePairs
from sameas.names.units import composed, fold, graphemes, scripts, spelt
from sameas.names.verifier import Verifier
from sameas.names.words import COMMAS, HYPHENS, split
from sameas.notes import Note
from sameas.settings import chosen

__all__ = ["Candidate", "Candidates", "Transliterator"]

MOST = 20  # candidates, unless another number is asked for
PARTS = 0.8  # candidates of each part for one that is wanted of all together
ABSENT = 1.0  # nats below its last candidate, where a part puts the candidates of others
MEMBERS = 2  # networks that speak together
# What stands between words of names, by script: a dot or space, and a comma.
_DOTS = {"Han": "·", "Katakana": "・"}
_COMMAS = {"Han": "，", "Katakana": "、", "Arabic": "، "}
HELD_OUT = 20  # one name in so many tells whether phonemes help
LONGEST = 1_000  # letters of a name


class Candidate(NamedTuple):
    """A way to write a name, and the probability that it is the right one of 20 candidates."""

    target: str
    probability: float


@dataclass(frozen=True, slots=True)
class Candidates:
    """The ways to write a name, the most probable first.

    Probabilities sum to one over the first 20, or over all if there are more: they do not depend
    on how many are asked for, up to 20.

    >>> found = Candidates("Ann", (Candidate("安", 0.75), Candidate("安恩", 0.2)))
    >>> found.best, len(found)
    ('安', 2)
    """

    source: str
    candidates: tuple[Candidate, ...]
    left_out: str = ""  # letters that the model does not know, and the candidates do without
    abstained: bool = False  # whether there would be candidates, and none was probable enough
    confidence: float = 0.0  # probability of the best, though it may not be shown
    read_as: tuple[tuple[str, str], ...] = ()  # letters never seen, and as which they were read

    @property
    def best(self) -> str | None:
        """The most probable one, if there is any."""
        return self.candidates[0].target if self.candidates else None

    def __len__(self) -> int:
        """How many there are."""
        return len(self.candidates)

    def __iter__(self) -> Iterator[Candidate]:
        """The candidates."""
        return iter(self.candidates)


class _Part(NamedTuple):
    """A model with what it reads: letters or phonemes, forwards or backwards."""

    reads: str
    backwards: bool
    model: JointModel | Network

    def lists(self, names: Sequence[tuple[str, ...]], most: int) -> list[list[tuple[str, float]]]:
        """The candidates of names in letters, or in phonemes, with ln of their probabilities."""
        return [found for found, _ in self.found(names, most)]

    def found(
        self, names: Sequence[tuple[str, ...]], most: int
    ) -> list[tuple[list[tuple[str, float]], str]]:
        """The candidates of names, and the letters that had to be left out of each."""
        turned = [name[::-1] for name in names] if self.backwards else names
        if isinstance(self.model, Network):
            found = [(one, "") for one in self.model.write(turned, most=most)]
        else:
            found = [
                ([(way.target, way.log_probability) for way in ways.ways], ways.left_out)
                for ways in decode(self.model, map(_plain, turned), most=most)
            ]
        if self.backwards:
            return [([(_turned(target), log) for target, log in one], out) for one, out in found]
        return found


class _Word(NamedTuple):
    """The letters of a word that the model knows, those it does not, those it reads as others."""

    letters: tuple[str, ...]
    left_out: str
    read_as: dict[str, str]


def _between(sign: str, script: str) -> str:
    """What stands between words in a script, where this sign stands in the source."""
    if sign and sign in COMMAS:
        return _COMMAS.get(script, ", ")
    return "-" if sign and sign in HYPHENS else _DOTS.get(script, " ")


def _plain(name: tuple[str, ...]) -> Sequence[str]:
    """A name as one text, if its letters are single signs: runs of these are cut out faster."""
    text = "".join(name)
    return text if len(text) == len(name) else name


def _turned(text: str) -> str:
    return "".join(reversed(graphemes(text)))


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
    _parts: tuple[_Part, ...]

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
            tokens, signature, notes = _aligned(given, aligner or Aligner(case=case), case)
        else:
            if [(one.source, one.target)[::turn] for one in aligned] != given.pairs:
                raise UsageError("aligned-differ")
            tokens = [_joined([token[::turn] for token in one.tokens], case) for one in aligned]
            signature, notes = aligned.signature, aligned.notes
        letters = frozenset(letter for name in tokens for letter in _letters(name))
        parts = tuple(_parts(settings, given, tokens, tell))
        checker = None
        if verifier and all(
            len(set(map(composed, names))) > 1 for names in zip(*given.pairs, strict=True)
        ):
            tell(Note("step-verify"))
            checker = Verifier.fit(given, seed=settings.seed, case=case)
        elif verifier:
            notes = (*notes, Note("no-verifier"))
        kinds = [_script(names) for names in zip(*given.pairs, strict=True)]
        return cls(
            settings,
            len(tokens),
            letters,
            (kinds[0], kinds[1]),
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
        lists = iter(self._lists([one.letters for one in read], max(n, MOST)))
        letters = iter(read)
        found = []
        for name, words in zip(given, parts, strict=True):
            together: list[tuple[str, float]] = []
            left_out = ""
            read_as: dict[str, str] = {}
            for place in range(0, len(words), 2):
                word, (candidates, more) = next(letters), next(lists)
                left_out += word.left_out + more
                read_as |= word.read_as
                if len(word.letters) == len(graphemes(more)):
                    continue  # nothing of this part can be written
                between = words[place - 1] if together else ""
                before = [(target + between, log) for target, log in together] or [("", 0.0)]
                together = _product(before, candidates, max(n, MOST))
            made = _candidates(together, name, self.settings.case)
            sure = made[0].probability if made else 0.0
            abstained = bool(made) and sure < threshold
            shown = () if abstained else made[:n]
            told = tuple(read_as.items())
            found.append(Candidates(name, shown, left_out, abstained, sure, told))
        return found

    def _split(self, name: str) -> list[str]:
        """The parts of a name, and between them what stands between their transliterations; a name
        whose spaces and hyphens were learned, or that has none, is one part."""
        require(name, str, "a name", "a string")
        parts = split(without_formatting(name), self.letters)
        script = self.scripts[1].split("+")[-1]
        return [
            part if place % 2 == 0 else _between(part.strip(), script)
            for place, part in enumerate(parts)
        ]

    def _read(self, name: str) -> _Word:
        """The letters of a name that the model knows, and those it does not."""
        units = graphemes(name.strip())
        if not units:
            raise UsageError("empty-name", how="alone")
        if len(units) > LONGEST:
            raise UsageError("long-name", how="alone", letters=len(units), most=LONGEST)
        folded = spelt(name.strip(), self.settings.case)
        read = list(zip(units, folded, read_letters(folded, self.letters), strict=True))
        return _Word(
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
            by_part = [
                part.lists(_heard(distinct) if part.reads == "phonemes" else distinct, wanted)
                for part in self._parts
            ]
            found = [(_combined(lists)[:most], "") for lists in zip(*by_part, strict=True)]
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
            one: dict[str, Any] = {"reads": part.reads, "backwards": part.backwards}
            if isinstance(part.model, Network):
                one |= {"letters": part.model.letters, "outputs": part.model.outputs}
                one["members"] = len(part.model.members)
                named = weights_of(part.model)
            else:
                one |= {"order": part.model.order, "pairs": part.model.pairs}
                named = {
                    name: column.astype(np.uint32) for name, column in columns(part.model).items()
                }
            arrays |= {f"part{number}-{name}": array for name, array in named.items()}
            told.append(one)
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


def _read_part(told: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> _Part:
    reads = str(told["reads"])
    check_model(reads in ("letters", "phonemes"), "reads", reads=reads)
    backwards = bool(told["backwards"])
    if "outputs" not in told:
        return _Part(reads, backwards, from_columns(told["pairs"], int(told["order"]), arrays))
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
    return _Part(reads, backwards, Network(letters, outputs, tuple(members)))


def _aligned(
    pairs: NamePairs, aligner: Aligner, case: Case
) -> tuple[list[list[Pair]], str, tuple[Note, ...]]:
    """The tokens of each pair, the longer names taken for letters and the others for units."""
    lengths = [sum(map(len, names)) for names in zip(*pairs.pairs, strict=True)]
    order = -1 if lengths[0] < lengths[1] else 1
    fitted = aligner.fit(pairs.turned() if order < 0 else pairs)
    tokens = [_joined([token[::order] for token in one.tokens], case) for one in fitted.aligned]
    notes = tuple(note for note in fitted.notes if note not in pairs.notes)
    return tokens, fitted.signature, notes


def _joined(tokens: Iterable[Sequence[str]], case: Case) -> list[Pair]:
    """The tokens of a name, those without letters joined to one that has some."""
    found: list[Pair] = []
    waiting = ""
    for source, target in tokens:
        if case == "fold":
            source, target = fold(source), fold(target)
        if source:
            found.append((source, waiting + target))
            waiting = ""
        elif found:
            found[-1] = (found[-1][0], found[-1][1] + target)
        else:
            waiting += target
    return found


def _backwards(tokens: Sequence[Pair]) -> list[Pair]:
    return [(_turned(source), _turned(target)) for source, target in reversed(tokens)]


def _parts(
    settings: Learning,
    pairs: NamePairs,
    tokens: Sequence[Sequence[Pair]],
    tell: Callable[[Note], None],
) -> Iterator[_Part]:
    """The models of a transliterator."""
    if settings.model != "network":
        tell(Note("step-count"))
        joint = fit(tokens, order=settings.order, smoothing=settings.smoothing)
        yield _Part("letters", False, joint)
    if settings.model == "best":
        yield from _phonemes(settings, pairs, tokens, tell)
    if settings.model in ("network", "best"):
        yield from _networks(settings, tokens, tell)


def _networks(
    settings: Learning, tokens: Sequence[Sequence[Pair]], tell: Callable[[Note], None]
) -> Iterator[_Part]:
    ways = [(False, tokens)]
    if settings.model == "best":
        ways.append((True, [_backwards(name) for name in tokens]))
    wanted = [(way, number) for way in ways for number in range(MEMBERS)]
    done: dict[int, tuple[int, int]] = {}

    def train(place: int) -> Network:
        (_, names), number = wanted[place]

        def hear(epoch: int, epochs: int, loss: float) -> None:
            done[place] = (epoch, epochs)
            part = sum(one / all_ for one, all_ in done.values()) / len(wanted)
            tell(Note("step-train", count=round(100 * part)))

        seed = settings.seed * MEMBERS + number
        return fit_network(names, members=1, seed=seed, on_step=hear, stop=stop)

    # Each network is a matter of one core; numpy lets others work meanwhile.
    stop = Event()
    with ThreadPoolExecutor(max(1, min(len(wanted), os.cpu_count() or 1))) as pool:
        try:
            trained = list(pool.map(train, range(len(wanted))))
        except BaseException:
            stop.set()  # else those that are under way would go on to their end
            raise
    for place, (backwards, _) in enumerate(ways):
        group = trained[place * MEMBERS : (place + 1) * MEMBERS]
        members = tuple(one.members[0] for one in group)
        yield _Part("letters", backwards, replace(group[0], members=members))


def _phonemes(
    settings: Learning,
    pairs: NamePairs,
    tokens: Sequence[Sequence[Pair]],
    tell: Callable[[Note], None],
) -> Iterator[_Part]:
    """An n-gram model of phonemes, if English can say the names and if it helps with some that
    neither model has seen."""
    if _script(source for source, _ in pairs.pairs) != "Latin" or len(pairs) < 10 * HELD_OUT:
        return
    tell(Note("step-listen"))
    heard = _heard([graphemes(source) for source, _ in pairs.pairs])
    said = [place for place, name in enumerate(heard) if name]
    if len(said) < 0.9 * len(heard):
        return
    spoken = NamePairs(
        [("".join(heard[place]), pairs.pairs[place][1]) for place in said],
        checked=True,
    )
    found, _, _ = _aligned(spoken, Aligner(case="keep"), "keep")
    by_place = {
        place: [
            (source, fold(target) if settings.case == "fold" else target) for source, target in name
        ]
        for place, name in zip(said, found, strict=True)
    }

    def joint(names: Iterable[Sequence[Pair]]) -> JointModel:
        return fit(names, order=settings.order, smoothing=settings.smoothing)

    known = [place for place in said if place % HELD_OUT]
    letters = _Part("letters", False, joint(tokens[place] for place in known))
    phonemes = _Part("phonemes", False, joint(by_place[place] for place in known))
    asked = [place for place in said if not place % HELD_OUT]
    lists = [
        letters.lists([_letters(tokens[place]) for place in asked], MOST),
        phonemes.lists([heard[place] for place in asked], MOST),
    ]
    right = ["".join(target for _, target in tokens[place]) for place in asked]
    alone = _reciprocal(lists[0], right)
    together = _reciprocal(list(map(_combined, zip(*lists, strict=True))), right)
    if together > alone:
        yield _Part("phonemes", False, joint(by_place.values()))


def _letters(tokens: Sequence[Pair]) -> tuple[str, ...]:
    return tuple(letter for source, _ in tokens for letter in graphemes(source))


def _reciprocal(lists: Sequence[Sequence[tuple[str, float]]], right: Sequence[str]) -> float:
    """The sum of reciprocal ranks."""
    total = 0.0
    for candidates, target in zip(lists, right, strict=True):
        listed = enumerate(candidates, 1)
        total += next((1 / rank for rank, (one, _) in listed if one == target), 0.0)
    return total


def _heard(names: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Names as English says them, a letter for each phoneme, so that they are names as others."""
    from sameas.names.english import PHONEMES, pronounce

    signs = dict(zip(PHONEMES, ascii_letters, strict=False))
    return [
        tuple(signs[phoneme] for phoneme in phonemes)
        for phonemes in pronounce(["".join(name) for name in names])
    ]


def _script(names: Iterable[str]) -> str:
    """The script of nearly all names, or the two or three that they are written in."""
    counts = Counter(kind for name in names for kind in scripts(name))
    most = max(counts.values(), default=0)
    usual = sorted(kind for kind, count in counts.items() if count > most / 10)
    return "+".join(usual[:3]) or "none"


def _combined(lists: Sequence[Sequence[tuple[str, float]]]) -> list[tuple[str, float]]:
    """The candidates of several lists, by the mean of the logarithms of their probabilities.

    In each list probabilities sum to one; what is not in it stands a little below its last.
    """
    several = [one for one in lists if one]
    total = dict.fromkeys((target for one in several for target, _ in one), 0.0)
    for candidates in several:
        logs = _normalised([log for _, log in candidates])
        known = dict(zip((target for target, _ in candidates), logs, strict=True))
        absent = min(logs) - ABSENT
        for target in total:
            total[target] += known.get(target, absent)
    found = [(target, log / len(several)) for target, log in total.items()]
    return sorted(found, key=lambda candidate: (-candidate[1], candidate[0]))


def _product(
    beginnings: Sequence[tuple[str, float]], parts: Sequence[tuple[str, float]], most: int
) -> list[tuple[str, float]]:
    """The most probable ways to write one part after the others."""
    if not parts:
        return []
    logs = _normalised([log for _, log in parts])
    both = {
        before + target: first + log
        for before, first in reversed(beginnings)
        for (target, _), log in reversed(list(zip(parts, logs, strict=True)))
    }
    return sorted(both.items(), key=lambda candidate: (-candidate[1], candidate[0]))[:most]


def _normalised(logs: Sequence[float]) -> list[float]:
    top = max(logs)
    total = top + math.log(math.fsum(math.exp(log - top) for log in logs))
    return [log - total for log in logs]


def _candidates(
    found: Sequence[tuple[str, float]], source: str, case: Case
) -> tuple[Candidate, ...]:
    if not found:
        return ()
    logs = _normalised([log for _, log in found])
    capital = case == "fold" and next(filter(str.isalpha, source), "").isupper()
    return tuple(
        Candidate(_capitals(target) if capital else target, math.exp(log))
        for (target, _), log in zip(found, logs, strict=True)
    )


def _capitals(target: str) -> str:
    """A capital at the beginning of each word, in scripts that have them."""
    if target.upper() == target:
        return target
    letters = list(target)
    begins = True
    for place, letter in enumerate(letters):
        if begins and letter.isalpha():
            letters[place] = letter.upper() if len(letter.upper()) == 1 else letter
        begins = letter in " -"
    return "".join(letters)
