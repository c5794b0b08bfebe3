"""A business's own identity provider: its sign-in opens that business only, for people who are members already."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import structlog
from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers.base.constants import AuthError, AuthProcess
from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.http import urlencode

from dashboard.access.actor import Actor
from dashboard.access.models import Membership
from dashboard.access.roles import Role
from dashboard.audit.models import Outcome
from dashboard.audit.record import record, record_denial
from dashboard.errors import FinanceError
from dashboard.operations_pages import MEMBERS
from dashboard.proposals.members import give_role_of_groups
from dashboard.single_sign_on.group_roles import GroupsRefused, groups_in, role_of_groups
from dashboard.single_sign_on.models import IdentityProvider, Protocol
from dashboard.single_sign_on.selectors import is_domain_allowed, provider_at
from dashboard.web.signin.openid import CheckedSession, OpenIdProvider, app_of, is_unreachable
from dashboard.web.signin.saml import PROVIDER as SAML
from dashboard.web.signin.saml import SamlProvider, saml_app_of

log = structlog.get_logger(__name__)

# The address of the only business a session from an identity provider may enter.
ONLY_BUSINESS = "only_business"
# What such a session knows of the one at a SAML provider (signin/saml_logout.py: SamlSession).
SAML_SESSION = "saml_session"
PROGRAM = "Single sign-on"
# Clocks of two machines differ by a little.
CLOCKS_DIFFER_S = 60
UNCLEAR = (
    "Your identity provider did not confirm the sign-in. Try again; if it stays, tell a super admin of your business."
)
OFF = "Single sign-on is off at this business."
UNREACHABLE = "Your identity provider does not answer. Try again in a moment."


class SignOnRefused(ValueError):
    """The identity provider has said who it is, and they are not let in; the text is a sentence that says why."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the provider says it is: the claims of its ID token or its assertion, checked for issuer, audience, life and
    signature; an assertion's go by the names that an ID token has for them (signin/saml_answers.py)."""

    provider: IdentityProvider
    claims: dict[str, Any]
    state: dict[str, Any]

    @property
    def email(self) -> str:
        """The address that the provider claims, in small letters."""
        return str(self.claims.get("email") or "").lower()


class Providers(DefaultSocialAccountAdapter):
    """Links by (issuer, subject) only; the first time, to the member whose address the provider has verified."""

    def list_apps(self, request: HttpRequest, provider: str | None = None, client_id: str | None = None) -> list[Any]:
        """The provider of one business, by its address; never all of them: who signs in where is nobody else's business."""
        row = provider_at(provider, is_on=False) if provider else None
        if row is None:
            return []
        app = saml_app_of(row) if row.protocol == Protocol.SAML else app_of(row)
        return [app] if client_id in (None, app.client_id) else []

    def get_provider(
        self, request: HttpRequest, provider: str, client_id: str | None = None
    ) -> OpenIdProvider | SamlProvider:
        """Ours, which ask for more than allauth's."""
        app = self.get_app(request, provider=provider, client_id=client_id)
        return SamlProvider(request, app=app) if app.provider == SAML else OpenIdProvider(request, app=app)

    def get_requests_session(self) -> CheckedSession:
        """A session that calls no address inside our own network."""
        return CheckedSession()

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """An unknown identity makes no account."""
        return False

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Lets in who is a member of the provider's business; everybody else goes back to the sign-in page, told why."""
        slug = sociallogin.account.provider
        row = provider_at(slug)
        if row is None:
            raise back_to_sign_on(request, slug, OFF)
        source = "assertion" if row.protocol == Protocol.SAML else "id_token"
        claims = sociallogin.account.extra_data.get(source) or {}
        identity = Identity(row, claims, dict(sociallogin.state))
        # Of the claims is kept what says whose link it is; allauth has stored all of an existing link's by now.
        sociallogin.account.extra_data = {source: {name: claims.get(name) for name in ("iss", "sub", "email")}}
        if sociallogin.is_existing:
            sociallogin.account.save(update_fields=["extra_data"])
        try:
            _check_answer(identity)
            member = _member_of(identity, sociallogin, request)
            if identity.state.get("process") == AuthProcess.REDIRECT:
                _verify_again(request, identity, member)
                return
            process = identity.state.get("process")
            note = _give_role(identity, member) if process == AuthProcess.LOGIN else ""
        except SignOnRefused as refused:
            record_refusal(row, str(refused), identity.email)
            raise back_to_sign_on(request, slug, str(refused)) from None
        if not sociallogin.is_existing and process == AuthProcess.LOGIN:
            sociallogin.connect(request, member.user)
        if note:
            messages.info(request, note)

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: Any = None,
        exception: Exception | None = None,
        extra_context: Mapping[str, object] | None = None,
    ) -> None:
        """Back to the sign-in page, which says what can be done; what went wrong is for the log, without tokens and codes."""
        slug = provider.app.provider_id
        log.warning("single sign-on failed", business=slug, error=str(error), kind=type(exception).__name__)
        if error == AuthError.CANCELLED:
            raise back_to_sign_on(request, slug, "The sign-in was cancelled at your identity provider.")
        raise back_to_sign_on(request, slug, UNREACHABLE if is_unreachable(exception) else UNCLEAR)

    def can_authenticate_by_email(self, login: Any, email: str) -> bool:
        """Never by allauth: what an address opens is decided above, for members of the provider's business alone."""
        return False

    def is_email_verified(self, provider: Any, email: str) -> bool:
        """Only what we have verified ourselves."""
        return bool(EmailAddress.objects.filter(email__iexact=email, verified=True).exists())


