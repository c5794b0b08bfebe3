"""A business in which there is one of each thing, made through the interface; its ids by the name of the thing."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.utils import timezone

from service.bills import execution
from service.ledger.post import today
from tests.service.house import House
from tests.service.transactions import files

PERMISSIONS = ["WALLET_VIEW", "WALLET_ALLOCATE"]
PHONE = {"channel": "MPESA_SEND_MONEY", "account": "254712345678"}


class Stage:
    """`ids` are this business's own. `payouts_before`: batch numbers count from one in each business."""

    def __init__(self, house: House, payouts_before: int = 0) -> None:
        self.house, self.payouts_before = house, payouts_before
        self.ids: dict[str, Any] = {}
        for build in (
            self.people,
            self.spending,
            self.payables,
            self.taxes,
            self.payouts,
            self.treasury,
            self.policies,
            self.books,
        ):
            build()

    def ask(self, method: str, path: str, body: Any = None, by: str = "Ada", **more: Any) -> Any:
        """Where success is expected: the answer's body."""
        answer = self.house.send(method, path, body, by=by, **more)
        assert answer.status_code < 300, (method, path, answer.content)
        return answer.json()

    def upload(self, path: str, content: bytes = files.GOOD["PDF"], **fields: str) -> Any:
        """Likewise, of a file."""
        form, media_type = files_form(content, fields)
        return self.ask("POST", path, form, headers={"Content-Type": media_type}, CONTENT_TYPE=media_type)

    def people(self) -> None:
        created, teams = self.house.opened, list(self.house.opened.teams.values())
        self.ids |= {
            "business": created.business.id, "employee": self.house.person("Carla").id,
            "other_employee": self.house.person("Chebet").id, "approver": self.house.person("Juma").id,
            "team": teams[0].id, "other_team": teams[1].id, "category": created.categories[0].id,
            "subcategory": created.subcategories[0].id, "wallet": created.wallets[0].id, "use_kind": "expense",
        }  # fmt: skip
        given = {"employee_id": self.ids["employee"], "amount": 5000, "org_wallet_ref": "1"}
        self.ask("POST", "/employees/allocate-funds", given, by="Apollo")
        new = {"name": "Nuru Odera", "organization_email": "nuru@example.com", "phone_number": "+254733111222"}
        hired = self.ask("POST", "/employees", {**new, "role": "APPROVER", "team_code": "OFFICE"}, by="Sam")
        self.ids["unseated"] = hired["_id"]
        self.ids["customer"] = self.ask("POST", "/customers", {"name": "Duka Moja", "phone": "+254712345678"})["_id"]
        self.ids["tax"] = self.ask("GET", "/taxes")["docs"][0]["_id"]

    def spending(self) -> None:
        body = {"count": 1, "employee_ids": [self.ids["employee"]]}
        [expense] = self.ask("POST", f"/sandbox/businesses/{self.ids['business']}/expenses", body)["expenses"]
        self.ids |= {"expense": expense["_id"], "transaction_ref": expense["transaction_ref"]}
        self.ask("POST", "/expenses/tags", {"name": "Client visit"})
        card = {"employee_id": self.ids["employee"], "name": "Fuel"}
        self.ids["card"] = self.ask("POST", "/cards", card)["_id"]
        swipe = {"card_id": self.ids["card"], "amount": 100, "merchant": "Java House", "settle": False}
        self.ids["authorization"] = self.ask("POST", "/cards/authorizations", swipe)["_id"]
        self.ids["order"] = self.ask("POST", "/cards/physical/orders/request", {"name": "Chip"}, by="Carla")["_id"]
        policy = {"enabled": True, "limits": [{"currency": "KES", "max_amount": 500_000}]}
        self.ask("PUT", "/cards/single-use/policy", policy)
        once = {"amount": 1000, "purpose": "A ticket"}
        self.ids["single_use"] = self.ask("POST", "/cards/single-use/requests", once, by="Carla")["_id"]
        export = {"from": "2026-01-01", "to": "2026-01-31"}
        self.ids["export"] = self.ask("POST", "/expenses/export-receipts", export, by="Apollo")["jobId"]
        subscription = {"name": "Drive", "vendor": "Cloud Co", "currency": "KES", "amount": 1500}
        self.ids["subscription"] = self.ask("POST", "/subscriptions/create", subscription)["_id"]

    def payables(self) -> None:
        vendor = self.ask("POST", "/vendors", {"name": "Acacia Supplies", "payment_instructions": [PHONE]})
        changed = {**PHONE, "account": "254722000111"}
        vendor = self.ask("POST", f"/vendors/{vendor['_id']}/payment-instruction/add", changed)
        self.ids |= {"vendor": vendor["_id"], "instruction": vendor["payment_instructions"][0]["_id"]}
        self.ids["new_instruction"] = vendor["payment_instructions"][-1]["_id"]
        self.ids["spare_vendor"] = self.ask("POST", "/vendors", {"name": "Baobab Print"})["_id"]
        known = self.ask("POST", f"/vendors/{vendor['_id']}/contacts", {"name": "Mary Otieno"})
        self.ids["contact"] = known["contacts"][0]["_id"]
        documented = self.upload(f"/vendors/{vendor['_id']}/documents?kind=CONTRACT")
        self.ids["vendor_document"] = documented["documents"][0]["_id"]
        budget = {"name": "Everything", "currency": "KES", "amount": 900_000}
        self.ids["budget"] = self.ask("POST", "/bills/budgets", budget)["_id"]
        self.ids["file"] = self.upload("/bills/files")["_id"]
        bill = {
            "bill_no": "INV-1",
            "vendor_id": self.ids["vendor"],
            "issued_at": "2026-01-05",
            "subtotal": 1160,
            "tax_amount": 0,
        }
        self.ids["bill"] = self.ask("POST", "/bills", bill)["_id"]
        self.ask("POST", f"/bills/{self.ids['bill']}/attachments", {"file_ids": [self.ids["file"]]})
        payment = self.ask("POST", f"/bills/{self.ids['bill']}/payments", {"amount": 100})
        self.ids["payment_ref"] = payment["payment_ref"]
        self.ids["spare_file"] = self.upload("/bills/files", files.GOOD["PNG"])["_id"]
        credited = self.ask("POST", "/bills", {**bill, "bill_no": "INV-7", "subtotal": 10})["_id"]
        # More than its bill holds: the rest is there to be applied to another.
        note = {"credit_no": "CN-1", "bill_id": credited, "amount": 60, "issued_at": "2026-01-06", "reason": "Returned"}
        self.ids["credit_note"] = self.ask("POST", "/credit-notes", note)["_id"]
        schedule = {
            "number_prefix": "RENT", "vendor_id": self.ids["vendor"], "interval": "MONTHLY",
            "starts_on": f"{timezone.now().year + 1}-01-01", "line_items": [{"description": "Rent", "unit_price": 850}],
        }  # fmt: skip
        self.ids["schedule"] = self.ask("POST", "/bill-schedules", schedule)["_id"]
        other = self.ask("POST", "/bills", {**bill, "bill_no": "INV-9"})["_id"]
        second = self.ask("POST", f"/bills/{other}/payments", {"amount": 1160})["payment_ref"]
        requested = self.ask("PATCH", f"/bills/{other}/payments/{second}/request-approval")
        self.ids["bill_approval"] = requested["approvals"][-1]

    def taxes(self) -> None:
        """A bill of which a tax was withheld, paid."""
        bill = {
            "bill_no": "INV-8", "vendor_id": self.ids["vendor"], "issued_at": "2026-01-05", "subtotal": 50_000,
            "tax_amount": 0, "withholding_tax_ids": [self.ids["tax"]],
        }  # fmt: skip
        created = self.ask("POST", "/bills", bill)["_id"]
        payment = self.ask("POST", f"/bills/{created}/payments", {})
        path = f"/bills/{created}/payments/{payment['payment_ref']}"
        said = self.ask("PATCH", f"{path}/request-approval")["status"]
        voters = iter(("Apollo", "Zawadi", "Juma"))
        while said == "PENDING_APPROVAL":
            said = self.ask("POST", f"{path}/approve", by=next(voters))["status"]
        assert execution.execute(payment["_id"]) == "SUCCEEDED"
        self.ids["tax_transaction"] = self.ask("GET", "/taxes/transactions")["docs"][0]["_id"]

    def payouts(self) -> None:
        item = {"receiver_name": "Payee", **PHONE, "amount": 1500}
        draft = {"name": "January", "org_wallet_ref": "1", "items": [item]}
        for _ in range(self.payouts_before):
            self.ask("POST", "/payments", draft)
        self.ids["batch_no"] = self.ask("POST", "/payments", draft)["batch_no"]
        waiting = self.ask("POST", "/payments", {**draft, "name": "February"})["batch_no"]
        single = {"payment": {**item, "org_wallet_ref": "1"}}
        self.ids["intent"] = self.ask("POST", "/payments/intent", single)["intent_id"]
        self.ids["approval"] = self.ask("PATCH", f"/payments/{waiting}/initiate")["approvals"][-1]

    def treasury(self) -> None:
        self.ids["fund"] = self.ask("GET", "/investments/funds")["docs"][0]["_id"]
        opened = self.ask("POST", "/investments/opt-in", {"fund_id": self.ids["fund"]})
        self.ids |= {"opt_in": opened["ref"], "fund_account": opened["fund_account_id"]}
        path = f"/investments/accounts/{self.ids['fund_account']}/permissions"
        named = {"operators": [{"employee_id": self.ids["employee"], "can_invest": True}]}
        self.ask("PUT", path, named, headers={"If-Match": '"1"'})
        self.quote()

    def quote(self) -> None:
        """A new quote, since one holds for seconds only."""
        quote = {"from": "USD", "to": "KES", "amount": 100, "side": "SELL"}
        self.ids["quote"] = self.ask("POST", "/fx/conversion-rate", quote)["quote_id"]

    def policies(self) -> None:
        groups = self.ask("GET", "/business-policies")["docs"]
        self.ids["group"] = next(each["_id"] for each in groups if each["code"] == "VENDOR")
        policy = {"type": "CATEGORY", "target": self.ids["category"], "action": "FLAG"}
        self.ids["policy"] = self.ask("PUT", "/business-policies/category-policies", policy)["_id"]
        workflow = {"name": "Anybody", "steps": [{"order": 1, "role": "APPROVER"}]}
        self.ids["workflow"] = self.ask("POST", "/business-policies/workflows", workflow)["_id"]
        self.ids["bill_workflow"] = self.ask("POST", "/bills/workflow", workflow)["_id"]
        given = {"wallet_id": self.ids["wallet"], "employee_id": self.ids["employee"], "permissions": PERMISSIONS}
        self.ids["wallet_policy"] = self.ask("POST", "/wallet-policies", given)["_id"]
        mandate = self.ask("PUT", "/permissions/mandates")["docs"][0]
        self.ids |= {"mandate": mandate["_id"], "seat": mandate["approvers"][0]["approver_id"]}
        hook = {"url": "https://8.8.8.8/in", "kinds": ["expense.approved"]}
        self.ids["webhook"] = self.ask("POST", "/webhook-endpoints", hook)["_id"]

    def books(self) -> None:
        movement = {"type": "TOPUP", "org_wallet_ref": "1", "amount": 2500, "counterparty": "Acme Ltd"}
        self.ids["transaction"] = self.ask("POST", "/transactions/new", movement)["_id"]
        known = self.upload(f"/transactions/{self.ids['transaction']}/supporting-document")
        self.ids["document"] = known["_id"]
        entry = self.ask("GET", f"/accounts/{self.ids['wallet']}/transactions")["docs"][0]
        self.ids["posting"] = entry["ledger_transaction_id"]
        self.ids["period"] = period = self.ask("GET", "/accounting/periods")["docs"][0]["period"]
        balance = self.ask("GET", f"/accounting/periods/{period}/trial-balance")
        self.ids["ledger_account"] = balance["accounts"][0]["account_id"]
        line = f"{entry['createdAt'][:10]},{entry['credit'] or -entry['debit']},Paper"
        statement = f"date,amount,description\n{line}\n".encode()
        self.ids["statement"] = self.upload("/accounting/bank-statements", statement, org_wallet_ref="1")["_id"]
        self.ids["line"] = self.ask("GET", "/accounting/bank-lines")["docs"][0]["_id"]
        self.ask("POST", f"/accounting/bank-lines/{self.ids['line']}/unmatch")
        self.ids["bank_rule"] = self.ask(
            "POST", "/accounting/bank-rules", {"name": "Fees", "text": "fee", "type": "FEE"}
        )["_id"]
        self.ids["bank_match"] = self.matched(entry["createdAt"][:10])
        day = today(self.house.business).isoformat()
        self.ids["journal_export"] = self.ask("POST", "/accounting/journal-exports", {"from": day, "to": day})["_id"]
        self.ids["admin"] = self.house.person("Ada").id

    def matched(self, day: str) -> str:
        """A line of another statement, matched with an entry that nothing else here names."""
        self.upload(
            "/accounting/bank-statements", f"date,amount,description\n{day},0.01,Tea\n".encode(), org_wallet_ref="1"
        )
        lines = self.ask("GET", "/accounting/bank-lines")["docs"]
        tea = next(line for line in lines if line["description"] == "Tea")
        free = self.ask("GET", "/accounting/unmatched-entries?accountref=1")["docs"][1]
        match = {
            "org_wallet_ref": "1", "line_ids": [tea["_id"]], "entry_seqs": [free["seq"]], "tolerance_minor": 10**12,
            "rule": "BY_HAND",
        }  # fmt: skip
        return str(self.ask("POST", "/accounting/bank-matches", match)["_id"])


def files_form(content: bytes, fields: dict[str, str]) -> tuple[bytes, str]:
    """A form with a file and more fields, and its content type."""
    form = encode_multipart(BOUNDARY, {**fields, "file": SimpleUploadedFile("lines.csv", content)})
    return form, MULTIPART_CONTENT
