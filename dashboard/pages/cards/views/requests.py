"""Asking for a card of one's own: a physical one, or one for a single purchase; and taking such a request back."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from dashboard import operations_extra
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands import cards
from dashboard.commands.run import CommandResult
from dashboard.errors import FAILED, Forbidden
from dashboard.mirror.models import ApprovalRequest
from dashboard.mirror.scopes import visible_requests
from dashboard.pages.cards.forms.requests import PhysicalForm, SingleUseForm
from dashboard.pages.cards.views.mine import render_own_cards
from dashboard.web.submission import form_key_of, posted_key


@require_POST
@needs(operations_extra.REQUEST_SINGLE_USE_CARD)
def request_single_use(request: ActorRequest, business: str) -> HttpResponse:
    """Asks for a single-use card: somebody else decides, unless the business lets small ones through by itself."""
    form = SingleUseForm(request.POST, actor=request.actor)
    submitted = _submit(request, cards.request_single_use, form)
    if submitted is None:
        return render_own_cards(request, 422, single_use_form=form, key=posted_key(request))
    is_approved = submitted.text("status") == "APPROVED"
    messages.success(request, "Card created." if is_approved else "Card requested: somebody else will review it.")
    return redirect("cards_mine", business)


@require_POST
@needs(operations_extra.REQUEST_PHYSICAL_CARD)
def request_physical(request: ActorRequest, business: str) -> HttpResponse:
    """Asks for a physical card: somebody of the office approves the order."""
    form = PhysicalForm(request.POST, actor=request.actor)
    if _submit(request, cards.request_physical, form) is None:
        return render_own_cards(request, 422, physical_form=form, key=posted_key(request))
    messages.success(request, "Card requested: Finance will review it.")
    return redirect("cards_mine", business)


def _submit(
    request: ActorRequest, command: Callable[..., CommandResult], form: SingleUseForm | PhysicalForm
) -> CommandResult | None:
    """What the service answered; None where the form says why it was not sent or not done."""
    if not form.is_valid():
        return None
    try:
        return command(request.actor, form.body(), key=form_key_of(request), form=form)
    except FAILED:
        return None
    except Forbidden as refused:
        form.add_error(None, refused.user_message)
        return None


@require_POST
@needs(operations_extra.CANCEL_CARD_REQUEST)
def cancel_request(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Cancels a request that waits: whoever asked may, or an admin."""
    rows = visible_requests(request.actor).filter(kind="card_request")
    row: ApprovalRequest = get_object_or_404(rows, remote_id=remote_id)
    cards.cancel_request(request.actor, row, key=form_key_of(request))
    messages.success(request, "Request withdrawn.")
    return redirect("cards_mine", business)
