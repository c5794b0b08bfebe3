"""How a subscription is shown on its own page."""

from dashboard.access.actor import Actor
from dashboard.forecast.repeats import frequency_of
from dashboard.lists.detail_page import Facts
from dashboard.mirror.models import Subscription
from dashboard.mirror.scopes import visible_employees
from dashboard.pages.subscriptions.tables import next_charge


def facts_of(actor: Actor, subscription: Subscription) -> Facts:
    """The label and the text of what is known of a subscription; its holder where the actor may see that person."""
    holder = visible_employees(actor).filter(remote_id=subscription.employee_id).values_list("name", flat=True).first()
    return [
        ("Vendor", subscription.vendor),
        ("Billing", frequency_of(subscription.billing_frequency)),
        ("Next charge", next_charge(subscription.next_charge_at, actor)),
        ("Limit per period", subscription.limit_text),
        ("Owner", holder or ""),
    ]
