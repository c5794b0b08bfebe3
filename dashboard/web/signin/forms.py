"""The forms of signing in: where somebody works, and passkeys and security keys, whose answers anybody may post and are
read with a bound to their depth."""

from typing import Any

from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
    SignupWebAuthnForm,
)
from django import forms

from dashboard.client.json import read_untrusted_json
from dashboard.web.fields import Name, Verbatim

LONGEST_ANSWER = 65_536
UNREADABLE = "The answer of the passkey cannot be read. Try again."


class CredentialField(Verbatim):
    """What an authenticator answers: an object of JSON, as a dictionary."""

    def __init__(self) -> None:
        super().__init__(max_length=LONGEST_ANSWER, widget=forms.HiddenInput)

    def clean(self, value: Any) -> dict[str, Any]:
        """The object that was posted; ValidationError for what is none, too long, or nested too deep."""
        typed = super().clean(value)
        try:
            credential = read_untrusted_json(typed)
        except ValueError:
            raise forms.ValidationError(UNREADABLE, code="invalid") from None
        if not isinstance(credential, dict):
            raise forms.ValidationError(UNREADABLE, code="invalid")
        return credential


class PasskeyForm(forms.Form):
    """A form whose `credential` is read by CredentialField."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["credential"] = CredentialField()


class AddPasskeyForm(PasskeyForm, AddWebAuthnForm):
    """Adds a passkey or a security key."""


class SignUpPasskeyForm(PasskeyForm, SignupWebAuthnForm):
    """The first passkey of somebody who has none."""


class SecondFactorPasskeyForm(PasskeyForm, AuthenticateWebAuthnForm):
    """A passkey as the second factor of signing in."""


class SignInPasskeyForm(PasskeyForm, LoginWebAuthnForm):
    """Signs in by a passkey alone."""


class VerifyPasskeyForm(PasskeyForm, ReauthenticateWebAuthnForm):
    """Verifies again by a passkey."""


class SignOnForm(forms.Form):
    """Where somebody works: told by their e-mail address, or by the address of the business."""

    business = Name(
        label="Work email, or your business's address",
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "email", "autocapitalize": "none", "spellcheck": "false"}),
        help_text="For example mary@example.com, or the word after the slash in your business's address.",
    )
