"""Changing spend policies: made, edited, deleted, brought back to an earlier version; each looked at first."""

from functools import partial
from typing import Any

from django import forms
from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_http_methods

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.operation import Operation
from dashboard.errors import NotFound
from dashboard.impact.mandate_reads import Snapshot
from dashboard.pages.policies.forms.policy import PolicyForm, policy_initial
from dashboard.pages.policies.forms.reach import marked_in_review, offer_reach
from dashboard.pages.policies.presenters.policies import chooser_context
from dashboard.pages.policies.presenters.policy_changes import (
    policy_address,
    preview_of_new_policy,
    preview_of_policy_change,
    preview_of_policy_deletion,
    restoring_policy,
)
from dashboard.pages.policies.selectors.history import versions_of_policy
from dashboard.pages.policies.selectors.policies import (
    group_for_type,
    group_types_of,
    marked_expenses,
    policy_choices,
    replaced_policy,
    spend_policy_for,
    subject_of_policy,
    waiting_expenses,
)
from dashboard.pages.policies.views.flow import proceed, proceed_at_once, proceed_with_reach
from dashboard.policies.policy_text import POLICY_TYPES, policy_title
from dashboard.schemas.policies import SpendPolicy
from dashboard.web.change_steps import check_or_deny, data_of, is_sent
from dashboard.web.form_outcome import not_submitted
from dashboard.web.respond import page
from dashboard.web.submission import posted_key

EDIT = "policies/edit.html"


@require_GET
@needs(operations.LIST_POLICY_GROUP_TYPES)
def new_policy(request: ActorRequest, business: str) -> HttpResponse:
    """What kinds of policies there are, each in its group, to begin a new one of."""
    return page(request, "policies/types.html", chooser_context(request.actor, group_types_of(request.actor)))


@require_http_methods(["GET", "POST"])
@needs(operations.CREATE_POLICY)
def new_of_type(request: ActorRequest, business: str, type_name: str) -> HttpResponse:
    """The form of a new policy of a type; posted, its preview, its replay, or the policy made or proposed."""
    group = group_for_type(request.actor, type_name)
    form = _form(request, type_name, is_new=True)
    again = partial(_render, request, heading=f"New policy: {POLICY_TYPES[type_name].lower()}", leave=None)
    if not is_sent(request) or not form.is_valid():
        return again(form)
    key = posted_key(request)
    preview = preview_of_new_policy(request.actor, type_name, form.body(), key=key, group_id=group.id)
    return proceed(request, preview, form, again)


@require_http_methods(["GET", "POST"])
@needs(operations.SET_CATEGORY_POLICY)
def set_category(request: ActorRequest, business: str, type_name: str) -> HttpResponse:
    """The policy of a category or subcategory: where there is one of the same period and currency, it is replaced."""
    if type_name not in ("CATEGORY", "SUBCATEGORY"):
        raise NotFound(code="not_found")
    form = _form(request, type_name, is_new=True, initial={"target": request.GET.get("target", "")[:64]})
    again = partial(_render, request, heading=f"Set policy: {POLICY_TYPES[type_name].lower()}", leave=None)
    if not is_sent(request) or not form.is_valid():
        return again(form)
    body, key = form.body(), posted_key(request)
    replaced = replaced_policy(request.actor, type_name, body)
    return proceed(
        request, preview_of_new_policy(request.actor, type_name, body, key=key, replaced=replaced), form, again
    )


@require_http_methods(["GET", "POST"])
@needs(operations.UPDATE_POLICY)
def edit(request: ActorRequest, business: str, policy_id: str) -> HttpResponse:
    """Changes a policy on a channel, a vendor, or days and hours."""
    return _edit(request, operations.UPDATE_POLICY, policy_id)


@require_http_methods(["GET", "POST"])
@needs(operations.UPDATE_CATEGORY_POLICY)
def edit_category(request: ActorRequest, business: str, policy_id: str) -> HttpResponse:
    """Changes a policy on a category or a subcategory."""
    return _edit(request, operations.UPDATE_CATEGORY_POLICY, policy_id)


