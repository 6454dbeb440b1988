"""Transliterate names letter by letter with a feed-forward network.

Aligned names give the output of each letter: the first letter of a token outputs the units of the
token, and the others output nothing. The network predicts the probability of each output from a
window of letters around the letter, the last units output, and the number of letters since then. A
path for a name has one output per letter, possibly empty. The probability of a path is the product
of the probabilities of its outputs; that of a transliteration is the sum over all its paths.
Several networks, each with its own random initialisation, form an ensemble: log-probabilities are
averaged.

The network has two hidden layers. It is trained with Adam (Kingma & Ba 2015) and with dropout
(Srivastava et al. 2014); the running mean of its weights is kept.
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

BEFORE, AFTER = 5, 7  # letters of the window before and after the current one
LAST = 4  # the input includes this many of the last units output
FAR = 7  # cap on the number of letters since the last unit
LETTER_SIZE, UNIT_SIZE, FAR_SIZE = 24, 48, 8  # sizes of the embeddings
HIDDEN = (448, 256)  # sizes of the hidden layers
DROPOUT = 0.15
UNKNOWN = 0.002  # share of letters replaced by “unknown” in training, to train its embedding
RATE = 2e-3  # peak learning rate
SEEN = 3_000_000  # training letters over all epochs, within the limits of EPOCHS
EPOCHS = (3, 40)
BATCH = (32, 512)
BEAM = 16
WIDTH = 8.0  # prune hypotheses more than this many nats below the best of their name
TOGETHER = 120  # names decoded in one batch
_HASH = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """An ensemble of networks of the same shape, and their vocabularies of letters and outputs.

    >>> made = fit_network([[("a", "爱"), ("li", "丽")], [("li", "利"), ("a", "阿")]])
    >>> len(made.write(["ali"], most=3)[0])
    3
    """

    letters: tuple[str, ...]
    outputs: tuple[str, ...]  # what a letter can output; the first is empty
    members: tuple[tuple[Single, ...], ...]  # the weights of each network

    @cached_property
    def units(self) -> tuple[str, ...]:
        """The units of all outputs, in order."""
        return tuple(sorted({unit for output in self.outputs for unit in graphemes(output)}))

    @cached_property
    def _last(self) -> Ints:
        """The 1-based numbers of the last units of each output, left-padded with 0."""
        number = {unit: place for place, unit in enumerate(self.units, 1)}
        numbers = ([number[unit] for unit in graphemes(output)] for output in self.outputs)
        return np.array([([0] * LAST + row)[-LAST:] for row in numbers])

    def shapes(self) -> list[tuple[int, ...]]:
        """Return the shapes of the weights, in order."""
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
        """Return what to save: values that JSON can represent, and weights in half precision."""
        known = {"letters": self.letters, "outputs": self.outputs, "members": len(self.members)}
        return known, {
            f"{member}-{place}": one.astype(np.float16)
            for member, weights in enumerate(self.members)
            for place, one in enumerate(weights)
        }

    def windows(self, names: Sequence[Sequence[str]]) -> tuple[Ints, Ints]:
        """Return the window of each letter of all names, and the offset of each name.

        The offsets are followed by the end of the last name. In a window, 0 is padding beyond the
        name, and 1 is an unknown letter.
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
        """Return the `most` most probable targets of each name, best first, with log-probabilities.

        After each letter the `beam` best hypotheses are kept. Hypotheses with the same output so
        far and the same distance to its last unit are merged, whichever letters produced them.

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
        hashes = np.zeros(len(names), dtype=np.uint64)  # of the outputs so far
        back = np.full(len(names), -1)
        made = 0
        trail = [(back[:0], back[:0])]  # outputs, and the number of the hypothesis before each
        ended: list[tuple[Ints, NDArray[np.float64], Ints]] = []
        for step in range(int(lengths.max(initial=0)) + 1):
            done = lengths[owner] == step
            ended.append((owner[done], score[done], back[done]))
            owner, score, last, far, hashes, back = (
                column[~done] for column in (owner, score, last, far, hashes, back)
            )
            if not len(owner):
                break
            logs = self._logs([one[starts[owner] + step] for one in around], last, far)
            best = np.full(len(names), -np.inf)
            np.maximum.at(best, owner, score + logs.max(axis=1))
            row, output = np.nonzero(logs >= (best[owner] - WIDTH - score)[:, None])
            total = score[row] + logs[row, output]
            given = output > 0
            new_hashes = np.where(given, (hashes[row] + salt[output]) * _HASH, hashes[row])
            new_far = np.where(given, 1, np.minimum(far[row] + 1, FAR))
            keep, score = self._merged(owner[row], total, new_hashes, new_far, beam)
            row, output = row[keep], output[keep]
            trail.append((output, back[row]))
            owner, hashes, far = owner[row], new_hashes[keep], new_far[keep]
            # Shift the last units by the number of new ones.
            new = self._last[output]
            places = np.arange(LAST) + np.count_nonzero(new, axis=1)[:, None]
            places = np.where(places < LAST, places, np.arange(LAST, 2 * LAST))
            last = np.take_along_axis(np.concatenate([last[row], new], axis=1), places, axis=1)
            back = made + np.arange(len(row))
            made += len(row)
        return self._lists(len(names), ended, trail, most)

    def _logs(self, around: Sequence[Single], last: Ints, far: Ints) -> Single:
        """Return the ensemble's log-probabilities: a row per hypothesis, a column per output."""
        total: Any = 0.0
        for member, seen in zip(self.members, around, strict=True):
            _, unit, since, _, by_unit, _, inner, inner_bias, outer, outer_bias = member
            written = np.concatenate([unit[last].reshape(len(last), -1), since[far]], axis=1)
            hidden = np.maximum(seen + written @ by_unit, 0)
            hidden = np.maximum(hidden @ inner + inner_bias, 0)
            logits = hidden @ outer
            logits += outer_bias
            total = total + _log_softmax(logits)
        mean: Single = total if len(self.members) == 1 else _log_softmax(total / len(self.members))
        return mean

    @staticmethod
    def _merged(
        owner: Ints, total: NDArray[np.float64], hashes: NDArray[np.uint64], far: Ints, beam: int
    ) -> tuple[Ints, NDArray[np.float64]]:
        """Merge equal hypotheses, and keep the best of each name.

        For each group of equal hypotheses, return the index of the most probable, and ln of the sum
        of their probabilities.
        """
        key = (hashes + far.astype(np.uint64)) * _HASH + owner.astype(np.uint64)
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


