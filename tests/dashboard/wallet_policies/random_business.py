"""A business whose people, wallets, policies, cards and mandates are made at random."""

from __future__ import annotations

from datetime import timedelta
from itertools import count
from random import Random
from typing import Any

from django.utils import timezone

from dashboard.access.models import Business, Membership, User
from dashboard.access.roles import Role
from dashboard.impact.payment_authority import CARD_PERMISSION, INVEST, LIMIT_PERIODS, WAYS
from dashboard.mirror.models import Card, Employee, FundAccount, StoredResponse, Wallet, WalletPolicy
from dashboard.schemas.wallet_policies import Mandate

NUMBER = count(1)
NAMES = [way.permission for way in WAYS] + [INVEST.permission, CARD_PERMISSION, "WALLET_VIEW"]
SERVICE_ROLES = [*Role.values, "", "AUDITOR"]


class RandomBusiness:
    """People with and without access, wallets, policies, cards, fund accounts and mandates, in every state."""

    def __init__(self, pick: Random) -> None:
        self.pick, self.now = pick, timezone.now()
        number = next(NUMBER)
        self.business = Business.objects.create(slug=f"matrix-{number}", name="Matrix")
        self.reader = self.member(f"reader-{number}", "reader", role=pick.choice(["APPROVER", "ADMIN", "SUPER_ADMIN"]))
        self.wallets = [self.wallet(place) for place in range(pick.randint(1, 4))]
        self.accounts = [self.account(place) for place in range(pick.randint(0, 2))]
        self.employees = [self.employee(place) for place in range(pick.randint(0, 6))]
        for employee in self.employees:
            if pick.random() < 0.6:
                self.member(f"{employee.remote_id}-{number}", employee.remote_id)
            for wallet in self.wallets:
                if pick.random() < 0.4:
                    self.policy(employee.remote_id, wallet)
                if pick.random() < 0.3:
                    self.card(employee.remote_id, wallet)
        for place in range(pick.randint(0, 2)):
            self.member(f"other-{place}-{number}", pick.choice(["", f"unknown-{place}"]))
        answer = {"docs": [self.mandate(place) for place in range(pick.randint(0, 5))]}
        StoredResponse.objects.create(business=self.business, operation="list_mandates", payload=answer)
        self.mandates = sorted(
            (Mandate.model_validate(row) for row in answer["docs"]),
            key=lambda row: (row.action_type, row.currency, row.min_amount_minor),
        )

    def copied(self, remote_id: str) -> dict[str, Any]:
        return {"business": self.business, "remote_id": remote_id, "first_seen": self.now, "last_seen": self.now}

    def member(self, login: str, employee_id: str, role: str = "") -> Membership:
        user = User.objects.create_user(
            f"{login}@example.test", name=login, is_active=bool(role) or self.pick.random() > 0.1
        )
        made: Membership = Membership.objects.create(
            user=user, business=self.business, employee_id=employee_id, role=role or self.pick.choice(Role.values),
            is_active=bool(role) or self.pick.random() > 0.1,
        )  # fmt: skip
        return made

    def wallet(self, place: int) -> Wallet:
        made: Wallet = Wallet.objects.create(
            **self.copied(f"w{place}"), org_wallet_ref=f"r{place}", name=self.pick.choice(["", f"Wallet {place}"]),
            currency=self.pick.choice(["KES", "USD"]), status=self.pick.choice(["ACTIVE", "ACTIVE", "FROZEN", "CLOSED"]),
        )  # fmt: skip
        return made

    def account(self, place: int) -> FundAccount:
        seats = [
            {"employee_id": f"e{person}", "counts": self.pick.random() < 0.7}
            for person in self.pick.sample(range(6), self.pick.randint(0, 3))
        ]
        made: FundAccount = FundAccount.objects.create(
            **self.copied(f"f{place}"), fund_id="f", fund_name=f"Fund {place}", currency=self.pick.choice(["KES", "USD"]),
            status=self.pick.choice(["ACTIVE", "ACTIVE", "CLOSED"]), operators=seats,
        )  # fmt: skip
        return made

    def employee(self, place: int) -> Employee:
        made: Employee = Employee.objects.create(
            **self.copied(f"e{place}"), name=self.pick.choice(["Same", f"Person {place}"]), email=self.pick.choice(["", "x@example.test"]),
            role=self.pick.choice(SERVICE_ROLES), status=self.pick.choice(["ACTIVE", "ACTIVE", "SUSPENDED", "DELETED"]),
            tombstoned_at=self.now if self.pick.random() < 0.1 else None,
        )  # fmt: skip
        return made

    def policy(self, employee_id: str, wallet: Wallet) -> None:
        later, before = self.now + timedelta(days=2), self.now - timedelta(days=2)
        limits = {f"{name}_minor": self.pick.choice([None, 100, 5_000, 90_000]) for name in LIMIT_PERIODS}
        WalletPolicy.objects.create(
            **self.copied(f"p-{employee_id}-{wallet.remote_id}"), employee_id=employee_id, wallet_id=wallet.remote_id,
            permissions=self.pick.sample(NAMES, self.pick.randint(0, 4)), payload={"limits": limits},
            status=self.pick.choice(["ACTIVE", "ACTIVE", "ACTIVE", "SUSPENDED", "REVOKED"]),
            expires_at=self.pick.choice([None, None, later, before]), valid_from=self.pick.choice([None, None, before, later]),
        )  # fmt: skip

    def card(self, employee_id: str, wallet: Wallet) -> None:
        limits = [{"interval": "PER_DAY", "amount": self.pick.choice([50, 7_000])}] if self.pick.random() < 0.6 else []
        Card.objects.create(
            **self.copied(f"c-{employee_id}-{wallet.remote_id}"), employee_id=employee_id, org_wallet_ref=wallet.org_wallet_ref,
            currency=wallet.currency, funding=self.pick.choice(["BUSINESS_WALLET", "BUSINESS_WALLET", "ALLOCATION"]),
            allocation_minor=self.pick.choice([None, 300, 300]), status=self.pick.choice(["ACTIVE", "ACTIVE", "BLOCKED"]),
            last_four="4242", created_at=self.now, payload={"controls": {"limits": limits}},
        )  # fmt: skip

    def mandate(self, place: int) -> dict[str, Any]:
        low = self.pick.choice([0, 0, 1_000])
        seats = [
            {
                "approver_id": self.pick.choice(["reader", "", *(f"e{person}" for person in range(6))]),
                "order": self.pick.randint(0, 2), "active": self.pick.random() < 0.8,
                "max_amount_minor": self.pick.choice([None, None, 500, 50_000]),
            }
            for _ in range(self.pick.randint(0, 4))
        ]  # fmt: skip
        return {
            "_id": f"m{place}", "action_type": self.pick.choice([1, 2, 3, 6, 7]), "currency": self.pick.choice(["KES", "USD"]),
            "min_amount_minor": low, "max_amount_minor": self.pick.choice([None, low + 9_000]), "approvers": seats,
            "min_approvers": self.pick.randint(1, 2), "active": self.pick.random() < 0.8,
        }  # fmt: skip
