"""What the service tells of funds, in the words and figures of the pages; each part fails by itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from babel.numbers import format_decimal
from pydantic import ValidationError

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.subject import Subject
from dashboard.client.page import read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import BadAnswer, FinanceError
from dashboard.mirror.models import FundAccount
from dashboard.money import text, to_minor
from dashboard.schemas.investments import Access, Account, Fund, Movement, Performance, Portfolio
from dashboard.times import as_of
from dashboard.web.charts import Curve, curve_of

LIVE_S = 2.0
WEEK = 7
TYPES = {"MONEY_MARKET": "Money market", "FIXED_INCOME": "Fixed income", "BALANCED": "Balanced"}
STATES = {
    "ACTIVE": ("Active", "ok"),
    "PENDING_OPT_IN": ("Waits for approval", "info"),
    "SUSPENDED": ("Suspended", "warn"),
    "CLOSED": ("Closed", ""),
}
MOVES = {"INVEST": "Invested", "TOP_UP": "Topped up", "WITHDRAW": "Withdrawn", "INTEREST": "Interest"}
MOVE_STATES = {
    "PENDING_APPROVAL": ("Waits for approval", "info"),
    "REQUESTED": ("Asked for", "info"),
    "PROCESSING": ("Under way", "info"),
    "SETTLED": ("Settled", "ok"),
    "FAILED": ("Failed", "bad"),
    "CANCELLED": ("Cancelled", ""),
}


def money(actor: Actor, amount: Decimal, currency: str) -> str:
    """An amount as people read it."""
    return text(to_minor(amount, currency), currency, actor.business.locale)


def percent(bps: int) -> str:
    """Basis points as a percentage: 1275 is 12.75 %."""
    return f"{Decimal(bps) / 100:.2f} %"


def plain(actor: Actor, value: Decimal) -> str:
    """Units or a price, with the digits that say something."""
    return format_decimal(value.normalize(), locale=actor.business.locale, decimal_quantization=False)


@dataclass(frozen=True)
class Held:
    """A currency's portfolio; `put_in` is less what was taken out, and without the interest that became units."""

    currency: str
    value: str
    put_in: str
    gain: str
    cash: str
    curve: Curve | None
    days: list[tuple[str, str]]
    period: str


@dataclass(frozen=True)
class Offer:
    """A fund of the catalogue; `held` is the id of the account that the business has in it."""

    fund: Fund
    kind: str
    annual: str
    least: str
    price: str
    held: str


@dataclass(frozen=True)
class Line:
    """A movement."""

    what: str
    state: tuple[str, str]
    amount: str
    units: str
    day: str


@dataclass(frozen=True)
class Holding:
    """What a fund account holds now."""

    account: Account
    state: tuple[str, str]
    tiles: list[tuple[str, str]]
    moves: list[Line]
    seen: str


def portfolio_of(actor: Actor) -> list[Held]:
    """The portfolio per currency, with the last ninety days."""
    rows = typed(read_page(read_live(actor, operations_extra.READ_PORTFOLIO, deadline=LIVE_S).data).rows, Portfolio)
    found = read_page(read_live(actor, operations_extra.READ_PERFORMANCE, deadline=LIVE_S).data).rows
    over_time = {one.currency: one for one in typed(found, Performance)}
    return [_held(actor, one, over_time.get(one.currency)) for one in rows]


def _held(actor: Actor, one: Portfolio, past: Performance | None) -> Held:
    days = past.days if past else []
    told = [(f"{day.day:%-d %b %Y}", money(actor, day.market_value, one.currency)) for day in reversed(days)]
    period = ""
    if past and past.return_bps is not None and days:
        since = f"{days[0].day:%-d %b %Y}"
        period = f"Gain since {since}: {money(actor, past.gain, one.currency)}, {percent(past.return_bps)}"
    value, put_in, gain, cash = (
        money(actor, amount, one.currency)
        for amount in (one.market_value, one.market_value - one.gain, one.gain, one.cash)
    )
    curve = curve_of([day.market_value for day in days])
    return Held(one.currency, value, put_in, gain, cash, curve, told[::WEEK], period)


def catalogue_of(actor: Actor, held: list[FundAccount]) -> list[Offer]:
    """The funds on offer, open ones first."""
    rows = typed(read_page(read_live(actor, operations_extra.LIST_FUNDS, deadline=LIVE_S).data).rows, Fund)
    by_fund = {account.fund_id: account.remote_id for account in held if account.status != "CLOSED"}
    return [
        Offer(
            fund,
            TYPES.get(fund.type, fund.type),
            percent(fund.annual_yield_bps),
            money(actor, fund.min_initial, fund.currency),
            f"{fund.currency} {plain(actor, fund.unit_price)}",
            by_fund.get(fund.id, ""),
        )
        for fund in sorted(rows, key=lambda one: (one.status != "OPEN", one.name))
    ]


def holding_of(actor: Actor, found: FundAccount) -> Holding:
    """One account with its newest movements; raises the error tree."""
    path = {"fundAccountId": found.remote_id}
    answer = read_live(actor, operations_extra.READ_FUND_ACCOUNT, path=path, subject=found, deadline=LIVE_S)
    try:
        account = Account.model_validate(answer.data)
    except ValidationError:
        raise BadAnswer(code="unreadable", request_id=answer.request_id) from None
    names = (
        ("Current value", account.market_value),
        ("Cost", account.invested),
        ("Cash", account.cash),
    )
    tiles = [(name, money(actor, amount, account.currency)) for name, amount in names]
    tiles += [
        ("Units", plain(actor, account.units)),
        ("Unit price", f"{account.currency} {plain(actor, account.unit_price)}"),
    ]
    if account.held_units:
        tiles.append(("Being redeemed", f"{plain(actor, account.held_units)} units"))
    latest = sorted(account.movements, key=lambda one: one.value_date or date.max, reverse=True)
    moves = [_line(actor, one) for one in latest]
    seen = as_of(answer.as_of, actor.business)
    return Holding(account, STATES.get(account.status, (account.status, "")), tiles, moves, seen)


def _line(actor: Actor, one: Movement) -> Line:
    about = " (estimate)" if one.kind == "WITHDRAW" and one.status not in {"SETTLED", "FAILED", "CANCELLED"} else ""
    return Line(
        MOVES.get(one.kind, one.kind.capitalize()),
        MOVE_STATES.get(one.status, (one.status.capitalize(), "")),
        money(actor, one.amount, one.currency) + about,
        plain(actor, one.units),
        f"{one.value_date:%-d %b %Y}" if one.value_date else "",
    )


def access_of(actor: Actor, found: FundAccount) -> Access | None:
    """What the actor may do with an account and why, as the service says; None where it does not answer."""
    path = {"fundAccountId": found.remote_id}
    own = operations.READ_OWN_FUND_ACCESS
    try:
        return Access.model_validate(read_live(actor, own, path=path, subject=_own(actor, found), deadline=LIVE_S).data)
    except (FinanceError, ValidationError):
        return None


def _own(actor: Actor, found: FundAccount) -> Subject:
    # One asks for one's own access alone, so the row is one's own.
    return Subject(
        business_id=found.business_id, kind="fund_account", id=found.remote_id, title=found.fund_name,
        holder_id=actor.employee_id,
    )  # fmt: skip
