"""Changing a mandate: how many must approve, and who: each shown as sentences before it is made or proposed."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.operation import Operation
from dashboard.impact.mandate_reads import Snapshot, mandate_of, subject_of_mandate
from dashboard.impact.mandate_text import mandate_title
from dashboard.pages.mandates.forms import AddForm, MinimumForm, RemoveForm, SeatForm
from dashboard.pages.mandates.presenters import changes
from dashboard.pages.mandates.presenters.changes import mandate_address, preview_of_mandate
from dashboard.pages.mandates.selectors import employee_names, people_who_could_join, seat_of
from dashboard.schemas.permissions import MinimumBody, SeatIdsBody
from dashboard.schemas.wallet_policies import Mandate
from dashboard.web.change_steps import check_or_deny, data_of, is_sent, preview_or_submit, render_form


@require_http_methods(["GET", "POST"])
@needs(operations.UPDATE_MANDATE)
def minimum(request: ActorRequest, business: str, mandate_id: str) -> HttpResponse:
    """Changes how many must approve."""
    read = _mandate(request, operations.UPDATE_MANDATE, mandate_id)
    form = MinimumForm(data_of(request), mandate=read.value)
    if not is_sent(request) or not form.is_valid():
        return _render(request, operations.UPDATE_MANDATE, read, form)
    body: MinimumBody = {"min_approvers": form.cleaned_data["min_approvers"]}
    return preview_or_submit(request, preview_of_mandate(request.actor, operations.UPDATE_MANDATE, read, body), form)


@require_http_methods(["GET", "POST"])
@needs(operations.UPDATE_MANDATE_APPROVER)
def approver(request: ActorRequest, business: str, mandate_id: str, approver_id: str) -> HttpResponse:
    """Changes up to how much somebody approves, whether they must, and whether they vote at all."""
    operation = operations.UPDATE_MANDATE_APPROVER
    read = _mandate(request, operation, mandate_id)
    seat = seat_of(read.value, approver_id)
    form = SeatForm(data_of(request), mandate=read.value, seat=seat, locale=request.actor.business.locale)
    if not is_sent(request) or not form.is_valid():
        return _render(request, operation, read, form)
    return preview_or_submit(
        request, preview_of_mandate(request.actor, operation, read, form.body(), approver_id=approver_id), form
    )


@require_http_methods(["GET", "POST"])
@needs(operations.ADD_MANDATE_APPROVERS)
def add_approvers(request: ActorRequest, business: str, mandate_id: str) -> HttpResponse:
    """More people whose approval counts."""
    operation = operations.ADD_MANDATE_APPROVERS
    read = _mandate(request, operation, mandate_id)
    form = AddForm(
        data_of(request),
        choices=people_who_could_join(request.actor, read.value),
        currency=read.value.currency,
        locale=request.actor.business.locale,
    )
    if not is_sent(request) or not form.is_valid():
        return _render(request, operation, read, form)
    names = employee_names(request.actor, form.cleaned_data["people"])
    return preview_or_submit(request, preview_of_mandate(request.actor, operation, read, form.body(), names), form)


@require_http_methods(["GET", "POST"])
@needs(operations.REMOVE_MANDATE_APPROVERS)
def remove_approvers(request: ActorRequest, business: str, mandate_id: str) -> HttpResponse:
    """People whose approval counts no more."""
    operation = operations.REMOVE_MANDATE_APPROVERS
    read = _mandate(request, operation, mandate_id)
    form = RemoveForm(data_of(request), mandate=read.value)
    if not is_sent(request) or not form.is_valid():
        return _render(request, operation, read, form)
    body: SeatIdsBody = {"approver_ids": form.cleaned_data["people"]}
    return preview_or_submit(request, preview_of_mandate(request.actor, operation, read, body), form)


def _mandate(request: ActorRequest, operation: Operation, mandate_id: str) -> Snapshot[Mandate]:
    read = mandate_of(request.actor, mandate_id)
    check_or_deny(request, operation, subject_of_mandate(request.actor, read.value))
    return read


def _render(request: ActorRequest, operation: Operation, read: Snapshot[Mandate], form: Any) -> HttpResponse:
    title = mandate_title(read.value, request.actor.business.locale)
    return render_form(
        request, form, changes.HEADINGS[operation][0], title, mandate_address(request.actor, read.value), read.trouble
    )
