"""The fund manager: its catalogue, the price of a unit on a day, and orders to buy and redeem units."""

import hashlib
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Protocol

from service.rails.outcomes import Outcome, RailTimeoutError, State, provider_ref


@dataclass(frozen=True, slots=True)
class Offer:
    """A fund as its manager describes it. Minimums in minor units of its currency; `open` for new money."""

    code: str
    name: str
    currency: str
    type: str
    annual_yield_bps: int
    min_initial_minor: int
    min_topup_minor: int
    min_withdrawal_minor: int
    notice_days: int
    open: bool = True


@dataclass(frozen=True, slots=True)
class FundOrder:
    """Units to buy or redeem; the reference makes it one order however often it is sent."""

    reference: str
    fund_code: str
    amount_minor: int
    sent_at: datetime


class FundManager(Protocol):
    """What a manager of funds offers."""

    name: str

    def catalogue(self) -> list[Offer]:
        """All funds that it manages, each as it describes it."""

    def price(self, fund_code: str, day: date) -> Decimal:
        """What a unit costs on that day, in the currency's units, with 8 decimals."""

    def execute(self, fund_order: FundOrder, now: datetime) -> Outcome:
        """Does the order, or says what became of it; RailTimeoutError where no answer came in time."""


PLACES = Decimal("0.00000001")
EPOCH = date(2025, 1, 1)
DELAY = timedelta(seconds=2)
# Decided by the last two digits of the amount in minor units, as the card network decides.
REFUSED, PENDING_FIRST, SILENT = 94, 91, 92


@dataclass(slots=True)
class SimulatedManager:
    """One manager with a handful of funds. Money-market units always cost one; others follow their yield, with ups and downs."""

    name: str = "Baobab Asset Management"
    offers: list[Offer] = field(
        default_factory=lambda: [
            Offer("BAO-MMF-KES", "Baobab Money Market", "KES", "MONEY_MARKET", 1_150, 1_000_00, 100_00, 100_00, 0),
            Offer("BAO-FIX-KES", "Baobab Fixed Income", "KES", "FIXED_INCOME", 1_320, 50_000_00, 5_000_00, 1_000_00, 2),
            Offer("BAO-BAL-KES", "Baobab Balanced", "KES", "BALANCED", 1_500, 10_000_00, 1_000_00, 1_000_00, 3),
            Offer("BAO-MMF-USD", "Baobab Dollar Money Market", "USD", "MONEY_MARKET", 480, 100_00, 10_00, 10_00, 1),
            Offer("BAO-MMF-EUR", "Baobab Euro Money Market", "EUR", "MONEY_MARKET", 290, 100_00, 10_00, 10_00, 1),
        ]
    )

    def catalogue(self) -> list[Offer]:
        """The funds that it was made with (see FundManager)."""
        return list(self.offers)

    def price(self, fund_code: str, day: date) -> Decimal:
        """The price of a unit on a day, the same whenever it is asked: grown by its yield, with a small swing (see
        FundManager)."""
        offer = next(candidate for candidate in self.offers if candidate.code == fund_code)
        if offer.type == "MONEY_MARKET":
            return Decimal(1).quantize(PLACES)
        grown = Decimal(100) * (1 + Decimal(offer.annual_yield_bps) * (day - EPOCH).days / (10_000 * 365))
        digest = hashlib.sha256(f"{fund_code}:{day.toordinal()}".encode()).digest()
        swing = 1 + Decimal(int.from_bytes(digest[:4], "big") % 8_001 - 4_000) / 1_000_000
        return max(PLACES, (grown * swing).quantize(PLACES, ROUND_HALF_EVEN))

    def execute(self, fund_order: FundOrder, now: datetime) -> Outcome:
        """Executes, refuses or puts off an order, by the last digits of its amount (see FundManager)."""
        magic = fund_order.amount_minor % 100
        known = provider_ref("FND", fund_order.reference)
        if magic == REFUSED:
            return Outcome(State.FAILED, failure_code="refused_by_manager")
        if now < fund_order.sent_at + DELAY:
            if magic == SILENT:
                raise RailTimeoutError(fund_order.reference)
            if magic == PENDING_FIRST:
                return Outcome(State.PENDING, known)
        return Outcome(State.SUCCEEDED, known)


manager: FundManager = SimulatedManager()
