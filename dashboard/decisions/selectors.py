"""What the inbox is made of: expenses, requests for votes, what one person's word is enough for, and changes of access."""

from typing import Any

from django.contrib.postgres.search import SearchVector
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Coalesce, NullIf

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.decisions.clean import clean_expenses
from dashboard.decisions.filters import EXPENSE_SOURCE, PAYMENT_SOURCE, Filters
from dashboard.decisions.models import Decision
from dashboard.decisions.registry import APPROVAL_KINDS
from dashboard.delegation.selectors import handed_over
from dashboard.mirror.models import WAITING_STATES, Approval, ApprovalRequest, Expense
from dashboard.mirror.scopes import visible_approvals, visible_expenses, visible_requests
from dashboard.operations_pages import ACCESS_CHANGES
from dashboard.proposals import models
from dashboard.proposals.models import Proposal
from dashboard.proposals.selectors import visible_proposals, waiting_on
from dashboard.search import matching

RISK_FLOOR = {"medium": 30, "high": 60}
DECIDED_EXPENSES = ("APPROVED", "REJECTED", "REFUNDED")
# Kinds of the filter that are requests for votes of their own; whatever else is voted on is a payment.
VOTED_KINDS = {"bill": "BILL_PAYMENT", "card": "CARD_REQUEST", "fund": "INVESTMENT", "policy": "POLICY"}


def has_due() -> bool:
    """Whether any decision of any business is due to be sent, or to be asked about."""
    return Decision.objects.due().exists()


def expenses_of(actor: Actor, filters: Filters) -> QuerySet[Expense]:
    """The expenses on the tab that is shown, as far as the actor sees them, filtered."""
    expenses = visible_expenses(actor)
    if filters.kind not in {"", EXPENSE_SOURCE}:
        return expenses.none()
    if filters.show == "decided":
        expenses = expenses.filter(status__in=DECIDED_EXPENSES)
    elif filters.show == "mine":
        expenses = (
            expenses.filter(status="PENDING").exclude(_own_or_read_only(actor)) if decides(actor) else expenses.none()
        )
    elif decides(actor):
        expenses = expenses.filter(Q(status="DETAILS_REQUESTED") | (Q(status="PENDING") & _own_or_read_only(actor)))
    else:
        expenses = expenses.filter(status__in=("PENDING", "DETAILS_REQUESTED"))
    if filters.team:
        expenses = expenses.filter(team_id=filters.team)
    if filters.lane:
        expenses = clean_expenses(expenses)
    return _common(expenses, filters)


def decides(actor: Actor) -> bool:
    """Whether the actor's role decides on expenses."""
    return actor.role in operations.APPROVE_EXPENSE.roles


def votes(actor: Actor) -> bool:
    """Whether the actor's role votes on payment requests."""
    return actor.role in operations.APPROVE_PAYMENT_REQUEST.roles


def _own_or_read_only(actor: Actor) -> Q:
    # What is handed over waits for whoever stands in.
    theirs = Q(employee_id=actor.employee_id) | handed_over(actor.stood_in_by, "expense")
    return theirs | Q(team_id__in=sorted(actor.read_only_teams)) if actor.read_only_teams else theirs


def approvals_of(actor: Actor, filters: Filters) -> QuerySet[Approval]:
    """The requests for votes on the tab that is shown, as far as the actor sees them, filtered."""
    approvals = visible_approvals(actor)
    if filters.kind in {EXPENSE_SOURCE, "transaction"} or filters.team or filters.lane:
        return approvals.none()
    if filters.kind in VOTED_KINDS:
        approvals = approvals.filter(kind=VOTED_KINDS[filters.kind])
    elif filters.kind == PAYMENT_SOURCE:
        approvals = approvals.exclude(kind__in=VOTED_KINDS.values())
    seat = [{"employee_id": actor.employee_id}]
    mine = Q(eligible__contains=seat) & ~Q(requested_by_id=actor.employee_id) & ~Q(voters__contains=actor.employee_id)
    mine &= ~handed_over(actor.stood_in_by, "approval", seat="eligible")
    if filters.show == "decided":
        approvals = approvals.exclude(status="PENDING")
    elif filters.show == "mine":
        approvals = approvals.filter(mine, status="PENDING") if votes(actor) else approvals.none()
    else:
        approvals = approvals.filter(status="PENDING")
        approvals = approvals.exclude(mine) if votes(actor) else approvals
    return _common(approvals, filters)


def requests_of(actor: Actor, filters: Filters) -> QuerySet[ApprovalRequest]:
    """What one person's word is enough for, on the tab that is shown, as far as the actor sees it, filtered."""
    requests = visible_requests(actor).filter(voted=False)
    kinds = [kind for kind, declared in APPROVAL_KINDS.items() if declared.inbox_filter == filters.kind]
    if filters.risk or filters.lane or (filters.kind and not kinds):
        return requests.none()
    if filters.kind:
        requests = requests.filter(kind__in=kinds)
    if filters.team:
        requests = requests.filter(team_id=filters.team)
    deciding = [kind for kind, declared in APPROVAL_KINDS.items() if actor.role in declared.approve.roles]
    mine = Q(kind__in=deciding) & ~Q(holder_id=actor.employee_id) & ~Q(requested_by_id=actor.employee_id)
    if actor.read_only_teams:
        mine &= ~Q(team_id__in=sorted(actor.read_only_teams))
    for kind in deciding:
        mine &= ~(Q(kind=kind) & handed_over(actor.stood_in_by, kind)) if actor.stood_in_by else Q()
    if filters.show == "decided":
        requests = requests.exclude(status__in=WAITING_STATES)
    elif filters.show == "mine":
        requests = requests.filter(mine, status__in=WAITING_STATES)
    else:
        requests = requests.filter(status__in=WAITING_STATES).exclude(mine)
    return _common(requests, filters)


def access_changes_of(actor: Actor, filters: Filters) -> QuerySet[Proposal]:
    """The proposed changes of access on the tab that is shown, for whoever could be the second admin; filtered."""
    proposals = visible_proposals(actor)
    narrowed = filters.lane or filters.team or filters.risk or filters.currency
    # Who proposed it as it is told: the program, where it was one.
    proposer = Coalesce(NullIf("program", Value("")), "proposed_by__user__name")
    if filters.kind not in {"", "access"} or narrowed or not confirms(actor):
        return proposals.none().annotate(proposer_name=proposer)
    if filters.show == "decided":
        proposals = proposals.exclude(state__in=models.OPEN_PROPOSAL_STATES)
    elif filters.show == "mine":
        proposals = waiting_on(actor)
    else:
        proposals = proposals.filter(state__in=models.OPEN_PROPOSAL_STATES).exclude(
            pk__in=waiting_on(actor).values("pk")
        )
    if terms := matching(filters.q, "search"):
        proposals = proposals.annotate(search=SearchVector("title", proposer, config="simple")).filter(terms)
    return proposals.annotate(proposer_name=proposer)


def confirms(actor: Actor) -> bool:
    """Whether the actor's role confirms changes of access."""
    return actor.role in ACCESS_CHANGES.roles


def _common(rows: QuerySet[Any], filters: Filters) -> QuerySet[Any]:
    if filters.currency:
        rows = rows.filter(currency=filters.currency)
    if filters.risk:
        rows = rows.filter(weighed_risk__gte=RISK_FLOOR[filters.risk])
    if filters.terms:
        rows = rows.filter(filters.terms)
    return rows
