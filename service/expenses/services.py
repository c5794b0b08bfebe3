"""What can be done with expenses. Each action locks what it decides on, changes it, and says so, in one transaction."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, TypedDict

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from service import errors, periods
from service.auth import Caller
from service.businesses.models import Business
from service.categories.models import Subcategory
from service.categories.selectors import active_subcategory
from service.events import audit, outbox
from service.events.models import AuditEvent, Event
from service.expenses import selectors, serializers, tags, transitions
from service.expenses.models import Expense, ExpenseStatus
from service.ledger.models import LedgerTransaction
from service.respond import ChangedFields


def approve(caller: Caller, expense_id: str, *, reason: str = "") -> Expense:
    """Approves one; 404, 403 for one's own or read-only, 409 when its state does not allow it."""
    return _review(caller, expense_id, transitions.APPROVE, reason)


def reject(caller: Caller, expense_id: str, *, reason: str) -> Expense:
    """Rejects one; refusals as `approve`."""
    return _review(caller, expense_id, transitions.REJECT, reason)


def request_details(caller: Caller, expense_id: str, *, reason: str) -> Expense:
    """Asks the spender for more; refusals as `approve`."""
    return _review(caller, expense_id, transitions.REQUEST_DETAILS, reason)


@dataclass(frozen=True, slots=True)
class ReviewResult:
    """What became of one expense of several: its refusal, or None."""

    expense_id: str
    refusal: errors.ServiceError | None


def approve_many(caller: Caller, ids: Sequence[str], *, reason: str = "") -> list[ReviewResult]:
    """Approves each that can be; the others keep their state and get their own refusal."""
    return _review_many(caller, ids, transitions.APPROVE, reason)


def reject_many(caller: Caller, ids: Sequence[str], *, reason: str) -> list[ReviewResult]:
    """Rejects each that can be; see `approve_many`."""
    return _review_many(caller, ids, transitions.REJECT, reason)


def annotate(caller: Caller, expense_id: str, notes: str) -> Expense:
    """Sets the notes. Notes by the spender answer a request for details, unless they are what was there before: the expense
    waits for review again."""
    with transaction.atomic():
        expense = _locked(caller, expense_id)
        before: ChangedFields = {"notes": expense.notes, "status": expense.status}
        is_new = bool(notes.strip()) and notes.strip() != expense.notes.strip()
        expense.notes = notes
        fields = ["notes"]
        if expense.status == ExpenseStatus.DETAILS_REQUESTED and is_new and answers(caller, expense):
            expense.status = transitions.next_status(expense, transitions.GIVE_DETAILS)
            fields.append("status")
        _save(expense, fields)
        record_expense_change(caller, expense, "expense.updated", "expense.annotate", _changed(expense, before))
    return expense


def file_under(caller: Caller, expense_id: str, subcategory_id: str, seen: str | None = None) -> Expense:
    """Changes the subcategory; 404 for the expense, 409 transaction_split for one that is split, 422 for a subcategory that
    the business has not. With what the caller has `seen` it filed under ("" for nothing), 409 changed where it is not."""
    with transaction.atomic():
        expense = _locked(caller, expense_id)
        _check_period(caller, expense, _closed_until(caller))
        _check_whole(expense)
        refuse_changed(expense.subcategory, seen)
        before = {"subcategory_id": expense.subcategory_id}
        expense.subcategory = active_subcategory(caller, subcategory_id)
        _save(expense, ["subcategory"])
        record_expense_change(
            caller, expense, "expense.tagged", "expense.change_subcategory", _changed(expense, before)
        )
    return expense


def refuse_changed(filed: Subcategory | None, seen: str | None) -> None:
    """409 changed where something is filed otherwise than its caller has seen; None: they have not said."""
    if seen is not None and seen != (filed.id if filed else ""):
        now = f"{filed.category.name} · {filed.name}" if filed else "no category"
        raise errors.conflict("changed", f"It was changed since you looked: it has {now} now.")


