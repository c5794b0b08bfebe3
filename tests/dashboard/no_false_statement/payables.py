"""What is done to bills, their payments and credit notes."""

from __future__ import annotations

import itertools
import uuid
from datetime import timedelta
from typing import Any, ClassVar

from django.core.files.uploadedfile import SimpleUploadedFile

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import ApprovalRequest, Bill, Origin
from dashboard.mirror.schedule import today
from tests.dashboard.decisions.service_requests import ask
from tests.dashboard.no_false_statement.sent import Changed, Made, Sent
from tests.service.transactions.test_documents_pdf import pdf

numbers = itertools.count(1)
LINE = {
    "line-TOTAL_FORMS": "1", "line-INITIAL_FORMS": "0", "line-0-description": "Paper", "line-0-quantity": "10",
    "line-0-unit_price": "100", "line-0-tax_rate": "", "line-0-subcategory": "",
}  # fmt: skip
PHONES = itertools.count(20_000_001)


class Payables:
    """Vendors, bills and payments at the service and in the copy."""

    world: Any

    def vendor(self) -> dict[str, Any]:
        number = next(numbers)
        accounts = [{"channel": "MPESA_TILL", "account": str(780_000 + number)}]
        body = {"name": f"Paper {number} {uuid.uuid4().hex[:6]}", "payment_instructions": accounts}
        made: dict[str, Any] = ask(self.world, "Ada", "POST", "/vendors", body)
        upsert("vendor", self.world.business, [made], Origin.POLL)
        return made

    def bill(self, vendor: dict[str, Any] | None = None, amount: int = 1000) -> Bill:
        vendor, now = vendor or self.vendor(), today(self.world.business)
        body = {
            "vendor_id": vendor["_id"], "bill_no": f"B-{uuid.uuid4().hex[:12]}", "issued_at": now.isoformat(),
            "due_at": (now + timedelta(days=10)).isoformat(),
            "line_items": [{"description": "Paper", "qty": 1, "unit_price": amount}],
        }  # fmt: skip
        return self.copied(ask(self.world, "Ada", "POST", "/bills", body)["_id"])

    def copied(self, bill_id: str) -> Bill:
        upsert("bill", self.world.business, [self.world.upstream(f"/bills/{bill_id}")], Origin.POLL)
        return Bill.objects.get(business=self.world.business, remote_id=bill_id)

    def payment(self, bill: Bill, *, request: bool) -> ApprovalRequest:
        """A draft, or one whose approval was requested."""
        path = f"/bills/{bill.remote_id}/payments"
        row = ask(self.world, "Ada", "POST", path, {})
        if request:
            row = ask(self.world, "Ada", "PATCH", f"{path}/{row['payment_ref']}/request-approval")
        upsert("bill_payment", self.world.business, [row], Origin.POLL)
        self.copied(bill.remote_id)
        return ApprovalRequest.objects.get(business=self.world.business, kind="bill_payment", ref=row["payment_ref"])


class CreateBill(Payables, Made):
    path, operation, address, field = "/bills", "create_bill", "bills/new/", "bill_no"

    def filled(self) -> dict[str, Any]:
        self.of = self.vendor()["_id"]
        now = today(self.world.business).isoformat()
        return {"vendor_id": self.of, "bill_no": self.name, "issued_at": now, "due_at": "", "meant": "1", **LINE}

    def rows(self) -> list[dict[str, Any]]:
        return list(self.world.upstream("/bills", limit=1000, vendor_id=self.of)["docs"])


class OfBill(Payables, Changed):
    """Something done to a bill that nothing was paid of; `verb` is the rest of the address."""

    path, verb = "/bills/", ""
    thing: Bill

    def make(self) -> Bill:
        return self.bill()

    def open(self) -> None:
        self.address, self.form = f"bills/{self.thing.remote_id}/{self.verb}", self.filled()

    def filled(self) -> dict[str, Any]:
        return {}

    def there(self) -> dict[str, Any]:
        return dict(self.world.upstream(f"/bills/{self.thing.remote_id}"))


class UpdateBill(OfBill):
    operation, verb = "update_bill", "edit/"

    def filled(self) -> dict[str, Any]:
        there = self.there()
        return {
            "vendor_id": there["vendor_id"], "bill_no": there["bill_no"], "issued_at": there["issued_at"],
            "due_at": there["due_at"], "memo": self.name, **LINE,
        }  # fmt: skip

    def is_done(self) -> int:
        return int(self.there()["memo"] == self.name)


class CancelBill(OfBill):
    operation, verb = "cancel_bill", "cancel/"

    def filled(self) -> dict[str, Any]:
        return {"reason": "Entered twice"}

    def is_done(self) -> int:
        return int(self.there()["status"] == "CANCELLED")


