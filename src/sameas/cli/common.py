"""Shared parts of commands: running them, named files, and notes beside results."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

from sameas.cli.options import STYLES, Arguments, refuse
from sameas.errors import InputError, Problem, visible

# --- running a command --------------------------------------------------------------------------


def run_command(options: Arguments) -> int:
    """Run a command and return its exit code.

    With -q, only errors are written to standard error. With -o, the output is written to a file if
    the command succeeds.
    """
    if options.quiet:
        with redirect_stderr(StringIO()):
            return _run_to_file(options)
    return _run_to_file(options)


def _run_to_file(options: Arguments) -> int:
    path = getattr(options, "results_file", None)
    if path is None or path == "-":
        code: int = options.run(options)
        return code
    refuse(not path, "option-empty", option="-o")
    not_overwritten(path, *_typed_paths(options))
    if options.style is None:
        ending = _ending(path)
        refuse(ending not in (*STYLES, "", ".txt"), "output-ending", path=path, known=list(STYLES))
        options.style = STYLES.get(ending)
    else:
        other = STYLES.get(_ending(path), options.style)
        refuse(other != options.style, "output-style", path=path, style=options.style)
    from sameas.files import write_file

    output = StringIO()
    with redirect_stdout(output):
        code = options.run(options)
    write_file(path, output.getvalue())
    return code


def _ending(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def _typed_paths(options: Arguments) -> Iterator[str]:
    """Yield every argument that may be the path of a file to read."""
    for name, value in vars(options).items():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and name != "results_file":
                yield from {text, text.partition("=")[2]}


def refuse_other_styles(path: str | None, style: str | None = None) -> None:
    """Refuse to write tab-separated text to a file with the extension of another style."""
    named = STYLES.get(_ending(path or ""))
    refuse(named and named != style, "tab-separated", path=path)


def check_plot(path: str | None) -> None:
    """Reject a plot that cannot be drawn, before any other work."""
    if path is not None:
        from sameas.show.plot import load_matplotlib

        load_matplotlib(path)


# --- files --------------------------------------------------------------------------------------


def example_files(key: str | None) -> list[str]:
    """Return the paths of the example key and responses."""
    from sameas.examples import EXAMPLES, example_path

    refuse(key, "example-files")
    return [str(example_path(name)) for name in EXAMPLES]


def named_systems(systems: Sequence[str], *, by_path: bool = False) -> dict[str, str]:
    """Return the path of each system, keyed by name; reject two systems with the same name."""
    found: dict[str, str] = {}
    named = named_paths(systems, by_path=by_path)
    one_standard_input(*(path for _, path in named))
    for name, path in named:
        refuse(name in found, "named-alike", name=name, first=found.get(name), path=path)
        found[name] = path
    return found


def named_paths(systems: Sequence[str], *, by_path: bool = False) -> list[tuple[str, str]]:
    """Return the name and the path of each system, given as NAME=PATH or as PATH.

    The default name is that of the file without its extension, with as many folders as needed to
    distinguish files of the same name. With `by_path`, it is the path as given.
    """
    given = [_named_path(system) for system in systems]
    paths = list(dict.fromkeys(path for name, path in given if not name))
    names = dict(zip(paths, paths if by_path else _short_names(paths), strict=True))
    names["-"] = "<stdin>"
    return [(name or names[path], path) for name, path in given]


def _named_path(system: str) -> tuple[str, str]:
    """Return the given name of a system, if any, and its path, which may contain `=`."""
    name, equals, path = system.partition("=")
    if not equals or os.path.exists(system):
        name, path = "", system
    refuse(not path or (equals and not name and path != system), "not-name-file", system=system)
    return name, path


def _short_names(paths: Sequence[str]) -> list[str]:
    """Return a name for each path: that of its file, with folders if several files have that name.

    If all files have the same name, only their folders are shown. Files that differ only in their
    extensions keep them.

    >>> _short_names(["runs/a.conll", "runs/b.0.5.conll.gz"])
    ['a', 'b.0.5']
    >>> _short_names(["x/1/out.conll", "x/2/out.conll"])
    ['1', '2']
    >>> _short_names(["x/1/out.conll", "x/2/out.conll", "best/out.conll", "old.conll"])
    ['1/out', '2/out', 'best/out', 'old']
    >>> _short_names(["v1.a/out.conll", "v1.b/out.conll", "/out.conll"])
    ['v1.a/out', 'v1.b/out', '/out']
    >>> _short_names(["v1.a/out.conll", "v1.b/out.conll"])
    ['v1.a', 'v1.b']
    >>> _short_names(["out.conll", "out.jsonlines"])
    ['out.conll', 'out.jsonlines']
    """
    parts = [os.path.normpath(path).split(os.sep) for path in paths]
    join: Callable[[Sequence[str]], str] = _stem
    while (
        len(parts) > 1
        and len({one[-1] for one in parts}) == 1
        and all(any(one[-2:-1]) for one in parts)
    ):
        parts, join = [one[:-1] for one in parts], "/".join
    names = [join(one[-1:]) for one in parts]
    most = max(map(len, parts), default=0)
    for length in range(2, most + 1):
        repeated = {name for name in names if names.count(name) > 1}
        for place, name in enumerate(names):
            if name in repeated:
                names[place] = join(parts[place][-length:])
    repeated = {name for name in names if names.count(name) > 1}
    return [
        paths[place] if name in repeated or not name else name for place, name in enumerate(names)
    ]


def _stem(parts: Sequence[str]) -> str:
    *folders, file = parts
    stem, extension = os.path.splitext(file.removesuffix(".gz"))
    return "/".join([*folders, stem if extension[1:2].isalpha() else file])


def one_standard_input(*paths: str | None) -> None:
    """Raise a usage error if standard input would be read twice."""
    refuse(paths.count("-") > 1, "one-stdin")


def not_overwritten(output: str | None, *read: str | None) -> None:
    """Reject an output file that the command also reads, by itself or in a folder."""
    if output is None or output == "-" or not os.path.exists(output):
        return
    written = os.path.realpath(output)
    for path in filter(None, read):
        if path == "-" or not os.path.exists(path):
            continue
        folder = os.path.join(os.path.realpath(path), "")
        inside = os.path.isdir(path) and written.startswith(folder)
        refuse(inside or os.path.samefile(path, output), "overwritten", output=output, path=path)


# --- results and notes --------------------------------------------------------------------------


def show(options: Arguments, text: str, named: Iterable[tuple[str, Iterable[object]]]) -> None:
    """Print results; CSV and bare numbers have no notes, which go to standard error instead."""
    if options.style == "csv" or getattr(options, "print", None) is not None:
        for name, notes in named:
            print_notes(notes, name)
    print(text)


def print_notes(notes: Iterable[object], name: str = "") -> None:
    """Print notes on standard error."""
    for note in notes:
        print(visible(f"{name}: note: {note}" if name else f"note: {note}"), file=sys.stderr)


def print_skipped(problems: Sequence[Problem]) -> None:
    """Print the first few skipped lines on standard error."""
    if problems:
        print(InputError(problems), file=sys.stderr)
