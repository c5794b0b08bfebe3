"""A business as the mirror knows it, with its cast and some rows; rolled back after each test, no service needed."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.models import Business, Membership, User
from dashboard.mirror.models import Approval, ApprovalRequest, Employee, Expense, SyncCursor, Team
from dashboard.mirror.schedule import FILLING_BANDS
from dashboard.money import text

CAST = {
    "Carla": "CARD_USER", "Rita": "REVIEWER", "Rex": "REVIEWER", "Apollo": "APPROVER", "Zawadi": "APPROVER",
    "Ada": "ADMIN", "Sam": "SUPER_ADMIN", "Selma": "SUPER_ADMIN",
}  # fmt: skip
numbers = itertools.count(1)


@dataclass
class House:
    """A business with its people; rows are made by `expense`, `payment` and `request`."""

    business: Business
    people: dict[str, Membership] = field(default_factory=dict)

    def employee_id(self, name: str) -> str:
        return self.people[name].employee_id

    def actor(self, name: str) -> Actor:
        return Actor.for_membership(self.people[name], fresh=True)

    def browser(self, name: str) -> Client:
        """A browser in which somebody of the cast is signed in."""
        client = Client()
        client.force_login(self.people[name].user)
        return client

    def address(self, rest: str = "") -> str:
        return f"/{self.business.slug}/{rest}"

    def expense(self, **given: Any) -> Expense:
        number = next(numbers)
        values: dict[str, Any] = {
            "remote_id": f"{number:024x}", "employee_id": "somebody-else", "employee_name": "Amina Wanjiru",
            "team_id": "fleet", "team_name": "Fleet", "org_wallet_ref": "KES-1", "status": "PENDING",
            "transaction_date": timezone.now() - timedelta(minutes=number), "amount_minor": 842_000, "currency": "KES",
            "merchant": f"Shell {number}", "transaction_ref": f"TX-{number}",
        } | given  # fmt: skip
        values.setdefault("amount_text", text(values["amount_minor"], values["currency"]))
        return Expense.objects.create(**self._mirrored() | values)

    def payment(self, **given: Any) -> Approval:
        number = next(numbers)
        values: dict[str, Any] = {
            "remote_id": f"{number:024x}", "kind": "BANK_TRANSFER", "ref": f"PB-{number}", "title": f"Tyres {number}",
            "payee": "Otieno & Sons", "amount_minor": 48_650_000, "currency": "KES", "requested_by_id": "brian",
            "requested_by_name": "Brian Kamau", "requested_at": timezone.now() - timedelta(minutes=number),
            "status": "PENDING", "approvals_required": 2, "risk": 70, "risk_level": "HIGH",
            "eligible": [{"employee_id": self.employee_id(name)} for name in ("Apollo", "Zawadi")],
            "signals": [{"code": "amount_outlier", "weight": 20, "evidence": "2.6 x the median of 187,000"}],
        } | given  # fmt: skip
        values.setdefault("amount_text", text(values["amount_minor"], values["currency"]))
        return Approval.objects.create(**self._mirrored(), **values)

    def request(self, **given: Any) -> ApprovalRequest:
        number = next(numbers)
        values: dict[str, Any] = {
            "remote_id": f"{number:024x}", "kind": "card_request", "ref": f"CR-{number}", "title": f"Ticket {number}",
            "amount_minor": 500_000, "currency": "KES", "holder_id": "carla", "holder_name": "Carla Njeri",
            "team_id": "fleet", "requested_by_id": "carla", "status": "PENDING",
            "requested_at": timezone.now() - timedelta(minutes=number),
        } | given  # fmt: skip
        if values["amount_minor"] is not None:
            values.setdefault("amount_text", text(values["amount_minor"], values["currency"]))
        return ApprovalRequest.objects.create(**self._mirrored() | values)

    def _mirrored(self) -> dict[str, Any]:
        now = timezone.now()
        return {
            "business": self.business, "payload": {}, "payload_hash": "-", "source": "FEED", "first_seen": now,
            "last_seen": now,
        }  # fmt: skip


def make_house(**business: Any) -> House:
    """A business with the cast and one team, of which Rita is the reviewer and Rex a read-only one."""
    number = next(numbers)
    slug = f"house{number}-{timezone.now():%H%M%S%f}"
    house = House(Business.objects.create(slug=slug, name=f"House {number}", **business))
    # All that there is has been read: that there is none may be said.
    read = {band: timezone.now().isoformat() for bands in FILLING_BANDS.values() for band in bands}
    SyncCursor.objects.create(business=house.business, bands=read)
    people = [
        Membership(
            user=User(email=f"{name.lower()}@{slug}.test", name=name), business=house.business, role=role,
            employee_id=f"{slug}-{name}"[:64],
        )
        for name, role in CAST.items()
    ]  # fmt: skip
    for one in people:
        one.user.set_unusable_password()
    User.objects.bulk_create([one.user for one in people])
    house.people = dict(zip(CAST, Membership.objects.bulk_create(people), strict=True))
    Employee.objects.bulk_create(
        Employee(**house._mirrored(), remote_id=one.employee_id, name=one.user.name, role=one.role, status="ACTIVE")
        for one in people
    )
    seats = [
        {"employee_id": house.employee_id("Rita"), "read_only": False},
        {"employee_id": house.employee_id("Rex"), "read_only": True},
    ]
    Team.objects.create(**house._mirrored(), remote_id="fleet", name="Fleet", reviewers=seats)
    return house


@pytest.fixture
def new_house(db: None) -> Callable[..., House]:
    return make_house


@pytest.fixture
def house(db: None) -> House:
    return make_house()
