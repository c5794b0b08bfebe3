"""The conversation about an item: what happened to it and what was said; saying something, changing one's own words."""

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
from dashboard.conversation.mentions import suggested
from dashboard.conversation.models import Comment
from dashboard.conversation.presenters import talk_of
from dashboard.errors import Rejected
from dashboard.mirror.items import ITEMS, address_of, item_at, kind_of, title_of
from dashboard.pages.conversation.forms import CommentForm, EditForm
from dashboard.web.respond import page, wants_fragment

TEMPLATE, EDIT = "conversation/conversation.html", "conversation/edit.html"


def found(request: ActorRequest, kind: str, remote_id: str) -> Any:
    """The item as the actor sees it; Http404 where it is not theirs to see, or nothing that is talked about."""
    item = item_at(request.actor, kind_of(kind), remote_id)
    if item is None:
        raise Http404("no such item for this person")
    return item


@require_GET
@needs(operations_pages.CONVERSATION)
def conversation(request: ActorRequest, business: str, kind: str, remote_id: str) -> HttpResponse:
    """Everything that happened to an item and was said about it, on a page of its own."""
    return show(request, kind_of(kind), found(request, kind, remote_id))


def show(request: ActorRequest, kind: str, item: Any, status: int = 200, **more: Any) -> HttpResponse:
    """The conversation: its page, or for a swap the part that stands on the item's page."""
    context = talk_of(request, kind, item.remote_id, **more)
    context |= {"noun": ITEMS[kind].noun, "title": title_of(kind, item)}
    context["item_address"] = address_of(request.actor.business.slug, kind, item.remote_id)
    return page(request, TEMPLATE, context, fragments=("talk",), status=status)


def back(request: ActorRequest, kind: str, remote_id: str) -> str:
    """Where the form stood: an address of ours, else the conversation's own page."""
    given = request.POST.get("back", "")
    ours = given.startswith(f"/{request.actor.business.slug}/") and url_has_allowed_host_and_scheme(given, None)
    return given if ours else address_of(request.actor.business.slug, kind, remote_id)


@require_POST
@needs(operations_pages.CONVERSATION)
def add_comment(request: ActorRequest, business: str, kind: str, remote_id: str) -> HttpResponse:
    """Says something about an item."""
    item, kind, form = found(request, kind, remote_id), kind_of(kind), CommentForm(request.POST)
    if not form.is_valid():
        return _again(request, kind, item, form)
    try:
        comment = say(request.actor, kind, item, form.cleaned_data["text"], key=form.cleaned_data["key"])
    except Rejected as refused:
        form.add_error("text", refused.detail)
        return _again(request, kind, item, form)
    if not wants_fragment(request):
        return redirect(f"{back(request, kind, remote_id)}#comment-{comment.pk}")
    return show(request, kind, item, fresh=comment.pk)


def _again(request: ActorRequest, kind: str, item: Any, form: CommentForm) -> HttpResponse:
    typed = {name: form.data.get(name, "") for name in ("text", "key")}
    error = form.errors.get("text", ["This form is not whole. Here it is afresh: try again."])[0]
    return show(request, kind, item, 422, error=error, **typed)


@require_http_methods(["GET", "POST"])
@needs(operations_pages.CONVERSATION)
def edit_comment(request: ActorRequest, business: str, comment_id: UUID) -> HttpResponse:
    """Changes one's own comment while it is fresh."""
    comment = comment_of(request.actor, comment_id)
    item = found(request, comment.kind, comment.remote_id)
    form = EditForm(request.POST or None, initial={"text": comment.text})
    if form.is_valid():
        try:
            edit(request.actor, comment, item, form.cleaned_data["text"])
            return redirect(f"{back(request, comment.kind, comment.remote_id)}#comment-{comment.pk}")
        except Rejected as refused:
            form.add_error("text", refused.detail)
    return _edit(request, comment, item, form)


def _edit(request: ActorRequest, comment: Comment, item: Any, form: EditForm) -> HttpResponse:
    if form.errors:
        form.fields["text"].widget.attrs["autofocus"] = True
    where = address_of(request.actor.business.slug, comment.kind, comment.remote_id)
    context = {"form": form, "comment": comment, "title": title_of(comment.kind, item), "back": where}
    return page(request, EDIT, context, status=422 if request.method == "POST" else 200)


@require_GET
@needs(operations_pages.CONVERSATION)
def people(request: ActorRequest, business: str, kind: str, remote_id: str) -> JsonResponse:
    """Who could be meant by the letters after an @: of those who may see the item."""
    found(request, kind, remote_id)
    meant = suggested(request.actor, kind_of(kind), remote_id, request.GET.get("q", "")[:60])
    return JsonResponse(
        {"people": [{"name": one.user.get_full_name(), "role": one.get_role_display()} for one in meant]}
    )
