"""The books of a period: the trial balance, the general ledger account by account, one posting."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard import operations_accounting
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.pages.accounting.forms import LedgerDayForm
from dashboard.pages.accounting.presenters import books as presenters
from dashboard.pages.accounting.presenters.periods import month_row, row_of
from dashboard.pages.accounting.selectors import books
from dashboard.pages.accounting.selectors.periods import days_of_month, period_of
from dashboard.pages.accounting.tables import GENERAL_LEDGER, TRIAL_BALANCE
from dashboard.web.respond import page

TRIAL, LEDGER, POSTING = (f"accounting/{name}.html" for name in ("trial_balance", "ledger", "posting"))


@require_GET
@needs(operations_accounting.READ_TRIAL_BALANCE)
def trial_balance(request: ActorRequest, business: str, period: str) -> HttpResponse:
    """Every account with what it had before the period, what moved, and what it has after it."""
    chosen, report = period_of(request.actor, period), books.trial_balance_of(request.actor, period)
    fx_alone = request.GET.get("show") == "fx"
    groups = presenters.trial_groups(request.actor, report, fx_alone=fx_alone)
    return page(
        request, TRIAL,
        {"period": row_of(request.actor, chosen), "groups": groups, "fx_alone": fx_alone, "report": TRIAL_BALANCE},
    )  # fmt: skip


@require_GET
@needs(operations_accounting.READ_ACCOUNT_LEDGER)
def ledger(request: ActorRequest, business: str, period: str) -> HttpResponse:
    """The entries of one account, the first of the trial balance where the address names none; from a day on where it names one."""
    actor, form = request.actor, LedgerDayForm(request.GET, days=days_of_month(period))
    report = books.ledger_choices_of(actor, period)
    entries = books.named_ledger(actor, period, report, request.GET, form.day)
    context = {
        "period": month_row(actor, period, entries),
        "report": GENERAL_LEDGER,
        "form": form,
        **presenters.ledger_context(actor, report, entries),
    }
    return page(request, LEDGER, context, status=200 if form.is_valid() else 400)


@require_GET
@needs(operations_accounting.READ_POSTING)
def posting(request: ActorRequest, business: str, posting_id: int) -> HttpResponse:
    """One posting: its entries, their sums, and the transactions that it belongs to with their documents."""
    chosen = books.posting_of(request.actor, posting_id)
    transactions = books.transactions_of(request.actor, chosen)
    return page(request, POSTING, presenters.posting_context(request.actor, chosen, transactions))
