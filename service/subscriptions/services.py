"""What can be done with subscriptions: make, pause, resume and change them."""

from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from service import errors, money
from service.auth import Caller
from service.businesses.models import Employee, Team
from service.cards.models import Card, CardStatus
from service.categories.selectors import active_subcategory
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.respond import ChangedFields
from service.subscriptions import charges, serializers
from service.subscriptions.frequency import next_charge
from service.subscriptions.models import Frequency, Subscription, SubscriptionStatus
from service.subscriptions.patterns import merchant_key
from service.subscriptions.schemas import NewSubscription, SetEmployee, SetLimits
from service.subscriptions.selectors import get_subscription, visible

GONE = (CardStatus.RETIRED, CardStatus.EXPIRED, CardStatus.REJECTED)
EVENTS = {SubscriptionStatus.ACTIVE: "subscription.resumed", SubscriptionStatus.PAUSED: "subscription.paused"}


def create(caller: Caller, new: NewSubscription) -> Subscription:
    """A subscription with the past charges of its vendor; 409 duplicate where there is one of vendor and card."""
    row = Subscription(
        business=caller.business,
        name=new.name,
        vendor=new.vendor,
        merchant_key=merchant_key(new.vendor),
        currency=new.currency,
        amount_minor=minor("amount", new.amount, new.currency),
        limit_minor=None if new.limit is None else minor("limit", new.limit, new.currency),
        billing_frequency=new.billing_frequency,
        team=_team(caller, new.team_id),
    )
    if not row.merchant_key:
        raise errors.validation_failed("vendor", "It holds neither a letter nor a digit.")
    if new.card_id and not new.employee_id:
        raise errors.validation_failed("employee_id", "A card comes with its holder.", "missing")
    if new.subcategory_id:
        row.subcategory = active_subcategory(caller, new.subcategory_id)
    with transaction.atomic():
        if new.employee_id:
            row.employee, row.card = _holder_and_card(caller, new.employee_id, new.card_id)
        return save_new(caller, row)


def save_new(caller: Caller, row: Subscription) -> Subscription:
    """Writes a subscription with its past charges and its event."""
    with transaction.atomic():
        _save(row, force_insert=True)
        charges.adopt(row)
        row.next_charge_at = _next(caller, row)
        row.save(update_fields=["last_charge_at", "next_charge_at"])
        payload = serializers.subscription(row)
        record_event(caller.business, "subscription.created", payload, actor=caller)
        record_audit(caller, "subscription.create", "subscription", row.id, after=payload)
    return row


def set_status(caller: Caller, subscription_id: str, subscription_status: SubscriptionStatus) -> Subscription:
    """ACTIVE or PAUSED, from any state; setting what it is already changes nothing.

    409 invalid_state for resuming one whose card has ended: it is given another first.
    """
    with transaction.atomic():
        row = _locked(caller, subscription_id)
        if row.status == subscription_status:
            return row
        if subscription_status == SubscriptionStatus.ACTIVE and row.card is not None and row.card.status in GONE:
            raise errors.invalid_state(f"Its card is {row.card.status}: assign it another one first.")
        before = {"status": row.status}
        row.status = subscription_status
        row.next_charge_at = _next(caller, row)
        return record_change(caller, row, EVENTS[subscription_status], "subscription.set_status", before)


def set_team(caller: Caller, subscription_id: str, team_id: str | None) -> Subscription:
    """Moves it to a team, or to none; 422 for a team that is none."""
    with transaction.atomic():
        row = _locked(caller, subscription_id)
        before = {"team_id": row.team_id}
        row.team = _team(caller, team_id)
        return record_change(caller, row, "subscription.updated", "subscription.set_team", before)


def set_limits(caller: Caller, body: SetLimits) -> Subscription:
    """Changes the limit, the frequency, or both."""
    with transaction.atomic():
        row = _locked(caller, body.subscription_id)
        before: ChangedFields = {"limit_minor": row.limit_minor, "billing_frequency": row.billing_frequency}
        if "limit" in body.model_fields_set:
            row.limit_minor = None if body.limit is None else minor("limit", body.limit, row.currency)
        if body.billing_frequency:
            row.billing_frequency = Frequency(body.billing_frequency)
            row.next_charge_at = _next(caller, row)
        return record_change(caller, row, "subscription.updated", "subscription.set_limits", before)


