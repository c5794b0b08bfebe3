"""Allocations: money of the business put on an employee's wallet, for their cards to spend, and taken back.

Raises what `run` raises; what the service refuses stands on the form. Interface: Employees (POST
/employees/allocate-funds and /employees/remove-funds), decisions F.5.
"""

from django import forms
from pydantic import ValidationError

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.commands.run import CommandResult, Key, run
from dashboard.errors import FAILED, NotFound
from dashboard.mirror.models import Employee
from dashboard.schemas.employees import FundsMoved, FundsTerms

NAMES = {"org_wallet_ref": "wallet", "currency": "wallet"}
REFUSALS = (*FAILED, NotFound)


def allocate(
    actor: Actor, employee: Employee, body: FundsTerms, *, key: Key, form: forms.BaseForm | None = None
) -> FundsMoved | None:
    """Puts money on the employee's wallet; `body` says how much, in which currency and of which wallet.

    None where the service accepted it in words that cannot be read.
    """
    return _move(actor, operations.ALLOCATE_FUNDS, employee, body, key, form)


def remove(
    actor: Actor, employee: Employee, body: FundsTerms, *, key: Key, form: forms.BaseForm | None = None
) -> FundsMoved | None:
    """Takes money off the employee's wallet, a suspended one's too; as `allocate`."""
    return _move(actor, operations.REMOVE_FUNDS, employee, body, key, form)


def send_funds(
    actor: Actor, operation: Operation, employee: Employee, body: FundsTerms, *, key: Key,
    form: forms.BaseForm | None = None, deadline: float | None = None,
) -> CommandResult:  # fmt: skip
    """ALLOCATE_FUNDS or REMOVE_FUNDS, by `operation`: so much of the wallet that the `body` names. Answers with what moved."""
    whole = {"employee_id": employee.remote_id, **body}
    return run(
        actor, operation, employee, whole, key=key, form=form, names=NAMES, refusals=REFUSALS, deadline=deadline
    )  # fmt: skip


def _move(
    actor: Actor, operation: Operation, employee: Employee, body: FundsTerms, key: Key,
    form: forms.BaseForm | None,
) -> FundsMoved | None:  # fmt: skip
    result = send_funds(actor, operation, employee, body, key=key, form=form)
    try:
        return FundsMoved.model_validate(result.data)
    except ValidationError:
        return None
