"""Who can move money, by its plain definition: person by person and wallet by wallet, the gate asked anew each time.

Whatever the page groups, keeps or reads in one query comes to the same for people, mandates, policies and cards made at random.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from django.http import QueryDict
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.access.models import Membership
from dashboard.access.roles import Role
from dashboard.access.standing import Standing
from dashboard.access.subject import Subject, SubjectSeat
from dashboard.errors import NotAllowed
from dashboard.impact.payment_authority import (
    APPROVE_CODE,
    BY_CARD,
    BY_FUND,
    BY_MANDATE,
    BY_POLICY,
    BY_ROLE,
    CARD_CODE,
    CARD_PERMISSION,
    INVEST,
    LIMIT_PERIODS,
    MANAGE_CODE,
    POLICY_SUSPENDED,
    VOTES,
    WALLET_CLOSED,
    WAYS,
    Authority,
    Limit,
    Way,
    card_limits,
    largest_without_votes,
    lowest,
)
from dashboard.lists.query import ListCursor
from dashboard.mirror.models import Card, Employee, Wallet, WalletPolicy
from dashboard.pages.wallet_policies.selectors.authority_copy import usable_wallets_for
from dashboard.pages.wallet_policies.selectors.payment_authority import (
    FILTERS,
    AuthorityQuery,
    PersonAuthority,
    everybody,
    people_page,
)
from dashboard.schemas.wallet_policies import Mandate
from tests.dashboard.wallet_policies.random_business import RandomBusiness

ALL = AuthorityQuery.read(QueryDict(""))


class Case(RandomBusiness):
    """Such a business by the plain definition: its rows are read without any query of the page's."""

    def everybody(self, wallets: list[Wallet]) -> Iterator[PersonAuthority]:
        known = sorted(
            (row for row in Employee.objects.filter(business=self.business) if row.tombstoned_at is None and row.status != "DELETED"),
            key=lambda row: (row.name, row.pk),
        )  # fmt: skip
        ids = {row.remote_id for row in known}
        members = [row for row in Membership.objects.filter(business=self.business).order_by("pk") if row.is_active]
        for member in members:
            if member.employee_id not in ids:
                yield self.person(None, member, wallets)
        for row in known:
            yield self.person(row, next((each for each in members if each.employee_id == row.remote_id), None), wallets)

    def person(self, row: Employee | None, member: Membership | None, wallets: list[Wallet]) -> PersonAuthority:
        employee_id = row.remote_id if row else member.employee_id if member else ""
        status = row.status if row else "ACTIVE"
        actor = self.actor(row, member) if member else None
        cells = {wallet.remote_id: tuple(self.cell(actor, employee_id, status, wallet)) for wallet in wallets}
        cards = Card.objects.filter(
            business=self.business, employee_id=employee_id, status="ACTIVE", funding="ALLOCATION"
        )
        allocated = {card.currency: card.allocation_minor for card in cards if card.allocation_minor is not None}
        return PersonAuthority(
            name=row.name if row else str(member.user.name) if member else "",
            email=(row.email if row else "") or (member.user.email if member else ""), employee_id=employee_id, status=status,
            role=Role(member.role) if member else "", service_role=row.role if row else "", has_access=actor is not None,
            cells=cells, allocated=allocated if status == "ACTIVE" and employee_id else {},
            place=ListCursor(row.name, row.pk) if row else None,
        )  # fmt: skip

    def actor(self, row: Employee | None, member: Membership) -> Actor | None:
        grants = {
            (permission, found.wallet_id)
            for found in WalletPolicy.objects.filter(business=self.business, employee_id=member.employee_id)
            if member.employee_id and found.state(self.now) == "ACTIVE"
            for permission in found.permissions
        } | {
            ("TREASURY_OPERATOR", account.remote_id)
            for account in self.accounts
            for seat in account.operators
            if seat["counts"] and seat["employee_id"] == member.employee_id
        }
        suspended = row is not None and row.status == "SUSPENDED"
        standing = Standing(suspended=suspended, service_role=row.role if row else "", grants=frozenset(grants))
        try:
            return Actor.standing_as(member, standing)
        except NotAllowed:
            return None

    def cell(self, actor: Actor | None, employee_id: str, status: str, wallet: Wallet) -> Iterator[Authority]:
        found = WalletPolicy.objects.filter(business=self.business, employee_id=employee_id, wallet_id=wallet.remote_id)
        policy = found.first()
        for way in WAYS if actor else ():
            if actor and can(actor, way.operation, wallet):
                yield self.authority(
                    way, way.label, wallet, policy, BY_ROLE if actor.roles_held <= way.operation.roles else BY_POLICY
                )
        for account in self.accounts if actor else ():
            is_open = account.status == "ACTIVE" and account.currency == wallet.currency
            if actor and is_open and can(actor, INVEST.operation, account):
                source = BY_ROLE if actor.roles_held <= INVEST.operation.roles else BY_FUND
                yield self.authority(INVEST, f"Invest in {account.fund_name}", wallet, policy, source)
        cards = Card.objects.filter(
            business=self.business, employee_id=employee_id, org_wallet_ref=wallet.org_wallet_ref
        )
        for card in cards.filter(status="ACTIVE", funding="BUSINESS_WALLET") if status == "ACTIVE" else ():
            limits, blocked = self.limits(policy, CARD_PERMISSION, wallet)
            limit = lowest([*card_limits(card, self.now), *limits], BY_CARD)
            yield Authority(CARD_CODE, f"Spend by card ··{card.last_four}", limit, limit.minor, blocked)
        if actor is None:
            return
        for mandate in self.mandates:
            if mandate.active and mandate.currency == wallet.currency and (vote := self.vote(actor, mandate)):
                yield vote
        if can(
            actor,
            operations.GRANT_WALLET_ACCESS,
            Subject(business_id=self.business.pk, kind="employee", id="", about=frozenset()),
        ):
            yield Authority(MANAGE_CODE, "Decides who can", Limit(None, "", BY_ROLE))

    def authority(self, way: Way, label: str, wallet: Wallet, policy: WalletPolicy | None, source: str) -> Authority:
        limits, blocked = self.limits(policy, way.permission, wallet)
        limit = lowest(limits, source)
        free = []
        for action_type in way.action_types:
            asking = [row for row in self.mandates if (row.action_type, row.currency) == (action_type, wallet.currency)]
            free.append(largest_without_votes(asking, limit.minor))
        free = free or [limit.minor]
        alone = None if None in free else max(minor for minor in free if minor is not None)
        return Authority(way.code, label, limit, alone, blocked)

    def limits(self, policy: WalletPolicy | None, permission: str, wallet: Wallet) -> tuple[list[Limit], str]:
        closed = "" if wallet.status == "ACTIVE" else WALLET_CLOSED
        if policy is None or permission not in policy.permissions:
            return [], closed
        if policy.state(self.now) == "SUSPENDED":
            return [], closed or POLICY_SUSPENDED
        if policy.state(self.now) != "ACTIVE":
            return [], closed
        return [Limit(policy.limit(name), per, BY_POLICY) for name, per in LIMIT_PERIODS.items()], closed

    def vote(self, actor: Actor, mandate: Mandate) -> Authority | None:
        seats = sorted((seat for seat in mandate.approvers if seat.active), key=lambda seat: seat.order)
        own = next((seat for seat in seats if actor.employee_id and seat.approver_id == actor.employee_id), None)
        if own is None:
            return None
        bounds = [minor for minor in (own.max_amount_minor, mandate.max_amount_minor) if minor is not None]
        most = min(bounds, default=None)
        amount = mandate.min_amount_minor if most is None else most
        item = Subject(
            business_id=self.business.pk, kind="approval", id=mandate.id, makers=frozenset({"somebody"}), amount_minor=amount,
            seats=tuple(SubjectSeat(seat.approver_id, seat.max_amount_minor) for seat in seats),
        )  # fmt: skip
        operation = VOTES.get(mandate.action_type, operations.APPROVE_PAYMENT_REQUEST)
        if amount < mandate.min_amount_minor or not can(actor, operation, item):
            return None
        return Authority(
            APPROVE_CODE, "Approve", Limit(most, "", BY_MANDATE), votes=(mandate.min_approvers, len(seats)),
            least=mandate.min_amount_minor, action_type=mandate.action_type,
        )  # fmt: skip


