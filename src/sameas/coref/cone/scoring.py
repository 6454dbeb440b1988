"""CONE: the scores of names alone, against a key or against an estimate of it."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from sameas.coref.cone.across import Across, AcrossGiven
from sameas.coref.cone.errors import name_errors
from sameas.coref.cone.estimate import estimate_document, require_words, without_mentions
from sameas.coref.cone.honesty import note_errors, remarks
from sameas.coref.cone.named import Namer, Names, restrict_pairing, says_kinds, source_of
from sameas.coref.document import Corpus, Document
from sameas.coref.pairing import Pairing, name_documents, pair_documents, units_hint
from sameas.coref.scoring import Input, load, score_pairing
from sameas.coref.statistics import choose_metrics
from sameas.errors import InputError, Problem, UsageError
from sameas.result import Result
from sameas.signature import ConeSettings

__all__ = ["THE_KEY", "NamedKey", "cone"]

THE_KEY = "the key"  # what its own score is called


def cone(
    key: Input,
    response: Input,
    *,
    names: Names | None = None,
    matcher: str | None = None,
    across: AcrossGiven | None = None,
    mentions: str | None = None,
    metrics: str | Sequence[str] | None = None,
    match: str | None = None,
    zeros: str | None = None,
    scope: str | None = None,
    singletons: str | None = None,
    duplicates: str | None = None,
    missing_documents: str | None = None,
    blanc: str | None = None,
    average: str | None = None,
    signature: str | None = None,
    format: str | None = None,
) -> Result:
    """Score the names of a response alone (CONE, Lin et al. 2010).

    CONE B³ = B³(G^NM, O^NM), and so for every metric: key and response are restricted to named
    mentions, then scored. `names` says which are: `annotated` (the kinds of mentions in the key),
    `column` (of CoNLL-2012), `rules` (our recogniser, for English), `spacy:MODEL`, a function of
    the sentences that returns first and last word of names, or a set of mentions; by default what
    the key has, in this order. With a `matcher` (`rules`, `paper`, `exact`) the entities of the
    key are not looked at: the same names are grouped by the matcher; `across`, a model of
    transliterations or its file, joins names in its two scripts. `mentions`: `named`, `entities`
    (all mentions of the entities that have a name) or `unnamed` (of these, the others). Mentions
    match if they are of the same words (`match="exact"`); if the key is estimated, those of the
    same head do (`"head"`). All other settings are those of `score`. Do not rank systems by an
    estimated key: where there is a key, `cone(key, key, matcher="rules")` tells what it scores
    itself, and some systems score more.

    >>> gold = [["A", "B", "C", 1, 2, 3, 4]]
    >>> result = cone(gold, [["A", "C", 1, 2, 4], ["B", 3]], names={"A", "B", "C"})
    >>> result["b3"].counts
    (1.6666666666666667, 3, 3.0, 3)
    """
    settings = {
        "mentions": mentions,
        "matcher": matcher,
        "match": match,
        "zeros": zeros,
        "scope": scope,
        "singletons": singletons,
        "duplicates": duplicates,
        "missing_documents": missing_documents,
        "blanc": blanc,
        "average": average,
    }
    role = "key" if matcher in (None, "none") else "text"
    ours = load(key, role, format=format)
    named_key = NamedKey.of(ours, names, signature, across, **settings)
    theirs = load(response, "response", format=format)
    return named_key.score(theirs, choose_metrics(metrics))


class NamedKey:
    """A key whose names are found once, for any number of responses."""

    def __init__(
        self, key: Corpus, namer: Namer, settings: ConeSettings, across: Across | None = None
    ) -> None:
        self.namer, self.across = namer, across
        self.settings = replace(settings, names=namer.name)
        self.estimated = settings.matcher != "none"
        silent = not any(map(says_kinds, key.documents))
        empty = not any(document.mention_count for document in key.documents)
        if namer.name == "annotated" and silent and (self.estimated or not empty):
            raise UsageError(
                f"{key.path or 'the key'} does not say which mentions are names; "
                "--names rules finds names"
            )
        if self.estimated:
            require_words(key)
        if self.estimated and namer.name != "annotated":
            key = without_mentions(key)
        self.key = key
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
        """As the settings or a signature say."""
        ready = None if across is None else Across.of(across)
        if signature is not None:
            settings = ConeSettings.from_signature(signature)
            held = settings.names.partition(":")[0] not in ("given", "function")
            if any(named.values()) or (held and names is not None):
                raise UsageError("the signature says how to score; leave out the other settings")
            if not held and names is None:
                raise UsageError(
                    f"the signature says names:{settings.names}, which it cannot hold: give them"
                )
            names = settings.names if held else names
            if settings.across != (ready.digest if ready else "none"):
                raise UsageError(
                    f"the signature says across:{settings.across}, which it cannot hold: give that "
                    "model"
                    if ready is None
                    else f"the signature says across:{settings.across}, and the model is another, "
                    f"{ready.digest}"
                )
        else:
            if named.get("match") is None and named.get("matcher") not in (None, "none"):
                named["match"] = "head"
            settings = ConeSettings.of(**named, across=ready.digest if ready else None)
        if names is None:
            names = source_of(key.documents)
        return cls(key, Namer(names), settings, ready)

    def estimate(self, document: Document) -> Document:
        """The estimated key of a document of the key."""
        if id(document) not in self._estimates:
            found = estimate_document(document, self.namer, self.settings.matcher, self.across)
            self._estimates[id(document)] = found
        return self._estimates[id(document)]

    def restrict(self, response: Corpus, mentions: str | None = None) -> tuple[Pairing, list[str]]:
        """Key and response with the mentions that are wanted only, and what is to be said of it."""
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
        result = score_pairing(
            restricted,
            self.settings,
            metrics,
            name=response.path or "response",
            problems=[*self.key.problems, *response.problems],
        )
        if self.settings.mentions == "named":
            notes += note_errors(*name_errors(result), self.estimated)
        return replace(result, notes=[*result.notes, *notes])

    def ceiling(self, gold: Corpus, metrics: Sequence[str]) -> Result:
        """Score a gold standard of some or all documents: what being right earns here.

        It is less than 1 where the key is estimated, as the estimate has errors.
        """
        texts, _ = name_documents(self.key)
        wanted, _ = name_documents(gold)
        some = copy(self)  # with the same names and estimates
        some.key = replace(self.key, documents=[texts[one] for one in wanted if one in texts])
        return replace(some.score(gold, metrics), name=THE_KEY)


def _compare_words(pairing: Pairing) -> None:
    """Names are places in the text of the key: the response must be of the same words."""
    problems = []
    hint = "TEXT must be the text that the response annotates, in the same words"
    for text, response in zip(pairing.key, pairing.response, strict=True):
        place = (response.origin.path, response.origin.line, 1)
        if response.mention_count and text.unit != response.unit:
            message = f"document {text.name} counts {response.unit}s, and the text {text.unit}s"
            problems.append(Problem(message, *place, units_hint(text, response)))
        elif text.text is not response.text and text.unit == "token":
            ours, theirs = text.tokens, response.tokens
            if theirs and ours != theirs:
                both = zip_longest(ours, theirs)
                at = next(number for number, (one, other) in enumerate(both) if one != other)
                here, there = (
                    f"{words[at]!r:.40}" if at < len(words) else "the end"
                    for words in (theirs, ours)
                )
                line, column = response.text.place(min(at, len(theirs) - 1))
                message = f"document {text.name}, word {at + 1}: {here}, and {there} in the text"
                problems.append(Problem(message, response.origin.path, line, column, hint))
    if problems:
        raise InputError(problems)
