"""Suspending several policies of a wallet at once: what follows from all together first, then a result for each."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from dashboard import operations
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.errors import FinanceError
from dashboard.impact.consequences import Consequence
from dashboard.pages.wallet_policies.presenters.suspensions import (
    Result,
    Suspension,
    suspensions_context,
    suspensions_of,
)
from dashboard.pages.wallet_policies.selectors.access import wallet_for
from dashboard.proposals.services import apply_or_propose
from dashboard.web.form_outcome import not_submitted
from dashboard.web.respond import page
from dashboard.web.submission import posted_key

TEMPLATE = "wallet_policies/several.html"


@require_POST
@needs(operations.SUSPEND_WALLET_POLICY)
def suspend_several(request: ActorRequest, business: str, wallet_id: str) -> HttpResponse:
    """Shows what would follow, and once that is confirmed suspends each policy, or proposes it."""
    actor, wallet = request.actor, wallet_for(request.actor, wallet_id)
    suspensions = suspensions_of(actor, wallet, request.POST.getlist("policy"))
    if not suspensions:
        messages.info(request, "Choose at least one policy that is active.")
        return redirect("wallet-policies_wallet", business, wallet_id)
    context, key = suspensions_context(actor, wallet, suspensions), posted_key(request)
    if request.POST.get("step") != "confirm":
        return not_submitted(page(request, TEMPLATE, {**context, "key": key}))
    results = [_suspend(actor, suspension, context["consequences"], key) for suspension in context["allowed"]]
    failed = [result for result in results if not result.done]
    return page(request, TEMPLATE, {**context, "key": key, "results": results, "failed": failed})


def _suspend(actor: Actor, suspension: Suspension, consequences: list[Consequence], key: str) -> Result:
    """Suspends one policy by itself: one that is refused leaves the others done."""
    draft = suspension.preview.draft(f"{key[:32]}-{suspension.policy.remote_id}", consequences)
    try:
        proposal = apply_or_propose(actor, draft)
    except FinanceError as error:
        failure = f"{error.user_message}{f' Request {error.request_id}.' if error.request_id else ''}"
        return Result(suspension.person, suspension.policy.remote_id, False, failure)
    sentence = "awaiting second admin" if proposal else "is suspended"
    return Result(suspension.person, suspension.policy.remote_id, True, sentence)
