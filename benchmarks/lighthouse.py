"""Lighthouse on every page of the sidebar and the person's menu, as somebody of each role: performance, accessibility and best
practices, as a desktop.

Lighthouse comes by the npm registry and needs Node; it is no dependency of the product. Where either is missing this says so
in a line and measures nothing. `LIGHTHOUSE` names an installed program, else it is fetched by `npx`; `--data` a running
house's folder, else one of its own is started.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import nullcontext
from pathlib import Path

import desks
from measure import free_port, report
from playwright.sync_api import BrowserContext, sync_playwright

from config.browser import find_browser
from config.demo_people import demo_people, sign_in

VERSION = "12.8.2"
CATEGORIES = {"performance": 95, "accessibility": 100, "best-practices": 100}
EXACT = ("accessibility", "best-practices")
AT_MOST_S = 180
# One of each role, the widest sidebar first.
PEOPLE = ("apollo", "selma", "ada", "rita", "carla")
LINKS = "nav.side .areas a, nav.side .own-menu a, nav.side .bell"


def program() -> list[str]:
    """How Lighthouse is called; ends with a sentence where Node or it are missing."""
    if named := os.environ.get("LIGHTHOUSE"):
        return [named]
    if not shutil.which("npx"):
        sys.stdout.write("SKIPPED Lighthouse needs Node (npx is not on the PATH): nothing is measured\n")
        sys.exit(0)
    return ["npx", "--yes", f"lighthouse@{VERSION}"]


def pages_of(context: BrowserContext, base: str) -> list[str]:
    """The addresses that the sidebar and the person's menu lead to, in their order, within the business."""
    page = context.new_page()
    page.goto(base)
    links: list[str] = page.locator(LINKS).evaluate_all("links => links.map((link) => link.href)")
    page.close()
    # A card user's link to the cards leads to their own.
    found = [context.request.get(link).url for link in links if link.startswith(base)]
    return list(dict.fromkeys(found))


def scores(address: str, port: int, output: Path) -> dict[str, float]:
    """The scores of a page by category, 0 to 100, measured in the browser behind a debugging port; what costs an exact
    score is printed. AssertionError where the page led elsewhere: the scores would be another's."""
    command = [
        *program(), address, "--quiet", "--preset=desktop", f"--only-categories={','.join(CATEGORIES)}", "--output=json",
        f"--output-path={output}", f"--port={port}", "--disable-storage-reset",
    ]  # fmt: skip
    subprocess.run(command, check=True, timeout=AT_MOST_S, stdout=subprocess.DEVNULL)
    result = json.loads(output.read_text())
    assert result["finalDisplayedUrl"].split("?")[0] == address, result["finalDisplayedUrl"]
    for name in EXACT:
        for reference in result["categories"][name]["auditRefs"]:
            audit = result["audits"][reference["id"]]
            if reference["weight"] and audit["score"] not in (1, None):
                sys.stdout.write(f"    {name}: {audit['title']}\n")
    return {name: round(100 * float(result["categories"][name]["score"]), 1) for name in CATEGORIES}


def measured(demo: Path, person: str, only: str, seen: set[str]) -> bool:
    """Whether every page that the person's sidebar leads to reaches the goals; each is printed. Leaves out the addresses in
    `seen`, and adds those that it measured."""
    address, people = demo_people(demo)
    who = next(one for one in people if one.email.startswith(person))
    base, port, good = f"{address}/{who.business}/", free_port(), True
    folder = Path(tempfile.mkdtemp(prefix="countersign-lighthouse-"))
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            folder / "profile",
            executable_path=find_browser(),
            args=[*desks.ARGUMENTS, f"--remote-debugging-port={port}"],
            viewport=desks.VIEWPORT,
        )
        sign_in(context.new_page(), address, who)
        desks.wait_for_the_copy(context, base)
        for page in pages_of(context, base):
            if re.search(only, page) and page not in seen:
                seen.add(page)
                for name, score in scores(page, port, folder / "report.json").items():
                    good &= report(
                        f"{person} /{page.removeprefix(base)} {name}", score, CATEGORIES[name], at_most=False
                    )
        context.close()
    shutil.rmtree(folder, ignore_errors=True)
    return good


def main() -> int:
    """Prints three scores for each page; the exit code says whether all goals are met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="the data folder of a running house")
    parser.add_argument("--person", action="append", help="one of these alone; of each role by default", choices=PEOPLE)
    parser.add_argument("--once", action="store_true", help="each address as the first of them that has it")
    parser.add_argument("--only", default="", help="a pattern of addresses")
    options = parser.parse_args()
    # Fetched before a page's time is measured.
    subprocess.run([*program(), "--version"], check=True, stdout=subprocess.DEVNULL)
    with nullcontext(options.data) if options.data else desks.running_house() as data:
        seen = set[str]()
        good = [
            measured(data, person, options.only, seen if options.once else set()) for person in options.person or PEOPLE
        ]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
