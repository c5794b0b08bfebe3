"""Who can move money from a wallet, and how much: what the gate allows, and of the limits that apply the lowest.

The gate (`access/check.py`) is asked for each operation; a limit only says how far what it allows reaches. By the copy, and
the mandates as they were last read: the service decides again each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import Card
from dashboard.schemas.wallet_policies import Mandate

LIMIT_PERIODS = {"per_transaction": "a transaction", "daily": "a day", "monthly": "a month"}
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
