"""Head and kind of a mention: from the file, or else from a simple heuristic for English.

If a file has heads and kinds (CoNLL-U, Universal Anaphora, tables and jsonlines with such columns
or keys), these are used. Otherwise:

- The head is the last word before the first modifier, which begins with a preposition, a relative
  pronoun, a comma, a dash or an opening bracket. A final possessive 's and punctuation are not
  heads. With the part-of-speech column of CoNLL-2012, the head is the last noun or pronoun before
  the modifier, or else the last number. If "and", "or", "nor" or "&" precedes the first
  modifier other than a comma, that word is the head, since "Ann and Bob" is neither Ann nor Bob.
- A mention is a pronoun if it is a single word, listed or tagged as a pronoun. It is a name if
  its head is capitalised or tagged as a proper noun; at the beginning of a sentence, a capital
  counts only if the word never occurs in lower case in the text. All other mentions are nominal.
  If a text does not look like English, its kinds are unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sameas.arithmetic.arrays import Bools, Ints
from sameas.documents.document import Document, stated_heads
from sameas.documents.layout import Layout
from sameas.documents.mentions import Span, columns_of

__all__ = [
    "UNKNOWN",
    "Clues",
    "clues",
    "count_unsaid",
    "describe",
    "guess_heads",
    "guess_names",
    "head_word",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: The kind of mentions that are not spans of a text, and of mentions in texts that are not English.
UNKNOWN = "unknown"

PRONOUNS = _words(
    """i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his
    himself she her hers herself it its itself they them their theirs themselves themself one
    oneself thou thee thy thine thyself ye who whom whose which that this these those what whoever
    whomever someone somebody something anyone anybody anything everyone everybody everything
    nobody nothing none each both all some another others 's 'em y'all em"""
)
_MODIFIERS = _words(
    """of in on at by for from with without to into onto upon over under about against between
    among through during before after behind beyond near like than as since until toward towards
    within who whom whose which that where when why while because if , ; : ( [ -lrb- -lsb- -- – —
    ... …"""
)
_JOINING = _words("and or & nor")
_ACRONYMS = _words("IT US WHO")  # pronouns when in lower case
_MODIFIER_TAGS = _words("IN TO WDT WP WP$ WRB : -LRB-")
_LATER_TAGS = _words("VBG VBN VBD VBZ VBP RB ,")  # modifiers after a noun, not before it
_NOUN_TAGS = _words("NN NNS NNP NNPS PRP WP FW")
_NUMBER_TAGS = _words("CD")


def describe(
    layout: Layout, document: Document, tags: Sequence[str] | None, english: bool = True
) -> tuple[list[str], list[int]]:
    """Return the kind of each mention, and the index of its head in the layout (-1: no head).

    `tags` are the parts of speech of the words, if known. Kinds that the document does not
    annotate are guessed if the text is `english`; otherwise, they are unknown.

    >>> key = Document.from_clusters("a", [[(0, 5), (6, 6)]])
    >>> layout = Layout([key])
    >>> layout.words[:] = "the Queen of the old Sheba She".split()
    >>> describe(layout, key, None)
    (['name', 'pronoun'], [1, 6])
    """
    kinds = list(document.details.kinds() or ()) or [""] * document.mention_count
    if not layout.in_text:
        return [kind or UNKNOWN for kind in kinds], [-1] * len(kinds)
    places = [layout.places(document, number) for number in range(len(kinds))]
    first, last = columns_of([spans[0] for spans in places])
    text = clues(layout.words, tags)
    heads, deciding = guess_heads(text, first, last), _plain_heads(text, first, last)
    stated = stated_heads(document)
    if stated is not None:
        known = np.array(list(map(layout.word, stated.tolist())), dtype=np.int64)
        heads, deciding = (np.where(known >= 0, known, guess) for guess in (heads, deciding))
    written = frozenset(layout.words)
    for number, mention in document.special.items():
        if mention.zero:
            kinds[number] = kinds[number] or "zero"
    for number, head in enumerate(deciding.tolist()):
        if not kinds[number]:
            kind = _kind(layout, places[number], head, tags, written) if english else UNKNOWN
            kinds[number] = kind
    return kinds, heads.tolist()


