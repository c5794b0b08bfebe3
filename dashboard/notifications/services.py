"""Telling people something, each through the channels they have chosen, and each thing once."""

from collections.abc import Iterable

from dashboard.access.models import Membership
from dashboard.notifications.bell import ring
from dashboard.notifications.models import Choice, Notice
from dashboard.notifications.topics import Topic


def notify(
    people: Iterable[Membership], topic: Topic, sentence: str, *, key: str, kind: str = "", remote_id: str = ""
) -> int:
    """Tells these people, in the transaction of the caller; the same key again tells nobody twice. How many were told.

    Whether each of them may see the item is the caller's to ask; a mail asks it again before it goes out.
    """
    members = [person for person in people if person.is_active]
    chosen = {
        choice.membership_id: choice for choice in Choice.objects.filter(membership__in=members, topic=topic.name)
    }
    notices = []
    for member in members:
        choice = chosen.get(member.pk)
        in_app, by_mail = (choice.in_app, choice.by_mail) if choice else (topic.in_app, topic.by_mail)
        if in_app or by_mail:
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
                )
            )
    Notice.objects.bulk_create(notices, ignore_conflicts=True)
    ring(notice.membership_id for notice in notices if notice.shown)
    return len(notices)
