"""What somebody types who wants a card: where it goes, which wallet it pays from, what it is for."""

from decimal import Decimal
from typing import Any

from django import forms

from dashboard.access.actor import Actor
from dashboard.mirror.scopes import visible_cards, visible_wallets
from dashboard.pages.cards.codes import country_of
from dashboard.pages.cards.funding import states_funding
from dashboard.web.fields import AmountField, LocaleForm, Name, Sentences, TextLine

MAIN = "1"


def wallets_for(actor: Actor) -> list[tuple[str, str]]:
    """The wallets to choose from, by reference: those one sees, else those that one's own cards pay from."""
    seen = visible_wallets(actor).filter(status="ACTIVE").order_by("currency", "name")
    if found := [(one.org_wallet_ref, f"{one.name or one.org_wallet_ref} · {one.currency}") for one in seen[:100]]:
        return found
    own = visible_cards(actor).filter(employee_id=actor.employee_id).values_list("org_wallet_ref", "currency")
    refs = dict(own.order_by("org_wallet_ref"))
    return [(ref, f"Wallet {ref} · {currency}") for ref, currency in refs.items()] or [(MAIN, "The main wallet")]


def offer_wallets(form: forms.Form, actor: Actor) -> None:
    """The choice of a form's wallet; where the service says what cards spend, it says which allocation."""
    form.fields["org_wallet_ref"].choices = wallets_for(actor)  # type: ignore[attr-defined]
    if states_funding(actor):
        form.fields["org_wallet_ref"].help_text = "The card spends your allocation in this wallet's currency."


class AddressPart(forms.Form):
    """Where a physical card goes; nothing where it is fetched."""

    ship_name = Name(max_length=100, required=False, label="Ships to")
    street = Name(max_length=100, required=False)
    city = Name(max_length=100, required=False)
    country = TextLine(max_length=60, required=False, help_text="Such as Kenya.")

    locale = "en_KE"

    def clean_country(self) -> str:
        """Its code."""
        typed: str = self.cleaned_data["country"]
        code = country_of(typed, self.locale) if typed else ""
        if typed and not code:
            raise forms.ValidationError(f"“{typed[:30]}” is no country that is known here.")
        return code

    def clean(self) -> dict[str, Any]:
        """Whole, or not at all."""
        found = super().clean() or {}
        parts = {"ship_name", "street", "city", "country"}
        if any(found.get(part) for part in parts):
            for part in sorted(parts - set(self.errors)):
                if not found.get(part):
                    self.add_error(part, "An address is whole, or left out.")
        return found

    def shipping(self) -> dict[str, str] | None:
        """The address as it is sent."""
        found = self.cleaned_data
        if not found["street"]:
            return None
        return {
            "name": found["ship_name"], "street": found["street"], "city": found["city"], "country": found["country"],
        }  # fmt: skip


class PhysicalForm(AddressPart):
    """A physical card of one's own."""

    prefix = "physical"
    field_order = ("name", "org_wallet_ref", "ship_name", "street", "city", "country")
    name = Name(max_length=100, label="What for", help_text="Such as Travel: it is the card's name.")
    org_wallet_ref = forms.ChoiceField(label="Wallet")

    def __init__(self, *given: Any, actor: Actor, **more: Any) -> None:
        super().__init__(*given, **more)
        self.locale = actor.business.locale
        offer_wallets(self, actor)

    def body(self) -> dict[str, Any]:
        """What is sent."""
        found = self.cleaned_data
        return {"name": found["name"], "org_wallet_ref": found["org_wallet_ref"], "shipping": self.shipping()}


class OnceForm(LocaleForm):
    """A card for one purchase."""

    prefix = "once"
    purpose = Sentences(max_length=300, widget=forms.TextInput, label="What for")
    amount = AmountField(
        min_value=Decimal("0.0001"), max_value=10**13, error_messages={"min_value": "An amount is more than nothing."}
    )
    comparison = forms.ChoiceField(
        choices=(("LTE", "Up to this amount"), ("EQUALS", "Exactly this amount")), label="It may spend"
    )
    merchant = Name(max_length=100, required=False, help_text="Empty: any merchant.")
    org_wallet_ref = forms.ChoiceField(label="Wallet")

    def __init__(self, *given: Any, actor: Actor, **more: Any) -> None:
        super().__init__(*given, locale=actor.business.locale, **more)
        offer_wallets(self, actor)

    def body(self) -> dict[str, Any]:
        """What is sent."""
        return self.cleaned_data | {"merchant": self.cleaned_data["merchant"] or None}
