"""Changing a mandate against the real service: sentences and consequences first, then made once, or refused in its words."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dashboard.audit.models import AuditEntry
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Employee, Origin
from tests.dashboard.conftest import World
from tests.dashboard.decisions.test_real_payments import requested
from tests.dashboard.mandates.conftest import CONFIRM, again, as_sam, at, employee, mandate, words

TITLE = "Payout batches, from KES 100,000.00"


def change(world: World, row: dict[str, Any], rest: str, by: str = "Sam", **form: Any) -> Any:
    return world.client(by).post(at(world, f"{row['_id']}/{rest}"), {"key": "a", **form})


def seat(row: dict[str, Any], person: str) -> dict[str, Any]:
    return next(entry for entry in row["approvers"] if entry["name"].startswith(person))


def test_a_minimum_is_looked_at_and_then_at_the_service(world: World) -> None:
    row = mandate(world)
    preview = words(change(world, row, "minimum/", min_approvers="1"))
    assert f"Mandate “{TITLE}”: 2 of 3 → 1 of 3 must approve." in preview
    assert "One approver alone can then approve payout batches of this size." in preview
    assert again(world, row)["min_approvers"] == 2
    answer = change(world, row, "minimum/", min_approvers="1", **CONFIRM)
    assert answer["Location"] == at(world, f"{row['_id']}/")
    assert again(world, row)["min_approvers"] == 1
    line = AuditEntry.objects.filter(chain=world.business.pk, operation="update_mandate", outcome="DONE").latest("id")
    assert line.sentence.replace("\xa0", " ") == f"changed mandate {TITLE}"


def test_the_same_form_twice_changes_it_once(world: World) -> None:
    row = mandate(world)
    for _ in range(2):
        change(world, row, "minimum/", min_approvers="3", **CONFIRM)
    assert again(world, row)["version"] == row["version"] + 1


def test_all_of_them_asked_for_is_said(world: World) -> None:
    preview = words(change(world, mandate(world), "minimum/", min_approvers="3"))
    assert "All 3 approvers must approve each time: nobody can be away." in preview


@pytest.mark.parametrize(
    ("given", "expected"),
    [("9", "Only 3 can approve"), ("0", "greater than or equal to 1"), ("", "required"), ("2", "There are no changes")],
)
def test_a_wrong_minimum_is_told_beside_the_field(world: World, given: str, expected: str) -> None:
    answer = change(world, mandate(world), "minimum/", min_approvers=given, **CONFIRM)
    assert answer.status_code == 422
    assert expected in words(answer)
    assert f'value="{given}"' in answer.content.decode() or not given


def test_a_cap_says_what_can_no_longer_be_approved(world: World) -> None:
    row = mandate(world)
    who = seat(row, "Apollo")["approver_id"]
    form = {"max_amount": "200000", "active": "on"}
    preview = words(change(world, row, f"approvers/{who}/", **form))
    assert f"Mandate “{TITLE}”: Apollo Mutua can approve up to KES 200,000.00 (any amount before)." in preview
    assert "Above KES" not in preview
    change(world, row, f"approvers/{who}/", **form, **CONFIRM)
    zawadi = seat(row, "Zawadi")["approver_id"]
    second = words(change(world, row, f"approvers/{zawadi}/", max_amount="150000", active="on"))
    assert "Above KES 200,000.00 too few could then approve: such requests could not be made." in second
    assert seat(again(world, row), "Apollo")["max_amount_minor"] == 20_000_000
    emptied = change(
        world, row, f"approvers/{who}/", max_amount="", active="on", required="on", step="confirm", key="b"
    )
    assert emptied.status_code == 302
    text = seat(again(world, row), "Apollo")
    assert (text["max_amount_minor"], text["required"]) == (None, True)


def test_a_cap_the_currency_has_not_is_told_beside_the_field(world: World) -> None:
    row = mandate(world)
    answer = change(world, row, f"approvers/{seat(row, 'Apollo')['approver_id']}/", max_amount="1.005", active="on")
    assert answer.status_code == 422
    assert "KES has 2 digits after the point" in words(answer)
    assert 'value="1.005"' in answer.content.decode()


def test_who_loses_the_vote_is_said_and_too_few_are_refused_in_the_services_words(world: World) -> None:
    row = mandate(world)
    both = [seat(row, name)["approver_id"] for name in ("Apollo", "Zawadi")]
    preview = words(change(world, row, "approvers/remove/", people=both))
    assert (
        "Apollo Mutua and Zawadi Njeri can no longer approve payout batches of this size; 1 other still can." in preview
    )
    assert "It requires 2 approvals, and 1 could give one: the finance service refuses that." in preview
    answer = change(world, row, "approvers/remove/", people=both, **CONFIRM)
    assert answer.status_code == 409
    assert "The mandate asks for 2 approvals, and 1 could give one." in words(answer)
    assert re.search(r"Request [\w-]{8,}", words(answer))
    assert f'name="people" value="{both[0]}"' in answer.content.decode()
    assert len(again(world, row)["approvers"]) == 3


def test_removed_and_added_again(world: World) -> None:
    row = mandate(world)
    juma = seat(row, "Juma")["approver_id"]
    change(world, row, "approvers/remove/", people=[juma], **CONFIRM)
    assert "Juma Hassan" not in [entry["name"] for entry in again(world, row)["approvers"]]
    form = {"people": [juma], "max_amount": "500000", "required": "on"}
    preview = words(change(world, row, "approvers/add/", **form))
    assert f"“{TITLE}”: 2 of 2 → 2 of 3 must approve." in preview
    assert "Juma Hassan becomes an approver, for up to KES 500,000.00 as a required approver." in preview
    assert "Nothing is approved without Juma Hassan." in preview
    change(world, row, "approvers/add/", **form, **CONFIRM)
    text = seat(again(world, row), "Juma")
    assert (text["max_amount_minor"], text["required"]) == (50_000_000, True)
    nobody = change(world, row, "approvers/add/")
    assert nobody.status_code == 422
    assert "Every active approver is already on it." in words(nobody)


def test_an_open_request_that_would_be_stranded_is_named_and_refused(world: World) -> None:
    found = requested(world)
    row = next(entry for entry in [mandate(world), mandate(world, 1)] if entry["_id"] == found.payload["mandate_id"])
    upsert("approval", world.business, [world.upstream("/approvals/all")["docs"][0]], Origin.POLL)
    all_but_one = [entry["approver_id"] for entry in row["approvers"]][row["min_approvers"] - 1 :]
    as_sam(world, "PATCH", f"/mandates/{row['_id']}", {"min_approvers": 1})
    preview = words(change(world, row, "approvers/remove/", people=all_but_one))
    assert "could no longer be approved" in preview
    answer = change(world, row, "approvers/remove/", people=all_but_one, **CONFIRM)
    assert answer.status_code == 409
    assert "end it first" in words(answer)
    assert re.search(r"Request [\w-]{8,}", words(answer))


def test_what_changed_since_one_looked_is_shown_anew(world: World) -> None:
    row = mandate(world)
    page = change(world, row, "minimum/", min_approvers="1").content.decode()
    seen = page.split('name="seen" value="')[1].split('"')[0].replace("&quot;", '"')
    as_sam(world, "PATCH", f"/mandates/{row['_id']}", {"min_approvers": 3})
    answer = change(world, row, "minimum/", min_approvers="1", seen=seen, **CONFIRM)
    assert answer.status_code == 409
    assert "It changed since you opened it, so nothing was done." in words(answer)
    assert "3 of 3 → 1 of 3 must approve." in words(answer)
    assert again(world, row)["min_approvers"] == 3


@pytest.mark.parametrize("person", ["Carla", "Rita", "Apollo", "Ada"])
def test_who_may_not_changes_nothing_and_nothing_is_sent(proxied_world: World, person: str) -> None:
    world, row = proxied_world, mandate(proxied_world)
    assert world.proxy
    before = len(world.proxy.sent())
    who = row["approvers"][0]["approver_id"]
    for rest in ("minimum/", "approvers/add/", "approvers/remove/", f"approvers/{who}/"):
        assert change(world, row, rest, person, min_approvers="1", **CONFIRM).status_code == 403
    assert len(world.proxy.sent()) == before


def test_nobody_changes_a_mandate_that_lets_them_vote(world: World) -> None:
    row, sam, apollo = mandate(world), world.people["Sam"], world.people["Apollo"]
    apollo.employee_id = ""
    apollo.save()
    sam.employee_id = employee(world, "Apollo")
    sam.save()
    # At the service they have the role that they have here, so that nothing but the rule is in the way.
    Employee.objects.filter(business=world.business, remote_id=sam.employee_id).update(role="SUPER_ADMIN")
    assert "This is about yourself" in words(world.client("Sam").get(at(world, f"{row['_id']}/")))
    assert change(world, row, "minimum/", min_approvers="1", **CONFIRM).status_code == 403
    assert again(world, row)["min_approvers"] == 2


def test_a_lost_answer_keeps_what_was_typed_and_confirmed_again_it_is_made_once(proxied_world: World) -> None:
    world, row = proxied_world, mandate(proxied_world)
    assert world.proxy
    change(world, row, "minimum/", min_approvers="1")
    world.proxy.fail("lost reply", method="PATCH")
    answer = change(world, row, "minimum/", min_approvers="1", **CONFIRM)
    assert answer.status_code == 504
    assert "Confirm it again: it is the same request" in words(answer)
    assert 'name="min_approvers" value="1"' in answer.content.decode()
    world.proxy.heal()
    sent = {"min_approvers": "1", "seen": '{"version": 1}', **CONFIRM}
    assert change(world, row, "minimum/", **sent)["Location"] == at(world, f"{row['_id']}/")
    assert again(world, row)["version"] == row["version"] + 1
