"""What stands on an item about standing in, by one line: {% delegation_of item.kind item.id %}"""

from typing import Any

from django import template

from dashboard.conversation.items import item_at, kind_of
from dashboard.delegation.kinds import DECIDED_BY
from dashboard.delegation.shown import said_of

register = template.Library()


@register.inclusion_tag("delegation/on_item.html", takes_context=True)
def delegation_of(context: Any, kind: str, remote_id: str) -> dict[str, Any]:
    """For whom one decides on it, and whether anybody can; nothing for what nobody decides on."""
    actor = context["request"].actor
    thing = item_at(actor, kind_of(kind), remote_id) if kind_of(kind) in DECIDED_BY else None
    return {"said": said_of(actor, thing) if thing is not None else []}
