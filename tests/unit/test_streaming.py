"""Scoring in pieces gives the same result as at once, for any files and any cuts."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from effort import examples
from malformed import SOUND
from sameas.authorities import authority_of
from sameas.documents.document import Corpus
from sameas.errors import SameasError, WorkError
from sameas.formats.jsonlines.read import read_jsonlines
from sameas.formats.reading import read
from sameas.formats.writing import save, write
from sameas.metrics.statistics import choose_metrics
from sameas.notes import Note
from sameas.results.result import Result
from sameas.run import Plan, cutting, pieces, processes, run
from sameas.run.memory import score_corpora
from sameas.run.pieces import CannotCutError, score_pieces
from sameas.run.processes import count_jobs
from sameas.settings import PRESETS, Settings
from saying import has, raises

FORMATS = ("conll", "conllu", "jsonlines", "ua")
#: Every value of every setting, and the presets, each with its requirements.
HOW: list[dict[str, str]] = [
    {},
    {"singletons": "drop"},
    {"duplicates": "last"},
    {"duplicates": "merge", "singletons": "drop"},
    {"duplicates": "error"},
    {"missing_documents": "skip"},
    {"missing_documents": "error"},
    {"average": "macro", "blanc": "gold"},
    {"zeros": "drop"},
    {"zeros": "dependent"},
    {"match": "head"},
    {"match": "partial", "zeros": "dependent"},
    {"match": "min", "singletons": "drop"},
    {"scope": "topic"},
    {"scope": "corpus"},
    {"compat": "conll-8.01"},
    {"compat": "conll-8.01", "missing_documents": "skip"},
    {"compat": "corefud-1.2", "match": "head", "zeros": "dependent"},
    *({"preset": name} for name in PRESETS),
]


# --- random corpora -----------------------------------------------------------------------------


def random_document(chance: random.Random, name: str, annotated: bool = True) -> dict[str, Any]:
    """Return a document with zeros, heads, minima, and a few repeated mentions or empty clusters."""
    sentences = [
        [chance.choice("ab") for _ in range(chance.randint(1, 6))]
        for _ in range(chance.randint(1, 3))
    ]
    tokens = sum(map(len, sentences))
    starts = np.cumsum([0, *map(len, sentences)]).tolist()
    zeros = [
        token for token in range(tokens) if token not in starts and chance.random() < 0.15
    ]  # fmt: skip
    clusters: list[list[list[int]]] = []
    for _ in range(chance.randint(0, 4)):
        cluster = []
        for _ in range(chance.randint(1, 3)):
            sentence = chance.randrange(len(sentences))
            first = chance.randrange(starts[sentence], starts[sentence + 1])
            cluster.append([first, chance.randrange(first, starts[sentence + 1])])
        clusters.append(cluster)
    clusters = disentangled(clusters, chance)
    found: dict[str, Any] = {"doc_key": name, "sentences": sentences, "clusters": clusters}
    if annotated:
        found["zeros"] = zeros
        found["heads"] = [[chance.randint(*span) for span in cluster] for cluster in clusters]
        found["minima"] = [[[head] for head in heads] for heads in found["heads"]]
    if chance.random() < 0.3:
        found["genre"] = chance.choice(["news", "talk"])
    return found


def disentangled(clusters: list[list[list[int]]], chance: random.Random) -> list[list[list[int]]]:
    """Return the clusters without crossing mentions of an entity, and mostly without repeated ones."""
    repeats, seen = chance.random() < 0.2, set[tuple[int, ...]]()
    found = []
    for cluster in clusters:
        kept: list[list[int]] = []
        for first, last in cluster:
            crosses = any(a < first <= b < last or first < a <= last < b for a, b in kept)
            if crosses or [first, last] in kept or (not repeats and (first, last) in seen):
                continue
            seen.add((first, last))
            kept.append([first, last])
        if kept:
            found.append(kept)
    return found


def random_response(chance: random.Random, key: dict[str, Any]) -> dict[str, Any]:
    """Return a different annotation of the same words."""
    clusters = [
        [mention for mention in cluster if chance.random() < 0.8] for cluster in key["clusters"]
    ]
    if chance.random() < 0.5 and len(clusters) > 1:
        clusters = [clusters[0] + clusters[1], *clusters[2:]]
        clusters = disentangled(clusters, chance)
    if chance.random() < 0.1:
        clusters = []
    found = {name: key[name] for name in ("doc_key", "sentences", "zeros") if name in key}
    found["clusters"] = [cluster for cluster in clusters if cluster]
    if "heads" in key:
        found["heads"] = [[last for _, last in cluster] for cluster in found["clusters"]]
    return found


def random_corpora(seed: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]], str]:
    """Return the documents of a key and of a response, and the oddities of the response."""
    chance = random.Random(seed)
    names = [f"{chance.choice(['bn', 'nw'])}/d_{number}" for number in range(chance.randint(1, 9))]
    annotated = chance.random() < 0.8
    key = [random_document(chance, name, annotated) for name in names]
    response = [random_response(chance, document) for document in key]
    odd = chance.choice(
        [
            "",
            "",
            "",
            "missing",
            "extra",
            "moved",
            "again",
            "key again",
            "shuffled",
            "others",
            "long",
        ]
    )
    place = chance.randrange(len(key))
    if odd == "missing":
        del response[place]
    elif odd == "extra":
        response.insert(place, random_document(chance, "bn/other_1"))
    elif odd == "moved":
        response.append(response.pop(place))
    elif odd == "again":
        response.append(response[place])
    elif odd == "key again":
        key.append(key[place])
    elif odd == "shuffled":
        chance.shuffle(response)
    elif odd == "others":
        for number, document in enumerate(response):
            document["doc_key"] = f"x_{number}"
    elif odd == "long":
        response[place]["sentences"] = [*response[place]["sentences"], ["c"]]
    return key, response, odd


def written(documents: Sequence[dict[str, Any]], format: str) -> bytes:
    lines = b"".join(json.dumps(document).encode() + b"\n" for document in documents)
    if format == "jsonlines" or not documents:
        return lines
    return write(read_jsonlines(lines), format).encode()


def damaged(chance: random.Random, data: bytes) -> bytes:
    """Return a file with some bytes or lines changed."""
    lines = data.split(b"\n")
    place = chance.randrange(len(lines))
    kind = chance.randrange(10)
    if kind == 0:
        del lines[place]
    elif kind == 1:
        lines.insert(place, chance.choice(lines))
    elif kind == 2:
        lines.insert(place, b"# a comment")
    elif kind == 3:
        lines.insert(place, b"")
    elif kind == 4:
        lines = [line + b"\r" for line in lines]
    elif kind == 5:
        lines[place] += chance.choice([b" ", b"\r", b")", b"(7", b"|", b"\t_", b"\0", b"\xff"])
    elif kind == 6:
        lines[place] = lines[place][: chance.randrange(len(lines[place]) + 1)]
    elif kind == 7:
        lines[place] = lines[place].replace(
            *chance.choice(
                [
                    (b"#begin", b"# begin"),
                    (b"# newdoc", b"#newdoc"),
                    (b"#end document", b""),
                    (b"# newdoc id = ", b"# newdoc"),
                    (b'"clusters"', b'"predicted_clusters"'),
                    (b'"clusters": [', b'"predicted_clusters": [], "clusters": [[], '),
                    (b"global.Entity", b"global.Something"),
                    (b"(", b"(1+2)("),
                ]
            )
        )
    elif kind == 8:
        lines = [line for line in lines if b"global." not in line or chance.random() < 0.5]
    else:
        lines = [line.replace(b'"clusters"', b'"predicted_clusters"') for line in lines]
    return b"\n".join(lines)


# --- the same result ----------------------------------------------------------------------------


def at_once(key: str, response: str, how: Settings, metrics: Sequence[str], **named: Any) -> Any:
    """Return the result of reading everything at once, or the error."""
    reference = how.compat == "conll-8.01"
    try:
        ours = read(key, role="key", reference=reference, **named)
        theirs = read(response, role="response", reference=reference, **named)
        return score_corpora(ours, theirs, how, metrics)
    except SameasError as error:
        return error


def in_pieces(
    key: str,
    responses: Sequence[str],
    how: Settings,
    metrics: Sequence[str],
    jobs: int = 1,
    **sizes: int,
) -> list[Result] | None:
    """Return the results of scoring in pieces, or None if it does not apply."""
    plan = Plan(key=key, responses=responses, settings=how, metrics=metrics, jobs=jobs)
    try:
        return run(replace(plan, rows=lambda plan: iter(score_pieces(plan, **sizes))))
    except CannotCutError:
        return None


def score_streaming(
    key: str, response: str, how: Settings, metrics: Sequence[str], jobs: Any = 1, tell: Any = None
) -> Result:
    plan = Plan(key=key, responses=[response], settings=how, metrics=metrics, jobs=jobs)
    (result,) = run(replace(plan, tell=tell or plan.tell))
    return replace(result, matchings=())


def assert_same(found: Result, wanted: Any) -> None:
    assert isinstance(wanted, Result), wanted
    assert found == wanted
    assert (found.name, list(found.notes)) == (wanted.name, list(wanted.notes))
    assert list(found.problems) == list(wanted.problems)
    assert found.genres == wanted.genres
    assert not found.matchings
    for metric, columns in wanted.statistics.columns.items():
        types = [column.dtype for column in columns]
        assert [column.dtype for column in found.statistics.columns[metric]] == types
    assert found.remarks == wanted.remarks


def settings_of(how: dict[str, str]) -> tuple[Settings, tuple[str, ...]]:
    preset = how.get("preset")
    metrics = choose_metrics(None if preset else "all", preset)
    return Settings.of(**how), metrics


def try_files(seed: int, harm: bool) -> str:
    """Score a random pair of files at once and in pieces, and return what happened."""
    chance = random.Random(f"{seed} {harm}")
    formats = [chance.choice(FORMATS)] * 2 if chance.random() < 0.9 else chance.sample(FORMATS, 2)
    key, response, odd = random_corpora(seed)
    chosen, metrics = settings_of(chance.choice(HOW))
    contents = [
        written(side, format) for side, format in zip((key, response), formats, strict=True)
    ]
    if harm:
        place = chance.randrange(2)
        contents[place] = damaged(chance, contents[place])
    piece = chance.choice([1, 100, 300, 1000])
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for side, content in zip(("key", "response"), contents, strict=True):
            paths.append(os.path.join(folder, side))
            Path(paths[-1]).write_bytes(content)
        wanted = at_once(*paths, chosen, metrics)
        block = chance.choice([1, 50, 1 << 17])
        with (
            mock.patch.object(cutting, "BLOCK", block),
            mock.patch.object(pieces, "BLOCK", block),
        ):
            found = in_pieces(paths[0], [paths[1]], chosen, metrics, piece=piece, small=-1)
        if found is None:
            return f"{'harmed' if harm else odd or 'sound'}: at once"
        assert_same(found[0], wanted)
        return f"{'harmed' if harm else odd or 'sound'}: in pieces"


@settings(max_examples=examples(150), deadline=None)
@given(st.integers(0, 1 << 30))
def test_files_give_the_same_result_in_pieces(seed: int) -> None:
    try_files(seed, harm=False)


@settings(max_examples=examples(150), deadline=None)
@given(st.integers(0, 1 << 30))
def test_damaged_files_give_the_same_result_in_pieces(seed: int) -> None:
    try_files(seed, harm=True)


@settings(max_examples=examples(80), deadline=None)
@given(st.integers(0, 1 << 30))
@example(50759)  # a document that has zeros on one side only
def test_folders_give_the_same_result_in_pieces(seed: int) -> None:
    try_folders(seed)


@pytest.mark.long
def test_random_corpora_are_really_split() -> None:
    tried = Counter(try_files(seed, harm=False) for seed in range(300))
    for odd in ("sound", "missing", "extra", "long"):
        assert tried[f"{odd}: in pieces"] > 2, tried
    assert Counter(map(try_folders, range(60)))["in pieces"] > 15


def try_folders(seed: int) -> str:
    """Do the same for folders with files of any format, skipped files, and files on one side only."""
    chance = random.Random(f"folders {seed}")
    key, response, _ = random_corpora(seed)
    chosen, metrics = settings_of(chance.choice(HOW))
    format = chance.choice((*FORMATS, "csv", "brat"))
    with tempfile.TemporaryDirectory() as folder:
        files = [chance.choice(["a", "b", "c/d"]) for _ in range(len(key) + len(response))]
        for side, documents in (("key", key), ("response", response)):
            homes: dict[str, list[dict[str, Any]]] = {}
            for number, document in enumerate(documents):
                # Files are mostly the same on both sides; the last document, if any, is new.
                other = chance.random() < 0.03
                home = chance.choice("abx") if other else files[int(document["doc_key"][-1])]
                homes.setdefault(home if number < 9 else "a", []).append(document)
            for home, content in homes.items():
                path = Path(folder, side, f"{home}.{format}")
                path.parent.mkdir(parents=True, exist_ok=True)
                if format == "brat":  # each is a folder of files
                    plain = [
                        {name: one[name] for name in ("doc_key", "sentences", "clusters")}
                        for one in content
                    ]
                    content = plain
                with suppress(SameasError):  # not every format can hold two documents of one name
                    save(read_jsonlines(written(content, "jsonlines")), path, format=format)
                if path.is_file() and chance.random() < 0.05:
                    path.write_bytes(damaged(chance, path.read_bytes()))
            Path(folder, side).mkdir(exist_ok=True)
            for name in ("README.md", ".hidden", "notes.md"):
                if chance.random() < 0.2:
                    Path(folder, side, name).write_text("something to read\n")
        paths = [os.path.join(folder, side) for side in ("key", "response")]
        wanted = at_once(*paths, chosen, metrics)
        piece = chance.choice([1, 1000])
        found = in_pieces(paths[0], [paths[1]], chosen, metrics, piece=piece, small=-1)
        if found is None:
            return "at once"
        assert_same(found[0], wanted)
        return "in pieces"


@settings(max_examples=examples(150), deadline=None)
@given(st.integers(0, 1 << 30))
@example(7207)  # the CorefUD scorer, and mentions in two entities
def test_added_parts_equal_the_whole(seed: int) -> None:
    chance = random.Random(f"parts {seed}")
    key, response, _ = random_corpora(seed)
    how, metrics = settings_of(chance.choice([one for one in HOW if "scope" not in one]))
    if not key or not response:
        return
    corpora = [read_jsonlines(written(side, "jsonlines")).documents for side in (key, response)]
    names = list(dict.fromkeys(document.name for side in corpora for document in side))
    if any(len({one.name for one in side}) < len(side) for side in corpora):
        return  # documents of one name are paired in order, over the whole corpus
    cuts = [chance.randrange(3) for _ in names]
    homes = dict(zip(names, sorted(cuts) if chance.random() < 0.5 else cuts, strict=True))
    try:
        whole = score_corpora(*map(Corpus, corpora), how, metrics)
        if authority_of(how).sees_whole_corpus(whole.matchings[0]):
            return  # this scorer's behaviour across documents is reproduced
        parts = [
            score_corpora(
                *(Corpus([one for one in side if homes[one.name] == part]) for side in corpora),
                how,
                metrics,
                part=True,
            )
            for part in sorted(set(homes.values()))
        ]
    except SameasError:
        return
    in_turn, shuffled = sum(parts), sum(chance.sample(parts, len(parts)))
    for added in (in_turn, shuffled):
        assert added.in_order() == whole.in_order()
        assert added.seen == whole.seen
        assert [nameless(note) for note in added.notes] == [nameless(one) for one in whole.notes]
    if list(homes.values()) == sorted(homes.values()):
        assert list(in_turn.notes) == list(whole.notes)


def nameless(note: Note) -> Note:
    """Return a note without names, because the first names depend on the order of the parts."""
    return replace(note, names=())


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Write a key and a response of 40 documents, in more than ten pieces."""
    chance = random.Random(7)
    key = [random_document(chance, f"d_{number}") for number in range(40)]
    response = [random_response(chance, document) for document in key]
    paths = (str(tmp_path / "key.conll"), str(tmp_path / "response.conll"))
    for path, documents in zip(paths, (key, response), strict=True):
        Path(path).write_bytes(written(documents, "conll"))
    monkeypatch.setattr("sameas.run.LARGE", 0)
    monkeypatch.setattr(pieces, "SMALL", 0)
    monkeypatch.setattr(pieces, "PIECE", 300)
    return paths


