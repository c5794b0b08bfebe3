"""Single sign-on by SAML: our metadata, where a provider posts its answer, and the sign-in that follows in the session.

A browser sends no session with a post from another site, so the answer is checked as it comes, and what it says waits
under a cookie of its own for the page that it leads on to, which knows whether this browser had asked.
"""

import structlog
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import complete_social_login
from allauth.socialaccount.sessions import LoginSession
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from dashboard.access.decorators import public
from dashboard.single_sign_on.models import IdentityProvider, Protocol
from dashboard.single_sign_on.selectors import provider_at, published_certificates
from dashboard.single_sign_on.services import use_assertion
from dashboard.web.signin.providers import OFF, SAML_SESSION, back_to_sign_on, record_refusal, record_stray_answer
from dashboard.web.signin.saml import saml_addresses
from dashboard.web.signin.saml_answers import AnswerRefused, CheckedAssertion, read_answer
from dashboard.web.signin.saml_logout import SamlSession

log = structlog.get_logger(__name__)

SESSION, COOKIE = "saml_answer", "countersign_saml"
WAITS_S = 120
USED = "Your identity provider's answer has been used already. Start again."
ANOTHER = "The answer belongs to another sign-in. Start again."
TOO_OFTEN = "Too many attempts. Try again in a minute."


@require_GET
@public
def our_metadata(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Our metadata for a business, whether there is one at this address or not: it is entered before anything is set up, and
    does not say which businesses there are, but of those that have set SAML up."""
    provider = provider_at(provider_id, is_on=False)
    certificates = published_certificates(provider)
    context = {
        "ours": saml_addresses(request, provider_id),
        # A provider that reads one of each takes the first: what signs now, and what can be encrypted to from now on.
        "keys": [("signing", own) for own in certificates] + [("encryption", own) for own in reversed(certificates)],
        "signs_requests": bool(provider and certificates and provider.signs_requests),
        "has_logout": bool(provider and certificates and provider.logout_address),
    }  # fmt: skip
    return render(request, "account/saml_metadata.xml", context, content_type="application/samlmetadata+xml")


@csrf_exempt
@require_POST
@public
def assertion_consumer(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Takes a provider's answer (HTTP-POST): checked, and used up. What else is posted, RelayState among it, is not read."""
    if not ratelimit.consume(request, action="saml_answer"):
        return _refused(request, provider_id, TOO_OFTEN)
    provider = provider_at(provider_id)
    if provider is None or provider.protocol != Protocol.SAML:
        return _refused(request, provider_id, OFF)
    try:
        answer = read_answer(provider, saml_addresses(request, provider_id), request.POST.get("SAMLResponse", ""))
    except AnswerRefused as refused:
        return _answer_refused(request, provider, refused)
    if not use_assertion(provider, answer.assertion_id, answer.ends_at):
        return _refused(request, provider_id, USED, provider)
    return _onward(request, provider_id, answer)


@require_GET
@public
def finish_sign_in(request: HttpRequest, provider_id: str) -> HttpResponse:
    """The sign-in whose answer has just been checked: once, in the browser that began it. Our adapter says who is let in."""
    waiting = LoginSession(request, SESSION, COOKIE)
    slug, claims = waiting.store.get("business"), waiting.store.get("claims")
    waiting.delete()
    provider = provider_at(provider_id)
    if provider is None or provider.protocol != Protocol.SAML:
        return _refused(request, provider_id, OFF)
    if claims is None or slug != provider_id:
        return _refused(request, provider_id, ANOTHER)
    by_allauth = get_adapter(request).get_provider(request, provider_id)
    try:
        state = by_allauth.unstash_redirect_state(request, claims["nonce"])
    except PermissionDenied:
        return _refused(request, provider_id, ANOTHER, provider, claims["email"])
    login = by_allauth.sociallogin_from_response(request, claims)
    there: SamlSession = {"name": claims["name"], "index": claims["session_index"]}
    login.state = {**state, SAML_SESSION: there}
    response: HttpResponse = complete_social_login(request, login)
    response.delete_cookie(COOKIE, path=request.path)
    return response


def _onward(request: HttpRequest, slug: str, assertion: CheckedAssertion) -> HttpResponse:
    response = HttpResponseRedirect(reverse("saml_finish", args=[slug]))
    # A session of its own each time, whatever cookie comes along.
    request.COOKIES.pop(COOKIE, None)
    waiting = LoginSession(request, SESSION, COOKIE)
    waiting.store.update({"business": slug, "claims": assertion.claims})
    waiting.store.set_expiry(WAITS_S)
    waiting.save(response)
    response.cookies[COOKIE]["httponly"] = True
    return response


def _answer_refused(request: HttpRequest, provider: IdentityProvider, answer_refused: AnswerRefused) -> HttpResponse:
    slug, sentence = provider.business.slug, str(answer_refused)
    if answer_refused.is_signed:
        return _refused(request, slug, sentence, provider)
    # Anybody posts what is not signed: the audit, which is never cut, takes so much of it in an hour and business.
    if ratelimit.consume(request, action="saml_refused", key=f"{slug} stray answer"):
        record_stray_answer(provider, sentence)
    else:
        log.warning("SAML answer refused, and not in the audit: too many of them", business=slug, reason=sentence)
    return _refused(request, slug, sentence)


def _refused(
    request: HttpRequest, slug: str, sentence: str, provider: IdentityProvider | None = None, email: str = ""
) -> HttpResponse:
    """Back to where single sign-on begins, told why; in the audit of the business where one signs in by SAML."""
    if provider is not None:
        record_refusal(provider, sentence, email)
    back: ImmediateHttpResponse = back_to_sign_on(request, slug, sentence)
    return back.response
