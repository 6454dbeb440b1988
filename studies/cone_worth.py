"""The value of CONE: rankings, correlations, and how both depend on definitions."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from cone_data import Data, some

import sameas
from sameas.documents.document import Corpus, Document, Entity, Mention
from sameas.run.memory import score_pairing
from sameas.settings import Resampling
from sameas.show.plot import scatter
from sameas.show.table import join_notes
from sameas.tables.correlation import Correlation, correlate, kendall
from sameas.tables.scoretable import ScoreTable
from sameas.without_gold.named import Namer
from sameas.without_gold.scoring import NamedKey, name_errors
from sameas.without_gold.study import Study, cone_study

METRICS = ("b3", "ceafm", "conll")
CORPORA: dict[str, tuple[str, Callable[[str], bool]]] = {
    "GUM news": ("gum", lambda name: "_news_" in name),
    "GUM": ("gum", lambda name: True),
    "LitBank": ("litbank", lambda name: True),
}
#: The scores that names are correlated with.
NE_CRR, FULL, MIXED, LINKED = (
    "entities with a name (NE-CRR)",
    "all mentions",
    "all mentions by exact spans (names by heads)",
    "all mentions, no singletons",
)
#: For each way to match names, the settings with which all mentions are scored.
WHOLES: dict[str, dict[str, dict[str, str]]] = {
    "head": {
        FULL: {"match": "head"},
        MIXED: {"match": "exact"},
        LINKED: {"match": "head", "singletons": "drop"},
    },
    "exact": {FULL: {"match": "exact"}},
}
MATCHES = {"head": "heads", "exact": "exact spans"}
DRAWN = Resampling(samples=2000)
NAMES: dict[str, dict[str, str]] = {
    "gold": {},
    "found": {"names": "rules"},
    "estimated": {"names": "rules", "matcher": "rules"},
}
#: The ways to match names of each kind; the last is the default of `sameas cone`.
MATCHED = {"gold": ("head", "exact"), "found": ("exact",), "estimated": ("head",)}
#: The default of `sameas cone --correlate document --against all`: match of names, other score.
DEFAULT = {"gold": ("exact", FULL), "found": ("exact", FULL), "estimated": ("head", MIXED)}
#: Lin et al. 2010, Tables 1 to 4: documents; for each system, P, R and F1 of B³, then of CEAF.
PAPER = {
    "Table 1: gold names, ACE phase 2": (29, {
        "LBJ": (0.82, 0.71, 0.70, 0.81, 0.71, 0.77),
        "BART": (0.85, 0.50, 0.66, 0.71, 0.61, 0.68),
        "LingPipe": (0.84, 0.66, 0.67, 0.74, 0.71, 0.73),
        "OpenNLP": (0.31, 0.57, 0.61, 0.79, 0.72, 0.79),
    }),
    "Table 2: gold names, ACE 2005": (81, {
        "LBJ": (0.60, 0.62, 0.62, 0.75, 0.61, 0.68),
        "BART": (0.74, 0.82, 0.84, 0.72, 0.68, 0.67),
        "LingPipe": (0.91, 0.65, 0.73, 0.44, 0.57, 0.53),
        "OpenNLP": (0.48, 0.77, 0.80, 0.54, 0.67, 0.65),
    }),
    "Table 3: estimated names, ACE phase 2": (29, {
        "LBJ": (0.31, 0.23, 0.22, 0.33, 0.55, 0.56),
        "BART": (0.71, 0.44, 0.43, 0.61, 0.63, 0.71),
        "LingPipe": (0.57, 0.43, 0.49, 0.36, 0.25, 0.31),
        "OpenNLP": (0.10, 0.60, 0.64, 0.35, 0.53, 0.53),
    }),
    "Table 4: estimated names, ACE 2005": (81, {
        "LBJ": (0.33, 0.32, 0.42, 0.22, 0.34, 0.36),
        "BART": (0.25, 0.66, 0.65, 0.20, 0.45, 0.37),
        "LingPipe": (0.19, 0.33, 0.34, 0.77, 0.68, 0.72),
        "OpenNLP": (0.26, 0.66, 0.67, 0.28, 0.42, 0.38),
    }),
}  # fmt: skip


def corpora(data: Data) -> Iterator[tuple[str, Corpus, dict[str, Corpus]]]:
    """Yield the title, the key and the responses of each corpus."""
    for title, (corpus, wanted) in CORPORA.items():
        systems = {n: some(c, wanted) for n, c in data.responses(corpus).items()}
        yield title, some(data.key(corpus), wanted), systems


class Row(NamedTuple):
    """A corpus, how names match, the score they are correlated with, and the correlations."""

    title: str
    match: str
    whole: str
    study: Study


def studies(data: Data, names: str) -> Iterator[Row]:
    """Yield the correlations of the score of names with those of larger sets of mentions.

    Rows of the same corpus and matching have the same CONE scores.
    """
    for title, key, systems in corpora(data):
        for match in MATCHED[names]:
            yield from _studies(data, names, title, match, key, systems)


def _studies(
    data: Data, names: str, title: str, match: str, key: Corpus, systems: dict[str, Corpus]
) -> Iterator[Row]:
    base = data.once(
        f"{title}, {names}, {match}",
        lambda: cone_study(
            key, systems, metrics=METRICS, match=match, resampling=DRAWN, **NAMES[names]
        ),
    )
    yield Row(title, match, NE_CRR, base)
    for whole, settings in WHOLES[match].items():
        scored = data.once(f"{title}, {settings}", lambda how=settings: _scored(key, systems, how))
        found = data.once(
            f"{title}, {names}, {match}, {whole}", lambda w=scored: _with_whole(base, w)
        )
        yield Row(title, match, whole, found)


def _scored(
    key: Corpus, systems: dict[str, Corpus], settings: dict[str, str]
) -> dict[str, sameas.Result]:
    """Score all mentions in the response of each system, with the heads that CONE uses."""
    named = NamedKey.of(key, None, **settings)
    return {
        name: score_pairing(named.restrict(response, "all")[0], named.settings, list(METRICS))
        for name, response in systems.items()
    }


def _with_whole(study: Study, whole: dict[str, sameas.Result]) -> Study:
    """Return the study, with names correlated with the scores in `whole` instead."""
    rows_of = {
        name: {document: n for n, document in enumerate(result.statistics.documents)}
        for name, result in whole.items()
    }
    rows = list(zip(study.table.labels["system"], study.table.labels["document"], strict=True))
    columns = {
        metric: np.array(
            [100 * whole[n].documents[rows_of[n][document]][metric].value for n, document in rows]
        )
        for metric in METRICS
    }
    table = replace(study.table, columns={**study.table.columns, **columns})
    pairs = [(metric, f"cone_{metric}") for metric in METRICS]
    how: dict[str, Any] = {"pairs": pairs, "resampling": study.resampling}
    groups = {**table.by("system"), "": table}
    return replace(
        study,
        table=table,
        whole=whole,
        against="all",
        correlations={n: correlate(t, intervals=["pearson"], **how) for n, t in groups.items()},
        within=correlate(table, within="system", **how),
    )


def of(found: Any, column: str) -> Correlation:
    """Return the correlation of a column."""
    one: Correlation = next(one for one in found if one.x == column)
    return one


def shown_r(one: Correlation) -> str:
    """Return Pearson's r with its interval as text."""
    return _shown(one.pearson.value, one.pearson.interval)