def test_small_files_are_read_at_once(files: tuple[str, str]) -> None:
    assert in_pieces(files[0], [files[1]], Settings(), ["muc"], small=1 << 20) is None


@pytest.mark.long
@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_processes_change_nothing(files: tuple[str, str], jobs: int) -> None:
    wanted = at_once(*files, Settings(), ("muc", "ceafe"))
    shares: list[float] = []
    found = score_streaming(
        *files, Settings(), ("muc", "ceafe"), jobs, tell=lambda what, done: shares.append(done)
    )
    assert_same(found, wanted)
    assert len(shares) > 10
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_several_responses_share_the_key(files: tuple[str, str]) -> None:
    found = in_pieces(files[0], [files[1], files[0], files[1]], Settings(), ("b3", "lea"))
    assert found is not None
    for result, path in zip(found, (files[1], files[0], files[1]), strict=True):
        assert_same(result, at_once(files[0], path, Settings(), ("b3", "lea")))


def test_a_response_that_cannot_be_split_prevents_all_pieces(
    files: tuple[str, str], tmp_path: Path
) -> None:
    lines = Path(files[1]).read_bytes().split(b"#begin")
    Path(files[1]).write_bytes(b"#begin".join([lines[0], *lines[:0:-1]]))
    assert in_pieces(files[0], [files[0], files[1]], Settings(), ("b3",)) is None
    assert_same(score_streaming(*files, Settings(), ("b3",)), at_once(*files, Settings(), ("b3",)))


