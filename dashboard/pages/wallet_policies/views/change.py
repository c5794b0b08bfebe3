"""Changing who may use a wallet: what it says and what follows is looked at first, then it is made or proposed."""

from contextlib import suppress
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can
from dashboard.access.decorators import needs
from dashboard.audit.record import check_or_record_denial
from dashboard.client.reads import read_live
from dashboard.commands.access_changes import copy_policy
from dashboard.errors import FinanceError, NotAllowed, Rejected
from dashboard.impact.wallet_rights import Rules, role_of, state_of
from dashboard.mirror.models import Employee, Wallet, WalletPolicy
from dashboard.mirror.scopes import visible_employees, visible_policies, visible_wallets
from dashboard.mirror.wallet_rights import apply_permissions
from dashboard.pages.wallet_policies.change_preview import (
    STATE_CHANGES,
    ChangePreview,
    name_of,
    to_grant,
    to_modify,
    to_move,
)
from dashboard.pages.wallet_policies.forms import FIELDS, TermsForm
from dashboard.pages.wallet_policies.table import ordered_wallets
from dashboard.pages.wallet_policies.views.audit import changes_since
from dashboard.pages.wallet_policies.views.matrix import holder, policy_between, template
from dashboard.proposals.four_eyes import asks_for_second
from dashboard.proposals.services import apply_or_propose
from dashboard.web.forms import ConfirmForm
from dashboard.web.respond import page
from dashboard.web.submission import form_key, new_key, sent_before

READ_S = 1.5
FOUND = 20
# So many of the changes that came between are told.
MOST_CHANGES = 5
# What travels beside the terms from the look to the click.
OWN = {"csrfmiddlewaretoken", "step", "why", "effective", "seen"}
CONFIRMS, BACK = "confirm", "back"


def _choices(request: ActorRequest) -> list[tuple[str, str]]:
    """The permissions as the service has them now; as they were last read where it does not answer."""
    where = request.actor.business
    # Without an answer the copy is as good: a permission that is no more is refused when it is sent.
    with suppress(FinanceError):
        apply_permissions(where, read_live(request.actor, operations.LIST_WALLET_PERMISSIONS, deadline=READ_S).data)
    return list(Rules.of(where).titles.items())


@require_http_methods(["GET", "POST"])
@needs(operations.GRANT_WALLET_ACCESS)
def grant(request: ActorRequest, business: str) -> HttpResponse:
    """Gives a person a policy on a wallet; asks for whom and which where the address does not say."""
    asked = {name: request.GET.get(name, "") for name in ("person", "wallet", "q")}
    if not (asked["person"] and asked["wallet"]):
        return _whom(request, asked)
    who = holder(request, asked["person"])
    where: Wallet = get_object_or_404(visible_wallets(request.actor), remote_id=asked["wallet"])
    check_or_record_denial(request.actor, operations.GRANT_WALLET_ACCESS, who)
    if (there := policy_between(request, who.remote_id, where.remote_id)) is not None:
        messages.info(request, f"{who.name} has a policy on {name_of(where)} already: change that one.")
        return redirect("wallet-policies_edit", business, there.remote_id)
    form = _form(request, where)
    if not _is_sent(request) or not form.is_valid():
        return _edit(request, who, where, form)
    return _preview_or_submit(request, to_grant(request.actor, who, where, form), form)


def _whom(request: ActorRequest, asked: dict[str, str]) -> HttpResponse:
    people = visible_employees(request.actor).filter(status="ACTIVE").order_by("name", "pk")
    for word in asked["q"][:100].split():
        people = people.filter(name__icontains=word)
    chosen = people.filter(remote_id=asked["person"]).first() if asked["person"] else None
    context = {
        "asked": asked,
        "chosen": chosen,
        "people": [
            (one, role_of(one), can(request.actor, operations.GRANT_WALLET_ACCESS, one))
            for one in people.defer("payload")[:FOUND]
        ],
        "wallets": [(one, name_of(one)) for one in ordered_wallets(request.actor)],
    }
    return page(request, template("whom.html"), context)


@require_http_methods(["GET", "POST"])
@needs(operations.MODIFY_WALLET_POLICY)
def edit(request: ActorRequest, business: str, policy_id: str) -> HttpResponse:
    """Other terms for a policy, shown as sentences before they are made."""
    policy, who, where = _policy(request, policy_id)
    check_or_record_denial(request.actor, operations.MODIFY_WALLET_POLICY, policy)
    form = _form(request, where, policy)
    if not _is_sent(request) or not form.is_valid():
        return _edit(request, who, where, form, policy)
    preview = to_modify(request.actor, who, where, policy, form)
    if not preview.sentences:
        form.add_error(None, "Nothing is other than it is now.")
        return _edit(request, who, where, form, policy)
    return _preview_or_submit(request, preview, form)


@require_http_methods(["GET", "POST"])
@needs(operations.SUSPEND_WALLET_POLICY)
def suspend(request: ActorRequest, business: str, policy_id: str) -> HttpResponse:
    """Denies what a policy gives until it is reactivated."""
    return _move(request, "suspend", policy_id)


@require_http_methods(["GET", "POST"])
@needs(operations.REACTIVATE_WALLET_POLICY)
def reactivate(request: ActorRequest, business: str, policy_id: str) -> HttpResponse:
    """Gives again what a suspended policy gave."""
    return _move(request, "reactivate", policy_id)


@require_http_methods(["GET", "POST"])
@needs(operations.REVOKE_WALLET_POLICY)
def revoke(request: ActorRequest, business: str, policy_id: str) -> HttpResponse:
    """Takes a policy away for good."""
    return _move(request, "revoke", policy_id)


