"""`sameas check`: what is wrong with a file, and where."""

from __future__ import annotations

import argparse

from sameas.cli.score import one_standard_input
from sameas.coref.check import check, check_pair
from sameas.coref.document import Corpus
from sameas.coref.read import read
from sameas.errors import InputError, Problem, written


def run(options: argparse.Namespace) -> int:
    one_standard_input(options.file, options.response)
    problems: list[Problem] = []
    corpora = []
    for path, role in ((options.file, "key"), (options.response, "response")):
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
    for line in written(problems):
        print(line)
    for corpus in corpora:
        print(_sizes(corpus))
    errors = sum(problem.severity == "error" for problem in problems)
    print(
        f"{errors} error{'s' * (errors != 1)}, {len(problems) - errors} warning"
        f"{'s' * (len(problems) - errors != 1)}"
    )
    return 1 if errors else 0


def _sizes(corpus: Corpus) -> str:
    documents = corpus.documents
    counts = {
        "document": len(documents),
        "token": sum(document.text.token_count for document in documents),
        "mention": sum(document.mention_count for document in documents),
    }
    entities = sum(len(document.entity_ids) for document in documents)
    shown = [f"{number} {noun}{'s' * (number != 1)}" for noun, number in counts.items()]
    shown.append(f"{entities} entit{'y' if entities == 1 else 'ies'}")
    return f"{corpus.path}: {corpus.format}, {', '.join(shown)}"
