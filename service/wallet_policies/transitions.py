"""The life of a wallet policy, in one table (decisions B.11)."""

from dataclasses import dataclass

from service import errors
from service.wallet_policies.models import PolicyStatus, WalletPolicy


@dataclass(frozen=True, slots=True)
class Move:
    """From which states a move may start, where it leads, and the event it records."""

    starts: frozenset[PolicyStatus]
    target: PolicyStatus
    event: str


ACTIVE, SUSPENDED = PolicyStatus.ACTIVE, PolicyStatus.SUSPENDED

MOVES: dict[str, Move] = {
    "suspend": Move(frozenset({ACTIVE}), SUSPENDED, "wallet_policy.suspended"),
    "reactivate": Move(frozenset({SUSPENDED}), ACTIVE, "wallet_policy.reactivated"),
    "revoke": Move(frozenset({ACTIVE, SUSPENDED}), PolicyStatus.REVOKED, "wallet_policy.revoked"),
    # Of itself, when its time is over: nobody asks for it.
    "expire": Move(frozenset({ACTIVE}), PolicyStatus.EXPIRED, "wallet_policy.expired"),
}


def policy_move(wallet_policy: WalletPolicy, verb: str, policy_status: PolicyStatus) -> Move | None:
    """The move from the state that is in effect; None where the policy is there already. 409 invalid_state otherwise."""
    move = MOVES[verb]
    if policy_status == move.target:
        return None
    if policy_status not in move.starts:
        raise errors.invalid_state(f"A wallet policy that is {policy_status} cannot {verb}.")
    return move
