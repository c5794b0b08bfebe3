"""Changes of access at the desk: looked at, confirmed or declined by a second admin, each by itself."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.errors import FinanceError, NotAllowed
from dashboard.pages.approvals.decide import move_on
from dashboard.pages.approvals.desk import change_of, show_desk
from dashboard.proposals import services
from dashboard.proposals.models import Proposal
from dashboard.web.forms import DeclineForm
from dashboard.web.respond import wants_fragment

CONFIRMED = "It is made as soon as its day has come."
DECLINED = "Nothing has changed."


@require_GET
@needs(operations_pages.INBOX, operations_pages.ACCESS_CHANGES)
def access_change(request: ActorRequest, business: str, proposal_id: int) -> HttpResponse:
    """One proposed change of access on the desk."""
    return show_desk(request, change_of(request.actor, proposal_id))


@require_POST
@needs(operations_pages.ACCESS_CHANGES)
def confirm_access_change(request: ActorRequest, business: str, proposal_id: int) -> HttpResponse:
    """A second admin agrees: it is made as theirs."""
    found = change_of(request.actor, proposal_id)
    return _settled(request, found, lambda: services.confirm(request.actor, found), "confirmed", CONFIRMED)


@require_POST
@needs(operations_pages.ACCESS_CHANGES)
def decline_access_change(request: ActorRequest, business: str, proposal_id: int) -> HttpResponse:
    """A second admin disagrees, and says why."""
    found, form = change_of(request.actor, proposal_id), DeclineForm(request.POST)
    if not form.is_valid():
        return show_desk(request, found, status=422, reason_form=form, reason_for="reject")
    reason = form.cleaned_data["reason"]
    return _settled(request, found, lambda: services.decline(request.actor, found, reason), "declined", DECLINED)


def _settled(request: ActorRequest, found: Proposal, deed: Callable[[], None], did: str, outcome: str) -> HttpResponse:
    if not found.is_waiting:
        # Decided meanwhile, or this is the same form again.
        return show_desk(request, found, status=409, problem="This waits for nobody any more: see what came of it.")
    try:
        deed()
    except NotAllowed:
        raise
    except FinanceError as trouble:
        fresh = change_of(request.actor, found.pk)
        return show_desk(request, fresh, status=trouble.status, problem=trouble.user_message)
    told = f"{did} the change of access {found.headline}"
    if not wants_fragment(request):
        messages.success(request, f"You {told}. {outcome}")
    return move_on(request, found, {"id": f"change-{found.pk}", "told": told, "outcome": outcome})
