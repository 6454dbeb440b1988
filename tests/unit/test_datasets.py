"""Folders of data sets: pairing, missing data sets, and means; and presets."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from math import isclose
from pathlib import Path

import pytest

import sameas
from command_line import good, run
from sameas.errors import unknown
from sameas.examples import example_path
from sameas.notes import Note
from sameas.run.datasets import DatasetScores, pair_datasets, score_datasets
from sameas.settings import PRESETS, Settings, Signature, choices
from saying import has, raises, raises_problems, says

CHOICES = choices(Settings)

METRICS = ["muc", "b3", "ceafe", "conll"]
Clusters = Sequence[Sequence[str]]


def write(path: Path, name: str, clusters: Clusters) -> Path:
    """Write a file of one document, in which mentions are words."""
    path.parent.mkdir(parents=True, exist_ok=True)
    words = [f"w{number}" for number in range(10)]
    spans = [[[words.index(mention)] * 2 for mention in cluster] for cluster in clusters]
    row = {"doc_key": name, "sentences": [words], "clusters": spans}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return path


ONE = [["w0", "w1", "w2"], ["w3", "w4"]]
OTHER = [["w0", "w1"], ["w2", "w3", "w4"]]
LITTLE = [["w0", "w1"]]


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Write two data sets on each side; the response to the first is correct."""
    key, response = tmp_path / "key", tmp_path / "response"
    for name, found in (("cs", ONE), ("en", OTHER)):
        write(key / f"{name}.jsonl", "d", ONE)
        write(response / f"{name}.jsonl", "d", found)
    return key, response


def names(folder: Path, *entries: str) -> str:
    for entry in entries:
        path = folder / entry
        if entry.endswith("/"):
            path.mkdir(parents=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
    return str(folder)


# --- pairing --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs", "wanted"),
    [
        (["a.x", "b.x"], ["b.x", "a.y"], {"a": "a.y", "b": "b.x"}),
        (["a-corefud-dev.x"], ["a.x"], {"a-corefud-dev": "a.x"}),
        (["a.x"], ["a-corefud-dev.x"], {"a": "a-corefud-dev.x"}),
        (["a-dev.x"], ["a-test.x"], {"a-dev": "a-test.x"}),
        (["a-dev.x", "a-test.x"], ["a.x"], {"a-dev": None, "a-test": None}),
        (["a.x"], ["a-dev.x", "a-test.x"], {"a": None}),
        (["a-dev.x", "a-test.x"], ["a-dev.x"], {"a-dev": "a-dev.x", "a-test": None}),
        (["a-dev.x"], ["a-dev.x", "a-test.x"], {"a-dev": "a-dev.x"}),
        (["a.x", "b.x"], ["b.x"], {"a": None, "b": "b.x"}),
        (["a.x"], ["a.x", "z.x"], {"a": "a.x"}),
        (["a.x.gz"], ["a/"], {"a": "a"}),
        (["a/", ".hidden"], ["a/", ".hidden"], {"a": "a"}),
        (["ab.x"], ["a.x"], {"ab": None}),
    ],
)
def test_which_data_sets_belong_together(
    tmp_path: Path, ours: list[str], theirs: list[str], wanted: dict[str, str | None]
) -> None:
    key, response = names(tmp_path / "k", *ours), names(tmp_path / "r", *theirs)
    pairs = pair_datasets(key, response)
    found = {name: path and Path(path).name for name, (ours_, path) in pairs.items() if ours_}
    assert found == wanted
    assert list(found) == sorted(found)
    extra = {path for ours_, path in pairs.values() if ours_ is None}
    seen = {path for ours_, path in pairs.values() if ours_ is not None}
    every = {str(p) for p in Path(response).iterdir() if not p.name.startswith(".")}
    assert extra | (seen - {None}) == every and not extra & seen
    for name, (path, _) in pairs.items():
        if path is None:
            continue
        assert Path(path).parent == Path(key) and Path(path).name.split(".")[0] == name


def test_folders_that_have_no_data_sets(tmp_path: Path) -> None:
    some = names(tmp_path / "some", "a.x")
    nothing = names(tmp_path / "nothing", ".git/")
    for sides in ((some, nothing), (nothing, some)):
        with raises_problems("no-sets"):
            pair_datasets(*sides)
    with raises("sets-not-folder", folder=some + "/a.x"):
        pair_datasets(some, some + "/a.x")
    with raises("sets-not-folder"):
        pair_datasets(str(tmp_path / "absent"), some)
    twice = names(tmp_path / "twice", "a.x", "a.y")
    with raises_problems("set-twice", dataset="a"):
        pair_datasets(twice, some)


