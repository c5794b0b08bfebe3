"""The permissions that a wallet policy can give, and having the service renew its list of them."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.commands import access_changes
from dashboard.errors import FinanceError
from dashboard.impact.wallet_rights import Rules
from dashboard.pages.wallet_policies.presenters.access import permission_rows
from dashboard.pages.wallet_policies.selectors.access import refresh_permissions
from dashboard.web.freshness import freshness_of
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, new_key

TEMPLATE = "wallet_policies/permissions.html"


@require_GET
@needs(operations.LIST_WALLET_PERMISSIONS)
def permissions(request: ActorRequest, business: str) -> HttpResponse:
    """The page of the permissions there are, read live, and of the roles that give them by themselves."""
    where, trouble = request.actor.business, ""
    try:
        refresh_permissions(request.actor)
    except FinanceError as error:
        trouble = error.user_message
    rows = permission_rows(Rules.of(where))
    may_sync = bool(can_open(request.actor, operations.SYNC_WALLET_PERMISSIONS))
    context = {"rows": rows, "trouble": trouble, "may_sync": may_sync, "key": new_key(), "fresh": freshness_of(where)}
    return page(request, TEMPLATE, context)


@require_POST
@needs(operations.SYNC_WALLET_PERMISSIONS)
def sync_permissions(request: ActorRequest, business: str) -> HttpResponse:
    """Has the service renew its list, and reads it again."""
    synced = access_changes.sync_permissions(request.actor, key=form_key_of(request))
    messages.success(request, f"{synced.created} added, {synced.updated} changed.")
    return redirect("wallet-policies_permissions", business)
