"""The conversation on the page of an item, by one line: {% conversation "customer" customer.remote_id %}

The page's own view has fetched the item through its scope; nothing here shows what the page may not.
"""

from typing import Any

from django import template

from dashboard.conversation.items import kind_of
from dashboard.conversation.shown import talk_of

register = template.Library()


@register.inclusion_tag("conversation/talk.html", takes_context=True)
def conversation(context: Any, kind: str, remote_id: str) -> dict[str, Any]:
    """What happened to the item and was said about it, with a form to say something."""
    request = context["request"]
    return talk_of(request, kind_of(kind), remote_id) | {"csrf_token": context.get("csrf_token")}
