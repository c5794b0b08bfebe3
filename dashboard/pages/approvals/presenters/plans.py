"""Several decisions at once on the screen: the plan by its parts, and the result row by row."""

from dataclasses import dataclass
from functools import cached_property
from typing import TypedDict

from django.core.paginator import Page, Paginator

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.bulk.actions import BulkAction, action_of
from dashboard.bulk.balances import WalletTexts, planned_balances, together
from dashboard.bulk.models import Batch, BatchRow
from dashboard.bulk.plans import left_out_of, plan_summary
from dashboard.bulk.results import BatchResult, Counts
from dashboard.decisions.models import DecisionState
from dashboard.decisions.registry import DECIDED, spec_for, subjects_title, verb_of
from dashboard.pages.approvals.presenters.desk import desk_address
from dashboard.pages.approvals.selectors.plans import begun_parts, plan_id_of
from dashboard.web.submission import new_key

MOST_LISTED = 50
ROWS = 100
LEFT_OUT = BatchRow.State.LEFT_OUT
BULK_NOUNS = {"approve": "approval", "reject": "rejection", "ask": "request for details"}
VERB_LABELS = {"approve": "Approve", "reject": "Reject", "ask": "Request details on"}


@dataclass(frozen=True)
class Section:
    """What is decided by one operation: its stored plan, and as much of it as fits a page."""

    batch: Batch
    locale: str

    @cached_property
    def action(self) -> BulkAction:
        """What is done with its rows."""
        return action_of(self.batch)

    @property
    def operation(self) -> Operation:
        """What its rows are decided by."""
        return self.action.operation

    @property
    def title(self) -> str:
        """What its subjects are called, such as "Card orders"."""
        return subjects_title(self.operation)

    @property
    def summary(self) -> str:
        """How many rows pass and what they come to, in a line."""
        return plan_summary(self.batch)

    @property
    def needs_reason(self) -> bool:
        """Whether a reason has to be given."""
        return spec_for(self.operation).needs_reason

    @property
    def money_leaves(self) -> bool:
        """Whether it cannot be undone."""
        return self.operation.undo_s == 0

    @property
    def outcome(self) -> str:
        """What happens to the rows that pass, such as "will be approved"."""
        return self.action.outcome

    @cached_property
    def passing(self) -> int:
        """How many rows of this operation will pass."""
        return self.batch.rows.filter(state=BatchRow.State.WAITING).count()

    @property
    def wallets(self) -> list[WalletTexts]:
        """What wallets hold before and after what passes."""
        return [wallet.texts(self.locale) for wallet in planned_balances(self.batch)]

    @cached_property
    def left_out(self) -> list[tuple[str, int]]:
        """Why and how many will not pass."""
        return left_out_of(self.batch)

    @property
    def first_rows(self) -> list[BatchRow]:
        """The first rows: what is left out before what passes, for that is what is looked for."""
        return list(self.batch.rows.order_by("state", "number")[:MOST_LISTED])

    @property
    def more(self) -> int:
        """How many rows there are beyond `first_rows`."""
        return max(0, self.passing + sum(count for _, count in self.left_out) - MOST_LISTED)


class PlanContext(TypedDict):
    """What approvals/plan.html reads; `plan_id` names the plan and `verb` what is done, `whole` says that all that match
    were meant, `bulk_noun` such as "approval", `outcome` such as "will be approved", `list` the query of the list, `passing`
    how many will, `undoable` whether all of it is; `wallets` what all sections together leave in each."""

    plan_id: str
    verb: str
    whole: bool
    sections: list[Section]
    verb_label: str
    bulk_noun: str
    outcome: str
    back: str
    wallets: list[WalletTexts]
    list: str
    passing: int
    undoable: bool


class ResultContext(TypedDict):
    """What approvals/several.html reads; `counts` of each state, `only` the state that is looked at, `parts` the batches of
    the same plan with their titles, `waiting` how many do."""

    result: BatchResult
    counts: Counts
    only: str
    pages: Page[BatchRow]
    key: str
    parts: list[tuple[Batch, str]]
    waiting: int


def plan_context(actor: Actor, planned: list[Batch], query: str) -> PlanContext:
    """The parts of a plan that are not carried out yet, in sections by operation; `query` is the list's."""
    sections = [Section(part, actor.business.locale) for part in planned]
    verb = verb_of(sections[0].operation)
    wallets = together(wallet for part in planned for wallet in planned_balances(part))
    return {
        "plan_id": plan_id_of(planned[0]),
        "verb": verb,
        "whole": planned[0].whole,
        "sections": sections,
        "verb_label": VERB_LABELS[verb],
        "bulk_noun": BULK_NOUNS[verb],
        "outcome": sections[0].outcome,
        "back": f"{desk_address(actor, '', '')}?{query}",
        "list": query,
        "passing": sum(section.passing for section in sections),
        "undoable": all(not section.money_leaves for section in sections),
        "wallets": [wallet.texts(actor.business.locale) for wallet in wallets],
    }


def result_context(actor: Actor, batch_result: BatchResult, only: str | None, number: str | None) -> ResultContext:
    """A page of the rows of a bulk decision: those in one state, or all that were decided on where it is ""; without any of
    these, those that were left out."""
    is_decided = any(state != LEFT_OUT for state in batch_result.by_state)
    only = ("" if is_decided else LEFT_OUT) if only is None else only
    rows = (
        batch_result.rows.filter(standing=only)
        if only in batch_result.action.labels
        else batch_result.rows.exclude(standing=LEFT_OUT)
    )
    return {
        "result": batch_result,
        "counts": batch_result.counts,
        "only": only,
        "pages": Paginator(rows, ROWS).get_page(number),
        "key": new_key(),
        "parts": [(part, subjects_title(DECIDED[part.verb])) for part in begun_parts(actor, batch_result.batch)],
        "waiting": batch_result.by_state.get(DecisionState.WAITING, 0),
    }
