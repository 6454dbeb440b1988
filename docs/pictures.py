"""Take the screenshots of the report for docs/errors.md.

It needs Chromium and `pip install '.[browser,plot]'`.

`python docs/pictures.py OVERVIEW.html DOCUMENT.html` writes docs/report-*.png: the overview of one
report, and the document with the lowest score of another, in light and dark, on desktop and phone.
"""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

SIZES = {"": (1280, 930), "-phone": (390, 844)}
DOCUMENT = 660  # pixels from the top that show all errors of the example


def main(overview: str, document: str) -> None:
    browser_path = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path, args=["--no-sandbox", "--disable-background-networking"]
        )
        for theme in ("light", "dark"):
            for size, (width, height) in SIZES.items():
                context = browser.new_context(
                    viewport={"width": width, "height": height}, color_scheme=theme
                )
                page = context.new_page()
                page.goto(Path(overview).resolve().as_uri())
                page.wait_for_selector("#table-documents")
                shoot(page.screenshot(), f"report-overview-{theme}{size}.png")
                page.goto(Path(document).resolve().as_uri())
                page.select_option("#system", index=page.locator("#system option").count() - 1)
                page.click("#table-documents tbody a")
                page.wait_for_selector("#text[data-done]")
                page.click(".error[data-n]")
                page.evaluate("scrollTo(0, 0)")
                shown = {"x": 0, "y": 0, "width": width, "height": height if size else DOCUMENT}
                shoot(page.screenshot(clip=shown), f"report-document-{theme}{size}.png")
                context.close()
        browser.close()


def shoot(picture: bytes, name: str) -> None:
    """Save a picture with 256 colours, to keep it small."""
    image = Image.open(io.BytesIO(picture)).convert("RGB").quantize(256)
    image.save(Path(__file__).parent / name, optimize=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
