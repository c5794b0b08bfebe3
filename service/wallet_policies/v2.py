"""Wallet policies in v2: translates between the wire and service/wallet_policies/services.py."""

from django.db.models import QuerySet
from django.http import HttpResponse
from ninja import Query, Router

from service.auth import ADMINS, OFFICE, ApiRequest, requires
from service.businesses.models import Role
from service.idempotency import idempotent, in_transaction
from service.pagination import PageQuery, page_of
from service.respond import answer
from service.wallet_policies import audit, catalogue, effective_permissions, schemas, selectors, serializers, services
from service.wallet_policies.models import PolicyAudit, WalletPermission

router = Router(tags=["Wallet policies"])

SUPER_ADMINS = frozenset({Role.SUPER_ADMIN})


def _ip(request: ApiRequest) -> str:
    return str(request.META.get("REMOTE_ADDR", ""))[:45]


def _audit_page(request: ApiRequest, rows: QuerySet[PolicyAudit], query: PageQuery) -> HttpResponse:
    query.updated_since = None  # its lines never change
    return page_of(rows, request, query, serializers.audit_row, order="at", time_zone=request.caller.business.time_zone)


@router.post("", response={201: schemas.WalletPolicyOut}, summary="Grant an employee access to a wallet")
@requires(scope="wallet_policies:write", roles=ADMINS, private_label=True)
@idempotent()
def grant_wallet_policy(request: ApiRequest, body: schemas.NewWalletPolicy) -> HttpResponse:
    """A new policy, ACTIVE from `valid_from` on; never about oneself. 404 for an unknown wallet or employee, 409
    duplicate while the employee has an open policy on the wallet, 422 where the employee is not active, the dates
    make no sense, or the role can never have the permission."""
    return answer(serializers.policy(services.grant(request.caller, body, _ip(request))), 201)


@router.get("/wallet/{walletId}", response=schemas.WalletPolicyPage, summary="The policies of a wallet")
@requires(scope="wallet_policies:read", roles=OFFICE, private_label=True)
def list_policies_of_wallet(
    request: ApiRequest,
    walletId: str,  # noqa: N803  the published name
    query: Query[schemas.WalletPolicyQuery],
) -> HttpResponse:
    """The policies of one wallet in a state: what is past its end counts as EXPIRED. 404 when it is none of the
    business's."""
    rows = selectors.in_state(selectors.of_wallet(request.caller, walletId), query.status)
    return page_of(rows, request, query, serializers.policy)


@router.get("/employee/{employeeId}", response=schemas.WalletPolicyPage, summary="The policies of an employee")
@requires(scope="wallet_policies:read", private_label=True)
def list_policies_of_employee(
    request: ApiRequest,
    employeeId: str,  # noqa: N803
    query: Query[schemas.WalletPolicyQuery],
) -> HttpResponse:
    """The policies of one employee in a state: one's own, or anybody's for the office; 404 otherwise. What is past its
    end counts as EXPIRED."""
    rows = selectors.in_state(selectors.of_employee(request.caller, employeeId), query.status)
    return page_of(rows, request, query, serializers.policy)


@router.get("/permissions", response=schemas.WalletPermissionList, summary="The permissions that policies can give")
@requires(scope="wallet_policies:read", roles=OFFICE, private_label=True)
def list_wallet_permissions(request: ApiRequest) -> HttpResponse:
    """All permissions that a wallet policy can give."""
    rows = [serializers.permission(row) for row in WalletPermission.objects.all()]
    return answer({"docs": rows, "total": len(rows)})


@router.post(
    "/permissions/sync", response=schemas.SyncOut, summary="Seed the permissions; a second time changes nothing"
)
@requires(scope="wallet_policies:write", roles=SUPER_ADMINS, private_label=True)
@idempotent()
def sync_wallet_permissions(request: ApiRequest) -> HttpResponse:
    """Adds what is missing of the permissions that policies can give, and brings the others up to date."""
    return answer(catalogue.sync(request.caller))


