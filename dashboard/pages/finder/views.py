"""The finder: a page by itself, and what the palette swaps in while one types."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.lists.filters import LONGEST
from dashboard.operations_pages import FINDER
from dashboard.pages.finder.sources import found_by
from dashboard.web.respond import page


@require_GET
@needs(FINDER)
def find(request: ActorRequest, business: str) -> HttpResponse:
    """What the typed words lead to, by where it was found."""
    typed = request.GET.get("q", "").strip()[:LONGEST]
    groups = found_by(request.actor, typed)
    context = {"typed": typed, "groups": groups, "count": sum(len(group.found) for group in groups)}
    return page(request, "finder/finder.html", context, fragments=("found", "said"))
