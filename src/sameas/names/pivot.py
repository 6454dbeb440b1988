"""Relate letters to sounds through English phonemes (Pervouchine, Li & Lin 2009, section 3.2).

Letters are aligned with the phonemes of the name, and phonemes with the sounds of the
transliteration. Together, these two alignments give the distances between letters and sounds from
which the affinity iterations start.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sameas.names import affinity
from sameas.names.affinity import UNSEEN, Matrix
from sameas.names.units import NameSide

__all__ = ["compose", "feature_distances", "through_phonemes"]

# Iterations of aligning letters with phonemes, and phonemes with sounds, before both are composed,
# as in the paper (section 5.1).
LETTER_STEPS, PHONEME_STEPS, PHONOLOGICAL_STEPS = 3, 6, 7


def through_phonemes(
    letters: NameSide,
    phonemes: NameSide,
    sounds: NameSide,
    phonological: bool = False,
    start: str = "even",
    seed: int = 1,
) -> tuple[Matrix, Matrix, Matrix]:
    """Return the affinities of letters with phonemes and of phonemes with sounds, and the
    resulting distances between letters and sounds (equation 6).

    >>> letters = NameSide.of([tuple("alice")])
    >>> found = through_phonemes(letters, NameSide.of([("AE", "L", "AH", "S")]),
    ...                          NameSide.of([("ai", "l", "i", "s", "iz")]), phonological=True)
    >>> [matrix.shape for matrix in found]
    [(6, 5), (5, 6), (6, 6)]
    """
    first: affinity.Aligned | Matrix = affinity.start(letters, phonemes, start, seed)
    links = affinity.settled(letters, phonemes, first, LETTER_STEPS)
    one = affinity.affinity(letters, phonemes, links)
    if phonological:
        first = feature_distances(phonemes.symbols, sounds.symbols)
        most = PHONOLOGICAL_STEPS - 1  # the first iteration uses feature distances
    else:
        first = affinity.start(phonemes, sounds, start, seed)
        most = PHONEME_STEPS
    two = affinity.affinity(phonemes, sounds, affinity.settled(phonemes, sounds, first, most))
    return one, two, compose(one, two)


def compose(one: Matrix, two: Matrix) -> Matrix:
    """Return −log P(c|e) from two affinity matrices, with P(c|e) = Σ_p P(c|p) P(p|e) (equation 6).

    A letter linked with no phoneme has no sound. A sound without a letter is either a sound without
    a phoneme, or the sound of a phoneme without a letter: P(c|*) is
    count(*, c) + Σ_p count(*, p) P(c|p), divided by its sum over c.

    >>> letters = np.array([[2.0, 2.0, 0.0], [0.0, 0.0, 0.0]])  # a letter, two phonemes
    >>> phonemes = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]])  # two phonemes, a sound
    >>> np.exp(-compose(letters, phonemes))[0].tolist()
    [0.75, 0.25]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        of_letters = np.nan_to_num(one / one.sum(axis=1, keepdims=True))
        of_phonemes = np.nan_to_num(two / two.sum(axis=1, keepdims=True))
    found = of_letters[:, :-1] @ of_phonemes[:-1]
    found[:, -1] += of_letters[:, -1]
    found[-1] = one[-1, :-1] @ of_phonemes[:-1] + two[-1]
    found[-1, -1] = 0.0
    if found[-1].sum() > 0:
        found[-1] /= found[-1].sum()
    with np.errstate(divide="ignore"):
        return np.where(found > 0, -np.log(found), UNSEEN)


def feature_distances(phonemes: Sequence[str], sounds: Sequence[str]) -> Matrix:
    """Return the phonological distances between phonemes and sounds.

    They are `NULL_DISTANCE` for unknown phonemes or sounds, and for the null phoneme.

    >>> feature_distances(["S"], ["s"]).tolist()[0][0]
    0.0
    """
    from sameas.names.phonology import ENGLISH, MANDARIN, NULL_DISTANCE, distances

    known = {*ENGLISH, *MANDARIN}
    found = np.full((len(phonemes) + 1, len(sounds) + 1), float(NULL_DISTANCE))
    rows, columns = (
        [at for at, one in enumerate(side) if one in known] for side in (phonemes, sounds)
    )
    near = distances([phonemes[at] for at in rows], [sounds[at] for at in columns])
    found[np.ix_(rows, columns)] = near
    return found
