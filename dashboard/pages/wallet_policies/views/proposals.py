"""Changes of access that wait for a second admin: looked at, confirmed, declined, withdrawn; and whether one is asked for."""

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.errors import Conflict, FinanceError, NotAllowed, Rejected
from dashboard.lists.query import ListCursor
from dashboard.pages.wallet_policies.presenters.proposals import proposal_context, proposals_context
from dashboard.proposals import outcomes
from dashboard.proposals.four_eyes import requires_second_admin, switch_four_eyes_on
from dashboard.proposals.models import Proposal
from dashboard.proposals.selectors import may_decide, open_proposals, visible_proposals
from dashboard.proposals.services import propose_switching_off
from dashboard.web.forms import DeclineForm, WhyForm
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.submission import posted_key

PROPOSALS, PROPOSAL = "wallet_policies/proposals.html", "wallet_policies/proposal.html"
ROWS = 50


@require_GET
@needs(operations_pages.PROPOSALS)
def proposals(request: ActorRequest, business: str) -> HttpResponse:
    """The page of the proposals that wait, or of all, the newest first; and whether a second admin is asked for."""
    actor, show = request.actor, "all" if request.GET.get("show") == "all" else ""
    rows, following = _rows(request, visible_proposals(actor) if show else open_proposals(actor))
    return page(request, PROPOSALS, proposals_context(actor, rows, following, show))


def _rows(request: ActorRequest, proposals: QuerySet[Proposal]) -> tuple[list[Proposal], str]:
    """The proposals of the address's page, and the address's `after` of the next one, "" at the end."""
    rows = proposals.order_by("-pk")
    if text := request.GET.get("after"):
        try:
            rows = rows.filter(pk__lt=ListCursor.read(text, int).id)
        except ValueError:
            messages.info(request, "This page of the list is no longer available; this is the first page.")
    fetched = list(rows[: ROWS + 1])
    following = str(ListCursor(fetched[ROWS - 1].pk, fetched[ROWS - 1].pk)) if len(fetched) > ROWS else ""
    return fetched[:ROWS], following


def _visible(request: ActorRequest, proposal_id: int) -> Proposal:
    row: Proposal = get_object_or_404(visible_proposals(request.actor), pk=proposal_id)
    return row


@require_GET
@needs(operations_pages.PROPOSALS)
def proposal(request: ActorRequest, business: str, proposal_id: int) -> HttpResponse:
    """The page of one proposal: what it says, what would follow, who proposed and decided."""
    return _render(request, _visible(request, proposal_id))


def _render(request: ActorRequest, row: Proposal, status: int = 200, **more: object) -> HttpResponse:
    return page(request, PROPOSAL, proposal_context(request.actor, row) | more, status=status)


@require_POST
@needs(operations_pages.ACCESS_CHANGES)
def confirm(request: ActorRequest, business: str, proposal_id: int) -> HttpResponse:
    """Confirms a proposal as a second admin: it is applied as theirs. It takes verifying it's you, as proposing does."""
    row = _visible(request, proposal_id)
    # Whoever may not is refused, not asked who they are.
    if may_decide(request.actor, row) and (verification := confirm_first(request, request.path)):
        return verification
    try:
        outcomes.confirm(request.actor, row)
    except NotAllowed:
        raise
    except FinanceError as error:
        return _render(request, _visible(request, proposal_id), error.status, failed=error.user_message)
    messages.success(request, "Confirmed. It is applied on its effective date; this page shows when.")
    return redirect("wallet-policies_proposal", business, proposal_id)


@require_POST
@needs(operations_pages.ACCESS_CHANGES)
def decline(request: ActorRequest, business: str, proposal_id: int) -> HttpResponse:
    """Declines a proposal as a second admin, with a reason."""
    row, form = _visible(request, proposal_id), DeclineForm(request.POST)
    if not form.is_valid():
        return _render(request, row, 422, form=form)
    try:
        outcomes.decline(request.actor, row, form.cleaned_data["reason"])
    except Conflict as error:
        return _render(request, _visible(request, proposal_id), error.status, failed=error.user_message)
    messages.success(request, "Declined. Nothing has changed.")
    return redirect("wallet-policies_proposals", business)


@require_POST
@needs(operations_pages.ACCESS_CHANGES)
def withdraw(request: ActorRequest, business: str, proposal_id: int) -> HttpResponse:
    """Withdraws a proposal: whoever proposed or confirmed it may."""
    outcomes.withdraw(request.actor, _visible(request, proposal_id))
    messages.success(request, "Withdrawn. Nothing has changed.")
    return redirect("wallet-policies_proposals", business)


@require_POST
@needs(operations_pages.ACCESS_CHANGES)
def require_second_admin(request: ActorRequest, business: str) -> HttpResponse:
    """Switches on that every change of access waits for a second admin."""
    switch_four_eyes_on(request.actor)
    messages.success(request, "From now on a second admin must confirm every access change.")
    return redirect("wallet-policies_proposals", business)


@require_POST
@needs(operations_pages.ACCESS_CHANGES)
def propose_single_admin(request: ActorRequest, business: str) -> HttpResponse:
    """Proposes that no second admin be asked for: nobody decides that alone."""
    if not requires_second_admin(request.actor.business):
        messages.info(request, "A second admin is no longer required.")
        return redirect("wallet-policies_proposals", business)
    form = WhyForm(request.POST)
    if not form.is_valid():
        raise Rejected(str(form.errors["why"][0]))
    waiting = propose_switching_off(request.actor, posted_key(request), form.cleaned_data["why"])
    messages.success(request, "Waiting for a second admin. Until then, every access change still requires one.")
    return redirect("wallet-policies_proposal", business, waiting.pk)
