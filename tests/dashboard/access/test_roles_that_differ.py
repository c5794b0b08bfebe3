"""The role here and the one at the finance service: where they differ it is shown, and only what both open is open."""

import pytest

from dashboard import operations, operations_pages
from dashboard.access.check import can, can_open
from dashboard.access.roles import NOT_ABOVE, Role, lesser_of
from dashboard.mirror.drift import roles_that_differ
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_expenses
from tests.dashboard.access.house import CAST, House

OPERATIONS = [each for each in vars(operations).values() if isinstance(each, operations.Operation)]


def at_the_service(house: House, name: str, code: str) -> None:
    Employee.objects.filter(remote_id=house.employee(name)).update(role=code)


@pytest.mark.parametrize("here", Role)
@pytest.mark.parametrize("there", Role)
def test_only_what_both_roles_open_is_open(house: House, here: Role, there: Role) -> None:
    name = next(name for name, role in CAST.items() if role == here and name != "Rita")
    at_the_service(house, name, there)
    actor = house.actor(name)
    counts_there = Role.REVIEWER if there is Role.CARD_USER and actor.teams else there
    for operation in OPERATIONS:
        assert bool(can_open(actor, operation)) is ({here, counts_there} <= operation.roles), operation
    assert actor.role in NOT_ABOVE[here] & NOT_ABOVE[counts_there]


@pytest.mark.parametrize("one", Role)
@pytest.mark.parametrize("other", Role)
def test_the_lesser_is_above_neither_and_the_same_both_ways(one: Role, other: Role) -> None:
    assert lesser_of(one, other) == lesser_of(other, one)
    assert lesser_of(one, other) in NOT_ABOVE[one] & NOT_ABOVE[other]


def test_an_admin_who_is_a_card_user_there_sees_and_does_what_a_card_user_may(house: House) -> None:
    own, others = house.expense("Ada"), house.expense("Carla")
    at_the_service(house, "Ada", "CARD USER".replace(" ", "_"))
    ada = house.actor("Ada")
    assert list(visible_expenses(ada)) == [own]
    denied = can(ada, operations.APPROVE_EXPENSE, others)
    assert denied.reason.endswith("your role here is Admin, at the finance service Card user.")


def test_a_seat_in_a_team_is_no_difference(house: House) -> None:
    at_the_service(house, "Rita", "CARD_USER")
    assert not house.actor("Rita").roles_differ
    assert roles_that_differ(house.business) == {}


def test_a_role_that_nobody_knows_opens_the_least_and_one_that_is_not_told_changes_nothing(house: House) -> None:
    at_the_service(house, "Ada", "TREASURER")
    assert house.actor("Ada").role is Role.CARD_USER
    at_the_service(house, "Ada", "")
    assert house.actor("Ada").role is Role.ADMIN


def test_who_puts_it_right_is_not_locked_out(house: House) -> None:
    at_the_service(house, "Selma", "CARD_USER")
    selma = house.actor("Selma")
    assert can_open(selma, operations_pages.MEMBERS)
    assert can_open(selma, operations_pages.CONNECTION)
    assert not can_open(selma, operations_pages.AUDIT_LOG)


def test_all_that_differ_are_named(house: House) -> None:
    at_the_service(house, "Ada", "REVIEWER")
    at_the_service(house, "Carla", "ADMIN")
    differ = {house.people["Ada"].pk: Role.REVIEWER, house.people["Carla"].pk: Role.ADMIN}
    assert roles_that_differ(house.business) == differ
    assert house.actor("Carla").role is Role.CARD_USER
