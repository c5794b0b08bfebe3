"""What is read of bills within the business of the caller; and what areas below read of them, as SQL that they put into a
query of their own."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils import timezone

from service import errors, periods
from service.auth import Caller
from service.bills import serializers
from service.bills.models import ApprovalAxis, Bill, BillFile, BillLine, BillPayment, LineSplit, PaymentStatus
from service.bills.schemas import BillQuery
from service.bills.schemas_shapes import BillShape
from service.bills.transitions import ON_ITS_WAY, TO_BE_PAID
from service.businesses.models import Business
from service.taxes import withholding
from service.taxes.models import Tax

# Whom payments of bills on a channel paid (service/vendors/recent_payees.py).
PAYEES = """
    SELECT receiver_name, account, account_reference, currency, settled_at, net_minor FROM bills_billpayment
    WHERE business_id = %(business)s AND status = 'SUCCEEDED' AND channel = %(channel)s AND settled_at >= %(since)s"""

# What payments of bills paid a vendor (service/vendors/activity.py).
PAID_TO_VENDOR = """
    SELECT 'BILL_PAYMENT', ref, currency, settled_at, net_minor FROM bills_billpayment
    WHERE business_id = %(business)s AND vendor_id = %(vendor)s AND status = 'SUCCEEDED' AND settled_at >= %(since)s"""

# Of a budget `b`: what is still to be paid of its open bills, and what was paid of them since `begun.at`
# (service/budgets/figures.py). Of a bill whose lines are split over teams a team's budget has its own team's shares and what
# is not split; the shares of other teams count in their budgets (the two queries …_OF_SHARES), under their category where
# they have one.
_OPEN = "i.status IN ('OPEN', 'PARTIALLY_PAID')"
_PAID = """p.business_id = b.business_id AND p.status = 'SUCCEEDED'
       AND p.settled_at >= begun.at AND p.settled_at < begun.until"""
_BALANCE = "(i.total_minor - i.paid_minor - i.credited_minor)"
# The same at the end of a period that is over, by when each payment was settled and each credit note applied. Nothing was left
# then of a bill that is not open now and of which nothing was paid or credited since: no other bill is read, and each of these by
# its id. That nothing is settled tomorrow lets the planner know that few are.
_KNOWN_AT_END = "i.status NOT IN ('DRAFT', 'CANCELLED') AND i.created_at < begun.until"
_BILLS_AT_END = """(
        SELECT o.id FROM bills_bill o WHERE o.business_id = b.business_id AND o.status IN ('OPEN', 'PARTIALLY_PAID')
        UNION SELECT d.bill_id FROM bills_billpayment d WHERE d.business_id = b.business_id AND d.status = 'SUCCEEDED'
            AND d.settled_at >= begun.until AND d.settled_at < now() + interval '1 day'
        UNION SELECT c.bill_id FROM credit_notes_creditnote n JOIN credit_notes_creditapplication c ON c.note_id = n.id
            WHERE n.business_id = b.business_id AND c.created_at >= begun.until) moved
    CROSS JOIN LATERAL (SELECT * FROM bills_bill known WHERE known.id = moved.id OFFSET 0) i"""
_BALANCE_AT_END = """(i.total_minor
        - coalesce((SELECT sum(d.amount_minor + d.discount_minor) FROM bills_billpayment d
            WHERE d.bill_id = i.id AND d.status = 'SUCCEEDED' AND d.settled_at < begun.until), 0)
        - coalesce((SELECT sum(c.amount_minor) FROM credit_notes_creditapplication c
            WHERE c.bill_id = i.id AND c.created_at < begun.until), 0))"""


def _share_of(minor: str) -> str:
    """What of an amount of bill `i` falls to its share `s`: in all of them together, just the amount."""
    ends = f"div({minor}::numeric * s.upto_minor, i.total_minor)"
    return f"({ends} - div({minor}::numeric * (s.upto_minor - s.share_minor), i.total_minor))"


def _others(minor: str) -> str:
    return f"""coalesce((SELECT sum({_share_of(minor)}) FROM bills_linesplit s
        WHERE s.bill_id = i.id AND s.team_id <> b.team_id), 0)"""  # noqa: S608  put together from constants


_SHARES = """JOIN bills_linesplit s ON s.bill_id = i.id JOIN bills_billline l ON l.id = s.line_id
     WHERE s.team_id = b.team_id AND i.budget_id IS DISTINCT FROM b.id AND i.currency = b.currency
       AND (b.category_id IS NULL OR coalesce(nullif(l.subcategory_id, ''), i.subcategory_id) IN
            (SELECT f.id FROM categories_subcategory f WHERE f.category_id = b.category_id))"""
COMMITTED_OF_BUDGET = f"""
    (SELECT sum({_BALANCE} - {_others(_BALANCE)}) FROM bills_bill i
     WHERE i.budget_id = b.id AND {_OPEN})"""  # noqa: S608  put together from constants
COMMITTED_OF_BUDGET_AT_END = f"""
    (SELECT sum({_BALANCE_AT_END} - {_others(_BALANCE_AT_END)}) FROM {_BILLS_AT_END}
     WHERE i.budget_id = b.id AND {_KNOWN_AT_END})"""  # noqa: S608  put together from constants
SPENT_OF_BUDGET = f"""
    (SELECT sum(p.amount_minor - {_others("p.amount_minor")})
     FROM bills_billpayment p JOIN bills_bill i ON i.id = p.bill_id
     WHERE i.budget_id = b.id AND {_PAID})"""  # noqa: S608  put together from constants
COMMITTED_OF_SHARES = f"""
    (SELECT sum({_share_of(_BALANCE)}) FROM bills_bill i {_SHARES} AND {_OPEN})"""  # noqa: S608  put together from constants
COMMITTED_OF_SHARES_AT_END = f"""
    (SELECT sum({_share_of(_BALANCE_AT_END)}) FROM {_BILLS_AT_END} {_SHARES} AND {_KNOWN_AT_END})"""  # noqa: S608  put together from constants
SPENT_OF_SHARES = f"""
    (SELECT sum({_share_of("p.amount_minor")})
     FROM bills_billpayment p JOIN bills_bill i ON i.id = p.bill_id {_SHARES} AND {_PAID})"""  # noqa: S608  put together from constants

# The lines of other bills that are under the category of a budget, of its own team's bills alone where it has one: what of these
# is split over teams is in the shares. A bill without lines is one line under its own category.
_LINES = """CROSS JOIN LATERAL (
        SELECT coalesce(nullif(l.subcategory_id, ''), i.subcategory_id) AS subcategory_id,
            EXISTS (SELECT FROM bills_linesplit t WHERE t.line_id = l.id) AS is_split, l.amount_minor + l.tax_minor AS share_minor,
            sum(l.amount_minor + l.tax_minor) OVER (ORDER BY l.position) AS upto_minor
        FROM bills_billline l WHERE l.bill_id = i.id
        UNION ALL SELECT i.subcategory_id, false, i.total_minor, i.total_minor
        WHERE NOT EXISTS (SELECT FROM bills_billline l WHERE l.bill_id = i.id)) s
     WHERE b.category_id IS NOT NULL AND i.business_id = b.business_id AND i.budget_id IS DISTINCT FROM b.id
       AND i.currency = b.currency AND i.total_minor > 0 AND (b.team_id IS NULL OR i.team_id = b.team_id AND NOT s.is_split)
       AND s.subcategory_id IN (SELECT f.id FROM categories_subcategory f WHERE f.category_id = b.category_id)"""
COMMITTED_OF_LINES = f"""
    (SELECT sum({_share_of(_BALANCE)}) FROM bills_bill i {_LINES} AND {_OPEN})"""  # noqa: S608  put together from constants
COMMITTED_OF_LINES_AT_END = f"""
    (SELECT sum({_share_of(_BALANCE_AT_END)}) FROM {_BILLS_AT_END} {_LINES} AND {_KNOWN_AT_END})"""  # noqa: S608  put together from constants
SPENT_OF_LINES = f"""
    (SELECT sum({_share_of("p.amount_minor")})
     FROM bills_billpayment p JOIN bills_bill i ON i.id = p.bill_id {_LINES} AND {_PAID})"""  # noqa: S608  put together from constants


def bills(caller: Caller) -> QuerySet[Bill]:
    """Those of the caller's business, with all that is shown of them."""
    rows = Bill.objects.filter(business_id=caller.business.id).select_related("vendor")
    return rows.prefetch_related(
        Prefetch("lines", queryset=BillLine.objects.order_by("position")),
        Prefetch("lines__splits", queryset=LineSplit.objects.order_by("position")),
        Prefetch("files", queryset=BillFile.objects.order_by("created_at", "id")),
        Prefetch("payments", queryset=BillPayment.objects.order_by("id")),
    )


