"""What approving an item for good does to the wallet that it names: which way its money goes, how much, and whether the
service holds it already.

The service takes money that a wallet transfer or a movement into a fund needs out of the available balance when it is
requested; that of a payment, and of a manual transaction, once it is approved.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict, cast

from dashboard.decisions.described_requests import described_request
from dashboard.mirror.models import Approval, ApprovalRequest, FundAccount

# What is paid out of the wallet once it is approved.
PAYS = frozenset({"BULK_PAYOUT", "BANK_TRANSFER", "PAYMENT_REQUEST", "BILL_PAYMENT"})
# What holds its amount in the wallet from the request on.
HOLDS = frozenset({"FX_TRANSFER"})
# A request for a fund: to open an account in it, or for a movement of one.
FUND = "INVESTMENT"
# The movements of a fund account that hold cash; a withdrawal holds units, and is paid out later, at the price of then.
HOLDS_CASH = frozenset({"INVEST", "TOP_UP"})
# Of what costs fees beside its amount, where the row that is paid has them, in minor units.
FEES = {"BILL_PAYMENT": "fee_minor", "BULK_PAYOUT": "total_fees_minor", "BANK_TRANSFER": "total_fees_minor"}


class CopiedMovement(TypedDict, total=False):
    """A movement of a fund account that has not come to its end, as far as it is read of the copy: its reference, its kind
    (INVEST, TOP_UP, WITHDRAW or INTEREST) and the ISO day of its value."""

    ref: str
    kind: str
    value_date: str


@dataclass(frozen=True)
class WalletMovement:
    """What a wallet gains, in minor units: below zero where money leaves it, its fees among it as far as they are known
    (`knows_fees`). `held_since` is since when the service holds it, None where it holds nothing yet."""

    minor: int
    knows_fees: bool = True
    held_since: datetime | None = None

    def is_held_in(self, balance_of: datetime | None) -> bool:
        """Whether an available balance of that moment is one without it already."""
        return self.held_since is not None and balance_of is not None and balance_of >= self.held_since

    def still_to_come(self, balance_of: datetime | None) -> int:
        """What an available balance of that moment still gains, in minor units."""
        return 0 if self.is_held_in(balance_of) else self.minor


def wallet_movement_of(subject: Any) -> WalletMovement | None:
    """What approving the item for good moves in its wallet; None where it moves nothing, or where the copy does not say
    which way it goes."""
    if isinstance(subject, ApprovalRequest) and subject.kind == "hand_transaction":
        sign = {"OUT": -1, "IN": 1}.get(str(subject.payload.get("direction")), 0)
        return WalletMovement(sign * (subject.amount_minor or 0)) if sign else None
    if not isinstance(subject, Approval):
        return None
    amount = subject.amount_minor or 0
    if subject.kind in PAYS:
        fees = _fees_minor(subject)
        return WalletMovement(-amount - (fees or 0), knows_fees=fees is not None)
    # What is invested out of a fund account's own cash touches no wallet that is shown.
    is_invested = bool(subject.org_wallet_ref) and fund_movement(subject).get("kind") in HOLDS_CASH
    is_held = subject.kind in HOLDS or is_invested
    return WalletMovement(-amount, held_since=subject.requested_at) if is_held else None


def fund_movement(approval: Approval) -> CopiedMovement:
    """The movement of a fund account that votes are asked for, as the copy has it; empty where it has none of this
    reference, and for anything else. Looked up once per object."""
    if approval.kind != FUND:
        return {}
    if "_fund_movement" not in approval.__dict__:
        load_fund_movements([approval])
    movement: CopiedMovement = approval.__dict__["_fund_movement"]
    return movement


def load_fund_movements(approvals: Sequence[Approval]) -> None:
    """Looks the movements of fund accounts up that several requests of one business are about: one query."""
    of_funds = [approval for approval in approvals if approval.kind == FUND]
    movements = _fund_movements(of_funds[0].business_id) if of_funds else {}
    for approval in of_funds:
        approval.__dict__["_fund_movement"] = movements.get(approval.ref, {})


def _fund_movements(business_id: int) -> dict[str, CopiedMovement]:
    """What moves in a business's fund accounts and has not come to its end, by reference: a few accounts."""
    accounts = FundAccount.objects.filter(business_id=business_id, tombstoned_at=None)
    movements = [row for rows in accounts.values_list("payload__movements", flat=True) for row in rows or []]
    return {str(row.get("ref")): cast("CopiedMovement", row) for row in movements if isinstance(row, dict)}


def money_leaves(subject: Any) -> bool:
    """Whether it is known that money leaves a wallet once the item is approved for good."""
    movement = wallet_movement_of(subject)
    return movement is not None and movement.minor < 0


def _fees_minor(approval: Approval) -> int | None:
    """The fees of a payment in minor units, as its own row in the copy has them; None where the copy has no such row."""
    name = FEES.get(approval.kind)
    if name is None:
        return 0
    paid = described_request(approval)
    fees = paid.payload.get(name) if paid is not None else None
    return fees if isinstance(fees, int) else None
