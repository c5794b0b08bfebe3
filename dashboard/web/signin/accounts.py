"""Sign-in by e-mail and password: no sign-up (people are invited), and where a person lands."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from dashboard.access.models import Membership
from dashboard.access.roles import OWNING
from dashboard.notifications.mail import subject_line
from dashboard.single_sign_on.selectors import provider_at
from dashboard.web.signin.providers import ONLY_BUSINESS, SAML_SESSION, sign_on_address

# Somebody's session at their provider, for the page on which they sign out there, too.
SIGNED_OUT_HERE = "signed_out"


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

    def get_logout_redirect_url(self, request: HttpRequest) -> str:
        """Where single logout goes on to at the provider that a session came through; else the sign-in page."""
        slug = _signs_out_at(request)
        return reverse("saml_sign_out", args=[slug]) if slug else str(super().get_logout_redirect_url(request))

    def logout(self, request: HttpRequest) -> None:
        """Ends the session. What the provider is told of it is noted in the empty one that follows, for the page after."""
        slug, there = _signs_out_at(request), request.session.get(SAML_SESSION)
        super().logout(request)
        if slug and there:
            request.session[SIGNED_OUT_HERE] = {**there, "business": slug}

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


def _signs_out_at(request: HttpRequest) -> str:
    """The slug of the business whose SAML provider a session came through, where single logout is set up there; else ""."""
    slug = request.session.get(ONLY_BUSINESS, "") if request.session.get(SAML_SESSION) else ""
    provider = provider_at(slug) if slug else None
    return slug if provider is not None and provider.logout_address else ""


def needs_sign_on(membership: Membership) -> bool:
    """Whether this member enters the business through its identity provider alone: all do where it is required, but for
    the break-glass super admin."""
    is_exempt = membership.is_break_glass and membership.role in OWNING
    return membership.business.requires_sign_on and not is_exempt
