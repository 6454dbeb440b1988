"""`sameas verify`: which pairs of a list of names are no transliterations?"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from sameas.cli.common import check_plot, not_overwritten, show
from sameas.cli.names import read_with
from sameas.cli.options import Arguments, CommandParser, Declared, refuse, share, whole
from sameas.cli.progress import Progress
from sameas.errors import InputError, Problem
from sameas.names.options import Verifying
from sameas.notes import Note

if TYPE_CHECKING:
    from sameas.names.audit import ListedPairs
    from sameas.names.transliterator import Transliterator
    from sameas.names.validation import DetCurve

TOP = 20
_OPTIONS: Declared = {
    "pairs?": ("PAIRS", "file; - is standard input"),
    "--model": ("FILE", "what sameas transliterate train wrote"),
    "--top": {"type": whole, "metavar": "N", "help": "how many pairs to show (20)"},
}
_RATES: Declared = {
    "--false-alarm": {
        "type": share,
        "metavar": "P",
        "help": "also the threshold at which at most this share of false pairs passes",
    },
    "--interval": "95 %% intervals of the rates",
}
ENOUGH_FALSE = 100  # labelled pairs, from which on nothing is said of how few they are


def declare(parser: CommandParser) -> None:
    """Audit a list of names and transliterations: how probable is it that each pair
    is genuine, and what speaks against it? The worst come first. Names of several
    words are judged word by word, and the wrong word is named. Models of any kind
    that were learned from the same pairs verify alike.

    PAIRS has a pair a line: a name, a tab, its transliteration. With --labels a
    third column says 1 (genuine) or 0 (false), a fourth perhaps of which kind, and
    the equal error rates of the distances of Pervouchine, Li & Lin (2009, section
    5.3) and of the learned probability are told."""
    parser.add_options(_OPTIONS)
    parser.add_written("-o", "--output", help="write all pairs into it, the worst first")
    parser.add_settings(Verifying, ("prior",))
    judged = parser.add_argument_group("how well false pairs are found")
    parser.add_options({"--labels": "the third column says what is true"}, judged)
    parser.add_plot("DET curves", "--det", judged)
    parser.add_options(_RATES, judged)
    parser.add_skip_bad()
    parser.add_output()


def run(options: Arguments) -> int:
    from sameas.files import write_file
    from sameas.names.audit import curves, read_listed
    from sameas.names.transliterator import Transliterator
    from sameas.show.verify import render_audit, render_rates, written_audit

    _check(options)
    check_plot(options.det)
    model = Transliterator.load(options.model)
    verifier = model.verifier
    if verifier is None:
        raise InputError([Problem("cannot-verify", options.model)])
    listed = read_with(options, read_listed, options.pairs, labels=options.labels)
    told = _other_scripts(listed, model)
    with Progress(2) as progress:
        progress.step(str(Note("step-look", count=len(listed))))
        found = verifier.verify(listed.pairs, prior=options.prior, convert=None)
        notes = [*told, *listed.notes, *verifier.limits, *found.notes, Note("what-passes")]
        if options.output is not None:
            write_file(options.output, written_audit(found, listed, verifier))
        how: dict[str, Any] = {"style": options.style or "text", "digits": options.digits}
        if options.labels:
            rates = list(curves(found, listed))
            notes += [Note("labelled-kinds"), *_few_false(listed, options.false_alarm)]
            if options.det is not None:
                _draw(rates, listed, options.det)
            shown = render_rates(
                rates,
                found,
                verifier,
                false_alarm=options.false_alarm,
                interval=options.interval,
                notes=notes,
                **how,
            )
        else:
            top = TOP if options.top is None else options.top
            shown = render_audit(found, listed, verifier, top=top, notes=notes, **how)
    show(options, shown, [("", notes)])
    return 0


def _check(options: Arguments) -> None:
    options.refuse_empty()
    refuse(options.pairs is None, "no-list-given")
    refuse(options.model is None, "no-model-given", how="verify")
    for name in options.given("det", "false_alarm", "interval"):
        refuse(not options.labels, "needs-labels", option=name.replace("_", "-"))
    refuse(options.labels and options.top is not None, "top-labels")
    Verifying(**options.fields_of(Verifying))
    refuse(options.output == "-", "output-with-table")
    not_overwritten(options.output, options.pairs, options.model)
    not_overwritten(options.det, options.pairs, options.model)
    same = options.det is not None and options.det == options.output
    refuse(same, "written-twice", path=options.det)


def _few_false(listed: ListedPairs, share: float | None) -> list[Note]:
    """A note if a wanted rate of false alarms rests on few pairs."""
    false = sum(not one for one in listed.genuine or ())
    if share is None or false >= ENOUGH_FALSE:
        return []
    allowed = sum(number / false <= share for number in range(1, false + 1))
    how = "some" if allowed else "none"
    return [Note("few-false", count=false, percent=100 * share, allowed=allowed, how=how)]


def _other_scripts(listed: ListedPairs, model: Transliterator) -> list[Note]:
    """A note if the names of a side are in other scripts than those learned; columns that are
    swapped are refused, since all would be judged as if they were false."""
    from sameas.names.units import scripts

    usual = []
    for side in (0, 1):
        counts = Counter(kind for pair in listed.pairs for kind in scripts(pair[side]))
        most = [kind for kind, times in counts.most_common(1) if 2 * times > len(listed)]
        usual.append(most[0] if most else "")
    known = [one.split("+") for one in model.scripts]
    wrong = [bool(one) and one not in scripts_ for one, scripts_ in zip(usual, known, strict=True)]
    if all(wrong) and usual[0] in known[1] and usual[1] in known[0]:
        found = {"found": usual, "learned": model.scripts}
        raise InputError([Problem("swapped-columns", listed.name, values=found)])
    sides = zip(("source", "target"), usual, model.scripts, wrong, strict=True)
    return [
        Note("other-scripts", column=side, script=script, known=ours)
        for side, script, ours, is_wrong in sides
        if is_wrong
    ]


def _draw(rates: list[tuple[str, str, str, DetCurve]], listed: ListedPairs, path: str) -> None:
    """Curves of all scores; or, where there are several kinds of genuine pairs, of the best of
    the distances and of the learned one for each kind."""
    from sameas.names.audit import ALL, SCORES
    from sameas.show.det import draw_det

    against = [(one, score, curve) for one, two, score, curve in rates if two == ALL]
    kinds = dict.fromkeys(one for one, _, _ in against)
    if len(kinds) == 1:
        drawn = {score: curve for _, score, curve in against}
    else:
        drawn = {
            f"{one}, {score}": curve
            for one, score, curve in against
            if one != ALL and score in ("score2", SCORES[-1])
        }
    false = sum(not one for one in listed.genuine or ())
    draw_det(drawn, path, title=f"{len(listed) - false:,} genuine pairs, {false:,} false ones")
