"""Train the models of a transliterator on aligned letters or phonemes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from string import ascii_letters
from threading import Event
from typing import NamedTuple

from sameas.names.aligner import Aligner
from sameas.names.candidates import combined
from sameas.names.decoder import MOST, decode
from sameas.names.joint import JointModel, Pair, fit
from sameas.names.network import Network, fit_network
from sameas.names.options import Case, Learning
from sameas.names.pairs import NamePairs
from sameas.names.units import fold, graphemes, scripts
from sameas.notes import Note

__all__ = [
    "ModelPart",
    "align_names",
    "join_tokens",
    "learn_parts",
    "letters_of",
    "usual_script",
]

MEMBERS = 2  # networks per ensemble
HELD_OUT = 20  # one name in 20 is held out to decide whether phonemes help


class ModelPart(NamedTuple):
    """A model with its input: letters or phonemes, forwards or backwards."""

    reads: str
    backwards: bool
    model: JointModel | Network

    def found(
        self, names: Sequence[Sequence[str]], most: int
    ) -> list[tuple[list[tuple[str, float]], str]]:
        """Return, for each name, candidates with their log-probabilities, and the omitted letters.

        Names are sequences of letters.
        """
        names = pronounce_names(names) if self.reads == "phonemes" else names
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


def _plain(name: Sequence[str]) -> Sequence[str]:
    """Return a name as a string if each letter is one character: a string is faster to slice."""
    text = "".join(name)
    return text if len(text) == len(name) else name


def _turned(text: str) -> str:
    return "".join(reversed(graphemes(text)))


def align_names(
    pairs: NamePairs, aligner: Aligner, case: Case
) -> tuple[list[list[Pair]], str, tuple[Note, ...]]:
    """Return the tokens of each pair, the aligner's signature and its notes.

    The side with more characters is aligned as letters, and the other as units.
    """
    lengths = [sum(map(len, names)) for names in zip(*pairs.pairs, strict=True)]
    order = -1 if lengths[0] < lengths[1] else 1
    fitted = aligner.fit(pairs.turned() if order < 0 else pairs)
    tokens = [join_tokens([token[::order] for token in one.tokens], case) for one in fitted.aligned]
    notes = tuple(note for note in fitted.notes if note not in pairs.notes)
    return tokens, fitted.signature, notes


def join_tokens(tokens: Iterable[Sequence[str]], case: Case) -> list[Pair]:
    """Return the tokens of a name; those without letters are joined to a neighbour."""
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


def learn_parts(
    settings: Learning,
    pairs: NamePairs,
    tokens: Sequence[Sequence[Pair]],
    tell: Callable[[Note], None],
) -> Iterator[ModelPart]:
    """Yield the models of a transliterator; `tell` is called with notes on progress."""
    if settings.model != "network":
        tell(Note("step-count"))
        yield ModelPart("letters", False, _fitted(tokens, settings))
    if settings.model == "best":
        yield from _phonemes(settings, pairs, tokens, tell)
    if settings.model in ("network", "best"):
        yield from _networks(settings, tokens, tell)


def _networks(
    settings: Learning, tokens: Sequence[Sequence[Pair]], tell: Callable[[Note], None]
) -> Iterator[ModelPart]:
    ways = [(False, tokens)]
    if settings.model == "best":
        ways.append((True, [_backwards(name) for name in tokens]))
    tasks = [(names, number) for _, names in ways for number in range(MEMBERS)]
    done: dict[int, float] = {}

    def train(place: int) -> Network:
        names, number = tasks[place]

        def report(epoch: int, epochs: int, loss: float) -> None:
            done[place] = epoch / epochs
            part = sum(done.values()) / len(tasks)
            tell(Note("step-train", count=round(100 * part)))

        seed = settings.seed * MEMBERS + number
        return fit_network(names, seed=seed, on_step=report, stop=stop)

    # Each network trains on one core; numpy releases the interpreter lock.
    stop = Event()
    with ThreadPoolExecutor(max(1, min(len(tasks), os.cpu_count() or 1))) as pool:
        try:
            trained = list(pool.map(train, range(len(tasks))))
        except BaseException:
            stop.set()  # otherwise running threads would train to the end
            raise
    for place, (backwards, _) in enumerate(ways):
        group = trained[place * MEMBERS : (place + 1) * MEMBERS]
        members = tuple(one.members[0] for one in group)
        yield ModelPart("letters", backwards, replace(group[0], members=members))


def _phonemes(
    settings: Learning,
    pairs: NamePairs,
    tokens: Sequence[Sequence[Pair]],
    tell: Callable[[Note], None],
) -> Iterator[ModelPart]:
    """Yield an n-gram model of phonemes, if most names can be pronounced as English and the model
    improves the ranking of held-out names."""
    if usual_script(source for source, _ in pairs.pairs) != "Latin" or len(pairs) < 10 * HELD_OUT:
        return
    tell(Note("step-listen"))
    phonemes = pronounce_names(graphemes(source) for source, _ in pairs.pairs)
    kept = [place for place, name in enumerate(phonemes) if name]
    if len(kept) < 0.9 * len(phonemes):
        return
    spoken = NamePairs([(phonemes[place], pairs.pairs[place][1]) for place in kept], checked=True)
    found, _, _ = align_names(spoken, Aligner(case="keep"), "keep")
    by_place = {
        place: [
            (source, fold(target) if settings.case == "fold" else target) for source, target in name
        ]
        for place, name in zip(kept, found, strict=True)
    }
    if _phonemes_help(settings, {place: tokens[place] for place in kept}, by_place):
        yield ModelPart("phonemes", False, _fitted(by_place.values(), settings))


def _phonemes_help(
    settings: Learning,
    written: Mapping[int, Sequence[Pair]],
    spoken: Mapping[int, Sequence[Pair]],
) -> bool:
    """Return whether adding phonemes to letters improves the ranking of held-out names."""
    lists = []
    held_out = [place for place in written if not place % HELD_OUT]
    for tokens in (written, spoken):
        known = _fitted((name for place, name in tokens.items() if place % HELD_OUT), settings)
        # The tokens of `spoken` already have phonemes instead of letters.
        part = ModelPart("letters", False, known)
        found = part.found([letters_of(tokens[place]) for place in held_out], MOST)
        lists.append([candidates for candidates, _ in found])
    right = ["".join(target for _, target in written[place]) for place in held_out]
    alone = _reciprocal_ranks(lists[0], right)
    return alone < _reciprocal_ranks(list(map(combined, zip(*lists, strict=True))), right)


def _fitted(names: Iterable[Sequence[Pair]], settings: Learning) -> JointModel:
    return fit(names, order=settings.order, smoothing=settings.smoothing)


def letters_of(tokens: Sequence[Pair]) -> tuple[str, ...]:
    """Return the letters on the left sides of tokens."""
    return tuple(letter for source, _ in tokens for letter in graphemes(source))


def _reciprocal_ranks(lists: Sequence[Sequence[tuple[str, float]]], right: Sequence[str]) -> float:
    """Return the sum of the reciprocal ranks of the right targets."""
    total = 0.0
    for candidates, target in zip(lists, right, strict=True):
        listed = enumerate(candidates, 1)
        total += next((1 / rank for rank, (one, _) in listed if one == target), 0.0)
    return total


def pronounce_names(names: Iterable[Sequence[str]]) -> list[str]:
    """Return the English pronunciations of names, spelt with one letter per phoneme."""
    from sameas.names.english import PHONEMES, pronounce

    signs = dict(zip(PHONEMES, ascii_letters, strict=False))
    pronounced = pronounce(["".join(name) for name in names])
    return ["".join(map(signs.__getitem__, phonemes)) for phonemes in pronounced]


def usual_script(names: Iterable[str]) -> str:
    """Return the scripts of the names, up to three joined by `+`, or `none`; ignore rare ones."""
    counts = Counter(kind for name in names for kind in scripts(name))
    most = max(counts.values(), default=0)
    usual = sorted(kind for kind, count in counts.items() if count > most / 10)
    return "+".join(usual[:3]) or "none"
