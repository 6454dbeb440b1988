"""A network that writes names letter by letter: what does this letter, among its neighbours, give?

Aligned names say what each letter gives: the first letter of a token gives the token's units, the
others give nothing. The network has learned the probability of that, from a window of letters
around the letter, the last units written, and how many letters ago they were. A way to write a
name gives something or nothing for each letter in order; its probability is the product, and that
of a transliteration the sum over all ways to write it. Several networks, each from its own random
start, speak together: the mean of their logarithms.

The network has two hidden layers; it is trained by Adam (Kingma & Ba 2015) with dropout
(Srivastava et al. 2014), and what is kept is the running mean of its weights.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sameas.errors import UsageError
from sameas.names.decoder import follow
from sameas.names.joint import Ints, Pair
from sameas.names.units import graphemes, ranks, spread

__all__ = ["Network", "fit_network"]

Single = NDArray[np.float32]

BEFORE, AFTER = 5, 7  # letters that are seen before and after the letter in question
LAST = 4  # units written last that are seen
FAR = 7  # letters since the last unit, above which more are not told apart
LETTER_SIZE, UNIT_SIZE, FAR_SIZE = 24, 48, 8  # numbers that stand for one of each
HIDDEN = (448, 256)
DROPOUT = 0.15
UNKNOWN = 0.002  # letters hidden in training, so that the network learns to do without
RATE = 2e-3
SEEN = 3_000_000  # letters looked at in training, all epochs together, of a corpus of fair size
EPOCHS = (3, 40)
BATCH = (32, 512)
BEAM = 16
WIDTH = 8.0  # nats below the best beginning of a name, from where others are given up
TOGETHER = 120  # names that are written at once
_HASH = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """Networks of one shape, and the letters and units that they know.

    >>> made = fit_network([[("a", "爱"), ("li", "丽")], [("li", "利"), ("a", "阿")]])
    >>> len(made.write(["ali"], most=3)[0])
    3
    """

    letters: tuple[str, ...]
    outputs: tuple[str, ...]  # what a letter can give; the first gives nothing
    members: tuple[tuple[Single, ...], ...]  # the weights of each network

    @cached_property
    def units(self) -> tuple[str, ...]:
        """The units of all outputs, in order."""
        return tuple(sorted({unit for output in self.outputs for unit in graphemes(output)}))

    @cached_property
    def _last(self) -> Ints:
        """The numbers of the last units of each output, from 1; before them 0."""
        number = {unit: place for place, unit in enumerate(self.units, 1)}
        numbers = ([number[unit] for unit in graphemes(output)] for output in self.outputs)
        return np.array([([0] * LAST + row)[-LAST:] for row in numbers])

    def shapes(self) -> list[tuple[int, ...]]:
        """The shapes of the weights, in order."""
        wide = (BEFORE + 1 + AFTER) * LETTER_SIZE, LAST * UNIT_SIZE + FAR_SIZE
        return [
            (len(self.letters) + 2, LETTER_SIZE),
            (len(self.units) + 1, UNIT_SIZE),
            (FAR + 1, FAR_SIZE),
            (wide[0], HIDDEN[0]),
            (wide[1], HIDDEN[0]),
            (HIDDEN[0],),
            HIDDEN,
            (HIDDEN[1],),
            (HIDDEN[1], len(self.outputs)),
            (len(self.outputs),),
        ]

    def saved(self) -> tuple[dict[str, Any], Mapping[str, NDArray[Any]]]:
        """Return all there is to keep: values that JSON can hold, and weights in half digits."""
        known = {"letters": self.letters, "outputs": self.outputs, "members": len(self.members)}
        return known, {
            f"{member}-{place}": one.astype(np.float16)
            for member, weights in enumerate(self.members)
            for place, one in enumerate(weights)
        }

    def windows(self, names: Sequence[Sequence[str]]) -> tuple[Ints, Ints]:
        """The letters around each letter of all names, and where names begin, and the last ends.

        Letter 0 is beyond the name, 1 one that is not known.
        """
        number = {letter: place for place, letter in enumerate(self.letters, 2)}
        lengths = np.array([len(name) for name in names], dtype=np.int64)
        ends = np.cumsum(lengths + BEFORE + AFTER)
        middle, starts = spread(ends - lengths - AFTER, lengths)
        codes = np.zeros(ends[-1] if len(ends) else 0, dtype=np.int64)
        codes[middle] = [number.get(letter, 1) for name in names for letter in name]
        return codes[middle[:, None] + np.arange(-BEFORE, AFTER + 1)], starts

    def write(
        self, names: Sequence[Sequence[str]], *, most: int = 20, beam: int = BEAM
    ) -> list[list[tuple[str, float]]]:
        """The most probable targets of each name with ln of their probability, the best first.

        After each letter the `beam` best beginnings go on; a beginning is what was written and
        how far back its last unit is, whatever letters gave it.

        >>> made = fit_network([[("a", "爱"), ("li", "丽")], [("li", "利")]])
        >>> made.write([""])
        [[('', 0.0)]]
        """
        if isinstance(names, str):
            raise UsageError("one-string", what="names", value=names)
        beam = max(beam, most)
        found: dict[int, list[tuple[str, float]]] = {}
        order = sorted(range(len(names)), key=lambda place: len(names[place]))
        for begin in range(0, len(order), TOGETHER):
            chosen = order[begin : begin + TOGETHER]
            lists = self._write([names[place] for place in chosen], most, beam)
            found.update(zip(chosen, lists, strict=True))
        return [found[place] for place in range(len(names))]

    def _write(
        self, names: Sequence[Sequence[str]], most: int, beam: int
    ) -> list[list[tuple[str, float]]]:
        windows, starts = self.windows(names)
        lengths = np.diff(starts)
        around = [
            (member[0][windows].reshape(len(windows), len(member[3])) @ member[3]) + member[5]
            for member in self.members
        ]
        rng = np.random.Generator(np.random.PCG64(1))
        salt = rng.integers(0, 2**63, len(self.outputs), dtype=np.uint64) | np.uint64(1)
        owner = np.arange(len(names))
        score = np.zeros(len(names))
        last = np.zeros((len(names), LAST), dtype=np.int64)
        far = np.full(len(names), FAR)
        told = np.zeros(len(names), dtype=np.uint64)  # stands for what was written
        back = np.full(len(names), -1)
        made = 0
        trail = [(back[:0], back[:0])]  # outputs, and the number of the beginning before each
        ended: list[tuple[Ints, NDArray[np.float64], Ints]] = []
        for step in range(int(lengths.max(initial=0)) + 1):
            done = lengths[owner] == step
            ended.append((owner[done], score[done], back[done]))
            owner, score, last, far, told, back = (
                column[~done] for column in (owner, score, last, far, told, back)
            )
            if not len(owner):
                break
            logs = self._logs([one[starts[owner] + step] for one in around], last, far)
            best = np.full(len(names), -np.inf)
            np.maximum.at(best, owner, score + logs.max(axis=1))
            row, output = np.nonzero(logs >= (best[owner] - WIDTH - score)[:, None])
            total = score[row] + logs[row, output]
            given = output > 0
            new_told = np.where(given, (told[row] + salt[output]) * _HASH, told[row])
            new_far = np.where(given, 1, np.minimum(far[row] + 1, FAR))
            keep, score = self._merged(owner[row], total, new_told, new_far, beam)
            row, output = row[keep], output[keep]
            trail.append((output, back[row]))
            owner, told, far = owner[row], new_told[keep], new_far[keep]
            # What was written last moves up by as many units as are new.
            new = self._last[output]
            places = np.arange(LAST) + np.count_nonzero(new, axis=1)[:, None]
            places = np.where(places < LAST, places, np.arange(LAST, 2 * LAST))
            last = np.take_along_axis(np.concatenate([last[row], new], axis=1), places, axis=1)
            back = made + np.arange(len(row))
            made += len(row)
        return self._lists(len(names), ended, trail, most)

    def _logs(self, around: Sequence[Single], last: Ints, far: Ints) -> Single:
        """The mean of the members' logarithms, for each beginning and output."""
        total: Any = 0.0
        for member, seen in zip(self.members, around, strict=True):
            _, unit, since, _, by_unit, _, inner, inner_bias, outer, outer_bias = member
            written = np.concatenate([unit[last].reshape(len(last), -1), since[far]], axis=1)
            hidden = np.maximum(seen + written @ by_unit, 0)
            hidden = np.maximum(hidden @ inner + inner_bias, 0)
            logits = hidden @ outer
            logits += outer_bias
            total = total + _normalised(logits)
        mean: Single = total if len(self.members) == 1 else _normalised(total / len(self.members))
        return mean

    @staticmethod
    def _merged(
        owner: Ints, total: NDArray[np.float64], told: NDArray[np.uint64], far: Ints, beam: int
    ) -> tuple[Ints, NDArray[np.float64]]:
        """The best beginnings of each name: the place of one that stands for all alike, and ln of
        the sum of these."""
        key = (told + far.astype(np.uint64)) * _HASH + owner.astype(np.uint64)
        order = np.lexsort((-total, key))
        heads = np.flatnonzero(np.diff(key[order], prepend=key[order[:1]] + np.uint64(1)))
        first = order[heads]
        highest = total[first]
        spans = np.diff(np.append(heads, len(order)))
        summed = highest + np.log(
            np.add.reduceat(np.exp(total[order] - np.repeat(highest, spans)), heads)
        )
        ranking = np.lexsort((-summed, owner[first]))
        owners = owner[first][ranking]
        kept = ranking[ranks(owners) < beam]
        return first[kept], summed[kept]

    def _lists(
        self,
        names: int,
        ended: Sequence[tuple[Ints, NDArray[np.float64], Ints]],
        trail: Sequence[tuple[Ints, Ints]],
        most: int,
    ) -> list[list[tuple[str, float]]]:
        owner, score, last = map(np.concatenate, zip(*ended, strict=True))
        ways = follow(trail, last)
        sums: list[dict[str, float]] = [{} for _ in range(names)]
        for name, log, way in zip(owner.tolist(), score.tolist(), ways, strict=True):
            target = "".join([self.outputs[output] for output in way])
            known = sums[name].get(target, -math.inf)
            top = max(known, log)
            sums[name][target] = top + math.log(math.exp(known - top) + math.exp(log - top))
        return [
            sorted(found.items(), key=lambda candidate: (-candidate[1], candidate[0]))[:most]
            for found in sums
        ]


