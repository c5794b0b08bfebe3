"""Items that wait for nobody: no seat is left, whoever has the only one is away or made the item themselves."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.access.standing import StandIn
from dashboard.access.subject import Subject, subject_of
from dashboard.delegation.kinds import DECIDED_BY
from dashboard.delegation.presence import Presence, presence_of
from dashboard.mirror.models import Approval, Expense, Team
from dashboard.mirror.scopes import visible_approvals, visible_expenses

MOST_CHECKED = 500
LISTED = 3


def dead_end_of(presence: Presence, item: Any) -> str:
    """Why nobody can decide on a waiting item, in words; "" where somebody can."""
    if getattr(item, "status", "") != "PENDING":
        return ""
    if isinstance(item, Approval):
        return _of_votes(presence, item)
    return _of_review(presence, item) if isinstance(item, Expense) else ""


def _of_votes(presence: Presence, approval: Approval) -> str:
    subject, operation = subject_of(approval), DECIDED_BY["approval"]
    if subject.seats is None:
        return ""
    lacking = max(0, approval.approvals_required - approval.approvals_given)
    absent: dict[str, str] = {}
    able: set[str] = set()
    for seat in subject.seats:
        why = _no_vote(presence, subject, seat.max_amount_minor, seat.employee_id) or presence.missing(
            seat.employee_id, operation, "approval", approval.amount_minor, approval.currency
        )
        if why:
            absent[seat.employee_id] = why
        else:
            able.add(seat.employee_id)
    lacks = _lacks(approval, able, lacking)
    if not lacks:
        return ""
    reasons = "; ".join(
        f"{presence.name(employee_id)} {why}"
        for employee_id, why in sorted(absent.items(), key=lambda absence: absence[1])
    )
    left = f"Of the approvers in the mandate, {reasons}." if reasons else "Nobody else is an approver in the mandate."
    return f"Nobody can complete this now: {lacks}. {left}"


def _no_vote(presence: Presence, subject: Subject, cap: int | None, employee_id: str) -> str:
    if employee_id in (subject.makers or ()):
        return "requested it"
    if employee_id in subject.voters:
        return "has decided already"
    if cap is not None and (subject.amount_minor is None or subject.amount_minor > cap):
        return "may not approve this much"
    return ""


def _lacks(approval: Approval, able: set[str], lacking: int) -> str:
    """What is lacking for the votes to be enough, in words; "" where nothing is."""
    if len(able) < lacking:
        votes = f"{lacking} more approval{'s' if lacking > 1 else ''}"
        return f"it needs {votes}, and {len(able) or 'nobody'} could give {'one' if len(able) < 2 else 'them'}"
    steps: list[dict[str, Any]] = [row for row in approval.payload.get("steps") or [] if isinstance(row, dict)]
    waiting = [row for row in steps if row.get("status") == "WAITING"]
    makers = subject_of(approval).makers or frozenset()
    musts = {row["employee_id"] for row in waiting if row.get("required")} - makers
    if musts - able:
        return "the approval of a required approver is missing"
    for order, needed in {(row.get("order"), row["min_approvals"]) for row in steps if row.get("min_approvals")}:
        step = [row for row in steps if row.get("order") == order]
        approvals = sum(row.get("status") == "APPROVE" for row in step)
        if len({row["employee_id"] for row in step} & able) < needed - approvals:
            return f"step {order} lacks {needed - approvals} approval{'s' if needed - approvals > 1 else ''}"
    return ""


def _of_review(presence: Presence, expense: Expense) -> str:
    if any(employee_id != expense.employee_id for employee_id in _deciders(presence, expense)):
        return ""
    name = presence.name(expense.employee_id)
    return f"Nobody can review this now: every reviewer is away, is suspended, or is {name}, who submitted it."


def _deciders(presence: Presence, expense: Expense) -> Iterator[str]:
    operation = DECIDED_BY["expense"]
    reviewers = _reviewers(presence).get(expense.team_id, set())
    for employee_id, person in presence.people.items():
        if presence.missing(employee_id, operation, "expense", expense.amount_minor, expense.currency):
            continue
        if operation.rows.reaches_all(person.role) or employee_id in reviewers:  # type: ignore[arg-type]
            yield employee_id


def _reviewers(presence: Presence) -> dict[str, set[str]]:
    """Who reviews each team and may decide, by the team."""
    rows = Team.objects.filter(business=presence.business, tombstoned_at__isnull=True)
    return {
        team: {seat.get("employee_id", "") for seat in seats if not seat.get("read_only", True)}
        for team, seats in rows.values_list("remote_id", "reviewers")
    }


def dead_ends_of(actor: Actor) -> tuple[list[Approval], int]:
    """What waits for nobody, of what the actor sees: payment requests, and how many expenses."""
    presence = presence_of(actor.business)
    waiting = visible_approvals(actor).filter(status="PENDING").order_by("requested_at")[:MOST_CHECKED]
    return [approval for approval in waiting if _of_votes(presence, approval)], _expenses(actor, presence)


def _expenses(actor: Actor, presence: Presence) -> int:
    """How many visible expenses wait for nobody: none, where two people who review everything are there."""
    operation = DECIDED_BY["expense"]
    there = presence.there(operation, "expense")
    everywhere = {employee_id for employee_id in there if operation.rows.reaches_all(presence.people[employee_id].role)}  # type: ignore[arg-type]
    if len(everywhere) > 1:
        return 0
    stuck = Q(employee_id__in=everywhere) if everywhere else Q()
    for team, reviewers in _reviewers(presence).items():
        present = reviewers & there
        if len(present) > 1:
            stuck &= ~Q(team_id=team)
        elif present:
            stuck &= ~(Q(team_id=team) & ~Q(employee_id__in=present))
    return visible_expenses(actor).filter(stuck, status="PENDING").count()


def stranded_by(actor: Actor, delegate: Membership, kinds: frozenset[str], cap_minor: int | None, currency: str) -> str:
    """Which waiting payment requests would wait for nobody if the actor handed these over, in words; "" for none."""
    if "approval" not in kinds:
        return ""
    now = timezone.now()
    away = StandIn(
        UUID(int=0), actor.member_id, actor.employee_id, actor.name, delegate.pk, delegate.employee_id,
        delegate.user.get_full_name(), kinds, cap_minor, currency, now, now + timedelta(days=1),
    )  # fmt: skip
    before = presence_of(actor.business)
    stranded = _stranded(actor, before, before.without([away]))
    return _sentence(stranded, delegate.user.get_full_name()) if stranded else ""


def _stranded(actor: Actor, before: Presence, after: Presence) -> list[Approval]:
    """The waiting payment requests with a seat of the actor that somebody could decide on before, and nobody after."""
    seat = [{"employee_id": actor.employee_id}]
    mine = visible_approvals(actor).filter(status="PENDING", eligible__contains=seat).order_by("requested_at")
    return [
        approval for approval in mine[:MOST_CHECKED] if _of_votes(after, approval) and not _of_votes(before, approval)
    ]


def newly_stuck(actor: Actor, before: Presence, after: Presence, kinds: frozenset[str]) -> tuple[list[Approval], int]:
    """What waits for nobody after and did not before, of these kinds: payment requests, and how many expenses."""
    payments = _stranded(actor, before, after) if "approval" in kinds else []
    expenses = _expenses(actor, after) - _expenses(actor, before) if "expense" in kinds else 0
    return payments, max(0, expenses)


def _sentence(approvals: Sequence[Approval], name: str) -> str:
    listed = ", ".join(f"{approval.ref} {approval.title}" for approval in approvals[:LISTED])
    more = f" and {len(approvals) - LISTED} more" if len(approvals) > LISTED else ""
    return (
        f"Without you nobody could decide on {listed}{more}. An approval counts in the name of whoever gives it, and "
        f"{name} cannot give yours. Decide on them first, exclude payment requests, or have the mandate changed."
    )
