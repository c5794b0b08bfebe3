"""The way of every change here: the form, then what it means, then made at once or proposed to a second admin."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from dashboard.access.actor import ActorRequest
from dashboard.access.check import check
from dashboard.access.operation import Operation
from dashboard.audit.record import record_denial
from dashboard.errors import FinanceError, NotAllowed, Rejected, Unknown
from dashboard.pages.mandates.forms import FIELDS
from dashboard.pages.mandates.presenters.changes import ChangePreview
from dashboard.proposals.four_eyes import others_who_could, requires_second_admin
from dashboard.proposals.services import apply_or_propose
from dashboard.web.forms import ConfirmForm
from dashboard.web.respond import page
from dashboard.web.submission import posted_key, sent_before

# What travels beside the form itself from the preview to the click.
OWN = {"csrfmiddlewaretoken", "step", "why", "effective", "seen"}
CONFIRMS, BACK = "confirm", "back"
EDIT, PREVIEW = "mandates/edit.html", "mandates/look.html"
# The form keeps its key: what was done already is not done again.
DOUBT = "It was sent, but no answer came back. Confirm it again: it is the same request, and is done once at most."
OVERTAKEN = "It changed since you opened it, so nothing was done. This is the impact of your change now."


def check_or_deny(request: ActorRequest, operation: Operation, subject: object) -> None:
    """Raises NotAllowed, and writes it to the audit, where the actor may not make such a change."""
    try:
        check(request.actor, operation, subject)
    except NotAllowed as denied:
        record_denial(request.actor, operation, subject, reason=denied.detail, rule=denied.code)
        raise


def is_sent(request: ActorRequest) -> bool:
    """Whether a form was filled in, and its person has not only come back to it."""
    return request.method == "POST" and request.POST.get("step") != BACK


def data_of(request: ActorRequest) -> Any:
    """What was typed, for a form; None where nothing was."""
    return request.POST if request.method == "POST" else None


def render_form(
    request: ActorRequest, form: forms.Form, heading: str, title: str, leave: str, trouble: str
) -> HttpResponse:
    """The page of the form, with what is wrong beside its fields."""
    context = {
        "heading": heading,
        "title": title,
        "form": form,
        "leave": leave,
        "trouble": trouble,
        "key": posted_key(request),
    }
    wrong = is_sent(request) and form.is_bound and bool(form.errors)
    if first := next((name for name in form.fields if name in form.errors), "") if wrong else "":
        form.fields[first].widget.attrs["autofocus"] = True
    return page(request, EDIT, context, status=422 if wrong else 200)


def preview_or_submit(request: ActorRequest, preview: ChangePreview, form: forms.Form) -> HttpResponse:
    """The page of what a change means; once that is confirmed, the change is made or proposed."""
    seen = request.POST.get("seen", "")
    if not preview.sentences and request.POST.get("step") == CONFIRMS and seen not in {"", preview.mark}:
        messages.info(request, "It is already in place.")
        return redirect(preview.leave)
    if not preview.sentences:
        form.add_error(None, "There are no changes.")
        return render_form(request, form, preview.heading, preview.title, preview.leave, preview.trouble)
    if request.POST.get("step") != CONFIRMS:
        return _preview(request, preview, ConfirmForm(business=request.actor.business))
    confirm = ConfirmForm(request.POST, business=request.actor.business)
    if not confirm.is_valid():
        return _preview(request, preview, confirm, 422)
    if seen not in {"", preview.mark} and not sent_before(request):
        return _preview(request, preview, confirm, 409, failed=OVERTAKEN)
    return _submit(request, preview, form, confirm)


def _submit(request: ActorRequest, preview: ChangePreview, form: forms.Form, confirm: ConfirmForm) -> HttpResponse:
    key = posted_key(request)
    why, slug = confirm.cleaned_data["why"], request.actor.business.slug
    try:
        draft = preview.draft(key, preview.follows(), why=why, effective_at=confirm.moment())
        proposal = apply_or_propose(request.actor, draft)
    except FinanceError as error:
        if isinstance(error, NotAllowed) and not error.request_id:
            raise
        return _refused(request, preview, form, confirm, error)
    if proposal is not None:
        messages.success(request, "Waiting for a second admin. Nothing has changed yet.")
        return redirect("wallet-policies_proposal", slug, proposal.pk)
    messages.success(request, preview.success)
    return redirect(preview.leave)


def _refused(
    request: ActorRequest, preview: ChangePreview, form: forms.Form, confirm: ConfirmForm, error: FinanceError
) -> HttpResponse:
    """What was refused beside its field where there is one, else above the preview; all that was typed stays."""
    on_fields = [problem for problem in error.fields if FIELDS.get(problem.field, problem.field) in form.fields]
    if isinstance(error, Rejected) and on_fields:
        for problem in on_fields:
            form.add_error(FIELDS.get(problem.field, problem.field), problem.message)
        return render_form(request, form, preview.heading, preview.title, preview.leave, preview.trouble)
    failed = DOUBT if isinstance(error, Unknown) else error.user_message
    return _preview(request, preview, confirm, error.status, failed=failed, request_id=error.request_id)


def _preview(
    request: ActorRequest, preview: ChangePreview, confirm: forms.Form, status: int = 200, **more: Any
) -> HttpResponse:
    second = requires_second_admin(request.actor.business)
    context: dict[str, Any] = {
        "preview": preview,
        "follows": preview.follows(),
        "second": second,
        "alone": second and not others_who_could(request.actor, preview.employee_id, preview.operation.name),
        "confirm": confirm,
        "carried": [(name, value) for name in request.POST if name not in OWN for value in request.POST.getlist(name)],
    }
    return page(request, PREVIEW, context | more, status=status)
