"""What can be done with bills: find, make and change them. Paying them is in payments.py and what follows it."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils import timezone

from service import errors, money, periods
from service.auth import Caller
from service.bills import amounts, duplicates, serializers
from service.bills.filing import attach_to
from service.bills.models import ApprovalAxis, Bill, BillFile, BillLine, BillPayment, BillStatus
from service.bills.schemas import BillQuery, ChangedBill, NewBill
from service.bills.transitions import UNDER_WAY, move_bill
from service.budgets.services import assignable
from service.businesses.models import Team
from service.categories.models import Subcategory
from service.events.audit import note
from service.events.outbox import record
from service.taxes import withholding
from service.taxes.models import Tax
from service.vendors.rows import locked as locked_vendor

# What a change of a bill may not touch while a payment of it is under way or was made.
MONEY = frozenset(
    {"bill_no", "issued_at", "line_items", "subtotal", "tax_amount", "total", "withholding_tax_ids", "status"}
)
PLAIN = {"due_at": "due_on", "issued_at": "issued_on", "memo": "memo", "bill_no": "bill_no"}


def bills(caller: Caller) -> QuerySet[Bill]:
    """Those of the caller's business, with all that is shown of them."""
    rows = Bill.objects.filter(business_id=caller.business.id).select_related("vendor")
    return rows.prefetch_related(
        Prefetch("lines", queryset=BillLine.objects.order_by("position")),
        Prefetch("files", queryset=BillFile.objects.order_by("created_at", "id")),
        Prefetch("payments", queryset=BillPayment.objects.order_by("id")),
    )


