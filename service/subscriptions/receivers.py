"""What the hooks of cards and vendors reach here: subscriptions pass over to the card in the place of one that ended, or are
paused; those of a vendor are known by its name, and by the names of those that were merged into it; each may be of a
subcategory."""

from django.db.models import QuerySet

from service.auth import Caller
from service.cards.models import Card
from service.categories.hooks import Ids, Users, businesses_of
from service.subscriptions import services
from service.subscriptions.models import Subscription, SubscriptionStatus
from service.subscriptions.patterns import merchant_key
from service.vendors.hooks import Follower
from service.vendors.models import Vendor


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


def subscriptions_of(vendor: Vendor) -> int:
    """How many subscriptions charges of a vendor's name belong to."""
    keys = [merchant_key(name) for name in (vendor.name, *vendor.also_known_as)]
    return Subscription.objects.filter(business_id=vendor.business_id, merchant_key__in=keys).count()


# A merge leaves the name under which cards are charged as it is: the vendor keeps it among its own.
FOLLOWER = Follower("subscription", subscriptions_of)


def _subscriptions_under(subcategory_ids: Ids, _: Ids) -> QuerySet[Subscription]:
    owned = Subscription.objects.filter(business_id__in=businesses_of(subcategory_ids))
    return owned.filter(subcategory_id__in=subcategory_ids)


FILED = Users("subscription", _subscriptions_under, lambda row: row.name)
