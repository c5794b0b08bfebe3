"""The desk of a wallet: bank lines beside entries, matched one by one, several to several, all that is certain, and undone."""

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
from dashboard.pages.reconciliation.presenters.desk_page import DeskForms, wallet_desk_context
from dashboard.pages.reconciliation.presenters.selection import selection_text
from dashboard.pages.reconciliation.presenters.statements import wallet_title
from dashboard.pages.reconciliation.selectors.desk import NOTHING_SELECTED, desk_pages, match_selection
from dashboard.pages.reconciliation.selectors.matches import check_match
from dashboard.pages.reconciliation.selectors.wallets import bank_wallet
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
    filter_form = _filter_form(request, row)
    desk_forms = DeskForms(filter=filter_form, match=form, difference=difference_form, removal=removal_form)
    selection, pages = match_selection(request, row), desk_pages(request.GET)
    query, key = _query(request, filter_form), posted_key(request)
    context = wallet_desk_context(request.actor, row, desk_forms, selection, pages, query, key)
    return page(request, DESK, context, status=status)


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
