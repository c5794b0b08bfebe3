"""Development only: the style guide, every component once in light and once in dark."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from dashboard.access.decorators import public
from dashboard.web.charts import balance_chart, flow_chart
from dashboard.web.respond import page

MONTHS = ["Oct 2026", "Nov 2026"]


@require_GET
@public
def style_guide(request: HttpRequest) -> HttpResponse:
    """The page of all components; 404 outside development."""
    if not settings.DEVELOPMENT:
        raise Http404
    flows = flow_chart(MONTHS, [(1_000_000, 600_000), (700_000, 300_000)], "KES", "en_KE")
    balances = balance_chart("Closing balance", MONTHS, [-200_000, 800_000], "KES", "en_KE")
    context = {"themes": ["light", "dark"], "shades": ["low", "medium", "high"], "flows": flows, "balances": balances}
    return page(request, "style/guide.html", context)
