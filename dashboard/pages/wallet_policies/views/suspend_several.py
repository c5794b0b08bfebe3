"""Suspending several policies of a wallet at once: what follows from all together first, then a result for each."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.check import Verdict, can
from dashboard.access.decorators import needs
from dashboard.errors import FinanceError
from dashboard.impact.consequences import Change, Consequence, consequences_of
from dashboard.impact.wallet_rights import open_policies
from dashboard.mirror.models import Employee, Wallet, WalletPolicy
from dashboard.mirror.scopes import visible_holders, visible_wallets
from dashboard.pages.wallet_policies.change_preview import ChangePreview, name_of, to_move
from dashboard.pages.wallet_policies.views.matrix import template
from dashboard.proposals.four_eyes import asks_for_second
from dashboard.proposals.services import apply_or_propose
from dashboard.web.respond import page
from dashboard.web.submission import form_key

MOST = 50


@dataclass(frozen=True)
class Chosen:
    """A policy that was chosen, whose it is, and whether the actor may suspend it."""

    policy: WalletPolicy
    person: Employee
    wallet: Wallet
    verdict: Verdict

    @property
    def preview(self) -> ChangePreview:
        """The suspension."""
        return to_move("suspend", self.person, self.wallet, self.policy)


@dataclass(frozen=True)
class Result:
    """What became of one."""

    person: Employee
    policy_id: str
    done: bool
    sentence: str


@require_POST
@needs(operations.SUSPEND_WALLET_POLICY)
def suspend_several(request: ActorRequest, business: str, wallet_id: str) -> HttpResponse:
    """Looks at what would follow, and once that is confirmed suspends each, or proposes it."""
    where: Wallet = get_object_or_404(visible_wallets(request.actor), remote_id=wallet_id)
    chosen = _chosen(request, where)
    if not chosen:
        messages.info(request, "Choose at least one policy that is active.")
        return redirect("wallet-policies_wallet", business, wallet_id)
    may = [one for one in chosen if one.verdict]
    follows = consequences_of(request.actor, where, [_change(one.preview) for one in may]) if may else []
    context: dict[str, Any] = {
        "wallet": where,
        "name": name_of(where),
        "chosen": chosen,
        "may": may,
        "follows": follows,
        "second": asks_for_second(request.actor.business),
        "key": form_key(request),
    }
    if request.POST.get("step") == "confirm":
        results = [_suspended(request, one, follows, context["key"]) for one in may]
        context |= {"results": results, "failed": [one for one in results if not one.done]}
    return page(request, template("several.html"), context)


def _chosen(request: ActorRequest, where: Wallet) -> list[Chosen]:
    ids = request.POST.getlist("policy")[:MOST]
    policies = open_policies(request.actor).filter(wallet_id=where.remote_id, remote_id__in=ids, status="ACTIVE")
    listed = list(policies.order_by("employee_name", "pk"))
    people = visible_holders(request.actor).filter(remote_id__in=[one.employee_id for one in listed])
    by_id = {one.remote_id: one for one in people}
    return [
        Chosen(one, by_id[one.employee_id], where, can(request.actor, operations.SUSPEND_WALLET_POLICY, one))
        for one in listed
        if one.employee_id in by_id
    ]


def _change(preview: ChangePreview) -> Change:
    return Change(preview.person, preview.before, preview.after)


def _suspended(request: ActorRequest, one: Chosen, follows: list[Consequence], key: str) -> Result:
    """Each by itself: one that is refused leaves the others done."""
    draft = one.preview.draft(f"{key[:32]}-{one.policy.remote_id}", follows)
    try:
        proposal = apply_or_propose(request.actor, draft)
    except FinanceError as error:
        told = f"{error.user_message}{f' Request {error.request_id}.' if error.request_id else ''}"
        return Result(one.person, one.policy.remote_id, False, told)
    said = "waits for a second admin" if proposal else "is suspended"
    return Result(one.person, one.policy.remote_id, True, said)
