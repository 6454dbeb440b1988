"""Compare the metric module, loaded by `evaluate` without a network, with `sameas.score`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from integrations.material import flat, library, random_pairs, scored
from sameas.errors import InputError, Problem, UsageError
from sameas.integrations.huggingface import path, score_rows
from sameas.notes import Note
from saying import raises, says

ROWS = [
    {"document": "a", "clusters": [[[0, 1], [4, 4]], [[2, 2]]]},
    {"document": "b", "clusters": []},
    {"document": "c", "clusters": [[[0, 1], [3, 3]]]},
]


def rows(pairs, side):
    return [{"document": f"d{number}", "clusters": pair[side]} for number, pair in enumerate(pairs)]


def bare(found):
    """Return only the scores."""
    for name, value in found.items():
        assert f"{name} = {value:.4f}"  # as a trainer logs them
    return {name: value for name, value in found.items() if name != "documents"}


def compute(metric, **given):
    """Return the output of `compute`, and the notes that it issues as warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = metric.compute(**given)
    notes = [str(one.message).removeprefix("sameas: ") for one in caught
             if str(one.message).startswith("sameas: ")]  # fmt: skip
    return found, notes


@pytest.fixture(scope="module")
def evaluate(tmp_path_factory):
    """Return `evaluate` without a network and with a separate cache."""
    # It reads the environment on import; the copies it keeps are set below.
    patch = pytest.MonkeyPatch()
    for name in ("HF_EVALUATE_OFFLINE", "HF_DATASETS_OFFLINE", "HF_HUB_OFFLINE"):
        patch.setenv(name, "1")
    loaded = library("evaluate")
    library("datasets")
    cache = tmp_path_factory.mktemp("cache")
    patch.setattr(loaded.config, "HF_EVALUATE_OFFLINE", True)
    patch.setattr(loaded.config, "HF_METRICS_CACHE", str(cache))
    patch.setattr(loaded.config, "HF_MODULES_CACHE", str(cache / "modules"))
    patch.syspath_prepend(str(cache / "modules"))
    yield loaded
    patch.undo()


@pytest.fixture
def metric(evaluate):
    return evaluate.load(path())


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("options", [{}, {"singletons": "drop"}, {"metrics": ["conll", "rand"]}])
def test_equals_the_score_of_all_documents(metric, seed, options):
    pairs = random_pairs(8, seed)
    assert metric.result is None
    found, notes = compute(metric, predictions=rows(pairs, 1), references=rows(pairs, 0), **options)
    result = scored(pairs, **options)
    assert bare(found) == flat(result)
    assert metric.result.signature == result.signature
    assert found["documents"] == len(result)
    assert metric.result.remarks == result.remarks
    assert notes == [str(note) for note in result.remarks if note.code != "singletons"]


def test_documents_are_paired_by_name(metric):
    pairs = random_pairs(8, 4)
    found, _ = compute(metric, predictions=rows(pairs, 1)[::-1], references=rows(pairs, 0))
    assert bare(found) == flat(scored(pairs))


def test_batches_and_single_documents(metric):
    pairs = random_pairs(8, 5)
    predictions, references = rows(pairs, 1), rows(pairs, 0)
    metric.add_batch(predictions=predictions[:3], references=references[:3])
    metric.add(prediction=predictions[3], reference=references[3])
    metric.add_batch(predictions=predictions[4:])
    metric.add_batch(references=references[4:6])
    for row in references[6:]:
        metric.add(reference=row)
    assert bare(compute(metric)[0]) == flat(scored(pairs))
    again, _ = compute(metric, predictions=predictions[:2], references=references[:2])
    assert bare(again) == flat(scored(pairs[:2]))


def test_missing_documents_are_noted_or_refused(metric):
    found, notes = compute(metric, predictions=ROWS[:1], references=ROWS)
    note = Note("missing", count=2, names=["b", "c"], how="empty")
    assert (notes, metric.result.notes) == ([str(note)], [note])
    assert found["mention_recall"] == 3 / 5
    found, notes = compute(metric, predictions=ROWS, references=ROWS[:2])
    assert notes == [str(Note("extra", count=1, names=["c"]))]
    found, _ = compute(metric, predictions=ROWS[:1], references=ROWS, missing_documents="skip")
    assert (found["documents"], found["conll_f1"]) == (1, 1.0)
    with pytest.raises(InputError, match=" b "):
        metric.compute(predictions=ROWS[:1], references=ROWS, missing_documents="error")
    with pytest.raises(InputError):
        metric.compute(predictions=ROWS[2:], references=ROWS[:2])


def test_repeated_names_are_noted(metric):
    found, notes = compute(metric, predictions=[*ROWS, ROWS[0]], references=[ROWS[0], *ROWS])
    assert found["documents"] == 4 and found["conll_f1"] == 1.0
    assert notes[0] == says("again", side="key", count=1, how="in-order")


def test_no_documents(metric):
    found, notes = compute(metric, predictions=[], references=[], metrics="muc")
    assert notes == [says("no-key")]
    assert (found["documents"], found["muc_f1"]) == (0, 0.0)
    found = metric.compute(predictions=[ROWS[1]], references=[ROWS[1]], metrics="muc")
    assert (found["documents"], found["muc_f1"]) == (1, 0.0)


