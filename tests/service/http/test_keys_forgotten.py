"""Keys are forgotten after their days, money references never: a replay after that moves nothing a second time.

Of every operation that keeps its answer as money's are kept there is a scenario here: it is done, the stored answer is
deleted as the housekeeping does, and the very same call comes again.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection

from service.api import v1, v2
from service.approvals.models import Mandate
from service.bills import execution
from service.businesses.models import StoredAnswer
from service.idempotency import DAYS
from service.rails import messages
from tests.service.bills.conftest import add, bill, payment_in_approval, till
from tests.service.cards.conftest import use
from tests.service.house import House, code
from tests.service.investments.conftest import invested, opened
from tests.service.investments.conftest import request_opt_in as fund_requested
from tests.service.payments.conftest import draft, item
from tests.service.proof.operations import CHANGING, attempts
from tests.service.proof.stage import Stage
from tests.service.taxes.conftest import day, deducted
from tests.service.transactions.conftest import posted, written

AMOUNT = re.compile(r"amount|price|limit|minor")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
# What may have moved or come into being: the rows of these tables, and what the wallets hold.
TABLES = (
    "ledger_transaction", "ledger_hold", "transactions_transaction", "expenses_expense", "cards_card",
    "cards_authorization", "investments_movement", "investments_optin", "fx_fxtransfer", "payments_batch",
    "payments_intent", "payments_mobilemoneypush", "bills_billpayment", "taxes_remittance", "approvals_approval", "credit_notes_creditnote",
)  # fmt: skip
WITHOUT_STATE = {"ledger_transaction", "taxes_remittance", "credit_notes_creditnote"}


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


def operations() -> set[str]:
    """The operations whose answers are kept as long as those of money are, by the names of their views."""
    found = set()
    for api in (v2, v1):
        for item_ in api.get_openapi_schema(path_prefix="")["paths"].values():
            found |= {
                each["operationId"] for verb, each in item_.items()
                if verb.upper() in METHODS and each.get("x-idempotency-days") == DAYS["money"]
            }  # fmt: skip
    return found


def counted(house: House) -> dict[str, Any]:
    """How many rows of each there are in which state, and what each account of the business has posted and held."""
    with connection.cursor() as cursor:
        found: dict[str, Any] = {}
        for table in TABLES:
            state = "status" if table not in WITHOUT_STATE else "''"
            cursor.execute(
                f"select {state}, count(*) from {table} where business_id = %s group by 1 order by 1",
                [house.business.id],
            )
            found[table] = cursor.fetchall()
        cursor.execute(
            "select count(*) from approvals_vote v join approvals_approval a on a.id = v.approval_id"
            " where a.business_id = %s", [house.business.id],
        )  # fmt: skip
        found["votes"] = cursor.fetchone()[0]
        cursor.execute(
            "select count(*), sum(a.amount_minor) from credit_notes_creditapplication a"
            " join credit_notes_creditnote n on n.id = a.note_id where n.business_id = %s", [house.business.id],
        )  # fmt: skip
        found["credits"] = cursor.fetchone()
        cursor.execute(
            "select account_id, posted, pending_in, pending_out from ledger_balance where business_id = %s order by 1",
            [house.business.id],
        )
        return found | {"balances": cursor.fetchall()}


def send(house: House, call: Call, key: str = "the key") -> Any:
    if call.path.startswith("v1/"):
        return house.v1(call.method, call.path.removeprefix("v1"), call.body, idempotency=key)
    return house.send(call.method, call.path, call.body, by=call.by, key=key)


@pytest.fixture
def ready(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """A business in which nobody must vote unless a scenario says so, and no worker."""
    Mandate.objects.filter(business=house.business).update(active=False)
    monkeypatch.setattr("service.enqueue.send", lambda *_: None)
    return house


def test_every_operation_that_keeps_money_s_answers_is_tried_here() -> None:
    assert operations() == SCENARIOS.keys()


# What is sent an amount of money and keeps its answer for a day alone, and why a replay after that day takes no money's worth.
RULES = "a rule, a limit or a plan is set to what it says: set again it says the same"
NUMBERED = "its number or name is taken by then: a replay is refused as a duplicate"
MEASURED = "what was measured or matched is compared again, and moves nothing"
WITHOUT_MONEY = {
    **dict.fromkeys(
        (
            "set_single_use_policy", "update_card", "update_mandate_approver", "add_mandate_approvers",
            "upsert_category_policy", "update_category_policy", "create_policy_workflow", "update_policy_workflow",
            "create_business_policy", "update_business_policy", "grant_wallet_policy", "modify_wallet_policy",
            "set_subscription_limits", "update_budget", "create_bill_workflow", "update_bill_workflow", "create_tax",
            "edit_tax", "update_bill", "split_transaction",
        ),
        RULES,
    ),
    **dict.fromkeys(("create_budget", "create_subscription", "create_bill"), NUMBERED),
    **dict.fromkeys(
        (
            "import_bank_lines", "accept_bank_difference", "withdraw_bank_difference", "create_bank_match",
            "create_bank_rule",
        ),
        MEASURED,
    ),
    "request_single_use_card": "the request has the id of its key, and is found by it",
    "create_bill_schedule": "it plans bills, which somebody has to pay; what it makes has its numbers",
}  # fmt: skip


def test_whatever_is_sent_an_amount_keeps_its_answer_as_long_as_money_does_or_says_why_not() -> None:
    document = v2.get_openapi_schema(path_prefix="")
    named = {
        operation["operationId"]
        for path in document["paths"].values()
        for verb, operation in path.items()
        if verb.upper() in METHODS and operation.get("x-idempotency-days", DAYS["money"]) != DAYS["money"]
        and any(AMOUNT.search(name) for name in names_in(operation.get("requestBody", {}), document))
    }  # fmt: skip
    assert named == WITHOUT_MONEY.keys()


# An account that is opened moves nothing.
MOVED = ("ledger_transaction", "ledger_entry", "ledger_hold")


def ledger_writes() -> dict[str, int]:
    """Rows that this transaction has written so far, by table of what moves or holds money."""
    return {table: rows for table, rows in attempts().items() if table.startswith(MOVED)}


def operation_at(method: str, path: str) -> str:
    """The operation that answers at an address of v2: of several the one with the fewest parameters."""
    below = path.partition("?")[0]
    fitting = [
        each for each in CHANGING
        if each.method == method and re.fullmatch(re.sub(r"{[^}]*}", "[^/]+", each.path.removeprefix("/v2")), below)
    ]  # fmt: skip
    return str(min(fitting, key=lambda each: len(each.parameters)).about["operationId"])


def test_whatever_writes_to_the_ledger_keeps_its_answer_as_long_as_money_does(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what happens while one of each thing is made, not by what the bodies are called."""
    writing, send_plainly = set[str](), house.send

    def sent(method: str, path: str, *rest: Any, **options: Any) -> Any:
        before = ledger_writes()
        answer = send_plainly(method, path, *rest, **options)
        if method != "GET" and not path.startswith("/sandbox") and ledger_writes() != before:
            writing.add(operation_at(method, path))
        return answer

    monkeypatch.setattr(house, "send", sent)
    Stage(house)
    # What else moves money there is paid by a worker, or decided by votes.
    assert writing >= {"allocate_funds", "create_authorization"}
    assert writing - operations() == set()


