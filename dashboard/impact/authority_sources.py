"""Where authority over the money of wallets comes from: fund accounts, mandates, policies and cards, and what the gate says to each
person.

What it is made of stands in payment_authority.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.access.subject import Subject, SubjectSeat
from dashboard.impact.mandate_text import voting
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
    Holder,
    Limit,
    Way,
    card_limits,
    largest_without_votes,
    lowest,
)
from dashboard.mirror.models import Card, FundAccount, Wallet, WalletPolicy
from dashboard.schemas.wallet_policies import Mandate, Seat


class _Terms(NamedTuple):
    """What an open wallet policy says now: whether it is suspended, which permissions it names, and its limits by LIMIT_PERIODS."""

    is_suspended: bool
    permissions: frozenset[str]
    limits: tuple[int | None, ...]

    @classmethod
    def of(cls, policy: WalletPolicy, now: datetime) -> _Terms | None:
        """Those of a policy at a moment; None for one that is over, or has not begun."""
        state = policy.state(now)
        if state not in {"ACTIVE", "SUSPENDED"}:
            return None
        return cls(state == "SUSPENDED", frozenset(policy.permissions), tuple(map(policy.limit, LIMIT_PERIODS)))


class _Vote(NamedTuple):
    """Somebody's seat in a mandate, and all of its seats in their order."""

    mandate: Mandate
    own: Seat
    seats: tuple[SubjectSeat, ...]


class Sources:
    """What authority over wallets comes from, by the copy: fund accounts and mandates of a business, and, as they are read for
    some people after others (`take`), their policies and cards.

    What does not depend on the person is worked out once, and what their roles and grants open on a wallet once for all who
    have the same: the gate looks at nothing else of somebody for WAYS, which have no rule and reach all rows.
    """

    def __init__(self, accounts: Iterable[FundAccount], mandates: Iterable[Mandate], now: datetime) -> None:
        self.now = now
        self._terms: dict[tuple[str, str], _Terms | None] = {}
        self._cards_of: dict[str, dict[str, list[Card]]] = {}
        self._accounts = [row for row in accounts if row.status == "ACTIVE"]
        self._mandates_by_type: dict[tuple[str, int], list[Mandate]] = defaultdict(list)
        self._votes_of: dict[tuple[str, str], list[_Vote]] = defaultdict(list)
        for mandate in mandates:
            if mandate.active:
                self._mandates_by_type[mandate.currency, mandate.action_type].append(mandate)
                self._seat(mandate)
        self._opened: dict[tuple[object, ...], tuple[Authority, ...]] = {}

    def take(self, policies: Iterable[WalletPolicy], cards: Iterable[Card]) -> None:
        """Goes on with these policies and cards, in place of those before."""
        self._terms = {(row.employee_id, row.wallet_id): _Terms.of(row, self.now) for row in policies}
        self._cards_of = {}
        for card in cards:
            self._cards_of.setdefault(card.employee_id, {}).setdefault(card.org_wallet_ref, []).append(card)

    def cells(self, holder: Holder, wallets: Iterable[Wallet]) -> dict[str, tuple[Authority, ...]]:
        """What somebody can do with the money of each wallet, by its id: in the order of WAYS, then cards, votes and who may
        grant."""
        cards = self._cards_of.get(holder.employee_id) if holder.spends else None
        actor = holder.actor
        if actor is None:
            if not cards:
                return {wallet.remote_id: () for wallet in wallets}
            return {wallet.remote_id: tuple(self._by_cards(holder, wallet, cards)) for wallet in wallets}
        grants, votes = tuple(_grants(actor)), dict[str, tuple[Authority, ...]]()
        who, given = _rights(actor, self._accounts)
        cells: dict[str, tuple[Authority, ...]] = {}
        for wallet in wallets:
            if wallet.currency not in votes:
                votes[wallet.currency] = tuple(self._votes(actor, wallet.currency))
            policy_terms = self._terms.get((holder.employee_id, wallet.remote_id))
            key = (who, wallet.remote_id, given.get(wallet.remote_id), policy_terms)
            ways = self._opened.get(key)
            if ways is None:
                ways = self._opened[key] = tuple(self._ways(actor, wallet, policy_terms))
            spent = self._by_cards(holder, wallet, cards) if cards else ()
            cells[wallet.remote_id] = (*ways, *spent, *votes[wallet.currency], *grants)
        return cells

    def _seat(self, mandate: Mandate) -> None:
        active = voting(mandate)
        seats, seen = tuple(SubjectSeat(seat.approver_id, seat.max_amount_minor) for seat in active), set[str]()
        for seat in active:
            # Whoever has two seats votes by the first.
            if seat.approver_id and seat.approver_id not in seen:
                seen.add(seat.approver_id)
                self._votes_of[seat.approver_id, mandate.currency].append(_Vote(mandate, seat, seats))

    def _ways(self, actor: Actor, wallet: Wallet, policy_terms: _Terms | None) -> Iterable[Authority]:
        for way in WAYS:
            if can(actor, way.operation, wallet):
                source = BY_ROLE if actor.roles_held <= way.operation.roles else BY_POLICY
                yield self._authority(way, wallet, policy_terms, source)
        for account in self._accounts:
            if account.currency == wallet.currency and can(actor, INVEST.operation, account):
                source = BY_ROLE if actor.roles_held <= INVEST.operation.roles else BY_FUND
                yield self._authority(INVEST, wallet, policy_terms, source, f"Invest in {account.fund_name}")

    def _authority(
        self, way: Way, wallet: Wallet, policy_terms: _Terms | None, source: str, label: str = ""
    ) -> Authority:
        limits, blocked = _policy_limits(policy_terms, way.permission, wallet)
        limit = lowest(limits, source)
        # Several kinds of request go this way: alone as far as the freest of them.
        free = [
            largest_without_votes(self._mandates_by_type.get((wallet.currency, action_type), ()), limit.minor)
            for action_type in way.action_types
        ] or [limit.minor]
        alone = None if None in free else max(minor for minor in free if minor is not None)
        return Authority(way.code, label or way.label, limit, alone, blocked)

    def _by_cards(self, holder: Holder, wallet: Wallet, cards: Mapping[str, list[Card]]) -> Iterable[Authority]:
        policy_terms = self._terms.get((holder.employee_id, wallet.remote_id))
        for card in cards.get(wallet.org_wallet_ref, ()):
            limits, blocked = _policy_limits(policy_terms, CARD_PERMISSION, wallet)
            limit = lowest([*card_limits(card, self.now), *limits], BY_CARD)
            yield Authority(CARD_CODE, f"Spend by card ··{card.last_four}", limit, limit.minor, blocked)

    def _votes(self, actor: Actor, currency: str) -> Iterable[Authority]:
        for mandate, own, seats in self._votes_of.get((actor.employee_id, currency), ()):
            bounds = [minor for minor in (own.max_amount_minor, mandate.max_amount_minor) if minor is not None]
            most = min(bounds, default=None)
            probe = mandate.min_amount_minor if most is None else most
            if probe < mandate.min_amount_minor or not can_vote(actor, mandate, seats, probe):
                continue
            yield Authority(
                APPROVE_CODE, "Approve", Limit(most, "", BY_MANDATE), votes=(mandate.min_approvers, len(seats)),
                least=mandate.min_amount_minor, action_type=mandate.action_type,
            )  # fmt: skip


