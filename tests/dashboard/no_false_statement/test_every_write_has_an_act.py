"""Every change that the dashboard sends is acted under all faults, or says here why it is not."""

from dashboard import operations, operations_extra
from dashboard.access.operation import Operation
from tests.dashboard.no_false_statement.acts import ACTS
from tests.house.test_operations_are_used import DASHBOARD, named_in_code

# The audit's name of an operation, and why no act sends it.
EXEMPT = {
    "retry_bill_payment": "Only a payment that has failed is retried: the rails take seconds to fail one.",
    "create_remittance": "Only what was deducted of a paid bill is remitted: the rails take seconds to pay one.",
    "confirm_payment": "Only after all votes, with a code from a phone: money that was paid is looked at in payouts/.",
    "accept_bank_difference": "Once for each wallet, before its first statement: reconciliation/test_opening_difference.py.",
    "withdraw_bank_difference": "Only of one that was accepted, once for each wallet: reconciliation/test_opening_difference.py.",
    "remove_bank_statement": "A statement goes once, or another second person's: reconciliation/test_removed_statement.py.",
    "accept_certain_matches": "What is certain is matched once: bank matches have an act.",
    "upload_bill_file": "The first call of attaching a file, and nothing by itself.",
    "create_expense_tag": "The first call of TagExpense.",
    "create_journal_export": "A worker's, with states of its own: journal_exports/test_exports.py.",
    "undo_journal_export": "A proposal's, as ConfirmedChange: journal_exports/test_exports.py.",
    "generate_subscriptions": "Sent as a trial alone: it looks at past charges and adds nothing.",
    "start_receipts_export": "A file that one may ask for twice: lists/test_receipts.py.",
    "cancel_receipts_export": "A file that is not wanted any more; done twice it is the same.",
    "sync_wallet_permissions": "The service reads its own list again; done twice it is the same.",
}


def sent_by_us() -> dict[str, Operation]:
    """The operations that change something and are named in the dashboard's code, by the audit's name; decisions,
    which wait in their outbox, have its machine (decisions/outbox_machine.py) beside their acts."""
    named = named_in_code(DASHBOARD)
    tables = {**vars(operations), **vars(operations_extra)}
    rows = [row for name, row in tables.items() if isinstance(row, Operation) and name in named]
    return {row.name: row for row in rows if not (row.is_read or row.is_decision)}


def test_every_change_has_an_act_or_a_reason() -> None:
    acted = {act.operation for act in ACTS}
    assert set(sent_by_us()) - acted - set(EXEMPT) == set()


def test_no_reason_is_left_of_what_is_acted_or_gone() -> None:
    assert set(EXEMPT) <= set(sent_by_us()) - {act.operation for act in ACTS}


def test_every_act_is_of_an_operation() -> None:
    known = {
        row.name
        for table in (operations, operations_extra)
        for row in vars(table).values()
        if isinstance(row, Operation)
    }
    assert {act.operation for act in ACTS} <= known
