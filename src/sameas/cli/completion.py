"""`sameas completion`: shell completion of commands, options and values, with argcomplete."""

from __future__ import annotations

import os
from argparse import Action, ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

from sameas.cli.options import Arguments, CommandParser
from sameas.cli.parser import COMMANDS, parser_of
from sameas.errors import UsageError, how_to_install, unknown

__all__ = ["complete"]

USAGE = "SHELL"
_SHELLS = ("bash", "zsh", "fish")
_WORDS = ("N", "P", "PERCENT", "TEXT", "SIZE", "URL", "GROUP", "GROUP=VALUE", "NAME", "UNIT")


def declare(parser: CommandParser) -> None:
    """Print a script that completes the commands, options and values of sameas in a
    shell (needs argcomplete: pip install argcomplete).

    bash  in ~/.bashrc:                   eval "$(sameas completion bash)"
    zsh   in ~/.zshrc, after compinit:    eval "$(sameas completion zsh)"
    fish  in ~/.config/fish/config.fish:  sameas completion fish | source"""
    parser.add_options({"shell": {"metavar": "SHELL", "help": "bash, zsh or fish"}})


def run(options: Arguments) -> int:
    if options.shell not in _SHELLS:
        raise unknown("shell", options.shell, _SHELLS)
    print(_argcomplete().shellcode(["sameas"], shell=options.shell))
    return 0


def complete() -> None:
    """Print completions of the command line that the shell passes in the environment, and exit."""
    parser = ArgumentParser(prog="sameas")
    parser.add_argument("--version", action="store_true")
    words = os.environ.get("COMP_LINE", "").split()[1:]
    _add_commands(parser, "sameas.cli", COMMANDS, words)
    _argcomplete().autocomplete(parser)


def _argcomplete() -> Any:
    try:
        import argcomplete
    except ImportError:
        command = how_to_install("argcomplete")
        raise UsageError("not-installed", module="argcomplete", command=command) from None
    return argcomplete


def _add_commands(
    parser: ArgumentParser, package: str, known: Mapping[str, str], words: list[str]
) -> None:
    """Add the commands of a package; import only the one in the command line, for its options."""
    commands = parser.add_subparsers(parser_class=ArgumentParser)
    for name, help in known.items():
        if words[:1] != [name]:
            commands.add_parser(name, help=help)
            continue
        module = import_module(f"{package}.{name}")
        if hasattr(module, "ACTIONS"):
            inner = commands.add_parser(name, help=help)
            _add_commands(inner, f"{package}.{name}", module.ACTIONS, words[1:])
            continue
        names = f"{package}.{name}".split(".")[2:]
        command = commands.add_parser(name, parents=[parser_of(*names)], add_help=False)
        for action in command._actions:
            values = [*_values(action)]
            if values or action.metavar in _WORDS:
                action.completer = _completer(values, listed=action.metavar == "NAMES")  # type: ignore[attr-defined]


def _completer(values: list[str], listed: bool) -> Callable[..., list[str]]:
    """Return a completer for the values of an option; `listed` values are separated by commas."""

    def offer(prefix: str, **_: object) -> list[str]:
        before, comma, _last = prefix.rpartition(",")
        return [f"{before}{comma}{value}" for value in values] if listed else values

    return offer


def _values(action: Action) -> Iterator[str]:
    """Yield the possible values of an option, if there are only a few."""
    if action.dest == "shell":
        yield from _SHELLS
    elif "--metrics" in action.option_strings or action.dest == "print":
        from sameas.metrics.statistics import METRICS

        yield from METRICS
    elif action.dest == "preset":
        from sameas.settings import PRESETS

        yield from PRESETS
    elif action.dest == "format":
        from sameas.formats.declarations import FORMATS

        yield from FORMATS
    elif isinstance(action.metavar, str) and "|" in action.metavar:
        yield from action.metavar.split("|")