def count_unsaid(layout: Layout, document: Document) -> int:
    """Return the number of mentions, other than zeros, whose kind is not annotated.

    It is 0 if mentions are not spans of a text.

    >>> key = Document.from_clusters("a", [[(0, 5), (6, 6)]])
    >>> count_unsaid(Layout([key]), key)
    2
    """
    if not layout.in_text:
        return 0
    kinds = document.details.kinds() or [""] * document.mention_count
    zeros = [n for n, mention in document.special.items() if mention.zero and not kinds[n]]
    return sum(not kind for kind in kinds) - len(zeros)


def head_word(layout: Layout, document: Document, mention: int, head: int) -> str:
    """Return the head of a mention in lower case; for a coordination, all words ("ann and bob").

    Without a head (-1), the result is empty.

    >>> key = Document.from_clusters("a", [[(0, 2), (3, 3)]])
    >>> layout = Layout([key])
    >>> layout.words[:] = "Ann and Bob Ann".split()
    >>> [head_word(layout, key, mention, head) for mention, head in ((0, 1), (1, 3))]
    ['ann and bob', 'ann']
    """
    if head < 0:
        return ""
    word = layout.words[head].lower()
    return layout.text(layout.places(document, mention)).lower() if word in _JOINING else word


class Clues(NamedTuple):
    """The evidence from which heads and names are guessed: positions of words in a text.

    The first five arrays, which are searched, end with a sentinel.
    """

    joining: Ints  # "and"
    modifying: Ints  # words that begin a modifier
    ending: Ints  # those words in `modifying` that are not commas
    nouns: Ints  # like `later`, found by part of speech; without tags, both are empty
    later: Ints  # words that begin a modifier after a noun
    latest: Sequence[Ints]  # for each word, the latest noun, number and word up to it
    written: Bools  # whether each word begins with a letter or digit
    capitalised: Bools  # whether each word is capitalised and not a pronoun


def clues(words: Sequence[str], tags: Sequence[str] | None = None) -> Clues:
    """Return the evidence for guessing heads and names; `tags` are parts of speech, if known.

    >>> clues("Ann and , Bob".split()).written.tolist()
    [True, True, False, True]
    """
    marks = np.fromiter(map(_MARKS.__getitem__, words), np.int64, len(words))

    def tagged(known: frozenset[str]) -> Bools:
        return np.fromiter((tag in known for tag in tags or ()), np.bool_, len(words))

    joining, written = (marks & _JOINS) > 0, (marks & _WRITTEN) > 0
    modifying, ending = (marks & _MODIFIES) > 0, (marks & _ENDS) > 0
    nouns = later = np.zeros(len(words), dtype=np.bool_)
    preferred = [written]
    if tags:
        joining &= tagged(frozenset({"CC"}))
        modifying, later = tagged(_MODIFIER_TAGS), tagged(_LATER_TAGS)
        ending = modifying & ((marks & _COMMA) == 0)
        nouns = tagged(_NOUN_TAGS)
        preferred = [nouns, tagged(_NUMBER_TAGS), written]
    kinds = (joining, modifying, ending, nouns, later)
    joins, modifies, ends, noun_places, later_places = (
        np.append(np.flatnonzero(kind), _NEVER) for kind in kinds
    )
    latest = [
        np.maximum.accumulate(np.where(found, np.arange(len(words)), -1)) for found in preferred
    ]
    capitalised = (marks & _CAPITALISED) > 0
    return Clues(joins, modifies, ends, noun_places, later_places, latest, written, capitalised)


