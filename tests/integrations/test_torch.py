"""Compare the torchmetrics metric with `sameas.score`: alone, in collections, in two processes."""

from __future__ import annotations

import copy
import inspect
import pickle
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from integrations.material import flat, library, random_pairs, scored
from sameas.errors import InputError, UsageError
from saying import raises, says

torch = library("torch")
torchmetrics = library("torchmetrics")

from sameas.integrations.torch import Coreference  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:torch.*")


def numbers(found):
    return {name: value.item() for name, value in found.items()}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("options", [{}, {"singletons": "drop"}, {"metrics": "all-but-places"}])
def test_equals_the_score_of_all_documents(seed, options):
    if options.get("metrics"):
        from sameas.metrics.statistics import METRICS

        options = {"metrics": [name for name, one in METRICS.items() if not one.places]}
    pairs = random_pairs(12, seed)
    metric = Coreference(**options)
    for key, response in pairs[:5]:
        metric.update(response, key)
    metric.update([response for _, response in pairs[5:]], [key for key, _ in pairs[5:]])
    assert numbers(metric.compute()) == flat(scored(pairs, **options))


def test_returns_tensors_of_double_precision():
    metric = Coreference(metrics=["muc", "rand"])
    metric.update([[(0, 1), (4, 4)]], [[(0, 1), (4, 4), (7, 8)]])
    found = metric.compute()
    assert list(found) == ["muc_recall", "muc_precision", "muc_f1", "rand"]
    assert found["muc_recall"].dtype == torch.float64
    assert found["muc_recall"].device == metric.device


def test_the_state_is_one_integer_tensor():
    metric = Coreference()
    (state,) = metric.metric_state.values()
    assert state.dtype == torch.int64 and state.ndim == 1
    assert (metric.full_state_update, metric.higher_is_better) == (False, True)
    assert metric.is_differentiable is False


def test_spans_may_be_lists_and_tensors():
    key = [[(0, 1), (4, 4)], [(7, 8)]]
    written = [
        key,
        [[[0, 1], [4, 4]], [[7, 8]]],
        [torch.tensor(cluster) for cluster in key],
        [[torch.tensor(mention) for mention in cluster] for cluster in key],
        tuple(tuple(cluster) for cluster in key),
    ]
    for one in written:
        for other in written:
            metric = Coreference()
            metric.update(one, other)
            metric.update([one, one], [other, other])
            assert numbers(metric.compute()) == flat(scored([(key, key)]))
    metric = Coreference(metrics="muc")
    metric.update([["a", "b", "c"]], [["a", "b"], ["c"]])
    metric.update([[["a", "b"]]], [[["a", "b"]]])
    assert metric.compute()["muc_precision"].item() == 2 / 3


def test_empty_documents():
    metric = Coreference()
    metric.update([], [])
    metric.update([[], []], [[], []])
    metric.update([[(0, 1), (2, 2)]], [])
    metric.update([[[(0, 1)]], []], [[], [[(0, 1)]]])
    pairs = [([], [[(0, 1), (2, 2)]]), ([], [[(0, 1)]]), ([[(0, 1)]], [])]
    assert numbers(metric.compute()) == flat(scored(pairs))


@pytest.mark.parametrize(
    ("preds", "target", "code", "values"),
    [
        ([[(0, 1)]], [[[(0, 1)]]], "mixed-clusters", {}),
        ([[1, 2]], [[1]], "not-a-span", {"where": "preds[0]"}),
        ([[(0, 1)], [(2, 3)]], [[(0, 1)], [1]], "not-a-span", {"where": "target[1]"}),
        ([[[(0, 1)]]], [[[(0, 1)]], [[(3, 3)]]], "unequal-batch", {"preds": 1, "target": 2}),
        ("abc", [], "not-clusters", {"name": "preds"}),
        ([], ["abc"], "not-clusters", {"name": "target"}),
        (3, [], "not-clusters", {}),
        ([3], [], "not-clusters", {}),
        ([[("s1", "t3"), ("s2", "t1")]], [[("s1", "t3")]], "mention-or-cluster", {}),
    ],
)
def test_invalid_clusters_are_refused(preds, target, code, values):
    metric = Coreference()
    with raises(code, **values):
        metric.update(preds, target)


def test_settings_that_cannot_be_summed_are_refused():
    with raises("average-needs-documents", average="macro"):
        Coreference(average="macro")
    with raises("unknown", near="micro"):
        Coreference(average="mocro")
    with pytest.raises(UsageError, match=r"^mor "):
        Coreference(metrics=["muc", "mor"])
    for name in ("match", "compat", "preset", "scope"):
        with raises("not-set-here", name=name):
            Coreference(**{name: "x"})
    assert Coreference(average="micro", blanc="gold")


