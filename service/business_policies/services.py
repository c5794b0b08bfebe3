"""What can be done with spend policies: make, change, delete; each change is an event and a line of the audit."""

from collections.abc import Collection
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from service import errors, money
from service.approvals import workflows
from service.approvals.models import ActionType, Workflow
from service.auth import Caller
from service.business_policies import groups, serializers, targets, workflow_changes
from service.business_policies.models import Action, BusinessPolicy, PolicyGroup, PolicyState, PolicyType
from service.business_policies.pending_expenses import judge_waiting
from service.business_policies.schemas import BusinessPolicyChange, CategoryPolicy, NewBusinessPolicy, PolicyFields
from service.business_policies.selectors import ALL_TYPES, lock_policy, policies
from service.businesses.models import Employee, Team
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.respond import JsonObject

CATEGORY_TYPES = (PolicyType.SUBCATEGORY, PolicyType.CATEGORY)


def create(caller: Caller, group_id: str, new: NewBusinessPolicy) -> BusinessPolicy:
    """A policy in a group. Inside a transaction.

    404 for an unknown group or workflow, 422 for what makes no sense, 409 duplicate where the target has a policy of
    that period and currency, per person or not. With `also_waiting` as `change`.
    """
    _lock_workflows(caller, new)
    group = groups.group(caller, group_id)
    type_ = new.type or (group.types[0] if len(group.types) == 1 else None)
    if type_ not in group.types:
        raise errors.validation_failed("type", f"This group has policies of: {', '.join(group.types)}.")
    return _judged(caller, _create(caller, group, str(type_), new), new)


def upsert(caller: Caller, new: CategoryPolicy) -> tuple[BusinessPolicy, bool]:
    """The policy of a subcategory or category for that currency and period, per person or not; True where it is new.
    In a transaction. With `also_waiting` as `change`."""
    _lock_workflows(caller, new)
    group = groups.of_type(caller.business, new.type)
    existing = policies(caller, [new.type]).exclude(status=PolicyState.DELETED)
    current = (
        existing.filter(
            target=new.target,
            currency=new.currency or "",
            period=new.period or "",
            per_person=bool(new.per_person),
        )
        .select_for_update(no_key=True, of=("self",))
        .first()
    )
    if current is None:
        return _judged(caller, _create(caller, group, new.type, new), new), True
    return _judged(caller, _change(caller, current, new), new), False


def change(
    caller: Caller, policy_id: str, changes: BusinessPolicyChange, types: Collection[str] = ALL_TYPES
) -> BusinessPolicy:
    """Changes what is given; a deleted one only comes back by a status, as published. Inside a transaction.

    With `also_waiting` what waits for review is judged by it as well: raises what pending_expenses.judge_waiting raises.
    """
    _lock_workflows(caller, changes)
    row = lock_policy(caller, policy_id, types)
    if row.status == PolicyState.DELETED and changes.status in (None, PolicyState.DELETED):
        raise errors.invalid_state("The policy is deleted: give it a status to bring it back.")
    return _judged(caller, _change(caller, row, changes), changes)


def _lock_workflows(caller: Caller, given: PolicyFields) -> None:
    """Where what waits is judged anew: votes are asked for then, while requests and expenses are locked."""
    if given.also_waiting:
        workflows.lock_for_use(caller.business)


def _judged(caller: Caller, row: BusinessPolicy, given: PolicyFields) -> BusinessPolicy:
    """The policy, by which what waits is judged as well where that is asked for."""
    if given.also_waiting:
        judge_waiting(caller, row)
    return row


def delete(caller: Caller, policy_id: str, types: Collection[str] = ALL_TYPES) -> BusinessPolicy:
    """Marks a policy DELETED; a second time nothing happens. Inside a transaction."""
    row = lock_policy(caller, policy_id, types)
    if row.status == PolicyState.DELETED:
        return row
    before = serializers.policy(row)
    row.status = PolicyState.DELETED
    _save(row)
    _record_change(caller, row, before)
    return row


def _create(caller: Caller, group: PolicyGroup, type_: str, new: PolicyFields) -> BusinessPolicy:
    row = BusinessPolicy(business=caller.business, group=group, type=type_, created_by=caller.label)
    if new.status == PolicyState.DELETED:
        raise errors.validation_failed("status", "A new policy is ACTIVE or INACTIVE.")
    _fill(caller, row, new)
    row.name = row.name or " ".join(filter(None, [type_.replace("_", " ").title(), row.target]))[:100]
    _save(row, fresh=True)
    _record_change(caller, row, None)
    return row


def _change(caller: Caller, row: BusinessPolicy, changes: PolicyFields) -> BusinessPolicy:
    before = serializers.policy(row)
    _fill(caller, row, changes)
    if serializers.policy(row) == before:
        return row
    _save(row)
    _record_change(caller, row, before)
    return row


