"""Who may use which wallet: the matrix, the same from one person and from one wallet, and the trace between the two."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_POST

from dashboard import operations, operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.check import can, can_open
from dashboard.access.decorators import needs
from dashboard.access.roles import Role
from dashboard.client.reads import read_live
from dashboard.commands import access_changes
from dashboard.errors import FinanceError, NotAllowed
from dashboard.impact.policy_terms import LIMITS, Terms
from dashboard.impact.wallet_rights import ABILITIES, Rules, ends_soon, last_day, open_policies, role_of, state_of
from dashboard.mirror.models import Employee, Wallet, WalletPolicy
from dashboard.mirror.scopes import visible_holders, visible_policies, visible_wallets
from dashboard.mirror.wallet_rights import apply_permissions
from dashboard.pages.wallet_policies.change_preview import name_of, words_for
from dashboard.pages.wallet_policies.people import holdings_of, reverse_of
from dashboard.pages.wallet_policies.table import HAS, Asked, matrix_of
from dashboard.pages.wallet_policies.trace import trace_of
from dashboard.proposals.models import OPEN
from dashboard.proposals.selectors import visible_proposals, waiting_for
from dashboard.times import as_of
from dashboard.web.freshness import freshness_of
from dashboard.web.respond import page
from dashboard.web.submission import key_of, new_key

MATRIX, PERSON, WALLET = "matrix.html", "person.html", "wallet.html"


def template(name: str) -> str:
    """A template of this area."""
    return f"wallet_policies/{name}"


@require_GET
@needs(operations_pages.WALLET_ACCESS)
def matrix(request: ActorRequest, business: str) -> HttpResponseBase:
    """People by wallets, for who reads everybody's; the others come to their own page."""
    actor = request.actor
    if not can_open(actor, operations.LIST_WALLET_POLICIES):
        return redirect("wallet-policies_own", business)
    asked = Asked.read(request.GET)
    context = {
        "asked": asked,
        "matrix": matrix_of(actor, asked),
        "legend": ABILITIES,
        "roles": Role.choices,
        "has": HAS,
        "may_grant": bool(can_open(actor, operations.GRANT_WALLET_ACCESS)),
        "waiting": waiting_for(actor),
        "fresh": freshness_of(actor.business),
        "query": asked.query(),
    }
    status = 400 if asked.problems else 200
    answer = page(request, template(MATRIX), context, fragments=("rows", "told"), status=status)
    # What was searched for as it was typed is still there after a reload.
    answer["HX-Replace-Url"] = f"{request.path}?{asked.query()}" if asked.query() else request.path
    return answer


@require_GET
@needs(operations_pages.WALLET_ACCESS)
def own(request: ActorRequest, business: str) -> HttpResponseBase:
    """What oneself may use."""
    if not request.actor.employee_id:
        raise NotAllowed("You are not linked to an employee, so no wallet policy can name you.", code="no_employee")
    return redirect("wallet-policies_person", business, request.actor.employee_id)


def holder(request: ActorRequest, employee_id: str) -> Employee:
    """A person whose policies the actor may look at; else 404."""
    found: Employee = get_object_or_404(visible_holders(request.actor), remote_id=employee_id)
    return found


def policy_between(request: ActorRequest, employee_id: str, wallet_id: str) -> WalletPolicy | None:
    """The person's policy on the wallet that can still be changed."""
    return open_policies(request.actor).filter(employee_id=employee_id, wallet_id=wallet_id).first()


def wallet_for(request: ActorRequest, wallet_id: str, person: Employee) -> Wallet:
    """A wallet that the actor sees, or on which a policy of this person stands; else 404."""
    found = visible_wallets(request.actor).filter(remote_id=wallet_id).first()
    if found is not None:
        return found
    policy = get_object_or_404(visible_policies(request.actor), employee_id=person.remote_id, wallet_id=wallet_id)
    return named_by(policy)


def named_by(policy: WalletPolicy) -> Wallet:
    """A wallet as its policy tells of it, to somebody who may use it and not look at it."""
    ref = str(policy.payload.get("org_wallet_ref") or "")
    return Wallet(
        business_id=policy.business_id, remote_id=policy.wallet_id, org_wallet_ref=ref, currency=policy.currency,
        status="ACTIVE",
    )  # fmt: skip


@require_GET
@needs(operations.LIST_EMPLOYEE_WALLET_POLICIES)
def person(request: ActorRequest, business: str, employee_id: str) -> HttpResponse:
    """What one person may do with which wallet."""
    found, actor = holder(request, employee_id), request.actor
    context = {
        "person": found,
        "role": role_of(found),
        "own": found.remote_id == actor.employee_id,
        "holdings": holdings_of(actor, found),
        "may_grant": bool(can(actor, operations.GRANT_WALLET_ACCESS, found)),
        "fresh": freshness_of(actor.business),
        "seen": as_of(found.last_seen, actor.business),
    }
    return page(request, template(PERSON), context)


