"""Paying an approved payout: reserve the funds, send the items in groups, capture what succeeded, close.

Any step may be repeated: by another worker at the same time, or after a kill in the middle. Each step runs in a
transaction with the payout locked; items are marked SENT before the rail gets them, an item's id is the rail's
reference, and an item is settled together with its capture, once. No rail is called inside a transaction.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone

from service import errors
from service.auth import Caller, system_caller
from service.events import outbox
from service.events.models import Event
from service.journal import services as journal
from service.ledger.models import LedgerHold
from service.ledger.post import capture_legs, hold, release
from service.ledger.retry import retried_transaction
from service.payments import payees, serializers, services, transitions
from service.payments.legs import journal_entries, payout_hold_ref, payout_legs, posting_ref
from service.payments.models import Batch, Item, ItemStatus, Status
from service.rails import catalogue
from service.rails.outcomes import Order, Outcome, RailTimeoutError, State

log = logging.getLogger(__name__)

GROUP = 200
SHORTFALLS = {"insufficient_funds": "insufficient_funds", "invalid_state": "wallet_suspended"}
QUERY_AGAIN_AFTER = timedelta(seconds=2)
DUE_AGAIN = timedelta(seconds=30)  # a payout that waits for funds


def execute(batch_id: str) -> str:
    """Does what can be done now; answers the payout's status. Items the rail has not decided are left for later."""
    status = reserve(batch_id)
    if status != Status.PROCESSING:
        return status
    while group := claim(batch_id):
        settle(batch_id, [(item, _send(item, currency)) for item, currency in group])
    open_items = _open_items(batch_id)
    settle(batch_id, [(item, _query_rail(item, currency)) for item, currency in open_items])
    return close(batch_id)


def due() -> list[str]:
    """The payouts a worker should look at: approved and due, waiting for funds for a while, or being paid."""
    now = timezone.now()
    return list(
        Batch.objects.filter(
            Q(status=Status.APPROVED) & (Q(scheduled_for=None) | Q(scheduled_for__lte=now))
            | Q(status=Status.ON_HOLD, updated_at__lt=now - DUE_AGAIN)
            | Q(status=Status.PROCESSING)
        )
        .order_by("updated_at")
        .values_list("id", flat=True)[:200]
    )


def _locked(batch_id: str) -> tuple[Batch, Caller]:
    rows = Batch.objects.select_for_update(no_key=True, of=("self",)).select_related("wallet", "business")
    batch = rows.get(pk=batch_id)
    return batch, system_caller(batch.business)


@retried_transaction
def reserve(batch_id: str) -> str:
    """Holds the total with its fees and starts paying; ON_HOLD, saying why it waits by now, where the wallet or a payee does not
    allow it."""
    batch, caller = _locked(batch_id)
    waits = batch.scheduled_for is not None and batch.scheduled_for > timezone.now()
    if batch.status not in (Status.APPROVED, Status.ON_HOLD) or waits:
        return batch.status
    previous = batch.status
    held, reason = _place_hold(batch)
    if held is None:
        if previous == Status.APPROVED or reason != batch.hold_reason:
            event = transitions.move(batch, "hold back", Status.ON_HOLD)
            batch.hold_reason = reason
            services.record_change(caller, batch, event, "payout.hold_back", previous, reason=batch.hold_reason)
        else:
            Batch.objects.filter(pk=batch.pk).update(updated_at=timezone.now())
        return batch.status
    event = transitions.move(batch, "process", Status.PROCESSING)
    batch.ledger_hold_id, batch.hold_reason = held.pk, ""
    services.record_change(caller, batch, event, "payout.process", previous)
    return batch.status


def _place_hold(batch: Batch) -> tuple[LedgerHold | None, str]:
    """The funds of a payout, reserved; or why they are not: the wallet, or an account that waits for a second person, was
    rejected by one, or was replaced."""
    held = set(payees.held_statuses(batch).values())
    for status, reason in payees.PAYEE_HOLDS.items():
        if status in held:
            return None, reason
    try:
        with transaction.atomic():
            total = batch.total_minor + batch.fees_minor
            return hold(batch.business, batch.wallet.ledger_account_id, total, payout_hold_ref(batch)), ""
    except errors.ServiceError as refusal:
        if refusal.code not in SHORTFALLS:
            raise
        return None, SHORTFALLS[refusal.code]


@retried_transaction
def claim(batch_id: str) -> list[tuple[Item, str]]:
    """The next items to send, marked SENT, each with its currency; none where another worker has the rest."""
    batch, _ = _locked(batch_id)
    if batch.status != Status.PROCESSING:
        return []
    rows = list(Item.objects.filter(batch=batch, status=ItemStatus.QUEUED).order_by("position")[:GROUP])
    now = timezone.now()
    Item.objects.filter(pk__in=[row.pk for row in rows]).update(status=ItemStatus.SENT, sent_at=now)
    for row in rows:
        row.status, row.sent_at = ItemStatus.SENT, now
    return [(row, batch.currency) for row in rows]


