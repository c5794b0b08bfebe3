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
from dashboard.pages.cards.state_forms import BlockForm, ReissueForm, RetireForm
from dashboard.pages.cards.views.cards import show_card, visible
from dashboard.web.submission import form_key, key_of


@require_POST
@needs(operations.BLOCK_CARD)
def block_card(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Nothing can be bought with it from now on."""
    found, form = visible(request, remote_id), BlockForm(request.POST)
    if not form.is_valid():
        return show_card(request, found, 422, block_form=form)
    try:
        cards.block(request.actor, found, form.cleaned_data["reason"], key=key_of(request))
    except FAILED as trouble:
        return _failed(request, remote_id, trouble, block_form=form)
    messages.success(request, f"{found.name} ···{found.last_four} is blocked: nothing can be bought with it.")
    return _back(request, remote_id)


@require_POST
@needs(operations.UNBLOCK_CARD)
def unblock_card(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """It can be used again."""
    found = visible(request, remote_id)
    try:
        cards.unblock(request.actor, found, key=key_of(request))
    except FAILED as trouble:
        return _failed(request, remote_id, trouble)
    messages.success(request, f"{found.name} ···{found.last_four} can be used again.")
    return _back(request, remote_id)


@require_POST
@needs(operations_extra.ACTIVATE_CARD)
def activate_card(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """A physical card has arrived."""
    found = visible(request, remote_id)
    try:
        cards.activate(request.actor, found, key=key_of(request))
    except FAILED as trouble:
        return _failed(request, remote_id, trouble)
    messages.success(request, f"{found.name} ···{found.last_four} is active.")
    return _back(request, remote_id)


@require_POST
@needs(operations.RETIRE_CARD)
def retire_card(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """It ends for good, once its last four digits were typed."""
    found = visible(request, remote_id)
    check_or_record_denial(request.actor, operations.RETIRE_CARD, found)
    form = RetireForm(request.POST, card=found)
    if not form.is_valid():
        return show_card(request, found, 422, retire_form=form)
    try:
        cards.retire(request.actor, found, form.cleaned_data["reason"], key=key_of(request))
    except FAILED as trouble:
        return _failed(request, remote_id, trouble, retire_form=form)
    messages.success(request, f"{found.name} ···{found.last_four} is closed for good.")
    return _back(request, remote_id)


@require_POST
@needs(operations.REISSUE_CARD)
def reissue_card(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """New digits for a virtual card; the old ones are retired with it."""
    found = visible(request, remote_id)
    form = ReissueForm(request.POST)
    if not form.is_valid():
        wrong, typed = str(form.errors["reason"][0]), request.POST.get("reason", "")
        return show_card(request, found, 422, problem=wrong, key=form_key(request), reissue_reason=typed)
    reason = form.cleaned_data["reason"]
    try:
        reissued = cards.reissue(request.actor, found, reason, key=key_of(request))
    except FAILED as trouble:
        return _failed(request, remote_id, trouble, reissue_reason=reason)
    digits = reissued.text("last_four")[-4:]
    messages.success(request, f"···{found.last_four} is closed; ···{digits} takes its place, with the same controls.")
    return _back(request, reissued.id)


def _failed(request: ActorRequest, remote_id: str, trouble: FinanceError, **typed: Any) -> HttpResponse:
    """The card as it is now, with what the service said and what was typed, under the key of the form."""
    key = form_key(request)
    found = visible(request, remote_id)
    return show_card(request, found, trouble.status, problem=trouble.on_form, key=key, **typed)


def _back(request: ActorRequest, remote_id: str) -> HttpResponse:
    return redirect("cards_item", request.actor.business.slug, remote_id)
