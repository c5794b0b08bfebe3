"""The inbox and its desk: what waits, one item of it, and the verbs that decide."""

from typing import Any

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations, operations_pages
from dashboard.access.actor import ActorRequest, to_sign_in
from dashboard.access.decorators import needs, public
from dashboard.access.operation import Operation
from dashboard.decisions.registry import verbs_on
from dashboard.decisions.selectors import confirms
from dashboard.decisions.totals import fresh_since, totals_of
from dashboard.lists.saved import default_query
from dashboard.lists.view import kept_of
from dashboard.pages.approvals.decide import decide
from dashboard.pages.approvals.desk import SAID, TEMPLATE, filters_of, picks_of, show_desk, teams_of, thing_of
from dashboard.pages.approvals.file import INBOX_LIST
from dashboard.web.freshness import freshness_of
from dashboard.web.respond import page, wants_fragment
from dashboard.web.signin.middleware import ENTERED
from dashboard.web.signin.sessions import polls


@require_GET
@needs(operations_pages.INBOX)
def inbox(request: ActorRequest, business: str) -> HttpResponse:
    """What waits, newest first, filtered by the address; without a query, the way its person has chosen."""
    if not request.GET and (kept := default_query(request.actor, INBOX_LIST.name)):
        return redirect(f"{request.path}?{kept}")
    return show_desk(request)


@require_GET
@needs(operations_pages.INBOX, operations.LIST_EXPENSES)
def expense(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One expense on the desk."""
    return show_desk(request, thing_of(request.actor, "expense", remote_id))


@require_GET
@needs(operations_pages.INBOX, operations.LIST_APPROVALS)
def payment(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One payment request on the desk."""
    return show_desk(request, thing_of(request.actor, "approval", remote_id), confirmed="confirmed" in request.GET)


@require_POST
@needs(operations.APPROVE_EXPENSE)
def approve_expense(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Approves one expense: it waits its seconds, then it is sent."""
    return _decide(request, operations.APPROVE_EXPENSE, remote_id)


@require_POST
@needs(operations.REJECT_EXPENSE)
def reject_expense(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Rejects one expense, with a reason."""
    return _decide(request, operations.REJECT_EXPENSE, remote_id)


@require_POST
@needs(operations.REQUEST_EXPENSE_DETAILS)
def ask_for_details(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Asks for details of one expense: not the same as rejecting it."""
    return _decide(request, operations.REQUEST_EXPENSE_DETAILS, remote_id)


# A request for votes is decided as what it is about is: a bill's payment under its bill, a fund by its reference.
VOTES = (operations.APPROVE_PAYMENT_REQUEST, operations.APPROVE_BILL_PAYMENT, operations.APPROVE_FUND_OPT_IN)
AGAINST = (operations.REJECT_PAYMENT_REQUEST, operations.REJECT_BILL_PAYMENT, operations.REJECT_BILL_PAYMENT_REQUEST)


@require_POST
@needs(*VOTES)
def approve_payment(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Votes for one payment request: at once, after showing that it is oneself."""
    thing = thing_of(request.actor, "approval", remote_id)
    return decide(request, verbs_on(thing)["approve"], thing)


@require_POST
@needs(*AGAINST)
def reject_payment(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Votes against one payment request, with a reason."""
    thing = thing_of(request.actor, "approval", remote_id)
    return decide(request, verbs_on(thing)["reject"], thing)


def _decide(request: ActorRequest, operation: Operation, remote_id: str) -> HttpResponse:
    return decide(request, operation, thing_of(request.actor, "expense", remote_id))


@polls
@require_GET
@needs(operations_pages.INBOX)
def totals(request: ActorRequest, business: str) -> HttpResponse:
    """How many wait, what they come to and since when: counted apart from the list, which must not wait for it."""
    filters = filters_of(request)
    found = totals_of(request.actor, filters)
    context: dict[str, Any] = {"filters": filters, "totals": found, "sentence": found.sentence(SAID[filters.show])}
    context |= {"teams": teams_of(request.actor), "query": filters.query(), "picks": picks_of(confirms(request.actor))}
    context |= kept_of(request.actor, INBOX_LIST, filters.query()) | {"fresh": freshness_of(request.actor.business)}
    if not wants_fragment(request):
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
