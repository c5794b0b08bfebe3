"""The list of bills: what is to be paid, the longest due first, unless the address asks for others. Several are paid in a
payment run."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, ClassVar

from django.db.models import Case, DateTimeField, ExpressionWrapper, F, Q, QuerySet, Subquery, Value, When

from dashboard import operations, operations_payables
from dashboard.access.actor import Actor
from dashboard.inputs import Choices
from dashboard.lists.actions import Action
from dashboard.lists.columns import Column, List, Row
from dashboard.lists.expressions import exported_amount, exported_field, label
from dashboard.lists.filters import ANY, ChoiceFilter, CurrencyFilter, DayFilter, Filter, Pick, PickByName
from dashboard.lists.registry import register
from dashboard.lists.states import words
from dashboard.mirror.choices import teams_of, vendors_named, vendors_of
from dashboard.mirror.models import OPEN_BILL_STATES
from dashboard.mirror.schedule import today
from dashboard.mirror.scopes import visible_bills
from dashboard.money import text
from dashboard.pages.bills.tables.payment_run import PayBills
from dashboard.times import day_text

BILL_STATES = {
    "DRAFT": ("Draft", ""),
    "OPEN": ("Open", "info"),
    "PARTIALLY_PAID": ("Partially paid", "warn"),
    "PAID": ("Paid", "ok"),
    "CANCELLED": ("Cancelled", ""),
}
# The other axis: what was decided on its payments.
APPROVALS = {
    "INITIALIZED": ("Not requested", ""),
    "PENDING": ("Awaiting approval", "info"),
    "APPROVED": ("Approved", "ok"),
    "NOT_REQUIRED": ("Not required", ""),
    "REJECTED": ("Rejected", "bad"),
    "TERMINATED": ("Withdrawn", ""),
}
SOON_DAYS = 7
# What is left to pay of a bill: nothing of one that is not open.
TO_PAY_MINOR = Case(When(status__in=OPEN_BILL_STATES, then=F("balance_minor")), default=Value(0))


@dataclass(frozen=True)
class Age:
    """A column of the aging of what is owed: its name in an address, its title, and how many days a bill is overdue by,
    the first and the last counted in; None where there is no end."""

    name: str
    title: str
    first: int | None
    last: int | None

    def due(self, now: date) -> Q:
        """The bills of this age on a day of the business."""
        due = Q() if self.last is None else Q(due_on__gte=now - timedelta(days=self.last))
        return due if self.first is None else due & Q(due_on__lte=now - timedelta(days=self.first))


AGES = (
    Age("current", "Current", None, 0),
    Age("1-30", "1–30 days", 1, 30),
    Age("31-60", "31–60 days", 31, 60),
    Age("61-90", "61–90 days", 61, 90),
    Age("over-90", "Over 90 days", 91, None),
)
TO_PAY, OVERDUE, SOON = "TO_PAY", "OVERDUE", "SOON"
STANDINGS: Choices = (
    (TO_PAY, "To pay"),
    (OVERDUE, "Overdue"),
    (SOON, f"Due within {SOON_DAYS} days"),
    *((age.name, f"{age.title} overdue" if age.first else "Not overdue") for age in AGES),
    *((code, text) for code, (text, _) in BILL_STATES.items() if code != "OPEN"),
    (ANY, "All bills"),
)


@dataclass(frozen=True)
class StandingFilter(ChoiceFilter):
    """How a bill stands on the day it is looked at: by its status, and what is to be paid also by when it is due."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The bills in the state, or of the age, that was chosen, of those in `rows`."""
        if value == ANY:
            return rows
        if value in BILL_STATES:
            return rows.filter(status=value)
        rows, now = rows.filter(status__in=OPEN_BILL_STATES), today(actor.business)
        ages = {age.name: age for age in AGES}
        if value in ages:
            return rows.filter(ages[value].due(now))
        if value == OVERDUE:
            return rows.filter(due_on__lt=now)
        return rows.filter(due_on__range=(now, now + timedelta(days=SOON_DAYS))) if value == SOON else rows


@dataclass(frozen=True)
class DueDay(DayFilter):
    """A day that a bill is due on or after, or with `until` on or before: a bill is due on a day, not at a moment."""

    widget: ClassVar[str] = "day"

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """Rows from that day on, or up to it."""
        return rows.filter(**{f"{self.field}__{'lte' if self.until else 'gte'}": date.fromisoformat(value)})


@dataclass(frozen=True)
class PurchaseOrder(Filter):
    """The number of a purchase order, whole, without regard to case."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The bills that are for it."""
        return rows.filter(purchase_order__iexact=value).exclude(purchase_order="")


@dataclass(frozen=True)
class OfTeam(Pick):
    """A team: of a bill, or of a share of one of its lines."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The bills that are the team's in whole or in part."""
        return rows.filter(Q(team_id=value) | Q(split_team_ids__contains=[value]))


