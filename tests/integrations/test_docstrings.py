"""The docstring examples that need a library and are skipped by the doctests."""

from __future__ import annotations

import doctest
import importlib

import pytest

from integrations.material import library


@pytest.mark.parametrize(
    ("needs", "module", "name"),
    [
        (("torch", "torchmetrics"), "sameas.integrations.torch", "Coreference"),
        (
            ("evaluate", "datasets"),
            "sameas.integrations.huggingface.sameas_coreference",
            "SameasCoreference",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_examples(needs, module, name, monkeypatch, tmp_path):
    for one in needs:
        library(one)
    if "evaluate" in needs:
        config = importlib.import_module("evaluate").config
        monkeypatch.setattr(config, "HF_EVALUATE_OFFLINE", True)
        monkeypatch.setattr(config, "HF_METRICS_CACHE", str(tmp_path))
        monkeypatch.setattr(config, "HF_MODULES_CACHE", str(tmp_path / "modules"))
        monkeypatch.syspath_prepend(str(tmp_path / "modules"))
    home = importlib.import_module(module)
    text = getattr(home, name).__doc__.replace("  # doctest: +SKIP", "")
    test = doctest.DocTestParser().get_doctest(text, vars(home).copy(), name, None, None)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0
