"""Recurring top-ups: all of them, one person's, set up, changed, paused, resumed and ended. What moves money takes verifying it's you."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.errors import Conflict
from dashboard.pages.people.forms.top_ups import EditTopUpForm
from dashboard.pages.people.presenters.top_ups import person_top_ups_context, top_up_form, top_ups_context
from dashboard.pages.people.selectors.people import person_of
from dashboard.times import day_text
from dashboard.top_ups import services
from dashboard.top_ups.models import TopUp, TopUpRun
from dashboard.top_ups.outcomes import doubt_of
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.submission import posted_key

ALL, PERSON, EDIT = "people/top_ups.html", "people/person_top_ups.html", "people/top_up_edit.html"


@require_GET
@needs(operations.LIST_EMPLOYEE_BALANCES)
def top_ups(request: ActorRequest, business: str) -> HttpResponse:
    """The recurring top-ups of all whom the actor sees."""
    return page(request, ALL, {**top_ups_context(request.actor, request.GET.get("page"))})


@require_GET
@needs(operations.LIST_EMPLOYEE_BALANCES)
def person_top_ups(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Somebody's recurring top-ups, with what each run did."""
    row = person_of(request.actor, remote_id)
    check_or_record_denial(request.actor, operations.LIST_EMPLOYEE_BALANCES, row)
    return page(request, PERSON, {**person_top_ups_context(request.actor, row)})


@require_POST
@needs(operations.ALLOCATE_FUNDS)
def start_top_up(request: ActorRequest, business: str, remote_id: str) -> HttpResponse:
    """Sets a recurring top-up up."""
    row, form = person_of(request.actor, remote_id), top_up_form(request.actor, request.POST)
    if not form.is_valid():
        return page(request, PERSON, {**person_top_ups_context(request.actor, row, form)}, status=422)
    if verification := confirm_first(request, request.path):
        return verification
    try:
        services.start(request.actor, row, form.new_top_up(), key=posted_key(request))
    except Conflict as refused:
        form.add_error(None, refused.user_message)
        return page(request, PERSON, {**person_top_ups_context(request.actor, row, form)}, status=refused.status)
    messages.success(request, f"The recurring top-up of {row.name} is set up.")
    return redirect("people_top_ups", business, remote_id)


@require_http_methods(["GET", "POST"])
@needs(operations.ALLOCATE_FUNDS)
def edit_top_up(request: ActorRequest, business: str, top_up_id: UUID) -> HttpResponse:
    """Another amount, and other days, of one that has not ended."""
    row: TopUp = get_object_or_404(services.visible_top_ups(request.actor), pk=top_up_id)
    check_or_record_denial(request.actor, operations.ALLOCATE_FUNDS, services.employee_of(request.actor, row))
    sent = request.POST if request.method == "POST" else None
    form = EditTopUpForm(sent, top_up=row, locale=request.actor.business.locale)
    if request.method == "GET" or not form.is_valid():
        return page(request, EDIT, {"form": form, "row": row}, status=422 if form.is_bound else 200)
    if verification := confirm_first(request, request.path):
        return verification
    return _change(request, top_up_id, partial(services.edit, **form.terms()), "It is changed.")


@require_POST
@needs(operations.ALLOCATE_FUNDS)
def pause_top_up(request: ActorRequest, business: str, top_up_id: UUID) -> HttpResponse:
    """Pauses one until it is resumed."""
    return _change(request, top_up_id, services.pause, "It is paused.")


@require_POST
@needs(operations.ALLOCATE_FUNDS)
def resume_top_up(request: ActorRequest, business: str, top_up_id: UUID) -> HttpResponse:
    """Lets a paused one run again, as whoever resumes it."""
    return confirm_first(request, request.path) or _change(request, top_up_id, services.resume, "It runs again.")


@require_POST
@needs(operations.ALLOCATE_FUNDS)
def end_top_up(request: ActorRequest, business: str, top_up_id: UUID) -> HttpResponse:
    """Ends one for good."""
    return _change(request, top_up_id, services.end, "It has ended. What was allocated stays.")


@require_POST
@needs(operations.ALLOCATE_FUNDS)
def top_up_run_was_done(request: ActorRequest, business: str, run_id: int) -> HttpResponse:
    """Settles a run in doubt: somebody looked, and it was allocated."""
    return _settle(request, run_id, done=True)


@require_POST
@needs(operations.ALLOCATE_FUNDS)
def top_up_run_was_not_done(request: ActorRequest, business: str, run_id: int) -> HttpResponse:
    """Settles a run in doubt: somebody looked, and it was not allocated."""
    return _settle(request, run_id, done=False)


def _settle(request: ActorRequest, run_id: int, *, done: bool) -> HttpResponse:
    rows = TopUpRun.objects.filter(top_up__in=services.visible_top_ups(request.actor)).select_related(
        "top_up__business"
    )
    row: TopUpRun = get_object_or_404(rows, pk=run_id)
    try:
        services.settle_by_hand(request.actor, row, done=done)
    except Conflict as refused:
        messages.error(request, refused.user_message)
    else:
        messages.success(request, f"The run of {day_text(row.day)} is settled.")
    return redirect("people_top_ups", request.actor.business.slug, row.top_up.employee_id)


def _change(
    request: ActorRequest, top_up_id: UUID, change: Callable[[Actor, TopUp], None], message: str
) -> HttpResponse:
    row: TopUp = get_object_or_404(services.visible_top_ups(request.actor), pk=top_up_id)
    try:
        change(request.actor, row)
    except Conflict as refused:
        messages.error(request, refused.user_message)
    else:
        messages.success(request, f"{message} {doubt_of(row)}".strip())
    return redirect("people_top_ups", request.actor.business.slug, row.employee_id)
