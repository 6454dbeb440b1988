"""`sameas verify` on the command line: the worst pairs of a list, and error rates."""

from __future__ import annotations

import csv
import io
import json
import random
import shutil
import unicodedata
import warnings
import xml.etree.ElementTree
from pathlib import Path

import pytest

from command_line import columns, good, refused, run, shell, write
from fuzz_cone import outcome
from fuzz_names import SCRIPTS, SIGNS, STRANGE, limit
from fuzz_readers import _damage
from sameas.names.datasets import dataset
from sameas.names.letters import read_as_note
from sameas.names.transliterator import Transliterator
from saying import says

RUSSIAN = dataset("sample:ru").pairs
FALSE = [(RUSSIAN[place][0], RUSSIAN[place + 30][1]) for place in range(20)]
LISTED = "".join(f"{source}\t{target}\n" for source, target in [*RUSSIAN[:20], *FALSE[:3]])
LABELLED = "".join(
    [f"{source}\t{target}\t1\n" for source, target in RUSSIAN[:20]]
    + [f"{source}\t{target}\t0\n" for source, target in FALSE]
)
KINDS = "".join(
    [
        f"{source}\t{target}\t1\t{'web' if len(source) % 2 else 'book'}\n"
        for source, target in RUSSIAN
    ]
    + [
        f"{source}\t{target}\t0\t{'made' if len(source) % 2 else 'web'}\n"
        for source, target in FALSE
    ]
)
LITTLE = says("little-learned", count=75)
NO_LABELS = says("needs-labels", option="false-alarm")
SCORES = ("score1", "score2", "score3", "learned")
COLUMNS = [
    *("line", "source", "target", "probability", "score1", "score2", "score3"),
    *("wrong", "against"),
]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    Transliterator.fit(RUSSIAN, "bigram").save(folder / "names.model")
    Transliterator.fit(RUSSIAN, "bigram", verifier=False).save(folder / "without.model")
    return folder


