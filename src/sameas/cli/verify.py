"""`sameas verify`: which pairs of a list of names are no transliterations?"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from sameas.cli.progress import Progress
from sameas.cli.score import check_plot, not_overwritten, tell_skipped
from sameas.errors import InputError, Problem, UsageError, counted
from sameas.files import write_file
from sameas.output.verify import render_audit, render_rates, written_audit
from sameas.translit.audit import ALL, SCORES, ListedPairs, curves, read_listed
from sameas.translit.transliterator import Transliterator
from sameas.translit.units import scripts
from sameas.translit.validation import DetCurve
from sameas.translit.verifier import Verifier

TOP = 20
#: What no probability tells, and what no labels tell.
PASSES = (
    "what passes could be a spelling of the name: names one letter apart mostly pass, and "
    "probabilities hold for names like those learned"
)
LABELLED = "rates and thresholds hold for false pairs of the kinds that are labelled"
ENOUGH_FALSE = 100  # labelled pairs, from which on nothing is said of how few they are


def run(options: argparse.Namespace) -> int:
    _check(options)
    check_plot(options.det)
    model = Transliterator.load(options.model)
    verifier = _verifier(model, options.model)
    listed = read_listed(options.pairs, labels=options.labels, skip_bad=options.skip_bad)
    tell_skipped(listed.skipped)
    told = _other_scripts(listed, model)
    with Progress(2) as progress:
        progress.step(f"looking at {counted(len(listed), 'pair')}")
        found = verifier.verify(listed.pairs, prior=options.prior, convert=None)
        notes = [*told, *listed.notes, *verifier.limits, *found.notes, PASSES]
        if options.output is not None:
            write_file(options.output, written_audit(found, listed, verifier))
        style = options.style or "text"
        if options.labels:
            rates = list(curves(found, listed))
            notes += [LABELLED, *_few_false(listed, options.false_alarm)]
            if options.det is not None:
                _draw(rates, listed, options.det)
            shown = render_rates(
                rates,
                verifier,
                found.prior,
                style,
                digits=options.digits,
                false_alarm=options.false_alarm,
                interval=options.interval,
                notes=notes,
                converted=found.converted,
            )
        else:
            shown = render_audit(
                found,
                listed,
                verifier,
                style,
                digits=options.digits,
                top=TOP if options.top is None else options.top,
                notes=notes,
            )
    if style == "csv":
        for note in notes:
            print(f"note: {note}", file=sys.stderr)
    print(shown)
    return 0


def _check(options: argparse.Namespace) -> None:
    for name in ("pairs", "model", "output", "det"):
        if getattr(options, name) == "":
            raise UsageError(f"{'PAIRS' if name == 'pairs' else '--' + name} is empty")
    if options.pairs is None:
        raise UsageError("a list of pairs is wanted: sameas verify PAIRS.tsv --model MODEL")
    if options.model is None:
        raise UsageError(
            "a model is wanted: --model MODEL; sameas transliterate train makes one from genuine "
            "pairs"
        )
    if not options.labels:
        for name in ("det", "false_alarm", "interval"):
            if getattr(options, name) is not None and getattr(options, name) is not False:
                option = f"--{name.replace('_', '-')}"
                raise UsageError(f"{option} needs to know what is true; add --labels")
    elif options.top is not None:
        raise UsageError("--top is for lists without --labels; -o FILE writes all pairs")
    if options.prior is not None and not 0 < options.prior < 1:
        raise UsageError(f"--prior is between 0 and 1, not {options.prior:g}")
    if options.output == "-":
        raise UsageError("-o - writes where the table goes; name a file")
    not_overwritten(options.output, options.pairs, options.model)
    not_overwritten(options.det, options.pairs, options.model)
    if options.det is not None and options.det == options.output:
        raise UsageError(f"{options.det} would be written twice; name another file")


def _few_false(listed: ListedPairs, share: float | None) -> list[str]:
    """A note if a wanted rate of false alarms rests on few pairs."""
    false = sum(not one for one in listed.genuine or ())
    if share is None or false >= ENOUGH_FALSE:
        return []
    allowed = sum(number / false <= share for number in range(1, false + 1))
    pairs = f"at most {counted(allowed, 'pair')}" if allowed else "less than one pair"
    return [
        f"the thresholds rest on {counted(false, 'false pair')}, of which {100 * share:g} % is "
        f"{pairs}: label some hundred false pairs"
    ]


def _other_scripts(listed: ListedPairs, model: Transliterator) -> list[str]:
    """A note if the names of a side are in other scripts than those learned; columns that are
    swapped are refused, since all would be judged as if they were false."""
    usual = []
    for side in (0, 1):
        counts = Counter(kind for pair in listed.pairs for kind in scripts(pair[side]))
        most = [kind for kind, times in counts.most_common(1) if 2 * times > len(listed)]
        usual.append(most[0] if most else "")
    known = [one.split("+") for one in model.scripts]
    wrong = [bool(one) and one not in scripts_ for one, scripts_ in zip(usual, known, strict=True)]
    if all(wrong) and usual[0] in known[1] and usual[1] in known[0]:
        message = (
            f"the names are in {usual[0]} and {usual[1]}, and the model has learned pairs of "
            f"{model.scripts[0]} and {model.scripts[1]}"
        )
        hint = "swap the columns, or take a model that was learned the other way (--reverse)"
        raise InputError([Problem(message, listed.name, hint=hint)])
    return [
        f"the {what} names are in {one}, and the model knows {scripts_} there"
        for what, one, scripts_, is_wrong in zip(
            ("source", "target"), usual, model.scripts, wrong, strict=True
        )
        if is_wrong
    ]


def _verifier(model: Transliterator, path: str) -> Verifier:
    found = model.verifier
    if found is None:
        hint = "sameas transliterate train learns it from some more pairs of names"
        raise InputError([Problem("the model cannot tell false pairs", path, hint=hint)])
    return found


def _draw(rates: list[tuple[str, str, str, DetCurve]], listed: ListedPairs, path: str) -> None:
    """Curves of all scores; or, where there are several kinds of genuine pairs, of the best of
    the distances and of the learned one for each kind."""
    from sameas.output.det import draw_det

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
