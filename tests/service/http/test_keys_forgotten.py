"""Keys are forgotten after their days, money references never: a replay after that moves nothing a second time.

Of every operation that keeps its answer as money's are kept there is a scenario here: it is done, the stored answer is
deleted as the housekeeping does, and the very same call comes again.
"""

import re
from typing import Any

import pytest
from django.db import connection

from service.api import v1, v2
from service.approvals.models import Mandate
from service.businesses.models import StoredAnswer
from service.idempotency import DAYS
from tests.service.house import House, code
from tests.service.http.money_scenarios import AMOUNT, SCENARIOS, Call
from tests.service.proof.operations import CHANGING, attempts
from tests.service.proof.stage import Stage

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
# What may have moved or come into being: the rows of these tables, and what the wallets hold.
TABLES = (
    "ledger_transaction", "ledger_hold", "transactions_transaction", "expenses_expense", "cards_card",
    "cards_authorization", "investments_movement", "investments_optin", "fx_fxtransfer", "payments_batch",
    "payments_intent", "payments_mobilemoneypush", "bills_billpayment", "taxes_remittance", "approvals_approval", "credit_notes_creditnote",
)  # fmt: skip
WITHOUT_STATE = {"ledger_transaction", "taxes_remittance", "credit_notes_creditnote"}


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
