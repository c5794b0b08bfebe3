"""What nobody has exported yet, line by line."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard import operations_extra
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.errors import FinanceError, NotFound
from dashboard.pages.journal_exports.forms import PlaceForm
from dashboard.pages.journal_exports.presenters.open_lines import PendingContext, lines_context
from dashboard.pages.journal_exports.selectors.exports import days_of, exported_periods, pending_lines_of
from dashboard.web.respond import page

PENDING = "journal_exports/pending.html"


@require_GET
@needs(operations_extra.LIST_PENDING_JOURNAL_LINES)
def pending_lines(request: ActorRequest, business: str, period: str) -> HttpResponse:
    """The lines of a period, or of all, that an export would hold now; a hundred at once."""
    actor, place = request.actor, PlaceForm(request.GET)
    days = days_of(exported_periods(actor), period)
    if days is None:
        raise NotFound
    after, until = place.read(days)
    days = days[0], until or days[1]
    context: PendingContext = {"period": period, "after": after, "until": until, "problem": ""}
    try:
        lines, following = pending_lines_of(actor, *days, after)
    except FinanceError as trouble:
        context["problem"] = trouble.user_message
        return page(request, PENDING, context, status=trouble.status)
    return page(request, PENDING, {**context, **lines_context(actor, days, lines, following)})
