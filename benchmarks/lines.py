"""Count the lines of code in `src`, without blank lines, comments, docstrings and data.

Data are multi-line literals in module constants: word lists, tables, sentences. So a list of
words never counts, even in a separate file, but a table of functions does.

    python benchmarks/lines.py                  the working tree
    python benchmarks/lines.py REVISION …       commits, with the difference from the first
    python benchmarks/lines.py --by-file [REVISION]
"""

from __future__ import annotations

import argparse
import ast
import io
import subprocess
import tokenize
from pathlib import Path

LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


def count(source: str) -> int:
    """Return the number of lines of a file that contain code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in LAYOUT:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - _docstring_and_data_lines(ast.parse(source)))


def _docstring_and_data_lines(tree: ast.Module) -> set[int]:
    """Return the line numbers of docstrings and of data."""
    found: set[int] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and _is_text(body[0]):
            found.update(_lines(body[0]))
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            if _is_literal(node.value):
                found.update(_lines(node))
            else:
                for part in ast.walk(node.value):
                    if isinstance(part, ast.expr) and _is_literal(part):
                        found.update(_lines(part) if len(_lines(part)) > 1 else ())
    return found


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError):
        return False
    return True


def _lines(node: ast.stmt | ast.expr) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def tree(revision: str | None) -> dict[str, str]:
    """Return the source files of a commit, or of the working tree."""
    if revision is None:
        root = Path(__file__).parent.parent
        return {
            str(path.relative_to(root)): path.read_text(encoding="utf-8")
            for path in sorted((root / "src").rglob("*.py"))
        }
    listed = _git("ls-tree", "-r", "--name-only", revision, "src").splitlines()
    return {path: _git("show", f"{revision}:{path}") for path in listed if path.endswith(".py")}


def _git(*arguments: str) -> str:
    root = Path(__file__).parent.parent
    return subprocess.run(
        ["git", "-C", str(root), *arguments], check=True, capture_output=True, encoding="utf-8"
    ).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("revisions", nargs="*", metavar="REVISION")
    parser.add_argument("--by-file", action="store_true")
    options = parser.parse_args()
    first: int | None = None
    for revision in options.revisions or [None]:
        counts = {path: count(source) for path, source in tree(revision).items()}
        if options.by_file:
            for path, number in counts.items():
                print(f"{number:7,}  {path}")
        total = sum(counts.values())
        difference = "" if first is None else f"  {total - first:+,}"
        print(f"{total:7,}  {revision or 'working tree'}{difference}")
        first = total if first is None else first


if __name__ == "__main__":
    main()
