"""Investments: what is held and on offer, opting in, and one account with its money and who operates it.

What moves money, and confirming an operator, take showing that it is you.
"""

from collections.abc import Callable, Mapping

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations, operations_extra
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands import investments as commands
from dashboard.commands.run import add_refusal
from dashboard.errors import Conflict, InvalidState, NotAllowed, Rejected, Stale
from dashboard.mirror.models import FundAccount
from dashboard.operations_pages import INVESTMENTS
from dashboard.pages.investments.forms import (
    MovementForm,
    OperatorConfirmForm,
    OperatorsForm,
    OptInForm,
    movement_form,
    operators_form,
    overtaken_form,
    withdraw_form,
)
from dashboard.pages.investments.presenters.funds import account_context, investments_context, money
from dashboard.pages.investments.presenters.operators import replacement_text
from dashboard.pages.investments.selectors import fund_account_of, fund_name_of
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.submission import form_key_of, in_view_of_form, posted_key


@require_GET
@needs(INVESTMENTS)
def investments(request: ActorRequest, business: str) -> HttpResponse:
    """The portfolio, the accounts, and the catalogue."""
    return _investments_page(request, OptInForm())


def _investments_page(request: ActorRequest, form: OptInForm, status: int = 200) -> HttpResponse:
    context = investments_context(request.actor, form) | {"key": posted_key(request)}
    return page(request, "investments/investments.html", context, status=status)


@require_POST
@needs(operations.OPT_IN_TO_FUND)
def opt_in(request: ActorRequest, business: str) -> HttpResponse:
    """Asks to hold a fund; whoever approves it finds it in the inbox."""
    form = OptInForm(request.POST)
    if not form.is_valid():
        return _investments_page(request, form, 422)
    try:
        fund_name = fund_name_of(request.actor, form.cleaned_data["fund_id"])
        answer = commands.opt_in(request.actor, form.body(), fund_name, key=form_key_of(request), form=form)
    except (Rejected, Conflict):
        return _investments_page(request, form, 422)
    messages.success(request, f"The account in {answer.data['fund_name']} is awaiting approval.")
    return redirect("investments", business)


@require_GET
@needs(INVESTMENTS)
def fund_account(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One account: what it is worth, what moved, and what the person may do with it and why."""
    return _account_page(request, fund_account_of(request.actor, remote_id))


def _account_page(
    request: ActorRequest, account: FundAccount, status: int = 200, *, movements: Mapping[str, MovementForm] | None = None,
    operators: OperatorsForm | None = None,
) -> HttpResponse:  # fmt: skip
    context = {"key": posted_key(request)} | account_context(request.actor, account, movements or {}, operators)
    return page(request, "investments/account.html", context, status=status)


@require_POST
@needs(INVESTMENTS)
def top_up(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """From a wallet of the business into the account's own."""
    account = fund_account_of(request.actor, remote_id)
    form = movement_form(request.actor, account, request.POST)
    return _move(request, "top_up", commands.top_up, account, form, "{} is in the account's wallet.")


@require_POST
@needs(INVESTMENTS)
def invest(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Buys units of a fund for an amount of a wallet."""
    account = fund_account_of(request.actor, remote_id)
    form = movement_form(request.actor, account, request.POST, any_wallet=True)
    return _move(request, "invest", commands.invest, account, form, "{} is being invested in the fund.")


@require_POST
@needs(INVESTMENTS)
def withdraw(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Redeems units, which are paid out after the fund's notice."""
    account = fund_account_of(request.actor, remote_id)
    form = withdraw_form(request.actor, account, request.POST)
    message = "About {} is being withdrawn, at the unit price of the settlement day."
    return _move(request, "withdraw", commands.withdraw, account, form, message)


def _move(
    request: ActorRequest, name: str, command: Callable[..., commands.FundOrder], account: FundAccount,
    form: MovementForm, message: str,
) -> HttpResponse:  # fmt: skip
    if not form.is_valid():
        return _account_page(request, account, 422, movements={name: form})
    if verification := confirm_first(request, request.path):
        return verification
    try:
        order = command(request.actor, account, form.body(), key=form_key_of(request), form=form)
    except (Rejected, Conflict):
        return _account_page(request, account, 422, movements={name: form})
    amount = money(request.actor, order.amount, order.currency)
    messages.success(request, message.format(amount) if not order.needs_approval else f"{amount} needs approval first.")
    return redirect("investments_item", request.actor.business.slug, account.remote_id)


@require_POST
@needs(operations.REPLACE_TREASURY_OPERATORS)
def replace_operators(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Puts a new set of operators in place of the one that was seen; refused where somebody was faster."""
    actor, account = request.actor, fund_account_of(request.actor, remote_id)
    form = operators_form(actor, account, None, request.POST)
    if form is None or not form.is_valid():
        return _account_page(request, account, 422, operators=form)
    try:
        now = commands.replace_operators(
            actor, account, form.seats(), form.cleaned_data["version"], key=form_key_of(request)
        )
    except Stale:
        return _account_page(request, account, 409, operators=overtaken_form(actor, account, request.POST))
    except (Rejected, Conflict, NotAllowed) as refusal:
        add_refusal(form, refusal)
        return _account_page(request, account, refusal.status, operators=form)
    messages.success(request, replacement_text(account, now))
    return redirect("investments_item", business, remote_id)


@require_POST
@needs(operations_extra.CONFIRM_TREASURY_OPERATOR)
def confirm_operator(request: ActorRequest, business: str, remote_id: str, employee_id: str) -> HttpResponse:
    """Lets an operator count whom another admin has named, after showing that it is you."""
    account, form = fund_account_of(request.actor, remote_id), OperatorConfirmForm(request.POST)
    if form.is_valid():
        if verification := confirm_first(request, request.path):
            return verification
        _confirm(request, account, employee_id, form.cleaned_data["version"])
    return redirect("investments_item", business, remote_id)


def _confirm(request: ActorRequest, account: FundAccount, employee_id: str, version: int) -> None:
    try:
        seat = commands.confirm_operator(request.actor, account, employee_id, version, key=form_key_of(request))
    except (Stale, Conflict, Rejected, NotAllowed) as refusal:
        messages.error(request, refusal.user_message)
        return
    if seat and seat.name:
        messages.success(request, f"{seat.name} is confirmed as a treasury operator of {account.fund_name}.")
    else:
        gone = InvalidState("They are no longer named as an operator.")
        messages.error(request, in_view_of_form(request, gone).user_message)
