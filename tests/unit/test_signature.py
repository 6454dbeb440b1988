"""Settings and signatures: round trips, and errors that name what is wrong."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sameas
from sameas import Settings
from sameas.errors import UsageError
from sameas.settings import Signature, choices
from saying import raises

CHOICES = choices(Settings)

VERSION = sameas.__version__


def every_setting() -> list[Settings]:
    found = []
    for values in itertools.product(*CHOICES.values()):
        try:
            found.append(Settings(**dict(zip(CHOICES, values, strict=True))))
        except UsageError:
            continue
    return found


def test_the_default_signature() -> None:
    assert str(Signature(Settings(), 3)) == (
        "sameas:coref|match:exact|singletons:keep|duplicates:first|missing:empty|blanc:luo2014"
        f"|average:micro|docs:3|version:{VERSION}"
    )


def test_the_signature_of_compat() -> None:
    assert str(Signature(Settings.of(compat="conll-8.01"), 0, "7")) == (
        "sameas:coref|compat:conll-8.01|match:exact|singletons:keep|duplicates:conll-8.01"
        "|missing:empty|blanc:conll-8.01|average:micro|docs:0|version:7"
    )


def test_every_signature_survives_a_round_trip() -> None:
    settings = every_setting()
    assert len(settings) == 6912 + 48 + 576  # compat fixes duplicates, and excludes other settings
    texts = set()
    for number, setting in enumerate(settings):
        signature = Signature(setting, number)
        assert Signature.parse(str(signature)) == signature
        texts.add(str(signature).rpartition("|docs:")[0])
    assert len(texts) == len(settings)


def test_a_signature_from_a_table_survives_a_round_trip() -> None:
    result = sameas.score([["a", "b"]], [["a"]], singletons="drop", duplicates="merge")
    shown = str(result).partition("sameas:")
    assert Signature.parse("".join(shown[1:])) == Signature.parse(result.signature)
    assert Signature.parse(result.signature).settings == Settings(
        singletons="drop", duplicates="merge"
    )


def test_a_short_signature_has_the_defaults() -> None:
    assert Signature.parse("sameas:coref") == Signature(Settings(), 0)
    compat = Signature.parse("sameas:coref|compat:conll-8.01")
    assert compat.settings == Settings.of(compat="conll-8.01")


@pytest.mark.parametrize(
    ("text", "code", "values"),
    [
        ("", "not-a-signature", {"text": ""}),
        ("BLEU|nrefs:1", "not-a-signature", {"text": "BLEU|nrefs:1"}),
        ("sameas:linking", "not-a-signature", {}),
        ("sameas:cone-study|docs:3", "signature-of-command", {"command": "cone --correlate"}),
        ("sameas:cone-predicted", "signature-of-command", {"command": "cone --gold-subset"}),
        ("sameas:verify|docs:3", "signature-of-command", {"command": "verify"}),
        ("sameas:coref|docs:many", "signature-documents", {}),
        ("sameas:coref|blanc:luo", "unknown", {"what": "blanc", "near": "luo2014"}),
        ("sameas:coref|missing:drop", "unknown", {"what": "missing-documents", "value": "drop"}),
        ("sameas:coref|compat:conll-9", "unknown", {"what": "compat", "near": "conll-8.01"}),
        ("sameas:coref|duplicates:conll-8.01", "own-duplicates", {"compat": "conll-8.01"}),
        ("sameas:coref|singleton:keep", "unknown", {"value": "singleton", "near": "singletons"}),
    ],
)
def test_wrong_signatures(text: str, code: str, values: dict[str, str]) -> None:
    with raises(code, **values):
        Signature.parse(text)


def test_messages_do_not_depend_on_the_order_of_a_set() -> None:
    program = (
        "import sameas\n"
        "try: sameas.settings.Signature.parse('sameas:coref|singleton:keep')\n"
        "except sameas.errors.UsageError as error: print(error)\n"
    )
    messages = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "1234"
    }
    assert len(messages) == 1


def test_a_repeated_setting_is_refused() -> None:
    with raises("setting-twice"):
        Signature.parse("sameas:coref|singletons:keep|singletons:drop")


def test_a_signature_keeps_its_version() -> None:
    assert Signature.parse("sameas:coref|docs:2|version:0.0.7").version == "0.0.7"


@given(st.text())
def test_any_text_is_a_signature_or_refused(text: str) -> None:
    for candidate in (text, f"sameas:coref|{text}", f"sameas:coref|docs:{text}"):
        try:
            signature = Signature.parse(candidate)
        except UsageError:
            continue
        assert Signature.parse(str(signature)) == signature


# --- settings -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(CHOICES))
def test_unknown_choices_are_named(name: str) -> None:
    with raises("unknown", what=name.replace("_", "-"), value="zzz", known=CHOICES[name]):
        Settings(**{name: "zzz"})


def test_compat_stands_for_duplicates_and_blanc() -> None:
    settings = Settings.of(compat="conll-8.01")
    assert (settings.duplicates, settings.blanc) == ("conll-8.01", "conll-8.01")
    assert Settings.of(compat="conll-8.01", blanc="luo2014").blanc == "luo2014"
    assert Settings.of(compat=None) == Settings()
    with raises("own-duplicates"):
        Settings.of(compat="conll-8.01", duplicates="merge")


def test_unknown_settings_are_named() -> None:
    known = (*CHOICES, "preset", "signature", "metrics")
    with raises("unknown", what="option", value="blank", near="blanc", known=known):
        Settings.of(compat=None, blank="gold")


@pytest.mark.parametrize(
    ("changes", "metric"),
    [
        ({"singletons": "drop"}, "b3"),
        ({"duplicates": "last"}, "b3"),
        ({"duplicates": "merge"}, "b3"),
        ({"missing_documents": "skip"}, "b3"),
        ({"blanc": "gold"}, "blanc"),
        ({"average": "macro"}, "b3"),
        ({"compat": "conll-8.01"}, "b3"),
    ],
)
def test_whatever_changes_a_digit_is_in_the_signature(changes: dict[str, str], metric: str) -> None:
    key = [
        sameas.Document.from_clusters("1", [["a", "b", "c"], ["c", "d"], ["e"]]),
        sameas.Document.from_clusters("2", [["f", "g"]]),
    ]
    response = [sameas.Document.from_clusters("1", [["a", "b"], ["c", "d", "x"], ["e"], ["y"]])]
    plain, changed = sameas.score(key, response), sameas.score(key, response, **changes)
    assert plain[metric].f1 != changed[metric].f1
    assert plain.signature != changed.signature
    assert Signature.parse(changed.signature) == Signature(Settings.of(**changes), len(changed))