# --- scores ---------------------------------------------------------------------------------------


def means(scores: DatasetScores, metric: str) -> tuple[float, ...]:
    found = [result[metric] for result in scores.results.values()]
    columns = zip(*((s.recall or 0, s.precision or 0, s.value) for s in found), strict=True)
    return tuple(sum(column) / len(found) for column in columns)


def test_each_data_set_is_scored_separately(folders: tuple[Path, Path]) -> None:
    scores = score_datasets(*folders, metrics=METRICS)
    assert list(scores.results) == ["cs", "en"]
    for name, result in scores.results.items():
        alone = sameas.score(*(folder / f"{name}.jsonl" for folder in folders), metrics=METRICS)
        assert result == alone
    for metric in METRICS:
        score = scores[metric]
        found = (score.recall or 0, score.precision or 0, score.value)
        assert all(map(isclose, found, means(scores, metric)))
    assert scores["conll"].recall is None
    assert scores["muc"].f1 == (1 + sameas.score(ONE, OTHER)["muc"].f1) / 2
    assert tuple(scores.metrics) == tuple(METRICS)
    assert scores.notes == []


def test_folders_are_data_sets_too(tmp_path: Path, folders: tuple[Path, Path]) -> None:
    key, response = folders
    for number, found in enumerate((ONE, LITTLE)):
        write(key / "pl" / f"{number}.jsonl", f"d{number}", ONE)
        write(response / "pl" / f"{number}.jsonl", f"d{number}", found)
    scores = score_datasets(key, response, metrics=METRICS)
    assert list(scores.results) == ["cs", "en", "pl"]
    assert len(scores.results["pl"]) == 2
    assert scores.results["pl"] == sameas.score(key / "pl", response / "pl", metrics=METRICS)


def test_settings_and_metrics(folders: tuple[Path, Path]) -> None:
    settings = {"singletons": "drop", "average": "macro", "scope": "corpus"}
    scores = score_datasets(*folders, metrics="muc", **settings)
    for result in scores.results.values():
        assert {name: getattr(result.settings, name) for name in settings} == settings
    with raises("unknown", what="singletons", value="droop", near="drop"):
        score_datasets(*folders, singletons="droop")
    with raises("unknown", what="metric", value="mcu", near="muc"):
        score_datasets(*folders, metrics="mcu")
    with raises("unknown", value="singleton", near="singletons"):
        score_datasets(*folders, singleton="drop")


# --- missing data sets ----------------------------------------------------------------------------


def test_a_missing_data_set_scores_zero(folders: tuple[Path, Path]) -> None:
    key, response = folders
    (response / "en.jsonl").unlink()
    scores = score_datasets(key, response, metrics=METRICS)
    assert [result["conll"].f1 for result in scores.results.values()] == [1, 0]
    assert scores.results["en"]["muc"].counts == (0, 3, 0, 0)
    assert scores["conll"].f1 == 0.5
    assert scores.notes == [Note("missing-set", names=["en"], how="empty")]


def test_a_missing_data_set_is_skipped(folders: tuple[Path, Path]) -> None:
    key, response = folders
    (response / "en.jsonl").unlink()
    scores = score_datasets(key, response, metrics=METRICS, missing_documents="skip")
    assert list(scores.results) == ["cs"]
    assert scores["conll"].f1 == 1
    assert scores.notes == [Note("missing-set", names=["en"], how="skip")]


@pytest.mark.long
@pytest.mark.parametrize("jobs", [1, 2, "all"])
@pytest.mark.parametrize("missing", ["empty", "skip"])
def test_jobs_change_nothing(folders: tuple[Path, Path], jobs: int | str, missing: str) -> None:
    write(folders[0] / "pl.jsonl", "d", ONE)
    write(folders[1] / "ru.jsonl", "d", ONE)
    wanted = score_datasets(*folders, missing_documents=missing)
    found = score_datasets(*folders, missing_documents=missing, jobs=jobs)
    assert found.as_dict() == wanted.as_dict()
    assert all(result.matchings for result in wanted.results.values())
    assert not any(result.matchings for result in found.results.values())


