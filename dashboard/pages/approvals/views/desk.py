"""The desk as an answer: the list on the left, the item on the right, as the whole page or the part that is swapped."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.utils import timezone

from dashboard.access.actor import Actor, ActorRequest
from dashboard.decisions.cursors import InboxRow, cursor_of
from dashboard.decisions.filters import Filters
from dashboard.decisions.inbox import neighbours
from dashboard.decisions.presenters import ToastContext
from dashboard.pages.approvals.presenters.desk import (
    TABS,
    TEMPLATE,
    desk_address,
    desk_context,
    list_context,
    pane_context,
)
from dashboard.pages.approvals.selectors.desk import first_tab, open_decisions, subject_by_key, subject_key
from dashboard.pages.approvals.tables.inbox import inbox_page
from dashboard.web.respond import is_fragment_request, page


def filters_of(request: ActorRequest) -> Filters:
    """The filters of the address, or of the list a decision was taken from (`list`)."""
    parameters = request.GET
    if request.method == "POST":
        parameters = QueryDict(request.POST.get("list", "")[:1000])
    return Filters.read(parameters, "mine" if parameters.get("show") in TABS else first_tab(request.actor))


def show_desk(request: ActorRequest, subject: InboxRow | None = None, status: int = 200, **pane: Any) -> HttpResponse:
    """The desk with this subject on the right: the whole page, or for a swap the pane alone (without one, the list).

    `pane` is what `approvals/pane.html` needs beside the item: key, problem, done, changes, reason_form, reason_for,
    confirmed, correction ("category" or "tags") with correction_form and correction_key.
    """
    filters = filters_of(request)
    context = desk_context(request.actor, filters) | pane
    if subject is not None:
        context |= pane_context(request.actor, filters, subject, pane.get("key", ""))
    if subject is None or not is_fragment_request(request):
        context |= list_context(request.actor, filters)
    fragments = ("pane",) if subject is not None else ("list",)
    return page(request, TEMPLATE, context, fragments=fragments, status=status if not filters.problems else 400)


def confirmed_address(request: ActorRequest, subject: InboxRow) -> str:
    """The address of the subject in the list it was posted from, as it is to be opened once the person has verified."""
    query = filters_of(request).query()
    address = desk_address(request.actor, subject_key(subject), query)
    return f"{address}{'&' if query else '?'}confirmed=1"


def show_next(request: ActorRequest, subject: InboxRow, toast: ToastContext) -> HttpResponse:
    """The next item of the list that the subject was decided in, the subject's row gone and the toast (as
    `decisions.presenters.toast_of` makes it) shown."""
    filters, key = filters_of(request), subject_key(subject)
    # Two of them: the next item, and what stands after it.
    nearest = neighbours(request.actor, filters, cursor_of(subject, filters), 2, forward=True)
    following = nearest[0] if nearest else _first_key(request)
    address = desk_address(request.actor, following, filters.query())
    if not is_fragment_request(request):
        return HttpResponseRedirect(address)
    # While it can be undone the subject still stands in the list, before the next one.
    beside = (key, nearest[1] if len(nearest) > 1 else "") if nearest and toast.get("open") else None
    context = {**_context_of_next(request.actor, filters, following, beside), "gone": key, "toast": toast}
    response = page(request, TEMPLATE, context, fragments=("pane", "gone", "toast"))
    response["HX-Trigger-After-Settle"] = "decided"
    response["HX-Push-Url"] = address
    return response


def _context_of_next(actor: Actor, filters: Filters, key: str, beside: tuple[str, str] | None) -> Mapping[str, object]:
    context = {"filters": filters, "query": filters.query()}
    return {**context, **pane_context(actor, filters, subject_by_key(actor, key), beside=beside)} if key else context


def _first_key(request: ActorRequest) -> str:
    # The end of the list: what is left waits at its top.
    now = timezone.now()
    skip, _ = open_decisions(request.actor, now)
    rows = inbox_page(request.actor, filters_of(request).first_page(), now, skip, limit=1).rows
    return rows[0].key if rows else ""