def _fill(caller: Caller, row: BusinessPolicy, given: PolicyFields) -> None:
    """Takes over what is given, then looks at the whole."""
    named, was_deleted = given.model_fields_set, row.status == PolicyState.DELETED
    for name in ("name", "target", "action", "status"):
        if getattr(given, name) is not None:
            setattr(row, name, getattr(given, name))
    if "currency" in named:
        row.currency = given.currency or ""
    if "period" in named:
        row.period = given.period or ""
        # Without a period nothing is counted for anybody: whoever takes it away need not say so.
        row.per_person = row.per_person and bool(row.period)
    if given.per_person is not None:
        row.per_person = given.per_person
    if "limit" in named:
        row.limit_minor = None if given.limit is None else _minor(given, row.currency)
    if given.window is not None:
        row.window = given.window.model_dump(by_alias=True)
    if given.exempt is not None:
        row.exempt_team_ids = sorted(set(given.exempt.team_ids))
        row.exempt_employee_ids = sorted(set(given.exempt.employee_ids))
        _known("exempt.employee_ids", row.exempt_employee_ids, Employee.objects.filter(business_id=caller.business.id))
    if given.exempt is not None or was_deleted:
        _lock_teams(caller, row.exempt_team_ids)
    if "workflow_id" in named:
        row.workflow = _workflow(caller, given.workflow_id)
    if row.status != PolicyState.DELETED:
        # What it is about may be gone: it can be deleted all the same.
        targets.check(caller, row.type, row.target)
    _check_whole(caller, row, given)


def _check_whole(caller: Caller, row: BusinessPolicy, given: PolicyFields) -> None:
    limited = row.limit_minor is not None
    if row.type == PolicyType.DAY_TIME:
        if limited or row.currency or row.period:
            raise errors.validation_failed("limit", "Hours have no limit.", "not_allowed")
        if not row.window:
            raise errors.validation_failed("window", "Say in which hours spending is fine.", "missing")
    elif row.window:
        raise errors.validation_failed("window", "Only DAY_TIME has hours.", "not_allowed")
    if limited and not row.currency:
        raise errors.validation_failed("currency", "A limit needs its currency.", "missing")
    if not limited and (row.currency or row.period):
        raise errors.validation_failed("limit", "A currency or a period is one of a limit.", "missing")
    if row.per_person and not row.period:
        raise errors.validation_failed("per_person", "Only a limit over a period is counted per person.", "not_allowed")
    if limited and given.limit is None and "currency" in given.model_fields_set:
        raise errors.validation_failed("limit", "Give the limit in the new currency.", "missing")
    needs_votes = row.action == Action.REQUIRE_APPROVAL and row.status == PolicyState.ACTIVE
    if needs_votes and row.workflow_id and not workflow_changes.usable(row.workflow_id):
        raise errors.validation_failed("workflow_id", "The workflow is not active.", "inactive")
    if needs_votes and row.workflow_id is None:
        based = Workflow.objects.filter(business_id=caller.business.id, action_type=ActionType.POLICY_BASED)
        if not based.filter(active=True).exists():
            raise errors.validation_failed("workflow_id", "Say who approves: there is no active workflow.", "missing")


def _minor(given: PolicyFields, currency: str) -> int:
    if not currency:
        raise errors.validation_failed("currency", "A limit needs its currency.", "missing")
    try:
        return money.to_minor(given.limit or 0, currency)
    except money.MoneyError as refusal:
        raise errors.validation_failed("limit", str(refusal)) from None


def _workflow(caller: Caller, workflow_id: str | None) -> Workflow | None:
    if workflow_id is None:
        return None
    based = Workflow.objects.filter(business_id=caller.business.id, action_type=ActionType.POLICY_BASED)
    workflow = based.filter(id=workflow_id).first()
    if workflow is None:
        raise errors.not_found("workflow")
    return workflow


def _known(field: str, ids: Collection[str], rows: QuerySet[Any]) -> None:
    if ids and rows.filter(id__in=ids).count() < len(ids):
        raise errors.validation_failed(field, "The business has no such team or employee.", "unknown")


def _lock_teams(caller: Caller, ids: Collection[str]) -> None:
    """422 for a team that is none of the business's, or deleted; those that there are, are not deleted until this is done."""
    rows = Team.objects.filter(business_id=caller.business.id).exclude(status=Team.Status.DELETED)
    # Counted once they are locked: one that is being deleted is waited for.
    list(rows.filter(id__in=ids).select_for_update(no_key=True, of=("self",)).order_by("id").values_list("pk"))
    _known("exempt.team_ids", ids, rows)


def _save(row: BusinessPolicy, *, fresh: bool = False) -> None:
    row.version += 0 if fresh else 1
    try:
        with transaction.atomic():
            row.save(force_insert=fresh)
    except IntegrityError:
        raise errors.duplicate("The target has a policy for this period and currency: change that one.") from None


def _record_change(caller: Caller, row: BusinessPolicy, before: JsonObject | None) -> None:
    payload: JsonObject = serializers.policy(row)
    changed = {name: value for name, value in (before or {}).items() if payload[name] != value}
    gone = row.status == PolicyState.DELETED
    record_event(
        caller.business, "policy.deleted" if gone else "policy.updated", payload, previous=changed, actor=caller
    )
    verb = "delete" if gone else "create" if before is None else "update"
    record_audit(caller, f"policy.{verb}", "business_policy", row.id, before, payload)
