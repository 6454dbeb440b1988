"""Every public name is documented: parameters, return value, and an example that runs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest

import sameas
from sameas import analysis, names, settings, show, tables, without_gold

ROOMS = (sameas, analysis, names, show, tables, without_gold)
SETTINGS = ("Comparing", "ConeSettings", "Resampling", "Settings", "Signature")


def public() -> dict[str, Any]:
    """Return the public functions and classes by name."""
    found = {name: getattr(settings, name) for name in SETTINGS}
    for room in ROOMS:
        found |= {name: getattr(room, name) for name in room.__all__}
    return {name: value for name, value in found.items() if callable(value)}


PUBLIC = public()


def sections(docstring: str) -> dict[str, str]:
    """Return the sections of a NumPy docstring by title; the text before them is under `""`."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}\n", inspect.cleandoc(docstring), flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


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
        if self.returns and not {"Returns", "Yields"} & parts.keys():
            yield "returns"
        called = re.search(rf"\b{self.value.__name__}\b", self.shown)
        if ">>>" not in parts.get("Examples", "") and not called:
            yield "an example"

    @property
    def parameters(self) -> set[str]:
        """The names of the parameters."""
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


def test_rooms_offer_what_they_name() -> None:
    for room in ROOMS:
        assert isinstance(room, ModuleType)
        assert set(room.__all__) == set(dir(room))
        with pytest.raises(AttributeError, match="nothing"):
            _ = room.nothing
