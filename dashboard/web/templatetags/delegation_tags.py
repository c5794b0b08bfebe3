"""What stands on an item about standing in, by one line: {% delegation_of item %}"""

from typing import Any, TypedDict

from django import template

from dashboard.decisions.items import Item
from dashboard.delegation.kinds import DECIDED_BY
from dashboard.delegation.presenters import delegation_notes
from dashboard.mirror.items import kind_of

register = template.Library()


class DelegationContext(TypedDict):
    """What delegation/on_item.html reads: sentences, each with whether it is a bad one."""

    notes: list[tuple[str, bool]]


@register.inclusion_tag("delegation/on_item.html", takes_context=True)
def delegation_of(context: Any, item: Item) -> DelegationContext:
    """For whom one decides on it, and whether anybody can; nothing for what nobody decides on."""
    decidable = kind_of(item.kind) in DECIDED_BY and item.subject is not None
    return {"notes": delegation_notes(context["request"].actor, item.subject) if decidable else []}
