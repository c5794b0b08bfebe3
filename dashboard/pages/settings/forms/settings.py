"""What comes in from the settings: the connection, the roles with a second factor, the audit sample, people."""

from typing import Any, TypedDict

from django import forms

from dashboard.access.roles import REVIEWING, Role
from dashboard.decisions.samples import LARGEST_SHARE
from dashboard.errors import Rejected
from dashboard.web.fields import Name, Verbatim, WholeField
from dashboard.web.person_field import PersonChoices, PersonField


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


def secret_field(label: str, help_text: str) -> Verbatim:
    """A field for a secret that is optional, since a stored one stays."""
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
    client_secret = secret_field(
        "Client secret", "Stored encrypted and never shown again. Leave it empty to keep the one that is stored."
    )
    webhook_secret = secret_field(
        "Webhook secret", "Begins with whsec_. Leave it empty to keep the one that is stored."
    )

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

    def add_refusal(self, rejected: Rejected) -> None:
        """Puts what was refused beside its fields, or above the form where it names none of them."""
        for problem in rejected.fields:
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
