"""The form of an example purchase, which is simulated as a card is and as it would be."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypedDict
from zoneinfo import ZoneInfo

from django import forms

from dashboard.mirror.models import Card
from dashboard.pages.cards.forms.controls import ControlsPart
from dashboard.pages.cards.forms.fields import CodesField
from dashboard.pages.cards.presenters.codes import CHANNELS, MERCHANT_KINDS, countries
from dashboard.schemas.card_bodies import PurchaseBody
from dashboard.web.fields import AmountField, MomentField, Name, set_choices


class PurchaseInitial(TypedDict):
    """The initial values of a PurchaseForm, as they are typed."""

    amount: str
    merchant: str
    sells: str
    code: str
    country: str
    channel: str


class PurchaseForm(ControlsPart):
    """An example purchase that is simulated; nothing is bought."""

    prefix = "try"
    amount = AmountField(min_value=0, max_digits=18, required=False, label="Purchase amount")
    merchant = Name(max_length=100, required=False, label="Merchant")
    sells = forms.ChoiceField(
        choices=[("", "any category"), *((name, label) for name, (label, _) in MERCHANT_KINDS.items()), ("code", "by MCC")],
        required=False,
        label="Merchant category",
    )  # fmt: skip
    code = CodesField(label="MCC")
    country = forms.ChoiceField(required=False, label="Country")
    channel = forms.ChoiceField(choices=list(CHANNELS.items()), required=False, label="Channel")
    at = MomentField(required=False, label="Date and time", help_text="Empty: now.")

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        names = countries(self.locale)
        set_choices(self, "country", sorted(names.items(), key=lambda pair: pair[1]))
        self.fields["amount"].label = f"Purchase amount, {self.currency}"
        self.fields["at"].label = "Date and time (the business's time zone)"

    def purchase(self, card: Card, zone: str) -> PurchaseBody | None:
        """The purchase under the card's own controls; None where there is no amount. `zone` is the name of the time zone in
        which the moment was typed."""
        cleaned = self.cleaned_data
        if not cleaned.get("amount"):
            return None
        codes = (
            cleaned["code"] if cleaned["sells"] == "code" else sorted(MERCHANT_KINDS.get(cleaned["sells"], ("", []))[1])
        )
        at: datetime | None = cleaned["at"]
        return {
            "card_id": card.remote_id,
            "amount": cleaned["amount"],
            "merchant": cleaned["merchant"] or "A merchant",
            "mcc": codes[0] if codes else None,
            "country": cleaned["country"] or self.locale[-2:],
            "channel": cleaned["channel"] or "CARD_PRESENT",
            "at": at.replace(tzinfo=ZoneInfo(zone)).isoformat() if at else None,
        }


def initial_purchase(query: Mapping[str, str]) -> PurchaseInitial:
    """The initial values of the PurchaseForm for a query of `example_query`, such as of a purchase that was declined."""
    kinds = {code: name for name, (_, own) in MERCHANT_KINDS.items() for code in own}
    mcc = query.get("mcc", "")
    return {
        "amount": query.get("amount", ""),
        "merchant": query.get("merchant", "")[:100],
        "sells": kinds.get(mcc, "code" if mcc else ""),
        "code": mcc if mcc and mcc not in kinds else "",
        "country": query.get("country", ""),
        "channel": query.get("channel", "CARD_PRESENT"),
    }
