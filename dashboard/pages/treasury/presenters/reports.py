"""Money in and out as the service reports it: a wallet's statement, cashflow by month, top sources and spends, fees."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TypedDict

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can, can_open
from dashboard.cash.movement import SpendPart, Trend, read_movements, share, trends_in
from dashboard.errors import FinanceError
from dashboard.inputs import page_number
from dashboard.mirror.models import Wallet
from dashboard.money import number, text, to_minor
from dashboard.pages.treasury.selectors import read_cashflow, read_fees, read_wallet_statement
from dashboard.schemas.accounts import Cashflow, MonthOfCash
from dashboard.schemas.transactions import Fee, Movement, TopOfMovement
from dashboard.times import as_of
from dashboard.web.charts import Chart, balance_chart, flow_chart
from dashboard.web.forms import PeriodForm
from dashboard.web.statements import WalletStatementLine, line_of

KINDS = {"EXPENSE": "Spending", "TOPUP": "Top-ups", "IFT": "Own transfers", "REFUND": "Refunds", "FEE": "Fees"}
CHANNELS = {"FX": "FX", "MPESA": "M-Pesa"}


@dataclass(frozen=True, slots=True)
class Statement:
    """A page of a statement: its lines, its number of how many pages, how many entries in all, and as of when."""

    lines: list[WalletStatementLine]
    number: int
    pages: int
    total: int
    seen: str


@dataclass(frozen=True, slots=True)
class CashMonth:
    """A month of the report as it is printed, in the currency that the heading names."""

    name: str
    opening: str
    came_in: str
    went_out: str
    transfers: str
    closing: str


@dataclass(frozen=True, slots=True)
class CashReport:
    """One currency: its months, the oldest first, their sum, and both charts."""

    currency: str
    months: list[CashMonth]
    whole: CashMonth
    flows: Chart
    closing: Chart | None


@dataclass(frozen=True, slots=True)
class CurrencyMovement:
    """One currency's movement in the period: the sums, by kind, where from, what for, and the trend of three months with
    its chart."""

    currency: str
    came_in: str
    went_out: str
    net: str
    kinds: list[tuple[str, str]]
    sources: list[SpendPart]
    spends: list[SpendPart]
    trend: Trend | None
    chart: Chart | None


@dataclass(frozen=True, slots=True)
class FeeRow:
    """Fees of one kind over one channel; the bar, 0 to 100, against the greatest of its currency."""

    kind: str
    channel: str
    currency: str
    amount: str
    count: int
    bar: int


class StatementContext(TypedDict, total=False):
    """What the statement of a wallet reads; which of it there is says `wallet_statement_context`."""

    form: PeriodForm
    statement_hidden: bool
    days: str
    statement: Statement
    failed: str


def wallet_statement_context(actor: Actor, wallet: Wallet, parameters: Mapping[str, str]) -> StatementContext:
    """The context of a wallet's statement by the parameters `first`, `last` and `page` of the address; it fails by itself.

    `form` (PeriodForm), and `statement_hidden` where the actor may not see it; else `days`, the query of the chosen
    days, with `statement` or `failed`, unless the form is wrong.
    """
    form = PeriodForm(parameters)
    context: StatementContext = {"form": form}
    if not can(actor, operations.LIST_ACCOUNT_TRANSACTIONS, wallet):
        return context | {"statement_hidden": True}
    if not form.is_valid():
        return context
    first, last = form.cleaned_data["first"], form.cleaned_data["last"]
    context["days"] = "".join(f"&{name}={day}" for name, day in (("first", first), ("last", last)) if day)
    number = page_number(parameters)
    try:
        read = read_wallet_statement(actor, wallet, number, first, last)
    except FinanceError as error:
        return context | {"failed": error.user_message}
    lines = [line_of(entry, actor.business.locale) for entry in read.entries]
    return context | {"statement": Statement(lines, number, read.pages, read.total, as_of(read.as_of, actor.business))}


class CashflowContext(TypedDict, total=False):
    """What the cashflow reads: a report of each currency and when it was read, or why it failed."""

    reports: list[CashReport]
    seen: str
    failed: str


def cashflow_context(actor: Actor, query: Mapping[str, str]) -> CashflowContext:
    """The context of the cashflow: `reports` (CashReport) of each currency and `seen`, or `failed`."""
    try:
        rows, moment = read_cashflow(actor, query)
    except FinanceError as error:
        return {"failed": error.user_message}
    return {
        "reports": [_report(row, actor.business.locale) for row in rows],
        "seen": as_of(moment, actor.business),
    }


def _report(cashflow: Cashflow, locale: str) -> CashReport:
    def amount(value: Decimal) -> str:
        return number(to_minor(value, cashflow.currency), cashflow.currency, locale)

    def month(name: str, row: Cashflow | MonthOfCash) -> CashMonth:
        return CashMonth(name, *map(amount, (row.opening, row.money_in, row.money_out, row.transfers, row.closing)))

    code, names = cashflow.currency, [_month_name(row.month) for row in cashflow.months]
    flows = [(to_minor(row.money_in, code), to_minor(row.money_out, code)) for row in cashflow.months]
    closings = [to_minor(row.closing, code) for row in cashflow.months]
    return CashReport(
        code,
        [month(name, row) for name, row in zip(names, cashflow.months, strict=True)],
        month("Total", cashflow),
        flow_chart(names, flows, code, locale),
        balance_chart("Closing balance", names, closings, code, locale),
    )


def _month_name(month: str) -> str:
    try:
        return f"{datetime.strptime(month[:7], '%Y-%m'):%b %Y}"  # noqa: DTZ007 - a month has no zone
    except ValueError:
        return month


class MovementContext(TypedDict, total=False):
    """What money movement reads; which of it there is says `movement_context`."""

    movements: list[CurrencyMovement]
    seen: str
    failed: str
    fees: list[FeeRow]
    fee_sums: list[str]
    fees_failed: str


def movement_context(actor: Actor, query: Mapping[str, str]) -> MovementContext:
    """The context of money movement: `movements` (CurrencyMovement) of each currency and `seen`, or `failed`.

    For who may see fees, `fees` (FeeRow) and `fee_sums`, or `fees_failed`: each part fails by itself.
    """
    context: MovementContext = {}
    try:
        movements, moment = read_movements(actor, query)
    except FinanceError as error:
        context["failed"] = error.user_message
    else:
        locale = actor.business.locale
        trends = {trend.currency: trend for trend in trends_in(movements, locale)}
        context["movements"] = [_movement(row, trends.get(row.currency), locale) for row in movements.docs]
        context["seen"] = as_of(moment, actor.business)
    return context | _fees(actor, query) if can_open(actor, operations.READ_FEES) else context


def _movement(movement: Movement, trend: Trend | None, locale: str) -> CurrencyMovement:
    def amount(value: Decimal) -> str:
        return number(to_minor(value, movement.currency), movement.currency, locale)

    def parts(tops: list[TopOfMovement]) -> list[SpendPart]:
        return [SpendPart(top.name or "Unnamed", amount(top.amount), top.count, share(top.share, 1)) for top in tops]

    kinds = [(KINDS.get(name, name.capitalize()), amount(value)) for name, value in movement.by_type.items()]
    if movement.exchange_spread:
        kinds.append(("FX spread", amount(movement.exchange_spread)))
    return CurrencyMovement(
        movement.currency,
        amount(movement.money_in),
        amount(movement.money_out),
        amount(movement.net),
        kinds,
        parts(movement.top_sources),
        parts(movement.top_spends),
        trend,
        flow_chart([month.name for month in trend.months], trend.flows, trend.currency, locale) if trend else None,
    )


def _fees(actor: Actor, query: Mapping[str, str]) -> MovementContext:
    try:
        fees = read_fees(actor, query)
    except FinanceError as error:
        return {"fees_failed": error.user_message}
    top: dict[str, Decimal] = {}
    sums: dict[str, Decimal] = {}
    for fee in fees:
        top[fee.currency] = max(top.get(fee.currency, Decimal(0)), fee.amount)
        sums[fee.currency] = sums.get(fee.currency, Decimal(0)) + fee.amount
    locale = actor.business.locale
    return {
        "fees": [_fee_row(fee, top[fee.currency], locale) for fee in fees],
        "fee_sums": [text(to_minor(value, code), code, locale) for code, value in sums.items()],
    }


def _fee_row(fee: Fee, top: Decimal, locale: str) -> FeeRow:
    return FeeRow(
        KINDS.get(fee.type, fee.type.capitalize()),
        CHANNELS.get(fee.channel, fee.channel.replace("_", " ").capitalize()),
        fee.currency,
        text(to_minor(fee.amount, fee.currency), fee.currency, locale),
        fee.count,
        share(fee.amount, top),
    )
