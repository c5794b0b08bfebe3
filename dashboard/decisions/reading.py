"""Looking at how things stand upstream: to learn who was faster, and to find out what became of an unknown decision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from dashboard.access.models import Business
from dashboard.access.operation import Operation
from dashboard.access.subject import people, person
from dashboard.decisions.models import Decision
from dashboard.decisions.readers import read
from dashboard.decisions.requests import DECIDED, wire_of
from dashboard.decisions.things import copies
from dashboard.mirror.models import Employee

FRESH_FOR = timedelta(seconds=60)


@dataclass(frozen=True)
class Found:
    """How a thing stands upstream, judged for one decision.

    `waits`: it can still be decided; `done`: it is as the decision would have it; `ours`: by this person's word;
    `decider` is the id of whoever's word it was ("" where the service does not say), `by` their name.
    """

    status: str
    waits: bool
    done: bool
    ours: bool
    decider: str
    by: str

    @property
    def sentence(self) -> str:
        """Who was faster, as far as that can be seen."""
        status = self.status.lower().replace("_", " ") or "no longer waiting"
        if self.ours:
            return f"It is {status} already, by your own decision."
        if not self.decider:
            return f"It is {status} already; the finance service does not say by whom."
        return f"{self.by or 'Somebody else'} was faster: it is {status}."


def look(decisions: Sequence[Decision]) -> dict[UUID, Found]:
    """Reads the things of decisions afresh, in one go, brings them into the copy, and judges each.

    All are of one business and kind. A thing that cannot be read or found in a few seconds is left out.
    """
    if not decisions:
        return {}
    payloads = read(decisions[0].business, decisions[0].object_type, [one.object_id for one in decisions])
    return {one.pk: judge(one, payloads[one.object_id]) for one in decisions if one.object_id in payloads}


def freshen(decisions: Sequence[Decision]) -> None:
    """Reads again what the copy last heard of more than a minute ago, before a decision on it is sent.

    Where the service cannot be read the copy stands: the service has the last word on the decision itself.
    """
    if not decisions:
        return
    kind = decisions[0].object_type
    rows = copies(kind)._default_manager
    old = rows.filter(
        business=decisions[0].business,
        remote_id__in=[one.object_id for one in decisions],
        last_seen__lt=timezone.now() - FRESH_FOR,
    )
    if ids := list(old.values_list("remote_id", flat=True)):
        read(decisions[0].business, kind, ids)


def judge(decision: Decision, payload: dict[str, Any]) -> Found:
    """Whether the payload shows that the decision was done, and whether it was this person's doing."""
    return standing(
        decision.business,
        DECIDED[decision.operation],
        payload,
        employee_id=decision.membership.employee_id,
        vote=decision.is_vote,
    )


def standing(
    business: Business, operation: Operation, payload: Mapping[str, Any], *, employee_id: str, vote: bool
) -> Found:
    """How a thing's payload stands to one person's decision on it."""
    wire = wire_of(operation)
    status = str(payload.get("status") or "")
    voters = _voters(payload)
    last = _last_voter(payload) if vote else payload.get("reviewed_by") or payload.get("decided_by")
    decider = person(last)
    ours = bool(employee_id) and (employee_id in voters if vote else decider == employee_id)
    # A vote is done when it is counted, whatever the others say; anything else when the thing is as it wants it. A
    # service that lists no votes shows no more than how the request ended.
    done = ours if vote and voters else status in wire.becomes
    return Found(status, status in wire.waiting_in, done, ours, decider, _name(business, last))


def _voters(payload: Mapping[str, Any]) -> frozenset[str]:
    votes: list[Any] = [*(payload.get("votes") or [])]
    for step in payload.get("steps") or []:
        if isinstance(step, dict):
            votes.extend(step.get("votes") or [])
    return people(*(vote.get("approver_id") or vote if isinstance(vote, dict) else vote for vote in votes))


def _last_voter(payload: Mapping[str, Any]) -> Any:
    votes = payload.get("votes") or []
    last = votes[-1] if votes and isinstance(votes, list) else payload.get("decided_by")
    return last.get("approver_id") or last if isinstance(last, dict) else last


def _name(business: Business, reviewer: Any) -> str:
    if isinstance(reviewer, dict) and reviewer.get("name"):
        return str(reviewer["name"])
    known = Employee.objects.filter(business=business, remote_id=person(reviewer) or "-").values_list("name", flat=True)
    return known.first() or ""
