"""Whether the copy can say that there is none: a business's things are read one kind after the other, the first time.

{% is_read "vendor" as read %}   by the noun of the kind
{% is_list_read of as read %}    the rows of a list
{% is_inbox_read as read %}      what waits for decisions
{% unread_kinds as copy_unread %} what forms offer and checks go by: "people, teams and vendors", "" once all of it was read
"""

import time
from typing import Any

from django import template

from dashboard import operations, operations_extra
from dashboard.access.check import can_open
from dashboard.impact.mandate_text import listed
from dashboard.mirror.mappers import MAPPERS
from dashboard.mirror.models import (
    Approval,
    ApprovalRequest,
    Card,
    Category,
    Employee,
    Expense,
    FundAccount,
    SyncCursor,
    Team,
    Vendor,
    Wallet,
    Workflow,
)
from dashboard.mirror.schedule import is_filled, is_filled_by

register = template.Library()

# What the forms of pages offer to choose from, by the operation that lists it: whoever may not is offered none.
OFFERED = (
    ("people", Employee, operations.LIST_EMPLOYEES),
    ("teams", Team, operations.LIST_TEAMS),
    ("wallets", Wallet, operations.LIST_ACCOUNTS),
    ("categories", Category, operations.LIST_CATEGORIES),
    ("vendors", Vendor, operations.LIST_VENDORS),
    ("cards", Card, operations.LIST_BUSINESS_CARDS),
    ("workflows", Workflow, operations.LIST_POLICY_WORKFLOWS),
    ("fund accounts", FundAccount, operations_extra.LIST_FUND_ACCOUNTS),
)
# Until when it need not be asked again, by the business's id: all of it was read, and that is on every page.
KNOWN_S = 60.0
_known_until: dict[int, float] = {}


@register.simple_tag(takes_context=True)
def is_read(context: Any, noun: str) -> bool:
    """Whether all things of this kind have been read once."""
    return is_filled(context["request"].actor.business, MAPPERS[noun].model)


@register.simple_tag(takes_context=True)
def is_list_read(context: Any, of: Any) -> bool:
    """Whether all rows that a list shows have been read once."""
    actor = context["request"].actor
    return is_filled(actor.business, of.rows(actor).model)


@register.simple_tag(takes_context=True)
def is_inbox_read(context: Any) -> bool:
    """Whether all that can wait for a decision has been read once."""
    business = context["request"].actor.business
    return all(is_filled(business, model) for model in (Approval, Expense, ApprovalRequest))


@register.simple_tag(takes_context=True)
def unread_kinds(context: Any) -> str:
    """What forms offer to the actor and has not been read once, in words; "" for nothing."""
    actor = getattr(context.get("request"), "actor", None)
    if actor is None or _known_until.get(actor.business.pk, 0.0) > time.monotonic():
        return ""
    cursor = SyncCursor.objects.filter(business=actor.business).only("bands").first()
    unread = [(word, listed_by) for word, model, listed_by in OFFERED if not is_filled_by(cursor, model)]
    if not unread:
        _known_until[actor.business.pk] = time.monotonic() + KNOWN_S
    words = [word for word, listed_by in unread if can_open(actor, listed_by)]
    return listed(words) if words else ""
