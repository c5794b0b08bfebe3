"""A line says what was done to which thing in people's words: no bare code, no id, no thing without its name."""

import ast
import re
from pathlib import Path

import pytest
from django.test import Client

from dashboard import operations, operations_extra, operations_pages, operations_payables
from dashboard.access.subject import Subject
from dashboard.audit.changes import changes_of
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.audit.naming import named_in
from dashboard.audit.record import record, record_denial
from dashboard.commands import run
from tests.dashboard.access.house import House

# What each command that creates something sends, and the sentence of its lines.
CREATES = {
    operations.CREATE_CUSTOMER: ({"type": "BUSINESS", "name": "Amani Traders"}, "created customer Amani Traders"),
    operations.CREATE_CATEGORY: ({"name": "Fuel", "code": "F1"}, "created category Fuel"),
    operations.CREATE_TEAM: ({"name": "Fleet"}, "created team Fleet"),
    operations.CREATE_VENDOR: ({"name": "Jua Kali"}, "created vendor Jua Kali"),
    operations.CREATE_TAX: ({"name": "VAT", "rate": "16"}, "created withholding tax VAT"),
    operations.CREATE_PAYOUT: ({"name": "Salaries", "org_wallet_ref": "w"}, "created payout Salaries"),
    operations.CREATE_PAYMENT_INTENT: (
        {"payment": {"receiver_name": "Amani Traders", "account": "1", "org_wallet_ref": "w"}, "channel": "SMS"},
        "prepared payment Amani Traders",
    ),
    operations.REQUEST_MOBILE_MONEY: (
        {"phone": "+254700000001", "amount": "10", "org_wallet_ref": "w", "account_reference": "Deposit"},
        "requested a mobile-money payment from +254700000001",
    ),
    operations.OPEN_WALLET: ({"currency": "KES", "name": "Payroll"}, "opened wallet Payroll"),
    operations.CREATE_ACCOUNT: ({"currency": "KES", "name": "Payroll"}, "created wallet Payroll"),
    operations.CREATE_CURRENCY: ({"currency": "KES"}, "added the currency KES"),
    operations.CREATE_CATEGORIES: ({"categories": []}, "created several categories"),
    operations.SYNC_WALLET_PERMISSIONS: (None, operations.SYNC_WALLET_PERMISSIONS.audit_text),
    operations.GENERATE_SUBSCRIPTIONS: ({}, operations.GENERATE_SUBSCRIPTIONS.audit_text),
    operations_payables.CREATE_BUDGET: ({"name": "Travel"}, operations_payables.CREATE_BUDGET.sentence("Travel")),
    operations_extra.CREATE_EXPENSE_TAG: ({"name": "Trip"}, operations_extra.CREATE_EXPENSE_TAG.sentence("Trip")),
    operations_extra.REQUEST_PHYSICAL_CARD: (
        {"name": "Fuel"}, operations_extra.REQUEST_PHYSICAL_CARD.sentence("Fuel"),
    ),
}  # fmt: skip


def sent_without_a_subject() -> set[str]:
    """The operations that commands send without a row that they are about, by their names in the code."""
    names = set[str]()
    for file in Path(run.__file__).parent.glob("*.py"):
        for call in ast.walk(ast.parse(file.read_text())):
            if not isinstance(call, ast.Call) or getattr(call.func, "id", "") != "run" or len(call.args) < 2:
                continue
            nothing = len(call.args) == 2 and not any(named.arg == "subject" for named in call.keywords)
            nothing = nothing or (len(call.args) > 2 and ast.unparse(call.args[2]) == "None")
            if nothing and isinstance(call.args[1], ast.Attribute):
                names.add(call.args[1].attr.lower())
    return names


def test_every_command_without_a_subject_names_what_it_makes() -> None:
    assert sent_without_a_subject() == {operation.name for operation in CREATES}
    for operation, (_body, sentence) in CREATES.items():
        assert "{title}" not in sentence, operation
        assert not re.search(r"_|\b(in|from|of|to|for)$|[0-9a-f]{24}", sentence), operation


@pytest.mark.parametrize("operation", CREATES, ids=str)
@pytest.mark.parametrize("outcome", [Outcome.ATTEMPT, Outcome.DONE, Outcome.REFUSED])
def test_what_is_being_made_is_named_by_what_is_sent(
    house: House, operation: operations.Operation, outcome: Outcome
) -> None:
    body, sentence = CREATES[operation]
    line = record(house.actor("Ada"), operation, None, outcome, name=named_in(body))
    assert line.sentence == sentence
    assert line.object_title in sentence or "{title}" not in operation.audit_text


