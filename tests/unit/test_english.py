"""Pronunciations of English names: known names, out-of-vocabulary names, and odd input."""

import lzma
import subprocess
import sys
from importlib.resources import files

import pytest

from sameas.names import english
from sameas.names.english import PHONEMES, pronounce, pronunciations
from saying import raises, raises_problems

DATA = files("sameas.names").joinpath("data")


def sounds_of(name):
    return " ".join(pronounce([name])[0])


@pytest.mark.parametrize(
    ("name", "phonemes"),
    [
        ("Alice", "AE L AH S"),  # Pervouchine, Li & Lin 2009, figure 2
        ("ALICE", "AE L AH S"),
        ("Smith", "S M IH TH"),
        ("O'Brien", "OW B R AY IH N"),
        ("O’Brien", "OW B R AY IH N"),
        ("Chloë", "K L OW IY"),
        ("Chloe\u0308", "K L OW IY"),
        ("Ｓｍｉｔｈ", "S M IH TH"),
        ("Mary-Ann", "M EH R IY AE N"),
        ("Mary Ann", "M EH R IY AE N"),
    ],
)
def test_names_of_the_dictionary(name, phonemes):
    assert sounds_of(name) == phonemes
    assert pronunciations([name]).from_dictionary == 1


@pytest.mark.parametrize(
    ("name", "phonemes"),
    [
        ("Zorbeck", "Z AO R B EH K"),
        ("Siward", "S IH W ER D"),
        ("Bjornson", "B Y AO R N S AH N"),
        ("Elswood", "EH L Z W UH D"),
        ("Phildrick", "F IH L D R IH K"),
        ("Bexham", "B EH K S AH M"),
    ],
)
def test_out_of_vocabulary_names(name, phonemes):
    assert sounds_of(name) == phonemes
    assert pronunciations([name]).from_model == 1


def test_sources_of_pronunciations_are_counted():
    found = pronunciations(["Alice", "Alice Zorbeck", "李", "Li 李", "Alice", "", "Zorbeck"])
    assert (found.from_dictionary, found.from_model) == (3, 2)
    assert found.unpronounced == {2: "李", 3: "李", 5: ""}
    assert found.phonemes[2] == found.phonemes[5] == ()
    assert found.phonemes[3] == ("L", "IY")
    assert found.phonemes[1] == found.phonemes[0] + found.phonemes[6]


def test_dropped_letters_do_not_split_a_name():
    found = pronunciations(["Al5ice", "Alиce", "smi☃th"])
    assert found.phonemes[0] == ("AE", "L", "AH", "S")
    assert found.unpronounced == {0: "5", 1: "и"}
    assert found.phonemes[2] == pronounce(["smi th"])[0]  # a symbol counts as a space


def test_letters_that_do_not_decompose_are_folded_too():
    for name, plain in [
        ("Łukasz", "Lukasz"),
        ("Søren", "Soren"),
        ("Strauß", "Strauss"),
        ("Æthelred", "Aethelred"),
        ("Þór", "Thor"),
        ("İpek", "Ipek"),
        ("Işık", "Isik"),
        ("Đorđe", "Dorde"),
        ("Ǿrsted", "Orsted"),
    ]:
        found = pronunciations([name, plain])
        assert found.phonemes[0] == found.phonemes[1]
        assert not found.unpronounced


def test_letters_before_apostrophes_are_not_spelled_out():
    assert sounds_of("N'Golo") == sounds_of("Ngolo")
    assert sounds_of("D'Zorbeck") == sounds_of("Dzorbeck")
    assert sounds_of("Smith's") == sounds_of("Smiths")
    assert sounds_of("Zorb'eck") == f"{sounds_of('Zorb')} {sounds_of('eck')}"
    assert sounds_of("'Alice'") == "AE L AH S"
    assert sounds_of("'") == sounds_of("''") == ""
    assert sounds_of("x'y'z") == sounds_of("xyz")


def test_odd_names_are_accepted():
    odd = ["-", "...", "\n", "\u0301", "\x00", "🙂", "q" * 300, "zzz", "Mr. T", "\ud800", "ﬁ", "㏂"]
    found = pronunciations(odd)
    assert len(found.phonemes) == len(odd)
    assert all(set(phonemes) <= set(PHONEMES) for phonemes in found.phonemes)
    assert all(found.phonemes[number] or number in found.unpronounced for number in range(len(odd)))
    assert pronounce([]) == []


def test_a_string_is_not_a_list_of_names():
    with raises("one-string", value="Alice"):
        pronounce("Alice")


def test_every_phoneme_and_every_letter_is_known():
    assert len(set(PHONEMES)) == 39
    known = english._dictionary()
    assert {phoneme for sounds in known.values() for phoneme in sounds.split()} == set(PHONEMES)
    model = english._model()
    assert {phoneme for _, target in model.pairs for phoneme in target.split()} == set(PHONEMES)
    assert set("abcdefghijklmnopqrstuvwxyz") <= {source for source, _ in model.pairs}


def test_the_model_knows_the_words_it_learned_from():
    known = english._dictionary()
    words = [word for word in known if "'" not in word][::200]
    guessed = english.guess(english._model(), words)
    right = sum(one == known[word] for word, one in zip(words, guessed, strict=True))
    assert right > 0.85 * len(words)


def test_the_files_are_small_and_have_a_licence():
    assert len(DATA.joinpath("cmudict.txt.xz").read_bytes()) < 700_000
    assert len(DATA.joinpath("english.model").read_bytes()) < 1_100_000
    assert "Carnegie Mellon University" in DATA.joinpath("LICENSE.cmudict").read_text("utf-8")


def test_damaged_files_are_reported(monkeypatch):
    for load, name in [(english._dictionary, "cmudict.txt.xz"), (english._model, "english.model")]:
        whole = DATA.joinpath(name).read_bytes()
        for data in (b"", whole[:1000], b"something else", lzma.compress(b"alice\n")):
            monkeypatch.setattr(english, "package_data", lambda _, data=data: data)
            with raises_problems("package-file", path=f"names/data/{name}"):
                load.__wrapped__()


def test_the_dictionary_alone_needs_no_model():
    code = (
        "from sameas.names import english; english.pronounce(['Alice']);"
        "print(english._model.cache_info().currsize)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "0"
