"""Splitting a transaction into parts that are filed under subcategories of their own, and making it whole again.

The ledger is not touched: its entries stay as they were posted. What reads categories (money movement, the journal's
export, of an expense reports and budgets too) counts the parts instead of the whole. What pays a bill or a payout is filed
by that one's own lines, and is not split.
"""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from service import errors, money
from service.auth import Caller
from service.categories.models import CategoryStatus, Subcategory
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.expenses import services as expenses
from service.expenses.models import Expense, TransactionPart
from service.journal.models import Origin, Transaction, TransactionStatus, Type
from service.transactions import selectors, serializers
from service.transactions.schemas_parts import NewPart
from service.transactions.services import UNTAGGED, check_open

OVER = frozenset({TransactionStatus.REJECTED, TransactionStatus.REVERSED})


def split(caller: Caller, transaction_id: str, version: int, given: Sequence[NewPart]) -> Transaction:
    """Replaces the parts of an expense or top-up, all of them; without any it is whole again, and filed as before.

    404 for the transaction. 409 stale where it is no longer of that version, tag_not_allowed for an IFT or REFUND,
    split_not_allowed for what pays a bill or a payout, invalid_state where it counts for nothing any more or its period is
    closed. 422 where the parts do not come to its amount, an amount has
    more decimals than the currency, or a subcategory is none that things are filed under.
    """
    with transaction.atomic():
        row = selectors.lock_transaction(caller, transaction_id)
        if row.type in UNTAGGED:
            raise errors.conflict("tag_not_allowed", f"A transaction of type {row.type} takes no category.")
        if given and _is_paid_by_lines(row):
            raise errors.conflict(
                "split_not_allowed", "What pays a bill or a payout is categorised by the lines of that."
            )
        if row.status in OVER:
            raise errors.invalid_state(f"A transaction that is {row.status} cannot be split.")
        check_open(caller, row)
        if row.version != version:
            raise errors.conflict("stale", "Somebody has changed the transaction since. Look at it again.")
        before = [_noted(part) for part in row.parts.order_by("position")]
        parts = _parts(caller, row, given)
        _file(caller, row, parts, is_split=bool(before))
        row.parts.all().delete()
        TransactionPart.objects.bulk_create(parts)
        if caller.employee_id and caller.employee_id not in row.maker_ids:
            row.maker_ids = [*row.maker_ids, caller.employee_id]
        row.version += 1
        row.updated_at = timezone.now()
        row.save(update_fields=["subcategory", "unsplit_subcategory_id", "maker_ids", "version", "updated_at"])
        record_event(
            caller.business, "transaction.tagged", serializers.fresh(row), previous={"parts": before}, actor=caller
        )
        after = [_noted(part) for part in parts]
        record_audit(caller, "transaction.split", "transaction", row.id, {"parts": before}, {"parts": after})
    return row


def copy(caller: Caller, row: Transaction, back: Transaction) -> None:
    """Gives what takes a transaction back the same parts, so that each category comes to nothing; nothing without parts."""
    shares = row.parts.order_by("position").values("position", "subcategory_id", "amount_minor", "description")
    copies = TransactionPart.objects.bulk_create(TransactionPart(transaction=back, **share) for share in shares)
    if copies:
        record_event(
            caller.business, "transaction.tagged", serializers.fresh(back), previous={"parts": []}, actor=caller
        )


def _is_paid_by_lines(row: Transaction) -> bool:
    """Whether it pays a bill or an item of a payout: nothing else that the service itself spends is without an expense."""
    return row.type == Type.EXPENSE and row.origin != Origin.MANUAL and not row.expense_id


def _file(caller: Caller, row: Transaction, parts: Sequence[TransactionPart], *, is_split: bool) -> None:
    """Files the whole, unsaved, under the first part's subcategory, and its expense with it; without parts under what it was
    before it was split."""
    if not parts and not is_split:
        raise errors.invalid_state("The transaction is not split.")
    if not is_split:
        own = row.subcategory_id
        if row.expense_id:
            own = Expense.objects.values_list("subcategory_id", flat=True).get(id=row.expense_id)
        row.unsplit_subcategory_id = own or ""
    if parts:
        row.subcategory_id = parts[0].subcategory_id
    else:
        known = Subcategory.objects.filter(business_id=caller.business.id, id=row.unsplit_subcategory_id)
        row.subcategory_id, row.unsplit_subcategory_id = known.values_list("id", flat=True).first(), ""
    if row.expense_id:
        expenses.file_parts(caller, row.expense_id, row.subcategory_id, len(parts))


def _parts(caller: Caller, row: Transaction, given: Sequence[NewPart]) -> list[TransactionPart]:
    ids = {new.subcategory_id for new in given}
    active = Subcategory.objects.filter(business_id=caller.business.id, status=CategoryStatus.ACTIVE).in_bulk(ids)
    parts = []
    for place, new in enumerate(given):
        if new.subcategory_id not in active:
            raise errors.validation_failed(
                f"parts.{place}.subcategory_id", "There is no such active subcategory.", "unknown"
            )
        try:
            minor = money.to_minor(new.amount, row.currency)
        except money.MoneyError as refusal:
            raise errors.validation_failed(f"parts.{place}.amount", str(refusal)) from None
        parts.append(
            TransactionPart(
                transaction=row, expense_id=row.expense_id or None, position=place + 1,
                subcategory=active[new.subcategory_id], amount_minor=minor, description=new.description,
            )
        )  # fmt: skip
    if len(parts) == 1:
        raise errors.validation_failed("parts", "A transaction is split into two parts at least.", "too_short")
    total = sum(part.amount_minor for part in parts)
    if parts and total != row.amount_minor:
        came_to, whole = (money.to_number(minor, row.currency) for minor in (total, row.amount_minor))
        raise errors.validation_failed("parts", f"The parts come to {came_to}, the transaction to {whole}.", "sum")
    return parts


def _noted(part: TransactionPart) -> dict[str, object]:
    return {"subcategory_id": part.subcategory_id, "amount_minor": part.amount_minor, "description": part.description}
