"""Nobody leaves whom an open payment request still needs: suspension, deletion and handing over are refused then."""

from typing import Any

import pytest

from service.approvals.models import Approval
from service.businesses.models import Employee
from tests.service.house import House, code
from tests.service.payments.conftest import initiated, item

APPROVERS = ("Juma", "Zawadi", "Apollo")


def suspend(house: House, who: str) -> Any:
    return house.send("PATCH", f"/employees/{house.person(who).id}/suspend-employee")


def delete(house: House, who: str) -> Any:
    return house.send("DELETE", f"/employees/{house.person(who).id}")


def hand_over(house: House, who: str) -> Any:
    body = {"name": "N", "organization_email": f"{who}@example.org", "phone_number": "254711000111"}
    return house.post("/employees/transfer-ownership", {**body, "employee_id": house.person(who).id}, by="Sam")


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.enqueue.send", lambda *_: None)


@pytest.mark.parametrize("leave", [suspend, delete, hand_over])
def test_an_approver_who_is_still_needed_stays(house: House, leave: Any) -> None:
    initiated(house, item(250_000.0))
    [request] = Approval.objects.filter(business=house.business)
    spare = len(APPROVERS) - request.approvals_required
    answers = [leave(house, who) for who in APPROVERS]
    assert [answer.status_code < 300 for answer in answers] == [place < spare for place in range(len(APPROVERS))]
    for answer in answers[spare:]:
        assert code(answer) == (409, "approvers_insufficient")
    still = Employee.objects.filter(business=house.business, role="APPROVER", status="ACTIVE")
    assert {person.name.split()[0] for person in still} >= set(APPROVERS[spare:])


@pytest.mark.parametrize("leave", [suspend, delete, hand_over])
def test_without_open_requests_everybody_may_leave(house: House, leave: Any) -> None:
    assert [leave(house, who).status_code < 300 for who in APPROVERS] == [True] * 3
