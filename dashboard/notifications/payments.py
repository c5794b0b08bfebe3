"""A payment that somebody asked for has failed: they hear of it from the service's events, so that it is paid again."""

from dashboard.access.models import Business, Membership
from dashboard.access.subject import people
from dashboard.mirror.events import EventResource
from dashboard.mirror.mappers.mapper import amount_in, remote_id
from dashboard.money import text
from dashboard.notifications import topics
from dashboard.notifications.services import notify

ENDED_PAYOUTS = frozenset({"FAILED", "PARTIALLY_COMPLETED"})


def notify_of_failure(business: Business, noun: str, verb: str, resource: EventResource) -> int:
    """Tells who asked for a bill payment, or made or initiated a payout, of what failed; each failure once."""
    if noun == "bill_payment" and resource.get("status") == "FAILED":
        return _bill_payment_failed(business, resource)
    if noun == "payout" and resource.get("status") in ENDED_PAYOUTS:
        return _payout_failed(business, resource)
    return 0


def _bill_payment_failed(business: Business, payment: EventResource) -> int:
    attempts = len(payment.get("attempts") or ())
    minor, currency = amount_in(payment)
    money = f" of {text(minor, currency, business.locale)}" if minor is not None and currency else ""
    receiver = f" to {str(payment['receiver_name'])[:200]}" if payment.get("receiver_name") else ""
    sentence = (
        f"The payment{money}{receiver} for bill {payment.get('bill_no')} failed. It can be tried again on the bill."
    )
    members = _members(business, payment.get("requested_by"), payment.get("created_by"))
    key = f"failed:bill_payment:{remote_id(payment)}:{attempts}"
    return notify(members, topics.PAYMENTS, sentence, key=key, kind="bill", remote_id=str(payment.get("bill_id") or ""))


def _payout_failed(business: Business, payout: EventResource) -> int:
    failed, count = int(payout.get("failed_count") or 0), int(payout.get("item_count") or 0)
    if not failed:
        return 0
    sentence = (
        f"{failed} of {count} payments of the payout {str(payout.get('name') or payout.get('batch_no'))[:200]} failed."
    )
    members = _members(business, payout.get("created_by"), payout.get("initiated_by"))
    key = f"failed:payout:{remote_id(payout)}:{failed}"
    return notify(members, topics.PAYMENTS, sentence, key=key, kind="payout", remote_id=remote_id(payout))


def _members(business: Business, *who: object) -> list[Membership]:
    return list(Membership.objects.filter(business=business, employee_id__in=people(*who), is_active=True))
