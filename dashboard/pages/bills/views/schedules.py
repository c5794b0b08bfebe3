"""Recurring bills: the list, a new one, one of them, and pausing, resuming and ending it."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations_payables
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.commands import bill_schedules as commands
from dashboard.commands.run import CommandResult
from dashboard.errors import FinanceError
from dashboard.pages.bills.forms.schedules import ScheduleForm, schedule_forms
from dashboard.pages.bills.presenters.lists import bills_tabs
from dashboard.pages.bills.presenters.schedules import schedule_context, schedules_context
from dashboard.pages.bills.selectors.entry import EntryChoices, entry_choices, vendor_of
from dashboard.pages.bills.selectors.schedules import schedule_of, schedules_of
from dashboard.schemas.bill_schedules import BillSchedule
from dashboard.web.respond import page
from dashboard.web.submission import form_key_of, posted_key


@require_GET
@needs(operations_payables.LIST_BILL_SCHEDULES)
def schedules(request: ActorRequest, business: str) -> HttpResponse:
    """All recurring bills, each with its next dates."""
    try:
        rows, problem = schedules_of(request.actor), ""
    except FinanceError as trouble:
        rows, problem = [], trouble.user_message
    context = {**schedules_context(request.actor, rows, problem), "parts": bills_tabs(request.actor, "")}
    return page(request, "bills/schedules.html", context)


@require_http_methods(["GET", "POST"])
@needs(operations_payables.CREATE_BILL_SCHEDULE)
def new_schedule(request: ActorRequest, business: str) -> HttpResponse:
    """The form of a new recurring bill; posted, it is added."""
    status, choices = 200, _choices(request)
    form, lines = schedule_forms(request.actor, choices, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() & lines.is_valid() and lines.check_shares(_currency(request, form)):
        try:
            added = commands.create_schedule(request.actor, form.body(lines), key=form_key_of(request), form=form)
        except commands.REFUSALS as refused:
            status = refused.status
        else:
            messages.success(request, f"{form.cleaned_data['number_prefix']} was added.")
            return redirect("bills_schedule", business, added.id)
    context = {"form": form, "lines": lines, "problem": choices.problem, "key": posted_key(request)}
    status = 422 if form.is_bound and status == 200 else status
    return page(request, "bills/new_schedule.html", context, status=status)


def _choices(request: ActorRequest) -> EntryChoices:
    sent = request.POST
    return entry_choices(request.actor, chosen=sent.get("vendor_id", "")[:64], term=sent.get("vendor_term", "")[:100])


def _currency(request: ActorRequest, form: ScheduleForm) -> str:
    """The currency of its bills: its own, or the vendor's."""
    vendor = vendor_of(request.actor, form.cleaned_data["vendor_id"])
    own: str = form.cleaned_data["currency"].upper()
    return own or (vendor.currency if vendor else "")


@require_GET
@needs(operations_payables.READ_BILL_SCHEDULE)
def schedule(request: ActorRequest, business: str, schedule_id: str) -> HttpResponse:
    """One recurring bill: its next dates, and the bills entered last."""
    return _item(request, schedule_of(request.actor, schedule_id))


def _item(request: ActorRequest, row: BillSchedule, status: int = 200, problem: str = "") -> HttpResponse:
    context = {**schedule_context(request.actor, row), "problem": problem, "key": posted_key(request)}
    return page(request, "bills/schedule.html", context, status=status)


@require_POST
@needs(operations_payables.PAUSE_BILL_SCHEDULE)
def pause_schedule(request: ActorRequest, business: str, schedule_id: str) -> HttpResponse:
    """Enters no bill of it until it is resumed."""
    return _change(request, schedule_id, commands.pause_schedule, "{} was paused.")


@require_POST
@needs(operations_payables.RESUME_BILL_SCHEDULE)
def resume_schedule(request: ActorRequest, business: str, schedule_id: str) -> HttpResponse:
    """Enters its bills again; what was missed meanwhile is not made up for."""
    return _change(request, schedule_id, commands.resume_schedule, "{} was resumed.")


@require_POST
@needs(operations_payables.END_BILL_SCHEDULE)
def end_schedule(request: ActorRequest, business: str, schedule_id: str) -> HttpResponse:
    """Ends a recurring bill for good; the bills that it has entered stay."""
    return _change(request, schedule_id, commands.end_schedule, "{} was ended. Its bills stay.")


def _change(request: ActorRequest, schedule_id: str, command: Callable[..., CommandResult], done: str) -> HttpResponse:
    row = schedule_of(request.actor, schedule_id)
    try:
        command(request.actor, row, key=form_key_of(request))
    except commands.REFUSALS as refused:
        return _item(request, row, refused.status, refused.on_form)
    messages.success(request, done.format(row.number_prefix))
    return redirect("bills_schedule", request.actor.business.slug, schedule_id)
