"""The exact messages of errors: an edit of the English changes only this file."""

from __future__ import annotations

import pytest

import sameas
from sameas.analysis.findings import DROPPED, MESSAGES
from saying import finding

KINDS = {
    "span": "“a”: should be “b”",
    "conflated": "“a”: wrongly in the same entity as “b”",
    "extra mention": "“a”: not a mention in the key; in the same entity as “b”",
    "extra entity": "“a”: an entity that the key does not have",
    "divided": "“a”: should be in the same entity as “b”",
    "missing mention": "“a”: not found; should be in the same entity as “b”",
    "missing entity": "“a”: an entity that was not found",
    "missing link": "“a”: should be linked to “b”",
    "wrong link": "“a”: should not be linked to “b”",
}
SINGLETONS = {
    "extra mention": "“a”: a singleton of the key, which was dropped; in the same entity as “b”",
    "extra entity": "“a”: an entity that the key does not have; singletons of the key, dropped: “c”",
    "missing mention": "“a”: a singleton of the response, which was dropped; should be in the same "
    "entity as “b”",
    "missing entity": "“a”: an entity that was not found; singletons of the response, dropped: “c”",
}


@pytest.mark.parametrize("kind", MESSAGES)
def test_messages_of_errors(kind: str) -> None:
    assert finding(kind, "“a”", "“b”") == KINDS[kind]


@pytest.mark.parametrize("kind", DROPPED)
def test_messages_of_errors_with_dropped_singletons(kind: str) -> None:
    expected = (KINDS | SINGLETONS)[kind]
    assert finding(kind, "“a”", "“b”", gone="“c”", dropped=True) == expected


def test_an_error_shows_its_message() -> None:
    found = sameas.analyse([["a", "b"], ["c"]], [["a", "b", "c"]])
    assert [error.message for error in found.errors] == ["“c”: wrongly in the same entity as “b”"]
