"""Every address and form with whatever can be sent to it, in each role and as a stranger: an answer in words, never a 500."""

from __future__ import annotations

import os
import traceback
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import requests
from django.conf import settings
from django.core.signals import got_request_exception
from django.test import Client
from pytest_django.plugin import DjangoDbBlocker

from dashboard.access.models import Membership
from dashboard.proposals.models import FourEyes
from tests.dashboard.address_stage import filled, staged
from tests.dashboard.conftest import World, connect
from tests.dashboard.hostile_requests import Enemy, Form, Hostile, forms_in, sent
from tests.dashboard.test_addresses import OURS_ALONE, patterns
from tests.dashboard.treasury.test_exchange import proven
from tests.sandbox import sandbox_headers

ROLES = ("Carla", "Rita", "Apollo", "Ada", "Selma", "stranger")
EACH = 5_000 if os.environ.get("FULL") else int(os.environ.get("HOSTILE_REQUESTS", "100"))
AFRESH_AFTER = 25
# In CI each role reads the forms of every sixth page, others than each other role.
PAGES_APART = 1 if os.environ.get("FULL") else 6
Stage = tuple[World, World, dict[str, Any]]


@pytest.fixture(scope="module")
def stage(django_db_blocker: DjangoDbBlocker, service_address: str) -> Iterator[Stage]:
    """A business with something of each kind in it, and another one; the same for all roles."""

    def world() -> World:
        answer = requests.post(f"{service_address}/sandbox/businesses", json={}, headers=sandbox_headers(), timeout=30)
        assert answer.ok, answer.text
        made = connect(answer.json(), service_address, service_address)
        made.sync()
        return made

    with django_db_blocker.unblock():
        yield staged(world(), world())


def browser_of(world: World, other: World, role: str) -> Client:
    """Signed in, having just shown that it is them; with what a request before it has changed put right."""
    FourEyes.objects.filter(business=world.business).update(is_on=False)
    for member in world.people.values():
        Membership.objects.filter(pk=member.pk).update(is_active=True, role=member.role)
    browser = proven(other, "Apollo") if role == "stranger" else proven(world, role)
    browser.raise_request_exception = False
    return browser


def read_forms(browser: Client, addresses: list[str]) -> list[Form]:
    """Every form of every page that this person can open."""
    found: dict[tuple[str, str, tuple[str, ...]], Form] = {}
    for address in addresses:
        answer = browser.get(address)
        if answer.status_code == 200 and answer["Content-Type"].startswith("text/html") and not answer.streaming:
            for one in forms_in(address, answer.content.decode()):
                found.setdefault((one.action.partition("?")[0], one.method, tuple(sorted(one.fields))), one)
    return list(found.values()) or [Form(one, "POST", {"key": ["k"]}) for one in addresses]


class Broken:
    """Counts what is answered with a 500, by the line that broke, with the first request of each."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.codes: Counter[int] = Counter()
        self.first: dict[str, str] = {}
        self.why: list[str] = []

    def __enter__(self) -> Broken:
        got_request_exception.connect(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        got_request_exception.disconnect(self._note)

    def _note(self, **_: Any) -> None:
        self.why = [frame for frame in traceback.format_exc().splitlines() if frame.strip()][-7:]

    def add(self, browser: Client, one: Hostile) -> None:
        """Sends it, and counts the answer."""
        self.why = []
        code = sent(browser, one).status_code
        self.codes[code] += 1
        if code == 500:
            name = self.why[-1][:200] if self.why else one.address[:200]
            self.counts[name] += 1
            self.first.setdefault(name, f"{one}\n    " + "\n    ".join(line[:200] for line in self.why))

    def __str__(self) -> str:
        return "\n\n".join(f"{count} × {name}\n  {self.first[name]}" for name, count in self.counts.most_common())


@pytest.mark.parametrize("role", ROLES)
def test_no_request_is_answered_with_a_500(committed: None, stage: Stage, role: str) -> None:
    world, other, ids = stage
    known = [(whole, one.name or "") for whole, one in patterns() if one.name not in OURS_ALONE]
    addresses = [filled(world, whole, name, ids) for whole, name in known]
    browser = browser_of(world, other, role)
    raw = [f"/{whole}".replace("<slug:business>", world.business.slug) for whole, _ in known if "<" in whole]
    enemy = Enemy(role, read_forms(browser, addresses[ROLES.index(role) % PAGES_APART :: PAGES_APART]), addresses, raw)
    with Broken() as broken:
        for number in range(EACH):
            if number % AFRESH_AFTER == 0:
                browser = browser_of(world, other, role)
            one = enemy.request()
            if one.session is not None:
                browser.cookies[settings.SESSION_COOKIE_NAME] = one.session
            broken.add(browser, one)
            if one.session is not None:
                browser = browser_of(world, other, role)
    assert not broken.counts, str(broken)
    codes = broken.codes
    # It has come further than the door: much of it was understood, or refused by a form.
    assert codes[200] + codes[422] + codes[302] > EACH // 10 or role == "stranger", codes
