"""What the treasury reads: the wallets that somebody may see, reports and statements live, rates and balances for exchange."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from django.db.models import Case, Count, IntegerField, QuerySet, Value, When
from django.shortcuts import get_object_or_404
from django.utils import timezone
from pydantic import ValidationError

from dashboard import cache, operations
from dashboard.access.actor import Actor
from dashboard.access.check import can, can_open
from dashboard.cash.balances import WalletHolding, holdings_of
from dashboard.client.page import parsed, read_page, typed
from dashboard.client.reads import Ok, ReadCall, read_live, read_together
from dashboard.errors import FinanceError
from dashboard.mirror.models import Wallet
from dashboard.mirror.scopes import visible_wallets
from dashboard.schemas.accounts import BusinessCurrency, Cashflow, Entry
from dashboard.schemas.fx import FxCurrency, Historic, Quote
from dashboard.schemas.transactions import Fee
from dashboard.times import local

LIVE_S = 4.0
STATEMENT_S = 2.0
ENTRIES = 50
RATE_POINTS = 12
CURRENCIES_LAST_S = 600
# A fixing of a past day stays what it was.
FIXING_LASTS_S = 24 * 3600


def wallet_of(actor: Actor, remote_id: str) -> Wallet:
    """The wallet of this id, if the actor may see it; else raises Http404."""
    wallet: Wallet = get_object_or_404(visible_wallets(actor), remote_id=remote_id)
    return wallet


def ordered_wallets(actor: Actor) -> QuerySet[Wallet]:
    """The wallets that the actor may see: by currency, closed ones last, then by name."""
    closed = Case(When(status="CLOSED", then=Value(1)), default=Value(0), output_field=IntegerField())
    return visible_wallets(actor).order_by("currency", closed, "name", "remote_id")


def report_wallet_choices(actor: Actor) -> list[tuple[str, str]]:
    """The wallets to choose a report of: reference and label."""
    wallets = visible_wallets(actor).order_by("currency", "name")
    return [(row.org_wallet_ref, f"{row.name or row.org_wallet_ref} · {row.currency}") for row in wallets]


def read_currencies(actor: Actor) -> tuple[list[BusinessCurrency], datetime]:
    """The currencies of the business by code, and when they were read. Raises the FinanceError tree."""
    answer = read_live(actor, operations.LIST_BUSINESS_CURRENCIES, deadline=LIVE_S)
    return sorted(typed(read_page(answer.data).rows, BusinessCurrency), key=lambda row: row.code), answer.as_of


def wallets_by_currency(actor: Actor) -> dict[str, int]:
    """How many wallets that are not closed the actor sees of each currency."""
    rows = visible_wallets(actor).exclude(status="CLOSED").order_by().values_list("currency")
    return dict(rows.annotate(count=Count("pk")))


# Reports, live. All of them raise the FinanceError tree where the service does not answer.


@dataclass(frozen=True, slots=True)
class StatementPage:
    """A page of a wallet's statement, the newest entry first; how many pages and entries there are; read when."""

    entries: list[Entry]
    pages: int
    total: int
    as_of: datetime


def read_wallet_statement(
    actor: Actor, wallet: Wallet, number: int, first: date | None, last: date | None
) -> StatementPage:
    """One page, by its number from 1, of the entries between two days, either of them left open by None."""
    query: dict[str, str | int] = {"page": number, "limit": ENTRIES}
    query |= {name: day.isoformat() for name, day in (("from", first), ("to", last)) if day}
    answer = read_live(
        actor, operations.LIST_ACCOUNT_TRANSACTIONS, path={"id": wallet.remote_id}, query=query, subject=wallet,
        deadline=STATEMENT_S,
    )  # fmt: skip
    read = read_page(answer.data)
    entries = typed(read.rows, Entry)
    return StatementPage(entries, read.pages or 1, read.total or len(entries), answer.as_of)


def read_cashflow(actor: Actor, query: Mapping[str, str]) -> tuple[list[Cashflow], datetime]:
    """The cashflow of each currency, and when it was read."""
    answer = read_live(actor, operations.READ_CASHFLOW_REPORT, query=query, deadline=LIVE_S)
    return typed(read_page(answer.data).rows, Cashflow), answer.as_of


def read_fees(actor: Actor, query: Mapping[str, str]) -> list[Fee]:
    """What was paid in fees, the greatest of each currency first."""
    answer = read_live(actor, operations.READ_FEES, query=query, deadline=LIVE_S)
    return sorted(typed(read_page(answer.data).rows, Fee), key=lambda fee: (fee.currency, -fee.amount))


# Exchange.


