"""What happened to wallet policies: of the business, of one wallet, of one policy."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.inputs import page_number
from dashboard.pages.wallet_policies.forms import AuditForm
from dashboard.pages.wallet_policies.presenters.audit import audit_page
from dashboard.pages.wallet_policies.presenters.changes import name_of
from dashboard.pages.wallet_policies.selectors.access import policy_for, usable_wallets_of, wallet_for
from dashboard.web.respond import page

TEMPLATE = "wallet_policies/audit.html"


@require_GET
@needs(operations.QUERY_WALLET_AUDIT)
def audit(request: ActorRequest, business: str) -> HttpResponse:
    """The changes of access of the whole business, filtered by the query."""
    wallets = [(wallet.remote_id, name_of(wallet)) for wallet in usable_wallets_of(request.actor)]
    form = AuditForm(request.GET, wallets=wallets)
    context: dict[str, Any] = {"form": form, "title": "Access changes"}
    if not form.is_valid():
        return page(request, TEMPLATE, context, status=400)
    number = page_number(request.GET)
    context["log"] = audit_page(request.actor, number, operations.QUERY_WALLET_AUDIT, body=form.query())
    context["again"] = urlencode({name: value for name, value in request.GET.items() if value and name != "page"})
    context["filtered"] = bool(form.query())
    return page(request, TEMPLATE, context)


@require_GET
@needs(operations.LIST_WALLET_AUDIT)
def wallet_audit(request: ActorRequest, business: str, wallet_id: str) -> HttpResponse:
    """The changes of one wallet's policies."""
    actor, wallet = request.actor, wallet_for(request.actor, wallet_id)
    log = audit_page(
        actor, page_number(request.GET), operations.LIST_WALLET_AUDIT, path={"walletId": wallet_id}, subject=wallet
    )
    return page(request, TEMPLATE, {"log": log, "title": f"Access changes for {name_of(wallet)}", "wallet": wallet})


@require_GET
@needs(operations.LIST_WALLET_POLICY_AUDIT)
def policy_audit(request: ActorRequest, business: str, policy_id: str) -> HttpResponse:
    """The changes of one policy."""
    actor, policy = request.actor, policy_for(request.actor, policy_id)
    log = audit_page(
        actor,
        page_number(request.GET),
        operations.LIST_WALLET_POLICY_AUDIT,
        path={"policyId": policy_id},
        subject=policy,
    )
    title = f"Policy changes of {policy.employee_name}"
    return page(request, TEMPLATE, {"log": log, "title": title, "policy": policy})
