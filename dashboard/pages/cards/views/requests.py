"""Asking for a card of one's own: a physical one, or one for a single purchase; and taking such a request back."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from dashboard import operations_extra
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.operation import Operation
from dashboard.client.gateway import send
from dashboard.errors import FAILED, Forbidden
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Request, Source
from dashboard.mirror.scopes import visible_requests
from dashboard.pages.cards.request_forms import OnceForm, PhysicalForm
from dashboard.pages.cards.views.mine import show_mine
from dashboard.web.submission import add_refusal, form_key, key_of


@require_POST
@needs(operations_extra.REQUEST_SINGLE_USE_CARD)
def ask_for_one_purchase(request: ActorRequest, business: str) -> HttpResponse:
    """Somebody else decides, unless the business lets small ones through by itself."""
    form = OnceForm(request.POST, actor=request.actor)
    made = _ask(request, operations_extra.REQUEST_SINGLE_USE_CARD, "card_request", form)
    if made is None:
        return show_mine(request, 422, once_form=form, key=form_key(request))
    messages.success(
        request, "The card is there." if made.get("status") == "APPROVED" else "It is asked for: somebody else decides."
    )
    return redirect("cards_mine", business)


@require_POST
@needs(operations_extra.REQUEST_PHYSICAL_CARD)
def ask_for_physical(request: ActorRequest, business: str) -> HttpResponse:
    """Somebody of the office approves the order."""
    form = PhysicalForm(request.POST, actor=request.actor)
    if _ask(request, operations_extra.REQUEST_PHYSICAL_CARD, "card_order", form) is None:
        return show_mine(request, 422, physical_form=form, key=form_key(request))
    messages.success(request, "The card is asked for: somebody of the office decides.")
    return redirect("cards_mine", business)


def _ask(
    request: ActorRequest, operation: Operation, kind: str, form: OnceForm | PhysicalForm
) -> dict[str, Any] | None:
    if not form.is_valid():
        return None
    key = key_of(request, operation)
    try:
        answer = send(request.actor, operation, body=form.body(), key=key)
    except FAILED as refused:
        add_refusal(form, refused)
        return None
    except Forbidden as refused:
        form.add_error(None, refused.user_message)
        return None
    upsert(kind, request.actor.business, [answer.data], Source.WRITE)
    if kind == "card_order" and isinstance(answer.data.get("card"), dict):
        upsert("card", request.actor.business, [answer.data["card"]], Source.WRITE)
    made: dict[str, Any] = answer.data
    return made


@require_POST
@needs(operations_extra.CANCEL_CARD_REQUEST)
def take_back(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Whoever asked, or an admin, takes it back while it waits."""
    rows = visible_requests(request.actor).filter(kind="card_request")
    found: Request = get_object_or_404(rows, remote_id=remote_id)
    operation = operations_extra.CANCEL_CARD_REQUEST
    key = key_of(request, operation)
    body = {"action": "cancel"}
    answer = send(request.actor, operation, path={"id": remote_id}, body=body, subject=found, key=key)
    upsert("card_request", request.actor.business, [answer.data], Source.WRITE)
    messages.success(request, "The request is taken back.")
    return redirect("cards_mine", business)
