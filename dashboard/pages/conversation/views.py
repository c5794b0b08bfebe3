"""The conversation about an item: what happened to it and was written about it; comments, and flags laid aside."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.conversation.comments import comment_of, edit, say
from dashboard.conversation.dismissals import dismiss, marked, why_not
from dashboard.conversation.mentions import suggested
from dashboard.conversation.models import Comment
from dashboard.conversation.presenters import talk_of
from dashboard.decisions.desk_items import desk_item_of
from dashboard.delegation.kinds import DECIDED_BY
from dashboard.errors import InvalidState, Rejected
from dashboard.mirror.item_kinds import ITEM_KINDS, item_path, item_title, kind_from_address
from dashboard.pages.conversation.forms import CommentForm, DismissForm, EditForm
from dashboard.pages.conversation.selectors import talked_about
from dashboard.web.respond import is_fragment_request, page

TEMPLATE, EDIT = "conversation/conversation.html", "conversation/edit.html"
FLAGS = "conversation/dismiss.html"


@require_GET
@needs(operations_pages.CONVERSATION)
def conversation(request: ActorRequest, business: str, kind: str, remote_id: str) -> HttpResponse:
    """What happened to an item and the comments on it, on a page of its own."""
    return _show(request, kind_from_address(kind), talked_about(request.actor, kind, remote_id))


def _show(request: ActorRequest, kind: str, row: Any, status: int = 200, **more: Any) -> HttpResponse:
    """The conversation: its page, or for a swap the part that stands on the item's page."""
    context = {
        **talk_of(request, kind, row.remote_id, **more),
        "noun": ITEM_KINDS[kind].label,
        "title": item_title(kind, row),
        "item_address": item_path(request.actor.business.slug, kind, row.remote_id),
    }
    return page(request, TEMPLATE, context, fragments=("talk",), status=status)


def _back(request: ActorRequest, kind: str, remote_id: str) -> str:
    """The address that the form stood at, where it is one of this business; else the item's own."""
    address = request.POST.get("back", "")
    is_ours = address.startswith(f"/{request.actor.business.slug}/") and url_has_allowed_host_and_scheme(address, None)
    return address if is_ours else item_path(request.actor.business.slug, kind, remote_id)


@require_POST
@needs(operations_pages.CONVERSATION)
def add_comment(request: ActorRequest, business: str, kind: str, remote_id: str) -> HttpResponse:
    """Writes a comment on an item."""
    row, kind, form = talked_about(request.actor, kind, remote_id), kind_from_address(kind), CommentForm(request.POST)
    if not form.is_valid():
        return _again(request, kind, row, form)
    try:
        comment = say(request.actor, kind, row, form.cleaned_data["text"], key=form.cleaned_data["key"])
    except Rejected as refused:
        form.add_error("text", refused.detail)
        return _again(request, kind, row, form)
    if not is_fragment_request(request):
        return redirect(f"{_back(request, kind, remote_id)}#comment-{comment.pk}")
    return _show(request, kind, row, fresh=comment.pk)


def _again(request: ActorRequest, kind: str, row: Any, form: CommentForm) -> HttpResponse:
    typed = {name: form.data.get(name, "") for name in ("text", "key")}
    error = form.errors.get("text", ["This form was incomplete and has been reloaded: try again."])[0]
    return _show(request, kind, row, 422, error=error, **typed)


@require_http_methods(["GET", "POST"])
@needs(operations_pages.CONVERSATION)
def edit_comment(request: ActorRequest, business: str, comment_id: UUID) -> HttpResponse:
    """Changes one's own comment while it is fresh."""
    comment = comment_of(request.actor, comment_id)
    row = talked_about(request.actor, comment.kind, comment.remote_id)
    form = EditForm(request.POST or None, initial={"text": comment.text})
    if form.is_valid():
        try:
            edit(request.actor, comment, row, form.cleaned_data["text"])
            return redirect(f"{_back(request, comment.kind, comment.remote_id)}#comment-{comment.pk}")
        except Rejected as refused:
            form.add_error("text", refused.detail)
    return _edit(request, comment, row, form)


def _edit(request: ActorRequest, comment: Comment, row: Any, form: EditForm) -> HttpResponse:
    if form.errors:
        form.fields["text"].widget.attrs["autofocus"] = True
    where = item_path(request.actor.business.slug, comment.kind, comment.remote_id)
    context = {"form": form, "comment": comment, "title": item_title(comment.kind, row), "back": where}
    return page(request, EDIT, context, status=422 if request.method == "POST" else 200)


@require_POST
@needs(operations_pages.CONVERSATION)
def dismiss_flag(request: ActorRequest, business: str, kind: str, remote_id: str) -> HttpResponse:
    """Lays a red flag aside; whoever asks later reads who, when and why."""
    row, kind, form = talked_about(request.actor, kind, remote_id), kind_from_address(kind), DismissForm(request.POST)
    if kind not in DECIDED_BY:
        raise Http404("nobody decides on this kind of thing")
    form.full_clean()
    allowed = not why_not(desk_item_of(request.actor, row))
    if allowed and form.errors:
        return _show_flags(request, kind, row, 422, wrong=form.data.get("flag", ""), error=_error(form))
    try:
        dismiss(request.actor, kind, row, form.data.get("flag", ""), form.data.get("reason", "").strip())
    except InvalidState as late:
        return _show_flags(request, kind, row, 409, problem=late.detail)
    return (
        _show_flags(request, kind, row) if is_fragment_request(request) else redirect(_back(request, kind, remote_id))
    )


def _error(form: DismissForm) -> str:
    return str(form.errors.get("reason", form.errors.get("flag", ["This form was incomplete: try again."]))[0])


def _show_flags(request: ActorRequest, kind: str, row: Any, status: int = 200, **more: Any) -> HttpResponse:
    item = desk_item_of(request.actor, row)
    context = {
        "flags": marked(request.actor, kind, row.remote_id, item.flags),
        "kind": kind,
        "remote_id": row.remote_id,
        "why_not": why_not(item),
        "back": _back(request, kind, row.remote_id),
        "title": item_title(kind, row),
        "reason": request.POST.get("reason", ""),
    }
    return page(request, FLAGS, context | more, fragments=("flags",), status=status)


@require_GET
@needs(operations_pages.CONVERSATION)
def people(request: ActorRequest, business: str, kind: str, remote_id: str) -> JsonResponse:
    """{"people": [{"name", "role"}]}: whom the letters after an @ may mean, of those who may see the item."""
    talked_about(request.actor, kind, remote_id)
    meant = suggested(request.actor, kind_from_address(kind), remote_id, request.GET.get("q", "")[:60])
    return JsonResponse(
        {"people": [{"name": member.user.get_full_name(), "role": member.get_role_display()} for member in meant]}
    )
