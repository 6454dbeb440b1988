"""Measure how metrics agree, and write docs/agreement-study.md.

    python studies/agreement.py DATA [--output docs] [--only singletons,runs,…]

DATA is a folder with `gum` and `litbank` (key.conll, responses/*.conll), `hypercoref-ecbplus`
(key.conll, responses.tar.xz, published_scores_cdcr.csv) and `cdcr-ukp2021` (published_scores.csv,
and a folder with key.conll and responses for each corpus). None of it is part of the project.
"""

from __future__ import annotations

import argparse
import csv
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import sameas
from sameas.chance.resampling import draws, interval
from sameas.settings import Resampling
from sameas.show.correlation import shown_coefficient, title_of
from sameas.show.plot import scatter
from sameas.tables.correlation import Coefficient

METRICS = ("muc", "b3", "ceafm", "ceafe")
WITH_LEA = (*METRICS, "lea")
PARTS_OF_A_SCORE = ("recall", "precision", "f1")
SYSTEMS = ("neuralcoref", "xrenner", "mention-pair", "sieve", "string-match")
BEST = 40  # points of BLANC; systems with this or more vary as little as the ECB+ runs
#: Luo et al. 2014, Table 3: R, P, F1.
PAPER = {
    "muc": (0.975, 0.844, 0.935),
    "b3": (0.981, 0.942, 0.966),
    "ceafm": (0.941, 0.923, 0.966),
    "ceafe": (0.797, 0.781, 0.919),
}
#: The names of the metrics in the published tables.
PUBLISHED = {"muc": "muc", "b3": "bcub", "ceafe": "ceafe", "lea": "lea"}
TEXTS = {"gum": "GUM", "litbank": "LitBank"}
CORPORA = {"ecbp": "ECB+", "gvc": "GVC", "fcct": "FCC-T"}


class Run:
    """A scored response of a published system, with the scores published for it."""

    def __init__(self, name: str, setting: str, training: str, key: Any, response: Any) -> None:
        self.name, self.setting, self.training = name, setting, training
        self.published: dict[tuple[str, str], float] = {}
        metrics = (*WITH_LEA, "blanc", "pairwise")
        self.keep = sameas.score(key, response, metrics=metrics)
        self.drop = sameas.score(key, response, metrics=metrics, singletons="drop")

    def agreeing(self) -> tuple[int, int]:
        """Return how many published numbers equal ours to six decimals, and how many there are."""
        same = [
            abs(getattr(self.keep[metric], part) - value) < 6e-7
            for (metric, part), value in self.published.items()
        ]
        return sum(same), len(same)


