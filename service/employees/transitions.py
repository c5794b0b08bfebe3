"""What leads an employee from one state to the next: the whole of it in one table (interface.md, states)."""

from service import errors
from service.businesses.models import Employee

SUSPEND, ACTIVATE, DELETE = "suspend", "activate", "delete"
Status = Employee.Status

TRANSITIONS: dict[str, dict[str, str]] = {
    SUSPEND: {Status.ACTIVE: Status.SUSPENDED},
    ACTIVATE: {Status.SUSPENDED: Status.ACTIVE},
    DELETE: {Status.ACTIVE: Status.DELETED, Status.SUSPENDED: Status.DELETED},
}

EVENTS = {SUSPEND: "employee.suspended", ACTIVATE: "employee.activated", DELETE: "employee.deleted"}


def next_status(employee: Employee, move: str) -> str | None:
    """The state that `move` leads to; None where the employee is there already, 409 where it leads nowhere."""
    if employee.status in TRANSITIONS[move].values():
        return None
    target = TRANSITIONS[move].get(employee.status)
    if target is None:
        raise errors.invalid_state(f"An employee who is {employee.status} cannot {move}.")
    return target
