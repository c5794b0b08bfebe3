"""What a browser that has never been here loads for the approvals page: how many requests, and how many bytes of them, as the
server of `up` sends them. And what of it comes again: nothing whose name has a hash."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
import requests

from tests.browser.desk import Desk

MOST_BYTES, MOST_REQUESTS = 90 * 1024, 12
HASHED = re.compile(r"/static/[\w./-]+\.[0-9a-f]{12}\.\w+$")
# As the text of Approvals is ready, its first item and its totals come, and nothing else.
SETTLED_MS = 1500


@dataclass
class Wire:
    """The network's events of a page: bytes as they came over the wire, heads included, by address."""

    bytes_by_id: dict[str, int] = field(default_factory=dict)
    address_by_id: dict[str, str] = field(default_factory=dict)
    from_cache: set[str] = field(default_factory=set)
    encodings: dict[str, str] = field(default_factory=dict)

    def watch(self, window: Desk) -> None:
        session = window.context.new_cdp_session(window.page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self.note_request)
        session.on("Network.responseReceived", self.answered)
        session.on("Network.requestServedFromCache", lambda event: self.from_cache.add(event["requestId"]))
        session.on("Network.loadingFinished", self.finished)

    def note_request(self, event: dict[str, Any]) -> None:
        self.address_by_id[event["requestId"]] = event["request"]["url"]

    def answered(self, event: dict[str, Any]) -> None:
        response = event["response"]
        headers = {name.lower(): value for name, value in response["headers"].items()}
        self.encodings[response["url"]] = headers.get("content-encoding", "")
        if response.get("fromDiskCache"):
            self.from_cache.add(event["requestId"])

    def finished(self, event: dict[str, Any]) -> None:
        self.bytes_by_id[event["requestId"]] = int(event["encodedDataLength"])

    @property
    def loaded(self) -> dict[str, int]:
        """Bytes by address of what was really sent."""
        return {
            self.address_by_id[name]: size for name, size in self.bytes_by_id.items()
            if name not in self.from_cache and self.address_by_id.get(name, "").startswith("http")
        }  # fmt: skip


@pytest.fixture
def cold(desk: Callable[..., Desk]) -> tuple[Desk, Wire]:
    """Apollo's approvals in a window whose cache is empty: his session came from another one."""
    desk("apollo")
    window, wire = desk("apollo"), Wire()
    wire.watch(window)
    window.open("/{b}/approvals/")
    window.page.wait_for_timeout(SETTLED_MS)
    return window, wire


def test_approvals_come_in_few_requests_and_few_bytes(cold: tuple[Desk, Wire]) -> None:
    window, wire = cold
    table = "\n".join(
        f"{size:7} {wire.encodings.get(address, ''):5} {address}" for address, size in wire.loaded.items()
    )
    print(f"{len(wire.loaded)} requests, {sum(wire.loaded.values())} bytes\n{table}")
    assert window.page.locator("#rows tr").count() > 10
    assert len(wire.loaded) <= MOST_REQUESTS, table
    assert sum(wire.loaded.values()) <= MOST_BYTES, table
    for address, size in wire.loaded.items():
        if size > 1024 and not address.endswith((".png", ".webp")) and "/receipt" not in address:
            assert wire.encodings[address] == "br", address


def test_what_has_a_hash_in_its_name_is_kept_for_good(cold: tuple[Desk, Wire]) -> None:
    window, wire = cold
    scripts = [address for address in wire.loaded if "/static/" in address]
    assert len(scripts) >= 4
    assert [address for address in scripts if not HASHED.search(address)] == []
    for address in scripts:
        assert "immutable" in requests.get(address, timeout=10).headers["Cache-Control"]
    wire.bytes_by_id.clear()
    window.open("/{b}/expenses/")
    assert [address for address in wire.loaded if HASHED.search(address) and address in scripts] == []