def days_overdue(due_on: date, status: str, now: date) -> int:
    """By how many days a bill that is to be paid is overdue; 0 where it is not."""
    return max(0, (now - due_on).days) if status in OPEN_BILL_STATES else 0


def _due(row: Row, actor: Actor) -> str:
    days = days_overdue(row["due_on"], row["status"], today(actor.business))
    return f"{day_text(row['due_on'])} · {days} d overdue" if days else day_text(row["due_on"])


def _issued_within(rows: QuerySet[Any], chosen: Mapping[str, str], actor: Actor) -> QuerySet[Any]:
    """What a range of due days says of the days of issue: none is further from it than the business's shortest and longest term. The
    planner knows nothing of that, and would look at all bills that were issued before, one by one."""
    terms = visible_bills(actor).annotate(term=F("due_on") - F("issued_on")).values("term")
    for name, lookup, order in (("since", "issued_on__gte", "-term"), ("until", "issued_on__lte", "term")):
        if name in chosen:
            bound = Value(date.fromisoformat(chosen[name])) - Subquery(terms.order_by(order)[:1])
            rows = rows.filter(**{lookup: ExpressionWrapper(bound, output_field=DateTimeField())})
    return rows


def _credited(row: Row, actor: Actor) -> str:
    minor = row["payload__amount_credited_minor"]
    return text(int(minor), row["currency"], actor.business.locale) if minor else ""


BILLS = register(
    List(
        name="bills",
        title="Bills",
        noun=("bill", "bills"),
        icon="file-text",
        opens=operations_payables.LIST_BILLS,
        rows=visible_bills,
        address="bills",
        item_address="bills_item",
        sort="due",
        money=("currency", "total_minor"),
        summed=("currency", TO_PAY_MINOR),
        summed_title="to pay",
        search="search",
        search_hint="Number, vendor, PO, memo or amount",
        empty="Bills appear here as soon as one is entered.",
        filters=(
            StandingFilter("show", "Status", "status", usual=TO_PAY, of=STANDINGS),
            ChoiceFilter("approval", "Approval", "approval_status", of=tuple(words(APPROVALS).items())),
            PickByName("vendor", "Vendor", "vendor_id", among=vendors_of, named=vendors_named, covered=True),
            OfTeam("team", "Team", "team_id", among=teams_of),
            DueDay("since", "Due from", "due_on"),
            DueDay("until", "Due to", "due_on", until=True),
            PurchaseOrder("order", "Purchase order", "purchase_order"),
            CurrencyFilter("currency", "Currency", "currency"),
        ),
        columns=(
            Column("number", "Number", "bill_no", exported=exported_field("bill_no"), always=True),
            Column("vendor", "Vendor", "vendor_name", exported=exported_field("vendor_name")),
            Column(
                "order", "Purchase order", "purchase_order", less=True, by_default=False,
                exported=exported_field("purchase_order"),
            ),
            Column(
                "issued", "Issued", "issued_on", "figure", sort="issued_on", sorted_as=date, less=True, by_default=False,
                render=lambda row, _: day_text(row["issued_on"]), narrowed=_issued_within,
            ),
            Column("due", "Due", "due_on", "figure", sort="due_on", sorted_as=date, render=_due, needs=("status",)),
            Column("state", "Status", "status", "state", states=BILL_STATES, exported=label("status", words(BILL_STATES)), less=True),
            Column(
                "approval", "Approval", "approval_status", "state", states=APPROVALS, less=True,
                exported=label("approval_status", words(APPROVALS)),
            ),
            Column("balance", "Balance", "balance_text", "amount", exported=exported_amount("balance_minor", "currency"), less=True),
            Column(
                "credited", "Credited", "payload__amount_credited_minor", "amount", less=True, by_default=False,
                render=_credited, needs=("currency",),
            ),
            Column(
                "amount", "Amount", "total_text", "amount", exported=exported_amount("total_minor", "currency"),
                sort="total_minor", sorted_as=int, always=True,
            ),
        ),
        file_only=(
            Column("id", "Id", "remote_id"),
            Column("currency", "Currency", "currency"),
            Column("memo", "Memo", "memo", exported=exported_field("memo")),
        ),
        seen=("status", "total_text", "balance_text", "vendor_name"),
        actions=(
            Action(
                "pay", "Pay", "sent for payment", operations.ADD_BILL_PAYMENT, "bill", planner=PayBills, verifies=True, choice=("Choose wallets and discounts", "bills_run_wallets"),
                confirm="Each gets a payment of its own: approved first where a policy asks for it, else paid immediately. "
                "Fees come on top.",
            ),
        ),
    )
)  # fmt: skip
