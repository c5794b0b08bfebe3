"""Roles and permissions against the real service: of a person, and of everybody who has a role."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.mirror.models import Employee
from tests.dashboard.conftest import World
from tests.dashboard.mandates.conftest import (
    CONFIRM,
    as_sam,
    at,
    employee,
    mandate,
    page,
    permissions_form,
    rights,
    role,
    words,
)


def change(world: World, person: str, what: str, by: str = "Sam", **form: Any) -> Any:
    return world.client(by).post(at(world, f"people/{employee(world, person)}/{what}/"), {"key": "a", **form})


def change_of(world: World, role_id: str, by: str = "Sam", **form: Any) -> Any:
    return world.client(by).post(at(world, f"roles/{role_id}/"), {"key": "a", **form})


def ticked(world: World, address: str, *, without: str = "", plus: str = "") -> dict[str, list[str]]:
    """The permissions form of an address as it stands, one taken out or put in."""
    return {
        name: [value for value, is_checked in boxes.items() if (is_checked or value == plus) and value != without]
        for name, boxes in permissions_form(world, address).items()
    }


def test_a_role_is_looked_at_and_then_at_the_service(world: World) -> None:
    preview = words(change(world, "Carla", "role", role="REVIEWER"))
    assert "Carla Kamau: Card user → Reviewer." in preview
    assert "Carla Kamau can now view people, view expenses of own teams, approve and reject expenses" in preview
    assert "Nobody loses access by this." in preview
    assert "In this dashboard Carla Kamau stays card user: that is changed under Settings, Members." in preview
    assert rights(world, "Carla")["role"] == "CARD_USER"
    answer = change(world, "Carla", "role", role="REVIEWER", **CONFIRM)
    assert answer["Location"] == at(world, f"people/{employee(world, 'Carla')}/")
    assert rights(world, "Carla")["role"] == "REVIEWER"
    assert Employee.objects.get(business=world.business, remote_id=employee(world, "Carla")).role == "REVIEWER"


def test_an_approver_who_leaves_loses_votes_that_others_still_have(world: World) -> None:
    preview = words(change(world, "Apollo", "role", role="CARD_USER"))
    assert "Bills: Apollo Mutua can no longer view bills, edit bills, request bill payments and approve" in preview
    assert "Apollo Mutua is no longer an approver of" in preview
    assert "each still has enough approvers." in preview
    assert "2 others still can" in preview
    assert "On wallets, Apollo Mutua can no longer see the wallet" in preview
    change(world, "Apollo", "role", role="CARD_USER", **CONFIRM)
    votes = [entry["active"] for entry in mandate(world)["approvers"] if entry["name"] == "Apollo Mutua"]
    assert votes == [False]


def test_an_approver_whom_a_mandate_needs_is_kept_in_the_services_words(world: World) -> None:
    row = mandate(world)
    as_sam(world, "PATCH", f"/mandates/{row['_id']}", {"min_approvers": 3})
    preview = words(change(world, "Apollo", "role", role="ADMIN"))
    assert "requires 3, and 2 could approve: the finance service refuses that." in preview
    answer = change(world, "Apollo", "role", role="ADMIN", **CONFIRM)
    assert answer.status_code == 409
    assert "The mandate asks for 3 approvals, and 2 could give one." in words(answer)
    assert 'name="role" value="ADMIN"' in answer.content.decode()
    assert rights(world, "Apollo")["role"] == "APPROVER"


@pytest.mark.parametrize(
    ("given", "expected"), [("CARD_USER", "This is already their role."), ("KING", "valid choice")]
)
def test_a_wrong_role_is_told_beside_the_field(world: World, given: str, expected: str) -> None:
    answer = change(world, "Carla", "role", role=given, **CONFIRM)
    assert answer.status_code == 422
    assert expected in words(answer)


def test_a_permission_is_given_beyond_the_role_and_another_taken(world: World) -> None:
    address = f"people/{employee(world, 'Carla')}/permissions/"
    form = ticked(world, address, without="CARD_REQUEST", plus="VENDOR_EDIT")
    preview = words(change(world, "Carla", "permissions", **form))
    assert "Carla Kamau can now edit vendors." in preview
    assert "Carla Kamau can no longer request a card." in preview
    assert "others still can request a card, by their role." in preview
    assert change(world, "Carla", "permissions", **form, **CONFIRM).status_code == 302
    assert rights(world, "Carla")["permissions"] == ["EXPENSE_VIEW_OWN", "CARD_VIEW", "VENDOR_EDIT"]
    same = change(world, "Carla", "permissions", **ticked(world, address), **CONFIRM)
    assert same.status_code == 422
    assert "There are no changes." in words(same)


def test_who_does_not_approve_is_not_offered_it(world: World) -> None:
    offered = page(world, "Sam", f"people/{employee(world, 'Carla')}/permissions/")
    assert "Approve payouts" not in offered
    assert "Approve payouts" in page(world, "Sam", f"people/{employee(world, 'Apollo')}/permissions/")


def test_what_a_role_may_do_is_looked_at_and_then_at_the_service(world: World) -> None:
    form = ticked(world, "roles/REVIEWER/", without="EXPENSE_EXPORT_RECEIPTS", plus="VENDOR_EDIT")
    preview = words(change_of(world, "REVIEWER", **form))
    assert "The role reviewer can now edit vendors." in preview
    assert "The role reviewer can no longer export receipts." in preview
    assert "This affects 2 people: Rex Otieno, Rita Wanjiru." in preview
    assert "others still can export receipts, by their role." in preview
    assert change_of(world, "REVIEWER", **form, **CONFIRM).status_code == 302
    text = role(world, "REVIEWER")
    assert "EXPENSE_EXPORT_RECEIPTS" not in text["permissions"]
    assert "VENDOR_EDIT" in text["permissions"]
    assert "changed from the default" in page(world, "Apollo", "roles/")


def test_nobody_is_left_who_could_is_said(world: World) -> None:
    preview = words(change_of(world, "APPROVER", **ticked(world, "roles/APPROVER/", without="PAYOUT_APPROVE")))
    assert "Nobody else can approve payouts, by their role." in preview


def test_a_role_that_changed_since_one_looked_is_shown_anew(world: World) -> None:
    form = ticked(world, "roles/REVIEWER/", plus="VENDOR_EDIT")
    body = change_of(world, "REVIEWER", **form).content.decode()
    seen = body.split('name="seen" value="')[1].split('"')[0].replace("&quot;", '"')
    before = role(world, "REVIEWER")["permissions"]
    as_sam(world, "PUT", "/update/REVIEWER", {"permissions": [*before, "CUSTOMER_EDIT"]})
    answer = change_of(world, "REVIEWER", **form, **CONFIRM, seen=seen)
    assert answer.status_code == 409
    assert "It changed since you opened it" in words(answer)
    assert "can no longer edit customers" in words(answer)


def test_nobody_changes_their_own_role_or_what_it_may(world: World) -> None:
    for what in ("role", "permissions"):
        assert change(world, "Sam", what, role="ADMIN", **CONFIRM).status_code == 403
    assert change_of(world, "SUPER_ADMIN", **CONFIRM).status_code == 403
    assert "This is about yourself" in page(world, "Sam", f"people/{employee(world, 'Sam')}/")
    assert "This is about yourself" in page(world, "Sam", "roles/")


@pytest.mark.parametrize("person", ["Carla", "Rita", "Apollo", "Ada"])
def test_who_may_not_changes_nothing_and_nothing_is_sent(proxied_world: World, person: str) -> None:
    world = proxied_world
    assert world.proxy
    before = len(world.proxy.sent())
    assert change(world, "Cyrus", "role", person, role="ADMIN", **CONFIRM).status_code == 403
    assert change(world, "Cyrus", "permissions", person, **CONFIRM).status_code == 403
    assert change_of(world, "REVIEWER", person, **CONFIRM).status_code == 403
    assert len(world.proxy.sent()) == before
