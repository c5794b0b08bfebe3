"""Expenses: the list with its totals and reports, one expense, its notes, its category, its receipt."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.commands.expenses import categorise, save_notes
from dashboard.errors import FAILED
from dashboard.lists.query import Query
from dashboard.lists.view import list_page, totals_part
from dashboard.mirror.choices import categories_of
from dashboard.mirror.models import Expense
from dashboard.pages.expenses import tables
from dashboard.pages.expenses.forms import NotesForm
from dashboard.pages.expenses.presenters import expense_context, reports_context
from dashboard.pages.expenses.selectors import expense_for, receipt_file
from dashboard.web.files import saved_file
from dashboard.web.forms import CategoryChoiceForm
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import form_key_of, posted_key

TEMPLATE = "expenses/list.html"


@require_GET
@needs(operations.LIST_EXPENSES)
def expenses(request: ActorRequest, business: str) -> HttpResponseBase:
    """The page of the expenses that one may see, filtered and sorted by the query."""
    return list_page(request, tables.EXPENSES, template=TEMPLATE, area_context={"may_collect": _may_collect(request)})


@polls
@require_GET
@needs(operations.LIST_EXPENSES)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """The fragment with how many the filters leave and what they come to, per currency."""
    return totals_part(request, tables.EXPENSES, template=TEMPLATE, area_context={"may_collect": _may_collect(request)})


def _may_collect(request: ActorRequest) -> bool:
    return bool(can_open(request.actor, operations.START_RECEIPTS_EXPORT))


@require_GET
@needs(operations.LIST_EXPENSES)
def reports(request: ActorRequest, business: str) -> HttpResponse:
    """The reports of what the list's own filters leave."""
    query = Query.read(tables.EXPENSES, request.GET)
    return page(
        request, "expenses/reports.html", reports_context(request.actor, query), status=400 if query.refused else 200
    )


@require_GET
@needs(operations.LIST_EXPENSES)
def expense(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The page of one expense with what the actor may know of it, or of it the part that changes after an upload; 404
    outside what they may see."""
    return _render(request, expense_for(request.actor, remote_id))


def _render(request: ActorRequest, row: Expense, status: int = 200, **more: Any) -> HttpResponse:
    return page(
        request,
        "expenses/item.html",
        expense_context(request.actor, row) | more,
        fragments=("item", "question"),
        status=status,
    )


@require_POST
@needs(operations.NOTE_EXPENSE)
def note_expense(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Changes the notes of an expense."""
    row, form = expense_for(request.actor, remote_id), NotesForm(request.POST)
    if not form.is_valid():
        return _render(request, row, 422, notes_form=form)
    try:
        save_notes(request.actor, row, form.cleaned_data["notes"], key=form_key_of(request), form=form)
    except FAILED as trouble:
        return _render(request, row, trouble.status, notes_form=form, key=posted_key(request))
    messages.success(request, "Notes saved.")
    return redirect("expenses_item", business, remote_id)


@require_POST
@needs(operations.CATEGORISE_EXPENSE)
def categorise_expense(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Files an expense under another category."""
    row = expense_for(request.actor, remote_id)
    form = CategoryChoiceForm(request.POST, choices=categories_of(request.actor))
    if not form.is_valid():
        return _render(request, row, 422, category_form=form)
    try:
        categorise(request.actor, row, form.cleaned_data["subcategory_id"], key=form_key_of(request), form=form)
    except FAILED as trouble:
        return _render(request, row, trouble.status, category_form=form, key=posted_key(request))
    messages.success(request, "Category changed.")
    return redirect("expenses_item", business, remote_id)


@require_GET
@needs(operations.DOWNLOAD_RECEIPT)
def receipt(request: ActorRequest, business: str, remote_id: str, receipt_id: str) -> HttpResponse:
    """A receipt's file as it was uploaded, to be saved."""
    file = receipt_file(request.actor, expense_for(request.actor, remote_id), receipt_id)
    if file is None:
        return HttpResponse("This receipt does not exist.", status=404, content_type="text/plain")
    return saved_file(file.content, file.name)
