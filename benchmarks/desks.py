"""Each desk in Chromium with the processor slowed four times: largest paint, layout shift, scripts that block, and how many
requests and bytes a page takes whose files the browser has already.

A house of its own with the demo's data (or the running one whose folder DATA names); every page is opened in turn with an empty
page of the shell, which is what its largest paint is compared with. Needs a Chromium on the PATH (or COUNTERSIGN_BROWSER).

With CPU=1 the same in the processor time of the page's main thread, by a trace and without slowing: its tasks until the largest
paint, and its longest script. What else runs on the machine moves these little, so that they say what to work on where the
clock's figures cannot be had; the goals are those of the clock, of the script a fourth.
"""

from __future__ import annotations

import base64
import hmac
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from measure import ROOT, free_port, report
from playwright.sync_api import Browser, BrowserContext, ViewportSize, sync_playwright

from config.browser import find_browser
from config.demo_months import is_whole
from config.embedded import die_with_parent

SLOWER = 4
VIEWPORT: ViewportSize = {"width": 1360, "height": 860}
EMPTY = "exports/"
DESKS = (
    "", "approvals/", "expenses/", "cards/", "customers/", "wallet-policies/", "treasury/", "investments/",
    "transactions/", "bills/", "vendors/", "payouts/", "people/",
)  # fmt: skip
# The inbox opens with its first item beside the list.
GOALS = {"approvals/": 1.6}
MOST_REQUESTS, MOST_KB = 12, 30
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
READY_S = 300
SETTLES_MS = 1000
COPIED_S = 180
TRACED = ["toplevel", "blink.user_timing", "loading", "devtools.timeline", "disabled-by-default-devtools.timeline"]
TASK = "ThreadControllerImpl::RunTask"
SCRIPTS = frozenset(
    {
        "EvaluateScript",
        "FunctionCall",
        "v8.evaluateModule",
        "TimerFire",
        "FireAnimationFrame",
        "EventDispatch",
        "RunMicrotasks",
    }
)
LOOKS_S = 10
# What was asked for by the page, itself with it, and what came over the wire.
WEIGHED = """() => {
  const asked = ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind));
  const sent = asked.filter((one) => one.transferSize > 0);
  return { ...window.seen, requests: sent.length, bytes: sent.reduce((sum, one) => sum + one.transferSize, 0) };
}"""
WATCH = """
window.seen = { paint: 0, shift: 0, script: 0 };
new PerformanceObserver((list) => { for (const one of list.getEntries()) seen.paint = one.startTime; })
  .observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) seen.shift += one.value; })
  .observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => {
  for (const frame of list.getEntries()) for (const one of frame.scripts) seen.script = Math.max(seen.script, one.duration);
}).observe({ type: "long-animation-frame", buffered: true });
"""


def house(data: Path) -> subprocess.Popen[bytes]:
    """`manage.py up` on a folder of its own, until its demo is whole and it answers."""
    ports = ["--port", str(free_port()), "--service-port", str(free_port())]
    environment = os.environ | {"DEMO_EXPENSES": os.environ.get("DEMO_EXPENSES", "2000")}
    started = subprocess.Popen(
        [sys.executable, "manage.py", "up", "--data", str(data), *ports], cwd=ROOT, env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=partial(die_with_parent, parent=os.getpid()),
    )  # fmt: skip
    assert started.stdout is not None
    ends = time.monotonic() + READY_S
    for line in started.stdout:
        if b"Ctrl-C ends" in line:
            while not is_whole(data):
                assert time.monotonic() < ends, "the demo is not whole"
                time.sleep(1)
            return started
        assert time.monotonic() < ends
    raise AssertionError("the house did not start")


