"""Investments: what is held and on offer, one account with its movements, and opting in."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.check import can, can_open
from dashboard.access.decorators import needs
from dashboard.commands import investments as commands
from dashboard.errors import Conflict, EntitlementMissing, FinanceError, Rejected
from dashboard.mirror.models import FundAccount
from dashboard.mirror.scopes import visible_fund_accounts
from dashboard.operations_pages import INVESTMENTS
from dashboard.pages.investments.forms import OptInForm, WithdrawForm
from dashboard.pages.investments.operators import current, operators_form, seats
from dashboard.pages.investments.presenters import STATES, access_of, catalogue_of, holding_of, portfolio_of
from dashboard.pages.investments.wallets import OWN_WALLET, moving_form, wallets_for
from dashboard.web.respond import page
from dashboard.web.submission import form_key, key_of

LIST, ITEM = "investments/investments.html", "investments/account.html"


def visible(request: ActorRequest, remote_id: str) -> FundAccount:
    """One fund account, if it is theirs to see; else 404."""
    found: FundAccount = get_object_or_404(visible_fund_accounts(request.actor), remote_id=remote_id)
    return found


@require_GET
@needs(INVESTMENTS)
def investments(request: ActorRequest, business: str) -> HttpResponse:
    """The portfolio, the accounts, and the catalogue."""
    return _show(request)


def _show(request: ActorRequest, status: int = 200, form: OptInForm | None = None) -> HttpResponse:
    actor = request.actor
    accounts = list(visible_fund_accounts(actor).order_by("fund_name", "pk"))
    context: dict[str, Any] = {
        "accounts": [
            (
                one,
                STATES.get(one.status, (one.status.capitalize(), "")),
                sum(bool(seat.get("waits")) for seat in one.operators),
            )
            for one in accounts
        ],
        "opt_in": can_open(actor, operations.OPT_IN_TO_FUND),
        "form": form or OptInForm(),
        "key": form_key(request),
    }
    if can_open(actor, operations_extra.READ_PORTFOLIO):
        context |= _told(actor, accounts)
    return page(request, LIST, context, status=status)


def _told(actor: Actor, accounts: list[FundAccount]) -> dict[str, Any]:
    try:
        return {"held": portfolio_of(actor), "offers": catalogue_of(actor, accounts)}
    except EntitlementMissing:
        return {"unentitled": True}
    except FinanceError as error:
        return {"failed": error.user_message}


@require_POST
@needs(operations.OPT_IN_TO_FUND)
def opt_in(request: ActorRequest, business: str) -> HttpResponse:
    """Asks to hold a fund; whoever approves it finds it in the inbox."""
    form = OptInForm(request.POST)
    if not form.is_valid():
        return _show(request, 422, form)
    try:
        asked = commands.opt_in(request.actor, form.cleaned_data, key=key_of(request), form=form)
    except (Rejected, Conflict):
        return _show(request, 422, form)
    messages.success(request, f"Holding {asked.data['fund_name']} waits for approval.")
    return redirect("investments", business)


@require_GET
@needs(INVESTMENTS)
def fund_account(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One account: what it is worth, what moved, and what one may do with it and why."""
    return show_account(request, visible(request, remote_id))


def withdraw_form(actor: Actor, found: FundAccount, given: Any = None) -> WithdrawForm:
    """The form of a withdrawal."""
    return WithdrawForm(
        given,
        wallets=wallets_for(actor, found),
        any_wallet=OWN_WALLET,
        locale=actor.business.locale,
        auto_id="withdraw_%s",
    )


def show_account(
    request: ActorRequest, found: FundAccount, status: int = 200, forms: dict[str, Any] | None = None
) -> HttpResponse:
    """The account's page, with forms that were refused in place of fresh ones."""
    actor, given = request.actor, forms or {}
    context: dict[str, Any] = {
        "found": found,
        "state": STATES.get(found.status, (found.status.capitalize(), "")),
        "key": form_key(request),
        # The one that was refused, for its wrong field has the focus.
        "refused": next(iter(given.values()), None),
    }
    access, now = None, None
    try:
        context["holding"] = holding_of(actor, found)
    except FinanceError as error:
        # Nothing else is waited for then.
        context["failed"] = error.user_message
    else:
        access, now = access_of(actor, found), current(actor, found)
    context |= {
        "access": access,
        "seats": seats(actor, found, now),
        "version": now.version if now else None,
        "operators_form": given.get("operators") or operators_form(actor, found, now),
        "moves": _moves(actor, found, access, given),
    }
    return page(request, ITEM, context, status=status)


def _moves(actor: Actor, found: FundAccount, access: Any, given: dict[str, Any]) -> list[tuple[str, str, Any]]:
    """The forms that the actor may use: by the gate, and where the service answers by what it says of them."""
    if found.status != "ACTIVE" or not can(actor, operations.INVEST, found):
        return []
    moves: list[tuple[str, str, Any]] = []
    if access is None or access.can_invest:
        top_up = given.get("top_up") or moving_form(actor, found)
        moves.append(("top_up", "Top up its wallet", top_up))
        moves.append(("invest", "Invest", given.get("invest") or moving_form(actor, found, any_wallet=True)))
    if access is None or access.can_withdraw:
        moves.append(("withdraw", "Withdraw", given.get("withdraw") or withdraw_form(actor, found)))
    return moves
