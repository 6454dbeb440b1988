"""`sameas errors` and `sameas report` on the command line, and the plots."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

import sameas
from command_line import good, refused, run, shell
from sameas.analysis.findings import COLUMNS, KINDS
from sameas.examples import EXAMPLES, SPANISH, example_path
from sameas.notes import Note
from saying import raises, says

KEY, CAREFUL, EAGER = (example_path(name) for name in EXAMPLES)
GUESSED = str(Note("kinds-guessed", count=82, total=82))
UNKNOWN = str(Note("kinds-foreign", count=120, total=120))


def test_three_tables_and_the_signature() -> None:
    out = good("errors", KEY, EAGER)
    repairs, by, links, note, signature = out.split("\n\n")
    assert note.replace("\n  ", " ") == f"note: {GUESSED}"
    counts = list(sameas.analyse(KEY, EAGER).counts.values())
    assert [int(line.split()[2]) for line in repairs.splitlines()[4:]] == counts
    assert by.startswith("by mention") and links.startswith("links")
    assert signature.startswith("sameas:coref|")
    assert out.endswith(f"version:{sameas.__version__}\n")
    assert "82.44" in out and "100.00" in out
    assert max(map(len, out.splitlines())) <= 80


def test_the_example_is_the_eager_system() -> None:
    assert good("errors", "--example") == good("errors", KEY, EAGER)


def test_json_has_everything() -> None:
    shown = json.loads(good("errors", KEY, EAGER, "--json"))
    found = sameas.analyse(KEY, EAGER)
    assert [repair["kind"] for repair in shown["repairs"]] == list(KINDS)
    assert [repair["errors"] for repair in shown["repairs"]] == list(found.counts.values())
    assert shown["scores"]["conll"] == found.result.conll.f1
    assert shown["repairs"][-1]["in_turn"] == dict.fromkeys(found.metrics, 1.0)
    for row, error in zip(shown["errors"], found.errors, strict=True):
        assert row == {**error.as_dict(), "message": error.message, "all": row["all"]}
        assert [one["text"] for one in row["all"]] == [one.text for one in error.mentions]
    counts = found.result["muc"].counts
    assert counts is not None
    assert sum(row["missing"] for row in shown["links"]["key"]) == counts[1] - counts[0]
    assert sum(row["wrong"] for row in shown["links"]["response"]) == counts[3] - counts[2]
    assert shown["signature"] == found.result.signature


def in_csv(response: Path, *arguments: str) -> str:
    """Return the rows of errors; CSV contains no notes."""
    code, out, err = run("errors", KEY, response, *arguments, "--csv")
    note = str(*sameas.analyse(KEY, response).guesses)
    assert code == 0 and err.endswith(f": note: {note}\n") and err.count("\n") == 1
    return out


def test_csv_has_a_row_for_each_error() -> None:
    rows = list(csv.DictReader(io.StringIO(in_csv(CAREFUL))))
    found = sameas.analyse(KEY, CAREFUL)
    assert list(rows[0]) == list(COLUMNS)
    assert [row["text"] for row in rows] == [error.mentions[0].text for error in found.errors]
    links = list(csv.DictReader(io.StringIO(in_csv(CAREFUL, "--links"))))
    assert len(links) == len(found.links)


@pytest.mark.parametrize("style", ["markdown", "latex"])
def test_other_styles(style: str) -> None:
    assert "divided entities" in good("errors", KEY, EAGER, f"--{style}")
    assert "wrongly in the same entity" in good("errors", KEY, EAGER, "--list", f"--{style}")


@pytest.mark.parametrize("by", ["mention", "other", "distance", "size", "type", "head", "document"])
def test_groups(by: str) -> None:
    out = good("errors", KEY, EAGER, "--by", by)
    assert re.search(r"(?m)^all .* 11$", out)


def test_narrowing() -> None:
    out = good(
        "errors", KEY, EAGER, "--kind", "conflated,divided", "--where", "mention=pronoun", "--list"
    )
    assert [line.split()[1] for line in out.splitlines() if re.match(r"\d", line)] == ["C", "D"]
    out = good("errors", KEY, EAGER, "--kind", "missing-mention", "--list")
    assert says("no-errors", how="kind") in out
    both = ("--where", "mention=pronoun", "--where", "mention=name")
    assert in_csv(EAGER, *both) == in_csv(EAGER, "--where", "mention=name,pronoun")
    out = good("errors", KEY, EAGER, "--where", "mention=pronoun")
    assert re.search(r"if these 2 errors were repaired +now +repaired +change", out)
    after = sameas.analyse(KEY, EAGER)
    after_f1 = 100 * after.repaired(after.errors.where(mention="pronoun")).conll.f1
    assert re.search(rf"(?m)^CoNLL +82\.44 +{after_f1:.2f} ", out)
    assert good("errors", KEY, EAGER, "--kind", "WL") == good(
        "errors", KEY, EAGER, "--links", "--kind", "wrong-link"
    )
    assert "no errors" in good("errors", KEY, KEY)


def test_a_document_with_brackets() -> None:
    out = good("errors", KEY, EAGER, "--document", "worst")
    assert out == good("errors", KEY, EAGER, "--document", "story/ferry_0")
    text = " ".join(sameas.read(KEY).documents[1].tokens)
    lines = re.findall(r"(?m)^(?:\d|   ).*$", out.split("\n\n")[1])
    bare = re.sub(r"[\[‹][\dx]+[a-z]*(:[A-Z,]+)? |[\]›]", "", " ".join(line[3:] for line in lines))
    assert bare == text
    only = good("errors", KEY, EAGER, "--document", "worst", "--show", "key")
    assert "‹" not in only and "[1 Captain Osei]" in only
    only = good("errors", KEY, EAGER, "--document", "worst", "--show", "response")
    assert "[" not in only.split("\n\n")[1] and "‹1 Captain Osei›" in only


def test_colour_only_if_requested() -> None:
    arguments = ("errors", KEY, EAGER, "--document", "worst")
    plain = good(*arguments)
    coloured = good(*arguments, "--color", "always")
    assert "\x1b[" not in plain and "\x1b[38;5;" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain
    assert good(*arguments, "--color", "never") == plain


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path) -> None:
    key, response = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    words = [["\x1b[31mred", "bell\x07", "tab\there", "名字"]]
    for path, clusters in ((key, [[[0, 0], [1, 1]]]), (response, [[[0, 0], [2, 2]]])):
        path.write_text(
            json.dumps({"doc_key": "a\x1b]0;x", "sentences": words, "clusters": clusters})
        )
    for more in ([], ["--list"], ["--document", "worst", "--color", "always"]):
        out = good("errors", key, response, *more)
        assert "\x1b[31m" not in out and "\x07" not in out and "\x1b]" not in out
        assert "\t" not in out


def test_terminals_without_our_characters() -> None:
    done = shell(
        "errors", KEY, EAGER, "--document", "worst", env={"PYTHONIOENCODING": "ascii", "PATH": ""}
    )
    assert done.returncode == 0
    assert b"[1 <1 Captain Osei>]" in done.stdout


def test_zeros_heads_and_kinds_of_a_file() -> None:
    key, response = (example_path(name) for name in SPANISH)
    out = good("errors", key, response, "--match", "head", "--zeros", "dependent")
    assert "zero" in out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, says("files-missing", how="errors")),
        ([KEY], 2, says("files-missing", how="errors")),
        (["--example", KEY, EAGER], 2, says("example-files")),
        ([KEY, EAGER, "--kind", "divded"], 2, "divided"),
        ([KEY, EAGER, "--by", "mentions"], 2, "mention"),
        ([KEY, EAGER, "--where", "mention"], 2, says("where-form", condition="mention")),
        ([KEY, EAGER, "--where", "mention=pronuon"], 2, "pronoun"),
        ([KEY, EAGER, "--where", "colour=red"], 2, "colour"),
        ([KEY, EAGER, "--document", "story/fery_0"], 2, "story/ferry_0"),
        ([KEY, EAGER, "--document", "worst", "--csv"], 2, "--csv"),
        ([KEY, EAGER, "--document", "worst", "--show", "keys"], 2, "key"),
        ([KEY, EAGER, "--show", "key"], 2, "--document"),
        ([KEY, EAGER, "--color", "sometimes"], 2, "auto"),
        ([KEY, EAGER, "--scope", "topic", "--document", "worst"], 2, "--scope"),
        ([KEY, EAGER, "--links", "--kind", "conflated"], 2, says("links-kind")),
        (
            [KEY, EAGER, "--kind", "conflated,missing-link"],
            2,
            says("link-not-error", kind="missing link"),
        ),
        ([KEY, EAGER, "--metrics", "mor"], 2, says("not-repairable")),
        ([KEY, EAGER, "--plot", "figure.bmp"], 2, "a picture file"),
        ([KEY, "nowhere.conll"], 1, "nowhere.conll"),
        (["-", "-"], 2, says("one-stdin")),
    ],
)
def test_errors_refuses(arguments: list[object], code: int, message: str) -> None:
    got, err = refused("errors", *arguments)
    assert got == code
    assert message in err


def test_report_writes_a_file(tmp_path: Path) -> None:
    path = tmp_path / "out.html"
    out = good("report", KEY, f"a={CAREFUL}", EAGER, "-o", path, "--samples", "100")
    assert re.fullmatch(rf"{path}: 2 responses, 4 documents, 0\.1 MB\n", out)
    page = path.read_text(encoding="utf-8")
    data = json.loads(re.findall(r'id="data">(.*?)</script>', page)[0])
    assert data["systems"] == ["a", "eager"]
    assert data["title"] == "key.conll"
    assert "samples:100" in data["signature"]
    assert str(Path(KEY).parent) not in page  # a report can be sent to others
    for system, name in ((CAREFUL, "a"), (EAGER, "eager")):
        scores = data["scores"][data["systems"].index(name)]
        result = sameas.score(KEY, system)
        for (metric, _), (value, _, _) in zip(data["metrics"], scores, strict=True):
            assert value[0] == pytest.approx(result[metric].value, abs=1e-6)
            assert value[1] <= value[0] <= value[2]


def test_notes_are_shown_with_lists_and_documents(tmp_path: Path) -> None:
    key, response = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    words = [["a", "b", "c", "d"]]
    for path, clusters in ((key, [[[0, 0], [1, 1]]]), (response, [[[0, 0], [0, 0]], [[2, 2]]])):
        path.write_text(json.dumps({"doc_key": "a", "sentences": words, "clusters": clusters}))
    for more in ([], ["--list"], ["--document", "a"], ["--list", "--kind", "span"]):
        assert "note: 1 repeated mention in the response" in good("errors", key, response, *more)


def test_words_only_in_the_response(tmp_path: Path) -> None:
    key, response = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    texts = ([["Ann", "saw", "her"]], [["Ann", "saw", "her"], ["Then", "Bob", "left"]])
    for path, words, clusters in (
        (key, texts[0], [[[0, 0], [2, 2]]]),
        (response, texts[1], [[[0, 0], [4, 4]]]),
    ):
        path.write_text(json.dumps({"doc_key": "a", "sentences": words, "clusters": clusters}))
    _, out, _ = run("errors", key, response, "--list")
    assert re.search(r"X +2 +“Bob”: not a mention in the key", out)


def test_report_to_standard_output() -> None:
    out = good("report", KEY, EAGER, "-o", "-")
    assert out.startswith("<!doctype html>") and out.rstrip().endswith("</html>")


def test_crossing_mentions_close_by_number(tmp_path: Path) -> None:
    key, response = tmp_path / "key.jsonl", tmp_path / "response.jsonl"
    words = [["a", "b", "c", "d"]]
    for path, clusters in ((key, [[[0, 1]], [[3, 3]]]), (response, [[[0, 0], [1, 2]]])):
        path.write_text(json.dumps({"doc_key": "a", "sentences": words, "clusters": clusters}))
    out = good("errors", key, response, "--document", "a")
    assert out.splitlines()[2] == "1  [1:ME ‹x1:XE a› ‹x1:XE b]1 c› [2:ME d]"


def test_the_same_report_is_the_same_file(tmp_path: Path) -> None:
    pages = []
    for name in ("one.html", "two.html"):
        good("report", KEY, CAREFUL, EAGER, "-o", tmp_path / name)
        pages.append((tmp_path / name).read_bytes())
    assert pages[0] == pages[1]


def test_report_of_the_example(tmp_path: Path) -> None:
    out = good("report", "--example", "-o", tmp_path / "r.html", "--title", "A & <B>")
    assert "2 responses" in out
    assert "<title>A &amp; &lt;B&gt; – sameas report</title>" in (tmp_path / "r.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, says("files-missing", how="report")),
        ([KEY], 2, says("files-missing", how="report")),
        (["--example", KEY], 2, says("example-files")),
        ([KEY, EAGER, EAGER], 2, says("named-alike", name="eager", first=EAGER, path=EAGER)),
        ([KEY, EAGER, "--scope", "corpus"], 2, "--scope"),
        ([KEY, EAGER, "-o", "/nowhere/at/all.html"], 1, says("cannot-write", reason="")),
        ([KEY, EAGER, "-o", KEY], 2, says("overwritten", output=KEY)),
        ([KEY, EAGER, "-o", EAGER], 2, says("overwritten", output=EAGER)),
        ([KEY, EAGER, "-o", "report.pdf"], 2, says("report-name")),
        ([KEY, "nowhere.conll"], 1, "nowhere.conll"),
        ([KEY, EAGER, "--json"], 2, "--json"),
    ],
)
def test_report_refuses(arguments: list[object], code: int, message: str) -> None:
    got, err = refused("report", *arguments)
    assert got == code
    assert message in err


@pytest.mark.parametrize(
    "ending", ["svg", *(pytest.param(one, marks=pytest.mark.long) for one in ("png", "pdf"))]
)
def test_pictures(tmp_path: Path, ending: str) -> None:
    starts = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    for number, arguments in enumerate(
        (
            ("errors", KEY, EAGER),
            ("compare", KEY, CAREFUL, EAGER, "--samples", "100"),
            ("score", KEY, CAREFUL, EAGER),
            ("score", KEY, EAGER, "--by", "genre"),
            ("errors", KEY, KEY),
        )
    ):
        path = tmp_path / f"{number}.{ending}"
        good(*arguments, "--plot", path)
        assert path.read_bytes().startswith(starts[ending])
        again = tmp_path / f"{number}-again.{ending}"
        good(*arguments, "--plot", again)
        assert again.read_bytes() == path.read_bytes()


def test_the_report_from_python(tmp_path: Path) -> None:
    report = sameas.report(KEY, EAGER)
    assert report.systems == ["eager"]
    report.save(tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == report.html
    assert report._repr_html_().startswith("<iframe srcdoc=")
    clusters = sameas.report([["a", "b"], ["c"]], {"x": [["a", "b", "c"]], "y": [["a"], ["b"]]})
    assert clusters.documents == 1
    assert repr(clusters) == "<Report of x, y: 1 document>"
    with raises("several-responses"):
        sameas.report(KEY, [str(CAREFUL), str(EAGER)])


# --- kinds of mentions ----------------------------------------------------------------------------


def written(path: str, sentence: str, **more: object) -> Path:
    """Write a sentence twenty times, with its first, fourth and sixth words as three entities."""
    words = sentence.split()
    starts = [number * len(words) for number in range(20)]
    clusters = [[[start + place, start + place] for start in starts] for place in (0, 3, 5)]
    line = {"doc_key": "d", "sentences": [words] * 20, "clusters": clusters, **more}
    Path(path).write_text(json.dumps(line) + "\n")
    return Path(path)


GERMAN = "Er sah den Hund , als Anna schlief ."
HEBREW = "הוא ראה את הכלב , כאשר אנה ישנה ."


@pytest.mark.parametrize("sentence", [GERMAN, HEBREW])
def test_kinds_in_another_language_are_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = written("other.jsonl", sentence)
    out = good("errors", path, path)
    assert f"note: {UNKNOWN}" in out.replace("\n  ", " ")
    assert "unknown → unknown" in out and "nominal" not in out
    assert json.loads(good("errors", path, path, "--json"))["notes"] == [UNKNOWN]
    assert UNKNOWN in sameas.report(path, path).html.replace("\\u003c", "<")
    found = sameas.analyse(path, path)
    assert set(found.key.kinds) == {"unknown"}
    # --where mention=pronoun would find nothing.
    for more in (["--list"], ["--document", "d"]):
        out = good("errors", path, path, *more, "--where", "mention=pronoun")
        assert "the kind is unknown" in out.replace("\n  ", " ")
    # The annotation of the file applies in any language.
    kinds = [[kind] * 20 for kind in ("pronoun", "nominal", "name")]
    path = written("kinds.jsonl", sentence, kinds=kinds)
    out = good("errors", path, path)
    assert "guessed" not in out and "pronoun → pronoun" in out


def test_kinds_in_conllu_are_known_in_any_language() -> None:
    key, response = (example_path(name) for name in SPANISH)
    out = good("errors", key, response)
    assert "guessed" not in out and "unknown" not in out and "pronoun" in out
