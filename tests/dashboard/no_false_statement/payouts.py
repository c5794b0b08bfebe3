"""What is done to payouts, single payments and requests for mobile money."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import ApprovalRequest, Origin
from tests.dashboard.decisions.service_requests import ask
from tests.dashboard.no_false_statement.payables import PHONES
from tests.dashboard.no_false_statement.sent import Changed, Made, Sent
from tests.dashboard.payouts.test_payouts import GRACE, table


class CreatePayout(Made):
    path, operation, address = "/payments", "create_payout", "payouts/new/"

    def filled(self) -> dict[str, Any]:
        # To a phone of its own: what is paid once already is shown first.
        return {"name": self.name, "wallet": "1", "rows": table(GRACE.replace("0712 345 678", f"07{next(PHONES)}"))}

    def rows(self) -> list[dict[str, Any]]:
        return list(self.world.upstream("/payments", limit=1000)["docs"])


class OfPayout(Changed):
    """Something done to a draft; `verb` is the rest of the address."""

    path, verb = "/payments/", ""
    status: ClassVar[frozenset[str]] = frozenset()
    thing: ApprovalRequest

    def make(self) -> ApprovalRequest:
        item = {
            "receiver_name": "Grace Achieng",
            "channel": "MPESA_SEND_MONEY",
            "account": f"2547{next(PHONES)}",
            "amount": 900,
        }
        self.world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
        body = {"name": self.name, "org_wallet_ref": "1", "items": [item]}
        return self.copied(ask(self.world, "Ada", "POST", "/payments", body)["batch_no"])

    def copied(self, batch: str) -> ApprovalRequest:
        [there] = self.world.upstream("/payments", batch_no=batch)["docs"]
        upsert("payout", self.world.business, [there], Origin.POLL)
        return ApprovalRequest.objects.get(business=self.world.business, kind="payout", ref=batch)

    def open(self) -> None:
        self.address, self.form = f"payouts/{self.thing.remote_id}/{self.verb}/", self.filled()

    def filled(self) -> dict[str, Any]:
        return {}

    def is_done(self) -> int:
        [there] = self.world.upstream("/payments", batch_no=self.thing.ref)["docs"]
        return int(there["status"] in self.status)


class InitiatePayout(OfPayout):
    operation, verb = "initiate_payout", "initiate"

    def is_done(self) -> int:
        [there] = self.world.upstream("/payments", batch_no=self.thing.ref)["docs"]
        return int(there["status"] != "DRAFT")


class ReturnToDraft(OfPayout):
    operation, verb, status = "return_payout_to_draft", "draft", frozenset({"DRAFT"})

    def make(self) -> ApprovalRequest:
        made = super().make()
        ask(self.world, "Ada", "PATCH", f"/payments/{made.ref}/initiate")
        return self.copied(made.ref)


class CancelPayout(OfPayout):
    operation, verb, status = "cancel_payout", "cancel", frozenset({"CANCELLED"})

    def filled(self) -> dict[str, Any]:
        return {"reason": "Wrong month"}


class PaySingle(Sent):
    path, operation, address = "/payments/intent", "create_payment_intent", "payouts/new/single/"

    def begin(self) -> None:
        self.world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
        self.form = {
            "receiver": "Doris Wambua", "channel": "MPESA_SEND_MONEY", "account": f"07{next(PHONES)}", "amount": "125.50",
            "wallet": "1", "code_channel": "SMS",
        }  # fmt: skip
        # It is reviewed first, with what it costs.
        review = self.stage.browser(self.person).post(self.world.address(self.address), self.form | {"key": "review"})
        self.form["reviewed"] = review.content.decode().split('name="reviewed" value="')[1].split('"')[0]
        self.had = self.payment_count()

    def payment_count(self) -> int:
        return int(self.world.upstream("/payments", kind="BANK_TRANSFER")["total"])

    def carried_out(self) -> dict[str, int]:
        return {"": self.payment_count() - self.had}


class RequestMoney(Sent):
    path, operation, address = "/payments/request-mpesa-payment", "request_mobile_money", "payouts/request/"

    def begin(self) -> None:
        self.form = {"phone": "0712 345 678", "amount": "500", "wallet": "1", "reference": f"R{uuid.uuid4().hex[:9]}"}
        self.had = self.requests()

    def requests(self) -> int:
        return int(self.world.upstream("/payments/request-mpesa-payment")["total"])

    def carried_out(self) -> dict[str, int]:
        return {"": self.requests() - self.had}


PAYOUTS: tuple[type[Sent], ...] = (
    CreatePayout,
    InitiatePayout,
    ReturnToDraft,
    CancelPayout,
    PaySingle,
    RequestMoney,
)
