"""Delivered events: kept before they are acknowledged, applied by a worker, each once, in whatever order they came."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import cast

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from dashboard.access.models import FINANCE_SERVICE, NOT_SUSPENDED, Business, Membership
from dashboard.access.sessions import end_sessions
from dashboard.access.standing import forget_standing
from dashboard.mirror.apply import tombstone, upsert
from dashboard.mirror.bill_payments import follow_bill_payment
from dashboard.mirror.events import EventResource, ServiceEvent, announce
from dashboard.mirror.mappers import MAPPERS, Payload, moment, remote_id, updated_at, version
from dashboard.mirror.models import Approval, ApprovalRequest, InboxEvent, InboxState, Origin, SyncedDay
from dashboard.mirror.schedule import expire_band

log = logging.getLogger(__name__)

BATCH_SIZE = 200
MOST_TRIES = 10


def store_delivery(business: Business, webhook_id: str, event: ServiceEvent) -> bool:
    """Stores a verified delivery; False where this delivery was stored before."""
    sequence = event.get("sequence")
    _, created = InboxEvent.objects.get_or_create(
        business=business,
        webhook_id=webhook_id,
        defaults={
            "kind": str(event.get("type") or "")[:80],
            "sequence": sequence if isinstance(sequence, int) else None,
            "body": event,
        },
    )
    return created


def has_received() -> bool:
    """Whether a delivery of any business waits to be applied."""
    return InboxEvent.objects.filter(state=InboxState.RECEIVED).exists()


def apply_received() -> int:
    """Applies what was delivered, oldest first; returns how many were taken. Several workers may call it at once."""
    with transaction.atomic():
        waiting = list(
            # Only the events: with their business locked too, nobody could write anything down in it meanwhile.
            InboxEvent.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
            .select_related("business")
            .filter(state=InboxState.RECEIVED)
            .order_by("id")[:BATCH_SIZE]
        )
        for received in waiting:
            _apply_delivery(received)
    return len(waiting)


def _apply_delivery(inbox_event: InboxEvent) -> None:
    try:
        with transaction.atomic():
            apply_event(inbox_event.business, inbox_event.body, Origin.WEBHOOK)
    except (ValueError, KeyError, TypeError) as error:
        # A body that cannot be read now will not be readable later: keep it, count it, let polling carry the change.
        log.warning("event %s of business %s not applied: %s", inbox_event.kind, inbox_event.business_id, error)
        InboxEvent.objects.filter(pk=inbox_event.pk).update(
            state=InboxState.FAILED, tries=F("tries") + 1, error=str(error)[:300]
        )
    else:
        InboxEvent.objects.filter(pk=inbox_event.pk).update(state=InboxState.APPLIED, tries=F("tries") + 1, error="")


def apply_event(business: Business, event: ServiceEvent, origin: Origin) -> None:
    """Applies one event (decisions B.6): `{type, data: {object}}`. Kinds that are not mirrored are passed over."""
    noun, _, verb = str(event.get("type") or "").partition(".")
    if noun == "category":
        # A category comes with its subcategories, which are what is mirrored: the list is read anew.
        expire_band(business, "lookups")
        return
    resource: EventResource = (event.get("data") or {}).get("object") or {}
    if noun == "investment" and verb.startswith("optin_"):
        # Told among the movements of funds, and named by its reference alone.
        noun, resource = "fund_opt_in", cast(EventResource, {"_id": resource.get("ref"), **resource})
    if noun in {"investment", "fund_opt_in"}:
        # Accounts, movements and operators are read together, live or whole.
        expire_band(business, "funds")
    if noun == "transaction":
        follow_hand_transaction(business, resource, origin)
    if noun == "budget":
        # Its figures change by themselves, so it is read live and not copied; that it is used up is told.
        announce(business, noun, verb, resource)
        return
    if noun == "wallet" and not resource.get("org_wallet_ref"):
        # Of an employee, a card or a fund: the copy has the wallets of the business, which alone have a reference.
        return
    if noun not in MAPPERS or (MAPPERS[noun].event_verbs and verb not in MAPPERS[noun].event_verbs):
        return
    if verb == "deleted" and not MAPPERS[noun].lists_deleted:
        at = moment(event.get("timestamp")) or timezone.now()
        tombstone(noun, business, [remote_id(resource)], at, version(resource))
    elif version(resource) is None and updated_at(resource) is None:
        _expire_day(business, resource)
    else:
        upsert(noun, business, [_with_stored_payload(noun, business, resource)], origin)
    if noun == "bill_payment":
        follow_bill_payment(business, resource)
    announce(business, noun, verb, resource)
    if noun == "employee":
        follow_employment(business, resource)
    if noun == "wallet_policy":
        forget_standing(business.pk, str(resource.get("employee_id") or ""))
    if noun == "team":
        forget_standings(business)


def follow_hand_transaction(business: Business, resource: EventResource, origin: Origin) -> None:
    """A transaction that waits was written by hand; one that did is followed to its end, for the inbox."""
    stored = ApprovalRequest.objects.filter(business=business, kind="hand_transaction", remote_id=remote_id(resource))
    if resource.get("status") == "PENDING" or stored.exists():
        upsert("hand_transaction", business, [resource], origin)


def _with_stored_payload(noun: str, business: Business, resource: EventResource) -> Payload:
    # An approval's event lacks what the digest adds (payee, cut-off, risk): that part of the copy stays.
    if noun != "approval":
        return resource
    stored = Approval.objects.filter(business=business, remote_id=remote_id(resource)).values_list("payload", flat=True)
    return {**(stored.first() or {}), **resource}


def _expire_day(business: Business, resource: EventResource) -> None:
    # No clock to compare by: the day is read anew rather than guessed.
    when = moment(resource.get("transaction_date"))
    if when is not None:
        SyncedDay.objects.filter(business=business, day=when.date()).update(complete_at=None)


def follow_employment(business: Business, resource: EventResource) -> None:
    """A person who was suspended or removed upstream is signed out and can enter no more; activated again, they can, unless
    their membership was ended or suspended here by a person, or they are kept out by what the service has not agreed to."""
    status = str(resource.get("status") or "")
    forget_standing(business.pk, remote_id(resource))
    theirs = Membership.objects.filter(business=business, employee_id=remote_id(resource))
    if status == "ACTIVE":
        resumable = theirs.filter(is_active=False, ended_at=None, kept_out_since=None, is_suspended_here=False)
        resumable.update(is_active=True, **NOT_SUSPENDED)
    elif status:
        signed_out = list(theirs.filter(is_active=True).values_list("user_id", flat=True))
        # Who was in until now is put out by the service, whatever program had put them out before.
        theirs.filter(is_active=True).update(
            is_active=False, suspended_by_program="", suspended_by=FINANCE_SERVICE, suspended_at=timezone.now()
        )
        for user_id in signed_out:
            end_sessions(user_id)


def forget_standings(business: Business) -> None:
    """Makes the next look at everybody of the business a fresh one: who is no longer a reviewer of a team is among them."""
    for employee_id in Membership.objects.filter(business=business).values_list("employee_id", flat=True):
        forget_standing(business.pk, employee_id)


def oldest_waiting(business: Business) -> datetime | None:
    """Since when the oldest event that is not applied waits: the inbox's lag."""
    return (
        InboxEvent.objects.filter(business=business, state=InboxState.RECEIVED)
        .order_by("id")
        .values_list("received_at", flat=True)
        .first()
    )