def _rights(actor: Actor, accounts: Iterable[FundAccount]) -> tuple[object, dict[str, frozenset[str]]]:
    """What the gate looks at of somebody beside the wallet that is asked about, and what they were granted on each row."""
    if not actor.grants:
        return (actor.role, actor.member_role, actor.service_role, ()), {}
    given: dict[str, set[str]] = defaultdict(set)
    for permission, row_id in actor.grants:
        given[row_id].add(permission)
    by_row = {row_id: frozenset(permissions) for row_id, permissions in given.items()}
    elsewhere = tuple(by_row.get(row_id) for row_id in ("", *(account.remote_id for account in accounts)))
    return (actor.role, actor.member_role, actor.service_role, elsewhere if any(elsewhere) else ()), by_row


def _policy_limits(policy_terms: _Terms | None, permission: str, wallet: Wallet) -> tuple[list[Limit], str]:
    blocked = "" if wallet.status == "ACTIVE" else WALLET_CLOSED
    if policy_terms is None or permission not in policy_terms.permissions:
        return [], blocked
    if policy_terms.is_suspended:
        return [], blocked or POLICY_SUSPENDED
    return [
        Limit(minor, per, BY_POLICY) for minor, per in zip(policy_terms.limits, LIMIT_PERIODS.values(), strict=True)
    ], blocked


def can_vote(actor: Actor, mandate: Mandate, seats: tuple[SubjectSeat, ...], amount_minor: int) -> bool:
    """What the gate says to a vote on an item of somebody else that falls under the mandate, whose seats are these."""
    item = Subject(
        business_id=actor.business.pk, kind="approval", id=mandate.id, makers=frozenset(), amount_minor=amount_minor,
        seats=seats,
    )  # fmt: skip
    return bool(can(actor, VOTES.get(mandate.action_type, operations.APPROVE_PAYMENT_REQUEST), item))


def _grants(actor: Actor) -> Iterable[Authority]:
    # About somebody else: nobody grants themselves anything.
    other = Subject(business_id=actor.business.pk, kind="employee", id="", about=frozenset())
    if can(actor, operations.GRANT_WALLET_ACCESS, other):
        yield Authority(MANAGE_CODE, "Decides who can", Limit(None, "", BY_ROLE))