@pytest.mark.long
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("place", [0, 12, 39])
def test_errors_are_the_same_in_pieces(files: tuple[str, str], jobs: int, place: int) -> None:
    lines = Path(files[1]).read_text().split("\n")
    begins = [number for number, line in enumerate(lines) if line.startswith("#begin")]
    lines[begins[place] + 1] += "(7"
    Path(files[1]).write_text("\n".join(lines))
    wanted = at_once(*files, Settings(), ("muc",))
    with pytest.raises(type(wanted)) as caught:
        score_streaming(*files, Settings(), ("muc",), jobs=jobs)
    assert str(caught.value) == str(wanted)
    assert f"response.conll:{begins[place] + 2}:" in str(wanted)


@pytest.mark.parametrize("jobs", [1, 2])
def test_warnings_have_the_lines_of_the_file(files: tuple[str, str], jobs: int) -> None:
    data = Path(files[0]).read_bytes()
    Path(files[0]).write_bytes(data.replace(b"#end document\n", b"", 3))
    wanted = at_once(*files, Settings(), ("muc",))
    found = in_pieces(files[0], [files[1]], Settings(), ("muc",), jobs=jobs)
    assert found is not None
    assert len(wanted.problems) == 3
    assert_same(found[0], wanted)


def test_wrong_paths_give_the_same_errors(files: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path in (str(tmp_path / "none"), str(tmp_path / "empty"), str(tmp_path)):
        for pair in ((files[0], path), (path, files[1])):
            wanted = at_once(*pair, Settings(), ("muc",))
            with pytest.raises(type(wanted)) as caught:
                score_streaming(*pair, Settings(), ("muc",))
            assert str(caught.value) == str(wanted)


@pytest.mark.parametrize("predicted", [b"both", b"alone", b"some"])
def test_predicted_clusters(tmp_path: Path, predicted: bytes) -> None:
    chance = random.Random(3)
    key = [random_document(chance, f"d_{number}", annotated=False) for number in range(20)]
    lines = written(key, "jsonlines").split(b"\n")
    (tmp_path / "key").write_bytes(b"\n".join(lines))
    new = (
        b'"predicted_clusters"'
        if predicted == b"alone"
        else b'"predicted_clusters": [], "clusters"'
    )
    start = 10 if predicted == b"some" else 0
    lines[start:] = [line.replace(b'"clusters"', new) for line in lines[start:]]
    (tmp_path / "response").write_bytes(b"\n".join(lines))
    paths = (str(tmp_path / "key"), str(tmp_path / "response"))
    wanted = at_once(*paths, Settings(), ("muc",))
    found = in_pieces(paths[0], [paths[1]], Settings(), ("muc",), piece=200, small=0)
    if predicted == b"some":
        assert found is None
        return
    assert found is not None
    assert_same(found[0], wanted)
    assert len(wanted.problems) == (predicted == b"both")


UA = """# global.columns = ID FORM MISC IDENTITY
# newdoc id = a_0
1 Ann _ (EntityID=1|MarkableID=m1|Min=1)

# newdoc id = a_1
# sent_id = 1
1 Ann _ (EntityID=1|MarkableID=m1|Min=1)
2 ran _ _
3 she _ (EntityID=1|MarkableID=m2|Min=3)

# newdoc id = a_2
1 Bob _ (EntityID=1|MarkableID=m1|Min=1)

"""


@pytest.mark.parametrize("match", ["exact", "min", "partial", "head"])
@pytest.mark.parametrize("format", ["conllu", "ua"])
def test_fields_named_once_apply_to_every_piece(tmp_path: Path, format: str, match: str) -> None:
    story, dog = SOUND.split("# newdoc id = story/dog")
    text = story + "".join(f"# newdoc id = dog_{number}{dog}" for number in range(9))
    text, changed = (UA, "she") if format == "ua" else (text, "(e22-object-1--1)")
    assert text.count("# global.") == 1
    paths = (str(tmp_path / "key"), str(tmp_path / "response"))
    Path(paths[0]).write_text(text)
    Path(paths[1]).write_text(
        text.replace(changed, "he" if format == "ua" else "(e21-object-1--1)")
    )
    wanted = at_once(*paths, Settings(match=match), ("b3",))
    found = in_pieces(paths[0], [paths[1]], Settings(match=match), ("b3",), piece=1, small=0)
    if isinstance(wanted, Result):
        assert found is not None
        assert len(wanted) > 2
        assert_same(found[0], wanted)
    else:  # the format has no heads
        assert (found, format) == (None, "ua")


# --- how many processes -------------------------------------------------------------------------


def test_jobs_are_counted() -> None:
    assert count_jobs(5) == 5
    assert 1 <= count_jobs("all") == count_jobs(0) <= (os.cpu_count() or 1)


@pytest.mark.parametrize("jobs", [-1, "two", 1.5, True])
def test_other_numbers_of_jobs_are_refused(files: tuple[str, str], jobs: Any) -> None:
    with raises("jobs", value=jobs):
        score_streaming(*files, Settings(), ("muc",), jobs=jobs)


def no_processes_left() -> bool:
    return not [child for child in multiprocessing.active_children() if child.is_alive()]


@pytest.mark.long
@pytest.mark.parametrize("wait", [0.0, 0.5])
def test_a_process_that_is_killed_is_an_error(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch, wait: float
) -> None:
    start = processes._start

    def start_and_kill(work: Any) -> tuple[Any, Any]:
        connection, process = start(work)
        time.sleep(wait)
        os.kill(process.pid, signal.SIGKILL)
        return connection, process

    monkeypatch.setattr(processes, "_start", start_and_kill)
    with pytest.raises(WorkError) as caught:
        score_streaming(*files, Settings(), ("muc",), jobs=2)
    assert has(caught.value, "process-died", how="signal", number=9)
    assert no_processes_left()


def test_an_interruption_ends_every_process(files: tuple[str, str]) -> None:
    def interrupt(what: str, done: float) -> None:
        assert not no_processes_left()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as kept:  # kept with its frames, as in notebooks
        score_streaming(*files, Settings(), ("muc",), jobs=2, tell=interrupt)
    assert no_processes_left()
    assert kept.tb is not None


def test_bugs_in_a_process_are_not_hidden(files: tuple[str, str]) -> None:
    with pytest.raises(KeyError):
        score_streaming(*files, Settings(), ("no such metric",), jobs=2)
    assert no_processes_left()


SCRIPT = """
import sys
import sameas.run
from sameas.run import pieces
print("begun")
sameas.run.LARGE, pieces.SMALL, pieces.PIECE = 0, 0, 300
result = sameas.score(*sys.argv[1:], metrics="muc", jobs=2)
print(len(result))
"""


@pytest.mark.long
@pytest.mark.parametrize("how", ["file", "-c", "-"])
def test_scripts_need_no_guard(files: tuple[str, str], tmp_path: Path, how: str) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    command = {"file": [str(tmp_path / "script.py")], "-c": ["-c", SCRIPT], "-": ["-"]}[how]
    ran = subprocess.run(
        [sys.executable, *command, *files],
        input=SCRIPT if how == "-" else "",
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (ran.stdout, ran.stderr) == ("begun\n40\n", "")


def test_no_unused_module_is_loaded() -> None:
    program = "import sys, sameas.run.pieces; print('multiprocessing' in sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "False\n"
