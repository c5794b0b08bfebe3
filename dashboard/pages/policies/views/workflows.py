"""Approval workflows: the lists, one in words, its editor, its end, and its versions."""

from functools import partial

from django import forms
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard import operations, operations_extra
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.operation import Operation
from dashboard.errors import NotFound
from dashboard.impact.mandate_reads import Snapshot
from dashboard.lists.view import list_page, totals_part
from dashboard.pages.policies.forms.reach import offer_reach, open_requests
from dashboard.pages.policies.forms.workflow import (
    Steps,
    WorkflowForm,
    initial_steps,
    rearranged,
    workflow_initial,
    workflow_steps,
)
from dashboard.pages.policies.presenters.history import workflow_history_context
from dashboard.pages.policies.presenters.workflow_changes import (
    preview_of_workflow,
    preview_of_workflow_end,
    restoring_workflow,
    workflow_address,
)
from dashboard.pages.policies.presenters.workflows import (
    SentencesContext,
    body_of,
    sentences_context,
    sentences_of_stored,
    workflow_context,
    workflows_context,
)
from dashboard.pages.policies.selectors.history import moment_in, versions_of_workflow
from dashboard.pages.policies.selectors.workflows import (
    stored_workflow,
    subject_of_workflow,
    voted_under,
    waiting_for_votes,
    waiting_under,
    workflow_choices,
    workflow_for,
    workflows_of,
)
from dashboard.pages.policies.tables import WORKFLOWS
from dashboard.pages.policies.views.flow import proceed, proceed_at_once, proceed_with_reach
from dashboard.schemas.workflows import OF_BILLS, OF_POLICIES, Workflow
from dashboard.web.change_steps import check_or_deny, data_of, is_sent
from dashboard.web.form_outcome import not_submitted
from dashboard.web.respond import page
from dashboard.web.signin.sessions import polls
from dashboard.web.submission import posted_key

EDITOR = "policies/workflow_edit.html"
VOTES_COUNT = (
    "Approvals by people in the new steps count. A bill that has all its approvals by them is approved immediately."
)


@require_GET
@needs(operations.READ_BILL_WORKFLOW)
def workflows(request: ActorRequest, business: str) -> HttpResponse:
    """The workflows of bills and of policies, each in words."""
    return page(request, "policies/workflows.html", workflows_context(request.actor, workflows_of(request.actor)))


@require_GET
@needs(operations.READ_BILL_WORKFLOW)
def workflow(request: ActorRequest, business: str, workflow_id: str) -> HttpResponse:
    """One workflow in words, with its dead ends."""
    return page(
        request, "policies/workflow.html", workflow_context(request.actor, workflow_for(request.actor, workflow_id))
    )


@require_GET
@needs(operations.READ_BILL_WORKFLOW)
def history(request: ActorRequest, business: str, workflow_id: str) -> HttpResponse:
    """The versions of a workflow: who made what of it, and when."""
    read = workflow_for(request.actor, workflow_id)
    at = moment_in(request.GET.get("at", ""))
    context = workflow_history_context(request.actor, versions_of_workflow(request.actor, read.value), read.value, at)
    return page(request, "policies/history.html", context)


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_BILL_WORKFLOW)
def new_bill_workflow(request: ActorRequest, business: str) -> HttpResponse:
    """The form of a new approval workflow of bills; posted, its preview, its replay, or the workflow made or
    proposed."""
    return _edit(request, OF_BILLS)


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_POLICY_WORKFLOW)
def new_policy_workflow(request: ActorRequest, business: str) -> HttpResponse:
    """A new workflow of policies."""
    return _edit(request, OF_POLICIES)


@require_http_methods(["GET", "POST"])
@needs(operations.UPDATE_BILL_WORKFLOW)
def edit_bill_workflow(request: ActorRequest, business: str, workflow_id: str) -> HttpResponse:
    """Changes a workflow of bills."""
    return _edit(request, OF_BILLS, _workflow(request, operations.UPDATE_BILL_WORKFLOW, OF_BILLS, workflow_id))


@require_http_methods(["GET", "POST"])
@needs(operations_extra.UPDATE_POLICY_WORKFLOW)
def edit_policy_workflow(request: ActorRequest, business: str, workflow_id: str) -> HttpResponse:
    """Changes a workflow of policies."""
    operation = operations_extra.UPDATE_POLICY_WORKFLOW
    return _edit(request, OF_POLICIES, _workflow(request, operation, OF_POLICIES, workflow_id))


@require_http_methods(["GET", "POST"])
@needs(operations.DELETE_BILL_WORKFLOW)
def delete_bill_workflow(request: ActorRequest, business: str, workflow_id: str) -> HttpResponse:
    """Deletes a workflow of bills: looked at first."""
    return _end(request, _workflow(request, operations.DELETE_BILL_WORKFLOW, OF_BILLS, workflow_id))


@require_http_methods(["GET", "POST"])
@needs(operations_extra.DEACTIVATE_POLICY_WORKFLOW)
def deactivate_policy_workflow(request: ActorRequest, business: str, workflow_id: str) -> HttpResponse:
    """Takes a workflow of policies out of use: looked at first."""
    return _end(request, _workflow(request, operations_extra.DEACTIVATE_POLICY_WORKFLOW, OF_POLICIES, workflow_id))