class Data:
    """The corpora and the systems, read and scored once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._results: dict[tuple[str, str], list[sameas.Result]] = {}

    def results(self, corpus: str, singletons: str) -> list[sameas.Result]:
        """Return the results of the five systems."""
        folder = self.folder / corpus
        if (corpus, singletons) not in self._results:
            self._results[corpus, singletons] = [
                sameas.score(
                    folder / "key.conll",
                    folder / "responses" / f"{name}.conll",
                    metrics=(*METRICS, "blanc"),
                    singletons=singletons,
                )
                for name in SYSTEMS
            ]
        return self._results[corpus, singletons]

    def both(self, corpus: str, *, by_document: bool = True) -> list[sameas.tables.ScoreTable]:
        """Return F1 per system, or per document and system: with singletons kept, then dropped."""
        return [
            sameas.tables.scores_of(self.results(corpus, how), by_document=by_document)
            for how in ("keep", "drop")
        ]

    @cached_property
    def runs(self) -> list[Run]:
        """The neural runs on ECB+, followed by the lemma baselines."""
        folder, found = self.folder / "hypercoref-ecbplus", []
        key = sameas.read(folder / "key.conll")
        by_id = sameas.read(self.folder / "cdcr-ukp2021" / "ecbp" / "key.conll")
        with tempfile.TemporaryDirectory() as unpacked:
            with tarfile.open(folder / "responses.tar.xz") as archive:
                archive.extractall(unpacked, filter="data")
            for row in _published_runs(folder / "published_scores_cdcr.csv"):
                baseline = row["scenario"] == "baselines"
                training = row["experiment"].split("_", 1)[-1].split("_25k")[0]
                one = Run(
                    row["file"],
                    f"{row['scenario']} {row['experiment']} {row['dev-corpus']}",
                    f"{row['scenario'].replace('ss', 'sg')} {training}",
                    by_id if baseline else key,
                    Path(unpacked) / "resp" / row["file"],
                )
                one.published = row["scores"]
                found.append(one)
        return sorted(found, key=lambda run: "baseline" in run.name)

    @cached_property
    def responses(self) -> dict[str, list[Run]]:
        """The responses published in 2021 for each of three corpora."""
        folder, found = self.folder / "cdcr-ukp2021", {}
        with (folder / "published_scores.csv").open() as file:
            rows = list(csv.DictReader(file))
        for corpus in CORPORA:
            key, found[corpus] = sameas.read(folder / corpus / "key.conll"), []
            for row in (row for row in rows if row["corpus"] == corpus):
                setting = row["response"].removesuffix(".conll").split("-seed")[0]
                run = Run(row["response"], setting, setting, key, folder / corpus / row["response"])
                run.published = {
                    (metric, part): float(row[f"{name}_{'f1' if part == 'f1' else part[0]}"])
                    for metric, name in PUBLISHED.items()
                    for part in PARTS_OF_A_SCORE
                }
                found[corpus].append(run)
        return found


def _published_runs(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the settings, the response file and the scores of each run tested on ECB+."""
    with path.open() as file:
        metrics, parts, names, *rows = csv.reader(file)
    columns = {name: number for number, name in enumerate(names) if name}
    for row in rows:
        one: dict[str, Any] = {name: row[number] for name, number in columns.items()}
        if one["test-corpus"] != "ecbp":
            continue
        scenario, on = one["scenario"], f"{one['dev-corpus']}_on_ecbp"
        end = ""
        if scenario == "baselines":
            scenario, end = ("ss", "-baseline") if on.startswith("n/a") else ("sg", "-baseline")
        if scenario == "ss":
            on = "ecbp"
        one["file"] = ".".join(
            [scenario, one["experiment"], on, one["topics"], f"{one['seed']}{end}", "conll"]
        )
        one["scores"] = {
            (metric, part): float(row[number])
            for metric, name in PUBLISHED.items()
            for part in PARTS_OF_A_SCORE
            for number, place in enumerate(zip(metrics, parts, strict=True))
            if place == (name, "F1" if part == "f1" else part[0].upper())
        }
        yield one


def table_of(runs: Sequence[Run], part: str = "f1", *, singletons: str = "keep") -> Any:
    """Return a table of the scores of runs in percent."""
    names = (*WITH_LEA, "blanc", "pairwise")
    return sameas.tables.ScoreTable(
        {
            "run": [run.name for run in runs],
            "setting": [run.setting for run in runs],
            "training": [run.training for run in runs],
        },
        {
            name: np.array([100 * getattr(getattr(run, singletons)[name], part) for run in runs])
            for name in names
        },
    )


class Pearsons:
    """Pearson's r of two columns, pooled or within groups, and its bootstrap distribution.

    Within groups, the covariances of the groups are summed, which gives r of the differences from
    the group means. The bootstrap resamples units. Every instance uses the same seed, hence the
    same draws, so that two distributions can be subtracted.
    """

    def __init__(
        self, x: Any, y: Any, unit: Sequence[str], group: Sequence[str], samples: int = 10_000
    ) -> None:
        x, y = x - x.mean(), y - y.mean()
        units = np.unique(np.array(unit), return_inverse=True)[1]
        groups = np.unique(np.array(group), return_inverse=True)[1]
        rows = np.array([np.ones_like(x), x, y, x * x, y * y, x * y]).T
        sums = np.zeros((groups.max() + 1, units.max() + 1, rows.shape[1]))
        np.add.at(sums, (groups, units), rows)
        self.value = float(self._r(np.ones((1, sums.shape[1])), sums)[0])
        drawn = draws(sums.shape[1], samples, 1)
        self.samples = np.concatenate([self._r(counts, sums) for counts in drawn])

    @staticmethod
    def _r(counts: Any, sums: Any) -> Any:
        n, x, y, xx, yy, xy = np.moveaxis(np.einsum("bu,guc->gbc", counts, sums), -1, 0)
        n = np.maximum(n, 1)
        spread_x, spread_y, both = (
            (square - one * other / n).sum(axis=0)
            for square, one, other in ((xx, x, x), (yy, y, y), (xy, x, y))
        )
        with np.errstate(invalid="ignore", divide="ignore"):
            return both / np.sqrt(spread_x * spread_y)

    def shown(self) -> str:
        """Return the coefficient and its interval as text."""
        return _shown(self.value, self.samples)

    def __sub__(self, other: Pearsons) -> str:
        """Return the difference and its interval as text, in bold if the interval excludes 0."""
        text = _shown(self.value - other.value, self.samples - other.samples, sign="+")
        ends = np.percentile(self.samples - other.samples, [2.5, 97.5])
        return f"**{text}**" if ends[0] * ends[1] > 0 else text


