"""The tags of an expense: chosen among the business's own, or a new one."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from dashboard import operations_extra
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.client.page import read_page
from dashboard.client.reads import read_live
from dashboard.commands.expenses import save_tags
from dashboard.commands.run import add_refusal
from dashboard.errors import FAILED, FinanceError
from dashboard.mirror.models import Expense
from dashboard.mirror.scopes import visible_expenses
from dashboard.web.fields import Name
from dashboard.web.respond import page
from dashboard.web.submission import form_key, key_of, new_key, sent_before

MOST_TAGS = 200


class TagsForm(forms.Form):
    """Which tags; whoever may add words to the business's own may type a new one."""

    tags = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)
    new = Name(label="A new tag", max_length=40, required=False)

    def __init__(self, *args: Any, known: list[str], may_add: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["tags"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(name, name) for name in known]
        if not may_add:
            del self.fields["new"]


@require_http_methods(["GET", "POST"])
@needs(operations_extra.LIST_EXPENSE_TAGS, operations_extra.TAG_EXPENSE)
def tags(request: ActorRequest, business: str, remote_id: str) -> HttpResponseBase:
    """The tags of one expense."""
    found: Expense = get_object_or_404(visible_expenses(request.actor), remote_id=remote_id)
    may_add = bool(can_open(request.actor, operations_extra.CREATE_EXPENSE_TAG))
    if request.method == "GET":
        form = TagsForm(initial={"tags": _tags_of(found)}, known=_listed(request), may_add=may_add)
        return _show(request, found, form, new_key())
    known, trouble = _known(request, found)
    form = TagsForm(request.POST, known=known, may_add=may_add)
    if not form.is_valid():
        return _show(request, found, form, new_key(), 422)
    if trouble := trouble or _save(request, found, form):
        add_refusal(form, trouble)
        # Where nothing was changed, something else may be sent in its place: under a key of its own.
        kept = trouble.changed is None or sent_before(request)
        return _show(request, found, form, form_key(request) if kept else new_key(), trouble.status)
    messages.success(request, "The tags are saved.")
    return redirect("expenses_item", business, remote_id)


def _tags_of(found: Expense) -> list[str]:
    return [str(name) for name in found.payload.get("tag") or []]


def _listed(request: ActorRequest) -> list[str]:
    answer = read_live(request.actor, operations_extra.LIST_EXPENSE_TAGS, query={"limit": MOST_TAGS})
    return [str(one.get("name")) for one in read_page(answer.data).rows]


def _known(request: ActorRequest, found: Expense) -> tuple[list[str], FinanceError | None]:
    """The business's tags; where they cannot be read, those of the form, so that it can be shown as it was."""
    try:
        return _listed(request), None
    except FAILED as trouble:
        return list(dict.fromkeys([*_tags_of(found), *request.POST.getlist("tags")])), trouble


def _save(request: ActorRequest, found: Expense, form: TagsForm) -> FinanceError | None:
    """Sends what was chosen, the new one first; what went wrong is told on the form."""
    chosen, new = form.cleaned_data["tags"], form.cleaned_data.get("new", "")
    try:
        save_tags(request.actor, found, chosen, new, key=key_of(request))
    except FAILED as trouble:
        return trouble
    return None


def _show(request: ActorRequest, found: Expense, form: TagsForm, key: str, status: int = 200) -> HttpResponse:
    return page(request, "expenses/tags.html", {"expense": found, "form": form, "key": key}, status=status)
