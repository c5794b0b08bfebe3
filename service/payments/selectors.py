"""What is read of payouts within the business of the caller; and what areas below read of them, as SQL that they put into
a query of their own."""

from django.db.models import QuerySet

from service import errors
from service.approvals.models import Approval
from service.auth import Caller
from service.payments import serializers
from service.payments.models import Batch, MobileMoneyPush
from service.payments.schemas import PayoutQuery

# Whom payouts on a channel paid (service/vendors/recent_payees.py).
PAYEES = """
    SELECT receiver_name, account, account_reference, b.currency, i.settled_at, i.amount_minor
    FROM payments_item i JOIN payments_batch b ON b.id = i.batch_id
    WHERE i.business_id = %(business)s AND i.status = 'SUCCEEDED' AND i.channel = %(channel)s
      AND i.settled_at >= %(since)s"""

# What payouts paid a vendor (service/vendors/activity.py).
PAID_TO_VENDOR = """
    SELECT 'PAYOUT', b.batch_no, b.currency, i.settled_at, i.amount_minor
    FROM payments_item i JOIN payments_batch b ON b.id = i.batch_id
    WHERE i.business_id = %(business)s AND i.vendor_id = %(vendor)s AND i.status = 'SUCCEEDED'
      AND i.settled_at >= %(since)s"""


def payouts(caller: Caller, query: PayoutQuery) -> QuerySet[Batch]:
    """The payouts that the filters let through."""
    rows = payouts_of(caller)
    equal = {
        "status": query.status,
        "kind": query.kind,
        "batch_no": query.batch_no,
        "wallet__org_wallet_ref": query.org_wallet_ref,
    }
    return rows.filter(**{name: value for name, value in equal.items() if value is not None})


def payout_details(rows: list[Batch], *, with_items: bool = False) -> list[serializers.PayoutShape]:
    """Payouts with the ids of their requests for votes, and with their items where one alone is looked at."""
    approval_ids: dict[str, list[str]] = {}
    approvals = Approval.objects.filter(subject_id__in=[row.id for row in rows]).order_by("created_at")
    for subject, approval_id in approvals.values_list("subject_id", "id"):
        approval_ids.setdefault(subject, []).append(approval_id)
    return [
        serializers.payout(row, row.items.order_by("position") if with_items else None, approval_ids.get(row.id, ()))
        for row in rows
    ]


def payouts_of(caller: Caller) -> QuerySet[Batch]:
    """The payout batches of the caller's business."""
    return Batch.objects.filter(business_id=caller.business.id).select_related("wallet")


def pushes_of(caller: Caller) -> QuerySet[MobileMoneyPush]:
    """The requests for mobile money of the business."""
    return MobileMoneyPush.objects.filter(business_id=caller.business.id).select_related("wallet")


def get_payout(caller: Caller, batch_no: str) -> Batch:
    """One payout; 404 when it is none of the business's."""
    payout = payouts_of(caller).filter(batch_no=batch_no).first()
    if payout is None:
        raise errors.not_found("payout")
    return payout


def lock_payout(caller: Caller, batch_no: str) -> Batch:
    """One payout, locked for a change; 404 when it is none of the business's."""
    rows = Batch.objects.select_for_update(no_key=True, of=("self",)).select_related("wallet")
    payout = rows.filter(business_id=caller.business.id, batch_no=batch_no).first()
    if payout is None:
        raise errors.not_found("payout")
    return payout
