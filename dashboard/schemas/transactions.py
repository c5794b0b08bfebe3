"""Money in and out as the service tells it (decisions B.17)."""

from decimal import Decimal

from dashboard.schemas.base import Amount, Currency, ResponseSchema, Text


class MonthOfMovement(ResponseSchema):
    """One month: what came in, what went out, in whole units of the currency."""

    month: Text
    money_in: Amount
    money_out: Amount
    net: Amount


class TopOfMovement(ResponseSchema):
    """Where much money came from, or what much was spent on; `share` of the whole, 0 to 1."""

    name: Text = ""
    amount: Amount
    count: int = 0
    share: Amount = Decimal(0)


class Movement(ResponseSchema):
    """Money in and out of all wallets of a currency; transfers and exchanges are on neither side.

    `by_type["FEE"]` is the sum of the fees of these days; `exchange_spread` is no fee, and in neither.
    """

    currency: Currency
    money_in: Amount
    money_out: Amount
    net: Amount
    by_type: dict[str, Amount] = {}
    top_sources: list[TopOfMovement] = []
    top_spends: list[TopOfMovement] = []
    trend: list[MonthOfMovement] = []
    exchange_spread: Amount = Decimal(0)


class Movements(ResponseSchema):
    """One per currency."""

    docs: list[Movement] = []


class Fee(ResponseSchema):
    """What was paid in fees for one type of movement over one channel."""

    type: Text = ""
    channel: Text = ""
    currency: Currency
    amount: Amount
    count: int = 0


def most(months: list[MonthOfMovement]) -> Decimal:
    """The greatest amount among them: what the bars are measured against."""
    return max((max(month.money_in, month.money_out) for month in months), default=Decimal(0))
