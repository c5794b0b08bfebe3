"""Bill payments and the workflows they are voted on by, in v2: translates between the wire and the services."""

from django.http import HttpResponse
from ninja import Query, Router

from service.approvals import schemas_workflows, workflows
from service.approvals import serializers as approvals_serializers
from service.approvals.models import ActionType, Vote
from service.auth import ADMINS, OFFICE, ApiRequest, requires
from service.bills import approvals, payments, retries
from service.bills import schemas_payments as schemas
from service.bills.models import BillPayment
from service.businesses.models import Role
from service.documentation import OnlyDraft
from service.idempotency import idempotent
from service.pagination import PageQuery, page_of
from service.respond import answer
from service.vendors import instructions, serializers
from service.vendors import schemas as vendor_schemas

router = Router(tags=["Bills"])

BUYERS = frozenset({Role.APPROVER, Role.ADMIN})
APPROVERS = frozenset({Role.APPROVER})
BILLS = ActionType.BILL_PAYMENT


def _respond(row: BillPayment, status: int = 200) -> HttpResponse:
    return answer(payments.payment_detail(row), status)


@router.get("/workflow", response=schemas_workflows.WorkflowPage, summary="Read the approval workflows of bills")
@requires(scope="bills:read", roles=OFFICE)
def read_bill_workflow(request: ApiRequest, query: Query[PageQuery]) -> HttpResponse:
    """Of those that match a payment the one with the lowest priority applies."""
    return page_of(workflows.list_workflows(request.caller, BILLS), request, query, approvals_serializers.workflow)


@router.post("/workflow", response={201: schemas_workflows.WorkflowOut}, summary="Create a workflow of bills")
@requires(scope="bills:write", roles=ADMINS)
@idempotent()
def create_bill_workflow(request: ApiRequest, body: schemas_workflows.NewWorkflow) -> HttpResponse:
    """A new workflow. 422 for approvers who are none, and for teams, subcategories or vendors of nobody's; 409
    approvers_insufficient where a step asks for more votes than there are people who could give them."""
    return answer(approvals_serializers.workflow(workflows.create(request.caller, BILLS, body)), 201)


@router.patch("/workflow/{workflowId}", response=schemas_workflows.WorkflowOut, summary="Update a workflow of bills")
@requires(scope="bills:write", roles=ADMINS)
@idempotent()
def update_bill_workflow(
    request: ApiRequest,
    workflowId: str,  # noqa: N803  the published name
    body: schemas_workflows.WorkflowChange,
) -> HttpResponse:
    """Changes what is given; requests that run already keep the copy they were made with. Refusals as for a new one;
    one that is turned on must be possible with the people there are now."""
    return answer(approvals_serializers.workflow(workflows.change(request.caller, BILLS, workflowId, body)))


@router.delete("/workflow/{workflowId}", response=schemas_workflows.WorkflowOut, summary="Delete a workflow of bills")
@requires(scope="bills:write", roles=ADMINS)
@idempotent()
def delete_bill_workflow(request: ApiRequest, workflowId: str) -> HttpResponse:  # noqa: N803
    """Deletes a workflow; 409 in_use while a policy names it."""
    return answer(approvals_serializers.workflow(workflows.delete(request.caller, BILLS, workflowId)))


@router.post(
    "/vendors/{vendorId}/payment-method",
    response={201: vendor_schemas.VendorOut},
    summary="Propose another account of a vendor",
)
@requires(scope="bills:write", roles=BUYERS)
@idempotent()
def add_vendor_payment_method(
    request: ApiRequest,
    vendorId: str,  # noqa: N803
    body: vendor_schemas.NewInstruction,
) -> HttpResponse:
    """The account waits in quarantine for a second person, and is not paid to meanwhile."""
    return answer(serializers.vendor(instructions.add(request.caller, vendorId, body)), 201)


@router.get("/payments/{paymentRef}/status", response=schemas.PaymentOut, summary="Check a payment's status")
@requires(scope="bills:read", roles=OFFICE)
def read_bill_payment_status(request: ApiRequest, paymentRef: str) -> HttpResponse:  # noqa: N803
    """Asks the rail about a payment that is on its way."""
    return answer(retries.reconcile(request.caller, paymentRef))


