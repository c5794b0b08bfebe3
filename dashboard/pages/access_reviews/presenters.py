"""Access reviews as pages and as a PDF: their list, one with its people, and how its signature is checked."""

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from django.core.paginator import Page, Paginator
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.access.roles import Role
from dashboard.access_reviews.models import REVOKES, AccessReview, ReviewDecision, ReviewedPerson
from dashboard.access_reviews.quarters import Quarter
from dashboard.access_reviews.selectors import (
    PersonStanding,
    PersonStatus,
    counts_of,
    due_quarter,
    reviewed_people,
    standings_of,
    visible_reviews,
)
from dashboard.access_reviews.services import is_own, why_not_signed
from dashboard.audit.models import AuditSeal
from dashboard.pages.access_reviews.forms import VerdictForm
from dashboard.pages.access_reviews.selectors import NARROWINGS, PAGE_ROWS, people_to_list, seal_of
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.text_pdf import REPLACED, WIDTH, printable, text_pdf
from dashboard.times import day, day_and_time, local
from dashboard.web.submission import new_key

ROLES = dict(Role.choices)
TONES = {
    PersonStatus.UNDECIDED: "warn", PersonStatus.KEPT: "ok", PersonStatus.WAITING: "info", PersonStatus.DECLINED: "bad",
    PersonStatus.REVOKED: "", PersonStatus.GONE: "", PersonStatus.TO_OFFBOARD: "warn",
}  # fmt: skip
NEVER, NO_ACCESS = "Never", "No access to this dashboard"
COUNTED = "Decisions are those made through this dashboard: what is decided elsewhere is not known here."


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A quarterly access review in the list of them: `state` is its word and tone, `opened` and `signed` are days in
    words."""

    id: int
    title: str
    state: tuple[str, str]
    opened: str
    signed: str


class ReviewsContext(TypedDict):
    """What access_reviews/list.html reads; `to_open` is the quarter that is due and not opened, None without one."""

    rows: list[ReviewRow]
    to_open: Quarter | None
    due: str
    key: str


@dataclass(frozen=True, slots=True)
class PersonCard:
    """A person of a review as they are shown; `form` None where the actor cannot decide, and `why_not` says why."""

    id: int
    name: str
    email: str
    employee_id: str
    role: str
    service_role: str
    money: list[str]
    seen: str
    decided: str
    unused: list[str]
    state: tuple[str, str]
    verdict: str
    reason: str
    by: str
    proposal_id: int | None
    left: str
    to_offboard: bool
    form: VerdictForm | None
    why_not: str


class ReviewContext(TypedDict):
    """What access_reviews/item.html reads."""

    review: AccessReview
    state: tuple[str, str]
    opened: str
    signed: str
    people: list[PersonCard]
    pages: Page[ReviewedPerson]
    shown: str
    shows: tuple[tuple[str, str], ...]
    counts: list[tuple[str, int]]
    revokes: str
    missing: list[str]
    second_admin: bool
    seal: AuditSeal | None
    key: str
    failed: str


def state_of(review: AccessReview) -> tuple[str, str]:
    """The state of a review, with the tone of its word."""
    return ("Open", "info") if review.is_open else ("Signed", "ok")


def reviews_context(actor: Actor) -> ReviewsContext:
    """All reviews, and whether one is to be opened."""
    business, due = actor.business, due_quarter(actor.business)
    reviews = list(visible_reviews(actor))
    is_there = any(review.period == due for review in reviews)
    late = local(timezone.now(), business).date() > due.last_day
    last = f"{due.last_day.day} {due.last_day:%b %Y}"
    return {
        "rows": [_row(business, review) for review in reviews],
        "to_open": None if is_there else due,
        "due": f"It was due on {last}." if late else f"It is due by {last}.",
        "key": new_key(),
    }


def _row(business: Business, review: AccessReview) -> ReviewRow:
    return ReviewRow(
        review.pk, str(review.period), state_of(review),
        f"{review.opened_name}, {day(review.opened_at, business)}",
        f"{review.signed_name}, {day(review.signed_at, business)}" if review.signed_at else "",
    )  # fmt: skip


def review_context(
    actor: Actor, review: AccessReview, *, narrowed: str = "", number: str | None = None,
    refused: Mapping[int, VerdictForm] | None = None, failed: str = "",
) -> ReviewContext:  # fmt: skip
    """A review with a page of its people; `refused` forms by the id of their row, `failed` why it was not signed."""
    standings = counts_of(review)
    pages = Paginator(people_to_list(review, narrowed), PAGE_ROWS).get_page(number)
    counts = [(str(standing), standings[standing]) for standing in PersonStatus]
    return {
        "review": review,
        "state": state_of(review),
        "opened": f"{review.opened_name}, {day_and_time(review.opened_at, actor.business)}",
        "signed": _signed(actor.business, review),
        "people": [_card(actor, row, (refused or {}).get(row.person.pk)) for row in standings_of(pages)],
        "pages": pages,
        "shown": narrowed,
        "shows": NARROWINGS,
        "counts": [(word, count) for word, count in counts if count],
        "revokes": REVOKES,
        "missing": why_not_signed(actor, review, standings) if review.is_open else [],
        "second_admin": requires_second_admin(actor.business),
        "seal": None if review.is_open else seal_of(review),
        "key": new_key(),
        "failed": failed,
    }


def _signed(business: Business, review: AccessReview) -> str:
    if review.signed_at is None:
        return ""
    role = ROLES.get(review.signed_role, review.signed_role).lower()
    return f"{review.signed_name}, {role}, {day_and_time(review.signed_at, business)}"


def _card(actor: Actor, row: PersonStanding, refused_form: VerdictForm | None) -> PersonCard:
    person, business = row.person, actor.business
    why_not = _why_not(actor, row)
    form = None if why_not else refused_form or verdict_form(person)
    by = f"{person.decided_name}, {day_and_time(person.decided_at, business)}" if person.decided_at else ""
    return PersonCard(
        id=person.pk, name=person.name, email=person.email, employee_id=person.employee_id,
        role=_role(person), service_role=_other_role(person), money=person.money,
        seen=_used(person, person.seen_at, business), decided=_used(person, person.decided_last_at, business),
        unused=person.unused, left=row.left, to_offboard=row.standing is PersonStatus.TO_OFFBOARD,
        state=(row.standing, TONES[row.standing]),
        verdict=ReviewDecision(person.verdict).label if person.verdict else "", reason=person.reason, by=by,
        proposal_id=row.proposal.pk if row.proposal and row.standing is PersonStatus.WAITING else None,
        form=form, why_not=why_not,
    )  # fmt: skip


def verdict_form(reviewed: ReviewedPerson, posted: Mapping[str, str] | None = None) -> VerdictForm:
    """The form that decides on a person; each of a page has ids of its own."""
    initial = {"verdict": reviewed.verdict, "reason": reviewed.reason}
    return VerdictForm(posted, is_unused=bool(reviewed.unused), initial=initial, auto_id=f"id_{reviewed.pk}_%s")


def _why_not(actor: Actor, row: PersonStanding) -> str:
    if not row.person.review.is_open or row.standing in {PersonStatus.REVOKED, PersonStatus.GONE, PersonStatus.WAITING}:
        return " "
    return "Your own access: somebody else decides." if is_own(actor, row.person) else ""


def _role(reviewed: ReviewedPerson) -> str:
    if reviewed.membership_id is None:
        return NO_ACCESS + (", suspended when the review was opened" if reviewed.is_suspended else "")
    return ROLES.get(reviewed.role, reviewed.role) + (
        ", suspended when the review was opened" if reviewed.is_suspended else ""
    )


def _other_role(reviewed: ReviewedPerson) -> str:
    if not reviewed.service_role or reviewed.service_role == reviewed.role:
        return ""
    return ROLES.get(reviewed.service_role, reviewed.service_role)


def _used(reviewed: ReviewedPerson, at: datetime | None, business: Business) -> str:
    return NO_ACCESS if reviewed.membership_id is None else day(at, business) if at else NEVER


def review_pdf(business: Business, review: AccessReview) -> bytes:
    """A signed review as a PDF: who signed, each person, and how to check that nothing was changed."""
    lines = [printable(line) for line in _lines(business, review)]
    if any(REPLACED in line for line in lines):
        lines.insert(2, "Characters that this file's font lacks are printed as ?: the JSON file has them.")
    return text_pdf(lines, f"Access review {review.period}, {review.business.name}")


def _lines(business: Business, review: AccessReview) -> Iterator[str]:
    zone = f"{local(review.opened_at, business):%Z}"
    people = list(reviewed_people(review))
    yield f"Access review {review.period} of {review.business.name}"
    yield ""
    yield f"Opened by {review.opened_name}, {_at(review.opened_at, business)}"
    yield f"Signed by {_signed(business, review)}" if review.signed_at else "Not signed yet"
    yield f"Times in {zone}. Mandates {review.mandates_as_of}."
    yield from _wrapped(COUNTED)
    yield from _wrapped(REVOKES)
    for word, count in (
        ("people", len(people)), ("kept", sum(row.verdict == ReviewDecision.KEEP and not row.ended_at for row in people)),
        ("revoked", sum(row.verdict == ReviewDecision.REVOKE for row in people)),
        ("access ended otherwise", sum(bool(row.ended_at) and row.verdict != ReviewDecision.REVOKE for row in people)),
    ):  # fmt: skip
        yield f"{count:>8,} {word}"
    if review.joined:
        yield from _wrapped(f"Not reviewed, access since it was opened: {', '.join(review.joined)}.")
    for row in standings_of(people):
        yield ""
        yield from _person_lines(business, row)
    yield ""
    yield from _proof(business, review)


def _person_lines(business: Business, row: PersonStanding) -> Iterator[str]:
    person = row.person
    other = _other_role(person)
    role = _role(person) + (f" (at the finance service {other.lower()})" if other else "")
    yield from _wrapped(f"{person.name} <{person.email}>, {role}: {row.standing}")
    if person.membership_id is not None:
        seen, decided = (_used(person, at, business) for at in (person.seen_at, person.decided_last_at))
        yield f"  Last seen: {seen}. Last decision through this dashboard: {decided}."
    for sentence in person.money:
        yield from _wrapped(f"  {sentence}")
    for sentence in person.unused:
        yield from _wrapped(f"  Unused: {sentence}")
    if person.verdict and person.decided_at:
        by = f"{person.decided_name} ({ROLES.get(person.decided_role, person.decided_role).lower()})"
        yield from _wrapped(
            f"  {ReviewDecision(person.verdict).label}: {by}, {_at(person.decided_at, business)}. {person.reason}"
        )
    if row.left:
        yield from _wrapped(f"  {row.left}")


def _proof(business: Business, review: AccessReview) -> Iterator[str]:
    yield "How to check it"
    if review.is_open:
        yield "Not signed yet: there is nothing to check."
        return
    yield f"SHA-256 of the JSON file: {review.content_sha256}"
    seal = seal_of(review)
    if seal is None:
        yield f"The audit's line {review.audit_entry_id} holds the same hash. It is not sealed yet."
        return
    yield from _wrapped(
        f"The audit's line {review.audit_entry_id} holds the same hash; it is link {seal.number} of the chain:"
    )
    yield f"  {seal.hash}"
    yield f"Sealed {_at(seal.sealed_at, business)}."


def _at(moment: datetime, business: Business) -> str:
    at = local(moment, business)
    return f"{at.day} {at:%b %Y, %H:%M %Z}"


def _wrapped(line: str) -> list[str]:
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.wrap(line, WIDTH, subsequent_indent=f"{indent}  ") or [""]
