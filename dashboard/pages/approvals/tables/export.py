"""The inbox as a list that is saved as views and exported: all its tables, as one file in the order of the screen."""

from dataclasses import dataclass
from typing import Any

from django.db.models import BigIntegerField, CharField, DateTimeField, DecimalField, F, IntegerField, QuerySet, Value
from django.db.models.functions import Cast
from django.http import QueryDict

from dashboard import operations_pages
from dashboard.access.actor import Actor
from dashboard.decisions.filters import Filters
from dashboard.decisions.items import KIND_LABELS
from dashboard.decisions.selectors import changes_of, confirms
from dashboard.decisions.totals import waiting_approvals, waiting_expenses, waiting_requests
from dashboard.lists.expressions import amount, label, minute, plain
from dashboard.lists.query import LONGEST_QUERY
from dashboard.lists.registry import Listed, add
from dashboard.pages.approvals.tables.inbox import STATES

HEADINGS = [
    "When", "Kind", "Reference", "What", "Who", "Team", "Cut-off", "State", "Risk", "Currency", "Amount", "At (UTC)",
]  # fmt: skip
EXPENSE_FILE = (
    ("when", minute("transaction_date")), ("kind_text", lambda _: Value("Expense", CharField())),
    ("reference", plain("transaction_ref")), ("what", plain("merchant")), ("who", plain("employee_name")),
    ("team", plain("team_name")), ("cut_off", lambda _: Cast(Value(None), CharField())), ("state", label("status", STATES)),
    ("risk_text", lambda _: Cast("risk", IntegerField())), ("code", plain("currency")),
    ("whole", amount("amount_minor", "currency")),
)  # fmt: skip
APPROVAL_FILE = (
    ("when", minute("requested_at")), ("kind_text", label("kind", KIND_LABELS)), ("reference", plain("ref")),
    ("what", plain("title")), ("who", plain("requested_by_name")), ("team", lambda _: Value("", CharField())),
    ("cut_off", minute("due_at")), ("state", label("status", STATES)), ("risk_text", lambda _: Cast("risk", IntegerField())),
    ("code", plain("currency")), ("whole", amount("amount_minor", "currency")),
)  # fmt: skip
REQUEST_FILE = (
    ("when", minute("requested_at")), ("kind_text", label("kind", KIND_LABELS)), ("reference", plain("ref")),
    ("what", plain("title")), ("who", plain("holder_name")), ("team", lambda _: Value("", CharField())),
    ("cut_off", minute("due_at")), ("state", label("status", STATES)),
    ("risk_text", lambda _: Cast(Value(None), IntegerField())),
    ("code", plain("currency")), ("whole", amount("amount_minor", "currency")),
)  # fmt: skip
CHANGE_FILE = (
    ("when", minute("proposed_at")), ("kind_text", lambda _: Value(KIND_LABELS["access_change"], CharField())),
    ("reference", lambda _: Cast("pk", CharField())), ("what", plain("title")), ("who", plain("proposed_by__user__name")),
    ("team", lambda _: Value("", CharField())), ("cut_off", minute("effective_at")), ("state_text", label("state", STATES)),
    ("risk_text", lambda _: Cast(Value(None), IntegerField())), ("code", lambda _: Value("", CharField())),
    ("whole", lambda _: Cast(Value(None), DecimalField(max_digits=30, decimal_places=4))),
)  # fmt: skip
NO_AMOUNT = {"code": Cast(Value(None), CharField()), "minor": Cast(Value(None), BigIntegerField())}
# Each order of the screen as the file's.
ORDERS = {
    "": ("-moment",),
    "age": ("moment",),
    "value": (F("whole").desc(nulls_last=True), "-moment"),
    "due": (F("cut_off").asc(nulls_last=True), "-moment"),
}


@dataclass(frozen=True)
class InboxQuery:
    """The inbox as its filters ask for it: a query of the list engine (lists/registry.py)."""

    filters: Filters

    @property
    def problems(self) -> dict[str, str]:
        """What could not be understood, by name."""
        return self.filters.problems

    @property
    def refused(self) -> bool:
        """Whether it asks for something that is not there."""
        return bool(set(self.problems) - {"after"})

    def query(self) -> str:
        """The query of its address."""
        return self.filters.query()

    def file(self, actor: Actor) -> tuple[list[str], QuerySet[Any, Any]]:
        """The headings, and the rows of all sources."""
        expenses = _cells(waiting_expenses(actor, self.filters), EXPENSE_FILE, "transaction_date", actor)
        approvals = _cells(waiting_approvals(actor, self.filters), APPROVAL_FILE, "requested_at", actor)
        requests = _cells(waiting_requests(actor, self.filters), REQUEST_FILE, "requested_at", actor)
        others: list[QuerySet[Any, Any]] = [approvals, requests]
        if confirms(actor):
            others.append(_cells(changes_of(actor, self.filters), CHANGE_FILE, "proposed_at", actor))
        # Of the same moment expenses before payments, as on the screen.
        ordered = (*ORDERS[self.filters.sort], "kind_text", "reference")
        return HEADINGS, expenses.union(*others, all=True).order_by(*ordered)

    def sums(self, actor: Actor) -> QuerySet[Any, Any]:
        """Each row's currency and minor units; (None, None) for what has no amount."""
        sources = (waiting_expenses, waiting_approvals, waiting_requests)
        sums: list[QuerySet[Any, Any]] = [
            rows(actor, self.filters).order_by().values_list("currency", "amount_minor") for rows in sources
        ]
        if confirms(actor):
            changes = changes_of(actor, self.filters).order_by()
            sums.append(changes.annotate(**NO_AMOUNT).values_list(*NO_AMOUNT))
        return sums[0].union(*sums[1:], all=True)


def _cells(rows: QuerySet[Any], cells: Any, moment: str, actor: Actor) -> QuerySet[Any, Any]:
    columns = {name: expression(actor) for name, expression in cells}
    annotated: QuerySet[Any, Any] = rows.order_by().annotate(**columns, moment=Cast(moment, DateTimeField()))
    return annotated.values_list(*columns, "moment")


INBOX_LIST = add(
    Listed(
        name="approvals",
        title="Approvals",
        noun=("item", "items"),
        opens=operations_pages.INBOX,
        address="approvals",
        parse=lambda text: InboxQuery(Filters.read(QueryDict(text[:LONGEST_QUERY]))),
    )
)
