"""The conversation on the page of an item, by one line: {% conversation "customer" customer.remote_id %}

And its flags, each red one with a form to lay it aside: {% flags_of item %}

The page's own view has fetched the item through its scope; nothing here shows what the page may not.
"""

from typing import Any, TypedDict

from django import template

from dashboard.conversation.dismissals import Marked, marked, why_not
from dashboard.conversation.presenters import TalkContext, talk_of
from dashboard.decisions.desk_items import DeskItem
from dashboard.mirror.item_kinds import kind_from_address

register = template.Library()


class ConversationContext(TalkContext):
    """What conversation/talk.html reads on the page of an item: an inclusion has its token from the page around it."""

    csrf_token: str | None


class FlagsContext(TypedDict):
    """What conversation/flags.html reads on the page of an item; `why_not` is "" where the actor may dismiss its flags,
    `swap` where it stands out of band (`oob`)."""

    flags: list[Marked]
    kind: str
    remote_id: str
    slug: str
    why_not: str
    back: str
    oob: bool | None
    swap: str
    csrf_token: str | None


@register.inclusion_tag("conversation/talk.html", takes_context=True)
def conversation(context: Any, kind: str, remote_id: str) -> ConversationContext:
    """What happened to the item and was said about it, with a form to say something."""
    request = context["request"]
    return {**talk_of(request, kind_from_address(kind), remote_id), "csrf_token": context.get("csrf_token")}


@register.inclusion_tag("conversation/flags.html", takes_context=True)
def flags_of(context: Any, desk_item: DeskItem) -> FlagsContext:
    """The item's reasons to look twice, and who has laid which of them aside."""
    request, kind = context["request"], kind_from_address(desk_item.kind)
    return {
        "flags": marked(request.actor, kind, desk_item.id, desk_item.flags) if desk_item.flags else [],
        "kind": kind,
        "remote_id": desk_item.id,
        "slug": request.actor.business.slug,
        "why_not": why_not(desk_item),
        "back": request.POST.get("back") or context.get("back") or request.get_full_path(),
        "oob": context.get("oob"),
        # An item that was left meanwhile keeps what comes late: the next one has flags of its own.
        "swap": f'outerHTML:[data-flags-of="{kind}/{desk_item.id}"]',
        "csrf_token": context.get("csrf_token"),
    }
