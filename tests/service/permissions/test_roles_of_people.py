"""An employee's role: changed by a super admin, and not where that would strand what waits for votes."""

from django.utils import timezone

from service.approvals.models import Mandate, MandateApprover
from service.businesses.models import Employee
from service.events.models import Event
from service.payments import tasks
from tests.service.approvals.conftest import no_worker, request_approval, vote  # noqa: F401
from tests.service.house import House, code


def give(house: House, who: str, role: str, by: str = "Sam") -> object:
    return house.send("PATCH", f"/permissions/employees/{house.person(who).id}/role", {"role": role}, by=by)


def test_a_role_is_given_and_told(house: House) -> None:
    before = timezone.now()
    answer = give(house, "Carla", "REVIEWER").json()  # type: ignore[attr-defined]
    assert (answer["role"], answer["version"]) == ("REVIEWER", 2)
    row = Employee.objects.get(id=house.person("Carla").id)
    assert row.role_changed_at > before
    event = Event.objects.get(business=house.business, kind="employee.updated").payload
    assert (event["object"]["role"], event["previous"]["role"]) == ("REVIEWER", "CARD_USER")
    assert "EXPENSE_REVIEW" in event["object"]["permissions"], "what goes with the role is told as well"
    assert "EXPENSE_REVIEW" not in event["previous"]["permissions"]
    assert house.get("/employees", by="Carla").status_code == 200, "at once"


def test_both_spellings_and_the_same_role_again(house: House) -> None:
    assert give(house, "Rita", "CARD USER").json()["role"] == "CARD_USER"  # type: ignore[attr-defined]
    assert give(house, "Rita", "CARD_USER").json()["version"] == 2  # type: ignore[attr-defined]
    assert Event.objects.filter(business=house.business, kind="employee.updated").count() == 1
    assert code(give(house, "Rita", "KING")) == (422, "validation_failed")


def test_an_approver_leaves_the_mandates_and_votes_no_more(house: House) -> None:
    assert give(house, "Juma", "ADMIN").status_code == 200  # type: ignore[attr-defined]
    seats = MandateApprover.objects.filter(employee=house.person("Juma"))
    assert seats.exists()
    assert not seats.filter(active=True).exists()
    assert Event.objects.filter(business=house.business, kind="mandate.updated").count() == seats.count()
    row = request_approval(house)
    assert house.person("Juma").id not in [seat["employee_id"] for seat in row.mandate_snapshot["approvers"]]
    assert code(vote(house, row, "Juma")) == (403, "insufficient_role")
    assert code(give(house, "Zawadi", "ADMIN")) == (409, "approvers_insufficient"), "a mandate asks for two"


def test_refused_where_an_open_request_would_be_stranded(house: House) -> None:
    Mandate.objects.filter(business=house.business).update(min_approvers=1)
    seats = MandateApprover.objects.filter(mandate__business=house.business)
    seats.filter(employee=house.person("Juma")).update(required=True)
    row = request_approval(house)
    assert code(give(house, "Juma", "REVIEWER")) == (409, "approvers_insufficient")
    assert Employee.objects.get(id=house.person("Juma").id).role == "APPROVER"
    assert give(house, "Apollo", "REVIEWER").status_code == 200  # type: ignore[attr-defined]
    vote(house, row, "Juma")
    assert give(house, "Juma", "REVIEWER").status_code == 200, "their vote is given"  # type: ignore[attr-defined]
    assert tasks
