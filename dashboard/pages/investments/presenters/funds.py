"""Funds in the words and figures of the pages: the portfolio, the catalogue, and an account with its movements."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import NotRequired, Required, TypedDict

from babel.numbers import format_decimal
from django import forms

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can, can_open
from dashboard.errors import EntitlementMissing, FinanceError
from dashboard.mirror.models import FundAccount
from dashboard.mirror.scopes import visible_fund_accounts
from dashboard.money import text, to_minor
from dashboard.pages.investments.forms import (
    MovementForm,
    OperatorsForm,
    OptInForm,
    movement_form,
    operators_form,
    withdraw_form,
)
from dashboard.pages.investments.presenters.operators import OperatorRow, seats_of
from dashboard.pages.investments.selectors import (
    current_operators,
    read_access,
    read_account,
    read_funds,
    read_portfolio,
)
from dashboard.schemas.investments import Access, Fund, FundMovement, FundPosition, Performance, Portfolio
from dashboard.times import as_of
from dashboard.web.charts import Chart, balance_chart

TYPES = {"MONEY_MARKET": "Money market", "FIXED_INCOME": "Fixed income", "BALANCED": "Balanced"}
STATES = {
    "ACTIVE": ("Active", "ok"),
    "PENDING_OPT_IN": ("Awaiting approval", "info"),
    "SUSPENDED": ("Suspended", "warn"),
    "CLOSED": ("Closed", ""),
}
MOVEMENTS = {"INVEST": "Invested", "TOP_UP": "Topped up", "WITHDRAW": "Withdrawn", "INTEREST": "Interest"}
MOVEMENT_STATES = {
    "PENDING_APPROVAL": ("Awaiting approval", "info"),
    "REQUESTED": ("Requested", "info"),
    "PROCESSING": ("Processing", "info"),
    "SETTLED": ("Settled", "ok"),
    "FAILED": ("Failed", "bad"),
    "CANCELLED": ("Cancelled", ""),
}


@dataclass(frozen=True, slots=True)
class PortfolioRow:
    """A currency's portfolio; `contributed` is less what was taken out, and without the interest that became units.

    `days` is day and value, the newest first; `period` says in a sentence what was gained in it.
    """

    currency: str
    value: str
    contributed: str
    gain: str
    cash: str
    chart: Chart | None
    days: list[tuple[str, str]]
    period: str


@dataclass(frozen=True, slots=True)
class AccountRow:
    """A fund account of the copy: its state as word and tone, and how many of its operators wait for confirmation."""

    account: FundAccount
    state: tuple[str, str]
    pending: int


@dataclass(frozen=True, slots=True)
class Offer:
    """A fund of the catalogue; `account_id` is the id of the account that the business has in it, or ""."""

    fund: Fund
    kind: str
    annual: str
    least: str
    price: str
    account_id: str


@dataclass(frozen=True, slots=True)
class MovementLine:
    """A movement of a fund account as it is printed: its kind, its state as word and tone, amount, units, and day."""

    kind: str
    state: tuple[str, str]
    amount: str
    units: str
    day: str


@dataclass(frozen=True, slots=True)
class Position:
    """What a fund account holds now: figures with their labels, its movements, the newest first, and as of when."""

    tiles: list[tuple[str, str]]
    movements: list[MovementLine]
    seen: str


def money(actor: Actor, amount: Decimal, currency: str) -> str:
    """Units of a currency as an amount of the business's locale."""
    return text(to_minor(amount, currency), currency, actor.business.locale)


def percent(bps: int) -> str:
    """Basis points as a percentage: 1275 is 12.75 %."""
    return f"{Decimal(bps) / 100:.2f} %"


def plain(actor: Actor, value: Decimal) -> str:
    """Units of a fund or their price, with the digits that say something."""
    return format_decimal(value.normalize(), locale=actor.business.locale, decimal_quantization=False)


def state_of(account: FundAccount) -> tuple[str, str]:
    """The state of a fund account in a word, and the tone of that word."""
    return STATES.get(account.status, (account.status.capitalize(), ""))


class InvestmentsContext(TypedDict, total=False):
    """What the page of the investments reads; `portfolio` and `offers`, `unentitled`, or `failed`, for who may see it."""

    accounts: Required[list[AccountRow]]
    opt_in: Required[Verdict]
    form: Required[OptInForm]
    portfolio: list[PortfolioRow]
    offers: list[Offer]
    unentitled: bool
    failed: str


class AccountContext(TypedDict):
    """What the page of a fund account reads: `position` or `failed`; `refused` is the form that was, `version` that of the
    seats, and `movement_forms` the name, title and form of each movement that the actor may make."""

    account: FundAccount
    state: tuple[str, str]
    refused: forms.Form | None
    position: NotRequired[Position]
    failed: NotRequired[str]
    access: Access | None
    seats: list[OperatorRow]
    version: int | None
    operators_form: OperatorsForm | None
    movement_forms: list[tuple[str, str, forms.Form]]


