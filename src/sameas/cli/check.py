"""`sameas check`: every problem in a file, with its position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sameas.cli.common import named_paths, one_standard_input
from sameas.cli.options import Arguments, CommandParser, Declared
from sameas.errors import InputError, Problem, collapse, counted, written

if TYPE_CHECKING:
    from sameas.documents.document import Corpus

SHOWN = 3  # maximum number of warnings of one kind in one file
USAGE = "FILE [[NAME=]RESPONSE]"
_OPTIONS: Declared = {
    "file": {"metavar": "FILE", "help": "file or folder; - is standard input"},
    "response?": (
        "RESPONSE",
        "also check that it has the same documents, tokens and records as FILE",
    ),
    "--all": "list all warnings, not just the first three of each kind in a file",
}


def declare(parser: CommandParser) -> None:
    """Report every problem in a file, or in a key and a response, with file, line and
    column. The exit code is 1 if any problem prevents scoring."""
    parser.add_options(_OPTIONS)
    parser.add_format()


def run(options: Arguments) -> int:
    from sameas.analysis.check import check, check_pair
    from sameas.formats.reading import read

    if options.response:  # a name is accepted, as in other commands
        ((_, options.response),) = named_paths([options.response])
    one_standard_input(options.file, options.response)
    problems: list[Problem] = []
    corpora = []
    # A single file may be a key or a response.
    first = "any" if options.response is None else "key"
    for path, role in ((options.file, first), (options.response, "response")):
        if path is None:
            continue
        try:
            corpus = read(path, format=options.format, role=role, refuse=False)
        except InputError as error:
            problems += error.problems
            continue
        problems += check(corpus)
        corpora.append(corpus)
    if len(corpora) == 2:
        problems += check_pair(*corpora)
    for line in written(problems if options.all else collapse(problems, SHOWN)):
        print(line)
    for corpus in corpora:
        print(_sizes(corpus))
    errors = sum(problem.severity == "error" for problem in problems)
    print(f"{counted(errors, 'error')}, {counted(len(problems) - errors, 'warning')}")
    return 1 if errors else 0


def _sizes(corpus: Corpus) -> str:
    from sameas.documents.records import hold_records

    documents = corpus.documents
    mentions = sum(document.mention_count for document in documents)
    entities = sum(len(document.entity_ids) for document in documents)
    if hold_records(documents):
        blocks = {"document": len(documents)} if len(documents) > 1 else {}
        sizes = {**blocks, "record": mentions, "cluster": entities}
        return f"{corpus.path}: {corpus.format}, {_joined(sizes)}"
    lengths: Counter[str] = Counter()  # in tokens, or in characters for brat
    for document in documents:
        lengths[document.unit] += document.text.token_count
    units = [unit for unit in ("token", "character") if unit in lengths] or ["token"]
    counts = {
        "document": len(documents),
        **{unit: lengths[unit] for unit in units},
        "mention": mentions,
        "entity": entities,
    }
    return f"{corpus.path}: {corpus.format}, {_joined(counts)}"


def _joined(counts: Mapping[str, int]) -> str:
    return ", ".join(counted(number, noun) for noun, number in counts.items())
