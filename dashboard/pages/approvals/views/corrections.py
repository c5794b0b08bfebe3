"""What is put right at the desk before it is decided on: the category of an expense."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.check import check
from dashboard.access.decorators import needs
from dashboard.commands.expenses import categorise
from dashboard.decisions.registry import subject_of_kind
from dashboard.errors import FAILED
from dashboard.mirror.choices import categories_of
from dashboard.mirror.models import Expense
from dashboard.pages.approvals.presenters.desk import desk_address
from dashboard.pages.approvals.selectors.desk import subject_key
from dashboard.pages.approvals.views.desk import filters_of, show_desk
from dashboard.web.forms import CategoryChoiceForm
from dashboard.web.respond import is_fragment_request
from dashboard.web.submission import form_key_of, new_key, posted_key


@require_http_methods(["GET", "POST"])
@needs(operations.CATEGORISE_EXPENSE)
def correct_category(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The desk with the form for the category of an expense; from POST its change, and the expense as it then is."""
    expense, choices = subject_of_kind(request.actor, "expense", remote_id), categories_of(request.actor)
    assert isinstance(expense, Expense)
    check(request.actor, operations.CATEGORISE_EXPENSE, expense)
    if request.method == "GET":
        form = CategoryChoiceForm(choices=choices, initial={"subcategory_id": expense.subcategory_id})
        return _show(request, remote_id, form, new_key())
    form = CategoryChoiceForm(request.POST, choices=choices)
    return _save(request, expense, form) if form.is_valid() else _show(request, remote_id, form, new_key(), status=422)


def _save(request: ActorRequest, expense: Expense, form: CategoryChoiceForm) -> HttpResponse:
    try:
        categorise(request.actor, expense, form.cleaned_data["subcategory_id"], key=form_key_of(request), form=form)
    except FAILED as trouble:
        return _show(request, expense.remote_id, form, posted_key(request), status=trouble.status)
    if is_fragment_request(request):
        changed = subject_of_kind(request.actor, "expense", expense.remote_id)
        return show_desk(request, changed, done="Category changed.")
    messages.success(request, "Category changed.")
    return redirect(desk_address(request.actor, subject_key(expense), filters_of(request).query()))


def _show(request: ActorRequest, remote_id: str, form: CategoryChoiceForm, key: str, **options: Any) -> HttpResponse:
    expense = subject_of_kind(request.actor, "expense", remote_id)
    return show_desk(request, expense, category_form=form, category_key=key, **options)
