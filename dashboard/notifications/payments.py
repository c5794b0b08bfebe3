"""A payment that somebody asked for has failed, or is not paid yet: they hear of it from the service's events, so that it is
paid after all."""

from django.db.models import QuerySet
from django.urls import reverse

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can, can_open
from dashboard.access.models import Business, Membership
from dashboard.access.subject import people
from dashboard.mirror.events import EventResource
from dashboard.mirror.mappers.mapper import amount_in, remote_id
from dashboard.mirror.models import ApprovalRequest
from dashboard.mirror.scopes import visible_payouts
from dashboard.money import text
from dashboard.notifications import topics
from dashboard.notifications.digest import MOST_OF_SECTION, DigestSection, WaitingItem
from dashboard.notifications.services import notify

ENDED_PAYOUTS = frozenset({"FAILED", "PARTIALLY_COMPLETED"})


# Why a payment is not paid yet, as its hold_reason says it. What ends by itself in a moment is not among them.
HELD = {
    "insufficient_funds": "the wallet does not hold enough",
    "wallet_suspended": "the wallet is suspended",
    "payee_quarantined": "an account in it is awaiting confirmation",
    "payee_changed": "an account in it was replaced by another one",
    "payee_rejected": "an account in it was rejected",
    "policy_blocked": "a spend policy does not allow it now",
    "policy_approval_missing": "a spend policy requires an approval that nobody was asked for",
    "withholding_changed": "more or less is withheld by now than was approved, so its approvals are void",
}


def payouts_waiting(actor: Actor) -> DigestSection | None:
    """The payouts that are approved and wait for a one-time code that this person may enter, and those on hold for whoever may
    initiate payouts; the oldest first. Those that wait for votes stand in the inbox."""
    rows = visible_payouts(actor).order_by("requested_at", "pk")
    held = rows.filter(status="ON_HOLD", payload__hold_reason__in=list(HELD))
    if not can_open(actor, operations.INITIATE_PAYOUT):
        held = held.none()
    coded, count = _awaiting_code(actor, rows)
    first = sorted([*coded, *held[:MOST_OF_SECTION]], key=lambda row: (row.requested_at, row.pk))[:MOST_OF_SECTION]
    items = [
        WaitingItem(
            row.title or row.ref, _about(row), row.amount_text,
            reverse("payouts_item", args=[actor.business.slug, row.remote_id]),
        )
        for row in first
    ]  # fmt: skip
    return DigestSection("Payouts", items, count + held.count()) if items else None


def _awaiting_code(actor: Actor, rows: QuerySet[ApprovalRequest]) -> tuple[list[ApprovalRequest], int]:
    """The first MOST_OF_SECTION of these payouts whose one-time code this person may enter, and how many there are: whose that is, is
    judged row by row."""
    first, count = list[ApprovalRequest](), 0
    if not can_open(actor, operations.CONFIRM_PAYMENT):
        return first, count
    for row in rows.filter(status="AWAITING_CODE").iterator(chunk_size=500):
        if can(actor, operations.CONFIRM_PAYMENT, row):
            count += 1
            if count <= MOST_OF_SECTION:
                first.append(row)
    return first, count


def _about(payout: ApprovalRequest) -> str:
    """What a payout that waits for somebody waits for."""
    if payout.status == "AWAITING_CODE":
        return "awaiting a one-time code"
    return f"on hold: {HELD[str(payout.payload['hold_reason'])]}"


def notify_of_failure(business: Business, noun: str, event_verb: str, resource: EventResource) -> int:
    """Tells who asked for a bill payment, or made or initiated a payout, of what failed and of what is held back; each once."""
    if noun in {"bill_payment", "payout"} and str(resource.get("hold_reason") or "") in HELD:
        return _held(business, noun, resource)
    if noun == "bill_payment" and resource.get("status") == "FAILED":
        return _bill_payment_failed(business, resource)
    if noun == "payout" and resource.get("status") in ENDED_PAYOUTS:
        return _payout_failed(business, resource)
    return 0


def _bill_payment_failed(business: Business, resource: EventResource) -> int:
    attempts = len(resource.get("attempts") or ())
    minor, currency = amount_in(resource)
    money = f" of {text(minor, currency, business.locale)}" if minor is not None and currency else ""
    receiver = f" to {str(resource['receiver_name'])[:200]}" if resource.get("receiver_name") else ""
    sentence = (
        f"The payment{money}{receiver} for bill {resource.get('bill_no')} failed. It can be tried again on the bill."
    )
    members = _members(business, resource.get("requested_by"), resource.get("created_by"))
    key = f"failed:bill_payment:{remote_id(resource)}:{attempts}"
    return notify(
        members, topics.PAYMENTS, sentence, key=key, kind="bill", remote_id=str(resource.get("bill_id") or "")
    )


def _held(business: Business, noun: str, resource: EventResource) -> int:
    reason, values = str(resource["hold_reason"]), dict[str, object](resource)
    if noun == "payout":
        name = f"The payout {str(resource.get('name') or resource.get('batch_no'))[:200]}"
        who, kind, about = ("created_by", "initiated_by"), "payout", remote_id(resource)
    else:
        name = f"The payment for bill {resource.get('bill_no')}"
        who, kind, about = ("requested_by", "created_by"), "bill", str(resource.get("bill_id") or "")
    members = _members(business, *(values.get(field) for field in who))
    # Held back again after it went on, it is told again: by then it has another version.
    key = f"held:{noun}:{remote_id(resource)}:{reason}:{resource.get('version') or 0}"
    return notify(members, topics.PAYMENTS, f"{name} is not paid: {HELD[reason]}.", key=key, kind=kind, remote_id=about)


def _payout_failed(business: Business, resource: EventResource) -> int:
    failed, count = int(resource.get("failed_count") or 0), int(resource.get("item_count") or 0)
    if not failed:
        return 0
    sentence = f"{failed} of {count} payments of the payout {str(resource.get('name') or resource.get('batch_no'))[:200]} failed."
    members = _members(business, resource.get("created_by"), resource.get("initiated_by"))
    key = f"failed:payout:{remote_id(resource)}:{failed}"
    return notify(members, topics.PAYMENTS, sentence, key=key, kind="payout", remote_id=remote_id(resource))


def _members(business: Business, *who: object) -> list[Membership]:
    return list(Membership.objects.filter(business=business, employee_id__in=people(*who), is_active=True))