def test_other_numbers_of_jobs_are_refused(folders: tuple[Path, Path]) -> None:
    with raises("jobs"):
        score_datasets(*folders, jobs="many")


def test_a_missing_data_set_is_refused(folders: tuple[Path, Path]) -> None:
    key, response = folders
    (response / "en.jsonl").rename(response / "xx.jsonl")
    with raises_problems("set-missing", dataset="en"):
        score_datasets(key, response, missing_documents="error")


def test_all_data_sets_are_missing(folders: tuple[Path, Path]) -> None:
    key, response = folders
    for name in ("cs", "en"):
        (response / f"{name}.jsonl").rename(response / f"other{name}.jsonl")
    with raises_problems("no-sets-shared"):
        score_datasets(key, response, missing_documents="skip")
    assert score_datasets(key, response, metrics=METRICS)["conll"].f1 == 0


def test_a_missing_document_of_a_data_set(folders: tuple[Path, Path]) -> None:
    key, response = folders
    write(key / "pl" / "0.jsonl", "d0", ONE)
    write(key / "pl" / "1.jsonl", "d1", ONE)
    write(response / "pl" / "0.jsonl", "d0", ONE)
    scores = score_datasets(key, response, metrics=METRICS)
    assert scores.results["pl"]["muc"].counts == (3, 6, 3, 3)
    scores = score_datasets(key, response, metrics=METRICS, missing_documents="skip")
    assert scores.results["pl"]["muc"].counts == (3, 3, 3, 3)
    with raises_problems("document-absent", document="d1"):
        score_datasets(key, response, missing_documents="error")


def test_a_data_set_that_cannot_be_read(folders: tuple[Path, Path]) -> None:
    key, response = folders
    (response / "en.jsonl").write_text("{", encoding="utf-8")
    with raises_problems("json-broken"):
        score_datasets(key, response)


@pytest.mark.parametrize("compat", ["conll-8.01", "corefud-1.2"])
def test_a_missing_data_set_under_compat(tmp_path: Path, compat: str) -> None:
    suffix = "conll" if compat == "conll-8.01" else "conllu"
    name = "key.conll" if compat == "conll-8.01" else "spanish.conllu"
    for side, datasets in (("k", ["a", "b"]), ("r", ["a"])):
        (tmp_path / side).mkdir()
        for dataset in datasets:
            text = Path(example_path(name)).read_bytes()
            (tmp_path / side / f"{dataset}.{suffix}").write_bytes(text)
    scores = score_datasets(tmp_path / "k", tmp_path / "r", metrics=METRICS, compat=compat)
    assert [result["conll"].f1 for result in scores.results.values()] == [1, 0]


# --- output ---------------------------------------------------------------------------------------


def test_the_table(folders: tuple[Path, Path]) -> None:
    key, response = folders
    write(key / "pl.jsonl", "d", ONE)
    out = good("score", "--datasets", key, response, "--metrics", "muc,conll")
    lines = out.splitlines()
    assert lines[0] == "data set          MUC   CoNLL"
    scores = score_datasets(key, response, metrics="muc,conll")
    for line, name in zip(lines[2:5], scores.results, strict=True):
        result = scores.results[name]
        values = [f"{100 * result[metric].value:.2f}" for metric in ("muc", "conll")]
        assert line.split() == [name, *values]
    means = [f"{100 * scores[metric].value:.2f}" for metric in ("muc", "conll")]
    assert lines[6].split() == ["macro-average", *means]
    assert f"note: {Note('missing-set', names=['pl'], how='empty')}" in lines
    assert str(scores) == out.rstrip("\n")


def test_several_responses(tmp_path: Path, folders: tuple[Path, Path]) -> None:
    key, response = folders
    out = good("score", "--datasets", key, response, key, "--metrics", "muc")
    assert out.count("macro-average") == 2
    lines = out.splitlines()
    assert response.name in lines and key.name in lines
    out = good("score", "--datasets", key, response, key, "--metrics", "muc", "--json")
    assert [row["response"] for row in json.loads(out)] == [str(response), str(key)]


