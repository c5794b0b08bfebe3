"""What the hooks of cards reach here: subscriptions pass over to the card in the place of one that ended, or are paused."""

from service.auth import Caller
from service.cards.models import Card
from service.subscriptions import services
from service.subscriptions.models import Subscription, SubscriptionStatus


def card_ended(caller: Caller, card: Card, successor: Card | None) -> None:
    """In the transaction in which the card ended: all pass over to its successor, paused ones too; without one those
    that are active are paused, until they are given another card and resumed.
    """
    rows = Subscription.objects.select_for_update(no_key=True, of=("self",)).filter(
        business_id=card.business_id, card=card
    )
    for row in rows.order_by("id"):
        if successor is not None:
            row.card = successor
            services.record_change(
                caller, row, "subscription.updated", "subscription.follow_card", {"card_id": card.id}
            )
        elif row.status == SubscriptionStatus.ACTIVE:
            row.status, row.next_charge_at = SubscriptionStatus.PAUSED, None
            before = {"status": SubscriptionStatus.ACTIVE}
            services.record_change(caller, row, "subscription.paused", "subscription.pause_with_card", before)
