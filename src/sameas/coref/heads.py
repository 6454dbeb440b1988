"""Head and kind of a mention: what the file says, or else a simple guess, made for English.

Where a file has heads and kinds (CoNLL-U, Universal Anaphora, tables and jsonlines that say so),
these are taken. Elsewhere:

- The head is the last word before the first one that begins a modifier: a preposition, a relative
  pronoun, a comma, a dash, an opening bracket. A possessive 's at the end and punctuation are not
  heads. With the part-of-speech column of CoNLL-2012, it is the last noun or pronoun
  there, or else the last number. Where "and", "or" or "&" comes before any modifier, that word is
  the head: "Ann and Bob" is neither Ann nor Bob.
- A mention is a pronoun if it is one word of a list, or is tagged so; a name if its head has a
  capital letter (one that begins a sentence, only if the text never writes that word small), or is
  tagged as a proper noun; else it is nominal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from sameas.coref.document import Document, Ints, Span
from sameas.coref.layout import Layout

__all__ = ["UNKNOWN", "describe", "guess_heads", "head_word"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


UNKNOWN = "unknown"  # the kind of a mention that is no piece of a text

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
_ACRONYMS = _words("IT US WHO")  # which are pronouns in small letters
_MODIFIER_TAGS = _words("IN TO WDT WP WP$ WRB : -LRB-")
_LATER_TAGS = _words("VBG VBN VBD VBZ VBP RB ,")  # modifiers after a noun, not before it
_NOUN_TAGS = _words("NN NNS NNP NNPS PRP WP FW")
_NUMBER_TAGS = _words("CD")


def describe(
    layout: Layout, document: Document, tags: Sequence[str] | None
) -> tuple[list[str], list[int]]:
    """The kind of each mention, and the word of the layout that is its head (-1: none).

    `tags` are the parts of speech of the words, if they are known.

    >>> key = Document.from_clusters("a", [[(0, 5), (6, 6)]])
    >>> layout = Layout([key])
    >>> layout.words[:] = "the Queen of the old Sheba She".split()
    >>> describe(layout, key, None)
    (['name', 'pronoun'], [1, 6])
    """
    said = document.annotation
    kinds = list(said.kinds() or ()) if said is not None else []
    heads = None
    if said is not None and not getattr(said, "assumed", False):
        heads = said.heads()
    written = frozenset(layout.words)
    found_kinds: list[str] = []
    found_heads: list[int] = []
    for number in range(document.mention_count):
        places = layout.places(document, number)
        if not layout.in_text:
            found_kinds.append((kinds and kinds[number]) or UNKNOWN)
            found_heads.append(-1)
            continue
        head = -1
        if heads is not None and heads[number] >= 0:
            head = layout.word(int(heads[number]))
        joins = -1
        if head < 0:
            head = _head(layout.words, places[0], tags)
            joins = _joins(layout.words, places[0], tags)
        special = document.special.get(number)
        found_heads.append(head if joins < 0 else joins)
        found_kinds.append(
            (kinds and kinds[number])
            or ("zero" if special is not None and special.zero else "")
            or _kind(layout, places, head, tags, written)
        )
    return found_kinds, found_heads


def head_word(layout: Layout, document: Document, mention: int, head: int) -> str:
    """The word that is the head of a mention, in small letters; all words of "Ann and Bob".

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


def guess_heads(words: Sequence[str], first: Ints, last: Ints) -> Ints:
    """The word that is the head of each mention, without parts of speech, of many mentions at once.

    >>> words = "the Queen of the old Sheba met Ann and Bob".split()
    >>> guess_heads(words, np.array([0, 7, 7]), np.array([5, 9, 7])).tolist()
    [1, 8, 7]
    """
    small = [word.lower() for word in words]
    joining = _places(word in _JOINING for word in small)
    modifying = _places(word in _MODIFIERS for word in small)
    ending = _places(word in _MODIFIERS and word != "," for word in small)
    written = np.fromiter((word[:1].isalnum() for word in words), np.bool_, len(words))
    latest = np.maximum.accumulate(np.where(written, np.arange(len(words)), -1))
    stop = np.minimum(_after(modifying, first), last + 1)
    heads = latest[np.maximum(stop, 1) - 1] if len(words) else last
    heads = np.where(heads < first, last, heads)
    joins = _after(joining, first)
    joined = (joins < last) & (joins < _after(ending, first))
    found: Ints = np.where(last <= first, first, np.where(joined, joins, heads))
    return found


def _places(wanted: Iterable[bool]) -> Ints:
    return np.array([number for number, is_so in enumerate(wanted) if is_so], dtype=np.int64)


def _after(places: Ints, first: Ints) -> Ints:
    """The next of the places after each of `first`; a very large number if there is none."""
    padded = np.append(places, np.iinfo(np.int64).max)
    found: Ints = padded[np.searchsorted(places, first, side="right")]
    return found


def _joins(words: Sequence[str], span: Span, tags: Sequence[str] | None) -> int:
    """The word that joins the parts of "Ann and Bob", or -1."""
    first, last = span
    for word in range(first + 1, last):
        text = words[word].lower()
        if text in _JOINING and (tags is None or tags[word] == "CC"):
            return word
        if text != "," and (tags[word] in _MODIFIER_TAGS if tags else text in _MODIFIERS):
            break
    return -1


def _head(words: Sequence[str], span: Span, tags: Sequence[str] | None) -> int:
    first, last = span
    if first == last:
        return first
    stop = last + 1
    noun = False
    for word in range(first, last + 1):
        if tags:
            modifier = tags[word] in _MODIFIER_TAGS or (noun and tags[word] in _LATER_TAGS)
            noun = noun or tags[word] in _NOUN_TAGS
        else:
            modifier = words[word].lower() in _MODIFIERS
        if modifier and word > first:
            stop = word
            break
    if tags:
        for wanted in (_NOUN_TAGS, _NUMBER_TAGS):
            for word in range(stop - 1, first - 1, -1):
                if tags[word] in wanted:
                    return word
    for word in range(stop - 1, first - 1, -1):
        if words[word][:1].isalnum():
            return word
    return last


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
    if alone and words[first].lower() in PRONOUNS and words[first] not in _ACRONYMS:
        return "pronoun"
    if tags:
        return "nominal"
    word = words[head]
    if not word[:1].isupper():
        return "nominal"
    # A word that begins a sentence is written large whatever it is.
    return "nominal" if head in layout.begins and word.lower() in written else "name"
