"""A release is made whole or not at all; `.ci/release` is tried on a small repository."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

CI = Path(__file__).parents[2] / ".ci"
FILES = {
    "src/sameas/_version.py": '__version__ = "0.9.0"\n',
    "CITATION.cff": "title: sameas\nversion: 0.9.0\nauthors: []\n",
    "README.md": "  |docs:4|version:0.9.0\n",
    "CHANGELOG.md": "# Changelog\n\nwritten with version:0.9.0\n",
    "docs/scoring.md": "version: 8.01 sameas 0.9.0\n",
    "changes/README.md": "About fragments.\n",
    "changes/+one.fix.md": "One.\n",
    ".gitignore": "dist/\n",
}
BUILD = '#!/bin/sh\ncd "$(dirname "$0")/.." && mkdir dist && cp CITATION.cff dist/new\n'

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="there is no git")


def git(home: Path, *arguments: str) -> str:
    command = ["git", "-c", "core.hooksPath=/dev/null", *arguments]
    return subprocess.run(command, cwd=home, check=True, capture_output=True, text=True).stdout


def commit(home: Path, message: str) -> None:
    git(home, "add", "--all")
    git(home, "commit", "--quiet", "--allow-empty", "--message", message)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a small repository on main."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / ".ci").mkdir()
    shutil.copy(CI / "release", tmp_path / ".ci" / "release")
    (tmp_path / ".ci" / "build").write_text(BUILD)
    (tmp_path / ".ci" / "build").chmod(0o755)
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    for name, value in {
        "user.name": "A",
        "user.email": "a@example.org",
        "commit.gpgSign": "no",
    }.items():
        git(tmp_path, "config", name, value)
    commit(tmp_path, "Start")
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "old").touch()
    return tmp_path


def load(path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    loader = SourceFileLoader(path.name, str(path))
    spec = spec_from_loader(path.name, loader)
    assert spec
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def script(home: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the script of the small repository, which needs no network."""
    release = load(home / ".ci" / "release", monkeypatch)

    def join_fragments(tree: Path, new: str) -> None:
        (tree / "changes" / "+one.fix.md").unlink()
        (tree / "CHANGELOG.md").write_text(f"## {new}\n")

    monkeypatch.setattr(release, "join_fragments", join_fragments)
    return release


def state(home: Path) -> tuple[object, ...]:
    """Return all that a release changes."""
    dist = sorted(path.name for path in (home / "dist").iterdir())
    commands = (["rev-parse", "HEAD"], ["status", "--porcelain"], ["tag"], ["worktree", "list"])
    return dist, *(git(home, *command) for command in commands)


def test_a_release_is_committed_tagged_and_built(home, monkeypatch, capsys):
    script(home, monkeypatch).main("0.10.0")
    assert "git push --atomic origin main v0.10.0" in capsys.readouterr().out
    dist, _, status, tags, trees = state(home)
    assert (dist, status, tags, len(trees.splitlines())) == (["new"], "", "v0.10.0\n", 1)
    assert git(home, "rev-parse", "v0.10.0^{}") == git(home, "rev-parse", "main")
    assert '"0.10.0"' in (home / "src/sameas/_version.py").read_text()
    assert "version: 0.10.0\ndate-released: 2" in (home / "CITATION.cff").read_text()
    assert "version:0.10.0" in (home / "README.md").read_text()
    assert "sameas 0.10.0" in (home / "docs/scoring.md").read_text()
    assert not (home / "changes/+one.fix.md").exists()


def test_the_first_release_needs_no_new_number(home, monkeypatch):
    script(home, monkeypatch).main("0.9.0")
    assert git(home, "tag") == "v0.9.0\n"
    assert "date-released" in (home / "CITATION.cff").read_text()


def test_documents_need_not_show_the_version(home, monkeypatch):
    (home / "docs/scoring.md").write_text("No version.\n")
    commit(home, "Drop it")
    script(home, monkeypatch).main("0.9.1")
    assert git(home, "tag") == "v0.9.1\n"


