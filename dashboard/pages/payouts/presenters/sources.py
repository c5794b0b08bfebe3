"""The candidates of a source as the rows that are chosen from: what was typed, where each is paid, and what holds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.access.actor import Actor
from dashboard.pages.payouts.presenters.rows import LAST, channel_text, destination_text
from dashboard.pages.payouts.selectors.candidates import (
    Candidate,
    CellProblem,
    MatchedCandidates,
    PayableAccount,
    Typed,
)
from dashboard.pages.payouts.services.picks import Picks
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


@dataclass(frozen=True, slots=True)
class SourcePage:
    """What is chosen from: `ticked` are rows that are ticked and do not match the search, `matches` those that do; how many are ticked
    in all, and how many were ticked that are no longer there or can no longer be paid."""

    ticked: list[SourceRow]
    matches: list[SourceRow]
    picked_count: int
    gone_count: int


def source_page(
    actor: Actor, matched: MatchedCandidates, picks: Picks, problems: Sequence[CellProblem] = ()
) -> SourcePage:  # fmt: skip
    """The rows of these candidates, in their order, with what is ticked and typed."""
    rows = _source_rows(actor, [*matched.ticked, *matched.matches], picks, problems)
    picked_count = sum(row.is_picked for row in rows)
    first = len(matched.ticked)
    return SourcePage(rows[:first], rows[first:], picked_count, len(picks.ids) - picked_count)


def _source_rows(
    actor: Actor, candidates: Sequence[Candidate], picks: Picks, problems: Sequence[CellProblem]
) -> list[SourceRow]:
    changes = links_by_vendor(actor, [row.vendor_id for row in candidates])
    errors: dict[str, dict[str, str]] = {}
    for problem in problems:
        errors.setdefault(problem.candidate_id, {})[problem.field] = problem.sentence
    ticked = set(picks.ids)
    return [
        SourceRow(
            row, row.id in ticked and not row.held, picks.typed.get(row.id, Typed()), destination_text(row),
            [(payable.word, _account_text(payable)) for payable in row.accounts], changes.get(row.vendor_id, []),
            errors.get(row.id, {}),
        )
        for row in candidates
    ]  # fmt: skip


def _account_text(payable: PayableAccount) -> str:
    """A known account as a choice: "···5678, M-Pesa send money, profile phone"."""
    return f"···{payable.account[-LAST:]}, {channel_text(payable.channel)}, {payable.origin}"