def _normalised(logs: Any) -> Any:
    """Logarithms of numbers that sum to one in each row."""
    logs -= logs.max(axis=1, keepdims=True)
    logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
    return logs


def fit_network(
    aligned: Sequence[Sequence[Pair]],
    *,
    seed: int = 1,
    on_step: Callable[[int, int, float], None] | None = None,
    stop: Event | None = None,
) -> Network:
    """Train a network on aligned names; `on_step` hears of each epoch: its number, how many there
    are, and the mean loss of a letter in nats. Training ends with an error when `stop` is set.

    >>> fit_network([[("", "爱")]])
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: no letters to learn from
    """
    given = [
        [
            (letter, "" if place else target)
            for source, target in tokens
            for place, letter in enumerate(graphemes(source))
        ]
        for tokens in aligned
    ]
    names, outputs = ([[pair[side] for pair in name] for name in given] for side in (0, 1))
    known = sorted({letter for name in names for letter in name})
    if not known:
        raise UsageError("no-letters")
    written = sorted({""}.union(*outputs))
    empty = Network(tuple(known), tuple(written), ())
    examples = _examples(empty, names, outputs)
    many = len(examples.output)
    epochs = int(np.clip(SEEN // many, *EPOCHS))
    rng = np.random.Generator(np.random.PCG64([seed, 0]))
    weights = [_first(shape, rng) for shape in empty.shapes()]
    for epoch, loss in enumerate(_train(weights, examples, epochs, rng, stop), 1):
        if on_step is not None:
            on_step(epoch, epochs, loss)
    # Half the digits are enough, and a network that is read is the one that was saved.
    trained = tuple(one.astype(np.float16).astype(np.float32) for one in weights)
    return replace(empty, members=(trained,))


@dataclass(frozen=True, slots=True)
class _Examples:
    """What is asked of the network, letter by letter, and what it should say."""

    window: Ints
    last: Ints
    far: Ints
    output: Ints


def _examples(
    network: Network, names: Sequence[Sequence[str]], outputs: Sequence[Sequence[str]]
) -> _Examples:
    number = {output: place for place, output in enumerate(network.outputs)}
    window, _ = network.windows(names)
    last, far, output = [], [], []
    ends = [row[row > 0].tolist() for row in network._last]
    for given in outputs:
        before = [0] * LAST
        since = FAR
        for one in given:
            last.append(before)
            far.append(since)
            output.append(number[one])
            if one:
                before = [*before, *ends[number[one]]][-LAST:]
            since = 1 if one else min(since + 1, FAR)
    return _Examples(window, np.array(last), np.array(far), np.array(output))


def _train(
    slow: Sequence[Single],
    examples: _Examples,
    epochs: int,
    rng: np.random.Generator,
    stop: Event | None,
) -> Iterator[float]:
    """Yield the mean loss of each epoch; `slow` are the first weights, and become the running mean
    of all."""
    weights = [one.copy() for one in slow]
    moments = [(np.zeros_like(one), np.zeros_like(one)) for one in weights]
    many = len(examples.output)
    batch = int(np.clip(many // 200, *BATCH))
    steps = epochs * -(-many // batch)
    step = 0
    for _ in range(epochs):
        order = rng.permutation(many)
        loss = 0.0
        for begin in range(0, many, batch):
            if stop is not None and stop.is_set():
                raise InterruptedError("training was stopped")
            chosen = order[begin : begin + batch]
            cost, gradients = _gradients(weights, examples, chosen, rng)
            loss += cost * len(chosen)
            step += 1
            rate = RATE * min(1.0, step / 200) * (0.505 + 0.495 * math.cos(math.pi * step / steps))
            share = min(0.998, (1 + step) / (10 + step))
            for weight, gradient, (first, second), mean in zip(
                weights, gradients, moments, slow, strict=True
            ):
                first += np.float32(0.1) * (gradient - first)
                gradient *= gradient
                second += np.float32(0.001) * (gradient - second)
                size = np.sqrt(second)
                size *= np.float32(1 / math.sqrt(1 - 0.999**step))
                size += np.float32(1e-8)
                weight -= np.float32(rate / (1 - 0.9**step)) * first / size
                mean += np.float32(1 - share) * (weight - mean)
        yield loss / many


def _first(shape: tuple[int, ...], rng: np.random.Generator) -> Single:
    if len(shape) == 1:
        return np.zeros(shape, dtype=np.float32)
    # Numbers that stand for letters and units are of size one; layers keep sizes as they are.
    spread_ = 1.0 if shape[1] in (LETTER_SIZE, UNIT_SIZE, FAR_SIZE) else math.sqrt(2 / shape[0])
    return (rng.standard_normal(shape, dtype=np.float32) * np.float32(spread_)).astype(np.float32)


def _gradients(
    weights: Sequence[Single], examples: _Examples, chosen: Ints, rng: np.random.Generator
) -> tuple[float, list[Single]]:
    """The mean loss of some examples, and where it falls."""
    letter, unit, since, by_letter, by_unit, bias, inner, inner_bias, outer, outer_bias = weights
    size = len(chosen)
    window, last, far = examples.window[chosen], examples.last[chosen], examples.far[chosen]
    window = np.where(rng.random(window.shape, dtype=np.float32) < UNKNOWN, 1, window)
    seen = letter[window].reshape(size, -1)
    written = np.concatenate([unit[last].reshape(size, -1), since[far]], axis=1)
    first: Single = np.matmul(seen, by_letter) + written @ by_unit + bias
    first_open = _dropped(first, rng)
    first *= first_open
    second: Single = first @ inner + inner_bias
    second_open = _dropped(second, rng)
    second *= second_open
    logits: Single = second @ outer + outer_bias
    logits -= logits.max(axis=1, keepdims=True)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=1, keepdims=True)
    right = np.arange(size), examples.output[chosen]
    loss = float(-np.log(logits[right] + 1e-12).mean())
    logits[right] -= 1
    logits /= np.float32(size)
    to_second: Single = np.matmul(logits, outer.T)
    to_second *= second_open
    to_first: Single = np.matmul(to_second, inner.T)
    to_first *= first_open
    to_seen: Single = np.matmul(to_first, by_letter.T).reshape(-1, LETTER_SIZE)
    to_written: Single = np.matmul(to_first, by_unit.T)
    return loss, [
        _summed(len(letter), window.reshape(-1), to_seen),
        _summed(len(unit), last.reshape(-1), to_written[:, :-FAR_SIZE].reshape(-1, UNIT_SIZE)),
        _summed(len(since), far, to_written[:, -FAR_SIZE:]),
        np.matmul(seen.T, to_first),
        np.matmul(written.T, to_first),
        to_first.sum(axis=0),
        np.matmul(first.T, to_second),
        to_second.sum(axis=0),
        np.matmul(second.T, logits),
        logits.sum(axis=0),
    ]


def _dropped(values: Single, rng: np.random.Generator) -> Single:
    """1 for what is above zero, a little more since some of it is dropped, and 0 for all else."""
    kept = rng.random(values.shape, dtype=np.float32) >= DROPOUT
    kept &= values > 0
    return kept * np.float32(1 / (1 - DROPOUT))


def _summed(many: int, rows: Ints, values: Single) -> Single:
    """The sums of the values that belong to each row."""
    order = np.argsort(rows, kind="stable")
    ordered = rows[order]
    heads = np.flatnonzero(np.diff(ordered, prepend=-1))
    total: Single = np.zeros((many, values.shape[1]), dtype=np.float32)
    total[ordered[heads]] = np.add.reduceat(values[order], heads, axis=0)
    return total