def code_of(secret: str) -> str:
    """The code that an authenticator app shows now (RFC 6238)."""
    digest = hmac.digest(base64.b32decode(secret), (int(time.time()) // 30).to_bytes(8, "big"), "sha1")
    at = digest[-1] & 15
    return f"{(int.from_bytes(digest[at : at + 4], 'big') & 0x7FFFFFFF) % 10**6:06d}"


def signed_in(browser: Browser, demo: dict[str, Any], script: str) -> tuple[BrowserContext, str]:
    """An approver's window, and the address of the business."""
    person = next(one for one in demo["people"] if one["role"] == "APPROVER")
    context = browser.new_context(viewport=VIEWPORT)
    page = context.new_page()
    page.goto(f"{demo['address']}/-/account/login/")
    page.fill("[name=login]", person["email"])
    page.fill("[name=password]", person["password"])
    page.get_by_role("button", name="Sign in", exact=True).click()
    if secret := person.get("totp_secret"):
        page.fill("[name=code]", code_of(secret))
        page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(lambda url: "/-/account/" not in url)
    page.close()
    context.add_init_script(script)
    return context, f"{demo['address']}/{person['business']}/"


def traced_at(context: BrowserContext, address: str) -> dict[str, float]:
    """`paint` and `script` of a page in milliseconds of its main thread's processor: of all tasks until the largest paint, and of
    the longest script."""
    assert context.browser is not None
    page = context.new_page()
    context.browser.start_tracing(page=page, categories=TRACED)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(SETTLES_MS)
    events = json.loads(context.browser.stop_tracing())["traceEvents"]
    page.close()
    begins = max(event["ts"] for event in events if event["name"] == "navigationStart" and address_of(event) == address)
    paints = [
        event for event in events if event["name"] == "largestContentfulPaint::Candidate" and event["ts"] > begins
    ]
    painted = max(paints, key=lambda event: int(event["ts"]))
    own = [
        event
        for event in events
        if event["ph"] == "X"
        and event["ts"] >= begins
        and (event["pid"], event["tid"]) == (painted["pid"], painted["tid"])
    ]
    tasks = [event.get("tdur", 0) for event in own if event["name"] == TASK and event["ts"] <= painted["ts"]]
    scripts = [event.get("tdur", 0) for event in own if event["name"] in SCRIPTS]
    return {"paint": sum(tasks) / 1000, "script": max(scripts, default=0) / 1000}


def address_of(event: dict[str, Any]) -> str:
    """What a navigation leads to."""
    return str(event.get("args", {}).get("data", {}).get("documentLoaderURL", ""))


def seen_at(context: BrowserContext, address: str) -> dict[str, float]:
    """What the browser saw of a page: `paint` and `script`, milliseconds to the largest paint and of the longest task;
    `shift`; `requests` and `bytes` that it sent for."""
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(SETTLES_MS)
    found: dict[str, float] = page.evaluate(WEIGHED)
    page.close()
    return found


@contextmanager
def running_house() -> Iterator[Path]:
    """A house of its own until the end, as its data folder."""
    data = Path(tempfile.mkdtemp(prefix="countersign-bench-"))
    running = house(data)
    try:
        yield data
    finally:
        running.send_signal(signal.SIGTERM)
        running.wait(60)
        shutil.rmtree(data, ignore_errors=True)


@contextmanager
def window(script: str) -> Iterator[tuple[BrowserContext, str]]:
    """An approver's window at a house of its own, with a script in every page, and the address of the business."""
    program = find_browser()
    if not program:
        sys.exit("no Chromium was found: nothing is measured")
    running = os.environ.get("DATA")
    with nullcontext(Path(running)) if running else running_house() as data, sync_playwright() as playwright:
        demo = json.loads((data / "demo.json").read_text())["dashboard"]
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield signed_in(browser, demo, script)
        browser.close()


def main() -> int:
    """Prints five figures for each desk; the exit code says whether all goals are met."""
    rounds = int(os.environ.get("ROUNDS", "11"))
    with window(WATCH) as (context, base):
        wait_for_the_copy(context, base)
        met = [measured(context, base, desk, rounds) for desk in DESKS if re.search(os.environ.get("ONLY", ""), desk)]
    return 0 if all(met) else 1


def wait_for_the_copy(context: BrowserContext, base: str) -> None:
    """A new house's copy fills itself in the background: until the inbox has rows, for whom has one, and Home says the same twice,
    some seconds apart."""
    page, before, ends = context.new_page(), "", time.monotonic() + COPIED_S
    while time.monotonic() < ends:
        answer = page.goto(f"{base}approvals/")
        if answer and answer.ok and not page.locator("#rows tr").count():
            time.sleep(1)
            continue
        page.goto(base)
        page.wait_for_load_state("networkidle")
        if (said := page.locator("main").inner_text()) == before:
            break
        before = said
        time.sleep(LOOKS_S)
    page.close()


def measured(context: BrowserContext, base: str, desk: str, rounds: int) -> bool:
    """One desk beside the empty page; the first opening of each is not counted."""
    if os.environ.get("CPU"):
        return measured_by_trace(context, base, desk, rounds)
    seen_at(context, base + EMPTY), seen_at(context, base + desk)
    pairs = [(seen_at(context, base + desk), seen_at(context, base + EMPTY)) for _ in range(rounds)]
    name = f"/{desk}"
    # Of the medians: a paint waits for a frame, so that one opening may take twice as long as the next.
    desk_ms, empty_ms = (statistics.median(pair[side]["paint"] for pair in pairs) for side in (0, 1))
    good = report(f"{name} largest paint / empty page", desk_ms / empty_ms, GOALS.get(desk, 1.3), at_most=True)
    good &= report(f"{name} layout shift", max(one["shift"] for one, _ in pairs), 0.02, at_most=True)
    for what, size, most in (("requests", 1, MOST_REQUESTS), ("bytes", 1000, MOST_KB)):
        unit = ", KB" if size > 1 else ""
        good &= report(f"{name} {what}{unit}", max(one[what] for one, _ in pairs) / size, most, at_most=True)
    longest = statistics.median(one["script"] for one, _ in pairs)
    return good & report(f"{name} longest script, ms", longest, 50, at_most=True)


def measured_by_trace(context: BrowserContext, base: str, desk: str, rounds: int) -> bool:
    """The same by a trace; the first opening of each is not counted."""
    traced_at(context, base + EMPTY), traced_at(context, base + desk)
    pairs = [(traced_at(context, base + desk), traced_at(context, base + EMPTY)) for _ in range(rounds)]
    desk_ms, empty_ms = (statistics.median(pair[side]["paint"] for pair in pairs) for side in (0, 1))
    sys.stdout.write(
        f"/{desk}: {desk_ms:.0f} ms of the main thread until the largest paint; the empty page {empty_ms:.0f} ms\n"
    )
    good = report(f"/{desk} largest paint / empty page, CPU", desk_ms / empty_ms, GOALS.get(desk, 1.3), at_most=True)
    longest = statistics.median(one["script"] for one, _ in pairs)
    return good & report(f"/{desk} longest script, ms of CPU", longest, 50 / SLOWER, at_most=True)


if __name__ == "__main__":
    sys.exit(main())
