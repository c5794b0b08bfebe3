"""Changes of access at the desk: shown, confirmed or declined by a second admin, each by itself."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.errors import FinanceError, NotAllowed
from dashboard.pages.approvals.selectors.desk import access_change_of
from dashboard.pages.approvals.views.desk import confirmed_address, show_desk, show_next
from dashboard.proposals import outcomes
from dashboard.proposals.models import Proposal
from dashboard.proposals.selectors import may_decide
from dashboard.web.forms import DeclineForm
from dashboard.web.respond import is_fragment_request
from dashboard.web.signin.middleware import step_up, stepped_up

CONFIRMED = "It is applied on its effective date."
DECLINED = "Nothing has changed."


@require_GET
@needs(operations_pages.INBOX, operations_pages.ACCESS_CHANGES)
def access_change(request: ActorRequest, business: str, proposal_id: int) -> HttpResponse:
    """One proposed change of access on the desk."""
    proposal = access_change_of(request.actor, proposal_id)
    return show_desk(request, proposal, confirmed="confirmed" in request.GET)


@require_POST
@needs(operations_pages.ACCESS_CHANGES)
def confirm_access_change(request: ActorRequest, business: str, proposal_id: int) -> HttpResponse:
    """A second admin agrees: it is made as theirs, once they have verified that it is them."""
    proposal = access_change_of(request.actor, proposal_id)
    # Whoever may not, or comes too late, is told so and not asked who they are.
    if may_decide(request.actor, proposal) and not stepped_up(request):
        return step_up(request, confirmed_address(request, proposal))
    return _decide(request, proposal, lambda: outcomes.confirm(request.actor, proposal), "confirmed", CONFIRMED)


@require_POST
@needs(operations_pages.ACCESS_CHANGES)
def decline_access_change(request: ActorRequest, business: str, proposal_id: int) -> HttpResponse:
    """A second admin disagrees, and says why."""
    proposal, form = access_change_of(request.actor, proposal_id), DeclineForm(request.POST)
    if not form.is_valid():
        return show_desk(request, proposal, status=422, reason_form=form, reason_for="reject")
    reason = form.cleaned_data["reason"]
    return _decide(request, proposal, lambda: outcomes.decline(request.actor, proposal, reason), "declined", DECLINED)


def _decide(
    request: ActorRequest, proposal: Proposal, decide: Callable[[], None], done: str, outcome: str
) -> HttpResponse:
    if not proposal.is_waiting:
        # Decided meanwhile, or this is the same form again.
        return show_desk(request, proposal, status=409, problem="This has already been decided: see the result.")
    try:
        decide()
    except NotAllowed:
        raise
    except FinanceError as trouble:
        fresh = access_change_of(request.actor, proposal.pk)
        return show_desk(request, fresh, status=trouble.status, problem=trouble.user_message)
    sentence = f"{done} the access change {proposal.headline}"
    if not is_fragment_request(request):
        messages.success(request, f"You {sentence}. {outcome}")
    # The keys of a decision's toast (decisions.presenters.toast_of).
    return show_next(request, proposal, {"id": f"change-{proposal.pk}", "sentence": sentence, "outcome": outcome})