def investments_context(actor: Actor, form: OptInForm) -> InvestmentsContext:
    """The fund accounts of the copy, and for who may see it the portfolio and the funds on offer, read now."""
    accounts = list(visible_fund_accounts(actor).order_by("fund_name", "pk"))
    context: InvestmentsContext = {
        "accounts": [
            AccountRow(row, state_of(row), sum(bool(seat.get("waits")) for seat in row.operators)) for row in accounts
        ],
        "opt_in": can_open(actor, operations.OPT_IN_TO_FUND),
        "form": form,
    }
    if not can_open(actor, operations_extra.READ_PORTFOLIO):
        return context
    try:
        portfolio = [_portfolio_row(actor, row, past) for row, past in read_portfolio(actor)]
        context["portfolio"], context["offers"] = portfolio, _offers(actor, accounts)
    except EntitlementMissing:
        context["unentitled"] = True
    except FinanceError as error:
        context["failed"] = error.user_message
    return context


def _portfolio_row(actor: Actor, row: Portfolio, past: Performance | None) -> PortfolioRow:
    days = past.days if past else []
    values = [(f"{day.day:%-d %b %Y}", money(actor, day.market_value, row.currency)) for day in reversed(days)]
    period = ""
    if past and past.return_bps is not None and days:
        since = f"{days[0].day:%-d %b %Y}"
        period = f"Gain since {since}: {money(actor, past.gain, row.currency)}, {percent(past.return_bps)}"
    value, contributed, gain, cash = (
        money(actor, amount, row.currency)
        for amount in (row.market_value, row.market_value - row.gain, row.gain, row.cash)
    )
    names = [f"{day.day:%-d %b %Y}" for day in days]
    minors = [to_minor(day.market_value, row.currency) for day in days]
    chart = balance_chart("Value", names, minors, row.currency, actor.business.locale)
    return PortfolioRow(row.currency, value, contributed, gain, cash, chart, values, period)


def _offers(actor: Actor, accounts: list[FundAccount]) -> list[Offer]:
    by_fund = {account.fund_id: account.remote_id for account in accounts if account.status != "CLOSED"}
    return [
        Offer(
            fund,
            TYPES.get(fund.type, fund.type),
            percent(fund.annual_yield_bps),
            money(actor, fund.min_initial, fund.currency),
            f"{fund.currency} {plain(actor, fund.unit_price)}",
            by_fund.get(fund.id, ""),
        )
        for fund in read_funds(actor)
    ]


def account_context(
    actor: Actor, account: FundAccount, movements: Mapping[str, MovementForm], operators: OperatorsForm | None = None
) -> AccountContext:
    """The page of a fund account, with the form that was refused in place of a fresh one: of a movement ("top_up", "invest" or
    "withdraw", as it was named in `movements`), or that of the operators."""
    access, now, position, failure = None, None, None, ""
    try:
        position = _position(actor, *read_account(actor, account))
    except FinanceError as error:
        # Nothing else is waited for then.
        failure = error.user_message
    else:
        access, now = read_access(actor, account), current_operators(actor, account)
    context: AccountContext = {
        "account": account,
        "state": state_of(account),
        # The one that was refused, for its wrong field has the focus.
        "refused": next(iter(movements.values()), operators),
        "access": access,
        "seats": seats_of(actor, account, now),
        "version": now.version if now else None,
        "operators_form": operators or operators_form(actor, account, now),
        "movement_forms": _movement_forms(actor, account, access, movements),
    }
    if position is None:
        context["failed"] = failure
    else:
        context["position"] = position
    return context


def _position(actor: Actor, position: FundPosition, moment: datetime) -> Position:
    amounts = (("Current value", position.market_value), ("Cost", position.invested), ("Cash", position.cash))
    tiles = [(name, money(actor, amount, position.currency)) for name, amount in amounts]
    tiles += [
        ("Units", plain(actor, position.units)),
        ("Unit price", f"{position.currency} {plain(actor, position.unit_price)}"),
    ]
    if position.held_units:
        tiles.append(("Being redeemed", f"{plain(actor, position.held_units)} units"))
    newest = sorted(position.movements, key=lambda row: row.value_date or date.max, reverse=True)
    return Position(tiles, [_line(actor, row) for row in newest], as_of(moment, actor.business))


def _line(actor: Actor, row: FundMovement) -> MovementLine:
    about = " (estimate)" if row.kind == "WITHDRAW" and row.status not in {"SETTLED", "FAILED", "CANCELLED"} else ""
    return MovementLine(
        MOVEMENTS.get(row.kind, row.kind.capitalize()),
        MOVEMENT_STATES.get(row.status, (row.status.capitalize(), "")),
        money(actor, row.amount, row.currency) + about,
        plain(actor, row.units),
        f"{row.value_date:%-d %b %Y}" if row.value_date else "",
    )


def _movement_forms(
    actor: Actor, account: FundAccount, access: Access | None, refused: Mapping[str, MovementForm]
) -> list[tuple[str, str, forms.Form]]:
    """The forms that the actor may use: by the gate, and where the service answers by what it says of them."""
    if account.status != "ACTIVE" or not can(actor, operations.INVEST, account):
        return []
    rows: list[tuple[str, str, forms.Form]] = []
    if access is None or access.can_invest:
        rows.append(("top_up", "Top up its wallet", refused.get("top_up") or movement_form(actor, account)))
        rows.append(("invest", "Invest", refused.get("invest") or movement_form(actor, account, any_wallet=True)))
    if access is None or access.can_withdraw:
        rows.append(("withdraw", "Withdraw", refused.get("withdraw") or withdraw_form(actor, account)))
    return rows
