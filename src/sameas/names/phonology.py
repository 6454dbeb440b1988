"""The sounds of English and Mandarin in one table of articulatory features, and their distance.

Pervouchine, Li & Lin (2009, section 3.2.2) describe every phoneme by binary features and take the
number of features in which two phonemes differ, their Hamming distance, for the distance between
them. Their table is not in the paper; this one is ours. English sounds are the 39 phonemes of the
CMU dictionary without stress, in capitals; Mandarin ones are in small letters, mostly spelt as in
pinyin, and are what `sameas.names.mandarin` cuts syllables into.

The table is made for alignment. The null phoneme costs more than any two phonemes differ, so two
nulls are only better than two wrong partners if a vowel differs from a consonant nearly as much as
anything differs from anything. Hence:

- four features say that a vowel is no consonant, and no other feature is said of both, but for
  the vowels that R has left behind (ER, er, ir);
- what all sounds of a kind have is not said again: vowels, nasals, liquids and glides are voiced;
- obstruents are not voiced or voiceless but weak or strong, since Mandarin has B and P so: the weak
  b is unvoiced and the strong p is aspirated;
- descriptions are short: no vowel has more than six features, no consonant more than seven.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sameas.errors import unknown

__all__ = [
    "ENGLISH",
    "FEATURES",
    "MANDARIN",
    "NULL_DISTANCE",
    "distance",
    "distances",
    "features",
]

Bools = np.ndarray[Any, np.dtype[np.bool_]]
Ints = np.ndarray[Any, np.dtype[np.int64]]

_FEATURES = """
vowel       nothing in the mouth is in the way of the air
syllabic    it carries a syllable
consonant   the mouth is closed or narrowed: all consonants but the glides W and Y
marginal    it stands at the edge of a syllable: consonants and glides
high        a vowel with the tongue raised: IY, UW
mid         with the tongue half-way: EH, OW
low         with the tongue lowered: AE, AA
front       with the tongue to the front: IY, EH
central     between front and back: AH; e has the room from here to the back
back        with the tongue to the back: UW, OW
rounded     with rounded lips, if only for its beginning: UW, ua
tense       longer and nearer to the edge of the mouth than its neighbour: IY, not IH
apical      the vowel that goes on where its consonant was made: the i of si and shi
onglide     a final that begins with the front glide: the i of liao
upglide     ends in the front glide: AY, ei
backglide   ends in the back glide: AW, ou
nasalised   a final that ends in n or ng
liquid      L, R, and the vowels that English has made of R and Mandarin writes for both: er
rhotic      with the tongue bunched or bent: R, ER, the i of shi
lateral     the air goes past the sides of the tongue: L
resonant    a consonant that sounds without noise: nasals, liquids, glides
nasal       the air goes through the nose: M
stop        the mouth is closed for a moment: P, and CH, which begins as one
fricative   the air hisses: S, and CH, which ends as one
labial      made with the lips: P, F, W
coronal     made with the tip of the tongue at the teeth or their ridge: T, S
dental      at the teeth: TH
hushing     made behind the ridge of the teeth: SH, and Mandarin sh and x
palatal     with the tongue raised to the hard palate: Y, and Mandarin x
velar       at the soft palate or behind it: K, HH
glottal     in the throat: HH
lenis       weak: B, which is voiced, b, which is not, and w, which many speak as a weak V
aspirated   a stop let go with a breath: P and p
"""

_ENGLISH = """
AA  vowel syllabic low back
AE  vowel syllabic low front
AH  vowel syllabic mid central
AO  vowel syllabic low back rounded
AW  vowel syllabic low central backglide
AY  vowel syllabic low central upglide
EH  vowel syllabic mid front
ER  vowel syllabic mid central liquid rhotic
EY  vowel syllabic mid front upglide
IH  vowel syllabic high front
IY  vowel syllabic high front tense
OW  vowel syllabic mid back rounded backglide
OY  vowel syllabic mid back rounded upglide
UH  vowel syllabic high back rounded
UW  vowel syllabic high back rounded tense
B   consonant marginal stop labial lenis
CH  consonant marginal stop fricative hushing aspirated
D   consonant marginal stop coronal lenis
DH  consonant marginal fricative coronal dental lenis
F   consonant marginal fricative labial
G   consonant marginal stop velar lenis
HH  consonant marginal fricative velar glottal
JH  consonant marginal stop fricative hushing lenis
K   consonant marginal stop velar aspirated
L   consonant marginal liquid lateral resonant coronal
M   consonant marginal resonant nasal labial
N   consonant marginal resonant nasal coronal
NG  consonant marginal resonant nasal velar
P   consonant marginal stop labial aspirated
R   consonant marginal liquid rhotic resonant coronal
S   consonant marginal fricative coronal
SH  consonant marginal fricative hushing
T   consonant marginal stop coronal aspirated
TH  consonant marginal fricative coronal dental
V   consonant marginal fricative labial lenis
W   marginal resonant labial velar
Y   marginal resonant palatal
Z   consonant marginal fricative coronal lenis
ZH  consonant marginal fricative hushing lenis
"""

_MANDARIN = """
b    consonant marginal stop labial lenis
p    consonant marginal stop labial aspirated
m    consonant marginal resonant nasal labial
f    consonant marginal fricative labial
d    consonant marginal stop coronal lenis
t    consonant marginal stop coronal aspirated
n    consonant marginal resonant nasal coronal
l    consonant marginal liquid lateral resonant coronal
g    consonant marginal stop velar lenis
k    consonant marginal stop velar aspirated
h    consonant marginal fricative velar
j    consonant marginal stop fricative hushing palatal lenis
q    consonant marginal stop fricative hushing palatal aspirated
x    consonant marginal fricative hushing palatal
zh   consonant marginal stop fricative hushing lenis
ch   consonant marginal stop fricative hushing aspirated
sh   consonant marginal fricative hushing
r    consonant marginal liquid rhotic resonant coronal hushing
z    consonant marginal stop fricative coronal lenis
c    consonant marginal stop fricative coronal aspirated
s    consonant marginal fricative coronal
y    marginal resonant palatal
w    marginal resonant labial lenis
yw   marginal resonant labial palatal
ng   consonant marginal resonant nasal velar
a    vowel syllabic low central
o    vowel syllabic mid back rounded
e    vowel syllabic mid central back
eh   vowel syllabic mid front
i    vowel syllabic high front tense
u    vowel syllabic high back rounded tense
ü    vowel syllabic high front rounded tense
iz   vowel syllabic high central apical
ir   vowel syllabic high central apical rhotic
er   vowel syllabic central liquid rhotic coronal
ai   vowel syllabic low central upglide
ei   vowel syllabic mid front upglide
ao   vowel syllabic low central backglide
ou   vowel syllabic mid back rounded backglide
an   vowel syllabic low front nasalised
ang  vowel syllabic low back nasalised
en   vowel syllabic mid central nasalised
eng  vowel syllabic mid back nasalised
in   vowel syllabic high front nasalised
ing  vowel syllabic high front tense nasalised
ong  vowel syllabic high back rounded nasalised
ia   vowel syllabic low central onglide
ie   vowel syllabic mid front onglide
io   vowel syllabic mid back rounded onglide
iao  vowel syllabic low central onglide backglide
iou  vowel syllabic high back rounded onglide
ian  vowel syllabic mid front onglide nasalised
iang vowel syllabic low back onglide nasalised
iong vowel syllabic high central rounded nasalised
ua   vowel syllabic low central rounded
uo   vowel syllabic mid back rounded tense
uai  vowel syllabic low central rounded upglide
uei  vowel syllabic mid front rounded upglide
uan  vowel syllabic low front rounded nasalised
uen  vowel syllabic mid central rounded nasalised
uang vowel syllabic low back rounded nasalised
üe   vowel syllabic mid front rounded
üan  vowel syllabic mid front rounded nasalised
ün   vowel syllabic high front rounded nasalised
"""


def _table(text: str) -> dict[str, tuple[str, ...]]:
    return {row[0]: tuple(row[1:]) for row in map(str.split, text.strip().splitlines())}


#: The names of the features, in the order of the columns of `features`.
FEATURES = tuple(line.split()[0] for line in _FEATURES.strip().splitlines())
_ROWS = _table(_ENGLISH) | _table(_MANDARIN)
#: The phonemes of English, as the CMU dictionary writes them without stress.
ENGLISH = tuple(_table(_ENGLISH))
#: The sounds of Mandarin: consonants and glides, simple vowels, then the other finals.
MANDARIN = tuple(_table(_MANDARIN))
_VECTORS = np.array([[name in row for name in FEATURES] for row in _ROWS.values()], dtype=bool)
_INDEX = {phoneme: place for place, phoneme in enumerate(_ROWS)}
_DISTANCES: Ints = (_VECTORS[:, None] != _VECTORS[None]).sum(axis=2, dtype=np.int64)
#: What it costs to leave a phoneme without a partner: more than any two phonemes differ.
NULL_DISTANCE = int(_DISTANCES.max()) + 1


def _place(phoneme: str) -> int:
    try:
        return _INDEX[phoneme]
    except KeyError:
        raise unknown("phoneme", phoneme, _INDEX) from None


def features(phoneme: str) -> Bools:
    """The features of a phoneme, one truth value for each of `FEATURES`.

    >>> [name for name, present in zip(FEATURES, features("S")) if present]
    ['consonant', 'marginal', 'fricative', 'coronal']
    """
    row: Bools = _VECTORS[_place(phoneme)].copy()
    return row


def distance(one: str, other: str) -> int:
    """In how many features two phonemes differ.

    >>> distance("S", "s"), distance("TH", "s"), distance("S", "AA")
    (0, 1, 8)
    """
    return int(_DISTANCES[_place(one), _place(other)])


def distances(rows: Sequence[str], columns: Sequence[str]) -> Ints:
    """The distance of every phoneme of `rows` to every one of `columns`.

    >>> distances(["B", "P"], ["b", "p"]).tolist()
    [[0, 2], [2, 0]]
    """
    return _DISTANCES[np.ix_([_place(row) for row in rows], [_place(one) for one in columns])]
