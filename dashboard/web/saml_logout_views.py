"""Single logout by SAML: sessions that a provider ends, and the way there for who has signed out here.

A provider's word may come in a frame, to which a browser sends no session: so the sessions are ended by whose they are.
"""

from importlib import import_module

import structlog
from allauth.core.internal import ratelimit
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.views.decorators.http import require_GET

from dashboard.access.decorators import public
from dashboard.access.sessions import end_session
from dashboard.single_sign_on.address import origin_of
from dashboard.single_sign_on.models import IdentityProvider, Protocol
from dashboard.single_sign_on.selectors import provider_at
from dashboard.single_sign_on.services import use_assertion
from dashboard.web.respond import page
from dashboard.web.saml_views import TOO_OFTEN
from dashboard.web.signin.accounts import SIGNED_OUT_HERE
from dashboard.web.signin.providers import (
    ONLY_BUSINESS,
    SAML_SESSION,
    back_to_sign_on,
    record_refused_sign_out,
    record_sign_out,
)
from dashboard.web.signin.saml import SamlAddresses, saml_addresses
from dashboard.web.signin.saml_logout import (
    LogoutMessage,
    LogoutRefused,
    answer_address,
    read_logout,
    request_address,
)

log = structlog.get_logger(__name__)

# What is refused, by who can have sent it: anybody, whoever has seen a message of the provider, or its first sender, who may
# have signed out of another application there.
STRAY, REPEATED, SIGNED = "stray sign-out", "repeated sign-out", "signed sign-out"
OFF = "Single logout is off at this business."
USED = "The sign-out has been used already, and ends no session again."
NOT_THERE = "You are signed out here. {name} did not sign you out: sign out there."


@require_GET
@public
def single_logout(request: HttpRequest, provider_id: str) -> HttpResponse:
    """What a provider says by HTTP-Redirect: that somebody signs out, or that our sign-out was carried on there."""
    if not _is_within(request, "saml_answer"):
        return _back(request, provider_id, TOO_OFTEN)
    provider = _provider(provider_id)
    if provider is None:
        return _back(request, provider_id, OFF)
    ours = saml_addresses(request, provider_id)
    try:
        message = read_logout(provider, ours, request.META.get("QUERY_STRING", ""))
    except LogoutRefused as refused:
        return _refused(request, provider, str(refused), _kind_of(provider, refused))
    # In a space of its own: the id of a message says nothing of an assertion's.
    if not use_assertion(provider, f"logout {message.message_id}", message.ends_at):
        return _refused(request, provider, USED, REPEATED)
    return _ended(provider, ours, message) if message.is_request else _answered(request, provider, message)


@require_GET
@public
def sign_out_there(request: HttpRequest, provider_id: str) -> HttpResponse:
    """For who has just signed out here: the link that signs them out at their provider, too. Once."""
    session, provider = request.session.pop(SIGNED_OUT_HERE, None), _provider(provider_id)
    if session is None or provider is None or session.get("business") != provider_id:
        return redirect("account_login")
    try:
        address = request_address(provider, saml_addresses(request, provider_id), session)
    except LogoutRefused:
        messages.error(request, NOT_THERE.format(name=provider.name))
        return redirect("account_login")
    return page(
        request, "account/saml_sign_out.html", {"provider": provider, "address": address, "origin": origin_of(address)}
    )


def _provider(slug: str) -> IdentityProvider | None:
    provider = provider_at(slug)
    return provider if provider and provider.protocol == Protocol.SAML and provider.logout_address else None


def _ended(provider: IdentityProvider, ours: SamlAddresses, logout: LogoutMessage) -> HttpResponse:
    link = SocialAccount.objects.select_related("user").filter(provider=provider.business.slug, uid=logout.uid)
    account = link.first()
    count = _end_sessions(provider.business.slug, account.user_id, logout) if account else 0
    who = str(account.user) if account else "somebody unknown here"
    many = f"{count} session{'s' * (count != 1)} ended" if count else "no session to end"
    record_sign_out(provider, f"signed {who} out, as {provider.name} says: {many}")
    return HttpResponseRedirect(answer_address(provider, ours, logout))


def _end_sessions(slug: str, user_id: int, logout: LogoutMessage) -> int:
    """Ends the sessions that somebody entered through the provider: of those that the message names, all where it names none."""
    store, count = import_module(settings.SESSION_ENGINE).SessionStore, 0
    with transaction.atomic():
        # Locked, so that each row bears the id that its session has: one that is renewed meanwhile would go on.
        for row in UserSession.objects.select_for_update(no_key=True).filter(user_id=user_id).order_by("pk"):
            session = store(row.session_key)
            index = (session.get(SAML_SESSION) or {}).get("index", "")
            # One whose index is not known may be the one that is meant.
            is_meant = not logout.indexes or not index or index in logout.indexes
            if session.get(ONLY_BUSINESS) == slug and is_meant:
                end_session(row)
                count += 1
    return count


def _answered(request: HttpRequest, provider: IdentityProvider, logout: LogoutMessage) -> HttpResponse:
    if logout.succeeded:
        messages.success(request, f"You are signed out, at {provider.name} too.")
    else:
        messages.error(request, NOT_THERE.format(name=provider.name))
    return redirect("account_login")


def _kind_of(provider: IdentityProvider, logout_refused: LogoutRefused) -> str:
    """A signed one is the sender's own the first time alone, and only while it is new: each has its id used up, in a space that is
    not that of the messages that hold. Of an old one, or one without an id, it cannot be known."""
    if not logout_refused.is_signed:
        return STRAY
    message_id, ends_at = logout_refused.message_id, logout_refused.ends_at
    if not message_id or ends_at is None:
        return REPEATED
    return SIGNED if use_assertion(provider, f"refused logout {message_id}", ends_at) else REPEATED


def _refused(request: HttpRequest, provider: IdentityProvider, sentence: str, kind: str) -> HttpResponse:
    slug = provider.business.slug
    # As with answers, the audit takes so much in an hour and business: of signed ones, too, since whoever has seen the
    # address of one can open it again and again. Each kind has room of its own: who repeats takes no room of what is new.
    if _is_within(request, "saml_refused", f"{slug} {kind}"):
        record_refused_sign_out(provider, sentence)
    else:
        log.warning("SAML sign-out refused, and not in the audit: too many of them", business=slug, reason=sentence)
    return _back(request, slug, sentence)


def _is_within(request: HttpRequest, action: str, key: str | None = None) -> bool:
    """Whether a limit is kept to. allauth's public way counts no GET, and a provider's word comes by GET alone."""
    return ratelimit.consume(request, app="allauth.account", action=action, key=key, limit_get=True) is not None


def _back(request: HttpRequest, slug: str, sentence: str) -> HttpResponse:
    back: HttpResponse = back_to_sign_on(request, slug, sentence).response
    return back
