"""Investments (decisions B.19): funds, accounts, movements, access; units and prices are decimals, money in units."""

from datetime import date, datetime
from decimal import Decimal
from typing import TypedDict

from dashboard.schemas.base import Amount, Currency, Id, RequestSchema, ResponseSchema, Text

Day = date  # where a field is called day


class OptInBody(RequestSchema):
    """The body that asks to hold a fund, with a reason for whoever approves it."""

    fund_id: str
    note: str = ""


class TopUpBody(RequestSchema):
    """From a wallet of the business into the account's investment wallet."""

    amount: Decimal
    org_wallet_ref: str


class InvestBody(RequestSchema):
    """Out of the investment wallet, or of the wallet that is named."""

    amount: Decimal
    org_wallet_ref: str | None = None


class WithdrawBody(RequestSchema):
    """An amount at today's price, so many units, or all; into the investment wallet, or the one that is named."""

    amount: Decimal | None = None
    units: Decimal | None = None
    all: bool | None = None
    org_wallet_ref: str | None = None


class OperatorSeat(RequestSchema):
    """Somebody who may move the money of a fund account."""

    employee_id: str
    can_invest: bool
    can_withdraw: bool


class OperatorsBody(RequestSchema):
    """The body that replaces the operators of a fund account: the whole new set."""

    operators: list[OperatorSeat]


class Operator(ResponseSchema):
    """Somebody who was named an operator. Our own service says beside the published fields what counts by now.

    `may_invest` and `may_withdraw` are what another admin has confirmed; None where a service does not tell, and then
    what was named counts. `status` is PENDING while something of it waits.
    """

    employee_id: Id
    name: Text = ""
    can_invest: bool = False
    can_withdraw: bool = False
    status: Text = ""
    may_invest: bool | None = None
    may_withdraw: bool | None = None
    named_by: Text | None = None
    named_at: datetime | None = None
    confirmed_by: Text | None = None
    confirmed_at: datetime | None = None


class Operators(ResponseSchema):
    """The operators of a fund account, with the version that If-Match names."""

    version: int
    operators: list[Operator] = []


class Fund(ResponseSchema):
    """A fund of the catalogue: amounts and unit price in units of its currency, the yield of a year in basis points."""

    id: Id
    name: Text
    manager: Text = ""
    currency: Currency
    type: Text = ""
    annual_yield_bps: int = 0
    min_initial: Amount
    min_topup: Amount
    min_withdrawal: Amount
    notice_days: int = 0
    unit_price: Amount
    price_as_of: Day | None = None
    status: Text = ""


class FundMovement(ResponseSchema):
    """A movement of a fund account; a withdrawal's amount is an estimate until it is SETTLED."""

    id: Id
    kind: Text = ""
    status: Text = ""
    amount: Amount
    currency: Currency
    units: Amount
    value_date: Day | None = None
    failure_code: Text = ""


class FundPosition(ResponseSchema):
    """What the business has in a fund, now; `cash` is the account's investment wallet."""

    id: Id
    fund_id: Text
    fund_name: Text
    status: Text = ""
    currency: Currency
    units: Amount
    held_units: Amount = Decimal(0)
    unit_price: Amount
    invested: Amount
    accrued: Amount
    market_value: Amount
    cash: Amount
    as_of: datetime | None = None
    movements: list[FundMovement] = []


class Access(ResponseSchema):
    """What a person may do with a fund account, and why."""

    can_view: bool = False
    can_invest: bool = False
    can_withdraw: bool = False
    reason: Text = ""


class Portfolio(ResponseSchema):
    """Everything held in a currency."""

    currency: Currency
    invested: Amount
    market_value: Amount
    gain: Amount
    cash: Amount


class PerformanceDay(ResponseSchema):
    """The value at the end of a day."""

    day: Day
    market_value: Amount


class Performance(ResponseSchema):
    """How the value of a currency came about."""

    currency: Currency
    gain: Amount
    return_bps: int | None = None
    days: list[PerformanceDay] = []


class MovementBody(TypedDict, total=False):
    """The body of TOP_UP_INVESTMENT, INVEST or WITHDRAW_INVESTMENT; a withdrawal names its amount, units, or all."""

    amount: Decimal
    units: Decimal
    all: bool
    org_wallet_ref: str


class OperatorSeatBody(TypedDict):
    """An operator in the body of REPLACE_OPERATORS."""

    employee_id: str
    can_invest: bool
    can_withdraw: bool


class OptInTerms(TypedDict):
    """The body of OPT_IN_TO_FUND; `note` is "" for none."""

    fund_id: str
    note: str
