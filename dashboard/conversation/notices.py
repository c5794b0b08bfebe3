"""Whom a comment concerns: those it calls by name, those whose item it is, and those who took part before."""

from typing import Any

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.access.subject import subject_of
from dashboard.conversation.models import Comment
from dashboard.mirror.item_kinds import item_title, sees
from dashboard.notifications import topics
from dashboard.notifications.services import notify
from dashboard.notifications.topics import MENTION


def notify_of_comment(actor: Actor, comment: Comment, item: Any, called: list[Membership]) -> None:
    """Those who are called by name; and, of a new comment, those whose item it is and who took part before."""
    title = item_title(comment.kind, item)
    where = {"kind": comment.kind, "remote_id": comment.remote_id}
    notify(called, MENTION, f"{actor.name} mentioned you on {title}.", key=f"mention:{comment.pk}", **where)
    if comment.edited_at is None:
        others = _taking_part(actor, comment, item, {member.pk for member in called} | {comment.membership_id})
        notify(others, topics.COMMENT, f"{actor.name} commented on {title}.", key=f"comment:{comment.pk}", **where)


def _taking_part(actor: Actor, comment: Comment, item: Any, without: set[int]) -> list[Membership]:
    about, facts = {"kind": comment.kind, "remote_id": comment.remote_id}, subject_of(item)
    owners = {employee_id for employee_id in (facts.holder_id, facts.requester_id) if employee_id}
    members = Membership.objects.filter(business=actor.business, is_active=True).select_related("user", "business")
    spoke = Comment.objects.filter(business=actor.business, **about).values_list("membership_id", flat=True)
    participants = members.filter(pk__in=set(spoke)) | members.filter(employee_id__in=owners)
    return [
        member
        for member in participants.distinct()
        if member.pk not in without and sees(member, comment.kind, comment.remote_id)
    ]
