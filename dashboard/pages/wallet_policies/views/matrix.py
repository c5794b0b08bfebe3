"""Who may use which wallet: the matrix, the same from one person and from one wallet, and the trace between the two."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET

from dashboard import operations, operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.errors import NotAllowed
from dashboard.pages.wallet_policies.presenters.access import access_context
from dashboard.pages.wallet_policies.presenters.holders import person_wallets_context, wallet_holders_context
from dashboard.pages.wallet_policies.presenters.matrix import matrix_context
from dashboard.pages.wallet_policies.selectors.access import (
    holder_for,
    policy_between,
    policy_for,
    wallet_for,
    wallet_of_person,
)
from dashboard.pages.wallet_policies.selectors.matrix import MatrixQuery
from dashboard.web.respond import page

MATRIX, PERSON = "wallet_policies/matrix.html", "wallet_policies/person.html"
WALLET, TRACE = "wallet_policies/wallet.html", "wallet_policies/trace.html"


@require_GET
@needs(operations_pages.WALLET_ACCESS)
def matrix(request: ActorRequest, business: str) -> HttpResponseBase:
    """The matrix of people by wallets, for who reads everybody's; the others are sent to their own page."""
    actor = request.actor
    if not can_open(actor, operations.LIST_WALLET_POLICIES):
        return redirect("wallet-policies_own", business)
    query = MatrixQuery.read(request.GET)
    status = 400 if query.problems else 200
    answer = page(request, MATRIX, matrix_context(actor, query), fragments=("rows", "told"), status=status)
    # What was searched for as it was typed is still there after a reload.
    answer["HX-Replace-Url"] = f"{request.path}?{query.query()}" if query.query() else request.path
    return answer


@require_GET
@needs(operations_pages.WALLET_ACCESS)
def own(request: ActorRequest, business: str) -> HttpResponseBase:
    """Sends the person to the page of what they may use themselves."""
    if not request.actor.employee_id:
        raise NotAllowed("You are not linked to an employee, so no wallet policy can name you.", code="no_employee")
    return redirect("wallet-policies_person", business, request.actor.employee_id)


@require_GET
@needs(operations.LIST_EMPLOYEE_WALLET_POLICIES)
def person(request: ActorRequest, business: str, employee_id: str) -> HttpResponse:
    """The page of what one person may do with which wallet."""
    context = person_wallets_context(request.actor, holder_for(request.actor, employee_id))
    return page(request, PERSON, context)


@require_GET
@needs(operations.LIST_WALLET_POLICIES)
def wallet(request: ActorRequest, business: str, wallet_id: str) -> HttpResponse:
    """The page of everyone who may do something with this wallet, and why."""
    context = wallet_holders_context(request.actor, wallet_for(request.actor, wallet_id), request.GET)
    return page(request, WALLET, context, status=400 if context["holders"].problem else 200)


@require_GET
@needs(operations.READ_EFFECTIVE_WALLET_PERMISSIONS)
def trace(request: ActorRequest, business: str, employee_id: str, wallet_id: str) -> HttpResponse:
    """The page of why a person may do something with a wallet, or may not, with the policy that can be changed."""
    actor, holder = request.actor, holder_for(request.actor, employee_id)
    wallet = wallet_of_person(actor, wallet_id, holder)
    policy = policy_between(actor, holder.remote_id, wallet.remote_id)
    return page(request, TRACE, access_context(actor, holder, wallet, policy))


@require_GET
@needs(operations.READ_EFFECTIVE_WALLET_PERMISSIONS)
def policy(request: ActorRequest, business: str, policy_id: str) -> HttpResponse:
    """One policy, which may be over: what its trace shows, and so for its holder, too."""
    actor, row = request.actor, policy_for(request.actor, policy_id)
    holder = holder_for(actor, row.employee_id)
    return page(request, TRACE, access_context(actor, holder, wallet_of_person(actor, row.wallet_id, holder), row))
