"""Expenses: the list with the totals of what is filtered, one expense, its notes, its category, its receipt."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can, can_open
from dashboard.access.decorators import needs
from dashboard.client.reads import read_live
from dashboard.commands.expenses import categorise, note
from dashboard.decisions.items import item_of
from dashboard.errors import FAILED
from dashboard.lists.view import list_page, totals_part
from dashboard.mirror.choices import categories_of
from dashboard.mirror.models import Expense
from dashboard.mirror.scopes import visible_expenses
from dashboard.pages.expenses.forms import CategoryForm, NotesForm
from dashboard.pages.expenses.table import EXPENSES
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import form_key, key_of, new_key

TEMPLATE = "expenses/list.html"
# What a browser may show by itself; anything else is saved, never opened on our origin.
SHOWN_INLINE = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif", b"RIFF": "image/webp"}


@require_GET
@needs(operations.LIST_EXPENSES)
def expenses(request: ActorRequest, business: str) -> HttpResponseBase:
    """The expenses that one may see, filtered and sorted by the address."""
    return list_page(request, EXPENSES, template=TEMPLATE, shown={"may_collect": _may_collect(request)})


@polls
@require_GET
@needs(operations.LIST_EXPENSES)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """How many rows the filters leave and what they come to, per currency: counted apart from the list."""
    return totals_part(request, EXPENSES, template=TEMPLATE, shown={"may_collect": _may_collect(request)})


def _may_collect(request: ActorRequest) -> bool:
    return bool(can_open(request.actor, operations.START_RECEIPTS_EXPORT))


def _visible(request: ActorRequest, remote_id: str) -> Expense:
    found: Expense = get_object_or_404(visible_expenses(request.actor), remote_id=remote_id)
    return found


@require_GET
@needs(operations.LIST_EXPENSES)
def expense(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """One expense with everything that is known of it."""
    return _show(request, _visible(request, remote_id))


def _show(request: ActorRequest, found: Expense, status: int = 200, **more: Any) -> HttpResponse:
    context: dict[str, Any] = {"item": item_of(request.actor, found), "key": new_key(), "expense": found}
    if can(request.actor, operations.NOTE_EXPENSE, found):
        context["notes_form"] = NotesForm(initial={"notes": found.notes})
    if can(request.actor, operations.CATEGORISE_EXPENSE, found):
        context["category_form"] = CategoryForm(
            choices=categories_of(request.actor), initial={"subcategory_id": found.subcategory_id}
        )
    return page(request, "expenses/item.html", context | more, status=status)


@require_POST
@needs(operations.NOTE_EXPENSE)
def note_expense(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Changes the notes of an expense."""
    found, form = _visible(request, remote_id), NotesForm(request.POST)
    if not form.is_valid():
        return _show(request, found, 422, notes_form=form)
    try:
        note(request.actor, found, form.cleaned_data["notes"], key=key_of(request), form=form)
    except FAILED as trouble:
        return _show(request, found, trouble.status, notes_form=form, key=form_key(request))
    messages.success(request, "The notes are saved.")
    return redirect("expenses_item", business, remote_id)


@require_POST
@needs(operations.CATEGORISE_EXPENSE)
def categorise_expense(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Files an expense under another category."""
    found, form = _visible(request, remote_id), CategoryForm(request.POST, choices=categories_of(request.actor))
    if not form.is_valid():
        return _show(request, found, 422, category_form=form)
    try:
        categorise(request.actor, found, form.cleaned_data["subcategory_id"], key=key_of(request), form=form)
    except FAILED as trouble:
        return _show(request, found, trouble.status, category_form=form, key=form_key(request))
    messages.success(request, "The category is changed.")
    return redirect("expenses_item", business, remote_id)


@require_GET
@needs(operations.DOWNLOAD_RECEIPT)
def receipt(request: ActorRequest, business: str, remote_id: str, receipt_id: str) -> HttpResponse:
    """A receipt's file: pictures are shown, anything else is saved."""
    found = _visible(request, remote_id)
    files = {str(one.get("_id")): one for one in found.payload.get("receipts") or [] if isinstance(one, dict)}
    if receipt_id not in files:
        return _no_receipt()
    path = {"transactionRef": found.transaction_ref or found.remote_id}
    query = {"receipt": receipt_id} if len(files) > 1 else None
    answer = read_live(request.actor, operations.DOWNLOAD_RECEIPT, path=path, query=query, subject=found, as_bytes=True)
    name = str(files[receipt_id].get("file_name") or "receipt")
    kind = next((kind for magic, kind in SHOWN_INLINE.items() if answer.data.startswith(magic)), "")
    response = HttpResponse(answer.data, content_type=kind or "application/octet-stream")
    quoted = "".join(letter for letter in name if letter.isalnum() or letter in "._- ") or "receipt"
    response["Content-Disposition"] = f'{"inline" if kind else "attachment"}; filename="{quoted}"'
    return response


def _no_receipt() -> HttpResponse:
    return HttpResponse("There is no such receipt.", status=404, content_type="text/plain")
