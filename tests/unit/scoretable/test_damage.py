"""No input crashes the reader of tables of scores."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sameas.errors import SameasError, UsageError
from sameas.settings import Resampling
from sameas.tables.correlation import correlate
from sameas.tables.record import audit
from sameas.tables.score_files import read_scores
from sameas.tables.scoretable import ScoreTable

SNIPPETS = [",", ";", "\t", "\n", "\r", "\r\n", '"', '""', "'", "\x00", "\ufeff", "\u2028", " "]
SNIPPETS += ["#", "inf", "-inf", "nan", "1e999", "-1e999", "1e308", "1e-320", "9" * 400, "9" * 5000]
SNIPPETS += ["٣", "１２", "²", "½", "1_0", "0x1", "1,5", "50%", "**", "–", "\ud800", "\U0010ffff"]
SNIPPETS += [
    "{",
    "}",
    "[",
    "]",
    ":",
    "null",
    "true",
    "Infinity",
    "NaN",
    "{}",
    "[]",
    '{"a":1}',
    "\\",
]
SNIPPETS += ["[" * 3000, "document", "metrics", "total", "response,scope,name,metric,", "muc", ""]
VALUES: list[Any] = [None, True, False, 0, -1, 1.5, 10**30, 10**400, 1e308, -1e308, 5e-324]
VALUES += [math.nan, math.inf, -math.inf, "", "x", "\x00", "1", "1e999", [], {}, [[]], [1], [None]]
VALUES += [{"": None}, {"f1": 0.5}, {"f1": None}, {"f1": math.inf}, {"f1": "x"}, {"metrics": {}}]
VALUES += [{"muc": {"f1": 0.5}}, {"muc": 1}, [{"document": "d"}], [{"metrics": [1]}], "metrics"]
KEYS = ["", "muc", "b3", "conll", "metrics", "response", "by_document", "document", "f1", "name"]


def _sound(generator: random.Random) -> tuple[str, Any]:
    """Return a valid table as text, and as data if it is JSON."""
    rows = generator.randint(2, 8)
    names = generator.sample(["mention", "muc", "b3", "ceafe", "conll", "muc_recall", "x y"], 3)

    def number() -> float:
        return round(generator.uniform(0, 100), generator.choice([0, 1, 2]))

    def metrics() -> dict[str, dict[str, float]]:
        return {
            name: {"recall": generator.random(), "precision": 0.5, "f1": generator.random()}
            for name in names
        }

    kind = generator.randrange(8)
    if kind < 3:
        delimiter = generator.choice(",,;\t")
        lines = [delimiter.join(["system", "document", *names])]
        lines += [
            delimiter.join([f"s{n}", f"d{n // 2}", *(str(number()) for _ in names)])
            for n in range(rows)
        ]
        return "\n".join(lines) + "\n", None
    if kind == 3:
        lines = ["response,scope,name,metric,recall,precision,f1,signature"]
        lines += [
            f"s{n},{scope},{name},{metric},0.5,{generator.random()},{generator.random()},sameas:coref"
            for n in range(rows)
            for scope, name in (("total", ""), ("document", "d1"), ("document", "d2"))
            for metric in names
        ]
        return "\n".join(lines) + "\n", None
    data: Any = [{"system": f"s{n}", **{name: number() for name in names}} for n in range(rows)]
    if kind == 5:
        data = {name: [record[name] for record in data] for name in data[0]}
    elif kind == 6:
        data = {record.pop("system"): record for record in data}
    elif kind == 7:
        data = [
            {
                "response": f"s{n}",
                "metrics": metrics(),
                "by_document": [{"document": f"d{m}", "metrics": metrics()} for m in range(rows)],
            }
            for n in range(rows)
        ]
    return json.dumps(data, indent=generator.choice([None, 1])), data


def _damage(generator: random.Random, content: bytes) -> bytes:
    """Damage the bytes of a table in one way."""
    place = generator.randrange(len(content) + 1)
    stop = min(len(content), place + generator.choice([1, 1, 2, 5, 20]))
    lines = content.splitlines(keepends=True)
    way = generator.randrange(14)
    if way == 0 and content:
        place = min(place, len(content) - 1)
        flipped = content[place] ^ (1 << generator.randrange(8))
        return content[:place] + bytes([flipped]) + content[place + 1 :]
    if way == 1:
        return content[:place]
    if way == 2:
        return content[:place] + content[stop:]
    if way == 3 and lines:
        generator.shuffle(lines)
        return b"".join(lines)
    if way == 4:
        swapped = {44: 59, 59: 44, 9: 44}
        return bytes(
            swapped.get(byte, byte) if generator.random() < 0.3 else byte for byte in content
        )
    if way == 5:
        return content.replace(b"\n", generator.choice([b"\r\n", b"\r", b"\n\n", b"\x0c", b""]))
    if way == 6:
        return generator.choice([b"\xef\xbb\xbf", b"\xff\xfe", b"\n", b"#", b",", b'"']) + content
    if way == 7 and lines:  # a repeated or changed header
        again = lines[0].replace(b"system", generator.choice([b"", b"muc", b"b3", b"name"]))
        return generator.choice([lines[0] + content, again + b"".join(lines[1:])])
    if way == 8:
        return bytes(
            byte for byte in content if chr(byte) not in generator.choice(["0123456789", "abcdef"])
        )
    if way == 9:
        text = content.decode(errors="replace")
        return text.encode(generator.choice(["utf-16", "latin-1"]), "replace")
    if way == 10:
        return content[:place] + content[generator.randrange(len(content) + 1) :]
    snippet = generator.choice(SNIPPETS).encode("utf-8", "surrogatepass")
    return content[:place] + snippet + content[stop if generator.random() < 0.5 else place :]


def _damage_data(generator: random.Random, data: Any) -> bytes:
    """Put wrong values into the data of a JSON table."""
    data = json.loads(json.dumps(data))
    for _ in range(generator.choice([1, 1, 2, 4])):
        holder: Any = data
        while True:
            places = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            if not places:
                break
            place = generator.choice(places)
            inner = holder[place]
            if isinstance(inner, (dict, list)) and inner and generator.random() < 0.7:
                holder = inner
                continue
            way = generator.randrange(4)
            if way == 0:
                del holder[place]
            elif way == 1 and isinstance(holder, dict):
                holder[generator.choice(KEYS)] = holder.pop(place)
            elif way == 2 and isinstance(holder, list):
                holder.append(deepcopy(generator.choice([inner, *VALUES])))
            else:
                holder[place] = deepcopy(generator.choice(VALUES))
            break
    return json.dumps(data).encode()


def damaged(count: int, seed: int) -> Iterator[tuple[int, bytes, dict[str, Any]]]:
    """Yield damaged tables, and the options for reading them."""
    for number in range(count):
        generator = random.Random(f"{seed}/{number}")
        text, data = _sound(generator)
        if data is not None and generator.random() < 0.6:
            content = _damage_data(generator, data)
        else:
            content = text.encode()
            for _ in range(generator.choice([1, 1, 1, 2, 3])):
                content = _damage(generator, content)
        yield (
            number,
            content,
            {
                "part": generator.choice(["f1", "f1", "recall"]),
                "by_document": generator.random() < 0.15,
                "missing": generator.choice(["error", "skip", "keep"]),
                "columns": ["muc"] if generator.random() < 0.1 else None,
            },
        )


def check(path: Path, options: dict[str, Any]) -> list[str]:
    """Read, correlate and audit a file, and return the outcomes; only our own errors are allowed."""
    ended = []
    try:
        found = read_scores(path, **options)
    except SameasError as error:
        assert str(error)
        assert isinstance(error, UsageError) or str(path) in str(error), "does not name the file"
        return ["refused"]
    ended.append("read")
    assert isinstance(found, ScoreTable)
    assert all(len(cells) == len(found) for cells in found.labels.values())
    assert all(len(column) == len(found) for column in found.columns.values())
    assert all(isinstance(cell, str) for cells in found.labels.values() for cell in cells)
    assert all(column.dtype == np.float64 for column in found.columns.values())
    if options["missing"] != "keep":
        assert all(not np.isnan(column).any() for column in found.columns.values())
    assert len(found.records()) == len(found)
    try:
        for one in correlate(found, resampling=Resampling(samples=100)):
            for part in (one.pearson, one.spearman, one.kendall):
                assert part.value is None or -1 <= part.value <= 1
                assert part.interval is None or -1 <= part.interval[0] <= part.interval[1] <= 1
        ended.append("correlated")
    except SameasError as error:
        assert str(error)
    try:
        for finding in audit(found):
            assert str(finding)
            json.dumps(vars(finding), allow_nan=False)
        ended.append("audited")
    except UsageError as error:
        assert error.code == "nothing-to-audit"
    return ended


@pytest.mark.long
def test_damaged_tables_are_read_or_refused(tmp_path: Path) -> None:
    failures: Counter[str] = Counter()
    ended: Counter[str] = Counter()
    path = tmp_path / "scores.txt"
    for number, content, options in damaged(4000, seed=0):
        path.write_bytes(content)
        try:
            ended.update(check(path, options))
        except Exception as error:
            failures[f"{type(error).__name__}: {str(error)[:80]}"] += 1
            if sum(failures.values()) <= 3:
                print(f"case {number} {options}: {content[:300]!r}")
    assert not failures, failures
    assert ended["refused"] > 1000
    assert ended["correlated"] > 500
