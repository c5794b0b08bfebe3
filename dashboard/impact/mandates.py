"""What a change of a mandate would do: who loses a vote, what could not be approved any more, which requests are stuck."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.access.subject import people
from dashboard.impact.consequences import Consequence
from dashboard.impact.mandate_text import listed, mandate_kind, voting
from dashboard.mirror.models import Approval
from dashboard.mirror.scopes import visible_approvals
from dashboard.money import text
from dashboard.schemas.wallet_policies import Mandate

MAX_REQUESTS = 500


def of_mandate(actor: Actor, before: Mandate, after: Mandate) -> list[Consequence]:
    """What follows today where a mandate (before) becomes another (after)."""
    consequences = [*_votes(before, after), *_enough(before, after), *_reach(actor, before, after)]
    consequences += [
        Consequence(f"Nothing is approved without {seat.name}.")
        for seat in after.approvers
        if seat.required and not any(was.required for was in before.approvers if was.approver_id == seat.approver_id)
    ]
    return [*consequences, *_waiting(actor, before, after)]


def _ids(mandate: Mandate) -> set[str]:
    return {seat.approver_id for seat in voting(mandate)}


def _votes(before: Mandate, after: Mandate) -> list[Consequence]:
    lost = [seat.name for seat in voting(before) if seat.approver_id not in _ids(after)]
    won = [seat.name for seat in voting(after) if seat.approver_id not in _ids(before)]
    what, left = mandate_kind(before).lower(), len(voting(after))
    consequences = [Consequence(f"{listed(won)} can then approve {what} of this size.")] if won else []
    if lost:
        rest = "nobody else can" if not left else f"{left} other{'s' if left > 1 else ''} still can"
        consequences.append(Consequence(f"{listed(lost)} can no longer approve {what} of this size; {rest}.", not left))
    return consequences


def _enough(before: Mandate, after: Mandate) -> list[Consequence]:
    needed, able = after.min_approvers, len(voting(after))
    if able < needed:
        return [
            Consequence(
                f"It requires {needed} approvals, and {able} could give one: the finance service refuses that.", True
            )
        ]
    if needed == 1 and before.min_approvers > 1:
        return [Consequence(f"One approver alone can then approve {mandate_kind(after).lower()} of this size.", True)]
    if needed == able and (before.min_approvers, len(voting(before))) != (needed, able):
        who = "Its only approver" if able == 1 else f"All {able} approvers"
        return [Consequence(f"{who} must approve each time: nobody can be away.")]
    return []


def reach(mandate: Mandate) -> int | None:
    """The greatest amount that enough approvers may approve; None: any, 0: none."""
    top = mandate.max_amount_minor
    caps = sorted(
        (top if seat.max_amount_minor is None else seat.max_amount_minor for seat in voting(mandate)), key=_most
    )
    if len(caps) < mandate.min_approvers:
        return 0
    cap = caps[-mandate.min_approvers]
    return top if top is not None and _most(cap) > _most(top) else cap


def _most(cap: int | None) -> tuple[bool, int]:
    return (cap is None, cap or 0)


def _reach(actor: Actor, before: Mandate, after: Mandate) -> list[Consequence]:
    now, currency = reach(after), after.currency
    if now == reach(before) or len(voting(after)) < after.min_approvers:
        return []
    if now is None:
        return [Consequence("Enough people can then approve any amount.")]
    most = text(now, currency, actor.business.locale)
    if now != after.max_amount_minor:
        return [Consequence(f"Above {most} too few could then approve: such requests could not be made.", True)]
    return [Consequence(f"Enough people can then approve up to {most}.")]


def _waiting(actor: Actor, before: Mandate, after: Mandate) -> list[Consequence]:
    rows = waiting(actor).filter(payload__mandate_id=before.id)
    leaving_ids = _ids(before) - _ids(after)
    if leaving_ids and (stuck := stranded(rows, leaving_ids)):
        return stuck
    count = rows.count()
    if not count:
        return [Consequence("No requests are waiting under this mandate.")]
    those = f"The {count} waiting requests keep" if count > 1 else "The waiting request keeps"
    return [Consequence(f"{those} the approvals required at the time.")]


def waiting(actor: Actor) -> QuerySet[Approval]:
    """The payment requests that still need votes."""
    return visible_approvals(actor).filter(status="PENDING")


def stranded(rows: QuerySet[Approval], leaving_ids: Iterable[str]) -> list[Consequence]:
    """The requests that could not be approved any more without these people: the service refuses while there are any."""
    leaving = set(leaving_ids)
    stuck = [row for row in rows.order_by("pk")[:MAX_REQUESTS] if _stuck(row, leaving)]
    if not stuck:
        return []
    first = f"{stuck[0].title}, {stuck[0].amount_text}" + (" and others" if len(stuck) > 1 else "")
    what = f"{len(stuck)} waiting requests" if len(stuck) > 1 else "1 waiting request"
    return [
        Consequence(
            f"{what} could no longer be approved: {first}. The finance service refuses this until they are closed.",
            True,
        )
    ]


def _stuck(approval: Approval, leaving: set[str]) -> bool:
    free = people(*approval.eligible) - people(*approval.voters)
    needed = approval.approvals_required - approval.approvals_given
    return len(free - leaving) < needed <= len(free)
