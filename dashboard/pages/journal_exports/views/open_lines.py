"""What nobody has exported yet, line by line."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard import operations_extra
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.errors import FinanceError, NotFound
from dashboard.pages.journal_exports.forms import PlaceForm
from dashboard.pages.journal_exports.presenters.open_lines import PendingContext, lines_context
from dashboard.pages.journal_exports.selectors.exports import days_of, pending_lines_of, periods_of
from dashboard.web.respond import page

PENDING = "journal_exports/pending.html"


@require_GET
@needs(operations_extra.LIST_PENDING_JOURNAL_LINES)
def pending_lines(request: ActorRequest, business: str, period: str) -> HttpResponse:
    """The lines of a period, or of all, that an export would hold now; a hundred at once."""
    actor, place = request.actor, PlaceForm(request.GET)
    days = days_of(periods_of(actor), period)
    if days is None:
        raise NotFound
    # What is no place or no day of the period is as if it were not there.
    after, until = (place.cleaned_data.get(name) or "" for name in ("after", "until")) if place.is_valid() else ("", "")
    if until and days[0] <= until <= days[1]:
        days = days[0], until
    context: PendingContext = {"period": period, "after": after, "until": until, "problem": ""}
    try:
        lines, following = pending_lines_of(actor, *days, after)
    except FinanceError as trouble:
        context["problem"] = trouble.user_message
        return page(request, PENDING, context, status=trouble.status)
    return page(request, PENDING, {**context, **lines_context(actor, days, lines, following)})
