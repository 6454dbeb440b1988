"""Aligners on unseen names and names of several words; their signatures and notes."""

from __future__ import annotations

import gzip
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import get_type_hints

import pytest

import sameas
from command_line import good, refused, run
from sameas.errors import Problem
from sameas.names.aligning import AlignOptions
from sameas.names.datasets import dataset
from sameas.notes import Note
from saying import has, raises, raises_problems, says

RUSSIAN = dataset("sample:ru").pairs
CHINESE = dataset("sample:zh").pairs


def test_a_pair_that_was_not_fitted_does_not_collapse() -> None:
    """One long unseen segment must not be likelier than several short ones."""
    pairs = [pair for pair in CHINESE if pair[0] != "alice"]
    for one in (
        sameas.names.Aligner().fit(pairs).align_all([("alice", "爱丽丝"), ("alberto", "阿尔贝托")])
    ):
        assert max(len(letters) for letters, _ in one.tokens) < len(one.source) - 1


def test_an_unseen_accented_letter_is_read_without_its_accent() -> None:
    fitted = sameas.names.Aligner().fit(RUSSIAN)
    found = fitted.align_all([("álicé", "элис")])
    plain = fitted.align("alice", "элис")
    assert [len(letters) for letters, _ in found[0].tokens] == [len(one) for one, _ in plain.tokens]
    assert found[0].source == "álicé"
    assert found.notes == ()
    unseen = Note("never-seen", count=1, names=["þ"], how="letters")
    assert fitted.align_all([("þlice", "элис")]).notes == (unseen,)


@pytest.mark.long
@pytest.mark.parametrize("method", ["phoneme", "phonological"])
def test_spaces_can_be_aligned_through_phonemes(method: str) -> None:
    pytest.importorskip("pypinyin")
    names = CHINESE[:20]
    both = [(f"{one[0]} {two[0]}", f"{one[1]}·{two[1]}") for one, two in pairwise(names)]
    aligned = sameas.align([*CHINESE, *both], method)
    spaces = [token for pair in aligned for token in pair.tokens if "·" in token[1]]
    assert len(spaces) == 19
    assert sum(token == (" ", "·") for token in spaces) >= 17


def test_unseen_characters_have_sounds() -> None:
    pytest.importorskip("pypinyin")
    found = sameas.names.Aligner("phonological").fit(CHINESE).align_all([("alice", "愛麗絲")])
    assert str(found[0]) == "a/愛 li/麗 ce/絲"
    assert found.notes == ()


def test_representations_are_short() -> None:
    fitted = sameas.names.Aligner("affinity").fit(RUSSIAN)
    assert repr(fitted) == (
        "<FittedAligner sameas:align|method:affinity|start:even|target:graphemes|case:fold"
        f"|iterations:50|pairs:75|version:{sameas.__version__}, entropy {fitted.entropy:.3f} bits>"
    )
    assert repr(fitted.aligned) == "<AlignedNames: 75 pairs>"
    assert repr(sameas.names.entropy(fitted.aligned)).endswith(" bits, 75 pairs>")
    assert (
        repr(sameas.names.NamePairs([("a", "а")], "names.tsv")) == "<NamePairs names.tsv: 1 pair>"
    )


def test_intermediate_iterations_equal_shorter_runs() -> None:
    fitted = sameas.names.Aligner("affinity").fit(RUSSIAN, keep=True)
    for step in fitted.steps:
        again = sameas.names.Aligner("affinity", iterations=step.iteration).fit(RUSSIAN)
        assert again.aligned.pairs == fitted.at(step.iteration).pairs
        assert again.signature == fitted.at(step.iteration).signature
        assert again.entropy == step.entropy
    with raises("no-such-iteration", iteration=0):
        sameas.names.Aligner("affinity").fit(RUSSIAN).at(0)


