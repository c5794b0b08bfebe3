"""What is done to vendors: the record, its accounts, contacts and documents, and two of them made one."""

from __future__ import annotations

import itertools
import uuid
from typing import Any, ClassVar

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Origin, Vendor
from dashboard.times import local
from tests.dashboard.no_false_statement.sent import Changed, Made, Sent
from tests.service.transactions.test_documents_pdf import pdf

tills = itertools.count(600_001)
CALL = {"number": "0712345678", "spoke_to": "Mary Otieno", "note": "The number of their last invoice"}
EMPTY = {"account_name": "", "bank_code": "", "other_bank": "", "branch_code": "", "account_reference": ""}


class CreateVendor(Made):
    path, operation, address = "/vendors", "create_vendor", "vendors/new/"

    def filled(self) -> dict[str, Any]:
        return {"name": self.name, "type": "BUSINESS", "phone": "", "email": "", "tax_pin": "", "meant": "1"}

    def rows(self) -> list[dict[str, Any]]:
        return list(self.world.upstream("/vendors", limit=1000, q=self.name)["docs"])


class OfVendor(Changed):
    """Something done to a vendor with one account in use; `verb` is the rest of the address."""

    path, verb = "/vendors/", ""
    form: ClassVar[dict[str, Any]] = {}
    thing: Vendor

    def make(self) -> Vendor:
        return self.vendor(self.name)

    def vendor(self, name: str) -> Vendor:
        account = [{"channel": "MPESA_TILL", "account": str(next(tills))}]
        made = self.world.send("POST", "/vendors", {"name": name, "payment_instructions": account})
        return self.copied(made)

    def copied(self, made: dict[str, Any]) -> Vendor:
        upsert("vendor", self.world.business, [made], Origin.POLL)
        return Vendor.objects.get(business=self.world.business, remote_id=made["_id"])

    def open(self) -> None:
        self.address = f"vendors/{self.thing.remote_id}/{self.verb}"

    def there(self) -> dict[str, Any]:
        return dict(self.world.upstream(f"/vendors/{self.thing.remote_id}"))

    def change(self, method: str, rest: str, body: Any = None) -> None:
        """Does something to it at the service, and copies what it is then."""
        self.world.send(method, f"/vendors/{self.thing.remote_id}{rest}", body)
        self.thing = self.copied(self.there())


class UpdateVendor(OfVendor):
    operation, verb = "update_vendor", "edit/"

    def open(self) -> None:
        super().open()
        self.form = {
            "name": f"{self.name} Ltd", "type": "BUSINESS", "phone": "", "email": "", "tax_pin": "", "country": "ke",
            "currency": "kes",
        }  # fmt: skip

    def is_done(self) -> int:
        return int(self.there()["name"] == f"{self.name} Ltd")


class DeleteVendor(OfVendor):
    operation, verb, status = "delete_vendor", "delete/", "DELETED"

    def is_done(self) -> int:
        return int(self.there()["status"] == self.status)


class RestoreVendor(DeleteVendor):
    operation, verb, status = "restore_vendor", "restore/", "ACTIVE"

    def open(self) -> None:
        super().open()
        self.change("DELETE", "")


class MergeVendor(OfVendor):
    operation = "merge_vendor"

    def open(self) -> None:
        self.other = self.vendor(f"{self.name} Ltd")
        self.address = f"vendors/{self.thing.remote_id}/merge/{self.other.remote_id}/"
        self.form = {"reason": "Entered twice"}

    def is_done(self) -> int:
        return int(self.world.upstream(f"/vendors/{self.other.remote_id}")["status"] == "DELETED")


class ProposeAccount(OfVendor):
    operation, verb = "add_payment_instruction", "account/"

    def open(self) -> None:
        super().open()
        self.till = str(next(tills))
        self.form = EMPTY | {
            "account_name": "Typed",
            "channel": "MPESA_TILL",
            "account": self.till,
            "proposal_reason": "Their new till",
        }

    def is_done(self) -> int:
        return sum(row["account"] == self.till for row in self.there()["payment_instructions"])