def test_json(folders: tuple[Path, Path]) -> None:
    key, response = folders
    write(key / "pl.jsonl", "d", ONE)
    out = good("score", "--datasets", key, response, "--metrics", "muc,conll", "--json")
    shown = json.loads(out)
    scores = score_datasets(key, response, metrics="muc,conll")
    assert shown["response"] == str(response)
    assert shown["macro"]["muc"]["f1"] == scores["muc"].f1
    assert shown["macro"]["muc"]["recall"] == scores["muc"].recall
    assert shown["macro"]["conll"] == {"f1": scores["conll"].f1}
    assert list(shown["datasets"]) == ["cs", "en", "pl"]
    for name, part in shown["datasets"].items():
        assert part["metrics"]["muc"]["counts"] == list(scores.results[name]["muc"].counts)
        assert part["signature"] == scores.results[name].signature
    assert shown["notes"] == [str(Note("missing-set", names=["pl"], how="empty"))]
    assert json.loads(json.dumps(scores.as_dict())) == shown


def test_csv(folders: tuple[Path, Path]) -> None:
    key, response = folders
    out = good("score", "--datasets", key, response, "--metrics", "muc,conll", "--csv")
    header, *rows = csv.reader(io.StringIO(out))
    assert header == ["response", "dataset", "metric", "recall", "precision", "f1"]
    assert [row[1:3] for row in rows] == [
        [name, metric] for name in ("cs", "en", "macro") for metric in ("muc", "conll")
    ]
    scores = score_datasets(key, response, metrics="muc,conll")
    assert [float(row[5]) for row in rows[4:]] == [scores["muc"].f1, scores["conll"].f1]
    assert rows[5][3:5] == ["", ""]


@pytest.mark.parametrize("style", ["--markdown", "--latex"])
def test_tables_for_papers(folders: tuple[Path, Path], style: str) -> None:
    out = good("score", "--datasets", *folders, "--metrics", "muc", style)
    assert "macro-average" in out and "sameas:coref" in out


@pytest.mark.parametrize(
    "option",
    [["--interval"], ["--by", "genre"], ["--by-document"], ["--signature", "sameas:coref"]],
)
def test_options_that_are_not_for_data_sets(folders: tuple[Path, Path], option: list[str]) -> None:
    code, out, err = run("score", "--datasets", *folders, *option)
    assert (code, out) == (2, "")
    assert says("not-for-sets", option=option[0][2:]) in err


def test_files_are_not_data_sets(folders: tuple[Path, Path]) -> None:
    key, response = folders
    code, out, err = run("score", "--datasets", key / "cs.jsonl", response / "cs.jsonl")
    assert (code, out) == (2, "")
    assert says("sets-not-folder", folder=str(key / "cs.jsonl")) in err
    code, out, err = run("score", "--datasets", key)
    assert (code, out) == (2, "")


# --- errors ---------------------------------------------------------------------------------------


def test_a_preset_has_metrics(folders: tuple[Path, Path]) -> None:
    scores = score_datasets(*folders, preset="litbank")
    assert ",".join(scores.metrics) == PRESETS["litbank"]["metrics"]


@pytest.mark.parametrize("policy", ["empty", "skip"])
def test_data_sets_missing_from_the_key_are_counted(
    folders: tuple[Path, Path], policy: str
) -> None:
    key, response = folders
    write(response / "xx.jsonl", "d", ONE)
    scores = score_datasets(key, response, missing_documents=policy)
    assert any(has(note, "extra-set", names=("xx",)) for note in scores.notes)


def test_data_sets_missing_from_the_key_are_refused(folders: tuple[Path, Path]) -> None:
    """The same holds for documents that are not in the key."""
    key, response = folders
    write(response / "xx.jsonl", "d", ONE)
    with raises_problems("set-extra", dataset="xx"):
        score_datasets(key, response, missing_documents="error")


def test_csv_reports_what_is_missing(folders: tuple[Path, Path]) -> None:
    key, response = folders
    (response / "en.jsonl").unlink()
    code, _, err = run("score", "--datasets", key, response, "--csv")
    assert code == 0
    assert says("missing-set", names="en", how="empty") in err


# --- presets --------------------------------------------------------------------------------------


def spanish(role: str = "") -> str:
    return str(example_path(f"spanish{role}.conllu"))


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_its_settings(preset: str) -> None:
    stands_for = {name: value for name, value in PRESETS[preset].items() if name in CHOICES}
    settings = asdict(Settings.of(preset=preset))
    assert {name: settings[name] for name in stands_for} == stands_for
    signature = str(Signature(Settings.of(preset=preset), 3))
    assert Signature.parse(signature).settings == Settings.of(preset=preset)
    assert Settings.of(**stands_for) == Settings.of(preset=preset)


