"""`sameas verify`: find the pairs in a list that are not transliterations."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from sameas.cli.common import check_plot, not_overwritten, refuse_other_styles, show
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
USAGE = "PAIRS --model FILE"
_OPTIONS: Declared = {
    "pairs?": ("PAIRS", "file of pairs; - is standard input"),
    "--model": ("FILE", "model from sameas transliterate train"),
    "--top": {"type": whole, "metavar": "N", "help": f"number of pairs to show (default: {TOP})"},
}
_RATES: Declared = {
    "--false-alarm": {
        "type": share,
        "metavar": "P",
        "help": "show the threshold that accepts at most this share of the false pairs",
    },
    "--interval": "show 95%% confidence intervals of the rates",
}
ENOUGH_FALSE = 100  # labelled false pairs; a note reports smaller numbers


def declare(parser: CommandParser) -> None:
    """Audit a list of names and transliterations: show the probability that each pair
    is genuine, and the evidence against it; the most doubtful pairs come first.
    Names of several words are judged word by word, and the wrong word is shown.

    PAIRS has one pair per line: a name, a tab, its transliteration. With --labels,
    the third column is 1 (genuine) or 0 (false), and an optional fourth column is
    the kind of the pair; the output is then the equal error rate of each distance
    in Pervouchine, Li & Lin (2009, section 5.3) and of the learned probability."""
    parser.add_options(_OPTIONS)
    parser.add_written("-o", "--output", help="file for all pairs, the most doubtful first")
    parser.add_settings(Verifying, ("prior",))
    rates = parser.add_argument_group("error rates on labelled pairs")
    parser.add_options({"--labels": "the third column of PAIRS is 1 (genuine) or 0 (false)"}, rates)
    parser.add_plot("DET curves", "--det", rates)
    parser.add_options(_RATES, rates, rare=True)
    parser.add_skip_bad()
    parser.add_output(to_file=False)


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
    script_notes = _script_notes(listed, model)
    with Progress(2) as progress:
        progress.step(str(Note("step-look", count=len(listed))))
        found = verifier.verify(listed.pairs, prior=options.prior, convert=None)
        notes = [*script_notes, *listed.notes, *verifier.limits, *found.notes, Note("what-passes")]
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
    refuse_other_styles(options.output)
    not_overwritten(options.output, options.pairs, options.model)
    not_overwritten(options.det, options.pairs, options.model)
    same = options.det is not None and options.det == options.output
    refuse(same, "written-twice", path=options.det)


def _few_false(listed: ListedPairs, share: float | None) -> list[Note]:
    """Return a note if the false-alarm rate is estimated from few pairs."""
    false = sum(not one for one in listed.genuine or ())
    if share is None or false >= ENOUGH_FALSE:
        return []
    allowed = sum(number / false <= share for number in range(1, false + 1))
    how = "some" if allowed else "none"
    return [Note("few-false", count=false, percent=100 * share, allowed=allowed, how=how)]


def _script_notes(listed: ListedPairs, model: Transliterator) -> list[Note]:
    """Return a note for each side whose names are mostly in a script unknown to the model.

    Swapped columns are rejected, because every pair would be judged false.
    """
    from sameas.names.units import scripts

    found = []
    for side in (0, 1):
        counts = Counter(kind for pair in listed.pairs for kind in scripts(pair[side]))
        most = [kind for kind, times in counts.most_common(1) if 2 * times > len(listed)]
        found.append(most[0] if most else "")
    known = [one.split("+") for one in model.scripts]
    wrong = [bool(one) and one not in scripts_ for one, scripts_ in zip(found, known, strict=True)]
    if all(wrong) and found[0] in known[1] and found[1] in known[0]:
        values = {"found": found, "learned": model.scripts}
        raise InputError([Problem("swapped-columns", listed.name, values=values)])
    sides = zip(("source", "target"), found, model.scripts, wrong, strict=True)
    return [
        Note("other-scripts", column=side, script=script, known=learned)
        for side, script, learned, is_wrong in sides
        if is_wrong
    ]


def _draw(rates: list[tuple[str, str, str, DetCurve]], listed: ListedPairs, path: str) -> None:
    """Draw the DET curves of all scores.

    If there are several kinds of genuine pairs, draw for each kind only the curves of the best
    distance and of the learned probability.
    """
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
    draw_det(drawn, path, title=f"{len(listed) - false:,} genuine and {false:,} false pairs")
