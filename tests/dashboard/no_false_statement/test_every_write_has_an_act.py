"""Every change that the dashboard sends is acted under all faults, or says here why it is not."""

from dashboard import operations, operations_extra
from dashboard.access.operation import Operation
from dashboard.decisions.registry import SPECS
from tests.dashboard.no_false_statement.acts import ACTS
from tests.house.test_operations_are_used import DASHBOARD, named_in_code

# The audit's name of an operation, and why no act sends it.
EXEMPT = {
    "accept_bank_difference": "Carried out as a proposal is, in the way of ConfirmedChange; there is one to accept of each wallet, before its first statement.",
    "withdraw_bank_difference": "Carried out as a proposal is, in the way of ConfirmedChange; there is one to withdraw of each wallet, once it was accepted.",
    "remove_bank_statement": "Carried out as a proposal is, in the way of ConfirmedChange, by whom reconciliation/test_removed_statement.py looks at.",
    "accept_certain_matches": "One call for every line whose match is certain: that of one line, which answers alike, has an act.",
    "approve_expenses": "The call of ApproveSeveralExpenses, each row of which is audited as one that was approved.",
    "reject_expenses": "The call of RejectSeveralExpenses, each row of which is audited as one that was rejected.",
    "upload_bill_file": "The first call of AttachFile, and nothing by itself: a bill has what is attached to it.",
    "create_expense_tag": "The first call of TagExpense, for a tag that is new.",
    "create_journal_export": "A worker's, whose lost answer is played in journal_exports/test_exports.py.",
    "undo_journal_export": "Carried out as a proposal is, in the way of ConfirmedChange.",
    "generate_subscriptions": "Sent as a dry run alone (commands/subscriptions.py): it looks at past charges and adds nothing.",
    "start_receipts_export": "It makes a file, and moves or changes nothing: asked for twice there are two.",
    "cancel_receipts_export": "A file that is not wanted any more: done twice it is the same, and nothing else is changed.",
    "sync_wallet_permissions": "The service reads its own list again: done twice it is the same.",
}

EVERY_OPERATION: dict[str, Operation] = {**operations.OPERATIONS, **operations_extra.OPERATIONS_EXTRA}


def sent_by_us() -> dict[str, Operation]:
    """The operations that change something and are named in the dashboard's code, by the audit's name; also decisions, which
    have the outbox's machine (decisions/outbox_machine.py) beside their acts."""
    named = named_in_code(DASHBOARD)
    rows = [row for name, row in EVERY_OPERATION.items() if name.upper() in named]
    return {row.name: row for row in rows if not row.is_read}


def test_decisions_are_among_them() -> None:
    decided = {row.name for row in sent_by_us().values() if row.is_decision}
    assert decided >= {"approve_expense", "approve_fund_opt_in", "reject_fund_opt_in"}
    assert decided >= {row.name for row in SPECS}


def test_every_change_has_an_act_or_a_reason() -> None:
    acted = {act.operation for act in ACTS}
    assert set(sent_by_us()) - acted - set(EXEMPT) == set()


def test_no_reason_is_left_of_what_is_acted_or_gone() -> None:
    assert set(EXEMPT) <= set(sent_by_us()) - {act.operation for act in ACTS}


def test_every_act_is_of_an_operation() -> None:
    assert {act.operation for act in ACTS} <= set(EVERY_OPERATION)
