"""`sameas transliterate train`: learn to write names in another script."""

from __future__ import annotations

from pathlib import Path

from sameas.cli.common import not_overwritten
from sameas.cli.names import pairs_of, refuse_beside_dataset
from sameas.cli.options import Arguments, CommandParser, refuse
from sameas.cli.transliterate.learning import add_learning, learned, learning_of
from sameas.errors import counted
from sameas.notes import Note


def declare(parser: CommandParser) -> None:
    """Learn from pairs of names how to write the first in the script of the second,
    and how to tell false pairs; the model is a file for apply, evaluate and verify.

    PAIRS has a pair a line: a name, a tab, its transliteration. The model is a
    bigram of aligned letters (seconds), an ngram of a longer history, a network
    (minutes), or the best: all together, also from right to left, and by how
    English says the names."""
    parser.add_pairs()
    parser.add_written("-o", "--output", metavar="MODEL", help="the file to write")
    add_learning(parser, "how to learn; the signature says it all")
    parser.add_skip_bad()


def run(options: Arguments) -> int:
    from sameas.show.cells import printable
    from sameas.show.table import lay_out

    options.refuse_empty()
    refuse_beside_dataset(options, options.pairs)
    refuse(options.pairs is None and options.dataset is None, "no-pairs-given")
    refuse(options.output in (None, "-"), "no-model-file")
    not_overwritten(options.output, options.pairs)
    settings = learning_of(options)
    made = learned(pairs_of(options), settings)
    made.save(options.output)
    size = Path(options.output).stat().st_size
    shown = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(round(size / 1e3), 1)} kB"
    told = f"learned from {counted(made.pairs, 'pair')}; written to {options.output} ({shown})"
    notes = list(made.notes)
    if made.verifier is not None:
        others = [note for note in made.verifier.notes if note not in notes]
        notes += [Note("note-of", how="verifying", note=note) for note in others]
    shown = lay_out([], list(map(str, notes)), [made.signature], "text")
    print(f"{printable(told)}\n\n{shown}")
    return 0
