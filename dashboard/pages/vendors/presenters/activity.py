"""How is shown what a vendor was paid: by month as a chart with its table, lately, its bills and subscriptions; and what it
has in common with others, in words."""

from dataclasses import dataclass
from datetime import date
from typing import TypedDict

from dashboard.access.actor import Actor
from dashboard.errors import FinanceError
from dashboard.mirror.models import Bill, Subscription, Vendor
from dashboard.money import text
from dashboard.pages.vendors.selectors.vendors import (
    MAX_BILLS,
    MAX_SUBSCRIPTIONS,
    bills_of,
    subscriptions_of,
    vendor_activity,
)
from dashboard.schemas.vendors import MonthOfSpend, SharedDetail
from dashboard.times import day
from dashboard.web.charts import Chart, parts_chart

SHARED = {"ACCOUNT": "The account ···{ends}", "PHONE": "The phone ···{ends}", "TAX_NUMBER": "The tax number ···{ends}"}
KINDS = {"BILL_PAYMENT": "Bill payment", "PAYOUT": "Payout"}


@dataclass(frozen=True, slots=True)
class SpendRow:
    """A month with what was paid in it and how often."""

    month: str
    amount: str
    count: int


@dataclass(frozen=True, slots=True)
class SpendTable:
    """What was paid in a currency, by month; the chart only for two months and more."""

    currency: str
    rows: list[SpendRow]
    total: str
    chart: Chart | None


@dataclass(frozen=True, slots=True)
class PaidRow:
    """A payment to the vendor in the list of them: its kind, amount and day in words."""

    kind: str
    ref: str
    amount: str
    day: str


@dataclass(frozen=True, slots=True)
class SharedRow:
    """A sentence on what the vendor shares, and the other vendor's id, "" for an employee."""

    sentence: str
    name: str
    vendor_id: str


class ActivityContext(TypedDict):
    """What the parts of vendors/item.html on money read; `activity_problem` where the service does not answer."""

    spend: list[SpendTable]
    payments: list[PaidRow]
    shared: list[SharedRow]
    activity_problem: str
    bills: list[Bill]
    has_more_bills: bool
    subscriptions: list[Subscription]
    has_more_subscriptions: bool


def activity_context(actor: Actor, vendor: Vendor) -> ActivityContext:
    """What a vendor was paid, its newest bills and its subscriptions, as far as the actor may see them."""
    bills, subscriptions = bills_of(actor, vendor), subscriptions_of(actor, vendor)
    context = ActivityContext(
        spend=[], payments=[], shared=[], activity_problem="", bills=bills[:MAX_BILLS],
        has_more_bills=len(bills) > MAX_BILLS, subscriptions=subscriptions[:MAX_SUBSCRIPTIONS],
        has_more_subscriptions=len(subscriptions) > MAX_SUBSCRIPTIONS,
    )  # fmt: skip
    try:
        activity = vendor_activity(actor, vendor)
    except FinanceError as trouble:
        context["activity_problem"] = trouble.user_message
        return context
    locale = actor.business.locale
    currencies = sorted({row.currency for row in activity.months})
    context["spend"] = [
        _spend(code, [row for row in activity.months if row.currency == code], locale) for code in currencies
    ]
    context["payments"] = [
        PaidRow(
            KINDS.get(row.kind, row.kind), row.ref, text(row.amount_minor, row.currency, locale),
            day(row.paid_at, actor.business),
        )
        for row in activity.payments
    ]  # fmt: skip
    context["shared"] = [shared_row(row) for row in activity.shared]
    return context


def month_text(month: str) -> str:
    """A month "2025-12" as a chart labels it: "Dec 2025"."""
    return f"{date.fromisoformat(f'{month}-01'):%b %Y}"


def _spend(currency: str, months: list[MonthOfSpend], locale: str) -> SpendTable:
    parts = [(month_text(row.month), row.amount_minor) for row in months]
    return SpendTable(
        currency,
        [
            SpendRow(month_text(row.month), text(row.amount_minor, currency, locale), row.count)
            for row in reversed(months)
        ],
        text(sum(minor for _, minor in parts), currency, locale),
        parts_chart("Paid", parts[-10:], currency, locale, kind="bar"),
    )


def shared_row(row: SharedDetail) -> SharedRow:
    """What a vendor shares with another vendor or an employee, in words."""
    what = SHARED.get(row.what, "A detail").format(ends=row.ends)
    owner = "employee" if row.owner == "EMPLOYEE" else "vendor"
    return SharedRow(f"{what} is also that of {owner}", row.name, row.vendor_id)
