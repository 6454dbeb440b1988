"""Studies of CONE and predicted scores to tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from typing import Any

from sameas.chance.resampling import FEW
from sameas.metrics.statistics import METRICS
from sameas.notes import Note
from sameas.results.joining import join_notes
from sameas.results.result import PARTS
from sameas.show import Table, bracket, compact_json, json_of, lay_out, percent, write_csv
from sameas.show.correlation import shown_coefficient
from sameas.tables.correlation import Coefficient, Correlation
from sameas.without_gold.honesty import BY_KEY, disagreement, note_ceiling, values_of
from sameas.without_gold.study import ALL, WITHIN, Study
from sameas.without_gold.subset import PredictedScores

__all__ = ["column_titles", "render_predictions", "render_study", "study_notes"]

_SHOWN = {"precision": "P", "recall": "R", "f1": "F1"}


def render_study(study: Study, style: str = "text", *, digits: int = 2) -> str:
    """Write a study in one of the styles: a table for each metric, a row for each system.

    >>> from sameas.without_gold.study import cone_study
    >>> from sameas.examples import example_path
    >>> systems = {"eager": example_path("eager.conll")}
    >>> found = cone_study(example_path("key.conll"), systems, least=1)
    >>> print(render_study(found).splitlines()[0])
    CONE B³ with B³ of entities with a name, by document: Pearson's r
    """
    notes = study_notes(study)
    if style == "json":
        shown: dict[str, Any] = {
            "signature": study.signature,
            "rows": len(study.table),
            "correlations": {
                name or ALL: [one.as_dict() for one in found]
                for name, found in study.correlations.items()
            },
            "within": [one.as_dict() for one in study.within],
            "scores": {
                name: {
                    metric: {
                        "whole": study.whole[name][metric].value,
                        "cone": study.cone[name][metric].value,
                    }
                    for metric in study.cone[name].metrics
                }
                for name in study.cone
            },
            "agreement": {metric: study.agreement(metric) for metric in _metrics(study)},
            "agreement_interval": {m: study.agreement_interval(m) for m in _metrics(study)},
            "ceiling": study.ceiling and values_of(study.ceiling),
            "notes": notes,
        }
        return compact_json(shown)
    if style == "csv":
        header: list[object] = ["system", "x", "y", "rows", "pearson", "low", "high", "signature"]
        rows: list[list[object]] = [header]
        for name, found in _rows(study).items():
            for one in found:
                numbers = [one.pearson.value, *(one.pearson.interval or (None, None))]
                rows.append([name, one.x, one.y, one.rows, *numbers, study.signature])
        return write_csv(rows)
    tables = [_correlations(study, metric, digits) for metric in _metrics(study)]
    if len(study.cone) > 1 or study.ceiling is not None:
        tables.append(_ranking(study, digits))
    return lay_out(tables, notes, [study.signature], style)


def _metrics(study: Study) -> Sequence[str]:
    return next(iter(study.cone.values())).metrics


def _rows(study: Study) -> dict[str, Sequence[Correlation]]:
    """The correlations by what they are called: systems, then all, then within."""
    found = {name or ALL: some for name, some in study.correlations.items()}
    return {**found, WITHIN: study.within} if study.within else found


def _correlations(study: Study, metric: str, digits: int) -> Table:
    rows = []
    found = _rows(study)
    if len(study.cone) == 1:  # which is all
        found.pop(ALL, None)
    for name, some in found.items():
        of = _by_part(some, metric)
        cells = [
            shown_coefficient(of[part].pearson, digits) if part in of else "" for part in _SHOWN
        ]
        rows.append([name, str(some[0].rows), *cells])
    systems = len(rows) - 1 - (WITHIN in found)  # rows above the rule
    titles = column_titles(study)
    confidence = f"[{study.resampling.percentage}%]"
    return Table(
        ["system", "n", *(f"{part} {confidence}" for part in _SHOWN.values())],
        rows,
        rules=[systems] if systems else [],
        title=f"{titles[f'cone_{metric}']} with {titles[metric]}, by {study.level}: Pearson's r",
    )


def column_titles(study: Study) -> dict[str, str]:
    """What the columns of F1 are called, by their names in the table: which mentions are scored.

    >>> from sameas.without_gold.study import cone_study
    >>> from sameas.examples import example_path
    >>> systems = {"eager": example_path("eager.conll")}
    >>> study = cone_study(example_path("key.conll"), systems, least=1, metrics="b3")
    >>> column_titles(study)
    {'b3': 'B³ of entities with a name', 'cone_b3': 'CONE B³'}
    """
    whole = "all mentions" if study.against == "all" else "entities with a name"
    found: dict[str, str] = {}
    for metric in _metrics(study):
        title = METRICS[metric].title
        found |= {metric: f"{title} of {whole}", f"cone_{metric}": f"{_part(study)} {title}"}
    return found


def _part(study: Study) -> str:
    """What is correlated with the whole."""
    return "unnamed" if study.settings.mentions == "unnamed" else "CONE"


def _by_part(found: Sequence[Correlation], metric: str) -> Mapping[str, Correlation]:
    wanted = {metric if part == "f1" else f"{metric}_{part}": part for part in PARTS}
    return {wanted[one.x]: one for one in found if one.x in wanted}


def _ranking(study: Study, digits: int) -> Table:
    metrics = _metrics(study)
    header = [
        "system",
        *(f"{b}{METRICS[m].title}" for m in metrics for b in ("", f"{_part(study)} ")),
    ]
    rows = [
        [
            name,
            *(
                percent(results[name][metric].value, digits)
                for metric in metrics
                for results in (study.whole, study.cone)
            ),
        ]
        for name in study.cone
    ]
    ceiling = study.ceiling
    if ceiling is not None:
        shown = (cell for m in metrics for cell in ("", percent(ceiling[m].value, digits)))
        rows.append([ceiling.name, *shown])
    return Table(
        header,
        rows,
        rules=[len(rows) - 1] if ceiling is not None else [],
        title="F1 of all documents",
    )


def study_notes(study: Study) -> list[str]:
    """What is to be said of a study: how the two rank systems, and what was left out.

    >>> from sameas.without_gold.study import cone_study
    >>> from sameas.examples import example_path
    >>> systems = {"eager": example_path("eager.conll")}
    >>> len(study_notes(cone_study(example_path("key.conll"), systems, least=1)))
    4
    """
    mentions = study.settings.mentions
    notes = [Note("study-compared", mentions=mentions, how=study.against)]
    if study.part_of_whole is not None:
        notes.append(Note("study-part", mentions=mentions, percent=100 * study.part_of_whole))
    if study.ceiling is not None:
        notes.append(Note("study-estimated"))
    notes.append(Note("study-rows", how=study.level))
    if study.within:
        notes.append(Note("study-within", within=WITHIN, all=ALL))
    notes += (note for metric in _metrics(study) for note in _order(study, metric))
    if any(study.agreement_interval(metric) for metric in _metrics(study)):
        notes.append(Note("study-order-intervals"))
    if len(study.cone) > 1:
        notes.append(BY_KEY)
    if study.ceiling is not None:
        notes += note_ceiling(
            values_of(study.ceiling), {name: values_of(one) for name, one in study.cone.items()}
        )
    drawn = study.correlations[""][0].drawn
    if drawn < FEW:
        notes.append(Note("study-few-documents", count=drawn))
    of_systems = [(name, study.notes[name]) for name in study.cone]
    return [*map(str, [*notes, *study.notes[""]]), *join_notes(of_systems)]


def _order(study: Study, metric: str) -> list[Note]:
    """How the two scores rank the systems."""
    agreement, interval = study.agreement(metric), study.agreement_interval(metric)
    if agreement is None:
        return []
    systems = len(study.cone)
    pairs, better, worse = disagreement(
        *({name: one[metric].value for name, one in of.items()} for of in (study.whole, study.cone))
    )
    return [
        Note(
            "study-order",
            count=systems,
            total=comb(systems, 2),
            metric=METRICS[metric].title,
            tau=shown_coefficient(Coefficient(agreement, interval), 2),
            pairs=pairs,
            better=better,
            worse=worse,
            how=study.against if pairs else "",
        )
    ]


def render_predictions(
    found: Sequence[PredictedScores], style: str = "text", *, digits: int = 2
) -> str:
    """Write predicted scores in one of the styles, a table for each response.

    >>> from sameas.without_gold.subset import predict_score
    >>> from sameas.examples import example_path
    >>> key, response = example_path("key.conll"), example_path("eager.conll")
    >>> print(render_predictions([predict_score(key, key, response, metrics="b3")]).splitlines()[1])
    metric       annotated [95%]       with CONE [95%]  width     λ    CONE  of ann.
    """
    if style == "json":
        return json_of([one.as_dict() for one in found])
    if style == "csv":
        columns = "response metric part annotated annotated_low annotated_high predicted low high"
        rows: list[list[object]] = [
            [*columns.split(), "width", "lambda", "cone", "cone_annotated", "ceiling", "signature"]
        ]
        for one in found:
            for metric, parts in one.predictions.items():
                for part, p in parts.items():
                    numbers = [p.sample.value, *p.sample.interval, p.predicted.value]
                    numbers += [*p.predicted.interval, p.gain, p.weight, p.proxy, p.proxy_sample]
                    most = getattr(one.ceiling[metric], part)
                    rows.append([one.name, metric, part, *numbers, most, one.signature])
        return write_csv(rows)
    notes = join_notes([(one.name, one.notes) for one in found])
    notes.append(str(Note("predicted-columns")))
    signatures = [one.signature for one in found]
    return lay_out([_predictions(one, digits) for one in found], notes, signatures, style)


def _predictions(found: PredictedScores, digits: int) -> Table:
    def shown(estimate: Any) -> str:
        return f"{percent(estimate.value, digits)} {bracket(estimate.interval, digits)}"

    rows = []
    for metric, parts in found.predictions.items():
        one = parts["f1"]
        rows.append(
            [
                METRICS[metric].title,
                shown(one.sample),
                shown(one.predicted),
                f"{one.gain:.2f}",
                f"{one.weight:.2f}",
                percent(one.proxy, digits),
                percent(one.proxy_sample, digits),
            ]
        )
    confidence = f"[{str(found.confidence).removesuffix('.0')}%]"
    header = ["metric", f"annotated {confidence}", f"with CONE {confidence}", "width", "λ"]
    header += ["CONE", "of ann."]
    return Table(
        header,
        rows,
        title=f"{found.name}: F1 of {len(found.cone)} documents, "
        f"{len(found.annotated)} of them annotated",
    )
