"""The desk of a wallet: bank lines beside entries, matched one by one, several to several, all that is certain, and undone."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_extra
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.subject import Subject
from dashboard.commands import reconciliation as commands
from dashboard.errors import NotFound
from dashboard.mirror.models import Wallet
from dashboard.pages.reconciliation import presenters, selectors
from dashboard.pages.reconciliation.forms import MatchForm
from dashboard.web.respond import page
from dashboard.web.submission import key_of, posted_key

DESK = "reconciliation/desk.html"
SUGGESTED = {"REFERENCE", "DAY", "RULE", "SUM", "FEE"}


@require_GET
@needs(operations_extra.LIST_BANK_SUGGESTIONS)
def wallet(request: ActorRequest, business: str, wallet_id: str) -> HttpResponse:
    """Both sides of a wallet, what may belong together, what does, and the proof."""
    row = selectors.wallet_of(request.actor, wallet_id)
    form = MatchForm(request.GET, currency=row.currency, locale=request.actor.business.locale)
    form.is_valid()
    tolerance = form.tolerance_minor
    fresh = MatchForm(
        currency=row.currency, locale=request.actor.business.locale, initial={"tolerance": request.GET.get("tolerance")}
    )
    fresh.tolerance_minor = tolerance
    return _desk(request, row, fresh)


def _desk(request: ActorRequest, row: Wallet, form: MatchForm, status: int = 200) -> HttpResponse:
    actor, currency = request.actor, row.currency
    statements, _ = selectors.statements_of(actor, row)
    sides = selectors.sides_of(actor, row, statements)
    suggestions = selectors.suggestions_of(actor, row, form.tolerance_minor)
    matched, matched_page = selectors.matches_of(actor, row)
    statement_id = request.GET.get("statement", "")
    with_balance = [statement for statement in statements if statement.closing_minor is not None]
    latest = max(with_balance, key=lambda statement: statement.last, default=None)
    chosen = next((statement for statement in with_balance if statement.id == statement_id), latest)
    context: presenters.DeskContext = {
        "wallet": row,
        "title": presenters.wallet_title(row),
        "statements": presenters.statement_rows(actor, statements, [row]),
        "proof": presenters.proof_text(actor, selectors.proof_of(actor, chosen)) if chosen else None,
        "lines": [presenters.line_row(actor, line, form.lines) for line in sides.lines],
        "line_total": sides.line_total,
        "entries": [presenters.entry_row(actor, entry, currency, form.entries) for entry in sides.entries],
        "more_entries": sides.more_entries,
        "suggested": presenters.suggested_pairs(actor, suggestions, currency),
        "suggested_total": suggestions.total,
        "certain": suggestions.certain,
        "matched": presenters.matched_pairs(actor, matched, currency),
        "matched_total": matched_page.total or len(matched),
        "may_change": presenters.may_change(actor),
        "form": form,
        "sums": presenters.sums_text(actor, sides, form, currency),
        "key": posted_key(request),
    }
    return page(request, DESK, context, status=status)


@require_POST
@needs(operations_extra.CREATE_BANK_MATCH)
def match(request: ActorRequest, business: str, wallet_id: str) -> HttpResponse:
    """Matches what was chosen, or says what it comes to."""
    row = selectors.wallet_of(request.actor, wallet_id)
    form = MatchForm(request.POST, currency=row.currency, locale=request.actor.business.locale)
    if request.POST.get("do") == "sum":
        form.is_valid()
        form.errors.clear()
        return _desk(request, row, form)
    if not form.is_valid():
        return _desk(request, row, form, 422)
    try:
        _send_match(request, row, form)
    except commands.REFUSALS as refused:
        return _desk(request, row, form, refused.status)
    messages.success(request, "Matched.")
    return redirect("reconciliation_wallet", business, wallet_id)


def _send_match(request: ActorRequest, row: Wallet, form: MatchForm) -> None:
    rule, seqs = request.POST.get("rule", ""), [int(seq) for seq in form.entries]
    commands.match(
        request.actor, _subject(request, row), form.lines, seqs, form.tolerance_minor,
        rule=rule if rule in SUGGESTED else "BY_HAND", reason="", key=key_of(request), form=form,
    )  # fmt: skip


def _subject(request: ActorRequest, row: Wallet) -> Subject:
    return commands.wallet_subject(request.actor, row.org_wallet_ref, presenters.wallet_title(row))


@require_POST
@needs(operations_extra.ACCEPT_CERTAIN_MATCHES)
def accept_certain(request: ActorRequest, business: str, wallet_id: str) -> HttpResponse:
    """Accepts every suggestion that only one thing fits."""
    row = selectors.wallet_of(request.actor, wallet_id)
    done = commands.accept_certain(request.actor, _subject(request, row), key=key_of(request))
    messages.success(request, f"Matches made: {int(done.data['matched']):,}.")
    return redirect("reconciliation_wallet", business, wallet_id)


@require_POST
@needs(operations_extra.UNDO_BANK_MATCH)
def undo_match(request: ActorRequest, business: str, wallet_id: str, match_id: str) -> HttpResponse:
    """Takes a match apart: its lines and entries are unmatched again."""
    row = selectors.wallet_of(request.actor, wallet_id)
    try:
        commands.undo(request.actor, _subject(request, row), match_id, key=key_of(request))
        messages.success(request, "The match was undone.")
    except NotFound:
        messages.info(request, "This match is no longer there.")
    return redirect("reconciliation_wallet", business, wallet_id)
