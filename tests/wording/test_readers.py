"""The whole output for invalid files: an edit of the English changes only this file."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import run

KEY = "#begin document (a);\na 0 0 Ann (0)\na 0 1 ran -\n#end document\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("key.conll").write_text(KEY)


def test_check_a_bad_file() -> None:
    Path("bad.conll").write_text(
        "#begin document (a);\nx (1\ny 2)\nz 5\nz (4)|(4)\n\n#begin document (a);\n# note\n"
        "x (1)\n#end document\n"
    )
    assert run("check", "bad.conll") == (
        1,
        "bad.conll:1:1: warning: document a has no `#end document`\n"
        "  hint: it was read up to the next header or the end of the file\n"
        "bad.conll:2:3: entity 1 is never closed\n"
        "  hint: a `1)` is missing before the end of the document\n"
        "bad.conll:3:3: entity 2 is closed but was never opened\n"
        "  hint: a `(2` is missing on or before this line\n"
        "bad.conll:4:3: `5` is not a coreference cell\n"
        "  hint: the last column must be `-` or brackets such as `(3`, `3)`, `(3)|(4`\n"
        "bad.conll:5:3: warning: document a: mention 3–3 “z” occurs twice in entity 4\n"
        "  hint: to score it anyway, use --duplicates first, last or merge\n"
        "bad.conll:7:1: warning: document a is repeated\n"
        "  hint: documents of the same name are paired in order of appearance\n"
        "bad.conll:8:1: warning: skipped 1 comment line\n"
        "  hint: the reference scorer counts them as tokens; remove them if its token numbers "
        "matter\n"
        "bad.conll: conll, 2 documents, 5 tokens, 3 mentions, 2 entities\n"
        "3 errors, 4 warnings\n",
        "",
    )


def test_check_a_pair() -> None:
    Path("other.conll").write_text(KEY.replace("Ann", "Eve") + KEY.replace("(a)", "(z)"))
    Path("key.conll").write_text(KEY + "#begin document (b);\n#end document\n")
    assert run("check", "key.conll", "other.conll") == (
        0,
        "key.conll:5:1: warning: document b is not in other.conll\n"
        "other.conll:2:11: warning: document a: token 0 is 'Eve' here and 'Ann' in key.conll:2\n"
        "  hint: spans are matched by token number, whatever the words are\n"
        "other.conll:5:1: warning: document z is not in key.conll\n"
        "key.conll: conll, 2 documents, 2 tokens, 1 mention, 1 entity\n"
        "other.conll: conll, 2 documents, 4 tokens, 2 mentions, 2 entities\n"
        "0 errors, 3 warnings\n",
        "",
    )


def test_check_a_table() -> None:
    Path("bad.csv").write_text("doc,mention,cluster,x\na,m,,1\na,,e,2\n")
    assert run("check", "bad.csv") == (
        1,
        "bad.csv:2:5: cluster is missing\n"
        "  hint: if such rows are mentions without an entity, drop them\n"
        "bad.csv:3:3: mention is missing\n"
        "2 errors, 0 warnings\n",
        "",
    )


def test_convert_reports_what_the_format_cannot_hold() -> None:
    Path("key.conll").write_text(KEY.replace("(0)", "(e.1)"))
    assert run("convert", "key.conll", "key.csv") == (
        0,
        "",
        "note: csv cannot hold the words of 1 document: dropped\n",
    )
    assert run("convert", "key.conll", "new.conll") == (
        0,
        "",
        "note: conll cannot hold entity ids such as 'e.1': 1 renumbered per document, so "
        "--scope topic and --scope corpus would join different entities\n",
    )
