"""`sameas cone`: scores of names alone, with or without a key."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sameas.cli.common import (
    check_plot,
    example_files,
    named_systems,
    not_overwritten,
    one_standard_input,
)
from sameas.cli.options import Arguments, CommandParser, Declared, option_named, refuse
from sameas.cli.plans import warn
from sameas.cli.progress import Progress
from sameas.errors import UsageError, counted, visible
from sameas.notes import Note
from sameas.settings import ConeSettings, Settings, choices
from sameas.without_gold.options import Studying

if TYPE_CHECKING:
    from sameas.documents.document import Corpus
    from sameas.results.result import Result
    from sameas.without_gold.scoring import NamedKey

#: The options that replace the scores with other output, and the options that each excludes.
_INSTEAD = {
    "correlate": ("signature", "interval", "by_document", "write_key"),
    "gold_subset": (
        "signature",
        "interval",
        "by_document",
        "write_key",
        "samples",
        "seed",
        "method",
    ),
    "joins": ("signature", "interval", "by_document", "metrics", "style"),
}
#: Options that require another option, and the value that the other must have, if any.
_ABOUT = {
    "against": ("correlate", ""),
    "share_of": ("correlate", "entity"),
    "plot": ("correlate", ""),
    "target": ("gold_subset", ""),
    "gold_subset": ("text", ""),
}
USAGE = "KEY [NAME=]RESPONSE ...\n--text TEXT [NAME=]RESPONSE ..."
_TEXT: Declared = {
    "--text": ("TEXT", "estimate the key from the words of TEXT"),
}
_WRITE_KEY = "write the key of names, against which responses are scored, to FILE"
_OTHER: Declared = {
    "--gold-subset": (
        "KEY",
        "estimate the full score of all documents of TEXT from the gold annotation of some of them "
        "(prediction-powered inference)",
    ),
    "--joins": "show which names were joined into one entity and why, then exit",
}
_TARGET: Declared = {
    "--target": (
        "corpus|population",
        "with --gold-subset: estimate the score of these documents, or of the population they were "
        "drawn from (default: corpus)",
    ),
}


def declare(parser: CommandParser) -> None:
    """Score names alone (CONE, Lin et al. 2010), with or without a key. Without a key,
    sameas finds the names in a text, groups them by their form, and scores against
    these groups.

    TEXT is any file with words, such as the response itself."""
    parser.add_systems("system files or folders", "use the example files")
    parser.add_options(_TEXT)
    which = parser.add_argument_group("which mentions")
    parser.add_settings(ConeSettings, ("names", "mentions", "matcher", "across"), group=which)
    parser.add_written("--write-key", help=_WRITE_KEY, group=which, rare=True)
    what = parser.add_metrics()
    parser.add_options({"--by-document": "also show the scores of each document"}, what)
    other = parser.add_argument_group("instead of scores")
    parser.add_settings(Studying, group=other)
    parser.add_options(_OTHER, other)
    parser.add_options(_TARGET, other, rare=True)
    parser.add_how(scorers=False)
    parser.add_intervals("documents")
    parser.add_format()
    parser.add_output()
    parser.add_plot("scatter plots of --correlate")


@dataclass(frozen=True)
class _Task:
    """The files and metrics to score, and notes to print on standard error at the end."""

    options: Arguments
    key: Corpus
    responses: dict[str, Corpus]
    metrics: Sequence[str]
    notes: list[str] = field(default_factory=list)

    @property
    def style(self) -> str:
        return self.options.style or "text"

    def keep_notes(self, notes: Iterable[Note | str], name: str = "") -> None:
        """Keep notes for standard error if the results are CSV, which cannot contain them."""
        if self.style == "csv":
            self.notes.extend(
                f"{name}: note: {note}" if name else f"note: {note}" for note in notes
            )


def run(options: Arguments) -> int:
    from sameas.formats.reading import read
    from sameas.metrics.statistics import choose_metrics

    _check(options)
    check_plot(options.plot)
    metrics = choose_metrics(options.metrics)
    key, systems = _files(options)
    not_overwritten(options.write_key, key, options.gold_subset, *systems.values())
    one_standard_input(key, options.gold_subset, *systems.values())
    with Progress(2 * len(systems) + 2) as progress:
        progress.step(f"reading {key}")
        ours = read(key, format=options.format, role="key" if options.text is None else "text")
        responses: dict[str, Corpus] = {}
        for name, path in systems.items():
            progress.step(f"reading {path}")
            responses[name] = read(path, format=options.format, role="response")
        progress.step("scoring")
        task = _Task(options, ours, responses, metrics)
        text, results = _shown(task)
    warn(results, options.signature)
    for note in task.notes:
        print(visible(note), file=sys.stderr)
    if text:
        print(text)
    return 0


def _shown(task: _Task) -> tuple[str, list[Result]]:
    """Return the text to print, and the results whose problems are to be reported."""
    from sameas.without_gold.scoring import NamedKey

    options = task.options
    if options.correlate is not None:
        return _correlate(task)
    named_key = NamedKey.of(
        task.key, _names(options), options.signature, options.across, **_settings(options)
    )
    if options.write_key is not None:
        _write(task, named_key)
    if options.gold_subset is not None:
        return _predict(task, named_key), []
    if options.joins or not task.responses:
        task.notes.extend(_language(named_key))
        return _list_joins(named_key) if options.joins else "", []
    return _score(task, named_key)


def _score(task: _Task, named_key: NamedKey) -> tuple[str, list[Result]]:
    from sameas.show.scores import render
    from sameas.without_gold.remarks import note_empty

    options = task.options
    results = [
        replace(named_key.score(response, task.metrics), name=name)
        for name, response in task.responses.items()
    ]
    if options.by_document:
        results = [replace(one, notes=[*one.notes, *note_empty(one)]) for one in results]
    ceiling = None
    has_mentions = any(document.mention_count for document in task.key.documents)
    if named_key.estimated and options.text is None and has_mentions:
        ceiling = named_key.ceiling(task.key, task.metrics)
    notes = _remarks(task, named_key, results, ceiling)
    results = [replace(result, notes=[*result.notes, *notes]) for result in results]
    text = render(
        [*results, ceiling] if ceiling is not None and task.style == "csv" else results,
        task.style,
        digits=options.digits,
        by_document=options.by_document,
        resampling=options.intervals(),
        more={result.name: _json_fields(result, ceiling) for result in results},
    )
    for result in results:
        task.keep_notes(result.remarks, result.name)
    return text, results


def _remarks(
    task: _Task, named_key: NamedKey, results: Sequence[Result], ceiling: Result | None
) -> list[Note]:
    """Return notes on how far the scores of names can be trusted, given the key."""
    from sameas.without_gold.remarks import ORDER, ORDER_OF_ONE, note_ceiling, values_of
    from sameas.without_gold.study import check_names

    if task.options.text is not None:
        return [ORDER if len(results) > 1 else ORDER_OF_ONE]
    notes: list[Note] = []
    if ceiling is not None:
        check_names(task.responses)
        notes += [ORDER_OF_ONE] if len(results) == 1 else []
        notes += note_ceiling(values_of(ceiling), {one.name: values_of(one) for one in results})
    # With few other mentions in the key, or no names, a second ranking adds nothing.
    alone = any(note.code in ("no-name", "only-names") for note in results[0].notes)
    if len(results) > 1 and named_key.settings.mentions == "named" and not alone:
        notes += _ranking_notes(task, results)
    return notes


def _json_fields(result: Result, ceiling: Result | None) -> dict[str, Any]:
    """Return the additional fields of the JSON."""
    from sameas.without_gold.scoring import name_errors

    more: dict[str, Any] = {}
    if isinstance(result.settings, ConeSettings) and result.settings.mentions == "named":
        names, missing, misgrouped = name_errors(result)
        more["names"] = {"key": names, "mne": missing, "igne": misgrouped}
    if ceiling is not None:
        more["ceiling"] = {metric: ceiling[metric].as_dict() for metric in ceiling}
    return more


def _check(options: Arguments) -> None:
    """Reject incompatible options before any file is read."""
    options.refuse_empty()
    instead = list(options.given(*_INSTEAD))
    for what in instead[:1]:
        for name in options.given(*instead[1:], *_INSTEAD[what]):
            option = option_named(options.style if name == "style" else name)
            raise UsageError("option-not-for", option=option, other=option_named(what))
    for name in options.given(*_ABOUT):
        other, value = _ABOUT[name]
        found = getattr(options, other)
        if found is None or (value and found != value):
            needed = f"{option_named(other)} {value}".rstrip()
            raise UsageError("cone-needs", option=option_named(name), other=needed)
    _studying(options)
    is_text = options.text is not None
    refuse(is_text and options.correlate is not None, "cone-correlate-text")
    if is_text and options.signature is not None:
        settings = ConeSettings.of(signature=options.signature)
        refuse(settings.matcher == "none", "cone-text-signature")
    estimates = is_text or options.joins
    refuse(estimates and options.matcher == "none", "cone-text-matcher")
    options.intervals(always=instead[:1] in (["correlate"], ["gold_subset"]))


def _files(options: Arguments) -> tuple[str, dict[str, str]]:
    # argparse takes the first file as KEY, but with --text, all files are responses.
    files = [file for file in (options.key, *options.systems) if file is not None]
    if options.example:
        files = example_files((files or [options.text])[0])
        files = files[:1] if options.joins else files
    key = options.text if options.text is not None else files.pop(0) if files else None
    refuse(options.joins and files, "cone-explain-responses")
    if not key or not (files or options.joins or options.write_key):
        raise UsageError("cone-files")
    return key, named_systems(files)


def _chosen(options: Arguments, settings: type[Settings]) -> dict[str, Any]:
    """Map each option with a fixed list of values, except `compat`, to its value or None."""
    return {name: getattr(options, name) for name in choices(settings) if name != "compat"}


def _settings(options: Arguments) -> dict[str, Any]:
    settings = _chosen(options, ConeSettings)
    estimates = options.text is not None or options.joins
    if estimates and settings["matcher"] is None and options.signature is None:
        settings["matcher"] = "rules"
    return {name: value for name, value in settings.items() if value is not None}


def _studying(options: Arguments) -> Studying:
    """Return the settings of --correlate."""
    return Studying(**options.fields_of(Studying))


def _names(options: Arguments) -> str | None:
    """Return the given source of names, or `rules` for a TEXT; None if key or signature decides."""
    is_text = options.text is not None and options.signature is None
    return "rules" if is_text and options.names is None else options.names


def _correlate(task: _Task) -> tuple[str, list[Result]]:
    from sameas.metrics.statistics import METRICS
    from sameas.show.cone import column_titles, render_study, study_notes
    from sameas.without_gold.study import cone_study

    options = task.options
    found = cone_study(
        task.key,
        task.responses,
        names=options.names,
        across=options.across,
        **asdict(_studying(options)),
        metrics=options.metrics,
        resampling=options.resampling(),
        **_settings(options),
    )
    task.keep_notes(study_notes(found))
    if options.plot is not None:
        from sameas.show.plot import scatter

        shown = [one for one in found.correlations[""] if one.x in METRICS]
        scatter(found.table, shown, options.plot, by="system", titles=column_titles(found))
    return render_study(found, task.style, digits=options.digits), [*found.whole.values()]


def _predict(task: _Task, named_key: NamedKey) -> str:
    from sameas.formats.reading import read
    from sameas.show.cone import render_predictions
    from sameas.without_gold.remarks import note_disagreement
    from sameas.without_gold.subset import predict_response

    options = task.options
    gold = read(options.gold_subset, format=options.format, role="key")
    whole = _whole_settings(options)
    how: Any = {"target": options.target or "corpus", "confidence": options.confidence or 95}
    found = [
        predict_response(gold, named_key, response, whole, task.metrics, name=name, **how)
        for name, response in task.responses.items()
    ]
    order = note_disagreement(
        {one.name: {m: one[m].predicted.value for m in task.metrics} for one in found},
        {one.name: {m: one[m].proxy for m in task.metrics} for one in found},
        "predicted",
    )
    found = [replace(one, notes=[*one.notes, *order]) for one in found]
    for one in found:
        task.keep_notes(one.notes, one.name)
    return render_predictions(found, task.style, digits=options.digits)


def _whole_settings(options: Arguments) -> Settings:
    """Return the settings for scoring all mentions: the options except those on names."""
    if options.signature:
        from sameas.without_gold.scoring import plain_settings

        return plain_settings(ConeSettings.of(signature=options.signature))
    return Settings.of(**_chosen(options, Settings))


def _ranking_notes(task: _Task, results: Sequence[Result]) -> list[Note]:
    """Return notes that compare the rankings of results by names and by all key mentions."""
    from sameas.run import Plan, run
    from sameas.without_gold.remarks import BY_KEY, note_disagreement, values_of

    settings = _whole_settings(task.options)
    if settings.match == "head":  # not all mentions have heads; the ranking hardly changes
        settings = replace(settings, match="exact")
    responses = list(task.responses.values())
    plan = Plan(key=task.key, responses=responses, settings=settings, metrics=results[0].metrics)
    whole = {name: values_of(one) for name, one in zip(task.responses, run(plan), strict=True)}
    by_names = {result.name: values_of(result) for result in results}
    return [*note_disagreement(whole, by_names, "all"), BY_KEY]


def _list_joins(named_key: NamedKey) -> str:
    """Return a list of the joins of names, without the many joins of identical names."""
    from sameas.show.cells import printable
    from sameas.without_gold.matcher import SAME

    documents = [named_key.estimate(document) for document in named_key.key.documents]
    lines = [
        f"{document.name}: {joined}" + (f" ({times} times)" if times > 1 else "")
        for document in documents
        for joined, times in Counter(document.meta["joins"]).items()
        if joined.reason != SAME
    ]
    reasons = [joined.reason for document in documents for joined in document.meta["joins"]]
    names = sum(document.mention_count for document in documents)
    entities = sum(len(document.entity_ids) for document in documents)
    lines.append(
        f"{counted(names, 'name')} in {counted(len(documents), 'document')}, "
        f"{counted(entities, 'entity')}, {counted(len(reasons), 'join')}, "
        f"{reasons.count(SAME):,} of the same words "
        f"(names:{named_key.settings.names}|matcher:{named_key.settings.matcher})"
    )
    return "\n".join(map(printable, lines))


def _language(named_key: NamedKey) -> list[str]:
    if named_key.namer.name != "rules" or not named_key.estimated:
        return []
    from sameas.without_gold.remarks import note_language

    texts = (named_key.namer.text(document).words.words for document in named_key.key.documents)
    return [f"note: {note}" for note in note_language(texts)]


def _write(task: _Task, named_key: NamedKey) -> None:
    """Write the key against which responses are scored.

    A key that is not estimated depends on the response: write the one for the first response.
    """
    from sameas.formats.writing import save

    path, key = task.options.write_key, named_key.key
    if named_key.estimated:
        documents = [named_key.estimate(document) for document in key.documents]
    else:
        first = next(iter(task.responses.values()), None)
        documents = list(named_key.restrict(first or key)[0].key)
    notes: list[Note] = [*save(replace(key, documents=documents), path)]
    if named_key.estimated:
        how = named_key.settings
        notes.append(Note("cone-written", path=path, source=how.names, match=how.match))
    task.notes.extend(f"note: {note}" for note in notes)
