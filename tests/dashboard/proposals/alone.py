"""What one person can do by themselves in a business that asks for a second admin, and who may move its money after it.

The steps are those of the pages and of an identity provider that the person runs; the answer to each may be what it will.
Who may move money is what the finance service answers, and what the gate says to each member.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import requests
from django.test import Client
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.access.models import Membership, User
from dashboard.access.roles import MOVING_MONEY
from dashboard.access.secrets import seal
from dashboard.impact.payment_authority import INVEST, WAYS
from dashboard.mirror.models import FundAccount, Wallet
from dashboard.proposals.apply import apply_proposal, due_proposals
from dashboard.proposals.four_eyes import switch_four_eyes_on
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from dashboard.scim.models import ScimGroup, ScimToken
from dashboard.scim.tokens import issue_token
from dashboard.single_sign_on.models import IdentityProvider
from tests.dashboard.conftest import World
from tests.dashboard.treasury.test_exchange import proven
from tests.dashboard.wallet_policies.conftest import employee, lookups_read

numbers = itertools.count(1)
GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group"
USER = "urn:ietf:params:scim:schemas:core:2.0:User"
# Who may do it or not is what differs: one of each role tries.
TRIES = ("Carla", "Rita", "Ada", "Sam")


@dataclass(frozen=True)
class Standing:
    """Who may move money: terms that must stay as they are, and rights of which nobody gets another one."""

    terms: dict[str, Any]
    rights: frozenset[tuple[str, ...]]


@dataclass
class Alone:
    """One person in a business, with whatever the others have left there."""

    world: World
    person: str
    token: str = ""
    browser: Client = field(default_factory=Client)

    def begin(self) -> Standing:
        """As it is before the first step, whatever was done here before."""
        business = self.world.business
        mine = [member.pk for member in self.world.people.values()]
        Proposal.objects.filter(business=business).delete()
        FourEyes.objects.filter(business=business).delete()
        ScimGroup.objects.filter(business=business).delete()
        added = Membership.objects.filter(business=business).exclude(pk__in=mine)
        User.objects.filter(pk__in=added.values("user_id")).delete()
        for member in self.world.people.values():
            member.last_seen_at = timezone.now()
            member.save()
        domain = self.world.people[self.person].user.email.rpartition("@")[2]
        IdentityProvider.objects.update_or_create(
            business=business,
            defaults={
                "name": "Theirs", "issuer": "https://theirs.test", "client_id": "us", "email_domains": [domain],
                "client_secret_sealed": seal("secret"), "is_on": True, "protocol": "OIDC",
                "ceiling": "SUPER_ADMIN", "groups_claim": "groups",
                "group_roles": {"cards": "CARD_USER", "payers": "APPROVER", "office": "ADMIN", "owners": "SUPER_ADMIN"},
            },
        )  # fmt: skip
        ScimToken.objects.filter(business=business).delete()
        # Issued before two were asked for; whoever is alone runs the provider that holds it.
        self.token = issue_token(self.world.actor("Sam"))
        switch_four_eyes_on(self.world.actor("Selma"))
        self.browser = proven(self.world, self.person)
        return self.standing()

    # What they do.

    def post(self, rest: str, **form: Any) -> int:
        """A form of a page, filled in and confirmed; a new one each time."""
        key = f"alone-{next(numbers)}"
        answer = self.browser.post(self.world.address(rest), {"key": key, "step": "confirm", "seen": "", **form})
        assert answer.status_code < 500, answer.content
        return int(answer.status_code)

    def ask(self, method: str, path: str, body: object) -> None:
        """What their identity provider sends."""
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = Client().generic(
            method, f"/-/scim/v2/{path}", json.dumps(body).encode(), content_type="application/scim+json", headers=headers
        )  # fmt: skip
        assert answer.status_code < 500, answer.content

    def proposal(self, place: int) -> Proposal | None:
        """One of the proposals there are, the newest first; None where there are none."""
        rows = list(Proposal.objects.filter(business=self.world.business).order_by("-pk"))
        return rows[place % len(rows)] if rows else None

    def let_time_pass(self) -> None:
        """Each day that a change was to take effect from has come, whoever was at one is gone, and the worker runs."""
        past = timezone.now() - timedelta(days=2)
        rows = Proposal.objects.filter(business=self.world.business)
        rows.exclude(effective_at=None).update(effective_at=past)
        rows.update(lease_until=None)
        for proposal_id in due_proposals():
            apply_proposal(proposal_id)

    # Who may move money.

    def standing(self) -> Standing:
        """As the service and the gate say it now."""
        return Standing(self._terms(), frozenset(self._at_service() | self._by_the_gate()))

    def _terms(self) -> dict[str, Any]:
        def without_times(row: dict[str, Any]) -> dict[str, Any]:
            return {name: value for name, value in row.items() if not name.endswith("_at") and name != "version"}

        wallets = Wallet.objects.filter(business=self.world.business).values_list("remote_id", flat=True)
        lists = [self.world.upstream(f"/wallet-policies/wallet/{wallet_id}", limit=500) for wallet_id in wallets]
        policies = [row for answer in lists for row in answer["docs"]]
        mandates = self.world.send("PUT", "/permissions/mandates?limit=500")["docs"]
        return {
            "policies": {row["_id"]: without_times(row) for row in policies},
            "mandates": {row["_id"]: without_times(row) for row in mandates},
            "roles": {row["_id"]: sorted(row["permissions"]) for row in self.world.upstream("/permissions")["roles"]},
        }

    def _at_service(self) -> set[tuple[str, ...]]:
        rights: set[tuple[str, ...]] = set()
        for row in self.world.upstream("/employees", limit=500)["docs"]:
            held = self.world.send("POST", f"/permissions/employees/{row['_id']}")
            if held["role"] in MOVING_MONEY:
                rights.add((row["_id"], "role", held["role"]))
            rights |= {(row["_id"], "permission", name) for name in held["permissions"]}
        return rights | {(name, "allocates") for name in TRIES if self._allocates(name)}

    def _allocates(self, name: str) -> bool:
        """Whether the service lets somebody do it who is named as acting: an amount that no wallet has, so nothing moves."""
        wallet = Wallet.objects.filter(business=self.world.business, currency="KES").first()
        assert wallet is not None
        body = {
            "employee_id": employee(self.world, "Rex"), "amount": 900_000_000_000, "currency": "KES",
            "org_wallet_ref": wallet.org_wallet_ref,
        }  # fmt: skip
        answer = requests.post(
            f"{self.world.service}/v2/employees/allocate-funds", json=body, timeout=30,
            headers={
                "Authorization": f"Bearer {self.world.token()}", "business_id": self.world.made["business_id"],
                "Idempotency-Key": f"alone-{next(numbers)}-{self.world.business.slug}",
                "X-Acting-Employee": employee(self.world, name),
            },
        )  # fmt: skip
        assert answer.status_code in {403, 409, 422}, answer.text
        return answer.status_code != 403

    def _by_the_gate(self) -> set[tuple[str, ...]]:
        lookups_read(self.world)
        business, rights = self.world.business, set()
        for member in Membership.objects.filter(business=business, is_active=True).select_related("business", "user"):
            if member.role in MOVING_MONEY:
                rights.add((member.user.email, "member", member.role, member.employee_id))
            actor = Actor.for_membership(member, fresh=True)
            for wallet in Wallet.objects.filter(business=business):
                rights |= {
                    (member.user.email, way.code, wallet.remote_id) for way in WAYS if can(actor, way.operation, wallet)
                }
            for account in FundAccount.objects.filter(business=business):
                if can(actor, INVEST.operation, account):
                    rights.add((member.user.email, INVEST.code, account.remote_id))
        return rights

    def confirmed_alone(self) -> bool:
        """Whether anything that this person proposed has been confirmed or applied."""
        ended = (ProposalState.CONFIRMED, ProposalState.APPLIED, ProposalState.UNKNOWN)
        return Proposal.objects.filter(business=self.world.business, state__in=ended).exists()
