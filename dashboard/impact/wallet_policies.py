"""A wallet policy as it would be after a change, to find out what follows; never saved."""

from __future__ import annotations

from dashboard import operations
from dashboard.impact.wallet_policy_terms import Terms
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import Employee, Wallet, WalletPolicy
from dashboard.proposals.models import Proposal

# The state that a move of a policy leads to.
LEADS_TO = {
    operations.SUSPEND_WALLET_POLICY.name: "SUSPENDED",
    operations.REACTIVATE_WALLET_POLICY.name: "ACTIVE",
    operations.REVOKE_WALLET_POLICY.name: "REVOKED",
}


def as_proposed(proposal: Proposal, person: Employee, wallet: Wallet, policy: WalletPolicy | None) -> WalletPolicy:
    """The policy as a proposal would make it, from the policy as it is now; never saved."""
    was, body = Terms.of(policy) if policy else Terms(), proposal.body or {}
    terms = Terms(
        frozenset(body.get("permissions", was.permissions)),
        was.limits,
        moment(body.get("valid_from")) or was.valid_from,
        moment(body["expires_at"]) if "expires_at" in body else was.expires_at,
    )
    return policy_with(policy, person, wallet, terms, LEADS_TO.get(proposal.operation, ""))


def policy_with(
    policy: WalletPolicy | None, person: Employee, wallet: Wallet, wallet_terms: Terms, status: str = ""
) -> WalletPolicy:
    """The policy as it would be; never saved."""
    return WalletPolicy(
        business_id=wallet.business_id,
        wallet_id=wallet.remote_id,
        employee_id=person.remote_id,
        employee_name=person.name,
        permissions=sorted(wallet_terms.permissions),
        valid_from=wallet_terms.valid_from,
        expires_at=wallet_terms.expires_at,
        status=status or (policy.status if policy else "ACTIVE"),
    )
