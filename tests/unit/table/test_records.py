"""Clusters of records from tables, and truth for a sample."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import sameas
from sameas.errors import InputError
from sameas.notes import Note
from sameas.results.words import words_of
from sameas.sentences import of_records
from saying import raises, raises_problems, says

# --- records to clusters -----------------------------------------------------------------------


TRUTH = {"r1": "x", "r2": "x", "r3": "y", "4": "y"}
FOUND = {"r1": 1, "r2": 2, "r3": 2, 4: 2}


def test_the_cluster_of_each_record() -> None:
    frames = [{"record": list(side), "cluster": list(side.values())} for side in (TRUTH, FOUND)]
    wanted = sameas.score(*frames)
    assert wanted["muc"].counts == (1, 2, 1, 2)
    for key, response in ((TRUTH, FOUND), (TRUTH, frames[1]), (frames[0], FOUND)):
        assert sameas.score(key, response) == wanted
    assert sameas.compare(TRUTH, {"a": FOUND, "b": TRUTH}).results["a"] == wanted
    assert sameas.compare(frames[0], {"a": FOUND, "b": TRUTH}).results["a"] == wanted
    with raises_problems("no-entity", name="cluster", row=2):
        sameas.score({"r1": 1, "r2": None}, FOUND)


def test_a_series_of_clusters_by_record() -> None:
    pandas = pytest.importorskip("pandas")
    wanted = sameas.score(TRUTH, FOUND)
    series = [pandas.Series(side) for side in (TRUTH, FOUND)]
    assert sameas.score(*series) == wanted
    assert sameas.score(TRUTH, series[1].astype("category")) == wanted
    assert sameas.compare(series[0], {"a": series[1], "b": TRUTH}).results["a"] == wanted
    levels = pandas.Series([1], index=pandas.MultiIndex.from_tuples([(1, 2)]))
    with raises("series-levels", role="key", levels=2):
        sameas.score(levels, FOUND)


def test_mappings_that_are_not_tables() -> None:
    clusters = {f"c{n}": [f"r{n}"] for n in range(20_000)}
    for wrong in (clusters, dict(enumerate(clusters.values())), {}):
        with raises("mapping-not-columns", role="response"):
            sameas.score(TRUTH, wrong)
    assert sameas.score(list(clusters.values()), list(clusters.values()))["b3"].f1 == 1
    with raises("column-not-list", name="mention", role="key"):
        sameas.score({"mention": "m", "entity": "x"}, TRUTH)


@pytest.mark.long
def test_messages_stay_short() -> None:
    columns: dict[str, Any] = {f"column {n}": [n] for n in range(20_000)}
    with pytest.raises(InputError) as caught:
        sameas.score({"mention": [1], **columns}, TRUTH)
    assert len(str(caught.value)) < 1000
    result = sameas.score({"mention": [1], "entity": [1], **columns}, {"1": 1})
    assert max(len(str(note)) for note in result.remarks) < 1000


# --- truth for a sample ----------------------------------------------------------------------


def sampled(records: int = 1000, known: int = 100) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return truth for some of the records, and a prediction for all; clusters of two."""
    truth = {"record": list(range(known)), "cluster": [n // 2 for n in range(known)]}
    return truth, {"record": list(range(records)), "cluster": [n // 2 for n in range(records)]}


def clusters_of(frame: dict[str, Any]) -> list[list[str]]:
    found: dict[Any, list[str]] = {}
    for record, cluster in zip(frame["record"], frame["cluster"], strict=True):
        found.setdefault(cluster, []).append(f"r{record}")
    return list(found.values())


def sample_notes(result: sameas.Result) -> list[Note]:
    return [note for note in result.notes if note.code == "sample"]


def sample_warning(count: int, total: int) -> str:
    return re.escape(says("sample", count=count, total=total))


@pytest.mark.parametrize("how", [{}, {"singletons": "drop"}, {"metrics": "pairwise"}], ids=str)
def test_truth_for_a_sample_is_noted(how: dict[str, Any], tmp_path: Path) -> None:
    from sameas.integrations.sklearn import score_labels

    truth, found = sampled()
    paths = []
    for name, frame in (("truth", truth), ("found", found)):
        rows = zip(*frame.values(), strict=True)
        text = "record,cluster\n" + "".join(f"{one},{other}\n" for one, other in rows)
        paths.append(tmp_path / f"{name}.csv")
        paths[-1].write_text(text)
    labels = [n if n < 50 else -1 for n in (n // 2 for n in range(1000))]
    with pytest.warns(UserWarning, match=sample_warning(900, 1000)):
        results = [sameas.score(truth, found, **how), sameas.score(*paths, **how)]
    with pytest.warns(UserWarning, match=sample_warning(900, 1000)):
        results.append(score_labels(labels, found["cluster"], absent=-1, **how))
    for result in results:
        assert sample_notes(result) == [Note("sample", count=900, total=1000)]
        assert says("sample", count=900, total=1000) in result.as_dict()["notes"]
    assert "900 of 1,000 records" in str(results[0])
    with pytest.warns(UserWarning, match=sample_warning(900, 1000)):
        assert "900 of 1,000 records" in sameas.report(truth, {"found": found}).html


def test_records_of_a_sum_are_added() -> None:
    truth, found = sampled()
    with pytest.warns(UserWarning, match=sample_warning(900, 1000)):
        one, other = sameas.score(truth, found), sameas.score(*sampled(400, 40))
    assert sample_notes(one + other) == [Note("sample", count=1260, total=1400)]


def test_records_of_one_side_alone_are_counted() -> None:
    truth, found = sampled(1000, 900)
    extra = Note("extra-records", count=100, total=1000)  # too few for a sample
    assert sameas.score(truth, found).notes == [extra]
    assert sameas.score(truth, truth).notes == []
    truth, found = sampled(1000, 898)
    with pytest.warns(UserWarning, match=sample_warning(102, 1000)):
        sameas.score(truth, found)
    alone = {"record": ["x", "y"], "cluster": [1, 1]}
    assert sameas.score(alone, found).notes == [Note("apart")]
    lost = Note("lost-records", count=102, total=1000)
    assert sameas.score(found, truth).notes == [lost]
    both = {"record": [*range(500), "x"], "cluster": [*range(500), 0]}
    half = {"record": range(499), "cluster": range(499)}
    assert sameas.score(half, both).notes == [Note("extra-records", count=2, total=501)]
    assert sameas.score(both, half).notes == [Note("lost-records", count=2, total=501)]
    dropped = {"record": list(range(1000)), "cluster": [*range(998), 0, 1]}
    assert not sample_notes(sameas.score(dropped, found, singletons="drop"))


def test_records_of_several_documents_are_counted() -> None:
    truth, found = sampled()
    several = [{"document": [n % 2 for n in side["record"]], **side} for side in (truth, found)]
    with pytest.warns(UserWarning, match=sample_warning(900, 1000)):
        result = sameas.score(*several)
    assert sample_notes(result) == [Note("sample", count=900, total=1000)]
    # They are records of the whole table, not of each block.
    blocks = result.by(str)
    assert [part.notes for part in blocks.values()] == [[], []]
    assert not sample_notes(sum(blocks.values()))
    # Records of documents that the truth lacks are not scored.
    block = {"document": [0] * 10, "record": [*range(10)], "cluster": [0] * 10}
    more = {"document": [1] * 90, "record": [*range(90)], "cluster": [0] * 90}
    both = {name: block[name] + more[name] for name in block}
    assert [note.code for note in sameas.score(block, both).notes] == ["extra"]


def blocks(*sizes: tuple[int, int, int]) -> list[dict[str, list[object]]]:
    """Return truth and prediction; each block has its number, and how many records each has."""
    sides: list[dict[str, list[object]]] = []
    for side in (1, 2):
        rows = [(size[0], n) for size in sizes for n in range(size[side])]
        columns = [
            [row[0] for row in rows],
            [row[1] for row in rows],
            [row[1] // 2 for row in rows],
        ]
        sides.append(dict(zip(("document", "record", "cluster"), columns, strict=True)))
    return sides


def test_notes_of_selected_blocks_are_not_guessed() -> None:
    whole = sameas.score(*blocks((0, 10, 9), (1, 10, 9)))
    other = sameas.score(*blocks((2, 4, 3)))
    assert whole.notes == [Note("lost-records", count=2, total=20)]
    assert (whole + other).notes == [Note("lost-records", count=3, total=24)]
    assert (whole.select([0]) + other).notes == []  # and not 1 of 4
    assert whole.select([1, 0]).notes == whole.notes
    assert (whole.select([1, 0]) + other).notes == (whole + other).notes


def test_selected_blocks_that_share_nothing_add_up() -> None:
    truth, found = blocks((0, 4, 4), (1, 4, 4))
    found["record"] = [f"x{record}" for record in found["record"]]
    apart = sameas.score(truth, found)
    assert apart.notes == [Note("apart")]
    assert sum(apart.by(str).values()).notes == [Note("apart")]


def test_parts_without_records_do_not_change_the_words() -> None:
    whole = sameas.score(*blocks((0, 10, 9)))
    empty = sameas.score([sameas.Document("empty")], [sameas.Document("empty")])
    for joined in (whole + empty, empty + whole):
        assert joined.of_records
        assert Note("lost-records", count=1, total=10) in joined.notes


def test_warnings_name_the_line_of_the_caller(tmp_path: Path) -> None:
    from sameas.integrations.sklearn import score_labels

    truth, found = sampled()
    for call in (
        lambda: sameas.score(truth, found),
        lambda: sameas.compare(truth, {"a": found, "b": found}),
        lambda: score_labels([*truth["cluster"], *[-1] * 900], found["cluster"], absent=-1),
    ):
        with pytest.warns(UserWarning, match=sample_warning(900, 1000)) as caught:
            call()
        assert {warning.filename for warning in caught} == {__file__}
    for name, side in (("truth", truth), ("found", found)):
        (tmp_path / name).mkdir()
        rows = zip(*side.values(), strict=True)
        text = "record,cluster\n" + "".join(f"{one},{other}\n" for one, other in rows)
        (tmp_path / name / "a.csv").write_text(text)
    with pytest.warns(UserWarning, match=sample_warning(900, 1000)):
        sameas.score_datasets(tmp_path / "truth", tmp_path / "found")


def test_mentions_of_texts_are_not_records() -> None:
    spans = [[(n, n), (n + 1, n + 1)] for n in range(0, 1000, 2)]
    documents = [sameas.Document.from_clusters("a", clusters_of(side)) for side in sampled()]
    frame = {"start": list(range(1000)), "end": list(range(1000)), "entity": [1] * 1000}
    known = {name: column[:100] for name, column in frame.items()}
    truth, found = sampled()
    for key, response in (
        (spans[:50], spans),
        (known, frame),
        documents,
        ([["a", "b"]], [["a", "b", "c"]]),
        (clusters_of(truth), clusters_of(found)),  # "3-5" may be a mention of a text
    ):
        assert sample_notes(sameas.score(key, response)) == []
    scorer = sameas.Scorer()
    scorer.update(clusters_of(truth), clusters_of(found))
    assert sample_notes(scorer.compute()) == []


# --- the words of entity resolution -------------------------------------------------------------


def test_results_of_records_speak_of_records(tmp_path: Path) -> None:
    result = sameas.score(TRUTH, FOUND, singletons="drop", metrics="mention,b3")
    assert result.of_records
    assert "Records" in str(result)
    assert "Mentions" not in str(result)
    assert list(map(str, result.remarks)) == [
        str(Note("singletons", "response", 1).of_records()),
    ]
    assert words_of(result)("an entity of the key") == "a cluster of the truth"
    assert not re.search("mention|entit|key|response", str(sameas.analyse(TRUTH, FOUND)))


BLOCKS = {"document": ["x", "x", "y"], "record": ["a", "b", "a"], "cluster": [1, 1, 2]}


@pytest.mark.parametrize(
    ("names", "of_records"),
    [
        ("document record cluster", True),
        ("document Rec_ID cluster_id", True),
        ("document id entity", True),
        ("document mention entity", False),
        ("doc_id mention_id cluster_id", False),  # as in cross-document coreference
    ],
)
def test_columns_tell_whether_blocks_hold_records(names: str, of_records: bool) -> None:
    table = dict(zip(names.split(), BLOCKS.values(), strict=True))
    part = {name: column[:2] for name, column in table.items()}  # lacks a document
    for response in (table, part):
        result = sameas.score(table, response)
        assert result.of_records == of_records
        assert ("Records" in str(result)) == of_records
    notes = [str(note) for note in sameas.score(table, part).remarks]
    missing = Note("missing", count=1, names=["y"], how="empty")
    lost = Note("lost-records", count=1, total=3)
    expected = [missing.of_records(), lost.of_records()] if of_records else [missing]
    assert notes == [*map(str, expected)]
    renamed = {**table, names.split()[0]: ["p", "p", "q"]}
    both = sameas.score(table, part) + sameas.score(renamed, renamed)
    assert both.of_records == of_records


def test_results_of_texts_speak_of_mentions() -> None:
    clusters = sameas.score([["a", "b"]], [["a"]])
    table = {"document": ["x", "x", "y"], "mention": ["a", "b", "a"], "entity": [1, 1, 2]}
    for result in (clusters, sameas.score(table, table)):
        assert not result.of_records
        assert "Mentions" in str(result)
        assert words_of(result)("an entity of the key") == "an entity of the key"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mentions: {count:entity} of the key", "Records: {count:cluster} of the truth"),
        ("{key} and {response} keep their names", "{key} and {response} keep their names"),
        ("monkeys, keynote and doc_key stay", "monkeys, keynote and doc_key stay"),
        ("repeated mentions", "repeated records"),
    ],
)
def test_words_of_records(text: str, expected: str) -> None:
    assert of_records(text) == expected


def test_names_of_users_keep_their_words() -> None:
    note = Note("missing", names=["key", "mention"], count=2, how="skip").of_records()
    assert "key, mention" in str(note)