def test_invalid_rows_are_refused(metric):
    with raises("not-a-row", where="predictions[0]"):
        metric.add_batch(predictions=[[[0, 1]]], references=ROWS[:1])
    with raises("row-no-name"):
        metric.add(prediction={"document": None, "clusters": []})
    with raises("row-not-list", value=None):
        metric.add(prediction={"document": "a", "clusters": None})
    with pytest.raises(UsageError, match=" metrics"):
        metric.compute(predictions=ROWS, references=ROWS, metric=["muc"])
    with raises("unknown", near="drop"):
        metric.compute(predictions=ROWS, references=ROWS, singletons="droop")


def test_numbers_as_names(metric):
    row = {"document": 7, "clusters": ROWS[0]["clusters"]}
    assert metric.compute(predictions=[row], references=[row])["conll_f1"] == 1.0


PROCESS = """
import json, sys
import evaluate
from sameas.integrations.huggingface import path
rank, cache, documents = int(sys.argv[1]), *sys.argv[2:]
predictions, references = json.load(open(documents))
metric = evaluate.load(path(), num_process=2, process_id=rank, cache_dir=cache, experiment_id="x")
metric.add_batch(predictions=predictions[rank::2], references=references[rank::2])
found = metric.compute()
if rank == 0:
    print(json.dumps(found))
else:
    assert found is None
"""


def test_two_processes(tmp_path: Path):
    library("evaluate")
    pairs = random_pairs(9, 6)
    (tmp_path / "documents").write_text(json.dumps([rows(pairs, 1), rows(pairs, 0)]))
    environment = {
        **os.environ,
        **dict.fromkeys(("HF_EVALUATE_OFFLINE", "HF_DATASETS_OFFLINE", "HF_HUB_OFFLINE"), "1"),
        "HF_HOME": str(tmp_path / "home"),
    }
    processes = [
        subprocess.Popen(
            [
                sys.executable, "-W", "ignore", "-c", PROCESS, str(rank), str(tmp_path / "cache"),
                str(tmp_path / "documents"),
            ],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for rank in range(2)
    ]  # fmt: skip
    try:
        said = [process.communicate(timeout=180) for process in processes]
    finally:
        for process in processes:
            process.kill()
    assert [process.returncode for process in processes] == [0, 0], said
    found = json.loads(said[0][0].splitlines()[-1])
    assert bare(found) == flat(scored(pairs))


def test_rows_score_without_evaluate():
    pairs = random_pairs(5, 12)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of documents without mentions
        found = score_rows(rows(pairs, 1), rows(pairs, 0), metrics="all")
    assert bare(found) == flat(scored(pairs, metrics="all"))
    assert Path(path()).is_file()


def test_empty_clusters_are_noted(metric):
    row = {"document": "a", "clusters": [[], [[0, 1], [4, 4]]]}
    _, (note,) = compute(metric, predictions=[row], references=ROWS[:1])
    first = Problem("empty-clusters", "predictions[0]", document="a", count=1)
    assert note == str(Note("warned", count=1, names=[str(first)]))


def test_spans_of_other_libraries():
    torch = library("torch")
    for span in (np.array([0, 1]), (np.int32(0), np.float64(1)), torch.tensor([0, 1])):
        row = {"document": "a", "clusters": [[span, [4, 4]]]}
        assert score_rows([row], ROWS[:1])["mention_recall"] > 0


def test_a_response_without_documents_is_refused(metric):
    with pytest.raises(InputError, match=r"^response: "):
        metric.compute(predictions=[], references=ROWS)


@pytest.mark.parametrize(
    "mention",
    [
        *([0.5, 1.7], [0, None], [0, 1, 2], [4], [[0, 1], [2, 3]], [float("inf"), 1]),
        *([b"a", b"b"], [1j, 2], [2**53, 0], [2**63, 0], [True, 1]),
    ],
    ids=str,
)
def test_invalid_spans_are_refused(metric, mention):
    right = [{"document": "a", "clusters": [[[0, 1], [4, 4]]]}]
    wrong = [{"document": "a", "clusters": [[mention, [4, 4]]]}]
    with raises("row-not-span", where="document a, predictions[0]"):
        metric.compute(predictions=wrong, references=right)


def test_padding_is_refused_or_skipped(metric):
    padded = {"document": "a", "clusters": [[[0, 1], [4, 4], [-1, -1]], [[-1, -1]]]}
    right = {"document": "a", "clusters": [[[0, 1], [4, 4]]]}
    with pytest.raises(UsageError, match=r"^document a: predictions\[0\]: .*\(-1, -1\)"):
        metric.compute(predictions=[padded], references=[right])
    found = metric.compute(predictions=[padded], references=[right], ignore_index=-1)
    assert (found["mention_precision"], metric.result.notes) == (1.0, [])
    turned = {"document": "a", "clusters": [[[5, 1]]]}
    with pytest.raises(UsageError, match=r"^document a: references\[0\]: "):
        metric.compute(predictions=[right], references=[turned])
    with pytest.raises(UsageError, match="ignore_index"):
        metric.compute(predictions=[right], references=[right], ignore_index=0)