@pytest.fixture(autouse=True)
def here(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write("pairs.tsv", LISTED)
    write("labelled.tsv", LABELLED)
    write("kinds.tsv", KINDS)
    Path("folder").mkdir()
    for path in models.iterdir():
        shutil.copy(path, path.name)
    return tmp_path


def verify(*arguments: object) -> tuple[str, str]:
    """Return the output and the messages."""
    code, out, err = run("verify", *arguments, "--model", "names.model")
    assert code == 0, err
    assert "Traceback" not in err
    return out, err


def no(*arguments: object) -> str:
    code, err = refused("verify", *arguments)
    assert code == 2, err
    return err


def bad(*arguments: object) -> str:
    code, err = refused("verify", *arguments)
    assert code == 1, err
    return err


@pytest.mark.long
def test_help() -> None:
    out = good("verify", "--help-all")
    assert "usage: sameas verify " in out
    for option in ("--model", "--top", "--prior", "--labels", "--det", "--false-alarm"):
        assert f"  {option} " in out


# --- a list -------------------------------------------------------------------------------------


def test_the_worst_come_first() -> None:
    out, err = verify("pairs.tsv")
    assert err == ""
    assert columns(out) <= 80
    title, header, _, *rest = out.splitlines()
    assert title == says(
        "likely-false", how="worst", count=int(title.split()[0]), total=23, worst=20
    )
    assert header.split() == ["line", "name", "target", "%", *["evidence", "against", "it"]]
    lines = [int(line.split()[0]) for line in rest[:20]]
    assert {21, 22, 23} <= set(lines[:6])
    assert "sameas:verify|prior:0.5|learned:75|seed:1|sounds:none|pairs:23|version:" in out.replace(
        "\n  ", ""
    )


@pytest.mark.parametrize("top", [0, 1, 5, 1000])
def test_the_number_of_targets(top: int) -> None:
    out, _ = verify("pairs.tsv", "--top", top)
    told = [line for line in out.splitlines() if line.strip()[:1].isdigit()]
    assert len(told) - 1 == min(top, 23) or (top == 0 and len(told) <= 1)
    assert "of 23 pairs" in out


def test_json_has_all_pairs() -> None:
    shown = json.loads(verify("pairs.tsv", "--json")[0])
    assert len(shown["pairs"]) == 23
    assert [list(one) for one in shown["pairs"]] == [COLUMNS] * 23
    chances = [one["probability"] for one in shown["pairs"]]
    assert chances == sorted(chances)
    assert all(0 <= chance <= 1 for chance in chances)
    assert sorted(one["line"] for one in shown["pairs"]) == list(range(1, 24))
    for one in shown["pairs"]:
        assert bool(one["against"]) == (one["probability"] < 0.5)
    assert LITTLE in shown["notes"]


def test_csv_has_all_pairs() -> None:
    out, err = verify("pairs.tsv", "--csv")
    header, *rest = csv.reader(io.StringIO(out))
    assert header == COLUMNS
    assert len(rest) == 23
    assert err.startswith(f"note: {LITTLE}\n")


@pytest.mark.parametrize("style", ["--markdown", "--latex"])
def test_tables_for_pages_and_papers(style: str) -> None:
    out, _ = verify("pairs.tsv", style, "--top", 3)
    assert "evidence against it" in out


def test_all_pairs_are_written() -> None:
    verify("pairs.tsv", "-o", "all.tsv", "--top", 1)
    header, *rest = [line.split("\t") for line in Path("all.tsv").read_text().splitlines()]
    assert header == COLUMNS
    assert len(rest) == 23
    assert {len(row) for row in rest} == {len(COLUMNS)}
    shown = json.loads(verify("pairs.tsv", "--json")[0])["pairs"]
    assert [int(row[0]) for row in rest] == [one["line"] for one in shown]
    assert [float(row[3]) for row in rest] == pytest.approx(
        [one["probability"] for one in shown], rel=1e-4
    )


def test_the_wrong_word_is_named() -> None:
    write(
        "pairs.tsv",
        "Anna Boris\tАнна Борис\nBoris, Anna\tАнна Борис\nAnna Boris\tАнна Катя\nAnna\tБорис\n",
    )
    out, _ = verify("pairs.tsv")
    assert says("likely-false", how="worst", count=2, total=4, worst=4) in out
    assert [line for line in out.splitlines() if "Boris ≠ Катя" in line]
    shown = {one["line"]: one for one in json.loads(verify("pairs.tsv", "--json")[0])["pairs"]}
    (wrong,) = shown[3]["wrong"]
    assert (wrong["source"], wrong["target"]) == ("Boris", "Катя")
    assert wrong["probability"] < 0.5
    assert shown[3]["against"].startswith("Boris ≠ Катя: ")
    assert shown[1]["wrong"] == shown[2]["wrong"] == shown[4]["wrong"] == []
    assert min(shown[1]["probability"], shown[2]["probability"]) > 0.5
    rows = {row[0]: row for row in csv.reader(io.StringIO(verify("pairs.tsv", "--csv")[0]))}
    assert rows["3"][COLUMNS.index("wrong")] == "Boris/Катя"
    assert rows["1"][COLUMNS.index("wrong")] == ""


@pytest.mark.long
def test_a_list_in_traditional_characters() -> None:
    Transliterator.fit(dataset("sample:zh").pairs, "bigram").save("names.model")
    write("pairs.tsv", "Maria\t瑪麗亞\nPeter\t彼得\n")
    shown = json.loads(verify("pairs.tsv", "--json")[0])
    assert all(one["probability"] > 0.5 for one in shown["pairs"])
    assert "|chinese:converted|" in shown["signature"]
    assert str(read_as_note([("亞", "亚"), ("瑪", "玛"), ("麗", "丽")])) in shown["notes"]
    write("pairs.tsv", "Maria\t瑪麗亞\nMari\t麻里亜\nRei\t沢\n")
    shown = json.loads(verify("pairs.tsv", "--json")[0])
    assert all(one["probability"] < 0.5 for one in shown["pairs"])
    assert "chinese" not in shown["signature"]
    assert says("other-chinese", how="kept", count=1) in shown["notes"]


def test_removed_and_replaced_letters_are_noted() -> None:
    write("pairs.tsv", "An\u200ena\tАнна\nBøris\tБорис\n")
    notes = json.loads(verify("pairs.tsv", "--json")[0])["notes"]
    assert says("layout-removed", count=1, within=1, signs="U+200E") in notes
    assert str(read_as_note([("ø", "o")])) in notes
    write("pairs.tsv", "Anna\tАнна\n\u200b\tБорис\n")
    assert "pairs.tsv:2:1: " in bad("pairs.tsv", "--model", "names.model")


def test_a_prior_moves_all_probabilities() -> None:
    lists = [
        {
            one["line"]: one["probability"]
            for one in json.loads(verify("pairs.tsv", "--json", "--prior", prior)[0])["pairs"]
        }
        for prior in (0.1, 0.5, 0.9)
    ]
    for line in lists[0]:
        low, middle, high = (one[line] for one in lists)
        assert low <= middle <= high
    assert lists[0] != lists[1] != lists[2]
    assert "|prior:0.9|" in verify("pairs.tsv", "--prior", 0.9)[0]


def test_digits() -> None:
    assert verify("pairs.tsv", "--digits", 4)[0] != verify("pairs.tsv")[0]


@pytest.mark.long
def test_standard_input() -> None:
    found = shell("verify", "-", "--model", "names.model", stdin=LISTED.encode())
    assert (found.returncode, found.stdout.decode()) == (0, verify("pairs.tsv")[0])
    found = shell("verify", "-", "--model", "names.model", stdin=b"bob\n")
    assert found.returncode == 1
    assert found.stderr.decode().startswith("<stdin>:1:1: ")


@pytest.mark.parametrize("change", ["mark", "ends"])
def test_byte_order_marks_and_line_ends(change: str) -> None:
    wanted = verify("pairs.tsv")
    write("pairs.tsv", "\ufeff" + LISTED if change == "mark" else LISTED.replace("\n", "\r\n"))
    assert verify("pairs.tsv") == wanted


def test_bad_lines() -> None:
    write("bad.tsv", "# pairs\nanna\nanna\t\n" + LISTED)
    err = bad("bad.tsv", "--model", "names.model")
    assert err.startswith("bad.tsv:2:1: ")
    assert "bad.tsv:3:6: " in err
    assert "--skip-bad" in err
    out, err = verify("bad.tsv", "--skip-bad")
    assert "bad.tsv:2:1: " in err
    assert f"note: {says('bad-lines', count=2)}" in out
    # Line numbers are those of the file.
    shown = json.loads(verify("bad.tsv", "--skip-bad", "--json")[0])
    assert sorted(one["line"] for one in shown["pairs"]) == list(range(4, 27))


@pytest.mark.long
@pytest.mark.parametrize(
    "pairs",
    [
        "anna\tanna\n",
        "123\t456\n",
        "½\t½\n",
        "a\tа\n",
        "安娜\tанна\n",
        "anna\tأنا\n",
        "a😀b\tа😀б\n",
        "a" * 255 + "\t" + "а" * 255 + "\n",
        "x" * 255 + "\tа\n",
        "a\t" + "щ" * 255 + "\n",
        "कृष्ण\tкришна\n",
    ],
)
def test_pairs_of_any_kind(pairs: str) -> None:
    write("odd.tsv", pairs)
    out, _ = verify("odd.tsv")
    assert columns(out) <= 80
    (pair,) = json.loads(verify("odd.tsv", "--json")[0])["pairs"]
    assert 0 <= pair["probability"] <= 1


@pytest.mark.parametrize("letters", [256, 1000, 1001])
def test_long_names(letters: int) -> None:
    """They are verified, or reported with their line like other bad lines."""
    write("long.tsv", LISTED + "a" * letters + "\tа\n")
    code, out, err = run("verify", "long.tsv", "--model", "names.model")
    if code:
        assert (code, out) == (1, "")
        assert err.startswith("long.tsv:24:1: ")
    code, out, _ = run("verify", "long.tsv", "--model", "names.model", "--skip-bad")
    assert code == 0
    assert columns(out) <= 80


@pytest.mark.long
def test_notes_on_the_training_names_are_not_repeated_for_the_list() -> None:
    write(
        "learned.tsv", "".join(f"{one}\t{two}\n" for one, two in [*RUSSIAN, RUSSIAN[0]]) + "bob\n"
    )
    train = ("transliterate", "train", "learned.tsv", "--skip-bad", "--model", "bigram")
    code, out, _ = run(*train, "-o", "bad.model")
    assert code == 0
    assert says("bad-lines", count=1) in out
    code, out, _ = run("verify", "pairs.tsv", "--model", "bad.model", "--json")
    assert code == 0
    assert json.loads(out)["notes"] == [LITTLE, says("what-passes")]


# --- labels -------------------------------------------------------------------------------------


def test_equal_error_rates() -> None:
    out, err = verify("labelled.tsv", "--labels")
    assert err == ""
    assert columns(out) <= 80
    assert out.startswith("equal error rates, %\n")
    assert all(score in out.splitlines()[1] for score in SCORES)
    shown = json.loads(verify("labelled.tsv", "--labels", "--json")[0])
    assert [one["score"] for one in shown["rates"]] == list(SCORES)
    for one in shown["rates"]:
        assert (one["genuine"], one["false"]) == ("all", "all")
        assert (one["genuine_pairs"], one["false_pairs"]) == (20, 20)
        assert 0 <= one["eer"] < 0.5


@pytest.mark.long
def test_kinds_of_pairs() -> None:
    out, _ = verify("kinds.tsv", "--labels")
    assert columns(out) <= 80
    rates = json.loads(verify("kinds.tsv", "--labels", "--json")[0])["rates"]
    told = list(dict.fromkeys((one["genuine"], one["false"]) for one in rates))
    assert told[0] == ("all", "all")
    assert len(told) == 9
    assert len(rates) == 9 * len(SCORES)
    whole = next(one for one in rates if one["genuine"] == one["false"] == "all")
    assert (whole["genuine_pairs"], whole["false_pairs"]) == (75, 20)


@pytest.mark.parametrize("file", ["labelled.tsv", "kinds.tsv"])
def test_thresholds_and_intervals(file: str) -> None:
    out, _ = verify(file, "--labels", "--false-alarm", 0.1, "--interval")
    assert columns(out) <= 80
    assert "thresholds that accept at most 10.00% of false pairs" in out
    rates = json.loads(verify(file, "--labels", "--false-alarm", 0.1, "--interval", "--json")[0])[
        "rates"
    ]
    for one in rates:
        assert one["eer_low"] <= one["eer"] + 1e-9
        assert one["eer"] <= one["eer_high"] + 1e-9
        assert one["false_alarm"] <= 0.1 + 1e-9
        assert 0 <= one["miss"] <= 1


@pytest.mark.parametrize("share", [0, 0.05, 0.1, 0.3, 0.5])
def test_printed_thresholds_give_the_printed_rates(share: float) -> None:
    """Checked on the pairs as written to a file."""
    out, _ = verify("labelled.tsv", "--labels", "--false-alarm", share, "-o", "all.tsv")
    lines = Path("all.tsv").read_text().splitlines()
    written = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    shown = [line.split() for line in out.splitlines() if "≥" in line or "≤" in line]
    assert [row[1] for row in shown if row[2] == "≥"] == ["learned"]
    for _, score, sign, threshold, *rates in shown:
        column = "probability" if score == "learned" else score
        rejected, accepted = [], []
        for one in written:
            value = float(one[column])
            passes = value >= float(threshold) if sign == "≥" else value <= float(threshold)
            (accepted if passes else rejected).append(int(one["genuine"]))
        counts = (rejected.count(1), accepted.count(0))
        assert [f"{100 * count / 20:.2f}" for count in counts] == rates


def test_few_false_pairs_are_noted() -> None:
    write("many.tsv", LABELLED + LABELLED * 4)
    for file, percent, told in (
        ("labelled.tsv", 1, {"how": "none"}),
        ("labelled.tsv", 15, {"allowed": 3}),
        ("many.tsv", 1, None),
    ):
        out = verify(file, "--labels", "--false-alarm", percent / 100, "--json")[0]
        last = [says("few-false", count=20, percent=percent, **told)] if told else []
        assert json.loads(out)["notes"][-1 - len(last) :] == [says("labelled-kinds"), *last]


@pytest.mark.parametrize("share", [0, 1])
def test_thresholds_at_the_ends(share: int) -> None:
    out, _ = verify("labelled.tsv", "--labels", "--false-alarm", share)
    assert columns(out) <= 80
    json.loads(
        verify("labelled.tsv", "--labels", "--false-alarm", share, "--json")[0],
        parse_constant=lambda name: pytest.fail(name),
    )


def test_rates_as_csv() -> None:
    out, err = verify("kinds.tsv", "--labels", "--csv", "--false-alarm", 0.1)
    lengths = {len(row) for row in csv.reader(io.StringIO(out))}
    assert len(lengths) == 1
    assert err.startswith("note: ")


@pytest.mark.parametrize("style", ["--markdown", "--latex"])
def test_rates_for_pages_and_papers(style: str) -> None:
    out = verify("kinds.tsv", "--labels", "--false-alarm", 0.1, style)[0]
    assert "learned" in out
    assert (r"$\geq$ 0." in out) == (style == "--latex")


def test_pairs_with_labels_are_written_too() -> None:
    verify("labelled.tsv", "--labels", "-o", "all.tsv")
    assert len(Path("all.tsv").read_text().splitlines()) == 41


@pytest.mark.long
@pytest.mark.parametrize("file", ["labelled.tsv", "kinds.tsv"])
@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_curves_are_drawn(file: str, kind: str) -> None:
    pytest.importorskip("matplotlib")
    verify(file, "--labels", "--det", f"det.{kind}")
    drawn = Path(f"det.{kind}").read_bytes()
    begins = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    assert drawn.startswith(begins[kind])
    if kind == "svg":
        xml.etree.ElementTree.fromstring(drawn)


def test_bad_labels() -> None:
    write("bad.tsv", LABELLED + "anna\tанна\tyes\nanna\tанна\n")
    err = bad("bad.tsv", "--labels", "--model", "names.model")
    assert err.startswith(f"bad.tsv:41:11: {says('unknown-label', label='yes')}\n")
    assert f"bad.tsv:42:10: {says('no-label')}" in err
    out, _ = verify("bad.tsv", "--labels", "--skip-bad")
    assert says("bad-lines", count=2) in out


@pytest.mark.parametrize(("label", "missing"), [(1, "false"), (0, "genuine")])
def test_one_label_alone(label: int, missing: str) -> None:
    write("one.tsv", f"anna\tанна\t{label}\n")
    err = bad("one.tsv", "--labels", "--model", "names.model")
    assert f"one.tsv: {says('one-kind', count=1, kind=missing)}" in err


# --- errors -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), says("no-list-given")),
        (("pairs.tsv",), says("no-model-given", how="verify")),
        (("", "--model", "names.model"), says("option-empty", option="PAIRS")),
        (("pairs.tsv", "--model", ""), says("option-empty", option="--model")),
        (
            ("pairs.tsv", "--model", "names.model", "-o", ""),
            says("option-empty", option="--output"),
        ),
        (("pairs.tsv", "--model", "names.model", "-o", "-"), says("output-with-table")),
        (
            ("nosuch.tsv", "--model", "nosuch.model", "-o", "v.json", "--json"),
            says("tab-separated", path="v.json"),
        ),
        (("pairs.tsv", "--model", "names.model", "-o", "pairs.tsv"), "pairs.tsv is also an input"),
        (
            ("pairs.tsv", "--model", "names.model", "-o", "names.model"),
            "names.model is also an input",
        ),
        (("pairs.tsv", "--model", "names.model", "--top", -1), "--top"),
        (
            ("pairs.tsv", "--model", "names.model", "--prior", 0),
            says("not-a-number", how="below", name="prior", most=1, value=0.0),
        ),
        (
            ("pairs.tsv", "--model", "names.model", "--prior", 1),
            says("not-a-number", how="share", name="prior", value=1.0),
        ),
        (("pairs.tsv", "--model", "names.model", "--prior", 2), "2 is not a number from 0 to 1"),
        (("pairs.tsv", "--model", "names.model", "--prior", "x"), "x is not a number from 0 to 1"),
        (
            ("pairs.tsv", "--model", "names.model", "--det", "x.svg"),
            says("needs-labels", option="det"),
        ),
        (("pairs.tsv", "--model", "names.model", "--false-alarm", 0.1), NO_LABELS),
        (("pairs.tsv", "--model", "names.model", "--false-alarm", 0), NO_LABELS),
        (
            ("pairs.tsv", "--model", "names.model", "--interval"),
            says("needs-labels", option="interval"),
        ),
        (("labelled.tsv", "--model", "names.model", "--labels", "--top", 3), says("top-labels")),
        (("labelled.tsv", "--model", "names.model", "--labels", "--det", "x.doc"), "x.doc"),
        (
            ("labelled.tsv", "--model", "names.model", "--labels", "--det", ""),
            says("option-empty", option="--det"),
        ),
        (
            ("labelled.svg", "--model", "names.model", "--labels", "--det", "labelled.svg"),
            "is also an input",
        ),
        (
            ("labelled.tsv", "--model", "names.model", "--labels", "--det", "x.svg", "-o", "x.svg"),
            says("written-twice", path="x.svg"),
        ),
        (("pairs.tsv", "--model", "names.model", "--nothing"), "--nothing"),
    ],
)
def test_wrong_usage(arguments: tuple[object, ...], told: str) -> None:
    write("labelled.svg", LABELLED)
    assert told in no(*arguments)
    assert Path("labelled.svg").read_text() == LABELLED


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nothing", "--model", "names.model"), "nothing: "),
        (("folder", "--model", "names.model"), "folder: "),
        (("a\x00b", "--model", "names.model"), "a\\x00b: "),
        (("empty", "--model", "names.model"), "empty: "),
        (("pairs.tsv", "--model", "nothing"), "nothing: "),
        (("pairs.tsv", "--model", "folder"), "folder: "),
        (("pairs.tsv", "--model", "pairs.tsv"), f"pairs.tsv: {says('not-a-model')}"),
        (("pairs.tsv", "--model", "a\x00b"), "a\\x00b: "),
        (("pairs.tsv", "--model", "without.model"), says("cannot-verify")),
        (("pairs.tsv", "--model", "names.model", "-o", "folder"), "folder: "),
        (("pairs.tsv", "--model", "names.model", "-o", "no/where"), "no/where: "),
        (("pairs.tsv", "--model", "names.model", "-o", "a\x00b"), "a\\x00b: "),
    ],
)
def test_wrong_input(arguments: tuple[object, ...], told: str) -> None:
    write("empty", "")
    assert told in bad(*arguments)


