"""Asking for votes on a bill payment, voting, withdrawing: the workflow that a policy
names decides, else the one of bills that matches, else the mandate, else nobody.

A new round asks for new votes; those of earlier rounds stay with their own requests.
"""

from dataclasses import replace
from datetime import datetime

from django.db import transaction

from service import errors, periods
from service.approvals import services as approvals
from service.approvals import workflows
from service.approvals.models import ActionType, Approval, ApprovalStatus, Vote
from service.approvals.subjects import ApprovalSubject
from service.auth import Caller
from service.bills import payments, policies, queue, transitions
from service.bills.models import ApprovalAxis, BillPayment, PaymentStatus
from service.bills.transitions import check_move
from service.businesses.models import Employee, Role
from service.ledger.models import LedgerHold
from service.ledger.post import release
from service.vendors.models import InstructionStatus, PaymentInstruction

KIND = "BILL_PAYMENT"
# Why a payment that was approved awaits approval again, or was withdrawn: its hold_reason.
WITHHOLDING_CHANGED = "withholding_changed"


def request_approval(caller: Caller, bill_id: str, ref: str) -> BillPayment:
    """PENDING_APPROVAL, or APPROVED at once where no workflow, mandate or policy wants votes.

    404; 403 policy_blocked; 409 in any state but DRAFT, WITHDRAWN and REJECTED, while the payee waits for a second
    person, and approvers_insufficient where a policy wants votes that nobody could give; 422 where other payments have
    taken the balance meanwhile.
    """
    with transaction.atomic():
        row = lock_to_ask(caller, ref, bill_id)
        check_move(row, "request approval")
        payments.recheck_balance(row)
        previous = row.status
        event = transitions.move(row, "request approval", PaymentStatus.APPROVED)
        row.round += 1
        row.hold_reason = row.failure_code = ""
        row.requested_by = caller.label
        if caller.employee_id and caller.employee_id not in row.maker_ids:
            row.maker_ids = [*row.maker_ids, caller.employee_id]
        payments.set_payee(caller, row, _latest(row.instruction))
        payments.set_withholding(caller, row)
        workflow = workflows.match(row.business, ActionType.BILL_PAYMENT, policies.facts_of(row))
        by_policy = policies.check_policies(caller, row, workflow)
        payments.check_limits(caller, row)
        row.save()  # the risk score reads what is written
        approval = approvals.request_approval(caller, _subject(row), workflow=workflow, policy_workflow=by_policy)
        row.approval_status = ApprovalAxis.PENDING if approval else ApprovalAxis.NOT_REQUIRED
        if approval:
            row.status = PaymentStatus.PENDING_APPROVAL
        payments.record_payment_change(caller, row, event, "bill_payment.request_approval", previous)
        if row.status == PaymentStatus.APPROVED:
            queue.execute_soon(row)
    return row


def lock_to_ask(caller: Caller, ref: str, bill_id: str | None = None) -> BillPayment:
    """A payment of which votes may be asked for, locked with its bill, the workflows before both: a changed workflow that is
    followed by another payment of the bill locks in this order, too. 404 without the payment."""
    workflows.lock_for_use(caller.business)
    _, row = payments.lock_payment(caller, ref, bill_id)
    return row


def ask_again(caller: Caller, row: BillPayment) -> None:
    """Sends a payment that was approved, locked by `lock_to_ask`, back to approval, because what is withheld of it has changed
    since: its votes are void, what was reserved is given back, and whoever requested it requests it again. WITHDRAWN where nobody
    could give the votes, and where nothing would be left for the vendor. Inside the caller's transaction."""
    previous = row.status
    _give_back(row)
    person = Employee.objects.filter(business_id=row.business_id, id=row.requested_by).first()
    requester = replace(caller, employee=person, role=person.role) if person is not None else caller
    try:
        with transaction.atomic():
            payments.set_withholding(caller, row)
            row.round += 1
            workflow = workflows.match(row.business, ActionType.BILL_PAYMENT, policies.facts_of(row))
            by_policy = policies.check_policies(requester, row, workflow)
            row.save()  # the risk score reads what is written
            approval = approvals.request_approval(
                requester, _subject(row), workflow=workflow, policy_workflow=by_policy
            )
    except errors.ServiceError:
        event = transitions.move(row, "stop", PaymentStatus.WITHDRAWN)
        payments.forget_limits(row)
    else:
        event = transitions.move(row, "ask again", PaymentStatus.PENDING_APPROVAL)
        row.approval_status = ApprovalAxis.PENDING
        if approval is None:
            # Nobody is asked any more.
            event = transitions.move(row, "approve", PaymentStatus.APPROVED)
            row.approval_status = ApprovalAxis.NOT_REQUIRED
    row.hold_reason = WITHHOLDING_CHANGED
    payments.record_payment_change(caller, row, event, "bill_payment.ask_again", previous, reason=WITHHOLDING_CHANGED)


