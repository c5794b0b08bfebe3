"""What comes in about the identity provider of a business: by OpenID Connect or by SAML."""

import re
from typing import Any

from django import forms

from dashboard.access.roles import NOT_ABOVE, Role
from dashboard.pages.settings.forms.settings import secret_field
from dashboard.proposals.single_sign_on_settings import SignOnSettings
from dashboard.single_sign_on.address import AddressRefused, check_address
from dashboard.single_sign_on.group_roles import CEILINGS, FIRST_CEILING
from dashboard.single_sign_on.models import Protocol
from dashboard.web.fields import Name, TextBlock, TextLine, Verbatim, set_choices

DOMAIN = re.compile(r"(?=.{4,253}\Z)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{1,61}\Z")
MOST_GROUPS = 50
ROLES_BY_WORD = {word: role for role in Role for word in (role.value.lower(), role.label.lower())}


class ProviderForm(forms.Form):
    """What both protocols ask of an identity provider. `domains` are those it may name, `secret_is_stored`, `key_is_stored`,
    `stored_issuer` and `stored_certificates` (DER in base64) what is there already; `break_glass` the super admins who
    could be it, as (membership id, name)."""

    protocol_of_form = Protocol.OIDC
    protocol = Verbatim(widget=forms.HiddenInput, required=False, max_length=4)
    is_on = forms.BooleanField(label="Single sign-on is on", required=False)
    name = Name(
        label="Name of the identity provider", max_length=60, help_text="As your people know it, for example Okta."
    )
    email_domains = TextLine(
        label="Email domains",
        max_length=1000,
        help_text="Separated by commas. Nobody else is signed in by this provider.",
    )
    is_required = forms.BooleanField(
        label="Single sign-on is required",
        required=False,
        help_text="Passwords and passkeys then open this business for the break-glass super admin alone.",
    )
    break_glass_id = forms.ChoiceField(
        label="Break-glass super admin",
        required=False,
        help_text="Enters with a password and a second factor while the provider fails. Each time, the other admins are told.",
    )
    groups_claim = Verbatim(
        label="Claim with the groups",
        required=False,
        max_length=60,
        strip=True,
        help_text="Of the ID token; usually groups.",
    )
    group_roles = TextBlock(
        label="Roles by group",
        required=False,
        max_length=5000,
        help_text="One per line: the group, a colon, the role. Whoever is in none of them is not let in then.",
    )
    ceiling = forms.ChoiceField(
        label="Highest role that a group gives",
        choices=[(role.value, role.label) for role in CEILINGS],
        initial=FIRST_CEILING.value,
    )

    def __init__(
        self,
        *args: Any,
        domains: frozenset[str],
        break_glass: list[tuple[str, str]],
        secret_is_stored: bool,
        key_is_stored: bool,
        stored_issuer: str,
        stored_certificates: frozenset[str],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.domains, self.secret_is_stored, self.stored_issuer = domains, secret_is_stored, stored_issuer
        self.stored_certificates, self.key_is_stored = stored_certificates, key_is_stored
        self.fields["protocol"].initial = self.protocol_of_form.value
        set_choices(self, "break_glass_id", [("", "nobody"), *break_glass])

    def clean_email_domains(self) -> tuple[str, ...]:
        """Domains in which super admins have their own addresses."""
        words = re.split(r"[,;\s]+", str(self.cleaned_data["email_domains"]).lower())
        domains = sorted({word.removeprefix("@") for word in words} - {""})
        if not domains:
            raise forms.ValidationError("Enter at least one domain, such as example.com.")
        for domain in domains:
            if not DOMAIN.fullmatch(domain):
                raise forms.ValidationError(f"{domain} is no domain, such as example.com.")
            if domain not in self.domains:
                raise forms.ValidationError(f"No super admin who has signed in has an address at {domain}.")
        return tuple(domains)

    def clean_group_roles(self) -> dict[str, str]:
        """{group: role}; each group once, each role one of ours."""
        roles: dict[str, str] = {}
        lines = [line.strip() for line in str(self.cleaned_data["group_roles"]).splitlines()]
        for line in filter(None, lines):
            group, colon, word = (part.strip() for part in line.rpartition(":"))
            role = ROLES_BY_WORD.get(word.lower())
            if not colon or not group or role is None:
                raise forms.ValidationError(f"“{line}” is not a group, a colon and a role, such as Finance: Approver.")
            if group in roles:
                raise forms.ValidationError(f"{group} is named twice: a group gives one role.")
            roles[group] = role.value
        if len(roles) > MOST_GROUPS:
            raise forms.ValidationError(f"At most {MOST_GROUPS} groups give roles.")
        return roles

    def clean(self) -> dict[str, Any]:
        """No role above the ceiling, a claim where there are groups, somebody who enters while the provider fails."""
        data = self.cleaned_data
        ceiling = data.get("ceiling")
        above = [
            group
            for group, role in (data.get("group_roles") or {}).items()
            if ceiling and role not in NOT_ABOVE[Role(ceiling)]
        ]
        if above:
            self.add_error("group_roles", f"{above[0]} gives a role above the highest that a group gives.")
        if data.get("group_roles") and not data.get("groups_claim"):
            source = "attribute" if self.protocol_of_form == Protocol.SAML else "claim"
            self.add_error("groups_claim", f"Name the {source} that holds the groups.")
        if data.get("is_required") and not data.get("is_on"):
            self.add_error("is_required", "Switch single sign-on on first.")
        if data.get("is_required") and not data.get("break_glass_id"):
            self.add_error("break_glass_id", "Choose a super admin who has a password and a second factor.")
        return data

    def new_settings(self) -> SignOnSettings:
        """The settings of a form that is valid; what the other protocol asks for is empty."""
        data = self.cleaned_data
        return SignOnSettings(
            is_on=data["is_on"],
            is_required=data["is_required"],
            protocol=self.protocol_of_form,
            name=data["name"],
            issuer=data["issuer"],
            client_id=data.get("client_id", ""),
            client_secret=data.get("client_secret", ""),
            sign_on_address=data.get("sign_on_address", ""),
            certificates=data.get("certificates", ()),
            email_attribute=data.get("email_attribute", ""),
            signs_requests=data.get("signs_requests", False),
            requires_encryption=data.get("requires_encryption", False),
            logout_address=data.get("logout_address", ""),
            logout_response_address=data.get("logout_response_address", ""),
            email_domains=data["email_domains"],
            groups_claim=data["groups_claim"],
            group_roles=data["group_roles"],
            ceiling=Role(data["ceiling"]),
            break_glass_id=int(data["break_glass_id"]) if data["break_glass_id"] else None,
        )


class OpenIdForm(ProviderForm):
    """An identity provider by OpenID Connect."""

    issuer = Verbatim(
        label="Issuer", max_length=300, strip=True, help_text="For example https://login.example.com/your-organisation"
    )
    client_id = Verbatim(label="Client id", max_length=190, strip=True)
    client_secret = secret_field(
        "Client secret", "Stored encrypted and never shown again. Leave it empty to keep the one that is stored."
    )
    field_order = ("protocol", "is_on", "name", "issuer", "client_id", "client_secret")

    def clean_issuer(self) -> str:
        """An address that this installation calls, without its last slash."""
        issuer = str(self.cleaned_data["issuer"]).rstrip("/")
        try:
            check_address(issuer)
        except AddressRefused as refused:
            raise forms.ValidationError(str(refused)) from None
        if "?" in issuer or "/.well-known/" in issuer:
            raise forms.ValidationError("Enter the issuer itself, without a question mark and without /.well-known/.")
        return issuer

    def clean(self) -> dict[str, Any]:
        """A secret for the issuer that it is sent to, beside what both protocols ask for."""
        data = super().clean()
        is_same = self.secret_is_stored and data.get("issuer") == self.stored_issuer
        if not data.get("client_secret") and not is_same and "issuer" in data:
            self.add_error("client_secret", "Enter the secret that this issuer gave you.")
        return data
