"""Saying something about an item, and changing one's own words while they are fresh. Nothing that was said goes away."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.audit.models import Outcome
from dashboard.audit.record import record
from dashboard.conversation.mentions import mentioned
from dashboard.conversation.models import Comment
from dashboard.conversation.notices import notify_of_comment
from dashboard.errors import Conflict, NotAllowed, NotFound
from dashboard.mirror.item_kinds import item_title

EDITED_WITHIN = timedelta(minutes=10)
# Said in the audit; the timeline shows the comments themselves.
COMMENT, EDIT_COMMENT = "comment", "edit_comment"


def comments_on(actor: Actor, kind: str, remote_id: str) -> list[Comment]:
    """What was said about an item that the caller has fetched through its scope, the newest first."""
    comments = Comment.objects.filter(business=actor.business, kind=kind, remote_id=remote_id)
    return list(comments.order_by("-written_at", "-id")[:200])


def say(actor: Actor, kind: str, item: Any, text: str, *, key: str) -> Comment:
    """Says something about an item that the actor sees; the same form posted again says it once.

    Whom it calls is told. Rejected where it names somebody who cannot be called.
    """
    called = mentioned(actor, kind, item.remote_id, text)
    comment = Comment(
        business=actor.business,
        membership_id=actor.member_id,
        author_name=actor.name[:254],
        author_role=actor.role,
        kind=kind,
        remote_id=item.remote_id,
        text=text,
        mentions=[member.pk for member in called],
        key=key,
    )
    try:
        with transaction.atomic():
            comment.save(force_insert=True)
            sentence = f"commented on {item_title(kind, item)}"
            record(actor, COMMENT, item, Outcome.NOTED, sentence=sentence, after={"comment": text})
            notify_of_comment(actor, comment, item, called)
    except IntegrityError:
        return _earlier_comment(actor, kind, item, key)
    return comment


def _earlier_comment(actor: Actor, kind: str, item: Any, key: str) -> Comment:
    before = Comment.objects.get(business=actor.business, key=key)
    if (before.membership_id, before.kind, before.remote_id) != (actor.member_id, kind, item.remote_id):
        raise Conflict("This form was already used for something else. Reload the page.", code="key_reused")
    return before


def comment_of(actor: Actor, comment_id: UUID) -> Comment:
    """A comment in the actor's business; NotFound for any other. Whether its item is visible is the caller's to ask."""
    comment = Comment.objects.filter(business=actor.business, pk=comment_id).first()
    if comment is None:
        raise NotFound
    return comment


def may_edit(actor: Actor, comment: Comment) -> bool:
    """One's own, for ten minutes."""
    return comment.membership_id == actor.membership_id and timezone.now() < comment.written_at + EDITED_WITHIN


def edit(actor: Actor, comment: Comment, item: Any, text: str) -> None:
    """Changes one's own comment; what it said before stays with it. Whom it calls that it did not call before is told.

    NotAllowed for somebody else's, and once its minutes are over.
    """
    if not may_edit(actor, comment):
        own = comment.membership_id == actor.membership_id
        late = "It can no longer be edited: others may have read it. Add another comment."
        reason = late if own else "This is somebody else's comment."
        sentence = f"tried to edit a comment on {item_title(comment.kind, item)}"
        record(actor, EDIT_COMMENT, item, Outcome.DENIED, sentence=sentence, reason=reason)
        raise NotAllowed(reason, code="edit_over")
    called = mentioned(actor, comment.kind, comment.remote_id, text)
    with transaction.atomic():
        locked = Comment.objects.select_for_update(no_key=True).get(pk=comment.pk)
        if locked.text == text:
            return
        now, before = timezone.now(), locked.text
        locked.former = [*locked.former, {"text": before, "at": (locked.edited_at or locked.written_at).isoformat()}]
        fresh = [member for member in called if member.pk not in locked.mentions]
        locked.mentions = [member.pk for member in called]
        locked.text, locked.edited_at = text, now
        locked.save(update_fields=["text", "former", "mentions", "edited_at"])
        sentence = f"edited a comment on {item_title(comment.kind, item)}"
        record(
            actor,
            EDIT_COMMENT,
            item,
            Outcome.NOTED,
            sentence=sentence,
            before={"comment": before},
            after={"comment": text},
        )
        notify_of_comment(actor, locked, item, fresh)
