"""Build the English dictionary and the model for other names, and measure the model.

    python studies/pronunciations.py path/to/cmudict.dict

reads the CMU Pronouncing Dictionary, keeps the first pronunciation of each word without stress,
aligns letters with phonemes, and writes `cmudict.txt.xz` and `english.model` into the package.
Before that it holds out every word whose CRC-32 is divisible by 40, learns from the rest, and
prints the accuracy on the held-out words. The output is reproducible.
"""

from __future__ import annotations

import argparse
import lzma
import re
import time
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sameas.errors import InputError, Problem
from sameas.names import joint
from sameas.names.english import PHONEMES, guess
from sameas.names.modelfile import write_model
from sameas.names.segment import Segments, expect, lattice_of, segment
from sameas.names.tokens import RunNumbers
from sameas.names.units import NameSide

DATA = Path(__file__).parents[1] / "src" / "sameas" / "names" / "data"
ORDER, PRUNE = 6, 0.7
LETTERS, UNITS = 4, 2  # maximum letters and phonemes in a pair
ITERATIONS = 12
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)*")
_PLAIN = re.compile("[a-z]+")

Sounds = tuple[str, ...]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]


def read_dictionary(path: Path) -> dict[str, list[Sounds]]:
    """Read the words of a CMU dictionary file, with their pronunciations without stress.

    Possessives, abbreviations with full stops, and words with other signs are not names and are
    skipped.
    """
    words: dict[str, list[Sounds]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not (fields := line.split("#")[0].split()) or fields[0].startswith(";;;"):
            continue
        word = re.sub(r"\(\d+\)$", "", fields[0])
        sounds = tuple(sound.rstrip("012") for sound in fields[1:])
        if not sounds or not set(sounds) <= set(PHONEMES):
            raise InputError([Problem(f"{word} has no pronunciation", str(path), number, 1)])
        if _WORD.fullmatch(word) and not word.endswith("'s"):
            words.setdefault(word, []).append(sounds)
    return words


def lengths(runs: RunNumbers) -> Ints:
    """Return the number of symbols in each run."""
    return np.repeat(np.arange(len(runs.known) + 1), [1, *map(len, runs.known)])


def prior_weights(segments: Segments) -> Floats:
    """Return the prior weights of segments, relative to a pair of one letter and one phoneme.

    Without these weights, segments would grow to their maximum length. Nearly every phoneme has
    letters (one without letters goes to the pair before). Examples of pairs with two phonemes are
    x, the u of "music" and the le of "apple". Each letter of a
    phoneme after the first halves the weight.
    """
    width = segments.target.count + 1
    letters = lengths(segments.source)[segments.codes // width]
    phonemes = lengths(segments.target)[segments.codes % width]
    alone = np.where(letters == 0, 1e-4, 0.5 ** np.maximum(letters - 1.0, 0))
    double = np.choose(np.minimum(letters, 3), [1e-12, 1.0, 0.1, 1e-9])
    return np.where(phonemes == 1, alone, double)


def align(words: Sequence[str], sounds: Sequence[Sounds]) -> list[list[joint.Pair]]:
    """Cut words and their phonemes into pairs, the training data of joint models."""
    source, target = NameSide.of([tuple(word) for word in words]), NameSide.of(sounds)
    segments, lattices = lattice_of(source, target, letters=LETTERS, units=UNITS)
    priors = prior_weights(segments)
    weights = priors
    for _ in range(ITERATIONS):
        counts, _ = expect(lattices, weights / weights.sum())
        weights = counts * priors + 1e-250
    cuts = segment(lattices, weights / weights.sum())
    aligned: list[list[joint.Pair]] = []
    ends = zip(cuts.source_ends.tolist(), cuts.target_ends.tolist(), strict=True)
    letters = units = 0
    for word, spoken in zip(words, sounds, strict=True):
        begin, first = letters, units
        name: list[joint.Pair] = []
        waiting: Sounds = ()  # phonemes before the first letters
        while units < first + len(spoken):
            end, unit = next(ends)
            written = word[letters - begin : end - begin]
            part = waiting + spoken[units - first : unit - first]
            waiting = ()
            if written:
                name.append((written, " ".join(part)))
            elif name:
                name[-1] = (name[-1][0], " ".join((name[-1][1], *part)))
            else:
                waiting = part
            letters, units = end, unit
        aligned.append(name)
    return aligned


def distance(one: Sequence[str], two: Sequence[str]) -> int:
    """Return the edit distance between two sequences of phonemes."""
    row = list(range(len(two) + 1))
    for number, here in enumerate(one, 1):
        before, row[0] = row[0], number
        for place, there in enumerate(two, 1):
            before, row[place] = (
                row[place],
                min(row[place] + 1, row[place - 1] + 1, before + (here != there)),
            )
    return row[-1]


def measure(model: joint.JointModel, words: dict[str, list[Sounds]]) -> None:
    """Print the accuracy and the speed of the model on words."""
    guess(model, ["a"])  # warm-up
    started = time.process_time()
    guesses = [tuple(one.split()) for one in guess(model, list(words))]
    seconds = time.process_time() - started
    first = sum(one == known[0] for one, known in zip(guesses, words.values(), strict=True))
    some = sum(one in known for one, known in zip(guesses, words.values(), strict=True))
    wrong = sum(distance(one, known[0]) for one, known in zip(guesses, words.values(), strict=True))
    phonemes = sum(len(known[0]) for known in words.values())
    print(f"{len(words)} words held out, {len(model)} n-grams")
    print(f"word accuracy        {first / len(words):.4f}")
    print(f"  any pronunciation  {some / len(words):.4f}")
    print(f"phoneme error rate   {wrong / phonemes:.4f}")
    print(f"words per second     {len(words) / seconds:.0f}")


def held_out(word: str) -> bool:
    """Return whether a word is held out."""
    return zlib.crc32(word.encode()) % 40 == 0


def fit(words: dict[str, list[Sounds]]) -> joint.JointModel:
    """Fit a model to the first pronunciations of words."""
    return joint.fit(
        align(list(words), [known[0] for known in words.values()]), order=ORDER, prune=PRUNE
    )


def write(words: dict[str, list[Sounds]], path: Path) -> None:
    """Write the dictionary, one word and its phonemes per line, xz-compressed."""
    lines = (f"{word} {' '.join(words[word][0])}\n" for word in sorted(words))
    path.write_bytes(lzma.compress("".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME))


def main(arguments: Iterable[str] | None = None) -> None:
    """Measure the model and build the files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dictionary", type=Path, help="cmudict.dict")
    parser.add_argument("--to", type=Path, default=DATA, help="folder for the files")
    options = parser.parse_args(arguments if arguments is None else list(arguments))
    words = read_dictionary(options.dictionary)
    plain = {word: known for word, known in words.items() if _PLAIN.fullmatch(word)}
    print(f"{len(words)} words, {len(plain)} of them letters only")
    measure(
        fit({word: known for word, known in plain.items() if not held_out(word)}),
        {word: known for word, known in plain.items() if held_out(word)},
    )
    write(words, options.to / "cmudict.txt.xz")
    model = fit(plain)
    columns = {name: one.astype(np.uint16) for name, one in joint.columns(model).items()}
    write_model(options.to / "english.model", {"order": model.order, "pairs": model.pairs}, columns)
    for name in ("cmudict.txt.xz", "english.model"):
        print(f"{name} has {(options.to / name).stat().st_size} bytes")


if __name__ == "__main__":
    main()
