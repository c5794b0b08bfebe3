"""Development only: the style guide, every component once in light and once in dark."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from dashboard.access.decorators import public
from dashboard.web.respond import page


@require_GET
@public
def style_guide(request: HttpRequest) -> HttpResponse:
    """The page of all components; 404 outside development."""
    if not settings.DEVELOPMENT:
        raise Http404
    return page(request, "style/guide.html", {"themes": ["light", "dark"], "shades": ["low", "medium", "high"]})
