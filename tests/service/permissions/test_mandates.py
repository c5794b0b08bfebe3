"""Mandates: how many must approve, who may, and what is refused because requests wait."""

from collections.abc import Callable
from typing import Any

import pytest

from service.approvals.models import Mandate, MandateApprover
from service.events.models import Event
from tests.service.approvals.conftest import no_worker, request_approval, vote  # noqa: F401
from tests.service.house import House, code


def mandate(house: House, least: int = 0) -> Mandate:
    """The one for bulk payouts in shillings."""
    return Mandate.objects.get(business=house.business, action_type=1, currency="KES", min_amount_minor=least)


def path(house: House, rest: str = "") -> str:
    return f"/permissions/mandates/{mandate(house).id}{rest}"


def send(house: House, method: str, rest: str, body: Any, by: str = "Sam") -> Any:
    return house.send(method, path(house, rest), body, by=by)


def test_every_kind_of_action_has_mandates_from_the_start(house: House) -> None:
    answer = house.send("PUT", "/permissions/mandates?limit=1000", by="Apollo")
    assert answer.status_code == 200
    rows = answer.json()["docs"]
    assert {row["action_type"] for row in rows} == {1, 2, 3, 4, 5, 6, 7, 8}
    assert {row["currency"] for row in rows} == {"KES", "USD"}
    first = next(row for row in rows if row["_id"] == mandate(house).id)
    assert [seat["name"].split()[0] for seat in first["approvers"]] == ["Apollo", "Zawadi", "Juma"]
    only = house.send("PUT", "/permissions/mandates?action_type=6&currency=USD").json()
    assert {(row["action_type"], row["currency"]) for row in only["docs"]} == {(6, "USD")}
    assert code(house.send("PUT", "/permissions/mandates?action_type=9")) == (400, "invalid_parameters")
    for by in ("Carla", "Rita"):
        assert code(house.send("PUT", "/permissions/mandates", by=by)) == (403, "insufficient_role")


def test_minimum_approvers(house: House) -> None:
    answer = send(house, "PATCH", "", {"min_approvers": 3}).json()
    assert (answer["min_approvers"], answer["version"]) == (3, 2)
    event = Event.objects.get(business=house.business, kind="mandate.updated").payload
    assert event["previous"]["min_approvers"] == 1
    assert code(send(house, "PATCH", "", {"min_approvers": 4})) == (409, "approvers_insufficient")
    for wrong in (0, -1, 1.5, "many", 10**15):
        assert code(send(house, "PATCH", "", {"min_approvers": wrong})) == (422, "validation_failed")
    assert mandate(house).min_approvers == 3


def test_an_approver_is_capped_and_paused(house: House) -> None:
    juma = house.person("Juma").id
    changed = send(house, "PATCH", f"/approvers/{juma}", {"max_amount": 1000.5, "required": True, "order": 9}).json()
    seat = next(each for each in changed["approvers"] if each["approver_id"] == juma)
    assert (seat["max_amount_minor"], seat["required"], seat["order"]) == (100_050, True, 9)
    assert send(house, "PATCH", f"/approvers/{juma}", {"active": False}).status_code == 200
    send(house, "PATCH", "", {"min_approvers": 2})
    apollo = house.person("Apollo").id
    assert code(send(house, "PATCH", f"/approvers/{apollo}", {"active": False})) == (409, "approvers_insufficient")
    nobody = house.person("Carla").id
    assert code(send(house, "PATCH", f"/approvers/{nobody}", {"active": False})) == (404, "not_found")
    assert code(send(house, "PATCH", f"/approvers/{juma}", {"max_amount": 1.001})) == (422, "validation_failed")


def test_approvers_are_added_and_removed(house: House) -> None:
    juma = house.person("Juma").id
    left = send(house, "DELETE", "/approvers", {"approver_ids": [juma]}).json()
    assert len(left["approvers"]) == 2
    assert code(send(house, "DELETE", "/approvers", {"approver_ids": [juma]})) == (404, "not_found")
    back = send(house, "POST", "/approvers", {"approvers": [{"approver_id": juma, "max_amount": 10}]}).json()
    assert back["approvers"][-1]["max_amount_minor"] == 1000
    assert code(send(house, "POST", "/approvers", {"approvers": [{"approver_id": juma}]})) == (409, "duplicate")
    everybody = [house.person(name).id for name in ("Apollo", "Zawadi", "Juma")]
    answer = send(house, "DELETE", "/approvers", {"approver_ids": everybody})
    assert code(answer) == (409, "approvers_insufficient")
    assert MandateApprover.objects.filter(mandate=mandate(house)).count() == 3


@pytest.mark.parametrize("who", ["Ada", "Selma", "Rita", "Carla"])
def test_nobody_but_an_approver_is_made_one(house: House, who: str) -> None:
    answer = send(house, "POST", "/approvers", {"approvers": [{"approver_id": house.person(who).id}]})
    assert code(answer) == (422, "validation_failed")
    assert answer.json()["errors"][0]["code"] == "not_for_role"


def test_removing_who_an_open_request_needs_is_refused(house: House) -> None:
    row = request_approval(house)
    apollo, zawadi, juma = (house.person(name).id for name in ("Apollo", "Zawadi", "Juma"))
    assert send(house, "DELETE", "/approvers", {"approver_ids": [apollo]}).status_code == 200
    stored = row.mandate_snapshot
    row.refresh_from_db()
    assert row.mandate_snapshot == stored, "the request keeps its copy"
    MandateApprover.objects.filter(mandate=mandate(house), employee_id=juma).update(required=True)
    needs_juma = request_approval(house)
    for method, rest, body in (
        ("DELETE", "/approvers", {"approver_ids": [juma]}),
        ("PATCH", f"/approvers/{juma}", {"active": False}),
    ):
        assert code(send(house, method, rest, body)) == (409, "approvers_insufficient")
    assert zawadi
    vote(house, needs_juma, "Juma")
    assert send(house, "DELETE", "/approvers", {"approver_ids": [juma]}).status_code == 200


def test_who_may_and_whose(house: House, houses: Callable[..., House]) -> None:
    juma = house.person("Juma").id
    calls = (
        ("PATCH", "", {"min_approvers": 1}),
        ("PATCH", f"/approvers/{juma}", {"required": True}),
        ("DELETE", "/approvers", {"approver_ids": [juma]}),
        ("POST", "/approvers", {"approvers": [{"approver_id": juma}]}),
    )
    other = houses()
    for method, rest, body in calls:
        for by in ("Carla", "Rita", "Apollo", "Ada"):
            assert code(send(house, method, rest, body, by=by)) == (403, "insufficient_role")
        assert code(other.send(method, path(house, rest), body, by="Sam")) == (404, "not_found")
    stranger = other.person("Apollo").id
    assert code(send(house, "POST", "/approvers", {"approvers": [{"approver_id": stranger}]})) == (404, "not_found")


def test_not_self(house: House) -> None:
    MandateApprover.objects.create(mandate=mandate(house), employee=house.person("Sam"))
    assert code(send(house, "PATCH", "", {"min_approvers": 2})) == (403, "self_approval_forbidden")
    assert send(house, "PATCH", "", {"min_approvers": 2}, by="Selma").status_code == 200
