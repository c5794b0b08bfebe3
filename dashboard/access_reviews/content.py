"""What a review says, as the bytes that are hashed when it is signed: whoever has them and the audit can compare."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from hashlib import sha256
from typing import TypedDict

from dashboard.access_reviews.models import REVOKES, AccessReview, ReviewedPerson

VERSION = 2


class PersonContent(TypedDict):
    """A person of the content; moments in UTC, None where there is none. Without access here they are an employee who can move
    money at the service; `stopped_at_the_finance_service` is of such alone."""

    name: str
    email: str
    employee_id: str
    role: str
    service_role: str
    suspended: bool
    may_move_money: list[str]
    member_since: str | None
    last_seen: str | None
    last_decision_through_this_dashboard: str | None
    unused: list[str]
    verdict: str
    reason: str
    decided_by: str
    decided_as: str
    decided_at: str | None
    access_ended_at: str | None
    has_access_here: bool
    stopped_at_the_finance_service: bool


def review_json(review: AccessReview) -> str:
    """The review with all its people, as JSON, sorted by name and ended by a line feed."""
    people = [_person(row) for row in review.people.order_by("pk")]
    content = {
        "access_review": VERSION,
        "business": review.business.name,
        "quarter": str(review.period),
        "opened_by": review.opened_name,
        "opened_at": _moment(review.opened_at),
        "mandates": review.mandates_as_of,
        "what_revoking_ends": REVOKES,
        "people": people,
        "got_access_after_it_was_opened": review.joined,
        "signed_by": review.signed_name,
        "signed_as": review.signed_role,
        "signed_at": _moment(review.signed_at),
    }
    return json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def content_digest(content: str) -> str:
    """The SHA-256 of the content in UTF-8, as hex."""
    return sha256(content.encode()).hexdigest()


def _person(row: ReviewedPerson) -> PersonContent:
    return {
        "name": row.name, "email": row.email, "employee_id": row.employee_id, "role": row.role,
        "service_role": row.service_role, "suspended": row.is_suspended, "may_move_money": row.money, "member_since": _moment(row.joined_at),
        "last_seen": _moment(row.seen_at), "last_decision_through_this_dashboard": _moment(row.decided_last_at),
        "unused": row.unused, "verdict": row.verdict, "reason": row.reason, "decided_by": row.decided_name,
        "decided_as": row.decided_role, "decided_at": _moment(row.decided_at),
        "access_ended_at": _moment(row.ended_at), "has_access_here": row.membership_id is not None,
        "stopped_at_the_finance_service": row.is_stopped,
    }  # fmt: skip


def _moment(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat(timespec="microseconds") if at else None
