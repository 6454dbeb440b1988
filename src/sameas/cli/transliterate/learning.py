"""How a model learns: the options, and the model that is made by them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sameas.cli.options import Arguments, CommandParser, Declared, refuse
from sameas.cli.progress import Progress
from sameas.names.options import Learning
from sameas.notes import Note

if TYPE_CHECKING:
    from sameas.names.pairs import NamePairs
    from sameas.names.transliterator import Transliterator

__all__ = ["add_learning", "learned", "learning_of"]

_ALIGNING: Declared = {
    "--method": (
        "NAME",
        "of the alignment: affinity, phoneme, phonological, segment, as sameas align has them "
        "(segment)",
    ),
    "--target": ("graphemes|sounds", "of affinity, as sameas align (graphemes)"),
}


def add_learning(parser: CommandParser, title: str) -> None:
    """Add a group of options."""
    group = parser.add_argument_group(title)
    parser.add_settings(Learning, group=group)
    parser.add_options(_ALIGNING, group)


def learning_of(options: Arguments) -> dict[str, Any]:
    """Return what is asked of `Transliterator.fit`, checked before anything is read."""
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
    """Return a model that has learned from the pairs, telling how far it is."""
    from sameas.names.transliterator import Transliterator

    with Progress(100) as progress:

        def tell(step: Note) -> None:
            # Networks take nearly all of the time, and say how far they are.
            training = step.code == "step-train"
            progress.done = step.count - 1 if training else max(progress.done - 1, -1)
            progress.step(str(step))

        return Transliterator.fit(pairs, verifier=verifier, on_step=tell, **settings)
