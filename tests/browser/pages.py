"""The content of a page of the report, and navigation in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


Show = Any  # Windows of conftest.py


DESKTOP = {"width": 1280, "height": 800}


PHONE = {"width": 360, "height": 740}


def cells(page: Page, name: str) -> tuple[list[str], list[list[str]], list[list[list[str]]]]:
    """Return the header, the cells and the small lines in cells of one table."""
    head, rows, small = page.evaluate(
        """(name) => {
        const table = document.getElementById(`table-${name}`);
        const big = (cell) => [...cell.childNodes].filter((node) => node.nodeName !== "SMALL")
          .map((node) => node.textContent).join("");
        const rows = [...table.tBodies[0].rows].map((row) => [...row.cells]);
        return [[...table.tHead.rows[0].cells].map((cell) => cell.textContent),
          rows.map((row) => row.map(big)),
          rows.map((row) => row.map((cell) => [...cell.querySelectorAll("small")].map((one) => one.textContent)))];
        }""",
        name,
    )
    return head, rows, small


def number(text: str) -> float:
    return float(text.replace("−", "-").replace("+", "").rstrip("*"))


def near(text: str, value: float | None) -> bool:
    """Return whether this text shows a share, in per cent."""
    return text == "–" if value is None else abs(number(text) - 100 * value) < 0.00502


def interval(text: str) -> list[float]:
    return [number(end) for end in text.strip("[]").split(", ")]


def shown(page: Page) -> str:
    """Return the one visible view."""
    visible = [
        view for view in ("overview", "errors", "document") if page.locator(f"#{view}").is_visible()
    ]
    assert len(visible) == 1
    return visible[0]


def done(page: Page) -> Page:
    """Wait until a document is completely laid out."""
    page.wait_for_selector("#text[data-done]", state="attached")
    return page


def at(page: Page, name: str) -> None:
    """Wait until this document is shown and completely laid out."""
    page.evaluate(
        """async (name) => {
        for (let tries = 0; tries < 3000; tries++) {
          if (!document.getElementById("document").hidden && document.getElementById("text")?.dataset.done
            && document.getElementById("document-name").textContent === name) return;
          await new Promise((done) => setTimeout(done, 1));
        }
        throw new Error(`${name} is not shown`);
        }""",
        name,
    )


VISIT = """async ([places, inside]) => {
  const found = [];
  const wait = () => new Promise((done) => setTimeout(done, 1));
  for (const to of places) {
    if (location.hash !== to) {
      const changed = new Promise((done) => addEventListener("hashchange", done, { once: true }));
      location.hash = to;
      await changed;
    }
    const text = () => document.querySelector("#text");
    while (!document.querySelector("#document").hidden && !text().dataset.done) await wait();
    const line = [...document.querySelectorAll(".sentence")].map((sentence) => {
      const copy = sentence.querySelector(".line").cloneNode(true);
      copy.querySelector(".who")?.remove();
      return copy.textContent;
    });
    const marked = [];
    const numbers = [...document.querySelectorAll("#error-list [data-n]")].map((one) => Number(one.dataset.n));
    for (const _ of inside ? numbers : []) {
      document.getElementById("next-error").click();
      const chosen = [...document.querySelectorAll('#error-list [aria-current="true"]')];
      marked.push([chosen.map((one) => Number(one.dataset.n)), [...document.querySelectorAll(
        ".line:first-child .w.wrong")].map((word) => Number(word.dataset.w))]);
    }
    found.push({ name: document.getElementById("document-name")?.textContent, text: line, numbers, marked,
      words: [...document.querySelectorAll(".line:first-child .w")].map((word) => word.textContent),
      plain: [...document.querySelectorAll(".w")].every((word) => word.children.length === 0),
      show: document.querySelector("input[name=show]:checked")?.value,
      system: document.getElementById("system").value,
      signs: [...new Set([...document.querySelectorAll("#text .b")].map((b) => b.firstChild.data))].sort(),
      listed: [...document.querySelectorAll("#errors .found a")].map((a) => a.textContent) });
  }
  return found;
}"""


def visit(page: Page, places: Sequence[str], *, errors: bool = False) -> list[dict[str, Any]]:
    """Return what is shown at each address; with `errors`, choose each error in turn."""
    return page.evaluate(VISIT, [list(places), errors])


def pick(page: Page, id: str, place: int) -> None:
    """Choose an option of a select, faster than by mouse."""
    page.evaluate(
        """([id, place]) => { const one = document.getElementById(id); one.selectedIndex = place;
          one.dispatchEvent(new Event("change", { bubbles: true })); }""",
        [id, place],
    )


def link(**parts: object) -> str:
    return f"#{urlencode(parts)}"


def address(page: Page) -> dict[str, str]:
    given = page.evaluate("() => location.hash.slice(1)")
    return {name: values[0] for name, values in parse_qs(given, keep_blank_values=True).items()}


def chosen(page: Page) -> int | None:
    """Return the number of the chosen error in the list."""
    found = page.locator('#error-list [aria-current="true"]')
    assert found.count() <= 1
    return int(found.get_attribute("data-n") or "") if found.count() else None


def numbers(page: Page) -> list[int]:
    """Return the numbers of the listed errors."""
    return page.locator("#error-list [data-n]").evaluate_all(
        "(found) => found.map((one) => Number(one.dataset.n))"
    )


def words_with(page: Page, style: str, line: int = 0) -> set[int]:
    """Return the words of the text that have a mark."""
    return set(
        page.evaluate(
            """([style, line]) => [...document.querySelectorAll(".sentence")].flatMap((sentence) =>
            [...sentence.querySelectorAll(".line")[line].querySelectorAll(`.w.${style}`)]
              .map((word) => Number(word.dataset.w)))""",
            [style, line],
        )
    )


def text_of(page: Page, line: int = 0) -> list[str]:
    """Return the text of each sentence, including brackets."""
    return page.evaluate(
        """(line) => [...document.querySelectorAll(".sentence")].map((sentence) => {
          const copy = sentence.querySelectorAll(".line")[line].cloneNode(true);
          copy.querySelector(".who")?.remove();
          return copy.textContent;
        })""",
        line,
    )


def words_of(page: Page) -> list[str]:
    return page.evaluate(
        "() => [...document.querySelectorAll('.line:first-child .w')].map((word) => word.textContent)"
    )


def seen(page: Page, place: Locator) -> bool:
    """Return whether an element is in the window, below the toolbar at its top."""
    box = place.bounding_box()
    assert box is not None
    below = page.evaluate(
        "() => Math.max(0, document.querySelector('.tools')?.getBoundingClientRect().bottom ?? 0)"
    )
    height = page.evaluate("() => innerHeight")
    return bool(box["y"] >= below - 1 and box["y"] + box["height"] <= height + 1)


def focus(page: Page) -> str:
    """Return the id of the focused element, or its tag."""
    return page.evaluate(
        "() => document.activeElement.id || document.activeElement.tagName.toLowerCase()"
    )
