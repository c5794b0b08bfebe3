"""What the desk reads: the subject on it, what a decision is on its way for, and the files of a bill."""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

from django.db import connection
from django.shortcuts import get_object_or_404

from dashboard import operations_payables
from dashboard.access.actor import Actor
from dashboard.client.reads import read_live
from dashboard.decisions.bills import bill_of
from dashboard.decisions.cursors import InboxRow
from dashboard.decisions.described_requests import described_request
from dashboard.decisions.filters import CHANGE_SOURCE, PAYMENT_SOURCE
from dashboard.decisions.inbox import inbox_key, with_values
from dashboard.decisions.models import OPEN_DECISION_STATES, Decision, DecisionState
from dashboard.decisions.registry import subject_of_kind
from dashboard.decisions.selectors import confirms, decides, votes
from dashboard.decisions.sources import source_of
from dashboard.errors import NotFound
from dashboard.mirror.scopes import visible_teams
from dashboard.proposals.models import Proposal
from dashboard.proposals.selectors import visible_proposals, waiting_on

MOST_OPEN = 500
# A request for votes is a payment in the inbox; whatever else is called what decisions call it.
KIND_OF = {PAYMENT_SOURCE: "approval"}
KEYED = {kind: key for key, kind in KIND_OF.items()}


def first_tab(actor: Actor) -> str:
    """The tab that the inbox opens with: "mine" for whoever decides on something, else "others"."""
    # A super admin decides on changes of access alone: that tab comes first where one waits.
    if decides(actor) or votes(actor):
        return "mine"
    return "mine" if confirms(actor) and waiting_on(actor).exists() else "others"


def access_change_of(actor: Actor, proposal_id: int) -> Proposal:
    """The proposed change of access as the actor sees it; Http404 where it is not theirs to see."""
    proposal: Proposal = get_object_or_404(visible_proposals(actor), pk=proposal_id)
    return proposal


def subject_key(subject: InboxRow) -> str:
    """The subject's key in the inbox."""
    if isinstance(subject, Proposal):
        return inbox_key(CHANGE_SOURCE, "", str(subject.pk))
    return inbox_key(source_of(subject).name, getattr(subject, "kind", ""), subject.remote_id)


def subject_by_key(actor: Actor, key: str) -> InboxRow:
    """The subject of a key of the inbox; Http404 where it is not the actor's to see."""
    kind, _, remote_id = key.partition("/")
    if kind == CHANGE_SOURCE:
        return access_change_of(actor, int(remote_id))
    return subject_of_kind(actor, kind_of_key(kind), remote_id)


def kind_of_key(word: str) -> str:
    """The kind, as decisions name it, of the first part of a key of the inbox."""
    return KIND_OF.get(word, word.replace("-", "_"))


def desk_teams(actor: Actor) -> list[tuple[str, str]]:
    """The teams to choose from, by name: (id, name)."""
    return list(visible_teams(actor).order_by("name").values_list("remote_id", "name")[:200])


class OpenDecision(NamedTuple):
    """A decision on its way, by the columns that the desk needs of it."""

    pk: UUID
    membership_id: UUID
    operation: str
    object_type: str
    object_id: str
    title: str
    state: str
    due_at: datetime
    bulk_id: UUID | None

    @property
    def key(self) -> str:
        """The key in the inbox of what it is about."""
        return f"{KEYED.get(self.object_type) or self.object_type.replace('_', '-')}/{self.object_id}"


def open_decisions(actor: Actor, now: datetime) -> tuple[frozenset[str], list[OpenDecision]]:
    """Keys of items whose decision is on its way, and the decisions that this person can still undo one by one."""
    skip, undoable = set(), []
    with connection.cursor() as cursor:
        cursor.execute(_open_statement(actor.business.pk))
        for decision in map(OpenDecision._make, cursor.fetchall()):
            mine = decision.membership_id == actor.membership_id
            if decision.object_type != "approval" or mine:
                skip.add(decision.key)
            if mine and decision.state == DecisionState.WAITING and decision.due_at > now and decision.bulk_id is None:
                undoable.append(decision)
    return frozenset(skip), undoable


@lru_cache(maxsize=1024)
def _open_statement(business_id: int) -> str:
    # Votes and other decisions each have an index of what is open: two reads of a page each, never through the history.
    columns = ("id", *OpenDecision._fields[1:])
    rows = Decision.objects.filter(business_id=business_id, state__in=OPEN_DECISION_STATES).values_list(*columns)
    of_votes, others = (rows.filter(is_vote=is_vote)[:MOST_OPEN] for is_vote in (True, False))
    sql, params = of_votes.union(others, all=True).query.sql_with_params()
    return with_values(sql, params)


@dataclass(frozen=True, slots=True)
class BillFile:
    """A file of a bill: its bytes, and the name it was uploaded under."""

    content: bytes
    name: str


def bill_file_of(actor: Actor, approval_id: str, file_id: str) -> BillFile:
    """A file of the bill behind a payment, read live; Http404 where the payment is not the actor's to see, NotFound where
    the bill has no such file, FinanceError where the service does not give it."""
    paid = described_request(subject_of_kind(actor, "approval", approval_id))  # type: ignore[arg-type]  # an approval by its kind
    bill = bill_of(actor, paid) if paid is not None else None
    files = {str(row.get("_id")): row for row in (bill or {}).get("attachments") or [] if isinstance(row, dict)}
    if file_id not in files:
        raise NotFound("There is no such file of this bill.", code="hidden")
    answer = read_live(actor, operations_payables.DOWNLOAD_BILL_FILE, path={"fileId": file_id}, as_bytes=True)
    return BillFile(answer.data, str(files[file_id].get("file_name") or "document"))
