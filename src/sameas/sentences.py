"""The wording of notes and errors; no other module contains any.

`sentences.txt` has a template for every code, and this module fills it in. The rest of the package
neither writes nor parses sentences: it works with codes and values.

A line of the catalogue is `code: template`; a line `  hint: …` below it says what to do.
Templates are those of `str.format`, with these additions:

- an integer: `{count:document}` is `1 document` or `2,000 documents`, and `{count:is|are}`
  chooses singular or plural;
- several names: `{names}` is the first three, `{names:all}` all of them, and `{names:;}` all of
  them separated by semicolons, for names that are sentences;
- a mapping: `{scores:.2f}` is `MUC 50.00, B³ 62.50`, and `{read:as}` is `ø as o, ß as ss`.

A code may have variants: `missing skip` is the template of `missing` for the
value `how="skip"`.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable, Mapping
from functools import cache

__all__ = [
    "FIRST",
    "catalogue",
    "counted",
    "hint",
    "of_mentions",
    "of_records",
    "place_in_catalogue",
    "sentence",
    "wording",
]

FIRST = 3  # names shown in a sentence

#: The terms of entity resolution for those of coreference.
_OF_RECORDS = {
    "key": "truth",
    "response": "prediction",
    "responses": "predictions",
    "mention": "record",
    "mentions": "records",
    "an entity": "a cluster",
    "entity": "cluster",
    "entities": "clusters",
}
_OF_MENTIONS = {theirs: ours for ours, theirs in _OF_RECORDS.items()}
_ROLES = {"role", "side", "field"}  # names of values that are such words


@cache
def catalogue() -> dict[str, tuple[str, str]]:
    """Return the template and the hint of every code, in the order of the file.

    >>> catalogue()["unknown"][0]
    'unknown {what} {value}: expected one of {known:all}'
    """
    # The loader also finds the file in a zip archive.
    path = os.path.join(os.path.dirname(__file__), "sentences.txt")
    text = __spec__.loader.get_data(path).decode()  # type: ignore[union-attr]
    found: dict[str, tuple[str, str]] = {}
    code = ""
    for line in text.splitlines():
        if line.startswith("  hint: "):
            found[code] = (found[code][0], line.removeprefix("  hint: "))
        elif line and not line.startswith("#"):
            code, _, template = line.partition(": ")
            found[code] = (template, "")
    return found


def sentence(code: str, values: Mapping[str, object]) -> str:
    """Return the sentence of a code, with the values filled in.

    >>> sentence("unknown", {"what": "metric", "value": "x", "known": ("muc", "b3")})
    'unknown metric x: expected one of muc, b3'
    """
    return _filled(code, values, 0)


def hint(code: str, values: Mapping[str, object]) -> str:
    """Return the hint of a code, or an empty string if it has none.

    >>> hint("unknown", {})
    ''
    """
    return _filled(code, values, 1)


@cache
def place_in_catalogue(code: str) -> int:
    """Return the position of a code in the catalogue, which determines the order of notes.

    >>> place_in_catalogue("unknown") < place_in_catalogue("no-documents")
    True
    """
    codes = dict.fromkeys(variant.partition(" ")[0] for variant in catalogue())
    assert code in codes, f"sentences.txt has no sentence for the note {code}"
    return list(codes).index(code)


def of_records(text: str) -> str:
    """Return a message in the terms of entity resolution.

    >>> of_records("Mentions: 2 entities of the key are not in the response")
    'Records: 2 clusters of the truth are not in the prediction'
    """

    return _reworded(text, _OF_RECORDS)


def of_mentions(text: str) -> str:
    """Translate a user's name from the terms of entity resolution to those of coreference.

    >>> of_mentions("extra record"), of_mentions("prediction"), of_mentions("size")
    ('extra mention', 'response', 'size')
    """
    return _reworded(text, _OF_MENTIONS)


def wording(of_records: bool) -> dict[str, str]:
    """Return the value that puts a sentence into the terms of entity resolution, if `of_records`.

    >>> sentence("no-key", wording(True))
    'the truth has no documents'
    """
    return {"words": "records"} if of_records else {}


def _reworded(text: str, words: Mapping[str, str]) -> str:
    def replace(found: re.Match[str]) -> str:
        word = words[found[0].lower()]
        return word.capitalize() if found[0][0].isupper() else word

    # Not the name of a value, such as {key}.
    pattern = rf"(?<![{{\w-])({'|'.join(words)})(?![\w-])"
    return re.sub(pattern, replace, text, flags=re.IGNORECASE)


def _filled(code: str, values: Mapping[str, object], part: int) -> str:
    templates = catalogue()
    variant = f"{code} {values['how']}" if "how" in values else code
    template = templates[variant if variant in templates else code][part]
    if values.get("words") == "records":
        template = of_records(template)
        values = {
            **values,
            **{name: of_records(str(values[name])) for name in _ROLES & values.keys()},
        }
    return template.format_map(_Given({name: _Value(value) for name, value in values.items()}))


class _Given(dict[str, object]):
    """The values of a sentence; a missing one is a bug, but causes a warning instead of a crash."""

    def __missing__(self, name: str) -> object:
        warnings.warn(f"a sentence lacks the value {name}", stacklevel=2)
        return _Missing(name)


class _Missing(str):
    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return f"{{{self}}}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, singular or plural.

    >>> counted(1, "entity"), counted(2000, "entity"), counted(0, "name")
    ('1 entity', '2,000 entities', '0 names')
    """
    many = noun if number == 1 else noun[:-1] + "ies" if noun[-1] == "y" else noun + "s"
    return f"{number:,} {many}"


class _Value:
    """A value in a sentence; it supports the format specifications that the module describes."""

    def __init__(self, given: object) -> None:
        self.given = given

    def __repr__(self) -> str:
        return repr(self.given)

    def __format__(self, spec: str) -> str:
        given = self.given
        if isinstance(given, int) and not isinstance(given, bool):
            return _number(given, spec)
        if isinstance(given, Mapping):
            joined, spec = (" as ", "") if spec == "as" else (" ", spec)
            return ", ".join(f"{name}{joined}{format(one, spec)}" for name, one in given.items())
        if isinstance(given, Iterable) and not isinstance(given, (str, bytes)):
            names = list(map(str, given))
            shown = names if spec in ("all", ";") else names[:FIRST]
            between = "; " if spec == ";" else ", "
            return between.join(shown) + ", …" * (len(shown) < len(names))
        return format(given, spec)


def _number(given: int, spec: str) -> str:
    if "|" in spec:
        return spec.split("|")[given != 1]
    words = spec.replace(" ", "").replace("-", "")
    return counted(given, spec) if len(words) > 1 and words.isalpha() else format(given, spec)
