"""The form of a rule: what it asks, and the category that it files under."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, TypedDict

from django import forms

from dashboard.categorisation.models import CategoryRule
from dashboard.categorisation.rules import RuleFields
from dashboard.money import Money
from dashboard.pages.category_rules.selectors import Offered, card_name
from dashboard.web.fields import LocaleForm, Name, TextLine, field_minor, set_choices
from dashboard.web.forms import amount_field

ANY = ("", "Any")
CONDITIONS = ("merchant", "vendor", "card", "text", "currency")


class RuleInitial(TypedDict, total=False):
    """What the fields of the form begin with, by their names."""

    merchant: str
    vendor: str
    card: str
    text: str
    currency: str
    least: Decimal | None
    most: Decimal | None
    category: str


class CategoryRuleForm(LocaleForm):
    """Every condition that is filled in must hold; at least one is."""

    merchant = Name(
        max_length=300, required=False, help_text="As it stands on the expense, or the counterparty of a transaction."
    )
    vendor = forms.ChoiceField(required=False, help_text="Its name is that of the merchant.")
    card = forms.ChoiceField(required=False, help_text="Then only expenses match.")
    text = TextLine(
        max_length=200,
        required=False,
        label="Text contains",
        help_text="In the merchant, the notes, the description or the reference.",
    )
    currency = forms.ChoiceField(required=False)
    least = amount_field(label="Amount from", required=False, help_text="In the currency above.")
    most = amount_field(label="Amount to", required=False)
    category = forms.ChoiceField(label="Category")

    def __init__(self, *args: Any, offered_fields: Offered, exists: CategoryRule | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offered, self.exists = offered_fields, exists
        vendors = dict(offered_fields.vendors)
        cards = {card_id: card_name(card) for card_id, card in offered_fields.cards.items()}
        currencies = list(offered_fields.currencies)
        if exists is not None:
            # What is no longer offered stays what the rule asks: no condition is lost by saving another.
            vendors.setdefault(exists.vendor_id or ANY[0], exists.vendor_name or ANY[1])
            cards.setdefault(exists.card_id or ANY[0], exists.card_name or ANY[1])
            currencies = list(dict.fromkeys([*currencies, *filter(None, [exists.currency])]))
        self.vendors = {**dict([ANY]), **vendors}
        set_choices(self, "vendor", self.vendors.items())
        set_choices(self, "card", {**dict([ANY]), **cards}.items())
        set_choices(self, "currency", [ANY, *((code, code) for code in currencies)])
        set_choices(self, "category", [("", "Choose a category"), *offered_fields.categories])

    def clean(self) -> dict[str, Any]:
        """One condition at least; amounts have a currency, no more digits than it has, and stand in their order."""
        data = self.cleaned_data
        if not self.errors and not any(data.get(name) for name in CONDITIONS) and not self._has_amount(data):
            self.add_error("merchant", "Fill in at least one condition.")
        if self._has_amount(data) and not data.get("currency") and "currency" not in self.errors:
            self.add_error("currency", "Choose the currency of the amounts.")
        if not self.errors and data["currency"]:
            self._read_amounts(data)
        return data

    @staticmethod
    def _has_amount(data: dict[str, Any]) -> bool:
        return data.get("least") is not None or data.get("most") is not None

    def _read_amounts(self, data: dict[str, Any]) -> None:
        for name in ("least", "most"):
            try:
                minor = field_minor(self, name, data[name], data["currency"])
            except forms.ValidationError as wrong:
                self.add_error(name, wrong)
                return
            data[f"{name}_minor"] = minor
        if (
            data["least_minor"] is not None
            and data["most_minor"] is not None
            and data["least_minor"] > data["most_minor"]
        ):
            self.add_error("most", "The amount to is below the amount from.")

    def rule(self) -> RuleFields:
        """The rule of a valid form, not saved yet."""
        data = self.cleaned_data
        token, name = self._card(data["card"])
        return RuleFields(
            subcategory_id=data["category"],
            category_label=dict(self.offered.categories)[data["category"]],
            merchant=data["merchant"],
            vendor_id=data["vendor"],
            vendor_name=self.vendors[data["vendor"]] if data["vendor"] else "",
            card_id=data["card"],
            card_token=token,
            card_name=name,
            text=data["text"],
            currency=data["currency"],
            least_minor=data.get("least_minor"),
            most_minor=data.get("most_minor"),
        )

    def _card(self, card_id: str) -> tuple[str, str]:
        """The token by which purchases name a card, and what the rule calls it."""
        card = self.offered.cards.get(card_id)
        if card is not None:
            return str(card.payload.get("card_vcn") or ""), card_name(card)[:260]
        return (self.exists.card_token, self.exists.card_name) if card_id and self.exists else ("", "")


def rule_initial(rule: CategoryRule) -> RuleInitial:
    """The fields of the form for a rule as it is."""
    return {
        "merchant": rule.merchant, "vendor": rule.vendor_id, "card": rule.card_id, "text": rule.text,
        "currency": rule.currency, "category": rule.subcategory_id,
        "least": Money(rule.least_minor, rule.currency).amount if rule.least_minor is not None else None,
        "most": Money(rule.most_minor, rule.currency).amount if rule.most_minor is not None else None,
    }  # fmt: skip
