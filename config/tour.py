"""`manage.py tour`: one picture of each desk, light and dark, from the demo data of a running `manage.py up`."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from config.browser import find_browser

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "tour"
WIDTH, HEIGHT = 1280, 800
COLOURS = 128  # enough for flat surfaces and text, at a third of the size
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
WAIT_MS = 30_000


@dataclass(frozen=True)
class Stop:
    """A desk of the tour: who sits there, where it is, what is clicked first, and what one sees."""

    name: str
    person: str
    path: str
    says: str
    click: str = ""


STOPS = (
    Stop("home", "apollo", "", "Home: work first, charts second."),
    Stop("approvals", "apollo", "approvals/", "Approvals: one inbox, the item beside it.", click="#rows a"),
    Stop("expenses", "apollo", "expenses/", "Expenses: filters in the address, totals of what is filtered."),
    Stop("cards", "ada", "cards/", "Cards: who holds them, what is left of their limits."),
    Stop("customers", "ada", "customers/", "Customers."),
    Stop("wallet-policies", "ada", "wallet-policies/", "Wallet policies: who may do what with which wallet."),
    Stop("mandates", "ada", "mandates/", "Roles and mandates: whose votes a payment needs."),
    Stop("treasury", "apollo", "treasury/", "Treasury: posted, pending and available."),
    Stop("cashflow", "apollo", "treasury/cashflow/", "Cashflow: a month opens with what the last one closed with."),
    Stop("forecast", "apollo", "treasury/forecast/", "Forecast: what each day closes with, and what that rests on."),
    Stop("investments", "apollo", "investments/", "Investments: the portfolio and the funds on offer."),
    Stop("audit", "ada", "audit/", "Audit: what was done through the dashboard, chained."),
)


def run(arguments: list[str]) -> int:
    """Takes the pictures and writes docs/tour.md; 1 with a sentence where something is missing."""
    data = Path(arguments[arguments.index("--data") + 1]) if "--data" in arguments[:-1] else ROOT / ".data"
    program = find_browser()
    if program is None:
        sys.stderr.write("The tour needs a Chromium on the PATH (Debian: chromium).\n")
        return 1
    try:
        demo = json.loads((data / "demo.json").read_text())["dashboard"]
    except OSError:
        sys.stderr.write(f"There is no demo at {data}: start `python3 manage.py up` first, and leave it running.\n")
        return 1
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        for theme in ("light", "dark"):
            for person in dict.fromkeys(stop.person for stop in STOPS):
                _round(browser, demo, person, theme)
        browser.close()
    lines = [
        f"## {one.says}\n\n![Light](tour/{one.name}-light.png) ![Dark](tour/{one.name}-dark.png)\n" for one in STOPS
    ]
    (ROOT / "docs" / "tour.md").write_text(
        "# A tour of the desks\n\nMade by `python3 manage.py tour`.\n\n" + "\n".join(lines)
    )
    sys.stdout.write(f"{2 * len(STOPS)} pictures in {PICTURES.relative_to(ROOT)}\n")
    return 0


def _round(browser: Browser, demo: dict[str, object], person: str, theme: str) -> None:
    people: list[dict[str, str]] = demo["people"]  # type: ignore[assignment]
    found = next(one for one in people if one["email"].startswith(f"{person}."))
    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT},
        color_scheme=theme,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    page.goto(f"{demo['address']}/-/account/login/")
    page.fill("[name=login]", found["email"])
    page.fill("[name=password]", found["password"])
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(lambda url: "/-/account/" not in url)
    for stop in STOPS:
        if stop.person == person:
            page.goto(f"{demo['address']}/{found['business']}/{stop.path}")
            _take(page, stop, theme)
    context.close()


def _take(page: Page, stop: Stop, theme: str) -> None:
    if stop.click:
        page.locator(stop.click).first.click()
    page.wait_for_load_state("networkidle")
    shot = Image.open(io.BytesIO(page.screenshot()))
    quiet = shot.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    quiet.save(PICTURES / f"{stop.name}-{theme}.png", optimize=True)
