"""`sameas transliterate apply`: transliterate names with a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from sameas.cli.common import not_overwritten, print_notes, print_skipped, refuse_other_styles
from sameas.cli.options import Arguments, CommandParser, Declared, refuse
from sameas.cli.progress import Progress
from sameas.errors import visible
from sameas.names.options import Writing
from sameas.notes import Note

if TYPE_CHECKING:
    from sameas.names.candidates import Candidates
    from sameas.names.transliterator import Transliterator

TOGETHER = 5_000  # names per batch
USAGE = "MODEL NAME ...\nMODEL --file FILE"
_FILES: Declared = {
    "model?": ("MODEL", "model from sameas transliterate train"),
    "names*": ("NAME", "names to transliterate"),
    "--file": ("FILE", "file with one name per line; - is standard input"),
}
_JSON: Declared = {
    "--json": {
        "dest": "style",
        "action": "store_const",
        "const": "json",
        "help": "print JSON with all details",
    },
}


def declare(parser: CommandParser) -> None:
    """Transliterate names: print the most probable candidates, one per line, as a
    name, a tab, a candidate, a tab, and its probability, normalised over the best
    20 candidates. sameas transliterate evaluate reads this output."""
    parser.add_options(_FILES)
    parser.add_settings(Writing)
    parser.add_written("-o", "--output", help="file for the candidates")
    parser.add_options(_JSON)
    parser.add_skip_bad()


def run(options: Arguments) -> int:
    from sameas.cli.transliterate.remarks import remarks
    from sameas.files import write_file
    from sameas.names.transliterator import Transliterator

    options.refuse_empty()
    refuse(options.model is None, "no-model-given", how="apply")
    refuse(options.file is not None and options.names, "file-and-names")
    refuse(options.file is None and not options.names, "no-names-given")
    refuse(options.names and options.skip_bad, "skip-bad-nothing", how="names")
    writing = Writing(**options.fields_of(Writing))
    refuse_other_styles(options.output, options.style)
    not_overwritten(options.output, options.model, options.file)
    made = Transliterator.load(options.model)
    names, notes = _names(options)
    for number, name in enumerate(names, 1):
        refuse(not name, "empty-name", how="numbered", number=number, total=len(names))
        refuse(any(sign < " " for sign in name), "name-not-line", value=name)
    noted: list[Candidates] = []  # those that need a note

    def written() -> Iterator[Candidates]:
        for begin in range(0, len(names), TOGETHER):
            progress.step(str(Note("step-write", count=len(names))))
            some = names[begin : begin + TOGETHER]
            for one in made.transliterate_all(some, **asdict(writing)):
                if one.left_out or one.read_as or not len(one):
                    noted.append(one)
                yield one

    with Progress(1 + len(names) // TOGETHER) as progress:
        lines = [_as_json(written(), made)] if options.style == "json" else _lines(written())
        if options.output not in (None, "-"):
            write_file(options.output, "\n".join(lines) + "\n")
        else:
            for line in lines:
                print(line)
    print_notes((*notes, *remarks(noted, made, len(names))))
    return 0


def _names(options: Arguments) -> tuple[list[str], list[Note]]:
    """Return the given names, or those of a file (the first column of each line), and notes."""
    from sameas.names.letters import Removed
    from sameas.names.rows import check_name, lines_of
    from sameas.names.transliterator import LONGEST

    removed = Removed()
    if options.file is None:
        names = [removed.from_name(name.strip()).strip() for name in options.names]
        return names, removed.notes()
    further = 0

    def row(number: int, columns: list[str]) -> str:
        nonlocal further
        further += len(columns) > 1
        name = removed.from_name(columns[0].strip()).strip()
        check_name(name, "", 1, LONGEST)
        return name

    read = lines_of(options.file).rows(row, "no-names", skip_bad=options.skip_bad, how="alone")
    print_skipped(read.skipped)
    notes = [Note("further-columns", count=further, how="names")] if further else []
    return read.rows, [*read.notes, *notes, *removed.notes()]


def _lines(found: Iterable[Candidates]) -> Iterable[str]:
    from sameas.names.units import JOINERS

    for one in found:
        # Joiners are part of the spelling, in references too.
        name = "".join(sign if sign in JOINERS else visible(sign) for sign in one.source)
        for target, probability in one:
            yield f"{name}\t{target}\t{probability:.6g}"


def _as_json(found: Iterable[Candidates], made: Transliterator) -> str:
    import json

    shown = {
        "signature": made.signature,
        "names": [
            {
                "name": one.source,
                "candidates": [
                    {"target": target, "probability": probability} for target, probability in one
                ],
                "confidence": one.confidence,
                "left_out": one.left_out,
                "read_as": dict(one.read_as),
                "abstained": one.abstained,
            }
            for one in found
        ],
    }
    return json.dumps(shown, ensure_ascii=False, indent=2)
