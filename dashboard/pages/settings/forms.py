"""What comes in from the settings: the connection, the roles with a second factor, the audit sample, people."""

import re
from typing import Any, TypedDict

from django import forms

from dashboard.access.roles import NOT_ABOVE, REVIEWING, Role
from dashboard.decisions.samples import LARGEST_SHARE
from dashboard.errors import Rejected
from dashboard.proposals.single_sign_on import SignOnSettings
from dashboard.single_sign_on.address import AddressRefused, check_address
from dashboard.single_sign_on.group_roles import CEILINGS, FIRST_CEILING
from dashboard.web.fields import Name, TextBlock, TextLine, Verbatim, WholeField, set_choices
from dashboard.web.person_field import PersonChoices, PersonField

DOMAIN = re.compile(r"(?=.{4,253}\Z)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{1,61}\Z")
MOST_GROUPS = 50
ROLES_BY_WORD = {word: role for role in Role for word in (role.value.lower(), role.label.lower())}


class OverrideRolesForm(forms.Form):
    """Which roles may approve what a policy blocks; none: nobody may."""

    override_roles = forms.MultipleChoiceField(
        choices=[(role.value, role.label) for role in Role if role in REVIEWING],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Roles that can override a policy",
        help_text="With a reason that the audit keeps. None selected: a blocked item is approved once the block is gone.",
    )


class SampleShareForm(forms.Form):
    """The share of the approvals of what looked clean that is sampled, in percent."""

    percent = WholeField(
        label="Share of clean approvals to sample (%)",
        help_text="From 1 to 100. At least one of each batch is drawn.",
        min_value=1,
        max_value=LARGEST_SHARE,
        error_messages={
            "required": "Enter a share from 1 to 100.",
            "invalid": "Enter a whole number from 1 to 100.",
            "min_value": "Enter a share from 1 to 100.",
            "max_value": "Enter a share from 1 to 100.",
        },
    )


class ConnectionFields(TypedDict):
    """How a business reaches its service; an empty `client_secret` and a `webhook_secret` of None stay as stored."""

    base_url: str
    remote_business_id: str
    client_id: str
    client_secret: str
    webhook_secret: str | None


def _secret(label: str, help_text: str) -> Verbatim:
    # Written and never shown again: empty keeps what is stored.
    widget = forms.PasswordInput(attrs={"autocomplete": "off"})
    return Verbatim(label=label, required=False, max_length=500, strip=True, widget=widget, help_text=help_text)


class ConnectionForm(forms.Form):
    """How the business reaches its service. Secrets are written, never shown again; empty keeps what is stored."""

    base_url = forms.URLField(
        label="Address of the service",
        max_length=300,
        assume_scheme="https",
        help_text="Up to the version, for example https://finance.example/v2",
    )
    remote_business_id = Verbatim(label="Business id there", max_length=64, strip=True)
    client_id = Verbatim(label="Client id", max_length=120, strip=True)
    client_secret = _secret(
        "Client secret", "Stored encrypted and never shown again. Leave it empty to keep the one that is stored."
    )
    webhook_secret = _secret("Webhook secret", "Begins with whsec_. Leave it empty to keep the one that is stored.")

    def clean_webhook_secret(self) -> str:
        """A Standard Webhooks secret, or ""; refused where it does not begin as one."""
        secret: str = self.cleaned_data["webhook_secret"]
        if secret and not all(part.startswith("whsec_") for part in secret.split()):
            raise forms.ValidationError("A webhook secret begins with whsec_.")
        return secret

    def account(self) -> ConnectionFields:
        """What was filled in, for `save_connection`."""
        data = self.cleaned_data
        return {
            "base_url": data["base_url"],
            "remote_business_id": data["remote_business_id"],
            "client_id": data["client_id"],
            "client_secret": data["client_secret"],
            "webhook_secret": data["webhook_secret"] or None,
        }

    def add_refusal(self, refusal: Rejected) -> None:
        """Puts what was refused beside its fields, or above the form where it names none of them."""
        for problem in refusal.fields:
            self.add_error(problem.field if problem.field in self.fields else None, problem.message)


class SecurityForm(forms.Form):
    """Which roles must have a second factor before they enter."""

    second_factor_roles = forms.MultipleChoiceField(
        label="Roles that require a second factor",
        choices=Role.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )


class InviteForm(forms.Form):
    """A person to invite: name, e-mail, role, and which employee of the service they are."""

    name = Name(max_length=150)
    email = forms.EmailField(label="Email", max_length=254)
    role = forms.ChoiceField(choices=Role.choices)
    employee_id = PersonField(
        label="Employee at the finance service",
        required=False,
        help_text="Without it they have no expenses of their own and cannot decide on anything.",
    )

    def __init__(self, *args: Any, employees: PersonChoices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice = self.fields["employee_id"]
        assert isinstance(choice, PersonField)
        choice.offer(employees, "none yet")


class MemberRoleForm(forms.Form):
    """The role that a member gets."""

    role = forms.ChoiceField(choices=Role.choices)


class ResetForm(forms.Form):
    """Why a second factor is to be taken away."""

    reason = Name(max_length=500, error_messages={"required": "Enter a reason for the other super admin."})


class SingleSignOnForm(forms.Form):
    """The identity provider of a business. `domains` are those it may name, `secret_is_stored` and `stored_issuer` what is
    there already; `break_glass` the super admins who could be it, as (membership id, name)."""

    is_on = forms.BooleanField(label="Single sign-on is on", required=False)
    name = Name(
        label="Name of the identity provider", max_length=60, help_text="As your people know it, for example Okta."
    )
    issuer = Verbatim(
        label="Issuer", max_length=300, strip=True, help_text="For example https://login.example.com/your-organisation"
    )
    client_id = Verbatim(label="Client id", max_length=190, strip=True)
    client_secret = _secret(
        "Client secret", "Stored encrypted and never shown again. Leave it empty to keep the one that is stored."
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
        stored_issuer: str,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.domains, self.secret_is_stored, self.stored_issuer = domains, secret_is_stored, stored_issuer
        set_choices(self, "break_glass_id", [("", "nobody"), *break_glass])

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
        """No role above the ceiling, a claim where there are groups, a secret for the issuer it is sent to."""
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
            self.add_error("groups_claim", "Name the claim that holds the groups.")
        is_same = self.secret_is_stored and data.get("issuer") == self.stored_issuer
        if not data.get("client_secret") and not is_same and "issuer" in data:
            self.add_error("client_secret", "Enter the secret that this issuer gave you.")
        if data.get("is_required") and not data.get("is_on"):
            self.add_error("is_required", "Switch single sign-on on first.")
        if data.get("is_required") and not data.get("break_glass_id"):
            self.add_error("break_glass_id", "Choose a super admin who has a password and a second factor.")
        return data

    def new_settings(self) -> SignOnSettings:
        """The settings of a form that is valid."""
        data = self.cleaned_data
        return SignOnSettings(
            is_on=data["is_on"],
            is_required=data["is_required"],
            name=data["name"],
            issuer=data["issuer"],
            client_id=data["client_id"],
            client_secret=data["client_secret"],
            email_domains=data["email_domains"],
            groups_claim=data["groups_claim"],
            group_roles=data["group_roles"],
            ceiling=Role(data["ceiling"]),
            break_glass_id=int(data["break_glass_id"]) if data["break_glass_id"] else None,
        )
