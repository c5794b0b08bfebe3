"""What is read for the access reviews: one of them, one of its people, and the seal of its line in the audit."""

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404

from dashboard.access.actor import Actor
from dashboard.access_reviews.models import AccessReview, ReviewedPerson
from dashboard.access_reviews.selectors import reviewed_people, stopped_employees, visible_reviews
from dashboard.audit.models import AuditSeal

PAGE_ROWS = 50
# What a review is narrowed to: its name in the address, and its words.
NARROWINGS = (("", "All"), ("open", "To decide"), ("unused", "Looks unused"))


def review_of(actor: Actor, review_id: int) -> AccessReview:
    """The review of that id; Http404 outside what the actor may see."""
    review: AccessReview = get_object_or_404(visible_reviews(actor), pk=review_id)
    return review


def reviewed_person(review: AccessReview, person_id: int) -> ReviewedPerson:
    """The row of that id; Http404 where the review has none such."""
    person: ReviewedPerson = get_object_or_404(reviewed_people(review), pk=person_id)
    return person


def people_to_list(review: AccessReview, chosen: str) -> QuerySet[ReviewedPerson]:
    """The people of a review as they are listed: `chosen` is a name of NARROWINGS; what looks unused first."""
    people = reviewed_people(review)
    if chosen == "open":
        outside = review.people.filter(membership=None)
        stopped = Q(membership=None, employee_id__in=stopped_employees(review.business, outside))
        people = people.filter(Q(verdict="") | Q(verdict="REVOKE", membership__ended_at=None)).exclude(
            stopped, verdict="REVOKE"
        )
    elif chosen == "unused":
        people = people.exclude(unused=[])
    return people


def seal_of(review: AccessReview) -> AuditSeal | None:
    """The seal of the line of the audit that holds the hash of a signed review; None while it has none."""
    return AuditSeal.objects.filter(entry_id=review.audit_entry_id or 0).first()
