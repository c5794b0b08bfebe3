"""The inbox as a list that is saved as views and exported: all its tables, as one file in the order of the screen."""

from dataclasses import dataclass
from typing import Any

from django.db.models import (
    BigIntegerField,
    Case,
    CharField,
    DateTimeField,
    DecimalField,
    F,
    IntegerField,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Now
from django.http import QueryDict

from dashboard import operations_pages
from dashboard.access.actor import Actor
from dashboard.decisions.desk_items import KIND_LABELS
from dashboard.decisions.filters import EXPENSE_SOURCE, GROUPED, Filters
from dashboard.decisions.sources import NO_AMOUNT, NO_MOMENT, NO_TEXT, InboxSource, sources_of
from dashboard.decisions.urgency import PRESSING
from dashboard.lists.expressions import exported_amount, label, minute
from dashboard.lists.query import LONGEST_QUERY
from dashboard.lists.registry import Listed, add
from dashboard.pages.approvals.tables.inbox import INBOX_STATES

HEADINGS = [
    "Date", "Kind", "Reference", "Description", "Person", "Team", "Cut-off", "Status", "Risk", "Currency", "Amount", "At (UTC)",
]  # fmt: skip
NO_CELL = Cast(Value(None), CharField())
NO_NUMBER = Cast(Value(None), IntegerField())
NO_WHOLE = Cast(Value(None), DecimalField(max_digits=30, decimal_places=4))
# Each order of the screen as the file's.
ORDERS = {
    "urgency": (
        F("pressing").asc(nulls_last=True),
        F("urgent_stake").desc(nulls_last=True),
        F("urgent_by").asc(),
        "-moment",
    ),
    "requester": (F("group_key").asc(nulls_last=True), "-moment"),
    "merchant": (F("group_key").asc(nulls_last=True), "-moment"),
    "newest": ("-moment",),
    "age": ("moment",),
    "value": (F("whole").desc(nulls_last=True), "-moment"),
    "risk": (F("risk_text").desc(nulls_last=True), "-moment"),
    "due": (F("cut_off_text").asc(nulls_last=True), "-moment"),
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
        """The query as it stands in the address of the inbox, without "?"."""
        return self.filters.query()

    def file(self, actor: Actor) -> tuple[list[str], QuerySet[Any, Any]]:
        """The headings, and the rows of all sources."""
        first, *others = (
            _cells(source, source.waiting(actor, self.filters), actor, self.filters.order)
            for source in sources_of(actor)
        )
        # Of the same moment expenses before payments, as on the screen.
        ordered = (*ORDERS[self.filters.order], "kind_text", "reference")
        return HEADINGS, first.union(*others, all=True).order_by(*ordered)

    def sums(self, actor: Actor) -> QuerySet[Any, Any]:
        """Each row's currency and minor units; (None, None) for what has no amount."""
        first, *others = (
            source.waiting(actor, self.filters)
            .order_by()
            .values_list(source.currency or NO_CELL, source.amount or NO_AMOUNT)
            for source in sources_of(actor)
        )
        return first.union(*others, all=True)


def _cells(source: InboxSource, rows: QuerySet[Any], actor: Actor, order: str) -> QuerySet[Any, Any]:
    group = source.group_key(order) if order in GROUPED else ""
    columns: dict[str, Combinable] = {
        "when": minute(source.moment)(actor),
        "kind_text": label(source.kind, KIND_LABELS)(actor) if source.kind else Value(source.label, CharField()),
        "reference": F(source.reference) if isinstance(source.reference, str) else source.reference,
        "what": F(source.title),
        "who": F(source.person),
        "team": F(source.team) if source.team else NO_TEXT,
        "cut_off_text": minute(source.cut_off)(actor) if source.cut_off else NO_CELL,
        "state_text": label(source.status, INBOX_STATES)(actor),
        "risk_text": _risk_of(source, actor),
        "code": F(source.currency) if source.currency else NO_TEXT,
        "whole": exported_amount(source.amount, source.currency)(actor) if source.currency else NO_WHOLE,
        "moment": Cast(source.moment, DateTimeField()),
        **_urgency_of(source),
        "group_key": group if isinstance(group, Combinable) else NO_CELL,
    }
    annotated: QuerySet[Any, Any] = rows.order_by().annotate(**columns)
    return annotated.values_list(*columns)


def _urgency_of(source: InboxSource) -> dict[str, Combinable]:
    # Of each row the one value by which it stands in the order: a cut-off within a week before any stake.
    pressing = Q(**{f"{source.cut_off}__lte": Now() + PRESSING}) if source.cut_off else Q(pk__in=[])
    stake = F(source.stake) if source.stake else NO_AMOUNT
    return {
        "pressing": Case(When(pressing, then=F(source.cut_off))) if source.cut_off else NO_MOMENT,
        "urgent_stake": Case(When(pressing, then=None), default=stake, output_field=BigIntegerField()),
        "urgent_by": Cast(source.place("decide_by", ""), BigIntegerField()),
    }


def _risk_of(source: InboxSource, actor: Actor) -> Combinable:
    if not source.risk:
        return NO_NUMBER
    risk = Cast(source.risk, IntegerField())
    # Of one's own expense it is for others to know.
    own = When(employee_id=actor.employee_id or "-", then=NO_NUMBER)
    return Case(own, default=risk) if source.name == EXPENSE_SOURCE else risk


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
