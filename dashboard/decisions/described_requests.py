"""The row that describes what a payment request is about: a bill's payment, a card, a fund, a policy's item."""

from dashboard.mirror.models import Approval, ApprovalRequest

DESCRIBED_BY = {
    "BILL_PAYMENT": "bill_payment", "BULK_PAYOUT": "payout", "BANK_TRANSFER": "payout", "INVESTMENT": "fund_opt_in",
    "CARD_REQUEST": "card_request",
}  # fmt: skip


# What is paid, and is looked up for several at once.
PAID_BY = frozenset({"BILL_PAYMENT", "BULK_PAYOUT", "BANK_TRANSFER"})


def described_request(approval: Approval) -> ApprovalRequest | None:
    """The item that votes are asked for, where the copy knows it; looked up once per object."""
    kind = DESCRIBED_BY.get(approval.kind)
    if kind is None:
        return None
    if "_described" not in approval.__dict__:
        same = ApprovalRequest.objects.filter(business_id=approval.business_id, kind=kind, tombstoned_at=None)
        # The request for a card names its request for votes; the others carry the same reference.
        candidates = (
            same.filter(payload__approval_id=approval.remote_id)
            if kind == "card_request"
            else same.filter(ref=approval.ref)
        )
        approval.__dict__["_described"] = candidates.first()
    linked: ApprovalRequest | None = approval.__dict__["_described"]
    return linked


def load_described(approvals: list[Approval]) -> None:
    """Looks the payments behind several requests up in one go: those of bills and the payouts."""
    paid = [approval for approval in approvals if approval.kind in PAID_BY and "_described" not in approval.__dict__]
    if not paid:
        return
    rows = ApprovalRequest.objects.filter(
        business_id=paid[0].business_id,
        kind__in={DESCRIBED_BY[approval.kind] for approval in paid},
        ref__in=[approval.ref for approval in paid],
        tombstoned_at=None,
    )
    by_reference = {(row.kind, row.ref): row for row in rows}
    for approval in paid:
        approval.__dict__["_described"] = by_reference.get((DESCRIBED_BY[approval.kind], approval.ref))
