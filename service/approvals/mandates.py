"""Mandates: which one an amount falls under, who may vote by it, and the copy of it that a request keeps."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, Q

from service import errors, money
from service.approvals.models import ActionType, Mandate, MandateApprover
from service.approvals.steps import Snapshot, able
from service.businesses.models import Business, Employee, Role

# Currencies of which a hundred thousand are still a moderate sum.
CHEAP = frozenset({"KES", "UGX", "TZS", "RWF", "NGN", "JPY"})
# What usually needs votes, and whether a one-time code as well.
CODES = {ActionType.BULK_PAYOUT: False, ActionType.BANK_TRANSFER: True, ActionType.BILL_PAYMENT: False}


def applying(business: Business, action_type: int, currency: str, amount_minor: int) -> Mandate | None:
    """The active mandate for an amount: of several the one that starts highest; None where none applies."""
    approvers = MandateApprover.objects.filter(
        active=True, employee__status=Employee.Status.ACTIVE, employee__role=Role.APPROVER
    )
    return (
        Mandate.objects.filter(
            Q(max_amount_minor=None) | Q(max_amount_minor__gte=amount_minor),
            business=business,
            action_type=action_type,
            currency=currency,
            active=True,
            min_amount_minor__lte=amount_minor,
        )
        .prefetch_related(Prefetch("approvers", queryset=approvers.order_by("order", "id"), to_attr="seated"))
        .order_by("-min_amount_minor", "id")
        .first()
    )


def snapshot(mandate: Mandate) -> Snapshot:
    """What a request keeps of its mandate: a later change of the mandate does not change a running vote."""
    seated: list[MandateApprover] = mandate.seated  # type: ignore[attr-defined]  # set by `applying`
    return {
        "mandate_id": mandate.id,
        "name": mandate.name,
        "version": mandate.version,
        "min_approvers": mandate.min_approvers,
        "sequential": mandate.sequential,
        "code_required": mandate.code_required,
        "approvers": [
            {
                "employee_id": seat.employee_id,
                "required": seat.required,
                "max_amount_minor": seat.max_amount_minor,
                "order": seat.order,
            }
            for seat in seated
        ],
    }


def required(snapshot: Snapshot, maker_ids: Sequence[str], amount_minor: int, *, extra: bool) -> int:
    """How many approvals a request needs; one more for a high risk, as far as there is somebody to give it.

    409 approvers_insufficient where the mandate asks for more than there are, or for somebody who may not vote.
    """
    seats = able(snapshot, maker_ids, amount_minor)
    needed = snapshot["min_approvers"]
    musts = {seat["employee_id"] for seat in snapshot["approvers"] if seat["required"]} - set(maker_ids)
    if len(seats) < needed or not musts <= {seat["employee_id"] for seat in seats}:
        raise errors.conflict(
            "approvers_insufficient", f"The mandate asks for {needed} approvals, and {len(seats)} people may give one."
        )
    return min(needed + 1, len(seats)) if extra else needed


@dataclass(frozen=True, slots=True)
class NewMandate:
    """A mandate to make: `needed` approvals for amounts (minor units) from `least` up to `most` (None: any)."""

    action_type: int
    currency: str
    needed: int = 1
    least: int = 0
    most: int | None = None
    code_required: bool = False
    sequential: bool = False


def open_mandates(
    business: Business, approvers: Sequence[Employee], new_mandates: Sequence[NewMandate]
) -> list[Mandate]:
    """Makes mandates, all for these approvers in this order, in two statements: for the sandbox and the demo.

    409 approvers_insufficient where one asks for more approvals than there are approvers.
    """
    if any(new.needed > len(approvers) for new in new_mandates):
        raise errors.conflict("approvers_insufficient", "A mandate asks for more approvals than there are approvers.")
    rows = Mandate.objects.bulk_create(
        Mandate(
            business=business,
            action_type=new.action_type,
            name=f"{new.needed} of {len(approvers)}",
            currency=new.currency,
            min_amount_minor=new.least,
            max_amount_minor=new.most,
            min_approvers=new.needed,
            code_required=new.code_required,
            sequential=new.sequential,
        )
        for new in new_mandates
    )
    MandateApprover.objects.bulk_create(
        MandateApprover(mandate=row, employee=person, order=place)
        for row in rows
        for place, person in enumerate(approvers, start=1)
    )
    return rows


# What pays somebody outside waits for a vote from the first unit on; the rest only where it is much.
PAYING = (ActionType.BULK_PAYOUT, ActionType.BANK_TRANSFER, ActionType.BILL_PAYMENT)
INTERNAL = (
    ActionType.ALLOCATION,
    ActionType.PAYMENT_REQUEST,
    ActionType.FX_TRANSFER,
    ActionType.INVESTMENT,
    ActionType.CARD_REQUEST,
)


def usual_mandates(business: Business, approvers: Sequence[Employee], currencies: Sequence[str]) -> list[Mandate]:
    """What a business starts with, in two statements: for payments one approval below a hundred thousand shillings (a
    thousand of a dearer currency), two from there on, single transfers with a one-time code as well; for what stays in
    the house none below a hundred times that, one from there on, two from ten times as much.
    """
    new_mandates = []
    two = min(2, len(approvers))
    for currency in dict.fromkeys(currencies):
        two_from = (100_000 if currency in CHEAP else 1_000) * 10 ** money.exponent(currency)
        for action_type in PAYING:
            code = action_type == ActionType.BANK_TRANSFER
            new_mandates += [
                NewMandate(action_type, currency, 1, 0, two_from - 1, code),
                NewMandate(action_type, currency, two, two_from, None, code),
            ]
        for action_type in INTERNAL:
            new_mandates += [
                NewMandate(action_type, currency, 1, 100 * two_from, 1000 * two_from - 1),
                NewMandate(action_type, currency, two, 1000 * two_from, None),
            ]
    return open_mandates(business, approvers, new_mandates) if approvers else []
