"""The forms by which a person asks for a card of their own: where it goes, which wallet it pays from, what it is for."""

from decimal import Decimal
from typing import Any

from django import forms

from dashboard.access.actor import Actor
from dashboard.pages.cards.presenters.codes import country_of
from dashboard.pages.cards.selectors.funding import is_funding_known, wallets_for
from dashboard.schemas.card_bodies import PhysicalCardBody, Shipping, SingleUseCardBody
from dashboard.web.fields import AmountField, LocaleForm, Name, Sentences, TextLine, set_choices


def offer_wallets(form: forms.Form, actor: Actor) -> None:
    """Sets the choices of the form's `org_wallet_ref`; where the service says what cards spend, its help says which
    allocation."""
    set_choices(form, "org_wallet_ref", wallets_for(actor))
    if is_funding_known(actor):
        form.fields["org_wallet_ref"].help_text = "The card spends your allocation in this wallet's currency."


class AddressPart(forms.Form):
    """Where a physical card is shipped to; empty where it is collected."""

    ship_name = Name(max_length=100, required=False, label="Ships to")
    street = Name(max_length=100, required=False)
    city = Name(max_length=100, required=False)
    country = TextLine(max_length=60, required=False, help_text="Such as Kenya.")

    locale = "en_KE"

    def clean_country(self) -> str:
        """The code of the country that was typed, "" for none; ValidationError for one that is not known."""
        typed: str = self.cleaned_data["country"]
        code = country_of(typed, self.locale) if typed else ""
        if typed and not code:
            raise forms.ValidationError(f"“{typed[:30]}” is not a known country.")
        return code

    def clean(self) -> dict[str, Any]:
        """All parts of the address, or none."""
        cleaned = super().clean() or {}
        parts = {"ship_name", "street", "city", "country"}
        if any(cleaned.get(part) for part in parts):
            for part in sorted(parts - set(self.errors)):
                if not cleaned.get(part):
                    self.add_error(part, "Enter a complete address, or leave it empty.")
        return cleaned

    def shipping(self) -> Shipping | None:
        """The `shipping` of a body: name, street, city, country; None without an address."""
        cleaned = self.cleaned_data
        if not cleaned["street"]:
            return None
        return {
            "name": cleaned["ship_name"], "street": cleaned["street"], "city": cleaned["city"], "country": cleaned["country"],
        }  # fmt: skip


class PhysicalForm(AddressPart):
    """A physical card of one's own."""

    prefix = "physical"
    field_order = ("name", "org_wallet_ref", "ship_name", "street", "city", "country")
    name = Name(max_length=100, label="Purpose", help_text="Such as Travel: it is the card's name.")
    org_wallet_ref = forms.ChoiceField(label="Wallet")

    def __init__(self, *given: Any, actor: Actor, **more: Any) -> None:
        super().__init__(*given, **more)
        self.locale = actor.business.locale
        offer_wallets(self, actor)

    def body(self) -> PhysicalCardBody:
        """What is sent to request the card."""
        cleaned = self.cleaned_data
        return {"name": cleaned["name"], "org_wallet_ref": cleaned["org_wallet_ref"], "shipping": self.shipping()}


class SingleUseForm(LocaleForm):
    """What somebody asks a card for one purchase with."""

    prefix = "once"
    purpose = Sentences(max_length=300, widget=forms.TextInput, label="Purpose")
    amount = AmountField(
        min_value=Decimal("0.0001"), max_value=10**13, error_messages={"min_value": "The amount must be above zero."}
    )
    comparison = forms.ChoiceField(
        choices=(("LTE", "Up to this amount"), ("EQUALS", "Exactly this amount")), label="Amount rule"
    )
    merchant = Name(max_length=100, required=False, help_text="Empty: any merchant.")
    org_wallet_ref = forms.ChoiceField(label="Wallet")

    def __init__(self, *given: Any, actor: Actor, **more: Any) -> None:
        super().__init__(*given, locale=actor.business.locale, **more)
        offer_wallets(self, actor)

    def body(self) -> SingleUseCardBody:
        """What is sent to request the card."""
        cleaned = self.cleaned_data
        return {
            "purpose": cleaned["purpose"],
            "amount": cleaned["amount"],
            "comparison": cleaned["comparison"],
            "merchant": cleaned["merchant"] or None,
            "org_wallet_ref": cleaned["org_wallet_ref"],
        }
