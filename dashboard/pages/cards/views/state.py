"""Blocking, unblocking, activating, retiring and reissuing a card: sent by the request itself, written through."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from dashboard import operations, operations_extra
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.commands import cards
from dashboard.errors import FAILED, FinanceError
from dashboard.pages.cards.forms.state import BlockForm, ReissueForm, RetireForm
from dashboard.pages.cards.selectors.live import card_for
from dashboard.pages.cards.views.cards import render_card
from dashboard.web.submission import form_key_of, posted_key


@require_POST
@needs(operations.BLOCK_CARD)
def block_card(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Blocks a card: nothing can be bought with it from now on."""
    row, form = card_for(request.actor, remote_id), BlockForm(request.POST)
    if not form.is_valid():
        return render_card(request, row, 422, block_form=form)
    try:
        cards.block(request.actor, row, form.cleaned_data["reason"], key=form_key_of(request))
    except FAILED as trouble:
        return _failed(request, remote_id, trouble, block_form=form)
    messages.success(request, f"{row.name} ···{row.last_four} is blocked: all purchases are declined.")
    return _to_card(request, remote_id)


@require_POST
@needs(operations.UNBLOCK_CARD)
def unblock_card(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Unblocks a card: it can be used again."""
    row = card_for(request.actor, remote_id)
    try:
        cards.unblock(request.actor, row, key=form_key_of(request))
    except FAILED as trouble:
        return _failed(request, remote_id, trouble)
    messages.success(request, f"{row.name} ···{row.last_four} can be used again.")
    return _to_card(request, remote_id)


@require_POST
@needs(operations_extra.ACTIVATE_CARD)
def activate_card(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Activates a physical card that has arrived."""
    row = card_for(request.actor, remote_id)
    try:
        cards.activate(request.actor, row, key=form_key_of(request))
    except FAILED as trouble:
        return _failed(request, remote_id, trouble)
    messages.success(request, f"{row.name} ···{row.last_four} is active.")
    return _to_card(request, remote_id)


@require_POST
@needs(operations.RETIRE_CARD)
def retire_card(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Retires a card for good, once its last four digits were typed."""
    row = card_for(request.actor, remote_id)
    check_or_record_denial(request.actor, operations.RETIRE_CARD, row)
    form = RetireForm(request.POST, card=row)
    if not form.is_valid():
        return render_card(request, row, 422, retire_form=form)
    try:
        cards.retire(request.actor, row, form.cleaned_data["reason"], key=form_key_of(request))
    except FAILED as trouble:
        return _failed(request, remote_id, trouble, retire_form=form)
    messages.success(request, f"{row.name} ···{row.last_four} is closed.")
    return _to_card(request, remote_id)


@require_POST
@needs(operations.REISSUE_CARD)
def reissue_card(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Reissues a virtual card with new digits; the old ones are retired with it."""
    row = card_for(request.actor, remote_id)
    form = ReissueForm(request.POST)
    if not form.is_valid():
        wrong, typed = str(form.errors["reason"][0]), request.POST.get("reason", "")
        return render_card(request, row, 422, problem=wrong, key=posted_key(request), reissue_reason=typed)
    reason = form.cleaned_data["reason"]
    try:
        reissued = cards.reissue(request.actor, row, reason, key=form_key_of(request))
    except FAILED as trouble:
        return _failed(request, remote_id, trouble, reissue_reason=reason)
    digits = reissued.text("last_four")[-4:]
    messages.success(
        request, f"···{row.last_four} is closed; ···{digits} replaces it, with the same spending controls."
    )
    return _to_card(request, reissued.id)


def _failed(request: ActorRequest, remote_id: str, trouble: FinanceError, **typed: Any) -> HttpResponse:
    """The card as it is now, with what the service said and what was typed, under the key of the form."""
    key = posted_key(request)
    row = card_for(request.actor, remote_id)
    return render_card(request, row, trouble.status, problem=trouble.on_form, key=key, **typed)


def _to_card(request: ActorRequest, remote_id: str) -> HttpResponse:
    return redirect("cards_item", request.actor.business.slug, remote_id)
