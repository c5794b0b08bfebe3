"""What is done to payments that wait for a code, that have failed, or that a tax was withheld of: the rails take seconds to
bring them there, so that these are acted in the full run alone."""

from __future__ import annotations

import time
import uuid
from typing import Any

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import ApprovalRequest, Origin
from dashboard.mirror.schedule import today
from tests.dashboard.decisions.service_requests import ask
from tests.dashboard.no_false_statement.payables import OfPayment, Payables, numbers
from tests.dashboard.no_false_statement.sent import Changed, Sent
from tests.dashboard.payouts.test_payouts import post
from tests.dashboard.payouts.test_singles import IBAN, sent_code
from tests.dashboard.taxes.test_deductions import deducted

FAILS_S = 60


class RetryPayment(OfPayment):
    """A payment to a till that the rail does not find, begun anew."""

    operation, verb, requested, slow = "retry_bill_payment", "retry", True, True

    def vendor(self) -> dict[str, Any]:
        number = next(numbers)
        # How it ends is what the rail goes by (docs/rails.md).
        accounts = [{"channel": "MPESA_TILL", "account": f"{10 + number % 90}0001"}]
        body = {"name": f"Ink {number} {uuid.uuid4().hex[:6]}", "payment_instructions": accounts}
        made: dict[str, Any] = ask(self.world, "Ada", "POST", "/vendors", body)
        upsert("vendor", self.world.business, [made], Origin.POLL)
        return made

    def open(self) -> None:
        super().open()
        path = f"/bills/{self.thing.remote_id}/payments/{self.paid.ref}/approve"
        for voter in ("Apollo", "Zawadi", "Juma"):
            if self.state() == "PENDING_APPROVAL":
                ask(self.world, voter, "POST", path)
        ends = time.monotonic() + FAILS_S
        while self.state() != "FAILED":
            assert time.monotonic() < ends, self.state()
            time.sleep(0.2)
        upsert("bill_payment", self.world.business, [self.status()], Origin.POLL)
        self.copied(self.thing.remote_id)

    def status(self) -> dict[str, Any]:
        return dict(self.world.upstream(f"/bills/payments/{self.paid.ref}/status"))

    def is_done(self) -> int:
        return len(self.status()["attempts"]) - 1


class RemitTax(Payables, Changed):
    """The remittance of what was withheld of one paid bill."""

    path, operation, slow = "/taxes/remittances", "create_remittance", True
    thing: dict[str, Any]

    def make(self) -> dict[str, Any]:
        self.world.sandbox("top-up", org_wallet_ref="1", amount=200_000)
        return deducted(self.world, 50_000)

    def open(self) -> None:
        unique, owed = uuid.uuid4().hex[:10].upper(), self.thing["_id"]
        self.address = "taxes/remit/"
        self.form = {
            "id": [owed], "remitted_on": today(self.world.business).isoformat(), "reference": f"PRN-{unique}",
            owed: f"KRA{unique}",
        }  # fmt: skip

    def is_done(self) -> int:
        rows = self.world.upstream("/taxes/transactions", bill_payment_ref=self.thing["bill_payment_ref"])["docs"]
        return sum(row["_id"] == self.thing["_id"] and row["status"] == "REMITTED" for row in rows)


class ConfirmPayment(Sent):
    """A single payment that waits for the code that was sent to a phone."""

    person, path, operation, slow = "Apollo", "/payments/confirm", "confirm_payment", True
    thing: ApprovalRequest

    def begin(self) -> None:
        wallet = self.wallet()
        self.world.sandbox("top-up", org_wallet_ref=wallet, amount=1_000)
        payment = {
            "receiver_name": f"Anna {uuid.uuid4().hex[:6]}", "channel": "BANK_SWIFT", "account": IBAN,
            "bank_code": "ABNANL2A", "amount": 12.5, "org_wallet_ref": wallet,
        }  # fmt: skip
        batch = ask(self.world, "Ada", "POST", "/payments/intent", {"payment": payment})["batch_no"]
        [there] = self.world.upstream("/payments", batch_no=batch)["docs"]
        upsert("payout", self.world.business, [there], Origin.POLL)
        self.thing = ApprovalRequest.objects.get(business=self.world.business, kind="payout", ref=batch)
        shown = post(self.world, self.person, f"{self.thing.remote_id}/code", channel="SMS").content.decode()
        intent = shown.split('name="intent_id" value="')[1].split('"')[0]
        self.address = f"payouts/{self.thing.remote_id}/confirm/"
        self.form = {"intent_id": intent, "code": sent_code(self.world, intent)}

    def wallet(self) -> str:
        """A wallet of a currency in which no mandate asks for votes."""
        rows = [row for row in self.world.upstream("/accounts")["docs"] if row["currency"] == "EUR"]
        if not rows:
            body = {"currency": "EUR", "walletType": "MAIN"}
            rows = [ask(self.world, "Ada", "POST", "/accounts/add-new-account", body)]
            self.world.sync("lookups")
        return str(rows[0]["org_wallet_ref"])

    def carried_out(self) -> dict[str, int]:
        [there] = self.world.upstream("/payments", batch_no=self.thing.ref)["docs"]
        return {"": int(there["status"] != "AWAITING_CODE")}


PAID: tuple[type[Sent], ...] = (RetryPayment, RemitTax, ConfirmPayment)
