"""The finder: a page by itself, and what the palette swaps in while one types."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.lists.filters import LONGEST
from dashboard.operations_pages import FINDER
from dashboard.pages.finder.selectors.hits import search
from dashboard.web.respond import page


@require_GET
@needs(FINDER)
def find(request: ActorRequest, business: str) -> HttpResponse:
    """The pages and rows that match the typed words, in groups."""
    typed = request.GET.get("q", "").strip()[:LONGEST]
    groups = search(request.actor, typed)
    context = {"typed": typed, "groups": groups, "count": sum(len(group.hits) for group in groups)}
    return page(request, "finder/finder.html", context, fragments=("hits", "count"))
