"""Without the libraries everything can be imported; on use it raises an installation hint."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

import sameas.integrations
from sameas.errors import how_to_install
from sameas.integrations.huggingface import path
from saying import raises

HERE = Path(sameas.integrations.__file__).parent
LIBRARIES = ("torch", "torchmetrics", "evaluate", "datasets", "spacy", "sklearn", "pandas")


def without(monkeypatch, file):
    """Return the definitions of a file without any of the libraries."""
    for name in LIBRARIES:
        monkeypatch.setitem(sys.modules, name, None)
    return runpy.run_path(str(file))


def test_torch(monkeypatch):
    names = without(monkeypatch, HERE / "torch.py")
    with raises("not-installed", command=how_to_install("torch", "torchmetrics")):
        names["Coreference"](metrics="muc")


def test_huggingface(monkeypatch):
    names = without(monkeypatch, path())
    with raises("not-installed", command=how_to_install("evaluate", "datasets")):
        names["SameasCoreference"]()


def test_spacy(monkeypatch):
    names = without(monkeypatch, HERE / "spacy.py")
    assert names["score_clusters"]([], metrics="muc")["coref_muc_f"] is None


def test_sklearn(monkeypatch):
    names = without(monkeypatch, HERE / "sklearn.py")
    assert names["muc_score"]([0, 0, 1], ["a", "a", "b"]) == 1.0


def test_labels_and_the_path_need_only_numpy():
    program = (
        "import sys, sameas.integrations.sklearn as labels, sameas.integrations.huggingface as face\n"
        "labels.b3_score([0, 0, 1], [0, 1, 1]), face.path(), face.score_rows([], [])\n"
        f"loaded = [name for name in {LIBRARIES} if name in sys.modules]\n"
        "assert not loaded, loaded\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