def test_the_things_own_name_stands_before_that_of_the_body(house: House) -> None:
    row = house.expense("Carla")
    line = record(
        house.actor("Ada"), operations.NOTE_EXPENSE, row, Outcome.DONE, name=named_in({"description": "other"})
    )
    assert line.sentence == "changed the notes of expense Taxi to the airport"


def test_a_sentence_without_a_name_ends_before_it(house: House) -> None:
    line = record(
        house.actor("Ada"), operations.OPT_IN_TO_FUND, None, Outcome.DONE, name=named_in({"fund_id": "f" * 24})
    )
    assert line.sentence == "requested a fund account"
    fund = Subject(business_id=house.business.pk, kind="fund", id="f1", title="Bao Balanced")
    named = record(house.actor("Ada"), operations.OPT_IN_TO_FUND, fund, Outcome.DONE, name=named_in({"fund_id": "f1"}))
    assert named.sentence == "requested a fund account in Bao Balanced"


@pytest.mark.parametrize(("count", "sentence"), [(1, "approved card order Fuel"), (2, "approved 2 card orders")])
def test_several_are_counted_in_words(house: House, count: int, sentence: str) -> None:
    orders = [
        Subject(business_id=house.business.pk, kind="card_order", id=f"o{number}", title="Fuel")
        for number in range(count)
    ]
    subject = orders if count > 1 else orders[0]
    assert record(house.actor("Ada"), operations.APPROVE_CARD_ORDERS, subject, Outcome.DONE).sentence == sentence


def test_who_is_turned_away_at_the_door_is_told_with_what_was_typed(house: House) -> None:
    browser = Client()
    browser.force_login(house.people["Carla"].user)
    browser.post(f"/{house.business.slug}/people/new/", {"name": "Mary Otieno", "key": "k"})
    line = AuditEntry.objects.filter(chain=house.business.pk, outcome="DENIED").latest("pk")
    assert line.sentence == "added employee Mary Otieno"


def test_a_code_alone_is_no_line(house: House) -> None:
    with pytest.raises(ValueError, match="grant_wallet_access needs a sentence"):
        record(house.actor("Ada"), "grant_wallet_access", None, Outcome.DONE)


def test_a_page_that_was_refused_is_named_in_words(house: House) -> None:
    line = record_denial(house.actor("Carla"), operations_pages.AUDIT_LOG, reason="This is for finance.", rule="role")
    assert (line.operation, line.sentence) == ("audit_log", "tried to open the page audit log")
    assert [(change.name, change.after) for change in changes_of(line)] == [("rule", "role")]


def test_ids_in_a_change_are_written_as_names(house: House) -> None:
    rita, unknown = house.employee("Rita"), "f" * 24
    line = record(
        house.actor("Ada"), operations.UPDATE_CARD, None, Outcome.DONE,
        before={"employee_id": rita}, after={"employee_id": unknown, "people": [{"employeeId": rita}], "ids": [rita]},
    )  # fmt: skip
    entry = AuditEntry.objects.get(pk=line.pk)
    assert entry.before == {"employee_id": "Rita"}
    assert entry.after == {"employee_id": unknown, "people": [{"employeeId": "Rita"}], "ids": ["Rita"]}


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("type", "DAY_TIME", ("type", "Day time")),
        ("status", "ACTIVE", ("status", "Active")),
        ("currency", "KES", ("currency", "KES")),
        ("dailyLimit", "1200.00", ("daily limit", "1200.00")),
        ("is_default", True, ("is default", "yes")),
        ("wallet_id", "Main", ("wallet", "Main")),
        ("permissions", ["WALLET_VIEW", "WALLET_FX"], ("permissions", "Wallet view, Wallet fx")),
        ("limits", {"per_transaction": "5", "daily": None}, ("limits", "for each transaction 5, daily")),
        ("Limit in KES", "5", ("Limit in KES", "5")),
        ("rule", "not_own", ("rule", "own item")),
    ],
)
def test_fields_and_codes_are_said_as_people_say_them(name: str, value: object, words: tuple[str, str]) -> None:
    [change] = changes_of(AuditEntry(after={name: value}))
    assert (change.name, change.after) == words