def filter_bills(caller: Caller, query: BillQuery) -> QuerySet[Bill]:
    """The bills that the filters let through."""
    rows = bills(caller)
    equal = {
        "status": query.status,
        "vendor_id": query.vendor_id,
        "budget_id": query.budget_id,
        "purchase_order__iexact": query.purchase_order,
        "currency": query.currency,
        "issued_on__gte": query.from_,
        "issued_on__lte": query.to,
        "due_on__lt": query.due_before,
    }
    rows = rows.filter(**{name: value for name, value in equal.items() if value is not None})
    if query.duplicates:
        rows = rows.filter(duplicate_of__isnull=False)
    if query.approval_status:
        rows = _decided(rows, query.approval_status)
    term = (query.search or "").strip()
    if term:
        rows = rows.filter(
            Q(bill_no__icontains=term)
            | Q(memo__icontains=term)
            | Q(purchase_order__icontains=term)
            | Q(vendor__name__icontains=term)
        )
    return rows


def _decided(rows: QuerySet[Bill], axis: ApprovalAxis) -> QuerySet[Bill]:
    """Bills whose approval status, as serializers.approval_status reads it, is `axis`: that of a payment that waits for
    votes, else of the latest one.
    """
    of_bill = BillPayment.objects.filter(bill=OuterRef("pk"))
    waiting = Exists(of_bill.filter(approval_status=ApprovalAxis.PENDING))
    if axis == ApprovalAxis.PENDING:
        return rows.filter(waiting)
    rows = rows.filter(~waiting).annotate(latest_approval=of_bill.order_by("-id").values("approval_status")[:1])
    has_status = Q(latest_approval=axis)
    if axis == ApprovalAxis.INITIALIZED:
        has_status |= Q(latest_approval=None)
    return rows.filter(has_status)