@pytest.mark.parametrize("build", ["exit 1", "kill -9 $$", "rm -r docs; exit 3"])
def test_a_failure_leaves_everything_as_it_was(home, monkeypatch, build):
    (home / ".ci" / "build").write_text(f"#!/bin/sh\n{build}\n")
    commit(home, "Break the build")
    before = state(home)
    with pytest.raises(SystemExit, match="build --test failed"):
        script(home, monkeypatch).main("0.10.0")
    assert state(home) == before


def test_an_interruption_leaves_everything_as_it_was(home, monkeypatch):
    release = script(home, monkeypatch)
    run = release.run

    def interrupted(*command, **where):
        if "--test" in command:
            raise KeyboardInterrupt
        return run(*command, **where)

    monkeypatch.setattr(release, "run", interrupted)
    before = state(home)
    with pytest.raises(KeyboardInterrupt):
        release.main("0.10.0")
    assert state(home) == before


def test_nothing_is_tagged_if_main_has_moved(home, monkeypatch):
    (home / ".ci" / "build").write_text(
        f"{BUILD}cd '{home}' && git commit -q --allow-empty -m Other\n"
    )
    commit(home, "Commit during the build")
    with pytest.raises(SystemExit, match="merge --quiet --ff-only"):
        script(home, monkeypatch).main("0.10.0")
    dist, _, status, tags, _ = state(home)
    assert (dist, status, tags) == (["old"], "", "")
    assert git(home, "log", "-1", "--format=%s") == "Other\n"


def test_nothing_is_tagged_if_another_branch_is_checked_out(home, monkeypatch):
    switch = f"cd '{home}' && git switch -q --create other\n"
    (home / ".ci" / "build").write_text(BUILD + switch)
    commit(home, "Switch during the build")
    with pytest.raises(SystemExit, match="from main"):
        script(home, monkeypatch).main("0.10.0")
    assert git(home, "tag") == ""
    assert git(home, "rev-parse", "other") == git(home, "rev-parse", "main")


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        *(
            (bad, "expected a version")
            for bad in ("1.2", "v1.2.0", "1.2.0rc1", "01.2.0", "1.2.0\n", "١.٢.٠")
        ),
        ("0.8.9", "does not follow 0.9.0"),
        ("0.9.5", "does not follow v0.10.0"),
        ("0.10.0", "is tagged already"),
    ],
)
def test_versions_that_do_not_follow_are_refused(home, monkeypatch, version, reason):
    git(home, "tag", "v0.10.0")
    with pytest.raises(SystemExit, match=reason):
        script(home, monkeypatch).main(version)


def test_other_states_are_refused(home, monkeypatch):
    release = script(home, monkeypatch)
    (home / "new").touch()
    with pytest.raises(SystemExit, match="uncommitted"):
        release.main("0.10.0")
    (home / "new").unlink()
    git(home, "switch", "--quiet", "--create", "other")
    with pytest.raises(SystemExit, match="from main"):
        release.main("0.10.0")
    git(home, "switch", "--quiet", "main")
    (home / "changes/+one.fix.md").unlink()
    commit(home, "Drop the fragment")
    with pytest.raises(SystemExit, match="no fragments"):
        release.main("0.10.0")
    assert not git(home, "tag")


def test_links_are_absolute_on_pypi(tmp_path, monkeypatch):
    root, home = CI.parent, "https://example.org/a/b"
    for name in ("README.md", "pyproject.toml"):
        shutil.copy(root / name, tmp_path)
    links = load(CI / "links", monkeypatch)
    monkeypatch.setattr(links, "ROOT", tmp_path)
    links.main(home, "v1.2.0")
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)]+)\)", text)
    assert [target for target in targets if not target.startswith("https://")] == []
    ours = [re.sub(f"{home}/(raw|blob)/v1.2.0/", "", target) for target in targets]
    assert [
        path for path in ours if "//" not in path and not (root / path.split("#")[0]).exists()
    ] == []
    assert f"]({home}/raw/v1.2.0/docs/report-document-light.png)" in text
    assert f"[CITATION.cff]({home}/blob/v1.2.0/CITATION.cff)" in text
    urls = tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"]["urls"]
    assert urls["Repository"] == home
