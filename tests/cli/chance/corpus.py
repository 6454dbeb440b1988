"""Run commands on generated systems, and parse the tables that they print."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import command_line
from command_line import good, run
from sameas.errors import UsageError

METRICS = ["mention", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll"]
SYSTEMS = [f"s{n}.jsonl" for n in range(5)]


def noted(text: str) -> list[str]:
    """Return the notes below the tables, one line each."""
    lines = text.replace("\n  ", " ").splitlines()
    return [line.removeprefix("note: ") for line in lines if line.startswith("note: ")]


def wrong(error: UsageError) -> tuple[int, str]:
    """Return exit code and message of a command that was used wrongly."""
    return 2, f"sameas: {error}\n"


def number(name: str, least: float, most: float, value: float) -> UsageError:
    how = "percentage" if isinstance(least, float) else "whole"
    return UsageError("not-a-number", how=how, name=name, least=least, most=most, value=value)


def in_json(*arguments: object) -> Any:
    return json.loads(good(*arguments, "--json"))


def in_csv(*arguments: object) -> list[dict[str, str]]:
    """Return the rows of a table; notes, which do not fit in, are on standard error."""
    code, out, err = run(*arguments, "--csv")
    assert code == 0
    assert all(line.startswith("note: ") for line in err.splitlines())
    return list(csv.DictReader(io.StringIO(out)))


def signature_in(text: str) -> str:
    """Return the signature as printed, including line breaks."""
    return text[text.index("sameas:") :].strip()


def shell(
    *arguments: object, stdin: bytes = b"", **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a separate process, with environment variables."""
    return command_line.shell(*arguments, stdin=stdin, env={**os.environ, **variables})


def write(path: str | Path, wanted: Iterator[dict[str, Any]] | list[dict[str, Any]]) -> None:
    Path(path).write_text("".join(json.dumps(one) + "\n" for one in wanted))


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, path.read_text().splitlines())


QUICK = ("--samples", 200)
TWO = ("compare", "key.jsonl", "s0.jsonl", "s2.jsonl", *QUICK)


# --- parsing tables ---------------------------------------------------------------------


def width(line: str) -> int:
    """Return the number of terminal columns of a line."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in line
    )


def markdown_tables(text: str) -> list[list[list[str]]]:
    """Return the cells of every table; the lines of a valid table have equally many cells."""
    tables = []
    for block in text.split("\n\n"):
        if not block.startswith("| "):
            continue
        lines = [
            [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            for line in block.splitlines()
        ]
        assert {len(line) for line in lines} == {len(lines[0])}
        assert lines[1] == ["---", *["---:"] * (len(lines[0]) - 1)]
        cells = [lines[0], *lines[2:]]
        tables.append([[re.sub(r"\\([|*])", r"\1", cell) for cell in line] for line in cells])
    return tables


def latex_tables(text: str) -> list[list[list[str]]]:
    """Return the cells of every tabular; check braces, columns and rules."""
    bare = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    assert bare.isprintable() or "\n" in bare
    opened = re.sub(r"\\[{}\\]", "", bare)
    assert opened.count("{") == opened.count("}")
    tables = []
    for columns, body in re.findall(
        r"\\begin\{tabular\}\{(l+r+)\}\n(.*?)\\end\{tabular\}", bare, re.DOTALL
    ):
        # The name of a table and the legend of its marks span all columns.
        body = re.sub(r"(?<=\\toprule\n)\\multicolumn.*\n\\midrule\n", "", body)
        body = re.sub(r"(?<=\\bottomrule\n)\\multicolumn.*\n", "", body)
        lines = body.splitlines()
        assert (lines[0], lines[2], lines[-1]) == (r"\toprule", r"\midrule", r"\bottomrule")
        rows = [line for line in lines if not line.endswith("rule")]
        assert all(row.endswith(r" \\") for row in rows)
        cells = [re.split(r"(?<!\\)&", row.removesuffix(r" \\")) for row in rows]
        assert {len(row) for row in cells} == {len(columns)}
        tables.append([[cell.strip() for cell in row] for row in cells])
    assert len(tables) == bare.count(r"\begin{tabular}")
    for sign in "%#$":
        assert not re.search(rf"(?<!\\){re.escape(sign)}(?!-\$|\\phi|$)", bare.replace("$-$", ""))
    return tables


SMALL = """\
#begin document (a); part 000
a 0 0 Ann (0)
a 0 1 saw -
a 0 2 her (1|(0)
a 0 3 sister 1)

a 0 0 She (1)
#end document
"""


# --- correlate ----------------------------------------------------------------------------------

OWN = """\
system,group,muc,b3,blanc
a,x,50.0,40.0,30.0
b,x,60.0,45.0,42.0
c,x,55.0,47.0,35.0
d,y,70.0,60.0,50.0
e,y,65.0,62.0,41.0
f,y,45.0,39.0,33.0
"""
