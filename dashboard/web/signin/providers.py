"""A business's own identity provider: its sign-in opens that business only, for people who are members already."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse

from dashboard.access.models import Membership

# The address of the only business a session from an identity provider may enter.
ONLY_BUSINESS = "only_business"


class Providers(DefaultSocialAccountAdapter):
    """Links by (issuer, subject) only; the first time, to a member of the provider's business with a usual sign-in."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """An unknown identity makes no account."""
        return False

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Refuses an identity that is not (or no longer) a member of the provider's business."""
        slug = sociallogin.account.provider
        person = sociallogin.user if sociallogin.is_existing else request.user
        member = (
            person.pk and Membership.objects.filter(user_id=person.pk, business__slug=slug, is_active=True).exists()
        )
        if not member:
            messages.error(request, "No account is linked to this identity. Sign in first, then link it.")
            raise ImmediateHttpResponse(HttpResponseRedirect(reverse("account_login")))
        if sociallogin.is_existing and request.user.is_anonymous:
            request.session[ONLY_BUSINESS] = slug

    def can_authenticate_by_email(self, login: Any, email: str) -> bool:
        """Never: an e-mail address that a provider claims proves nothing to us."""
        return False

    def is_email_verified(self, provider: Any, email: str) -> bool:
        """Only what we have verified ourselves."""
        return bool(EmailAddress.objects.filter(email__iexact=email, verified=True).exists())
