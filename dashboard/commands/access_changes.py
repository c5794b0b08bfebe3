"""Changes of who may do what, as a draft or a proposal has them: operation, address and body, whoever carries them out.

Made at once or after a second admin has confirmed them (dashboard/proposals/), each is sent here. Raises what `run`
raises. Interface: Wallet policies and Permissions, decisions B.12 and F.4.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.access.standing import forget_standing
from dashboard.commands.run import CommandResult, FormKey, Key, run, write_through
from dashboard.mirror.wallet_rights import refresh_wallet_rights
from dashboard.schemas.permissions import MandateBody, RightsBody
from dashboard.schemas.wallet_policies import AnsweredPolicy, WalletGrantBody, WalletTermsBody


@dataclass(frozen=True)
class SyncResult:
    """How many wallet permissions the service added and changed when it renewed its list."""

    created: int
    updated: int


def change_policy(
    actor: Actor, operation: Operation, subject: object, body: WalletTermsBody | WalletGrantBody | None, *,
    path: Mapping[str, str], key: Key,
) -> CommandResult:  # fmt: skip
    """Grants, modifies, suspends, reactivates or revokes a wallet policy. Answers with the policy, which is in the copy."""
    result = run(actor, operation, subject, body, key=key, path=path)
    copy_policy(actor, result.data)
    return result


def copy_policy(actor: Actor, answered: AnsweredPolicy) -> None:
    """Writes the policy of an answer into the copy, and drops the cached standing of its holder."""
    write_through(actor, "wallet_policy", answered)
    forget_standing(actor.business.pk, answered.get("employee_id") or "")


def change_rights(
    actor: Actor, operation: Operation, subject: object, body: MandateBody | RightsBody, *, path: Mapping[str, str],
    employee_id: str, key: Key,
) -> CommandResult:  # fmt: skip
    """Changes a mandate, what a role gives, or somebody's role or permissions; `employee_id` is whom it is about, or "".

    Their cached standing is dropped; an employee in the answer is written into the copy.
    """
    kind = "employee" if operation is operations.CHANGE_ROLE else ""
    result = run(actor, operation, subject, body, key=key, path=path, kind=kind)
    if employee_id:
        forget_standing(actor.business.pk, employee_id)
    return result


def sync_permissions(actor: Actor, *, key: FormKey) -> SyncResult:
    """Has the service renew its list of wallet permissions, and reads that and what roles give into the copy."""
    counts = run(actor, operations.SYNC_WALLET_PERMISSIONS, key=key).data or {}
    refresh_wallet_rights(actor.business)
    return SyncResult(counts.get("created", 0), counts.get("updated", 0))