def _shown(value: float, samples: Any, sign: str = "") -> str:
    samples = samples[np.isfinite(samples)]
    low, high = interval(samples, value, None, confidence=95)
    return f"{value:{sign}.2f} [{low:{sign}.2f}, {high:{sign}.2f}]".replace("-", "−")


def singletons(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Yield section 1, on the paper's section 5.2: "the correlations will likely be lower"."""
    yield "## 1. With singletons and without\n"
    yield (
        "The table shows Pearson's r between the F1 of BLANC and that of each other metric, "
        "with 95% bootstrap intervals. A difference in bold has an interval that excludes 0; "
        "the paper expects differences below 0.\n\n"
        "- *Kept* scores all entities. *Dropped* scores key and response without "
        "single-mention entities (`sameas score --singletons drop`), as in OntoNotes.\n"
        "- GUM and LitBank: the rows are documents of five systems, and the bootstrap "
        "resamples documents. *Within systems* is r of the deviations from each system's "
        "mean.\n"
        "- ECB+: the rows are the 102 neural runs of section 2, one score per run, and the "
        "bootstrap resamples training sets.\n"
    )
    yield "| | metric | kept | dropped | difference |"
    yield "|---|---|---|---|---|"
    for corpus, title in TEXTS.items():
        tables = data.both(corpus)
        rows = len(tables[0])
        documents = len(set(tables[0].labels["document"]))
        for name, groups in (
            (f"{title}, {rows:,} rows of {documents} documents", [""] * rows),
            (f"{title}, within systems", tables[0].labels["response"]),
        ):
            yield from _against_blanc(name, tables, METRICS, "document", groups)
    runs = data.runs[:102]
    tables = [table_of(runs, singletons=how) for how in ("keep", "drop")]
    name = f"ECB+, {len(runs)} runs of {len(set(tables[0].labels['training']))} training sets"
    yield from _against_blanc(name, tables, WITH_LEA, "training", [""] * len(runs))
    yield (
        "\n"
        "The rows *within systems* use the same data as the rows above them; they are not "
        "further evidence. ECB+ is scored on gold mentions. Without singletons, the mentions "
        "of key and response differ, as in the shared tasks; this may explain part of the "
        "difference (section 4). Also, BLANC varies less over these runs if singletons are "
        "kept (last table in this section), and correlations are lower where scores vary "
        "less.\n"
    )
    yield from _without(data.both("gum"))
    yield from _spreads(data)


def _without(tables: Sequence[sameas.tables.ScoreTable]) -> Iterator[str]:
    """Yield CEAFe on GUM without neuralcoref, and without xrenner's empty responses."""
    kept = tables[0]
    systems = kept.labels["response"]
    four = [row for row, name in enumerate(systems) if "neuralcoref" not in name]
    good = [
        row
        for row, name in enumerate(systems)
        if "xrenner" not in name or any(column[row] for column in kept.columns.values())
    ]
    empty = len(kept) - len(good)
    moved = max(
        abs(one - other)
        for table in tables
        for one, other in zip(_robust(table), _robust(table.select(good)), strict=True)
    )
    yield (
        "The next table shows CEAFe on GUM without neuralcoref, which writes no singletons, and "
        f"without the responses of xrenner to {empty} documents, on which it crashed. The table "
        "above counts these as empty responses. Without them, the other coefficients on GUM "
        f"change by no more than {moved:.2f}.\n"
    )
    yield "| | metric | kept | dropped | difference |"
    yield "|---|---|---|---|---|"
    some = [table.select(four) for table in tables]
    yield from _against_blanc("GUM, four systems", some, ["ceafe"], "document", [""] * len(four))
    some = [table.select(good) for table in tables]
    for name, groups in (
        ("GUM", [""] * len(good)),
        ("GUM, within systems", some[0].labels["response"]),
    ):
        name += f", without {empty} empty responses"
        yield from _against_blanc(name, some, ["ceafe"], "document", groups)
    yield ""


def _robust(table: sameas.tables.ScoreTable) -> Iterator[float]:
    """Yield Pearson's r of BLANC and each metric except CEAFe, pooled and within systems."""
    y, documents = table.columns["blanc"], table.labels["document"]
    for metric in ("muc", "b3", "ceafm"):
        for groups in ([""] * len(table), table.labels["response"]):
            yield Pearsons(table.columns[metric], y, documents, groups, samples=1).value


def _spreads(data: Data) -> Iterator[str]:
    """Yield a table on the claim "BLANC has a wider dynamic range on data sets with singletons"."""
    yield (
        "The next table shows the standard deviation of the scores (in points of F1, with n as "
        "divisor) and the range of BLANC, with singletons kept / dropped. The paper states that "
        "BLANC has a wider dynamic range on data with singletons. This claim is about the scores "
        "of systems; the rows for documents and runs test it on those:\n"
    )
    yield "| | MUC | B³ | CEAFm | CEAFe | BLANC | BLANC, range |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for corpus, title in TEXTS.items():
        whole, documents = data.both(corpus, by_document=False), data.both(corpus)
        without = [table.select(range(1, len(SYSTEMS))) for table in whole]
        three = [table.select(range(2, len(SYSTEMS))) for table in whole]
        yield _spread_row(f"{title}, five systems, whole corpus", whole)
        yield _spread_row(f"{title}, without neuralcoref", without)
        yield _spread_row(f"{title}, without neuralcoref and xrenner", three)
        yield _spread_row(f"{title}, documents of all systems", documents)
        systems = documents[0].labels["response"]
        yield _spread_row(f"{title}, documents within a system", documents, systems)
    runs = [table_of(data.runs[:102], singletons=how) for how in ("keep", "drop")]
    yield _spread_row("ECB+, runs", runs)
    yield ""


def _spread_row(
    name: str, tables: Sequence[sameas.tables.ScoreTable], groups: Sequence[str] | None = None
) -> str:
    cells = [
        " / ".join(
            f"{_spread(one.columns[metric], groups or [''] * len(one)):.1f}" for one in tables
        )
        for metric in (*METRICS, "blanc")
    ]
    ranges = " / ".join(f"{np.ptp(one.columns['blanc']):.1f}" for one in tables)
    return f"| {name} | {' | '.join(cells)} | {'' if groups else ranges} |"


def _against_blanc(
    name: str, tables: Sequence[Any], metrics: Sequence[str], unit: str, groups: Sequence[str]
) -> Iterator[str]:
    for metric in metrics:
        kept, dropped = (
            Pearsons(one.columns[metric], one.columns["blanc"], one.labels[unit], groups)
            for one in tables
        )
        cells = f"{kept.shown()} | {dropped.shown()} | {kept - dropped}"
        yield f"| {name} | {title_of(metric)} | {cells} |"


def _spread(values: Any, groups: Sequence[str]) -> float:
    """Return the standard deviation within groups."""
    parts = np.unique(np.array(groups), return_inverse=True)[1]
    means = np.bincount(parts, values) / np.bincount(parts)
    return float((values - means[parts]).std())


def runs(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Yield section 2, which repeats the paper's Table 3 and Figure 1 over neural runs."""
    found = data.runs
    neural = found[:102]
    same, printed = (sum(numbers) for numbers in zip(*(r.agreeing() for r in found), strict=True))
    sizes = sorted(Counter(run.training for run in neural).values(), reverse=True)
    distinct = {tuple(run.keep[name].f1 for name in (*WITH_LEA, "blanc")): run for run in neural}
    yield "## 2. Table 3 and Figure 1 again: 102 neural runs on ECB+\n"
    yield (
        f"All {len(neural)} runs are of one system, that of Cattan et al. (2021), as modified "
        "and trained by Bugert & Gurevych (2021, *Event Coreference Data (Almost) for Free*). "
        "Its outputs and scores are in the archive of UKPLab/emnlp2021-hypercoref-cdcr. The "
        "runs are 17 settings (training data, tuning data) × 2 ways to find topics × 3 seeds. "
        "So this section measures how metrics agree across variants of one system, not across "
        "newer systems in general.\n"
    )
    yield (
        "The task is cross-document coreference of events with gold mentions; 206 documents "
        "are scored as one (1,780 mentions in 805 entities, 623 of them singletons). Together "
        f"with {len(found) - len(neural)} lemma baselines, there are {len(found)} published "
        f"responses. {_share(same, printed).capitalize()} published numbers (R, P, F1 of MUC, "
        "B³, CEAFe, LEA) equal ours to six decimals. Runs are scored with `sameas score key.conll "
        "response.conll`. The baselines use other mention ids, so they are scored against the "
        "key with these ids, cdcr-ukp2021/ecbp/key.conll. The baselines appear only in the "
        "figure.\n"
    )
    yield (
        f"The runs are not independent: judging by their scores, the {len(neural)} runs contain "
        f"{len(distinct)} different clusterings, and runs with equal clusterings always share "
        f"their training data. The bootstrap therefore resamples the {len(sizes)} training "
        "sets. The intervals are still too narrow, because the training sets overlap: each "
        "consists of one or more of five corpora (ECB+, GVC, FCC-T, ABC and BBC news). Two "
        f"sets account for {sum(sizes[:2])} of the {len(neural)} runs. The paper's "
        "coefficients are in parentheses.\n"
    )
    yield "| BLANC with | R | P | F1 | F1, Spearman | F1, Kendall |"
    yield "|---|---|---|---|---|---|"
    for metric in WITH_LEA:
        cells, ranks = [], []
        for number, part in enumerate(PARTS_OF_A_SCORE):
            (one,) = sameas.correlate(
                table_of(neural, part), columns=[metric], against="blanc", draw="training"
            )
            paper = f" ({PAPER[metric][number]:.3f})" if metric in PAPER else ""
            cells.append(shown_coefficient(one.pearson, 2) + paper)
            ranks = [shown_coefficient(one.spearman, 2), shown_coefficient(one.kendall, 2)]
        yield f"| {title_of(metric)} | {' | '.join([*cells, *ranks])} |"
    table = table_of(neural)
    yield (
        "\nThe next table shows Pearson's r of F1 for other selections and groupings of the same "
        "runs:\n"
    )
    yield f"| | {' | '.join(title_of(metric) for metric in WITH_LEA)} |"
    yield f"|---|{'---|' * len(WITH_LEA)}"
    different = table_of(list(distinct.values()))
    settings = [f"{run.setting} {run.name.split('.')[-3]}" for run in neural]
    for name, one, groups in (
        (f"the {len(distinct)} different clusterings", different, [""] * len(distinct)),
        ("within training sets", table, table.labels["training"]),
        ("within settings (three seeds each)", table, settings),
    ):
        cells = [
            Pearsons(one.columns[m], one.columns["blanc"], one.labels["training"], groups).shown()
            for m in WITH_LEA
        ]
        yield f"| {name} | {' | '.join(cells)} |"
    yield (
        "\nThe next table compares the F1 of every pair of metrics, with Pearson's r above the "
        "diagonal and Kendall's τ below:\n"
    )
    yield from _square(table)
    baselines = found[len(neural) :]
    whole = table_of([*neural, *baselines])
    whole = sameas.tables.ScoreTable(
        {"what": ["neural run"] * len(neural) + ["lemma baseline"] * len(baselines)}, whole.columns
    )
    correlations = sameas.correlate(
        table, columns=list(METRICS), against="blanc", draw="training"
    )  # without the baselines, as in the table above
    scatter(whole, correlations, str(options.output / "agreement-ecb.png"), by="what")
    yield "![BLANC against MUC, B³, CEAFm and CEAFe, one point per run](agreement-ecb.png)\n"
    apart = {name: _discordant_share(table, name) for name in (("blanc", "ceafe"), ("b3", "ceafe"))}
    yield (
        f"BLANC and CEAFe rank {apart['blanc', 'ceafe']:.0%} of the pairs of runs differently, "
        f"and B³ and CEAFe {apart['b3', 'ceafe']:.0%}.\n"
    )
    pairwise = sameas.tables.correlation.pearson(table.columns["blanc"], table.columns["pairwise"])
    assert pairwise is not None and pairwise > 0.9999
    rates = [run.keep["blanc"].noncoref.f1 for run in neural]
    yield (
        "These data differ from those of the shared tasks as follows:\n\n"
        "- Nearly all pairs of mentions are non-coreferent, so F_n (the F1 of non-coreference "
        f"links) ranges from {min(rates):.3f} to {max(rates):.3f} and BLANC is almost a linear "
        "function of the F1 of coreference links (r > 0.9999).\n"
        "- A link is a pair: an entity of 20 mentions has 190 links, and a singleton has none. "
        "CEAFe counts every entity once, and more than three in four entities are singletons. "
        "B³ counts mentions.\n"
        "- With gold mentions, recall and precision of CEAFm are equal, and CEAFe's recall "
        "rises when entities are split. So the recall of neither metric follows the recall of "
        "links.\n"
        "- In the shared tasks, systems also differed in the mentions they found (section 4).\n"
        "\n"
        "We did not test how much each of these matters.\n"
    )


def _discordant_share(table: Any, names: tuple[str, str]) -> float:
    """Return the share of the pairs of runs that two metrics rank differently."""
    x, y = (table.columns[name] for name in names)
    signs = np.sign(x[:, None] - x) * np.sign(y[:, None] - y)
    return float((signs < 0).sum() / (len(x) * (len(x) - 1)))


def _square(table: Any) -> Iterator[str]:
    names = [*WITH_LEA, "blanc"]
    yield f"| | {' | '.join(title_of(name) for name in names)} |"
    yield f"|---|{'--:|' * len(names)}"
    found = {
        (one.x, one.y): one
        for one in sameas.correlate(
            table,
            columns=names,
            intervals=["pearson"],
            resampling=Resampling(samples=100),
        )
    }
    for row in names:
        cells = [
            "" if row == column
            else f"{found[row, column].pearson.value:.2f}" if (row, column) in found
            else f"{found[column, row].kendall.value:.2f}"
            for column in names
        ]  # fmt: skip
        yield f"| {title_of(row)} | {' | '.join(cells)} |"
    yield ""


def responses(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Yield section 3, on three corpora of events."""
    every = [run for some in data.responses.values() for run in some]
    same, printed = (sum(numbers) for numbers in zip(*(r.agreeing() for r in every), strict=True))
    yield "## 3. Three corpora of events\n"
    yield (
        f"The data are {len(every)} published responses of a feature-based system (XGBoost) and "
        f"of lemma baselines; {_share(same, printed)} published numbers equal ours to six "
        "decimals. There are six, seven and five settings, with up to five seeds each, which is "
        "too few for intervals. r and τ are computed from the F1 of responses.\n"
    )
    titles = " | ".join(f"{title_of(m)} r, τ" for m in WITH_LEA)
    yield f"| corpus | responses | settings | {titles} |"
    yield f"|---|--:|--:|{'---|' * len(WITH_LEA)}"
    for corpus, some in data.responses.items():
        yield _row(CORPORA[corpus], some)
    seeds = [run for run in data.responses["fcct"] if run.setting == "xgb"]
    yield _row("FCC-T, five seeds of one setting", seeds)
    yield ("\nThe two seeds that score highest in BLANC, B³, CEAFm and LEA score lowest in MUC:\n")
    yield f"| seed | {' | '.join(title_of(name) for name in (*WITH_LEA, 'blanc'))} |"
    yield f"|---|{'--:|' * 6}"
    for run in seeds:
        cells = " | ".join(f"{100 * run.keep[name].f1:.1f}" for name in (*WITH_LEA, "blanc"))
        yield f"| {run.name.removesuffix('.conll').removeprefix('xgb-')} | {cells} |"
    yield ""


def _share(same: int, printed: int) -> str:
    """Return `all 12` or `11 of the 12` as text."""
    return f"all {printed:,}" if same == printed else f"{same:,} of the {printed:,}"


def _row(name: str, some: Sequence[Run]) -> str:
    table, cells = table_of(some), []
    for metric in WITH_LEA:
        x, y = table.columns[metric], table.columns["blanc"]
        values = [sameas.tables.correlation.pearson(x, y), sameas.tables.correlation.kendall(x, y)]
        cells.append(", ".join(f"{value:.2f}" for value in values).replace("-", "−"))
    settings = len(set(table.labels["setting"]))
    return f"| {name} | {len(some)} | {settings} | {' | '.join(cells)} |"


def record(data: Data, options: argparse.Namespace) -> Iterator[str]:
    """Yield section 4, which repeats the paper's Table 3 over the published systems."""
    table = sameas.published()
    yield "## 4. For comparison: the 53 systems of the shared tasks\n"
    yield (
        "The table shows the output of `sameas correlate --published --with blanc --draw "
        "system`, for F1 only. The bootstrap resamples the 30 teams (some took part in three "
        "languages). The Pearson column corresponds to the F1 column of the paper's Table 3. In "
        "the last column, mention detection is held constant (partial correlation).\n"
    )
    yield "| BLANC with | Pearson (paper) | Spearman | Kendall | Pearson, given mention F1 |"
    yield "|---|---|---|---|---|"
    teams, mention = table.labels["system"], table.columns["mention"]
    for one in sameas.correlate(table, columns=list(METRICS), against="blanc", draw="system"):
        cells = " | ".join(shown_coefficient(c, 3) for c in (one.spearman, one.kendall))
        paper = f"({PAPER[one.x][2]:.3f})"
        given = _partial(table.columns[one.x], table.columns["blanc"], mention, teams)
        yield (
            f"| {title_of(one.x)} | {shown_coefficient(one.pearson, 3)} {paper} | {cells} "
            f"| {given} |"
        )
    coefficient = shown_coefficient(_with_mentions(table), 3)
    yield f"\nThe correlation of BLANC with mention detection is {coefficient}."
    yield (
        "The paper's significance level, p < 0.001, holds for every coefficient in its table "
        "even if only the 30 teams count as independent: the smallest, 0.781, has t = 6.6 "
        "with 28 degrees of freedom.\n"
    )
    yield from _restricted(table, data)


def _restricted(table: sameas.tables.ScoreTable, data: Data) -> Iterator[str]:
    """Yield r over those published systems that vary as little as the runs."""
    runs = table_of(data.runs[:102])
    best = table.select(np.flatnonzero(table.columns["blanc"] >= BEST).tolist())
    deviations = [one.columns["blanc"].std() for one in (table, runs, best)]
    yield (
        "Correlations are lower where scores vary less. The standard deviation of BLANC is "
        f"{deviations[0]:.1f} over the {len(table)} systems and {deviations[1]:.1f} over the "
        f"{len(runs)} runs of section 2. For the {len(best)} published systems with a BLANC "
        f"of {BEST} or more it is {deviations[2]:.1f} ({len(set(best.labels['system']))} teams "
        "are resampled). These systems were selected by one of the two scores, so the "
        "comparison only illustrates the effect. The table shows Pearson's r of F1:\n"
    )
    yield f"| BLANC with | {len(table)} systems | {len(best)} systems | {len(runs)} runs |"
    yield "|---|---|---|---|"
    parts = ((table, "system"), (best, "system"), (runs, "training"))
    found = [
        sameas.correlate(one, columns=list(METRICS), against="blanc", draw=draw)
        for one, draw in parts
    ]
    for row in zip(*found, strict=True):
        cells = " | ".join(shown_coefficient(one.pearson, 3) for one in row)
        yield f"| {title_of(row[0].x)} | {cells} |"
    yield ""


def _with_mentions(table: sameas.tables.ScoreTable) -> Coefficient:
    (one,) = sameas.correlate(table, columns=["mention"], against="blanc", draw="system")
    return one.pearson


def _partial(x: Any, y: Any, z: Any, teams: Sequence[str]) -> str:
    """Return the partial correlation of x and y given z, and its interval over teams, as text."""
    (xy, xz, yz) = (Pearsons(*pair, teams, [""] * len(teams)) for pair in ((x, y), (x, z), (y, z)))

    def given(both: Any, one: Any, other: Any) -> Any:
        return (both - one * other) / np.sqrt((1 - one**2) * (1 - other**2))

    return _shown(given(xy.value, xz.value, yz.value), given(xy.samples, xz.samples, yz.samples))


PARTS = {"singletons": singletons, "runs": runs, "responses": responses, "record": record}


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="folder of corpora")
    parser.add_argument(
        "--output", type=Path, default=Path("docs"), help="folder to write to (default: docs)"
    )
    parser.add_argument("--only", help=f"print only these parts: {', '.join(PARTS)}")
    options = parser.parse_args()
    parts = options.only.split(",") if options.only else list(PARTS)
    if unknown := [part for part in parts if part not in PARTS]:
        parser.error(f"--only: unknown {', '.join(unknown)}; known: {', '.join(PARTS)}")
    data = Data(options.data)
    lines: list[str] = []
    for part in parts:
        for line in PARTS[part](data, options):
            lines.append(line)
            if options.only:
                print(line, flush=True)
    if not options.only:
        text = "\n".join([HEAD, *lines])
        (options.output / "agreement-study.md").write_text(text.rstrip("\n") + "\n")


HEAD = """# How metrics agree: a study

This page is written by `python studies/agreement.py DATA`; the script describes DATA. None of the
data is part of the project.

Luo, Pradhan, Recasens & Hovy (2014, *An Extension of BLANC to System Mentions*, section 5.2)
correlate BLANC with MUC, B³ and CEAF over the systems of two shared tasks. They find strong
correlation (Table 3, Figure 1), and expect weaker correlation where singletons are annotated.

**Are correlations lower with singletons? Mostly yes** (section 1).

- The point estimate is lower in 20 of 21 comparisons. In 16 of them the drop is beyond chance:
  the interval of the difference excludes 0. The 21 comparisons are not independent: on GUM and
  LitBank, the pooled and the within-system rows use the same data.
- The correlation with B³ falls everywhere: on GUM from .96 without singletons to .89 with them,
  and over runs on ECB+ from .98 to .65. On ECB+, part of the reason may be that BLANC varies
  less over the runs with singletons (a standard deviation of 5.0, against 8.7 without). Pooled
  over GUM, BLANC varies more with singletons, and three of the four correlations still fall.
- **The one exception** is CEAFe on GUM, pooled (from .64 to .73). This rise, too, is beyond chance:
  +.10 [.05, .15]. It reflects a difference between systems: one of the five, neuralcoref, writes
  no singletons, and scores far below the others on both metrics if singletons count. Without
  neuralcoref, the exception disappears (+.01 [−.05, .07]). Within systems, CEAFe falls as well
  (from .61 to .56). That drop may be due to chance; without the five empty responses of xrenner
  (from .59 to .52), it is not.

**Does BLANC have a wider range with singletons? Over systems on GUM, yes; elsewhere, no**
(section 1).

- On GUM, the best and the worst of five systems are 31.3 points apart with singletons and 16.2
  without (10.5 and 6.9 without neuralcoref); on LitBank, 10.1 and 10.8.
- With singletons, BLANC varies less over the documents of one system (standard deviation 14.9,
  against 16.5 without, on GUM; 9.5 against 10.4 on LitBank) and over the runs on ECB+ (5.0 against
  8.7).
- There are only five systems: on either corpus, the result depends on one or two of them.

**Do metrics still agree over newer systems? Less so** (section 2). The data here are 102 runs of
**one** neural system with gold mentions.

- BLANC agrees well with MUC (F1: r = .87), moderately with B³ (.65; the paper has .966), and hardly
  with CEAFe (.50, and .09 within training sets). In recall, BLANC and CEAFe even disagree (−.56).
- B³, CEAFm, CEAFe and LEA agree with one another (.92 to .97).
- All six metrics choose the same best run, but BLANC and CEAFe rank 37% of the pairs of runs
  differently (τ = .27), and B³ and CEAFe 9% (τ = .82).
- The intervals are wide, and yet they understate the uncertainty.

**Why did metrics agree more in 2014?** There are probably two main reasons (section 4).

- Systems differed in the mentions they found. Mention detection alone correlates with BLANC at
  .92. With mention detection held constant, the coefficients of MUC, B³, CEAFm and CEAFe fall from
  .935, .966, .966 and .919 to .52, .78, .83 and .66.
- Systems differed more overall: the standard deviation of BLANC is 11.4 over the 53 systems and
  5.0 over the runs. Over the 23 systems with a BLANC of 40 or more it is 4.8, and the coefficients
  are .86, .83, .85 and .77. Compared with these, the coefficient over the runs is no lower for
  MUC (.87) and a little lower for CEAFm (.80). It is lower for B³ (.65) and CEAFe (.50), but by no
  more than chance could explain.

A small spread does not explain the disagreement in recall. None of this is a controlled experiment:
corpus and task differ as well.

**Conclusion**: one metric may not represent the others if mentions are given or singletons are
annotated. Report several metrics, and look at the runs on which they disagree.
"""

if __name__ == "__main__":
    main()
