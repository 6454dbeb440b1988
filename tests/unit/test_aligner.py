"""Aligners on names they were not fitted to, names of several words, and what they say of it."""

from __future__ import annotations

import gzip
from itertools import pairwise
from pathlib import Path

import pytest

import sameas
from command_line import good, refused, run
from sameas.translit.datasets import dataset

RUSSIAN = dataset("sample:ru").pairs
CHINESE = dataset("sample:zh").pairs


def test_a_pair_that_was_not_fitted_does_not_collapse() -> None:
    """One long segment never seen must not be likelier than several short ones."""
    pairs = [pair for pair in CHINESE if pair[0] != "alice"]
    for one in (
        sameas.Aligner().fit(pairs).align_all([("alice", "爱丽丝"), ("alberto", "阿尔贝托")])
    ):
        assert max(len(letters) for letters, _ in one.tokens) < len(one.source) - 1


def test_an_accented_letter_is_taken_for_the_letter() -> None:
    fitted = sameas.Aligner().fit(RUSSIAN)
    found = fitted.align_all([("álicé", "элис")])
    plain = fitted.align("alice", "элис")
    assert [len(letters) for letters, _ in found[0].tokens] == [len(one) for one, _ in plain.tokens]
    assert found[0].source == "álicé"
    assert found.notes == ()
    assert fitted.align_all([("þlice", "элис")]).notes == (
        "letters never seen, which are placed by chance: þ",
    )


@pytest.mark.parametrize("method", ["phoneme", "phonological"])
def test_spaces_can_be_aligned_through_phonemes(method: str) -> None:
    pytest.importorskip("pypinyin")
    names = CHINESE[:20]
    both = [(f"{one[0]} {two[0]}", f"{one[1]}·{two[1]}") for one, two in pairwise(names)]
    aligned = sameas.align([*CHINESE, *both], method)
    spaces = [token for pair in aligned for token in pair.tokens if "·" in token[1]]
    assert len(spaces) == 19
    assert sum(token == (" ", "·") for token in spaces) >= 17


def test_characters_never_seen_sound_all_the_same() -> None:
    pytest.importorskip("pypinyin")
    found = sameas.Aligner("phonological").fit(CHINESE).align_all([("alice", "愛麗絲")])
    assert str(found[0]) == "a/愛 li/麗 ce/絲"
    assert found.notes == ()


def test_what_is_shown_of_objects_is_short() -> None:
    fitted = sameas.Aligner("affinity").fit(RUSSIAN)
    assert repr(fitted) == (
        "<FittedAligner sameas:align|method:affinity|start:even|target:graphemes|case:fold"
        f"|iterations:50|pairs:75|version:{sameas.__version__}, entropy {fitted.entropy:.3f} bits>"
    )
    assert repr(fitted.aligned) == "<AlignedNames: 75 pairs>"
    assert repr(sameas.entropy(fitted.aligned)).endswith(" bits, 75 pairs>")
    assert repr(sameas.NamePairs([("a", "а")], "names.tsv")) == "<NamePairs names.tsv: 1 pair>"


def test_intermediate_iterations_are_what_fewer_iterations_give() -> None:
    fitted = sameas.Aligner("affinity").fit(RUSSIAN, keep=True)
    for step in fitted.steps:
        again = sameas.Aligner("affinity", iterations=step.iteration).fit(RUSSIAN)
        assert again.aligned.pairs == fitted.at(step.iteration).pairs
        assert again.signature == fitted.at(step.iteration).signature
        assert again.entropy == step.entropy
    with pytest.raises(sameas.errors.UsageError, match="keep=True"):
        sameas.Aligner("affinity").fit(RUSSIAN).at(0)


def test_names_that_are_not_as_in_gold_are_listed(
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
    assert (code, err) == (2, "sameas: --wrong lists what is not as in gold; add --gold GOLD\n")
    code, err = refused("entropy", "aligned.tsv", "--gold", "gold.tsv", "--wrong", "--csv")
    assert code == 2 and "JSON has the wrong names always" in err
    Path("twice.tsv").write_text(
        Path("gold.tsv").read_text() + "anna\t安娜\tann/安 a/娜\n", encoding="utf-8"
    )
    out = good("entropy", "aligned.tsv", "--gold", "twice.tsv")
    assert "note: 1 gold pair there again with other tokens, and counted so\n" in out


def test_a_signature_of_other_pairs_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    signature = "sameas:align|method:affinity|start:even|pairs:12|version:0.0.9"
    code, _, err = run("align", "--dataset", "sample:ru", "--signature", signature)
    told = f"pairs 12 there, 75 here; version 0.0.9 there, {sameas.__version__} here"
    assert code == 0
    assert f"note: not all is as in the signature: {told}" in " ".join(err.split())


def test_a_compressed_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("names.tsv.gz").write_bytes(gzip.compress("anna\t安娜\n".encode()))
    told = "names.tsv.gz: is compressed\n  hint: gunzip names.tsv.gz\n"
    assert refused("align", "names.tsv.gz") == (1, told)


def test_bad_lines_can_be_left_out_and_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("names.tsv").write_text("anna\t安娜\nbob\n", encoding="utf-8")
    _, err = refused("align", "names.tsv")
    assert err.endswith("\nto leave such lines out, and have them counted: --skip-bad\n")


def test_pairs_made_by_hand_are_looked_at() -> None:
    with pytest.raises(sameas.errors.InputError, match="pair 2: the target name is empty"):
        sameas.align(sameas.NamePairs([("anna", "анна"), ("bob", "")]))


def test_sounds_may_be_one_text() -> None:
    pairs = [("anna", "анна"), ("nana", "нана"), ("ana", "ана"), ("nan", "нан")]
    source = {"anna": "AE N AH", "nana": "N AE N AH", "ana": "AE N AH", "nan": "N AE N"}
    target = {"а": "a", "н": "n"}
    split = {name: tuple(sounds.split()) for name, sounds in source.items()}
    one, other = (
        sameas.Aligner("phonological").fit(pairs, source_sounds=sounds, target_sounds=target.get)
        for sounds in (source, split)
    )
    assert one.aligned.pairs == other.aligned.pairs
    assert str(one.aligned[1]) == "n/н a/а n/н a/а"
    assert "|sounds:given|" in one.signature


def test_the_first_line_may_be_bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("aligned.tsv").write_text("bob\t鲍勃\nanna\t安娜\tan/安 na/娜\n", encoding="utf-8")
    found = sameas.read_alignments("aligned.tsv", skip_bad=True)
    assert [str(one) for one in found] == ["an/安 na/娜"]
    assert found.notes == ("1 bad line was left out",)


def test_sounds_that_are_none_are_not_known() -> None:
    pairs = [("anna", "анна"), ("nana", "нана"), ("ana", "ана!")]
    target = {"а": "a", "н": "n"}
    fitted = sameas.Aligner("affinity", target="sounds").fit(pairs, target_sounds=target.get)
    assert any("their sound is not known: !" in note for note in fitted.notes)
