"""Several decisions at once on the screen: the plan by its parts, and the result row by row."""

from dataclasses import dataclass
from itertools import islice
from typing import Any, TypedDict

from django.core.paginator import Page, Paginator

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.decisions.bulk import BulkResult
from dashboard.decisions.models import Bulk, State, StoredPlan
from dashboard.decisions.plan import WORDS, Plan, PlannedRow, Row, WalletAfter
from dashboard.decisions.registry import DECIDED, spec_for, title_of
from dashboard.pages.approvals.presenters.desk import desk_address
from dashboard.pages.approvals.selectors.plans import parts_of_plan
from dashboard.web.submission import new_key

MOST_LISTED = 50
ROWS = 100
LEFT_OUT = "LEFT_OUT"
BULK_NOUNS = {"approve": "approval", "reject": "rejection", "ask": "request for details"}
VERB_LABELS = {"approve": "Approve", "reject": "Reject", "ask": "Request details on"}


@dataclass(frozen=True)
class WalletRow:
    """A wallet of a plan, as text: its name with its currency, what it holds before and after ("" where the copy does not
    know), and what moves."""

    name: str
    before: str
    after: str
    moved: str


@dataclass(frozen=True)
class Section:
    """What is decided by one operation: its plan, and as much of it as fits a page."""

    plan: Plan
    locale: str

    @property
    def operation(self) -> Operation:
        """What its rows are decided by."""
        return self.plan.operation

    @property
    def title(self) -> str:
        """What its subjects are called, such as "Card orders"."""
        return title_of(self.operation)

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
        return self.plan.outcome

    @property
    def passing(self) -> int:
        """How many rows will pass."""
        return len(self.plan.passing)

    @property
    def totals(self) -> list[str]:
        """What those that pass come to, per currency."""
        return [money.text(self.locale) for money in self.plan.totals]

    @property
    def wallets(self) -> list[WalletRow]:
        """What wallets hold before and after what passes."""
        return [_wallet_row(wallet, self.locale) for wallet in self.plan.wallets]

    @property
    def left_out(self) -> list[tuple[str, int]]:
        """Why and how many will not pass."""
        return [(WORDS[verdict], count) for verdict, count in self.plan.counts.items() if verdict is not Row.PASSES]

    @property
    def first_rows(self) -> list[PlannedRow]:
        """The first rows: what is left out before what passes, for that is what is looked for."""
        return list(islice((*self.plan.left_out, *self.plan.passing), MOST_LISTED))

    @property
    def more(self) -> int:
        """How many rows there are beyond `first_rows`."""
        return max(0, len(self.plan.rows) - MOST_LISTED)


class PlanContext(TypedDict):
    """What approvals/plan.html reads; `bulk_noun` such as "approval", `outcome` such as "will be approved", `list` the
    query of the list, `passing` how many will, `undoable` whether all of it is; `wallets` what all sections together leave
    in each."""

    plan: StoredPlan
    sections: list[Section]
    verb_label: str
    bulk_noun: str
    outcome: str
    back: str
    wallets: list[WalletRow]
    list: str
    passing: int
    undoable: bool


class ResultContext(TypedDict):
    """What approvals/several.html reads; `counts` of each state, `only` the state that is looked at, `parts` the bulks of
    the same plan with their titles, `waiting` how many do."""

    result: BulkResult
    counts: list[tuple[State, int]]
    only: str
    pages: Page[Any]
    key: str
    parts: list[tuple[Bulk, str]]
    waiting: int


def plan_context(actor: Actor, planned: StoredPlan, plans: list[Plan], query: str) -> PlanContext:
    """A plan in its sections, by operation."""
    sections = [Section(part, actor.business.locale) for part in plans]
    return {
        "plan": planned,
        "sections": sections,
        "verb_label": VERB_LABELS[planned.verb],
        "bulk_noun": BULK_NOUNS[planned.verb],
        "outcome": sections[0].outcome if sections else "",
        "back": f"{desk_address(actor, '', '')}?{query}",
        "list": query,
        "passing": sum(section.passing for section in sections),
        "undoable": all(not section.money_leaves for section in sections),
        "wallets": [_wallet_row(wallet, actor.business.locale) for wallet in _together(plans)],
    }


def _together(plans: list[Plan]) -> list[WalletAfter]:
    # Two sections may take from one wallet: what each leaves in it by itself is not what stays.
    by_wallet: dict[tuple[str, str, str], WalletAfter] = {}
    for wallet in (wallet for planned in plans for wallet in planned.wallets):
        place = wallet.name, wallet.ref, wallet.moved.currency
        by_wallet[place] = by_wallet[place].plus(wallet.moved) if place in by_wallet else wallet
    return [by_wallet[place] for place in sorted(by_wallet)]


def _wallet_row(wallet: WalletAfter, locale: str) -> WalletRow:
    before, after = (money.text(locale) if money is not None else "" for money in (wallet.before, wallet.after))
    return WalletRow(f"{wallet.name} ({wallet.moved.currency})", before, after, wallet.moved.text(locale))


def result_context(result: BulkResult, only: str | None, number: str | None) -> ResultContext:
    """A page of the rows of a bulk, all of them or those in one state."""
    only = ("" if result.counts else LEFT_OUT) if only is None else only
    if only == LEFT_OUT:
        rows: Any = result.bulk.left_out
    else:
        rows = result.rows.filter(state=only) if only in State.values else result.rows
    return {
        "result": result,
        "counts": [(State(state), count) for state, count in sorted(result.counts.items())],
        "only": only,
        "pages": Paginator(rows, ROWS).get_page(number),
        "key": new_key(),
        "parts": [(part, title_of(DECIDED[part.operation])) for part in parts_of_plan(result.bulk)],
        "waiting": result.counts.get(State.WAITING, 0),
    }
