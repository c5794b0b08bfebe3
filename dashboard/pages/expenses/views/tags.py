"""The tags of an expense: chosen among the business's own, or a new one."""

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from dashboard import operations_extra
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands.run import add_refusal
from dashboard.errors import FAILED
from dashboard.lists.tagging import save_tags_form, tags_form
from dashboard.mirror.models import Expense
from dashboard.pages.expenses.selectors import expense_for
from dashboard.web.forms import TagsForm
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, key_after, new_key


@require_http_methods(["GET", "POST"])
@needs(operations_extra.LIST_EXPENSE_TAGS, operations_extra.TAG_EXPENSE)
def tags(request: ActorRequest, business: str, remote_id: str) -> HttpResponseBase:
    """The tags of one expense, and from POST their change."""
    expense = expense_for(request.actor, remote_id)
    form, trouble = tags_form(request.actor, expense, request.POST if request.method == "POST" else None)
    if request.method == "GET" and trouble:
        raise trouble
    if request.method == "GET" or not form.is_valid():
        return _render(request, expense, form, status=422 if form.is_bound else 200)
    try:
        save_tags_form(request.actor, expense, form, trouble, key=form_key_of(request))
    except FAILED as refused:
        add_refusal(form, refused)
        return _render(request, expense, form, key_after(request, refused), refused.status)
    messages.success(request, "Tags saved.")
    return redirect("expenses_item", business, remote_id)


def _render(request: ActorRequest, expense: Expense, form: TagsForm, key: str = "", status: int = 200) -> HttpResponse:
    context = {"expense": expense, "form": form, "key": key or new_key()}
    return page(request, "expenses/tags.html", context, status=status)