def get_bill(caller: Caller, bill_id: str) -> Bill:
    """One bill; 404 when the business has none such."""
    bill = bills(caller).filter(id=bill_id).first()
    if bill is None:
        raise errors.not_found("bill")
    return bill


def lock_bill(caller: Caller, bill_id: str) -> Bill:
    """One bill, locked to change it or what belongs to it; 404 when the business has none such."""
    rows = Bill.objects.select_for_update(no_key=True, of=("self",)).select_related("vendor")
    bill = rows.filter(business_id=caller.business.id, id=bill_id).first()
    if bill is None:
        raise errors.not_found("bill")
    return bill


def counted_in_month(business: Business, day: date, before: BillPayment | None = None) -> QuerySet[BillPayment]:
    """The payments that count towards the thresholds of withheld taxes in the month of a day: those that were paid in it, those
    on their way, and those approved to be paid in it that were added earlier than `before` (all of them where that is None or
    not saved yet). One that awaits votes may never be paid and does not count."""
    now, first = timezone.now(), day.replace(day=1)
    start, end = (periods.start_of(edge, business) for edge in (first, (first + timedelta(days=32)).replace(day=1)))
    is_to_be_paid = Q(scheduled_for__gte=start, scheduled_for__lt=end)
    if start <= now < end:
        is_to_be_paid |= Q(scheduled_for=None) | Q(scheduled_for__lt=now)
    was_paid = Q(status=PaymentStatus.SUCCEEDED, settled_at__gte=start, settled_at__lt=end)
    is_earlier = Q(status__in=TO_BE_PAID)
    if before is not None and before.created_at is not None:
        is_same_moment = Q(created_at=before.created_at, id__lt=before.id)
        is_earlier &= Q(created_at__lt=before.created_at) | is_same_moment
    # What is withheld of one that the rail has is settled, whenever it was added.
    is_counted = Q(status__in=ON_ITS_WAY) | is_earlier
    return BillPayment.objects.filter(was_paid | (is_counted & is_to_be_paid), business=business)


def bill_detail(caller: Caller, row: Bill) -> BillShape:
    """One bill with what would be withheld if all that is open of it were paid today."""
    return bill_details(caller, [row])[0]


def bill_details(caller: Caller, rows: Sequence[Bill]) -> list[BillShape]:
    """Bills with what would be withheld if all that is open of each were paid today; one query for all their taxes, and one for
    what their vendors are paid in the month."""
    taxes = {tax.id: tax for tax in withholding.known(caller.business, _tax_ids(rows))}
    today = periods.day_of(timezone.now(), caller.business)
    paid = _paid_this_month(caller, rows, today)
    return [
        serializers.bill(
            row,
            _withheld(caller, row, [taxes[tax_id] for tax_id in row.withholding_tax_ids], paid.get(row.id, {}), today),
        )
        for row in rows
    ]


def _paid_this_month(caller: Caller, rows: Sequence[Bill], today: date) -> dict[str, dict[str, int]]:
    """By bill and by tax, what its vendor is paid in the month beside what is open of the bill."""
    taxed = [row for row in rows if row.withholding_tax_ids]
    if not taxed:
        return {}
    counted = counted_in_month(caller.business, today).filter(
        vendor_id__in={row.vendor_id for row in taxed},
        bill__business=caller.business,
        bill__withholding_tax_ids__overlap=_tax_ids(taxed),
    )
    columns = ("bill_id", "vendor_id", "currency", "status", "amount_minor", "bill__withholding_tax_ids")
    paid: dict[str, dict[str, int]] = {row.id: dict.fromkeys(row.withholding_tax_ids, 0) for row in taxed}
    for bill_id, vendor_id, currency, status, amount, tax_ids in counted.values_list(*columns):
        for row in taxed:
            # What is under way of the bill itself is open of it.
            is_open_here = row.id == bill_id and status != PaymentStatus.SUCCEEDED
            if (row.vendor_id, row.currency) != (vendor_id, currency) or is_open_here:
                continue
            for tax_id in paid[row.id].keys() & set(tax_ids):
                paid[row.id][tax_id] += amount
    return paid


def _tax_ids(rows: Sequence[Bill]) -> list[str]:
    return list(dict.fromkeys(tax_id for row in rows for tax_id in row.withholding_tax_ids))


def _withheld(
    caller: Caller, row: Bill, taxes: Sequence[Tax], paid_this_month: Mapping[str, int], today: date
) -> list[withholding.Withheld]:
    share = withholding.share(row.balance_minor, row.subtotal_minor, row.total_minor) if row.total_minor else 0
    payable = withholding.Payable(row.balance_minor, share, row.currency, paid_this_month)
    return withholding.of(taxes, row.vendor, caller.business.country, payable, today)
