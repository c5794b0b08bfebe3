"""Changing who may use a wallet: what it says and what follows is shown first, then it is made or proposed."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.errors import FinanceError, NotAllowed, Rejected
from dashboard.impact.wallet_rights import state_of
from dashboard.mirror.models import Employee, Wallet, WalletPolicy
from dashboard.pages.wallet_policies import services
from dashboard.pages.wallet_policies.forms import TERM_FIELDS, PolicyTermsForm
from dashboard.pages.wallet_policies.presenters.access import grant_choice_context
from dashboard.pages.wallet_policies.presenters.changes import (
    STATE_CHANGES,
    PolicyChangePreview,
    name_of,
    preview_of_grant,
    preview_of_state,
    preview_of_terms,
)
from dashboard.pages.wallet_policies.selectors.access import (
    holder_for,
    permission_choices,
    policy_between,
    policy_for,
    wallet_for,
)
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.models import Proposal
from dashboard.proposals.services import apply_or_propose
from dashboard.web.form_outcome import not_submitted
from dashboard.web.forms import ConfirmForm
from dashboard.web.respond import page
from dashboard.web.submission import new_key, posted_key

# What travels beside the terms from the preview to the click.
OWN = {"csrfmiddlewaretoken", "step", "why", "effective", "seen"}
CONFIRMS, BACK = "confirm", "back"
CHOICE, EDIT = "wallet_policies/whom.html", "wallet_policies/edit.html"
PREVIEW = "wallet_policies/look.html"


@require_http_methods(["GET", "POST"])
@needs(operations.GRANT_WALLET_ACCESS)
def grant(request: ActorRequest, business: str) -> HttpResponse:
    """Grants a person a policy on a wallet; where the query names none, the page to choose them comes first."""
    query = {name: request.GET.get(name, "") for name in ("person", "wallet", "q")}
    if not (query["person"] and query["wallet"]):
        return page(request, CHOICE, grant_choice_context(request.actor, query))
    person, wallet = holder_for(request.actor, query["person"]), wallet_for(request.actor, query["wallet"])
    check_or_record_denial(request.actor, operations.GRANT_WALLET_ACCESS, person)
    if (existing := policy_between(request.actor, person.remote_id, wallet.remote_id)) is not None:
        messages.info(request, f"{person.name} already has a policy on {name_of(wallet)}: edit that one.")
        return redirect("wallet-policies_edit", business, existing.remote_id)
    form = _form(request, wallet)
    if not _is_sent(request) or not form.is_valid():
        return _edit(request, person, wallet, form)
    return _preview_or_submit(request, preview_of_grant(request.actor, person, wallet, form), form)


@require_http_methods(["GET", "POST"])
@needs(operations.MODIFY_WALLET_POLICY)
def edit(request: ActorRequest, business: str, policy_id: str) -> HttpResponse:
    """Changes the terms of a policy, shown as sentences first."""
    policy, person, wallet = _subject(request, policy_id)
    check_or_record_denial(request.actor, operations.MODIFY_WALLET_POLICY, policy)
    form = _form(request, wallet, policy)
    if not _is_sent(request) or not form.is_valid():
        return _edit(request, person, wallet, form, policy)
    preview = preview_of_terms(request.actor, person, wallet, policy, form)
    if not preview.sentences:
        form.add_error(None, "There are no changes.")
        return _edit(request, person, wallet, form, policy)
    return _preview_or_submit(request, preview, form)


@require_http_methods(["GET", "POST"])
@needs(operations.SUSPEND_WALLET_POLICY)
def suspend(request: ActorRequest, business: str, policy_id: str) -> HttpResponse:
    """Suspends a policy: what it names is denied until it is reactivated."""
    return _change_state(request, "suspend", policy_id)


@require_http_methods(["GET", "POST"])
@needs(operations.REACTIVATE_WALLET_POLICY)
def reactivate(request: ActorRequest, business: str, policy_id: str) -> HttpResponse:
    """Reactivates a suspended policy, on the terms that it had."""
    return _change_state(request, "reactivate", policy_id)


@require_http_methods(["GET", "POST"])
@needs(operations.REVOKE_WALLET_POLICY)
def revoke(request: ActorRequest, business: str, policy_id: str) -> HttpResponse:
    """Revokes a policy for good."""
    return _change_state(request, "revoke", policy_id)


def _change_state(request: ActorRequest, state_change: str, policy_id: str) -> HttpResponse:
    policy, person, wallet = _subject(request, policy_id)
    preview = preview_of_state(state_change, person, wallet, policy)
    check_or_record_denial(request.actor, preview.operation, policy)
    if policy.state() not in STATE_CHANGES[state_change].starts:
        messages.info(request, f"The policy is {state_of(policy)[0].lower()}: there is nothing to {state_change}.")
        return redirect("wallet-policies_item", request.actor.business.slug, policy_id)
    return _preview_or_submit(request, preview)


def _subject(request: ActorRequest, policy_id: str) -> tuple[WalletPolicy, Employee, Wallet]:
    policy = policy_for(request.actor, policy_id)
    wallet = wallet_for(request.actor, policy.wallet_id)
    return policy, holder_for(request.actor, policy.employee_id), wallet


def _is_sent(request: ActorRequest) -> bool:
    return request.method == "POST" and request.POST.get("step") != BACK


def _form(request: ActorRequest, wallet: Wallet, policy: WalletPolicy | None = None) -> PolicyTermsForm:
    # The quick form beside the trace sets the last day alone: the rest stays as it is.
    initial = {"until": request.GET.get("until")} if request.GET.get("until") else None
    return PolicyTermsForm(
        request.POST if request.method == "POST" else None,
        choices=permission_choices(request.actor), currency=wallet.currency, business=request.actor.business, policy=policy,
        initial=initial,
    )  # fmt: skip


def _edit(
    request: ActorRequest, person: Employee, wallet: Wallet, form: PolicyTermsForm, policy: WalletPolicy | None = None
) -> HttpResponse:
    context = {
        "person": person,
        "wallet": wallet,
        "name": name_of(wallet),
        "form": form,
        "policy": policy,
        "action": request.get_full_path(),
        "key": posted_key(request),
    }
    wrong = form.is_bound and bool(form.errors)
    return not_submitted(page(request, EDIT, context, status=422 if wrong else 200))


def _preview_or_submit(
    request: ActorRequest, policy_preview: PolicyChangePreview, form: PolicyTermsForm | None = None
) -> HttpResponse:
    confirm = ConfirmForm(request.POST or None, business=request.actor.business)
    if request.method == "GET" or request.POST.get("step") != CONFIRMS:
        return _preview(request, policy_preview, ConfirmForm(business=request.actor.business))
    if not confirm.is_valid():
        return _preview(request, policy_preview, confirm, 422)
    try:
        if changed := services.changed_meanwhile(request, policy_preview.before):
            return _preview(request, policy_preview, confirm, 409, failed=changed)
        proposal = _apply_or_propose(request, policy_preview, confirm)
    except NotAllowed:
        raise
    except FinanceError as error:
        return _refused(request, policy_preview, confirm, form, error)
    return _submitted(request, policy_preview, proposal)


def _apply_or_propose(
    request: ActorRequest, policy_preview: PolicyChangePreview, confirm: ConfirmForm
) -> Proposal | None:
    consequences, why = policy_preview.consequences(request.actor), confirm.cleaned_data["why"]
    draft = policy_preview.draft(posted_key(request), consequences, why=why, effective_at=confirm.moment())
    return apply_or_propose(request.actor, draft)


def _submitted(request: ActorRequest, policy_preview: PolicyChangePreview, proposal: Proposal | None) -> HttpResponse:
    if proposal is not None:
        messages.success(request, "Waiting for a second admin. Nothing has changed yet.")
        return redirect("wallet-policies_proposal", request.actor.business.slug, proposal.pk)
    messages.success(
        request, f"{policy_preview.person.name}'s access to {name_of(policy_preview.wallet)} {policy_preview.outcome}."
    )
    return redirect(
        "wallet-policies_trace",
        request.actor.business.slug,
        policy_preview.person.remote_id,
        policy_preview.wallet.remote_id,
    )


def _refused(
    request: ActorRequest,
    policy_preview: PolicyChangePreview,
    confirm: ConfirmForm,
    form: PolicyTermsForm | None,
    error: FinanceError,
) -> HttpResponse:
    """What was refused beside its field where there is one, else above the preview; all that was typed stays."""
    on_fields = [
        problem
        for problem in error.fields
        if form is not None and TERM_FIELDS.get(problem.field, problem.field) in form.fields
    ]
    if form is not None and isinstance(error, Rejected) and on_fields:
        for problem in on_fields:
            form.add_error(TERM_FIELDS.get(problem.field, problem.field), problem.message)
        return _edit(request, policy_preview.person, policy_preview.wallet, form, policy_preview.before)
    return _preview(
        request, policy_preview, confirm, error.status, failed=error.user_message, request_id=error.request_id
    )


def _preview(
    request: ActorRequest, policy_preview: PolicyChangePreview, confirm_form: forms.Form, status: int = 200, **more: Any
) -> HttpResponse:
    second = requires_second_admin(request.actor.business)
    carried = [(name, value) for name in request.POST if name not in OWN for value in request.POST.getlist(name)]
    context: dict[str, Any] = {
        "preview": policy_preview,
        "name": name_of(policy_preview.wallet),
        "consequences": policy_preview.consequences(request.actor),
        "second": second,
        "confirm": confirm_form,
        "carried": carried if request.POST else [("key", new_key())],
        "back": bool(request.POST) and policy_preview.operation in {
            operations.GRANT_WALLET_ACCESS, operations.MODIFY_WALLET_POLICY
        },
        "seen": request.POST.get("seen") or policy_preview.version,
    }  # fmt: skip
    return not_submitted(page(request, PREVIEW, context | more, status=status))
