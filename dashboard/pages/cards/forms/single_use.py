"""The form of the policy of single-use cards: what a business lets people ask for."""

from typing import Any

from django import forms

from dashboard.pages.cards.forms.fields import CardAmountField
from dashboard.pages.cards.presenters.controls import whole_units
from dashboard.schemas.cards import OnceLimit, OncePolicy
from dashboard.web.fields import LocaleForm, WholeField

MOST, ALONE = "most", "alone"


class SingleUsePolicyForm(LocaleForm):
    """The whole policy; of each currency that the business has or the policy names, two amounts in whole units."""

    enabled = forms.BooleanField(label="People can request single-use cards", required=False)
    valid_days = WholeField(
        label="Locked if unused after", min_value=1, max_value=365, help_text="Days, from 1 to 365."
    )
    max_open = WholeField(label="Open requests per person", min_value=1, max_value=100, help_text="From 1 to 100.")

    def __init__(self, data: Any, *, once_policy: OncePolicy, currencies: list[str], locale: str) -> None:
        self.currencies = sorted({*currencies, *(limit.currency for limit in once_policy.limits)})
        super().__init__(data, initial=self._initial(once_policy), locale=locale)
        for currency in self.currencies:
            self.fields[f"{MOST}_{currency}"] = CardAmountField(
                label=f"Maximum in {currency}", help_text="Empty: no limit."
            )
            self.fields[f"{ALONE}_{currency}"] = CardAmountField(
                label=f"Without approval in {currency}, up to", help_text="Empty: every request needs approval."
            )

    def _initial(self, once_policy: OncePolicy) -> dict[str, Any]:
        initial: dict[str, Any] = {
            "enabled": once_policy.enabled,
            "valid_days": once_policy.valid_days,
            "max_open": once_policy.max_open,
        }
        for limit in once_policy.limits:
            initial[f"{MOST}_{limit.currency}"] = whole_units(limit.max_amount, limit.currency)
            initial[f"{ALONE}_{limit.currency}"] = whole_units(limit.auto_approve_up_to or None, limit.currency)
        return initial

    def clean(self) -> dict[str, Any]:
        """Amounts that the currency has; nothing let through alone that may not be asked for."""
        cleaned = super().clean() or {}
        for currency in self.currencies:
            most, alone = (self._minor(cleaned, f"{part}_{currency}", currency) for part in (MOST, ALONE))
            if alone and most is None and not self.errors.keys() & {f"{MOST}_{currency}"}:
                self.add_error(f"{MOST}_{currency}", "Enter the maximum amount, too.")
            elif alone and most and alone > most:
                self.add_error(f"{ALONE}_{currency}", "This is above the maximum amount.")
        return cleaned

    def _minor(self, cleaned: dict[str, Any], name: str, currency: str) -> int | None:
        field = self.fields[name]
        try:
            cleaned[name] = field.in_minor(cleaned.get(name), currency) if isinstance(field, CardAmountField) else None
        except forms.ValidationError as wrong:
            self.add_error(name, wrong)
        return cleaned.get(name)

    def policy(self, version: int) -> OncePolicy:
        """The policy that was typed; `version` is the one that it takes the place of."""
        cleaned = self.cleaned_data
        limits = [
            OnceLimit(currency=currency, max_amount=most, auto_approve_up_to=cleaned[f"{ALONE}_{currency}"] or 0)
            for currency in self.currencies
            if (most := cleaned[f"{MOST}_{currency}"]) is not None
        ]
        terms = {name: cleaned[name] for name in ("enabled", "valid_days", "max_open")}
        return OncePolicy(**terms, limits=limits, version=version)
