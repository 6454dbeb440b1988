"""Measure the report in a browser: its size, and how long users wait for it.

::

    python benchmarks/page.py

makes reports of synthetic corpora, opens them in a headless Chromium and prints a Markdown table.
It needs `pip install '.[browser]'` and a browser (Debian's package is `chromium`). Times are in
milliseconds, measured in the page from the event until the next frame is painted, so the minimum is
one frame. Repeated measurements are shown as median and worst.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import generate

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
HUNDRED = replace(
    generate.ONTONOTES,
    key_seed="page",
    documents=100,
    tokens=255_000,
    mentions=30_000,
    entities=6_750,
)
NOVEL = replace(
    HUNDRED, key_seed="page-novel", documents=1, tokens=50_000, mentions=10_000, entities=1_500
)
#: Title, corpus, number of responses.
REPORTS = {
    "hundred": ("100 documents, 30,000 mentions", HUNDRED, 1),
    "five": ("the same, five responses", HUNDRED, 5),
    "novel": ("1 document, 50,000 words, 10,000 mentions", NOVEL, 1),
}
# Functions for the measurements, defined in the page first.
TOOLS = """() => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => {
    const after = new MessageChannel();   // a message is delivered after the frame is painted
    after.port1.onmessage = done;
    after.port2.postMessage(0);
  }));
  const until = async (condition) => { while (!condition()) await frame(); };
  const text = () => document.getElementById("text");
  const timed = async (act, shown) => {
    await frame();
    const begin = performance.now();
    act();
    const busy = performance.now() - begin;
    if (shown) await until(shown);
    await frame();
    return [performance.now() - begin, busy];
  };
  const opened = async (act) => {
    const before = text();
    const [first] = await timed(act, () => text() !== before && text().querySelector(".w"));
    const begin = performance.now();
    await until(() => text().dataset.done);
    await frame();
    return [first, first + performance.now() - begin];
  };
  window.measured = { timed, opened };
}"""
NEXT = """async (count) => {
  const found = [];
  for (let number = 0; number < count; number++) {
    const button = document.getElementById("next-document");
    if (button.disabled) break;
    found.push(await measured.opened(() => button.click()));
  }
  return found;
}"""
OPEN = """async (place) => {
  return measured.opened(() => document.querySelectorAll("#table-documents a")[place].click());
}"""
HOVER = """async (count) => {
  // The visible mentions of the largest entities.
  const brackets = [...document.querySelectorAll("#text .b.key[role=button]")];
  const size = new Map();
  for (const one of brackets) {
    const label = one.querySelector("sub").textContent;
    size.set(label, [...(size.get(label) ?? []), one]);
  }
  const largest = [...size.values()].sort((a, b) => b.length - a.length).slice(0, count);
  const found = [];
  for (const [one] of largest) {
    found.push(await measured.timed(() =>
      one.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }))));
  }
  return found;
}"""
CHOOSE = """async (count) => {
  const found = [];
  for (let number = 0; number < count; number++) {
    found.push(await measured.timed(() => document.getElementById("next-error").click()));
  }
  return found;
}"""
FIND = """async () => {
  const field = document.getElementById("find");
  field.value = "the";
  const found = [await measured.timed(() => field.dispatchEvent(new Event("input")))];
  field.value = "";
  field.dispatchEvent(new Event("input"));
  return found;
}"""
ERRORS = """async () => {
  const link = document.querySelector("#table-errors-by-kind tr:nth-child(6) td:last-child a");
  return [await measured.timed(() => link.click(), () => document.querySelector(".found li"))];
}"""


def shown(times: list[list[float]], place: int = 0) -> str:
    """Return the median and the worst as text."""
    values = [one[place] for one in times]
    if not values:
        return "–"
    if len(values) == 1:
        return f"{values[0]:.0f}"
    return f"{statistics.median(values):.0f} / {max(values):.0f}"


def make(name: str, folder: Path, seed: int) -> tuple[Path, float]:
    """Make a report; return its file and the seconds that it took."""
    import sameas

    _, corpus, count = REPORTS[name]
    key = Path()
    responses = {}
    for number in range(count):
        response = f"{name}{number}"
        key, responses[response] = generate.write(replace(corpus, name=response), folder, seed)
    begin = time.perf_counter()
    report = sameas.report(key, responses)
    path = folder / f"{name}.html"
    report.save(path)
    return path, time.perf_counter() - begin


def opened(browser: Any, path: Path, repeat: int) -> tuple[list[list[float]], Page]:
    """Open a report repeatedly; return times of first paint and of loading, and the last page."""
    found = []
    page: Page
    for number in range(repeat):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.goto(path.as_uri())
        found.append(
            page.evaluate(
                """async () => {
                let paint;
                while (!(paint = performance.getEntriesByName("first-contentful-paint")[0]))
                  await new Promise((done) => setTimeout(done, 5));
                const { loadEventEnd, navigationStart } = performance.timing;
                return [paint.startTime, loadEventEnd - navigationStart];
                }"""
            )
        )
        if number < repeat - 1:
            context.close()
    return found, page


def measure(browser: Any, path: Path, name: str, repeat: int) -> list[tuple[str, str]]:
    """Return the measurements as rows of title and text."""
    paint, page = opened(browser, path, repeat)
    rows = [
        ("size, MB", f"{path.stat().st_size / 1e6:.1f}"),
        ("first contentful paint", shown(paint)),
        ("loaded", shown(paint, 1)),
    ]
    page.evaluate(TOOLS)

    def overview() -> None:
        page.evaluate("() => { location.hash = '#'; }")
        page.wait_for_selector("#table-documents")

    many = REPORTS[name][1].documents > 1
    open_times = []
    for place in range(5 if many else 1):
        open_times.append(page.evaluate(OPEN, place))
        overview()
    if not many:
        for _ in range(4):
            open_times.append(page.evaluate(OPEN, 0))
            overview()
    rows += [
        ("document opened: first words", shown(open_times)),
        ("document opened: all words", shown(open_times, 1)),
    ]
    page.evaluate(OPEN, 0)
    if many:
        times = page.evaluate(NEXT, 20)
        rows += [
            ("next document: first words", shown(times)),
            ("next document: all words", shown(times, 1)),
        ]
    measures: list[tuple[str, str, Callable[[], Any]]] = [
        ("hover", "entity highlighted", lambda: page.evaluate(HOVER, 20)),
        ("choose", "error selected", lambda: page.evaluate(CHOOSE, 20)),
        ("find", "search for “the”", lambda: page.evaluate(FIND)),
    ]
    for _, title, run in measures:
        times = run()
        rows += [(title, shown(times)), (f"{title}: script time", shown(times, 1))]
    overview()
    rows.append(("list of missing mentions", shown(page.evaluate(ERRORS))))
    page.context.close()
    return rows


def main() -> None:
    """Make the reports, open them and print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    names = ",".join(REPORTS)
    parser.add_argument("--reports", default=names, help=f"comma-separated (default: {names})")
    parser.add_argument("--folder", type=Path, help="keep corpora and reports here")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--repeat", type=int, default=5, help="open each report N times (default: 5)"
    )
    arguments = parser.parse_args()
    wanted = [name for name in arguments.reports.split(",") if name]
    for name in wanted:
        if name not in REPORTS:
            parser.error(f"unknown report {name!r}; known: {names}")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        parser.error("Chromium is not installed; on Debian: apt install chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        parser.error("playwright is not installed: pip install '.[browser]'")

    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = arguments.folder or Path(temporary)
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=ARGUMENTS)
        print(
            f"Chromium {browser.version}, Python {platform.python_version()}, "
            f"{platform.system()}, {os.cpu_count()} processors; median / worst, in milliseconds\n"
        )
        found: dict[str, dict[str, str]] = {}
        for name in wanted:
            file, seconds = make(name, folder, arguments.seed)
            rows = [("time to make the report, seconds", f"{seconds:.1f}")]
            rows += measure(browser, file, name, arguments.repeat)
            for title, text in rows:
                found.setdefault(title, {})[name] = text
        browser.close()
    titles = [REPORTS[name][0] for name in wanted]
    print(f"| | {' | '.join(titles)} |")
    print(f"|---|{'---:|' * len(titles)}")
    for title, texts in found.items():
        print(f"| {title} | {' | '.join(texts.get(name, '–') for name in wanted)} |")


if __name__ == "__main__":
    main()