def _latest(instruction: PaymentInstruction) -> PaymentInstruction:
    """What became of an account that was replaced since: the one that is in use now, where there is one."""
    while instruction.status == InstructionStatus.REPLACED:
        later = instruction.changes.exclude(status=InstructionStatus.REJECTED).order_by("-id").first()
        if later is None:
            return instruction
        instruction = later
    return instruction


def _subject(row: BillPayment) -> ApprovalSubject:
    bill = row.bill
    return ApprovalSubject(
        kind=KIND,
        action_type=ActionType.BILL_PAYMENT,
        ref=row.ref,
        subject_id=row.id,
        title=f"Bill {bill.bill_no}",
        payee=row.receiver_name,
        amount_minor=row.amount_minor,
        currency=row.currency,
        org_wallet_ref=row.wallet.org_wallet_ref,
        # Whoever made or edited the bill checks no payment of it either.
        maker_ids=list(dict.fromkeys([*row.maker_ids, *bill.maker_ids])),
        due_at=_due(row),
        team_id=bill.team_id
        or Employee.objects.filter(id=row.requested_by).values_list("team_id", flat=True).first()
        or "",
    )


def _due(row: BillPayment) -> datetime:
    return periods.start_of(row.bill.due_on, row.business)


def vote(caller: Caller, bill_id: str, ref: str, decision: Vote.Decision, reason: str) -> BillPayment:
    """The acting employee's vote on the open request of a payment; 409 where there is none. See approvals.services."""
    with transaction.atomic():
        row = payments.get_payment(caller, ref, bill_id)
        approval = approvals.lock_open(caller.business, KIND, row.id)
        if approval is None:
            raise errors.invalid_state(f"A payment that is {row.status} waits for no approval.")
        approvals.vote(caller, approval.id, decision, reason)
        return payments.get_payment(caller, ref, bill_id)


def withdraw(caller: Caller, bill_id: str, ref: str, *, only_draft: bool = False) -> BillPayment:
    """Takes the request back before anything is sent; its votes stay for the record. A draft, which asked for nothing yet,
    ends with it: what it claimed of the bill is free again. Whoever added or requested it, or an ADMIN, only. With
    `only_draft` 409 not_draft for one that is none any more."""
    with transaction.atomic():
        payment = payments.get_payment(caller, ref, bill_id)
        approval = approvals.lock_open(caller.business, KIND, payment.id)
        _, row = payments.lock_payment(caller, ref, bill_id)
        if caller.role != Role.ADMIN and caller.label not in (row.created_by, row.requested_by):
            raise errors.insufficient_role("Only its requester or an admin does this.")
        if only_draft and row.status != PaymentStatus.DRAFT:
            raise errors.not_draft()
        previous = row.status
        event = transitions.move(
            row, "drop" if previous == PaymentStatus.DRAFT else "withdraw", PaymentStatus.WITHDRAWN
        )
        if approval:
            approvals.end(caller, approval, ApprovalStatus.WITHDRAWN)
        _give_back(row)
        payments.forget_limits(row)
        payments.record_payment_change(caller, row, event, "bill_payment.withdraw", previous)
    return row


def _give_back(row: BillPayment) -> None:
    row.hold_reason = ""
    if row.ledger_hold_id is not None:
        release(LedgerHold.objects.get(pk=row.ledger_hold_id), f"bill-payment:{row.ref}:{row.round}:withdrawn")
        row.ledger_hold_id = None


def voted(caller: Caller, approval: Approval) -> None:
    """What follows from a decided (or expired) request: the payment moves on in the same transaction."""
    _, row = payments.lock_payment(caller, approval.ref)
    previous = row.status
    if approval.status == ApprovalStatus.APPROVED:
        event = transitions.move(row, "approve", PaymentStatus.APPROVED)
    elif approval.status == ApprovalStatus.REJECTED:
        event = transitions.move(row, "reject", PaymentStatus.REJECTED)
    else:
        event = transitions.move(row, "withdraw", PaymentStatus.WITHDRAWN)
    if row.status != PaymentStatus.APPROVED:
        payments.forget_limits(row)
    row.hold_reason = ""
    payments.record_payment_change(caller, row, event, event.replace("bill_payment.", "bill_payment.vote_"), previous)
    if row.status == PaymentStatus.APPROVED:
        queue.execute_soon(row)
