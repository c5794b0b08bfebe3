"""The form of a new card for somebody else."""

from typing import Any

from django import forms

from dashboard.access.actor import Actor
from dashboard.mirror.models import Wallet
from dashboard.mirror.scopes import visible_employees, visible_wallets
from dashboard.pages.cards.forms.fields import CardAmountField
from dashboard.pages.cards.forms.requests import AddressPart
from dashboard.pages.cards.selectors.funding import funding_choices, is_funding_known
from dashboard.schemas.card_bodies import CreateCardBody
from dashboard.schemas.cards import ALLOCATION, BUSINESS_WALLET, CardControls
from dashboard.web.card_text import CARD_KINDS
from dashboard.web.fields import Name, set_choices
from dashboard.web.person_field import PersonField, person_choices


class NewCardForm(AddressPart):
    """A card for somebody else; more controls can be given to it once it is there."""

    field_order = (
        "employee_id", "name", "type", "funding", "org_wallet_ref", "one_purchase", "in_a_month", "ship_name", "street",
        "city", "country",
    )  # fmt: skip
    employee_id = PersonField(label="Cardholder")
    name = Name(max_length=100, label="Purpose", help_text="Such as Fuel: it is the card's name.")
    type = forms.ChoiceField(choices=list(CARD_KINDS.items()), label="Kind")
    funding = forms.ChoiceField(label="Funding source", initial=ALLOCATION)
    org_wallet_ref = forms.ChoiceField(
        label="Wallet", help_text="The business wallet it spends from, or whose currency the allocation uses."
    )
    one_purchase = CardAmountField(label="Per-transaction limit", help_text="In the wallet's currency.")
    in_a_month = CardAmountField(label="Monthly limit")

    def __init__(self, *given: Any, actor: Actor, **more: Any) -> None:
        super().__init__(*given, **more)
        self.locale = actor.business.locale
        people = visible_employees(actor).filter(status="ACTIVE").exclude(remote_id=actor.employee_id or "-")
        holder = self.fields["employee_id"]
        assert isinstance(holder, PersonField)
        holder.offer(person_choices(actor, people.order_by("sort_name", "pk")), "Choose…")
        self.people = people
        wallets = visible_wallets(actor).filter(status="ACTIVE").order_by("currency", "name")
        self.wallets: dict[str, Wallet] = {wallet.org_wallet_ref: wallet for wallet in wallets}
        options = [(ref, f"{wallet.name or ref} · {wallet.currency}") for ref, wallet in self.wallets.items()]
        set_choices(self, "org_wallet_ref", options)
        self._offer_funding(actor)

    def _offer_funding(self, actor: Actor) -> None:
        if not is_funding_known(actor):
            del self.fields["funding"]
            self.fields["org_wallet_ref"].help_text = ""
            return
        choices = funding_choices(actor)
        self.fields["funding"].choices = choices  # type: ignore[attr-defined]
        self.fields["funding"].help_text = (
            "A business wallet needs a monthly limit."
            if len(choices) > 1
            else "What an approver allocates to the holder. An admin can let it spend a business wallet."
        )

    def clean(self) -> dict[str, Any]:
        """Amounts in the wallet's currency; an address for a physical card alone."""
        cleaned = super().clean()
        wallet = self.wallets.get(cleaned.get("org_wallet_ref", ""))
        for name in ("one_purchase", "in_a_month"):
            field = self.fields[name]
            if wallet is not None and cleaned.get(name) is not None and isinstance(field, CardAmountField):
                try:
                    cleaned[name] = field.in_minor(cleaned[name], wallet.currency)
                except forms.ValidationError as wrong:
                    self.add_error(name, wrong)
        if (
            cleaned.get("funding") == BUSINESS_WALLET
            and not cleaned.get("in_a_month")
            and "in_a_month" not in self.errors
        ):
            self.add_error("in_a_month", "A card that spends a business wallet needs a monthly limit.")
        if cleaned.get("street") and cleaned.get("type") != "PHYSICAL":
            self.add_error("street", "Only a physical card is shipped.")
        return cleaned

    def holder_name(self) -> str:
        """The name of whoever was chosen."""
        name = self.people.filter(remote_id=self.cleaned_data["employee_id"]).values_list("name", flat=True).first()
        return name or ""

    def body(self) -> CreateCardBody:
        """The body of CREATE_CARD, amounts in minor units of the wallet's currency."""
        cleaned = self.cleaned_data
        controls: CardControls = {}
        if cleaned["one_purchase"]:
            controls["per_transaction_limit"] = cleaned["one_purchase"]
        if cleaned["in_a_month"]:
            controls["limits"] = [{"interval": "PER_MONTH", "amount": cleaned["in_a_month"]}]
        return {
            "employee_id": cleaned["employee_id"],
            "name": cleaned["name"],
            "org_wallet_ref": cleaned["org_wallet_ref"],
            "type": cleaned["type"],
            "funding": BUSINESS_WALLET if cleaned.get("funding") == BUSINESS_WALLET else None,
            "controls": controls or None,
            "shipping": self.shipping(),
        }
