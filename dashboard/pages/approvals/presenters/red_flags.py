"""The flags of items with their words, and which of them are red: what the pane shows, and what blocks an approval."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from dashboard.access.models import Business
from dashboard.conversation.dismissals import dismissed_keys
from dashboard.decisions.desk_items import DeskItem, ItemFlag, level_of
from dashboard.decisions.preconditions import RED_FROM
from dashboard.documents.reasons import red_flags_of_documents
from dashboard.mirror.item_kinds import kind_from_address
from dashboard.mirror.models import Approval, Expense
from dashboard.web.risk_text import WORDS, in_words

# A score from which the risk of an expense is high (decisions B.13).
HIGH_RISK = 60
# The signal of a payment that a policy speaks up about.
EXCEPTION = "policy_exception"


def flags_of_expense(business: Business, expense: Expense) -> list[ItemFlag]:
    """The risk and the policy flags of an expense, beside what its receipts say. A policy's flag stands by itself, whatever
    the notes of the risk say."""
    notes = str(expense.payload.get("risk_notes") or "")
    coded = expense.payload.get("policy_flags") or []
    sentences = [(in_words(flag, expense.currency, business), _is_of_policy(flag)) for flag in coded]
    flags = [ItemFlag(f"+{expense.risk}", notes, expense.risk >= HIGH_RISK)] if notes else []
    return flags + [
        ItemFlag("!", sentence, True, of_policy)
        for sentence, of_policy in sentences
        if of_policy or not notes.startswith(sentence)
    ]


def _is_of_policy(flag: Any) -> bool:
    # A signal of the risk may stand among them by its code alone; everything else is what a policy says.
    code = str(flag.get("code") or "") if isinstance(flag, Mapping) else str(flag)
    return code == EXCEPTION or code not in WORDS


def _breaks_policy(signal: Mapping[str, Any]) -> bool:
    """Whether the signal says that a policy is broken: not that it exempts the payment, and not that it asks for the very
    votes that are being given."""
    evidence = signal.get("evidence")
    outcome: Mapping[str, Any] = evidence if isinstance(evidence, Mapping) else {}
    return (
        signal.get("code") == EXCEPTION
        and outcome.get("outcome") != "EXEMPT"
        and outcome.get("action") != "REQUIRE_APPROVAL"
    )


def flags_of_approval(business: Business, approval: Approval) -> list[ItemFlag]:
    """The signals of a payment request's risk, beside what the files of its bill say."""
    return [
        ItemFlag(
            f"+{signal.get('weight', 0)}",
            in_words(signal, approval.currency, business),
            int(signal.get("weight", 0)) >= RED_FROM or _breaks_policy(signal),
            _breaks_policy(signal),
        )
        for signal in approval.signals
    ]


def red_flags_of_expenses(business: Business, expenses: Sequence[Expense]) -> Mapping[str, Sequence[ItemFlag]]:
    """The red flags of expenses by their ids, those of their receipts among them."""
    # What a receipt said that was removed since blocks nothing.
    keys = [f"expense/{expense.remote_id}" for expense in expenses if expense.has_receipt]
    of_receipts = red_flags_of_documents(business, keys)
    return {
        expense.remote_id: [
            *(flag for flag in flags_of_expense(business, expense) if flag.red),
            *of_receipts.get(f"expense/{expense.remote_id}", []),
        ]
        for expense in expenses
    }


def red_flags_of_approvals(business: Business, approvals: Sequence[Approval]) -> Mapping[str, Sequence[ItemFlag]]:
    """The red flags of payment requests by their ids, those of the files of their bills among them."""
    of_files = red_flags_of_documents(business, [f"payment/{approval.remote_id}" for approval in approvals])
    return {
        approval.remote_id: [
            *(flag for flag in flags_of_approval(business, approval) if flag.red),
            *of_files.get(f"payment/{approval.remote_id}", []),
        ]
        for approval in approvals
    }


def without_dismissed(business: Business, desk_item: DeskItem) -> DeskItem:
    """The item with a score that no dismissed flag counts in; as it is where none was dismissed."""
    weighing = [flag for flag in desk_item.flags if flag.is_dismissible and flag.weight.startswith("+")]
    if not weighing:
        return desk_item
    dismissed = dismissed_keys(business, kind_from_address(desk_item.kind), [desk_item.id]).get(
        desk_item.id, frozenset()
    )
    off = sum(int(flag.weight) for flag in weighing if flag.key in dismissed)
    if not off:
        return desk_item
    risk = max(0, desk_item.risk - off)
    return replace(desk_item, risk=risk, level=level_of(risk))
