"""What was spent, from the copy, as the facts that policies and workflows weigh: expenses and payments of bills.

Where the copy does not know a fact it is None, and whoever weighs says so. Read in the order in which it was posted.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.models.fields.json import KT

from dashboard.access.models import Business
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import Approval, ApprovalRequest, Bill, Category, Employee, Expense, Vendor
from dashboard.policies.bill_portions import filed_under, portions
from dashboard.policies.evaluation import SpendFacts
from dashboard.policies.filed_parts import FiledPart, filed_parts
from dashboard.policies.routing import RoutedFacts
from dashboard.policies.rules import CARD_CHANNELS

CHUNK = 2000
# What came back, or was taken away, counts for nothing in a limit from then on; when that was the copy does not know.
ENDED = frozenset({"DELETED", "REFUNDED"})
EXPENSE, PAYMENT, BILL = "expense", "bill_payment", "bill"


@dataclass(frozen=True, slots=True)
class Weighed:
    """An item to weigh: its facts for policies (several where its parts are filed apart) and for workflows, who made it,
    and how it counts in limits over a period, a split one by its `parts`. `page_id` is that of the page of a link."""

    kind: str
    remote_id: str
    page_id: str
    title: str
    person_id: str
    team_id: str
    at: datetime
    uses: tuple[SpendFacts, ...]
    routed: RoutedFacts
    makers: frozenset[str] = frozenset()
    payment_type: str = ""
    channel: str = ""
    subcategory_id: str = ""
    category_id: str = ""
    is_ended: bool = False
    parts: tuple[FiledPart, ...] = ()


@dataclass(frozen=True)
class WeighedPeriod:
    """The days that are weighed, both ends included, on the clock of the business."""

    first: date
    last: date
    zone: ZoneInfo

    @property
    def begins(self) -> datetime:
        """The first moment of the first day."""
        return datetime.combine(self.first, time(), self.zone)

    @property
    def ends(self) -> datetime:
        """The first moment after the last day."""
        return datetime.combine(self.last + timedelta(days=1), time(), self.zone)


@dataclass(frozen=True)
class Lookups:
    """What items are read with: categories of subcategories, vendors by name, and the team and phone of each person."""

    categories: Mapping[str, str]
    vendors: Mapping[str, str]
    teams: Mapping[str, str]
    phones: Mapping[str, str]


def lookups_for(business: Business, vendor_ids: Sequence[str]) -> Lookups:
    """The lookups of a business; `vendor_ids` are the vendors that policies are about, which cards name by their merchant
    alone."""
    named = Vendor.objects.filter(business=business, remote_id__in=vendor_ids).values_list("name", "remote_id")
    people = Employee.objects.filter(business=business).annotate(phone=KT("payload__phone"))
    rows = list(people.values_list("remote_id", "team_id", "phone"))
    return Lookups(
        categories=dict(Category.objects.filter(business=business).values_list("remote_id", "category_id")),
        vendors={name.casefold(): vendor_id for name, vendor_id in named} if vendor_ids else {},
        teams={remote_id: team_id for remote_id, team_id, _ in rows},
        phones={remote_id: str(phone or "").lstrip("+") for remote_id, _, phone in rows},
    )


def expenses_in(business: Business, weighed_period: WeighedPeriod) -> QuerySet[Expense]:
    """The expenses of the business whose day is in the period."""
    span = {"transaction_date__gte": weighed_period.begins, "transaction_date__lt": weighed_period.ends}
    return Expense.objects.filter(business=business, tombstoned_at=None, **span)


def payments_in(business: Business, weighed_period: WeighedPeriod) -> QuerySet[ApprovalRequest]:
    """The payments of bills whose approval was requested in these days."""
    span = {"requested_at__gte": weighed_period.begins, "requested_at__lt": weighed_period.ends}
    return ApprovalRequest.objects.filter(business=business, kind=PAYMENT, tombstoned_at=None, **span).exclude(
        status="DRAFT"
    )


def bills_in(business: Business, weighed_period: WeighedPeriod) -> QuerySet[Bill]:
    """The bills issued in these days of which nobody has requested a payment yet."""
    rows = Bill.objects.filter(
        business=business, tombstoned_at=None, issued_on__range=(weighed_period.first, weighed_period.last)
    )
    return rows.filter(payload__payments=[]).exclude(status__in=("CANCELLED", "PAID"))


def weighed_expenses(business: Business, weighed_period: WeighedPeriod, lookups: Lookups) -> Iterator[Weighed]:
    """The expenses of the days, in the order in which they were posted. In memory stand eight bytes for each, and a
    chunk of rows."""
    order = _in_order(expenses_in(business, weighed_period))
    for start in range(0, len(order), CHUNK):
        chunk = order[start : start + CHUNK]
        rows = {row[0]: row[1:] for row in _rows(chunk)}
        for pk in chunk:
            if pk in rows:
                yield _expense(rows[pk], weighed_period.zone, lookups)


def _in_order(rows: QuerySet[Expense]) -> array[int]:
    """The keys of expenses by when they were posted: as PostgreSQL sorts the text, the id between equals."""
    with transaction.atomic(), connection.cursor() as cursor:
        # Sorting all expenses of a large business may take longer than a page is given: this runs in a worker, nobody waits.
        cursor.execute("select set_config('statement_timeout', '0', true)")
        return array("q", rows.order_by(KT("payload__createdAt"), "remote_id").values_list("pk", flat=True).iterator())


def _rows(keys: Iterable[int]) -> QuerySet[Expense, tuple[Any, ...]]:
    from_payload = (KT(f"payload__{name}") for name in ("channel", "payment_type", "receiver", "card_vcn"))
    return Expense.objects.filter(pk__in=list(keys)).values_list(
        "pk", "remote_id", "employee_id", "team_id", "currency", "amount_minor", "transaction_date", "merchant",
        "subcategory_id", "status", "payload__parts", *from_payload,
    )  # fmt: skip


def _expense(row: tuple[Any, ...], zone: ZoneInfo, lookups: Lookups) -> Weighed:
    (
        remote_id, employee_id, team_id, currency, minor, at, merchant, subcategory_id, status, parts, channel,
        payment_type, receiver, card,
    ) = row  # fmt: skip
    channel, payment_type, is_card = channel or "", payment_type or "", payment_type == "CARD"
    category_id = lookups.categories.get(subcategory_id, "")
    # When a card of ours is used nobody has filed the purchase yet; one that was entered as paid by card was filed.
    filed, parent = ("", "") if card else (subcategory_id, category_id)
    vendor_id = lookups.vendors.get((receiver or "").casefold(), "") if lookups.vendors else ""
    facts = SpendFacts(
        amount_minor=minor,
        currency=currency,
        at=at,
        zone=zone,
        employee_id=employee_id,
        team_id=team_id,
        channel=channel if is_card and channel in CARD_CHANNELS else payment_type,
        subcategory_id=filed,
        category_id=parent,
        vendor_id=vendor_id,
    )
    return Weighed(
        kind=EXPENSE,
        remote_id=remote_id,
        page_id=remote_id,
        title=merchant,
        person_id=employee_id,
        team_id=team_id,
        at=at,
        uses=(facts,),
        # Whom an expense pays is a name, which no condition of a workflow is compared with.
        routed=_routed(minor, currency, [team_id], [filed], []),
        makers=frozenset({employee_id} - {""}),
        payment_type=payment_type,
        channel=channel,
        subcategory_id=subcategory_id,
        category_id=category_id,
        is_ended=status in ENDED,
        parts=filed_parts(parts, lookups.categories),
    )


def _routed(
    minor: int, currency: str, teams: Sequence[str], filed: Sequence[str], vendors: Sequence[str]
) -> RoutedFacts:
    parts = (frozenset(teams) - {""}, frozenset(filed) - {""}, frozenset(vendors) - {""})
    return RoutedFacts(minor, currency, *parts)


def weighed_payments(business: Business, weighed_period: WeighedPeriod, lookups: Lookups) -> Iterator[Weighed]:
    """The payments of bills of the days, the oldest first; one whose bill the copy has not is left out (`missing_bills`)."""
    rows = payments_in(business, weighed_period).order_by("requested_at", "remote_id")
    batch: list[ApprovalRequest] = []
    for row in rows.iterator(chunk_size=CHUNK):
        batch.append(row)
        if len(batch) == CHUNK:
            yield from _payments(business, batch, weighed_period.zone, lookups)
            batch = []
    yield from _payments(business, batch, weighed_period.zone, lookups)


def _payments(
    business: Business, rows: Sequence[ApprovalRequest], zone: ZoneInfo, lookups: Lookups
) -> Iterator[Weighed]:
    bill_ids = {str(row.payload.get("bill_id")) for row in rows}
    bills = {bill.remote_id: bill for bill in Bill.objects.filter(business=business, remote_id__in=bill_ids)}
    votes = Approval.objects.filter(business=business, kind="BILL_PAYMENT", ref__in=[row.ref for row in rows])
    voted_at = dict(votes.order_by("requested_at").values_list("ref", "requested_at"))
    for row in rows:
        bill = bills.get(str(row.payload.get("bill_id")))
        if bill is not None:
            yield _payment(row, bill, voted_at.get(row.ref), zone, lookups)


def _payment(row: ApprovalRequest, bill: Bill, voted_at: datetime | None, zone: ZoneInfo, lookups: Lookups) -> Weighed:
    payload, minor, currency = row.payload, row.amount_minor or 0, row.currency
    requester = str(payload.get("requested_by") or payload.get("created_by") or "")
    person = requester if requester in lookups.teams else ""
    team_id = bill.team_id or lookups.teams.get(person, "")
    at = max(filter(None, [voted_at or row.requested_at, moment(payload.get("scheduled_for"))]))
    phone, account = lookups.phones.get(person, ""), str(payload.get("account") or "").lstrip("+")
    shares = portions(bill.payload, minor, currency)
    whole = SpendFacts(
        amount_minor=minor, currency=currency, at=at, zone=zone, employee_id=person, team_id=team_id,
        channel=str(payload.get("channel") or ""), vendor_id=bill.vendor_id, to_self=bool(phone) and phone == account,
    )  # fmt: skip
    makers = {person, str(payload.get("created_by") or ""), bill.created_by_id}
    return Weighed(
        kind=PAYMENT,
        remote_id=row.remote_id,
        page_id=bill.remote_id,
        title=f"{bill.bill_no} · {bill.vendor_name}",
        person_id=person,
        team_id=team_id,
        at=at,
        uses=(whole, *_parts(whole, shares, lookups)),
        # Conditions are compared with the bill's own team alone.
        routed=_routed(minor, currency, [bill.team_id], filed_under(bill.payload), [bill.vendor_id]),
        makers=frozenset(makers & lookups.teams.keys()),
    )


def weighed_bills(business: Business, weighed_period: WeighedPeriod, zone: ZoneInfo) -> Iterator[Weighed]:
    """The bills of the days without a payment, each as if it were paid in one: who will request it is not known."""
    for bill in bills_in(business, weighed_period).order_by("issued_on", "remote_id").iterator(chunk_size=CHUNK):
        at = datetime.combine(bill.issued_on, time(), zone)
        yield Weighed(
            kind=BILL,
            remote_id=bill.remote_id,
            page_id=bill.remote_id,
            title=f"{bill.bill_no} · {bill.vendor_name}",
            person_id="",
            team_id=bill.team_id,
            at=at.astimezone(UTC),
            uses=(),
            routed=_routed(
                bill.balance_minor, bill.currency, [bill.team_id], filed_under(bill.payload), [bill.vendor_id]
            ),
            makers=frozenset({bill.created_by_id} - {""}),
        )


def _parts(whole: SpendFacts, shares: Mapping[str, int], lookups: Lookups) -> Iterator[SpendFacts]:
    """The part of each subcategory and of each category of a payment, which know neither channel nor vendor."""

    def part(minor: int, *, filed: str = "", parent: str = "") -> SpendFacts:
        return SpendFacts(
            amount_minor=minor, currency=whole.currency, at=whole.at, zone=whole.zone, employee_id=whole.employee_id,
            team_id=whole.team_id, subcategory_id=filed, category_id=parent,
        )  # fmt: skip

    sums: dict[str, int] = {}
    for subcategory_id, minor in shares.items():
        yield part(minor, filed=subcategory_id)
        category = lookups.categories.get(subcategory_id, "")
        sums[category] = sums.get(category, 0) + minor
    for category, minor in sums.items():
        yield part(minor, parent=category)
