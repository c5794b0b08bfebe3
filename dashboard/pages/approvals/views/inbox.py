"""The inbox: what waits, what it comes to, and whether more has come in."""

from typing import Any

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_GET

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest, to_sign_in
from dashboard.access.decorators import needs, public
from dashboard.decisions.totals import fresh_since, inbox_totals
from dashboard.lists.saved import default_query
from dashboard.lists.view import saved_views_context
from dashboard.pages.approvals.presenters.desk import TAB_VERBS, TEMPLATE, desk_context
from dashboard.pages.approvals.selectors.desk import desk_teams
from dashboard.pages.approvals.tables.export import INBOX_LIST
from dashboard.pages.approvals.views.desk import filters_of, show_desk
from dashboard.web.freshness import freshness_of
from dashboard.web.respond import is_fragment_request, page
from dashboard.web.signin.middleware import ENTERED
from dashboard.web.signin.sessions import polls


@require_GET
@needs(operations_pages.INBOX)
def inbox(request: ActorRequest, business: str) -> HttpResponse:
    """What waits, newest first, filtered by the address; without a query, the way its person has chosen."""
    if not request.GET and (query := default_query(request.actor, INBOX_LIST.name)):
        return redirect(f"{request.path}?{query}")
    return show_desk(request)


@polls
@require_GET
@needs(operations_pages.INBOX)
def totals(request: ActorRequest, business: str) -> HttpResponse:
    """How many wait, what they come to and since when: counted apart from the list, which must not wait for it."""
    filters = filters_of(request)
    waiting = inbox_totals(request.actor, filters)
    context: dict[str, Any] = {"totals": waiting, "sentence": waiting.sentence(TAB_VERBS[filters.show])}
    context |= desk_context(request.actor, filters) | {"teams": desk_teams(request.actor)}
    context |= saved_views_context(request.actor, INBOX_LIST, filters.query()) | {
        "fresh": freshness_of(request.actor.business)
    }
    if not is_fragment_request(request):
        return show_desk(request, **context)
    return page(request, TEMPLATE, context | {"oob": True}, fragments=("totals", "count", "pickers", "kept", "outage"))


@polls
@require_GET
@needs(operations_pages.INBOX)
def news(request: ActorRequest, business: str) -> JsonResponse:
    """How many rows of this list came in since it was drawn: asked only when the pulse has moved."""
    since = parse_datetime(request.GET.get("since", "").replace(" ", "+"))
    if since is None or since.tzinfo is None:
        return JsonResponse({"since": "an ISO 8601 time with its zone"}, status=400)
    return JsonResponse({"count": fresh_since(request.actor, filters_of(request), since)})


@polls
@require_GET
@public
def pulse(request: HttpRequest, slug: str) -> HttpResponse:
    """The number that moves with every change of a business's copy: read from the cache, at no query but the session's.

    Who may ask is known from the session, which has entered the business before; 404 for any other.
    """
    if "_auth_user_id" not in request.session:
        return to_sign_in(request)
    business_id = request.session.get(ENTERED, {}).get(slug)
    if business_id is None:
        raise Http404("not a business that this session has entered")
    return JsonResponse({"pulse": cache.get(f"inbox:{business_id}", 0)})