class AttachFile(OfBill):
    """Two writes of one form: the file is uploaded, and attached to the bill, which fails."""

    operation, verb = "attach_bill_files", "attach/"

    def press(self) -> Any:
        # Each time a file that can be read from its beginning, as a browser sends it.
        self.form = {"file": SimpleUploadedFile("bill.pdf", pdf())}
        return super().press()

    def belongs(self, sent: Any, item: str) -> bool:
        return self.thing.remote_id in sent.path

    def is_done(self) -> int:
        return len(self.there()["attachments"])


class DetachFile(AttachFile):
    operation = "detach_bill_files"

    def open(self) -> None:
        super().open()
        self.key, key = uuid.uuid4().hex, self.key
        assert super().press().status_code == 302
        self.key, files = key, self.there()["attachments"]
        self.address = f"bills/{self.thing.remote_id}/files/{files[0]['_id']}/remove/"

    def press(self) -> Any:
        self.form = {}
        return Sent.press(self)

    def is_done(self) -> int:
        return int(not self.there()["attachments"])


class AddPayment(OfBill):
    """Two writes of one form: the payment, and the request for its approval."""

    operation, verb = "add_bill_payment", "pay/"

    def filled(self) -> dict[str, Any]:
        self.world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
        vendor = self.world.upstream(f"/vendors/{self.there()['vendor_id']}")
        account = vendor["payment_instructions"][0]["_id"]
        return {"org_wallet_ref": "1", "amount": "1,000", "account": account, "scheduled_on": ""}

    def is_done(self) -> int:
        return len(self.there()["payments"])


class RequestAfterAdding(AddPayment):
    """Its second write alone, which fails."""

    path, operation = "/request-approval", "request_bill_payment_approval"

    def is_done(self) -> int:
        states = [self.world.upstream(f"/bills/payments/{ref}/status")["status"] for ref in self.there()["payments"]]
        return sum(state != "DRAFT" for state in states)

    def ended(self, done: dict[str, int]) -> None:
        """The draft stands: its approval is requested from the bill's page, not by this form again."""


class OfPayment(OfBill):
    """Something done to a payment of a bill."""

    requested: ClassVar[bool] = False

    def open(self) -> None:
        self.world.sandbox("top-up", org_wallet_ref="1", amount=5_000)
        self.paid = self.payment(self.thing, request=self.requested)
        self.address = f"bills/{self.thing.remote_id}/payments/{self.paid.ref}/{self.verb}/"
        self.form = {}

    def state(self) -> str:
        return str(self.world.upstream(f"/bills/payments/{self.paid.ref}/status")["status"])


class RequestApproval(OfPayment):
    operation, verb = "request_bill_payment_approval", "request"

    def is_done(self) -> int:
        return int(self.state() != "DRAFT")


class WithdrawPayment(OfPayment):
    operation, verb, requested = "withdraw_bill_payment", "withdraw", True

    def is_done(self) -> int:
        return int(self.state() in {"WITHDRAWN", "CANCELLED"})


class CreateCreditNote(OfBill):
    path, operation, verb = "/credit-notes", "create_credit_note", "credit/"

    def filled(self) -> dict[str, Any]:
        now = today(self.world.business).isoformat()
        return {"credit_no": self.name, "issued_at": now, "amount": "100", "reason": "Came back"}

    def is_done(self) -> int:
        rows = self.world.upstream("/credit-notes", limit=1000)["docs"]
        return sum(row["credit_no"] == self.name for row in rows)


class ApplyCreditNote(OfBill):
    path, operation = "/credit-notes", "apply_credit_note"

    def make(self) -> Bill:
        vendor = self.vendor()
        of, now = self.bill(vendor, 100), today(self.world.business).isoformat()
        body = {"bill_id": of.remote_id, "credit_no": self.name, "issued_at": now, "amount": 150, "reason": "Came back"}
        self.note = ask(self.world, "Ada", "POST", "/credit-notes", body)["_id"]
        return self.bill(vendor)

    def open(self) -> None:
        self.address, self.form = f"bills/{self.thing.remote_id}/credit/{self.note}/apply/", {}

    def is_done(self) -> int:
        return int(self.there()["balance_minor"] < self.there()["total_minor"])


PAYABLES: tuple[type[Sent], ...] = (
    CreateBill,
    UpdateBill,
    CancelBill,
    AttachFile,
    DetachFile,
    AddPayment,
    RequestAfterAdding,
    RequestApproval,
    WithdrawPayment,
    CreateCreditNote,
    ApplyCreditNote,
)
