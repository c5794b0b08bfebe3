"""Suspending several policies of a wallet at once: what follows from all together first, then a result for each."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from dashboard import operations
from dashboard.access.actor import ActorRequest
from dashboard.access.check import Verdict, can
from dashboard.access.decorators import needs
from dashboard.errors import FinanceError
from dashboard.impact.consequences import Change, Consequence, consequences_of
from dashboard.impact.wallet_rights import open_policies
from dashboard.mirror.models import Employee, Wallet, WalletPolicy
from dashboard.mirror.scopes import visible_holders
from dashboard.pages.wallet_policies.presenters.changes import ChangePreview, name_of, preview_of_state
from dashboard.pages.wallet_policies.selectors.access import wallet_for
from dashboard.proposals.four_eyes import asks_for_second
from dashboard.proposals.services import apply_or_propose
from dashboard.web.respond import page
from dashboard.web.submission import form_key

TEMPLATE = "wallet_policies/several.html"
MAX_POLICIES = 50


@dataclass(frozen=True, slots=True)
class Suspension:
    """A policy that was chosen, its holder and wallet, and the verdict whether the actor may suspend it."""

    policy: WalletPolicy
    person: Employee
    wallet: Wallet
    verdict: Verdict

    @property
    def preview(self) -> ChangePreview:
        """The suspension as it is proposed or made."""
        return preview_of_state("suspend", self.person, self.wallet, self.policy)


@dataclass(frozen=True, slots=True)
class Result:
    """What became of the suspension of one policy; `done` where it is suspended or waits for a second admin."""

    person: Employee
    policy_id: str
    done: bool
    sentence: str


@require_POST
@needs(operations.SUSPEND_WALLET_POLICY)
def suspend_several(request: ActorRequest, business: str, wallet_id: str) -> HttpResponse:
    """Shows what would follow, and once that is confirmed suspends each policy, or proposes it."""
    wallet = wallet_for(request.actor, wallet_id)
    suspensions = _suspensions(request, wallet)
    if not suspensions:
        messages.info(request, "Choose at least one policy that is active.")
        return redirect("wallet-policies_wallet", business, wallet_id)
    allowed = [suspension for suspension in suspensions if suspension.verdict]
    changes = [_change(suspension.preview) for suspension in allowed]
    follows = consequences_of(request.actor, wallet, changes) if allowed else []
    context: dict[str, Any] = {
        "wallet": wallet,
        "name": name_of(wallet),
        "suspensions": suspensions,
        "allowed": allowed,
        "follows": follows,
        "second": asks_for_second(request.actor.business),
        "key": form_key(request),
    }
    if request.POST.get("step") == "confirm":
        results = [_suspend(request, suspension, follows, context["key"]) for suspension in allowed]
        context |= {"results": results, "failed": [result for result in results if not result.done]}
    return page(request, TEMPLATE, context)


def _suspensions(request: ActorRequest, wallet: Wallet) -> list[Suspension]:
    ids = request.POST.getlist("policy")[:MAX_POLICIES]
    policies = open_policies(request.actor).filter(wallet_id=wallet.remote_id, remote_id__in=ids, status="ACTIVE")
    ordered = list(policies.order_by("employee_name", "pk"))
    people = visible_holders(request.actor).filter(remote_id__in=[policy.employee_id for policy in ordered])
    by_id = {person.remote_id: person for person in people}
    return [
        Suspension(
            policy, by_id[policy.employee_id], wallet, can(request.actor, operations.SUSPEND_WALLET_POLICY, policy)
        )
        for policy in ordered
        if policy.employee_id in by_id
    ]


def _change(preview: ChangePreview) -> Change:
    return Change(preview.person, preview.before, preview.after)


def _suspend(request: ActorRequest, suspension: Suspension, follows: list[Consequence], key: str) -> Result:
    """Suspends one policy by itself: one that is refused leaves the others done."""
    draft = suspension.preview.draft(f"{key[:32]}-{suspension.policy.remote_id}", follows)
    try:
        proposal = apply_or_propose(request.actor, draft)
    except FinanceError as error:
        failure = f"{error.user_message}{f' Request {error.request_id}.' if error.request_id else ''}"
        return Result(suspension.person, suspension.policy.remote_id, False, failure)
    sentence = "waits for a second admin" if proposal else "is suspended"
    return Result(suspension.person, suspension.policy.remote_id, True, sentence)
