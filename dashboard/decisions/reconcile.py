"""How items stand upstream, read afresh and written into the copy: who was faster, what became of an unknown decision."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypedDict, cast
from uuid import UUID

import structlog
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.access.operation import Operation
from dashboard.access.subject import people, person
from dashboard.client.http import Deadline
from dashboard.client.page import Page, every_row, read_page
from dashboard.client.reads import read_live
from dashboard.decisions.models import Decision
from dashboard.decisions.registry import (
    APPROVAL_KINDS,
    DECIDED,
    DecisionSpec,
    decided_as,
    model_of_kind,
    spec_for,
    with_id,
)
from dashboard.errors import FinanceError, NotFound
from dashboard.mirror.apply import upsert
from dashboard.mirror.events import Reference
from dashboard.mirror.mappers import MAPPERS
from dashboard.mirror.models import Approval, Employee, Expense, Origin

log = structlog.get_logger(__name__)

READ_S = 6.0
MOST_PAGES = 10
FRESH_FOR = timedelta(seconds=60)
Payloads = dict[str, Mapping[str, Any]]


class Vote(TypedDict, total=False):
    """A vote in a payload: whose it is."""

    approver_id: str


class ApprovalStep(TypedDict, total=False):
    """A step of a request for votes in a payload, with the votes on it."""

    votes: list[Vote | str]


class DecidedPayload(TypedDict, total=False):
    """Of the payload of an item what tells how it was decided; which of it is there, is its kind's to say."""

    status: str
    votes: list[Vote | str]
    steps: list[ApprovalStep]
    reviewed_by: Reference
    decided_by: Reference


def decided_payload(subject: Any) -> DecidedPayload:
    """The payload of a row of the copy, with the status that the row has now."""
    return cast(DecidedPayload, {**(getattr(subject, "payload", None) or {}), "status": subject.status})


def read_payloads(business: Business, kind: str, ids: Sequence[str]) -> Payloads:
    """The items by their ids, as far as they can be read in a few seconds; the copy has them then."""
    try:
        payloads = READERS[kind](business, ids)
        upsert(kind, business, list(payloads.values()), Origin.POLL)
    except FinanceError:
        return {}
    return payloads


def _expenses(business: Business, ids: Sequence[str]) -> Payloads:
    # There is no GET of one expense: the days around it are read until it is found.
    rows = Expense.objects.filter(business=business, remote_id__in=ids)
    days = sorted(day.date() for day in rows.values_list("transaction_date", flat=True))
    if not days:
        return {}
    around = {"from": str(days[0] - timedelta(days=1)), "to": str(days[-1] + timedelta(days=1))}
    return _first_of(business, operations.LIST_EXPENSES, around, ids)


def _approvals(business: Business, ids: Sequence[str]) -> Payloads:
    refs = Approval.objects.filter(business=business, remote_id__in=ids).values_list("ref", flat=True)
    # One by its reference; a service that knows no such filter shows all, and it is found among them.
    narrowed = {"ref": refs[0]} if len(ids) == 1 and refs and refs[0] else {}
    return _first_of(business, operations.LIST_APPROVALS, narrowed, ids)


def _single_reader(operation: Operation, name: str, kind: str) -> Callable[[Business, Sequence[str]], Payloads]:
    def read_single(business: Business, ids: Sequence[str]) -> Payloads:
        reader, patience, payloads = Actor.reader_for(business), Deadline(READ_S), Payloads()
        for remote_id in ids:
            if not patience.left:
                break
            try:
                answer = read_live(reader, operation, path={name: remote_id}, deadline=max(0.1, patience.left))
            except NotFound:
                continue
            payloads[remote_id] = with_id(kind, answer.data)
        return payloads

    return read_single


def _first_of(business: Business, operation: Operation, query: dict[str, str], ids: Sequence[str]) -> Payloads:
    reader, missing, payloads = Actor.reader_for(business), set(ids), Payloads()
    patience = Deadline(READ_S)

    def fetch(number: int, limit: int) -> Page:
        parameters: dict[str, str | int] = {**query, "page": number, "limit": limit}
        return read_page(read_live(reader, operation, query=parameters, deadline=max(0.1, patience.left)).data)

    for row in every_row(fetch, max_pages=MOST_PAGES):
        row_id = str(row.get("_id") or "")
        if row_id in missing:
            payloads[row_id] = dict(row)
            missing.discard(row_id)
        if not missing or not patience.left:
            break
    return payloads


def _reader_of(kind: str) -> Callable[[Business, Sequence[str]], Payloads]:
    reads = MAPPERS[kind].approval_reads
    if reads is None:
        raise TypeError(f"no request is registered that reads {kind}")
    if reads.single is not None:
        return _single_reader(*reads.single, kind)
    return lambda business, ids: _first_of(business, reads.listed_by, {}, ids)


READERS: dict[str, Callable[[Business, Sequence[str]], Payloads]] = {
    "expense": _expenses,
    "approval": _approvals,
    **{kind: _reader_of(kind) for kind in APPROVAL_KINDS},
}


def write_answers(business: Business, spec: DecisionSpec, payloads: Sequence[Any]) -> None:
    """Writes answered resources into the copy. One that is no resource is left to the feed."""
    whole = [
        with_id(spec.answers, payload) for payload in payloads if isinstance(payload, dict) and payload.get("status")
    ]
    whole = [resource for resource in whole if resource.get("_id")]
    if not whole:
        return
    try:
        upsert(spec.answers, business, whole, Origin.WRITE)
    except (ValueError, KeyError, TypeError) as error:
        log.warning("answer not copied", kind=spec.answers, error=type(error).__name__)