def sign_on_address(slug: str) -> str:
    """The page on which people of a business begin to sign in at its identity provider."""
    return f"{reverse('sign_on')}?{urlencode({'business': slug})}"


def callback_address(request: HttpRequest) -> str:
    """Where the identity provider of the business in the request sends people back to, as it is entered there."""
    slug = request.actor.business.slug  # type: ignore[attr-defined]
    return request.build_absolute_uri(reverse("openid_connect_callback", args=[slug]))


def back_to_sign_on(request: HttpRequest, slug: str, sentence: str) -> ImmediateHttpResponse:
    """What leads back to where single sign-on of the business begins, which shows the sentence."""
    messages.error(request, sentence)
    where = reverse("entry") if request.user.is_authenticated else sign_on_address(slug)
    return ImmediateHttpResponse(HttpResponseRedirect(where))


def _check_answer(identity: Identity) -> None:
    claims, state = identity.claims, identity.state
    if not claims or str(claims.get("iss", "")).rstrip("/") != identity.provider.issuer.rstrip("/"):
        raise SignOnRefused("The answer is of another identity provider than your business's.")
    if not constant_time_compare(str(claims.get("nonce", "")), str(state.get("nonce", "-"))):
        raise SignOnRefused("The answer belongs to another sign-in. Start again.")


def _member_of(identity: Identity, sociallogin: Any, request: HttpRequest) -> Membership:
    """The member whose identity it is. SignOnRefused where there is none, and where it is not who is signed in already."""
    business, email = identity.provider.business, identity.email
    members = Membership.objects.select_related("user", "business").filter(business=business, is_active=True)
    if identity.claims.get("email_verified") is not True:
        raise SignOnRefused(
            "Your identity provider has not verified your email address, so it does not say who you are here."
        )
    if not is_domain_allowed(identity.provider, email):
        raise SignOnRefused(
            f"{business} does not allow addresses of {email.rpartition('@')[2] or 'this kind'} to sign in."
        )
    if sociallogin.is_existing:
        member = members.filter(user_id=sociallogin.user.pk).first()
    else:
        member = members.filter(user__email=email).first()
        if member and SocialAccount.objects.filter(user_id=member.user_id, provider=business.slug).exists():
            raise SignOnRefused(
                "Another identity is linked to this address. A super admin can end the membership and invite you again."
            )
    if member is None or not member.user.is_active:
        raise SignOnRefused(f"No member of {business} has this identity. Ask a super admin to invite you.")
    is_other = request.user.is_authenticated and request.user.pk != member.user_id
    if is_other and identity.state.get("process") != AuthProcess.LOGIN:
        raise SignOnRefused("This identity is somebody else's.")
    return member


