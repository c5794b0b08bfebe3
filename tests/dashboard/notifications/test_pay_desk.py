"""Whoever asked for it hears that a manual transaction or a fund was decided on, and that a payment failed; whoever may act
hears of bills that come and fall due. Against the real service."""

from __future__ import annotations

import time
from typing import Any

import pytest

from dashboard.decisions.registry import APPROVAL_KINDS
from dashboard.inbound_mail.services import receive
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Bill, Origin
from dashboard.mirror.sync import follow_feed
from dashboard.mirror.webhook_inbox import apply_event
from dashboard.notifications import bills
from dashboard.notifications.decided import DECIDED_KINDS
from dashboard.notifications.mail import place_of
from dashboard.notifications.models import Notice
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World
from tests.dashboard.decisions import service_requests
from tests.dashboard.decisions.test_real_requests import request_of_event, waiting


def notices(world: World, topic: str, person: str = "") -> list[Notice]:
    rows = Notice.objects.filter(business=world.business, topic=topic).order_by("sentence")
    return list(rows.filter(membership=world.people[person]) if person else rows)


def heard(world: World, topic: str) -> Notice:
    """The one notice of a topic, once its event has come; read on, it stays the only one."""
    for _ in range(50):
        follow_feed(world.business)
        if notices(world, topic):
            break
        time.sleep(0.2)
    follow_feed(world.business)
    (notice,) = notices(world, topic)
    return notice


@pytest.mark.parametrize(
    ("verb", "body", "sentence"),
    [
        ("approve", None, "was approved and is posted by Zawadi"),
        ("reject", {"reason": "Already entered."}, "was rejected by Zawadi"),
    ],
)
def test_whoever_wrote_a_transaction_hears_how_it_was_decided(
    world: World, verb: str, body: Any, sentence: str
) -> None:
    service_requests.hand_transaction(world)
    row = waiting(world, "hand_transaction")
    service_requests.ask(world, "Zawadi", "PUT", f"/transactions/{row.remote_id}/{verb}", body)
    notice = heard(world, "decided")
    assert notice.membership == world.people["Ada"]
    assert notice.sentence.startswith("Your manual transaction")
    assert sentence in notice.sentence
    assert (notice.kind, notice.remote_id) == ("hand_transaction", row.remote_id)
    page = world.client("Ada").post(world.address(f"notifications/{notice.pk}/"), follow=True)
    assert page.status_code == 200


def test_whoever_asked_for_a_fund_hears_how_it_was_decided(world: World) -> None:
    asked_for = service_requests.fund_opt_in(world)
    row = request_of_event(world, "fund_opt_in")
    service_requests.ask(world, "Apollo", "POST", f"/investments/opt-in/{row.ref}/approve")
    notice = heard(world, "decided")
    assert notice.membership == world.people["Ada"]
    assert asked_for["fund_name"] in notice.sentence
    assert "was approved by Apollo" in notice.sentence


def test_a_transaction_that_nobody_wrote_by_hand_tells_nobody(world: World) -> None:
    resource = {"_id": "f" * 24, "status": "POSTED", "created_by": world.employee("Ada")["employee_id"], "version": 2}
    event = {"type": "transaction.posted", "data": {"object": resource}}
    apply_event(world.business, event, Origin.FEED)
    assert notices(world, "decided") == []


def failed_payment(world: World, attempts: int = 1) -> dict[str, Any]:
    bill = upstream.bill(world, number="INV-FAILS")
    row = upstream.payment(world, bill, request=False)
    attempt = {"number": 1, "status": "FAILED"}
    row |= {"status": "FAILED", "version": 90 + attempts, "attempts": [attempt] * attempts}
    return {"type": "bill_payment.failed", "data": {"object": row}}


def test_whoever_asked_for_a_bill_payment_hears_of_each_failure_once(world: World) -> None:
    event = failed_payment(world)
    for _ in range(2):
        apply_event(world.business, event, Origin.WEBHOOK)
    (notice,) = notices(world, "payments")
    assert notice.membership == world.people["Ada"]
    assert notice.sentence.startswith("The payment of KES\xa01,000.00 to Paper ")
    assert "for bill INV-FAILS failed." in notice.sentence
    payment = event["data"]["object"]
    assert (notice.kind, notice.remote_id) == ("bill", payment["bill_id"])
    payment |= {"attempts": payment["attempts"] * 2, "version": 99}
    apply_event(world.business, event, Origin.WEBHOOK)
    assert len(notices(world, "payments")) == 2


def test_whoever_made_a_payout_hears_how_many_of_its_payments_failed(world: World) -> None:
    ada, apollo = (world.employee(name)["employee_id"] for name in ("Ada", "Apollo"))
    payout = {
        "_id": "d" * 24, "batch_no": "PB-1", "name": "October salaries", "status": "PARTIALLY_COMPLETED", "item_count": 60,
        "failed_count": 7, "created_by": ada, "initiated_by": apollo, "total_amount_minor": 1, "total_amount": "0.01",
        "currency": "KES", "version": 5,
    }  # fmt: skip
    for status in ("PARTIALLY_COMPLETED", "PARTIALLY_COMPLETED", "COMPLETED"):
        event = {"type": "payout.completed", "data": {"object": payout | {"status": status}}}
        apply_event(world.business, event, Origin.WEBHOOK)
    assert {one.membership for one in notices(world, "payments")} == {world.people["Ada"], world.people["Apollo"]}
    assert {one.sentence for one in notices(world, "payments")} == {
        "7 of 60 payments of the payout October salaries failed."
    }