def _edit(request: ActorRequest, operation: Operation, policy_id: str) -> HttpResponse:
    read = _policy(request, operation, policy_id)
    form = _form(request, read.value.type, read.value)
    leave = policy_address(request.actor, read.value)
    again = partial(_render, request, heading="Edit policy", spend_policy=read.value, trouble=read.trouble, leave=leave)
    if not is_sent(request) or not form.is_valid():
        return again(form)
    return proceed(request, preview_of_policy_change(request.actor, read, form.body()), form, again)


@require_http_methods(["GET", "POST"])
@needs(operations.DELETE_POLICY)
def delete(request: ActorRequest, business: str, policy_id: str) -> HttpResponse:
    """Deletes a policy on a channel, a vendor, or days and hours: looked at first."""
    return _delete(request, operations.DELETE_POLICY, policy_id)


@require_http_methods(["GET", "POST"])
@needs(operations.DELETE_CATEGORY_POLICY)
def delete_category(request: ActorRequest, business: str, policy_id: str) -> HttpResponse:
    """Deletes a policy on a category or a subcategory: looked at first."""
    return _delete(request, operations.DELETE_CATEGORY_POLICY, policy_id)


def _delete(request: ActorRequest, operation: Operation, policy_id: str) -> HttpResponse:
    read = _policy(request, operation, policy_id)
    form = forms.Form(data_of(request))
    marked = marked_expenses(request.actor, read.value).count()
    offer_reach(form, "Deletion applies to", marked_in_review(marked))
    preview = partial(preview_of_policy_deletion, request.actor, read)
    return proceed_with_reach(request, form, preview)


@require_http_methods(["GET", "POST"])
@needs(operations.UPDATE_POLICY, operations.UPDATE_CATEGORY_POLICY)
def restore(request: ActorRequest, business: str, policy_id: str, version: int) -> HttpResponse:
    """Brings a policy back to an earlier version, as another change of it."""
    read = spend_policy_for(request.actor, policy_id)
    rows = versions_of_policy(request.actor, read.value).rows
    earlier = next((row.after for row in rows if row.number == version and row.after), None)
    if earlier is None:
        raise NotFound("This version is not in the audit.", code="not_found")
    body = restoring_policy(SpendPolicy.model_validate(earlier))
    heading = f"Restore version {version}"
    return proceed_at_once(request, preview_of_policy_change(request.actor, read, body, heading=heading))


def _policy(request: ActorRequest, operation: Operation, policy_id: str) -> Snapshot[SpendPolicy]:
    """The policy, which this operation changes; NotFound where another one does."""
    read = spend_policy_for(request.actor, policy_id)
    if is_category(read.value.type) is not (operation in CATEGORY_OPERATIONS):
        raise NotFound(code="not_found")
    check_or_deny(request, operation, subject_of_policy(request.actor, read.value))
    return read


CATEGORY_OPERATIONS = (operations.UPDATE_CATEGORY_POLICY, operations.DELETE_CATEGORY_POLICY)


def is_category(type_: str) -> bool:
    """Whether a policy of a type has the operations of category policies."""
    return type_ in ("CATEGORY", "SUBCATEGORY")


def _form(request: ActorRequest, type_: str, spend_policy: SpendPolicy | None = None, **options: Any) -> PolicyForm:
    given = options.pop("initial", None)
    initial = policy_initial(spend_policy) if spend_policy else given
    return PolicyForm(
        data_of(request), type_=type_, choices=policy_choices(request.actor, type_, spend_policy),
        waiting=waiting_expenses(request.actor).count(), locale=request.actor.business.locale, initial=initial, **options,
    )  # fmt: skip


def _render(
    request: ActorRequest, form: forms.Form, *, heading: str, leave: str | None, spend_policy: SpendPolicy | None = None,
    trouble: str = "",
) -> HttpResponse:  # fmt: skip
    wrong = is_sent(request) and form.is_bound and bool(form.errors)
    context = {
        "heading": heading, "title": policy_title(spend_policy) if spend_policy else "", "form": form, "leave": leave,
        "trouble": trouble, "key": posted_key(request),
    }  # fmt: skip
    return not_submitted(page(request, EDIT, context, status=422 if wrong else 200))
