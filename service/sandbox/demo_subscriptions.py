"""Subscriptions of the demo: found in what is charged every month, some limited, one paused, some only proposed yet."""

from datetime import datetime, timedelta
from decimal import Decimal

from service.businesses.models import Business, Role
from service.money import to_number
from service.sandbox import clock
from service.sandbox.demo_plan import caller_of_role
from service.subscriptions import services
from service.subscriptions.models import Subscription, SubscriptionStatus
from service.subscriptions.proposals import generate
from service.subscriptions.schemas import SetLimits

SURE = Decimal("0.9")


def create_subscriptions(business: Business, now: datetime) -> list[Subscription]:
    """Those that are sure; what was charged less often stays a proposal."""
    caller = caller_of_role(business, Role.ADMIN)
    with clock.at(now - timedelta(days=2)):
        _, subscriptions = generate(caller, SURE)
        for place, row in enumerate(subscriptions):
            if place % 3 == 0:
                # Every other limit is nearly reached by the usual charge.
                limit = row.amount_minor * (105 if place % 2 else 200) // 100
                amount = to_number(limit, row.currency)
                services.set_limits(caller, SetLimits(subscription_id=row.id, limit=amount))
        if len(subscriptions) > 2:
            services.set_status(caller, subscriptions[2].id, SubscriptionStatus.PAUSED)
    return subscriptions
