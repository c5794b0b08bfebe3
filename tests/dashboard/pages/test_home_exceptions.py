"""What needs a look on Home: each issue is seen by whom it concerns, counts only theirs, and leads to the list of it."""

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from dashboard.mirror.models import Card, Drift, Origin, Vendor, WalletPolicy
from dashboard.mirror.webhook_inbox import apply_event
from dashboard.pages.home.presenters.issues import issues_of
from tests.dashboard.pages.conftest import House, numbers
from tests.dashboard.pages.test_access_changes import change

HTMX = {"HX-Request": "true"}
FINANCE = ("Apollo", "Ada", "Sam")


def blocked_card(house: House, **given: Any) -> Card:
    number = next(numbers)
    values = {
        "remote_id": f"{number:024x}", "kind": "VIRTUAL", "status": "BLOCKED", "employee_id": "somebody-else",
        "team_id": "elsewhere", "currency": "KES", "created_at": timezone.now(), "sort_holder": "",
    } | given  # fmt: skip
    return Card.objects.create(**house._mirrored(), **values)


def policy(house: House, ends_in_days: float, **given: Any) -> WalletPolicy:
    values = {
        "remote_id": f"{next(numbers):024x}", "wallet_id": "wallet", "employee_id": "somebody-else",
        "status": "ACTIVE", "expires_at": timezone.now() + timedelta(days=ends_in_days),
    } | given  # fmt: skip
    return WalletPolicy.objects.create(**house._mirrored(), **values)


def changed_vendor(house: House, **given: Any) -> Vendor:
    values = {
        "remote_id": f"{next(numbers):024x}", "name": "Otieno & Sons", "quarantined": True, "status": "ACTIVE",
        "created_at": timezone.now(),
    } | given  # fmt: skip
    return Vendor.objects.create(**house._mirrored(), **values)


def failed_bill(house: House, **given: Any) -> None:
    values = {"kind": "bill_payment", "voted": True, "status": "FAILED", "payee": "Simba Tyres", "holder_id": ""}
    house.request(**values | {"team_id": "", "requested_by_id": "brian"} | given)


def body(house: House, name: str) -> str:
    return house.browser(name).get(house.address("home/exceptions/"), headers=HTMX).content.decode()


def sentences(house: House, name: str) -> str:
    return " ".join(issue.sentence for issue in issues_of(house.actor(name)))


def test_a_bill_payment_that_failed_is_named_to_finance_alone(house: House, new_house: Callable[..., House]) -> None:
    failed_bill(house, amount_minor=4_865_000)
    failed_bill(house, status="SUCCEEDED", payee="Paid & Gone")
    failed_bill(new_house(), payee="Next door")
    for name in FINANCE:
        markup = body(house, name)
        assert "1 bill payment failed: Simba Tyres KES\xa048,650.00." in markup.replace("KES 48", "KES\xa048")
        assert f"{house.address('approvals/')}?show=decided&amp;kind=bill" in markup
        assert "Paid" not in markup
        assert "Next door" not in markup
    for name in ("Carla", "Rita"):
        assert "failed" not in sentences(house, name)


def told_of_payout(house: House, status: str, days_ago: float = 0, **given: Any) -> None:
    """An event of a payout, as the service sends it."""
    at = (timezone.now() - timedelta(days=days_ago)).isoformat()
    payout = {
        "_id": f"{next(numbers):024x}", "batch_no": "PO-7", "name": "Drivers", "status": status, "currency": "KES",
        "total_amount": Decimal("12500.0"), "total_amount_minor": 1_250_000, "item_count": 5, "failed_count": 2,
        "created_by": "brian", "version": 4, "createdAt": at, "updatedAt": at,
    } | given  # fmt: skip
    event = {"type": f"payout.{status.lower()}", "timestamp": at, "data": {"object": payout}}
    apply_event(house.business, event, Origin.WEBHOOK)


def test_a_payout_that_failed_whole_or_in_part_is_told_for_a_week(
    house: House, new_house: Callable[..., House]
) -> None:
    told_of_payout(house, "FAILED", name="Drivers, November")
    told_of_payout(house, "PARTIALLY_COMPLETED")
    told_of_payout(house, "COMPLETED", name="All arrived")
    told_of_payout(house, "FAILED", days_ago=8, name="Long ago")
    told_of_payout(new_house(), "FAILED", name="Next door")
    for name in FINANCE:
        (line,) = [issue for issue in issues_of(house.actor(name)) if "payout" in issue.sentence]
        assert line.sentence.startswith("2 payouts failed or failed in part: Drivers")
        assert line.href == f"{house.address('approvals/')}?show=decided&kind=payment"
        assert "arrived" not in line.sentence
        assert "Long ago" not in line.sentence
        assert "Next door" not in line.sentence
    for name in ("Carla", "Rita"):
        assert "payout" not in sentences(house, name)


