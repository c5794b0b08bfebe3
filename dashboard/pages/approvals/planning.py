"""The plan of deciding on several things: those that are ticked, or all that match; what would happen, nothing yet."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.operation import Operation
from dashboard.decisions.filters import Filters
from dashboard.decisions.plan import LARGEST_BULK, WORDS, Plan, PlannedRow, Row, plan
from dashboard.decisions.registry import describe, spec_for, verbs_on, visible
from dashboard.decisions.selectors import CHANGE, changes_of, confirms
from dashboard.decisions.totals import waiting_approvals, waiting_expenses, waiting_requests
from dashboard.errors import Rejected
from dashboard.mirror.models import Approval
from dashboard.pages.approvals.desk import KIND_OF

MOST_SHOWN = 50
ON_EXPENSES = ("approve_expense", "reject_expense", "request_expense_details")
TITLES = {
    **dict.fromkeys(ON_EXPENSES, "Expenses"),
    operations.APPROVE_PAYMENT_REQUEST.name: "Payment requests",
    operations.REJECT_PAYMENT_REQUEST.name: "Payment requests",
    operations.APPROVE_BILL_PAYMENT.name: "Bill payments",
    operations.REJECT_BILL_PAYMENT.name: "Bill payments",
    operations.REJECT_BILL_PAYMENT_REQUEST.name: "Bill payments",
    operations.APPROVE_FUND_OPT_IN.name: "Funds",
    operations_extra.REJECT_FUND_OPT_IN.name: "Funds",
    operations.APPROVE_CARD_ORDERS.name: "Card orders",
    operations.REJECT_CARD_ORDERS.name: "Card orders",
    operations_extra.APPROVE_CARD_REQUEST.name: "Single-use cards",
    operations_extra.REJECT_CARD_REQUEST.name: "Single-use cards",
    operations.APPROVE_TRANSACTION.name: "Transactions by hand",
    operations.REJECT_TRANSACTION.name: "Transactions by hand",
}


@dataclass(frozen=True)
class Section:
    """What is decided by one operation: its plan, and as much of it as fits a page."""

    operation: Operation
    plan: Plan
    locale: str

    @property
    def title(self) -> str:
        """What its things are called."""
        return TITLES.get(self.operation.name, "Items")

    @property
    def needs_reason(self) -> bool:
        """Whether a reason has to be given."""
        return spec_for(self.operation).needs_reason

    @property
    def money_leaves(self) -> bool:
        """Whether it cannot be undone."""
        return self.operation.undo_s == 0

    @property
    def passing(self) -> int:
        """How many will pass."""
        return len(self.plan.passing)

    @property
    def totals(self) -> list[str]:
        """What those that pass come to, per currency."""
        return [money.text(self.locale) for money in self.plan.totals]

    @property
    def wallets(self) -> list[tuple[str, str, str]]:
        """What wallets hold before and after."""
        return [(each.name, each.before.text(self.locale), each.after.text(self.locale)) for each in self.plan.wallets]

    @property
    def left_out(self) -> list[tuple[str, int]]:
        """Why and how many will not pass."""
        return [(WORDS[verdict], count) for verdict, count in self.plan.counts.items() if verdict is not Row.PASSES]

    @property
    def shown(self) -> list[PlannedRow]:
        """The first rows: what is left out before what passes, for that is what is looked for."""
        return list(islice((*self.plan.left_out, *self.plan.passing), MOST_SHOWN))

    @property
    def more(self) -> int:
        """How many rows are not shown."""
        return max(0, len(self.plan.rows) - MOST_SHOWN)


def read_alone(actor: Actor, keys: Iterable[str], filters: Filters | None) -> int:
    """How many changes of access are among the keys, or among all that the filters show: no bulk decides on them."""
    if filters is None:
        return sum(key.startswith(f"{CHANGE}/") for key in set(keys))
    return changes_of(actor, filters).count() if confirms(actor) else 0


def ticked(actor: Actor, keys: Iterable[str]) -> list[Any]:
    """The things of keys of the inbox, as they are visible to the actor now; what is no key is left out, and what is
    read by itself."""
    by_kind: dict[str, list[str]] = {}
    for key in dict.fromkeys(keys):
        kind, _, remote_id = key.partition("/")
        if remote_id and kind != CHANGE:
            by_kind.setdefault(KIND_OF.get(kind, kind.replace("-", "_")), []).append(remote_id)
    return [thing for kind, ids in by_kind.items() for thing in visible(actor, kind).filter(remote_id__in=ids)]


def matching(actor: Actor, filters: Filters) -> list[Any]:
    """All that the filters show, on every page; Rejected where that is too much at once."""
    found: list[Any] = []
    for rows in (waiting_expenses, waiting_approvals, waiting_requests):
        found += rows(actor, filters).order_by("id")[: LARGEST_BULK + 1 - len(found)]
    if len(found) > LARGEST_BULK:
        raise Rejected(f"More than {LARGEST_BULK:,} match, the most at once: narrow the filters.", code="too_many_rows")
    return found


def sections(actor: Actor, verb: str, things: list[Any]) -> tuple[list[Section], int]:
    """The plans by operation, and how many things there are that nobody decides on in this way."""
    describe([one for one in things if isinstance(one, Approval)])
    by_operation: dict[Operation, list[Any]] = {}
    others = 0
    for thing in things:
        operation = verbs_on(thing).get(verb)
        if operation is None or not can_open(actor, operation):
            others += 1
        else:
            by_operation.setdefault(operation, []).append(thing)
    locale = actor.business.locale
    return [Section(each, plan(actor, each, some), locale) for each, some in by_operation.items()], others
