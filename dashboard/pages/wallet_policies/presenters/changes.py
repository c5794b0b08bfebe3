"""A change of access before it is made: what it says, what follows from it, what would be sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.impact.consequences import Consequence, PolicyChangeImpact, consequences_of
from dashboard.impact.wallet_policies import LEADS_TO, policy_with
from dashboard.impact.wallet_policy_terms import Terms, Words
from dashboard.impact.wallet_rights import Rules
from dashboard.mirror.models import Employee, Wallet, WalletPolicy
from dashboard.pages.wallet_policies.forms import PolicyTermsForm
from dashboard.proposals.services import Draft
from dashboard.schemas.wallet_policies import WalletGrantBody, WalletTermsBody


@dataclass(frozen=True, slots=True)
class StateChange:
    """A change of a policy's state: its operation, its texts, and the states in which it can be made."""

    operation: Operation
    heading: str
    button: str
    sentence: str
    outcome: str
    starts: frozenset[str]
    grave: bool = False


STATE_CHANGES = {
    "suspend": StateChange(
        operations.SUSPEND_WALLET_POLICY, "Suspend policy", "Suspend policy",
        "The policy is suspended: its permissions are denied until it is reactivated, even where the role grants them.",
        "is suspended", frozenset({"ACTIVE", "COMING"}), grave=True,
    ),
    "reactivate": StateChange(
        operations.REACTIVATE_WALLET_POLICY, "Reactivate policy", "Reactivate policy",
        "The policy is active again, on the same terms.", "is active again",
        frozenset({"SUSPENDED"}),
    ),
    "revoke": StateChange(
        operations.REVOKE_WALLET_POLICY, "Revoke policy", "Revoke policy",
        "The policy is revoked permanently: it cannot be reactivated, only granted again.", "is revoked",
        frozenset({"ACTIVE", "COMING", "SUSPENDED"}), grave=True,
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PolicyChangePreview:
    """A change before it is made: its texts, and `after`, the policy as it would be; None where there would be none."""

    operation: Operation
    person: Employee
    wallet: Wallet
    heading: str
    button: str
    outcome: str
    sentences: list[str]
    after: WalletPolicy | None
    before: WalletPolicy | None = None
    body: WalletTermsBody | WalletGrantBody | None = None
    grave: bool = False
    path: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The person and the wallet, as a title."""
        return f"{self.person.name} · {name_of(self.wallet)}"

    @property
    def version(self) -> int | None:
        """The version of the policy that is changed; None for a new one."""
        return self.before.remote_version if self.before else None

    def consequences(self, actor: Actor) -> list[Consequence]:
        """What follows from the change, as the actor may see it."""
        return consequences_of(actor, self.wallet, [PolicyChangeImpact(self.person, self.before, self.after)])

    def draft(
        self, key: str, consequences: Sequence[Consequence], *, why: str = "", effective_at: datetime | None = None
    ) -> Draft:
        """The change as it is made or proposed, with what follows from it; `why` and the day that it takes effect from."""
        return Draft(
            operation=self.operation,
            title=self.title,
            wallet_id=self.wallet.remote_id,
            employee_id=self.person.remote_id,
            key=key,
            path=self.path,
            body=self.body,
            policy_id=self.before.remote_id if self.before else "",
            seen_version=self.version,
            sentences=self.sentences,
            consequences=[consequence.text for consequence in consequences],
            reason=why,
            effective_at=effective_at,
        )


def name_of(wallet: Wallet) -> str:
    """The wallet's name, or its reference."""
    return wallet.name or wallet.org_wallet_ref or wallet.remote_id


def words_for(actor: Actor, person: Employee, wallet: Wallet) -> Words:
    """The sentences about this person's access to this wallet."""
    return Words(person.name, wallet.currency, actor.business, Rules.of(actor.business))


def preview_of_grant(actor: Actor, person: Employee, wallet: Wallet, form: PolicyTermsForm) -> PolicyChangePreview:
    """A new policy, on the terms of a valid form."""
    terms = form.terms()
    return PolicyChangePreview(
        operation=operations.GRANT_WALLET_ACCESS,
        person=person,
        wallet=wallet,
        heading="Grant access",
        button="Grant access",
        outcome="is granted",
        sentences=words_for(actor, person, wallet).terms(terms),
        after=policy_with(None, person, wallet, terms),
        body={"wallet_id": wallet.remote_id, "employee_id": person.remote_id, **form.body()},
    )


def preview_of_terms(
    actor: Actor, person: Employee, wallet: Wallet, policy: WalletPolicy, form: PolicyTermsForm
) -> PolicyChangePreview:
    """Other terms of a policy; without a sentence where nothing would change."""
    before, after = Terms.of(policy), form.terms()
    return PolicyChangePreview(
        operation=operations.MODIFY_WALLET_POLICY,
        person=person,
        wallet=wallet,
        heading="Edit policy",
        button="Save policy",
        outcome="is changed",
        sentences=words_for(actor, person, wallet).differences(before, after),
        before=policy,
        after=policy_with(policy, person, wallet, after),
        body=form.body(before),
        path={"policyId": policy.remote_id},
    )


def preview_of_state(state_change: str, person: Employee, wallet: Wallet, policy: WalletPolicy) -> PolicyChangePreview:
    """Another state of a policy; `state_change` is a key of STATE_CHANGES."""
    move = STATE_CHANGES[state_change]
    after = policy_with(policy, person, wallet, Terms.of(policy), LEADS_TO[move.operation.name])
    return PolicyChangePreview(
        operation=move.operation,
        person=person,
        wallet=wallet,
        heading=move.heading,
        button=move.button,
        outcome=move.outcome,
        sentences=[move.sentence],
        before=policy,
        after=after,
        grave=move.grave,
        path={"policyId": policy.remote_id},
    )
