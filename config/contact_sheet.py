"""`manage.py tour --sheet`: every page of the sidebar, and one of each kind beneath it, as each role that has it, in three
widths and both themes, on one sheet per page in .sheets/, for somebody to look at.

`--person ada` (several times), `--only treasury` and `--width 390` look at less."""

from __future__ import annotations

import argparse
import io
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as BrowserError

from config.browser import find_browser
from config.demo_people import Person, demo_people, open_signed_in
from config.site_walk import shape, walk

ROOT = Path(__file__).resolve().parent.parent
SHEETS = ROOT / ".sheets"
WIDTHS = (1440, 1280, 390)
THEMES = ("light", "dark")
HEIGHT, TALLEST = 900, 1800
GAP, LABEL, GREY = 16, 22, (128, 128, 128)
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
QUIET_MS = 5000
# Home waits that long for its parts before their charts are drawn.
CHARTS_MS = 2500


@dataclass(frozen=True)
class Look:
    """How a page is looked at: width in pixels, theme."""

    width: int
    theme: str


def run(arguments: list[str]) -> int:
    """Takes all pictures and joins them, a sheet per page and person; 1 with a sentence where something is missing."""
    parser = argparse.ArgumentParser(prog="manage.py tour --sheet")
    parser.add_argument("--sheet", action="store_true")
    parser.add_argument("--data", type=Path, default=ROOT / ".data")
    parser.add_argument(
        "--person", action="append", default=[], help="the start of an e-mail address; default: one of each role"
    )
    parser.add_argument("--only", default="", help="pages whose address holds this")
    parser.add_argument("--width", action="append", type=int, default=[])
    options = parser.parse_args(arguments)
    program = find_browser()
    if program is None:
        sys.stderr.write("The contact sheet needs a Chromium on the PATH (Debian: chromium).\n")
        return 1
    try:
        address, people = demo_people(options.data)
    except OSError:
        sys.stderr.write(
            f"There is no demo at {options.data}: start `python3 manage.py up` first, and leave it running.\n"
        )
        return 1
    variants = [Look(width, theme) for theme in THEMES for width in options.width or WIDTHS]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        for person in _chosen(people, options.person):
            count = _sheets_of(browser, address, person, variants, options.only)
            sys.stdout.write(f"{person.role}: {count} sheets in {(SHEETS / person.role.lower()).relative_to(ROOT)}\n")
            sys.stdout.flush()
        browser.close()
    return 0


def _chosen(people: Sequence[Person], names: Sequence[str]) -> list[Person]:
    if names:
        return [next(person for person in people if person.email.startswith(name)) for name in names]
    return list({person.role: person for person in reversed(people)}.values())


def _sheets_of(browser: Browser, address: str, person: Person, variants: Sequence[Look], only: str) -> int:
    folder = SHEETS / person.role.lower()
    folder.mkdir(parents=True, exist_ok=True)
    pictures: dict[str, list[tuple[Look, Image.Image]]] = {}
    page = open_signed_in(browser, address, person, WIDTHS[0])
    paths = [path for path in _pages(page, address, person) if only in path]
    for look in variants:
        page.set_viewport_size({"width": look.width, "height": HEIGHT})
        page.emulate_media(color_scheme=look.theme, reduced_motion="reduce")  # type: ignore[arg-type]
        for path in paths:
            picture = _picture(page, address + path)
            if picture is not None:
                name = _name(path)
                picture.save(folder / f"{name}-{look.width}-{look.theme}.png")
                pictures.setdefault(name, []).append((look, picture))
    for name, variant_pictures in pictures.items():
        _joined(f"{person.role} {name}", variant_pictures).save(folder / f"{name}.png")
    page.context.close()
    return len(pictures)


def _pages(page: Page, address: str, person: Person) -> list[str]:
    def fetch(path: str) -> str | None:
        answer = page.request.get(address + path)
        return answer.text() if answer.ok and "text/html" in answer.headers["content-type"] else None

    return walk(fetch, f"/{person.business}/")


def _name(path: str) -> str:
    """A file's name for a page: its address without the business."""
    return (
        re.sub(r"[^a-z0-9]+", "-", "-".join(shape(path).replace("…", "item").split("/")[2:]).lower()).strip("-")
        or "home"
    )


def _picture(page: Page, address: str) -> Image.Image | None:
    try:
        page.goto(address)
        page.wait_for_load_state("networkidle", timeout=QUIET_MS)
    except BrowserError:
        pass  # a page that never falls silent is looked at as it is
    tall = int(page.evaluate("document.documentElement.scrollHeight"))
    width = page.viewport_size["width"] if page.viewport_size else 0
    # As in a window that holds all of it: charts are drawn when they come near.
    page.set_viewport_size({"width": width, "height": max(HEIGHT, min(tall, TALLEST))})
    page.wait_for_timeout(CHARTS_MS if page.locator("canvas[data-chart]").count() else 0)
    shot = page.screenshot()
    page.set_viewport_size({"width": width, "height": HEIGHT})
    return Image.open(io.BytesIO(shot)).convert("RGB")


def _joined(title: str, pictures: Sequence[tuple[Look, Image.Image]]) -> Image.Image:
    """One picture of all looks: a row for each theme."""
    rows = [[(look, picture) for look, picture in pictures if look.theme == theme] for theme in THEMES]
    rows = [row for row in rows if row]
    wide = max(sum(picture.width + GAP for _, picture in row) for row in rows) + GAP
    tall = sum(max(picture.height for _, picture in row) + GAP + LABEL for row in rows) + GAP
    sheet = Image.new("RGB", (wide, tall), GREY)
    draw, down = ImageDraw.Draw(sheet), GAP
    for row in rows:
        across = GAP
        for look, picture in row:
            draw.text((across, down), f"{title} · {look.width} · {look.theme}", fill="white")
            sheet.paste(picture, (across, down + LABEL))
            across += picture.width + GAP
        down += max(picture.height for _, picture in row) + GAP + LABEL
    return sheet
