"""What is put right at the desk before it is decided on: the category and the tags of an expense."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from dashboard import operations, operations_extra
from dashboard.access.actor import ActorRequest
from dashboard.access.check import check
from dashboard.access.decorators import needs
from dashboard.commands.expenses import categorise
from dashboard.commands.run import add_refusal
from dashboard.decisions.registry import subject_of_kind
from dashboard.errors import FAILED
from dashboard.lists.tagging import save_tags_form, tags_form
from dashboard.mirror.choices import categories_of
from dashboard.mirror.models import Expense
from dashboard.pages.approvals.presenters.desk import desk_address
from dashboard.pages.approvals.selectors.desk import subject_key
from dashboard.pages.approvals.views.desk import filters_of, show_desk
from dashboard.web.forms import CategoryChoiceForm
from dashboard.web.respond import is_fragment_request
from dashboard.web.submission import form_key_of, key_after, new_key, posted_key


@require_http_methods(["GET", "POST"])
@needs(operations.CATEGORISE_EXPENSE)
def correct_category(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The desk with the form for the category of an expense; from POST its change, and the expense as it then is."""
    expense, choices = _expense(request, remote_id), categories_of(request.actor)
    check(request.actor, operations.CATEGORISE_EXPENSE, expense)
    given = request.POST if request.method == "POST" else None
    form = CategoryChoiceForm(given, choices=choices, initial={"subcategory_id": expense.subcategory_id})
    if request.method == "GET" or not form.is_valid():
        return _show(request, expense, form, new_key(), status=422 if form.is_bound else 200)
    try:
        categorise(request.actor, expense, form.cleaned_data["subcategory_id"], key=form_key_of(request), form=form)
    except FAILED as trouble:
        return _show(request, expense, form, posted_key(request), status=trouble.status)
    return _changed(request, expense, "Category changed.")


@require_http_methods(["GET", "POST"])
@needs(operations_extra.LIST_EXPENSE_TAGS, operations_extra.TAG_EXPENSE)
def correct_tags(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The desk with the form for the tags of an expense; from POST their change, and the expense as it then is."""
    expense = _expense(request, remote_id)
    check(request.actor, operations_extra.TAG_EXPENSE, expense)
    form, trouble = tags_form(request.actor, expense, request.POST if request.method == "POST" else None)
    if request.method == "GET" or not form.is_valid():
        status = trouble.status if trouble else 422 if form.is_bound else 200
        return _show(request, expense, form, new_key(), status=status, problem=trouble.user_message if trouble else "")
    try:
        save_tags_form(request.actor, expense, form, trouble, key=form_key_of(request))
    except FAILED as refused:
        add_refusal(form, refused)
        return _show(request, expense, form, key_after(request, refused), status=refused.status)
    return _changed(request, expense, "Tags changed.")


def _expense(request: ActorRequest, remote_id: str) -> Expense:
    expense = subject_of_kind(request.actor, "expense", remote_id)
    assert isinstance(expense, Expense)
    return expense


def _changed(request: ActorRequest, expense: Expense, done: str) -> HttpResponse:
    """The expense as it is by now, in its list, with what was done to it."""
    if is_fragment_request(request):
        return show_desk(request, _expense(request, expense.remote_id), done=done)
    messages.success(request, done)
    return redirect(desk_address(request.actor, subject_key(expense), filters_of(request).query()))


def _show(request: ActorRequest, expense: Expense, form: forms.Form, key: str, **options: Any) -> HttpResponse:
    """The desk with the form of what is being corrected."""
    name = "category" if isinstance(form, CategoryChoiceForm) else "tags"
    return show_desk(request, expense, correction=name, correction_form=form, correction_key=key, **options)