def _move(request: ActorRequest, verb: str, policy_id: str) -> HttpResponse:
    policy, who, where = _policy(request, policy_id)
    preview = to_move(verb, who, where, policy)
    check_or_record_denial(request.actor, preview.operation, policy)
    if policy.state() not in STATE_CHANGES[verb].starts:
        messages.info(request, f"The policy is {state_of(policy)[0].lower()}: there is nothing to {verb}.")
        return redirect("wallet-policies_item", request.actor.business.slug, policy_id)
    return _preview_or_submit(request, preview)


def _policy(request: ActorRequest, policy_id: str) -> tuple[WalletPolicy, Employee, Wallet]:
    rows = visible_policies(request.actor)
    found: WalletPolicy = get_object_or_404(rows, remote_id=policy_id)
    where: Wallet = get_object_or_404(visible_wallets(request.actor), remote_id=found.wallet_id)
    return found, holder(request, found.employee_id), where


def _is_sent(request: ActorRequest) -> bool:
    return request.method == "POST" and request.POST.get("step") != BACK


def _form(request: ActorRequest, where: Wallet, policy: WalletPolicy | None = None) -> TermsForm:
    # The quick form beside the trace sets the last day alone: the rest stays as it is.
    initial = {"until": request.GET.get("until")} if request.GET.get("until") else None
    return TermsForm(
        request.POST if request.method == "POST" else None,
        choices=_choices(request), currency=where.currency, business=request.actor.business, policy=policy,
        initial=initial,
    )  # fmt: skip


def _edit(
    request: ActorRequest, who: Employee, where: Wallet, form: TermsForm, policy: WalletPolicy | None = None
) -> HttpResponse:
    context = {
        "person": who,
        "wallet": where,
        "name": name_of(where),
        "form": form,
        "policy": policy,
        "action": request.get_full_path(),
        "key": form_key(request),
    }
    wrong = form.is_bound and bool(form.errors)
    return page(request, template("edit.html"), context, status=422 if wrong else 200)


def _preview_or_submit(request: ActorRequest, preview: ChangePreview, form: TermsForm | None = None) -> HttpResponse:
    confirm = ConfirmForm(request.POST or None, business=request.actor.business)
    if request.method == "GET" or request.POST.get("step") != CONFIRMS:
        return _preview(request, preview, ConfirmForm(business=request.actor.business))
    if not confirm.is_valid():
        return _preview(request, preview, confirm, 422)
    try:
        if changed := _changed(request, preview):
            return _preview(request, preview, confirm, 409, failed=changed)
        key = form_key(request)
        follows, why = preview.consequences(request.actor), confirm.cleaned_data["why"]
        proposal = apply_or_propose(request.actor, preview.draft(key, follows, why=why, effective_at=confirm.moment()))
    except NotAllowed:
        raise
    except FinanceError as error:
        return _refused(request, preview, confirm, form, error)
    where, who = preview.wallet, preview.person
    if proposal is not None:
        messages.success(request, "It waits for a second admin. Nothing has changed yet.")
        return redirect("wallet-policies_proposal", request.actor.business.slug, proposal.pk)
    messages.success(request, f"{who.name}'s access to {name_of(where)} {preview.done}.")
    return redirect("wallet-policies_trace", request.actor.business.slug, who.remote_id, where.remote_id)


def _changed(request: ActorRequest, preview: ChangePreview) -> str:
    """What has become of the policy since its change was looked at; the fresh one is in the copy then."""
    if preview.before is None or request.POST.get("seen", "") in {"", "None"} or sent_before(request):
        return ""
    path, before = {"policyId": preview.before.remote_id}, preview.before
    found = read_live(request.actor, operations.READ_WALLET_POLICY, path=path, subject=before, deadline=4.0).data
    if str(found.get("version")) == request.POST["seen"]:
        return ""
    copy_policy(request.actor, found)
    seen = request.POST["seen"]
    many = int(found["version"]) - int(seen) if seen.isdecimal() and len(seen) < 9 else 1
    told = changes_since(request.actor, before, max(1, min(many, MOST_CHANGES)))
    return f"The policy changed since you looked, so nothing was done. {told} Go back, look at it, and decide anew."


def _refused(
    request: ActorRequest, preview: ChangePreview, confirm: ConfirmForm, form: TermsForm | None, error: FinanceError
) -> HttpResponse:
    """What was refused beside its field where there is one, else over the look; all that was typed stays."""
    known = [one for one in error.fields if form is not None and FIELDS.get(one.field, one.field) in form.fields]
    if form is not None and isinstance(error, Rejected) and known:
        for problem in known:
            form.add_error(FIELDS.get(problem.field, problem.field), problem.message)
        return _edit(request, preview.person, preview.wallet, form, preview.before)
    return _preview(request, preview, confirm, error.status, failed=error.user_message, request_id=error.request_id)


def _preview(
    request: ActorRequest, preview: ChangePreview, confirm: forms.Form, status: int = 200, **more: Any
) -> HttpResponse:
    second = asks_for_second(request.actor.business)
    kept = [(name, value) for name in request.POST if name not in OWN for value in request.POST.getlist(name)]
    context: dict[str, Any] = {
        "preview": preview,
        "name": name_of(preview.wallet),
        "follows": preview.consequences(request.actor),
        "second": second,
        "confirm": confirm,
        "kept": kept if request.POST else [("key", new_key())],
        "back": bool(request.POST) and preview.operation in {
            operations.GRANT_WALLET_ACCESS, operations.MODIFY_WALLET_POLICY
        },
        "seen": request.POST.get("seen") or preview.version,
    }  # fmt: skip
    return page(request, template("look.html"), context | more, status=status)