def file_parts(caller: Caller, expense_id: str, subcategory_id: str | None, part_count: int) -> Expense:
    """Files an expense as its transaction was split: `subcategory_id` of the first part, or what it is filed under again
    once it is whole (None for nothing; `part_count` is 0 then). 404 for the expense, 409 in a closed period."""
    with transaction.atomic():
        expense = _locked(caller, expense_id)
        _check_period(caller, expense, _closed_until(caller))
        before: ChangedFields = {"subcategory_id": expense.subcategory_id, "part_count": expense.part_count}
        expense.subcategory_id, expense.part_count = subcategory_id, part_count
        _save(expense, ["subcategory", "part_count"])
        record_expense_change(caller, expense, "expense.tagged", "expense.split", _changed(expense, before))
    return expense


def _check_whole(expense: Expense) -> None:
    """409 where it is split: its parts say what it is filed under."""
    if expense.part_count:
        raise errors.conflict("transaction_split", "It is split: change its parts, or remove the split first.")


def tag(caller: Caller, expense_id: str, names: Sequence[str]) -> Expense:
    """Gives an expense these tags and no others; 404 for the expense, 422 for a tag that the business has not."""
    with transaction.atomic():
        expense = _locked(caller, expense_id)
        _check_period(caller, expense, _closed_until(caller))
        before = {"tags": expense.tags}
        expense.tags = tags.known(caller, names)
        if expense.tags != before["tags"]:
            _save(expense, ["tags"])
            record_expense_change(caller, expense, "expense.tagged", "expense.tag", before)
    return expense


class ExpenseChanges(TypedDict, total=False):
    """The fields of an expense that may be changed; what is None or left out stays."""

    description: str | None
    receiver: str | None
    notes: str | None
    subcategory_id: str | None
    tag: list[str] | None


def change(caller: Caller, expense_id: str, changes: ExpenseChanges) -> Expense:
    """Changes description, receiver, notes, subcategory_id or tag of an expense; None values are left alone."""
    given: dict[str, Any] = {name: value for name, value in changes.items() if value is not None}
    with transaction.atomic():
        expense = _locked(caller, expense_id)
        _check_period(caller, expense, _closed_until(caller))
        if "subcategory_id" in given:
            _check_whole(expense)
            active_subcategory(caller, given["subcategory_id"])
        if "tag" in given:
            given["tags"] = given.pop("tag")
        before: ChangedFields = {name: getattr(expense, name) for name in given}
        for name, value in given.items():
            setattr(expense, name, value)
        _save(expense, list(given))
        record_expense_change(caller, expense, "expense.updated", "expense.change", _changed(expense, before))
    return expense


def _review(caller: Caller, expense_id: str, move: str, reason: str) -> Expense:
    with transaction.atomic():
        expense = _locked(caller, expense_id)
        before = _decide(caller, expense, move, reason, _limits(caller))
        _save(expense, ["status", "reviewed_by", "reviewed_at", "review_reason"])
        record_expense_change(caller, expense, transitions.EVENTS[move], f"expense.{move}", before)
    return expense


def _review_many(caller: Caller, ids: Sequence[str], move: str, reason: str) -> list[ReviewResult]:
    expense_ids = list(dict.fromkeys(ids))
    refusals: dict[str, errors.ServiceError] = {}
    changed: list[tuple[Expense, ChangedFields]] = []
    with transaction.atomic():
        limits = _limits(caller)
        expenses = {row.id: row for row in _lock(selectors.visible(caller).filter(id__in=expense_ids))}
        for expense_id in expense_ids:
            try:
                if expense_id not in expenses:
                    raise errors.not_found("expense")
                changed.append((expenses[expense_id], _decide(caller, expenses[expense_id], move, reason, limits)))
            except errors.ServiceError as refusal:
                refusals[expense_id] = refusal
        _save_many([expense for expense, _ in changed])
        _record_changes(caller, changed, transitions.EVENTS[move], f"expense.{move}")
    return [ReviewResult(expense_id, refusals.get(expense_id)) for expense_id in expense_ids]


@dataclass(frozen=True, slots=True)
class _Limits:
    """What bounds every decision of the caller: teams they only read, and the day up to which the books are closed."""

    read_only: set[str]
    closed_until: date | None


