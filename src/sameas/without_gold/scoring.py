"""CONE: score only the names of a response, against a key or an estimated key."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import fields, replace
from itertools import zip_longest
from typing import Any, NamedTuple, Unpack

from sameas.arithmetic.assignment import assign
from sameas.documents.document import Corpus, Document
from sameas.errors import Problem, UsageError, refuse_problems, require
from sameas.matching.pairing import Pairing, name_documents, other_units, pair_documents
from sameas.metrics.contingency import contingency
from sameas.metrics.statistics import choose_metrics
from sameas.notes import Note
from sameas.results.result import Result
from sameas.run.inputs import Input, load
from sameas.run.memory import score_pairing
from sameas.settings import ConeSettings, Matcher, Mentions, Options, Settings
from sameas.without_gold.across import Across, AcrossGiven
from sameas.without_gold.estimate import estimate_document, text_of
from sameas.without_gold.named import Namer, Names, has_kinds, restrict_pairing, source_of
from sameas.without_gold.remarks import note_errors, remarks

__all__ = [
    "THE_KEY",
    "NameErrors",
    "NamedKey",
    "cone",
    "name_errors",
    "plain_settings",
    "signature_of",
]

THE_KEY = "the key"  # the name of the key's own score


def cone(
    key: Input,
    response: Input,
    *,
    names: Names | None = None,
    matcher: Matcher | None = None,
    across: AcrossGiven | None = None,
    mentions: Mentions | None = None,
    metrics: str | Sequence[str] | None = None,
    format: str | None = None,
    **settings: Unpack[Options],
) -> Result:
    """Score only the names of a response (CONE, Lin et al. 2010).

    CONE B³ = B³(G^NM, O^NM), and so for every metric: key and response are restricted to named
    mentions, then scored. Do not rank systems by an estimated key: some systems score higher than
    the key itself, whose score `cone(key, key, matcher="rules")` returns.

    Parameters
    ----------
    key, response
        In any form that `score` accepts; with a `matcher`, the key need only be a text.
    names
        Which mentions are names: `annotated` (the kinds of mentions in the key), `column` (of
        CoNLL-2012), `rules` (our recogniser, for English), `spacy:MODEL`, a function that takes the
        sentences and returns the first and last word of each name, or a set of mentions. Default:
        the first of `annotated`, `column` and `rules` that the key allows.
    matcher
        Estimate the key: group its names by `rules`, `paper` or `exact`, instead of using its
        entities (default `none`).
    across
        A transliteration model or its file; joins names in its two scripts.
    mentions
        `named` (default), `entities` (all mentions of entities with a name) or `unnamed` (the
        mentions of these entities that are not names).
    metrics, format
        As for `score`.
    **settings
        Settings of `score`. The default of `match` is `exact` (same words); for an estimated key
        it is `head` (same head).

    Returns
    -------
    Result
        The scores of names.

    Examples
    --------
    >>> gold = [["A", "B", "C", 1, 2, 3, 4]]
    >>> result = cone(gold, [["A", "C", 1, 2, 4], ["B", 3]], names={"A", "B", "C"})
    >>> result["b3"].counts
    (1.6666666666666667, 3, 3.0, 3)
    """
    role = "key" if matcher in (None, "none") else "text"
    ours = load(key, role, format=format)
    named_key = NamedKey.of(
        ours, names, across=across, matcher=matcher, mentions=mentions, **settings
    )
    theirs = load(response, "response", format=format)
    return named_key.score(theirs, choose_metrics(metrics))


def plain_settings(settings: ConeSettings) -> Settings:
    """Return the settings that score all mentions, without those about names.

    >>> plain_settings(ConeSettings(match="head", names="rules")).match
    'head'
    """
    return Settings(**{field.name: getattr(settings, field.name) for field in fields(Settings)})


def signature_of(command: str, result: Result, *more: str) -> str:
    """Return the signature of a command that builds on a result of CONE."""
    cone, _, end = result.signature.removeprefix("sameas:cone").rpartition("|docs:")
    return "|".join([f"sameas:{command}{cone}", *more, f"docs:{end}"])


class NamedKey:
    """A key whose names are found only once, however many responses are scored."""

    def __init__(
        self, key: Corpus, namer: Namer, settings: ConeSettings, across: Across | None = None
    ) -> None:
        self.namer, self.across = namer, across
        self.settings = replace(settings, names=namer.name)
        self.estimated = settings.matcher != "none"
        no_kinds = not any(map(has_kinds, key.documents))
        empty = not any(document.mention_count for document in key.documents)
        if namer.name == "annotated" and no_kinds and (self.estimated or not empty):
            raise UsageError("names-not-marked", where=key.path or "the key")
        self.key = text_of(key, namer) if self.estimated else key
        self._estimates: dict[int, Document] = {}

    @classmethod
    def of(
        cls,
        key: Corpus,
        names: Names | None,
        signature: str | None = None,
        across: AcrossGiven | None = None,
        **named: Any,
    ) -> NamedKey:
        """Return the key with names found as the settings or a signature specify."""
        ready = None if across is None else Across.of(across)
        digest = ready.digest if ready else None
        if signature is not None:
            settings = ConeSettings.of(signature=signature)
            names = _names_of(settings, names, digest, given=any(named.values()))
        else:
            if named.get("match") is None and named.get("matcher") not in (None, "none"):
                named["match"] = "head"
            settings = ConeSettings.of(**named, across=digest)
        if names is None:
            names = source_of(key.documents)
        return cls(key, Namer(names), settings, ready)

    def estimate(self, document: Document) -> Document:
        """Return the estimated key of one document."""
        if id(document) not in self._estimates:
            found = estimate_document(document, self.namer, self.settings.matcher, self.across)
            self._estimates[id(document)] = found
        return self._estimates[id(document)]

    def restrict(self, response: Corpus, mentions: str | None = None) -> tuple[Pairing, list[Note]]:
        """Return key and response restricted to the requested mentions, and notes."""
        pairing = pair_documents(self.key, response, missing=self.settings.missing_documents)
        estimates = []
        if self.estimated:
            estimates = [self.estimate(key) for key in pairing.key]
            _compare_words(pairing)
        restricted, ours, theirs = restrict_pairing(
            pairing, self.namer, mentions or self.settings.mentions
        )
        if self.estimated:
            restricted = replace(restricted, key=estimates)
        notes = remarks(pairing, restricted, ours, theirs, self.settings, self.namer)
        return restricted, notes

    def score(self, response: Corpus, metrics: Sequence[str]) -> Result:
        """Score one response."""
        restricted, notes = self.restrict(response)
        problems = [*self.key.problems, *response.problems]
        name = response.path or "response"
        result = score_pairing(restricted, self.settings, metrics, name=name, problems=problems)
        if self.settings.mentions == "named":
            notes += note_errors(*name_errors(result), self.estimated)
        return replace(result, notes=[*result.notes, *notes])

    def ceiling(self, gold: Corpus, metrics: Sequence[str]) -> Result:
        """Score a gold standard of some or all documents, as a ceiling for responses.

        If the key is estimated, the score is less than 1 because of the errors of the estimate.
        """
        texts, _ = name_documents(self.key)
        wanted, _ = name_documents(gold)
        some = copy(self)  # shares names and estimates
        some.key = replace(self.key, documents=[texts[one] for one in wanted if one in texts])
        return replace(some.score(gold, metrics), name=THE_KEY)


def _names_of(
    settings: ConeSettings, names: Names | None, digest: str | None, given: bool
) -> Names:
    """Return the source of names in a signature, or the caller's if a signature cannot state it."""
    contained = settings.names.partition(":")[0] not in ("given", "function")
    if given or (contained and names is not None):
        raise UsageError("signature-decides")
    if not contained and names is None:
        raise UsageError("signature-names", names=settings.names)
    if settings.across != (digest or "none"):
        how = "other" if digest else "missing"
        raise UsageError("signature-across", across=settings.across, digest=digest, how=how)
    return settings.names if names is None else names


