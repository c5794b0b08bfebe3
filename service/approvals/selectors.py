"""What is read of payment requests: within the business of the caller, and as far as they may see."""

from django.db.models import Prefetch, QuerySet

from service import errors
from service.approvals import schemas, serializers
from service.approvals.models import Approval, ApprovalStatus, Vote
from service.auth import Caller


def approvals(caller: Caller) -> QuerySet[Approval]:
    """The payment requests of the business, with requester and votes."""
    votes = Prefetch("votes", queryset=Vote.objects.select_related("voter").order_by("created_at", "id"))
    rows = Approval.objects.filter(business_id=caller.business.id)
    return rows.select_related("requested_by").prefetch_related(votes)


def filter_approvals(caller: Caller, query: schemas.ApprovalQuery) -> QuerySet[Approval]:
    """The requests that the filters let through. `my_turn` without an acting employee finds nothing."""
    rows = approvals(caller)
    equal = {
        "status": query.status,
        "kind": query.kind,
        "ref": query.ref,
        "org_wallet_ref": query.org_wallet_ref,
        "currency": query.currency,
        "requested_by_id": query.requested_by,
        "risk_level": query.risk_level,
        "created_at__gte": query.from_,
        "created_at__lte": query.to,
    }
    rows = rows.filter(**{name: value for name, value in equal.items() if value is not None})
    if query.my_turn:
        waiting = approvals(caller).filter(status=ApprovalStatus.PENDING)
        rows = rows.filter(id__in=[row.id for row in waiting if serializers.is_turn_of(row, caller)])
    return rows


def get_bill_approval(caller: Caller, approval_id: str) -> Approval:
    """The request of a bill payment; 404 where the id is none, or the request is about something else."""
    approval = approvals(caller).filter(id=approval_id, kind="BILL_PAYMENT").first()
    if approval is None:
        raise errors.not_found("bill payment request")
    return approval
