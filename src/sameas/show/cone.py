"""Render studies of CONE and predicted scores as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import Any

from sameas.chance.resampling import FEW
from sameas.metrics.statistics import METRICS
from sameas.notes import Note
from sameas.show.cells import bracket, percent, score_rows
from sameas.show.correlation import shown_coefficient
from sameas.show.records import compact_json, json_of, limits, write_records
from sameas.show.table import TextTable, join_notes, lay_out
from sameas.tables.correlation import Coefficient, Correlation
from sameas.without_gold.remarks import BY_KEY, disagreement, note_ceiling, values_of
from sameas.without_gold.study import ALL, WITHIN, Study
from sameas.without_gold.subset import PredictedScores

__all__ = ["column_titles", "render_predictions", "render_study", "study_notes"]

_SHOWN = {"_precision": "P", "_recall": "R", "": "F1"}  # keyed by the suffix of a column's name


def render_study(study: Study, style: str = "text", *, digits: int = 2) -> str:
    """Render a study in one of the styles, with a table for each metric and a row for each system.

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
            "scores": {name: _both(study, name) for name in study.cone},
            "agreement": {metric: study.agreement(metric) for metric in _metrics(study)},
            "agreement_interval": {m: study.agreement_interval(m) for m in _metrics(study)},
            "ceiling": study.ceiling and values_of(study.ceiling),
            "notes": notes,
        }
        return compact_json(shown)
    if style == "csv":
        return write_records(
            {
                "system": name,
                "x": one.x,
                "y": one.y,
                "rows": one.rows,
                "pearson": one.pearson.value,
                **limits(one.pearson.interval),
                "signature": study.signature,
            }
            for name, found in _rows(study).items()
            for one in found
        )
    tables = [_correlations(study, metric, digits) for metric in _metrics(study)]
    if len(study.cone) > 1 or study.ceiling is not None:
        tables.append(_ranking(study, digits))
    return lay_out(tables, notes, [study.signature], style)


def _both(study: Study, system: str) -> dict[str, dict[str, float]]:
    """Return the scores of a system, keyed by metric, for whole entities and for names."""
    whole, cone = study.whole[system], study.cone[system]
    return {
        metric: {"whole": whole[metric].value, "cone": cone[metric].value}
        for metric in cone.metrics
    }


def _metrics(study: Study) -> Sequence[str]:
    return next(iter(study.cone.values())).metrics


def _rows(study: Study) -> dict[str, Sequence[Correlation]]:
    """Return the correlations keyed by label: the systems, then `ALL`, then `WITHIN`."""
    found = {name or ALL: some for name, some in study.correlations.items()}
    return {**found, WITHIN: study.within} if study.within else found


def _correlations(study: Study, metric: str, digits: int) -> TextTable:
    rows = []
    found = _rows(study)
    if len(study.cone) == 1:  # all rows are those of the only system
        found.pop(ALL, None)
    for name, some in found.items():
        of = {one.x: shown_coefficient(one.pearson, digits) for one in some}
        rows.append([name, str(some[0].rows), *(of.get(metric + part, "") for part in _SHOWN)])
    systems = len(rows) - 1 - (WITHIN in found)  # rows above the rule
    titles = column_titles(study)
    confidence = f"[{study.resampling.percentage}%]"
    return TextTable(
        ["system", "n", *(f"{part} {confidence}" for part in _SHOWN.values())],
        rows,
        rules=[systems] if systems else [],
        title=f"{titles[f'cone_{metric}']} with {titles[metric]}, by {study.level}: Pearson's r",
    )


def column_titles(study: Study) -> dict[str, str]:
    """Return the title of each column of F1, which states the mentions that are scored.

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
    """Return the title of the part that is correlated with the whole."""
    return "unnamed" if study.settings.mentions == "unnamed" else "CONE"


def _ranking(study: Study, digits: int) -> TextTable:
    """Return the scores of the whole and of names side by side; a ceiling has only the latter."""
    rows = []
    for name in study.cone:
        values = (value for both in _both(study, name).values() for value in both.values())
        rows += score_rows(name, values, digits)
    if study.ceiling is not None:
        cells = (("", percent(study.ceiling[m].value, digits)) for m in _metrics(study))
        rows.append([study.ceiling.name, *(cell for pair in cells for cell in pair)])
    titles = [METRICS[metric].title for metric in _metrics(study)]
    header = [f"{part}{title}" for title in titles for part in ("", f"{_part(study)} ")]
    rules = [len(study.cone)] if study.ceiling is not None else []
    return TextTable(["system", *header], rows, rules=rules, title="F1 of all documents")


def study_notes(study: Study) -> list[str]:
    """Return the notes on a study: how the two scores rank systems, and what was omitted.

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
    notes += (note for metric in _metrics(study) for note in _note_ranking(study, metric))
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


def _note_ranking(study: Study, metric: str) -> list[Note]:
    """Return a note on how the two scores rank the systems."""
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
    """Render predicted scores in one of the styles, with a table for each response.

    >>> from sameas.without_gold.subset import predict_score
    >>> from sameas.examples import example_path
    >>> key, response = example_path("key.conll"), example_path("eager.conll")
    >>> text = render_predictions([predict_score(key, key, response, metrics="b3")])
    >>> print(next(line for line in text.splitlines() if line.startswith("metric")))
    metric       annotated [95%]       with CONE [95%]  width     λ    CONE  of ann.
    """
    if style == "json":
        return json_of([one.as_dict() for one in found])
    if style == "csv":
        return write_records(row for one in found for row in _prediction_rows(one))
    notes = join_notes([(one.name, one.notes) for one in found])
    notes.append(str(Note("predicted-columns")))
    signatures = [one.signature for one in found]
    return lay_out([_predictions(one, digits) for one in found], notes, signatures, style)


def _predictions(found: PredictedScores, digits: int) -> TextTable:
    def shown(estimate: Any) -> str:
        return f"{percent(estimate.value, digits)} {bracket(estimate.interval, digits)}"

    rows = []
    for metric, parts in found.predictions.items():
        one = parts["f1"]
        gains = [f"{one.gain:.2f}", f"{one.weight:.2f}"]
        proxies = [percent(value, digits) for value in (one.proxy, one.proxy_sample)]
        rows.append(
            [METRICS[metric].title, shown(one.sample), shown(one.predicted), *gains, *proxies]
        )
    confidence = f"[{str(found.confidence).removesuffix('.0')}%]"
    header = ["metric", f"annotated {confidence}", f"with CONE {confidence}", "width", "λ"]
    header += ["CONE", "of ann."]
    return TextTable(
        header,
        rows,
        title=f"{found.name}: F1 of {len(found.cone)} documents, "
        f"{len(found.annotated)} of them annotated",
    )


def _prediction_rows(found: PredictedScores) -> Iterator[dict[str, object]]:
    for metric, parts in found.predictions.items():
        for part, one in parts.items():
            yield {
                "response": found.name,
                "metric": metric,
                "part": part,
                "annotated": one.sample.value,
                **limits(one.sample.interval, "annotated_"),
                "predicted": one.predicted.value,
                **limits(one.predicted.interval),
                "width": one.gain,
                "lambda": one.weight,
                "cone": one.proxy,
                "cone_annotated": one.proxy_sample,
                "ceiling": getattr(found.ceiling[metric], part),
                "signature": found.signature,
            }