def _compare_words(pairing: Pairing) -> None:
    """Reject responses with different words: names are positions in the text of the key."""
    problems = []
    for text, response in zip(pairing.key, pairing.response, strict=True):
        path = response.origin.path
        if response.mention_count and text.unit != response.unit:
            problems.append(other_units(text, response, text.name, path))
        elif text.text is not response.text and text.unit == "token":
            ours, theirs = text.tokens, response.tokens
            if theirs and ours != theirs:
                both = enumerate(zip_longest(theirs, ours))
                at, (here, there) = next(one for one in both if one[1][0] != one[1][1])
                how = "longer" if there is None else "shorter" if here is None else "other"
                words = {"document": text.name, "number": at + 1, "here": here, "there": there}
                place = response.text.place(min(at, len(theirs) - 1))
                problems.append(Problem("text-word", path, *place, values=words, how=how))
    refuse_problems(problems)


class NameErrors(NamedTuple):
    """The number of names in the key, and how many of them are missing or misgrouped.

    Attributes
    ----------
    names
        Names in the key.
    missing
        Names missing from the response (MNE).
    misgrouped
        Names in the wrong entity of the response (IGNE).

    Examples
    --------
    >>> NameErrors(3, 1, 0).missing
    1
    """

    names: int
    missing: int
    misgrouped: int


def name_errors(result: Result) -> NameErrors:
    """Count missing and misgrouped names (Lin et al. 2010, section 4.1, without a formula).

    Missing named entity (MNE): "a named mention is missing from the system output", that is, a name
    of the key, in G^NM, matches no name of the response, in O^NM. Incorrectly grouped named entity
    (IGNE): the response has the name, but not in the entity that CEAF aligns with the name's key
    entity. So CONE CEAFm recall is 1 − (MNE + IGNE) / names. In the paper's example, capitals are
    names: O1 lacks C; O2 puts B into another entity.

    Parameters
    ----------
    result
        A result of `cone` with `mentions="named"`.

    Returns
    -------
    NameErrors
        The counts.

    Examples
    --------
    >>> gold, names = [["A", "B", "C", 1, 2, 3, 4]], {"A", "B", "C"}
    >>> name_errors(cone(gold, [["A", "B", 1, 2, 3]], names=names))
    NameErrors(names=3, missing=1, misgrouped=0)
    >>> name_errors(cone(gold, [["A", "C", 1, 2, 4], ["B", 3]], names=names))
    NameErrors(names=3, missing=0, misgrouped=1)
    """
    require(result, Result, "result", "a sameas.Result, as sameas.cone gives it")
    settings = result.settings
    if not isinstance(settings, ConeSettings) or settings.mentions != "named":
        mentions = getattr(settings, "mentions", "")
        raise UsageError("name-errors-of", what=settings.what, mentions=mentions, how=settings.what)
    if not result.matchings:
        raise UsageError("name-errors-part")
    names = found = right = 0
    for matching in result.matchings:
        table = contingency(matching)
        names += int(table.k.sum())
        found += int(table.n.sum())
        right += int(table.n[assign(table.i, table.j, table.n)].sum())
    return NameErrors(names, names - found, found - right)