def guess_heads(clues: Clues, first: Ints, last: Ints) -> Ints:
    """Return the index of each mention's head, guessed as described at the top of this module.

    >>> text = clues("the Queen of the old Sheba met Ann and Bob".split())
    >>> guess_heads(text, np.array([0, 7, 7]), np.array([5, 9, 7])).tolist()
    [1, 8, 7]
    >>> tagged = clues("Queen of Sheba".split(), ["NNP", "IN", "NNP"])
    >>> guess_heads(tagged, np.array([0]), np.array([2])).tolist()
    [0]
    """
    joining = _after(clues.joining, first)  # "and" in "Ann and Bob"
    joins = (joining < last) & (joining < _after(clues.ending, first))
    return np.where(joins, joining, _plain_heads(clues, first, last))


def _plain_heads(clues: Clues, first: Ints, last: Ints) -> Ints:
    """Return the last noun, number or word of each mention before its first modifier."""
    stop = np.minimum(_after(clues.modifying, first), last + 1)
    noun = _after(clues.nouns, first - 1)
    stop = np.minimum(stop, _after(clues.later, np.minimum(noun, _NEVER - 1)))
    heads = last
    for latest in reversed(clues.latest):
        found = latest[np.maximum(stop, 1) - 1] if len(latest) else last
        heads = np.where(found < first, heads, found)
    return np.where(last <= first, first, heads)


_JOINS, _MODIFIES, _ENDS, _WRITTEN, _CAPITALISED, _COMMA = 1, 2, 4, 8, 16, 32


class _Marks(dict[str, int]):
    """The properties of each word, computed once."""

    def __missing__(self, word: str) -> int:
        small = word.lower()
        mark = _JOINS if small in _JOINING else 0
        if small in _MODIFIERS:
            mark |= _MODIFIES | (_COMMA if small == "," else _ENDS)
        mark |= _WRITTEN if word[:1].isalnum() else 0
        mark |= _CAPITALISED if word[:1].isupper() and not _is_pronoun(word) else 0
        if len(self) < _MOST:
            self[word] = mark
        return mark


_MARKS = _Marks()
_NEVER = np.iinfo(np.int64).max - 1
_MOST = 1_000_000  # words to cache, which bounds the memory of long-running programs


def guess_names(words: Sequence[str], clues: Clues, begins: Ints) -> Bools:
    """Return, for each word, whether a mention with this head is a name, as in `describe`.

    `begins` are the first words of sentences.

    >>> words = "The old man saw Ann . They ran".split()
    >>> guess_names(words, clues(words), np.array([0, 6])).tolist()
    [True, False, False, False, True, False, False, False]
    """
    capitalised = clues.capitalised.copy()
    unsure = begins[capitalised[begins]].tolist()
    written = frozenset(words) if unsure else frozenset()
    for word in unsure:
        capitalised[word] = words[word].lower() not in written
    return capitalised


def _is_pronoun(word: str) -> bool:
    return word.lower() in PRONOUNS and word not in _ACRONYMS


def _after(places: Ints, first: Ints) -> Ints:
    """Return, for each position in `first`, the first later position in `places`."""
    found: Ints = places[places.searchsorted(first, side="right")]
    return found


def _kind(
    layout: Layout,
    places: Sequence[Span],
    head: int,
    tags: Sequence[str] | None,
    written: frozenset[str],
) -> str:
    first, last = places[0]
    words = layout.words
    if len(places) == 1 and last > first and words[last] in ("'s", "'", "’s", "’"):
        last -= 1
    alone = first == last
    if tags:
        if tags[head].startswith("NNP"):
            return "name"
        if alone and tags[head].startswith(("PRP", "WP", "DT", "WDT")):
            return "pronoun"
    if alone and _is_pronoun(words[first]):
        return "pronoun"
    if tags:
        return "nominal"
    word = words[head]
    if not word[:1].isupper() or _is_pronoun(word):
        return "nominal"
    # The first word of a sentence is always capitalised.
    return "nominal" if head in layout.begins and word.lower() in written else "name"
