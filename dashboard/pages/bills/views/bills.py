"""Bills: the list, what is owed by how long it is overdue, one of them, and cancelling one."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods

from dashboard import operations_payables
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can_open
from dashboard.access.decorators import needs
from dashboard.commands import bills as commands
from dashboard.errors import FinanceError
from dashboard.lists.view import list_page, totals_part
from dashboard.mirror.models import OPEN_BILL_STATES, Bill
from dashboard.pages.bills.forms.bills import BillCancelForm
from dashboard.pages.bills.presenters.credit_notes import credits_context
from dashboard.pages.bills.presenters.item import bill_context
from dashboard.pages.bills.presenters.lists import aging_context, bills_tabs
from dashboard.pages.bills.selectors.bills import bill_for, free_minor, refresh_bill
from dashboard.pages.bills.selectors.credit_notes import credits_of, unapplied_of
from dashboard.pages.bills.tables.bills import BILLS, TO_PAY
from dashboard.web.payee_changes import vendor_change_links
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import form_key_of, posted_key

LIST, AGING, ITEM, CANCEL = "bills/list.html", "bills/aging.html", "bills/item.html", "bills/cancel.html"


@require_GET
@needs(operations_payables.LIST_BILLS)
def bills(request: ActorRequest, business: str) -> HttpResponseBase:
    """The page of the bills, filtered and sorted by the query."""
    return list_page(request, BILLS, template=LIST, area_context=_area_context(request))


@polls
@require_GET
@needs(operations_payables.LIST_BILLS)
def totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """The fragment with how many bills the filters leave, and their sum per currency."""
    return totals_part(request, BILLS, template=LIST, area_context=_area_context(request))


def _area_context(request: ActorRequest) -> dict[str, Any]:
    return {
        "parts": bills_tabs(request.actor, request.GET.get("show", TO_PAY)),
        "may_enter": bool(can_open(request.actor, operations_payables.CREATE_BILL)),
    }


@require_GET
@needs(operations_payables.LIST_BILLS)
def aging(request: ActorRequest, business: str) -> HttpResponse:
    """What is owed by currency and by how long it is overdue."""
    return page(request, AGING, aging_context(request.actor, unapplied_of(request.actor)))


@require_GET
@needs(operations_payables.READ_BILL)
def bill(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """The page of one bill; 404 outside what the actor may see."""
    row = bill_for(request.actor, remote_id)
    return render_bill(request, row, live=refresh_bill(request.actor, row))


def render_bill(
    request: ActorRequest, row: Bill, status: int = 200, *, live: bool = True, refusal: FinanceError | None = None,
    **more: Any,
) -> HttpResponse:  # fmt: skip
    """The page of a bill; `more` is what a form that was refused brings back, by the names of bills/item.html. With it stand the
    payee changes of its vendor, while it can be paid."""
    context = bill_context(request.actor, row, live=live)
    if row.status in OPEN_BILL_STATES:
        more["payee_changes"] = vendor_change_links(request.actor, row.vendor_id, refusal)
    notes = credits_context(request.actor, row, credits_of(request.actor, row), free_minor(request.actor, row))
    return page(request, ITEM, {**context, **notes, **more}, status=status)


@require_http_methods(["GET", "POST"])
@needs(operations_payables.CANCEL_BILL)
def cancel_bill(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Cancels a bill for good, with a reason."""
    row = bill_for(request.actor, remote_id)
    form = BillCancelForm(request.POST or None)
    if request.method == "GET" or not form.is_valid():
        return _render_cancel(request, row, form, 200 if request.method == "GET" else 422)
    try:
        commands.cancel_bill(request.actor, row, form.cleaned_data["reason"], key=form_key_of(request), form=form)
    except commands.REFUSALS as refused:
        return _render_cancel(request, row, form, refused.status)
    messages.success(request, f"Bill {row.bill_no} was cancelled.")
    return redirect("bills_item", business, remote_id)


def _render_cancel(request: ActorRequest, row: Bill, form: BillCancelForm, status: int) -> HttpResponse:
    return page(request, CANCEL, {"bill": row, "form": form, "key": posted_key(request)}, status=status)
