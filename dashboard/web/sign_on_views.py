"""Single sign-on: where somebody begins, the way to their identity provider and back, and verifying again in between."""

import structlog
from allauth.core import ratelimit
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_http_methods

from dashboard.access.decorators import own_account, public
from dashboard.single_sign_on.address import AddressRefused, check_address, check_link, origin_of
from dashboard.single_sign_on.models import IdentityProvider, Protocol
from dashboard.single_sign_on.selectors import provider_at, provider_for
from dashboard.web.respond import page
from dashboard.web.signin.forms import SignOnForm
from dashboard.web.signin.openid import PROVIDER_ERRORS, OpenIdAdapter, is_unreachable
from dashboard.web.signin.providers import ONLY_BUSINESS, UNCLEAR, UNREACHABLE, sign_on_address

log = structlog.get_logger(__name__)


@require_http_methods(["GET", "POST"])
@public
def sign_on(request: HttpRequest) -> HttpResponse:
    """Asks where somebody works, then shows the way to the identity provider of that business."""
    if request.method == "GET":
        return _form_page(request, SignOnForm(initial={"business": request.GET.get("business", "")}))
    form = SignOnForm(request.POST)
    if not ratelimit.consume(request, action="login"):
        form.add_error(None, "Too many attempts. Try again in a minute.")
        return _form_page(request, form, status=429)
    if not form.is_valid():
        return _form_page(request, form, status=422)
    provider = provider_for(form.cleaned_data["business"])
    if provider is None:
        form.add_error(
            "business", "No single sign-on is set up for this. Try your business's address, or your password."
        )
        return _form_page(request, form, status=422)
    return _to_provider(request, provider, AuthProcess.LOGIN)


@require_GET
@public
def start(request: HttpRequest, provider_id: str) -> HttpResponse:
    """The address that a business may give its people: the form, filled in."""
    return HttpResponseRedirect(sign_on_address(provider_id))


@require_GET
@public
def callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Back from the identity provider: allauth checks the answer, our adapter says who is let in."""
    row = provider_at(provider_id, is_on=False)
    if row is not None and row.protocol != Protocol.OIDC:
        raise Http404("no provider of OpenID Connect")
    try:
        response: HttpResponse = OAuth2CallbackView.adapter_view(OpenIdAdapter(request, provider_id))(request)
    except SocialApp.DoesNotExist:
        raise Http404("no such identity provider") from None
    except PROVIDER_ERRORS as error:
        return _failed(request, provider_id, error)
    return response


@require_http_methods(["GET", "POST"])
@own_account
def verify(request: HttpRequest) -> HttpResponse:
    """Verifies at the identity provider that it is still them: it is told to ask for the sign-in again."""
    provider = provider_at(request.session.get(ONLY_BUSINESS, ""))
    if provider is None:
        raise Http404("this session is of no identity provider")
    if request.method == "GET":
        return page(request, "account/sign_on_verify.html", {"provider": provider, "next": _next(request)})
    return _to_provider(request, provider, AuthProcess.REDIRECT, prompt="login", max_age="0")


def _form_page(request: HttpRequest, form: SignOnForm, status: int = 200) -> HttpResponse:
    return page(request, "account/sign_on.html", {"form": form, "next": _next(request)}, status=status)


def _next(request: HttpRequest) -> str:
    """The page of ours that somebody was on their way to; empty for none."""
    address = request.POST.get("next") or request.GET.get("next") or ""
    return address if url_has_allowed_host_and_scheme(address, None) and address.startswith("/") else ""


def _to_provider(request: HttpRequest, row: IdentityProvider, process: str, **auth_params: str) -> HttpResponse:
    """A page with the link to the provider. A link, since a form of ours may lead to our own origin alone (CSP), and since
    it says where one's password is about to be typed."""
    slug = row.business.slug
    try:
        provider = get_adapter(request).get_provider(request, slug)
        response: HttpResponse = provider.redirect(request, process, _next(request) or None, auth_params=auth_params)
        address = response["Location"]
        if address.startswith("/"):
            return response
        # What this server calls has to be public; where a browser goes may be in the business's own network.
        (check_link if row.protocol == Protocol.SAML else check_address)(address)
    except (*PROVIDER_ERRORS, AddressRefused) as error:
        return _failed(request, slug, error)
    context = {"provider": row, "address": address, "origin": origin_of(address), "verifies": bool(auth_params)}
    return page(request, "account/to_provider.html", context)


def _failed(request: HttpRequest, slug: str, error: Exception) -> HttpResponse:
    log.warning("single sign-on failed", business=slug, kind=type(error).__name__)
    messages.error(request, UNREACHABLE if is_unreachable(error) else UNCLEAR)
    back = reverse("entry") if request.user.is_authenticated else sign_on_address(slug)
    return HttpResponseRedirect(back)