def usual_pair(actor: Actor) -> list[str]:
    """Currencies to exchange between unless others are chosen, at least two: those of the wallets first."""
    currencies = visible_wallets(actor).order_by("currency").values_list("currency", flat=True).distinct()
    own = list(currencies)
    return own if len(own) > 1 else [*own, *(code for code in ("USD", "KES", "EUR") if code not in own)]


def currency_choices(actor: Actor, own: list[str]) -> list[tuple[str, str]]:
    """What can be exchanged: code and label; the `own` codes alone where the service does not answer."""
    name = f"fx:currencies:{actor.business.pk}"
    cached: list[tuple[str, str]] | None = cache.load(name)
    if cached:
        return cached
    try:
        answer = read_live(actor, operations.LIST_FX_CURRENCIES, deadline=LIVE_S)
        choices = [(row.code, f"{row.code} {row.name}") for row in typed(read_page(answer.data).rows, FxCurrency)]
    except FinanceError:
        return [(code, code) for code in own]
    cache.store(name, choices, CURRENCIES_LAST_S)
    return choices


def read_quote(actor: Actor, source: str, target: str, amount: Decimal | None, side: str) -> Quote:
    """A quote of now for an amount in units of the SELL or BUY side. Raises the FinanceError tree."""
    body = {"from": source, "to": target, "amount": amount, "side": side}
    answer = read_live(actor, operations.READ_FX_RATE, body=body, deadline=LIVE_S)
    return parsed(answer.data, Quote)


@dataclass(frozen=True, slots=True)
class Fixings:
    """The mid rate of a pair by the day on which it was fixed, the oldest first; how many days did not answer."""

    rates: dict[date, Decimal]
    missing: int


def read_fixings(actor: Actor, source: str, target: str, span: int) -> Fixings:
    """The fixings on some days of the last `span`, read at once; a past day that was read before is not read again.

    Raises the FinanceError tree where nothing at all could be read.
    """
    today = local(timezone.now(), actor.business).date()
    days = [today - timedelta(days=span * back // RATE_POINTS) for back in range(RATE_POINTS, -1, -1)]
    fixings = {day: cache.load(_fixing_name(actor, source, target, day)) for day in days}
    operation, pair = operations.READ_HISTORIC_FX_RATE, {"from": source, "to": target}
    calls = {
        day.isoformat(): ReadCall(operation, body={**pair, "date": day}, deadline=LIVE_S)
        for day in days
        if fixings[day] is None
    }
    for name, result in read_together(actor, calls).items():
        day = date.fromisoformat(name)
        fixings[day] = _fixing(result.answer.data) if isinstance(result, Ok) else None
        if fixings[day] and day < today:
            cache.store(_fixing_name(actor, source, target, day), fixings[day], FIXING_LASTS_S)
    # A day without a fixing answers with the one before: each fixing once.
    rates = dict(sorted(fixing for fixing in fixings.values() if fixing))
    return Fixings(rates, sum(fixing is None for fixing in fixings.values()))


def _fixing(data: object) -> tuple[date, Decimal] | None:
    try:
        historic = Historic.model_validate(data)
    except ValidationError:
        return None
    return historic.effective_date, historic.mid


def _fixing_name(actor: Actor, source: str, target: str, day: date) -> str:
    return f"fx:fixing:{actor.business.pk}:{source}:{target}:{day}"


def can_transfer(actor: Actor) -> bool:
    """Whether the actor may move money out of any wallet at all: by role, or by a grant on one."""
    return bool(can_open(actor, operations.TRANSFER_FX)) or any(
        can(actor, operations.TRANSFER_FX, wallet) for wallet in visible_wallets(actor)
    )


def both_sides(actor: Actor, source: str, target: str) -> tuple[list[WalletHolding], list[WalletHolding]]:
    """What the wallets hold that may pay in one currency, and those that may receive in the other; read at once.

    Raises the FinanceError tree where nothing could be read.
    """
    active = list(visible_wallets(actor).filter(status="ACTIVE").order_by("name", "remote_id"))
    paying = [wallet for wallet in active if wallet.currency == source and can(actor, operations.TRANSFER_FX, wallet)]
    receiving = [wallet for wallet in active if wallet.currency == target]
    # No wallet is read twice.
    holdings = _holdings_by_id(actor, {wallet.pk: wallet for wallet in (*paying, *receiving)}.values())
    return [holdings[wallet.pk] for wallet in paying], [holdings[wallet.pk] for wallet in receiving]


def _holdings_by_id(actor: Actor, wallets: Iterable[Wallet]) -> dict[int, WalletHolding]:
    return {holding.wallet.pk: holding for holding in holdings_of(actor, wallets)}
