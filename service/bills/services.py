"""What can be done with bills: make and change them. Paying them is in payments.py and what follows it."""

from collections.abc import Sequence
from typing import Any

from django.db import IntegrityError, transaction

from service import errors, money
from service.auth import Caller
from service.bills import amounts, discounts, duplicates
from service.bills.files import attach_to
from service.bills.models import Bill, BillLine, BillPayment, BillStatus, LineSplit
from service.bills.schemas import ChangedBill, NewBill
from service.bills.selectors import bill_detail, get_bill, lock_bill
from service.bills.transitions import UNDER_WAY, move_bill
from service.budgets.selectors import assignable
from service.businesses.models import Team
from service.categories.models import Subcategory
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.respond import ChangedFields
from service.taxes import withholding
from service.vendors.selectors import lock_vendor as locked_vendor

# What a change of a bill may not touch while a payment of it is under way or was made.
MONEY = frozenset(
    {"bill_no", "issued_at", "line_items", "subtotal", "tax_amount", "total", "withholding_tax_ids", "status"}
    | {"discount_percent", "discount_until"}
)
PLAIN = {
    "due_at": "due_on",
    "issued_at": "issued_on",
    "memo": "memo",
    "bill_no": "bill_no",
    "purchase_order": "purchase_order",
}


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
        row.memo, row.purchase_order = new.memo or "", new.purchase_order or ""
        discounts.set_terms(row, new)
        _file_under(caller, row, new, sums)
        _insert(row, sums)
        attach_to(caller, row, new.attachments)
        duplicates.flag(row)
        return record_edit(caller, row, "bill.created", "bill.create", {})


def change(caller: Caller, bill_id: str, changes: ChangedBill) -> Bill:
    """Changes what was sent. 404; 409 for a cancelled or paid bill, and for amounts while a payment is under way."""
    with transaction.atomic():
        row = lock_bill(caller, bill_id)
        if row.status in (BillStatus.PAID, BillStatus.CANCELLED):
            raise errors.invalid_state(f"The bill is {row.status}.")
        sent = changes.model_dump(exclude_none=True)
        if MONEY & sent.keys():
            check_unpaid(row)
        before = {name: getattr(row, column) for name, column in PLAIN.items() if name in sent}
        before |= {name: getattr(row, name) for name in ("budget_id", "team_id", "subcategory_id") if name in sent}
        before |= {"status": row.status, "total_minor": row.total_minor}
        discounts.set_terms(row, changes)
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
    """409 where a payment of a locked bill is under way or was made, or a credit note has lowered it."""
    if row.credited_minor:
        raise errors.invalid_state("A credit note was applied to the bill.")
    if row.paid_minor or BillPayment.objects.filter(bill=row, status__in=UNDER_WAY).exists():
        raise errors.invalid_state("A payment of the bill is under way or was made.")


def record_edit(caller: Caller, row: Bill, event: str, action: str, before: ChangedFields, reason: str = "") -> Bill:
    """Saves a changed bill with its event and audit line; inside the caller's transaction. Answers it afresh."""
    row.version += 1
    if caller.employee_id and caller.employee_id not in row.maker_ids and event != "bill.cancelled":
        row.maker_ids = [*row.maker_ids, caller.employee_id]
    return record_change(caller, row, event, action, before, reason)


def record_change(caller: Caller, row: Bill, event: str, action: str, before: ChangedFields, reason: str = "") -> Bill:
    """Saves a bill that something else than an edit has changed, such as a payment, with its event and audit line.

    Inside the caller's transaction. Answers it afresh.
    """
    _save(row)
    changed = get_bill(caller, row.id)
    record_event(caller.business, event, bill_detail(caller, changed), previous=before, actor=caller)
    after = {"status": row.status, "total_minor": row.total_minor, **({"reason": reason} if reason else {})}
    record_audit(caller, action, "bill", row.id, before or None, after)
    return changed


def _vendor(caller: Caller, vendor_id: str) -> Any:
    try:
        return locked_vendor(caller, vendor_id)
    except errors.ServiceError as refusal:
        raise errors.validation_failed("vendor_id", "There is no such active vendor.", "unknown") from refusal


def _set_number(row: Bill, bill_no: str) -> None:
    row.bill_no, row.bill_no_key = bill_no, duplicates.number_key(bill_no)
    if not row.bill_no_key:
        raise errors.validation_failed("bill_no", "It holds neither a letter nor a digit.")


def _set_sums(row: Bill, bill_sums: amounts.BillSums) -> None:
    row.subtotal_minor, row.tax_minor, row.total_minor = (
        bill_sums.subtotal_minor,
        bill_sums.tax_minor,
        bill_sums.total_minor,
    )


def _file_under(caller: Caller, row: Bill, body: NewBill | ChangedBill, bill_sums: amounts.BillSums | None) -> None:
    """Budget, team, subcategories and taxes, each looked up within the business."""
    if body.budget_id:
        row.budget = assignable(caller, body.budget_id, row.currency)
    check_teams(caller, bill_sums.splits if bill_sums else ())
    if body.team_id:
        if not Team.objects.filter(business_id=caller.business.id, id=body.team_id).exists():
            raise errors.validation_failed("team_id", "There is no such team.", "unknown")
        row.team_id = body.team_id
    named = {line.subcategory_id for line in (bill_sums.lines if bill_sums else ()) if line.subcategory_id}
    named |= {body.subcategory_id} if body.subcategory_id else set()
    known = Subcategory.objects.filter(business_id=caller.business.id, id__in=named)
    if named and known.count() < len(named):
        raise errors.validation_failed("subcategory_id", "There is no such subcategory.", "unknown")
    row.subcategory_id = body.subcategory_id or row.subcategory_id
    if body.withholding_tax_ids is not None:
        ids = list(dict.fromkeys(body.withholding_tax_ids))
        withholding.chosen(caller.business, ids)
        row.withholding_tax_ids = ids


def check_teams(caller: Caller, splits: Sequence[LineSplit]) -> None:
    """422 at the first share of a line whose team the business does not have, or no longer."""
    named = {split.team_id for split in splits}
    teams = Team.objects.filter(business_id=caller.business.id, id__in=named).exclude(status=Team.Status.DELETED)
    known = set(teams.values_list("id", flat=True))
    if unknown := next((split for split in splits if split.team_id not in known), None):
        field = f"line_items.{unknown.line.position}.splits.{unknown.position}.team_id"
        raise errors.validation_failed(field, "There is no such team.", "unknown")


def _insert(row: Bill, bill_sums: amounts.BillSums) -> None:
    row.version = 0
    _save(row, force_insert=True)
    _replace_lines(row, bill_sums)


def _replace_lines(row: Bill, bill_sums: amounts.BillSums) -> None:
    BillLine.objects.filter(bill=row).delete()
    for line in bill_sums.lines:
        line.bill = row
    BillLine.objects.bulk_create(bill_sums.lines)
    for split in bill_sums.splits:
        split.bill = row
    LineSplit.objects.bulk_create(bill_sums.splits)


def _save(row: Bill, *, force_insert: bool = False) -> None:
    try:
        with transaction.atomic():
            row.save(force_insert=force_insert)
    except IntegrityError as error:
        if "bill_number_once_per_vendor" not in str(error):
            raise
        raise errors.duplicate(f"The vendor has a bill {row.bill_no} already.") from None