@dataclass(frozen=True)
class UpstreamState:
    """How an item stands upstream, judged for one decision.

    `waits`: it can still be decided; `done`: it is as the decision would have it; `ours`: by this person's word;
    `conclusive`: had it been done it would be seen, whatever others have done since; `decider` is the id of whoever's word it was ("" where the service does not say), `by` their name.
    """

    status: str
    waits: bool
    done: bool
    ours: bool
    conclusive: bool
    decider: str
    by: str

    @property
    def sentence(self) -> str:
        """The sentence on who decided first, as far as the service says it."""
        status = self._status
        if self.ours:
            return f"It is {status} already, by your own decision."
        if not self.decider:
            return f"It is {status} already; the finance service does not say by whom."
        return f"{self.by or 'Somebody else'} decided first: it is {status}."

    @property
    def sentence_in_doubt(self) -> str:
        """How it stands, where that tells nothing of what was sent before."""
        by = f", by {self.by}" if self.by and not self.ours else ""
        return f"It is {self._status} now{by}. Whether your own decision was done before that is not known."

    @property
    def _status(self) -> str:
        return self.status.lower().replace("_", " ") or "no longer waiting"


def read_upstream(decisions: Sequence[Decision]) -> dict[UUID, UpstreamState]:
    """Reads the items of decisions afresh, in one go, brings them into the copy, and judges each.

    All are of one business and kind. An item that cannot be read or found in a few seconds is left out.
    """
    if not decisions:
        return {}
    payloads = read_payloads(
        decisions[0].business, decisions[0].object_type, [decision.object_id for decision in decisions]
    )
    return {
        decision.pk: judge(decision, cast(DecidedPayload, payloads[decision.object_id]))
        for decision in decisions
        if decision.object_id in payloads
    }


def freshen(decisions: Sequence[Decision]) -> None:
    """Reads again what the copy last heard of more than a minute ago, before a decision on it is sent.

    Where the service cannot be read the copy stands: the service has the last word on the decision itself.
    """
    if not decisions:
        return
    kind = decisions[0].object_type
    rows = model_of_kind(kind)._default_manager
    old = rows.filter(
        business=decisions[0].business,
        remote_id__in=[decision.object_id for decision in decisions],
        last_seen__lt=timezone.now() - FRESH_FOR,
    )
    if ids := list(old.values_list("remote_id", flat=True)):
        read_payloads(decisions[0].business, kind, ids)


def judge(decision: Decision, payload: DecidedPayload) -> UpstreamState:
    """Whether the payload shows that the decision was done, and whether it was this person's doing."""
    return upstream_state(
        decision.business,
        DECIDED[decision.operation],
        payload,
        employee_id=decision.membership.employee_id,
        vote=decision.is_vote,
    )


def upstream_state(
    business: Business, operation: Operation, payload: DecidedPayload, *, employee_id: str, vote: bool,
    name_of: Callable[[Any], str] | None = None,
) -> UpstreamState:  # fmt: skip
    """How an item's payload stands to one person's decision on it. `name_of` (names_at), where many are judged at once."""
    spec = spec_for(operation)
    status = str(payload.get("status") or "")
    voters = _voters(payload)
    last = _last_voter(payload) if vote else payload.get("reviewed_by") or payload.get("decided_by")
    decider = person(last)
    ours = bool(employee_id) and (employee_id in voters if vote else decider == employee_id)
    # A vote is done when it is counted, whatever the others say; anything else when the item is as it wants it. A
    # service that lists no votes shows no more than how the request ended.
    done = ours if vote and voters else status in spec.becomes
    conclusive = bool(voters) if vote else spec.final and status in decided_as(spec.answers)
    return UpstreamState(
        status, status in spec.waiting_in, done, ours, conclusive, decider, (name_of or names_at(business))(last)
    )


def _voters(payload: DecidedPayload) -> frozenset[str]:
    votes: list[Any] = [*(payload.get("votes") or [])]
    for step in payload.get("steps") or []:
        if isinstance(step, dict):
            votes.extend(step.get("votes") or [])
    return people(*(vote.get("approver_id") or vote if isinstance(vote, dict) else vote for vote in votes))


def _last_voter(payload: DecidedPayload) -> Any:
    votes = payload.get("votes") or []
    last = votes[-1] if votes and isinstance(votes, list) else payload.get("decided_by")
    return last.get("approver_id") or last if isinstance(last, dict) else last


def names_at(business: Business) -> Callable[[Any], str]:
    """The name of whoever decided, as a payload has them (an id, or an object with it); "" for nobody that is known. Each
    is looked up once."""
    names: dict[str, str] = {}

    def name_of(reviewer: Any) -> str:
        known = person(reviewer)
        if known not in names:
            names[known] = _name(business, reviewer)
        return names[known]

    return name_of


def _name(business: Business, reviewer: Any) -> str:
    if isinstance(reviewer, dict) and reviewer.get("name"):
        return str(reviewer["name"])
    known = Employee.objects.filter(business=business, remote_id=person(reviewer) or "-").values_list("name", flat=True)
    return known.first() or ""
