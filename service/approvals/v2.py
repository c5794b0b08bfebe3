"""Payment requests in v2: translates between the wire and service/approvals/services.py."""

from django.http import HttpResponse
from ninja import Query, Router

from service.approvals import schemas, selectors, serializers, services
from service.approvals.models import Approval, ApprovalStatus, Vote
from service.auth import OFFICE, ApiRequest, requires
from service.businesses.models import Role
from service.idempotency import idempotent
from service.pagination import page_of
from service.respond import answer

router = Router(tags=["Approvals"])

APPROVERS = frozenset({Role.APPROVER})


@router.get("/all", response=schemas.ApprovalPage, summary="List payment requests")
@requires(scope="approvals:read", roles=OFFICE, private_label=True)
def list_approvals(request: ApiRequest, query: Query[schemas.ApprovalQuery]) -> HttpResponse:
    """The requests that the filters let through; `my_turn` without an acting employee finds nothing."""
    return page_of(selectors.filter_approvals(request.caller, query), request, query, serializers.approval)


@router.get("/all/digest", response=schemas.DigestPage, summary="Payment requests in short, with their risk")
@requires(scope="approvals:read", roles=OFFICE, private_label=True)
def list_digest(request: ApiRequest, query: Query[schemas.ApprovalQuery]) -> HttpResponse:
    """The requests that the filters let through, in short: of one that waits the risk as it is now, else as it was
    decided."""
    rows = selectors.filter_approvals(request.caller, query).select_related("business")

    def show_all(page: list[Approval]) -> list[serializers.DigestShape]:
        now = services.rescored([row for row in page if row.status == ApprovalStatus.PENDING])
        return [
            serializers.digest(row, now.get(row.id) or row.risk_at_decision or row.risk_at_request, request.caller)
            for row in page
        ]

    return page_of(rows, request, query, show_all=show_all)


@router.post("/approve", response=schemas.ApprovalOut, summary="Approve a payment request")
@requires(scope="approvals:decide", roles=APPROVERS, private_label=True, person=True)
@idempotent(money=True)
def approve(request: ApiRequest, body: schemas.ApproveRequestBody) -> HttpResponse:
    """The acting employee's vote. One rejection rejects; the last needed approval lets go on what was asked for. 404
    for a request of another business; 403 for its makers and for whom the mandate does not let vote; 409 when it is
    decided already, voted on already, or somebody else comes first."""
    row = services.vote(request.caller, body.approval_id, Vote.Decision.APPROVE, body.reason or "")
    return answer(serializers.approval(row))


@router.post("/reject", response=schemas.ApprovalOut, summary="Reject a payment request")
@requires(scope="approvals:decide", roles=APPROVERS, private_label=True, person=True)
@idempotent()
def reject(request: ApiRequest, body: schemas.RejectBody) -> HttpResponse:
    """The acting employee's vote. One rejection rejects; the last needed approval lets go on what was asked for. 404
    for a request of another business; 403 for its makers and for whom the mandate does not let vote; 409 when it is
    decided already, voted on already, or somebody else comes first."""
    return answer(
        serializers.approval(services.vote(request.caller, body.approval_id, Vote.Decision.REJECT, body.reason))
    )


@router.delete("/bills/reject", response=schemas.ApprovalOut, summary="Reject the request of a bill payment")
@requires(scope="approvals:decide", roles=APPROVERS, private_label=True, person=True)
@idempotent()
def reject_bill_payment_request(request: ApiRequest, body: schemas.RejectBillBody) -> HttpResponse:
    """The acting employee's vote against a bill payment; 404 where the id is no request, or one about something else.
    Other refusals as for a vote."""
    approval = selectors.get_bill_approval(request.caller, body.approval_id)
    return answer(serializers.approval(services.vote(request.caller, approval.id, Vote.Decision.REJECT, body.reason)))
