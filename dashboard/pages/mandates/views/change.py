"""Changing a mandate: how many must approve, and who: each looked at as sentences before it is made or proposed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.operation import Operation
from dashboard.impact.mandate_reads import Read, mandate_of, subject_of_mandate
from dashboard.impact.mandate_text import as_changed, differences, title_of
from dashboard.impact.mandates import of_mandate
from dashboard.mirror.scopes import visible_employees
from dashboard.pages.mandates.change_preview import ChangePreview, ask, data_of, is_sent, preview_or_submit, refuse
from dashboard.pages.mandates.forms import AddForm, MinimumForm, RemoveForm, SeatForm
from dashboard.proposals.targets import MANDATE, seen_of
from dashboard.schemas.wallet_policies import Mandate

HEADINGS = {
    operations.UPDATE_MANDATE: ("How many must approve", "Change it"),
    operations.UPDATE_MANDATE_APPROVER: ("Change an approver", "Change it"),
    operations.ADD_MANDATE_APPROVERS: ("Add approvers", "Add them"),
    operations.REMOVE_MANDATE_APPROVERS: ("Remove approvers", "Remove them"),
}


@require_http_methods(["GET", "POST"])
@needs(operations.UPDATE_MANDATE)
def minimum(request: ActorRequest, business: str, mandate_id: str) -> HttpResponse:
    """How many must approve from now on."""
    read = _mandate(request, operations.UPDATE_MANDATE, mandate_id)
    form = MinimumForm(data_of(request), mandate=read.found)
    if not is_sent(request) or not form.is_valid():
        return _ask(request, operations.UPDATE_MANDATE, read, form)
    return preview_or_submit(request, _wanted(request, operations.UPDATE_MANDATE, read, form.cleaned_data), form)


@require_http_methods(["GET", "POST"])
@needs(operations.UPDATE_MANDATE_APPROVER)
def approver(request: ActorRequest, business: str, mandate_id: str, approver_id: str) -> HttpResponse:
    """Up to how much somebody approves, whether they must, and whether they vote at all."""
    operation = operations.UPDATE_MANDATE_APPROVER
    read = _mandate(request, operation, mandate_id)
    seat = next((one for one in read.found.approvers if one.approver_id == approver_id), None)
    if seat is None:
        raise Http404("no approver of this mandate")
    form = SeatForm(data_of(request), mandate=read.found, seat=seat, locale=request.actor.business.locale)
    if not is_sent(request) or not form.is_valid():
        return _ask(request, operation, read, form)
    return preview_or_submit(request, _wanted(request, operation, read, form.body(), approver_id=approver_id), form)


@require_http_methods(["GET", "POST"])
@needs(operations.ADD_MANDATE_APPROVERS)
def add_approvers(request: ActorRequest, business: str, mandate_id: str) -> HttpResponse:
    """More people whose approval counts."""
    operation = operations.ADD_MANDATE_APPROVERS
    read = _mandate(request, operation, mandate_id)
    names = _could_join(request, read.found)
    form = AddForm(
        data_of(request),
        choices=list(names.items()),
        currency=read.found.currency,
        locale=request.actor.business.locale,
    )
    if not is_sent(request) or not form.is_valid():
        return _ask(request, operation, read, form)
    return preview_or_submit(request, _wanted(request, operation, read, form.body(), names), form)


@require_http_methods(["GET", "POST"])
@needs(operations.REMOVE_MANDATE_APPROVERS)
def remove_approvers(request: ActorRequest, business: str, mandate_id: str) -> HttpResponse:
    """People whose approval counts no more."""
    operation = operations.REMOVE_MANDATE_APPROVERS
    read = _mandate(request, operation, mandate_id)
    form = RemoveForm(data_of(request), mandate=read.found)
    if not is_sent(request) or not form.is_valid():
        return _ask(request, operation, read, form)
    return preview_or_submit(
        request, _wanted(request, operation, read, {"approver_ids": form.cleaned_data["people"]}), form
    )


def _mandate(request: ActorRequest, operation: Operation, mandate_id: str) -> Read[Mandate]:
    read = mandate_of(request.actor, mandate_id)
    refuse(request, operation, subject_of_mandate(request.actor, read.found))
    return read


def _could_join(request: ActorRequest, mandate: Mandate) -> dict[str, str]:
    """The active people of a role that approves, who are not on it."""
    there = [seat.approver_id for seat in mandate.approvers]
    rows = visible_employees(request.actor).filter(status="ACTIVE", role__in=operations.APPROVE_PAYMENT_REQUEST.roles)
    return dict(rows.exclude(remote_id__in=there).order_by("name", "pk").values_list("remote_id", "name"))


def _leave(request: ActorRequest, mandate: Mandate) -> str:
    return reverse("mandates_item", args=[request.actor.business.slug, mandate.id])


def _ask(request: ActorRequest, operation: Operation, read: Read[Mandate], form: Any) -> HttpResponse:
    title = title_of(read.found, request.actor.business.locale)
    return ask(request, form, HEADINGS[operation][0], title, _leave(request, read.found), read.trouble)


def _wanted(
    request: ActorRequest, operation: Operation, read: Read[Mandate], body: Mapping[str, Any],
    names: Mapping[str, str] | None = None, **path: str,
) -> ChangePreview:  # fmt: skip
    actor, before = request.actor, read.found
    after = as_changed(before, operation.name, path, body, names or {})
    heading, button = HEADINGS[operation]
    seats = {seat.approver_id for one in (before, after) for seat in one.approvers}
    title = title_of(before, actor.business.locale)
    return ChangePreview(
        operation=operation,
        heading=heading,
        title=title,
        button=button,
        done=f"The mandate “{title}” is changed.",
        sentences=differences(before, after, actor.business.locale),
        follows=lambda: of_mandate(actor, before, after),
        target_type=MANDATE,
        target_id=before.id,
        seen=seen_of(before),
        about=seats,
        leave=_leave(request, before),
        path={"mandate_id": before.id, **path},
        body=body,
        grave=operation is operations.REMOVE_MANDATE_APPROVERS or after.min_approvers < before.min_approvers,
        trouble=read.trouble,
    )
