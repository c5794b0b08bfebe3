"""The sign-in backend: allauth's, which takes a person that this request has read already instead of reading again."""

from contextvars import ContextVar

from allauth.account.auth_backends import AuthenticationBackend

from dashboard.access.models import User

_read: ContextVar[User | None] = ContextVar("read", default=None)


def hand_over(user: User | None) -> None:
    """Offers a person who was read a moment ago; None takes the offer back, so that none outlives its request."""
    _read.set(user)


class Backend(AuthenticationBackend):
    """Django checks the session's hash against whatever this returns, as with any backend."""

    def get_user(self, user_id: int | str) -> User | None:
        """The person with this id, if they may sign in."""
        offered = _read.get()
        _read.set(None)
        if offered is not None and str(offered.pk) == str(user_id):
            return offered if self.user_can_authenticate(offered) else None
        user: User | None = super().get_user(user_id)
        return user
