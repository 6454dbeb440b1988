"""Settings: every option that can change a score is declared here.

The fields of `Settings`, `ConeSettings`, `Resampling` and `Comparing` (the last two are in
`resampling_settings.py`) declare the values, the default and the help text of each option. Python
functions take the same names as keywords (the `…Options`); the command line, the checks and the
signature are derived from the fields. The defaults follow the papers.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Literal, Self, TypedDict, Unpack

from sameas._version import __version__
from sameas.declaring import check, choices, chosen, option, require_known
from sameas.errors import UsageError, unknown
from sameas.resampling_settings import (
    Comparing,
    ComparingOptions,
    Resampling,
    ResamplingOptions,
)

__all__ = [
    "AUTHORITIES",
    "PRESETS",
    "SOURCES",
    "Comparing",
    "ComparingOptions",
    "ConeOptions",
    "ConeSettings",
    "Options",
    "Resampling",
    "ResamplingOptions",
    "Settings",
    "Signature",
    "check",
    "choices",
    "chosen",
    "comparing_of",
    "option",
    "require_known",
]


# --- how to score -------------------------------------------------------------------------------

#: The scorers whose counts sameas can reproduce, each with the settings that it implies.
AUTHORITIES: dict[str, dict[str, str]] = {
    "conll-8.01": {"duplicates": "conll-8.01", "blanc": "conll-8.01"},
    "corefud-1.2": {"duplicates": "corefud-1.2", "blanc": "corefud-1.2"},
}
Compat = Literal["none", "conll-8.01", "corefud-1.2"]
Match = Literal["exact", "head", "partial", "min"]
Zeros = Literal["linear", "dependent", "drop"]
Scope = Literal["document", "topic", "corpus"]
Singletons = Literal["keep", "drop"]
Duplicates = Literal["first", "last", "merge", "error", "conll-8.01", "corefud-1.2"]
MissingDocuments = Literal["empty", "skip", "error"]
BlancVersion = Literal["luo2014", "gold", "conll-8.01", "corefud-1.2"]
Average = Literal["micro", "macro"]
Preset = Literal["conll12", "crac22", "crac23", "crac24", "crac25", "litbank"]


class Options(TypedDict, total=False):
    """The keywords of scoring functions: the fields of `Settings`, and `preset` and `signature`."""

    preset: Preset | None
    signature: str | None
    compat: Compat | None
    match: Match | None
    zeros: Zeros | None
    scope: Scope | None
    singletons: Singletons | None
    duplicates: Duplicates | None
    missing_documents: MissingDocuments | None
    blanc: BlancVersion | None
    average: Average | None


_CRAC = {
    "compat": "corefud-1.2",
    "singletons": "drop",
    "metrics": "muc,b3,ceafm,ceafe,blanc,lea,mor,zero,conll",
}
#: The settings of shared tasks and corpora, and the metrics that they report.
PRESETS: dict[str, dict[str, str]] = {
    "conll12": {"compat": "conll-8.01", "metrics": "mention,muc,b3,ceafm,ceafe,blanc,conll"},
    "crac22": {**_CRAC, "match": "partial"},
    "crac23": {**_CRAC, "match": "head"},
    "crac24": {**_CRAC, "match": "head", "zeros": "dependent"},
    "crac25": {**_CRAC, "match": "head", "zeros": "dependent"},
    "litbank": {"match": "exact", "singletons": "keep", "metrics": "mention,muc,b3,ceafe,conll"},
}


def preset_of(name: str) -> dict[str, str]:
    """Return the settings and metrics of a preset.

    >>> preset_of("crac23")["match"]
    'head'
    """
    if not isinstance(name, str) or name not in PRESETS:
        raise unknown("preset", name, PRESETS)
    return PRESETS[name]


@dataclass(frozen=True)
class Settings:
    """How to score. The defaults follow the papers.

    Parameters
    ----------
    compat
        Scorer whose counts are reproduced: `conll-8.01` or `corefud-1.2`.
    match
        How mentions match: by equal spans only (`exact`), or also by head (`head`), partial span
        (`partial`) or minimum span (`min`).
    zeros
        Match zeros by position (`linear`) or by dependencies (`dependent`), or drop them.
    scope
        Where an entity id means the same entity: in a document, a topic, or the whole corpus.
    singletons
        Keep or drop entities of one mention.
    duplicates
        What to do with a mention given twice on one side: keep the first or the last, merge its
        entities, report an error, or follow a scorer.
    missing_documents
        What to do with a key document that the response lacks: score it as empty, skip it, or
        report an error.
    blanc
        Version of BLANC: as in the paper (`luo2014`), on shared mentions only (`gold`), or as in a
        scorer.
    average
        Sum counts over documents (`micro`), or average the documents' scores (`macro`).

    Examples
    --------
    >>> Settings(singletons="drop").singletons
    'drop'
    >>> Settings.of(compat="conll-8.01").blanc
    'conll-8.01'
    """

    compat: Compat = option(
        "none",
        "reproduce the counts of scorer.pl (conll-8.01) or of the CorefUD scorer (corefud-1.2)",
        Compat,
        metavar="SCORER",
        unless="none",
    )
    match: Match = option(
        "exact",
        "pair mentions with equal spans only, or also by head, partial span or minimum span",
        Match,
    )
    zeros: Zeros = option(
        "linear",
        "match zeros by position or by dependencies, or drop them",
        Zeros,
        unless="linear",
        rare=True,
    )
    scope: Scope = option(
        "document",
        "equal entity ids are one entity within a document, a topic (given in the file, or the "
        "part of a document's name before the first /, else before the first _) or the whole "
        "corpus",
        Scope,
        unless="document",
        rare=True,
    )
    singletons: Singletons = option(
        "keep", "keep or drop entities with a single mention", Singletons
    )
    duplicates: Duplicates = option(
        "first",
        "a mention given twice on one side: keep the first or the last, merge its entities, or "
        "report an error",
        Duplicates,
        hidden=tuple(AUTHORITIES),
        rare=True,
    )
    missing_documents: MissingDocuments = option(
        "empty",
        "a key document missing from the response: score it as empty, skip it, or report an error "
        "(also for a response document missing from the key)",
        MissingDocuments,
        key="missing",
        rare=True,
    )
    blanc: BlancVersion = option(
        "luo2014",
        "version of BLANC: as in the paper (luo2014), on shared mentions only (gold), or as in a "
        "scorer",
        BlancVersion,
        rare=True,
    )
    average: Average = option(
        "micro", "sum counts over documents, or average the documents' scores", Average, rare=True
    )
    what: ClassVar[str] = "coref"  # the kind of score, which the signature begins with

    def __post_init__(self) -> None:
        check(self)
        for scorer in AUTHORITIES:
            if (self.duplicates == scorer) != (self.compat == scorer):
                raise UsageError("own-duplicates", compat=scorer)
        plain = self.compat != "conll-8.01" or (self.match, self.zeros) == ("exact", "linear")
        if self.compat != "none" and not (plain and self.scope == "document"):
            raise UsageError("scorer-matches", how=self.compat)

    def changed(self, *known: str) -> list[str]:
        """Return the names of the options that differ from their default, except the `known` ones.

        Code that supports only some options uses this to reject all others, including future ones.

        Parameters
        ----------
        known
            Names of options to ignore.

        Returns
        -------
        list[str]
            The names, in the order of the fields.

        Examples
        --------
        >>> Settings(match="head", singletons="drop").changed("singletons")
        ['match']
        """
        names = [one.name for one in fields(self) if getattr(self, one.name) != one.default]
        return [name for name in names if name not in known]

    @classmethod
    def of(cls, **options: Unpack[Options]) -> Self:
        """Return the settings that the options specify.

        Parameters
        ----------
        options
            Values of fields; None stands for the default. `preset` sets the options of a shared
            task, which the other options override; `signature` sets all options and allows no
            others.

        Returns
        -------
        Settings
            An instance of the class that this method was called on.

        Raises
        ------
        UsageError
            When an option or a value is unknown, or two options contradict each other.

        Examples
        --------
        >>> Settings.of(preset="crac24", singletons="keep").match
        'head'
        >>> Settings.of(signature="sameas:coref|match:head").match
        'head'
        """
        return cls._of(dict(options))

    @classmethod
    def _of(cls, given: dict[str, Any]) -> Self:
        preset, signature = given.pop("preset", None), given.pop("signature", None)
        given = chosen(given, cls, "preset", "signature", "metrics")
        if signature is not None:
            if given or preset is not None:
                raise UsageError("signature-decides")
            settings = Signature.parse(signature).settings
            if type(settings) is not cls:
                raise UsageError("other-signature", theirs=settings.what, ours=cls.what)
            return settings
        if preset is not None:
            task = {name: value for name, value in preset_of(preset).items() if name != "metrics"}
            given = {**task, **given}
        compat = given.get("compat")
        implied = AUTHORITIES.get(compat, {}) if isinstance(compat, str) else {}
        return cls(**{**implied, **given})


# --- how to score names only --------------------------------------------------------------------

#: The sources of names, other than functions and collections of mentions.
SOURCES = ("annotated", "column", "rules", "spacy:MODEL")
Mentions = Literal["named", "entities", "unnamed"]
Matcher = Literal["none", "rules", "paper", "exact"]


class ConeOptions(Options, total=False):
    """The keywords of functions that score names only: the fields of `ConeSettings`."""

    names: str | None
    mentions: Mentions | None
    matcher: Matcher | None
    across: str | None


@dataclass(frozen=True)
class ConeSettings(Settings):
    """How to score names only (CONE, Lin et al. 2010).

    Parameters
    ----------
    compat, match, zeros, scope, singletons, duplicates, missing_documents, blanc, average
        How to score, as in `Settings`; `compat` must be `none`.
    names
        Source of names: `annotated`, `column`, `rules`, `spacy:MODEL`, `given`, or the name of a
        function.
    mentions
        Score the names (`named`), all mentions of entities that have a name (`entities`), or only
        the other mentions of these entities (`unnamed`).
    matcher
        Group names as in the key (`none`), with the rules of sameas (`rules`) or of the paper
        (`paper`), or only if they are equal (`exact`).
    across
        Identifier of the model that joined names in two scripts, or `none`.

    Examples
    --------
    >>> str(Signature(ConeSettings(names="rules"), 3)).split("|")[:3]
    ['sameas:cone', 'names:rules', 'mentions:named']
    """

    names: str = option(
        "annotated",
        "source of names: annotated (in the key), column (of CoNLL-2012), rules (for English) or "
        "spacy:MODEL (default: the first of these that the key has; with --text: rules)",
        metavar="SOURCE",
        offered=SOURCES,
    )
    mentions: Mentions = option(
        "named",
        "score the names (named), all mentions of entities that have a name (entities), or only "
        "their mentions that are not names (unnamed)",
        Mentions,
        rare=True,
    )
    matcher: Matcher = option(
        "none",
        "how to group names: none (as the key does), rules (of sameas), paper (of the CONE paper) "
        "or exact (equal names) (default: none; with --text: rules)",
        Matcher,
        unless="none",
    )
    across: str = option(
        "none",
        "also join names across two scripts, with a model from sameas transliterate train",
        metavar="MODEL",
        unless="none",
        rare=True,
    )
    what: ClassVar[str] = "cone"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.compat != "none":
            raise UsageError("cone-compat", compat=self.compat)
        if self.matcher != "none" and self.mentions != "named":
            raise UsageError("estimated-names-only")
        if self.across != "none" and self.matcher == "none":
            raise UsageError("across-needs-matcher")

    @classmethod
    def of(cls, **options: Unpack[ConeOptions]) -> Self:
        """Return the settings that the options specify.

        Parameters
        ----------
        options
            As in `Settings.of`, and the fields that `ConeSettings` adds.

        Returns
        -------
        ConeSettings
            An instance of the class that this method was called on.

        Examples
        --------
        >>> ConeSettings.of(names="rules", matcher="rules").mentions
        'named'
        """
        return cls._of(dict(options))


# --- signatures ---------------------------------------------------------------------------------

_SETTINGS: dict[str, type[Settings]] = {"coref": Settings, "cone": ConeSettings}
#: The commands whose signatures `--signature` rejects, keyed by the kind in the signature.
_COMMANDS = {
    "cone-study": "cone --correlate",
    "cone-predicted": "cone --gold-subset",
    "ranking": "transliterate",
    "correlate": "correlate",
    "align": "align",
    "entropy": "entropy",
    "transliterate": "transliterate",
    "verify": "verify",
}


@dataclass(frozen=True)
class Signature:
    """How a result was computed: settings, resampling, number of documents, and version.

    `parse` reads what `str` writes.

    Parameters
    ----------
    settings
        The settings of the score.
    documents
        Number of documents scored.
    version
        Version of sameas that computed the result.
    resampling
        How intervals were computed or systems compared, if they were.

    Examples
    --------
    >>> text = str(Signature(Settings(), 3, resampling=Comparing(seed=0)))
    >>> Signature.parse(text) == Signature(Settings(), 3, resampling=Comparing(seed=0))
    True
    """

    settings: Settings
    documents: int
    version: str = __version__
    resampling: Resampling | None = None

    def __str__(self) -> str:
        """Return `sameas:coref|match:exact|…`; rarer settings are omitted at their defaults."""
        parts = [f"sameas:{self.settings.what}"]
        common = {one.name for one in fields(Settings)} - {"compat"}
        # The settings of CONE come after `compat` and before the others.
        for one in sorted(fields(self.settings), key=lambda one: one.name in common):
            value = getattr(self.settings, one.name)
            if value != one.metadata.get("unless"):
                parts.append(f"{one.metadata.get('key', one.name)}:{value}")
        parts += [str(self.resampling)] if self.resampling else []
        return "|".join([*parts, f"docs:{self.documents}", f"version:{self.version}"])

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Read a signature from text.

        Parameters
        ----------
        text
            A signature as `str` writes it; line breaks and spaces are ignored.

        Returns
        -------
        Signature
            The signature, with defaults for missing settings, and 0 for a missing number of
            documents.

        Raises
        ------
        UsageError
            When the text is not a signature of a score, or contains an unknown setting.
        """
        if not isinstance(text, str):
            raise UsageError("wrong-type", what="a signature", expected="a string", value=text)
        pairs = [part.partition(":") for part in "".join(text.split()).split("|")]
        values: dict[str, Any] = {name: value for name, _, value in pairs}
        if len(values) < len(pairs):
            raise UsageError("setting-twice", text=text)
        what = values.pop("sameas", "")
        if what in _COMMANDS:
            raise UsageError("signature-of-command", command=_COMMANDS[what])
        if what not in _SETTINGS:
            raise UsageError("not-a-signature", text=text)
        documents, version = values.pop("docs", "0"), values.pop("version", __version__)
        if not documents.isdecimal():
            raise UsageError("signature-documents", text=text)
        resampling = _parse_resampling(values)
        names = {one.metadata.get("key", one.name): one.name for one in fields(_SETTINGS[what])}
        for name in values:
            if name not in names:
                raise unknown("setting in a signature,", name, names)
        given = {names[name]: value for name, value in values.items()}
        return cls(_SETTINGS[what]._of(given), int(documents), version, resampling)


def comparing_of(signature: str | None, options: dict[str, Any]) -> Comparing:
    """Return how to compare systems: from the signature if given, else from the options.

    A signature need not contain any settings of intervals or comparisons; defaults fill the gaps.

    >>> comparing_of("sameas:coref|seed:0", {}).seed, comparing_of(None, {"seed": 2}).seed
    (0, 2)
    """
    if signature is None:
        return Comparing.of(**options)
    if any(value is not None for value in options.values()):
        raise UsageError("signature-decides", how="compare")
    resampling = Signature.parse(signature).resampling
    return Comparing(**asdict(resampling)) if resampling else Comparing()


def _parse_resampling(values: dict[str, Any]) -> Resampling | None:
    """Remove the settings of resampling from `values`, and return them, or None."""
    found: dict[str, Any] = {}
    for one in fields(Comparing):
        if one.name in values:
            text = values.pop(one.name)
            read = type(one.metadata["bounds"][0]) if "bounds" in one.metadata else str
            try:
                found[one.name] = read(text)
            except ValueError:
                raise UsageError("signature-number", name=one.name, text=text) from None
    own = {one.name for one in fields(Resampling)}
    kind = Comparing if found.keys() - own else Resampling
    return kind(**found) if found else None
