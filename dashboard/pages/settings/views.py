"""How a business is set up."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard.access import openings
from dashboard.access.actor import ActorRequest
from dashboard.access.gate import needs
from dashboard.web.respond import page


@require_GET
@needs(openings.CONNECTION)
def settings(request: ActorRequest, business: str) -> HttpResponse:
    """What can be set up, and how it stands."""
    return page(request, "settings/settings.html")
