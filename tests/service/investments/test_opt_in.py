"""Opting in to a fund: asked by one, approved by others within seven days, once per fund."""

from datetime import timedelta

import pytest
from django.utils import timezone

from service.approvals.mandates import NewMandate, open_mandates
from service.approvals.models import ActionType, Approval
from service.events.models import Event
from service.investments import catalogue, opt_ins
from service.investments.models import Fund, FundAccount, OptIn
from service.rails import fund_manager
from service.rails.fund_manager import SimulatedManager
from tests.service.house import House, code
from tests.service.investments.conftest import fund, opened, request_opt_in, state


def test_another_person_opens_the_account(house: House) -> None:
    created = request_opt_in(house)
    assert (created["status"], created["approvals_required"], created["approvals_given"]) == ("PENDING", 1, 0)
    assert house.get(f"/investments/opt-in/{created['ref']}", by="Sam").json() == created
    done = house.post(f"/investments/opt-in/{created['ref']}/approve", by="Apollo").json()
    assert (done["status"], done["approvals_given"], done["decided_by"]) == (
        "APPROVED", 1, house.person("Apollo").id,
    )  # fmt: skip
    assert state(house, created["fund_account_id"])["status"] == "ACTIVE"
    kinds = Event.objects.filter(business=house.business, kind__startswith="investment.").order_by("id")
    assert list(kinds.values_list("kind", flat=True)) == ["investment.optin_requested", "investment.optin_approved"]


def test_maker_never_checks(house: House) -> None:
    created = request_opt_in(house, by="Apollo")
    for verb, body in (("approve", None), ("reject", {"reason": "No"})):
        answer = house.post(f"/investments/opt-in/{created['ref']}/{verb}", body, by="Apollo")
        assert code(answer) == (403, "self_approval_forbidden")


def test_a_mandate_asks_for_several_votes(house: House) -> None:
    people = [house.person(name) for name in ("Apollo", "Zawadi", "Juma")]
    open_mandates(house.business, people[:2], [NewMandate(ActionType.INVESTMENT, "KES", 2, 0, None, False)])
    created = request_opt_in(house)
    asked_for = Approval.objects.get(business=house.business)
    assert (asked_for.action_type, created["approval_id"], created["approvals_required"]) == (7, asked_for.id, 2)
    path = f"/investments/opt-in/{created['ref']}/approve"
    assert house.post(path, by="Apollo").json()["status"] == "PENDING"
    assert code(house.post(path, by="Apollo")) == (409, "duplicate")
    assert code(house.post(path, by="Juma")) == (403, "insufficient_role")  # the mandate does not name Juma
    assert house.post(path, by="Zawadi").json()["status"] == "APPROVED"


def test_a_vote_through_the_approvals_area_counts_alike(house: House) -> None:
    open_mandates(
        house.business, [house.person("Zawadi")], [NewMandate(ActionType.INVESTMENT, "KES", 1, 0, None, False)]
    )
    created = request_opt_in(house)
    house.post("/approvals/reject", {"approval_id": created["approval_id"], "reason": "Too risky"}, by="Zawadi")
    assert house.get(f"/investments/opt-in/{created['ref']}").json()["status"] == "REJECTED"
    assert FundAccount.objects.get(id=created["fund_account_id"]).status == "CLOSED"


@pytest.mark.parametrize("mandate", [False, True])
def test_after_seven_days_it_has_expired(house: House, mandate: bool) -> None:
    if mandate:
        open_mandates(
            house.business, [house.person("Apollo")], [NewMandate(ActionType.INVESTMENT, "KES", 1, 0, None, False)]
        )
    created = request_opt_in(house)
    assert opt_ins.expire_due() == 0
    OptIn.objects.filter(ref=created["ref"]).update(expires_at=timezone.now() - timedelta(seconds=1))
    late = house.post(f"/investments/opt-in/{created['ref']}/approve", by="Apollo")
    assert code(late) == (409, "invalid_state")
    assert (opt_ins.expire_due(), opt_ins.expire_due()) == (1, 0)
    assert house.get(f"/investments/opt-in/{created['ref']}").json()["status"] == "EXPIRED"
    assert not Approval.objects.filter(business=house.business, status="PENDING").exists()
    assert request_opt_in(house)["status"] == "PENDING"  # and may be asked for again


def test_a_fund_is_held_once(house: House) -> None:
    created = request_opt_in(house)
    body = {"fund_id": created["fund_id"]}
    assert code(house.post("/investments/opt-in", body)) == (409, "duplicate")
    house.post(f"/investments/opt-in/{created['ref']}/reject", {"reason": "No"}, by="Apollo")
    assert code(house.post(f"/investments/opt-in/{created['ref']}/approve", by="Apollo")) == (409, "invalid_state")
    opened(house)
    assert code(house.post("/investments/opt-in", body)) == (409, "duplicate")


def test_a_closed_fund_takes_nobody_and_its_accounts_are_suspended(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = opened(house)
    closed = SimulatedManager()
    closed.offers[0] = type(closed.offers[0])(
        "BAO-MMF-KES", "Baobab Money Market", "KES", "MONEY_MARKET", 1_150, 1_000_00, 100_00, 100_00, 0, open=False
    )
    monkeypatch.setattr(fund_manager, "manager", closed)
    catalogue.refresh()
    assert fund(house)["status"] == Fund.Status.CLOSED
    assert state(house, account)["status"] == "SUSPENDED"
    other = House()
    assert code(other.post("/investments/opt-in", {"fund_id": fund(other)["_id"]})) == (409, "invalid_state")
    monkeypatch.setattr(fund_manager, "manager", SimulatedManager())
    catalogue.refresh()
    assert state(house, account)["status"] == "ACTIVE"


@pytest.mark.parametrize("body", [{}, {"fund_id": 1}, {"fund_id": "x"}, {"fund_id": "0" * 24, "more": 1}])
def test_a_body_that_is_none_is_422(house: House, body: dict[str, object]) -> None:
    assert code(house.post("/investments/opt-in", body)) == (422, "validation_failed")


def test_who_may_ask_approve_and_read(house: House) -> None:
    fund_id = fund(house)["_id"]
    assert code(house.post("/investments/opt-in", {"fund_id": "0" * 24})) == (404, "not_found")
    assert code(house.post("/investments/opt-in", {"fund_id": fund_id}, key=None)) == (400, "idempotency_key_missing")
    for name in ("Carla", "Rita", "Sam"):
        assert code(house.post("/investments/opt-in", {"fund_id": fund_id}, by=name)) == (403, "insufficient_role")
    created = request_opt_in(house)
    for name in ("Carla", "Rita", "Ada", "Sam"):
        for verb in ("approve", "reject"):
            answer = house.post(f"/investments/opt-in/{created['ref']}/{verb}", {"reason": "x"}, by=name)
            assert code(answer) == (403, "insufficient_role")
    for name in ("Carla", "Rita"):
        assert code(house.get(f"/investments/opt-in/{created['ref']}", by=name)) == (403, "insufficient_role")
    other = House()
    assert code(other.get(f"/investments/opt-in/{created['ref']}")) == (404, "not_found")
    for verb in ("approve", "reject"):
        answer = other.post(f"/investments/opt-in/{created['ref']}/{verb}", {"reason": "x"}, by="Apollo")
        assert code(answer) == (404, "not_found")
