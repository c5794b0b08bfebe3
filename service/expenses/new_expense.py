"""What makes an expense, from whichever side it comes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from service.businesses.models import Employee
from service.categories.models import Subcategory


@dataclass(frozen=True, slots=True, kw_only=True)
class NewExpense:
    """What makes an expense, from whichever side it comes. Amounts in minor units of `currency`.

    `funding` ALLOCATION: the employee's wallet pays; else the business's wallet `org_wallet_ref`.
    """

    employee: Employee | None
    org_wallet_ref: str
    currency: str
    amount_minor: int
    transaction_ref: str
    transaction_date: datetime
    receiver: str = ""
    fees_minor: int = 0
    funding: str = ""
    original_amount_minor: int | None = None
    original_currency: str = ""
    fx_rate: Decimal | None = None
    payment_type: str = "CARD"
    channel: str = ""
    mcc: str = ""
    merchant_id: str = ""
    provider_ref: str = ""
    description: str = ""
    notes: str = ""
    card_id: str = ""
    card_token: str = ""
    subcategory: Subcategory | None = None
    risk: int = 0
    risk_notes: str = ""
    policy_flags: Sequence[str] = field(default_factory=tuple)
    receipt_required: bool = False

    @property
    def charge_minor(self) -> int:
        """What leaves the wallet: the amount and its fees."""
        return self.amount_minor + self.fees_minor
