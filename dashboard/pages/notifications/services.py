"""What a person changes about their notices: read, or not; and the name that their browser gets with a device."""

from typing import TypeVar

from django.conf import settings
from django.http import HttpResponse
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.notifications.bell import ring
from dashboard.notifications.devices import BROWSER_COOKIE, BROWSER_COOKIE_S
from dashboard.notifications.models import Notice
from dashboard.pages.notifications.selectors import own_notices

Response = TypeVar("Response", bound=HttpResponse)


def mark_read(notice: Notice) -> None:
    """Marks a notice as read, and has its person's bell counted anew; one that was read before stays as it was."""
    Notice.objects.filter(pk=notice.pk, read_at=None).update(read_at=timezone.now())
    ring([notice.membership_id])


def mark_all_read(actor: Actor) -> None:
    """Marks all of a person's notices as read, and has their bell counted anew."""
    own_notices(actor).filter(read_at=None).update(read_at=timezone.now())
    ring([actor.member_id])


def with_browser_id(response: Response, browser_id: str) -> Response:
    """The response, with the name that the browser is known by from now on: no script reads it, no other site sends it."""
    secure: bool = settings.SESSION_COOKIE_SECURE
    response.set_cookie(
        BROWSER_COOKIE, browser_id, max_age=BROWSER_COOKIE_S, secure=secure, httponly=True, samesite="Lax"
    )
    return response
