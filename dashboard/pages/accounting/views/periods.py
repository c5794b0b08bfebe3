"""The periods: their list, one with what is open in it, closing and reopening it, and the rows that only stand here."""

import re

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations_accounting
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.commands import accounting as commands
from dashboard.errors import FinanceError
from dashboard.inputs import page_number
from dashboard.pages.accounting.forms import ReopenForm
from dashboard.pages.accounting.presenters import periods as presenters
from dashboard.pages.accounting.selectors.books import fx_open_of
from dashboard.pages.accounting.selectors.periods import late_count, late_of, period_of, periods_of, unmatched_lines
from dashboard.pages.accounting.tables import AUDIT_FILE
from dashboard.schemas.accounting import AccountingPeriod
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, posted_key

LIST, ITEM, LATE, BANK = (f"accounting/{name}.html" for name in ("periods", "period", "late", "bank_lines"))
CURSOR = re.compile(r"[A-Za-z0-9_-]{1,400}")


@require_GET
@needs(operations_accounting.LIST_PERIODS)
def periods(request: ActorRequest, business: str) -> HttpResponse:
    """All periods, the newest first."""
    try:
        rows, problem = periods_of(request.actor), ""
    except FinanceError as trouble:
        rows, problem = [], trouble.user_message
    return page(request, LIST, presenters.periods_context(request.actor, rows, problem))


@require_GET
@needs(operations_accounting.READ_PERIOD)
def period(request: ActorRequest, business: str, period: str) -> HttpResponse:
    """One period with its checklist."""
    return _item(request, period_of(request.actor, period))


def _item(request: ActorRequest, chosen_period: AccountingPeriod, status: int = 200, **refused: object) -> HttpResponse:
    fx, late_rows = fx_open_of(request.actor, chosen_period.period), late_count(request.actor, chosen_period)
    context = presenters.period_context(request.actor, chosen_period, fx, late_rows)
    more = {"key": posted_key(request), "audit_file": AUDIT_FILE, **refused}
    return page(request, ITEM, {**context, **more}, status=status)


@require_POST
@needs(operations_accounting.CLOSE_PERIOD)
def close_period(request: ActorRequest, business: str, period: str) -> HttpResponse:
    """Closes a period: what is still open in it must have been accepted."""
    chosen = period_of(request.actor, period)
    form = presenters.posted_close(request.actor, chosen, request.POST)
    if not form.is_valid():
        return _item(request, chosen, 422, close_form=form)
    try:
        commands.close(request.actor, chosen, left_open=form.accepted(), key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _item(request, chosen, refused.status, close_form=form)
    messages.success(request, f"{presenters.period_title(chosen)} is closed.")
    return redirect("accounting_period", business, period)


@require_POST
@needs(operations_accounting.REOPEN_PERIOD)
def reopen_period(request: ActorRequest, business: str, period: str) -> HttpResponse:
    """Opens the last closed period again, for somebody else than whoever closed it."""
    chosen, form = period_of(request.actor, period), ReopenForm(request.POST)
    subject = commands.period_subject(request.actor, chosen)
    check_or_record_denial(request.actor, operations_accounting.REOPEN_PERIOD, subject)
    if not form.is_valid():
        return _item(request, chosen, 422, reopen_form=form)
    try:
        commands.reopen(request.actor, chosen, form.cleaned_data["reason"], key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _item(request, chosen, refused.status, reopen_form=form)
    messages.success(request, f"{presenters.period_title(chosen)} is open again.")
    return redirect("accounting_period", business, period)


@require_GET
@needs(operations_accounting.LIST_LATE_TRANSACTIONS)
def late(request: ActorRequest, business: str, period: str) -> HttpResponse:
    """What was posted in a period though its own day lies before."""
    chosen = period_of(request.actor, period)
    rows, on_page = late_of(request.actor, chosen.period, page_number(request.GET), cursor_of(request))
    return page(request, LATE, presenters.late_context(request.actor, chosen, rows, on_page))


@require_GET
@needs(operations_accounting.LIST_BANK_LINES)
def bank_lines(request: ActorRequest, business: str, period: str) -> HttpResponse:
    """The bank lines of a period that no entry of the ledger belongs to."""
    chosen = period_of(request.actor, period)
    rows, on_page = unmatched_lines(request.actor, chosen, page_number(request.GET), cursor_of(request))
    return page(request, BANK, presenters.bank_lines_context(request.actor, chosen, rows, on_page))


def cursor_of(request: ActorRequest) -> str:
    """Behind which the page that an address asks for goes on; "" for what is no cursor."""
    cursor = CURSOR.fullmatch(request.GET.get("cursor", ""))
    return cursor[0] if cursor else ""