def names_in(schema: Any, document: dict[str, Any], seen: frozenset[str] = frozenset()) -> set[str]:
    """The names of all fields of a request's body, however deep."""
    if isinstance(schema, list):
        return set().union(*(names_in(each, document, seen) for each in schema))
    if not isinstance(schema, dict):
        return set()
    referred = schema.get("$ref", "").rpartition("/")[2]
    if referred:
        known = document["components"]["schemas"][referred]
        return set() if referred in seen else names_in(known, document, seen | {referred})
    deeper = [names_in(each, document, seen) for each in schema.values()]
    return set(schema.get("properties", {})).union(*deeper)


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_a_replay_after_its_key_was_forgotten_moves_nothing(ready: House, name: str) -> None:
    call = SCENARIOS[name](ready)
    before = counted(ready)
    first = send(ready, call)
    assert first.status_code < 300, first.json()
    after = counted(ready)
    assert after != before, "the scenario does something"
    assert StoredAnswer.objects.filter(business_id=ready.business.id, key="the key").delete()[0] == 1
    again = send(ready, call)
    assert counted(ready) == after
    if again.status_code >= 400:
        # The old interface tells by a sentence what the new one tells by a code.
        known = {(409, "invalid_state"), (409, "duplicate")} | ({(409, "")} if call.path.startswith("v1/") else set())
        assert code(again) in known, again.json()
        return
    names = ("_id", "id", "ref", "intent_id", "checkout_request_id")
    event, repeated = first.json(), again.json()
    assert again.status_code == first.status_code
    assert {each: event.get(each) for each in names} == {each: repeated.get(each) for each in names}


# What makes something new answers with what it made; only what moves a thing on may say that it has moved on. With them
# another body that the operation takes as well: under the same key that is no repeat.
MAKING: dict[str, dict[str, Any]] = {
    "allocate_funds": {"amount": 7},
    "remove_funds": {"amount": 7},
    "add_money": {"amount": 7},
    "deduct_money": {"amount": 7},
    "add_to_wallet": {"amount": 7},
    "deduct_from_wallet": {"amount": 7},
    "opt_in": {"note": "Another"},
    "create_fx_transfer": {"note": "Another"},
    "invest": {"amount": 2001},
    "top_up": {"amount": 2001},
    "withdraw": {"amount": 2001},
    "create_card": {"name": "Another"},
    "reissue_card": {"reason": "Another"},
    "create_authorization": {"amount": 71},
    "clear_authorization": {"amount": 301},
    "create_payout": {"name": "Another"},
    "create_intent": {"channel": "EMAIL"},
    "request_mpesa_payment": {"amount": 301},
    "add_bill_payment": {"amount": 101},
    "create_transaction": {"amount": 26},
    "create_credit_note": {"amount": 1201},
    "apply_credit_note": {"amount": 101},
    "create_remittance": {"reference": "Another"},
}


@pytest.mark.parametrize("name", MAKING)
def test_what_was_made_under_a_forgotten_key_is_answered_again_and_another_body_under_it_refused(
    ready: House, name: str
) -> None:
    call = SCENARIOS[name](ready)
    assert send(ready, call).status_code < 300
    forget(ready)
    assert send(ready, call).status_code < 300
    forget(ready)
    after = counted(ready)
    other = Call(call.method, call.path, {**(call.body or {}), **MAKING[name]}, call.by)
    refused = (400, "") if call.path.startswith("v1/") else (422, "idempotency_key_reused")
    assert code(send(ready, other)) == refused
    assert counted(ready) == after


def forget(house: House) -> None:
    """What the housekeeping does once the days are over."""
    StoredAnswer.objects.filter(business_id=house.business.id).delete()


def test_the_same_words_under_another_key_are_another_effect(ready: House) -> None:
    call = SCENARIOS["allocate_funds"](ready)
    first, second = send(ready, call, "one").json(), send(ready, call, "two").json()
    assert first["ref"] != second["ref"]
    assert second["wallet"]["balances"]["available"] == 2 * 1500.5
