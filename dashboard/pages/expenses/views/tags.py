"""The tags of an expense: chosen among the business's own, or a new one."""

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from dashboard import operations_extra
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.commands.expenses import save_tags, tags_of
from dashboard.commands.run import add_refusal
from dashboard.errors import FAILED, FinanceError
from dashboard.lists.tagging import tags_to_choose
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
    form, trouble = _form(request, expense)
    if request.method == "GET" and trouble:
        raise trouble
    if request.method == "GET" or not form.is_valid():
        return _render(request, expense, form, status=422 if form.is_bound else 200)
    try:
        _save(request, expense, form, trouble)
    except FAILED as refused:
        add_refusal(form, refused)
        return _render(request, expense, form, key_after(request, refused), refused.status)
    messages.success(request, "Tags saved.")
    return redirect("expenses_item", business, remote_id)


def _form(request: ActorRequest, expense: Expense) -> tuple[TagsForm, FinanceError | None]:
    """The form, and why it is not known which tags there are to choose from, None where it is."""
    names, trouble = tags_to_choose(request.actor, [*tags_of(expense), *request.POST.getlist("tags")])
    may_add = bool(can_open(request.actor, operations_extra.CREATE_EXPENSE_TAG))
    given = request.POST if request.method == "POST" else None
    return TagsForm(given, initial={"tags": tags_of(expense)}, names=names, may_add=may_add), trouble


def _save(request: ActorRequest, expense: Expense, form: TagsForm, trouble: FinanceError | None) -> None:
    """Sends what was chosen, the new tag first. Raises the trouble where it is not known what there is to choose from."""
    if trouble:
        raise trouble
    chosen, new = form.cleaned_data["tags"], form.cleaned_data.get("new", "")
    save_tags(request.actor, expense, chosen, new, key=form_key_of(request))


def _render(request: ActorRequest, expense: Expense, form: TagsForm, key: str = "", status: int = 200) -> HttpResponse:
    context = {"expense": expense, "form": form, "key": key or new_key()}
    return page(request, "expenses/tags.html", context, status=status)
