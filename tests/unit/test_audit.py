"""Lists of labelled pairs, and the curves of their scores."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sameas.errors import InputError, Problem
from sameas.names.audit import ALL, SCORES, ListedPairs, curves, read_listed
from sameas.names.datasets import dataset
from sameas.names.pairs import MOST
from sameas.names.verifier import Verifier
from saying import codes, has, raises, raises_problems

RUSSIAN = dataset("sample:ru").pairs


@pytest.fixture(scope="module")
def verifier() -> Verifier:
    return Verifier.fit(RUSSIAN)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pairs.tsv"


def listed(kinds: list[tuple[bool, str]]) -> ListedPairs:
    """Return a genuine or a false pair of each kind."""
    pairs = [
        RUSSIAN[place] if good else (RUSSIAN[place][0], RUSSIAN[-1 - place][1])
        for place, (good, _) in enumerate(kinds)
    ]
    return ListedPairs(
        pairs,
        list(range(1, len(kinds) + 1)),
        tuple(good for good, _ in kinds),
        tuple(kind for _, kind in kinds) if any(kind for _, kind in kinds) else None,
        "pairs.tsv",
    )


def problems(path: Path, content: str | bytes) -> tuple[Problem, ...]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as caught:
        read_listed(path, labels=True)
    return caught.value.problems


# Reading


def test_pairs_without_labels(path: Path) -> None:
    path.write_text("anna\tанна\n\n# a comment\n bob \t боб \tmore\n", encoding="utf-8")
    found = read_listed(path)
    assert found.pairs == [("anna", "анна"), ("bob", "боб")]
    assert found.lines == [1, 4]
    assert (found.genuine, found.kind, found.name) == (None, None, str(path))
    assert len(found) == 2


def test_labels_and_kinds(path: Path) -> None:
    path.write_text("a\tа\t1\tbook\nb\tб\t 0 \tmade \nc\tц\t1\n", encoding="utf-8")
    found = read_listed(path, labels=True)
    assert found.genuine == (True, False, True)
    assert found.kind == ("book", "made", "no kind")


@pytest.mark.parametrize("begin", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_marks_and_ends_of_lines(path: Path, begin: bytes, end: bytes) -> None:
    path.write_bytes(begin + "a\tа\t1".encode() + end + "b\tб\t0".encode() + end)
    found = read_listed(path, labels=True)
    assert (found.pairs, found.genuine) == ([("a", "а"), ("b", "б")], (True, False))


def test_bad_pairs_are_not_bad_lines(path: Path) -> None:
    """Pairs to audit may be in any script, or in several."""
    path.write_text("anna\tanna\nаnna\t安娜\n123\t!\n", encoding="utf-8")
    assert len(read_listed(path)) == 3


@pytest.mark.parametrize(
    ("line", "column", "code", "values"),
    [
        ("anna", 1, "no-tab", {"how": "labels"}),
        ("\tанна", 1, "empty-name", {"side": "source"}),
        ("  \tанна", 1, "empty-name", {"side": "source"}),
        ("anna\t", 6, "empty-name", {"side": "target"}),
        ("anna\t \t1", 6, "empty-name", {"side": "target"}),
        ("a" * (MOST + 1) + "\tа", 1, "long-name", {"side": "source", "most": MOST}),
        ("a\t" + "а" * (MOST + 1), 3, "long-name", {"side": "target", "most": MOST}),
        ("anna\tанна", 10, "no-label", {}),
        ("anna\tанна\t", 11, "unknown-label", {"label": "empty"}),
        ("anna\tанна\tyes", 11, "unknown-label", {"label": "yes"}),
        ("anna\tанна\t2\tbook", 11, "unknown-label", {"label": "2"}),
    ],
)
def test_bad_lines(path: Path, line: str, column: int, code: str, values: dict[str, Any]) -> None:
    (problem,) = problems(path, f"anna\tанна\t1\n{line}\n")
    assert has(problem, code, line=2, column=column, **values)
    found = read_listed(path, labels=True, skip_bad=True)
    assert (len(found), found.lines, len(found.skipped)) == (1, [1], 1)
    assert codes(found.notes) == ["bad-lines"]


def test_lines_that_are_not_text(path: Path) -> None:
    found = problems(path, b"anna\t\xff\t1\nbob\tbob\n")
    assert [one.place for one in found] == [f"{path}:1:6", f"{path}:2:8"]


def test_marks_are_not_letters(path: Path) -> None:
    path.write_text("e\u0323\u0301" * MOST + "\tе\n", encoding="utf-8")
    assert len(read_listed(path)) == 1


@pytest.mark.parametrize("content", ["", "\n", "# nothing\n"])
@pytest.mark.parametrize("skip_bad", [False, True])
def test_no_pairs(path: Path, content: str, skip_bad: bool) -> None:
    path.write_text(content, encoding="utf-8")
    with raises_problems("no-pairs", path=str(path)):
        read_listed(path, skip_bad=skip_bad)


def test_only_bad_lines(path: Path) -> None:
    path.write_text("anna\nbob\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_listed(path, skip_bad=True)
    assert codes(caught.value.problems) == ["no-pairs", "no-tab", "no-tab"]


# Kinds


def test_kinds_of_pairs() -> None:
    found = listed([(True, "book"), (False, "made"), (True, "web"), (False, "book")])
    assert {name: one.tolist() for name, one in found.kinds().items()} == {
        ALL: [True, True, True, True],
        "book": [True, False, False, True],
        "made": [False, True, False, False],
        "web": [False, False, True, False],
    }
    assert {name: one.tolist() for name, one in found.kinds(True).items()} == {
        ALL: [True, False, True, False],
        "book": [True, False, False, False],
        "web": [False, False, True, False],
    }


def test_a_kind_named_all(verifier: Verifier) -> None:
    """Pairs of any kind come first and include all, whatever the names of the kinds are."""
    kinds = [(True, "all"), (True, "x"), (False, "x"), (False, "y")]
    found = listed(kinds)
    told = list(curves(verifier.verify(found.pairs), found))
    assert (told[0][3].genuine, told[0][3].false) == (2, 2)
    assert sorted({curve.genuine for one, _, _, curve in told}) == [1, 2]


# Curves


def test_every_score_of_one_kind(verifier: Verifier) -> None:
    found = listed([(place % 2 == 0, "") for place in range(20)])
    told = list(curves(verifier.verify(found.pairs), found))
    assert [(one, two, score) for one, two, score, _ in told] == [
        (ALL, ALL, score) for score in SCORES
    ]
    for _, _, score, curve in told:
        assert (curve.genuine, curve.false, curve.name) == (10, 10, score)
        assert 0 <= curve.eer <= 1


def test_a_single_kind_is_not_listed_twice(verifier: Verifier) -> None:
    found = listed([(True, "book"), (False, "made"), (False, "made"), (False, "web")])
    told = [
        (one, two) for one, two, _, _ in curves(verifier.verify(found.pairs), found, ["score1"])
    ]
    assert told == [(ALL, ALL), (ALL, "made"), (ALL, "web")]


def test_every_kind_against_every_other(verifier: Verifier) -> None:
    kinds = [(True, "book"), (True, "web"), (True, "web"), (False, "made"), (False, "web")]
    found = listed(kinds)
    told = {
        (one, two): (curve.genuine, curve.false)
        for one, two, _, curve in curves(verifier.verify(found.pairs), found, ["learned"])
    }
    assert told == {
        (one, two): (genuine, false)
        for one, genuine in ((ALL, 3), ("book", 1), ("web", 2))
        for two, false in ((ALL, 2), ("made", 1), ("web", 1))
    }


def test_distances_are_high_for_false_pairs_and_probabilities_low(verifier: Verifier) -> None:
    """The curves use the direction of each score."""
    pairs = [("a", "а"), ("b", "б"), ("c", "ц"), ("d", "д")]
    distance = np.array([1.0, 2.0, 8.0, 9.0])
    scores = {"score1": distance, "score2": distance, "score3": distance}
    found = replace(verifier.verify(pairs), probability=1 / distance, **scores)
    labelled = ListedPairs(pairs, [1, 2, 3, 4], (True, True, False, False))
    assert [curve.eer for _, _, _, curve in curves(found, labelled)] == [0.0] * 4
    wrong = ListedPairs(pairs, [1, 2, 3, 4], (False, False, True, True))
    assert [curve.eer for _, _, _, curve in curves(found, wrong)] == [1.0] * 4


def test_no_labels(verifier: Verifier) -> None:
    found = ListedPairs(RUSSIAN[:2], [1, 2])
    with raises("unlabelled-pairs"):
        list(curves(verifier.verify(found.pairs), found))


@pytest.mark.parametrize(("label", "missing"), [(True, "false"), (False, "genuine")])
def test_only_one_label(verifier: Verifier, label: bool, missing: str) -> None:
    found = listed([(label, ""), (label, "")])
    with raises_problems("one-kind", path="pairs.tsv", kind=missing, count=2):
        list(curves(verifier.verify(found.pairs), found))
