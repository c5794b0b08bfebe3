"""Where a second admin is asked for, one admin or super admin alone moves no money that they did not move before, nor lets
anybody else: by wallet policies, mandates, roles, permissions, groups of an identity provider or the setting itself, in any
order of proposing, confirming, withdrawing and waiting, while nobody else does anything."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from dashboard import operations
from dashboard.access.roles import Role
from dashboard.errors import FinanceError
from dashboard.mirror.models import WalletPolicy
from dashboard.proposals.models import CHANGE_MEMBER_ROLE, CHANGE_SINGLE_SIGN_ON, Proposal
from dashboard.proposals.single_sign_on import change_single_sign_on
from dashboard.single_sign_on.group_roles import CEILINGS
from tests.dashboard.conftest import World
from tests.dashboard.mandates.conftest import mandates
from tests.dashboard.proposals.alone import GROUP, USER, Alone, Standing, numbers
from tests.dashboard.proposals.test_alone import THEIR_OWN
from tests.dashboard.scim.conftest import reserved_domains_are_addresses
from tests.dashboard.treasury.test_exchange import proven
from tests.dashboard.wallet_policies.conftest import employee, first, move, policy
from tests.days import business_day

__all__ = ["reserved_domains_are_addresses"]

PEOPLE = st.sampled_from(["Ada", "Sam", "Carla", "Rita", "Apollo", "Selma"])
ROLES = st.sampled_from([role.value for role in Role])
PERMISSIONS = st.sets(
    st.sampled_from(["WALLET_VIEW", "WALLET_FX", "WALLET_ALLOCATE", "WALLET_PAY_VENDOR", "WALLET_PAYOUT_INITIATE"]),
    min_size=1,
).map(sorted)
LIMITS = st.sampled_from(["", "10", "900000"])
# Most changes at once; some for a day that comes.
DAYS_ON = business_day(3).isoformat()
DAYS = st.sampled_from(["", "", DAYS_ON])
PLACES = st.integers(0, 5)
GROUPS = st.sampled_from(["cards", "payers", "office", "owners"])


class OneAlone(RuleBasedStateMachine):
    """What the person may try."""

    alone: Alone
    before: Standing | None = None

    @initialize(beside=st.booleans())
    def others_were_there_before(self, beside: bool) -> None:
        self.before = self.alone.begin()
        if beside:
            # What somebody else has proposed for whoever is alone, and about them: not theirs to confirm.
            self.by_somebody_else()

    def by_somebody_else(self) -> None:
        selma = Alone(self.alone.world, "Selma")
        selma.browser = selma.world.client("Selma")
        found = self.policies()["own"]
        assert selma.post(f"wallet-policies/{found.remote_id}/edit/", permissions=["WALLET_FX"], why="x") == 302

    def policies(self) -> dict[str, WalletPolicy]:
        rows = WalletPolicy.objects.filter(business=self.alone.world.business)
        mine = employee(self.alone.world, self.alone.person)
        return {
            "own": rows.get(employee_id=mine), "suspended": rows.get(status="SUSPENDED"),
            "other": rows.get(employee_id=employee(self.alone.world, "Carla")),
        }  # fmt: skip

    @rule(whom=PEOPLE, permissions=PERMISSIONS, limit=LIMITS, day=DAYS)
    def proposes_a_wallet_policy(self, whom: str, permissions: list[str], limit: str, day: str) -> None:
        world = self.alone.world
        where = f"person={employee(world, whom)}&wallet={first(world, 'USD').remote_id}"
        self.alone.post(f"wallet-policies/grant/?{where}", permissions=permissions, daily=limit, effective=day, why="x")

    @rule(
        which=st.sampled_from(["own", "suspended", "other"]), permissions=PERMISSIONS, limit=LIMITS, day=DAYS,
        verb=st.sampled_from(["edit", "edit", "suspend", "reactivate", "revoke"]),
    )  # fmt: skip
    def changes_a_wallet_policy(self, which: str, permissions: list[str], limit: str, day: str, verb: str) -> None:
        form = {"permissions": permissions, "daily": limit} if verb == "edit" else {}
        path = f"wallet-policies/{self.policies()[which].remote_id}/{verb}/"
        self.alone.post(path, **form, effective=day, why="x")

    @rule(place=PLACES, verb=st.sampled_from(["minimum", "add", "remove", "cap"]), whom=PEOPLE, limit=LIMITS, day=DAYS)
    def changes_a_mandate(self, place: int, verb: str, whom: str, limit: str, day: str) -> None:
        rows = mandates(self.alone.world)
        row, person = rows[place % len(rows)], employee(self.alone.world, whom)
        forms: dict[str, tuple[str, dict[str, Any]]] = {
            "minimum": ("minimum/", {"min_approvers": "1"}),
            "add": ("approvers/add/", {"people": [person], "max_amount": limit}),
            "remove": ("approvers/remove/", {"people": [person]}),
            "cap": (f"approvers/{person}/", {"max_amount": limit, "active": "on"}),
        }
        path, form = forms[verb]
        self.alone.post(f"mandates/{row['_id']}/{path}", **form, effective=day, why="x")

    @rule(role=ROLES, whom=PEOPLE, of_role=st.booleans(), day=DAYS)
    def gives_all_permissions(self, role: str, whom: str, of_role: bool, day: str) -> None:
        """All that the form offers, to a role or to a person."""
        path = f"roles/{role}/" if of_role else f"people/{employee(self.alone.world, whom)}/permissions/"
        page = self.alone.browser.get(self.alone.world.address(f"mandates/{path}"))
        if page.status_code == 200:
            ticked: dict[str, list[str]] = {}
            for name, value in re.findall(r'type="checkbox" name="(group_\d+)" value="([^"]+)"', page.content.decode()):
                ticked.setdefault(name, []).append(value)
            assert ticked
            self.alone.post(f"mandates/{path}", **ticked, effective=day, why="x")

    @rule(role=ROLES, whom=PEOPLE, day=DAYS)
    def gives_a_role_at_the_service(self, role: str, whom: str, day: str) -> None:
        self.alone.post(f"mandates/people/{employee(self.alone.world, whom)}/role/", role=role, effective=day, why="x")

    @rule(role=ROLES, whom=PEOPLE)
    def gives_a_role_here(self, role: str, whom: str) -> None:
        self.alone.post(f"settings/members/{self.alone.world.people[whom].pk}/role/", role=role)

    @rule(role=st.sampled_from(["APPROVER", "ADMIN", "SUPER_ADMIN"]))
    def adds_somebody_who_moves_money(self, role: str) -> None:
        form = {"name": "Sam Too", "email": "sam-too@people.test", "phone": "0712345678", "role": role}
        self.alone.post("people/new/", **form, team=self.alone.world.made["teams"][0]["code"], invite="on")

    @rule(group=GROUPS, people=st.sets(PEOPLE, min_size=1))
    def puts_people_into_a_group(self, group: str, people: set[str]) -> None:
        members = [{"value": str(self.alone.world.people[name].pk)} for name in sorted(people)]
        self.alone.ask("POST", "Groups", {"schemas": [GROUP], "displayName": group, "members": members})

    @rule(role=ROLES)
    def provisions_somebody(self, role: str) -> None:
        domain = self.alone.world.people[self.alone.person].user.email.rpartition("@")[2]
        body = {"schemas": [USER], "userName": f"too@{domain}", "roles": [{"value": role}]}
        self.alone.ask("POST", "Users", body)

    @rule(group=GROUPS, role=st.sampled_from([role.value for role in CEILINGS]))
    def maps_a_group(self, group: str, role: str) -> None:
        new = replace(THEIR_OWN, group_roles={group: role}, ceiling=Role(role))
        with suppress(FinanceError):
            change_single_sign_on(self.alone.world.actor(self.alone.person), new, key=f"alone-{next(numbers)}")

    @rule(on=st.booleans())
    def switches_the_setting(self, on: bool) -> None:
        self.alone.post(f"wallet-policies/proposals/{'' if on else 'no-'}second-admin/", why="x")

    @rule(place=PLACES, verb=st.sampled_from(["confirm", "confirm", "confirm", "withdraw", "decline"]))
    def decides(self, place: int, verb: str) -> None:
        if (proposal := self.alone.proposal(place)) is not None:
            self.alone.post(f"wallet-policies/proposals/{proposal.pk}/{verb}/", reason="x")

    @rule()
    def time_passes(self) -> None:
        self.alone.let_time_pass()

    @invariant()
    def nothing_is_confirmed(self) -> None:
        if self.before is not None:
            assert not self.alone.confirmed_alone()

    def teardown(self) -> None:
        if self.before is None:
            return
        self.alone.let_time_pass()
        after = self.alone.standing()
        assert after.terms == self.before.terms
        assert after.rights <= self.before.rights, after.rights - self.before.rights


def alone_of(world: World, person: str) -> Alone:
    """An admin, or a super admin, with a wallet policy of their own, one of somebody else's and one that is suspended."""
    policy(world, person, "WALLET_VIEW")
    policy(world, "Carla", "WALLET_VIEW")
    move(world, policy(world, "Rita", "WALLET_FX", "WALLET_ALLOCATE"), "suspend")
    return Alone(world, person)


