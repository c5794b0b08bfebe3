"""Payouts, against the real service: a table is checked and corrected, made a draft, initiated, voted on and paid once."""

from __future__ import annotations

import csv
import io
import re
import time
import uuid
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pypdfium2
import pytest
import requests
from django.test import Client
from django.utils import timezone

from dashboard import operations
from dashboard.decisions.dispatcher import send_due
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.decisions.services import submit_decision
from dashboard.mirror.apply import upsert_approvals
from dashboard.mirror.models import Approval, ApprovalRequest
from dashboard.pages.payouts.presenters.payouts import approved_text
from dashboard.schemas.payments import PayoutItem
from tests.dashboard.conftest import World
from tests.sandbox import sandbox_headers

HEADING = "receiver\tchannel\taccount\tbank\treference\tamount\tnote"
GRACE = "Grace Achieng\tM-Pesa to a phone\t0712 345 678\t\t\t1,500.50\tOctober"
BRIAN = "Brian Kiptoo\tPESALINK\t0110234567\tEquity Bank Kenya\t\t20000\t"
PESALINK = BRIAN.replace("PESALINK", "PesaLink")
UNKNOWN_ACCOUNT = "Fatma Rashid\tMPESA_TILL\t5550001\t\t\t300\t"
PROVEN = {"method": "password", "at": 0.0}


def table(*rows: str) -> str:
    return "\n".join((HEADING, *rows))


def signed_in(world: World, who: str) -> Client:
    """A browser of somebody who has just shown that it is them."""
    client = world.client(who)
    session = client.session
    session["account_authentication_methods"] = [PROVEN | {"at": time.time()}]
    session.save()
    return client


def make(world: World, rows: str, who: str = "Ada", **form: Any) -> Any:
    body = {"name": "Wages", "wallet": "1", "rows": rows, "key": uuid.uuid4().hex, **form}
    return signed_in(world, who).post(world.address("payouts/new/"), body)


def meant(answer: Any) -> str:
    """What the tick of a page acknowledges: exactly the repeats that stand beside it."""
    mark = re.search(r'name="meant" value="([0-9a-f]{64})"', answer.content.decode())
    assert mark is not None
    return mark[1]


def make_anyway(world: World, rows: str, **form: Any) -> Any:
    """A draft of payments that stand in another one already."""
    form.setdefault("key", uuid.uuid4().hex)
    return make(world, rows, **form, meant=meant(make(world, rows, **form)))


def only(world: World) -> ApprovalRequest:
    return ApprovalRequest.objects.get(business=world.business, kind="payout")


def post(world: World, who: str, rest: str, **form: Any) -> Any:
    return signed_in(world, who).post(world.address(f"payouts/{rest}/"), {"key": uuid.uuid4().hex, **form})


def page(world: World, who: str, rest: str = "") -> str:
    return str(world.client(who).get(world.address(f"payouts/{rest}")).content.decode())


def upstream(world: World, payout: ApprovalRequest) -> Any:
    [whole] = world.upstream("/payments", batch_no=payout.ref)["docs"]
    return whole


def approve(world: World, payout: ApprovalRequest) -> None:
    """All votes that the mandate wants, cast as decisions of the inbox."""
    upsert_approvals(world.business, world.upstream("/approvals/all", ref=payout.ref)["docs"], "POLL")
    row = Approval.objects.get(business=world.business, ref=payout.ref, status="PENDING")
    seats = {seat["employee_id"] for seat in row.eligible}
    voters = [name for name in ("Apollo", "Zawadi", "Juma") if world.employee(name)["employee_id"] in seats]
    for who in voters[: row.approvals_required]:
        row.refresh_from_db()
        submit_decision(
            world.actor(who), operations.APPROVE_PAYMENT_REQUEST, row, fingerprint=fingerprint_of(row),
            key=uuid.uuid4().hex, reason="Seen.",
        )  # fmt: skip
        send_due(world.business)


def settled(world: World, payout: ApprovalRequest) -> Any:
    """The payout once the rails have worked on it."""
    for _ in range(60):
        requests.post(
            f"{world.service}/sandbox/businesses/{world.made['business_id']}/settle",
            headers=sandbox_headers(),
            timeout=30,
        )
        whole = upstream(world, payout)
        if whole["status"] in {"COMPLETED", "PARTIALLY_COMPLETED", "FAILED"}:
            return whole
        time.sleep(0.2)
    raise AssertionError(whole["status"])


