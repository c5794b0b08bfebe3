"""Telling people something, each through the channels they have chosen, and each thing once."""

from collections.abc import Iterable

from dashboard.access.models import Membership
from dashboard.notifications.bell import ring
from dashboard.notifications.models import Notice, PushDevice, TopicChoice
from dashboard.notifications.topics import Topic


def notify(
    people: Iterable[Membership], topic: Topic, sentence: str, *, key: str, kind: str = "", remote_id: str = ""
) -> int:
    """Tells these people, in the transaction of the caller; the same key again tells nobody twice. How many were told.

    Whether each of them may see the item is the caller's to ask; a mail and a push message ask it again before they go
    out. A push message is for whoever has switched a device on.
    """
    members = [person for person in people if person.is_active]
    chosen = {
        choice.membership_id: choice for choice in TopicChoice.objects.filter(membership__in=members, topic=topic.name)
    }
    reachable = set(PushDevice.objects.filter(membership__in=members).values_list("membership_id", flat=True))
    notices = []
    for member in members:
        in_app, by_mail, by_push = channels_of(topic, chosen.get(member.pk))
        by_push = by_push and member.pk in reachable
        if in_app or by_mail or by_push:
            notices.append(
                Notice(
                    business_id=member.business_id,
                    membership=member,
                    topic=topic.name,
                    key=key[:150],
                    sentence=sentence[:500],
                    kind=kind,
                    remote_id=remote_id,
                    shown=in_app,
                    mail_wanted=by_mail,
                    push_wanted=by_push,
                )
            )
    Notice.objects.bulk_create(notices, ignore_conflicts=True)
    ring(notice.membership_id for notice in notices if notice.shown)
    return len(notices)


def channels_of(topic: Topic, choice: TopicChoice | None) -> tuple[bool, bool, bool]:
    """Whether somebody is told of a topic in the app, by mail and on their devices: as they chose, else by its defaults."""
    if choice is None:
        return topic.in_app, topic.by_mail, topic.by_push
    return choice.in_app, choice.by_mail, topic.by_push if choice.by_push is None else choice.by_push
