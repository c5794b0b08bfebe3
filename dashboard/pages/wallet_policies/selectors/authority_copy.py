"""What authority over money is read from in the copy, by queries that are written once for all who have the same rights."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import Q, QuerySet

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.impact.wallet_rights import open_policies
from dashboard.lists.query import ListCursor
from dashboard.mirror.models import COPYING, Card, Employee, FundAccount, SyncCursor, Wallet, WalletPolicy
from dashboard.mirror.scopes import visible_cards, visible_fund_accounts, visible_holders
from dashboard.mirror.written_queries import (
    ANOTHER_LIST,
    ANY_BUSINESS,
    ANY_ID,
    ANY_LIST,
    ANY_MOMENT,
    ANY_TEXT,
    RowScope,
    WrittenQuery,
)
from dashboard.pages.wallet_policies.selectors.access import usable_wallets
from dashboard.pages.wallet_policies.selectors.matrix import MatrixQuery, people_of
from dashboard.schemas.cards import ALLOCATION, BUSINESS_WALLET

# The operations whose rows are read here.
READ = (
    operations.LIST_ACCOUNTS, operations.LIST_EMPLOYEE_WALLET_POLICIES, operations.READ_CARD,
    operations_extra.LIST_FUND_ACCOUNTS,
)  # fmt: skip
# What authority over money is read from of a card, of a person and of a wallet.
CARD_COLUMNS = ("employee_id", "org_wallet_ref", "currency", "funding", "allocation_minor", "last_four", "payload")
PERSON_COLUMNS = ("remote_id", "name", "email", "role", "status")
WALLET_COLUMNS = ("business", "remote_id", "org_wallet_ref", "name", "currency", "status")
MEMBER_COLUMNS = (
    "business", "user", "employee_id", "role", "is_active", "opens_with", "user__name", "user__email", "user__is_active",
)  # fmt: skip


class AuthorityCopy:
    """Reads as an actor, at a moment, what bears on these wallets; each function is one query."""

    def __init__(self, actor: Actor, wallets: list[Wallet], now: datetime) -> None:
        self.actor, self.now, self._scope = actor, now, RowScope.of(actor, *READ)
        self._wallet_ids = [wallet.remote_id for wallet in wallets]
        self._refs = [wallet.org_wallet_ref for wallet in wallets]
        self._values: dict[Any, Any] = {ANY_BUSINESS: actor.business.pk, ANY_MOMENT: now}

    def fund_accounts(self) -> list[FundAccount]:
        """The fund accounts that the actor sees."""
        return _fund_accounts(self._scope).run(self._values)

    def people(self, query: MatrixQuery, most: int) -> list[Employee]:
        """So many of the people whom the query leaves, after its place."""
        if query.q or query.role or query.has:
            return list(people_of(self.actor, query).only(*PERSON_COLUMNS)[:most])
        name, number = (query.after.value, query.after.id) if query.after else ("", 0)
        return _people(self._scope, most, after=query.after is not None).run(
            self._values | {ANY_TEXT: name, ANY_ID: number}
        )

    def policies(self, ids: list[str]) -> list[WalletPolicy]:
        """What policies give these employees on the wallets: on one wallet they say nothing of another."""
        return _policies(self._scope).run(self._values | {ANY_LIST: ids, ANOTHER_LIST: self._wallet_ids})

    def cards(self, ids: list[str]) -> list[Card]:
        """Their active cards that spend from the wallets, or what was allocated."""
        return _cards(self._scope).run(self._values | {ANY_LIST: ids, ANOTHER_LIST: self._refs})

    def members(self, ids: list[str], query: MatrixQuery | None) -> dict[str, list[Membership]]:
        """The members who are these employees, by their ids; with a query under "" those whom it leaves and who are linked to
        nobody whom the copy has: such a member may what their role allows."""
        if query is not None and (query.q or query.role):
            rows = list(_member_rows(self.actor, ids, query))
        else:
            rows = _members(self._scope, with_others=query is not None).run(self._values | {ANY_LIST: ids})
        known, members = frozenset(ids), defaultdict[str, list[Membership]](list)
        for member in rows:
            member.business = self.actor.business
            members[member.employee_id if member.employee_id in known else ""].append(member)
        return members


def usable_wallets_for(actor: Actor) -> list[Wallet]:
    """The wallets that `usable_wallets_of` has, with what the page shows of them."""
    return _wallets(RowScope.of(actor, *READ)).run({ANY_BUSINESS: actor.business.pk})


def sync_cursor_of(actor: Actor) -> SyncCursor | None:
    """How far the copy of the actor's business has come; None where nothing was read yet."""
    return next(iter(_cursor().run({ANY_BUSINESS: actor.business.pk})), None)


@lru_cache(maxsize=256)
def _wallets(row_scope: RowScope) -> WrittenQuery[Wallet]:
    return WrittenQuery(usable_wallets(row_scope.stand_in()).only(*WALLET_COLUMNS))


@lru_cache(maxsize=1)
def _cursor() -> WrittenQuery[SyncCursor]:
    return WrittenQuery(SyncCursor.objects.filter(business_id=ANY_BUSINESS))


@lru_cache(maxsize=256)
def _fund_accounts(row_scope: RowScope) -> WrittenQuery[FundAccount]:
    return WrittenQuery(visible_fund_accounts(row_scope.stand_in()).defer("payload", *COPYING))


@lru_cache(maxsize=256)
def _people(row_scope: RowScope, most: int, *, after: bool) -> WrittenQuery[Employee]:
    query = MatrixQuery(after=ListCursor(ANY_TEXT, ANY_ID) if after else None)
    return WrittenQuery(people_of(row_scope.stand_in(), query).only(*PERSON_COLUMNS)[:most])


@lru_cache(maxsize=256)
def _policies(row_scope: RowScope) -> WrittenQuery[WalletPolicy]:
    rows = open_policies(row_scope.stand_in(), at=ANY_MOMENT)
    return WrittenQuery(
        rows.filter(employee_id__in=[ANY_LIST], wallet_id__in=[ANOTHER_LIST]).defer("employee_name", *COPYING)
    )


@lru_cache(maxsize=256)
def _cards(row_scope: RowScope) -> WrittenQuery[Card]:
    spending = Q(funding=ALLOCATION) | Q(funding=BUSINESS_WALLET, org_wallet_ref__in=[ANOTHER_LIST])
    rows = visible_cards(row_scope.stand_in()).filter(spending, employee_id__in=[ANY_LIST], status="ACTIVE")
    return WrittenQuery(rows.only(*CARD_COLUMNS))


@lru_cache(maxsize=256)
def _members(row_scope: RowScope, *, with_others: bool) -> WrittenQuery[Membership]:
    return WrittenQuery(_member_rows(row_scope.stand_in(), [ANY_LIST], MatrixQuery() if with_others else None))


def _member_rows(actor: Actor, ids: list[str], query: MatrixQuery | None) -> QuerySet[Membership]:
    chosen = Q(employee_id__in=ids)
    if query is not None:
        known = visible_holders(actor).exclude(status="DELETED").values("remote_id")
        others = Q(employee_id="") | ~Q(employee_id__in=known)
        for word in query.q.split():
            others &= Q(user__name__icontains=word) | Q(user__email__icontains=word)
        chosen |= others & (Q(role=query.role) if query.role else Q())
    rows = Membership.objects.filter(chosen, business=actor.business, is_active=True).select_related("user")
    return rows.order_by("pk").only(*MEMBER_COLUMNS)
