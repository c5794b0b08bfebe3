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
from dashboard.commands.expenses import save_tags
from dashboard.commands.run import add_refusal
from dashboard.errors import FAILED, FinanceError
from dashboard.mirror.models import Expense
from dashboard.pages.expenses.forms import TagsForm
from dashboard.pages.expenses.selectors import business_tags, expense_for, tags_of
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, new_key, posted_key, sent_before


@require_http_methods(["GET", "POST"])
@needs(operations_extra.LIST_EXPENSE_TAGS, operations_extra.TAG_EXPENSE)
def tags(request: ActorRequest, business: str, remote_id: str) -> HttpResponseBase:
    """The tags of one expense, and from POST their change."""
    expense = expense_for(request.actor, remote_id)
    may_add = bool(can_open(request.actor, operations_extra.CREATE_EXPENSE_TAG))
    if request.method == "GET":
        initial = {"tags": tags_of(expense)}
        form = TagsForm(initial=initial, names=business_tags(request.actor), may_add=may_add)
        return _render(request, expense, form, new_key())
    names, trouble = _names_to_choose(request, expense)
    form = TagsForm(request.POST, names=names, may_add=may_add)
    if not form.is_valid():
        return _render(request, expense, form, new_key(), 422)
    if trouble := trouble or _save(request, expense, form):
        return _refused(request, expense, form, trouble)
    messages.success(request, "Tags saved.")
    return redirect("expenses_item", business, remote_id)


def _names_to_choose(request: ActorRequest, expense: Expense) -> tuple[list[str], FinanceError | None]:
    """The business's tags; where they cannot be read, those of the form, so that it can be shown as it was."""
    try:
        return business_tags(request.actor), None
    except FAILED as trouble:
        return list(dict.fromkeys([*tags_of(expense), *request.POST.getlist("tags")])), trouble


def _save(request: ActorRequest, expense: Expense, form: TagsForm) -> FinanceError | None:
    """Sends what was chosen, the new tag first; answers with what went wrong."""
    chosen, new = form.cleaned_data["tags"], form.cleaned_data.get("new", "")
    try:
        save_tags(request.actor, expense, chosen, new, key=form_key_of(request))
    except FAILED as trouble:
        return trouble
    return None


def _refused(request: ActorRequest, expense: Expense, form: TagsForm, trouble: FinanceError) -> HttpResponse:
    """The form with what went wrong; where nothing was changed, something else may be sent: under a key of its own."""
    add_refusal(form, trouble)
    may_be_done = trouble.changed is None or sent_before(request)
    return _render(request, expense, form, posted_key(request) if may_be_done else new_key(), trouble.status)


def _render(request: ActorRequest, expense: Expense, form: TagsForm, key: str, status: int = 200) -> HttpResponse:
    return page(request, "expenses/tags.html", {"expense": expense, "form": form, "key": key}, status=status)
