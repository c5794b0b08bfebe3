"""A business with its cast in the dashboard's own database: who they are, what they review, what waits."""

from __future__ import annotations

import itertools
import os
import time
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.models import Business, Membership, User
from dashboard.access.secrets import seal
from dashboard.client.models import ServiceAccount
from dashboard.mirror.models import Approval, Employee, Expense, Team, Wallet

numbers = itertools.count(1)
CAST = {
    "Carla": "CARD_USER",
    "Rita": "REVIEWER",
    "Rex": "REVIEWER",
    "Apollo": "APPROVER",
    "Zawadi": "APPROVER",
    "Juma": "APPROVER",
    "Ada": "ADMIN",
    "Abel": "ADMIN",
    "Sam": "SUPER_ADMIN",
    "Selma": "SUPER_ADMIN",
}


@dataclass
class House:
    """Teams: `north` is reviewed by Rita, and by Rex read-only; `south` by nobody of the cast."""

    business: Business
    unique: str
    people: dict[str, Membership] = field(default_factory=dict)

    @property
    def north(self) -> str:
        return f"t-north-{self.unique}"

    @property
    def south(self) -> str:
        return f"t-south-{self.unique}"

    def employee(self, name: str) -> str:
        return f"e-{name.lower()}-{self.unique}"

    def actor(self, name: str, session_key: str = "") -> Actor:
        membership = Membership.objects.select_related("user", "business").get(pk=self.people[name].pk)
        return Actor.for_membership(membership, session_key=session_key, fresh=True)

    def expense(self, of: str = "Carla", *, team: str | None = None, **columns: Any) -> Expense:
        remote_id = columns.pop("remote_id", f"x-{next(numbers)}-{self.unique}")
        return Expense.objects.create(
            **{
                **seen(self.business),
                "remote_id": remote_id,
                "employee_id": self.employee(of),
                "employee_name": of,
                "team_id": self.north if team is None else team,
                "status": "PENDING",
                "transaction_date": timezone.now() - timedelta(hours=1),
                "amount_minor": 125050,
                "currency": "KES",
                "amount_text": "KES 1,250.50",
                "merchant": "Taxi to the airport",
                **columns,
            }
        )

    def approval(self, by: str = "Ada", **columns: Any) -> Approval:
        voters = ("Apollo", "Zawadi", "Juma")
        return Approval.objects.create(
            **{
                **seen(self.business),
                "remote_id": f"a-{next(numbers)}-{self.unique}",
                "kind": "BULK_PAYOUT",
                "ref": "PB-20260101-00001",
                "title": "Salaries of May",
                "amount_minor": 5_000_000,
                "currency": "KES",
                "org_wallet_ref": "1",
                "requested_by_id": self.employee(by),
                "requested_by_name": by,
                "requested_at": timezone.now() - timedelta(hours=1),
                "status": "PENDING",
                "approvals_required": 2,
                "eligible": [{"employee_id": self.employee(name), "max_amount_minor": None} for name in voters],
                **columns,
            }
        )

    def wallet(self, available_minor: int) -> Wallet:
        return Wallet.objects.create(
            **seen(self.business),
            remote_id=f"w-{next(numbers)}-{self.unique}",
            org_wallet_ref="1",
            name="Main",
            currency="KES",
            wallet_type="MAIN",
            status="ACTIVE",
            available_minor=available_minor,
        )

    def connect(self, address: str) -> ServiceAccount:
        return ServiceAccount.objects.create(
            business=self.business,
            base_url=f"{address}/v2",
            remote_business_id=f"b-{self.unique}",
            client_id=f"c-{self.unique}",
            client_secret_sealed=seal("the secret of the client"),
        )


def seen(business: Business) -> dict[str, Any]:
    now = timezone.now()
    return {"business": business, "payload_hash": "0" * 32, "source": "POLL", "first_seen": now, "last_seen": now}


def build() -> House:
    unique = f"{os.getpid()}{next(numbers)}{time.time_ns() % 10**9}"
    business = Business.objects.create(slug=f"h{unique}", name="House")
    house = House(business, unique)
    people = [
        Membership(
            user=User(email=f"{name.lower()}.{unique}@example.test", name=name), business=business, role=role,
            employee_id=house.employee(name),
        )
        for name, role in CAST.items()
    ]  # fmt: skip
    for one in people:
        one.user.set_unusable_password()
    User.objects.bulk_create([one.user for one in people])
    house.people |= dict(zip(CAST, Membership.objects.bulk_create(people), strict=True))
    Employee.objects.bulk_create(
        Employee(
            **seen(business), remote_id=one.employee_id, name=one.user.name, role=one.role, team_id=house.north,
            status="ACTIVE",
        )
        for one in people
    )  # fmt: skip
    reviewers = [
        {"employee_id": house.employee("Rita"), "read_only": False},
        {"employee_id": house.employee("Rex"), "read_only": True},
    ]
    Team.objects.create(**seen(business), remote_id=house.north, name="North", reviewers=reviewers)
    Team.objects.create(**seen(business), remote_id=house.south, name="South", reviewers=[])
    return house
