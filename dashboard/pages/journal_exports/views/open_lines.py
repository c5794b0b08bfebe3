"""What nobody has exported yet, line by line, and what was exported and is filed otherwise now."""

from datetime import date

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard import operations_accounting
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.errors import FinanceError, NotFound
from dashboard.pages.journal_exports.forms import PlaceForm
from dashboard.pages.journal_exports.presenters.exports import days_text
from dashboard.pages.journal_exports.presenters.open_lines import (
    CorrectionsContext,
    PendingContext,
    correction_rows,
    lines_context,
)
from dashboard.pages.journal_exports.selectors.exports import (
    corrections_of,
    days_of,
    exported_periods,
    pending_lines_of,
)
from dashboard.web.respond import page

PENDING, CORRECTIONS = "journal_exports/pending.html", "journal_exports/corrections.html"


def _place(request: ActorRequest, period: str) -> tuple[tuple[date, date], str, date | None]:
    """The first and last day that are asked for, behind which line the page goes on, and the last day where the address names
    one; NotFound for a period that is none."""
    days = days_of(exported_periods(request.actor), period)
    if days is None:
        raise NotFound
    after, until = PlaceForm(request.GET).read(days)
    return (days[0], until or days[1]), after, until


@require_GET
@needs(operations_accounting.LIST_PENDING_JOURNAL_LINES)
def pending_lines(request: ActorRequest, business: str, period: str) -> HttpResponse:
    """The lines of a period, or of all, that an export would hold now; a hundred at once."""
    actor = request.actor
    days, after, until = _place(request, period)
    context: PendingContext = {"period": period, "after": after, "until": until, "problem": ""}
    try:
        lines, following = pending_lines_of(actor, *days, after)
        context["is_corrected"] = not lines and bool(corrections_of(actor, *days, "").docs)
    except FinanceError as trouble:
        context["problem"] = trouble.user_message
        return page(request, PENDING, context, status=trouble.status)
    return page(request, PENDING, {**context, **lines_context(actor, days, lines, following)})


@require_GET
@needs(operations_accounting.LIST_JOURNAL_CORRECTIONS)
def corrections(request: ActorRequest, business: str, period: str) -> HttpResponse:
    """What was exported of a period, or of all, and is filed otherwise now; a hundred at once."""
    actor = request.actor
    days, after, until = _place(request, period)
    context: CorrectionsContext = {"period": period, "until": until, "problem": "", "days": days_text(*days)}
    try:
        listed = corrections_of(actor, *days, after)
    except FinanceError as trouble:
        context["problem"] = trouble.user_message
        return page(request, CORRECTIONS, context, status=trouble.status)
    rows = correction_rows(actor, listed.docs)
    return page(request, CORRECTIONS, {**context, "rows": rows, "following": listed.next_after or ""})