def test_whoever_made_a_payout_hears_why_it_is_on_hold_and_so_does_who_asked_for_a_bill_payment(world: World) -> None:
    ada, apollo = (world.employee(name)["employee_id"] for name in ("Ada", "Apollo"))
    payout = {
        "_id": "d" * 24, "batch_no": "PB-1", "name": "October salaries", "status": "ON_HOLD", "item_count": 60,
        "failed_count": 0, "created_by": ada, "initiated_by": apollo, "total_amount_minor": 1, "total_amount": "0.01",
        "currency": "KES", "version": 5, "hold_reason": "payee_changed",
    }  # fmt: skip
    for _ in range(2):
        apply_event(world.business, {"type": "payout.on_hold", "data": {"object": payout}}, Origin.WEBHOOK)
    assert {one.membership for one in notices(world, "payments")} == {world.people["Ada"], world.people["Apollo"]}
    assert {one.sentence for one in notices(world, "payments")} == {
        "The payout October salaries is not paid: an account in it was replaced by another one."
    }
    row = upstream.payment(world, upstream.bill(world, number="INV-HELD"), request=False)
    row |= {"status": "PENDING_APPROVAL", "hold_reason": "withholding_changed", "version": 90}
    apply_event(world.business, {"type": "bill_payment.approval_requested", "data": {"object": row}}, Origin.WEBHOOK)
    assert any(
        one.sentence.startswith("The payment for bill INV-HELD is not paid: more or less is withheld by now")
        for one in notices(world, "payments", "Ada")
    )


def copied(world: World, bill: dict[str, Any]) -> Bill:
    upsert("bill", world.business, [world.upstream(f"/bills/{bill['_id']}")], Origin.POLL)
    return Bill.objects.get(business=world.business, remote_id=bill["_id"])


def test_bills_of_which_nothing_is_being_paid_are_spoken_of_three_days_before_and_on_the_day(world: World) -> None:
    for days in (0, 1, 3, 4):
        copied(world, upstream.bill(world, due=days, number=f"DUE-{days}"))
    under_way = upstream.bill(world, due=0, number="UNDER-WAY")
    upsert("bill_payment", world.business, [upstream.payment(world, under_way)], Origin.POLL)
    copied(world, under_way)
    for _ in range(2):
        bills.remind()
    mine = [one.sentence for one in notices(world, "bills_due", "Ada")]
    assert [sentence.split()[1] for sentence in mine] == ["DUE-0", "DUE-3"]
    assert "is due today: KES\xa01,000.00 is open, and nothing of it is being paid." in mine[0]
    assert not {world.people[name] for name in ("Carla", "Rita")} & {
        one.membership for one in notices(world, "bills_due")
    }


def test_of_many_bills_on_one_day_one_sentence_says_how_many(world: World) -> None:
    of = upstream.vendor(world)
    due = [upstream.bill(world, of, due=0, number=f"DUE-{number}") for number in range(7)]
    for bill in due:
        copied(world, bill)
    bills.remind()
    # As soon as some are being paid few are left: all of them were spoken of.
    for bill in due[:3]:
        upsert("bill_payment", world.business, [upstream.payment(world, bill)], Origin.POLL)
        copied(world, bill)
    bills.remind()
    (notice,) = notices(world, "bills_due", "Ada")
    assert notice.sentence == "7 bills are due today, and nothing of them is being paid."
    assert place_of(world.business.slug, notice.topic, notice.kind, notice.remote_id) == world.address("bills/")


def test_a_message_to_the_mailbox_of_bills_is_told_once_to_whoever_may_enter_them(world: World, settings: Any) -> None:
    settings.INBOUND_MAIL_DOMAIN = "in.example"
    raw = (
        f"From: Mary <bills@otieno.example>\r\nTo: bills+{world.business.slug}@in.example\r\nSubject: Your invoice\r\n"
        "Message-ID: <1@otieno>\r\n\r\nPlease find it.\r\n"
    ).encode()
    for _ in range(2):
        receive(raw)
    (notice,) = notices(world, "bills_received", "Ada")
    assert notice.sentence == "A message without a file came to the bills' mailbox from bills@otieno.example."
    assert place_of(world.business.slug, notice.topic, "", "") == world.address("bills/received/")
    assert notices(world, "bills_received", "Carla") == []


def test_of_every_kind_of_request_its_requester_hears_the_decision() -> None:
    assert set(APPROVAL_KINDS) <= {decided.kind for decided in DECIDED_KINDS.values()}
    told = {noun: (decided.noun, dict(decided.phrases)) for noun, decided in DECIDED_KINDS.items()}
    assert told == {
        "expense": (
            "expense",
            {"APPROVED": "was approved", "REJECTED": "was rejected", "DETAILS_REQUESTED": "needs an answer from you"},
        ),
        "approval": (
            "request", {"APPROVED": "was approved", "REJECTED": "was rejected", "EXPIRED": "has expired"},
        ),
        "card_order": ("card order", {"ORDERED": "was approved", "REJECTED": "was rejected"}),
        "card_request": ("single-use card", {"APPROVED": "was approved", "REJECTED": "was rejected"}),
        "transaction": (
            "manual transaction",
            {"APPROVED": "was approved", "POSTED": "was approved and is posted", "REJECTED": "was rejected"},
        ),
        "fund_opt_in": (
            "request for the fund", {"APPROVED": "was approved", "REJECTED": "was rejected", "EXPIRED": "has expired"},
        ),
    }  # fmt: skip