@require_GET
@needs(operations.LIST_WALLET_POLICIES)
def wallet(request: ActorRequest, business: str, wallet_id: str) -> HttpResponse:
    """Everyone who may do something with this wallet, and why."""
    actor = request.actor
    found: Wallet = get_object_or_404(visible_wallets(actor), remote_id=wallet_id)
    listed = reverse_of(actor, found, request.GET)
    context = {
        "wallet": found,
        "name": name_of(found),
        "listed": listed,
        "may_suspend": any(row.suspend for row in listed.rows),
        "key": new_key(),
        "fresh": freshness_of(actor.business),
    }
    return page(request, template(WALLET), context, status=400 if listed.problem else 200)


@require_GET
@needs(operations.READ_EFFECTIVE_WALLET_PERMISSIONS)
def trace(request: ActorRequest, business: str, employee_id: str, wallet_id: str) -> HttpResponse:
    """Why a person may do something with a wallet, or may not."""
    found = holder(request, employee_id)
    return show_access(request, found, wallet_for(request, wallet_id, found))


@require_GET
@needs(operations.READ_EFFECTIVE_WALLET_PERMISSIONS)
def policy(request: ActorRequest, business: str, policy_id: str) -> HttpResponse:
    """One policy, which may be over: what its trace shows, and so for its holder, too."""
    found: WalletPolicy = get_object_or_404(visible_policies(request.actor), remote_id=policy_id)
    who = holder(request, found.employee_id)
    return show_access(request, who, wallet_for(request, found.wallet_id, who), found)


def show_access(
    request: ActorRequest, who: Employee, where: Wallet, found: WalletPolicy | None = None, status: int = 200
) -> HttpResponse:
    """The trace with the policy beside it, and what may be done with that."""
    actor = request.actor
    found = found or policy_between(request, who.remote_id, where.remote_id)
    same = {"wallet_id": where.remote_id, "employee_id": who.remote_id, "state__in": OPEN}
    context: dict[str, Any] = {
        "person": who,
        "wallet": where,
        "name": name_of(where),
        "trace": trace_of(actor, who, where, found),
        "policy": found,
        "grant": can(actor, operations.GRANT_WALLET_ACCESS, who) if found is None else None,
        "pair": urlencode({"person": who.remote_id, "wallet": where.remote_id}),
        "proposal": visible_proposals(actor).filter(**same).first(),
        "whole": bool(can_open(actor, operations.LIST_WALLET_POLICIES)),
    }
    if found is not None:
        context |= _facts(request, who, where, found)
    return page(request, template("trace.html"), context, status=status)


def _facts(request: ActorRequest, who: Employee, where: Wallet, found: WalletPolicy) -> dict[str, Any]:
    actor, words = request.actor, words_for(request.actor, who, where)
    rules, terms = words.rules, Terms.of(found)
    state = found.state()
    open_now = state in {"ACTIVE", "SUSPENDED", "COMING"}
    return {
        "state": state_of(found),
        "soon": ends_soon(found),
        "permissions": [rules.titles.get(name, name) for name in rules.in_order(terms.permissions)],
        "limits": [(spell, words.money(m)) for name, spell in LIMITS.items() if (m := terms.limit(name)) is not None],
        "last_day": last_day(found, actor.business),
        "modify": can(actor, operations.MODIFY_WALLET_POLICY, found) if open_now else None,
        "suspend": can(actor, operations.SUSPEND_WALLET_POLICY, found) if state in {"ACTIVE", "COMING"} else None,
        "reactivate": can(actor, operations.REACTIVATE_WALLET_POLICY, found) if state == "SUSPENDED" else None,
        "revoke": can(actor, operations.REVOKE_WALLET_POLICY, found) if open_now else None,
        "seen": as_of(found.last_seen, actor.business),
    }


@require_GET
@needs(operations.LIST_WALLET_PERMISSIONS)
def permissions(request: ActorRequest, business: str) -> HttpResponse:
    """The permissions there are, live, and which roles give them by themselves."""
    where, trouble = request.actor.business, ""
    try:
        apply_permissions(where, read_live(request.actor, operations.LIST_WALLET_PERMISSIONS, deadline=1.5).data)
    except FinanceError as error:
        trouble = error.user_message
    rules = Rules.of(where)
    rows = [
        (name, title, name in rules.moving, [role.label for role in Role if name in rules.by_role.get(role, ())])
        for name, title in rules.titles.items()
    ]
    may_sync = bool(can_open(request.actor, operations.SYNC_WALLET_PERMISSIONS))
    context = {"rows": rows, "trouble": trouble, "may_sync": may_sync, "key": new_key(), "fresh": freshness_of(where)}
    return page(request, template("permissions.html"), context)


@require_POST
@needs(operations.SYNC_WALLET_PERMISSIONS)
def sync_permissions(request: ActorRequest, business: str) -> HttpResponse:
    """Has the service renew its list, and reads it again."""
    synced = access_changes.sync_permissions(request.actor, key=key_of(request))
    messages.success(request, f"{synced.created} were added, {synced.updated} changed.")
    return redirect("wallet-policies_permissions", business)
