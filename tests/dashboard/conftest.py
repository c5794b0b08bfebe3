"""A fresh business of a real running service, known to the dashboard, with the cast that can sign in to it."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
import requests

from dashboard.client.json import read_json
from tests.faults import FaultProxy
from tests.sandbox import sandbox_headers

if TYPE_CHECKING:
    from django.test import Client

    from dashboard.access.actor import Actor
    from dashboard.access.models import Business, Membership

CAST = ("Carla", "Rita", "Rex", "Apollo", "Zawadi", "Juma", "Ada", "Abel", "Sam", "Selma")
FILLED_AT_FIRST = ("lookups", "wallet_rights", "transactions_whole")
# These a process reads of its first plain business; of the next ones, which differ by their ids alone, it copies the rows.
SAME_IN_ALL = ("lookups", "wallet_rights")
COPIED = ("Employee", "Team", "Category", "WalletPermission", "WalletRole")
# The first time, the cold band reads every day and the whole lists every row: what looks at some of them again only costs time.
READ_WHOLE = ("hot", "review", "warm", "transactions", "bills")
first_plain: list[tuple[dict[str, Any], dict[str, tuple[str, str]]]] = []
numbers = itertools.count(1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first: what begins last on one worker keeps the others waiting."""
    items.sort(key=lambda item: not item.nodeid.startswith("tests/dashboard/test_addresses.py"))


@dataclass
class World:
    """A business on both sides: `made` is what the sandbox answered, the rest is how the dashboard knows it."""

    made: dict[str, Any]
    business: Business
    service: str
    proxy: FaultProxy | None = None
    people: dict[str, Membership] = field(default_factory=dict)
    _token: str = ""
    _token_until: float = 0.0

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
            f"{self.service}/sandbox/businesses/{self.made['business_id']}/{path}",
            json=body,
            headers=sandbox_headers(),
            timeout=30,
        )
        assert answer.ok, answer.text
        return read_json(answer.content)

    def token(self) -> str:
        """A token of the business's service account, for looking at the service itself: one for all that a test looks at."""
        if self._token and time.monotonic() < self._token_until:
            return self._token
        answer = requests.post(
            f"{self.service}/oauth/token",
            data={"grant_type": "client_credentials"},
            auth=(self.made["client_id"], self.made["client_secret"]),
            timeout=30,
        )
        assert answer.ok, answer.text
        granted = answer.json()
        # The full run is longer than a token lives.
        self._token, self._token_until = granted["access_token"], time.monotonic() + granted["expires_in"] / 2
        return self._token

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
        something; of a `plain` one, made without options, people, teams, categories and wallet rights are those of the
        first, with this one's ids, and its few transactions are read by one request. That there is nothing in
        the others, and that what is copied is what would be read, is tested in mirror/test_fresh_business.py."""
        from django.utils import timezone

        from dashboard import operations
        from dashboard.access.actor import Actor
        from dashboard.mirror import schedule, sync
        from dashboard.mirror.apply import upsert
        from dashboard.mirror.list_reads import read_list
        from dashboard.mirror.models import Origin, SyncCursor

        sync.follow_feed(self.business)
        copied = plain and first_plain
        if copied:
            self._copy_rows(*first_plain[0])
            # Their account numbers are their own.
            wallets = read_list(Actor.reader_for(self.business), operations.LIST_ACCOUNTS)
            upsert("wallet", self.business, wallets, Origin.POLL, read_at=timezone.now())
            transactions = list(read_list(Actor.reader_for(self.business), operations.LIST_TRANSACTIONS))
            upsert("transaction", self.business, transactions, Origin.POLL, read_at=timezone.now())
        else:
            for band in FILLED_AT_FIRST:
                sync.run_band(self.business, band)
        # All in one step: noted band by band it costs each test more than reading what there is.
        bands = dict.fromkeys(schedule.INTERVALS_S, timezone.now().isoformat())
        SyncCursor.objects.filter(business=self.business).update(bands={**bands, "cold_part": 1 % schedule.COLD_PARTS})
        if plain and not first_plain:
            first_plain.append((self.made, _rows_to_copy(self.business)))

    def _copy_rows(self, made: dict[str, Any], tables: dict[str, tuple[str, str]]) -> None:
        from django.db import connection

        ids = list(zip(_ids_in(made), _ids_in(self.made), strict=True))
        with connection.cursor() as cursor:
            for table, (columns, rows) in tables.items():
                for theirs, ours in ids:
                    rows = rows.replace(theirs, ours)
                cursor.execute(
                    f"INSERT INTO {table} (business_id, {columns}) SELECT %s, {columns} FROM jsonb_populate_recordset(NULL::{table}, %s)",
                    [self.business.pk, rows],
                )

    def sync(self, *bands: str) -> None:
        """Brings the mirror up to date: the feed and these bands of `mirror/schedule.py`; without any, all of them, as
        the jobs would once every band's time has come. All of them are forty requests to the service, and a second of CPU."""
        from django.utils import timezone

        from dashboard.mirror.models import SyncCursor
        from dashboard.mirror.sync import bring_up_to_date, follow_feed, run_band

        if bands:
            follow_feed(self.business)
            for band in bands:
                run_band(self.business, band)
            return
        now = timezone.now().isoformat()
        SyncCursor.objects.update_or_create(business=self.business, defaults={"bands": dict.fromkeys(READ_WHOLE, now)})
        bring_up_to_date(self.business)


def _rows_to_copy(business: Business) -> dict[str, tuple[str, str]]:
    """Of each table its columns but those that a row of another business has of its own, and its rows as JSON."""
    from django.apps import apps
    from django.db import connection

    tables = {}
    for name in COPIED:
        meta = apps.get_model("mirror", name)._meta
        own = {"id", "business_id"}
        columns = [one.column for one in meta.concrete_fields if one.column not in own and not one.generated]
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT coalesce(jsonb_agg(row), '[]')::text FROM {meta.db_table} AS row WHERE business_id = %s",
                [business.pk],
            )
            tables[meta.db_table] = (", ".join(f'"{column}"' for column in columns), cursor.fetchone()[0])
    return tables


def _ids_in(made: Any) -> Iterator[str]:
    """What differs between two fresh businesses, in the order of the sandbox's answer: ids, and addresses made of them."""
    if isinstance(made, dict):
        for name, value in made.items():
            if isinstance(value, str) and (name == "email" or name.endswith("_id")):
                yield value
            else:
                yield from _ids_in(value)
    elif isinstance(made, list):
        for one in made:
            yield from _ids_in(one)


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
    cast = {name: one for one in made["employees"] if (name := one["name"].split()[0]) in CAST}
    users = [User(email=f"{name.lower()}.{unique}@example.test", name=one["name"]) for name, one in cast.items()]
    for user in users:
        user.set_unusable_password()
    memberships = [
        Membership(user=user, business=business, role=one["role"].replace(" ", "_"), employee_id=one["employee_id"])
        for user, one in zip(User.objects.bulk_create(users), cast.values(), strict=True)
    ]
    world.people = dict(zip(cast, Membership.objects.bulk_create(memberships), strict=True))
    return world


@pytest.fixture
def new_world(committed: None, service_address: str) -> Iterator[Callable[..., World]]:
    """`new_world(proxied=True, **sandbox options)`: another fresh business; with `proxied`, through a fault proxy."""
    proxies: list[FaultProxy] = []

    def make(*, proxied: bool = False, synced: bool = True, **options: Any) -> World:
        answer = requests.post(
            f"{service_address}/sandbox/businesses", json=options, headers=sandbox_headers(), timeout=30
        )
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
