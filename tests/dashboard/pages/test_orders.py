"""Cards, funds and transactions by hand at the desk: who sees them, who may decide, what is said before the click."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.decisions.models import Decision
from dashboard.mirror.models import ApprovalRequest
from tests.dashboard.pages.conftest import House
from tests.dashboard.pages.test_deciding_at_the_desk import SWAP, form, prove_it_is_you

KINDS = {
    "card_order": {"status": "REQUESTED", "amount_minor": None, "currency": ""},
    "card_request": {},
    "fund_opt_in": {"team_id": "", "holder_id": "", "holder_name": "", "requested_by_id": "ada"},
    "hand_transaction": {"payload": {"direction": "OUT"}},
}


def create_order(house: House, kind: str, **given: Any) -> ApprovalRequest:
    return house.request(kind=kind, **(KINDS[kind] | given))


def address(house: House, order: ApprovalRequest, verb: str = "") -> str:
    rest = f"approvals/{order.kind.replace('_', '-')}/{order.remote_id}/"
    return house.address(f"{rest}{verb}/" if verb else rest)


@pytest.mark.parametrize(
    ("kind", "sees", "decides"),
    [
        ("card_order", {"Apollo", "Ada", "Sam"}, {"Apollo", "Ada"}),
        ("card_request", {"Rita", "Rex", "Apollo", "Ada", "Sam"}, {"Rita", "Apollo", "Ada"}),
        ("fund_opt_in", {"Apollo", "Ada", "Sam"}, {"Apollo"}),
        ("hand_transaction", {"Rita", "Rex", "Apollo", "Ada", "Sam"}, {"Apollo"}),
    ],
)
def test_each_role_sees_and_decides_what_is_theirs(house: House, kind: str, sees: set[str], decides: set[str]) -> None:
    order = create_order(house, kind, title="Zebra")
    for name in ("Carla", "Rita", "Rex", "Apollo", "Ada", "Sam"):
        browser = house.browser(name)
        pane = browser.get(address(house, order))
        assert (pane.status_code == 200) == (name in sees), name
        assert ("/approve/" in pane.content.decode()) == (name in decides), name
        listed = browser.get(house.address("approvals/?show=mine"))
        assert ("Zebra" in listed.content.decode()) == (name in decides), name
        if name not in decides:
            refused = browser.post(address(house, order, "approve"), form(order))
            assert refused.status_code in {403, 404}, name
    assert not Decision.objects.filter(business=house.business).exists()


def test_another_business_finds_nothing(house: House, new_house: Any) -> None:
    order = create_order(new_house(), "card_request")
    assert house.browser("Apollo").get(address(house, order)).status_code == 404
    assert house.browser("Apollo").post(address(house, order, "approve"), form(order)).status_code == 404


@pytest.mark.parametrize("kind", ["card_order", "card_request"])
def test_ones_own_is_said_before_the_click_and_waits_for_others(house: House, kind: str) -> None:
    own = create_order(house, kind, holder_id=house.employee_id("Apollo"), title="Zebra")
    browser = house.browser("Apollo")
    assert "Zebra" not in browser.get(house.address("approvals/")).content.decode()
    assert "Zebra" in browser.get(house.address("approvals/?show=others")).content.decode()
    assert "This is your own" in browser.get(address(house, own)).content.decode()
    assert browser.post(address(house, own, "approve"), form(own)).status_code == 403


@pytest.mark.parametrize(("kind", "seconds"), [("card_order", 10), ("card_request", 10), ("hand_transaction", 0)])
def test_what_cannot_be_undone_asks_who_one_is(house: House, kind: str, seconds: int) -> None:
    order, browser = create_order(house, kind), house.browser("Apollo")
    answer = browser.post(address(house, order, "approve"), form(order), headers=SWAP)
    assert answer.status_code == (200 if seconds else 204)
    if not seconds:
        prove_it_is_you(browser)
        assert browser.post(address(house, order, "approve"), form(order)).status_code == 302
    decision = Decision.objects.get(object_id=order.remote_id)
    assert round((decision.due_at - decision.created_at).total_seconds()) == seconds
    assert (decision.object_type, decision.is_vote) == (kind, False)


def test_a_rejection_without_a_reason_keeps_what_was_typed_and_says_so(house: House) -> None:
    order = create_order(house, "card_order")
    answer = house.browser("Apollo").post(address(house, order, "reject"), form(order, reason=" "), headers=SWAP)
    assert answer.status_code == 422
    assert 'id="reason-reject-error">Enter a reason' in answer.content.decode()


def test_what_changed_since_one_looked_is_shown(house: House) -> None:
    order = create_order(house, "card_request")
    seen = form(order)
    ApprovalRequest.objects.filter(pk=order.pk).update(amount_minor=9_900_000)
    answer = house.browser("Apollo").post(address(house, order, "approve"), seen, headers=SWAP)
    assert answer.status_code == 409
    assert "<ins>KES\xa099,000.00</ins>" in answer.content.decode()


def test_what_is_voted_on_stands_once_as_its_request_for_votes(house: House) -> None:
    house.payment(kind="CARD_REQUEST", title="Zebra")
    create_order(house, "card_request", title="Zebra behind", voted=True)
    body = house.browser("Apollo").get(house.address("approvals/?kind=card")).content.decode()
    assert ">Zebra</a>" in body
    assert "Zebra behind" not in body


def test_what_has_no_amount_is_headed_by_what_it_is(house: House) -> None:
    order = create_order(house, "card_order", title="Amina, on the road")
    body = house.browser("Apollo").get(address(house, order)).content.decode()
    assert "data-heading>Amina, on the road</h2>" in body
    assert "no amount" not in body


def test_a_high_risk_says_why_one_more_vote_is_asked_for(house: House) -> None:
    for level, asks_for_more in (("HIGH", True), ("MEDIUM", False)):
        payment = house.payment()
        payment.payload = {"risk_at_request": {"level": level, "score": 70}}
        payment.save()
        body = house.browser("Apollo").get(house.address(f"approvals/payment/{payment.remote_id}/")).content.decode()
        assert ("High risk: one extra approval required" in body) is asks_for_more
