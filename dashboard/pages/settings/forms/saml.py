"""What comes in about the identity provider of a business that speaks SAML 2.0; FORMS has a form for each protocol."""

import re
from typing import Any

from django import forms

from dashboard.pages.settings.forms.single_sign_on import OpenIdForm, ProviderForm
from dashboard.single_sign_on.address import AddressRefused, check_in_requests, check_link
from dashboard.single_sign_on.certificates import CertificateRefused, read_certificates
from dashboard.single_sign_on.models import Protocol
from dashboard.web.fields import TextBlock, Verbatim

# An entity id is a URI: an address, or a name such as urn:example:login.
ENTITY_ID = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[!-~]+\Z")
ADDRESS = re.compile(r"[!-~]+")


def address_field(label: str, help_text: str, *, required: bool = True) -> Verbatim:
    """An address at the provider that browsers are led to, taken to the letter."""
    return Verbatim(label=label, required=required, max_length=500, strip=True, help_text=help_text)


class SamlForm(ProviderForm):
    """An identity provider by SAML 2.0."""

    protocol_of_form = Protocol.SAML
    issuer = Verbatim(
        label="Entity id of the provider",
        max_length=300,
        strip=True,
        help_text="Also called issuer or identifier, for example https://login.example.com/metadata",
    )
    sign_on_address = address_field("Sign-on address", "Where browsers sign in, by HTTP-Redirect.")
    certificates = TextBlock(
        label="Signing certificates",
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "autocapitalize": "none"}),
        help_text="In PEM, one after the other. Add the next one before the provider changes its key.",
    )
    email_attribute = Verbatim(
        label="Attribute with the email address",
        required=False,
        max_length=190,
        strip=True,
        help_text="Leave it empty for the usual ones, or where the name id is the address.",
    )
    groups_claim = Verbatim(
        label="Attribute with the groups",
        required=False,
        max_length=190,
        strip=True,
        help_text="Of the assertion; usually groups.",
    )
    signs_requests = forms.BooleanField(
        label="Sign-in requests are signed",
        required=False,
        help_text="With our key, whose certificate our metadata has.",
    )
    requires_encryption = forms.BooleanField(
        label="Assertions are encrypted",
        required=False,
        help_text="To our key: one that is not encrypted is refused then. Give the provider our metadata first.",
    )
    logout_address = address_field(
        "Single logout address", "Where browsers sign out, by HTTP-Redirect. Empty: no single logout.", required=False
    )
    logout_response_address = address_field(
        "Single logout response address",
        "Where its sign-outs are answered, by HTTP-Redirect. Empty: at the single logout address.",
        required=False,
    )
    field_order = (
        "protocol", "is_on", "name", "issuer", "sign_on_address", "certificates", "email_attribute", "signs_requests",
        "requires_encryption", "logout_address", "logout_response_address",
    )  # fmt: skip

    def clean_issuer(self) -> str:
        """An entity id: a URI, to the letter as the provider writes it."""
        entity_id = str(self.cleaned_data["issuer"])
        if not ENTITY_ID.fullmatch(entity_id):
            raise forms.ValidationError("Enter the provider's entity id, such as https://login.example.com/metadata.")
        return entity_id

    def clean_sign_on_address(self) -> str:
        """An address that a browser may be led to, in the characters of which addresses are made."""
        return self._address("sign_on_address")

    def clean_logout_address(self) -> str:
        """An address that a browser may be led to for signing out; empty where there is no single logout."""
        return self._address("logout_address")

    def clean_logout_response_address(self) -> str:
        """Likewise for our answers; empty where they go to the address for signing out."""
        return self._address("logout_response_address")

    def _address(self, name: str) -> str:
        address = str(self.cleaned_data[name])
        if not address:
            return ""
        if not ADDRESS.fullmatch(address):
            raise forms.ValidationError("Enter the address in ASCII: hosts as xn--…, other characters as %…")
        try:
            check_link(address)
            check_in_requests(address)
        except AddressRefused as refused:
            raise forms.ValidationError(str(refused)) from None
        return address

    def clean_certificates(self) -> tuple[str, ...]:
        """The certificates, each as DER in base64."""
        try:
            return read_certificates(str(self.cleaned_data["certificates"]), stored=self.stored_certificates)
        except CertificateRefused as refused:
            raise forms.ValidationError(str(refused)) from None

    def clean(self) -> dict[str, Any]:
        """An answer only where there is single logout, and nothing by our key before there is one that the provider can have been given."""
        data = super().clean()
        if data.get("logout_response_address") and data.get("logout_address") == "":
            self.add_error(
                "logout_response_address", "Enter the single logout address, too: without it nobody is signed out."
            )
        for name in ("signs_requests", "requires_encryption"):
            if data.get(name) and not self.key_is_stored:
                self.add_error(
                    name, "Save without it first: our metadata then has the certificate that the provider needs."
                )
        return data


FORMS: dict[str, type[ProviderForm]] = {Protocol.OIDC: OpenIdForm, Protocol.SAML: SamlForm}
