"""What is changed of a statement's proof: the difference before the first statement accepted or no longer, and a statement that
was imported taken back."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from dashboard import operations_accounting
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.subject import Subject
from dashboard.commands import reconciliation as commands
from dashboard.errors import Conflict, Stale
from dashboard.mirror.models import Wallet
from dashboard.money import text
from dashboard.pages.reconciliation.forms import DifferenceForm, RemovalForm
from dashboard.pages.reconciliation.presenters import desk as presenters
from dashboard.pages.reconciliation.presenters.statements import removal_text, wallet_title
from dashboard.pages.reconciliation.selectors.statements import statement_of_wallet
from dashboard.pages.reconciliation.selectors.wallets import bank_wallet
from dashboard.pages.reconciliation.views.desk import back_to_desk, desk_page, match_form_of
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.models import BANK_DIFFERENCE, BANK_STATEMENT, Proposal
from dashboard.proposals.services import Draft, propose
from dashboard.proposals.snapshots import SeenDifference, difference_of, statement_lines_of
from dashboard.proposals.targets import read_proof
from dashboard.schemas.reconciliation import AcceptedDifferenceBody, RemovedStatementBody
from dashboard.web.submission import form_key_of, posted_key, sent_before

ACCEPTED = presenters.DifferenceChange(
    operations_accounting.ACCEPT_BANK_DIFFERENCE,
    "Bank and books differed by {difference} before the first statement: that is accepted.",
    "The proof of the wallet's statements names it, and holds with it.",
    "The difference was accepted.",
)
WITHDRAWN = presenters.DifferenceChange(
    operations_accounting.WITHDRAW_BANK_DIFFERENCE,
    "That bank and books differed by {difference} before the first statement is no longer accepted.",
    "The proof of the wallet's statements no longer holds, until it is accepted again or explained.",
    "The acceptance was withdrawn.",
)


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
    difference_change: presenters.DifferenceChange,
) -> HttpResponse:
    match_form = match_form_of(request, row)
    if not form.is_valid():
        return desk_page(request, row, match_form, 422, form)
    try:
        proposed = _send_change(request, row, statement_id, form, difference_change)
    except (*commands.REFUSALS, Conflict) as refused:
        if not form.non_field_errors():
            form.add_error(None, refused.on_form)
        return desk_page(request, row, match_form, refused.status, form)
    if proposed is not None:
        messages.success(request, "It waits for a second admin.")
        return redirect("wallet-policies_proposal", request.actor.business.slug, proposed.pk)
    messages.success(request, difference_change.done)
    return back_to_desk(request, row)


def _seen_difference(request: ActorRequest, statement_id: str, form: DifferenceForm) -> SeenDifference:
    now, seen = difference_of(read_proof(request.actor, statement_id)), form.seen()
    # What this very form did, or may have done, is asked for again with what was shown then.
    if seen is None or (seen != now and not sent_before(request)):
        form.show(now)
        raise Stale("The difference before the first statement is not the one you saw.", code="difference")
    return seen


def _send_change(
    request: ActorRequest,
    row: Wallet,
    statement_id: str,
    form: DifferenceForm,
    difference_change: presenters.DifferenceChange,
) -> Proposal | None:
    statement_of_wallet(request.actor, row, statement_id)
    seen = _seen_difference(request, statement_id, form)
    actor, reason = request.actor, form.cleaned_data["reason"]
    amount_minor = seen["accepted_minor"] if difference_change is WITHDRAWN else seen["carried_minor"]
    body: AcceptedDifferenceBody = {"amount_minor": amount_minor, "reason": reason}
    path = {"id": statement_id}
    if not requires_second_admin(actor.business):
        commands.change_difference(
            actor,
            difference_change.operation,
            _subject(request, row),
            body,
            path=path,
            key=form_key_of(request),
            form=form,
        )
        return None
    difference = text(amount_minor, row.currency, actor.business.locale)
    return propose(actor, Draft(
        operation=difference_change.operation, title=wallet_title(row), key=posted_key(request), path=path,
        body={**body, "proposed_by": actor.employee_id}, target_type=BANK_DIFFERENCE, target_id=row.remote_id,
        seen=seen, sentences=[difference_change.sentence.format(difference=difference)], consequences=[difference_change.consequence],
        reason=reason,
    ))  # fmt: skip


def _subject(request: ActorRequest, row: Wallet) -> Subject:
    return commands.wallet_subject(request.actor, row.org_wallet_ref, wallet_title(row))


@require_POST
@needs(operations_accounting.REMOVE_BANK_STATEMENT)
def remove_statement(request: ActorRequest, business: str, wallet_id: str, statement_id: str) -> HttpResponse:
    """Takes an imported statement back, with the lines that it alone holds; proposes it where a second admin is asked for. 404
    for a statement of another wallet; what is matched or closed is refused."""
    row, form = bank_wallet(request.actor, wallet_id), RemovalForm(request.POST)
    if not form.is_valid():
        return desk_page(request, row, match_form_of(request, row), 422, removal_form=form)
    try:
        proposed = _send_removal(request, row, statement_id, form)
    except (*commands.REFUSALS, Conflict) as refused:
        if not form.non_field_errors():
            form.add_error(None, refused.on_form)
        return desk_page(request, row, match_form_of(request, row), refused.status, removal_form=form)
    if proposed is not None:
        messages.success(request, "It waits for a second admin.")
        return redirect("wallet-policies_proposal", business, proposed.pk)
    messages.success(request, "The statement was removed.")
    return redirect("reconciliation_wallet", business, row.remote_id)


def _send_removal(request: ActorRequest, row: Wallet, statement_id: str, form: RemovalForm) -> Proposal | None:
    actor, reason, path = request.actor, form.cleaned_data["reason"], {"id": statement_id}
    body: RemovedStatementBody = {"reason": reason}
    if not requires_second_admin(actor.business):
        if not sent_before(request):
            statement_of_wallet(actor, row, statement_id)
        commands.remove_statement(actor, _subject(request, row), body, path=path, key=form_key_of(request), form=form)
        return None
    statement = statement_of_wallet(actor, row, statement_id)
    return propose(actor, Draft(
        operation=operations_accounting.REMOVE_BANK_STATEMENT, title=wallet_title(row), key=posted_key(request), path=path,
        body={**body, "proposed_by": actor.employee_id}, target_type=BANK_STATEMENT, target_id=statement_id,
        seen=statement_lines_of(statement), sentences=[removal_text(statement, row)],
        consequences=["The lines that no other statement holds are gone, and the file can be imported again."],
        reason=reason,
    ))  # fmt: skip
