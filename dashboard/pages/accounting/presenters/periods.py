"""How the periods are shown: their list, and one with what is open in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from django.http import QueryDict
from django.urls import reverse

from dashboard import operations_accounting
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can, can_open
from dashboard.client.page import Page
from dashboard.commands.accounting import period_subject
from dashboard.lists.states import state_in
from dashboard.money import text
from dashboard.pages.accounting.forms import CloseForm, ReopenForm
from dashboard.pages.accounting.selectors.periods import (
    REVIEW,
    OpenItem,
    bank_items,
    counted_items,
    days_of_month,
    is_complete,
    names_of,
    period_of,
    uncovered_items,
    wallet_items,
)
from dashboard.schemas.accounting import AccountingPeriod, AccountLedger, LateTransaction, TrialAccount
from dashboard.schemas.reconciliation import BankLine
from dashboard.times import day, day_and_time, day_text
from dashboard.web.freshness import Freshness, freshness_of
from dashboard.web.submission import new_key

# Pages that are reached by their number, too.
NEAR = 3
STATES = {"OPEN": ("Open", "info"), "CLOSED": ("Closed", "ok")}


@dataclass(frozen=True, slots=True)
class PeriodRow:
    """A period as it is printed: "October 2026", its state, and who changed it last, when and why."""

    name: str
    title: str
    state: tuple[str, str]
    closed: bool
    changed: str
    reason: str


class PeriodsContext(TypedDict):
    """What accounting/periods.html reads; `problem` says why the service did not answer."""

    rows: list[PeriodRow]
    problem: str


class PeriodContext(TypedDict):
    """What accounting/period.html reads: `late` says how much arrived
    late, None where that is not known; `incomplete` that the copy has not been read whole yet. There are forms where the actor
    may do it, else `refused` says why not."""

    period: PeriodRow
    items: list[OpenItem]
    late: int | None
    fresh: Freshness
    incomplete: bool
    key: str
    refused: str
    close_form: NotRequired[CloseForm]
    reopen_form: NotRequired[ReopenForm]


@dataclass(frozen=True, slots=True)
class LateRow:
    """A late transaction as it is printed."""

    row: LateTransaction
    happened: str
    posted: str
    amount: str


class PagedContext(TypedDict):
    """A page of rows read live: how many there are in all, and whether more follow."""

    period: PeriodRow
    total: int
    number: int
    before: int
    cursor: str
    has_more: bool


class LateContext(PagedContext):
    """What accounting/late.html reads."""

    rows: list[LateRow]


class BankLinesContext(PagedContext):
    """What accounting/bank_lines.html reads: each line with its day and amount."""

    rows: list[tuple[BankLine, str, str]]


def period_title(period: AccountingPeriod) -> str:
    """The month of a period as a title: "October 2026"."""
    return f"{period.first:%B %Y}"


def period_row(actor: Actor, period: AccountingPeriod, names: Mapping[str, str]) -> PeriodRow:
    """A period as it is printed; `names` are those of employees by id."""
    changed = ""
    if period.changed_at:
        who = names.get(period.changed_by, "the finance service")
        did = "Closed" if period.status == "CLOSED" else "Reopened"
        changed = f"{did} by {who}, {day_and_time(period.changed_at, actor.business)}"
    return PeriodRow(
        period.period, period_title(period), state_in(STATES, period.status), period.status == "CLOSED", changed,
        period.reason,
    )  # fmt: skip


def periods_context(actor: Actor, periods: Sequence[AccountingPeriod], problem: str) -> PeriodsContext:
    """All periods, the newest first."""
    names = names_of(actor, {period.changed_by for period in periods})
    return {"rows": [period_row(actor, period, names) for period in periods], "problem": problem}


def row_of(actor: Actor, period: AccountingPeriod) -> PeriodRow:
    """One period as it is printed."""
    return period_row(actor, period, names_of(actor, {period.changed_by}))


def month_row(actor: Actor, name: str, ledger: AccountLedger | None) -> PeriodRow:
    """The month of an account's page, as that says it stands: without who changed it, which only the checklist shows. Where nothing
    was ever posted the service is asked for the month alone."""
    if ledger is None:
        return row_of(actor, period_of(actor, name))
    first, _ = days_of_month(name)
    return PeriodRow(name, f"{first:%B %Y}", state_in(STATES, ledger.status), ledger.status == "CLOSED", "", "")


def open_count(items: Sequence[OpenItem]) -> int:
    """How much of a checklist has to be accepted by whoever closes the period nonetheless; what is not known counts as one."""
    return sum(1 if item.count is None else item.count for item in items if not item.is_usual)


def open_text(items: Sequence[OpenItem]) -> str:
    """What has to be accepted, in words: "Expenses to review: 3; Bank statements, Main: No line or balance of 1 – 31 Oct 2026";
    "" for nothing."""
    return "; ".join(f"{item.title}: {_left_open(item)}" for item in items if item.count != 0 and not item.is_usual)


def _left_open(open_item: OpenItem) -> str:
    if open_item.count is None:
        return open_item.lacks or "not known"
    return f"more than {open_item.count}" if open_item.more else str(open_item.count)


def checklist(actor: Actor, period: AccountingPeriod, fx_accounts: Sequence[TrialAccount] | None) -> list[OpenItem]:
    """Everything to clear before the period is closed, each with where its rows are; `fx_accounts` are those that FX left
    something on, None where that is not known."""
    place = [actor.business.slug, period.period]
    fx = OpenItem(
        "FX clearing accounts with a balance",
        None if fx_accounts is None else len(fx_accounts),
        f"{reverse('accounting_trial_balance', args=place)}?show=fx",
        tuple(text(row.closing_minor, row.currency, actor.business.locale) for row in fx_accounts or ()),
        is_usual=True,
    )
    return [*accepted_items(actor, period), fx]


def accepted_items(actor: Actor, period: AccountingPeriod) -> list[OpenItem]:
    """What of a checklist has to be accepted where it is still open."""
    counted = counted_items(actor, period)
    beyond = _not_listed(actor, period, counted)
    of_banks = [*bank_items(actor, period), *wallet_items(actor, period), *uncovered_items(actor, period)]
    return [*counted, *beyond, *of_banks]


def _not_listed(actor: Actor, period: AccountingPeriod, counted: Sequence[OpenItem]) -> list[OpenItem]:
    """What the service counts as undecided beyond what the list does, which counts by the same days; none where it counts no
    more than this."""
    listed = next((item for item in counted if item.title == REVIEW), None)
    if listed and listed.more:
        return []
    more = period.undecided_expenses - (listed.count or 0 if listed else 0)
    if more <= 0:
        return []
    late = reverse("accounting_late", args=[actor.business.slug, period.period])
    return [OpenItem("More expenses to review: not in the copy yet", more, listed.address if listed else late)]


def period_context(
    actor: Actor, period: AccountingPeriod, fx_accounts: Sequence[TrialAccount] | None, late: int | None
) -> PeriodContext:
    """One period with its checklist, and what the actor may do with it."""
    items = checklist(actor, period, fx_accounts)
    context: PeriodContext = {
        "period": row_of(actor, period),
        "items": items,
        "late": late,
        "fresh": freshness_of(actor.business),
        "incomplete": not is_complete(actor),
        "key": new_key(),
        "refused": "",
    }
    is_closed = period.status == "CLOSED"
    verdict = _may_reopen(actor, period) if is_closed else can_open(actor, operations_accounting.CLOSE_PERIOD)
    if not verdict:
        context["refused"] = verdict.reason
    elif is_closed:
        context["reopen_form"] = ReopenForm()
    else:
        context["close_form"] = CloseForm(open_items=open_count(items), figures=open_text(items))
    return context


def posted_close(actor: Actor, period: AccountingPeriod, posted: QueryDict) -> CloseForm:
    """The form to close a period as it was sent, beside what is open now. One that is sent again after its answer was lost
    finds the period closed: what it accepted was accepted then."""
    items = accepted_items(actor, period)
    is_again = period.status == "CLOSED"
    return CloseForm(posted, open_items=open_count(items), figures=open_text(items), is_again=is_again)


def _may_reopen(actor: Actor, period: AccountingPeriod) -> Verdict:
    return can(actor, operations_accounting.REOPEN_PERIOD, period_subject(actor, period))


def late_context(actor: Actor, period: AccountingPeriod, rows: Sequence[LateTransaction], on_page: Page) -> LateContext:
    """What arrived late in a period."""
    locale = actor.business.locale
    printed = [
        LateRow(
            row,
            day(row.occurred_at, actor.business),
            day_text(row.effective_on),
            text(-row.amount_minor if row.direction == "OUT" else row.amount_minor, row.currency, locale),
        )
        for row in rows
    ]
    return {"rows": printed, **_paged(actor, period, on_page)}


def bank_lines_context(
    actor: Actor, period: AccountingPeriod, rows: Sequence[BankLine], on_page: Page
) -> BankLinesContext:
    """The unmatched bank lines of a period."""
    locale = actor.business.locale
    printed = [(row, day_text(row.day), text(row.amount_minor, row.currency, locale)) for row in rows]
    return {"rows": printed, **_paged(actor, period, on_page)}


def _paged(actor: Actor, period: AccountingPeriod, on_page: Page) -> PagedContext:
    number = on_page.number or 1
    return {
        "period": row_of(actor, period),
        "total": on_page.total or 0,
        "number": number,
        # The page before is known by its number alone: far from the first one it leads back to that.
        "before": number - 1 if number <= NEAR else 1,
        "cursor": on_page.cursor,
        "has_more": bool(on_page.cursor),
    }
