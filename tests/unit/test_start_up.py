"""Imports at start-up: no third-party module for help, and mostly only numpy for scoring."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

REPORT = """
import sys
outside = {
    name.partition(".")[0]
    for name in sys.modules
    if name.partition(".")[0] not in sys.stdlib_module_names
} - {"sameas", "cython_runtime"}
before = set(%r)
print(" ".join(sorted(name for name in outside - before if not name.startswith("_"))))
print(" ".join(sorted(name for name in sys.modules if name.startswith("sameas"))))
"""

# Modules that the environment loads when Python starts, such as the finders of editable installs.
ENVIRONMENT = subprocess.run(
    [
        sys.executable,
        "-c",
        "import sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))",
    ],
    capture_output=True,
    text=True,
    check=True,
).stdout.split()


def loaded(program: str) -> tuple[list[str], list[str]]:
    """Return the third-party packages and the modules of sameas loaded at the end of a program."""
    ran = subprocess.run(
        [sys.executable, "-c", program + REPORT % (ENVIRONMENT,)],
        capture_output=True,
        text=True,
        check=True,
    )
    outside, ours = ran.stdout.split("\n")[-3:-1]
    return outside.split(), ours.split()


def command(*arguments: str) -> str:
    return (
        "import sys\nfrom sameas.cli import main\n"
        f"try: main({list(arguments)!r})\nexcept SystemExit: pass\n"
    )


def test_import_loads_nothing() -> None:
    outside, ours = loaded("import sameas\nassert sameas.__version__\n")
    assert outside == []
    assert ours == ["sameas", "sameas._version", "sameas.lazily"]


@pytest.mark.long
@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        [],
        ["score", "--help"],
        ["cone", "--help"],
        ["align", "--help"],
        ["entropy", "--help"],
        ["transliterate"],
        ["transliterate", "--help"],
        ["transliterate", "train", "--help"],
        ["transliterate", "evaluate", "--help"],
        ["transliterate", "aply"],
        ["verify", "--help"],
        ["check", "--help"],
        ["convert", "--help"],
        ["scorer", "--help"],
        ["example", "--help"],
        ["scroe"],
        ["score", "--jsn"],
    ],
    ids=" ".join,
)
def test_help_and_usage_load_no_third_party_module(arguments: list[str]) -> None:
    assert loaded(command(*arguments))[0] == []


def test_errors_load_nothing() -> None:
    assert loaded("import sameas\nsameas.errors.SameasError\n")[0] == []


@pytest.mark.parametrize("style", [[], ["--json"], ["--csv"], ["--markdown"], ["--latex"]])
def test_scoring_loads_only_numpy(style: list[str]) -> None:
    assert loaded(command("score", "--example", *style))[0] == ["numpy"]
    assert loaded(command("cone", "--example", *style))[0] == ["numpy"]
    assert loaded(command("align", "--dataset", "sample:ru", *style))[0] == ["numpy"]


@pytest.mark.long
def test_only_a_hard_assignment_loads_scipy() -> None:
    program = (
        "import sameas\n"
        "same = [[(n, n) for n in range(m, 3000, 500)] for m in range(500)]\n"
        "other = [[(n * 7 % 3000, n * 7 % 3000) for n in range(m * 6, m * 6 + 6)] for m in range(500)]\n"
        "sameas.score(same, {response})\n"
    )
    assert loaded(program.format(response="same"))[0] == ["numpy"]
    assert "scipy" in loaded(program.format(response="other"))[0]


def test_transliterating_loads_only_numpy(tmp_path: Path) -> None:
    model = str(tmp_path / "m")
    train = ["transliterate", "train", "--dataset", "sample:ru", "--model", "bigram", "-o", model]
    assert loaded(command(*train))[0] == ["numpy"]
    assert loaded(command("transliterate", "apply", model, "Anna"))[0] == ["numpy"]
    (tmp_path / "list.tsv").write_text("anna\tанна\n", encoding="utf-8")
    verify = command("verify", str(tmp_path / "list.tsv"), "--model", model)
    assert loaded(verify)[0] == ["numpy"]


def test_every_public_name_exists() -> None:
    program = (
        "import sameas\n"
        "assert set(sameas.__all__) == set(dir(sameas)), set(sameas.__all__) ^ set(dir(sameas))\n"
        "for name in sameas.__all__: getattr(sameas, name)\n"
        "try: sameas.nothing\n"
        "except AttributeError as error: assert 'nothing' in str(error)\n"
        "else: raise SystemExit('no error')\n"
    )
    assert loaded(program)[0] == ["numpy"]
