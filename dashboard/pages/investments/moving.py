"""Money into and out of funds: topped up from a wallet, invested, withdrawn; after showing that it is you."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands import investments
from dashboard.commands.investments import Moved
from dashboard.errors import Conflict, Rejected
from dashboard.mirror.models import FundAccount
from dashboard.operations_pages import INVESTMENTS
from dashboard.pages.investments.presenters import money
from dashboard.pages.investments.views import show_account, visible, withdraw_form
from dashboard.pages.investments.wallets import moving_form
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.submission import key_of


@require_POST
@needs(INVESTMENTS)
def top_up(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """From a wallet of the business into the account's own."""
    found = visible(request, remote_id)
    form = moving_form(request.actor, found, request.POST)
    return _move(request, investments.top_up, found, form, "top_up", "{} is in the account's wallet.")


@require_POST
@needs(INVESTMENTS)
def invest(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Buys units."""
    found = visible(request, remote_id)
    form = moving_form(request.actor, found, request.POST, any_wallet=True)
    return _move(request, investments.invest, found, form, "invest", "{} is on its way into the fund.")


@require_POST
@needs(INVESTMENTS)
def withdraw(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Redeems units, which are paid out after the fund's notice."""
    found = visible(request, remote_id)
    form = withdraw_form(request.actor, found, request.POST)
    said = "About {} is on its way out, at the price of the day it is settled."
    return _move(request, investments.withdraw, found, form, "withdraw", said)


def _move(
    request: ActorRequest, command: Callable[..., Moved], found: FundAccount, form: Any, name: str, said: str
) -> HttpResponse:
    if form.is_valid():
        if (first := confirm_first(request, request.path)) is not None:
            return first
        try:
            moved = command(request.actor, found, form.body(), key=key_of(request), form=form)
        except (Rejected, Conflict):
            return show_account(request, found, 422, forms={name: form})
        amount = money(request.actor, moved.amount, moved.currency)
        messages.success(request, said.format(amount) if not moved.waits else f"{amount} waits for approval first.")
        return redirect("investments_item", request.actor.business.slug, found.remote_id)
    return show_account(request, found, 422, forms={name: form})