def find(caller: Caller, query: BillQuery) -> QuerySet[Bill]:
    """The bills that the filters let through."""
    rows = bills(caller)
    equal = {
        "status": query.status,
        "vendor_id": query.vendor_id,
        "budget_id": query.budget_id,
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
        rows = rows.filter(Q(bill_no__icontains=term) | Q(memo__icontains=term) | Q(vendor__name__icontains=term))
    return rows


def _decided(rows: QuerySet[Bill], axis: ApprovalAxis) -> QuerySet[Bill]:
    """By the other axis, as shown.approval_status reads it: a waiting payment first, else the latest."""
    of_bill = BillPayment.objects.filter(bill=OuterRef("pk"))
    waiting = Exists(of_bill.filter(approval_status=ApprovalAxis.PENDING))
    if axis == ApprovalAxis.PENDING:
        return rows.filter(waiting)
    rows = rows.filter(~waiting).annotate(said=of_bill.order_by("-id").values("approval_status")[:1])
    said = Q(said=axis) | Q(said=None) if axis == ApprovalAxis.INITIALIZED else Q(said=axis)
    return rows.filter(said)


def bill(caller: Caller, bill_id: str) -> Bill:
    """One bill; 404 when the business has none such."""
    found = bills(caller).filter(id=bill_id).first()
    if found is None:
        raise errors.not_found("bill")
    return found


def locked(caller: Caller, bill_id: str) -> Bill:
    """The same, for changing it or what belongs to it."""
    rows = Bill.objects.select_for_update(no_key=True, of=("self",)).select_related("vendor")
    found = rows.filter(business_id=caller.business.id, id=bill_id).first()
    if found is None:
        raise errors.not_found("bill")
    return found


def show(caller: Caller, row: Bill) -> dict[str, Any]:
    """One bill with what would be withheld if all of it were paid today."""
    return show_all(caller, [row])[0]


def show_all(caller: Caller, rows: Sequence[Bill]) -> list[dict[str, Any]]:
    """The same for many, with one look at the taxes."""
    taxes = {tax.id: tax for tax in withholding.known(caller.business, _tax_ids(rows))}
    today = periods.day_of(timezone.now(), caller.business)
    return [
        serializers.bill(row, _withheld(caller, row, [taxes[each] for each in row.withholding_tax_ids], today))
        for row in rows
    ]


def _tax_ids(rows: Sequence[Bill]) -> list[str]:
    return list(dict.fromkeys(each for row in rows for each in row.withholding_tax_ids))


def _withheld(caller: Caller, row: Bill, taxes: Sequence[Tax], today: date) -> list[withholding.Withheld]:
    payable = withholding.Payable(row.total_minor, row.subtotal_minor, row.currency)
    return withholding.of(taxes, row.vendor, caller.business.country, payable, today)


def create(caller: Caller, new: NewBill) -> Bill:
    """A bill with its lines and files. 409 duplicate for a number of the vendor that is taken; 422 for the rest."""
    with transaction.atomic():
        vendor = _vendor(caller, new.vendor_id)
        currency = new.currency or vendor.currency
        if currency not in money.CURRENCIES:
            raise errors.validation_failed("currency", "It is not an ISO 4217 currency.", "unknown")
        sums = amounts.of_body(new, currency)
        if sums is None:
            raise errors.validation_failed("line_items", "Give line_items, or subtotal with tax_amount.", "missing")
        row = Bill(
            business=caller.business,
            vendor=vendor,
            currency=currency,
            issued_on=new.issued_at,
            due_on=new.due_at or new.issued_at,
            status=new.status,
            created_by=caller.label,
        )
        _set_number(row, new.bill_no)
        _set_sums(row, sums)
        row.memo = new.memo or ""
        _file_under(caller, row, new, sums)
        _insert(row, sums)
        attach_to(caller, row, new.attachments)
        duplicates.flag(row)
        return record_edit(caller, row, "bill.created", "bill.create", {})


def change(caller: Caller, bill_id: str, changes: ChangedBill) -> Bill:
    """Changes what was sent. 404; 409 for a cancelled or paid bill, and for amounts while a payment is under way."""
    with transaction.atomic():
        row = locked(caller, bill_id)
        if row.status in (BillStatus.PAID, BillStatus.CANCELLED):
            raise errors.invalid_state(f"The bill is {row.status}.")
        sent = changes.model_dump(exclude_none=True)
        if MONEY & sent.keys():
            check_unpaid(row)
        before = {name: getattr(row, column) for name, column in PLAIN.items() if name in sent}
        before |= {name: getattr(row, name) for name in ("budget_id", "team_id", "subcategory_id") if name in sent}
        before |= {"status": row.status, "total_minor": row.total_minor}
        for name in PLAIN.keys() & sent.keys() - {"bill_no"}:
            setattr(row, PLAIN[name], sent[name])
        if changes.bill_no:
            _set_number(row, changes.bill_no)
        if row.due_on < row.issued_on:
            raise errors.validation_failed("due_at", "It would be due before it was issued.", "range")
        sums = amounts.of_body(changes, row.currency)
        _file_under(caller, row, changes, sums)
        if sums:
            _set_sums(row, sums)
            _replace_lines(row, sums)
        if changes.status:
            move_bill(row, "open", BillStatus.OPEN)
        duplicates.flag(row)
        return record_edit(caller, row, "bill.updated", "bill.change", before)


def check_unpaid(row: Bill) -> None:
    """409 where a payment of a locked bill is under way or was made."""
    if row.paid_minor or BillPayment.objects.filter(bill=row, status__in=UNDER_WAY).exists():
        raise errors.invalid_state("A payment of the bill is under way or was made.")


def record_edit(caller: Caller, row: Bill, event: str, action: str, before: dict[str, Any], reason: str = "") -> Bill:
    """Saves a changed bill with its event and audit line; inside the caller's transaction. Answers it afresh."""
    row.version += 1
    if caller.employee_id and caller.employee_id not in row.maker_ids and event != "bill.cancelled":
        row.maker_ids = [*row.maker_ids, caller.employee_id]
    return record_change(caller, row, event, action, before, reason)


def record_change(caller: Caller, row: Bill, event: str, action: str, before: dict[str, Any], reason: str = "") -> Bill:
    """The same for what changes a bill without being an edit of it, such as a payment."""
    _save(row)
    found = bill(caller, row.id)
    record(caller.business, event, show(caller, found), previous=before, actor=caller)
    after = {"status": row.status, "total_minor": row.total_minor, **({"reason": reason} if reason else {})}
    note(caller, action, "bill", row.id, before or None, after)
    return found


def _vendor(caller: Caller, vendor_id: str) -> Any:
    try:
        return locked_vendor(caller, vendor_id)
    except errors.ServiceError as refusal:
        raise errors.validation_failed("vendor_id", "There is no such active vendor.", "unknown") from refusal


def _set_number(row: Bill, bill_no: str) -> None:
    row.bill_no, row.bill_no_key = bill_no, duplicates.number_key(bill_no)
    if not row.bill_no_key:
        raise errors.validation_failed("bill_no", "It holds neither a letter nor a digit.")


def _set_sums(row: Bill, sums: amounts.Sums) -> None:
    row.subtotal_minor, row.tax_minor, row.total_minor = sums.subtotal_minor, sums.tax_minor, sums.total_minor


def _file_under(caller: Caller, row: Bill, body: NewBill | ChangedBill, sums: amounts.Sums | None) -> None:
    """Budget, team, subcategories and taxes, each looked up within the business."""
    if body.budget_id:
        row.budget = assignable(caller, body.budget_id, row.currency)
    if body.team_id:
        if not Team.objects.filter(business_id=caller.business.id, id=body.team_id).exists():
            raise errors.validation_failed("team_id", "There is no such team.", "unknown")
        row.team_id = body.team_id
    named = {line.subcategory_id for line in (sums.lines if sums else ()) if line.subcategory_id}
    named |= {body.subcategory_id} if body.subcategory_id else set()
    known = Subcategory.objects.filter(business_id=caller.business.id, id__in=named)
    if named and known.count() < len(named):
        raise errors.validation_failed("subcategory_id", "There is no such subcategory.", "unknown")
    row.subcategory_id = body.subcategory_id or row.subcategory_id
    if body.withholding_tax_ids is not None:
        ids = list(dict.fromkeys(body.withholding_tax_ids))
        withholding.chosen(caller.business, ids)
        row.withholding_tax_ids = ids


def _insert(row: Bill, sums: amounts.Sums) -> None:
    row.version = 0
    _save(row, force_insert=True)
    _replace_lines(row, sums)


def _replace_lines(row: Bill, sums: amounts.Sums) -> None:
    BillLine.objects.filter(bill=row).delete()
    for each in sums.lines:
        each.bill = row
    BillLine.objects.bulk_create(sums.lines)


def _save(row: Bill, *, force_insert: bool = False) -> None:
    try:
        with transaction.atomic():
            row.save(force_insert=force_insert)
    except IntegrityError as error:
        if "bill_number_once_per_vendor" not in str(error):
            raise
        raise errors.duplicate(f"The vendor has a bill {row.bill_no} already.") from None
