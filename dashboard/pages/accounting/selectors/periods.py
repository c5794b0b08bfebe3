"""The periods, live, and what stands in the way of closing one: each a query of a list of the dashboard, counted by that
list itself, so that its page shows as many."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from urllib.parse import urlencode

from django.urls import reverse

from dashboard import operations_accounting
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.client.page import Page, every_row, parsed, read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError, NotFound
from dashboard.lists.registry import find
from dashboard.lists.totals import totals_of
from dashboard.mirror.models import Employee
from dashboard.mirror.schedule import has_run
from dashboard.mirror.scopes import visible_wallets
from dashboard.schemas.accounting import AccountingPeriod, LateTransaction, PeriodWallet
from dashboard.schemas.reconciliation import BankLine, BankStatement

LIVE_S = 4.0
# The proof of each wallet's statement adds up all of its entries.
WALLETS_S = 10.0
PAGE_SIZE = 50
# The service gives no more rows on a page.
LARGEST_PAGE = 1000
# How far around a period its statements are read: what joins two of them may lie outside it.
DAYS_AROUND = timedelta(days=62)
# What reads the lists that are counted from their beginning.
WHOLE_BANDS = ("cold", "transactions_whole", "payouts", "bills_whole")


@dataclass(frozen=True, slots=True)
class OpenItem:
    """Something to clear before a period is closed: what, how much, and where exactly those rows are.

    `count` is None where it is not known now. `more` says that there are more than `count`; `is_usual` that it may well be
    there, and nobody is asked to accept it; `lacks` what is missing where there is nothing to count: a wallet's statement.
    """

    title: str
    count: int | None
    address: str
    sums: tuple[str, ...] = ()
    more: bool = False
    is_usual: bool = False
    lacks: str = ""


REVIEW = "Expenses to review"
# What, the list, and its query; {month} is the period, {last} its last day. What was posted counts in the month of its posting, as
# the books have it, and what is to be paid in every month until it is.
COUNTED: tuple[tuple[str, str, Mapping[str, str]], ...] = (
    (REVIEW, "expenses", {"missing": "decision", "period": "{month}"}),
    ("Required receipts missing", "expenses", {"missing": "receipt", "period": "{month}"}),
    ("Transactions without a category", "transactions", {"uncategorised": "1", "period": "{month}"}),
    ("Transactions not posted", "transactions", {"status": "PENDING", "period": "{month}"}),
    ("Transactions approved, not posted", "transactions", {"status": "APPROVED", "period": "{month}"}),
    ("Payouts not finished", "payouts", {"status": "OPEN", "until": "{last}"}),
    ("Bills due and not paid", "bills", {"until": "{last}"}),
)


def periods_of(actor: Actor) -> list[AccountingPeriod]:
    """All months from the first posting to now, the newest first. Raises the FinanceError tree."""
    return typed(
        read_page(read_live(actor, operations_accounting.LIST_PERIODS, deadline=LIVE_S).data).rows, AccountingPeriod
    )


def period_of(actor: Actor, name: str) -> AccountingPeriod:
    """One month by its name, "2026-10"; NotFound, and the rest of the FinanceError tree."""
    answer = read_live(actor, operations_accounting.READ_PERIOD, path={"period": name}, deadline=LIVE_S)
    return parsed(answer.data, AccountingPeriod)


def days_of_month(name: str) -> tuple[date, date]:
    """The first and the last day of a month by its name, "2026-10"; NotFound for what is no month."""
    try:
        first = date.fromisoformat(f"{name}-01")
        after = (first + timedelta(days=31)).replace(day=1)
    except (ValueError, OverflowError):
        raise NotFound("There is no such period.", code="not_found") from None
    return first, after - timedelta(days=1)


def counted_items(actor: Actor, period: AccountingPeriod) -> list[OpenItem]:
    """What the lists of the dashboard count in a period, without the lists that the actor does not open."""
    days = {"month": period.period, "last": period.last.isoformat()}
    items = (_counted(actor, title, name, query, days) for title, name, query in COUNTED)
    return [item for item in items if item is not None]


def is_complete(actor: Actor) -> bool:
    """Whether everything that is counted has been read whole once: before that a nought says nothing."""
    return all(has_run(actor.business, band) for band in WHOLE_BANDS)


def _counted(actor: Actor, title: str, name: str, query: Mapping[str, str], days: Mapping[str, str]) -> OpenItem | None:
    listed = find(name)
    if listed is None or not can_open(actor, listed.opens):
        return None
    item_query = urlencode({key: value.format(**days) for key, value in query.items()})
    totals = totals_of(actor, listed.parse(item_query), listed.noun)
    address = f"{reverse(listed.address, args=[actor.business.slug])}?{item_query}"
    return OpenItem(title, totals.count, address, tuple(totals.sums), totals.more)


def late_of(
    actor: Actor, name: str, number: int, cursor: str = "", size: int = PAGE_SIZE
) -> tuple[list[LateTransaction], Page]:
    """A page of what was posted in a month though its own day lies before it, the newest first: behind the cursor, by its
    number where there is none."""
    query: dict[str, str | int] = {"page": number, "limit": size, **({"cursor": cursor} if cursor else {})}
    answer = read_live(
        actor, operations_accounting.LIST_LATE_TRANSACTIONS, path={"period": name}, query=query, deadline=LIVE_S
    )
    page = read_page(answer.data)
    return typed(page.rows, LateTransaction), page


def late_count(actor: Actor, period: AccountingPeriod) -> int | None:
    """How much was posted in a month though its own day lies before; None where the service does not answer."""
    try:
        return late_of(actor, period.period, 1, size=1)[1].total
    except FinanceError:
        return None


def unmatched_lines(
    actor: Actor, period: AccountingPeriod, number: int, cursor: str = ""
) -> tuple[list[BankLine], Page]:
    """A page of the bank lines of a month that no entry of the ledger belongs to, the newest first: behind the cursor, by its
    number where there is none."""
    query: dict[str, str | int] = {
        "status": "UNMATCHED", "from": period.first.isoformat(), "to": period.last.isoformat(),
        "page": number, "limit": PAGE_SIZE, **({"cursor": cursor} if cursor else {}),
    }  # fmt: skip
    page = read_page(read_live(actor, operations_accounting.LIST_BANK_LINES, query=query, deadline=LIVE_S).data)
    return typed(page.rows, BankLine), page


def bank_items(actor: Actor, period: AccountingPeriod) -> list[OpenItem]:
    """The unmatched bank lines of a period, by their wallet: each leads to its desk, which shows just these rows. Those of a
    wallet that the copy does not hold lead to the list of the period's lines, as all do where none is unmatched."""
    title, slug = "Bank lines unmatched", actor.business.slug
    lines = reverse("accounting_bank_lines", args=[slug, period.period])
    if not period.unmatched_by_wallet or not can_open(actor, operations_accounting.LIST_BANK_SUGGESTIONS):
        return [OpenItem(title, period.unmatched_lines, lines)]
    wallets = {row.org_wallet_ref: row for row in visible_wallets(actor)}
    days = urlencode({"since": period.first.isoformat(), "until": period.last.isoformat()})
    items = []
    for part in period.unmatched_by_wallet:
        wallet = wallets.get(part.org_wallet_ref)
        name = (wallet.name if wallet else "") or part.org_wallet_ref
        address = f"{reverse('reconciliation_wallet', args=[slug, wallet.remote_id])}?{days}" if wallet else lines
        items.append(OpenItem(f"{title}, {name}", part.count, address))
    return items