def test_names_that_differ_from_gold_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("aligned.tsv").write_text("anna\t安娜\tann/安 a/娜\nbob\t鲍勃\tbo/鲍 b/勃\n")
    Path("gold.tsv").write_text("anna\t安娜\tan/安 na/娜\nbob\t鲍勃\tbo/鲍 b/勃\n")
    out = good("entropy", "aligned.tsv", "--gold", "gold.tsv", "--wrong")
    assert "aligned      gold\n────────────────────────\nann/安 a/娜  an/安 na/娜\n\n" in out
    out = good("entropy", "gold.tsv", "--gold", "gold.tsv", "--wrong")
    assert "aligned  gold\n─────────────\n–        –\n" in out
    code, err = refused("entropy", "aligned.tsv", "--wrong")
    assert (code, err) == (2, f"sameas: {says('needs-gold', how='wrong')}\n")
    code, err = refused("entropy", "aligned.tsv", "--gold", "gold.tsv", "--wrong", "--csv")
    assert (code, err) == (2, f"sameas: {says('wrong-not-for', style='csv')}\n")
    Path("twice.tsv").write_text(
        Path("gold.tsv").read_text() + "anna\t安娜\tann/安 a/娜\n", encoding="utf-8"
    )
    out = good("entropy", "aligned.tsv", "--gold", "twice.tsv")
    assert f"note: {Note('gold-pairs-again', count=1)}\n" in out


def test_a_signature_of_other_pairs_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    signature = "sameas:align|method:affinity|start:even|pairs:12|version:0.0.9"
    code, _, err = run("align", "--dataset", "sample:ru", "--signature", signature)
    assert code == 0
    for what, there, here in (("pairs", "12", "75"), ("version", "0.0.9", sameas.__version__)):
        assert f"note: {says('other-than-signed', what=what, there=there, here=here)}\n" in err


def test_a_compressed_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("names.tsv.gz").write_bytes(gzip.compress("anna\t安娜\n".encode()))
    told = Problem("names-compressed", "names.tsv.gz", file="names.tsv.gz")
    assert refused("align", "names.tsv.gz") == (1, f"{told}\n")


def test_bad_lines_can_be_skipped_with_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("names.tsv").write_text("anna\t安娜\nbob\n", encoding="utf-8")
    _, err = refused("align", "names.tsv")
    assert err.endswith(f"\n{says('skip-bad')}\n")


def test_pairs_made_by_hand_are_checked() -> None:
    with raises_problems("empty-name", path="pair 2", side="target"):
        sameas.align(sameas.names.NamePairs([("anna", "анна"), ("bob", "")]))


def test_keywords_are_the_options() -> None:
    assert set(get_type_hints(AlignOptions)) == {one.name for one in fields(sameas.names.Aligner)}


def test_sounds_may_be_one_text() -> None:
    pairs = [("anna", "анна"), ("nana", "нана"), ("ana", "ана"), ("nan", "нан")]
    source = {"anna": "AE N AH", "nana": "N AE N AH", "ana": "AE N AH", "nan": "N AE N"}
    target = {"а": "a", "н": "n"}
    split = {name: tuple(sounds.split()) for name, sounds in source.items()}
    one, other = (
        sameas.names.Aligner("phonological").fit(
            pairs, source_sounds=sounds, target_sounds=target.get
        )
        for sounds in (source, split)
    )
    assert one.aligned.pairs == other.aligned.pairs
    assert str(one.aligned[1]) == "n/н a/а n/н a/а"
    assert "|sounds:given|" in one.signature


def test_the_first_line_may_be_bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("aligned.tsv").write_text("bob\t鲍勃\nanna\t安娜\tan/安 na/娜\n", encoding="utf-8")
    found = sameas.names.read_alignments("aligned.tsv", skip_bad=True)
    assert [str(one) for one in found] == ["an/安 na/娜"]
    assert found.notes == (Note("bad-lines", count=1),)


def test_a_sound_of_none_is_unknown() -> None:
    pairs = [("anna", "анна"), ("nana", "нана"), ("ana", "ана!")]
    target = {"а": "a", "н": "n"}
    fitted = sameas.names.Aligner("affinity", target="sounds").fit(pairs, target_sounds=target.get)
    assert any(has(note, "silent-units", names=("!",)) for note in fitted.notes)
