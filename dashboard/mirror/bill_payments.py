"""What a payment says of its bill: the bill's own events do not tell that approval of a payment was asked for, or given."""

from typing import Any

from dashboard.access.models import Business
from dashboard.mirror.events import EventResource
from dashboard.mirror.models import ApprovalRequest, Bill

PENDING = "PENDING"
PAYMENT_KIND = "bill_payment"
# The states of a payment in which it claims a part of its bill's balance (decisions B.9).
CLAIMS = frozenset({"DRAFT", "PENDING_APPROVAL", "APPROVED", "SCHEDULED", "PROCESSING", "UNKNOWN"})


def follow_bill_payment(business: Business, resource: EventResource) -> None:
    """Brings the approval axis of a copied bill up to what its payments say (decisions B.9): one that waits for votes comes
    first, else the latest. `resource` is the one that changed, and stands in the copy already."""
    bill = Bill.objects.filter(business=business, remote_id=str(resource.get("bill_id") or "-")).first()
    if bill is None:
        return
    ref, refs = str(resource.get("payment_ref") or ""), [str(known) for known in bill.payload.get("payments") or ()]
    if ref and ref not in refs:
        # Its bill does not name it before it is read again.
        refs.append(ref)
        Bill.objects.filter(pk=bill.pk).update(payload={**bill.payload, "payments": refs})
    rows = ApprovalRequest.objects.filter(
        business=business, kind=PAYMENT_KIND, ref__in=refs, tombstoned_at=None
    ).order_by("remote_id")
    axes = [str(row.payload.get("approval_status") or "") for row in rows]
    status = PENDING if PENDING in axes else (axes or [bill.approval_status])[-1]
    if status and status != bill.approval_status:
        Bill.objects.filter(pk=bill.pk).update(approval_status=status)


def claimed_minor(amount_minor: int | None, discount_minor: Any) -> int:
    """What of its bill's balance a payment in one of CLAIMS takes, in minor units: what is paid, and the early-payment discount
    that is credited with it. `discount_minor` is as its payload has it, None for none."""
    return (amount_minor or 0) + int(discount_minor or 0)


def payments_of(business: Business, bill: Bill) -> list[ApprovalRequest]:
    """The payments of a bill that stand in the copy, the oldest first."""
    refs = [str(ref) for ref in bill.payload.get("payments") or ()]
    rows = ApprovalRequest.objects.filter(business=business, kind=PAYMENT_KIND, ref__in=refs, tombstoned_at=None)
    return list(rows.order_by("remote_id"))
