"""A line says what was done to which thing in people's words: no bare code, no id, no thing without its name."""

import pytest

from dashboard import operations, operations_pages
from dashboard.audit.changes import changes_of
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.audit.record import record, record_denial
from tests.dashboard.access.house import House

CREATES = {
    operations.CREATE_CUSTOMER: ({"type": "BUSINESS", "name": "Amani Traders"}, "created customer Amani Traders"),
    operations.CREATE_CATEGORY: ({"name": "Fuel", "code": "F1"}, "created category Fuel"),
    operations.CREATE_TEAM: ({"name": "Fleet"}, "created team Fleet"),
}


@pytest.mark.parametrize("operation", CREATES, ids=str)
@pytest.mark.parametrize("outcome", [Outcome.ATTEMPT, Outcome.DONE, Outcome.REFUSED])
def test_what_is_being_made_is_named_by_what_is_sent(
    house: House, operation: operations.Operation, outcome: Outcome
) -> None:
    body, sentence = CREATES[operation]
    line = record(house.actor("Ada"), operation, None, outcome, body=body)
    assert (line.sentence, line.object_title) == (sentence, body["name"])


def test_the_things_own_name_stands_before_that_of_the_body(house: House) -> None:
    row = house.expense("Carla")
    line = record(house.actor("Ada"), operations.NOTE_EXPENSE, row, Outcome.DONE, body={"description": "other"})
    assert line.sentence == "changed the notes of expense Taxi to the airport"


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
