"""The candidates of a source as the rows that are chosen from: what was typed, where each is paid, and what holds it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from dashboard.access.actor import Actor
from dashboard.pages.payouts.presenters.rows import LAST, channel_text, destination_text
from dashboard.pages.payouts.selectors.candidates import Candidate, CellProblem, PayableAccount, Typed
from dashboard.web.payee_changes import PayeeChangeLink, links_by_vendor


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A candidate, whether it is chosen, what was typed beside it, where it is paid in words ("" where that is chosen or typed), its
    known accounts as choices, the changes of its account that wait for a second person, and what is wrong by the field."""

    candidate: Candidate
    is_picked: bool
    typed: Typed
    destination: str
    accounts: list[tuple[str, str]]
    payee_changes: list[PayeeChangeLink]
    errors: dict[str, str]


def source_rows(
    actor: Actor, candidates: Sequence[Candidate], picked: Collection[str], typed: Mapping[str, Typed],
    problems: Sequence[CellProblem] = (),
) -> list[SourceRow]:  # fmt: skip
    """The rows of these candidates, in their order; `typed` by the candidate's id."""
    changes = links_by_vendor(actor, [row.vendor_id for row in candidates])
    errors: dict[str, dict[str, str]] = {}
    for problem in problems:
        errors.setdefault(problem.candidate_id, {})[problem.field] = problem.sentence
    return [
        SourceRow(
            row, row.id in picked, typed[row.id], destination_text(row),
            [(payable.word, _account_text(payable)) for payable in row.accounts], changes.get(row.vendor_id, []),
            errors.get(row.id, {}),
        )
        for row in candidates
    ]  # fmt: skip


def _account_text(payable: PayableAccount) -> str:
    """A known account as a choice: "···5678, M-Pesa send money, profile phone"."""
    return f"···{payable.account[-LAST:]}, {channel_text(payable.channel)}, {payable.origin}"
