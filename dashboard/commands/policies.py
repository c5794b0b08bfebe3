"""Spend policies: made, changed, taken out of use, brought back, deleted.

Raises what `run` raises. The copy follows at once. Interface: Business policies; decisions B.20.
"""

from collections.abc import Mapping

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.commands.run import CommandResult, Key, run
from dashboard.schemas.policies import DeletionBody, ExemptionBody, NewPolicyBody, PolicyBody

KIND = "policy"
CATEGORY_TYPES = frozenset({"SUBCATEGORY", "CATEGORY"})


def change_policy(
    actor: Actor, operation: Operation, subject: object,
    body: PolicyBody | NewPolicyBody | DeletionBody | ExemptionBody | None, *, path: Mapping[str, str], key: Key,
) -> CommandResult:  # fmt: skip
    """Sends a change of a spend policy by one of its operations; `body` is that operation's. Answers with the policy."""
    return run(actor, operation, subject, body, key=key, path=path, kind=KIND)


def change_of_policy(type_: str) -> Operation:
    """The operation that changes a policy of a type: those on categories have their own."""
    return operations.UPDATE_CATEGORY_POLICY if type_ in CATEGORY_TYPES else operations.UPDATE_POLICY


def deleting(type_: str) -> Operation:
    """The operation that deletes a policy of a type."""
    return operations.DELETE_CATEGORY_POLICY if type_ in CATEGORY_TYPES else operations.DELETE_POLICY
