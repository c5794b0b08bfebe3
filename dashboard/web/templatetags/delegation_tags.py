"""What stands on an item about standing in, by one line: {% delegation_of item %}; above the inbox: {% delegations_now %}"""

from typing import Any, TypedDict

from django import template
from django.utils import timezone

from dashboard.decisions.desk_items import DeskItem
from dashboard.delegation.kinds import DECIDED_BY
from dashboard.delegation.presenters import delegation_notes, inbox_lines
from dashboard.mirror.item_kinds import kind_from_address

register = template.Library()


class DelegationContext(TypedDict):
    """What delegation/on_item.html reads: sentences, each with whether it is a bad one."""

    notes: list[tuple[str, bool]]


class InboxLinesContext(TypedDict):
    """What delegation/in_inbox.html reads: sentences, each with whether something is wrong with it."""

    lines: list[tuple[str, bool]]
    slug: str


@register.inclusion_tag("delegation/in_inbox.html", takes_context=True)
def delegations_now(context: Any) -> InboxLinesContext:
    """To whom the person has delegated, and for whom they decide, as it holds now."""
    actor = context["request"].actor
    return {"lines": inbox_lines(actor, timezone.now()), "slug": actor.business.slug}


@register.inclusion_tag("delegation/on_item.html", takes_context=True)
def delegation_of(context: Any, desk_item: DeskItem) -> DelegationContext:
    """For whom one decides on it, and whether anybody can; nothing for what nobody decides on."""
    decidable = kind_from_address(desk_item.kind) in DECIDED_BY and desk_item.subject is not None
    return {"notes": delegation_notes(context["request"].actor, desk_item.subject) if decidable else []}
