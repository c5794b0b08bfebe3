"""Business policies in v2: translates between the wire and service/business_policies/services.py."""

from django.http import HttpResponse
from ninja import Query, Router

from service.approvals import schemas_workflows, workflows
from service.approvals import serializers as approvals_serializers
from service.approvals.models import ActionType
from service.auth import ADMINS, OFFICE, ApiRequest, requires
from service.business_policies import groups, schemas, selectors, serializers, services
from service.business_policies import workflow_changes as voting
from service.business_policies.services import CATEGORY_TYPES
from service.documentation import EXTENSION
from service.idempotency import idempotent, in_transaction
from service.pagination import PageQuery, page_of
from service.respond import answer

router = Router(tags=["Business policies"])

READ, WRITE = "policies:read", "policies:write"


@router.get("", response=schemas.PolicyGroupList, summary="List the policy groups of the business")
@requires(scope=READ, roles=OFFICE, private_label=True)
def list_policy_groups(request: ApiRequest) -> HttpResponse:
    """All groups in their order, each with how many policies it has that are not deleted, and how many of them are
    active."""
    counts = groups.counts(request.caller.business)
    rows = [serializers.policy_group(row, counts) for row in groups.groups(request.caller.business)]
    return answer({"docs": rows, "total": len(rows)})


@router.get("/policy-group-policies", response=schemas.GroupWithTypesList, summary="Policy groups with their types")
@requires(scope=READ, roles=OFFICE, private_label=True)
def list_policy_group_types(request: ApiRequest) -> HttpResponse:
    """All groups in their order, each with its types and how many policies of each there are."""
    counts = groups.counts(request.caller.business)
    rows = [serializers.group_with_types(row, counts) for row in groups.groups(request.caller.business)]
    return answer({"docs": rows, "total": len(rows)})


@router.get("/single/{businessPolicyId}", response=schemas.BusinessPolicyOut, summary="Read one policy")
@requires(scope=READ, roles=OFFICE, private_label=True)
def read_business_policy(request: ApiRequest, businessPolicyId: str) -> HttpResponse:  # noqa: N803  the published name
    """One policy, deleted or not; 404 when the business has none such."""
    return answer(serializers.policy(selectors.get_policy(request.caller, businessPolicyId)))


@router.get(
    "/summary/{businessId}", response=schemas.PolicySummary, summary="All policies of the business in one answer"
)
@requires(scope=READ, roles=OFFICE, private_label=True)
def read_policy_summary(request: ApiRequest, businessId: str) -> HttpResponse:  # noqa: N803
    """All groups and policies in one answer; 404 for any business but the caller's."""
    return answer(groups.summary(request.caller, businessId))


@router.get(
    "/category-policies", response=schemas.BusinessPolicyPage, summary="List policies on subcategories and categories"
)
@requires(scope=READ, roles=OFFICE, private_label=True)
def list_category_policies(request: ApiRequest, query: Query[schemas.CategoryQuery]) -> HttpResponse:
    """Policies of one status; without one, all but the deleted."""
    types = [query.type] if query.type else CATEGORY_TYPES
    rows = selectors.listed(selectors.policies(request.caller, types), query.status)
    return page_of(rows, request, query, serializers.policy)


@router.put(
    "/category-policies",
    response={200: schemas.BusinessPolicyOut, 201: schemas.BusinessPolicyOut},
    summary="Set the policy of a subcategory or category",
)
@requires(scope=WRITE, roles=ADMINS, private_label=True)
@idempotent()
def upsert_category_policy(request: ApiRequest, body: schemas.CategoryPolicy) -> HttpResponse:
    """The policy of a subcategory or category for that currency and period: 201 where it is new, 200 where there was
    one."""
    row, fresh = services.upsert(request.caller, body)
    return answer(serializers.policy(row), 201 if fresh else 200)


@router.put(
    "/category-policies/{businessPolicyId}",
    response=schemas.BusinessPolicyOut,
    summary="Change such a policy, or its status",
)
@requires(scope=WRITE, roles=ADMINS, private_label=True)
@idempotent()
def update_category_policy(
    request: ApiRequest,
    businessPolicyId: str,  # noqa: N803
    body: schemas.BusinessPolicyChange,
) -> HttpResponse:
    """Changes what is given; a deleted one only comes back by a status."""
    return answer(serializers.policy(services.change(request.caller, businessPolicyId, body, CATEGORY_TYPES)))


@router.delete(
    "/category-policies/{businessPolicyId}", response=schemas.BusinessPolicyOut, summary="Mark such a policy DELETED"
)
@requires(scope=WRITE, roles=ADMINS, private_label=True)
@in_transaction
def delete_category_policy(request: ApiRequest, businessPolicyId: str) -> HttpResponse:  # noqa: N803
    """Marks a policy DELETED; a second time nothing happens."""
    return answer(serializers.policy(services.delete(request.caller, businessPolicyId, CATEGORY_TYPES)))


