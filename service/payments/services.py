"""What can be done with a payout before it is paid: make it, initiate it, return it to draft, cancel it.

Locks: the open request for votes first (it is locked first by those who vote), then the payout.
"""

from collections.abc import Iterable

from django.db import transaction

from service import effects, errors
from service.approvals import services as approvals
from service.approvals import workflows
from service.approvals.models import ActionType, Approval, ApprovalStatus
from service.approvals.subjects import ApprovalSubject
from service.auth import Caller
from service.businesses.models import Employee, Role
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.payments import drafts, payees, policies, queue, serializers, transitions
from service.payments.models import Batch, Intent, IntentStatus, Item, Kind, Status
from service.payments.schemas import NewItem, NewPayout
from service.payments.selectors import get_payout, lock_payout, payouts_of
from service.respond import JsonObject
from service.wallet_policies import limits

ACTIONS = {Kind.BULK_PAYOUT: ActionType.BULK_PAYOUT, Kind.BANK_TRANSFER: ActionType.BANK_TRANSFER}


def create_payout(caller: Caller, body: NewPayout) -> Batch:
    """A payout in DRAFT; 404 for an unknown wallet or payout to reuse, 422 naming what is wrong with the items."""
    with transaction.atomic():
        if (done := effects.earlier(caller, payouts_of(caller))) is not None:
            return done
        paying = drafts.source(caller, body)
        new_items = _items_of(get_payout(caller, body.reuse)) if body.reuse else body.items
        batch, items = drafts.build(
            caller,
            paying,
            Kind.BULK_PAYOUT,
            body.name,
            new_items,
            template=body.template,
            team_id=body.team_id or "",
            note=body.note or "",
            scheduled_for=body.scheduled_for,
        )
        return save_new(caller, batch, items)


def save_new(caller: Caller, batch: Batch, items: Iterable[Item]) -> Batch:
    """Writes a draft with its event; inside the caller's transaction."""
    batch.save(force_insert=True)
    Item.objects.bulk_create(items, batch_size=1000)
    payload = serializers.payout(batch)
    record_event(caller.business, "payout.created", payload, actor=caller)
    record_audit(caller, "payout.create", "payout", batch.id, after=payload)
    return batch


def initiate(caller: Caller, batch_no: str) -> Batch:
    """Asks for the votes the mandate wants; APPROVED at once where none applies (409 unless it is a DRAFT, and where it pays to an
    account that is held back)."""
    with transaction.atomic():
        # As everywhere: the workflows before any row.
        workflows.lock_for_use(caller.business)
        return begin(caller, lock_payout(caller, batch_no), without_mandate=Status.APPROVED)


def begin(caller: Caller, batch: Batch, *, without_mandate: Status) -> Batch:
    """Initiates a locked draft; `without_mandate` is where it goes where nobody must vote.

    409 where it pays to an account that is held back (payees.py): nobody is asked to vote on what would only be held.
    """
    previous = batch.status
    transitions.move(
        batch, "initiate", without_mandate
    )  # refuses all but a draft, before votes or a code are asked for
    payees.refuse_held(batch)
    batch.round += 1
    batch.initiated_by = caller.label
    if caller.employee_id and caller.employee_id not in batch.maker_ids:
        batch.maker_ids = [*batch.maker_ids, caller.employee_id]
    by_policy = policies.check(caller, batch)
    batch.save(update_fields=["policies"])  # the risk score reads what is written
    limits.check(caller, batch.wallet, "WALLET_PAYOUT_INITIATE", batch.total_minor, ref=f"payout:{batch.id}")
    approval = approvals.request_approval(caller, _subject(batch), policy_workflow=by_policy)
    batch.code_required = bool(approval and approval.mandate_snapshot["code_required"])
    if approval:
        batch.status = Status.PENDING_APPROVAL
    record_change(caller, batch, "payout.initiated", "payout.initiate", previous)
    if batch.status == Status.APPROVED:
        queue.execute_soon(batch)
    return batch


def return_to_draft(caller: Caller, batch_no: str) -> Batch:
    """Back to DRAFT until the first item is sent; all votes and codes are void. Its requester or an ADMIN only."""
    with transaction.atomic():
        approval = _open_approval(caller, batch_no)
        batch = lock_payout(caller, batch_no)
        _check_requester(caller, batch)
        previous = batch.status
        event = transitions.move(batch, "draft", Status.DRAFT)
        _stop(caller, batch, approval, ApprovalStatus.WITHDRAWN)
        if caller.employee_id and caller.employee_id not in batch.maker_ids:
            batch.maker_ids = [*batch.maker_ids, caller.employee_id]
        record_change(caller, batch, event, "payout.return_to_draft", previous)
    return batch


