"""`sameas completion`: shell completion of commands, options and values, with argcomplete."""

from __future__ import annotations

import os
import re
from argparse import Action, ArgumentParser
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

from sameas.cli.options import Arguments, CommandParser, Values
from sameas.cli.parser import COMMANDS, VERSION, parser_of
from sameas.errors import UsageError, how_to_install, unknown

__all__ = ["complete"]

USAGE = "SHELL"
_SHELLS = ("bash", "zsh", "fish")
#: The metavars of arguments that are not files and have no known values.
_WORDS = ("N", "P", "PERCENT", "TEXT", "SIZE", "URL", "GROUP", "NAME", "UNIT")


def declare(parser: CommandParser) -> None:
    """Print a script that makes a shell complete the commands, options and values of
    sameas (needs argcomplete: pip install argcomplete).

    bash  in ~/.bashrc:                   eval "$(sameas completion bash)"
    zsh   in ~/.zshrc, after compinit:    eval "$(sameas completion zsh)"
    fish  in ~/.config/fish/config.fish:  sameas completion fish | source"""
    parser.add_options(
        {"shell": {"metavar": "SHELL", "help": "bash, zsh or fish", "values": _SHELLS}}
    )


def run(options: Arguments) -> int:
    if options.shell not in _SHELLS:
        raise unknown("shell", options.shell, _SHELLS)
    print(_argcomplete().shellcode(["sameas"], shell=options.shell))
    return 0


def complete(**how: Any) -> None:
    """Print completions of the command line that the shell passes in the environment, and exit.

    argcomplete is called with the arguments `how`.
    """
    parser = ArgumentParser(prog="sameas")
    parser.add_argument("--version", **VERSION)
    words = os.environ.get("COMP_LINE", "").split()[1:]
    _add_commands(parser, "sameas.cli", COMMANDS, words)
    _finder()(parser, **how)


def _finder() -> Any:
    """Return an argcomplete finder that also completes positional arguments after an option."""

    class Finder(_argcomplete().CompletionFinder):  # type: ignore[misc]
        def collect_completions(self, active: Any, parsed: Any, prefix: str) -> list[str]:
            found: list[str] = super().collect_completions(active, parsed, prefix)
            positional = active[-1]._get_positional_actions()
            if positional and not active[-1].active_actions and not prefix.startswith("-"):
                # argparse gives all positional arguments their values before the first option.
                offered = positional[-1].completer(prefix)
                found += [value for value in offered if value.startswith(prefix)]
            for value in found:  # zsh shows the lack of a description as None
                self.get_display_completions().setdefault(value, "")
            return found

    return Finder()


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
    """Add the commands of a package; import only the one on the command line, for its options."""
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
        own = parser_of(*f"{package}.{name}".split(".")[2:])
        command = commands.add_parser(name, help=help, parents=[own], add_help=False)
        for action in command._actions:
            action.completer = _completer(action, own.values.get(action.dest))  # type: ignore[attr-defined]


def _completer(action: Action, values: Values | None) -> Callable[..., list[str]]:
    """Return the function that offers values of an argument, or files."""
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    if values is None and "|" in metavar:
        values = metavar.split("|")
    takes_files = values is None and metavar and metavar not in _WORDS

    def offer(prefix: str, **_: object) -> list[str]:
        if takes_files:
            return _files(prefix, named="NAME=" in metavar)
        before, comma, last = prefix.rpartition(",")
        offered = [_CAPITALS.sub("", value) for value in _called(values, last)]
        given = before.split(",")
        found = [f"{before}{comma}{value}" for value in offered if value and value not in given]
        return [*found, *_files(prefix)] if "" in offered else found

    return offer


_CAPITALS = re.compile("[A-Z]+$")


def _called(values: Values | None, prefix: str) -> Iterable[str]:
    return values(prefix) if callable(values) else values or ()


def _files(prefix: str, named: bool = False) -> list[str]:
    """Return the files whose paths begin with the prefix, which may begin with NAME=."""
    from argcomplete.completers import FilesCompleter

    found: list[str] = FilesCompleter()(prefix)
    name, equals, path = prefix.partition("=")
    if named and equals:
        found += [f"{name}={file}" for file in FilesCompleter()(path)]
    return found
