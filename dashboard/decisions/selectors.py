"""What the inbox is made of: expenses, requests for votes, what one person's word is enough for, and changes of access."""

from typing import Any

from django.contrib.postgres.search import SearchVector
from django.db.models import Q, QuerySet

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.decisions.filters import EXPENSE, PAYMENT, Filters
from dashboard.decisions.registry import REQUEST_KINDS
from dashboard.delegation.selectors import handed_over
from dashboard.mirror.models import WAITING_STATES, Approval, Expense, Request
from dashboard.mirror.scopes import visible_approvals, visible_expenses, visible_requests
from dashboard.operations_pages import ACCESS_CHANGES
from dashboard.proposals.models import OPEN, Proposal
from dashboard.proposals.selectors import visible_proposals, waiting_on
from dashboard.search import matching

RISK_FLOOR = {"medium": 30, "high": 60}
DECIDED_EXPENSES = ("APPROVED", "REJECTED", "REFUNDED")
# Kinds of the filter that are requests for votes of their own; whatever else is voted on is a payment.
VOTED_KINDS = {"bill": "BILL_PAYMENT", "card": "CARD_REQUEST", "fund": "INVESTMENT", "policy": "POLICY"}


def expenses_of(actor: Actor, filters: Filters) -> QuerySet[Expense]:
    """The expenses on the tab that is shown, as far as the actor sees them, filtered."""
    found = visible_expenses(actor)
    if filters.kind not in {"", EXPENSE}:
        return found.none()
    if filters.show == "decided":
        found = found.filter(status__in=DECIDED_EXPENSES)
    elif filters.show == "mine":
        found = found.filter(status="PENDING").exclude(_own_or_read_only(actor)) if decides(actor) else found.none()
    elif decides(actor):
        found = found.filter(Q(status="DETAILS_REQUESTED") | (Q(status="PENDING") & _own_or_read_only(actor)))
    else:
        found = found.filter(status__in=("PENDING", "DETAILS_REQUESTED"))
    if filters.team:
        found = found.filter(team_id=filters.team)
    return _common(found, filters)


def decides(actor: Actor) -> bool:
    """Whether expenses can wait for this person at all."""
    return actor.role in operations.APPROVE_EXPENSE.roles


def votes(actor: Actor) -> bool:
    """Whether payment requests can wait for this person at all."""
    return actor.role in operations.APPROVE_PAYMENT_REQUEST.roles


def _own_or_read_only(actor: Actor) -> Q:
    # What is handed over waits for whoever stands in.
    theirs = Q(employee_id=actor.employee_id) | handed_over(actor.stood_in_by, "expense")
    return theirs | Q(team_id__in=sorted(actor.read_only_teams)) if actor.read_only_teams else theirs


def approvals_of(actor: Actor, filters: Filters) -> QuerySet[Approval]:
    """The requests for votes on the tab that is shown, as far as the actor sees them, filtered."""
    found = visible_approvals(actor)
    if filters.kind in {EXPENSE, "transaction"} or filters.team:
        return found.none()
    if filters.kind in VOTED_KINDS:
        found = found.filter(kind=VOTED_KINDS[filters.kind])
    elif filters.kind == PAYMENT:
        found = found.exclude(kind__in=VOTED_KINDS.values())
    seat = [{"employee_id": actor.employee_id}]
    mine = Q(eligible__contains=seat) & ~Q(requested_by_id=actor.employee_id) & ~Q(voters__contains=actor.employee_id)
    mine &= ~handed_over(actor.stood_in_by, "approval", seat="eligible")
    if filters.show == "decided":
        found = found.exclude(status="PENDING")
    elif filters.show == "mine":
        found = found.filter(mine, status="PENDING") if votes(actor) else found.none()
    else:
        found = found.filter(status="PENDING")
        found = found.exclude(mine) if votes(actor) else found
    return _common(found, filters)


def requests_of(actor: Actor, filters: Filters) -> QuerySet[Request]:
    """What one person's word is enough for, on the tab that is shown, as far as the actor sees it, filtered."""
    found = visible_requests(actor).filter(voted=False)
    shown = [kind for kind, declared in REQUEST_KINDS.items() if declared.shown_under == filters.kind]
    if filters.risk or (filters.kind and not shown):
        return found.none()
    if filters.kind:
        found = found.filter(kind__in=shown)
    if filters.team:
        found = found.filter(team_id=filters.team)
    deciding = [kind for kind, declared in REQUEST_KINDS.items() if actor.role in declared.approve.roles]
    mine = Q(kind__in=deciding) & ~Q(holder_id=actor.employee_id) & ~Q(requested_by_id=actor.employee_id)
    if actor.read_only_teams:
        mine &= ~Q(team_id__in=sorted(actor.read_only_teams))
    for kind in deciding:
        mine &= ~(Q(kind=kind) & handed_over(actor.stood_in_by, kind)) if actor.stood_in_by else Q()
    if filters.show == "decided":
        found = found.exclude(status__in=WAITING_STATES)
    elif filters.show == "mine":
        found = found.filter(mine, status__in=WAITING_STATES)
    else:
        found = found.filter(status__in=WAITING_STATES).exclude(mine)
    return _common(found, filters)


def changes_of(actor: Actor, filters: Filters) -> QuerySet[Proposal]:
    """The proposed changes of access on the tab that is shown, for whoever could be the second admin; filtered."""
    found = visible_proposals(actor)
    if filters.kind not in {"", "access"} or filters.team or filters.risk or filters.currency or not confirms(actor):
        return found.none()
    if filters.show == "decided":
        found = found.exclude(state__in=OPEN)
    elif filters.show == "mine":
        found = waiting_on(actor)
    else:
        found = found.filter(state__in=OPEN).exclude(pk__in=waiting_on(actor).values("pk"))
    if terms := matching(filters.q, "search"):
        found = found.annotate(search=SearchVector("title", "proposed_by__user__name", config="simple")).filter(terms)
    return found


def confirms(actor: Actor) -> bool:
    """Whether changes of access can wait for this person at all."""
    return actor.role in ACCESS_CHANGES.roles


def _common(found: QuerySet[Any], filters: Filters) -> QuerySet[Any]:
    if filters.currency:
        found = found.filter(currency=filters.currency)
    if filters.risk:
        found = found.filter(risk__gte=RISK_FLOOR[filters.risk])
    if filters.terms:
        found = found.filter(filters.terms)
    return found