@router.post("/payments/{paymentRef}/retry", response=schemas.PaymentOut, summary="Retry a failed payment")
@requires(scope="bills:pay", roles=BUYERS)
@idempotent(required=True, money=True)
def retry_bill_payment(request: ApiRequest, paymentRef: str) -> HttpResponse:  # noqa: N803
    """Queues another attempt of a FAILED payment; the worker sends it only once the rail confirms that the last one
    took no money. 404; 403 policy_blocked; 409 while it is UNKNOWN whether money left (ask for the status first), in
    any other state, and where the payee waits or was replaced; 422 where the balance is taken or the funds do not
    suffice."""
    return _respond(retries.retry(request.caller, paymentRef))


@router.post("/{billId}/payments", response={201: schemas.PaymentOut}, summary="Add a payment to a bill, in DRAFT")
@requires(scope="bills:pay", roles=BUYERS)
@idempotent(required=True, money=True)
def add_bill_payment(request: ApiRequest, billId: str, body: schemas.NewPayment) -> HttpResponse:  # noqa: N803
    """A payment in DRAFT. 404 without the bill, 409 where it takes none, 422 above its balance or for another currency.
    409 payee_quarantined while the account waits for a second person."""
    return _respond(payments.add(request.caller, billId, body), 201)


@router.patch(
    "/{billId}/payments/{paymentRef}/request-approval",
    response=schemas.PaymentOut,
    summary="Request approval of a payment",
)
@requires(scope="bills:pay", roles=BUYERS)
@idempotent(required=True, money=True)
def request_bill_payment_approval(request: ApiRequest, billId: str, paymentRef: str) -> HttpResponse:  # noqa: N803
    """PENDING_APPROVAL, or APPROVED at once where no workflow, mandate or policy wants votes. 404; 403 policy_blocked;
    409 in any state but DRAFT, WITHDRAWN and REJECTED, while the payee waits for a second person, and
    approvers_insufficient where a policy wants votes that nobody could give; 422 where other payments have taken the
    balance meanwhile."""
    return _respond(approvals.request_approval(request.caller, billId, paymentRef))


@router.post("/{billId}/payments/{paymentRef}/approve", response=schemas.PaymentOut, summary="Approve a payment")
@requires(scope="bills:approve", roles=APPROVERS, person=True)
@idempotent(required=True, money=True)
def approve_bill_payment(
    request: ApiRequest,
    billId: str,  # noqa: N803
    paymentRef: str,  # noqa: N803
    body: schemas.ApprovePayment | None = None,
) -> HttpResponse:
    """The acting employee's vote for a payment that is asked for; 409 where no request of it is open."""
    reason = (body.reason if body else None) or ""
    return _respond(approvals.vote(request.caller, billId, paymentRef, Vote.Decision.APPROVE, reason))


@router.post("/{billId}/payments/{paymentRef}/reject", response=schemas.PaymentOut, summary="Reject a payment")
@requires(scope="bills:approve", roles=APPROVERS, person=True)
@idempotent()
def reject_bill_payment(
    request: ApiRequest,
    billId: str,  # noqa: N803
    paymentRef: str,  # noqa: N803
    body: schemas.RejectPayment,
) -> HttpResponse:
    """The acting employee's vote against a payment that is asked for; 409 where no request of it is open."""
    return _respond(approvals.vote(request.caller, billId, paymentRef, Vote.Decision.REJECT, body.reason))


@router.post(
    "/{billId}/payments/{paymentRef}/withdraw", response=schemas.PaymentOut, summary="Withdraw the approval request"
)
@requires(scope="bills:pay", roles=BUYERS)
@idempotent()
def withdraw_bill_payment(
    request: ApiRequest,
    billId: str,  # noqa: N803
    paymentRef: str,  # noqa: N803
    only_draft: OnlyDraft = False,
) -> HttpResponse:
    """Takes the request back before anything is sent; its votes stay for the record. A draft, which asked for nothing
    yet, ends with it: what it claimed of the bill is free again. Whoever added or requested it, or an ADMIN, only.
    With `only_draft` 409 not_draft for one that is none any more."""
    return _respond(approvals.withdraw(request.caller, billId, paymentRef, only_draft=only_draft))
