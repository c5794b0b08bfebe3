"""The desk of a wallet: bank lines beside entries, matched one by one, several to several, all that is certain, and undone."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_accounting
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.subject import Subject
from dashboard.commands import reconciliation as commands
from dashboard.errors import NotFound
from dashboard.mirror.models import Wallet
from dashboard.pages.reconciliation import services
from dashboard.pages.reconciliation.forms import DeskFilterForm, DifferenceForm, MatchForm, RemovalForm
from dashboard.pages.reconciliation.presenters import desk as presenters
from dashboard.pages.reconciliation.presenters import proofs
from dashboard.pages.reconciliation.presenters.selection import selection_text, with_amounts
from dashboard.pages.reconciliation.presenters.statements import may_change, statement_rows, wallet_title
from dashboard.pages.reconciliation.selectors.desk import NOTHING_SELECTED, desk_pages, match_selection
from dashboard.pages.reconciliation.selectors.matches import check_match, matches_of, sides_of, suggestions_of
from dashboard.pages.reconciliation.selectors.statements import (
    open_acceptance,
    open_removal,
    proof_of,
    proven_statement,
    statements_of,
)
from dashboard.pages.reconciliation.selectors.wallets import bank_wallet
from dashboard.proposals.snapshots import difference_of
from dashboard.schemas.reconciliation import Proof
from dashboard.web.form_outcome import not_submitted
from dashboard.web.respond import is_fragment_request, page
from dashboard.web.submission import form_key_of, posted_key, sent_before

DESK = "reconciliation/desk.html"
SUGGESTED = {"REFERENCE", "DAY", "RULE", "SUM", "FEE"}


@require_GET
@needs(operations_accounting.LIST_BANK_SUGGESTIONS)
def wallet(request: ActorRequest, business: str, wallet_id: str) -> HttpResponse:
    """Both sides of a wallet, what may belong together, what does, and the proof."""
    row = bank_wallet(request.actor, wallet_id)
    return desk_page(request, row, match_form_of(request, row))


def match_form_of(request: ActorRequest, row: Wallet) -> MatchForm:
    """With what is ticked, and the tolerance that the address says."""
    return MatchForm(
        currency=row.currency, locale=request.actor.business.locale, selection=match_selection(request, row),
        initial={"tolerance": request.GET.get("tolerance")},
    )  # fmt: skip


def _filter_form(request: ActorRequest, row: Wallet) -> DeskFilterForm:
    return DeskFilterForm(
        request.GET, currency=row.currency, locale=request.actor.business.locale, auto_id="filter_%s"
    )  # fmt: skip


def desk_page(
    request: ActorRequest, row: Wallet, form: MatchForm, status: int = 200,
    difference_form: DifferenceForm | None = None, removal_form: RemovalForm | None = None,
) -> HttpResponse:  # fmt: skip
    """The desk, with a form that was not taken as it was typed. NotFound where the address names no statement of the wallet."""
    actor = request.actor
    filter_form, pages = _filter_form(request, row), desk_pages(request.GET)
    chosen = filter_form.read()
    statements, statement_page = statements_of(actor, row, pages)
    named = request.GET.get("statement", "")
    statement = proven_statement(actor, row, statements, pages.statements, named)
    proof = proof_of(actor, statement) if statement else None
    sides = sides_of(actor, row, chosen, pages)
    suggested = suggestions_of(actor, row, chosen, pages)
    suggestions = suggested.suggestions
    matched, matched_page = matches_of(actor, row, chosen, pages)
    can_change = may_change(actor)
    waiting = open_acceptance(actor, row)
    may_decide = can_change and waiting is None and proof is not None
    may_accept = may_decide and proof is not None and proofs.is_unaccepted(proof)
    may_withdraw = may_decide and proof is not None and proofs.is_accepted(proof)
    beside_proof = difference_form or DifferenceForm(initial=_difference_beside(proof))
    is_over = difference_form is not None and not (may_accept or may_withdraw)
    context: presenters.DeskContext = {
        "wallet": row,
        "title": wallet_title(row),
        "statements": statement_rows(actor, statements, [row]),
        "proof": proofs.proof_text(actor, proof),
        "accept_form": beside_proof if may_accept else None,
        "withdraw_form": beside_proof if may_withdraw else None,
        "problem": " ".join(map(str, beside_proof.non_field_errors())) if is_over else "",
        "waiting": waiting,
        "is_withdrawal": waiting is not None
        and waiting.operation == operations_accounting.WITHDRAW_BANK_DIFFERENCE.name,
        "statement_id": statement.id if statement else "",
        "statement": statement_rows(actor, [statement], [row])[0] if statement else None,
        "removal_form": (removal_form or RemovalForm()) if can_change and statement else None,
        "removal_waiting": open_removal(actor, statement) if statement else None,
        **presenters.desk_suggestions(suggested, _query(request, filter_form), pages, chosen.last),
        "filter_form": filter_form,
        "may_change": can_change,
        "form": form,
        "page_rows": services.page_rows_text(row, sides),
        "selected": selection_text(actor, with_amounts(form, match_selection(request, row), sides), row.currency),
        "key": posted_key(request),
        **presenters.desk_lists(actor, row, form, sides, suggested, matched, matched_page.total or len(matched)),
        **presenters.desk_pagers(
            _query(request, filter_form),
            pages,
            sides,
            suggestions,
            matched_page,
            statement_page,
        ),
    }
    return page(request, DESK, context, status=status)


def _difference_beside(proof: Proof | None) -> dict[str, Any]:
    return dict(difference_of(proof)) if proof else {}


def _query(request: ActorRequest, form: DeskFilterForm) -> dict[str, str]:
    """What the address says of the desk and was understood, for the addresses that lead back to it."""
    places = {
        name: request.GET.get(name, "")
        for name in ("statement", "lines", "before", "suggested", "matched", "statements", "window")
    }
    return {**form.query, **{name: value for name, value in places.items() if value}}


def back_to_desk(request: ActorRequest, row: Wallet) -> HttpResponse:
    """To the desk as it was looked at."""
    form = _filter_form(request, row)
    form.is_valid()
    address = reverse("reconciliation_wallet", args=[request.actor.business.slug, row.remote_id])
    query = urlencode(_query(request, form))
    return redirect(f"{address}?{query}" if query else address)


@require_POST
@needs(operations_accounting.CREATE_BANK_MATCH)
def match(request: ActorRequest, business: str, wallet_id: str) -> HttpResponse:
    """Matches what was chosen, or says what it comes to."""
    row = bank_wallet(request.actor, wallet_id)
    form = _posted_match(request, row)
    if request.POST.get("do") == "sum":
        form.is_valid()
        form.errors.clear()
        return not_submitted(desk_page(request, row, form))
    if not form.is_valid():
        return desk_page(request, row, form, 422)
    try:
        _send_match(request, row, form)
    except commands.REFUSALS as refused:
        return desk_page(request, row, form, refused.status)
    services.deselect(request, row, [*form.lines, *form.entries])
    messages.success(request, "Matched.")
    return back_to_desk(request, row)


@require_POST
@needs(operations_accounting.CREATE_BANK_MATCH)
def select(request: ActorRequest, business: str, wallet_id: str) -> HttpResponse:
    """Keeps what is ticked over pages and filters, or forgets it, and says what it comes to; nothing is matched."""
    row = bank_wallet(request.actor, wallet_id)
    if request.POST.get("do") == "clear":
        services.deselect(request, row)
        return back_to_desk(request, row)
    selected = selection_text(request.actor, services.select(request, row), row.currency)
    if not is_fragment_request(request):
        return back_to_desk(request, row)
    return page(request, DESK, {"selected": selected}, fragments=("selection",))


def _posted_match(request: ActorRequest, row: Wallet) -> MatchForm:
    """With what is ticked on other pages; what is suggested stands for itself, and nothing else belongs to it."""
    selection = NOTHING_SELECTED if "rule" in request.POST else services.select(request, row)
    return MatchForm(request.POST, currency=row.currency, locale=request.actor.business.locale, selection=selection)


def _send_match(request: ActorRequest, row: Wallet, form: MatchForm) -> None:
    rule, seqs = request.POST.get("rule", ""), [int(seq) for seq in form.entries]
    commands.match(
        request.actor, _subject(request, row), form.lines, seqs, form.tolerance_minor,
        rule=rule if rule in SUGGESTED else "BY_HAND", reason="", key=form_key_of(request), form=form,
    )  # fmt: skip


def _subject(request: ActorRequest, row: Wallet) -> Subject:
    return commands.wallet_subject(request.actor, row.org_wallet_ref, wallet_title(row))


@require_POST
@needs(operations_accounting.ACCEPT_CERTAIN_MATCHES)
def accept_certain(request: ActorRequest, business: str, wallet_id: str) -> HttpResponse:
    """Accepts every suggestion that only one thing fits."""
    row = bank_wallet(request.actor, wallet_id)
    done = commands.accept_certain(request.actor, _subject(request, row), key=form_key_of(request))
    # Which rows it matched is not known here: what is ticked may be among them.
    services.deselect(request, row)
    messages.success(request, f"Matches made: {int(done.data['matched']):,}.")
    return back_to_desk(request, row)


@require_POST
@needs(operations_accounting.UNDO_BANK_MATCH)
def undo_match(request: ActorRequest, business: str, wallet_id: str, match_id: str) -> HttpResponse:
    """Takes a match apart: its lines and entries are unmatched again."""
    row = bank_wallet(request.actor, wallet_id)
    try:
        # What this very form may have undone is asked for again.
        if not sent_before(request):
            check_match(request.actor, row, match_id)
        commands.undo(request.actor, _subject(request, row), match_id, key=form_key_of(request))
        messages.success(request, "The match was undone.")
    except NotFound:
        messages.info(request, "This match is no longer there.")
    return back_to_desk(request, row)
