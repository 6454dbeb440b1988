"""Results as text, markdown, LaTeX, HTML, CSV and JSON."""

from __future__ import annotations

import csv
import html.parser
import io
import json
import re
import textwrap
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

import sameas
from sameas import Document, Result, Settings
from sameas.metrics.statistics import METRICS, Statistics
from sameas.notes import Note
from sameas.show.scores import render
from sameas.show.table import STYLES
from saying import raises

SIGNATURE = (
    "sameas:coref|match:exact|singletons:keep|duplicates:first|missing:empty|blanc:luo2014"
    f"|average:micro|docs:{{}}|version:{sameas.__version__}"
)
WRAPPED = (
    "sameas:coref|match:exact|singletons:keep|duplicates:first|missing:empty\n"
    f"  |blanc:luo2014|average:micro|docs:{{}}|version:{sameas.__version__}"
)
KEY = [["a", "b", "c"], ["d"]]
RESPONSE = [["b", "c"], ["d", "e"]]
NAMES = ("bn/x_0", "bn/y_0", "nw/x_0")
MISSING = f"note: {Note('missing', count=1, names=['nw/x_0'], how='empty')}"


def wrapped(note: str) -> str:
    """Wrap a note below a text table: lines of 80 columns, all but the first indented."""
    return textwrap.fill(note, 80, subsequent_indent="  ")


def one() -> Result:
    return sameas.score(KEY, RESPONSE)


def several(names: Sequence[str] = NAMES, **options: str) -> Result:
    """Score three documents: a perfect one, the one above, and one missing from the response."""
    key = [Document.from_clusters(name, KEY) for name in names]
    response = [
        Document.from_clusters(names[0], KEY),
        Document.from_clusters(names[1], RESPONSE),
    ]
    return sameas.score(key, response, **options)  # type: ignore[arg-type]


def test_one_result_as_text() -> None:
    assert str(one()) == (
        "metric          recall      %  precision      %     F1\n"
        "──────────────────────────────────────────────────────\n"
        "Mentions         3 / 4  75.00      3 / 4  75.00  75.00\n"
        "MUC              1 / 2  50.00      1 / 2  50.00  50.00\n"
        "B³            2.33 / 4  58.33   2.50 / 4  62.50  60.34\n"
        "CEAFm            3 / 4  75.00      3 / 4  75.00  75.00\n"
        "CEAFe         1.47 / 2  73.33   1.47 / 2  73.33  73.33\n"
        "BLANC                   50.00             50.00  48.57\n"
        "  coref.         1 / 3  33.33      1 / 2  50.00  40.00\n"
        "  non-coref.     2 / 3  66.67      2 / 4  50.00  57.14\n"
        "LEA           1.00 / 4  25.00   2.00 / 4  50.00  33.33\n"
        "──────────────────────────────────────────────────────\n"
        "CoNLL                                            61.23\n"
        "\n" + WRAPPED.format(1)
    )


def test_single_numbers_as_text() -> None:
    result = sameas.score(KEY, RESPONSE, metrics=["rand", "ari", "conll"])
    assert render([result], digits=0) == (
        "metric     recall  %  precision  %   F1\n"
        "───────────────────────────────────────\n"
        "Rand                                100\n"
        "Adj. Rand                           100\n"
        "───────────────────────────────────────\n"
        "CoNLL                                61\n"
        "\n" + WRAPPED.format(1)
    )


def test_documents_and_groups_as_text() -> None:
    result = several(metrics="muc,b3")
    assert render([result], by="genre", by_document=True, digits=1) == (
        "metric     recall     %  precision     %    F1\n"
        "──────────────────────────────────────────────\n"
        "MUC         3 / 6  50.0      3 / 4  75.0  60.0\n"
        "B³      6.33 / 12  52.8   6.50 / 8  81.2  64.0\n"
        "\n"
        "group    MUC    B³\n"
        "──────────────────\n"
        "bn (2)  75.0  80.2\n"
        "nw (1)   0.0   0.0\n"
        "──────────────────\n"
        "total   60.0  64.0\n"
        "\n"
        "document    MUC     B³\n"
        "──────────────────────\n"
        "bn/x_0    100.0  100.0\n"
        "bn/y_0     50.0   60.3\n"
        "nw/x_0      0.0    0.0\n"
        "──────────────────────\n"
        "total      60.0   64.0\n"
        "\n"
        f"{wrapped(MISSING)}\n\n{WRAPPED.format(3)}"
    )


