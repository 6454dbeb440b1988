"""The same name in two scripts, joined by a verifier of transliterations."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.command_line import good, refused

import sameas
from sameas.documents.document import Document, WrittenText
from sameas.errors import InputError
from sameas.formats.writing import save
from sameas.names.datasets import dataset
from sameas.names.transliterator import Transliterator
from sameas.without_gold.across import Across
from sameas.without_gold.matcher import group_names
from sameas.without_gold.name import Name
from saying import raises, raises_problems, says


@pytest.fixture(scope="module")
def model() -> Transliterator:
    return Transliterator.fit(dataset("sample:ru").pairs, "bigram")


@pytest.fixture(scope="module")
def across(model: Transliterator) -> Across:
    return Across.of(model)


def joined(across: Across | None, *names: str, types: str = "") -> list[int]:
    """Return the entity of each name; the names follow each other in a text."""
    words: list[str] = []
    spans = []
    for number, name in enumerate(names):
        parts = name.split()
        label = types.split()[number] if types else ""
        spans.append(Name(len(words), len(words) + len(parts) - 1, label))
        words += [*parts, ","]
    return group_names(words, spans, "rules", across).entity


@pytest.mark.long
def test_names_in_two_scripts(across: Across) -> None:
    assert joined(across, "Anna", "Boris", "Борис", "Анна") == [0, 1, 1, 0]
    assert joined(None, "Anna", "Boris", "Борис", "Анна") == [0, 1, 2, 3]


def test_different_names_stay_apart(across: Across) -> None:
    assert joined(across, "Anna", "Viktor") == [0, 1]
    assert joined(across, "Anna", "Виктор", "Пётр") == [0, 1, 2]
    assert joined(across, "Anna", "安娜") == [0, 1]  # a script unknown to the model
    assert joined(across, "1984", "—", "Анна") == [0, 1, 2]


def test_parts_of_names_are_compared(across: Across) -> None:
    assert joined(across, "Anna Simon", "Анна Симон") == [0, 0]
    assert joined(across, "Anna Simon", "Симон") == [0, 0]  # a last name alone
    assert joined(across, "Anna Simon", "Анна Виктор") == [0, 1]
    assert joined(across, "Mrs. Anna Simon", "Анна Симон") == [0, 0]


def test_types_that_differ_are_not_joined(across: Across) -> None:
    assert joined(across, "Anna", "Анна", types="PER PER") == [0, 0]
    assert joined(across, "Anna", "Анна", types="PER GPE") == [0, 1]


def test_a_group_is_joined_with_one_group_only(across: Across) -> None:
    entity = joined(across, "Anna", "Анна", "Анне")
    assert entity[0] == entity[1]
    assert len(set(entity)) >= 2


def test_joins_are_explained(model: Transliterator) -> None:
    words = ("Anna", "met", "Анна", ".")
    document = Document("a", text=WrittenText((words,)))
    key = sameas.without_gold.estimate_key(
        document, names=lambda sentences: [(0, 0), (2, 2)], across=model
    )
    (join,) = key.documents[0].meta["joins"]
    assert (join.name, join.other) == ("Анна", "Anna")
    assert join.reason.startswith("transliteration, p = ")


def test_other_files_than_models_are_refused(tmp_path: Path) -> None:
    with raises("wrong-type", what="across"):
        Across.of(3)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        Across.of(tmp_path / "nowhere")
    alone = Transliterator.fit([("anna", "анна")], "bigram")
    with raises_problems("across-cannot-verify"):
        Across.of(alone)


def test_the_signature_stands_for_the_model(across: Across, model: Transliterator) -> None:
    document = Document("a", text=WrittenText((("Anna", "met", "Boris"),)))
    named = {"names": lambda sentences: [(0, 0), (2, 2)], "matcher": "rules"}
    result = sameas.cone(document, document, across=model, **named)  # type: ignore[arg-type]
    assert f"|across:{across.digest}|" in result.signature
    again = sameas.cone(
        document, document, names=named["names"], across=model, signature=result.signature
    )  # type: ignore[call-overload, arg-type, unused-ignore]
    assert again.signature == result.signature
    with raises("signature-across", how="missing", across=across.digest):
        sameas.cone(document, document, names=named["names"], signature=result.signature)  # type: ignore[arg-type]
    other = Transliterator.fit(dataset("sample:ru").pairs[:60], "bigram")
    with raises("signature-across", how="other"):
        sameas.cone(
            document, document, names=named["names"], across=other, signature=result.signature
        )  # type: ignore[call-overload, arg-type, unused-ignore]
    with raises("across-needs-matcher"):
        sameas.cone(document, document, names=named["names"], across=model)  # type: ignore[arg-type]


def test_the_command(model: Transliterator, tmp_path: Path) -> None:
    model.save(tmp_path / "names.model")
    text = tmp_path / "text.conll"
    save(Document("a", text=WrittenText((("Anna", "Simon", "met", "Boris", "."),))), text)
    out = good("cone", "--text", text, "--joins", "--across", tmp_path / "names.model")
    assert "Anna Simon" in out or "0 joins" in out
    assert refused("cone", "--text", text, "--joins", "--across", text)[0] == 1
    code, message = refused("cone", "--text", text, "--joins", "--across", "")
    assert (code, says("option-empty", option="--across") in message) == (2, True)
