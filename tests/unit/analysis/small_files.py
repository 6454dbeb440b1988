"""Small hand-written files and their errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sameas
from sameas import Analysis


def conll(*sentences: str, name: str = "a", tags: str = "") -> str:
    """Return a CoNLL document; `[7 the ship ]` in a sentence is a mention of entity 7.

    With parts of speech, it has the twelve columns of CoNLL-2012.
    """
    lines, parts = [f"#begin document ({name}); part 000"], iter(tags.split())
    for sentence in sentences:
        words: list[str] = []
        cells: list[list[str]] = []
        opened: list[tuple[str, int]] = []
        for piece in sentence.split():
            if piece.startswith("["):
                opened.append((piece[1:], len(words)))
            elif piece == "]":
                id, first = opened.pop()
                last = len(words) - 1
                if first == last:
                    cells[first].append(f"({id})")
                else:
                    cells[first].insert(0, f"({id}")
                    cells[last].append(f"{id})")
            else:
                words.append(piece)
                cells.append([])
        for number, (word, cell) in enumerate(zip(words, cells, strict=True)):
            columns = [name, "0", str(number), word]
            if tags:
                columns += [next(parts), *["-"] * 6]
            lines.append("\t".join([*columns, "|".join(cell) or "-"]))
        lines.append("")
    return "\n".join([*lines, "#end document", ""])


def analyse(folder: Path, key: str, response: str, **options: Any) -> Analysis:
    """Write both texts to files, and analyse these."""
    (folder / "key.conll").write_text(key)
    (folder / "response.conll").write_text(response)
    return sameas.analyse(folder / "key.conll", folder / "response.conll", **options)


def shown(errors: Any) -> list[tuple[str, str, str]]:
    """Return kind, first mention and other mention of errors."""
    return [(e.kind, e.mentions[0].text, e.other.text if e.other else "") for e in errors]
