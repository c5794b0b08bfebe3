"""The tags of an expense: chosen among the business's own, or a new one."""

from contextlib import suppress
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from dashboard import extensions
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can_open
from dashboard.access.gate import needs
from dashboard.access.scopes import visible_expenses
from dashboard.client.errors import Conflict
from dashboard.client.gateway import send
from dashboard.client.page import read_page
from dashboard.mirror.apply import upsert_expenses
from dashboard.mirror.models import Expense
from dashboard.pages.approvals.forms import new_key
from dashboard.web.respond import page

MOST_TAGS = 200


class TagsForm(forms.Form):
    """Which tags; whoever may add words to the business's own may type a new one."""

    tags = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)
    new = forms.CharField(label="A new tag", max_length=40, required=False)

    def __init__(self, *args: Any, known: list[str], may_add: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["tags"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(name, name) for name in known]
        if not may_add:
            del self.fields["new"]


@require_http_methods(["GET", "POST"])
@needs(extensions.LIST_EXPENSE_TAGS, extensions.TAG_EXPENSE)
def tags(request: ActorRequest, business: str, remote_id: str) -> HttpResponseBase:
    """The tags of one expense."""
    found: Expense = get_object_or_404(visible_expenses(request.actor), remote_id=remote_id)
    may_add = bool(can_open(request.actor, extensions.CREATE_EXPENSE_TAG))
    listed = send(request.actor, extensions.LIST_EXPENSE_TAGS, query={"limit": MOST_TAGS})
    known = [str(one.get("name")) for one in read_page(listed.data).rows]
    if request.method == "GET":
        form = TagsForm(initial={"tags": found.payload.get("tag") or []}, known=known, may_add=may_add)
        return _show(request, found, form)
    form = TagsForm(request.POST, known=known, may_add=may_add)
    if not form.is_valid():
        return _show(request, found, form, 422)
    chosen = list(form.cleaned_data["tags"])
    if new := form.cleaned_data.get("new", ""):
        chosen.append(_made(request, new))
    key = request.POST.get("key", "")[:64] or new_key()
    answer = send(
        request.actor, extensions.TAG_EXPENSE, path={"id": remote_id}, body={"tags": chosen}, subject=found,
        key=f"tags-{key}",
    )  # fmt: skip
    upsert_expenses(request.actor.business, [answer.data])
    messages.success(request, "The tags are saved.")
    return redirect("expenses_item", business, remote_id)


def _made(request: ActorRequest, name: str) -> str:
    # Somebody may have added the same word meanwhile: then that one is meant.
    key = request.POST.get("key", "")[:64] or new_key()
    with suppress(Conflict):
        send(request.actor, extensions.CREATE_EXPENSE_TAG, body={"name": name}, key=f"new-tag-{key}")
    return name


def _show(request: ActorRequest, found: Expense, form: TagsForm, status: int = 200) -> HttpResponse:
    context = {"expense": found, "form": form, "key": new_key()}
    return page(request, "expenses/tags.html", context, status=status)
