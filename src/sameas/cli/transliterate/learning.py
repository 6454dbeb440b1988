"""Training of a model: the options, and the training itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sameas.cli.options import Arguments, CommandParser, Declared, refuse
from sameas.cli.progress import Progress
from sameas.names.aligning import Aligning
from sameas.names.options import Learning
from sameas.notes import Note
from sameas.settings import choices

if TYPE_CHECKING:
    from sameas.names.pairs import NamePairs
    from sameas.names.transliterator import Transliterator

__all__ = ["add_learning", "learned", "learning_of"]

_ALIGNING: Declared = {
    "--method": (
        "|".join(choices(Aligning)["method"]),
        "alignment method, as in sameas align (default: segment)",
    ),
    "--target": (
        "graphemes|sounds",
        "with --method affinity: align letters with characters or with their sounds (default: "
        "graphemes)",
    ),
}


def add_learning(parser: CommandParser, title: str) -> None:
    """Add the options of training, as a group."""
    group = parser.add_argument_group(title)
    parser.add_settings(Learning, group=group)
    parser.add_options(_ALIGNING, group, rare=True)


def learning_of(options: Arguments) -> dict[str, Any]:
    """Return the arguments of `Transliterator.fit`, checked before any file is read."""
    named = options.fields_of(Learning)
    model = Learning(**named).model
    refuse(model == "network" and options.smoothing is not None, "network-smoothing")
    counted_only = model in ("bigram", "ngram")
    refuse(counted_only and options.seed is not None, "ngram-seed", model=model)
    refuse(options.target is not None and options.method != "affinity", "target-method")
    if options.method is not None:
        from sameas.names.aligner import Aligner

        named["aligner"] = Aligner.of(
            method=options.method, target=options.target, case=options.case
        )
    return named


def learned(pairs: NamePairs, settings: Mapping[str, Any], verifier: bool = True) -> Transliterator:
    """Return a model trained on the pairs, and show the progress."""
    from sameas.names.transliterator import Transliterator

    with Progress(100) as progress:

        def show_step(step: Note) -> None:
            # Networks take nearly all of the time, and report the percentage that is done.
            training = step.code == "step-train"
            progress.done = step.count - 1 if training else max(progress.done - 1, -1)
            progress.step(str(step))

        return Transliterator.fit(pairs, verifier=verifier, on_step=show_step, **settings)
