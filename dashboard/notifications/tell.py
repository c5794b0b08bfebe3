"""Telling people something, each through the channels they have chosen, and each thing once."""

from collections.abc import Iterable
from typing import Any

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.access.subject import subject_of
from dashboard.conversation.items import sees, title_of
from dashboard.conversation.models import Comment
from dashboard.notifications.bell import ring
from dashboard.notifications.models import Choice, Notice
from dashboard.notifications.topics import COMMENT, MENTION, Topic


def tell(
    people: Iterable[Membership], topic: Topic, sentence: str, *, key: str, kind: str = "", remote_id: str = ""
) -> int:
    """Tells these people, in the transaction of the caller; the same key again tells nobody twice. How many were told.

    Whether each of them may see the item is the caller's to ask; a mail asks it again before it goes out.
    """
    members = [one for one in people if one.is_active]
    chosen = {
        choice.membership_id: choice for choice in Choice.objects.filter(membership__in=members, topic=topic.name)
    }
    notices = []
    for one in members:
        choice = chosen.get(one.pk)
        in_app, by_mail = (choice.in_app, choice.by_mail) if choice else (topic.in_app, topic.by_mail)
        if in_app or by_mail:
            notices.append(
                Notice(
                    business_id=one.business_id,
                    membership=one,
                    topic=topic.name,
                    key=key[:150],
                    sentence=sentence[:500],
                    kind=kind,
                    remote_id=remote_id,
                    shown=in_app,
                    mail_wanted=by_mail,
                )
            )
    Notice.objects.bulk_create(notices, ignore_conflicts=True)
    ring(one.membership_id for one in notices if one.shown)
    return len(notices)


def tell_of_comment(actor: Actor, comment: Comment, item: Any, called: list[Membership]) -> None:
    """Those who are called by name; and, of a new comment, those whose item it is and who took part before."""
    title = title_of(comment.kind, item)
    where = {"kind": comment.kind, "remote_id": comment.remote_id}
    tell(called, MENTION, f"{actor.name} mentioned you on {title}.", key=f"mention:{comment.pk}", **where)
    if comment.edited_at is None:
        others = _taking_part(actor, comment, item, {one.pk for one in called} | {comment.membership_id})
        tell(others, COMMENT, f"{actor.name} commented on {title}.", key=f"comment:{comment.pk}", **where)


def _taking_part(actor: Actor, comment: Comment, item: Any, without: set[int]) -> list[Membership]:
    about, facts = {"kind": comment.kind, "remote_id": comment.remote_id}, subject_of(item)
    owners = {one for one in (facts.holder_id, facts.requester_id) if one}
    members = Membership.objects.filter(business=actor.business, is_active=True).select_related("user", "business")
    spoke = Comment.objects.filter(business=actor.business, **about).values_list("membership_id", flat=True)
    found = members.filter(pk__in=set(spoke)) | members.filter(employee_id__in=owners)
    return [one for one in found.distinct() if one.pk not in without and sees(one, comment.kind, comment.remote_id)]
