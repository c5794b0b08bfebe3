"""The fields of what the reports of money in and out answer, as the interface names them (decisions B.17)."""

from datetime import date
from decimal import Decimal
from typing import TypedDict


class InAndOutShape(TypedDict):
    """What came in, what went out, and the difference."""

    money_in: Decimal
    money_out: Decimal
    net: Decimal


class ByTypeShape(TypedDict):
    """What each type of transaction comes to."""

    EXPENSE: Decimal
    TOPUP: Decimal
    IFT: Decimal
    REFUND: Decimal
    FEE: Decimal


class TopSourceShape(TypedDict):
    """Who paid in; `share` is of all money that came in, 0 to 1."""

    name: str
    amount: Decimal
    count: int
    share: Decimal


class TopSpendShape(TypedDict):
    """What was spent under a subcategory, or on a vendor where nothing was filed; `share` is of all spends, 0 to 1."""

    name: str
    subcategory_id: str | None
    vendor: str | None
    amount: Decimal
    count: int
    share: Decimal


class MonthShape(InAndOutShape):
    """The figures of a month, such as 2026-03."""

    month: str


class ConvertedShape(InAndOutShape):
    """The figures in another currency, at the mid rate of a day."""

    currency: str
    rate: Decimal
    rate_date: date


# `from` is a word of Python: a TypedDict can name it in this form alone.
DaysShape = TypedDict("DaysShape", {"from": date, "to": date})


class MoneyMovementShape(InAndOutShape):
    """Money in and out of all wallets of a currency."""

    currency: str
    period: DaysShape
    by_type: ByTypeShape
    top_sources: list[TopSourceShape]
    top_spends: list[TopSpendShape]
    trend: list[MonthShape]
    converted: ConvertedShape | None
    exchange_spread: Decimal


class FeeShape(TypedDict):
    """What was paid in fees for one type of transaction over one channel, and for how many."""

    type: str
    channel: str
    currency: str
    amount: Decimal
    count: int
