"""Whether the copy can say that there is none: a business's things are read one kind after the other, the first time.

{% is_read "vendor" as read %}   by the noun of the kind
{% is_list_read of as read %}    the rows of a list
{% is_inbox_read as read %}      what waits for decisions
"""

from typing import Any

from django import template

from dashboard.mirror.mappers import MAPPERS
from dashboard.mirror.models import Approval, ApprovalRequest, Expense
from dashboard.mirror.schedule import is_filled

register = template.Library()


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
