"""The demo data: two businesses with a year of business behind them, the same from the same seed and day.

Made by the service's own actions, played at the time at which they are said to have happened (clock.py); the bulk of
the expenses by demo_history.py. What the businesses did before they were connected is read, and told in no event.

`build` makes what people work with today; the months before follow by themselves (demo_months.py).
"""

import hashlib
import json
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from service import periods
from service.businesses.models import Business
from service.sandbox import (
    clock,
    demo_bills,
    demo_cards,
    demo_customers,
    demo_desk,
    demo_months,
    demo_payouts,
    demo_people,
    demo_policies,
    demo_treasury,
)
from service.sandbox.businesses import BusinessSpec, open_business
from service.sandbox.demo_credentials import DemoShape, EarlierDemo, credentials, earlier_secrets
from service.sandbox.demo_plan import DAYS, PLANS, Plan
from service.sandbox.demo_year import DemoYear
from service.sandbox.models import DemoProgress


def build(*, expenses: int, seed: int, known: EarlierDemo | None = None, webhooks: str = "") -> DemoShape:
    """Makes of both businesses what is missing of today, each in one transaction; their credentials.

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
            demo_months.without_idle_limit()
            if not Business.objects.filter(id=business_id).exists():
                order = replace(
                    order_of(plan), business_id=business_id, webhook_url=url, secrets=earlier_secrets(earlier)
                )
                begin(plan, order, round(expenses * plan.share), seed, timezone.now())
            written.append(credentials(business_id, earlier, url))
    return {"businesses": written}


def order_of(plan: Plan) -> BusinessSpec:
    """The business to make for a plan; its wallets hold nothing before `begin` pays in."""
    return BusinessSpec(
        name=plan.name,
        country=plan.country,
        teams=plan.teams,
        people=plan.staff,
        email_domain=plan.domain,
        funded=False,
    )


def play(plan: Plan, business_spec: BusinessSpec, many: int, seed: int, now: datetime) -> Business:
    """One business with its whole year up to `now` and so many expenses; the same from the same plan, seed and moment."""
    business = begin(plan, business_spec, many, seed, now)
    while demo_months.make_next(business.id):
        pass
    return business


def begin(plan: Plan, business_spec: BusinessSpec, many: int, seed: int, now: datetime) -> Business:
    """One business with what its people see today: the running month, what waits for them, and what is planned."""
    opened = now - timedelta(days=DAYS + 2)
    with clock.at(opened):
        business = open_business(business_spec).business
    demo_people.name_supervisors(business, plan.staff)
    year = DemoYear(business, plan, many, seed, now)
    demo_treasury.begin(year.caller, opened, periods.day_of(opened, business))
    demo_cards.create_cards(business, opened + timedelta(hours=1))
    running, *earlier = year.months
    DemoProgress.objects.create(business=business, seed=seed, expenses=many, until=now, months=len(earlier))
    demo_months.spend_month(year, running)
    demo_customers.create_customers(business, year.chance("customers"), now)
    demo_treasury.exchange(business, now)
    demo_treasury.invest(business, now)
    demo_treasury.promise(business, now)
    demo_bills.create_bills(year)
    demo_cards.record_uses(business, demo_desk.fill_desk(year))
    # Limits are chosen by what the cards were used for.
    demo_cards.follow_up(business, now)
    demo_payouts.create_payouts(year)
    demo_policies.create_policies(business, year.chance("policies"))
    demo_months.forget_old_events(year)
    return business


def read(text: str) -> EarlierDemo:
    """What an earlier run wrote; nothing when it cannot be read."""
    try:
        earlier: EarlierDemo = json.loads(text)
    except ValueError:
        return {}
    return earlier if isinstance(earlier, dict) else {}
