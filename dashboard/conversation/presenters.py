"""What the part of a page that holds a conversation needs, wherever it stands."""

import uuid
from typing import Any

from dashboard.access.actor import ActorRequest
from dashboard.conversation.timeline import timeline_of

FIRST_SHOWN = 10


def talk_of(
    request: ActorRequest, kind: str, remote_id: str, *, text: str = "", key: str = "", error: str = "", **more: Any
) -> dict[str, Any]:
    """The timeline of an item that was fetched through its scope, and a form to say something.

    `text`, `key` and `error` are those of a form that comes back; `fresh` the comment that was just written.
    """
    moments = timeline_of(request.actor, kind, remote_id)
    return {
        "kind": kind,
        "remote_id": remote_id,
        "slug": request.actor.business.slug,
        "moments": moments,
        "first": moments[:FIRST_SHOWN],
        "older": moments[FIRST_SHOWN:],
        "text": text,
        "key": key or uuid.uuid4().hex,
        "error": error,
        "back": request.POST.get("back") or request.get_full_path(),
    } | more
