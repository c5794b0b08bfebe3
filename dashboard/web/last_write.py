"""Somebody who has just written something reads it, whichever database answers: their browser says how far they were.

The position stands in a signed cookie of the session's own kind: whoever writes in one window reads it in the next, and
nobody else waits for it. What is recorded in their name, by a job or in another browser, is noted in the cache as it is
committed (dashboard/audit/models.py).
"""

from collections.abc import Callable
from typing import TypeVar

import structlog
from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from dashboard import replica
from dashboard.access.actor import ActorRequest
from dashboard.inputs import whole_number
from dashboard.web.same_origin import SAFE

log = structlog.get_logger(__name__)

Answer = TypeVar("Answer")

COOKIE = "countersign_written"
SALT = "dashboard.web.last_write"


class LastWrite:
    """Notes the position of what a request of a session has written, where there is a replica."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.method in SAFE or settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return response
        if replica.is_configured():
            response.set_signed_cookie(
                COOKIE, str(max(_position_now(), position_of(request))), salt=SALT,
                max_age=replica.WRITES_LIFETIME_S, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax",
            )  # fmt: skip
        return response


def _position_now() -> int:
    """Where the primary is; READ_PRIMARY where it does not say: the answer stands, and what it has written is read there."""
    try:
        return replica.write_position()
    except (OperationalError, InterfaceError) as error:
        log.warning("primary did not say how far it is", error=type(error).__name__)
        return replica.READ_PRIMARY


def position_of(request: HttpRequest) -> int:
    """The position that the browser's own last write had; 0 where it has none, or one that we did not sign."""
    text = request.get_signed_cookie(COOKIE, "", salt=SALT, max_age=replica.WRITES_LIFETIME_S) or ""
    return whole_number(text, replica.READ_PRIMARY) or 0


def read_own(request: ActorRequest, read: Callable[[str], Answer]) -> Answer:
    """What `read` answers, given the alias of a database that has all that whoever asks wrote last. A request that may have
    written something itself reads the primary: where that stands is known once it is over."""
    if not replica.is_configured() or request.method not in SAFE:
        return read(replica.PRIMARY)
    user = request.actor.user
    position = max(position_of(request), replica.noted_write(user.pk) if user is not None else 0)
    return replica.read_behind(position, read)
