"""Investments on the wire: the bodies that are taken and the answers that are given (decisions B.19)."""

from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from ninja import Schema
from pydantic import ConfigDict, Field, model_validator

from service import inputs
from service.pagination import Envelope
from service.text import ObjectId, Reason, Text, WalletRef


class OptInBody(Schema):
    """The fund that the business wants to invest in, and a note for those who vote."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"fund_id": "0192f0c0ffee000012345678", "note": "Reserves"}]}
    )

    fund_id: ObjectId
    note: Text = ""


class TopUpBody(Schema):
    """From a wallet of the business to the account's investment wallet."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"amount": 250000, "org_wallet_ref": "1"}]}
    )

    amount: inputs.Number = Field(gt=0, max_digits=18)
    org_wallet_ref: WalletRef


class InvestBody(Schema):
    """Out of the investment wallet, or of the wallet that is named."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"amount": 250000}]})

    amount: inputs.Number = Field(gt=0, max_digits=18)
    org_wallet_ref: WalletRef | None = None


class WithdrawBody(Schema):
    """An amount at today's price, or so many units, or all; into the investment wallet, or the one that is named."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"amount": 100000, "org_wallet_ref": "1"}]}
    )

    amount: inputs.Number | None = Field(None, gt=0, max_digits=18)
    units: inputs.Number | None = Field(None, gt=0, max_digits=20, decimal_places=8)
    all: bool = False
    org_wallet_ref: WalletRef | None = None

    @model_validator(mode="after")
    def check_single_measure(self) -> "WithdrawBody":
        """Refuses anything but exactly one of the three measures: an amount, units, or all."""
        if sum((self.amount is not None, self.units is not None, self.all)) != 1:
            raise ValueError("Name an amount, a number of units, or all.")
        return self


class OperatorIn(Schema):
    """Who may move money of a fund account, and in which direction."""

    model_config = ConfigDict(extra="forbid")

    employee_id: ObjectId
    can_invest: bool = True
    can_withdraw: bool = True


class OperatorsBody(Schema):
    """All who may move money of a fund account; whoever is not among them may not any more."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"operators": [{"employee_id": "0192f0c0ffee000012345678"}]}]}
    )

    operators: list[OperatorIn] = Field(max_length=50)


class OptInRejection(Schema):
    """Why a request to invest in a fund is rejected."""

    model_config = ConfigDict(extra="forbid")

    reason: Reason


class FundOut(Schema):
    """A fund of the catalogue, with price, yield and terms."""

    id: str = Field(alias="_id")
    code: str
    name: str
    manager: str
    currency: str
    type: Literal["MONEY_MARKET", "FIXED_INCOME", "BALANCED"]
    annual_yield_bps: int
    yield_as_of: date
    min_initial: Decimal
    min_topup: Decimal
    min_withdrawal: Decimal
    notice_days: int
    unit_price: Decimal
    price_as_of: date
    status: Literal["OPEN", "CLOSED"]


class FundList(Schema):
    """The funds of the catalogue."""

    docs: list[FundOut]
    total: int


class FundMovementOut(Schema):
    """A movement of a fund account. A withdrawal's amount is an estimate until it is SETTLED."""

    id: str = Field(alias="_id")
    ref: str
    fund_account_id: str
    kind: Literal["INVEST", "TOP_UP", "WITHDRAW", "INTEREST"]
    status: Literal["PENDING_APPROVAL", "REQUESTED", "PROCESSING", "SETTLED", "FAILED", "CANCELLED"]
    amount: Decimal
    amount_minor: int
    currency: str
    units: Decimal
    price: Decimal | None
    org_wallet_ref: str | None
    value_date: date
    requested_by: str
    failure_code: str | None
    ledger_transaction_id: int | None
    version: int
    createdAt: datetime  # noqa: N815  the published spelling
    updatedAt: datetime  # noqa: N815


class FundAccountOut(Schema):
    """What the business has in a fund. `invested` is what was paid for the units; `accrued` is not paid in units yet."""

    id: str = Field(alias="_id")
    fund_id: str
    fund_code: str
    fund_name: str
    status: Literal["PENDING_OPT_IN", "ACTIVE", "SUSPENDED", "CLOSED"]
    currency: str
    units: Decimal
    held_units: Decimal
    unit_price: Decimal
    invested: Decimal
    accrued: Decimal
    market_value: Decimal
    cash: Decimal
    as_of: datetime
    version: int
    createdAt: datetime  # noqa: N815
    updatedAt: datetime  # noqa: N815


class FundAccountDetail(FundAccountOut):
    """An account at a fund with its movements."""

    movements: list[FundMovementOut]


class FundAccountPage(Envelope):
    """A page of the accounts at funds."""

    docs: list[FundAccountOut]


class OptInOut(Schema):
    """A wish to hold a fund, with the votes that its mandate asks for, if one applies."""

    ref: str
    fund_account_id: str
    fund_id: str
    fund_name: str
    status: Literal["PENDING", "APPROVED", "REJECTED", "EXPIRED"]
    note: str
    requested_by: str
    approval_id: str | None
    approvals_required: int
    approvals_given: int
    decided_by: str | None
    decided_at: datetime | None
    expires_at: datetime
    version: int
    createdAt: datetime  # noqa: N815
    updatedAt: datetime  # noqa: N815


class OperatorOut(Schema):
    """An operator with the rights that were named. PENDING while another admin is to confirm some of them; what counts
    now is in `may_invest` and `may_withdraw`."""

    employee_id: str
    name: str
    can_invest: bool
    can_withdraw: bool
    status: Literal["PENDING", "ACTIVE"]
    may_invest: bool
    may_withdraw: bool
    named_by: str | None
    named_at: datetime | None
    confirmed_by: str | None
    confirmed_at: datetime | None


class OperatorsOut(Schema):
    """The operators of an account; `version` goes into If-Match when they are replaced."""

    fund_account_id: str
    version: int
    operators: list[OperatorOut]


class AccessOut(Schema):
    """What the current employee may do with a fund account, and why."""

    employee_id: str
    can_view: bool
    can_invest: bool
    can_withdraw: bool
    source: Literal["ROLE", "OPERATOR", "NONE"]
    reason: str


class FundHolding(Schema):
    """What an account at a fund is worth now, and which share of the portfolio that is."""

    fund_account_id: str
    fund_id: str
    fund_name: str
    market_value: Decimal
    share: Decimal = Field(description="Of what is held in this currency, 0 to 1.")


class PortfolioOut(Schema):
    """Everything held in a currency. gain = market value - invested + interest that was paid in units."""

    currency: str
    invested: Decimal
    accrued: Decimal
    market_value: Decimal
    gain: Decimal
    cash: Decimal
    holdings: list[FundHolding]


class PortfolioList(Schema):
    """What is invested, a portfolio per currency, valued at `as_of`."""

    docs: list[PortfolioOut]
    total: int
    as_of: datetime


class DayOfPerformance(Schema):
    """What was invested and what it was worth at the end of a day; `gain` is the difference."""

    day: date
    invested: Decimal
    market_value: Decimal
    gain: Decimal


class PerformanceOut(Schema):
    """The value at the end of each day, and what the period brought: flows in and out of the funds taken away."""

    currency: str
    gain: Decimal
    return_bps: int | None
    days: list[DayOfPerformance]


class PerformanceList(Schema):
    """How investments did between two days, per currency."""

    docs: list[PerformanceOut]
    total: int
    from_: date = Field(alias="from")
    to: date
