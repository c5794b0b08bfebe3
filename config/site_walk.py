"""The pages of a house that somebody is led to: those of the sidebar and the person's menu, and one of each kind beneath them.

Found by following links, so that a page that is new is looked at without being named anywhere. Used by the contact sheet
(`manage.py tour --sheet`), the browser tests of the look and benchmarks/lighthouse.py."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

# What is particular to one item in an address: ids of the service, UUIDs, references, numbers, months, currencies.
ID = re.compile(
    r"(?<=/)([0-9a-f]{24}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z]{2}[0-9a-f]{24}|[A-Z]{2,5}-[\w-]+|\d+|\d{4}-\d\d|[A-Z]{3})(?=/)"
)
NO_PAGE = re.compile(r"/(csv|xlsx|file|download|logout)/|\.(csv|xlsx|pdf|png)$|/-/account/|/-/mail/")
DEPTH = 2


class _Links(HTMLParser):
    """Collects what the links of a page lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Takes the address of a link that does not only download."""
        values = dict(attrs)
        if tag == "a" and values.get("href") and "download" not in values:
            self.addresses.append(str(values["href"]))


def shape(path: str) -> str:
    """An address with `…` for what is particular to one item: two expenses have the same."""
    return ID.sub("…", path)


def links_of(html: str, path: str, beneath: str) -> Iterator[str]:
    """The pages that a page links to, `beneath` a folder, without their queries."""
    parser = _Links()
    parser.feed(html)
    for href in parser.addresses:
        target = urlsplit(urljoin(path, href)).path
        if target.startswith(beneath) and not NO_PAGE.search(target):
            yield target


def walk(fetch: Callable[[str], str | None], home: str, depth: int = DEPTH) -> list[str]:
    """The addresses of one page of each kind that can be reached from `home` (`/business/`), the sidebar's first.

    `fetch` gives a page's HTML by its address, or None where there is no page to be seen. Links are followed `depth` times
    from what stands in the sidebar."""
    known: dict[str, str] = {}
    wave = [home]
    # The first step leads from Home to the areas.
    for _ in range(depth + 2):
        following: list[str] = []
        for path in wave:
            if shape(path) in known:
                continue
            html = fetch(path)
            # A part of a page that is swapped in is no page.
            if html is None or "</html>" not in html:
                continue
            known[shape(path)] = path
            following += links_of(html, path, home)
        wave = following
    return list(known.values())
