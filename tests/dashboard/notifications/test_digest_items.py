"""The daily mail holds the items of the inbox of whoever gets it, each leading to itself with the sign-in between."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from dashboard.decisions.digest import MOST_ITEMS, waiting_decisions
from dashboard.decisions.filters import Filters
from dashboard.delegation.models import Delegation
from dashboard.delegation.services import DelegationTerms, close_delegation, create_delegation
from dashboard.mirror.models import Approval
from dashboard.notifications.digest import send_due
from dashboard.pages.approvals.tables.inbox import inbox_page
from dashboard.times import local
from tests.dashboard.notifications.test_mail import MORNING, due
from tests.dashboard.notifications.test_mail import outbox as outbox
from tests.dashboard.pages.conftest import House

BOTH = frozenset({"expense", "approval"})


def hand_over(house: House, **given: Any) -> Delegation:
    today = local(timezone.now(), house.business).date()
    values: dict[str, Any] = {
        "delegate": house.people["Zawadi"], "kinds": BOTH, "first": today, "last": today + timedelta(days=3),
    } | given  # fmt: skip
    return create_delegation(house.actor("Apollo"), DelegationTerms(**values), key=uuid.uuid4().hex)


def in_the_inbox(house: House, who: str) -> list[str]:
    rows = inbox_page(house.actor(who), Filters(), timezone.now()).rows
    return [house.address(f"approvals/{row.key}/") for row in rows]


def in_the_digest(house: House, who: str) -> list[str]:
    return [item.path for item in waiting_decisions(house.actor(who)).items]


def body_for(house: House, who: str) -> str:
    mail.outbox = []
    due(house, who)
    assert send_due(MORNING) == 1
    return str(mail.outbox[0].body)


def alone(house: House, who: str) -> Approval:
    """A payment request that only this person can vote on."""
    return house.payment(eligible=[{"employee_id": house.employee_id(who)}], approvals_required=1)


def test_it_has_the_rows_of_the_inbox_of_delegator_and_delegate_and_no_other(house: House) -> None:
    for _ in range(3):
        house.expense()
    house.expense(amount_minor=2_000_000)
    house.expense(employee_id=house.employee_id("Zawadi"), employee_name="Zawadi")
    house.payment()
    house.request()
    before = in_the_digest(house, "Apollo")
    assert before == in_the_inbox(house, "Apollo")
    delegation = hand_over(house, cap_minor=1_000_000, currency="KES")
    for who in ("Apollo", "Zawadi"):
        assert in_the_digest(house, who) == in_the_inbox(house, who) != []
    assert len(in_the_digest(house, "Apollo")) < len(before)
    close_delegation(house.actor("Apollo"), delegation)
    assert in_the_digest(house, "Apollo") == in_the_inbox(house, "Apollo") == before


def test_the_mail_of_the_delegate_says_whose_each_item_is_and_leads_to_it(house: House) -> None:
    expense = house.expense(merchant="Shell 0110123456")
    hand_over(house)
    body = body_for(house, "Zawadi")
    address = f"https://desk.example{house.address(f'approvals/expense/{expense.remote_id}/')}"
    assert body.count(address) == 1
    assert re.search(r"Shell ···3456.*, KES\xa08,420\.00 \(.*Expense · Amina Wanjiru · for Apollo, until ", body)
    assert "0110123456" not in body


def test_cut_offs_and_what_waits_for_nobody_lead_there_too(house: House) -> None:
    near = house.payment(due_at=timezone.now() + timedelta(hours=3))
    alone(house, "Zawadi")
    house.people["Zawadi"].is_active = False
    house.people["Zawadi"].save()
    body = body_for(house, "Apollo")
    cut_offs = body.partition("Cut-off within a day:")[2].partition("Without an available approver:")
    assert f"https://desk.example{house.address(f'approvals/payment/{near.remote_id}/')}" in cut_offs[0]
    stuck = cut_offs[2].partition("Review approvals:")[0]
    assert "no available approver" in stuck
    assert f"https://desk.example{house.address('approvals/')}" in stuck


def test_the_mail_of_the_delegator_has_what_stays_and_nothing_of_what_was_delegated(house: House) -> None:
    expense = house.expense()
    hand_over(house, kinds=frozenset({"expense"}))
    stays = alone(house, "Apollo")
    body = body_for(house, "Apollo")
    assert house.address(f"approvals/payment/{stays.remote_id}/") in body
    assert expense.remote_id not in body


def test_nothing_is_mailed_to_whom_nothing_is_left(house: House) -> None:
    house.expense()
    hand_over(house, kinds=frozenset({"expense"}))
    due(house, "Apollo")
    assert send_due(MORNING) == 0


@pytest.mark.parametrize("who", ["Zawadi", "Rita"])
def test_each_address_opens_the_item_and_asks_for_the_sign_in_between(house: House, who: str) -> None:
    house.expense()
    hand_over(house)
    (path,) = in_the_digest(house, who)
    refused = Client().get(path)
    assert refused.status_code == 302
    assert parse_qs(urlsplit(refused["Location"]).query)["next"] == [path]
    assert house.browser(who).get(path).status_code == 200


def test_of_very_many_it_lists_the_first_and_counts_the_rest(house: House) -> None:
    for _ in range(MOST_ITEMS + 3):
        house.expense()
    assert in_the_digest(house, "Apollo") == in_the_inbox(house, "Apollo")[:MOST_ITEMS]
    assert "And 3 more in your approvals." in body_for(house, "Apollo")
