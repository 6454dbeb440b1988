"""Match names up to case and letter variants, and collect their references and candidates."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from sameas.errors import InputError, Problem, UsageError
from sameas.names.ranked_lists import RankedCandidate, by_name
from sameas.names.units import composed, fold, graphemes

__all__ = ["References", "SameNames", "WantedName", "given_candidates", "wanted_names"]


#: Names with their references: a mapping from names to lists, or (name, reference) pairs.
References = Mapping[str, Sequence[str]] | Iterable[tuple[str, str]]


@dataclass(frozen=True)
class SameNames:
    """A rule for which names are the same: whether case matters, and which letters are variants."""

    shown: Callable[[str], str]
    table: Mapping[str, str]  # from a letter to the representative of its group

    @classmethod
    def of(cls, case: str, variants: Iterable[Iterable[str]] | None) -> SameNames:
        """Return the rule for a `case` option and groups of letters that count as the same."""
        shown: Callable[[str], str] = _folded if case == "fold" else composed
        return cls(shown, _joined(variants or (), shown))

    def key(self, text: str) -> str:
        """Return the key of a name, which is equal for names that are the same."""
        text = self.shown(text.strip())
        if not self.table:
            return text
        return "".join([self.table.get(unit, unit) for unit in graphemes(text)])

    @property
    def fingerprint(self) -> str:
        """The variants as a signature shows them: the number of letters, and a checksum."""
        if not self.table:
            return "none"
        groups = by_name((first, unit) for unit, first in self.table.items())
        text = "\n".join(sorted(" ".join(sorted(group)) for group in groups.values()))
        return f"{len(self.table)}-{sha256(text.encode()).hexdigest()[:8]}"


def _folded(text: str) -> str:
    """Fold as `fold` does, but without its cache, which millions of candidates would thrash."""
    if text.isascii():
        return text.lower()
    # Σ is the only letter whose lower case depends on its context.
    return fold(text) if "Σ" in text else composed(text.lower())


def _joined(variants: Iterable[Iterable[str]], shown: Callable[[str], str]) -> dict[str, str]:
    """Map each letter with variants to the first letter, in sorted order, of its merged group."""
    if isinstance(variants, str):
        raise UsageError("variants-not-groups")
    members: dict[str, set[str]] = {}
    for group in variants:
        units = graphemes(shown(group)) if isinstance(group, str) else [*map(shown, group)]
        for unit in units:
            if len(graphemes(unit)) != 1:
                raise UsageError("variant-not-letter", value=unit)
        whole = set(units).union(*(members.get(unit, ()) for unit in units))
        members.update(dict.fromkeys(whole, whole))
    return {unit: min(whole) for unit, whole in members.items() if len(whole) > 1}


class WantedName(NamedTuple):
    """A name as first written, and its references, keyed by `SameNames.key`."""

    source: str
    references: dict[str, str]


def wanted_names(
    references: References, same: SameNames, tally: Counter[str]
) -> dict[str, WantedName]:
    """Return the names that have references, keyed by normalised form, in order of appearance."""
    found: dict[str, WantedName] = {}
    written: dict[str, set[str]] = defaultdict(set)
    for source, target in _reference_pairs(references):
        key = same.shown(source)
        written[key].add(composed(source))
        targets = found.setdefault(key, WantedName(source, {})).references
        again = same.key(target)
        tally["references-again"] += again in targets
        targets.setdefault(again, target)
    if not found:
        raise InputError([Problem("no-references", getattr(references, "name", ""))])
    tally["capitals"] = sum(len(forms) - 1 for forms in written.values())
    return found


def _reference_pairs(references: References) -> Iterator[tuple[str, str]]:
    """Yield each name with each of its references; raise UsageError if one is invalid."""
    if isinstance(references, str):
        raise UsageError("references-not-read")
    for entry in references.items() if isinstance(references, Mapping) else references:
        whole = isinstance(entry, Sequence) and not isinstance(entry, str) and len(entry) > 1
        if not whole or not isinstance(entry[0], str) or not isinstance(entry[1], Iterable):
            raise UsageError("not-a-reference", value=entry)
        source, targets = entry[0].strip(), entry[1]
        several = [targets] if isinstance(targets, str) else list(targets)
        if not source or not several or not all(isinstance(one, str) for one in several):
            raise UsageError("not-a-reference", value=entry)
        for target in several:
            if not target.strip():
                raise UsageError("empty-reference", source=source)
            yield source, target.strip()


def given_candidates(
    candidates: Mapping[str, Sequence[RankedCandidate]],
    wanted: Mapping[str, WantedName],
    same: SameNames,
    tally: Counter[str],
) -> dict[str, list[tuple[str, float | None]]]:
    """Return the candidate lists of the names that have references."""
    given: dict[str, list[tuple[str, float | None]]] = {}
    for source, ranked in candidates.items():
        if not isinstance(source, str):
            raise UsageError("not-a-name", value=source)
        key = same.shown(source.strip())
        if key not in wanted:
            tally["strangers"] += 1
        elif key in given:
            tally["second-lists"] += 1
        else:
            given[key] = _listed(source, ranked)
    return given


def _listed(source: str, ranked: Sequence[RankedCandidate]) -> list[tuple[str, float | None]]:
    """Return candidates with their scores, or with None if they are unscored."""
    given = [ranked] if isinstance(ranked, str) else ranked
    if not isinstance(given, Iterable):
        raise UsageError("not-candidates", how="list", source=source, value=ranked)
    found: list[tuple[str, float | None]] = []
    for one in given:
        try:
            target, score = (one, None) if isinstance(one, str) else (one[0], float(one[1]))
        except (TypeError, ValueError, LookupError):
            target, score = "", math.nan
        if not isinstance(target, str) or (score is not None and math.isnan(score)):
            raise UsageError("not-candidates", how="one", source=source, value=one)
        found.append((target, score))
    if 0 < sum(score is None for _, score in found) < len(found):
        raise UsageError("not-candidates", how="mixed", source=source)
    return found
