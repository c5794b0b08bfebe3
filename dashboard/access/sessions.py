"""A person's sessions: ended for good by deleting them, and given a new id when they have proved again who they are."""

from collections.abc import Iterable

from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.dispatch import Signal
from django.http import HttpRequest

FORMER = "former_keys"
# As many as there can be while a decision still waits under the oldest of them.
MAX_FORMER_KEYS = 20

# Somebody was signed out: given `user_id`, and `but`, the key of the only session that goes on ("" for none). For what a
# floor above ends with the sign-in.
sessions_ended = Signal()
# One session is about to end, and the others go on: given `session`, its row in the list.
session_ends = Signal()


class OwnSessions(DefaultUserSessionsAdapter):
    """allauth's page of one's own sessions, on which a person ends all others: what hangs on those ends too."""

    def end_sessions(self, sessions: Iterable[UserSession]) -> None:
        """Ends them; the person's other sessions, of which the page ends none, are the one that it is shown in."""
        ending = list(sessions)
        with transaction.atomic():
            super().end_sessions(_locked(ending))
        for user_id in {session.user_id for session in ending}:
            left = UserSession.objects.filter(user_id=user_id).values_list("session_key", flat=True).first()
            sessions_ended.send(UserSession, user_id=user_id, but=left or "")


def end_sessions(user_id: int, *, but: str | None = None) -> int:
    """Signs a person out everywhere (except the session with key `but`); returns how many sessions ended."""
    ended = 0
    with transaction.atomic():
        for session in (
            UserSession.objects.select_for_update(no_key=True).filter(user_id=user_id).exclude(session_key=but or "")
        ):
            session.end()
            ended += 1
    sessions_ended.send(UserSession, user_id=user_id, but=but or "")
    return ended


def end_session(session: UserSession) -> None:
    """Signs a person out of one session, in the caller's transaction; the others go on."""
    session_ends.send(UserSession, session=session)
    for locked in _locked([session]):
        locked.end()


def _locked(sessions: Iterable[UserSession]) -> list[UserSession]:
    """The rows as they are now, and stay in this transaction: one that was read earlier may bear an id that its session has
    no more, and whoever ended that would end nothing."""
    keys = [session.pk for session in sessions]
    return list(UserSession.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk"))


def renew_session_id(request: HttpRequest) -> None:
    """Gives the session a new id, its data and what waits under it staying; the old id opens nothing from then on.

    The person's row in the list of sessions remembers the ids that the session had (`current_key`), in one transaction
    with the change: a decision that was taken under one of them lives on, whenever it is looked at. A session that has been
    ended meanwhile gets none: it is emptied.
    """
    with transaction.atomic():
        old = request.session.session_key
        # Whoever ends the session waits here until it has its new id, or has ended it by then.
        row = UserSession.objects.select_for_update(no_key=True).filter(session_key=old).first()
        if row is None and not (old and request.session.exists(old)):
            request.session.flush()
            return
        request.session.cycle_key()
        request.session.save()
        new = request.session.session_key
        if row is None:
            UserSession.objects.create_from_request(request)
            row = UserSession.objects.get(session_key=new)
        former = [*row.data.get(FORMER, []), old][-MAX_FORMER_KEYS:]
        UserSession.objects.filter(pk=row.pk).update(session_key=new, data={**row.data, FORMER: former})


def current_key(session_key: str, user_id: int) -> str:
    """The id that the session with this id has now: another one where its person has proved again who they are."""
    renewed = UserSession.objects.filter(user_id=user_id, **{f"data__{FORMER}__contains": [session_key]})
    return renewed.values_list("session_key", flat=True).first() or session_key
