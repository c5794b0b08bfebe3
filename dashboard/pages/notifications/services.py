"""What a person changes about their notices: read, or not."""

from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.notifications.bell import ring
from dashboard.notifications.models import Notice
from dashboard.pages.notifications.selectors import own_notices


def mark_read(notice: Notice) -> None:
    """Marks a notice as read, and has its person's bell counted anew; one that was read before stays as it was."""
    Notice.objects.filter(pk=notice.pk, read_at=None).update(read_at=timezone.now())
    ring([notice.membership_id])


def mark_all_read(actor: Actor) -> None:
    """Marks all of a person's notices as read, and has their bell counted anew."""
    own_notices(actor).filter(read_at=None).update(read_at=timezone.now())
    ring([actor.member_id])