def _log_softmax(logs: Any) -> Any:
    """Return the log-softmax of each row."""
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
    """Train a network on aligned names.

    `on_step` is called after each epoch with its number, the number of epochs, and the mean loss
    per letter in nats. When `stop` is set, training raises InterruptedError.

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
    weights = [_initialise(shape, rng) for shape in empty.shapes()]
    for epoch, loss in enumerate(_train(weights, examples, epochs, rng, stop), 1):
        if on_step is not None:
            on_step(epoch, epochs, loss)
    # Half precision is enough; rounding now makes the network equal to the one read from its file.
    trained = tuple(one.astype(np.float16).astype(np.float32) for one in weights)
    return replace(empty, members=(trained,))


@dataclass(frozen=True, slots=True)
class _Examples:
    """The inputs of the network and the right output, letter by letter."""

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
    average: Sequence[Single],
    examples: _Examples,
    epochs: int,
    rng: np.random.Generator,
    stop: Event | None,
) -> Iterator[float]:
    """Yield the mean loss of each epoch. `average` holds the initial weights, and is updated to the
    running mean of the weights."""
    weights = [one.copy() for one in average]
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
                weights, gradients, moments, average, strict=True
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


def _initialise(shape: tuple[int, ...], rng: np.random.Generator) -> Single:
    if len(shape) == 1:
        return np.zeros(shape, dtype=np.float32)
    # Embeddings have unit variance; layers preserve the variance of their inputs.
    deviation = 1.0 if shape[1] in (LETTER_SIZE, UNIT_SIZE, FAR_SIZE) else math.sqrt(2 / shape[0])
    return (rng.standard_normal(shape, dtype=np.float32) * np.float32(deviation)).astype(np.float32)


def _gradients(
    weights: Sequence[Single], examples: _Examples, chosen: Ints, rng: np.random.Generator
) -> tuple[float, list[Single]]:
    """Return the mean loss of the chosen examples, and its gradients."""
    letter, unit, since, by_letter, by_unit, bias, inner, inner_bias, outer, outer_bias = weights
    size = len(chosen)
    window, last, far = examples.window[chosen], examples.last[chosen], examples.far[chosen]
    window = np.where(rng.random(window.shape, dtype=np.float32) < UNKNOWN, 1, window)
    seen = letter[window].reshape(size, -1)
    written = np.concatenate([unit[last].reshape(size, -1), since[far]], axis=1)
    first: Single = np.matmul(seen, by_letter) + written @ by_unit + bias
    first_open = _dropout_mask(first, rng)
    first *= first_open
    second: Single = first @ inner + inner_bias
    second_open = _dropout_mask(second, rng)
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
        _sum_rows(len(letter), window.reshape(-1), to_seen),
        _sum_rows(len(unit), last.reshape(-1), to_written[:, :-FAR_SIZE].reshape(-1, UNIT_SIZE)),
        _sum_rows(len(since), far, to_written[:, -FAR_SIZE:]),
        np.matmul(seen.T, to_first),
        np.matmul(written.T, to_first),
        to_first.sum(axis=0),
        np.matmul(first.T, to_second),
        to_second.sum(axis=0),
        np.matmul(second.T, logits),
        logits.sum(axis=0),
    ]


def _dropout_mask(values: Single, rng: np.random.Generator) -> Single:
    """Return the ReLU mask with inverted dropout: 1 / (1 − DROPOUT) for what is kept, else 0."""
    kept = rng.random(values.shape, dtype=np.float32) >= DROPOUT
    kept &= values > 0
    return kept * np.float32(1 / (1 - DROPOUT))


def _sum_rows(many: int, rows: Ints, values: Single) -> Single:
    """Return, for each of `many` rows, the sum of the values that belong to it."""
    order = np.argsort(rows, kind="stable")
    ordered = rows[order]
    heads = np.flatnonzero(np.diff(ordered, prepend=-1))
    total: Single = np.zeros((many, values.shape[1]), dtype=np.float32)
    total[ordered[heads]] = np.add.reduceat(values[order], heads, axis=0)
    return total
