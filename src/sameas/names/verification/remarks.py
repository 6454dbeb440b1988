"""Check a list of pairs, and make the notes on its unseen letters and scripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sameas.errors import InputError, require, visible
from sameas.names.letters import Removed, read_as_note, read_letters
from sameas.names.pairs import MOST, PAIRS, two_names
from sameas.names.rows import BadLine, check_name
from sameas.names.units import script_of, scripts, spelt
from sameas.names.verification.alphabet import Alphabet, NeverSeen, can_read_han
from sameas.notes import Note

__all__ = ["check_two_names", "count_other_chinese", "note_never_seen", "note_unlike"]

# A note warns if at least UNLIKE pairs, and at least UNLIKE_SHARE of the list, have letters or
# units unseen in training. The share is 0.002 in names from the same dictionary, and 0.07 to 0.12
# in names from other sources.
UNLIKE, UNLIKE_SHARE = 5, 0.03


def note_unlike(
    alphabet: Alphabet, pairs: Sequence[tuple[str, str]], convert: bool
) -> Iterator[Note]:
    """Yield a note if many pairs have unseen letters, or if most are in an unseen script."""
    unseen, foreign = [], []
    for side, seen in enumerate(alphabet.known()):
        names = {pair[side] for pair in pairs}
        unseen.append({name for name in names if _has_unseen(alphabet, name, seen, convert)})
        known = frozenset(scripts("".join(seen)))
        foreign.append({name for name in unseen[-1] if known.isdisjoint(scripts(name))})
    new, other = (
        sum(one in sources or two in targets for one, two in pairs)
        for sources, targets in (unseen, foreign)
    )
    if 2 * other > len(pairs):
        yield Note("script-never-seen", count=other, total=len(pairs))
    elif new >= max(UNLIKE, UNLIKE_SHARE * len(pairs)):
        share = 100 * new / len(pairs)
        yield Note("unlike-learned", count=new, total=len(pairs), share=share)


def _has_unseen(alphabet: Alphabet, name: str, seen: frozenset[str], convert: bool) -> bool:
    """Return whether a name has an unseen letter that is not read as a known one."""
    units = spelt(name, alphabet.case)
    if seen.issuperset(units):
        return False
    read = zip(units, read_letters(units, seen, convert=convert), strict=True)
    return any(unit[0].isalpha() and not letters for unit, letters in read)


def count_other_chinese(alphabet: Alphabet, pairs: Iterable[tuple[str, str]]) -> tuple[int, int]:
    """Return the number of names with unseen Chinese characters, and how many of these are in the
    other form of Chinese, traditional or simplified."""
    if not alphabet.charsets:
        return 0, 0
    new = other_way = 0
    for side, known in enumerate(alphabet.known()):
        for name in {pair[side] for pair in pairs}:
            han = [unit for unit in name if unit not in known and script_of(unit) == "Han"]
            new += bool(han)
            other_way += bool(han) and all(read_letters(han, known))
    return new, other_way


def note_never_seen(alphabet: Alphabet, new: NeverSeen) -> Iterator[Note]:
    """Yield notes on unseen letters and units, on those read as known, and on dropped words."""
    if new.dropped:
        yield Note("no-letters-in", count=len(new.dropped), names=_some(new.dropped))
    if new.read:
        yield read_as_note(sorted(new.read.items()))
    for what, units in (("letters", new.letters), ("units", new.units)):
        if units:
            yield Note("not-learned", count=len(units), names=_some(units), how=what)
    if new.units and alphabet.has_sounds and not can_read_han():
        yield Note("no-sounds", how="verified")


def _some(units: Iterable[str]) -> list[str]:
    return ["␣" if unit.isspace() else visible(unit) for unit in sorted(set(units))]


def check_two_names(pairs: Iterable[Sequence[str]]) -> tuple[list[tuple[str, str]], list[Note]]:
    """Return the pairs, without invisible characters, and a note if any were removed.

    Raise InputError if a name is empty or too long.
    """
    require(pairs, Iterable, "pairs", PAIRS)
    found: list[tuple[str, str]] = []
    problems = []
    removed = Removed()
    for number, pair in enumerate(pairs, 1):
        one, two = (removed.from_name(name).strip() for name in two_names(number, pair))
        for side, name in (("source", one), ("target", two)):
            try:
                check_name(name, side, 1, MOST)
            except BadLine as bad:
                problems.append(bad.problem(f"pair {number}"))
        found.append((one, two))
    if problems:
        raise InputError(problems)
    return found, removed.notes()
