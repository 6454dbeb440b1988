"""`sameas transliterate train`: train a model on pairs of names."""

from __future__ import annotations

from pathlib import Path

from sameas.cli.common import not_overwritten
from sameas.cli.names import pairs_of, refuse_with_dataset
from sameas.cli.options import Arguments, CommandParser, refuse
from sameas.cli.transliterate.learning import add_learning, learned, learning_of
from sameas.errors import counted
from sameas.notes import Note

USAGE = "PAIRS -o MODEL"


def declare(parser: CommandParser) -> None:
    """Train a model that transliterates names and recognises false pairs, for
    transliterate apply, transliterate evaluate and verify.

    PAIRS has one pair per line: a name, a tab, its transliteration. The kinds of
    models are bigram (of aligned letters; takes seconds), ngram (longer history),
    network (takes minutes) and best (ngram, networks in both directions and, if it
    helps, English pronunciations)."""
    parser.add_pairs()
    parser.add_written("-o", "--output", metavar="MODEL", help="file for the model")
    add_learning(parser, "how to train (recorded in the signature)")
    parser.add_skip_bad()


def run(options: Arguments) -> int:
    from sameas.show.cells import printable
    from sameas.show.table import lay_out

    options.refuse_empty()
    refuse_with_dataset(options, options.pairs)
    refuse(options.pairs is None and options.dataset is None, "no-pairs-given")
    refuse(options.output in (None, "-"), "no-model-file")
    not_overwritten(options.output, options.pairs)
    settings = learning_of(options)
    made = learned(pairs_of(options), settings)
    made.save(options.output)
    size = Path(options.output).stat().st_size
    shown = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(round(size / 1e3), 1)} kB"
    summary = f"trained on {counted(made.pairs, 'pair')}; written to {options.output} ({shown})"
    notes = list(made.notes)
    if made.verifier is not None:
        others = [note for note in made.verifier.notes if note not in notes]
        notes += [Note("note-of", how="verifying", note=note) for note in others]
    shown = lay_out([], list(map(str, notes)), [made.signature], "text")
    print(f"{printable(summary)}\n\n{shown}")
    return 0