@router.get("/workflows", response=schemas_workflows.WorkflowPage, summary="List the workflows that policies ask for")
@requires(scope=READ, roles=OFFICE, private_label=True)
def list_policy_workflows(request: ApiRequest, query: Query[PageQuery]) -> HttpResponse:
    """A page of the workflows of the business that spend policies can ask for."""
    rows = workflows.list_workflows(request.caller, ActionType.POLICY_BASED)
    return page_of(rows, request, query, approvals_serializers.workflow)


@router.post("/workflows", response={201: schemas_workflows.WorkflowOut}, summary="Create such a workflow")
@requires(scope=WRITE, roles=ADMINS, private_label=True)
@idempotent()
def create_policy_workflow(request: ApiRequest, body: schemas.NewPolicyWorkflow) -> HttpResponse:
    """A new workflow. 422 for approvers who are none, and for teams, subcategories or vendors of nobody's; 409
    approvers_insufficient where a step asks for more votes than there are people who could give them. With
    `also_waiting` open requests that it matches before any other are made anew under it; 422 where they are too many."""
    return answer(approvals_serializers.workflow(voting.create_workflow(request.caller, body)), 201)


@router.patch(
    "/workflows/{workflowId}",
    response=schemas_workflows.WorkflowOut,
    summary="Change such a workflow: another version",
    openapi_extra=EXTENSION,
)
@requires(scope=WRITE, roles=ADMINS, private_label=True)
@idempotent()
def update_policy_workflow(
    request: ApiRequest,
    workflowId: str,  # noqa: N803
    body: schemas.PolicyWorkflowChange,
) -> HttpResponse:
    """Changes what is given, as another version. 404; 422 for approvers who are none; 409 in_use for other steps or
    deactivation while a request is voted on by it, and for deactivation while an active policy needs it. With
    `also_waiting` those requests are withdrawn and made anew, under the version or the workflow that is theirs then."""
    return answer(approvals_serializers.workflow(voting.change_workflow(request.caller, workflowId, body)))


@router.delete(
    "/workflows/{workflowId}",
    response=schemas_workflows.WorkflowOut,
    summary="Take such a workflow out of use",
    openapi_extra=EXTENSION,
)
@requires(scope=WRITE, roles=ADMINS, private_label=True)
@in_transaction
def deactivate_policy_workflow(request: ApiRequest, workflowId: str) -> HttpResponse:  # noqa: N803
    """Takes a workflow out of use; once more is a no-op. 404; 409 in_use while a request is voted on by it or an active
    policy needs it."""
    return answer(approvals_serializers.workflow(voting.deactivate_workflow(request.caller, workflowId)))


@router.post("/create/{policyId}", response={201: schemas.BusinessPolicyOut}, summary="Create a policy under a group")
@requires(scope=WRITE, roles=ADMINS, private_label=True)
@idempotent()
def create_business_policy(request: ApiRequest, policyId: str, body: schemas.NewBusinessPolicy) -> HttpResponse:  # noqa: N803
    """A policy in a group. 404 for an unknown group or workflow, 422 for what makes no sense, 409 duplicate where the
    target has a policy of that period and currency."""
    return answer(serializers.policy(services.create(request.caller, policyId, body)), 201)


@router.get("/{policyId}/policies", response=schemas.GroupWithPolicies, summary="A policy group with its policies")
@requires(scope=READ, roles=OFFICE, private_label=True)
def read_policy_group(request: ApiRequest, policyId: str) -> HttpResponse:  # noqa: N803
    """One group of spend policies with the policies that are in it."""
    return answer(groups.with_policies(request.caller, policyId))


@router.put(
    "/{businessPolicyId}", response=schemas.BusinessPolicyOut, summary="Change rules, workflow or status of a policy"
)
@requires(scope=WRITE, roles=ADMINS, private_label=True)
@idempotent()
def update_business_policy(
    request: ApiRequest,
    businessPolicyId: str,  # noqa: N803
    body: schemas.BusinessPolicyChange,
) -> HttpResponse:
    """Changes what is given; a deleted one only comes back by a status."""
    return answer(serializers.policy(services.change(request.caller, businessPolicyId, body)))


@router.delete("/{businessPolicyId}", response=schemas.BusinessPolicyOut, summary="Mark a policy DELETED")
@requires(scope=WRITE, roles=ADMINS, private_label=True)
@in_transaction
def delete_business_policy(request: ApiRequest, businessPolicyId: str) -> HttpResponse:  # noqa: N803
    """Marks a policy DELETED; a second time nothing happens."""
    return answer(serializers.policy(services.delete(request.caller, businessPolicyId)))
