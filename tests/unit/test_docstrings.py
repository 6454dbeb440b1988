"""Every public name is documented: parameters, return value, and an example that runs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from types import ModuleType
from typing import Any

import pytest

import sameas
from sameas import analysis, names, show, tables, without_gold

ROOMS = (sameas, analysis, names, show, tables, without_gold)
#: Public names of modules that also have others; the documents name all of these.
OTHERS = {
    "settings": ("Comparing", "ConeSettings", "Resampling", "Settings", "Signature"),
    "errors": ("InputError", "Problem", "SameasError", "UsageError", "WorkError"),
    "integrations.huggingface": ("numbers_of", "path", "result_of_rows", "score_rows"),
    "integrations.sklearn": None,
    "integrations.spacy": ("make_scorer", "score_clusters"),
    "integrations.torch": ("Coreference",),
    "names.datasets": ("dataset",),
    "run.engines.duckdb": ("score",),
    "run.engines.spark": ("score",),
}
#: Methods that Python calls, which need an explanation but no parameters and examples.
SYNTAX = ("__add__", "__contains__", "__getitem__", "__iter__", "__len__")


def public() -> dict[str, Any]:
    """Return the public functions and classes by name."""
    found = {}
    for path, chosen in OTHERS.items():
        module = import_module(f"sameas.{path}")
        prefix = f"{path.rpartition('.')[2]}." if "." in path else ""
        found |= {f"{prefix}{name}": getattr(module, name) for name in chosen or module.__all__}
    for room in ROOMS:
        found |= {name: getattr(room, name) for name in room.__all__}
    return {name: value for name, value in found.items() if callable(value)}


PUBLIC = public()


def sections(docstring: str) -> dict[str, str]:
    """Return the sections of a NumPy docstring by title; the text before them is under `""`."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}\n", inspect.cleandoc(docstring), flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def empty(section: str) -> list[str]:
    """Return the entries of a section that are not described."""
    lines = [*filter(str.strip, section.splitlines()), ""]
    entries = [(one, next) for one, next in pairwise(lines) if not one.startswith(" ")]
    return [entry for entry, next in entries if not next.startswith(" ")]


def described(section: str) -> set[str]:
    """Return the names described in a section of parameters, without stars."""
    lines = [line for line in section.splitlines() if line[:1].strip()]
    return {name.strip(" *`") for line in lines for name in line.split(":")[0].split(",")}


@dataclass(frozen=True)
class Documented:
    """A function, class or method, and the docstring that has to explain it."""

    name: str
    value: Any
    shown: str = ""  # the examples of its class

    def missing(self) -> Iterator[str]:
        """Yield what is missing from the docstring."""
        if not self.value.__doc__:
            yield "a docstring"
            return
        parts = sections(self.value.__doc__)
        first = parts[""].split("\n\n")[0]
        if not first.endswith("."):
            yield "one sentence that opens it"
        fields = parts.get("Parameters", "") + parts.get("Attributes", "")
        if self.parameters != described(fields) & self.parameters:
            yield f"parameters {sorted(self.parameters - described(fields))}"
        if extra := described(parts.get("Parameters", "")) - self.parameters:
            yield f"no parameters {sorted(extra)}"
        for title in ("Parameters", "Attributes", "Returns", "Yields", "Raises"):
            if undescribed := empty(parts.get(title, "")):
                yield f"{title} {undescribed}"
        if self.returns and not (parts.get("Returns") or parts.get("Yields", "")).strip():
            yield "returns"
        called = re.search(rf"\b{self.value.__name__}\(", self.shown)
        if ">>>" not in parts.get("Examples", "") and not called:
            yield "an example"

    @property
    def parameters(self) -> set[str]:
        """The names of the parameters."""
        if self.value.__init__ is Exception.__init__:
            return set()  # has no signature
        return set(inspect.signature(self.value).parameters) - {"self", "cls"}

    @property
    def returns(self) -> bool:
        """Whether it returns a value."""
        if inspect.isclass(self.value):
            return False
        return inspect.signature(self.value).return_annotation not in ("None", None)


def documented() -> Iterator[Documented]:
    """Yield every public function, class, and method of a class."""
    for name, value in sorted(PUBLIC.items()):
        yield Documented(name, value)
        if not inspect.isclass(value):
            continue
        shown = sections(value.__doc__ or "").get("Examples", "")
        for method, raw in inspect.getmembers_static(value):
            function = raw.__func__ if isinstance(raw, classmethod | staticmethod) else raw
            ours = inspect.isfunction(function) and function.__module__.startswith("sameas")
            if ours and not method.startswith("_"):
                yield Documented(f"{name}.{method}", function, shown)


@pytest.mark.parametrize("one", list(documented()), ids=lambda one: one.name)
def test_public_names_are_documented(one: Documented) -> None:
    assert list(one.missing()) == []


def explained() -> Iterator[tuple[str, str]]:
    """Yield every property of a public class and every method that Python calls, with its text."""
    for name, value in sorted(PUBLIC.items()):
        for part, raw in inspect.getmembers_static(value) if inspect.isclass(value) else ():
            match raw:
                case property():
                    function: Any = raw.fget
                case cached_property():
                    function = raw.func
                case _ if part in SYNTAX and inspect.isfunction(raw):
                    function = raw
                case _:
                    continue
            syntax = part in SYNTAX
            if function.__module__.startswith("sameas") and (syntax or not part.startswith("_")):
                yield f"{name}.{part}", inspect.cleandoc(function.__doc__ or "")


@pytest.mark.parametrize(("name", "text"), list(explained()))
def test_properties_and_syntax_are_explained(name: str, text: str) -> None:
    assert text.split("\n\n")[0].endswith("."), f"{name} needs a sentence"


def test_missing_parts_are_detected() -> None:
    def plain(key: str, *, jobs: int = 1) -> int:
        """Score a key"""
        return jobs

    assert list(Documented("plain", plain).missing()) == [
        "one sentence that opens it",
        "parameters ['jobs', 'key']",
        "returns",
        "an example",
    ]


def test_empty_sections_are_detected() -> None:
    def empty_sections(key: str) -> int:
        """Score a key.

        Parameters
        ----------
        key

        Returns
        -------
        int

        Examples
        --------
        >>> 1
        1
        """
        return len(key)

    found = list(Documented("empty_sections", empty_sections).missing())
    assert found == ["Parameters ['key']", "Returns ['int']"]


def test_rooms_offer_what_they_name() -> None:
    for room in ROOMS:
        assert isinstance(room, ModuleType)
        assert set(room.__all__) == set(dir(room))
        with pytest.raises(AttributeError, match="nothing"):
            _ = room.nothing