def uncovered_items(actor: Actor, period: AccountingPeriod) -> list[OpenItem]:
    """The wallets of which the bank's statements leave out days of the period: what is not matched of those days nobody
    knows, so that a nought says nothing. Each leads to its desk."""
    if not can_open(actor, operations_accounting.LIST_BANK_SUGGESTIONS):
        return []
    title = "Bank statements"

    def fetch(number: int, size: int) -> Page:
        query: dict[str, str | int] = {
            "from": (period.first - DAYS_AROUND).isoformat(), "to": (period.last + DAYS_AROUND).isoformat(),
            "page": number, "limit": size,
        }  # fmt: skip
        return read_page(
            read_live(actor, operations_accounting.LIST_BANK_STATEMENTS, query=query, deadline=LIVE_S).data
        )

    try:
        statements = typed(every_row(fetch, size=LARGEST_PAGE), BankStatement)
    except FinanceError:
        return [OpenItem(title, None, reverse("reconciliation", args=[actor.business.slug]))]
    covered, items = covered_days(statements), []
    for wallet in visible_wallets(actor).filter(status="ACTIVE").order_by("currency", "name", "org_wallet_ref"):
        gap = uncovered(period.first, period.last, covered.get(wallet.org_wallet_ref, ()))
        if gap:
            address = reverse("reconciliation_wallet", args=[actor.business.slug, wallet.remote_id])
            name = f"{title}, {wallet.name or wallet.org_wallet_ref}"
            items.append(OpenItem(name, None, address, lacks=f"No line or balance of {gap}"))
    return items


