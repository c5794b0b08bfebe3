"""The demo data: two businesses with a year of business behind them, the same from the same seed and day.

Made by the service's own actions, played at the time at which they are said to have happened (clock.py); the bulk of
the expenses by demo_history.py. What the businesses did before they were connected is read, and told in no event.
"""

import hashlib
import json
import random
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from service import periods
from service.auth import system_caller
from service.businesses.models import Business
from service.events.models import Event
from service.sandbox import (
    clock,
    demo_allocations,
    demo_bills,
    demo_cards,
    demo_customers,
    demo_desk,
    demo_history,
    demo_payouts,
    demo_people,
    demo_policies,
    demo_subscriptions,
    demo_treasury,
)
from service.sandbox.businesses import BusinessSpec, open_business
from service.sandbox.demo_credentials import DemoShape, EarlierDemo, credentials, earlier_secrets
from service.sandbox.demo_decisions import Deciders
from service.sandbox.demo_expenses import Till
from service.sandbox.demo_plan import DAYS, PLANS, Plan
from service.sandbox.demo_receipts import Pool

DESK_SHARE, DESK_MOST = 0.22, 400
EVENT_DAYS = 14
# A demo of fewer expenses is for tests: it has a few things of each kind.
WHOLE_FROM = 2_000


def build(*, expenses: int, seed: int, known: EarlierDemo | None = None, webhooks: str = "") -> DemoShape:
    """Makes what is missing of both businesses; their credentials.

    `known` is what an earlier run wrote: its secrets are kept. `webhooks` is the address events go to, in which
    {number} is 1 for the first business and {business_id} its id.
    """
    before = (
        {known_business["business_id"]: known_business for known_business in known.get("businesses", [])}
        if known
        else {}
    )
    written = []
    for number, plan in enumerate(PLANS, start=1):
        business_id = hashlib.sha256(f"demo:{seed}:{plan.name}".encode()).hexdigest()[:24]
        url = webhooks.format(number=number, business_id=business_id)
        earlier = before.get(business_id, {"business_id": business_id})
        with transaction.atomic():
            if not Business.objects.filter(id=business_id).exists():
                order = replace(
                    order_of(plan), business_id=business_id, webhook_url=url, secrets=earlier_secrets(earlier)
                )
                play(plan, order, round(expenses * plan.share), seed, timezone.now())
            written.append(credentials(business_id, earlier, url))
    return {"businesses": written}


def order_of(plan: Plan) -> BusinessSpec:
    """The business to make for a plan; its wallets hold nothing before `play` pays in."""
    return BusinessSpec(
        name=plan.name,
        country=plan.country,
        teams=plan.teams,
        people=plan.staff,
        email_domain=plan.domain,
        funded=False,
    )


def play(plan: Plan, business_spec: BusinessSpec, many: int, seed: int, now: datetime) -> Business:
    """One business with its year up to `now` and so many expenses; the same from the same plan, seed and moment."""
    chance = random.Random(f"{seed}:{plan.name}")  # noqa: S311  repeatable play, no secret
    begun = now - timedelta(days=DAYS + 2)
    with clock.at(begun):
        business = open_business(business_spec).business
    demo_people.name_supervisors(business, plan.staff)
    caller, deciders = system_caller(business), Deciders(business)
    demo_treasury.begin(caller, begun, periods.day_of(begun, business))
    cards = demo_cards.create_cards(business, begun + timedelta(hours=1))
    till, pool = Till(business, plan, chance, now, cards), Pool(business.id)
    desk = min(round(many * DESK_SHARE), DESK_MOST)
    for batch in till.history(many - desk):
        month, first = demo_history.month_of(business, batch), min(new.transaction_date for new in batch)
        day = periods.day_of(first, business)
        demo_treasury.earn(caller, month, demo_history.needed(batch), first, day)
        demo_allocations.fill_allocations(caller, month, batch, first, day)
        demo_history.write(caller, batch, deciders, pool, chance)
    demo_subscriptions.create_subscriptions(business, now)
    demo_customers.create_customers(business, chance, now)
    demo_treasury.exchange(business, now)
    demo_treasury.invest(business, now)
    demo_treasury.promise(business, now)
    demo_bills.create_bills(business, chance, now, whole=many >= WHOLE_FROM)
    demo_cards.record_uses(business, demo_desk.fill_desk(caller, till, desk, deciders, chance, now))
    # Limits are chosen by what the cards were used for.
    demo_cards.follow_up(business, now)
    demo_payouts.create_payouts(business, chance, now, whole=many >= WHOLE_FROM)
    demo_policies.create_policies(business, chance)
    # Nobody was connected when all this happened: only what is recent is news.
    Event.objects.filter(business=business, sequence=None, created_at__lt=now - timedelta(days=EVENT_DAYS)).delete()
    return business


def read(text: str) -> EarlierDemo:
    """What an earlier run wrote; nothing when it cannot be read."""
    try:
        earlier: EarlierDemo = json.loads(text)
    except ValueError:
        return {}
    return earlier if isinstance(earlier, dict) else {}
