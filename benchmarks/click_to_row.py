"""From the click on Approve to the painted row, against the browser's own cost of the same swap from a static server.

The inbox is opened with its first expense and Approve is clicked, in turn at the dashboard and at a static server that
replays what the dashboard answered, byte for byte: the page, its files, and the answer to the click. Approving waits in
the outbox, so nothing is asked of the finance service meanwhile. Needs a Chromium (COUNTERSIGN_BROWSER names another).
"""

from __future__ import annotations

import os
import statistics
import sys
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from desks import window
from measure import report
from playwright.sync_api import BrowserContext, Error, Page, Response

GOAL = 1.5
COPIED_S = 120
# Each of the web server's threads has a connection of its own: it is opened, and its statements are prepared, only when
# it has been asked a few times.
WARM_UP = 15
DROPPED = {"content-length", "content-encoding", "transfer-encoding", "connection", "set-cookie", "date", "server"}
# From the click itself to the first frame after the swap has been painted.
TIMED = """
window.painted = new Promise((resolve) => {
  let clicked = 0;
  document.addEventListener("click", (event) => { clicked = event.timeStamp; }, { capture: true, once: true });
  document.addEventListener("htmx:afterSettle", () => {
    if (clicked) requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - clicked)));
  });
});
"""


@dataclass
class Recorded:
    """What the dashboard answered: by (method, address), the status, headers and body."""

    answers: dict[tuple[str, str], tuple[int, list[tuple[str, str]], bytes]] = field(default_factory=dict)

    def keep(self, response: Response) -> None:
        """Keeps an answer."""
        where = urlsplit(response.url)
        address = where.path + (f"?{where.query}" if where.query else "")
        headers = [
            (one["name"], one["value"]) for one in response.headers_array() if one["name"].lower() not in DROPPED
        ]
        try:
            body = response.body()
        except Error:  # a redirect, or one that the browser has thrown away: nothing of the swap
            return
        self.answers[response.request.method, address] = (response.status, headers, body)


def replaying(recorded: Recorded) -> type[BaseHTTPRequestHandler]:
    """A handler that gives the recorded answers again, and 204 for what was not asked then."""

    class Replay(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            self.give("GET")

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.give("POST")

        def give(self, method: str) -> None:
            status, headers, body = recorded.answers.get((method, self.path), (204, [], b""))
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self._headers_buffer.append(b"\r\n" + body)  # type: ignore[attr-defined]
            self.flush_headers()

        def log_message(self, *_: object) -> None:
            """Nothing."""

    return Replay


def click(page: Page, address: str) -> float:
    """Milliseconds from the click on Approve to the painted row, at a page opened anew."""
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.get_by_role("button", name="Approve", exact=True).first.click()
    milliseconds: float = page.evaluate("window.painted")
    return milliseconds


def first_expense(context: BrowserContext, base: str) -> str:
    """The address of the first expense that waits, as its row links to it."""
    page = context.new_page()
    row = page.locator("a[href*='/approvals/expense/']").first
    deadline = time.monotonic() + COPIED_S
    while True:  # a new house's copy fills itself in the background
        page.goto(f"{base}approvals/?kind=expense")
        if row.count():
            break
        assert time.monotonic() < deadline, "no expense waits"
        time.sleep(1)
    where = row.get_attribute("href")
    page.close()
    assert where
    return where


def main() -> int:
    """Prints the ratio; the exit code says whether the goal is met."""
    with window(TIMED) as (context, base):
        ratio = measured(context, base, int(os.environ.get("ROUNDS", "30")))
    return 0 if report("click on Approve to painted row / static server", ratio, GOAL, at_most=True) else 1


def measured(context: BrowserContext, base: str, rounds: int) -> float:
    """The median of live/static, in turn; the first ones are not counted."""
    recorded, live = Recorded(), "{0.scheme}://{0.netloc}".format(urlsplit(base))
    page = context.new_page()
    heard: list[Response] = []
    page.on("response", lambda response: heard.append(response))
    where = first_expense(context, base)
    click(page, live + where)
    page.wait_for_load_state("networkidle")
    for response in heard:
        recorded.keep(response)
    page.close()
    server = ThreadingHTTPServer(("127.0.0.1", 0), replaying(recorded))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    static = f"http://localhost:{server.server_port}"
    page = context.new_page()
    click(page, static + where)
    pairs = []
    for _ in range(WARM_UP + rounds):
        one = click(page, live + first_expense(context, base))
        other = click(page, static + where)
        pairs.append((one, other))
    server.shutdown()
    del pairs[:WARM_UP]
    one, other = (statistics.median(pair[side] for pair in pairs) for side in (0, 1))
    print(f"{one:.0f} ms at the dashboard, {other:.0f} ms at the static server")
    return statistics.median(one / other for one, other in pairs)


if __name__ == "__main__":
    sys.exit(main())
