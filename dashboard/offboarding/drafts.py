"""What a leaver has begun and not sent off: drafts of bills, of their payments and of payouts. A draft moves nothing and
waits for nobody in particular, as long as somebody is there who can go on with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from django.db.models import QuerySet

from dashboard import operations, operations_payables
from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.access.roles import INITIATING
from dashboard.commands.bills import cancel_bill, withdraw_payment
from dashboard.commands.payouts import cancel_payout
from dashboard.commands.run import CommandResult, FormKey
from dashboard.errors import Conflict, NotFound
from dashboard.mirror.models import ApprovalRequest, Bill, Employee, Mirrored
from dashboard.mirror.scopes import visible_bills, visible_payouts, visible_requests
from dashboard.offboarding.labels import CANCEL_BILL, CANCEL_PAYMENT, CANCEL_PAYOUT, KEEP_DRAFT, LeftBehind
from dashboard.offboarding.models import OffboardingStep
from dashboard.offboarding.outcome import Carried, StepAction

DRAFT = "DRAFT"
ENDED = ("CANCELLED", "WITHDRAWN")
DRAFT_KINDS = frozenset({"draft_bill", "draft_payment", "draft_payout"})
REASON = "Offboarding"
GOES_ON = "Approvers and admins can go on with it."
LEFT = Carried(sentence="It is no draft any more, and was left as it is.", action="keep")
NOBODY = "Nobody else here could go on with it: cancel it, or give somebody access as an approver or an admin first."

Row = TypeVar("Row", bound=Mirrored)


def drafts_left(actor: Actor, employee: Employee) -> Iterator[LeftBehind]:
    """The drafts that an employee has begun: bills, payments of bills, payouts."""
    own = employee.remote_id
    bills = visible_bills(actor).filter(created_by_id=own, status=DRAFT).order_by("due_on", "pk")
    for bill in bills:
        title = f"{bill.bill_no} of {bill.vendor_name} · {bill.total_text}"
        yield LeftBehind("draft_bill", bill.remote_id, title[:300], (KEEP_DRAFT, CANCEL_BILL))
    for payment in _payments(actor).filter(requested_by_id=own, status=DRAFT).order_by("requested_at", "pk"):
        title = f"{payment.title} · {payment.amount_text}"
        yield LeftBehind("draft_payment", payment.remote_id, title[:300], (KEEP_DRAFT, CANCEL_PAYMENT))
    for payout in visible_payouts(actor).filter(requested_by_id=own, status=DRAFT).order_by("requested_at", "pk"):
        title = f"{payout.title} · {payout.amount_text}"
        yield LeftBehind("draft_payout", payout.remote_id, title[:300], (KEEP_DRAFT, CANCEL_PAYOUT))


def nobody_continues(actor: Actor, leaver_id: str) -> str:
    """That nobody but this employee could send a draft off, in a sentence; "" where somebody could."""
    members = Membership.objects.filter(business=actor.business, is_active=True, user__is_active=True)
    others = members.filter(role__in=INITIATING).exclude(employee_id=leaver_id)
    return "" if others.exists() else NOBODY


def _payments(actor: Actor) -> QuerySet[ApprovalRequest]:
    return visible_requests(actor).filter(kind="bill_payment")


def _row(rows: QuerySet[Row], step: OffboardingStep) -> Row:
    row: Row | None = rows.filter(remote_id=step.remote_id).first()
    if row is None:
        raise NotFound("It no longer exists.", code="not_found")
    return row


def _bill(actor: Actor, step: OffboardingStep) -> Bill:
    return _row(visible_bills(actor), step)


def _payment(actor: Actor, step: OffboardingStep) -> ApprovalRequest:
    return _row(_payments(actor), step)


def _payout(actor: Actor, step: OffboardingStep) -> ApprovalRequest:
    return _row(visible_payouts(actor), step)


def _keep(actor: Actor, step: OffboardingStep) -> Carried:
    if problem := nobody_continues(actor, step.offboarding.employee_id):
        raise Conflict(problem, code="dead_end")
    return Carried(sentence=GOES_ON)


def _never(actor: Actor, step: OffboardingStep) -> bool:
    return False


def _while_draft(row: Bill | ApprovalRequest, send: Callable[[], CommandResult]) -> Carried:
    """Ends a draft; what the copy or, under its lock, the service has as none any more is left as it is."""
    if row.status != DRAFT:
        return LEFT
    try:
        return Carried(send().request_id)
    except Conflict as refused:
        if refused.code != "not_draft":
            raise
        return LEFT


def _cancel_bill(actor: Actor, step: OffboardingStep) -> Carried:
    row = _bill(actor, step)
    return _while_draft(row, lambda: cancel_bill(actor, row, REASON, key=FormKey(step.key), only_draft=True))


def _withdraw_payment(actor: Actor, step: OffboardingStep) -> Carried:
    row = _payment(actor, step)
    return _while_draft(row, lambda: withdraw_payment(actor, row, key=FormKey(step.key), only_draft=True))


def _cancel_payout(actor: Actor, step: OffboardingStep) -> Carried:
    row = _payout(actor, step)
    return _while_draft(row, lambda: cancel_payout(actor, row, REASON, key=FormKey(step.key), only_draft=True))


KEEP = StepAction(None, _keep, _never)
DRAFTS: dict[tuple[str, str], StepAction] = {
    **{(kind, "keep"): KEEP for kind in sorted(DRAFT_KINDS)},
    ("draft_bill", "cancel"): StepAction(
        operations_payables.CANCEL_BILL, _cancel_bill, lambda actor, step: _bill(actor, step).status in ENDED
    ),
    ("draft_payment", "cancel"): StepAction(
        operations.WITHDRAW_BILL_PAYMENT, _withdraw_payment, lambda actor, step: _payment(actor, step).status in ENDED
    ),
    ("draft_payout", "cancel"): StepAction(
        operations.CANCEL_PAYOUT, _cancel_payout, lambda actor, step: _payout(actor, step).status in ENDED
    ),
}  # fmt: skip