def cancel(caller: Caller, batch_no: str, reason: str, *, only_draft: bool = False) -> Batch:
    """Ends a payout for good before anything of it is paid. Its requester or an ADMIN only. With `only_draft` 409 not_draft
    for one that is none any more."""
    with transaction.atomic():
        approval = _open_approval(caller, batch_no)
        batch = lock_payout(caller, batch_no)
        _check_requester(caller, batch)
        if only_draft and batch.status != Status.DRAFT:
            raise errors.not_draft()
        previous = batch.status
        event = transitions.move(batch, "cancel", Status.CANCELLED)
        _stop(caller, batch, approval, ApprovalStatus.CANCELLED)
        record_change(caller, batch, event, "payout.cancel", previous, reason=reason)
    return batch


def voted(caller: Caller, approval: Approval) -> None:
    """What follows from a decided (or expired) request: the payout moves on in the same transaction."""
    batch = (
        Batch.objects.select_for_update(no_key=True, of=("self",)).select_related("wallet").get(pk=approval.subject_id)
    )
    previous = batch.status
    if approval.status == ApprovalStatus.APPROVED:
        event = transitions.move(batch, "approve", Status.AWAITING_CODE if batch.code_required else Status.APPROVED)
    elif approval.status == ApprovalStatus.REJECTED:
        event = transitions.move(batch, "reject", Status.REJECTED)
    else:
        event = transitions.move(batch, "expire", Status.DRAFT)
    if batch.status in (Status.REJECTED, Status.DRAFT):
        limits.undo(batch.wallet, f"payout:{batch.id}")
    record_change(caller, batch, event, event.replace("payout.", "payout.vote_"), previous)
    if batch.status == Status.APPROVED:
        queue.execute_soon(batch)


def record_change(caller: Caller, batch: Batch, event: str, action: str, previous: str, reason: str = "") -> None:
    """Saves a changed payout with its event and audit line; inside the caller's transaction."""
    batch.version += 1
    batch.save()
    record_event(caller.business, event, serializers.payout(batch), previous={"status": previous}, actor=caller)
    after = {"status": batch.status, **({"reason": reason} if reason else {})}
    record_audit(caller, action, "payout", batch.id, {"status": previous}, after)


def _items_of(batch: Batch) -> list[NewItem]:
    """The items of a payout, to be paid once more."""
    rows = batch.items.order_by("position")
    return [NewItem.model_validate(_item_body(item, batch.currency)) for item in rows]


def _item_body(row: Item, currency: str) -> JsonObject:
    shape: JsonObject = serializers.item(row, currency)
    return {name: shape[name] for name in NewItem.model_fields}


def _subject(batch: Batch) -> ApprovalSubject:
    first = batch.items.order_by("position").values_list("receiver_name", flat=True)[0]
    more = f" and {batch.item_count - 1} more" if batch.item_count > 1 else ""
    return ApprovalSubject(
        kind=batch.kind,
        action_type=ACTIONS[Kind(batch.kind)],
        ref=batch.batch_no,
        subject_id=batch.id,
        title=batch.name,
        payee=f"{first}{more}",
        amount_minor=batch.total_minor,
        currency=batch.currency,
        org_wallet_ref=batch.wallet.org_wallet_ref,
        maker_ids=list(batch.maker_ids),
        due_at=batch.scheduled_for,
        team_id=batch.team_id
        or Employee.objects.filter(id=batch.initiated_by).values_list("team_id", flat=True).first()
        or "",
    )


def _open_approval(caller: Caller, batch_no: str) -> Approval | None:
    batch = get_payout(caller, batch_no)
    return approvals.lock_open(caller.business, batch.kind, batch.id)


def _check_requester(caller: Caller, batch: Batch) -> None:
    """Rule requester_or_admin."""
    if caller.role != Role.ADMIN and caller.label not in (batch.created_by, batch.initiated_by):
        raise errors.insufficient_role("Only its requester or an admin does this.")


def _stop(caller: Caller, batch: Batch, approval: Approval | None, status: ApprovalStatus) -> None:
    if approval:
        approvals.end(caller, approval, status)
    limits.undo(batch.wallet, f"payout:{batch.id}")
    batch.hold_reason = ""
    waiting = (IntentStatus.REQUIRES_CONFIRMATION, IntentStatus.REQUIRES_APPROVAL)
    Intent.objects.filter(batch=batch, status__in=waiting).update(status=IntentStatus.VOID)
