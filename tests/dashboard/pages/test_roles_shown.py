"""A role here that is another one at the finance service is said to whoever has it, and to whoever can put it right."""

from __future__ import annotations

import re

import pytest

from dashboard.mirror.models import Employee
from tests.dashboard.pages.conftest import House

EXCEPTIONS = "home/exceptions/"
BANNER = "You are <b>admin</b> here and <b>card user</b> at the finance service."
ISSUE = "1 member has a different role at the finance service; only what both roles allow is available."
BESIDE = "card user at the finance service: only what both roles allow is available"


def at_the_service(house: House, name: str, role: str) -> None:
    assert Employee.objects.filter(business=house.business, remote_id=house.employee_id(name)).update(role=role) == 1


def shown(house: House, name: str, path: str = "") -> str:
    headers = {"HX-Request": "true"} if path == EXCEPTIONS else {}
    answer = house.browser(name).get(house.address(path), headers=headers)
    assert answer.status_code == 200, path
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.mark.parametrize("path", ["", "expenses/", "cards/mine/"])
def test_whoever_has_two_roles_reads_both_on_every_page(house: House, path: str) -> None:
    at_the_service(house, "Ada", "CARD_USER")
    assert BANNER in shown(house, "Ada", path)
    assert "at the finance service. Until the two match" not in shown(house, "Selma")


def test_whoever_manages_members_finds_it_among_what_needs_attention_and_beside_the_member(house: House) -> None:
    at_the_service(house, "Ada", "CARD_USER")
    home = shown(house, "Selma", EXCEPTIONS)
    assert ISSUE in home
    assert f'href="{house.address("settings/members/")}"' in home
    members = shown(house, "Selma", "settings/members/")
    assert members.count(BESIDE) == 1
    [row] = [part for part in re.split(r"<tr\b", members) if BESIDE in part]
    assert house.people["Ada"].user.get_full_name() in row
    assert ISSUE not in shown(house, "Apollo", EXCEPTIONS)


def test_a_seat_in_a_team_and_equal_roles_are_no_difference(house: House) -> None:
    at_the_service(house, "Rita", "CARD_USER")
    assert "Until the two match" not in shown(house, "Rita")
    assert "has a different role" not in shown(house, "Selma", EXCEPTIONS)
    assert "only what both roles allow" not in shown(house, "Selma", "settings/members/")
