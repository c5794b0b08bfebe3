"""Every operation × every role: the gate says what the specification says."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from dashboard.access.actor import Actor
from dashboard.access.check import can, can_open
from dashboard.access.models import Business
from dashboard.access.roles import Role
from dashboard.access.subject import Subject, SubjectSeat
from dashboard.operations import OPERATIONS

SPECIFICATION = Path(__file__).parents[1] / "data" / "operations.csv"
ME, OTHER = "e-me", "e-other"


def specified() -> dict[tuple[str, str], frozenset[str]]:
    with SPECIFICATION.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["version"] == "v2"]
    return {(row["method"], row["path"]): frozenset(row["roles"].split()) for row in rows}


def someone(role: Role, business_id: int = 1) -> Actor:
    teams = frozenset({"t"}) if role is Role.REVIEWER else frozenset[str]()
    return Actor(user=None, business=Business(pk=business_id), role=role, employee_id=ME, teams=teams, membership_id=1)


def nothing_against(business_id: int = 1, holder: str = OTHER) -> Subject:
    """A thing that no rule has anything against."""
    return Subject(
        business_id=business_id,
        kind="thing",
        id="thing-1",
        holder_id=holder,
        team_id="t",
        makers=frozenset({OTHER}),
        about=frozenset({OTHER}),
        requester_id=ME,
        seats=(SubjectSeat(ME),),
        amount_minor=1,
        gives_role=Role.CARD_USER,
        blocked_by_id=holder,
        is_virtual=True,
        confirmed_by_id=OTHER,
    )


@pytest.mark.parametrize("name", OPERATIONS)
def test_the_gate_opens_to_the_specified_roles_and_to_nobody_else(name: str) -> None:
    operation = OPERATIONS[name]
    roles = specified()[operation.method, operation.path]
    for role in Role:
        actor = someone(role)
        reached = nothing_against(holder=ME if role is Role.CARD_USER or operation.rows.word == "own" else OTHER)
        expected = role.value in roles
        assert bool(can_open(actor, operation)) is expected, role
        verdict = can(actor, operation, reached)
        assert bool(verdict) is expected, (role, verdict)
        assert expected or verdict.reason


@pytest.mark.parametrize("name", OPERATIONS)
def test_another_businesss_thing_is_hidden_from_every_role(name: str) -> None:
    for role in Role:
        verdict = can(someone(role), OPERATIONS[name], nothing_against(business_id=2, holder=ME))
        assert not verdict
        assert verdict.hidden


def narrowed(role: Role, name: str) -> bool:
    return role in OPERATIONS[name].roles and not OPERATIONS[name].rows.reaches_all(role)


@pytest.mark.parametrize("name", OPERATIONS)
def test_somebody_elses_row_is_hidden_where_the_rows_are_narrowed(name: str) -> None:
    strangers = Subject(**{**nothing_against().__dict__, "team_id": "t-of-nobody"})
    for role in Role:
        if narrowed(role, name):
            assert can(someone(role), OPERATIONS[name], strangers).hidden, role


def test_which_rows_are_narrowed_for_whom() -> None:
    def of(keep: Callable[[str], bool]) -> set[str]:
        return {name for name in OPERATIONS if keep(name)}

    everyone_sees = {Role.APPROVER, Role.ADMIN, Role.SUPER_ADMIN}
    own = of(lambda name: any(narrowed(role, name) for role in everyone_sees))
    assert own == {
        "read_receipts_export",
        "list_own_cards",
        "update_profile",
        "read_own_fund_access",
    }
    assert narrowed(Role.APPROVER, "update_profile")
    assert not narrowed(Role.ADMIN, "update_profile")
    assert not narrowed(Role.APPROVER, "list_employee_wallet_policies")
    assert narrowed(Role.REVIEWER, "list_employee_wallet_policies")