def test_a_pasted_table_is_a_draft_with_its_fees_and_the_balance_after(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    answer = make(world, table(GRACE, PESALINK))
    payout = only(world)
    assert answer["Location"] == world.address(f"payouts/{payout.remote_id}/")
    whole = upstream(world, payout)
    assert (whole["status"], whole["item_count"], whole["total_amount_minor"]) == ("DRAFT", 2, 2_150_050)
    assert [
        (item["receiver_name"], item["channel"], item["account"], item["bank_code"]) for item in whole["items"]
    ] == [
        ("Grace Achieng", "MPESA_SEND_MONEY", "254712345678", ""),
        ("Brian Kiptoo", "BANK_PESALINK", "0110234567", "68"),
    ]
    shown = page(world, "Ada", f"{payout.remote_id}/").replace("\xa0", " ")
    assert "KES 53.00" in shown
    assert "Balance after" in shown
    assert "···5678" in shown
    assert "254712345678" not in shown
    assert "Wages" in page(world, "Apollo")


def test_what_is_there_twice_is_shown_before_a_draft_is_made(world: World) -> None:
    answer = make(world, table(GRACE, GRACE))
    assert answer.status_code == 409
    assert "the same as row 2" in answer.content.decode()
    assert make(world, table(GRACE, GRACE), meant=meant(answer)).status_code == 302
    payout = only(world)
    twice = post(world, "Ada", f"{payout.remote_id}/initiate")
    assert twice.status_code == 409
    assert post(world, "Ada", f"{payout.remote_id}/initiate", meant=meant(twice)).status_code == 302
    again = make(world, table(GRACE))
    assert again.status_code == 409
    assert payout.ref in again.content.decode()


def test_it_is_initiated_voted_on_paid_once_and_the_failed_one_is_paid_again(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=100_000)
    make(world, table(GRACE, UNKNOWN_ACCOUNT))
    payout = only(world)
    assert post(world, "Ada", f"{payout.remote_id}/initiate").status_code == 302
    payout.refresh_from_db()
    assert payout.status == "PENDING_APPROVAL"
    approve(world, payout)
    assert "Open the payment request" not in page(world, "Ada", f"{payout.remote_id}/")
    whole = upstream(world, payout)
    if whole["status"] == "AWAITING_CODE":
        pay_with_code(world, payout)
    whole = settled(world, payout)
    assert (whole["succeeded_count"], whole["failed_count"]) == (1, 1)
    shown = page(world, "Ada", f"{payout.remote_id}/?only=FAILED")
    assert "The account is not known" in shown
    assert "Grace Achieng" not in shown

    sheet = list(csv.reader(io.StringIO(page(world, "Ada", f"{payout.remote_id}/sheet/"))))
    end = next(number for number, row in enumerate(sheet) if row[0] == "Total")
    assert {row[0]: (row[4], Decimal(row[8])) for row in sheet[1:end]} == {
        "Grace Achieng": ("Paid", Decimal("1500.5")),
        "Fatma Rashid": ("Failed", Decimal(300)),
    }
    assert [Decimal(cell) for cell in sheet[end][8:]] == list(
        map(Decimal, ("1800.5", "1500.5", "300", "0", "0", "13", "1500.5", "13"))
    )
    assert "Equal to the cent: 1 ledger posting took KES 1,513.50" in sheet[end + 1][0].replace("\xa0", " ")
    document = pypdfium2.PdfDocument(signed_in(world, "Ada").get(
        world.address(f"payouts/{payout.remote_id}/sheet/pdf/")
    ).content)  # fmt: skip
    printed = document[0].get_textpage().get_text_range()
    assert "Equal to the cent" in printed
    assert "Grace Achieng" in printed
    assert "254712345678" not in printed

    answer = post(world, "Ada", f"{payout.remote_id}/again", failed="1")
    assert answer.status_code == 302
    again = ApprovalRequest.objects.filter(business=world.business, kind="payout").exclude(pk=payout.pk).get()
    assert [item["receiver_name"] for item in upstream(world, again)["items"]] == ["Fatma Rashid"]
    assert again.status == "DRAFT"

    # The draft stands on the page, and a second one is not made before it is said that it is meant.
    assert again.ref in page(world, "Ada", f"{payout.remote_id}/")
    twice = post(world, "Ada", f"{payout.remote_id}/again", failed="1")
    assert twice.status_code == 409
    assert again.ref in twice.content.decode()
    assert ApprovalRequest.objects.filter(business=world.business, kind="payout").count() == 2
    for blanket in ("1", "0" * 64):
        assert post(world, "Ada", f"{payout.remote_id}/again", failed="1", meant=blanket).status_code == 409
    assert post(world, "Ada", f"{payout.remote_id}/again", failed="1", meant=meant(twice)).status_code == 302
    assert ApprovalRequest.objects.filter(business=world.business, kind="payout").count() == 3


def failed_payout(world: World) -> ApprovalRequest:
    """The only payout, as one that failed: it pays nobody any more at the service either, which compares it."""
    payout = only(world)
    assert post(world, "Ada", f"{payout.remote_id}/cancel", reason="Wrong month").status_code == 302
    ApprovalRequest.objects.filter(pk=payout.pk).update(status="FAILED")
    return payout


def test_what_failed_and_was_paid_by_another_payout_is_said_before_it_is_paid_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(world, table(GRACE))
    failed = failed_payout(world)
    make(world, table(GRACE), name="Typed again")
    other = ApprovalRequest.objects.get(business=world.business, kind="payout", title="Typed again")
    post(world, "Ada", f"{other.remote_id}/initiate")
    whole = upstream(world, failed)
    items = [PayoutItem.model_validate(item | {"status": "FAILED"}) for item in whole["items"]]
    for view in ("entry", "payouts"):
        monkeypatch.setattr(f"dashboard.pages.payouts.views.{view}.read_payments", lambda *_: items)
    answer = post(world, "Ada", f"{failed.remote_id}/again", failed="1")
    assert answer.status_code == 409
    assert f"the same as in Typed again ({other.ref}" in answer.content.decode()
    assert post(world, "Ada", f"{failed.remote_id}/again", failed="1", meant=meant(answer)).status_code == 302


def test_the_same_form_sent_twice_makes_one_draft_of_the_failed_payments(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(world, table(GRACE))
    failed = failed_payout(world)
    items = [PayoutItem.model_validate(item | {"status": "FAILED"}) for item in upstream(world, failed)["items"]]
    for view in ("entry", "payouts"):
        monkeypatch.setattr(f"dashboard.pages.payouts.views.{view}.read_payments", lambda *_: items)
    for _ in range(2):
        assert post(world, "Ada", f"{failed.remote_id}/again", failed="1", key="one-form").status_code == 302
    assert ApprovalRequest.objects.filter(business=world.business, kind="payout").count() == 2


def pay_with_code(world: World, payout: ApprovalRequest) -> None:
    """Has the code sent, reads it from the simulated phone, and types it, wrong at first."""
    answer = post(world, "Apollo", f"{payout.remote_id}/code", channel="SMS")
    intent = re.search(r'name="intent_id" value="([^"]+)"', answer.content.decode())
    assert intent is not None
    query = {"business_id": world.made["business_id"]}
    sent = requests.get(
        f"{world.service}/sandbox/messages", params=query, headers=sandbox_headers(), timeout=30
    ).json()["messages"]
    code = next(message["code"] for message in sent if message["ref"] == intent[1])
    wrong = f"{(int(code) + 1) % 1_000_000:06d}"
    refused = post(world, "Apollo", f"{payout.remote_id}/confirm", intent_id=intent[1], code=wrong)
    assert refused.status_code == 422
    assert f'value="{intent[1]}"' in refused.content.decode()
    assert post(world, "Apollo", f"{payout.remote_id}/confirm", intent_id=intent[1], code=code).status_code == 302


def test_a_draft_is_cancelled_with_a_reason_and_one_that_waits_goes_back_to_draft(world: World) -> None:
    make(world, table(GRACE))
    payout = only(world)
    post(world, "Ada", f"{payout.remote_id}/initiate")
    assert post(world, "Ada", f"{payout.remote_id}/draft").status_code == 302
    payout.refresh_from_db()
    assert payout.status == "DRAFT"
    assert post(world, "Ada", f"{payout.remote_id}/cancel", reason="").status_code == 422
    assert post(world, "Ada", f"{payout.remote_id}/cancel", reason="Wrong month").status_code == 302
    assert upstream(world, payout)["status"] == "CANCELLED"


def test_what_is_approved_is_not_said_to_be_paid_before_it_is(world: World) -> None:
    later = {"scheduled_for": (timezone.now() + timedelta(days=400)).isoformat()}
    actor = world.actor("Ada")
    assert approved_text(actor, ApprovalRequest(payload=later)).startswith("it is approved, and paid on ")
    assert approved_text(actor, ApprovalRequest(payload={})) == "it is approved, and paid once its funds are on hold."


def test_only_its_requester_or_an_admin_takes_it_back_and_only_who_initiates_makes_one(world: World) -> None:
    make(world, table(GRACE), who="Apollo")
    payout = only(world)
    assert post(world, "Zawadi", f"{payout.remote_id}/cancel", reason="Mine now").status_code == 403
    assert make(world, table(GRACE), who="Selma").status_code == 403
    assert world.client("Rita").get(world.address("payouts/")).status_code == 403
    assert "New payout" not in page(world, "Selma")
    assert upstream(world, payout)["status"] == "DRAFT"


def test_nobody_initiates_before_showing_that_it_is_them(world: World) -> None:
    make(world, table(GRACE))
    payout = only(world)
    session = (client := world.client("Ada")).session
    session["account_authentication_methods"] = []
    session.save()
    answer = client.post(world.address(f"payouts/{payout.remote_id}/initiate/"), {"key": "k"})
    assert "reauthenticate" in answer["Location"]
    assert upstream(world, payout)["status"] == "DRAFT"
