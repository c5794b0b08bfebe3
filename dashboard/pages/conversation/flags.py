"""Laying a red flag of an item aside, with a reason."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.conversation.dismissals import dismiss, marked, why_not
from dashboard.decisions.items import item_of
from dashboard.delegation.kinds import DECIDED_BY
from dashboard.errors import InvalidState
from dashboard.mirror.items import kind_of, title_of
from dashboard.pages.conversation.forms import DismissForm
from dashboard.pages.conversation.views import back, found
from dashboard.web.respond import page, wants_fragment

TEMPLATE = "conversation/dismiss.html"


@require_POST
@needs(operations_pages.CONVERSATION)
def dismiss_flag(request: ActorRequest, business: str, kind: str, remote_id: str) -> HttpResponse:
    """Lays a red flag aside; whoever asks later reads who, when and why."""
    thing, kind, form = found(request, kind, remote_id), kind_of(kind), DismissForm(request.POST)
    if kind not in DECIDED_BY:
        raise Http404("nobody decides on this kind of thing")
    form.full_clean()
    allowed = not why_not(item_of(request.actor, thing))
    if allowed and form.errors:
        return _show(request, kind, thing, 422, wrong=form.data.get("flag", ""), error=_error(form))
    try:
        dismiss(request.actor, kind, thing, form.data.get("flag", ""), form.data.get("reason", "").strip())
    except InvalidState as late:
        return _show(request, kind, thing, 409, problem=late.detail)
    if not wants_fragment(request):
        return redirect(back(request, kind, remote_id))
    return _show(request, kind, thing)


def _error(form: DismissForm) -> str:
    return str(form.errors.get("reason", form.errors.get("flag", ["Look again: this form is not whole."]))[0])


def _show(request: ActorRequest, kind: str, thing: Any, status: int = 200, **more: Any) -> HttpResponse:
    item = item_of(request.actor, thing)
    context = {
        "flags": marked(request.actor, kind, thing.remote_id, item.flags),
        "kind": kind,
        "remote_id": thing.remote_id,
        "why_not": why_not(item),
        "back": back(request, kind, thing.remote_id),
        "title": title_of(kind, thing),
        "reason": request.POST.get("reason", ""),
    }
    return page(request, TEMPLATE, context | more, fragments=("flags",), status=status)