@pytest.mark.parametrize("person", ["Ada", "Sam"])
def test_nobody_alone_comes_to_move_money(world: World, person: str) -> None:
    machine = type("OneAloneHere", (OneAlone,), {"alone": alone_of(world, person)})
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        machine,
        settings=settings(
            max_examples=60 if os.environ.get("FULL") else 6,
            stateful_step_count=25,
        ),
    )


def machine_of(alone: Alone) -> OneAlone:
    """The steps, to be taken one by one."""
    machine: OneAlone = type("OneAloneHere", (OneAlone,), {"alone": alone})()
    machine.others_were_there_before(beside=False)
    return machine


def test_each_kind_of_step_is_one_that_is_proposed(world: World) -> None:
    """No step is refused for what it lacks, which would make it a blank."""
    sam = machine_of(alone_of(world, "Sam"))
    tried: dict[str, Callable[[], object]] = {
        "grant_wallet_access": lambda: sam.proposes_a_wallet_policy("Rita", ["WALLET_FX"], "10", ""),
        "modify_wallet_policy": lambda: sam.changes_a_wallet_policy("other", ["WALLET_FX"], "", "", "edit"),
        "reactivate_wallet_policy": lambda: sam.changes_a_wallet_policy("suspended", [], "", "", "reactivate"),
        operations.UPDATE_MANDATE.name: lambda: [
            sam.changes_a_mandate(place, "minimum", "Carla", "", "") for place in range(8)
        ],
        operations.UPDATE_ROLE_PERMISSIONS.name: lambda: sam.gives_all_permissions("REVIEWER", "Carla", True, ""),
        operations.UPDATE_EMPLOYEE_PERMISSIONS.name: lambda: sam.gives_all_permissions("REVIEWER", "Carla", False, ""),
        operations.CHANGE_ROLE.name: lambda: sam.gives_a_role_at_the_service("APPROVER", "Rita", DAYS_ON),
        CHANGE_MEMBER_ROLE: lambda: sam.puts_people_into_a_group("payers", {"Carla"}),
        # Whom the provider already has in a group of that name would move money by the mapping alone.
        CHANGE_SINGLE_SIGN_ON: lambda: sam.maps_a_group("cards", "APPROVER"),
    }
    for operation, step in tried.items():
        step()
        waiting = Proposal.objects.filter(business=world.business, operation=operation, state="WAITING")
        assert waiting.exists(), operation
    sam.time_passes()
    sam.teardown()


def test_what_another_person_confirms_is_seen_by_who_looks(world: World) -> None:
    """The oracle is no blank either: with a second person the service says something else."""
    alone = alone_of(world, "Ada")
    ada = machine_of(alone)
    assert ada.before is not None
    ada.changes_a_wallet_policy("other", ["WALLET_FX"], "", "", "edit")
    proposal = Proposal.objects.get(business=world.business)
    selma = Alone(world, "Selma", browser=proven(world, "Selma"))
    assert selma.post(f"wallet-policies/proposals/{proposal.pk}/confirm/") == 302
    assert alone.confirmed_alone()
    alone.let_time_pass()
    after = alone.standing()
    assert after.terms != ada.before.terms
    carla = world.people["Carla"].user.email
    assert (carla, "transfers", first(world).remote_id) in after.rights - ada.before.rights
