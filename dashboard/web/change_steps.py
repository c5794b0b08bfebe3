"""The way of a change of who may do what, or of a policy: the form, then what it means, then made at once or proposed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
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
from dashboard.impact.consequences import Consequence
from dashboard.proposals.four_eyes import others_who_could, requires_second_admin
from dashboard.proposals.services import Draft, apply_or_propose
from dashboard.web.form_outcome import not_submitted
from dashboard.web.forms import ConfirmForm
from dashboard.web.respond import page
from dashboard.web.submission import posted_key, sent_before

# What travels beside the form itself from the preview to the click.
OWN = {"csrfmiddlewaretoken", "step", "why", "effective", "seen"}
CONFIRMS, BACK = "confirm", "back"
EDIT = "shared/change_edit.html"
# The form keeps its key: what was done already is not done again.
DOUBT = "It was sent, but no answer came back. Confirm it again: it is the same request, and is done once at most."
OVERTAKEN = "It changed since you opened it, so nothing was done. This is the impact of your change now."


@dataclass(frozen=True, kw_only=True)
class ChangePreview:
    """A change before it is made: what would be sent, what it means, and where its person goes from there. Without a
    sentence nothing would change; `consequences` reads what follows from it when it is called."""

    operation: Operation
    heading: str
    title: str
    button: str
    success: str
    sentences: list[str]
    consequences: Callable[[], list[Consequence]]
    target_type: str
    target_id: str
    seen: Mapping[str, Any]
    about: Iterable[str]
    leave: str
    path: Mapping[str, str]
    body: Mapping[str, Any] | None
    employee_id: str = ""
    grave: bool = False
    trouble: str = ""
    # The form's fields by what the service calls them, where that differs.
    names: Mapping[str, str] = field(default_factory=dict)
    # Whether there is a form to go back to, and whether the change can be replayed first.
    has_form: bool = True
    can_replay: bool = False
    # The page of the preview, where it says more than what changes and what follows.
    template: str = "shared/change_look.html"

    @property
    def seen_text(self) -> str:
        """What was seen of the subject, as text that travels with the form."""
        return json.dumps(self.seen, sort_keys=True)

    def field_of(self, service_name: str) -> str:
        """The form's field that the service calls so: "limit" for "body.limit"."""
        last = service_name.removeprefix("body.").removeprefix("conditions.").split(".")[0]
        return self.names.get(last, last)

    def draft(
        self, key: str, consequences: Iterable[Consequence], *, why: str = "", effective_at: datetime | None = None
    ) -> Draft:
        """The change as it is made or proposed, with what follows from it; `why` and the day that it takes effect from."""
        return Draft(
            operation=self.operation,
            title=self.title,
            key=key,
            employee_id=self.employee_id,
            path=self.path,
            body=self.body,
            target_type=self.target_type,
            target_id=self.target_id,
            seen=self.seen,
            about=self.about,
            sentences=self.sentences,
            consequences=[consequence.text for consequence in consequences],
            reason=why,
            effective_at=effective_at,
        )


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
    return not_submitted(page(request, EDIT, context, status=422 if wrong else 200))


# Renders a form again that has a page of its own, with the errors that it has by now.
Again = Callable[[forms.Form], HttpResponse]


def preview_or_submit(
    request: ActorRequest, change_preview: ChangePreview, form: forms.Form, again: Again | None = None
) -> HttpResponse:
    """The page of what a change means; once that is confirmed, the change is made or proposed. `again` renders the form
    where it is not the page of `render_form`."""
    again = again or (
        lambda refused: render_form(
            request, refused, change_preview.heading, change_preview.title, change_preview.leave, change_preview.trouble
        )
    )
    seen = request.POST.get("seen", "")
    if (
        not change_preview.sentences
        and request.POST.get("step") == CONFIRMS
        and seen not in {"", change_preview.seen_text}
    ):
        messages.info(request, "It is already in place.")
        return redirect(change_preview.leave)
    if not change_preview.sentences:
        form.add_error(None, "There are no changes.")
        return again(form)
    if request.POST.get("step") != CONFIRMS:
        return _preview(request, change_preview, ConfirmForm(business=request.actor.business))
    confirm = ConfirmForm(request.POST, business=request.actor.business)
    if not confirm.is_valid():
        return _preview(request, change_preview, confirm, 422)
    if seen not in {"", change_preview.seen_text} and not sent_before(request):
        return _preview(request, change_preview, confirm, 409, failed=OVERTAKEN)
    return _submit(request, change_preview, form, confirm, again)


def _submit(
    request: ActorRequest, change_preview: ChangePreview, form: forms.Form, confirm: ConfirmForm, again: Again
) -> HttpResponse:
    key = posted_key(request)
    why, slug = confirm.cleaned_data["why"], request.actor.business.slug
    try:
        draft = change_preview.draft(key, change_preview.consequences(), why=why, effective_at=confirm.moment())
        proposal = apply_or_propose(request.actor, draft)
    except FinanceError as error:
        if isinstance(error, NotAllowed) and not error.request_id:
            raise
        return _refused(request, change_preview, form, confirm, error, again)
    if proposal is not None:
        messages.success(request, "Waiting for a second admin. Nothing has changed yet.")
        return redirect("wallet-policies_proposal", slug, proposal.pk)
    messages.success(request, change_preview.success)
    return redirect(change_preview.leave)


def _refused(
    request: ActorRequest, change_preview: ChangePreview, form: forms.Form, confirm: ConfirmForm, error: FinanceError,
    again: Again,
) -> HttpResponse:  # fmt: skip
    """What was refused beside its field where there is one, else above the preview; all that was typed stays."""
    on_fields = [problem for problem in error.fields if change_preview.field_of(problem.field) in form.fields]
    if isinstance(error, Rejected) and on_fields:
        for problem in on_fields:
            form.add_error(change_preview.field_of(problem.field), problem.message)
        return again(form)
    failed = DOUBT if isinstance(error, Unknown) else error.user_message
    return _preview(request, change_preview, confirm, error.status, failed=failed, request_id=error.request_id)


def _preview(
    request: ActorRequest, change_preview: ChangePreview, confirm_form: forms.Form, status: int = 200, **more: Any
) -> HttpResponse:
    second = requires_second_admin(request.actor.business)
    context: dict[str, Any] = {
        "preview": change_preview,
        "consequences": change_preview.consequences(),
        "second": second,
        "alone": second
        and not others_who_could(request.actor, change_preview.employee_id, change_preview.operation.name),
        "confirm": confirm_form,
        "carried": _carried(request),
    }
    return not_submitted(page(request, change_preview.template, context | more, status=status))


def _carried(request: ActorRequest) -> list[tuple[str, str]]:
    """What was typed, and the key of the form: a change without fields of its own is given one here."""
    fields = [(name, value) for name in request.POST if name not in OWN for value in request.POST.getlist(name)]
    return fields if "key" in request.POST else [("key", posted_key(request)), *fields]