def test_repeated_mentions_are_noted():
    metric = Coreference()
    with pytest.warns(UserWarning, match=says("repeats-warned", policy="first")):
        metric.update([[(0, 1), (4, 4)]], [[(0, 1), (4, 4)], [(0, 1)]])
    metric = Coreference(duplicates="error")
    with pytest.raises(InputError, match=r"^the key: "):
        metric.update([[(0, 1), (4, 4)]], [[(0, 1), (4, 4)], [(0, 1)]])


def test_forward_returns_the_batch_and_accumulates_all():
    pairs = random_pairs(9, 7)
    metric = Coreference()
    for start in range(0, 9, 3):
        batch = pairs[start : start + 3]
        found = metric([response for _, response in batch], [key for key, _ in batch])
        assert numbers(found) == flat(scored(batch))
    assert numbers(metric.compute()) == flat(scored(pairs))
    metric.reset()
    metric.update(*pairs[0][::-1])
    assert numbers(metric.compute()) == flat(scored(pairs[:1]))


def test_a_refused_batch_changes_nothing():
    metric = Coreference(metrics=["muc"])
    clusters = [[(0, 1), (4, 4)]]
    metric.update(clusters, clusters)
    with raises("not-clusters", name="target"):
        metric(clusters, None)
    assert (metric.compute()["muc_f1"], metric.update_count) == (1.0, 1)
    metric([[(0, 1)], [(4, 4)]], clusters)
    assert numbers(metric.compute())["muc_recall"] == 0.5


def test_metrics_given_as_a_set_have_the_same_order_in_every_process():
    names = {"lea", "conll", "muc", "b3", "ceafe"}
    assert Coreference(metrics=names)._scorer.metrics == ("muc", "b3", "ceafe", "lea", "conll")


def test_copies_pickles_and_saved_states():
    pairs = random_pairs(6, 8)
    metric = Coreference()
    for key, response in pairs[:3]:
        metric.update(response, key)
    metric.persistent(True)
    loaded = Coreference()
    loaded.persistent(True)
    loaded.load_state_dict(metric.state_dict())
    for other in (pickle.loads(pickle.dumps(metric)), copy.deepcopy(metric), loaded):
        for key, response in pairs[3:]:
            other.update(response, key)
        assert numbers(other.compute()) == flat(scored(pairs))
    dropping = Coreference(singletons="drop")
    dropping.persistent(True)
    with pytest.raises(RuntimeError, match="sums_"):  # with other settings
        dropping.load_state_dict(metric.state_dict())


def test_no_change_of_type_rounds_the_sums():
    pairs = random_pairs(6, 9)
    metric = Coreference()
    for key, response in pairs:
        metric.update(response, key)
    for change in (metric.half, metric.float, metric.double, metric.cpu):
        change()
    metric.set_dtype(torch.float16)
    metric.to(torch.float16).to("cpu")
    assert numbers(metric.compute()) == flat(scored(pairs))


def test_arguments_are_those_of_torchmetrics():
    preds, target = [[(0, 1), (4, 4)]], [[(0, 1), (4, 4), (7, 8)]]
    together = torchmetrics.MetricCollection([Coreference(metrics="muc")])
    wanted = {"muc_recall": 0.5, "muc_precision": 1.0, "muc_f1": 2 / 3}
    assert numbers(together(preds=preds, target=target)) == wanted
    together.update(preds=preds, target=target, other="what another metric needs")
    together.update(preds, target)
    assert numbers(together.compute()) == wanted
    own, theirs = (
        list(inspect.signature(metric.update).parameters)
        for metric in (Coreference(), torchmetrics.classification.BinaryPrecision())
    )
    assert own == theirs == ["preds", "target"]


def test_padding_is_refused_or_skipped():
    preds = torch.tensor([[[0, 1], [2, 3], [-1, -1]]])
    target = torch.tensor([[[0, 1], [9, 9], [-1, -1]]])
    metric = Coreference(metrics="muc")
    with pytest.raises(UsageError, match=r"^target: .*\(-1, -1\)"):
        metric.update(preds, target)
    with pytest.raises(UsageError, match=r"^preds\[1\]: .*\(-1, -1\)"):
        metric.update([[[(0, 1)]], preds.tolist()], [[[(0, 1)]], [[(0, 1)]]])
    with pytest.raises(UsageError, match=r"^preds: .*\(5, 1\)"):
        metric.update([[(5, 1)]], [[(0, 1)]])
    metric = Coreference(metrics=["muc", "mention"], ignore_index=-1)
    metric.update(preds, target)
    assert numbers(metric.compute())["muc_f1"] == 0
    batch = torch.full((2, 3, 4, 2), -1)  # documents, clusters, mentions
    batch[0, 0, 0], batch[1, 1, 2] = torch.tensor([0, 1]), torch.tensor([4, 4])
    metric.reset()
    metric.update(batch, [[[(0, 1), (2, 3)]], [[(4, 4)]]])
    found = numbers(metric.compute())
    assert (found["mention_recall"], found["mention_precision"]) == (2 / 3, 1)
    with pytest.raises(UsageError, match=r"\(3, -1\)"):
        metric.update([[(3, -1)]], [[(0, 1)]])
    for wrong in (0, 1, -1.0, True, "-1"):
        with pytest.raises(UsageError, match="ignore_index"):
            Coreference(ignore_index=wrong)


