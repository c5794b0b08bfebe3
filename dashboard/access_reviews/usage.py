"""Who uses their access: when somebody was last seen here, and when they last decided on anything through this dashboard."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Greatest

from dashboard.access.models import Membership
from dashboard.access.roles import REVIEWING, Role
from dashboard.decisions.models import Decision, DecisionState
from dashboard.proposals.models import Proposal, ProposalState

UNUSED_AFTER = timedelta(days=90)
# Said where it is counted: what is decided past this dashboard is not known here.
NO_DECISION = "No decision in 90 days (decisions made through this dashboard are counted)."
NOT_SEEN, NEVER_SEEN = "Not seen here in 90 days.", "Never seen here."


def with_last_decision(members: QuerySet[Membership]) -> QuerySet[Membership]:
    """The members, each with `last_decision_at`: of their newest decision that was not undone or cancelled, or proposal
    that they confirmed or declined; None for neither."""
    decided = Decision.objects.filter(membership=OuterRef("pk")).exclude(state=DecisionState.CANCELLED)
    newest = decided.order_by("-created_at").values("created_at")[:1]
    others = Proposal.objects.filter(decided_by=OuterRef("pk")).exclude(state=ProposalState.WITHDRAWN)
    newest_proposal = others.order_by("-decided_at").values("decided_at")[:1]
    return members.annotate(last_decision_at=Greatest(Subquery(newest), Subquery(newest_proposal)))


def undecided_since(members: QuerySet[Membership], moment: datetime) -> QuerySet[Membership]:
    """Those whose role decides on items, who were members by then and have not decided on anything since."""
    decided = Decision.objects.filter(membership=OuterRef("pk"), created_at__gte=moment)
    decided = decided.exclude(state=DecisionState.CANCELLED)
    others = Proposal.objects.filter(decided_by=OuterRef("pk"), decided_at__gte=moment)
    others = others.exclude(state=ProposalState.WITHDRAWN)
    return members.filter(~Exists(decided), ~Exists(others), role__in=sorted(REVIEWING), created_at__lt=moment)


def unseen_since(members: QuerySet[Membership], moment: datetime) -> QuerySet[Membership]:
    """Those who were members by then and have not opened a page since."""
    return members.filter(Q(last_seen_at=None) | Q(last_seen_at__lt=moment), created_at__lt=moment)


def unused_reasons(
    role: Role, joined_at: datetime, seen_at: datetime | None, decided_at: datetime | None, now: datetime
) -> list[str]:
    """Why somebody's access looks unused, in sentences; [] where it does not, or they have not had it for 90 days."""
    before = now - UNUSED_AFTER
    if joined_at >= before:
        return []
    reasons = []
    if seen_at is None:
        reasons.append(NEVER_SEEN)
    elif seen_at < before:
        reasons.append(NOT_SEEN)
    if role in REVIEWING and (decided_at is None or decided_at < before):
        reasons.append(NO_DECISION)
    return reasons