def test_a_path_that_cannot_be_written() -> None:
    pytest.importorskip("matplotlib")
    code, _, err = run(
        "verify", "labelled.tsv", "--model", "names.model", "--labels", "--det", "no/where.svg"
    )
    assert code in (1, 2)
    assert "no/where.svg" in err
    assert "Traceback" not in err


# --- random commands ----------------------------------------------------------------------------

VALUES: dict[str, list[str]] = {
    "--top": ["0", "1", "50", "x"],
    "--prior": ["0.01", "0.9", "1"],
    "--false-alarm": ["0", "0.1", "1", "2"],
    "--digits": ["0", "5", "x"],
}
SWITCHES = ["--labels", "--labels", "--interval", "--skip-bad", "--skip-bad", "--json", "--csv"]
SWITCHES += ["--markdown", "--latex"]


def random_file(generator: random.Random) -> bytes:
    lines = []
    strange = generator.choice([[], [], SIGNS, STRANGE])
    for _ in range(generator.choice([1, 3, 30])):
        parts = []
        for script in generator.choices(["Latin", "Cyrillic", *SCRIPTS], [9, 9, *[1] * 13], k=2):
            signs = SCRIPTS[script] * 4 + strange
            parts.append("".join(generator.choices(signs, k=generator.choice([1, 5, 9, 60]))))
        parts += generator.choice([[], ["1"], ["0"], ["1", "all"], ["0", "x"], ["2"]])
        lines.append("\t".join(parts))
    text = generator.choice([LISTED, LABELLED, KINDS, "\n".join(lines) + "\n"])
    content = text.encode(errors="surrogatepass")
    while generator.random() < 0.3:
        content = _damage(generator, content)
    return content


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_random_commands(seed: int) -> None:
    """Random commands on random files succeed, or fail with a message."""
    generator = random.Random(seed)
    ends = {0: 0, 1: 0, 2: 0}
    for _ in range(30):
        write("random.tsv", random_file(generator))
        write("broken.model", _damage(generator, Path("names.model").read_bytes()))
        file = generator.choice(["random.tsv"] * 6 + ["kinds.tsv", "-", "folder", "nothing"])
        model = generator.choice(["names.model"] * 8 + ["broken.model", "without.model"])
        arguments = ["verify", file, "--model", model]
        for option in generator.sample([*VALUES, *SWITCHES], generator.choice([0, 1, 2, 4])):
            arguments += (
                [option, generator.choice(VALUES[option])] if option in VALUES else [option]
            )
        if generator.random() < 0.2:
            arguments += ["-o", "all.tsv"]
        with warnings.catch_warnings(), limit(60):
            warnings.simplefilter("error")
            code, out, err = outcome(arguments, stdin=LISTED.encode())
        said = f"{arguments}\n{out[-800:]}\n{err[-1500:]}"
        assert code in ends, said
        ends[code] += 1
        assert "Traceback" not in out + err, said
        signs = {sign for sign in err if unicodedata.category(sign) in ("Cc", "Zl", "Zp")}
        assert signs <= {"\n"}, said
        assert code == 0 or err.strip(), said
        if code:
            continue
        if "--json" in arguments and not {"--csv", "--markdown", "--latex"} & set(arguments):
            json.loads(out, parse_constant=lambda name: pytest.fail(name))
        elif "--csv" in arguments and not {"--json", "--markdown", "--latex"} & set(arguments):
            assert len({len(row) for row in csv.reader(io.StringIO(out, newline=""))}) == 1, said
        elif not {"--markdown", "--latex", "--json", "--csv"} & set(arguments):
            assert columns(out) <= 80, said
            shown = {sign for sign in out if unicodedata.category(sign) in ("Cc", "Zl", "Zp")}
            assert shown <= {"\n"}, said
    assert ends[0]
