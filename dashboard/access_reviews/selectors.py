"""Reviews as an actor may see them, how each person of one stands, and what is due."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import QuerySet
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.models import Business, Membership
from dashboard.access_reviews.models import AccessReview, ReviewDecision, ReviewedPerson
from dashboard.access_reviews.money_rights import NOTHING
from dashboard.access_reviews.quarters import Quarter
from dashboard.mirror.models import Employee
from dashboard.operations_pages import ACCESS_REVIEWS
from dashboard.proposals import models
from dashboard.proposals.models import Proposal


class PersonStatus(StrEnum):
    """How a person of a review stands. GONE: their access ended without a verdict of this review. TO_OFFBOARD: they have no
    access to this dashboard that a revocation could end, and can move money at the finance service still."""

    UNDECIDED = "Not decided"
    KEPT = "Kept"
    WAITING = "Waiting for a super admin"
    DECLINED = "Revocation not applied"
    TO_OFFBOARD = "Revoked, to be offboarded"
    REVOKED = "Revoked"
    GONE = "Access ended"


LEFT = "The revocation ended the access to this dashboard alone: what is listed of the finance service was not ended by it."
STOPPED = "The finance service has suspended or removed them."
# What stands so needs nobody any more.
SETTLED = frozenset({PersonStatus.KEPT, PersonStatus.REVOKED, PersonStatus.GONE})


@dataclass(frozen=True, slots=True)
class PersonStanding:
    """A row of a review with how it stands now, and the proposal that revokes their access, where there is one."""

    person: ReviewedPerson
    standing: PersonStatus
    proposal: Proposal | None

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to decide."""
        return self.standing in SETTLED

    @property
    def left(self) -> str:
        """What a revocation has left, in a sentence; "" for who was not revoked, is no employee, or could move no money."""
        person = self.person
        if self.standing is not PersonStatus.REVOKED or not person.employee_id or person.money == [NOTHING]:
            return ""
        return STOPPED if person.membership_id is None else LEFT


def visible_reviews(actor: Actor) -> QuerySet[AccessReview]:
    """All of the business, for those who may review access; the newest first."""
    rows = AccessReview.objects.filter(business=actor.business).select_related("business", "opened_by__user")
    return rows.order_by("-year", "-quarter") if can_open(actor, ACCESS_REVIEWS) else rows.none()


def reviewed_people(review: AccessReview) -> QuerySet[ReviewedPerson]:
    """The people of a review by name."""
    return review.people.select_related("membership__user", "review").order_by("name", "pk")


def standings_of(people: Iterable[ReviewedPerson]) -> list[PersonStanding]:
    """How each of these stands, by their memberships and proposals as they are now."""
    rows = list(people)
    ids = [row.proposal_id for row in rows if row.proposal_id is not None]
    proposals = Proposal.objects.in_bulk(ids)
    stopped = _stopped(rows[0].review, rows) if rows else frozenset()
    standings = []
    for row in rows:
        proposal = proposals.get(row.proposal_id) if row.proposal_id else None
        if row.membership is None:
            standing = _standing_outside(row.verdict, row.employee_id in stopped)
        else:
            ended_at = row.membership.ended_at if row.review.is_open else row.ended_at
            standing = _standing(row.verdict, ended_at, proposal.state if proposal else None)
        standings.append(PersonStanding(row, standing, proposal if row.verdict == ReviewDecision.REVOKE else None))
    return standings


def counts_of(review: AccessReview) -> Counter[PersonStatus]:
    """How many of a review's people stand how, without reading who they are."""
    outside = list(review.people.filter(membership=None).only("employee_id", "verdict", "is_stopped", "membership"))
    stopped = _stopped(review, outside)
    ended = "membership__ended_at" if review.is_open else "ended_at"
    rows = list(review.people.exclude(membership=None).values_list("verdict", ended, "proposal_id"))
    ids = [proposal_id for *_, proposal_id in rows if proposal_id is not None]
    states = dict(Proposal.objects.filter(pk__in=ids).values_list("pk", "state")) if ids else {}
    counts = Counter(_standing(verdict, ended_at, states.get(proposal_id)) for verdict, ended_at, proposal_id in rows)
    return counts + Counter(_standing_outside(row.verdict, row.employee_id in stopped) for row in outside)


def _stopped(review: AccessReview, people: Iterable[ReviewedPerson]) -> frozenset[str]:
    """Of the people without a membership the employee ids of those who cannot move money any more: as the copy knows it
    now, or once the review is signed, as it was then."""
    outside = [row for row in people if row.membership_id is None]
    if review.is_open:
        return stopped_employees(review.business, outside)
    return frozenset(row.employee_id for row in outside if row.is_stopped)


def stopped_employees(business: Business, people: Iterable[ReviewedPerson]) -> frozenset[str]:
    """The employee ids of those among these people whom the finance service has suspended or removed."""
    ids = [row.employee_id for row in people]
    rows = Employee.objects.filter(business=business, remote_id__in=ids).exclude(status="ACTIVE")
    return frozenset(rows.values_list("remote_id", flat=True)) if ids else frozenset()


def _standing_outside(verdict: str, is_stopped: bool) -> PersonStatus:
    # Suspended, they can be activated again with all their rights: without a verdict somebody decides on them all the same.
    if verdict == ReviewDecision.REVOKE:
        return PersonStatus.REVOKED if is_stopped else PersonStatus.TO_OFFBOARD
    return PersonStatus.KEPT if verdict == ReviewDecision.KEEP else PersonStatus.UNDECIDED


def _standing(verdict: str, ended_at: datetime | None, state: str | None) -> PersonStatus:
    # Somebody who is suspended at the service is a member still: activated again, they are back with all their rights.
    if verdict == ReviewDecision.REVOKE:
        if ended_at is not None:
            return PersonStatus.REVOKED
        return PersonStatus.WAITING if state in models.OPEN_PROPOSAL_STATES else PersonStatus.DECLINED
    if ended_at is not None:
        return PersonStatus.GONE
    return PersonStatus.KEPT if verdict == ReviewDecision.KEEP else PersonStatus.UNDECIDED


def joined_since(review: AccessReview) -> list[str]:
    """The names of those who are members now and are no row of the review: they came after it was opened."""
    members = members_of(review.business)
    reviewed = review.people.exclude(membership=None).values("membership")
    rows = members.exclude(pk__in=reviewed).select_related("user")
    return sorted(str(member.user) for member in rows)


def members_of(business: Business) -> QuerySet[Membership]:
    """Everybody who has access, those among them who are suspended: one click at the service lets them in again."""
    return Membership.objects.filter(business=business, ended_at=None, user__is_active=True)


def due_quarter(business: Business) -> Quarter:
    """The quarter whose review is due next: the one before this where it has none that is signed, else this one.

    A business that came later than a quarter's end owes no review of it.
    """
    now = timezone.now()
    current = Quarter.at(now, business)
    began = Quarter.at(business.created_at, business)
    before = current.previous
    is_owed = began <= before and not is_signed(business, before)
    return before if is_owed else current


def is_signed(business: Business, quarter: Quarter) -> bool:
    """Whether the review of a quarter was signed."""
    rows = AccessReview.objects.filter(business=business, year=quarter.year, quarter=quarter.number)
    return rows.filter(signed_at__isnull=False).exists()