@pytest.mark.parametrize("preset", sorted(PRESETS.keys() - {"conll12"}))
def test_the_signature_of_a_preset_reproduces_the_score(preset: str) -> None:
    files = (spanish(), spanish("-system"))
    result = sameas.score(*files, preset=preset)
    assert list(result.metrics) == PRESETS[preset]["metrics"].split(",")
    again = sameas.score(*files, signature=result.signature, metrics=result.metrics)
    assert again == result
    named = {name: value for name, value in PRESETS[preset].items() if name in CHOICES}
    assert sameas.score(*files, **named, metrics=result.metrics) == result


def test_a_preset_on_the_command_line() -> None:
    files = (spanish(), spanish("-system"))
    out = good("score", *files, "--preset", "crac24", "--json")
    shown = json.loads(out)
    assert shown["signature"].startswith(
        "sameas:coref|compat:corefud-1.2|match:head|zeros:dependent|singletons:drop|"
        "duplicates:corefud-1.2|missing:empty|blanc:corefud-1.2|average:micro|docs:2|"
    )
    assert list(shown["metrics"]) == PRESETS["crac24"]["metrics"].split(",")
    metrics = PRESETS["crac24"]["metrics"]
    signature = ["--signature", shown["signature"], "--metrics", metrics, "--json"]
    assert run("score", *files, *signature) == (0, out, "")
    named = ["--compat", "corefud-1.2", "--match", "head", "--zeros", "dependent"]
    named += ["--singletons", "drop", "--metrics", metrics, "--json"]
    assert run("score", *files, *named) == (0, out, "")


def test_options_override_a_preset() -> None:
    files = (spanish(), spanish("-system"))
    options = [
        "--preset",
        "crac24",
        "--match",
        "exact",
        "--singletons",
        "keep",
        "--zeros",
        "linear",
    ]
    out = good("score", *files, *options, "--metrics", "muc,b3", "--json")
    shown = json.loads(out)
    assert "|match:exact|singletons:keep|" in shown["signature"]
    assert "zeros" not in shown["signature"]
    assert list(shown["metrics"]) == ["muc", "b3"]
    result = sameas.score(*files, compat="corefud-1.2", metrics=["muc", "b3"])
    assert result.signature == shown["signature"]
    assert list(result["b3"].counts) == shown["metrics"]["b3"]["counts"]


def test_compat_none_overrides_a_preset() -> None:
    settings = Settings.of(compat="none", preset="crac24")
    assert (settings.compat, settings.duplicates, settings.blanc) == ("none", "first", "luo2014")
    assert (settings.match, settings.zeros, settings.singletons) == ("head", "dependent", "drop")


@pytest.mark.parametrize(
    "use",
    [
        lambda: Settings.of(preset="crac42"),
        lambda: sameas.score([["a"]], [["a"]], preset="crac42"),
    ],
)
def test_unknown_presets_get_a_suggestion(use: Callable[[], object]) -> None:
    with raises("unknown", what="preset", value="crac42"):
        use()


def test_unknown_presets_on_the_command_line() -> None:
    code, out, err = run("score", "--example", "--preset", "conll21")
    assert (code, out) == (2, "")
    assert str(unknown("preset", "conll21", PRESETS)) in err


def test_a_signature_excludes_a_preset() -> None:
    signature = sameas.score([["a"]], [["a"]]).signature
    with raises("signature-decides"):
        sameas.score([["a"]], [["a"]], preset="litbank", signature=signature)
    code, out, err = run("score", "--example", "--preset", "litbank", "--signature", signature)
    assert (code, out) == (2, "")
    assert says("signature-decides") in err


def test_presets_and_data_sets(tmp_path: Path) -> None:
    for side, role in (("k", ""), ("r", "-system")):
        (tmp_path / side).mkdir()
        for name in ("a", "b"):
            text = Path(spanish(role if name == "b" else "")).read_bytes()
            (tmp_path / side / f"{name}.conllu").write_bytes(text)
    options = ["--preset", "crac24", "--json"]
    out = good("score", "--datasets", tmp_path / "k", tmp_path / "r", *options)
    shown = json.loads(out)
    one = sameas.score(spanish(), spanish("-system"), preset="crac24")
    assert shown["macro"]["conll"]["f1"] == pytest.approx((1 + one["conll"].f1) / 2)
