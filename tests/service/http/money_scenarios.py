"""A scenario for every operation that keeps its answer as money's are kept: what it is done to, and the call."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from service.approvals.models import Mandate
from service.bills import execution
from service.rails import messages
from tests.service.bills.conftest import add, bill, payment_in_approval, till
from tests.service.cards.conftest import use
from tests.service.house import House
from tests.service.investments.conftest import invested, opened
from tests.service.investments.conftest import request_opt_in as fund_requested
from tests.service.payments.conftest import draft, item
from tests.service.taxes.conftest import day, deducted
from tests.service.transactions.conftest import posted, written

AMOUNT = re.compile(r"amount|price|limit|minor")


@dataclass(frozen=True)
class Call:
    """One call that is made twice."""

    method: str
    path: str
    body: Any = None
    by: str | None = "Apollo"


Scenario = Callable[[House], Call]


def account(house: House, amount: float = 100_000) -> str:
    created = opened(house)
    invested(house, created, amount)
    return created


def card(house: House, **more: Any) -> dict[str, Any]:
    body = {"employee_id": house.person("Carla").id, "name": "Fuel", **more}
    created: dict[str, Any] = house.post("/cards", body).json()
    house.post("/employees/allocate-funds", {"employee_id": body["employee_id"], "amount": 9000}, by="Apollo")
    return created


def held(house: House) -> str:
    return f"/cards/authorizations/{use(house, card(house), 1000)['_id']}/clearing"


def quote(house: House) -> dict[str, Any]:
    expected = {"from": "USD", "to": "KES", "amount": 10}
    created = house.post("/fx/conversion-rate", expected, by="Apollo").json()
    return {"quote_id": created["quote_id"], "from_org_wallet_ref": "2", "to_org_wallet_ref": "1"}


def transfer(house: House) -> dict[str, Any]:
    return house.post("/payments/intent", {"payment": {**item(), "org_wallet_ref": "1"}}, by="Apollo").json()  # type: ignore[no-any-return]


def confirmation(house: House) -> dict[str, Any]:
    created = transfer(house)
    return {"intent_id": created["intent_id"], "otp": messages.sent(house.business.id, limit=1)[0]["code"]}


def failed_payment(house: House) -> str:
    row = payment_in_approval(house, 500, till=till("0001"))
    assert execution.execute(row["_id"]) == "FAILED"
    return f"/bills/payments/{row['payment_ref']}/retry"


def bill_payment(house: House, verb: str) -> str:
    row = payment_in_approval(house) if verb == "approve" else add(house, bill(house)).json()
    return f"/bills/{row['bill_id']}/payments/{row['payment_ref']}/{verb}"


def mandated(house: House) -> None:
    Mandate.objects.filter(business=house.business).update(active=True, min_amount_minor=0, max_amount_minor=None)


def approval(house: House) -> dict[str, Any]:
    mandated(house)
    created = draft(house)
    house.send("PATCH", f"/payments/{created['batch_no']}/initiate")
    return {"approval_id": house.get("/approvals/all").json()["docs"][0]["_id"]}


def carla(house: House, **more: Any) -> dict[str, Any]:
    return {"employee_id": house.person("Carla").id, "amount": 1500.5, **more}


def rich(house: House) -> dict[str, Any]:
    house.post("/employees/allocate-funds", carla(house, amount=5000), by="Apollo")
    return carla(house)


def note_with_rest(house: House) -> str:
    """A credit note of 1,200 that its own bill of 1,000 has taken all but 200 of."""
    answer = house.post("/credit-notes", credit_of(bill(house, 1000), 1200), by="Ada")
    assert answer.json()["remaining"] == 200
    return f"/credit-notes/{answer.json()['_id']}/apply"


def credit_of(of: dict[str, Any], amount: int) -> dict[str, Any]:
    fields = {"bill_id": of["_id"], "credit_no": "CN-1", "amount": amount, "issued_at": "2026-01-20"}
    return fields | {"reason": "Two boxes came back."}


def applied(house: House) -> Call:
    path, vendor_id = note_with_rest(house), house.get("/credit-notes").json()["docs"][0]["vendor_id"]
    other = bill(house, 500, vendor_id=vendor_id, bill_no="INV-2")
    # By half of what is left: there is something for a replay to take.
    return Call("POST", path, {"bill_id": other["_id"], "amount": 100}, "Ada")


def v1_path(house: House, verb: str) -> str:
    return f"/employees/{rich(house)['employee_id']}/wallet/{verb}"


SCENARIOS: dict[str, Scenario] = {
    "allocate_funds": lambda house: Call("POST", "/employees/allocate-funds", carla(house)),
    "remove_funds": lambda house: Call("POST", "/employees/remove-funds", rich(house)),
    "add_money": lambda house: Call("POST", "v1/employees/addMoney", carla(house)),
    "deduct_money": lambda house: Call("POST", "v1/employees/deductMoney", rich(house)),
    "add_to_wallet": lambda house: Call("POST", f"v1{v1_path(house, 'add')}", {"amount": 5}),
    "deduct_from_wallet": lambda house: Call("POST", f"v1{v1_path(house, 'deduct')}", {"amount": 5}),
    "create_expense": lambda _: Call("POST", "v1/expenses", {"amount": 9, "currency": "KES", "description": "Ink"}),
    "create_fx_transfer": lambda house: Call("POST", "/fx/transfer", quote(house)),
    "opt_in": lambda house: Call(
        "POST", "/investments/opt-in", {"fund_id": house.get("/investments/funds").json()["docs"][0]["_id"]}
    ),
    "approve_opt_in": lambda house: Call("POST", f"/investments/opt-in/{fund_requested(house)['ref']}/approve"),
    "reject_opt_in": lambda house: Call(
        "POST", f"/investments/opt-in/{fund_requested(house)['ref']}/reject", {"reason": "No"}
    ),
    "invest": lambda house: Call(
        "POST", f"/investments/accounts/{account(house)}/invest", {"amount": 2000, "org_wallet_ref": "1"}
    ),
    "top_up": lambda house: Call(
        "POST", f"/investments/accounts/{account(house)}/top-up", {"amount": 2000, "org_wallet_ref": "1"}
    ),
    "withdraw": lambda house: Call("POST", f"/investments/accounts/{account(house)}/withdraw", {"amount": 2000}),
    "create_card": lambda house: Call("POST", "/cards", {"employee_id": carla(house)["employee_id"], "name": "Fuel"}, "Ada"),
    "reissue_card": lambda house: Call("POST", f"/cards/{card(house)['_id']}/reissue", None, "Ada"),
    "create_authorization": lambda house: Call(
        "POST", "/cards/authorizations",
        {"card_id": card(house)["_id"], "amount": 70, "merchant": "Java", "settle": True},
    ),
    "clear_authorization": lambda house: Call("POST", held(house), {"kind": "CAPTURE", "amount": 300, "final": False}),
    "create_payout": lambda _: Call("POST", "/payments", {"name": "May", "org_wallet_ref": "1", "items": [item()]}),
    "initiate_payout": lambda house: Call("PATCH", f"/payments/{draft(house)['batch_no']}/initiate"),
    "create_intent": lambda _: Call("POST", "/payments/intent", {"payment": {**item(), "org_wallet_ref": "1"}}),
    "confirm": lambda house: Call("POST", "/payments/confirm", confirmation(house)),
    "request_mpesa_payment": lambda _: Call(
        "POST", "/payments/request-mpesa-payment",
        {"phone": "254712345678", "amount": 300, "org_wallet_ref": "1", "account_reference": "A"},
    ),
    "approve": lambda house: Call("POST", "/approvals/approve", approval(house)),
    "add_bill_payment": lambda house: Call("POST", f"/bills/{bill(house)['_id']}/payments", {"amount": 100}),
    "request_bill_payment_approval": lambda house: Call("PATCH", bill_payment(house, "request-approval")),
    "approve_bill_payment": lambda house: (mandated(house), Call("POST", bill_payment(house, "approve")))[1],
    "retry_bill_payment": lambda house: Call("POST", failed_payment(house)),
    "create_transaction": lambda _: Call(
        "POST", "/transactions/new", {"type": "TOPUP", "org_wallet_ref": "1", "amount": 25, "counterparty": "Acme"}
    ),
    "approve_transaction": lambda house: Call("PUT", f"/transactions/{written(house)['_id']}/approve"),
    "reverse_transaction": lambda house: Call("PUT", f"/transactions/{posted(house)['_id']}/reverse", {"reason": "Twice"}, "Zawadi"),
    "create_credit_note": lambda house: Call("POST", "/credit-notes", credit_of(bill(house, 1000), 1200), "Ada"),
    "apply_credit_note": applied,
    "create_remittance": lambda house: Call(
        "POST", "/taxes/remittances",
        {
            "remitted_on": day(house),
            "transactions": [{"tax_transaction_id": deducted(house)["_id"], "certificate_no": "KRAWHT1"}],
        },
        "Ada",
    ),
}  # fmt: skip