def _shown(value: float | None, interval: Any) -> str:
    if value is None:
        return "–"
    text = f"{value:.2f}"
    if interval:
        text += " [{:.2f}, {:.2f}]".format(*interval)
    return text.replace("-", "−")


def _range(values: list[float]) -> str:
    low, high = (f"{value:.2f}".replace("-", "−") for value in (min(values), max(values)))
    return f"{low} to {high}"


def _mean(values: list[float]) -> str:
    return f"{sum(values) / len(values):.2f}".replace("-", "−")


def ranking(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Yield the section on ranking systems by CONE: the ceiling, and τ."""
    yield "## Can I rank my systems by CONE?\n"
    scored = {title: _under_names(key, systems) for title, key, systems in corpora(data)}
    by_gold = {row[:3]: row.study for row in studies(data, "gold")}
    yield from _answer(data, scored)
    yield "### Gold loses under the estimated key\n"
    yield (
        "The table shows the scores of the systems against the estimated key (names found by "
        "our rules, grouped by our matcher), and that of the gold standard itself, which a "
        "perfect system would get. The last three columns show CoNLL scores against the gold "
        "key: of names alone, of the entities that have a name, and of all mentions. Mentions "
        "match by their heads. Scores above that of gold are in bold.\n"
    )
    yield (
        "| corpus | response | estimated names: CoNLL | B³ | CEAFm | LEA | gold names: CoNLL "
        "| entities with a name: CoNLL | all mentions: CoNLL |"
    )
    yield "|---|---|--:|--:|--:|--:|--:|--:|--:|"
    for title, rows in scored.items():
        for name, under in rows.items():
            cells = [
                f"**{100 * value:.1f}**" if value > top else f"{100 * value:.1f}"
                for value, top in zip(under, rows["gold"], strict=True)
            ]
            parts = [
                by_gold[title, "head", NE_CRR].cone,
                *(by_gold[title, "head", whole].whole for whole in (NE_CRR, FULL)),
            ]
            cells += [
                f"{100 * part[name]['conll'].value:.1f}" if name != "gold" else "100.0"
                for part in parts
            ]
            yield f"| {title} | {name} | {' | '.join(cells)} |"
    yield (
        "\n"
        "The estimated key has names that are not mentions in gold, lacks names that gold "
        "has, and groups by spelling. A system that does the same, such as string-match, "
        "agrees with it better than gold does. So a system that comes closer to gold can lose "
        "points, and a score higher than gold's own means nothing.\n"
    )
    yield from _rankings(data)


def _rankings(data: Data) -> Iterator[str]:
    yield "### The ranking of five systems (Kendall's τ)\n"
    yield (
        "The scores of the whole corpus rank the five systems. τ (τ_b) is 1 if CONE gives the "
        "same ranking as the score in the column *ranking by*, 0 if it is no better than chance, "
        "and −1 if the ranking is reversed. Without ties, 5 (1 − τ) of the ten pairs of "
        "systems are in the wrong order; a τ that is not a multiple of 0.2 comes from a tie. "
        "The 95% intervals are bootstrap intervals over documents (2,000 samples). They cover "
        "the choice of documents, not that of systems, and five systems are few.\n"
    )
    yield _KINDS
    yield "| corpus | names | names match by | ranking by | B³ | CEAFm | CoNLL |"
    yield "|---|---|---|---|---|---|---|"
    for names in NAMES:
        for title, match, whole, study in studies(data, names):
            taus = [_shown(study.agreement(m), study.agreement_interval(m)) for m in METRICS]
            yield f"| {title} | {names} | {MATCHES[match]} | {whole} | {' | '.join(taus)} |"
    yield ""
    yield _four(data)


#: The meaning of the values in the column *names*.
_KINDS = (
    "The names are of three kinds:\n\n"
    "- *Gold* names are the mentions that the key labels as names, grouped as in the key. "
    "They match by exact spans by default, and by heads with `--match head`.\n"
    "- *Found* names are found by our rules, and grouped as in the key. This is the default for a "
    "key that does not label names (plain CoNLL).\n"
    "- *Estimated* names are found by our rules and grouped by our matcher, as without a key. "
    "They match by heads.\n\n"
    "In rows with *(names by heads)*, names match by heads and all mentions by exact spans. "
    "This is the default of `--against all` with estimated names; no command does this with "
    "gold names.\n"
)


def _four(data: Data) -> str:
    """Return text on the rankings with estimated names, and on those without the last system."""
    last = "neuralcoref"
    lasts: dict[tuple[str, str], bool] = {}  # CONE does not depend on what it is compared with
    taus = []
    for row in studies(data, "estimated"):
        for metric in METRICS:
            whole, cone = (
                {name: result[metric].value for name, result in side.items()}
                for side in (row.study.whole, row.study.cone)
            )
            lasts[row.title, metric] = min(cone, key=cone.__getitem__) == last
            four = [name for name in cone if name != last]
            sides = (np.array([side[name] for name in four]) for side in (whole, cone))
            taus.append(kendall(*sides) or 0.0)
    below = sum(tau < 0 for tau in taus)
    times = "all" if all(lasts.values()) else f"{sum(lasts.values())} of the"
    return (
        f"With estimated names, {last} is last in {times} {len(lasts)} rankings "
        "(three corpora × three metrics). For the other four systems, τ with the gold ranking "
        f"ranges from {_range(taus)}, with a mean of {_mean(taus)}. It is below 0 in {below} of "
        f"the {len(taus)} cases in the table: more of their pairs are in the wrong order than in "
        "the right one.\n"
    )


def _under_names(key: Corpus, systems: dict[str, Corpus]) -> dict[str, list[float]]:
    """Return four scores of gold and of each system against the estimated key."""
    found = {}
    metrics = ["conll", "b3", "ceafm", "lea"]
    for name, response in {"gold": key, **systems}.items():
        result = sameas.cone(key, response, metrics=metrics, **NAMES["estimated"])
        found[name] = [result[m].value for m in metrics]
    return found


def _answer(data: Data, scored: dict[str, Any]) -> Iterator[str]:
    taus: dict[str, list[float]] = {}
    within: dict[tuple[str, str], list[float]] = {}
    for names in NAMES:
        for title, match, whole, study in studies(data, names):
            taus.setdefault(names, []).extend(study.agreement(m) or 0.0 for m in METRICS)
            if whole == FULL or (match, whole) == DEFAULT[names]:
                rs = [of(study.within, m).pearson.value or 0.0 for m in METRICS]
                within.setdefault((title, names), []).extend(rs)
    above = {
        title: [name for name, under in rows.items() if under[0] > rows["gold"][0]]
        for title, rows in scored.items()
    }
    yield (
        "**With a key, rank by `sameas score`: names add nothing. Without a key, do not rank.** "
        "There are three reasons not to rank by an estimated key, measured below:\n\n"
        "- *The best possible response does not win.* Scored as a response, gold itself has a "
        "lower CoNLL score than some systems: "
        + "; ".join(
            f"{100 * rows['gold'][0]:.1f} on {title} ("
            + ", ".join(f"{name} {100 * rows[name][0]:.1f}" for name in above[title])
            + ")"
            for title, rows in scored.items()
        )
        + ".\n"
        f"- *The ranking is close to chance.* Kendall's τ with the gold ranking ranges from "
        f"{_range(taus['estimated'])}, depending on the corpus, the metric and the definition of "
        f"the gold score, with a mean of {_mean(taus['estimated'])}.\n"
        "- *The estimated key rewards grouping by spelling*, because its own names are grouped by "
        "spelling.\n\n"
        "**The ranking is hardly better with the names in a key.** Gold then scores 100, as it "
        "should, but τ "
        f"ranges from {_range(taus['gold'])} (mean {_mean(taus['gold'])}) with gold names, and "
        f"from {_range(taus['found'])} (mean {_mean(taus['found'])}) if our rules find the names "
        "and the key groups them. Names are one part of the task, and the systems that are good "
        "at names are not those that are good at the rest. With a key, the score of all mentions "
        "is available anyway.\n\n"
        "**CONE has three uses:**\n\n"
        "- *See on which documents a system does well or badly, in news.* The measure is r over "
        "documents, within systems, between the score of names and that of all mentions: "
        + "; ".join(
            f"{names}, {_corpora({title: _range(within[title, kind]) for title in CORPORA})}"
            for kind, names in (
                ("gold", "with gold names"),
                ("found", "with names found in a key that does not label them"),
                ("estimated", "with estimated names"),
            )
        )
        + ". An r of 0.5 explains 25% of the variance, and an r of 0.2 explains 4%.\n"
        "- *Narrow the interval that a small gold standard gives.* With 20 or 40 annotated "
        "documents the interval of the full score becomes 6% narrower on average, and up to 22% "
        "narrower, and keeps its coverage (`--gold-subset`; see the section on a small gold "
        "standard below).\n"
        "- *Score the grouping of names*, if that is the task.\n"
    )


def _corpora(ranges: dict[str, str]) -> str:
    """Return `range on corpus` for each corpus, as a list in words."""
    *others, last = (f"{shown} on {title}" for title, shown in ranges.items())
    return f"{', '.join(others)} and {last}"


def correlation(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Yield the section on r between the scores of names and of larger sets of mentions."""
    yield "## Does CONE predict the score?\n"
    yield (
        "The tables show Pearson's r over documents between the F1 of names alone and the F1 of "
        "a larger set of mentions, with 95% bootstrap intervals over documents (2,000 samples). "
        "CEAF is φ₃ (CEAFm), as in the paper.\n\n"
        "- *Entities with a name (NE-CRR)*: the paper correlates the score of names with that "
        "of all mentions of the entities that have a name. Of these mentions, 66% are names in "
        "GUM news, 54% in GUM and 22% in LitBank, so a part is correlated with its whole.\n"
        "- *All mentions*: the score of all mentions of all entities, as reported by `sameas "
        "score`. Of these mentions, 30%, 15% and 12% are names. The rows differ in how all "
        "mentions are scored: matched in the same way as names; matched by exact spans, while "
        "names match by heads; or without singletons in key and response, while the score of "
        "names includes singletons.\n"
        "- *Pooled* combines the documents of all five systems, so it also reflects "
        "differences between systems (neuralcoref marks no singletons, which lowers its scores "
        "of names and of all mentions unless singletons are dropped). *Within* uses the "
        "deviations from the mean of each system.\n"
        "- Documents in which the key has fewer than three names are omitted, and for each "
        "system also those in which its response has no entity with a name (the last table in "
        "this section shows the effect). On the remaining documents CONE is the same in all "
        "rows with the same corpus and matching.\n"
    )
    yield _KINDS
    for names in NAMES:
        yield f"### {names.capitalize()} names: r with entities that have a name and all mentions\n"
        yield (
            "| corpus | names match by | correlated with | n | pooled B³ | CEAFm | CoNLL "
            "| within B³ | CEAFm | CoNLL |"
        )
        yield "|---|---|---|--:|---|---|---|---|---|---|"
        for title, match, whole, study in studies(data, names):
            cells = [
                shown_r(of(found, metric))
                for found in (study.correlations[""], study.within)
                for metric in METRICS
            ]
            rows = of(study.within, "b3").rows
            yield f"| {title} | {MATCHES[match]} | {whole} | {rows:,} | {' | '.join(cells)} |"
        yield ""
    yield from _by_system(data)
    yield from _left_out(data)


def _by_system(data: Data) -> Iterator[str]:
    yield "### By system: r with entities that have a name and all mentions (F1)\n"
    yield "| corpus | names | system | n | NE-CRR: B³ | CEAFm | CoNLL | all: B³ | CEAFm | CoNLL |"
    yield "|---|---|---|--:|---|---|---|---|---|---|"
    for names in ("gold", "estimated"):
        found = {row[:3]: row.study for row in studies(data, names)}
        for title in CORPORA:
            both = [found[title, "head", whole].correlations for whole in (NE_CRR, FULL)]
            for system in both[0]:
                if system:
                    cells = [shown_r(of(one[system], m)) for one in both for m in METRICS]
                    n = both[0][system][0].rows
                    yield f"| {title} | {names} | {system} | {n:,} | {' | '.join(cells)} |"
    yield ""


def _left_out(data: Data) -> Iterator[str]:
    yield "### Documents in which a response has no entity with a name\n"
    yield (
        "The tables above omit these documents for the system that produced the response, as "
        "`--correlate` does. This table shows r within systems, over the remaining documents "
        "and over all documents in which the key has three names or more (*with these*). With "
        "gold or found names, CONE is 0 if the response has no name. Even if names are estimated, "
        "the names in the gold key determine whether a response has a name. Each row uses "
        "the defaults of the command for the correlation with all mentions (`--against all`): "
        "gold and found names match by exact spans, estimated names by heads, and all mentions "
        "by exact spans.\n"
    )
    yield (
        "| corpus | names | omitted, by system | B³ | with these | CEAFm | with these | CoNLL "
        "| with these |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for names in NAMES:
        for title, match, whole, study in studies(data, names):
            if (match, whole) == DEFAULT[names]:
                every, counts = _with_all(study)
                cells = [shown_r(of(some, m)) for m in METRICS for some in (study.within, every)]
                yield f"| {title} | {names} | {counts} | {' | '.join(cells)} |"
    yield ""


def _with_all(study: Study) -> tuple[Any, str]:
    """Return r within systems over all documents, and how many `study` omits per system."""
    labels = study.table.labels
    pairs = list(zip(labels["system"], labels["document"], strict=True))
    wanted, present = sorted(set(labels["document"])), set(pairs)
    rows = [(system, document) for system in study.whole for document in wanted]
    columns = {}
    for before, results in (("", study.whole), ("cone_", study.cone)):
        scores = {
            (system, document): one
            for system, result in results.items()
            for document, one in zip(result.statistics.documents, result.documents, strict=True)
        }
        for metric in METRICS:
            values = [100 * scores[row][metric].value for row in rows]
            columns[f"{before}{metric}"] = np.array(values)
    table = ScoreTable(
        {"system": [row[0] for row in rows], "document": [row[1] for row in rows]}, columns
    )
    omitted = {system: sum((system, d) not in present for d in wanted) for system in study.whole}
    found = correlate(
        table,
        pairs=[(metric, f"cone_{metric}") for metric in METRICS],
        within="system",
        resampling=study.resampling,
    )
    return found, ", ".join(f"{system} {n}" for system, n in omitted.items() if n) or "none"


def tables(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Yield the section that repeats the paper's Tables 1 to 4 and Figures 2 to 5."""
    yield "## The paper's comparison: entities that have a name\n"
    yield (
        "The tables show Pearson's r over documents between the score of the entities that have "
        "a name (all their mentions) and the score of their names alone, with 95% bootstrap "
        "intervals over documents. Mentions match by their heads unless a heading states "
        "otherwise. Documents in which the key has fewer than three names are omitted, and "
        "for each system also those in which its response has no entity with a name. CEAF is "
        "φ₃ (CEAFm), as in the paper.\n"
    )
    pooled = []
    for title, key, systems in corpora(data):
        for kind, names in (
            ("gold names", {}),
            ("estimated names, our rules", NAMES["estimated"]),
            ("estimated names, the paper's matcher", {"names": "rules", "matcher": "paper"}),
            ("control: unnamed mentions", {"mentions": "unnamed"}),
            ("gold names, matched exactly", {"match": "exact"}),
        ):
            found = cone_study(key, systems, **{"match": "head", **names})
            yield f"### {title}, {kind}\n"
            yield from _correlation_rows(found)
            yield from (f"*{note}.*\n" for note in _notes(found))
            pooled.append((title, kind, found))
            if kind in ("gold names", "estimated names, our rules"):
                file = f"cone-{title} {kind.split(' ')[0]}.png".lower().replace(" ", "-")
                shown = [of(found.correlations[""], metric) for metric in ("b3", "ceafm")]
                scatter(found.table, shown, str(options.output / file), by="system")
                yield f"![Scores of documents: {title}, {kind}]({file})\n"
    yield "### F1 of all systems, pooled, and in the paper\n"
    yield "| | n | B³ | CEAF |"
    yield "|---|--:|---|---|"
    for title, kind, found in pooled:
        b3, ceaf = (of(found.correlations[""], metric) for metric in ("b3", "ceafm"))
        yield f"| {title}, {kind} | {b3.rows:,} | {shown_r(b3)} | {shown_r(ceaf)} |"
    yield "| paper, Figures 2 and 3: ACE phase 2, gold names | 4 × 29 | 0.70 | 0.83 |"
    yield "| paper, Figures 4 and 5: ACE 2005, gold names | 4 × 81 | 0.89 | 0.82 |\n"


def _notes(found: Study) -> list[str]:
    """Return the notes of a study: those on all systems, then those on each."""
    systems = [(name, notes) for name, notes in found.notes.items() if name]
    return [*map(str, found.notes[""]), *join_notes(systems)]


def _correlation_rows(found: Study) -> Iterator[str]:
    yield "| system | n | B³ P | R | F1 | CEAF P | R | F1 |"
    yield "|---|--:|---|---|---|---|---|---|"
    parts = [f"{metric}{part}" for metric in ("b3", "ceafm") for part in _PARTS]
    for name, some_of in found.correlations.items():
        cells = " | ".join(shown_r(of(some_of, part)) for part in parts)
        yield f"| {name or '**all**'} | {some_of[0].rows:,} | {cells} |"
    yield ""


_PARTS = ("_precision", "_recall", "")


def paper(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Yield the section that adds intervals to the paper's Tables 1 to 4."""
    yield "## The paper's tables, with Fisher intervals\n"
    estimated = [r for title, (_, rows) in PAPER.items() if "estimated" in title
                 for values in rows.values() for r in values]  # fmt: skip
    yield (
        f"The paper calls all {len(estimated)} results with estimated names (Tables 3 and 4) "
        f"correlated, but {sum(r < 0.3 for r in estimated)} of them are below 0.3, which counts "
        "as uncorrelated on the paper's own scale.\n"
    )
    for title, (n, rows) in PAPER.items():
        yield f"{title}, n = {n}\n"
        yield "| system | B³ P | R | F1 | CEAF P | R | F1 |"
        yield "|---|---|---|---|---|---|---|"
        for system, values in rows.items():
            yield f"| {system} | " + " | ".join(_fisher(r, n) for r in values) + " |"
        yield ""


def _fisher(r: float, n: int) -> str:
    reach = 1.959964 / math.sqrt(n - 3)
    return _shown(r, [math.tanh(math.atanh(r) + side * reach) for side in (-1, 1)])


#: When a response mention is a name, if no key mention has its words or its head.
RULES = {
    "its head is capitalised (`annotated`)": "capital",
    "(never)": "never",
    "its head is in a name that our rules find": "found",
    "any of its words is capitalised": "any",
}


def calling(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Yield the section on how r depends on which mentions of a response count as names."""
    yield "## Which mentions of a response are names\n"
    yield (
        "A response does not label which of its mentions are names. A mention that matches a "
        "key mention, by its words or else by its head, has the kind of that mention. For the "
        "other mentions, each row uses a different rule. The precision of names "
        "depends on the rule, but their recall does not. The table shows r of F1 with gold "
        "names, matched by head. In the last row for each corpus, the recogniser decides for "
        "every mention of the response whether it is a name, even if it matches a key mention. "
        "On LitBank, r of B³ (pooled, NE-CRR) ranges from 0.12 to 0.36, depending on the rule "
        "alone.\n"
    )
    yield (
        "| corpus | an unmatched mention is a name if | names in responses "
        "| of these, unmatched | pooled NE-CRR: B³ | CEAFm | within: B³ | CEAFm "
        "| pooled, all mentions: B³ | CEAFm | within: B³ | CEAFm |"
    )
    yield "|---|---|--:|--:|---|---|---|---|---|---|---|---|"
    for title, key, systems in corpora(data):
        for text, rule in {**RULES, "(the recogniser decides for all)": "rules"}.items():
            called, names, unmatched = {}, 0, 0
            for name, response in systems.items():
                called[name], ours, others = _called(key, response, rule)
                names, unmatched = names + ours, unmatched + others
            cells = []
            for against in ("entities", "all"):
                study = cone_study(key, called, match="head", against=against)
                for found in (study.correlations[""], study.within):
                    cells += [shown_r(of(found, metric)) for metric in ("b3", "ceafm")]
            yield f"| {title} | {text} | {names:,} | {unmatched:,} | {' | '.join(cells)} |"
    yield ""


def _called(key: Corpus, response: Corpus, rule: str) -> tuple[Corpus, int, int]:
    """Return the response with names labelled, and the numbers of its names and unmatched names."""
    gold, found = Namer("annotated"), Namer("rules")
    keys = {document.name: document for document in key.documents}
    documents, names, unmatched = [], 0, 0
    for theirs in response.documents:
        ours = keys[theirs.name]
        text = gold.text(ours, theirs)
        heads, spans = set(text.heads(ours).tolist()), set(ours.mentions)
        matched = np.array(
            [
                mention in spans or head in heads
                for mention, head in zip(theirs.mentions, text.heads(theirs).tolist(), strict=True)
            ],
            dtype=bool,
        )
        by_capital, recognised = gold.named(ours, theirs)[1], found.named(ours, theirs)[1]
        other = {"capital": by_capital, "never": np.zeros_like(by_capital), "found": recognised,
                 "any": _capitals(theirs, text.words.words), "rules": recognised}[rule]  # fmt: skip
        named = other if rule == "rules" else np.where(matched, by_capital, other)
        names, unmatched = names + int(named.sum()), unmatched + int((named & ~matched).sum())
        documents.append(_with_kinds(theirs, named))
    return Corpus(documents, response.path), names, unmatched


def _capitals(document: Document, words: Any) -> Any:
    return np.array(
        [
            any(words[n][:1].isupper() for n in range(first, last + 1))
            for first, last in zip(document.first.tolist(), document.last.tolist(), strict=True)
        ],
        dtype=bool,
    )


def _with_kinds(document: Document, named: Any) -> Document:
    entities: list[list[Mention]] = [[] for _ in document.entity_ids]
    spans = zip(document.first.tolist(), document.last.tolist(), strict=True)
    for place, span in enumerate(spans):
        kind = "name" if named[place] else "nominal"
        entities[int(document.entity[place])].append(Mention((span,), kind=kind))
    return Document(
        document.name,
        [Entity(id, tuple(m)) for id, m in zip(document.entity_ids, entities, strict=True)],
        text=document.text,
    )


def entities(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Yield the section on the paper's Figure 1, in both readings."""
    yield "## Correlation over entities (the paper's Figure 1)\n"
    yield (
        "Each point is a key entity that has a name. M is the number of mentions that it "
        "shares with the response entity to which CEAF aligns it (for B³, the scores of its "
        "mentions are summed instead). M is counted for all mentions of the entity and for its "
        "names alone; the control counts its other mentions instead of its names. The paper "
        "divides M by a sum that it does not define. There are two readings:\n\n"
        "- *aligned entity*: M is divided by the size of the aligned entity. Each value is "
        "between 0 and 1, and there is a line of points at 1, as in the paper's figure, but the "
        "values do not add up to the precision of the document, although the paper's derivation "
        "requires this.\n"
        "- *all mentions*: M is divided by the number of mentions in the response. The values "
        "do add up, but there is no such line. The values for all mentions and for names "
        "correlate mostly because both grow with the size of the entity. The control correlates "
        "for the same reason (0.79 for recall on GUM news, where the divisor is the same for "
        "all systems).\n\n"
        "The bootstrap draws the entities of a document together. The paper reports 0.73 for "
        "CEAF precision (LBJ and BART on ACE phase 2), and 0.03 for the control.\n"
    )
    yield "| corpus | divided by | names or others | n | B³ P | B³ R | CEAF P | CEAF R |"
    yield "|---|---|---|--:|---|---|---|---|"
    shown = {}
    columns = [f"{metric}{part}" for metric in ("b3", "ceafm") for part in _PARTS[:2]]
    for title, key, systems in corpora(data):
        for share, words in (("entity", "aligned entity"), ("corpus", "all mentions")):
            for mentions in ("named", "unnamed"):
                how = {"level": "entity", "match": "head"}
                found = cone_study(key, systems, share_of=share, mentions=mentions, **how)
                some_of = found.correlations[""]
                cells = " | ".join(shown_r(of(some_of, column)) for column in columns)
                yield f"| {title} | {words} | {mentions} | {some_of[0].rows:,} | {cells} |"
                if title == "GUM news":
                    shown[words, mentions] = found
    file = "cone-entities.png"
    _draw_entities(shown, options.output / file)
    yield f"\n![CEAF precision of entities, GUM news]({file})\n"
    yield (
        "The plots show five systems on GUM news; the area of a point grows with the number of "
        "entities at that position.\n"
    )


def _draw_entities(shown: dict[tuple[str, str], Study], path: Any) -> None:
    from matplotlib.figure import Figure

    drawn = Figure(figsize=(9.6, 7.6), layout="constrained")
    for panel, ((words, mentions), study) in zip(
        drawn.subplots(2, 2).ravel(), shown.items(), strict=True
    ):
        r = of(study.correlations[""], "ceafm_precision").pearson.value
        columns = (study.table.columns[f"{cone}ceafm_precision"] for cone in ("", "cone_"))
        points, times = np.unique(np.array([*columns]).T.round(3), axis=0, return_counts=True)
        panel.scatter(
            *points.T, s=np.maximum(4, 0.4 * times), alpha=0.5, linewidths=0, color="#0072B2"
        )
        panel.set_title(
            f"{mentions} mentions, M over {words}: r = {r:.2f}", loc="left", fontsize=10
        )
        panel.set_xlabel("precision of all mentions of the entity, in percent")
        panel.set_ylabel(f"precision of its {mentions} mentions, in percent")
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(visible=True, linewidth=0.4, alpha=0.5)
        panel.margins(0.09)  # room for the largest points, which are at the edges
    drawn.savefig(path, dpi=150)


def errors(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Yield the section that counts the two kinds of error in the paper's section 4.1."""
    yield "## Missing and wrongly grouped names (MNE and IGNE)\n"
    yield (
        "Section 4.1 of the paper names two kinds of error and counts neither:\n\n"
        "- Missing named entity (MNE): a name in the key that matches no name in the "
        "response.\n"
        "- Incorrectly grouped named entity (IGNE): a name that the response has, but not in "
        "the entity that CEAF aligns with the name's own entity.\n\n"
        "CONE CEAFm recall is 1 − (MNE + IGNE) / names. Mentions match by their heads. "
        "Against the estimated key, even the gold annotation has such errors.\n"
    )
    yield "| corpus | response | gold names | MNE | IGNE | estimated names | MNE | IGNE |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|"
    for title, key, systems in corpora(data):
        for name, response in {"gold": key, **systems}.items():
            cells = []
            for names in ("gold", "estimated"):
                how = {"match": "head", **NAMES[names]}
                result = sameas.cone(key, response, metrics="ceafm", **how)
                total, *wrong = name_errors(result)
                cells += [f"{total:,}", *(f"{n:,} ({100 * n / total:.1f}%)" for n in wrong)]
            yield f"| {title} | {name} | {' | '.join(cells)} |"
    yield ""