def test_blocked_cards_are_counted_as_far_as_one_sees_them(house: House, new_house: Callable[..., House]) -> None:
    blocked_card(house)
    blocked_card(house, team_id="fleet")
    blocked_card(house, employee_id=house.employee_id("Carla"))
    blocked_card(house, status="ACTIVE", employee_id=house.employee_id("Carla"))
    blocked_card(new_house())
    assert "3 cards are blocked." in body(house, "Ada")
    assert "1 card is blocked." in body(house, "Rita")
    assert "1 of your cards is blocked." in body(house, "Carla")
    assert f"{house.address('cards/')}?status=BLOCKED" in body(house, "Carla")
    listed = house.browser("Carla").get(house.address("cards/?status=BLOCKED"))
    assert listed.status_code == 200


def test_access_that_ends_within_a_week_is_told_to_admins_and_to_whose_it_is(
    house: House, new_house: Callable[..., House]
) -> None:
    policy(house, 3, employee_id=house.employee_id("Carla"))
    policy(house, 6)
    policy(house, 8)
    policy(house, -1)
    policy(house, 3, status="SUSPENDED")
    policy(house, 3, valid_from=timezone.now() + timedelta(days=1))
    policy(new_house(), 3)
    for name in FINANCE:
        assert "2 wallet policies end within 7 days." in body(house, name)
        assert f"{house.address('wallet-policies/')}?has=soon" in body(house, name)
    assert "Your access to 1 wallet ends within 7 days" in body(house, "Carla")
    assert house.address("wallet-policies/me/") in body(house, "Carla")
    assert "access" not in sentences(house, "Rita")


def test_vendors_whose_payee_change_waits(house: House, new_house: Callable[..., House]) -> None:
    changed_vendor(house)
    changed_vendor(house, quarantined=False)
    changed_vendor(house, status="DELETED")
    changed_vendor(new_house())
    for name in ("Rita", *FINANCE):
        assert "1 vendor has new payee details that need confirmation by a second person" in body(house, name)
        assert house.address("vendors/payee-changes/") in body(house, name)
    assert "vendor" not in sentences(house, "Carla")


def test_days_that_differ_are_told_to_finance_and_lead_to_those_days(
    house: House, new_house: Callable[..., House]
) -> None:
    for wallet, day in (("KES-1", 3), ("KES-2", 3), ("KES-1", 5)):
        Drift.objects.create(business=house.business, org_wallet_ref=wallet, day=date(2026, 11, day), found={})
    Drift.objects.create(
        business=house.business, org_wallet_ref="KES-1", day=date(2026, 11, 9), found={}, closed_at=timezone.now()
    )
    Drift.objects.create(business=new_house().business, org_wallet_ref="KES-1", day=date(2026, 11, 9), found={})
    for name in FINANCE:
        assert "Our copy and the service differ on 2 days" in body(house, name)
        assert "?since=2026-11-03&amp;until=2026-11-05" in body(house, name)
    for name in ("Carla", "Rita"):
        assert "differ" not in sentences(house, name)


def test_a_cut_off_of_what_waits_for_others_is_told_and_ones_own_stands_in_the_queue(house: House) -> None:
    house.payment(due_at=timezone.now() + timedelta(hours=5))
    house.payment(due_at=timezone.now() + timedelta(days=5))
    line = "1 request waiting for others reaches its cut-off within a day."
    assert line in body(house, "Ada")
    assert line not in body(house, "Apollo")
    assert "cut-off" not in sentences(house, "Rita")


@pytest.mark.parametrize("name", ["Carla", "Rita", "Apollo", "Ada", "Sam"])
def test_however_much_there_is_the_looks_are_as_many(
    house: House, name: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(12):
        blocked_card(house)
        policy(house, 2)
        changed_vendor(house)
        failed_bill(house)
        told_of_payout(house, "FAILED")
    actor = house.actor(name)
    with django_assert_max_num_queries(25):
        issues_of(actor)


def test_nothing_to_look_at_is_said_so(house: House) -> None:
    # The copy of this business was never read, which is an issue of its own.
    assert [issue.sentence for issue in issues_of(house.actor("Carla"))] == [
        "The copy of the expenses is not read yet."
    ]


@pytest.mark.parametrize(("name", "tab"), [("Sam", "mine"), ("Ada", "others"), ("Apollo", ""), ("Rita", "")])
def test_a_change_of_access_that_nobody_confirms_is_told_after_three_days(house: House, name: str, tab: str) -> None:
    change(house, proposed_at=timezone.now() - timedelta(days=2))
    assert "second admin" not in body(house, name)
    change(house, proposed_at=timezone.now() - timedelta(days=4))
    markup = body(house, name)
    assert ("1 access change has waited for a second admin for more than 3 days." in markup) is bool(tab)
    assert (house.address(f"approvals/?show={tab}&amp;kind=access") in markup) is bool(tab)
