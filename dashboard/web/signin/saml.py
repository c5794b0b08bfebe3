"""SAML 2.0 by allauth's provider: our addresses, how a sign-in begins, and whose it is once the assertion is checked.

The toolkit that writes requests and checks signatures is loaded by the first sign-in that needs it, not at start.
"""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict
from xml.sax.saxutils import escape

from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.saml.provider import SAMLProvider
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse

from dashboard.single_sign_on.models import IdentityProvider
from dashboard.single_sign_on.selectors import own_signing_key_of
from dashboard.web.signin.saml_bindings import redirect_address
from dashboard.web.signin.saml_names import SamlName

if TYPE_CHECKING:
    from onelogin.saml2.settings import OneLogin_Saml2_Settings

PROVIDER = "saml"
POST_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
REDIRECT_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
UNSPECIFIED = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified"
# What the toolkit asks of an answer: assertions are signed one by one. Signing our requests and decrypting are done beside it
# (saml_bindings.py, saml_encryption.py), so that what it checks is what is read.
SECURITY = {
    "authnRequestsSigned": False, "wantAssertionsSigned": True, "wantMessagesSigned": False, "wantNameId": True,
    "wantAssertionsEncrypted": False, "wantNameIdEncrypted": False, "wantAttributeStatement": False,
    "rejectDeprecatedAlgorithm": True, "allowRepeatAttributeName": False, "requestedAuthnContext": False,
    "allowSingleLabelDomains": True,
}  # fmt: skip


class AssertionClaims(TypedDict):
    """What a checked assertion says, under the names that an ID token has for it: the provider's entity id, whose the name id
    is (saml_names.uid_of), the address, the id of the request that it answers (`nonce`), when somebody signed in (epoch
    seconds), and their groups; by names of its own the name id and the index of the session there,
    "" where it has none."""

    iss: str
    sub: str
    email: str
    email_verified: bool
    nonce: str
    auth_time: int
    groups: list[str]
    name: SamlName
    session_index: str


class IdpSettings(TypedDict):
    """What has to be known of a provider; the certificates are DER in base64, `signing_key` is our key that signs
    (PEM) where requests are signed, else empty."""

    entity_id: str
    sso_url: str
    certificates: list[str]
    signing_key: str


@dataclass(frozen=True, slots=True)
class SamlAddresses:
    """What a provider is told of us for one business: our entity id, which is where our metadata stands, the assertion
    consumer service, to which it posts its answers, and where it says that somebody has signed out."""

    entity_id: str
    consumer: str
    logout: str


class ToolkitRequest(TypedDict):
    """What the toolkit asks of a request: whether it came by https ("on"), to which host and path, and its fields, of which it
    is given none, since they are read here."""

    https: str
    http_host: str
    script_name: str
    path_info: str
    get_data: dict[str, str]
    post_data: dict[str, str]


def saml_addresses(request: HttpRequest, slug: str) -> SamlAddresses:
    """Our addresses for the business at this slug."""
    names = ("saml_metadata", "saml_consumer", "saml_logout")
    return SamlAddresses(*(request.build_absolute_uri(reverse(name, args=[slug])) for name in names))


def saml_app_of(provider: IdentityProvider) -> SocialApp:
    """What allauth knows a SAML provider by; never stored."""
    slug, idp = provider.business.slug, idp_settings(provider)
    return SocialApp(provider=PROVIDER, provider_id=slug, client_id=slug, name=provider.name, settings={"idp": idp})


def idp_settings(provider: IdentityProvider) -> IdpSettings:
    """Of a SAML provider, as it is set up."""
    return {
        "entity_id": provider.issuer, "sso_url": provider.sign_on_address, "certificates": list(provider.certificates),
        "signing_key": own_signing_key_of(provider) if provider.signs_requests else "",
    }  # fmt: skip


def request_data(address: str) -> ToolkitRequest:
    """What the toolkit asks of a request that came to one of our addresses."""
    scheme, _, rest = address.partition("://")
    host, _, path = rest.partition("/")
    return {
        "https": "on" if scheme == "https" else "off", "http_host": host, "script_name": "", "path_info": f"/{path}",
        "get_data": {}, "post_data": {},
    }  # fmt: skip


def toolkit_settings(
    idp: IdpSettings, ours: SamlAddresses, *, logout: dict[str, str] | None = None
) -> "OneLogin_Saml2_Settings":
    """The toolkit's settings for one provider: strict, and asking for SECURITY. `logout` is where it is told of sign-outs
    ("url"), and of ours to its own ("responseUrl")."""
    from onelogin.saml2.settings import OneLogin_Saml2_Settings

    service = {"singleLogoutService": {**logout, "binding": REDIRECT_BINDING}} if logout else {}
    consumer = {"url": ours.consumer, "binding": POST_BINDING}
    return OneLogin_Saml2_Settings(
        {
            "strict": True,
            "debug": False,
            "sp": {"entityId": ours.entity_id, "assertionConsumerService": consumer, "NameIDFormat": UNSPECIFIED},
            "idp": {
                "entityId": idp["entity_id"],
                "singleSignOnService": {"url": idp["sso_url"], "binding": REDIRECT_BINDING},
                "x509certMulti": {"signing": idp["certificates"], "encryption": idp["certificates"][:1]},
                **service,
            },
            "security": dict(SECURITY),
        }
    )


class SamlProvider(SAMLProvider):
    """allauth's, which is handed the claims of a checked assertion (signin/saml_answers.py) in place of a toolkit's object."""

    def redirect(
        self, request: HttpRequest, process: str, next_url: str | None = None, data: Any = None, **kwargs: Any
    ) -> HttpResponseRedirect:
        """The redirect to the provider; its request's id is noted in the session, as the nonce of OpenID Connect is."""
        from onelogin.saml2.authn_request import OneLogin_Saml2_Authn_Request
        from onelogin.saml2.errors import OneLogin_Saml2_Error

        verifies = (kwargs.pop("auth_params", None) or {}).get("prompt") == "login"
        ours, idp = saml_addresses(request, self.app.client_id), self.app.settings["idp"]
        try:
            # The toolkit writes the address into its XML as it stands: two parameters would make it none.
            in_xml = escape(idp["sso_url"], {'"': "&quot;"})
            in_its_xml: IdpSettings = {
                "entity_id": idp["entity_id"], "sso_url": in_xml, "certificates": idp["certificates"], "signing_key": "",
            }  # fmt: skip
            settings = toolkit_settings(in_its_xml, ours)
            authn_request = OneLogin_Saml2_Authn_Request(settings, force_authn=verifies, set_nameid_policy=False)
            # An answer's RelayState is not read: where somebody was on their way to stands in their session.
            request_text = authn_request.get_request()
            address = redirect_address(idp["sso_url"], idp["signing_key"], SAMLRequest=request_text)
        except OneLogin_Saml2_Error as error:
            raise ValueError(str(error)) from error
        request_id = authn_request.get_id()
        self.stash_redirect_state(
            request, process, next_url, data, state_id=request_id, nonce=request_id, sent_at=time.time(), **kwargs
        )
        return HttpResponseRedirect(address)

    def extract_uid(self, claims: AssertionClaims) -> str:
        """Whose identity it is at this provider: of the name id, in its name space."""
        return claims["sub"]

    def extract_extra_data(self, claims: AssertionClaims) -> dict[str, AssertionClaims]:
        """The claims, as those of an ID token stand there."""
        return {"assertion": claims}

    def extract_common_fields(self, claims: AssertionClaims) -> dict[str, str]:
        """The address alone: a sign-in makes no account and changes no name."""
        return {"email": claims["email"]}