@require_http_methods(["GET", "POST"])
@needs(operations.UPDATE_BILL_WORKFLOW)
def restore(request: ActorRequest, business: str, workflow_id: str, version: int) -> HttpResponse:
    """Brings a workflow back to an earlier version, as another change of it."""
    read = workflow_for(request.actor, workflow_id)
    rows = versions_of_workflow(request.actor, read.value).rows
    earlier = next((row.after for row in rows if row.number == version and row.after), None)
    if earlier is None:
        raise NotFound("This version is not in the audit.", code="not_found")
    body = restoring_workflow(Workflow.model_validate(earlier))
    kind, heading = read.value.action_type, f"Restore version {version}"
    preview = preview_of_workflow(request.actor, kind, body, key="", read=read, heading=heading)
    return proceed_at_once(request, preview)


@require_POST
@needs(operations.READ_BILL_WORKFLOW)
def sentences(request: ActorRequest, business: str, kind: str) -> HttpResponse:
    """The workflow in words as it is typed, with its dead ends: the part beside the form."""
    action_type = OF_BILLS if kind == "bills" else OF_POLICIES
    form, steps = _typed(request, action_type, None)
    before = stored_workflow(request.actor, request.POST.get("workflow", "")[:64])
    return page(request, "policies/sentences.html", sentences_context(request.actor, form, steps, action_type, before))


@require_GET
@needs(operations.READ_BILL_WORKFLOW)
def all_workflows(request: ActorRequest, business: str) -> HttpResponseBase:
    """The list of workflows: filters, saved views and exports."""
    return list_page(request, WORKFLOWS, template="policies/workflow_list.html")


@polls
@require_GET
@needs(operations.READ_BILL_WORKFLOW)
def all_workflows_totals(request: ActorRequest, business: str) -> HttpResponseBase:
    """How many workflows there are under the filters of the address."""
    return totals_part(request, WORKFLOWS)


def _workflow(request: ActorRequest, operation: Operation, action_type: int, workflow_id: str) -> Snapshot[Workflow]:
    read = workflow_for(request.actor, workflow_id)
    if read.value.action_type != action_type:
        raise NotFound(code="not_found")
    check_or_deny(request, operation, subject_of_workflow(request.actor, read.value))
    return read


def _typed(request: ActorRequest, action_type: int, read: Snapshot[Workflow] | None) -> tuple[WorkflowForm, Steps]:
    """Both forms: as they were typed, with the step that a button adds, removes or moves, or as the workflow is."""
    choices, locale = workflow_choices(request.actor, read.value if read else None), request.actor.business.locale
    data = data_of(request)
    if data is not None:
        data = rearranged(data, data.get("edit", ""))
    initial = workflow_initial(read.value) if read else None
    form = WorkflowForm(data, choices=choices, is_new=read is None, locale=locale, initial=initial)
    steps, by_reviewers = initial_steps(read.value) if read else (), action_type == OF_POLICIES
    return form, workflow_steps(data, approvers=choices.approvers, initial=steps, by_reviewers=by_reviewers)


def _edit(request: ActorRequest, action_type: int, read: Snapshot[Workflow] | None = None) -> HttpResponse:
    form, steps = _typed(request, action_type, read)
    holds_for = "Change applies to" if read else "Workflow applies to"
    if action_type == OF_POLICIES:
        offer_reach(form, holds_for, open_requests(waiting_for_votes(request.actor)))
    elif read:
        offer_reach(form, holds_for, open_requests(waiting_under(request.actor, read.value.id)), VOTES_COUNT)
    again = partial(_render, request, steps=steps, action_type=action_type, read=read)
    if not is_sent(request) or "edit" in request.POST or not (form.is_valid() & steps.is_valid()):
        return again(form)
    body = body_of(form, steps)
    preview = preview_of_workflow(request.actor, action_type, body, key=posted_key(request), read=read)
    return proceed(request, preview, form, again)


def _end(request: ActorRequest, read: Snapshot[Workflow]) -> HttpResponse:
    form = forms.Form(data_of(request))
    if read.value.action_type == OF_POLICIES:
        under = voted_under(request.actor, read.value.id)
        offer_reach(form, "Deactivation applies to", open_requests(under))
    return proceed_with_reach(request, form, partial(preview_of_workflow_end, request.actor, read))


def _render(
    request: ActorRequest, form: forms.Form, *, steps: Steps, action_type: int, read: Snapshot[Workflow] | None
) -> HttpResponse:
    """The editor; what is only being edited, by a button, is not yet called wrong."""
    is_edit = "edit" in request.POST
    wrong = is_sent(request) and not is_edit and form.is_bound and not (form.is_valid() & steps.is_valid())
    context = {
        "heading": "Edit workflow" if read else "New workflow",
        "workflow": read.value if read else None,
        "kind": "bills" if action_type == OF_BILLS else "policies",
        "form": form,
        "steps": steps,
        "trouble": read.trouble if read else "",
        "leave": workflow_address(request.actor, read.value) if read else None,
        "key": posted_key(request),
        **_words(request, form, steps, action_type, read),
    }
    return not_submitted(page(request, EDITOR, context, status=422 if wrong else 200))


def _words(
    request: ActorRequest, form: forms.Form, steps: Steps, action_type: int, read: Snapshot[Workflow] | None
) -> SentencesContext:
    before = read.value if read else None
    if before is not None and not form.is_bound:
        return sentences_of_stored(request.actor, before)
    assert isinstance(form, WorkflowForm)
    return sentences_context(request.actor, form, steps, action_type, before)
