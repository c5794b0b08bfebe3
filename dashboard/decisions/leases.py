"""Who sends what: claiming decisions for sending under a lease, and letting go of them again, conditionally.

Every change of a claimed decision names its claim, so that a sender that has lost its lease changes nothing.
"""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from dashboard.access.models import Business
from dashboard.decisions.models import Decision, DecisionState
from dashboard.decisions.registry import DECIDED, spec_for

LEASE_S = 30


@dataclass(frozen=True)
class Claim:
    """Decisions that go out in one call: usually one, or the rows of a bulk that have a call for several."""

    id: uuid.UUID
    decisions: list[Decision]

    @property
    def first(self) -> Decision:
        """The first of the decisions; operation, business and send key are the same on all of them."""
        return self.decisions[0]


def claim_next(business: Business | None = None) -> Claim | None:
    """Claims what is due and nobody has (of one business, or of all), the oldest first; None where nothing is due.

    Due are: what has waited its time, what is unknown and to be asked again, and what a dead sender left behind.
    """
    now = timezone.now()
    due = _due(now)
    due = due if business is None else due & Q(business=business)
    with transaction.atomic():
        free = Decision.objects.select_for_update(no_key=True, skip_locked=True, of=("self",)).filter(due)
        first = free.order_by("due_at").first()
        if first is None:
            return None
        mates = _mates(first, now)
        claim, send_key = uuid.uuid4(), first.send_key or _send_key(first, len(mates))
        Decision.objects.filter(pk__in=[decision.pk for decision in mates]).update(
            state=DecisionState.SENDING,
            claim=claim,
            send_key=send_key,
            lease_until=now + timedelta(seconds=LEASE_S),
            tries=F("tries") + 1,
        )
    return Claim(claim, held(claim))


def _due(now: datetime) -> Q:
    return Q(state__in=[DecisionState.WAITING, DecisionState.UNKNOWN], due_at__lte=now) | Q(
        state=DecisionState.SENDING, lease_until__lt=now
    )


def has_due() -> bool:
    """Whether any decision of any business is due to be sent, or to be asked about."""
    return Decision.objects.filter(_due(timezone.now())).exists()


def _mates(first: Decision, now: object) -> list[Decision]:
    rows = Decision.objects.select_for_update(no_key=True, skip_locked=True, of=("self",)).order_by("created_at", "id")
    if first.send_key:
        # They were sent in one call: they are asked about in one call, the very same.
        return list(rows.filter(business_id=first.business_id, send_key=first.send_key, state=first.state))
    spec = spec_for(DECIDED[first.operation])
    if first.bulk_id is None or spec.together is None:
        return [first]
    return list(
        rows.filter(bulk_id=first.bulk_id, state=DecisionState.WAITING, due_at__lte=now, send_key="")[: spec.most]
    )


def _send_key(first: Decision, how_many: int) -> str:
    # A call for several gets a key of its own for each try that may have other rows in it.
    return first.key if how_many == 1 else str(uuid.uuid5(first.pk, f"together {first.tries}"))


def held(claim: uuid.UUID) -> list[Decision]:
    """The decisions under a claim, in the order in which they are named in a call."""
    rows = Decision.objects.filter(claim=claim, state=DecisionState.SENDING)
    return list(
        rows.select_related("business", "membership__user", "membership__business").order_by("created_at", "id")
    )


def settle(decision: Decision, state: DecisionState, **outcome: object) -> bool:
    """Writes what became of a claimed decision; False where the claim was lost and nothing was written."""
    claim, send_key = decision.claim, decision.send_key
    decision.settle(state, **outcome)
    if state == DecisionState.CANCELLED:
        send_key = ""
    return bool(
        Decision.objects.filter(pk=decision.pk, claim=claim, state=DecisionState.SENDING).update(
            state=decision.state,
            outcome=decision.outcome,
            settled_at=decision.settled_at,
            send_key=send_key,
            claim=None,
            lease_until=None,
        )
    )


def return_to_queue(decisions: Iterable[Decision], claim: uuid.UUID, seconds: float, *, has_left: bool) -> None:
    """Certainly not done: they wait again, can be undone again, and will be gathered afresh.

    `has_left` where the service was asked and put it off. What may have been done cannot be put back: the database
    refuses it.
    """
    rows = Decision.objects.filter(
        pk__in=[decision.pk for decision in decisions], claim=claim, state=DecisionState.SENDING
    )
    if has_left:
        mark_left(decisions)
    rows.update(
        state=DecisionState.WAITING,
        claim=None,
        lease_until=None,
        send_key="",
        due_at=timezone.now() + timedelta(seconds=seconds),
    )


def mark_left(decisions: Iterable[Decision]) -> None:
    """Writes that a call for them left us: from then on nobody says that nothing was sent."""
    new = [decision for decision in decisions if not decision.has_left]
    if new:
        Decision.objects.filter(pk__in=[decision.pk for decision in new]).update(has_left=True)
    for decision in new:
        decision.has_left = True


def leave_unknown(decisions: Iterable[Decision], claim: uuid.UUID, seconds: float, message: str) -> list[Decision]:
    """Nobody can tell yet: to be asked again with the same key. Returns those that were not unknown before."""
    fresh = []
    now = timezone.now()
    for decision in decisions:
        if decision.unknown_since is None:
            fresh.append(decision)
        decision.unknown_since, decision.has_left, decision.state = (
            decision.unknown_since or now,
            True,
            DecisionState.UNKNOWN,
        )
        Decision.objects.filter(pk=decision.pk, claim=claim, state=DecisionState.SENDING).update(
            state=DecisionState.UNKNOWN,
            claim=None,
            lease_until=None,
            unknown_since=decision.unknown_since,
            has_left=True,
            due_at=now + timedelta(seconds=seconds),
            outcome={**decision.outcome, "message": message},
        )
    return fresh