def wallet_items(actor: Actor, period: AccountingPeriod) -> list[OpenItem]:
    """Of the wallets with statements: entries of the period that no bank line belongs to, each item leading to a desk that shows
    just these, and a last statement that is not proven, leading to its proof."""
    if not can_open(actor, operations_accounting.LIST_BANK_SUGGESTIONS):
        return []
    entries, unproven, slug = "Unmatched entries", "Statement not proven", actor.business.slug
    path, desks = {"period": period.period}, reverse("reconciliation", args=[slug])
    try:
        answer = read_live(actor, operations_accounting.LIST_PERIOD_WALLETS, path=path, deadline=WALLETS_S)
    except FinanceError:
        return [OpenItem(f"{entries}, statements not proven", None, desks)]
    days = urlencode({"since": period.first.isoformat(), "until": period.last.isoformat()})
    wallets = {row.org_wallet_ref: row for row in visible_wallets(actor)}
    items = []
    for part in typed(read_page(answer.data).rows, PeriodWallet):
        wallet = wallets.get(part.org_wallet_ref)
        name = (wallet.name if wallet else "") or part.org_wallet_ref
        desk = reverse("reconciliation_wallet", args=[slug, wallet.remote_id]) if wallet else desks
        if part.unmatched_entries:
            items.append(OpenItem(f"{entries}, {name}", part.unmatched_entries, f"{desk}?{days}#entries"))
        if part.statement_id and not part.proven:
            address = f"{desk}?{urlencode({'statement': part.statement_id})}#proof"
            items.append(OpenItem(f"{unproven}, {name}", 1, address))
    return items


def covered_days(statements: Iterable[BankStatement]) -> dict[str, list[tuple[date, date]]]:
    """The first and last days that statements speak of, by wallet. Files that begin with their first line say nothing of the
    days before it: where one opens with what the one before closed with, nothing was booked between them."""
    covered: dict[str, list[tuple[date, date]]] = {}
    before: dict[str, BankStatement] = {}
    for row in sorted(statements, key=lambda row: (row.last, row.first)):
        last = before.get(row.org_wallet_ref)
        joins = last is not None and last.closing_minor is not None and last.closing_minor == row.opening_minor
        first = min(row.first, last.last) if last is not None and joins else row.first
        covered.setdefault(row.org_wallet_ref, []).append((first, row.last))
        before[row.org_wallet_ref] = row
    return covered


def uncovered(first: date, last: date, spans: Iterable[tuple[date, date]]) -> str:
    """The days from `first` to `last` that lie in none of the spans: "1 – 31 Oct 2026", "3 – 4, 9 Oct 2026"; "" for none."""
    gaps, on = [], first
    for begin, end in sorted(spans):
        if begin > last or end < on:
            continue
        if begin > on:
            gaps.append((on, begin - timedelta(days=1)))
        on = max(on, end + timedelta(days=1))
    if on <= last:
        gaps.append((on, last))
    texts = [str(begin.day) if begin == end else f"{begin.day} – {end.day}" for begin, end in gaps]
    return f"{', '.join(texts)} {last:%b %Y}" if texts else ""


def names_of(actor: Actor, ids: set[str]) -> dict[str, str]:
    """The names of employees by their id, of those that the copy knows."""
    rows = Employee.objects.filter(business=actor.business, remote_id__in=ids)
    return dict(rows.values_list("remote_id", "name"))