def _limits(caller: Caller) -> _Limits:
    return _Limits(selectors.read_only_teams(caller), _closed_until(caller))


def _closed_until(caller: Caller) -> date | None:
    # Read afresh: the caller's business may be some seconds old.
    return Business.objects.values_list("books_closed_until", flat=True).get(id=caller.business.id)


def _decide(caller: Caller, expense: Expense, move: str, reason: str, limits: _Limits) -> ChangedFields:
    """Checks and makes one review on the row in memory; what the changed fields were before."""
    if caller.employee_id and caller.employee_id == expense.employee_id:
        raise errors.self_approval_forbidden()
    if expense.team_id in limits.read_only:
        raise errors.insufficient_role("A read-only reviewer sees this team's expenses but decides on none.")
    _check_period(caller, expense, limits.closed_until)
    before: ChangedFields = {
        "status": expense.status,
        "reviewed_by": expense.reviewed_by_id,
        "review_reason": expense.review_reason,
    }
    expense.status = transitions.next_status(expense, move)
    expense.reviewed_by = caller.employee
    expense.reviewed_at = timezone.now()
    expense.review_reason = reason
    return before


def answers(caller: Caller, expense: Expense) -> bool:
    """Whether what the caller adds is the spender's answer: their own doing, or that of a client that acts for nobody."""
    return caller.employee_id is None or caller.employee_id == expense.employee_id


def _check_period(caller: Caller, expense: Expense, closed: date | None) -> None:
    """409 where it stands in a closed period: in that of the day on which it was posted. What was spent in a period and
    arrived after its close is posted in the open one, and what is still held will be."""
    if closed and periods.day_of(expense.transaction_date, caller.business) <= closed:
        if expense.ledger_transaction_id is None:
            if expense.ledger_hold_id is not None:
                return
        elif LedgerTransaction.objects.filter(id=expense.ledger_transaction_id, effective_on__gt=closed).exists():
            return
        raise errors.invalid_state(f"The books are closed up to {closed}: decisions on this expense are over.")


def _locked(caller: Caller, expense_id: str) -> Expense:
    expense = _lock(selectors.visible(caller).filter(id=expense_id)).first()
    if expense is None:
        raise errors.not_found("expense")
    return expense


def _lock(rows: QuerySet[Expense]) -> QuerySet[Expense]:
    return rows.select_for_update(no_key=True, of=("self",)).order_by("id")


def _save(expense: Expense, fields: list[str]) -> None:
    expense.version += 1
    expense.updated_at = timezone.now()
    expense.save(update_fields=[*fields, "version", "updated_at"])


def _save_many(expenses: list[Expense]) -> None:
    now = timezone.now()
    for expense in expenses:
        expense.version += 1
        expense.updated_at = now
    Expense.objects.bulk_update(
        expenses,
        ["status", "reviewed_by", "reviewed_at", "review_reason", "version", "updated_at"],
        batch_size=500,
    )


def _changed(expense: Expense, before: ChangedFields) -> dict[str, Any]:
    return {name: value for name, value in before.items() if getattr(expense, name) != value}


def record_expense_change(caller: Caller, expense: Expense, kind: str, action: str, before: ChangedFields) -> None:
    """Writes the event and the audit row of a change that was just saved."""
    now = serializers.by_id(expense.id)
    outbox.record_event(caller.business, kind, now, previous=before, actor=caller)
    audit.record_audit(
        caller, action, "expense", expense.id, before, {"status": expense.status, "version": expense.version}
    )


def _record_changes(caller: Caller, changed: Iterable[tuple[Expense, ChangedFields]], kind: str, action: str) -> None:
    pairs = list(changed)
    now = serializers.by_ids(expense.id for expense, _ in pairs)
    Event.objects.bulk_create(
        outbox.build_event(caller.business, kind, now[expense.id], previous=before, actor=caller)
        for expense, before in pairs
    )
    AuditEvent.objects.bulk_create(
        audit.build_line(
            caller, action, "expense", expense.id, before, {"status": expense.status, "version": expense.version}
        )
        for expense, before in pairs
    )
