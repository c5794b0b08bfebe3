"""Who can move money from a wallet, and how much: what the gate allows, and of the limits that apply the lowest.

The gate (`access/check.py`) is asked for each operation; a limit only says how far what it allows reaches. By the copy, and
the mandates as they were last read: the service decides again each time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.access.operation import Operation
from dashboard.access.roles import Role
from dashboard.access.subject import Subject, SubjectSeat
from dashboard.impact.mandate_text import voting
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import Card, FundAccount, Wallet, WalletPolicy
from dashboard.schemas.wallet_policies import Mandate

PERIODS = {"per_transaction": "a transaction", "daily": "a day", "monthly": "a month"}
CARD_PERIODS = {
    "PER_DAY": "a day", "PER_WEEK": "a week", "PER_MONTH": "a month", "PER_YEAR": "a year", "ALL_TIME": "in all",
}  # fmt: skip
BY_ROLE, BY_POLICY, BY_FUND, BY_CARD, BY_MANDATE = "role", "wallet policy", "fund operator", "card", "mandate"
POLICY_SUSPENDED, WALLET_CLOSED = "the wallet policy is suspended", "the wallet is not active"


@dataclass(frozen=True)
class Way:
    """A way to move money out of a wallet: the operation that begins it, the permission whose policy limits bind it, and the
    action types of the mandates that ask for votes on it."""

    code: str
    label: str
    operation: Operation
    permission: str
    action_types: tuple[int, ...] = ()


WAYS = (
    Way("bills", "Pay bills", operations.REQUEST_BILL_PAYMENT_APPROVAL, "WALLET_PAY_VENDOR", (3,)),
    Way("payouts", "Initiate payouts", operations.INITIATE_PAYOUT, "WALLET_PAYOUT_INITIATE", (1, 2)),
    Way("transfers", "Transfer and FX", operations.TRANSFER_FX, "WALLET_FX", (6,)),
    # The service asks nobody about an allocation: no mandate binds it.
    Way("allocations", "Allocate to employees", operations.ALLOCATE_FUNDS, "WALLET_ALLOCATE"),
)
INVEST = Way("investments", "Invest", operations.TOP_UP_INVESTMENT, "WALLET_INVEST", (7,))
CARD_CODE, CARD_PERMISSION, APPROVE_CODE, MANAGE_CODE = "cards", "WALLET_CARD_FUND", "approvals", "grants"
CHOICES = (
    *((way.code, way.label) for way in (*WAYS, INVEST)),
    (CARD_CODE, "Spend by card"),
    (APPROVE_CODE, "Approve"),
    (MANAGE_CODE, "Decide who can"),
)
# Which operation votes on what a mandate of an action type asks about; all others are payment requests.
VOTES = {3: operations.APPROVE_BILL_PAYMENT}


@dataclass(frozen=True)
class Limit:
    """The most that can be moved, in minor units, None for any amount; per what, and what sets it."""

    minor: int | None
    per: str
    source: str


@dataclass(frozen=True)
class Authority:
    """One thing that somebody can do with the money of a wallet.

    `alone` is the largest amount in minor units for which nobody else is asked: None for any amount, 0 for none.
    `blocked` says why it cannot be done now although the gate allows it. `votes` is (needed, of how many) of a mandate, and
    `least` where its amounts begin.
    """

    code: str
    label: str
    limit: Limit
    alone: int | None = 0
    blocked: str = ""
    votes: tuple[int, int] | None = None
    least: int = 0
    action_type: int = 0

    @property
    def is_alone(self) -> bool:
        """Whether some amount can be moved with nobody else asked."""
        return self.code not in {APPROVE_CODE, MANAGE_CODE} and not self.blocked and self.alone != 0


def largest_without_votes(mandates: Iterable[Mandate], most: int | None) -> int | None:
    """The largest amount up to `most` that no active mandate asks for votes on: None for any, 0 for none."""
    bands = [(row.min_amount_minor, row.max_amount_minor) for row in mandates if row.active]
    amount = most
    while amount is None or amount > 0:
        covering = [low for low, high in bands if high is None or (amount is not None and amount <= high)]
        covering = [low for low in covering if amount is None or low <= amount]
        if not covering:
            return amount
        amount = min(covering) - 1
    return 0


def lowest(limits: Sequence[Limit], otherwise: str) -> Limit:
    """The lowest of some limits; any amount by `otherwise` where there is none."""
    bounds = [limit for limit in limits if limit.minor is not None]
    return min(bounds, key=lambda limit: limit.minor or 0, default=Limit(None, "", otherwise))


def card_limits(card: Card, now: datetime) -> list[Limit]:
    """What bounds every purchase of a card at a moment: limits for some merchant categories alone do not, and a temporary
    rise takes the place of what it raises until its time is over."""
    controls = card.payload.get("controls")
    if not isinstance(controls, Mapping):
        return []
    rise = controls.get("temporary")
    until = moment(rise.get("until")) if isinstance(rise, Mapping) else None
    raised = rise if isinstance(rise, Mapping) and until is not None and now < until else {}
    amounts = _over_time(controls) | {
        interval: minor for interval, minor in _over_time(raised).items() if interval in _over_time(controls)
    }
    limits = [Limit(minor, CARD_PERIODS.get(interval, "in a period"), BY_CARD) for interval, minor in amounts.items()]
    single = controls.get("single_use")
    once = single.get("amount") if isinstance(single, Mapping) else None
    per_purchase = raised.get("per_transaction_limit") or controls.get("per_transaction_limit")
    for minor, per in ((per_purchase, "a transaction"), (once, "once")):
        if isinstance(minor, int):
            limits.append(Limit(minor, per, BY_CARD))
    return limits


def _over_time(controls: Mapping[str, Any]) -> dict[str, int]:
    return {
        str(limit.get("interval")): limit["amount"]
        for limit in controls.get("limits") or []
        if isinstance(limit, Mapping) and isinstance(limit.get("amount"), int) and not limit.get("mcc")
    }


@dataclass(frozen=True)
class Holder:
    """Whose authority is looked at: the actor that the gate judges, None for who cannot act through this dashboard, and whether
    their cards can be used."""

    employee_id: str
    actor: Actor | None
    spends: bool


class Sources:
    """What authority over wallets comes from, by the copy: policies, cards, fund accounts and mandates of a business."""

    def __init__(
        self, policies: Iterable[WalletPolicy], cards: Iterable[Card], accounts: Iterable[FundAccount],
        mandates: Iterable[Mandate], now: datetime,
    ) -> None:  # fmt: skip
        self.now = now
        self.policies = {(row.employee_id, row.wallet_id): row for row in policies}
        self.cards: dict[tuple[str, str], list[Card]] = defaultdict(list)
        for card in cards:
            self.cards[card.employee_id, card.org_wallet_ref].append(card)
        self.accounts = [row for row in accounts if row.status == "ACTIVE"]
        self.mandates: dict[str, list[Mandate]] = defaultdict(list)
        for mandate in mandates:
            if mandate.active:
                self.mandates[mandate.currency].append(mandate)
        self._by_role: dict[tuple[frozenset[Role], str], tuple[Authority, ...]] = {}

    def of(self, holder: Holder, wallet: Wallet) -> tuple[Authority, ...]:
        """What somebody can do with the money of a wallet, in the order of WAYS, then cards, votes and who may grant."""
        if holder.actor is None:
            return tuple(self._cards(holder, wallet))
        actor = holder.actor
        policy = self.policies.get((holder.employee_id, wallet.remote_id))
        if policy is None and not actor.grants:
            key = actor.roles_held, wallet.remote_id
            by_role = self._by_role.get(key)
            if by_role is None:
                by_role = self._by_role[key] = tuple(self._ways(actor, wallet, None))
        else:
            by_role = tuple(self._ways(actor, wallet, policy))
        return (*by_role, *self._cards(holder, wallet), *self._votes(actor, wallet), *_grants(actor))

    def _ways(self, actor: Actor, wallet: Wallet, policy: WalletPolicy | None) -> Iterable[Authority]:
        for way in WAYS:
            if can(actor, way.operation, wallet):
                source = BY_ROLE if actor.roles_held <= way.operation.roles else BY_POLICY
                yield self._authority(way, wallet, policy, source)
        for account in self.accounts:
            if account.currency == wallet.currency and can(actor, INVEST.operation, account):
                source = BY_ROLE if actor.roles_held <= INVEST.operation.roles else BY_FUND
                yield self._authority(INVEST, wallet, policy, source, f"Invest in {account.fund_name}")

    def _authority(
        self, way: Way, wallet: Wallet, policy: WalletPolicy | None, source: str, label: str = ""
    ) -> Authority:
        limits, blocked = self._policy_limits(policy, way.permission, wallet)
        limit = lowest(limits, source)
        # Several kinds of request go this way: alone as far as the freest of them.
        free = [
            largest_without_votes(self._of_type(wallet.currency, action_type), limit.minor)
            for action_type in way.action_types
        ] or [limit.minor]
        alone = None if None in free else max(minor for minor in free if minor is not None)
        return Authority(way.code, label or way.label, limit, alone, blocked)

    def _of_type(self, currency: str, action_type: int) -> list[Mandate]:
        return [row for row in self.mandates[currency] if row.action_type == action_type]

    def _policy_limits(self, policy: WalletPolicy | None, permission: str, wallet: Wallet) -> tuple[list[Limit], str]:
        blocked = "" if wallet.status == "ACTIVE" else WALLET_CLOSED
        state = policy.state(self.now) if policy else ""
        if policy is None or permission not in policy.permissions or state not in {"ACTIVE", "SUSPENDED"}:
            return [], blocked
        if state == "SUSPENDED":
            return [], blocked or POLICY_SUSPENDED
        return [Limit(policy.limit(name), per, BY_POLICY) for name, per in PERIODS.items()], blocked

    def _cards(self, holder: Holder, wallet: Wallet) -> Iterable[Authority]:
        if not holder.spends:
            return
        policy = self.policies.get((holder.employee_id, wallet.remote_id))
        for card in self.cards.get((holder.employee_id, wallet.org_wallet_ref), ()):
            limits, blocked = self._policy_limits(policy, CARD_PERMISSION, wallet)
            limit = lowest([*card_limits(card, self.now), *limits], BY_CARD)
            yield Authority(CARD_CODE, f"Spend by card ··{card.last_four}", limit, limit.minor, blocked)

    def _votes(self, actor: Actor, wallet: Wallet) -> Iterable[Authority]:
        for mandate in self.mandates[wallet.currency]:
            seats = voting(mandate)
            own = next((seat for seat in seats if actor.employee_id and seat.approver_id == actor.employee_id), None)
            if own is None:
                continue
            bounds = [minor for minor in (own.max_amount_minor, mandate.max_amount_minor) if minor is not None]
            most = min(bounds, default=None)
            probe = mandate.min_amount_minor if most is None else most
            if probe < mandate.min_amount_minor or not can_vote(actor, mandate, probe):
                continue
            votes = mandate.min_approvers, len(seats)
            yield Authority(
                APPROVE_CODE, "Approve", Limit(most, "", BY_MANDATE), votes=votes, least=mandate.min_amount_minor,
                action_type=mandate.action_type,
            )  # fmt: skip


def can_vote(actor: Actor, mandate: Mandate, amount_minor: int) -> bool:
    """What the gate says to a vote on an item of somebody else that falls under the mandate."""
    item = Subject(
        business_id=actor.business.pk, kind="approval", id=mandate.id, makers=frozenset(), amount_minor=amount_minor,
        seats=tuple(SubjectSeat(seat.approver_id, seat.max_amount_minor) for seat in voting(mandate)),
    )  # fmt: skip
    return bool(can(actor, VOTES.get(mandate.action_type, operations.APPROVE_PAYMENT_REQUEST), item))


def _grants(actor: Actor) -> Iterable[Authority]:
    # About somebody else: nobody grants themselves anything.
    other = Subject(business_id=actor.business.pk, kind="employee", id="", about=frozenset())
    if can(actor, operations.GRANT_WALLET_ACCESS, other):
        yield Authority(MANAGE_CODE, "Decides who can", Limit(None, "", BY_ROLE))