def test_several_results_as_text() -> None:
    results = [replace(several(metrics="muc,conll"), name=name) for name in ("one", "another")]
    assert render(results) == (
        "response    MUC  CoNLL\n"
        "──────────────────────\n"
        "one       60.00  64.44\n"
        "another   60.00  64.44\n"
        "\n"
        f"{wrapped(MISSING)}\n\n{WRAPPED.format(3)}"
    )


def test_documents_of_several_results_are_distinguished() -> None:
    results = [replace(several(metrics="muc"), name=name) for name in ("one", "another")]
    text = render(results, by="genre", by_document=True)
    for name in ("one", "another"):
        assert re.search(rf"(?m)^{name}$", text)
    assert text.count("bn/y_0") == 2


# --- the width of a terminal --------------------------------------------------------------------


def huge(names: Sequence[str], digits: int, metrics: Sequence[str]) -> Result:
    """Return a result with counts of many digits."""
    columns = {
        metric: tuple(
            np.array([value] * len(names))
            for value in METRICS[metric].measure(_table())
            for value in [value.dtype.type(10**digits // 3)]
        )
        for metric in metrics
    }
    return Result(Statistics(list(names), columns), Settings(), metrics)


def _table() -> object:
    from sameas.metrics.contingency import contingency_of

    return contingency_of([["abc", "d"]], [["ab", "cd"]])


def widest(text: str) -> int:
    return max(map(len, text.splitlines()))


DEFAULT = ("mention", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")


@pytest.mark.parametrize("digits", [6, 9, 12, 15])
def test_huge_counts_fit_the_line(digits: int) -> None:
    text = render([huge(["a"], digits, DEFAULT)])
    assert widest(text) <= 80
    for title in ("Mentions", "coref.", "non-coref.", "CoNLL"):
        assert title in text


@pytest.mark.parametrize("decimals", [0, 2, 4])
def test_long_names_fit_the_line(decimals: int) -> None:
    names = [f"{'folder/' * 20}{n}" for n in range(3)]
    result = several(names)
    results = [replace(result, name="long/" * 30 + letter) for letter in "ab"]
    for text in (
        render([result], by_document=True, by="(.*)", digits=decimals),
        render(results, by_document=True, by="(.*)", digits=decimals),
    ):
        assert widest(text) <= 80
        for number in range(3):
            assert re.search(rf"(?m)^….*/{number} ", text)  # the ends of names distinguish them


def test_all_metrics_fit_the_line() -> None:
    result = several(metrics="all")
    text = render([result], by_document=True)
    assert widest(text) <= 80
    assert widest(render([result, result])) <= 80
    for metric in METRICS.values():
        assert metric.title in text


# --- names that need escaping -------------------------------------------------------------------

ODD = (
    "a|b",
    "<script>alert(1)</script>",
    "\"x\" & 'y'",
    "50% of $x_1^2 #~{}\\",
    '=1+1,"2"',
)


def test_markdown() -> None:
    assert render([several(metrics="muc,b3,conll")], "markdown") == (
        "| metric | recall | % | precision | % | F1 |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: |\n"
        "| MUC | 3 / 6 | 50.00 | 3 / 4 | 75.00 | 60.00 |\n"
        "| B³ | 6.33 / 12 | 52.78 | 6.50 / 8 | 81.25 | 63.99 |\n"
        "| CoNLL |  |  |  |  | 64.44 |\n"
        "\n"
        f"{MISSING}\n\n"
        f"`{SIGNATURE.format(3)}`"
    )


def test_markdown_escapes_bars() -> None:
    text = render([several(["a|b", "c||d", "e"], metrics="muc")], "markdown", by_document=True)
    assert "| a\\|b | 100.00 |\n| c\\|\\|d | 50.00 |\n| e | 0.00 |" in text


def test_latex() -> None:
    results = [replace(one(), name=name) for name in ("a_b", "c&d")]
    assert render(results, "latex", digits=1) == (
        "\\begin{tabular}{lrrrrrrrr}\n"
        "\\toprule\n"
        "response & Mentions & MUC & B\\textsuperscript{3} & CEAFm & CEAFe & BLANC & LEA & CoNLL"
        " \\\\\n"
        "\\midrule\n"
        "a\\_b & 75.0 & 50.0 & 60.3 & 75.0 & 73.3 & 48.6 & 33.3 & 61.2 \\\\\n"
        "c\\&d & 75.0 & 50.0 & 60.3 & 75.0 & 73.3 & 48.6 & 33.3 & 61.2 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        f"% {SIGNATURE.format(1)}"
    )


def test_latex_escapes_special_characters() -> None:
    text = render([several(list(ODD[:3]), metrics="all")], "latex", by_document=True, by="(.*)")
    text += render([several(list(ODD[2:]), metrics="muc")], "latex", by_document=True)
    for line in text.splitlines():
        if line.startswith(("\\", "% ")):
            continue
        bare = re.sub(r"\\[&%$#_{}]|\\text\w+\{\d?\}|\$\\phi\$|\\\\$|\\ldots\{\}", "", line)
        assert not set(bare) & set("%$#_{}~^\\"), line
        assert bare.count(" & ") == line.replace("\\&", "").count(" & ")
    assert r"50\% of \$x\_1\textasciicircum{}2 \#\textasciitilde{}\{\}\textbackslash{}" in text
    assert "³" not in text.replace("% ", "")
    assert "₀" not in text


class Cells(html.parser.HTMLParser):
    """The text of the cells in a page, and the names of all its tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.cells: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag in ("td", "th", "caption", "p"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data


def test_html_escapes_everything() -> None:
    result = several(ODD[1:4], metrics="muc,b3_rn")
    results = [replace(result, name=name) for name in ("<b>one</b>", "&amp;")]
    results[0] = replace(results[0], notes=[*result.notes, "its own"])
    page = Cells(render(results, "html", by_document=True, by="(.*)"))
    plain = {"table", "caption", "thead", "tbody", "tr", "th", "td", "p", "small", "code"}
    assert page.tags <= plain
    for name in (*ODD[1:4], "<b>one</b>", "&amp;", "B³r&n"):
        assert name in page.cells
    assert any(cell.startswith("note: <b>one</b>: its own") for cell in page.cells)
    assert result.signature in page.cells
    assert one()._repr_html_() == render([one()], "html")


@pytest.mark.parametrize("style", ["text", "markdown", "latex", "csv"])
@pytest.mark.parametrize("blank", ["\n", "\r"])
def test_line_breaks_in_names_do_not_break_lines(style: str, blank: str) -> None:
    plain = render([several(["a b", "c", "d e"], metrics="muc")], style, by_document=True)
    broken = render(
        [several([f"a{blank}b", "c", f"d{blank}e"], metrics="muc")], style, by_document=True
    )
    if style == "csv":
        rows = list(csv.reader(io.StringIO(broken, newline="")))
        written = blank.encode("unicode_escape").decode()
        assert [row[2] for row in rows[2:]] == [f"a{written}b", "c", f"d{written}e"]
    else:
        assert len(broken.splitlines()) == len(plain.splitlines())


# --- for programs -------------------------------------------------------------------------------


def test_csv_is_read_back() -> None:
    results = [replace(several(list(ODD[:3])), name=name) for name in ("one", 'a, "b"')]
    rows = list(csv.DictReader(io.StringIO(render(results, "csv", by="^(.)", by_document=True))))
    assert len(rows) == 2 * (1 + 3 + 3) * (len(DEFAULT) + 2)
    assert {row["response"] for row in rows} == {"one", 'a, "b"'}
    assert {row["name"] for row in rows if row["scope"] == "document"} == set(ODD[:3])
    assert {row["name"] for row in rows if row["scope"] == "group"} == {"a", "<", '"'}
    assert {row["signature"] for row in rows if row["scope"] == "total"} == {SIGNATURE.format(3)}
    for row in rows:
        if (row["scope"], row["response"]) != ("total", "one"):
            continue
        metric, _, part = row["metric"].partition(".")
        score = results[0][metric]
        score = getattr(score, part) if part else score
        assert float(row["f1"]) == score.f1
        if score.recall is None:
            assert row["recall"] == row["recall_numerator"] == ""
            continue
        assert (float(row["recall"]), float(row["precision"])) == (score.recall, score.precision)
        names = ("recall_numerator", "recall_denominator", "precision_numerator")
        assert score.counts is not None
        if row["metric"] == "blanc":  # a mean of two ratios has no counts, but its parts do
            assert row["recall_numerator"] == ""
            continue
        assert tuple(float(row[name]) for name in (*names, "precision_denominator")) == score.counts


def test_csv_text() -> None:
    assert render([sameas.score(KEY, RESPONSE, metrics="muc,rand")], "csv") == (
        "response,scope,name,metric,recall,precision,f1,recall_numerator,recall_denominator,"
        "precision_numerator,precision_denominator,signature\n"
        f"response,total,,muc,0.5,0.5,0.5,1,2,1,2,{SIGNATURE.format(1)}\n"
        f"response,total,,rand,,,1.0,,,,,{SIGNATURE.format(1)}"
    )


def test_json_is_read_back() -> None:
    result = several()
    shown = json.loads(render([result], "json", by="genre", by_document=True))
    assert shown["signature"] == SIGNATURE.format(3)
    assert (shown["response"], shown["documents"]) == ("response", 3)
    assert list(shown["metrics"]) == list(DEFAULT)
    assert shown["metrics"]["muc"] == {
        "recall": 0.5,
        "precision": 0.75,
        "f1": 0.6,
        "counts": [3, 6, 3, 4],
    }
    assert shown["metrics"]["b3"]["recall"] == result["b3"].recall
    assert shown["metrics"]["conll"] == {"f1": result.conll.f1}
    assert set(shown["metrics"]["blanc"]) == {
        "recall",
        "precision",
        "f1",
        "counts",
        "coref",
        "noncoref",
    }
    assert shown["metrics"]["blanc"]["coref"]["counts"] == [4, 9, 4, 5]
    assert list(shown["groups"]) == ["bn", "nw"]
    assert [entry["document"] for entry in shown["by_document"]] == list(NAMES)
    assert shown["by_document"][1]["metrics"]["muc"]["counts"] == [1, 2, 1, 2]
    assert shown["notes"] == [str(note) for note in result.notes]


def test_json_of_several_results_is_a_list() -> None:
    results = [replace(one(), name=name) for name in ("é", "b")]
    assert [entry["response"] for entry in json.loads(render(results, "json"))] == ["é", "b"]


def test_json_keeps_integers_and_names_unchanged() -> None:
    result = huge(['["1",\n2]'], 15, ("mention",))
    shown = json.loads(render([result], "json", by_document=True))
    assert shown["metrics"]["mention"]["counts"] == [10**15 // 3] * 4
    assert shown["by_document"][0]["document"] == '["1",\n2]'


# --- averages and groups ------------------------------------------------------------------------


def test_macro_is_the_mean_of_the_documents() -> None:
    micro, macro = several(), several(average="macro")
    for metric in DEFAULT[:-1]:
        scores = [document[metric] for document in micro.documents]
        for part in ("recall", "precision", "f1"):
            mean = sum(getattr(score, part) for score in scores) / 3
            assert getattr(macro[metric], part) == pytest.approx(mean, abs=1e-15)
    mean = sum(macro[metric].f1 for metric in ("muc", "b3", "ceafe")) / 3
    assert macro.conll.f1 == pytest.approx(mean, abs=1e-15)
    assert "average:macro" in macro.signature
    assert micro.average("macro")["b3"] == macro["b3"]
    assert macro.average("micro")["b3"] == micro["b3"]


def test_macro_shows_no_counts_since_they_do_not_give_its_scores() -> None:
    text = str(several(average="macro", metrics="muc,blanc"))
    assert "/" not in text.partition("\n\n")[0]
    shown = several(average="macro").as_dict()["metrics"]
    assert "counts" not in shown["muc"]
    assert "counts" not in shown["blanc"]


def test_macro_names_the_documents_that_a_metric_skips() -> None:
    documents = [
        Document.from_clusters("a", [["x", "y"]]),
        Document.from_clusters("b", [["x"], ["y"]]),
        Document.from_clusters("c", []),
    ]
    result = sameas.score(documents, documents, average="macro", metrics="muc,b3")
    assert (result["muc"].f1, result["b3"].f1) == (1, 1)
    assert result.remarks == [
        Note("left-out", count=1, total=3, metric="MUC"),
        Note("left-out", count=2, total=3, metric="B³"),
    ]


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        ("genre", {"bn": 2, "nw": 1}),
        ("^[^/]*/(.)", {"x": 2, "y": 1}),
        ("y", {"(other)": 2, "y": 1}),
        ("^(?:(bn)|nw)", {"bn": 2, "nw": 1}),
        ("", {"(other)": 3}),
        (lambda name: name[-1], {"0": 3}),
    ],
)
def test_groups(group: object, expected: dict[str, int]) -> None:
    result = several()
    parts = result.by(group)  # type: ignore[arg-type]
    assert {name: len(part) for name, part in parts.items()} == expected
    total = np.sum([part["mention"].counts for part in parts.values()], axis=0)
    assert tuple(total.tolist()) == result["mention"].counts


def test_genre_without_a_slash_is_the_text_before_the_first_bar() -> None:
    assert list(several(["bn_1_0", "bn_2_0", "nw"]).by("genre")) == ["bn", "nw"]


def test_results_of_disjoint_documents_add() -> None:
    whole = several()
    parts = whole.by("genre")
    assert (parts["bn"] + parts["nw"])["blanc"] == whole["blanc"]
    with raises("add-document", document="bn/x_0"):
        whole + parts["bn"]
    with raises("add-settings"):
        parts["bn"] + parts["nw"].average("macro")


@pytest.mark.parametrize("style", STYLES)
def test_no_documents_at_all(style: str) -> None:
    nothing = several().select([])
    assert render([nothing], style, by="genre", by_document=True)
    assert render([nothing, nothing], style, by="genre", by_document=True)


def test_unknown_names_are_named() -> None:
    with raises("unknown", what="style", value="markdwon", near="markdown"):
        render([one()], "markdwon")
    with raises("not-scored", metric="lea"):
        sameas.score(KEY, RESPONSE, metrics=["muc"])["lea"]
    with raises("unknown", what="metric", value="mcu", near="muc"):
        one()["mcu"]
    for method in (one().statistics.total, one().statistics.exact):
        with raises("unknown", what="metric", value="mcu"):
            method("mcu")
    with raises("metric-part", name="f_score"):
        sameas.score(KEY, RESPONSE, metrics="F-score")
    with raises("not-a-pattern"):
        one().by("(")


# --- protocols of results -----------------------------------------------------------------------


def test_results_compare_iterate_and_have_a_one_line_repr() -> None:
    one, same, other = several(), several(), several(metrics="muc")
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != 5
    assert list(other) == ["muc"]
    assert "muc" in other
    assert "b3" not in other
    assert repr(other) == "<Result response: 3 documents, muc 60.00>"
    assert repr(other.documents[0]).startswith("<DocumentResult ")
    assert "\n" not in repr(one.documents)


def test_results_sum() -> None:
    key, response = [["a", "b"], ["c"]], [["a", "b", "c"]]
    loop = sum(sameas.score(key, response) for _ in range(3))
    assert isinstance(loop, sameas.Result)
    assert [document.name for document in loop.documents] == [
        "document",
        "document (2)",
        "document (3)",
    ]
    assert loop["muc"].counts == (3, 3, 3, 6)
    with pytest.raises(TypeError):
        loop + 1
    with pytest.raises(TypeError):
        1 + loop
    with raises("group-kind"):
        loop.by(3)  # type: ignore[arg-type]


def test_wide_characters_take_two_columns() -> None:
    text = render([several(["東京東京東京", "b", "c"], metrics="muc")], by_document=True)
    wide, narrow = (line for line in text.splitlines() if line[:1] in ("東", "b"))
    assert len(wide) == len(narrow) - 6  # six characters that are two columns wide


def test_macro_skips_documents_without_links_to_count() -> None:
    documents = [
        Document.from_clusters("a", [["a", "b"]]),
        Document.from_clusters("b", [["a"]]),
    ]
    names = ["muc", "pairwise", "rand", "ari"]
    result = sameas.score(documents, documents, average="macro", metrics=names)
    assert [result[name].value for name in names] == [1, 1, 1, 1]
    assert len(result.remarks) == 4
    assert Note("left-out", count=1, total=2, metric="Rand") in result.remarks


def test_sums_of_sums_of_documents_without_names() -> None:
    one = sameas.score([["a", "b"]], [["a", "b"]], metrics="muc")
    four = (one + one) + (one + one)
    assert len(four) == len({document.name for document in four.documents}) == 4


def test_huge_counts_are_shortened_in_one_table() -> None:
    many = np.array([3_000_000_000], dtype=np.int64)
    none = np.zeros(1, dtype=np.int64)
    pairs = many * (many - 1) // 2
    columns = {
        "mention": (many, many, many, many),
        "blanc": (many, many, many, pairs, pairs, pairs, many, many, pairs, many, many, many),
        "b3": (many / 3, many, many / 7, many),
        "muc": (none, none, none, none),
    }
    result = sameas.Result(
        Statistics(["all"], columns), sameas.Settings(), ("mention", "b3", "blanc", "muc")
    )
    text = str(result)
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("metric") == 1
    assert "3.000G / 3.000G" in text and "4.500E / 4.500E" in text and "428.6M / 3.000G" in text
    assert "--json has all digits" in text
    assert result.as_dict()["metrics"]["mention"]["counts"] == [3_000_000_000] * 4