def assign_employee(caller: Caller, body: SetEmployee) -> Subscription:
    """Whose it is and on which card; 422 for a person who is not active or a card that is not theirs or is gone."""
    with transaction.atomic():
        get_subscription(caller, body.subscription_id)
        # The card before the subscription, in the order of those who retire or reissue one.
        person, card = _holder_and_card(caller, body.employee_id, body.card_id)
        row = _locked(caller, body.subscription_id)
        before: ChangedFields = {"employee_id": row.employee_id, "card_id": row.card_id}
        row.employee, row.card = person, card
        return record_change(caller, row, "subscription.updated", "subscription.assign_employee", before)


def set_subcategory(caller: Caller, subscription_id: str, subcategory_id: str) -> Subscription:
    """What its charges are filed under; 422 for a subcategory that is not active."""
    with transaction.atomic():
        row = _locked(caller, subscription_id)
        before = {"subcategory_id": row.subcategory_id}
        row.subcategory = active_subcategory(caller, subcategory_id)
        return record_change(caller, row, "subscription.updated", "subscription.set_subcategory", before)


def minor(field: str, amount: Any, currency: str) -> int:
    """Minor units; 422 naming the field, or the currency where it is none."""
    try:
        return money.to_minor(amount, currency)
    except money.MoneyError as error:
        raise errors.validation_failed(field if currency in money.CURRENCIES else "currency", str(error)) from None


def _locked(caller: Caller, subscription_id: str) -> Subscription:
    subscription = visible(caller).select_for_update(no_key=True, of=("self",)).filter(id=subscription_id).first()
    if subscription is None:
        raise errors.not_found("subscription")
    return subscription


def _team(caller: Caller, team_id: str | None) -> Team | None:
    if team_id is None:
        return None
    team = Team.objects.filter(business_id=caller.business.id, id=team_id).first()
    if team is None:
        raise errors.validation_failed("team_id", "There is no such team.", "unknown")
    return team


def _holder_and_card(caller: Caller, employee_id: str, card_id: str | None) -> tuple[Employee, Card | None]:
    """The card locked: it does not end before the subscription that it is given to is there to hear of it."""
    people = Employee.objects.filter(business_id=caller.business.id, status=Employee.Status.ACTIVE)
    person = people.filter(id=employee_id).first()
    if person is None:
        raise errors.validation_failed("employee_id", "There is no such active employee.", "unknown")
    card = None
    if card_id:
        cards = Card.objects.select_for_update(of=("self",), no_key=True)
        cards = cards.filter(business_id=caller.business.id, employee=person).exclude(status__in=GONE)
        card = cards.filter(id=card_id).first()
        if card is None:
            raise errors.validation_failed("card_id", "The employee has no such card in use.", "unknown")
    return person, card


def _next(caller: Caller, row: Subscription) -> Any:
    if row.status == SubscriptionStatus.PAUSED:
        return None
    charge_at = next_charge(row.last_charge_at or timezone.now(), row.billing_frequency, caller.business)
    while charge_at < timezone.now():
        charge_at = next_charge(charge_at, row.billing_frequency, caller.business)
    return charge_at


def _save(row: Subscription, *, force_insert: bool = False) -> None:
    try:
        with transaction.atomic():
            row.save(force_insert=force_insert)
    except IntegrityError:
        raise errors.duplicate("There is a subscription of this vendor, currency and card.") from None


def record_change(caller: Caller, row: Subscription, event: str, action: str, before: ChangedFields) -> Subscription:
    """Saves a changed subscription with its event and audit line; inside the caller's transaction."""
    row.version += 1
    _save(row)
    changed = {name: value for name, value in before.items() if getattr(row, name) != value}
    record_event(caller.business, event, serializers.subscription(row), previous=changed, actor=caller)
    record_audit(caller, action, "subscription", row.id, changed, {name: getattr(row, name) for name in changed})
    return row
