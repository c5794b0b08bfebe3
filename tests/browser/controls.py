"""Every hx control of a page, found in its markup; and what can go wrong with the answer to one."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

from playwright.sync_api import Page, Route

from tests.browser.walk import name_of

# All of it passes within a second; a machine that is busy with other things has as long as this.
WAIT_S = 40.0
SETTLED_MS = 400
# What the browser waits for an answer that never comes; the page's own time is looked at by itself. Of any other the answer comes,
# however busy the machine is.
HANG_MS, WAITS_MS = 500, 15_000
STATUSES = (401, 403, 404, 409, 413, 422, 429, 500, 502)
GONE = 401
OUR_WORDS = "The words of an answer of ours."
OUR_HEADERS = {"Countersign": "answer", "HX-Retarget": "#toasts", "HX-Reswap": "beforeend"}
AT_THE_DOOR = {"Countersign": "answer", "HX-Redirect": "/-/account/login/?ended=1&next=%2F"}
HTML = "text/html; charset=utf-8"
PROXY_PAGE = "<html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>"

FIND = """
() => [...document.querySelectorAll("[hx-get], [hx-post]")].map((elt, at) => {
  elt.dataset.probe = String(at);
  const verb = elt.hasAttribute("hx-post") ? "post" : "get", trigger = elt.getAttribute("hx-trigger") || "";
  const how = elt.hasAttribute("data-polls") || /\\b(load|every)\\b/.test(trigger) ? "by itself" : /\\binput\\b/.test(trigger) ? "typed" : /^change\\b/.test(trigger) ? "changed" : "pressed";
  const target = elt.closest("[hx-target]")?.getAttribute("hx-target") || "";
  const acts = verb === "post" && !elt.closest("[data-asks]");
  const place = acts ? target : target.replace(/#[\\w-]+/, "an id");
  const kind = place || (elt.getAttribute("hx-swap") === "none" ? "none" : "itself");
  const more = elt.querySelector('[name="override"]') ? " override" : "";
  return { at, verb, how, kind, path: elt.getAttribute(`hx-${verb}`), acts, more };
})
"""
# Sets a control off as its person or the page itself would; answers what stands in the fields around it.
PRESS = """
([at, how, hang]) => {
  const elt = document.querySelector(`[data-probe="${at}"]`), form = elt.closest("form");
  elt.setAttribute("hx-request", JSON.stringify({ timeout: hang }));
  elt.closest("dialog:not([open])")?.showModal();
  if (how === "by itself") window.htmx.ajax("GET", elt.getAttribute("hx-get"), { source: elt }).catch(() => {});
  const fields = [...(form?.elements ?? elt.querySelectorAll("input, textarea"))];
  const typed = how === "by itself" || how === "changed" ? null : [elt, ...fields].find((one) => /^(text|search|textarea|email|number)$/.test(one.type));
  if (typed) {
    typed.value = typed.type === "number" ? String(Date.now() % 1000) : `typed ${Date.now()}`;
    typed.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const elsewhere = /\\bfrom:([^\\s,]+)/.exec(elt.getAttribute("hx-trigger") || "");
  if (how === "changed") (elsewhere ? document.querySelector(elsewhere[1]) : elt).dispatchEvent(new Event("change", { bubbles: true }));
  if (how === "pressed") elt.localName === "form" ? elt.requestSubmit() : elt.click();
  return fields.filter((one) => one.type !== "hidden").map((one) => one.value);
}
"""
STATE = """
(at) => {
  const elt = document.querySelector(`[data-probe="${at}"]`);
  if (!elt) return null;
  const named = elt.closest("[hx-target]")?.getAttribute("hx-target") || "";
  const place = named.startsWith("closest ") ? elt.closest(named.slice(8)) : named ? document.querySelector(named) : elt;
  const fields = [...(elt.closest("form")?.elements ?? elt.querySelectorAll("input, textarea"))];
  const bare = (html) => html.replace(/ (class|disabled|data-disabled-by-htmx|hx-request|open)="[^"]*"/g, "").replace(/sends in \\d+ s/, "");
  return {
    place: place ? bare(place.innerHTML) : "",
    typed: fields.filter((one) => one.type !== "hidden").map((one) => one.value),
    disabled: [elt, ...elt.querySelectorAll("button")].filter((one) => one.disabled).length,
    busy: Boolean(elt.closest(".htmx-request") || elt.querySelector(".htmx-request")),
    said: document.getElementById("toasts").innerText,
    live: document.getElementById("toasts").getAttribute("aria-live"),
  };
}
"""
# Beyond 10,000 rows, more than the house of the tests has, a list offers to have its sums made (templates/lists/list.html).
LONG_LIST = """
() => {
  const totals = document.getElementById("totals-of-list"), address = totals?.getAttribute("hx-get");
  if (!address) return;
  totals.insertAdjacentHTML("beforeend", '<a href="#" hx-target="#totals-of-list" hx-swap="outerHTML">Calculate</a>');
  totals.lastElementChild.setAttribute("hx-get", `${address}&whole=1`);
  window.htmx.process(totals.lastElementChild);
}
"""
OPENED = """() => !document.querySelector(".htmx-request") && (!document.querySelector("#desk #rows a") || document.querySelector("#pane [data-item]"))"""
QUIET = """() => {
  document.querySelectorAll("#toasts [data-toast]:not([data-decision])").forEach((one) => one.remove());
  document.querySelector("dialog[open]")?.close();
}"""


@dataclass(frozen=True)
class Control:
    """An element that asks the server for something: how it is set off, and where its answer goes."""

    page: str
    at: int
    verb: str
    how: str
    kind: str
    path: str
    acts: bool
    more: str = ""

    @property
    def class_of(self) -> tuple[str, str, str, bool]:
        """What controls that fail alike have in common."""
        return (self.verb, self.how, self.kind, self.acts)

    def asks_at(self, url: str) -> bool:
        """Whether it is this control that asks there: what stands around it may ask at the same path by itself."""
        own, asked = urlsplit(self.path), urlsplit(url)
        return own.path == asked.path and set(parse_qsl(own.query)) <= set(parse_qsl(asked.query))

    @property
    def view(self) -> str:
        """What the dashboard calls what it asks; `more` tells forms apart that ask the same."""
        return name_of(urljoin(self.page, self.path)) + self.more

    @property
    def name(self) -> str:
        """Its address without what is particular to one thing: the same control on many pages is one."""
        path = re.sub(r"[0-9a-f]{8,}(-[0-9a-f]{4,})*", "…", urlsplit(self.path).path)
        return f"{self.verb} {re.sub(r'^/[^/]+', '', path, count=1)}{self.more}"


@dataclass(frozen=True)
class Fault:
    """What becomes of a request: an answer that is no good, or none; `ours` where it is an answer of our own, `lets_through`
    where the server itself answers."""

    name: str
    status: int = 0
    body: str = ""
    ours: bool = False
    lets_through: bool = False

    def play(self, route: Route) -> None:
        """Answers the request, or does not."""
        if self.name == "hang":
            return
        if self.lets_through:
            route.continue_()
            return
        if self.name == "network error":
            route.abort("connectionreset")
        elif self.ours and self.status == GONE:
            route.fulfill(status=GONE, headers=AT_THE_DOOR)
        elif self.ours:
            body = f'<div class="toast bad" data-toast>{OUR_WORDS} {self.status}</div>'
            route.fulfill(status=self.status, body=body, headers=OUR_HEADERS, content_type=HTML)
        else:
            route.fulfill(status=self.status, body=self.body, content_type=HTML if self.body else "text/plain")


def faults() -> Iterator[Fault]:
    """Each status with an empty body, with a proxy's page and with words of ours; no network; no answer at all. 401 while the
    session lasts: it was renewed in that moment (of one that has ended see tests/browser/session_end.py)."""
    for status in STATUSES:
        yield Fault(f"{status} empty", status)
        yield Fault(f"{status} of a proxy", status, PROXY_PAGE)
        yield Fault(f"{status} of ours", status, ours=True)
    yield Fault("200 of a proxy", 200, PROXY_PAGE)
    yield Fault("network error")
    yield Fault("hang")


FAULTS = tuple(faults())
# What an answer is told by: 401 and 403 have rules of their own, all other statuses one, and a proxy's page another.
DAILY_STATUSES = {0, 200, 401, 403, 422, 502}
SHORT = tuple(one for one in FAULTS if one.status in DAILY_STATUSES)


class Stage:
    """A page in front of which faults are played; `hold` keeps from it what it asks for by itself, so that what asks stays."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.control: Control | None = None
        # What becomes of the desk's first item, asked for with the page; and of the same asked for once more, by htmx.
        self.early: Fault | None = None
        self.late: Fault | None = None
        self.fault: Fault | None = None
        self.asked = 0
        self.hold = True
        page.route("**/*", self._answer)

    def controls(self, path: str, *, hold: bool) -> list[Control]:
        """Opens a page and finds its controls."""
        self.control, self.fault, self.hold = None, None, hold
        self.page.goto(self.address + path)
        return self.controls_here(path, hold=hold)

    def controls_here(self, path: str, *, hold: bool) -> list[Control]:
        """The controls of the page that is open; each is marked, so that it is found again."""
        self.page.wait_for_load_state("load")
        # Those that wait a moment before they ask have asked, too, and the desk's first item stands open.
        self.page.wait_for_timeout(SETTLED_MS)
        self.page.wait_for_function(OPENED)
        if hold:
            self.page.evaluate(LONG_LIST)
        found = [Control(path, **one) for one in self.page.evaluate(FIND)]
        return [one for one in found if hold or one.how != "by itself"]

    def _answer(self, route: Route) -> None:
        request, path = route.request, urlsplit(route.request.url).path
        under_test = self.control is not None and self.control.asks_at(request.url)
        by_htmx, is_first = request.headers.get("hx-request") == "true", "fragment=1" in request.url
        if is_first and (first := self.late if by_htmx else self.early):
            self.asked += by_htmx
            first.play(route)
        elif not by_htmx or path.startswith("/-/"):
            route.continue_()
        elif under_test and self.fault and self.control and request.method.lower() == self.control.verb:
            self.asked += 1
            self.fault.play(route)
        elif (
            self.hold
            and request.method == "GET"
            and request.headers.get("hx-target") != "pane"
            and "/submissions/" not in path
        ):
            route.abort("connectionreset")
        else:
            route.continue_()

    def wrong_with(self, control: Control, fault: Fault) -> list[str]:
        """What is wrong after the control was set off with this fault; nothing where all is as it should be."""
        page, self.control, self.fault = self.page, control, fault
        page.evaluate(QUIET)
        before, asked = page.evaluate(STATE, control.at), self.asked
        if before is None:
            return ["the control is gone"]
        typed = page.evaluate(PRESS, [control.at, control.how, HANG_MS if fault.name == "hang" else WAITS_MS])
        ends, wrong = time.monotonic() + WAIT_S, ["nothing was asked"]
        while wrong and time.monotonic() < ends:
            page.wait_for_timeout(40)
            if self.asked > asked:
                wrong = self._judge(control, fault, before, typed, page.evaluate(STATE, control.at))
        self.fault = None
        return wrong

    def _judge(
        self, control: Control, fault: Fault, before: dict[str, Any], typed: list[str], after: dict[str, Any] | None
    ) -> list[str]:
        if after is None:
            return ["the control is gone"]
        said, open_question = after["said"], control.acts and not fault.ours
        renewed = fault.ours and fault.status == GONE
        wrong = {
            "its place was changed": after["place"] != before["place"],
            "what was typed was taken": after["typed"] != typed,
            "it is still busy": after["busy"],
            "it cannot be pressed again": after["disabled"] > before["disabled"],
            "it is not said, or not aloud": not said.strip() or after["live"] != "polite",
            f"it claims what is not known: {said!r}": open_question and "Nothing was changed" in said,
            f"it does not say that it is not known: {said!r}": open_question and "not known yet" not in said,
            f"our own words are not shown: {said!r}": fault.ours and not renewed and OUR_WORDS not in said,
            f"it does not say that the session was renewed: {said!r}": renewed
            and not ("session was renewed" in said or (control.how == "by itself" and "not up to date" in said)),
        }
        return [what for what, holds in wrong.items() if holds]
