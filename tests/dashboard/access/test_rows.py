"""Which rows an actor sees: one scope for lists, counts and search, and the gate says the same of each row."""

import pytest

from dashboard import operations
from dashboard.access.check import can
from dashboard.access.roles import Role
from dashboard.mirror.models import Employee, Team
from dashboard.mirror.scopes import (
    visible_approvals,
    visible_categories,
    visible_employees,
    visible_expenses,
    visible_teams,
    visible_wallets,
)
from tests.dashboard.access.house import CAST, House, build

SEES = {
    "Carla": {"own"},
    "Rita": {"own", "Carla's", "Rex's"},
    "Rex": {"own", "Carla's", "Rita's"},
    "Apollo": {"own", "Carla's", "Rita's", "Rex's", "south", "no team"},
}


@pytest.fixture
def expenses(house: House) -> dict[str, str]:
    rows = {f"{name}'s": house.expense(name) for name in ("Carla", "Rita", "Rex")}
    rows |= {"south": house.expense("Juma", team=house.south), "no team": house.expense("Juma", team="")}
    rows |= {"gone": house.expense("Carla", tombstoned_at="2026-01-01T00:00:00Z")}
    build().expense("Carla")
    return {row.remote_id: name for name, row in rows.items()}


@pytest.mark.parametrize("name", SEES)
def test_the_expenses_somebody_sees(house: House, expenses: dict[str, str], name: str) -> None:
    actor = house.actor(name)
    seen = {expenses[row.remote_id] for row in visible_expenses(actor)}
    expected = {f"{name}'s" if word == "own" else word for word in SEES[name]}
    if name == "Apollo":
        expected -= {"Apollo's"}
    assert seen == expected


@pytest.mark.parametrize("name", CAST)
def test_the_gate_and_the_list_agree_on_every_row(house: House, expenses: dict[str, str], name: str) -> None:
    from dashboard.mirror.models import Expense

    actor = house.actor(name)
    listed = set(visible_expenses(actor).values_list("remote_id", flat=True))
    live = Expense.objects.filter(tombstoned_at__isnull=True, remote_id__in=expenses)
    let_through = {row.remote_id for row in live if can(actor, operations.LIST_EXPENSES, row)}
    assert listed == let_through


def test_teams_reviewed_now_and_no_longer(house: House) -> None:
    row = house.expense("Carla")
    assert visible_expenses(house.actor("Rita")).filter(pk=row.pk).exists()
    Team.objects.filter(remote_id=house.north).update(reviewers=[])
    assert not visible_expenses(house.actor("Rita")).filter(pk=row.pk).exists()


def test_a_row_follows_the_team_stored_on_it(house: House) -> None:
    row = house.expense("Carla")
    Employee.objects.filter(remote_id=house.employee("Carla")).update(team_id=house.south)
    assert visible_expenses(house.actor("Rita")).filter(pk=row.pk).exists()


def test_without_an_employee_nothing_is_ones_own(house: House) -> None:
    house.expense("Carla", employee_id="")
    membership = house.people["Carla"]
    membership.employee_id = ""
    membership.save()
    assert not visible_expenses(house.actor("Carla")).exists()


@pytest.mark.parametrize(("role", "sees"), [("CARD_USER", 0), ("REVIEWER", 0), ("APPROVER", 1), ("SUPER_ADMIN", 1)])
def test_payment_requests_and_wallets_are_for_finance(house: House, role: str, sees: int) -> None:
    house.approval()
    house.wallet(1)
    name = next(name for name, given in CAST.items() if given == role)
    assert visible_approvals(house.actor(name)).count() == sees
    assert visible_wallets(house.actor(name)).count() == sees


def test_people_teams_and_categories(house: House) -> None:
    south = Employee.objects.get(remote_id=house.employee("Juma"))
    Employee.objects.filter(pk=south.pk).update(team_id=house.south)
    assert [row.name for row in visible_employees(house.actor("Carla"))] == ["Carla"]
    assert "Juma" not in {row.name for row in visible_employees(house.actor("Rita"))}
    assert {row.name for row in visible_teams(house.actor("Rita"))} == {"North"}
    assert {row.name for row in visible_teams(house.actor("Ada"))} == {"North", "South"}
    assert not visible_teams(house.actor("Carla")).exists()
    assert visible_categories(house.actor("Carla")).query.is_empty() is False


def test_a_grant_on_a_wallet_shows_that_wallet_alone(house: House) -> None:
    from dataclasses import replace

    mine, other = house.wallet(1), house.wallet(2)
    carla = replace(house.actor("Carla"), grants=frozenset({("WALLET_VIEW", mine.remote_id)}))
    assert carla.role is Role.CARD_USER
    assert [row.pk for row in visible_wallets(carla)] == [mine.pk]
    assert can(carla, operations.READ_ACCOUNT, mine)
    assert not can(carla, operations.READ_ACCOUNT, other)
    assert not can(carla, operations.READ_ACCOUNT_BALANCE, mine)