def _verify_again(request: HttpRequest, identity: Identity, member: Membership) -> None:
    """Notes that who is signed in has just signed in at the provider again (`max_age=0`): that counts as verification."""
    if request.user.pk != member.user_id or request.session.get(ONLY_BUSINESS) != identity.provider.business.slug:
        raise SignOnRefused("This identity is somebody else's.")
    signed_in_at = identity.claims.get("auth_time")
    sent_at = float(identity.state.get("sent_at") or time.time())
    if not isinstance(signed_in_at, int | float) or signed_in_at < sent_at - CLOCKS_DIFFER_S:
        raise SignOnRefused("Your identity provider did not ask you to sign in again. Verify it's you once more.")
    record_authentication(request, member.user, "socialaccount", reauthenticated=True)


def _give_role(identity: Identity, member: Membership) -> str:
    """Gives the role of the groups; a sentence to show where it waits for a second admin. SignOnRefused for groups that
    give none, or two."""
    provider, now = identity.provider, Role(member.role)
    source = "groups" if provider.protocol == Protocol.SAML else provider.groups_claim
    groups = groups_in(identity.claims.get(source)) if provider.groups_claim else []
    try:
        role = role_of_groups(groups, provider.group_roles, role=now, ceiling=Role(provider.ceiling))
    except GroupsRefused as refused:
        raise SignOnRefused(str(refused)) from None
    if role is None or role == now:
        return ""
    try:
        waits = give_role_of_groups(_program(provider), member, role)
    except FinanceError as other:
        # They go on with what they have: a role is never more than what was confirmed.
        record_refusal(provider, other.detail, identity.email)
        return f"Your role stays {now.label}: {other.detail}"
    return (
        f"Your role {role.label} waits for a second admin; until then it is {now.label}."
        if waits and waits.is_open
        else ""
    )


def _program(provider: IdentityProvider) -> Actor:
    return Actor.for_program(provider.business, PROGRAM, set_up_by=provider.changed_by_id)


def record_refusal(provider: IdentityProvider, reason: str, email: str = "") -> None:
    """Writes into the audit that somebody was not let in, and why; without an address where nothing vouches for one."""
    who = email or "somebody without an email address"
    record_denial(_program(provider), MEMBERS, reason=reason, sentence=f"did not let {who} sign in as asked")


def record_sign_out(provider: IdentityProvider, sentence: str) -> None:
    """Writes into the audit what a provider's sign-out has brought about."""
    record(_program(provider), MEMBERS, None, Outcome.NOTED, sentence=sentence)


def record_refused_sign_out(provider: IdentityProvider, reason: str) -> None:
    """Writes into the audit that a sign-out of the provider, or one that nothing shows to be its, ended no session."""
    record_denial(_program(provider), MEMBERS, reason=reason, sentence="refused a sign-out of the identity provider")


def record_stray_answer(provider: IdentityProvider, reason: str) -> None:
    """Writes into the audit that an answer was posted that nothing shows to be the provider's, and what is wrong with it."""
    sentence = "refused an answer that is not known to be the identity provider's"
    record_denial(_program(provider), MEMBERS, reason=reason, sentence=sentence)


def note_sign_in(sender: Any, request: HttpRequest, user: Any, sociallogin: Any = None, **extra: Any) -> None:
    """At each sign-in: one through an identity provider opens its business alone, any other none by that provider.

    Here, after the session has its new id, since what is noted earlier would be left behind by a sign-in that stops at
    the second factor.
    """
    request.session.pop(ONLY_BUSINESS, None)
    request.session.pop(SAML_SESSION, None)
    if sociallogin is None:
        return
    slug = sociallogin.account.provider
    request.session[ONLY_BUSINESS] = slug
    if there := (sociallogin.state or {}).get(SAML_SESSION):
        request.session[SAML_SESSION] = there
    row = provider_at(slug)
    if row is not None:
        sentence = f"signed {user} in through {row.name}"
        record(_program(row), MEMBERS, None, Outcome.NOTED, sentence=sentence)
