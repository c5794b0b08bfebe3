"""Several policies of a wallet that would be suspended at once: whose they are, what follows, what became of each."""

from dataclasses import dataclass
from typing import TypedDict

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.impact.consequences import Consequence, PolicyChangeImpact, consequences_of
from dashboard.impact.wallet_rights import open_policies
from dashboard.mirror.models import Employee, Wallet, WalletPolicy
from dashboard.mirror.scopes import visible_holders
from dashboard.pages.wallet_policies.presenters.changes import PolicyChangePreview, name_of, preview_of_state
from dashboard.proposals.four_eyes import requires_second_admin

MAX_POLICIES = 50


@dataclass(frozen=True, slots=True)
class Suspension:
    """A policy that was chosen, its holder and wallet, and the verdict whether the actor may suspend it."""

    policy: WalletPolicy
    person: Employee
    wallet: Wallet
    verdict: Verdict

    @property
    def preview(self) -> PolicyChangePreview:
        """The suspension as it is proposed or made."""
        return preview_of_state("suspend", self.person, self.wallet, self.policy)


@dataclass(frozen=True, slots=True)
class Result:
    """What became of the suspension of one policy; `done` where it is suspended or waits for a second admin."""

    person: Employee
    policy_id: str
    done: bool
    sentence: str


def suspensions_of(actor: Actor, wallet: Wallet, policy_ids: list[str]) -> list[Suspension]:
    """The active policies of those ids on the wallet, by their holder's name; MAX_POLICIES of them at most."""
    ids = policy_ids[:MAX_POLICIES]
    policies = open_policies(actor).filter(wallet_id=wallet.remote_id, remote_id__in=ids, status="ACTIVE")
    ordered = list(policies.order_by("employee_name", "pk"))
    people = visible_holders(actor).filter(remote_id__in=[policy.employee_id for policy in ordered])
    by_id = {person.remote_id: person for person in people}
    return [
        Suspension(policy, by_id[policy.employee_id], wallet, can(actor, operations.SUSPEND_WALLET_POLICY, policy))
        for policy in ordered
        if policy.employee_id in by_id
    ]


def _change(policy_preview: PolicyChangePreview) -> PolicyChangeImpact:
    return PolicyChangeImpact(policy_preview.person, policy_preview.before, policy_preview.after)


def consequences_of_proposal(actor: Actor, wallet: Wallet, allowed: list[Suspension]) -> list[Consequence]:
    """What follows from all the suspensions together; empty where there is none."""
    changes = [_change(suspension.preview) for suspension in allowed]
    return consequences_of(actor, wallet, changes) if allowed else []


class SuspensionsContext(TypedDict):
    """What wallet_policies/several.html reads but for its key and results; `allowed` are those that the actor may
    suspend, `second` whether a second admin confirms it."""

    wallet: Wallet
    name: str
    suspensions: list[Suspension]
    allowed: list[Suspension]
    consequences: list[Consequence]
    second: bool


def suspensions_context(actor: Actor, wallet: Wallet, suspensions: list[Suspension]) -> SuspensionsContext:
    """The suspensions of several policies of a wallet, with their consequences."""
    allowed = [suspension for suspension in suspensions if suspension.verdict]
    return {
        "wallet": wallet,
        "name": name_of(wallet),
        "suspensions": suspensions,
        "allowed": allowed,
        "consequences": consequences_of_proposal(actor, wallet, allowed),
        "second": requires_second_admin(actor.business),
    }
