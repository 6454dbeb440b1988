"""The report in a real browser, used as a person would: by mouse, by keyboard and by address.

There is one browser per session, and a new window for every page. No page of a test may cause a
console message, an error, a dialog, or a request for anything but its own file. The fixture `show`
checks this.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

import sameas

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
HOW = "pip install '.[browser]', and a Chromium (on Debian: apt install chromium)"


def do_without(what: str) -> NoReturn:
    """Skip the test, or fail if the browser is required."""
    reason = f"{what} is missing; the report is tested in a browser: {HOW}"
    if os.environ.get("SAMEAS_BROWSER") == "required":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        do_without("playwright")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        do_without("Chromium")
    with sync_playwright() as playwright:
        try:
            found = playwright.chromium.launch(executable_path=path, headless=True, args=ARGUMENTS)
        except Error as error:
            do_without(f"a Chromium that starts ({error.message.splitlines()[0]})")
        yield found
        found.close()


class Windows:
    """Open reports, and record everything that goes wrong in them."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser, self.folder = browser, folder
        self.problems: list[str] = []
        self.loads = 0
        self.contexts: list[BrowserContext] = []
        self.saved: dict[int, tuple[sameas.Report, Path]] = {}

    def file(self, report: sameas.Report | str) -> Path:
        """The file of a report, written once."""
        if id(report) not in self.saved:
            path = self.folder / f"report-{len(self.saved)}.html"
            if isinstance(report, str):
                path.write_text(report, encoding="utf-8")
            else:
                report.save(path)
            self.saved[id(report)] = report, path  # type: ignore[assignment]
        return self.saved[id(report)][1]

    def __call__(
        self,
        report: sameas.Report | str,
        address: str = "",
        *,
        beside: Page | None = None,
        **options: Any,
    ) -> Page:
        """Return a page that shows the report, in a new context or in that of another page."""
        url = self.file(report).as_uri()
        if beside is None:
            context = self.browser.new_context(**options)
            context.set_default_timeout(5000)
            self.contexts.append(context)
        else:
            context = beside.context
        page = context.new_page()
        self._listen(page, url)
        page.goto(url + address)
        return page

    def again(self, page: Page, report: sameas.Report, address: str) -> Page:
        """Reload the report in an open page."""
        self.loads += 1
        page.goto(f"{self.file(report).as_uri()}?{self.loads}{address}")
        return page

    def _listen(self, page: Page, url: str) -> None:
        def request(one: Any) -> None:
            asked = one.url.partition("#")[0].partition("?")[0]
            if asked != url and not one.url.startswith(("data:", "blob:")):
                self.problems.append(f"request of {one.url}")

        def dialog(one: Any) -> None:
            self.problems.append(f"dialog: {one.message}")
            one.dismiss()

        def console(one: Any) -> None:
            if one.type in ("error", "warning", "assert"):
                self.problems.append(f"console {one.type}: {one.text}")

        page.on("console", console)
        page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        page.on("request", request)
        page.on("dialog", dialog)
        page.on("crash", lambda _: self.problems.append("crash"))
        page.on("popup", lambda _: self.problems.append("popup"))

    def quiet(self) -> bool:
        """Return whether nothing has gone wrong so far; print the problems and reset them."""
        found, self.problems = self.problems, []
        for problem in found:
            print(problem)
        return not found

    def close(self) -> None:
        for context in self.contexts:
            for page in context.pages:
                page.wait_for_timeout(1)  # for the last messages to arrive
            context.close()


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Windows]:
    """Return `show(report, address)`, which opens a page; check at the end that all went well."""
    windows = Windows(browser, tmp_path)
    yield windows
    windows.close()
    assert windows.problems == []
