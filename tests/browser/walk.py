"""The walk over the pages of a business: those that have one address, then an item of each kind that a link leads to."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

from django.urls import Resolver404, resolve

from tests.browser.desk import Desk
from tests.browser.routes import AFTER_AN_ACT, BUSINESS, of_one, pages

# Of the items that links lead to, so many are asked whether they can be changed.
MOST, FOUND = 12, 200
# Items of two kinds have one address: those of this list have pages that the others have not.
OTHER_KIND = {f"{BUSINESS}policies/categories/": f"{BUSINESS}policies/<remote:policy_id>/"}
LINKS = """() => [...document.querySelectorAll("a[href]:not([download]), form[method=get][action]")]
  .map((one) => one.getAttribute("href") ?? one.getAttribute("action"))"""


def route_of(address: str) -> str:
    """The address of a page as the table of addresses has it; "" where nothing of ours is there."""
    try:
        return f"/{resolve(urlsplit(address).path).route}"
    except Resolver404:
        return ""


def name_of(address: str) -> str:
    """What the dashboard calls the view at an address."""
    try:
        return resolve(urlsplit(address).path).url_name or ""
    except Resolver404:
        return ""


class Walk:
    """What has been opened so far, by whomever: each page once."""

    def __init__(self) -> None:
        self.opened: dict[str, str] = {}
        self.items: dict[str, list[str]] = {}
        self.controls: set[tuple[str, tuple[str, str, str, bool]]] = set()
        self.views: set[str] = set()

    def through(self, window: Desk, person: str, more: tuple[str, ...] = ()) -> Iterator[str]:
        """The addresses of the pages that fall to this person: `more`, those that have one address, and of an item's each
        kind that a link leads to. Each is opened by whoever gets it; its links are read after that."""
        own = {address for address, who in pages().items() if who == person}
        home = f"/{window.business()}/"
        waiting = [(path.replace("{b}", window.business()), True) for path in more]
        waiting += [(address.replace(BUSINESS, home), False) for address in sorted(own) if not of_one(address)]
        # What somebody else's page led to, and falls to this person.
        waiting += [(links[0], False) for route, links in self.items.items() if route in own]
        for path, always in waiting:
            if not always and route_of(path) in self.opened:
                continue
            yield path
            self.opened.setdefault(route_of(path), path)
            links = sorted({urljoin(path, link) for link in window.page.evaluate(LINKS)})
            queued = {route_of(other) for other, _ in waiting}
            other_kind = OTHER_KIND.get(route_of(path), "")
            for link in links:
                route = route_of(link)
                self.items.setdefault(route, []).append(urlsplit(link).path)
                if link.startswith(home) and route in own - self.opened.keys() - queued:
                    waiting.append((link, False))
                    queued.add(route)
                elif other_kind and route == other_kind:
                    waiting.append((link, True))
                    other_kind = ""
        yield from self._beneath(window, own)

    def _beneath(self, window: Desk, own: set[str]) -> Iterator[str]:
        """What stands beneath an item, and its first one does not lead to: the form that changes it, say."""
        for route in sorted(own - self.opened.keys() - AFTER_AN_ACT.keys()):
            above, _, rest = route.rstrip("/").rpartition(">/")
            for item in self.items.get(f"{above}>/", [])[:MOST] if "<" not in rest else []:
                path = f"{item}{rest}/"
                if window.page.request.get(window.demo["address"] + path, max_redirects=0).status == FOUND:
                    yield path
                    self.opened[route] = path
                    break
