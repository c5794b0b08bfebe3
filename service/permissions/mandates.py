"""What can be done with mandates: how many must approve, and who may (decisions B.12).

A mandate always has as many active approvers as it asks for. Requests that run keep the copy they were made with;
still, nobody is taken off whom an open one cannot do without.
"""

from collections.abc import Collection
from typing import Any

from django.db.models import Prefetch, QuerySet

from service import errors, money
from service.approvals.models import Mandate, MandateApprover
from service.approvals.quorum import refuse_if_stranded
from service.auth import Caller
from service.businesses.models import Employee, Role
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.permissions import serializers
from service.permissions.schemas import MandateQuery, NewSeat, SeatBody
from service.respond import JsonObject


def mandates(caller: Caller) -> QuerySet[Mandate]:
    """Those of the business, with their approvers."""
    seats = Prefetch("approvers", queryset=MandateApprover.objects.select_related("employee"))
    return Mandate.objects.filter(business_id=caller.business.id).prefetch_related(seats)


def find(caller: Caller, query: MandateQuery) -> QuerySet[Mandate]:
    """The mandates that the filters let through."""
    rows = mandates(caller)
    if query.action_type is not None:
        rows = rows.filter(action_type=query.action_type)
    return rows.filter(currency=query.currency) if query.currency else rows


def set_min_approvers(caller: Caller, mandate_id: str, needed: int) -> Mandate:
    """How many must approve from now on; 409 approvers_insufficient for more than there are. Inside a transaction."""
    row = _locked(caller, mandate_id)
    before = serializers.mandate(row)
    if row.min_approvers == needed:
        return row
    row.min_approvers = needed
    return _finish(caller, row, before)


def change_seat(caller: Caller, mandate_id: str, approver_id: str, changes: SeatBody) -> Mandate:
    """Changes one approver of a mandate: 404 where they are none of it, 409 where too few were left. In a transaction."""
    row = _locked(caller, mandate_id)
    before = serializers.mandate(row)
    seat = _seat(row, approver_id)
    for name in ("required", "order", "active"):
        if getattr(changes, name) is not None:
            setattr(seat, name, getattr(changes, name))
    if "max_amount" in changes.model_fields_set:
        seat.max_amount_minor = _minor(changes.max_amount, row.currency, "max_amount")
    if changes.active is False:
        refuse_if_stranded(caller.business, [approver_id], mandate_id=row.id)
    if changes.active:
        _approvers(caller, [approver_id], "active")
    seat.save()
    return _finish(caller, row, before)


def add_seats(caller: Caller, mandate_id: str, new_seats: Collection[NewSeat]) -> Mandate:
    """Adds approvers, in the order given after those there are. Inside a transaction.

    404 for an unknown employee, 422 for one who is no active approver, 409 duplicate for one who is on it already.
    """
    row = _locked(caller, mandate_id)
    before = serializers.mandate(row)
    ids = [seat.approver_id for seat in new_seats]
    if len(set(ids)) < len(ids):
        raise errors.validation_failed("approvers", "Somebody is named twice.", "duplicate")
    people = _approvers(caller, ids, "approvers")
    if MandateApprover.objects.filter(mandate=row, employee_id__in=ids).exists():
        raise errors.duplicate("Somebody named is an approver of this mandate already.")
    last = max((seat.order for seat in row.approvers.all()), default=0)
    MandateApprover.objects.bulk_create(
        MandateApprover(
            mandate=row,
            employee=people[seat.approver_id],
            required=seat.required,
            max_amount_minor=_minor(seat.max_amount, row.currency, f"approvers.{place}.max_amount"),
            order=seat.order if seat.order is not None else last + place + 1,
            active=seat.active,
        )
        for place, seat in enumerate(new_seats)
    )
    return _finish(caller, row, before)


def remove_seats(caller: Caller, mandate_id: str, approver_ids: Collection[str]) -> Mandate:
    """Removes approvers: 404 for one who is none of it. Inside a transaction.

    409 approvers_insufficient where an open request needs them, or fewer were left than the mandate asks for.
    """
    row = _locked(caller, mandate_id)
    before = serializers.mandate(row)
    seats = [_seat(row, approver_id) for approver_id in dict.fromkeys(approver_ids)]
    refuse_if_stranded(caller.business, [seat.employee_id for seat in seats], mandate_id=row.id)
    MandateApprover.objects.filter(id__in=[seat.id for seat in seats]).delete()
    return _finish(caller, row, before)


def vacate(caller: Caller, person: Employee) -> None:
    """Takes somebody who stops being an approver off every mandate; 409 where one would have too few left."""
    seats = MandateApprover.objects.filter(employee=person, active=True).values("mandate_id")
    for mandate_id in Mandate.objects.filter(id__in=seats).order_by("id").values_list("id", flat=True):
        row = _locked(caller, mandate_id)
        before = serializers.mandate(row)
        MandateApprover.objects.filter(mandate=row, employee=person).update(active=False)
        _finish(caller, row, before)


def _locked(caller: Caller, mandate_id: str) -> Mandate:
    mandate = mandates(caller).select_for_update(no_key=True, of=("self",)).filter(id=mandate_id).first()
    if mandate is None:
        raise errors.not_found("mandate")
    if any(seat.employee_id == caller.employee_id for seat in mandate.approvers.all()):
        raise errors.self_approval_forbidden("Nobody changes a mandate in which they are an approver.")
    return mandate


def _seat(row: Mandate, approver_id: str) -> MandateApprover:
    approver_seat = next((seat for seat in row.approvers.all() if seat.employee_id == approver_id), None)
    if approver_seat is None:
        raise errors.not_found("approver of this mandate")
    return approver_seat


def _approvers(caller: Caller, ids: Collection[str], field: str) -> dict[str, Employee]:
    people = {row.id: row for row in Employee.objects.filter(business_id=caller.business.id, id__in=ids)}
    if len(people) < len(set(ids)):
        raise errors.not_found("employee")
    for person in people.values():
        if person.role != Role.APPROVER or person.status != Employee.Status.ACTIVE:
            raise errors.validation_failed(
                field, f"{person.name} is no active approver: nobody else approves.", "not_for_role"
            )
    return people


def _minor(amount: Any, currency: str, field: str) -> int | None:
    try:
        return None if amount is None else money.to_minor(amount, currency)
    except money.MoneyError as refusal:
        raise errors.validation_failed(field, str(refusal)) from None


def _finish(caller: Caller, row: Mandate, before: JsonObject) -> Mandate:
    """Saves the next version, if it still has approvers enough."""
    seated = MandateApprover.objects.filter(
        mandate=row, active=True, employee__role=Role.APPROVER, employee__status=Employee.Status.ACTIVE
    ).count()
    if row.min_approvers > seated:
        raise errors.conflict(
            "approvers_insufficient",
            f"The mandate asks for {row.min_approvers} approvals, and {seated} could give one.",
        )
    row.version += 1
    row.save()
    row = mandates(caller).get(pk=row.pk)
    payload: JsonObject = serializers.mandate(row)
    changed = {name: value for name, value in before.items() if payload[name] != value}
    record_event(caller.business, "mandate.updated", payload, previous=changed, actor=caller)
    record_audit(caller, "mandate.update", "mandate", row.id, before, payload)
    return row