def fits(word: str, authority: Authority) -> bool:
    if word == "alone":
        return authority.is_alone
    return not authority.blocked and (authority.code != MANAGE_CODE if word == "any" else authority.code == word)


@pytest.mark.django_db
@settings(max_examples=60)
@given(st.randoms(use_true_random=False))
def test_the_page_says_what_the_plain_definition_says(pick: Random) -> None:
    case = Case(pick)
    reader = Actor.standing_as(case.reader, Standing(service_role=""))
    wallets = usable_wallets_for(reader)
    shown = [row for row in case.wallets if row.status != "CLOSED"]
    assert [row.pk for row in wallets] == [
        row.pk for row in sorted(shown, key=lambda row: (row.currency, row.name, row.remote_id))
    ]
    plain = list(case.everybody(wallets))
    assert list(everybody(reader, ALL, wallets)) == plain
    for word, _ in FILTERS:
        left = [each for each in plain if any(fits(word, line) for cell in each.cells.values() for line in cell)]
        assert list(everybody(reader, replace(ALL, can=word), wallets)) == left, word
    columns = wallets[:1]
    paged, query = list[PersonAuthority](), ALL
    while True:
        page = people_page(reader, query, wallets, columns, 2)
        paged += page.people
        if not page.next:
            break
        query = AuthorityQuery.read(QueryDict(f"after={page.next}"))
    ids = {wallet.remote_id for wallet in columns}
    assert paged == [
        replace(each, cells={key: cell for key, cell in each.cells.items() if key in ids}) for each in plain
    ]