def _held(batch: Batch) -> LedgerHold:
    """The funds reserved for a payout that is being paid."""
    return LedgerHold.objects.get(business=batch.business_id, ref=payout_hold_ref(batch))


def _open_items(batch_id: str) -> list[tuple[Item, str]]:
    """Items a rail has not decided yet, sent long enough ago to ask again."""
    before = timezone.now() - QUERY_AGAIN_AFTER
    rows = Item.objects.filter(batch_id=batch_id, status=ItemStatus.SENT, sent_at__lte=before).select_related("batch")
    return [(row, row.batch.currency) for row in rows.order_by("position")[: 10 * GROUP]]


def _order(item: Item, currency: str) -> Order:
    return Order(
        reference=item.id,
        channel=item.channel,
        account=item.account,
        bank_code=item.bank_code,
        receiver_name=item.receiver_name,
        amount_minor=item.amount_minor,
        currency=currency,
        sent_at=item.sent_at or timezone.now(),
    )


def _send(item: Item, currency: str) -> Outcome:
    """What the rail says at once; PENDING where it does not answer: then it is asked later, never taken as failed."""
    rail = catalogue.CHANNELS[item.channel].rail
    if rail is None:
        return Outcome(State.SUCCEEDED, f"IFT-{item.id}")
    try:
        return rail.send(_order(item, currency))
    except RailTimeoutError:
        log.warning("payment %s: the rail did not answer", item.id)
        return Outcome(State.PENDING)


def _query_rail(item: Item, currency: str) -> Outcome:
    rail = catalogue.CHANNELS[item.channel].rail
    if rail is None:
        return Outcome(State.SUCCEEDED, f"IFT-{item.id}")
    try:
        return rail.status(_order(item, currency), timezone.now())
    except RailTimeoutError:
        return Outcome(State.PENDING)


@retried_transaction
def settle(batch_id: str, outcomes: Sequence[tuple[Item, Outcome]]) -> None:
    """Writes what became of items that are still SENT: one ledger transaction for all that succeeded."""
    decided = {item.id: outcome for item, outcome in outcomes if outcome.state != State.PENDING}
    if not decided:
        return
    batch, caller = _locked(batch_id)
    rows = list(
        Item.objects.select_for_update(no_key=True)
        .filter(pk__in=decided, status=ItemStatus.SENT, batch=batch)
        .order_by("position")
    )
    now = timezone.now()
    for row in rows:
        outcome = decided[row.id]
        row.status = ItemStatus.SUCCEEDED if outcome.state == State.SUCCEEDED else ItemStatus.FAILED
        row.provider_ref, row.failure_code, row.settled_at = outcome.provider_ref, outcome.failure_code, now
    paid = [row for row in rows if row.status == ItemStatus.SUCCEEDED]
    if paid:
        held = _held(batch)
        posted = capture_legs(
            held, payout_legs(caller, batch, paid), posting_ref(batch, paid[0]), kind="PAYOUT",
            description=batch.name,
        )  # fmt: skip
        journal.record_many(caller, journal_entries(batch, paid, posted.id))
    Item.objects.bulk_update(rows, ["status", "provider_ref", "failure_code", "settled_at"], batch_size=GROUP)
    Batch.objects.filter(pk=batch.pk).update(
        succeeded_count=F("succeeded_count") + len(paid),
        failed_count=F("failed_count") + len(rows) - len(paid),
        version=F("version") + 1,
        updated_at=now,
    )
    Event.objects.bulk_create(_event(batch, row) for row in rows)


def _event(batch: Batch, row: Item) -> Event:
    payload = {**serializers.item(row, batch.currency), "batch_no": batch.batch_no, "updated_at": row.settled_at}
    return outbox.build_event(batch.business_id, f"payout_item.{row.status.lower()}", payload)


@retried_transaction
def close(batch_id: str) -> str:
    """Gives back what was not paid and ends the payout, once all of its items are decided."""
    batch, caller = _locked(batch_id)
    if batch.status != Status.PROCESSING:
        return batch.status
    by_status = dict(batch.items.order_by().values_list("status").annotate(n=Count("id")))
    if by_status.get(ItemStatus.QUEUED) or by_status.get(ItemStatus.SENT):
        return batch.status
    release(_held(batch), f"{payout_hold_ref(batch)}:rest")
    paid = by_status.get(ItemStatus.SUCCEEDED, 0)
    previous = batch.status
    if paid == batch.item_count:
        event = transitions.move(batch, "complete", Status.COMPLETED)
    elif paid:
        event = transitions.move(batch, "complete in part", Status.PARTIALLY_COMPLETED)
    else:
        event = transitions.move(batch, "fail", Status.FAILED)
    services.record_change(caller, batch, event, "payout.close", previous)
    return batch.status
