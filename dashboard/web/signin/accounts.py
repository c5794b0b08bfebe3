"""Sign-in by e-mail and password: no sign-up (people are invited), and where a person lands."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from dashboard.access.models import Membership
from dashboard.access.roles import OWNING
from dashboard.notifications.mail import subject_line
from dashboard.web.signin.providers import sign_on_address


class Accounts(DefaultAccountAdapter):
    """allauth's adapter, closed: membership comes by invitation only."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Nobody signs up by themselves."""
        return False

    def pre_login(self, request: HttpRequest, user: AbstractBaseUser, **given: Any) -> HttpResponse | None:
        """Leads to single sign-on who has proved a password or a passkey and could enter nowhere by it."""
        response: HttpResponse | None = super().pre_login(request, user, **given)
        if response is not None or "sociallogin" in (given.get("signal_kwargs") or {}):
            return response
        memberships = list(Membership.objects.select_related("business").filter(user_id=user.pk, is_active=True))
        if not memberships or not all(needs_sign_on(membership) for membership in memberships):
            return None
        business = memberships[0].business
        messages.error(request, f"{business} requires single sign-on: sign in through its identity provider.")
        return HttpResponseRedirect(sign_on_address(business.slug))

    def can_delete_email(self, email_address: EmailAddress) -> bool:
        """Not the one that signs in: allauth would put the next one in its place, confirmed or not."""
        if email_address.email.lower() == email_address.user.email.lower():
            return False
        return bool(super().can_delete_email(email_address))

    def format_email_subject(self, subject: str) -> str:
        """The subject in one line, with our name before it."""
        return subject_line(f"Countersign: {subject}")

    def add_message(self, request: HttpRequest, level: int, *args: Any, **kwargs: Any) -> None:
        """Shows what happened, but not that somebody has just signed in: the page they land on says it."""
        template = kwargs.get("message_template") or (args[0] if args else "")
        if template not in {"account/messages/logged_in.txt", "account/messages/logged_out.txt"}:
            super().add_message(request, level, *args, **kwargs)


def needs_sign_on(membership: Membership) -> bool:
    """Whether this member enters the business through its identity provider alone: all do where it is required, but for
    the break-glass super admin."""
    is_exempt = membership.is_break_glass and membership.role in OWNING
    return membership.business.requires_sign_on and not is_exempt
