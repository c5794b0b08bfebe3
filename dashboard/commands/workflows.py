"""Approval workflows of bills and of policies: made, changed, taken out of use, deleted.

Raises what `run` raises. The copy follows at once. Interface: Bills and Business policies; decisions B.9.
"""

from collections.abc import Mapping

from django.utils import timezone

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.commands.run import CommandResult, Key, run
from dashboard.mirror.apply import tombstone
from dashboard.schemas.workflows import OF_BILLS, StepsBody, WorkflowBody, WorkflowEndBody

KIND = "workflow"


def change_workflow(
    actor: Actor, operation: Operation, subject: object, body: WorkflowBody | WorkflowEndBody | StepsBody | None,
    *, path: Mapping[str, str], key: Key,
) -> CommandResult:  # fmt: skip
    """Sends a change of a workflow by one of its operations; `body` is that operation's. Answers with the workflow."""
    is_gone = operation is operations.DELETE_BILL_WORKFLOW
    result = run(actor, operation, subject, body, key=key, path=path, kind="" if is_gone else KIND)
    if is_gone:
        tombstone(KIND, actor.business, [path["workflowId"]], timezone.now())
    return result


def creating(action_type: int) -> Operation:
    """The operation that makes a workflow of an action type."""
    return operations.CREATE_BILL_WORKFLOW if action_type == OF_BILLS else operations.CREATE_POLICY_WORKFLOW


def change_of_workflow(action_type: int) -> Operation:
    """The operation that changes a workflow of an action type; that of policies is an extension."""
    return operations.UPDATE_BILL_WORKFLOW if action_type == OF_BILLS else operations_extra.UPDATE_POLICY_WORKFLOW


def removing(action_type: int) -> Operation:
    """The operation that ends a workflow: one of bills is deleted, one of policies is taken out of use."""
    is_of_bills = action_type == OF_BILLS
    return operations.DELETE_BILL_WORKFLOW if is_of_bills else operations_extra.DEACTIVATE_POLICY_WORKFLOW
