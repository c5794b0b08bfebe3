"""Sign-in by e-mail and password: no sign-up (people are invited), and where a person lands."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from dashboard.notifications.mail import subject_line


class Accounts(DefaultAccountAdapter):
    """allauth's adapter, closed: membership comes by invitation only."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Nobody signs up by themselves."""
        return False

    def format_email_subject(self, subject: str) -> str:
        """The subject in one line, with our name before it."""
        return subject_line(f"Countersign: {subject}")

    def add_message(self, request: HttpRequest, level: int, *args: Any, **kwargs: Any) -> None:
        """Shows what happened, but not that somebody has just signed in: the page they land on says it."""
        template = kwargs.get("message_template") or (args[0] if args else "")
        if template not in {"account/messages/logged_in.txt", "account/messages/logged_out.txt"}:
            super().add_message(request, level, *args, **kwargs)
