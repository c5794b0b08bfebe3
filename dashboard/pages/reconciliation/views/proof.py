"""What is changed of a statement's proof: the difference before the first statement accepted or no longer, and a statement that
was imported taken back."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from dashboard import operations_accounting
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands import reconciliation as commands
from dashboard.errors import Conflict
from dashboard.mirror.models import Wallet
from dashboard.pages.reconciliation import services
from dashboard.pages.reconciliation.forms import DifferenceForm, RemovalForm
from dashboard.pages.reconciliation.presenters.proofs import ACCEPTED, WITHDRAWN, DifferenceChange
from dashboard.pages.reconciliation.selectors.wallets import bank_wallet
from dashboard.pages.reconciliation.views.desk import back_to_desk, desk_page, match_form_of


@require_POST
@needs(operations_accounting.ACCEPT_BANK_DIFFERENCE)
def accept_difference(request: ActorRequest, business: str, wallet_id: str, statement_id: str) -> HttpResponse:
    """Accepts what bank and books differed by before the first statement; proposes it where a second admin is asked for.

    404 for a statement of another wallet. What is accepted is what was shown: where it is another difference by now, nothing
    is sent, and the desk shows that one.
    """
    row, form = bank_wallet(request.actor, wallet_id), DifferenceForm(request.POST)
    return _change_difference(request, row, statement_id, form, ACCEPTED)


@require_POST
@needs(operations_accounting.WITHDRAW_BANK_DIFFERENCE)
def withdraw_difference(request: ActorRequest, business: str, wallet_id: str, statement_id: str) -> HttpResponse:
    """Withdraws the acceptance of that difference, as it was shown; proposes it where a second admin is asked for. 404 and
    what is another one by now: as of `accept_difference`."""
    row, form = bank_wallet(request.actor, wallet_id), DifferenceForm(request.POST)
    return _change_difference(request, row, statement_id, form, WITHDRAWN)


def _change_difference(
    request: ActorRequest,
    row: Wallet,
    statement_id: str,
    form: DifferenceForm,
    difference_change: DifferenceChange,
) -> HttpResponse:
    match_form = match_form_of(request, row)
    if not form.is_valid():
        return desk_page(request, row, match_form, 422, form)
    try:
        proposed = services.change_difference(request, row, statement_id, form, difference_change)
    except (*commands.REFUSALS, Conflict) as refused:
        if not form.non_field_errors():
            form.add_error(None, refused.on_form)
        return desk_page(request, row, match_form, refused.status, form)
    if proposed is not None:
        messages.success(request, "It waits for a second admin.")
        return redirect("wallet-policies_proposal", request.actor.business.slug, proposed.pk)
    messages.success(request, difference_change.done)
    return back_to_desk(request, row)


@require_POST
@needs(operations_accounting.REMOVE_BANK_STATEMENT)
def remove_statement(request: ActorRequest, business: str, wallet_id: str, statement_id: str) -> HttpResponse:
    """Takes an imported statement back, with the lines that it alone holds; proposes it where a second admin is asked for. 404
    for a statement of another wallet; what is matched or closed is refused."""
    row, form = bank_wallet(request.actor, wallet_id), RemovalForm(request.POST)
    if not form.is_valid():
        return desk_page(request, row, match_form_of(request, row), 422, removal_form=form)
    try:
        proposed = services.remove_statement(request, row, statement_id, form)
    except (*commands.REFUSALS, Conflict) as refused:
        if not form.non_field_errors():
            form.add_error(None, refused.on_form)
        return desk_page(request, row, match_form_of(request, row), refused.status, removal_form=form)
    if proposed is not None:
        messages.success(request, "It waits for a second admin.")
        return redirect("wallet-policies_proposal", business, proposed.pk)
    messages.success(request, "The statement was removed.")
    return redirect("reconciliation_wallet", business, row.remote_id)