class ProposePaymentMethod(ProposeAccount):
    path, operation, verb = "/bills/vendors/", "add_vendor_payment_method", "payment-method/"


class ChangeAccount(ProposeAccount):
    operation = "update_payment_instruction"

    def open(self) -> None:
        super().open()
        self.form |= {"instruction_id": self.there()["payment_instructions"][0]["_id"]}


class ConfirmAccount(OfVendor):
    person, operation, decision, becomes = "Apollo", "confirm_payment_instruction", "confirm", "ACTIVE"

    def open(self) -> None:
        ada, till = {"X-Acting-Employee": self.world.employee("Ada")["employee_id"]}, str(next(tills))
        body = {"channel": "MPESA_TILL", "account": till}
        self.world.send("POST", f"/vendors/{self.thing.remote_id}/payment-instruction/add", body, ada)
        self.thing = self.copied(self.there())
        self.account = next(row["_id"] for row in self.there()["payment_instructions"] if row["account"] == till)
        self.address = f"vendors/{self.thing.remote_id}/account/{self.account}/{self.decision}/"
        self.form = self.said()

    def said(self) -> dict[str, str]:
        return CALL | {"called_at": local(timezone.now(), self.world.business).strftime("%Y-%m-%dT%H:%M")}

    def is_done(self) -> int:
        rows = self.there()["payment_instructions"]
        return int(self.becomes == next((row["status"] for row in rows if row["_id"] == self.account), "REJECTED"))


class RejectAccount(ConfirmAccount):
    operation, decision, becomes = "reject_payment_instruction", "reject", "REJECTED"

    def said(self) -> dict[str, str]:
        return {"reason": "Nobody there knows of it"}


class AddContact(OfVendor):
    operation, verb = "add_vendor_contact", "contacts/new/"

    def open(self) -> None:
        super().open()
        self.form = {"name": f"Mary {self.name}", "role": "", "email": "", "phone": ""}

    def is_done(self) -> int:
        return sum(row["name"] == f"Mary {self.name}" for row in self.there()["contacts"])


class ChangeContact(AddContact):
    operation, rest = "change_vendor_contact", ""

    def open(self) -> None:
        super().open()
        self.change("POST", "/contacts", {"name": "Mary"})
        self.contact = self.there()["contacts"][0]
        self.contact = self.contact.get("_id") or self.contact["id"]
        self.address = f"vendors/{self.thing.remote_id}/contacts/{self.contact}/{self.rest}"


class RemoveContact(ChangeContact):
    operation, rest = "remove_vendor_contact", "remove/"

    def is_done(self) -> int:
        return int(not self.there()["contacts"])


class AddDocument(OfVendor):
    operation, verb = "add_vendor_document", "documents/"

    def press(self) -> Any:
        # Each time a file that can be read from its beginning, as a browser sends it.
        files = [SimpleUploadedFile("terms.pdf", pdf())]
        self.form = {"kind": "CONTRACT", "title": self.name, "documents": files}
        return super().press()

    def is_done(self) -> int:
        return sum(row["title"] == self.name for row in self.there()["documents"])


class RemoveDocument(OfVendor):
    operation = "remove_vendor_document"

    def open(self) -> None:
        address = self.world.address(f"vendors/{self.thing.remote_id}/documents/")
        files = [SimpleUploadedFile("terms.pdf", pdf())]
        form = {"kind": "CONTRACT", "title": self.name, "documents": files, "key": uuid.uuid4().hex}
        assert self.stage.browser(self.person).post(address, form).status_code == 302
        document = self.there()["documents"][0]
        self.address = f"vendors/{self.thing.remote_id}/documents/{document.get('_id') or document['id']}/remove/"

    def is_done(self) -> int:
        return int(not self.there()["documents"])


PAYEES: tuple[type[Sent], ...] = (
    CreateVendor, UpdateVendor, DeleteVendor, RestoreVendor, MergeVendor, ProposeAccount, ProposePaymentMethod,
    ChangeAccount, ConfirmAccount, RejectAccount, AddContact, ChangeContact, RemoveContact, AddDocument,
    RemoveDocument,
)  # fmt: skip
