"""How people sign in at the business's own identity provider: by OpenID Connect or SAML, and who provisions them."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from dashboard import operations_pages
from dashboard.access.actor import ActorRequest
from dashboard.access.decorators import needs
from dashboard.errors import Conflict
from dashboard.pages.settings.forms.saml import FORMS, SamlForm
from dashboard.pages.settings.forms.saml_metadata import MetadataForm
from dashboard.pages.settings.forms.single_sign_on import ProviderForm
from dashboard.pages.settings.selectors.settings import identity_provider
from dashboard.pages.settings.selectors.single_sign_on import protocol_of, sign_on_context, sign_on_state
from dashboard.pages.settings.views.settings import PROPOSED
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.own_key import change_own_key
from dashboard.proposals.scim_token import may_issue_token, propose_token
from dashboard.proposals.single_sign_on import change_single_sign_on
from dashboard.scim.tokens import end_token, issue_token
from dashboard.single_sign_on.models import Protocol
from dashboard.web.respond import page
from dashboard.web.signin.middleware import confirm_first
from dashboard.web.signin.providers import callback_address
from dashboard.web.signin.saml import saml_addresses
from dashboard.web.submission import posted_key

KEY_RENEWED = "The key is renewed: give the provider our metadata anew, and use the renewed key then."
KEY_USED = "The renewed key is used, and the previous one is removed."


@require_http_methods(["GET", "POST"])
@needs(operations_pages.MEMBERS)
def single_sign_on(request: ActorRequest, business: str) -> HttpResponse:
    """The identity provider of the business: changed at once, or by a second super admin where the business asks for one."""
    protocol = protocol_of(request.actor, request.POST.get("protocol") or request.GET.get("protocol", ""))
    sent = request.POST if request.method == "POST" else None
    form = FORMS[protocol](sent, **sign_on_state(request.actor, protocol))
    if request.method == "GET" or not form.is_valid():
        return _single_sign_on_page(request, form, status=422 if form.is_bound else 200)
    if verification := confirm_first(request, request.path):
        return verification
    proposal = change_single_sign_on(request.actor, form.new_settings(), key=posted_key(request))
    messages.success(request, PROPOSED if proposal else "Saved.")
    return redirect("settings_single_sign_on", business)


@require_POST
@needs(operations_pages.MEMBERS)
def saml_metadata(request: ActorRequest, business: str) -> HttpResponse:
    """The form of a SAML provider, filled in with what its metadata says: nothing is stored before that is saved."""
    read = MetadataForm(request.POST, request.FILES)
    metadata = read.provider if read.is_valid() else None
    form = SamlForm(**sign_on_state(request.actor, Protocol.SAML, metadata))
    return _single_sign_on_page(
        request, form, status=200 if metadata else 422, metadata_form=read, is_read=bool(metadata)
    )


def _single_sign_on_page(request: ActorRequest, form: ProviderForm, **given: Any) -> HttpResponse:
    context = sign_on_context(request.actor) | {
        "form": form, "key": posted_key(request), "callback": callback_address(request), "token": given.get("token", ""),
        "protocol": form.protocol_of_form, "ours": saml_addresses(request, request.actor.business.slug),
        "metadata_form": given.get("metadata_form") or MetadataForm(), "is_read": given.get("is_read", False),
    }  # fmt: skip
    return page(request, "settings/single_sign_on.html", context, status=given.get("status", 200))


@require_POST
@needs(operations_pages.MEMBERS)
def renew_key(request: ActorRequest, business: str) -> HttpResponse:
    """A new key of ours is published, immediately or by a second super admin; the one before it goes on signing."""
    return _change_key(request, removes=False)


@require_POST
@needs(operations_pages.MEMBERS)
def remove_key(request: ActorRequest, business: str) -> HttpResponse:
    """The renewed key signs; nothing is decrypted with the previous one any more, and our metadata has it no more."""
    return _change_key(request, removes=True)


def _change_key(request: ActorRequest, *, removes: bool) -> HttpResponse:
    if verification := confirm_first(request, request.path):
        return verification
    try:
        proposal = change_own_key(
            request.actor, removes=removes, key=posted_key(request), seen_fingerprint=request.POST.get("fingerprint", ""),
            is_confirmed=request.POST.get("is_confirmed") == "on",
        )  # fmt: skip
    except Conflict as refused:
        messages.error(request, refused.user_message)
    else:
        messages.success(request, PROPOSED if proposal else KEY_USED if removes else KEY_RENEWED)
    return redirect("settings_single_sign_on", request.actor.business.slug)


@require_POST
@needs(operations_pages.MEMBERS)
def issue_scim_token(request: ActorRequest, business: str) -> HttpResponse:
    """A new SCIM token in place of the one before: this answer is the only one that shows it."""
    if verification := confirm_first(request, request.path):
        return verification
    if identity_provider(request.actor) is None:
        messages.error(request, "Set the identity provider up first: its email domains say whom it may add.")
        return redirect("settings_single_sign_on", business)
    if requires_second_admin(request.actor.business) and not may_issue_token(request.actor):
        propose_token(request.actor, key=posted_key(request))
        messages.success(request, "Proposed: once a second super admin confirms it, you have a day to issue the token.")
        return redirect("settings_single_sign_on", business)
    token = issue_token(request.actor)
    protocol = protocol_of(request.actor, "")
    form = FORMS[protocol](**sign_on_state(request.actor, protocol))
    return _single_sign_on_page(request, form, token=token)


@require_POST
@needs(operations_pages.MEMBERS)
def end_scim_token(request: ActorRequest, business: str) -> HttpResponse:
    """Ends the SCIM token: the identity provider adds and removes nobody any more."""
    if verification := confirm_first(request, request.path):
        return verification
    end_token(request.actor)
    messages.success(request, "The SCIM token has ended.")
    return redirect("settings_single_sign_on", business)
