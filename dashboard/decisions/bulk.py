"""Deciding on several items at once: what a row of it is, how it is judged, and the decision that is submitted on it.

The plan, what is left out, the results and the retry are those of every bulk action (dashboard/bulk/). From there on each row
is a decision like any other: it waits for its undo, and the dispatcher sends it.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import CharField, F, QuerySet, TextField, Value
from django.db.models.expressions import Combinable
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Coalesce

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.bulk.actions import ImmediateAction, RowVerdict, Seen
from dashboard.bulk.balances import WalletAfter
from dashboard.bulk.batches import begin
from dashboard.bulk.models import Batch, BatchRow
from dashboard.bulk.plans import TOGETHER, plan, plan_again, store_plan
from dashboard.bulk.results import BatchResult, own_batch
from dashboard.decisions.clean import clean_ids
from dashboard.decisions.models import NOT_KNOWN, OPEN_DECISION_STATES, Decision, DecisionState
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.decisions.registry import DECIDED, spec_for, visible
from dashboard.decisions.services import new_decision, settled_line, somebody_is_deciding, submitted_line
from dashboard.decisions.verdicts import NEEDS_CODE, LeftOut, left_out, verdicts_on, wallets_after
from dashboard.enqueue import enqueue_on_commit
from dashboard.errors import InvalidState, NotFound, Rejected
from dashboard.money import Money

SOURCE = "decisions"
# What a plan says of the rows that it decides on, by the operation's verb.
DONE = {"approve": "approved", "reject": "rejected"}
DETAILS_DONE = "asked for details"
UNDONE = "undone"


class BulkDecision(ImmediateAction):
    """An operation that decides on items, done to several of them: each gets a decision in the outbox, with its own undo."""

    order = tuple(LeftOut)
    labels = dict(DecisionState.choices) | {BatchRow.State.LEFT_OUT.value: BatchRow.State.LEFT_OUT.label}

    def __init__(self, operation: Operation) -> None:
        self.source, self.name, self.operation = SOURCE, operation.name, operation
        self.done = DONE.get(operation.name.partition("_")[0], DETAILS_DONE)
        self.kind = spec_for(operation).answers

    def visible(self, actor: Actor, ids: Sequence[str]) -> list[Any]:
        """The items of these remote ids that the operation may be about, as they are visible to the actor now."""
        # Ids are the service's own, unique whatever the kind: each kind that the operation may be about is looked through.
        kinds = {"expense"} if self.kind == "expense" else {"approval", self.kind}
        return [row for kind in sorted(kinds) for row in visible(actor, kind).filter(remote_id__in=ids)]

    def verdicts(self, actor: Actor, items: Sequence[Any], seen: Mapping[str, Seen]) -> list[RowVerdict]:
        """How each item passes, as `verdicts_on` judges it by what was seen."""
        return verdicts_on(actor, self.operation, items, seen)

    def seen_of(self, item: Any) -> str:
        """The fingerprint of the item."""
        return fingerprint_of(item)

    def amount_of(self, item: Any) -> Money | None:
        """Its amount in its own currency; None where no money is in it."""
        return Money(item.amount_minor or 0, item.currency) if item.currency else None

    def amount_text(self, actor: Actor, item: Any) -> str:
        """Its amount as the inbox prints it."""
        return str(item.amount_text)

    def person_of(self, item: Any) -> str:
        """Who spent it, asked for it, or will hold it."""
        names = (getattr(item, name, "") for name in ("employee_name", "requested_by_name", "holder_name"))
        return next(filter(None, names), "")

    def balances(self, actor: Actor, items: Sequence[Any]) -> list[WalletAfter]:
        """What wallets hold once all of these are approved."""
        return wallets_after(actor, self.operation, items)

    def remark(self, why: str, count: int) -> str:
        """How many wait for a one-time code once they are approved."""
        return f"{count:,} of them {why if count == 1 else why.replace(NEEDS_CODE, 'need a code')}"

    def rule_of(self, row: BatchRow) -> str:
        """The code of why it is left out, such as "own"."""
        return LeftOut(row.why).name.lower()

    @property
    def standing(self) -> Combinable:
        """The state of the row's decision, where one was submitted on it."""
        return Coalesce("decision__state", F("state"), output_field=CharField())

    @property
    def message(self) -> Combinable:
        """The sentence of the decision's outcome, or why the row was left out."""
        return Coalesce(KeyTextTransform("message", "decision__outcome"), F("sentence"), output_field=TextField())

    def failed(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """What was refused, or not sent although nobody took it back; not what may have been done."""
        code = Coalesce(KeyTextTransform("code", "decision__outcome"), Value(""), output_field=TextField())
        ended = rows.filter(standing__in=(DecisionState.REFUSED, DecisionState.LOST, DecisionState.CANCELLED)).annotate(
            code=code
        )
        failed: QuerySet[Any] = ended.exclude(code__in=(UNDONE, NOT_KNOWN))
        return failed

    def is_open(self, batch: Batch, standings: Iterable[str]) -> bool:
        """Whether any of its decisions is not settled yet."""
        return any(state in OPEN_DECISION_STATES for state in standings)

    def submit(self, actor: Actor, batch: Batch, rows: Sequence[tuple[BatchRow, Any]]) -> dict[str, RowVerdict]:
        """Writes the decisions down together; left out is what somebody was faster with."""
        decisions = {row.remote_id: self._decision(actor, batch, row, subject) for row, subject in rows}
        for remote_id in clean_ids(actor.business, self.operation, [subject for _, subject in rows]):
            decisions[remote_id].looked_clean = True
        # An item has one open decision: where somebody else has one, the database keeps theirs and passes over ours.
        Decision.objects.bulk_create(decisions.values(), batch_size=TOGETHER // 2, ignore_conflicts=True)
        written = set(Decision.objects.filter(bulk=batch).values_list("object_id", flat=True))
        AuditEntry.objects.bulk_create(
            (
                submitted_line(actor, self.operation, subject, decisions[row.remote_id])
                for row, subject in rows
                if row.remote_id in written
            ),
            batch_size=TOGETHER // 2,
        )
        if not self.operation.undo_s:
            enqueue_on_commit("dashboard.decisions.send_due", expires_s=30)
        late = [decision for remote_id, decision in decisions.items() if remote_id not in written]
        return {row.object_id: left_out(LeftOut.DECIDING, somebody_is_deciding(row).detail) for row in late}

    def _decision(self, actor: Actor, batch: Batch, row: BatchRow, subject: Any) -> Decision:
        return new_decision(
            actor, self.operation, subject, fingerprint=str(row.seen), key=row.key, reason=batch.given, row=row
        )


def bulk_decision(name: str) -> BulkDecision | None:
    """The bulk decision by an operation of this name; None where nothing is decided by it."""
    operation = DECIDED.get(name)
    return BulkDecision(operation) if operation is not None else None


def submit_bulk(
    actor: Actor,
    operation: Operation,
    subjects: Sequence[Any],
    *,
    fingerprints: Mapping[str, str],
    key: str,
    reason: str = "",
) -> Batch:
    """Decides on all of these that may be, with one reason, without a plan to look at before; the others are left out.

    A row without a fingerprint was not seen and is left out. The same form posted again gives the same batch, and all of
    it or nothing is written. Raises Rejected where a reason is missing or there are too many rows.
    """
    if (earlier := _earlier(actor, operation, key)) is not None:
        return earlier
    if spec_for(operation).needs_reason and not reason.strip():
        raise Rejected("Enter a reason: the requesters will read it.", code="reason_missing")
    planned = plan(
        actor, BulkDecision(operation), subjects, {row.remote_id: "" for row in subjects} | dict(fingerprints)
    )
    try:
        with transaction.atomic():
            batch = store_plan(planned, key=key)
            begin(actor, batch, reason.strip())
    except IntegrityError:
        if (earlier := _earlier(actor, operation, key)) is None:
            raise
        return earlier
    return batch


def _earlier(actor: Actor, operation: Operation, key: str) -> Batch | None:
    earlier = Batch.objects.filter(business=actor.business, key=key).first()
    if earlier is not None and (earlier.membership_id, earlier.verb) != (actor.member_id, operation.name):
        raise InvalidState("This form was already used for something else. Reload the page.", code="key_reused")
    return earlier


def result_of(actor: Actor, batch_id: uuid.UUID | str) -> BatchResult:
    """One of the actor's own bulk decisions with its rows; NotFound for anybody else's, and for what was not decided."""
    batch = own_batch(actor, batch_id)
    if batch.list_name != SOURCE or batch.planned:
        raise NotFound
    return BatchResult(batch)


def undo_bulk(actor: Actor, batch_id: uuid.UUID | str) -> list[Decision]:
    """Takes back every row that still waits, all at once; the decisions that were taken back."""
    batch = result_of(actor, batch_id).batch
    with transaction.atomic():
        rows = Decision.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
        still = list(rows.filter(bulk=batch, state=DecisionState.WAITING))
        for decision in still:
            decision.settle(DecisionState.CANCELLED, message=f"You undid it. {decision.not_done_sentence}", code=UNDONE)
            decision.lease_until = None
        fields = ["state", "outcome", "settled_at", "claim", "lease_until"]
        Decision.objects.bulk_update(still, fields, TOGETHER // 2)
        lines = (settled_line(actor, decision, Outcome.UNDONE) for decision in still)
        AuditEntry.objects.bulk_create(lines, TOGETHER // 2)
    return still


def retry_failed(actor: Actor, batch_id: uuid.UUID | str, *, key: str) -> Batch | None:
    """Decides again on the failed rows of a bulk decision, seen afresh: a batch of its own, with the same reason. None
    where none of them can be decided on any more; the same form posted again gives the same batch."""
    before = result_of(actor, batch_id).batch
    if (earlier := _earlier(actor, DECIDED[before.verb], key)) is not None:
        return earlier
    try:
        with transaction.atomic():
            batch = plan_again(actor, before, key=key)
            if batch is not None:
                begin(actor, batch, before.given)
    except IntegrityError:
        return _earlier(actor, DECIDED[before.verb], key)
    return batch