def test_collections_separate_settings():
    pairs = random_pairs(6, 10)
    together = torchmetrics.MetricCollection(
        {
            "all": Coreference(metrics=["b3", "conll"]),
            "without": Coreference(metrics=["b3", "conll"], singletons="drop"),
        }
    )
    # Without singletons in the first batch both have the same counts.
    pairs = [([[(0, 1), (4, 4)]], [[(0, 1), (4, 4)]]), *pairs]
    for key, response in pairs:
        together.update(response, key)
    found = numbers(together.compute())
    for name, options in (("all", {}), ("without", {"singletons": "drop"})):
        for metric, value in flat(scored(pairs, metrics=["b3", "conll"], **options)).items():
            assert found[f"{name}_{metric}"] == value
    alone = torchmetrics.MetricCollection([Coreference(metrics="conll")], prefix="val/")
    alone.update(*pairs[0][::-1])
    assert numbers(alone.compute()) == {"val/conll_f1": 1.0}


PROCESS = """
import pickle, sys, warnings
import torch, torch.distributed as distributed
from sameas.integrations.torch import Coreference
rank, meeting, documents, answer = int(sys.argv[1]), *sys.argv[2:]
distributed.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=2)
mine = pickle.load(open(documents, "rb"))[rank]
metric = Coreference()
warnings.simplefilter("ignore")  # torchmetrics warns if nothing was added
for key, response in mine:
    metric.update(response, key)
found = {name: value.item() for name, value in metric.compute().items()}
alone = {name: value.item() for name, value in metric.compute().items()}
assert alone == found, "a second call gives the same"
stepwise = Coreference(dist_sync_on_step=True)
batch = stepwise([response for _, response in mine], [key for key, _ in mine])
assert {name: value.item() for name, value in batch.items()} == found
pickle.dump(found, open(answer, "wb"))
distributed.destroy_process_group()
"""


@pytest.mark.parametrize("divided", ["halves", "one has none"])
def test_two_processes_score_the_whole(tmp_path: Path, divided):
    pairs = random_pairs(40, 11)
    parts = [pairs[::2], pairs[1::2]] if divided == "halves" else [[], pairs]
    (tmp_path / "documents").write_bytes(pickle.dumps(parts))
    (tmp_path / "process.py").write_text(PROCESS)
    processes = [
        subprocess.Popen(
            [
                sys.executable, str(tmp_path / "process.py"), str(rank), str(tmp_path / "meeting"),
                str(tmp_path / "documents"), str(tmp_path / f"answer{rank}"),
            ],
            stderr=subprocess.PIPE, text=True,
        )
        for rank in range(2)
    ]  # fmt: skip
    try:
        for process in processes:
            said = process.communicate(timeout=120)[1]
            assert process.returncode == 0, said
    finally:
        for process in processes:
            process.kill()
    expected = flat(scored(pairs))
    for rank in range(2):
        assert pickle.loads((tmp_path / f"answer{rank}").read_bytes()) == expected


def test_no_documents_score_nothing():
    metric = Coreference(metrics="muc")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torchmetrics warns if nothing was added
        assert metric.compute()["muc_f1"].item() == 0.0


@pytest.mark.parametrize(
    "wrong",
    [
        [[[[(0, 1), (4, 4)], [(6, 6)]]]],  # one level too many
        [[(0, 1, 2)]],
        [[(0, 1.5)]],
        [[(True, False)]],
    ],
)
def test_invalid_mentions_are_refused(wrong: Any) -> None:
    metric = Coreference()
    with raises("not-a-span"):
        metric.update(wrong, wrong)


def test_numpy_and_torch_numbers() -> None:
    import numpy as np

    pairs = [(np.int64(0), np.int64(1)), (torch.tensor(4), torch.tensor(4)), torch.tensor([9, 11])]
    metric = Coreference(metrics=["b3"])
    metric.update([pairs], [[(0, 1), (4, 4), (9, 11)]])
    assert metric.compute()["b3_f1"] == 1
