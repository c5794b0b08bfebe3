"""A fresh business of a real running service, known to the dashboard, with the cast that can sign in to it."""

from __future__ import annotations

import copy
import itertools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
import requests

from dashboard.client.json import read_json
from tests.faults import FaultProxy

if TYPE_CHECKING:
    from django.test import Client

    from dashboard.access.actor import Actor
    from dashboard.access.models import Business, Membership

CAST = ("Carla", "Rita", "Rex", "Apollo", "Zawadi", "Juma", "Ada", "Abel", "Sam", "Selma")
FILLED_AT_FIRST = ("lookups", "wallet_rights", "transactions_whole")
# What roles and policies can give on a wallet is the same in every fresh business: a process reads it of its first one.
WALLET_RIGHTS = ("WalletPermission", "WalletRole")
rights_as_read: list[Any] = []
numbers = itertools.count(1)


@dataclass
class World:
    """A business on both sides: `made` is what the sandbox answered, the rest is how the dashboard knows it."""

    made: dict[str, Any]
    business: Business
    service: str
    proxy: FaultProxy | None = None
    people: dict[str, Membership] = field(default_factory=dict)

    def actor(self, name: str) -> Actor:
        """Somebody of the cast, as they stand now."""
        from dashboard.access.actor import Actor

        return Actor.for_membership(self.people[name], fresh=True)

    def client(self, name: str) -> Client:
        """A browser in which somebody of the cast has signed in."""
        from django.test import Client

        client = Client()
        client.force_login(self.people[name].user)
        return client

    def address(self, rest: str = "") -> str:
        """A page's address in this business."""
        return f"/{self.business.slug}/{rest}"

    def employee(self, name: str) -> dict[str, Any]:
        """Somebody of the cast as the service knows them."""
        return next(one for one in self.made["employees"] if one["name"].split()[0] == name)

    def sandbox(self, path: str, **body: Any) -> Any:
        """Asks the service's sandbox for something: a swipe, a top-up, some pending expenses."""
        answer = requests.post(
            f"{self.service}/sandbox/businesses/{self.made['business_id']}/{path}", json=body, timeout=30
        )
        assert answer.ok, answer.text
        return read_json(answer.content)

    def token(self) -> str:
        """A token of the business's service account, for looking at the service itself."""
        answer = requests.post(
            f"{self.service}/oauth/token",
            data={"grant_type": "client_credentials"},
            auth=(self.made["client_id"], self.made["client_secret"]),
            timeout=30,
        )
        assert answer.ok, answer.text
        token: str = answer.json()["access_token"]
        return token

    def upstream(self, path: str, **query: Any) -> Any:
        """What the service itself says, past the dashboard."""
        answer = requests.get(
            f"{self.service}/v2{path}",
            params=query,
            headers={"Authorization": f"Bearer {self.token()}", "business_id": self.made["business_id"]},
            timeout=30,
        )
        assert answer.ok, answer.text
        return read_json(answer.content)

    def send(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        """Something done at the service itself, past the dashboard."""
        answer = requests.request(
            method,
            f"{self.service}/v2{path}",
            json=body,
            headers={
                "Authorization": f"Bearer {self.token()}",
                "business_id": self.made["business_id"],
                "Idempotency-Key": f"test-{next(numbers)}-{os.getpid()}-{self.made['business_id']}",
                **(headers or {}),
            },
            timeout=30,
        )
        assert answer.ok, answer.text
        return read_json(answer.content) if answer.content else None

    def first_sync(self, *, plain: bool = False) -> None:
        """What a first sync reads of a business in which nothing has happened yet: the bands in which there is
        something; of a `plain` one, made without options, the wallet rights are those of the first. That there is
        nothing in the others, and that the rights are the same, is tested in mirror/test_fresh_business.py."""
        from django.utils import timezone

        from dashboard.mirror import schedule, sync
        from dashboard.mirror.models import Cursor

        sync.follow_feed(self.business)
        for band in FILLED_AT_FIRST:
            if band == "wallet_rights" and plain and rights_as_read:
                self._copy_rights()
            else:
                sync.run_band(self.business, band)
        # All in one step: noted band by band it costs each test more than reading what there is.
        bands = dict.fromkeys(schedule.INTERVALS_S, timezone.now().isoformat())
        Cursor.objects.filter(business=self.business).update(bands={**bands, "cold_part": 1 % schedule.COLD_PARTS})
        if plain and not rights_as_read:
            rights_as_read.extend(
                row for model in _rights_models() for row in model.objects.filter(business=self.business)
            )

    def _copy_rights(self) -> None:
        for model in _rights_models():
            rows = [copy.copy(row) for row in rights_as_read if isinstance(row, model)]
            for row in rows:
                row.pk, row.business = None, self.business
                row._state.adding = True
            model.objects.bulk_create(rows)

    def sync(self) -> None:
        """Brings the mirror up to date, as the jobs would once every band's time has come."""
        from django.utils import timezone

        from dashboard.mirror.models import Cursor
        from dashboard.mirror.sync import bring_up_to_date

        # Read whole, the cold band holds every day: the two that look at some of them again would only cost time.
        now = timezone.now().isoformat()
        Cursor.objects.update_or_create(business=self.business, defaults={"bands": {"warm": now, "review": now}})
        bring_up_to_date(self.business)


def _rights_models() -> list[Any]:
    from django.apps import apps

    return [apps.get_model("mirror", name) for name in WALLET_RIGHTS]


def connect(made: dict[str, Any], service: str, base: str) -> World:
    """Makes the dashboard's side of a sandbox business."""
    from dashboard.access.models import Business, Membership, User
    from dashboard.access.secrets import seal
    from dashboard.client.models import ServiceAccount

    unique = f"{os.getpid()}-{next(numbers)}-{made['business_id'][-6:]}"
    business = Business.objects.create(slug=f"b{unique}", name=made["name"])
    ServiceAccount.objects.create(
        business=business,
        base_url=f"{base}/v2",
        remote_business_id=made["business_id"],
        client_id=made["client_id"],
        client_secret_sealed=seal(made["client_secret"]),
        webhook_secret_sealed=seal(made["webhook_secret"]) if made.get("webhook_secret") else None,
    )
    world = World(made, business, service)
    for one in made["employees"]:
        first = one["name"].split()[0]
        if first in CAST:
            user = User.objects.create_user(f"{first.lower()}.{unique}@example.test", name=one["name"])
            world.people[first] = Membership.objects.create(
                user=user, business=business, role=one["role"].replace(" ", "_"), employee_id=one["employee_id"]
            )
    return world


@pytest.fixture
def new_world(committed: None, service_address: str) -> Iterator[Callable[..., World]]:
    """`new_world(proxied=True, **sandbox options)`: another fresh business; with `proxied`, through a fault proxy."""
    proxies: list[FaultProxy] = []

    def make(*, proxied: bool = False, synced: bool = True, **options: Any) -> World:
        answer = requests.post(f"{service_address}/sandbox/businesses", json=options, timeout=30)
        assert answer.ok, answer.text
        proxy = FaultProxy(service_address).__enter__() if proxied else None
        if proxy:
            proxies.append(proxy)
        world = connect(answer.json(), service_address, proxy.address if proxy else service_address)
        world.proxy = proxy
        if synced:
            world.first_sync(plain=not options)
        return world

    yield make
    for proxy in proxies:
        proxy.__exit__(None, None, None)


@pytest.fixture
def world(new_world: Callable[..., World]) -> World:
    """A fresh business with its cast, its lookups mirrored."""
    return new_world()


@pytest.fixture
def proxied_world(new_world: Callable[..., World]) -> World:
    """Likewise, reached through a fault proxy: `world.proxy`."""
    return new_world(proxied=True)
