"""The payments of a payout that are sent again: as a draft of the service, or as lines that can be changed first."""

from collections.abc import Sequence

from dashboard.mirror.models import ApprovalRequest
from dashboard.money import to_minor
from dashboard.pages.payouts.services.lines import NOT_PAID, PaymentLine
from dashboard.schemas.payments import BatchBody, PaymentBody, PayoutItem


def batch_again(payout: ApprovalRequest, payments: Sequence[PayoutItem]) -> BatchBody:
    """The body of a new draft: of those `payments` that were not paid, or without any, of all the payout's payments."""
    if not payments:
        return {"name": payout.title[:100], "org_wallet_ref": payout.org_wallet_ref, "reuse": payout.ref}
    return {
        "name": f"{payout.title[:80]}, failed payments",
        "org_wallet_ref": payout.org_wallet_ref,
        "items": [_as_sent(payment) for payment in payments if payment.status in NOT_PAID],
    }


def lines_again(payout: ApprovalRequest, payments: Sequence[PayoutItem], *, failed: bool) -> list[PaymentLine]:
    """The payments that a new draft of these would have, by their rows in the payout: all, or those alone that were not
    paid."""
    lines = []
    for number, item in enumerate(payments, 1):
        if not failed or item.status in NOT_PAID:
            minor = to_minor(item.amount, payout.currency)
            lines.append(PaymentLine(number, {"receiver": item.receiver_name}, body=_as_sent(item), amount_minor=minor))
    return lines


def _as_sent(payout_item: PayoutItem) -> PaymentBody:
    return {
        "receiver_name": payout_item.receiver_name,
        "channel": payout_item.channel,
        "account": payout_item.account,
        "bank_code": payout_item.bank_code or None,
        "account_reference": payout_item.account_reference or None,
        "amount": payout_item.amount,
        "subcategory_id": payout_item.subcategory_id or None,
        "vendor_id": payout_item.vendor_id or None,
        "note": payout_item.note or None,
    }
