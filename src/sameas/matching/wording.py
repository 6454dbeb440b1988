"""Compare the words of paired documents: find where the texts of key and response first differ.

Spans are matched by token numbers, so a response with other words is scored, and scored wrongly if
its tokens are not those of the key. Most pairs of files have the same words, and comparing bytes
shows this without decoding words.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import NamedTuple

from sameas.documents.document import Document, WrittenText
from sameas.formats.brackets import decode
from sameas.formats.conll.read import ConllText, same_words

__all__ = ["WordDifference", "find_difference", "is_blank", "is_masked"]


class WordDifference(NamedTuple):
    """The first difference between the words of two documents; None stands for the end of a text.

    >>> str(WordDifference(3, "sister", "mother"))
    "token 3 is 'mother', and 'sister' in the key"
    >>> str(WordDifference(3, "sister", None)), str(WordDifference(3, None, "mother"))
    ("it ends before token 3, 'sister'", "token 3 is 'mother', after the end of the key")
    """

    token: int
    key: str | None
    response: str | None

    def __str__(self) -> str:
        """Return the text for a note on the response."""
        if self.response is None:
            return f"it ends before token {self.token}, {self.key!r:.40}"
        if self.key is None:
            return f"token {self.token} is {self.response!r:.40}, after the end of the key"
        return f"token {self.token} is {self.response!r:.40}, and {self.key!r:.40} in the key"


def find_difference(key: Document, response: Document) -> WordDifference | None:
    """Return the first difference between the words of a key document and its response, or None.

    Texts without words, or with characters instead, are not compared. Neither is masked text, as in
    corpora whose text requires a licence: words of underscores only, and texts whose words are all
    equal or all placeholders.

    >>> words = [Document("a", text=WrittenText(((*text.split(),),))) for text in ("a b", "a c")]
    >>> find_difference(words[0], words[1]), find_difference(words[0], words[0])
    (WordDifference(token=1, key='b', response='c'), None)
    """
    ours, theirs = key.text, response.text
    if "character" in (key.unit, response.unit) or not ours.token_count or not theirs.token_count:
        return None
    if isinstance(ours, ConllText) and isinstance(theirs, ConllText) and same_words(ours, theirs):
        return None
    both = isinstance(ours, WrittenText) and isinstance(theirs, WrittenText)
    if both and key.sentences == response.sentences:
        return None
    forms = _forms(key), _forms(response)
    if forms[0] == forms[1] or any(map(is_masked, forms)):
        return None
    for token, pair in enumerate(zip_longest(*(form.split(b"\t")[:-1] for form in forms))):
        if pair[0] != pair[1] and not any(word is not None and is_blank(word) for word in pair):
            return WordDifference(token, *(None if word is None else decode(word) for word in pair))
    return None


def _forms(document: Document) -> bytes:
    """Return the words of a document, each followed by a tab."""
    found: bytes | None = getattr(document.text, "forms", None)
    if found is not None:
        return found
    words = document.tokens
    joined = "\t".join([*words, ""])
    if joined.count("\t") > len(words):
        joined = "\t".join([*(word.replace("\t", " ") for word in words), ""])
    return joined.encode("utf-8", "surrogatepass")


def is_blank(word: bytes) -> bool:
    """Return whether a word is masked: it consists of underscores only.

    >>> is_blank(b"__"), is_blank(b"a_b")
    (True, False)
    """
    return not word.strip(b"_")


def is_masked(forms: bytes) -> bool:
    """Return whether all words are placeholders; in `forms`, a tab follows each word.

    >>> is_masked(b"__\\t_\\t"), is_masked(b"WORD\\tWORD\\t"), is_masked(b"0\\t1\\t")
    (True, True, True)
    """
    first, count = forms[: forms.index(b"\t") + 1], forms.count(b"\t")
    return not forms.translate(None, b"_*-#xX0123456789\t") or (
        count > 1 and forms == first * count
    )
