"""The table of an employee's states, walked: every state, every move, through the real actions."""

import pytest

from service.businesses.models import Employee
from service.employees import lifecycle
from service.employees.transitions import ACTIVATE, DELETE, SUSPEND, TRANSITIONS
from service.errors import ServiceError
from tests.service.house import House

Status = Employee.Status
MOVES = {SUSPEND: lifecycle.suspend, ACTIVATE: lifecycle.activate, DELETE: lifecycle.delete}


@pytest.mark.parametrize("state", Status.values)
@pytest.mark.parametrize("move", MOVES)
def test_no_transition_outside_the_table_is_reachable(house: House, state: str, move: str) -> None:
    row = house.person("Cyrus")
    Employee.objects.filter(id=row.id).update(status=state)
    try:
        MOVES[move](house.caller("Ada"), row.id)
        refused = ""
    except ServiceError as error:
        refused = error.code
    row.refresh_from_db()
    expected = TRANSITIONS[move].get(state, state)
    assert row.status == expected
    # Nobody finds a deleted employee; to be there already is no mistake.
    assert refused == ("not_found" if state == Status.DELETED else "")
    assert row.version == (2 if expected != state else 1)


def test_nothing_leads_out_of_deleted() -> None:
    assert all(Status.DELETED not in table for table in TRANSITIONS.values())
