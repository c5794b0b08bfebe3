"""The inbox, declared: the union of its sources, each with where its rows have what a line of the inbox says.

Its page, its order, its totals, what is new in it and its file follow from SOURCES alone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import BigIntegerField, Case, CharField, DateTimeField, F, Func, Model, QuerySet, Value, When
from django.db.models.expressions import Combinable
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce, Collate, Concat, NullIf

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.person import membership_of
from dashboard.decisions.filters import CHANGE_SOURCE, EXPENSE_SOURCE, PAYMENT_SOURCE, REQUEST_SOURCE, Filters
from dashboard.decisions.models import OPEN_DECISION_STATES, Decision
from dashboard.decisions.registry import APPROVAL_KINDS
from dashboard.decisions.selectors import access_changes_of, approvals_of, confirms, expenses_of, requests_of
from dashboard.mirror.models import ANSWERED_EXPENSE, Approval, ApprovalRequest, Expense
from dashboard.mirror.models.weights import USUAL_S, Seconds
from dashboard.proposals.models import Proposal

# What a row of the inbox has: the name of a column, or an expression.
UnionColumn = str | Combinable
NO_TEXT, NO_AMOUNT = Value("", CharField()), Cast(Value(None), BigIntegerField())
NO_MOMENT = Cast(Value(None), DateTimeField())
# Between a name and the id that it is the name of, so that two people of one name are two groups.
ID_AFTER = "\x1f"


@dataclass(frozen=True, eq=False)
class InboxSource:
    """Rows of one table in the inbox: which of them a tab shows to whom, and what a line says of each.

    `rows` are those of the tab, filtered, as far as the actor sees them; `deciding` the decisions on their way whose rows
    wait for nobody any more. `label` says what a row is, where `kind` holds no code for it. `headline` is what the screen
    says instead of the title, `displayed_status` instead of the status; `group` what stands beside the person. An empty
    name says that the source has no such column: `risk`, `stake`, `decide_by`, `cut_off`, `team`, `payee`, `currency`
    (with it `amount_minor`, in minor units, and `amount_text`). `person_id` is whose name `person` is.
    """

    name: str
    model: type[Model]
    rows: Callable[[Actor, Filters], QuerySet[Any]]
    moment: str
    person: str
    group: UnionColumn
    title: str = "title"
    headline: UnionColumn = ""
    remote_id: UnionColumn = "remote_id"
    reference: UnionColumn = "ref"
    kind: str = ""
    label: str = ""
    status: str = "status"
    displayed_status: UnionColumn = ""
    team: str = ""
    risk: str = ""
    stake: str = ""
    decide_by: str = ""
    cut_off: str = ""
    person_id: str = ""
    payee: str = ""
    currency: str = "currency"
    first_seen: str = "first_seen"
    is_open_to: Callable[[Actor], bool] = lambda _: True
    deciding: Callable[[Actor], QuerySet[Decision]] | None = None

    @property
    def amount(self) -> str:
        """The column of the amount in minor units, "" where its rows are no money."""
        return "amount_minor" if self.currency else ""

    @cached_property
    def line(self) -> tuple[UnionColumn, ...]:
        """Its columns in the order of a line: remote id, headline, person, group, risk (-1 for none), amount as text,
        status, amount in minor units, moment, cut-off and reference."""
        return (
            self.remote_id, self.headline or self.title, self.person, self.group, self.risk or Value(-1),
            "amount_text" if self.currency else NO_TEXT, self.displayed_status or self.status, self.amount or NO_AMOUNT, self.moment,
            self.cut_off or NO_MOMENT, self.reference,
        )  # fmt: skip

    def waiting(self, actor: Actor, filters: Filters) -> QuerySet[Any]:
        """The rows of the tab, without those that have a decision on its way where they would wait for the actor."""
        rows = self.rows(actor, filters)
        if filters.show != "mine" or self.deciding is None:
            return rows
        return rows.exclude(remote_id__in=self.deciding(actor).values("object_id"))

    def place(self, by: str, order: str) -> UnionColumn:
        """The column, or the expression, by which its rows stand in a section ("stake", "group_key" …); "" where they
        have none."""
        if by == "decide_by":
            return self.decide_by or Seconds(F(self.moment)) + USUAL_S
        if by == "group_key":
            return self.group_key(order)
        columns = {"moment": self.moment, "cut_off": self.cut_off, "amount_minor": self.amount, "risk": self.risk}
        return {**columns, "stake": self.stake}[by]

    def group_key(self, order: str) -> UnionColumn:
        """What the rows of one group have in common where they stand by requester or merchant; NULL for none, "" where
        the source has no such column."""
        if order == "merchant":
            return Collate(NullIf(F(self.payee), Value("")), "C") if self.payee else ""
        # The order of bytes, as Python sorts what several sources gave.
        return Collate(NullIf(Concat(self.person, Value(ID_AFTER), self.person_id), Value(ID_AFTER)), "C")

    def lacks(self, column: str) -> bool:
        """Whether the column can be null."""
        field = self.model._meta.get_field(column)
        return bool(getattr(field, "output_field", field).null)


def _of_kinds(*kinds: str) -> Callable[[Actor], QuerySet[Decision]]:
    # What has a decision on its way does not wait for anybody any more.
    return lambda actor: Decision.objects.filter(
        business=actor.business, object_type__in=kinds, state__in=OPEN_DECISION_STATES
    )


def _own_votes(actor: Actor) -> QuerySet[Decision]:
    # Others still vote on what the actor is about to vote on.
    return Decision.objects.filter(
        membership_id=membership_of(actor), object_type="approval", state__in=OPEN_DECISION_STATES
    )


# As a proposal's `headline` says: what it is about, or what becomes of that.
SENTENCE = Func(KeyTextTransform("0", "sentences"), Value("."), function="RTRIM", output_field=CharField())
HEADLINE = Case(When(target_type="", then=F("title")), default=Coalesce(SENTENCE, F("title")), output_field=CharField())

EXPENSES = InboxSource(
    EXPENSE_SOURCE, Expense, expenses_of, "transaction_date", "employee_name", "team_name", title="merchant",
    reference="transaction_ref", label="Expense", team="team_name", risk="weighed_risk", stake="stake", decide_by="decide_by",
    person_id="employee_id", payee="merchant", deciding=_of_kinds("expense"),
    displayed_status=Case(
        When(ANSWERED_EXPENSE, then=Value("ANSWERED")), default=F("status")
    ),
)  # fmt: skip
PAYMENTS = InboxSource(
    PAYMENT_SOURCE, Approval, approvals_of, "requested_at", "requested_by_name", "kind", kind="kind", risk="weighed_risk",
    stake="stake", decide_by="decide_by", person_id="requested_by_id", payee="payee", cut_off="due_at",
    is_open_to=lambda actor: actor.role in operations.LIST_APPROVALS.roles, deciding=_own_votes,
)  # fmt: skip
REQUESTS = InboxSource(
    REQUEST_SOURCE, ApprovalRequest, requests_of, "requested_at", "holder_name", "kind", kind="kind", cut_off="due_at",
    person_id="holder_id", payee="payee", deciding=_of_kinds(*APPROVAL_KINDS),
)  # fmt: skip
# A change of access is to be there on its day.
CHANGES = InboxSource(
    CHANGE_SOURCE, Proposal, access_changes_of, "proposed_at", "proposer_name", Value("access_change", CharField()),
    headline=HEADLINE, remote_id=Cast("pk", CharField()), reference=Cast("pk", CharField()), label="Access change",
    status="state", cut_off="effective_at", currency="", first_seen="proposed_at",
    person_id="proposed_by__employee_id", is_open_to=confirms,
)  # fmt: skip
# In their order: of the same value the first of them stands first, or last where the smallest value does.
INBOX_SOURCES = (EXPENSES, PAYMENTS, REQUESTS, CHANGES)
RANK = {source.name: len(INBOX_SOURCES) - at for at, source in enumerate(INBOX_SOURCES)}


def sources_of(actor: Actor) -> list[InboxSource]:
    """The sources whose rows the actor's role opens."""
    return [source for source in INBOX_SOURCES if source.is_open_to(actor)]


def source_of(row: Model) -> InboxSource:
    """The source that a row comes from; TypeError for a row of none."""
    for source in INBOX_SOURCES:
        if isinstance(row, source.model):
            return source
    raise TypeError(f"the inbox has no {type(row).__name__}")
