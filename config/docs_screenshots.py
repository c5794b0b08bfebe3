"""`manage.py tour`: one picture of each desk, light and dark, from the demo data of a running `manage.py up`."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from config import contact_sheet
from config.browser import find_browser
from config.demo_people import Person, demo_people, open_signed_in, wait_for_copy

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "tour"
WIDTH, HEIGHT = 1280, 800
COLOURS = 128  # enough for flat surfaces and text, at a third of the size
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


@dataclass(frozen=True)
class Stop:
    """A desk of the tour: who sits there, where it is, what is clicked first, what one sees, and what must be there before
    the picture is taken."""

    name: str
    person: str
    path: str
    caption: str
    click: str = ""
    shows: str = "main tbody tr"


STOPS = (
    Stop("home", "apollo", "", "Home: work first, charts second.", shows=".urgent li"),
    Stop("approvals", "apollo", "approvals/", "Approvals: one inbox, the item beside it.", click="#rows a"),
    Stop("expenses", "apollo", "expenses/", "Expenses: filters in the address, totals of what is filtered."),
    Stop("cards", "ada", "cards/", "Cards: who holds them, what is left of their limits.", shows=".cards li"),
    Stop("customers", "ada", "customers/", "Customers."),
    Stop("wallet-policies", "ada", "wallet-policies/", "Wallet policies: who may do what with which wallet."),
    Stop("mandates", "ada", "mandates/", "Roles and mandates: whose votes a payment needs."),
    Stop("treasury", "apollo", "treasury/", "Treasury: posted, pending and available."),
    Stop("cashflow", "apollo", "treasury/cashflow/", "Cashflow: a month opens with what the last one closed with."),
    Stop("forecast", "apollo", "treasury/forecast/", "Forecast: what each day closes with, and what that rests on."),
    Stop("investments", "apollo", "investments/", "Investments: the portfolio and the funds on offer."),
    Stop("audit", "ada", "audit/", "Audit: what was done through the dashboard, chained.", shows="main"),
)


def run(arguments: list[str]) -> int:
    """Takes the pictures and writes docs/tour.md; with `--sheet` every page instead (config/contact_sheet.py). 1 with a
    sentence where something is missing."""
    if "--sheet" in arguments:
        return contact_sheet.run(arguments)
    data = Path(arguments[arguments.index("--data") + 1]) if "--data" in arguments[:-1] else ROOT / ".data"
    program = find_browser()
    if program is None:
        sys.stderr.write("The tour needs a Chromium on the PATH (Debian: chromium).\n")
        return 1
    try:
        address, people = demo_people(data)
    except OSError:
        sys.stderr.write(f"There is no demo at {data}: start `python3 manage.py up` first, and leave it running.\n")
        return 1
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        empty = [
            f"{stop.name} of {name}"
            for theme in ("light", "dark")
            for name in dict.fromkeys(stop.person for stop in STOPS)
            for stop in _round(
                browser, address, next(person for person in people if person.email.startswith(name)), theme
            )
        ]
        browser.close()
    if empty:
        sys.stderr.write(f"Still empty, so there is no new picture: {', '.join(empty)}.\n")
        return 1
    lines = [
        f"## {stop.caption}\n\n![Light](tour/{stop.name}-light.png) ![Dark](tour/{stop.name}-dark.png)\n"
        for stop in STOPS
    ]
    (ROOT / "docs" / "tour.md").write_text(
        "# A tour of the desks\n\nMade by `python3 manage.py tour`.\n\n" + "\n".join(lines)
    )
    sys.stdout.write(f"{2 * len(STOPS)} pictures in {PICTURES.relative_to(ROOT)}\n")
    return 0


def _round(browser: Browser, address: str, person: Person, theme: str) -> list[Stop]:
    """One person's stops in one theme; returns those that showed nothing yet."""
    page, empty = open_signed_in(browser, address, person, WIDTH, theme), []
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    for stop in STOPS:
        if person.email.startswith(stop.person):
            if wait_for_copy(page, f"{address}/{person.business}/{stop.path}", stop.shows):
                _take(page, stop, theme)
            else:
                empty.append(stop)
    page.context.close()
    return empty


def _take(page: Page, stop: Stop, theme: str) -> None:
    if stop.click:
        page.locator(stop.click).first.click()
    page.wait_for_load_state("networkidle")
    shot = Image.open(io.BytesIO(page.screenshot()))
    quiet = shot.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    quiet.save(PICTURES / f"{stop.name}-{theme}.png", optimize=True)
