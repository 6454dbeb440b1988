"""The commands. Only the one that is named is imported."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from inspect import cleandoc

from sameas._version import __version__
from sameas.cli.options import Arguments, CommandParser
from sameas.errors import unknown

__all__ = ["COMMANDS", "parse", "parser_of"]

#: The commands, with their lines in the list of commands. A command is the module of its name: the
#: docstring of `declare` describes it, `declare` adds its options to a parser, and `run` runs it.
#: A package has ACTIONS instead, each of which is such a module.
COMMANDS = {
    "score": "score responses against a key",
    "compare": "is one system better than another, or is it chance?",
    "report": "a page to look at: scores, errors, texts",
    "errors": "what kinds of errors, where, and what repairing them is worth",
    "cone": "score names alone, also where there is no gold standard",
    "align": "align names with their transliterations, in any scripts",
    "entropy": "how good an alignment of names is, with gold or without",
    "transliterate": "write names in another script, and score who does",
    "verify": "which pairs of a list of names are no transliterations",
    "correlate": "how well metrics agree, over systems or documents",
    "published": "the systems of the CoNLL shared tasks, and a new one among them",
    "check": "say what is wrong with a file, and where",
    "convert": "write documents in another format",
    "scorer": "arguments and output of scorer.pl, for wrappers that call it",
    "example": "write the example corpus into a folder",
}
_ABOUT = "How good is a system at telling what is the same as what?"


def parse(arguments: list[str]) -> Arguments:
    """Return the options of the command that `arguments` name."""
    name = _choose("sameas", "command", COMMANDS, arguments, _ABOUT)
    command = import_module(f"sameas.cli.{name}")
    if not hasattr(command, "ACTIONS"):
        return parser_of(name).parse_args(arguments[1:], Arguments())
    about = cleandoc(command.__doc__ or "")
    action = _choose(f"sameas {name}", "action", command.ACTIONS, arguments[1:], about)
    return parser_of(name, action).parse_intermixed_args(arguments[2:], Arguments())


def parser_of(*names: str) -> CommandParser:
    """Return the parser of a command, or of an action of it."""
    command = import_module(".".join(["sameas.cli", *names]))
    about = cleandoc(command.declare.__doc__)
    parser = CommandParser(prog=" ".join(["sameas", *names]), description=about)
    command.declare(parser)
    parser.set_defaults(run=command.run)
    return parser


def _choose(
    prog: str, what: str, known: Mapping[str, str], arguments: list[str], about: str
) -> str:
    """Return the first of the arguments if it is known; else show help, and exit."""
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
        epilog=f"{prog} {what.upper()} --help tells more." + " Try: sameas score --example" * first,
    )
    if first:
        parser.add_argument("--version", action="version", version=f"sameas {__version__}")
    if name and not name.startswith("-"):
        parser.error(str(unknown(what, name, known)))
    parser.parse_args(arguments)
    parser.print_help()
    sys.exit(2)