@router.get(
    "/permissions/{employeeId}/{walletId}",
    response=schemas.ComputedPermissionsOut,
    summary="What an employee may do with a wallet, and by what",
)
@requires(scope="wallet_policies:read", private_label=True)
def read_computed_permissions(request: ApiRequest, employeeId: str, walletId: str) -> HttpResponse:  # noqa: N803
    """The computed answer: role, policy and fund operation together, less what is denied. 404 for unknown ids or
    somebody else's."""
    return answer(effective_permissions.permissions_of(request.caller, employeeId, walletId))


@router.post("/audit/query", response=schemas.PolicyAuditPage, summary="Search the audit of wallet policies")
@requires(scope="wallet_policies:audit", roles=OFFICE, private_label=True)
def query_wallet_policy_audit(request: ApiRequest, body: schemas.PolicyAuditSearch) -> HttpResponse:
    """A page of what was done to wallet policies, as far as the filters let it through."""
    return _audit_page(
        request, audit.search(request.caller, body), PageQuery.model_validate({"page": body.page, "limit": body.limit})
    )


@router.get("/wallet/{walletId}/audit", response=schemas.PolicyAuditPage, summary="The audit of a wallet's policies")
@requires(scope="wallet_policies:audit", roles=OFFICE, private_label=True)
def list_audit_of_wallet(request: ApiRequest, walletId: str, query: Query[PageQuery]) -> HttpResponse:  # noqa: N803
    """The changes of one wallet's policies; 404 when it is none of the business's."""
    return _audit_page(request, audit.audit_of_wallet(request.caller, walletId), query)


@router.get("/{policyId}", response=schemas.WalletPolicyOut, summary="Read a wallet policy")
@requires(scope="wallet_policies:read", roles=OFFICE, private_label=True)
def read_wallet_policy(request: ApiRequest, policyId: str) -> HttpResponse:  # noqa: N803
    """One policy; 404 when the business has none such."""
    return answer(serializers.policy(selectors.get_policy(request.caller, policyId)))


@router.patch("/{policyId}", response=schemas.WalletPolicyOut, summary="Modify a wallet policy")
@requires(scope="wallet_policies:write", roles=ADMINS, private_label=True)
@idempotent()
def modify_wallet_policy(request: ApiRequest, policyId: str, body: schemas.WalletPolicyChange) -> HttpResponse:  # noqa: N803
    """Changes what is given of an open policy; 409 invalid_state once it is over."""
    return answer(serializers.policy(services.modify(request.caller, policyId, body, _ip(request))))


@router.delete("/{policyId}", response=schemas.WalletPolicyOut, summary="Revoke a wallet policy for good")
@requires(scope="wallet_policies:write", roles=ADMINS, private_label=True)
@in_transaction
def revoke_wallet_policy(request: ApiRequest, policyId: str) -> HttpResponse:  # noqa: N803
    """Ends a policy for good; to be revoked already is no mistake."""
    return answer(serializers.policy(services.move(request.caller, policyId, "revoke", _ip(request))))


@router.post("/{policyId}/suspend", response=schemas.WalletPolicyOut, summary="Suspend a wallet policy")
@requires(scope="wallet_policies:write", roles=ADMINS, private_label=True)
@idempotent()
def suspend_wallet_policy(request: ApiRequest, policyId: str) -> HttpResponse:  # noqa: N803
    """Takes a policy out of effect until it is reactivated; to be suspended already is no mistake."""
    return answer(serializers.policy(services.move(request.caller, policyId, "suspend", _ip(request))))


@router.post("/{policyId}/reactivate", response=schemas.WalletPolicyOut, summary="Reactivate a suspended wallet policy")
@requires(scope="wallet_policies:write", roles=ADMINS, private_label=True)
@idempotent()
def reactivate_wallet_policy(request: ApiRequest, policyId: str) -> HttpResponse:  # noqa: N803
    """Brings a suspended policy into effect again; to be active already is no mistake."""
    return answer(serializers.policy(services.move(request.caller, policyId, "reactivate", _ip(request))))


@router.get("/{policyId}/audit", response=schemas.PolicyAuditPage, summary="The audit of one wallet policy")
@requires(scope="wallet_policies:audit", roles=OFFICE, private_label=True)
def list_audit_of_policy(request: ApiRequest, policyId: str, query: Query[PageQuery]) -> HttpResponse:  # noqa: N803
    """The changes of one policy; 404 when the business has none such."""
    return _audit_page(request, audit.of_policy(request.caller, policyId), query)
