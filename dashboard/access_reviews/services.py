"""Opening a review, deciding on each person of it, and signing it. Nobody decides on themselves."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.check import check_open
from dashboard.access.models import Membership
from dashboard.access.roles import Role
from dashboard.access.subject import Subject
from dashboard.access_reviews.content import content_digest, review_json
from dashboard.access_reviews.employees_outside import employees_outside, reviewed_row
from dashboard.access_reviews.models import AccessReview, ReviewDecision, ReviewedPerson
from dashboard.access_reviews.money_rights import MoneyRights, employees_of, money_rights
from dashboard.access_reviews.quarters import Quarter
from dashboard.access_reviews.selectors import (
    PersonStatus,
    counts_of,
    due_quarter,
    is_signed,
    joined_since,
    members_of,
    standings_of,
    stopped_employees,
)
from dashboard.access_reviews.usage import unused_reasons, with_last_decision
from dashboard.audit.models import Outcome
from dashboard.audit.record import record, record_denial
from dashboard.errors import Conflict, NotAllowed, Rejected
from dashboard.mirror.models import Employee
from dashboard.operations_pages import ACCESS_REVIEWS
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.members import end_or_propose
from dashboard.proposals.models import Proposal

KIND = "access_review"
OWN_ROW = "This is your own access: somebody else must decide on it."
REASON_NEEDED = "This access looks unused: enter a reason for keeping it."


def subject_of(review: AccessReview) -> Subject:
    """What the audit says that its lines are about."""
    return Subject(business_id=review.business_id, kind=KIND, id=str(review.pk), title=str(review))


def open_review(actor: Actor, quarter: Quarter) -> AccessReview:
    """Opens the review of a quarter: a row for everybody who has access now, and for every employee who can move money at the
    service without it, with the facts as they are now.

    NotAllowed for who may not, Conflict where it was opened already, Rejected for a quarter that is not due, Unavailable
    where the mandates cannot be read.
    """
    check_open(actor, ACCESS_REVIEWS)
    current = Quarter.at(timezone.now(), actor.business)
    if quarter not in {current, due_quarter(actor.business)} or is_signed(actor.business, quarter):
        raise Rejected(f"No review of {quarter} is due.", code="quarter")
    rights, now = money_rights(actor), timezone.now()
    rows = list(with_last_decision(members_of(actor.business)).select_related("user").order_by("pk"))
    employees, outside = employees_of(actor, rows), employees_outside(actor, rights)
    try:
        with transaction.atomic():
            review: AccessReview = AccessReview.objects.create(
                business=actor.business, year=quarter.year, quarter=quarter.number, opened_by_id=actor.member_id, opened_name=actor.name[:254],
                opened_at=now, mandates_as_of=rights.mandates_as_of,
            )  # fmt: skip
            people = [_person(review, row, employees.get(row.employee_id), rights, now) for row in rows]
            people += [reviewed_row(review, employee, rights) for employee in outside]
            ReviewedPerson.objects.bulk_create(people)
            unused = sum(bool(person.unused) for person in people)
            record(
                actor, KIND, subject_of(review), Outcome.NOTED, sentence=f"opened the access review of {quarter}",
                after={
                    "people": len(people), "employees without access here who can move money": len(outside),
                    "access that looks unused": unused,
                },
            )  # fmt: skip
    except IntegrityError:
        raise Conflict(f"The review of {quarter} was opened already.", code="already_opened") from None
    return review


def _person(
    review: AccessReview, member: Membership, employee: Employee | None, money_rights: MoneyRights, now: datetime
) -> ReviewedPerson:
    decided_at: datetime | None = member.last_decision_at  # type: ignore[attr-defined]
    return ReviewedPerson(
        review=review, membership=member, name=str(member.user)[:254], email=member.user.email,
        employee_id=member.employee_id, role=member.role, service_role=employee.role if employee else "",
        is_suspended=not member.is_active, money=money_rights.of(member, employee), joined_at=member.created_at, seen_at=member.last_seen_at,
        decided_last_at=decided_at,
        unused=unused_reasons(Role(member.role), member.created_at, member.last_seen_at, decided_at, now),
    )  # fmt: skip


def is_own(actor: Actor, reviewed: ReviewedPerson) -> bool:
    """Whether a row is about the actor themselves: by membership, sign-in or employee."""
    same_employee = bool(actor.employee_id) and reviewed.employee_id == actor.employee_id
    if reviewed.membership is None:
        return same_employee
    same_user = actor.user is not None and reviewed.membership.user_id == actor.user.pk
    return reviewed.membership_id == actor.membership_id or same_user or same_employee


def keep(actor: Actor, reviewed: ReviewedPerson, reason: str) -> None:
    """Keeps somebody's access. NotAllowed (audited) for one's own, Rejected without a reason for what looks unused,
    Conflict once it was revoked or the review signed."""
    _check(actor, reviewed)
    if reviewed.unused and not reason:
        raise Rejected(REASON_NEEDED, code="reason")
    with transaction.atomic():
        _decide(actor, reviewed, ReviewDecision.KEEP, reason)
        record(
            actor, KIND, subject_of(reviewed.review), Outcome.TAKEN, reason=reason,
            sentence=f"kept the access of {reviewed.name} in the review of {reviewed.review.period}",
        )  # fmt: skip


def revoke(actor: Actor, reviewed: ReviewedPerson, reason: str, *, key: str) -> Proposal | None:
    """Revokes somebody's access: it has ended and the answer is None, or it waits for a super admin as the proposal. Of
    somebody without access here it is noted that they are to be offboarded: a review ends nothing at the finance service.

    NotAllowed (audited) for one's own; Conflict where two super admins would not be left, where nobody could confirm it,
    or once the review is signed; Rejected without a reason.
    """
    _check(actor, reviewed)
    if not reason:
        raise Rejected("Enter a reason for revoking the access.", code="reason")
    with transaction.atomic():
        # All of it or nothing, and none of it once somebody has signed.
        _lock_open(reviewed)
        proposal, did = None, "decided to offboard {}"
        if reviewed.membership is not None:
            proposal = end_or_propose(
                actor, reviewed.membership, reason=reason[:500], key=f"review-{reviewed.pk}-{key}"
            )
            did = "proposed to revoke the access of {}" if proposal else "revoked the access of {}"
        _decide(actor, reviewed, ReviewDecision.REVOKE, reason, proposal)
        record(
            actor, KIND, subject_of(reviewed.review), Outcome.TAKEN, reason=reason,
            sentence=f"{did.format(reviewed.name)} in the review of {reviewed.review.period}",
        )  # fmt: skip
    return proposal


def _check(actor: Actor, reviewed: ReviewedPerson) -> None:
    check_open(actor, ACCESS_REVIEWS)
    if is_own(actor, reviewed):
        sentence = f"tried to decide on their own access in the review of {reviewed.review.period}"
        record_denial(actor, KIND, subject_of(reviewed.review), reason=OWN_ROW, rule="not_self", sentence=sentence)
        raise NotAllowed(OWN_ROW, code="not_self")
    if not reviewed.review.is_open:
        raise Conflict("This review was signed: it can no longer be changed.", code="signed")
    (standing,) = standings_of([reviewed])
    if standing.standing in {PersonStatus.REVOKED, PersonStatus.GONE}:
        raise Conflict("Their access has ended already.", code="ended")
    if standing.standing is PersonStatus.WAITING:
        raise Conflict("The revocation is waiting for a super admin: it is decided first.", code="waiting")


def _decide(
    actor: Actor,
    reviewed: ReviewedPerson,
    review_decision: ReviewDecision,
    reason: str,
    proposal: Proposal | None = None,
) -> None:
    _lock_open(reviewed)
    changes = {
        "verdict": review_decision, "reason": reason, "decided_by_id": actor.member_id, "decided_name": actor.name[:254],
        "decided_role": actor.role, "decided_at": timezone.now(), "proposal_id": proposal.pk if proposal else None,
    }  # fmt: skip
    ReviewedPerson.objects.filter(pk=reviewed.pk).update(**changes)


def _lock_open(reviewed: ReviewedPerson) -> None:
    # The row of the review first: whoever signs it meanwhile has it locked, and then it is signed.
    review = AccessReview.objects.select_for_update(no_key=True).get(pk=reviewed.review_id)
    if not review.is_open:
        raise Conflict("This review was signed: it can no longer be changed.", code="signed")


def why_not_signed(actor: Actor, review: AccessReview, counts: Counter[PersonStatus]) -> list[str]:
    """What must be done before the actor can sign a review whose people stand so, in sentences; [] for nothing."""
    words_of = (
        (PersonStatus.UNDECIDED, "not decided on yet"), (PersonStatus.WAITING, "waiting for a super admin to revoke their access"),
        (PersonStatus.DECLINED, "to be decided on again, because the revocation was not applied"),
        (PersonStatus.TO_OFFBOARD, "to be offboarded under People, or kept: they can move money at the finance service still"),
    )  # fmt: skip
    sentences = [
        f"{count} {'person is' if count == 1 else 'people are'} {words}."
        for standing, words in words_of
        if (count := counts[standing])
    ]
    if requires_second_admin(actor.business) and review.opened_by_id == actor.membership_id:
        sentences.append("A second admin is required here: somebody else than who opened the review signs it.")
    return sentences


def sign(actor: Actor, review: AccessReview) -> None:
    """Signs a review: from then on it is never changed. Its content's hash stands in it and in the audit.

    NotAllowed for who may not; Conflict where something is left to decide, or it was signed already.
    """
    check_open(actor, ACCESS_REVIEWS)
    with transaction.atomic():
        review = AccessReview.objects.select_for_update(no_key=True).get(pk=review.pk)
        if not review.is_open:
            raise Conflict("This review was signed already.", code="signed")
        counts = counts_of(review)
        if missing := why_not_signed(actor, review, counts):
            raise Conflict(" ".join(missing), code="unsettled")
        ended = Membership.objects.filter(pk=OuterRef("membership")).values("ended_at")
        review.people.update(ended_at=Subquery(ended))
        outside = review.people.filter(membership=None)
        outside.filter(employee_id__in=stopped_employees(review.business, outside)).update(is_stopped=True)
        review.joined = joined_since(review)
        review.signed_by_id, review.signed_name = actor.member_id, actor.name[:254]
        review.signed_role, review.signed_at = actor.role, timezone.now()
        review.content = review_json(review)
        review.content_sha256 = content_digest(review.content)
        entry = record(
            actor, KIND, subject_of(review), Outcome.DONE, sentence=f"signed the access review of {review.period}",
            after={
                "kept": counts[PersonStatus.KEPT], "revoked": counts[PersonStatus.REVOKED], "ended": counts[PersonStatus.GONE],
                "content (SHA-256)": review.content_sha256,
            },
        )  # fmt: skip
        review.audit_entry_id = entry.pk
        review.save()
