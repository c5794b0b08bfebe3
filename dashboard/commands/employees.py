"""Employees: suspending one and activating them again; here, too, they enter no more and then again.

Raises what `run` raises. Each answers with the employee. Interface: Employees.
"""

from collections.abc import Mapping
from typing import Any

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.commands.run import CommandResult, Key, run
from dashboard.mirror.models import Employee
from dashboard.mirror.webhook_inbox import follow_employment


def suspend(actor: Actor, employee: Employee, *, key: Key, deadline: float | None = None) -> CommandResult:
    """Suspends an employee: they are signed out here at once, their cards decline until they are activated again."""
    path = {"_id": employee.remote_id}
    return _change(actor, operations.SUSPEND_EMPLOYEE, employee, None, key, deadline, path=path)


def activate(actor: Actor, employee: Employee, *, key: Key, deadline: float | None = None) -> CommandResult:
    """Activates a suspended employee: they can enter again, and their cards work again."""
    body = {"employee_id": employee.remote_id}
    return _change(actor, operations.ACTIVATE_EMPLOYEE, employee, body, key, deadline)


def _change(
    actor: Actor, operation: Operation, employee: Employee, body: Mapping[str, Any] | None, key: Key,
    deadline: float | None, path: Mapping[str, str] | None = None,
) -> CommandResult:  # fmt: skip
    result = run(actor, operation, employee, body, key=key, path=path, kind="employee", deadline=deadline)
    follow_employment(actor.business, result.data)
    return result
