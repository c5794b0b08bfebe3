"""What the part of a page that holds a conversation needs, wherever it stands."""

import uuid
from typing import NotRequired, TypedDict

from dashboard.access.actor import ActorRequest
from dashboard.conversation.timeline import TimelineMoment, timeline_of

MOST_RECENT = 10


class TalkContext(TypedDict):
    """What conversation/talk.html reads: the `first` of the `moments` and the `older` ones, and the form's text, key and
    error; `fresh` is there where a comment was just written."""

    kind: str
    remote_id: str
    slug: str
    moments: list[TimelineMoment]
    first: list[TimelineMoment]
    older: list[TimelineMoment]
    text: str
    key: str
    error: str
    back: str
    fresh: NotRequired[uuid.UUID]


def talk_of(
    request: ActorRequest,
    kind: str,
    remote_id: str,
    *,
    text: str = "",
    key: str = "",
    error: str = "",
    fresh: uuid.UUID | None = None,
) -> TalkContext:
    """The timeline of an item that was fetched through its scope, and a form to say something.

    `text`, `key` and `error` are those of a form that comes back; `fresh` the comment that was just written.
    """
    moments = timeline_of(request.actor, kind, remote_id)
    context: TalkContext = {
        "kind": kind,
        "remote_id": remote_id,
        "slug": request.actor.business.slug,
        "moments": moments,
        "first": moments[:MOST_RECENT],
        "older": moments[MOST_RECENT:],
        "text": text,
        "key": key or uuid.uuid4().hex,
        "error": error,
        "back": request.POST.get("back") or request.get_full_path(),
    }
    if fresh is not None:
        context["fresh"] = fresh
    return context
