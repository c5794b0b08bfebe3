"""Naming treasury operators, and being the other admin who confirms one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from dashboard import operations, operations_extra
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands import investments
from dashboard.commands.run import add_refusal
from dashboard.errors import Conflict, NotAllowed, Rejected, Stale
from dashboard.pages.investments.forms import ConfirmForm
from dashboard.pages.investments.operators import operators_form, overtaken
from dashboard.pages.investments.views import show_account, visible
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.submission import key_of


@require_POST
@needs(operations.REPLACE_TREASURY_OPERATORS)
def replace_operators(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Puts a new set of operators in place of the one that was seen; refused where somebody was faster."""
    found = visible(request, remote_id)
    form = operators_form(request.actor, found, None, request.POST)
    if form is None or not form.is_valid():
        return show_account(request, found, 422, forms={"operators": form})
    try:
        seats, version = form.seats(), form.cleaned_data["version"]
        now = investments.replace_operators(request.actor, found, seats, version, key=key_of(request))
    except Stale:
        return show_account(request, found, 409, forms={"operators": overtaken(request.actor, found, request.POST)})
    except (Rejected, Conflict, NotAllowed) as refused:
        add_refusal(form, refused)
        return show_account(request, found, refused.status, forms={"operators": form})
    waiting = ", ".join(one.name for one in now if one.status == "PENDING")
    more = f" Another admin confirms what is new, before it counts: {waiting}." if waiting else ""
    messages.success(request, f"The operators of {found.fund_name} are replaced.{more}")
    return redirect("investments_item", business, remote_id)


@require_POST
@needs(operations_extra.CONFIRM_TREASURY_OPERATOR)
def confirm_operator(request: ActorRequest, business: str, remote_id: str, employee_id: str) -> HttpResponse:
    """Lets an operator count whom another admin has named, after showing that it is you."""
    found, form = visible(request, remote_id), ConfirmForm(request.POST)
    if form.is_valid():
        if (first := confirm_first(request, request.path)) is not None:
            return first
        version = form.cleaned_data["version"]
        try:
            seat = investments.confirm_operator(request.actor, found, employee_id, version, key=key_of(request))
        except (Stale, Conflict, Rejected, NotAllowed) as refused:
            messages.error(request, refused.user_message)
        else:
            _say(request, seat.name if seat else "", found.fund_name)
    return redirect("investments_item", business, remote_id)


def _say(request: ActorRequest, name: str, fund: str) -> None:
    if name:
        messages.success(request, f"{name} is confirmed as a treasury operator of {fund}.")
    else:
        messages.error(request, "They are no longer named as an operator, so nothing was confirmed.")
