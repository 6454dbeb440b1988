"""Everything that can move a digit, in one line."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Self

from sameas._version import __version__
from sameas.errors import UsageError, suggest

__all__ = [
    "CHOICES",
    "PRESETS",
    "RESAMPLING_CHOICES",
    "Comparing",
    "ConeSettings",
    "Resampling",
    "Settings",
    "Signature",
    "preset_of",
]

CHOICES: dict[str, tuple[str, ...]] = {
    "compat": ("none", "conll-8.01", "corefud-1.2"),
    "match": ("exact", "head", "partial", "min"),
    "zeros": ("linear", "dependent", "drop"),
    "scope": ("document", "topic", "corpus"),
    "singletons": ("keep", "drop"),
    "duplicates": ("first", "last", "merge", "error", "conll-8.01", "corefud-1.2"),
    "missing_documents": ("empty", "skip", "error"),
    "blanc": ("luo2014", "gold", "conll-8.01", "corefud-1.2"),
    "average": ("micro", "macro"),
}

_CRAC = {
    "compat": "corefud-1.2",
    "singletons": "drop",
    "metrics": "muc,b3,ceafm,ceafe,blanc,lea,mor,zero,conll",
}
#: What the shared tasks and corpora are scored by: settings, and the metrics they report.
PRESETS: dict[str, dict[str, str]] = {
    "conll12": {"compat": "conll-8.01", "metrics": "mention,muc,b3,ceafm,ceafe,blanc,conll"},
    "crac22": {**_CRAC, "match": "partial"},
    "crac23": {**_CRAC, "match": "head"},
    "crac24": {**_CRAC, "match": "head", "zeros": "dependent"},
    "crac25": {**_CRAC, "match": "head", "zeros": "dependent"},
    "litbank": {"match": "exact", "singletons": "keep", "metrics": "mention,muc,b3,ceafe,conll"},
}

RESAMPLING_CHOICES: dict[str, tuple[str, ...]] = {
    "interval": ("percentile", "bca"),
    "test": ("studentised", "randomisation", "bootstrap"),
    "pairs": ("first", "all"),
    "correction": ("holm", "none"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """How to score. The defaults follow the papers.

    >>> Settings(singletons="drop").singletons
    'drop'
    >>> Settings(singletons="droop")
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: unknown singletons droop: did you mean drop? Known: keep, drop
    """

    compat: str = "none"
    match: str = "exact"
    zeros: str = "linear"
    scope: str = "document"
    singletons: str = "keep"
    duplicates: str = "first"
    missing_documents: str = "empty"
    blanc: str = "luo2014"
    average: str = "micro"
    what: ClassVar[str] = "coref"  # what was scored, as the signature begins

    def __post_init__(self) -> None:
        for name, choices in self.choices().items():
            value = getattr(self, name)
            if value not in choices:
                option = name.replace("_", "-")
                raise UsageError(f"unknown {option} {value}: {suggest(str(value), choices)}")
        for scorer in ("conll-8.01", "corefud-1.2"):
            if (self.duplicates == scorer) != (self.compat == scorer):
                raise UsageError(f"compat {scorer} has a policy for duplicates of its own")
        plain = (self.match, self.zeros, self.scope) == ("exact", "linear", "document")
        if self.compat == "conll-8.01" and not plain:
            raise UsageError("the reference scorer matches exactly, document by document")
        if self.compat == "corefud-1.2" and self.scope != "document":
            raise UsageError("the CorefUD scorer scores document by document")

    @classmethod
    def choices(cls) -> dict[str, tuple[str, ...]]:
        """What each setting can be.

        >>> Settings.choices()["average"]
        ('micro', 'macro')
        """
        return CHOICES

    @classmethod
    def from_signature(cls, text: str) -> Self:
        """The settings that a signature tells, if it is one of what is scored here.

        >>> Settings.from_signature("sameas:coref|match:head").match
        'head'
        """
        settings = Signature.parse(text).settings
        if type(settings) is not cls:
            raise UsageError(
                f"the signature is of sameas:{settings.what}, and sameas:{cls.what} is scored here"
            )
        return settings

    @classmethod
    def of(cls, compat: str | None = None, preset: str | None = None, **named: str | None) -> Self:
        """The settings named; `compat` and `preset` set what they stand for where nothing is named.

        >>> Settings.of("conll-8.01").blanc
        'conll-8.01'
        >>> Settings.of(preset="crac24", singletons="keep").match
        'head'
        """
        given = {name: value for name, value in named.items() if value is not None}
        if preset is not None:
            stands_for = preset_of(preset)
            compat = stands_for.get("compat") if compat is None else compat
            given = {
                **{name: value for name, value in stands_for.items() if name in CHOICES},
                **given,
            }
            given.pop("compat", None)
        if compat in ("conll-8.01", "corefud-1.2"):
            given = {"duplicates": compat, "blanc": compat, **given}
        known = [field.name for field in fields(cls)]
        unknown = set(given) - set(known)
        if unknown:
            name = sorted(unknown)[0]
            raise UsageError(f"unknown setting {name}: {suggest(name, known)}")
        return cls(compat="none" if compat is None else compat, **given)


#: What of key and response is scored by CONE, and how the entities of the key are estimated.
CONE_CHOICES: dict[str, tuple[str, ...]] = {
    "mentions": ("named", "entities", "unnamed"),
    "matcher": ("none", "rules", "paper", "exact"),
}


@dataclass(frozen=True, slots=True)
class ConeSettings(Settings):
    """How to score names alone (CONE, Lin et al. 2010).

    `names` says where names come from: `annotated`, `column`, `rules`, `spacy:MODEL`, `given`, or
    the name of a function. `mentions` are those scored: `named` ones; all of the `entities` that
    have a name; the `unnamed` ones of these. With a `matcher` the key is estimated, and `across`
    stands for the model that joined names in two scripts.

    >>> str(Signature(ConeSettings(names="rules"), 3)).split("|")[:3]
    ['sameas:cone', 'names:rules', 'mentions:named']
    """

    names: str = "annotated"
    mentions: str = "named"
    matcher: str = "none"
    across: str = "none"
    what: ClassVar[str] = "cone"

    def __post_init__(self) -> None:
        # Without arguments, super() does not find its way in a class with slots.
        super(ConeSettings, self).__post_init__()
        if self.compat != "none":
            raise UsageError(f"CONE is no part of {self.compat}; leave out compat")
        if self.matcher != "none" and self.mentions != "named":
            raise UsageError(
                "an estimated key has named mentions only; leave out the matcher, or mentions"
            )
        if self.across != "none" and self.matcher == "none":
            raise UsageError(
                "across joins names that a matcher groups; add a matcher, such as rules"
            )

    @classmethod
    def choices(cls) -> dict[str, tuple[str, ...]]:
        """What each setting can be; names can be more than can be listed.

        >>> ConeSettings.choices()["mentions"]
        ('named', 'entities', 'unnamed')
        """
        others = CHOICES["compat"]
        duplicates = tuple(one for one in CHOICES["duplicates"] if one not in others)
        return {**CHOICES, "duplicates": duplicates, **CONE_CHOICES}


_SETTINGS: dict[str, type[Settings]] = {"coref": Settings, "cone": ConeSettings}
#: The commands that write other signatures, by which nothing is scored again.
_COMMANDS = {
    "cone-study": "cone --correlate",
    "cone-predicted": "cone --gold-subset",
    "ranking": "transliterate",
    **{name: name for name in ("correlate", "align", "entropy", "transliterate", "verify")},
}
#: Settings that a signature says only if they are set.
_USUAL = {"compat": "none", "zeros": "linear", "scope": "document", "matcher": "none",
          "across": "none"}  # fmt: skip


def preset_of(name: str) -> dict[str, str]:
    """What a preset stands for.

    >>> preset_of("crac23")["match"]
    'head'
    """
    if not isinstance(name, str) or name not in PRESETS:
        raise UsageError(f"unknown preset {name}: {suggest(str(name), PRESETS)}")
    return PRESETS[name]


@dataclass(frozen=True)
class Resampling:
    """How intervals are made: by the bootstrap over documents, percentile or BCa.

    >>> Resampling(seed=0)
    Resampling(interval='percentile', confidence=95, samples=10000, seed=0)
    >>> Resampling(confidence=0.95)
    Traceback (most recent call last):
    ...
    sameas.errors.UsageError: confidence is a percentage from 50 to below 100, not 0.95
    """

    interval: str = "percentile"
    confidence: float = 95
    samples: int = 10_000
    seed: int = 1

    def __post_init__(self) -> None:
        for field in fields(self):
            value, choices = getattr(self, field.name), RESAMPLING_CHOICES.get(field.name)
            if choices and value not in choices:
                raise UsageError(f"unknown {field.name} {value}: {suggest(str(value), choices)}")
        number = isinstance(self.confidence, (int, float)) and self.confidence is not True
        if not number or not 50 <= self.confidence < 100:
            raise UsageError(
                f"confidence is a percentage from 50 to below 100, not {self.confidence!r:.40}"
            )
        for name, least, most in (("samples", 100, 10**7), ("seed", 0, 10**18)):
            value = getattr(self, name)
            whole = isinstance(value, int) and not isinstance(value, bool)
            if not whole or not least <= value <= most:
                raise UsageError(
                    f"{name} is a whole number from {least} to {most}, not {value!r:.40}"
                )

    @classmethod
    def of(cls, **named: Any) -> Self:
        """What the options name; None leaves the default.

        >>> Resampling.of(seed=0, samples=None).seed
        0
        """
        known = [field.name for field in fields(cls)]
        for name in named:
            if name not in known:
                raise UsageError(f"unknown option {name}: {suggest(name, known)}")
        return cls(**{name: value for name, value in named.items() if value is not None})

    @property
    def percentage(self) -> str:
        """The confidence as it is written.

        >>> Resampling(confidence=95.0).percentage, Resampling(confidence=99.99999).percentage
        ('95', '99.99999')
        """
        return str(self.confidence).removesuffix(".0")

    def alone(self) -> Resampling:
        """Only what intervals need.

        >>> Comparing(seed=3).alone()
        Resampling(interval='percentile', confidence=95, samples=10000, seed=3)
        """
        return Resampling(self.interval, self.confidence, self.samples, self.seed)

    def __str__(self) -> str:
        """The part of a signature."""
        values = {**asdict(self), "confidence": self.percentage}
        return "|".join(f"{name}:{value}" for name, value in values.items())


@dataclass(frozen=True)
class Comparing(Resampling):
    """How systems are compared: which pairs, by which test, corrected how.

    `studentised` and `randomisation` swap the documents of two systems, `bootstrap` draws
    documents. `first` compares every system with the first one, `all` every two.

    >>> str(Comparing(samples=1000))
    'interval:percentile|confidence:95|samples:1000|seed:1|test:studentised|pairs:first|correction:holm'
    """

    test: str = "studentised"
    pairs: str = "first"
    correction: str = "holm"


@dataclass(frozen=True, slots=True)
class Signature:
    """Settings, resampling if any, number of documents and version.

    `parse` reads back what `str` wrote.

    >>> text = str(Signature(Settings(), 3, resampling=Comparing(seed=0)))
    >>> Signature.parse(text) == Signature(Settings(), 3, resampling=Comparing(seed=0))
    True
    """

    settings: Settings
    documents: int
    version: str = __version__
    resampling: Resampling | None = None

    def __str__(self) -> str:
        """`sameas:coref|match:exact|…`; `compat`, `zeros` and `scope` only if they are set."""
        values = asdict(self.settings)
        values["missing"] = values.pop("missing_documents")
        names = [*("compat", "names", "mentions", "matcher", "across", "match", "zeros", "scope"),
                 *("singletons", "duplicates", "missing", "blanc", "average")]  # fmt: skip
        parts = [
            f"{name}:{values[name]}"
            for name in names
            if name in values and values[name] != _USUAL.get(name)
        ]
        if self.resampling:
            parts.append(str(self.resampling))
        return "|".join(
            [
                f"sameas:{self.settings.what}",
                *parts,
                f"docs:{self.documents}",
                f"version:{self.version}",
            ]
        )

    @classmethod
    def parse(cls, text: str) -> Signature:
        """The signature that `text` spells; line breaks in it do not matter."""
        if not isinstance(text, str):
            raise UsageError(f"a signature is a string, not {type(text).__name__}")
        pairs = [part.partition(":") for part in "".join(text.split()).split("|")]
        values = {name: value for name, _, value in pairs}
        if len(values) < len(pairs):
            raise UsageError(f"a setting comes twice in {text!r:.80}")
        what = values.pop("sameas", "")
        if what in _COMMANDS:
            raise UsageError(
                f"this signature is of sameas {_COMMANDS[what]}; expected that of a score, "
                f"{' or '.join(f'sameas:{one}' for one in _SETTINGS)}"
            )
        if what not in _SETTINGS:
            raise UsageError(f"not a signature of sameas: {text!r:.80}")
        try:
            documents, version = int(values.pop("docs", "0")), values.pop("version", __version__)
        except ValueError:
            raise UsageError(f"not a number of documents in {text!r:.80}") from None
        resampling = _parse_resampling(values)
        if "missing" in values:
            values["missing_documents"] = values.pop("missing")
        known = [field.name for field in fields(_SETTINGS[what])]
        for name in values:
            if name not in known:
                raise UsageError(f"unknown setting {name} in a signature: {suggest(name, known)}")
        settings = _SETTINGS[what].of(values.pop("compat", None), **values)
        return cls(settings, documents, version, resampling)


def _parse_resampling(values: dict[str, str]) -> Resampling | None:
    """Take what belongs to resampling out of `values`."""
    found: dict[str, str | int | float] = {}
    for field in fields(Comparing):
        if field.name not in values:
            continue
        text = values.pop(field.name)
        try:
            found[field.name] = (
                int(text) if field.name in ("samples", "seed")
                else float(text) if field.name == "confidence"
                else text
            )  # fmt: skip
        except ValueError:
            raise UsageError(f"{field.name} is a number, not {text!r:.40}") from None
    if not found:
        return None
    compares = any(name in found for name in ("test", "pairs", "correction"))
    return (Comparing if compares else Resampling)(**found)  # type: ignore[arg-type]
