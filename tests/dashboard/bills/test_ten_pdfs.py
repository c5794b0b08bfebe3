"""A clerk drops ten PDFs: two are the same bill, one is a Factur-X, one of a vendor whose changed account waits. Eight are paid in a
run, one is held, one is named; the books agree to the cent, and the held one goes out once the account is confirmed."""

from __future__ import annotations

import re
import time
import uuid
from decimal import Decimal
from typing import Any

import requests
from django.utils import timezone

from dashboard import operations
from dashboard.decisions.dispatcher import send_due
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.decisions.services import submit_decision
from dashboard.mirror.apply import upsert_approvals
from dashboard.mirror.models import Approval
from tests.dashboard.bills import upstream
from tests.dashboard.bills.test_entry import drop, enter, hint, value
from tests.dashboard.bills.test_paying import payments
from tests.dashboard.bills.test_payment_runs import begun, run_of, why
from tests.dashboard.bulk.conftest import no_queue
from tests.dashboard.conftest import World
from tests.dashboard.decisions.service_requests import ask
from tests.dashboard.documents.papers import changed, factur_x, pdf
from tests.sandbox import sandbox_headers

__all__ = ["no_queue"]

NORMAL, HELD = "Otieno & Sons Ltd", "Acacia Supplies Ltd"
FACTUR_X = "2291"
VOTERS = ("Apollo", "Zawadi", "Juma")


def paper(vendor: str, number: int) -> bytes:
    """The PDF of a bill over so many hundreds."""
    lines = [
        vendor.upper(), f"Tax Invoice {number}", ("Invoice date", "18 Nov 2026"), ("Due date", "21 Dec 2026"),
        ("Total", f"KES {number}.50"),
    ]  # fmt: skip
    return pdf(lines)


def papers_of_the_morning() -> list[bytes]:
    """Seven bills, a Factur-X, one of them a second time, and one of the vendor whose account waits."""
    e_invoice = changed(
        pdf(["OTIENO & SONS LTD", "See the attached invoice"]), attached={"factur-x.xml": factur_x("1248.00")}
    )
    seven = [paper(NORMAL, 1000 + place) for place in range(1, 8)]
    return [*seven, e_invoice, seven[0], paper(HELD, 1100)]


def entered(world: World, content: bytes, **corrected: str) -> Any:
    """The answer to entering a dropped file as its form was filled in, with what the clerk corrected."""
    shown = drop(world, content).content.decode()
    chosen = re.search(r'<option value="([0-9a-f]{24})" selected', shown)
    assert chosen is not None
    names = ("bill_no", "issued_at", "due_at", "file_id", "line-0-unit_price", "line-0-tax_rate")
    form = {name: value(shown, name) for name in names}
    assert hint(shown, "line-0-unit_price")
    more = {"line-0-quantity": "1", "line-0-description": "Paper"}
    return enter(world, {"_id": chosen[1]}, **{**form, **more, **corrected})


def approve(world: World, ref: str) -> None:
    """All votes that the payment wants, as decisions of the inbox."""
    upsert_approvals(world.business, world.upstream("/approvals/all", ref=ref)["docs"], "POLL")
    row = Approval.objects.get(business=world.business, ref=ref, status="PENDING")
    seats = {seat["employee_id"] for seat in row.eligible}
    voters = [name for name in VOTERS if world.employee(name)["employee_id"] in seats]
    for who in voters[: row.approvals_required]:
        row.refresh_from_db()
        submit_decision(
            world.actor(who), operations.APPROVE_PAYMENT_REQUEST, row, fingerprint=fingerprint_of(row),
            key=uuid.uuid4().hex, reason="Seen.",
        )  # fmt: skip
        send_due(world.business)


def paid(world: World, bill: Any) -> Any:
    """The payment of a bill, voted on and worked on by the rails until it succeeded."""
    [payment] = payments(world, bill)
    approve(world, payment["payment_ref"])
    for _ in range(60):
        requests.post(
            f"{world.service}/sandbox/businesses/{world.made['business_id']}/settle",
            headers=sandbox_headers(),
            timeout=30,
        )
        [payment] = payments(world, bill)
        if payment["status"] == "SUCCEEDED":
            return payment
        time.sleep(0.2)
    raise AssertionError(payment["status"])


def booked(world: World) -> Decimal:
    """What the main wallet holds in the books."""
    wallet = next(row for row in world.upstream("/accounts")["docs"] if row["org_wallet_ref"] == "1")
    return Decimal(str(world.upstream(f"/accounts/{wallet['_id']}/balance")["balances"]["available"]))


def test_of_ten_pdfs_eight_are_paid_one_is_held_and_one_is_named(world: World) -> None:
    world.sandbox("top-up", org_wallet_ref="1", amount=50_000)
    upstream.vendor(world, NORMAL)
    held = ask(world, "Ada", "POST", "/vendors", {"name": HELD})
    account = {"channel": "MPESA_TILL", "account": "512345"}
    ask(world, "Ada", "POST", f"/vendors/{held['_id']}/payment-instruction/add", account)
    world.sync("vendors", "bills_whole", "approvals")

    answers = [
        entered(world, content, **({"due_at": "2026-12-28"} if place == 2 else {}))
        for place, content in enumerate(papers_of_the_morning())
    ]
    # The ninth is the first again: named, and not entered.
    assert [answer.status_code for answer in answers] == [302] * 8 + [409] + [302]
    assert "the same file" in answers[8].content.decode()
    world.sync("vendors", "bills_whole", "approvals")
    bills = {bill["bill_no"]: bill for bill in world.upstream("/bills", limit=50)["docs"]}
    assert set(bills) == {str(number) for number in range(1001, 1008)} | {FACTUR_X, "1100"}
    assert bills["1003"]["due_at"] == "2026-12-28"
    assert bills[FACTUR_X]["total_minor"] == 1_248_00

    before = booked(world)
    run = run_of(world, *bills.values())
    assert why(run) == {
        number: ("LEFT_OUT", "on hold: payee change") if number == "1100" else ("WAITING", "") for number in bills
    }
    begun(world, run)
    made = {number: paid(world, bill) for number, bill in bills.items() if number != "1100"}
    assert len(made) == 8
    for number, payment in made.items():
        row = world.upstream(f"/bills/{bills[number]['_id']}")
        assert (row["status"], row["amount_paid_minor"]) == ("PAID", bills[number]["total_minor"])
        assert payment["amount_minor"] == row["total_minor"]
    fees = sum(payment["fee_minor"] for payment in made.values())
    out = sum(bills[number]["total_minor"] for number in made) + fees
    assert before - booked(world) == Decimal(out) / 100

    [waiting] = world.upstream(f"/vendors/{held['_id']}")["payment_instructions"]
    path = f"/vendors/{held['_id']}/payment-instruction/{waiting['_id']}/confirm"
    call = {"number": "254712345678", "spoke_to": "Mary Otieno", "called_at": timezone.now().isoformat()}
    ask(world, "Apollo", "POST", path, {"reason": "Called back on the number in the contract.", "call_back": call})
    world.sync("vendors", "bills_whole", "approvals")
    again = run_of(world, bills["1100"])
    assert why(again) == {"1100": ("WAITING", "")}
    begun(world, again)
    paid(world, bills["1100"])
    assert world.upstream(f"/bills/{bills['1100']['_id']}")["status"] == "PAID"
