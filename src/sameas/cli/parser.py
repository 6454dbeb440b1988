"""The commands; only the one that is run is imported."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from inspect import cleandoc
from typing import Any

from sameas._version import __version__
from sameas.cli.options import Arguments, CommandParser
from sameas.errors import unknown

__all__ = ["COMMANDS", "VERSION", "parse", "parser_of"]

#: The commands, with a summary. A command is a module of the same name: `USAGE` lists its
#: arguments, the docstring of `declare` describes it, `declare` adds its options to a parser, and
#: `run` runs it. A package has ACTIONS instead; each action is such a module.
COMMANDS = {
    "score": "score responses against a key",
    "compare": "test whether one system is better than another",
    "report": "write a web page of scores, errors and texts",
    "errors": "find errors, and the gain from fixing each kind",
    "cone": "score names alone, with or without a gold standard",
    "align": "align the letters of names with their transliterations",
    "entropy": "measure the quality of an alignment, with or without gold",
    "transliterate": "transliterate names, and evaluate transliterations",
    "verify": "find the pairs in a list that are not transliterations",
    "correlate": "correlate metrics across systems or documents",
    "published": "show published scores, and rank a new system among them",
    "check": "report every problem in a file, with its line and column",
    "convert": "convert documents to another format",
    "scorer": "score with the arguments and the output of scorer.pl",
    "example": "write the example files to a folder",
    "completion": "print a script for completion in bash, zsh or fish",
}
VERSION: dict[str, Any] = {
    "action": "version",
    "version": f"sameas {__version__}",
    "help": "show the version and exit",
}
_RENAMED = {("score", "--explain"): "--plan", ("cone", "--explain"): "--joins"}
_ABOUT = "Evaluate coreference resolution, entity resolution and transliteration."


def parse(arguments: list[str]) -> Arguments:
    """Return the options of the command in `arguments`."""
    name = _choose("sameas", "command", COMMANDS, arguments, _ABOUT)
    command = import_module(f"sameas.cli.{name}")
    if not hasattr(command, "ACTIONS"):
        return _parsed(parser_of(name), arguments[1:])
    about = cleandoc(command.__doc__ or "")
    action = _choose(f"sameas {name}", "action", command.ACTIONS, arguments[1:], about)
    return _parsed(parser_of(name, action), arguments[2:])


def _parsed(parser: CommandParser, arguments: list[str]) -> Arguments:
    if "--" in arguments:
        place = arguments.index("--")
        # Python's parser of intermixed arguments takes what follows for options.
        after = [f"./{one}" if _is_odd_file(one) else one for one in arguments[place + 1 :]]
        arguments = [*arguments[:place], *after]
    return parser.parse_intermixed_args(arguments, Arguments())


def _is_odd_file(argument: str) -> bool:
    """Return whether an argument that looks like an option is the name of a file."""
    return argument.startswith("-") and argument != "-" and os.path.exists(argument)


def parser_of(*names: str) -> CommandParser:
    """Return the parser of a command, or of one of its actions."""
    command = import_module(".".join(["sameas.cli", *names]))
    prog = " ".join(["sameas", *names])
    usage = "\n       ".join(
        f"{prog} [options] {line}".rstrip() for line in command.USAGE.split("\n")
    )
    about = cleandoc(command.declare.__doc__)
    parser = CommandParser(prog=prog, usage=usage, description=about)
    command.declare(parser)
    quiet = "print nothing but errors on standard error"
    parser.add_options({"-q --quiet": quiet})
    parser.add_help_options()
    parser.set_defaults(run=command.run)
    parser.commands_with = _commands_with
    parser.renamed = {old: new for (name, old), new in _RENAMED.items() if name == names[0]}
    return parser


def _commands_with(flag: str) -> list[str]:
    """Return the commands that have an option."""
    found = []
    for name in COMMANDS:
        actions = getattr(import_module(f"sameas.cli.{name}"), "ACTIONS", [None])
        for names in ([name, action] if action else [name] for action in actions):
            if flag in parser_of(*names)._option_string_actions:
                found.append(" ".join(["sameas", *names]))
    return found


def _choose(
    prog: str, what: str, known: Mapping[str, str], arguments: list[str], about: str
) -> str:
    """Return the first argument if it is known; else show help and exit."""
    name = arguments[0] if arguments else ""
    if name in known:
        return name
    width = max(10, *(len(name) + 1 for name in known))
    listed = "\n".join(f"  {name:<{width}}{help}" for name, help in known.items())
    first = prog == "sameas"
    parser = CommandParser(
        prog=prog,
        usage=f"{prog} {'COMMAND' if first else '|'.join(known)} …",
        description=f"{about}\n\n{what}s:\n{listed}",
        epilog=f"{prog} {what.upper()} --help shows its options."
        + " Try: sameas score --example" * first,
    )
    if first:
        parser.add_options({"--version": VERSION})
    parser.add_help_options()
    if name and not name.startswith("-"):
        parser.error(str(unknown(what, name, known)))
    parser.parse_args(arguments)
    parser.print_help()
    sys.exit(2)
