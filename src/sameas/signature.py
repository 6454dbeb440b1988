"""Everything that can move a digit, in one line."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

from sameas._version import __version__
from sameas.errors import UsageError, suggest

__all__ = ["CHOICES", "Settings", "Signature"]

CHOICES: dict[str, tuple[str, ...]] = {
    "compat": ("none", "conll-8.01"),
    "match": ("exact",),
    "singletons": ("keep", "drop"),
    "duplicates": ("first", "last", "merge", "error", "conll-8.01"),
    "missing_documents": ("empty", "skip", "error"),
    "blanc": ("luo2014", "gold", "conll-8.01"),
    "average": ("micro", "macro"),
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
    singletons: str = "keep"
    duplicates: str = "first"
    missing_documents: str = "empty"
    blanc: str = "luo2014"
    average: str = "micro"

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                option = name.replace("_", "-")
                raise UsageError(f"unknown {option} {value}: {suggest(str(value), choices)}")
        if (self.duplicates == "conll-8.01") != (self.compat == "conll-8.01"):
            raise UsageError("compat conll-8.01 has a policy for duplicates of its own")

    @classmethod
    def of(cls, compat: str | None = None, **named: str | None) -> Settings:
        """The settings named; `compat` sets what it stands for where nothing is named.

        >>> Settings.of("conll-8.01").blanc
        'conll-8.01'
        """
        given = {name: value for name, value in named.items() if value is not None}
        if compat == "conll-8.01":
            given = {"duplicates": compat, "blanc": compat, **given}
        unknown = set(given) - set(CHOICES)
        if unknown:
            name = sorted(unknown)[0]
            raise UsageError(f"unknown setting {name}: {suggest(name, CHOICES)}")
        return cls(compat=compat or "none", **given)


@dataclass(frozen=True, slots=True)
class Signature:
    """Settings, number of documents and version; `parse` reads back what `str` wrote.

    >>> text = str(Signature(Settings(), 3))
    >>> Signature.parse(text) == Signature(Settings(), 3)
    True
    """

    settings: Settings
    documents: int
    version: str = __version__

    def __str__(self) -> str:
        """`sameas:coref|match:exact|…`; `compat` is there only if it is set."""
        values = asdict(self.settings)
        if values["compat"] == "none":
            del values["compat"]
        values["missing"] = values.pop("missing_documents")
        names = ["compat", "match", "singletons", "duplicates", "missing", "blanc", "average"]
        parts = [f"{name}:{values[name]}" for name in names if name in values]
        return "|".join(
            ["sameas:coref", *parts, f"docs:{self.documents}", f"version:{self.version}"]
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
        if values.pop("sameas", None) != "coref":
            raise UsageError(f"not a signature of sameas: {text!r:.80}")
        try:
            documents, version = int(values.pop("docs", "0")), values.pop("version", __version__)
        except ValueError:
            raise UsageError(f"not a number of documents in {text!r:.80}") from None
        if "missing" in values:
            values["missing_documents"] = values.pop("missing")
        known = [field.name for field in fields(Settings)]
        for name in values:
            if name not in known:
                raise UsageError(f"unknown setting {name} in a signature: {suggest(name, known)}")
        return cls(Settings.of(values.pop("compat", None), **values), documents, version)
