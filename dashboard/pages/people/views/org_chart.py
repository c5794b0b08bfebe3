"""The organisation chart: by supervisor and by team."""

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_GET

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.pages.people.presenters.org_chart import org_chart_context
from dashboard.web.respond import page


@require_GET
@needs(operations.LIST_EMPLOYEES)
def org_chart(request: ActorRequest, business: str) -> HttpResponse:
    """The chart, from the top or from whom or which team the address names."""
    query = request.GET
    context = org_chart_context(
        request.actor, by="team" if query.get("by") == "team" else "", person_id=query.get("from", ""),
        team_id=query.get("team", ""), number=query.get("page"),
    )  # fmt: skip
    if context is None:
        raise Http404("nobody like that, or no such team")
    return page(request, "people/org_chart.html", {**context})
