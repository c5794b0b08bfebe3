"""The form of a payment run: from which wallet the bills of each currency are paid, and which discounts are taken."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from dashboard.inputs import Choices


class RunForm(forms.Form):
    """A field per currency, named `wallet-KES`: its wallets as (reference, name with what it holds); and where bills can
    still be paid with an early-payment discount, those as (remote id, what is paid and saved)."""

    def __init__(
        self, *args: Any, wallets: Mapping[str, Choices], chosen: Mapping[str, str], discounts: Choices,
        discounted: Sequence[str], **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(*args, **kwargs)
        self.discounts = list(discounts)
        for currency, choices in sorted(wallets.items()):
            self.fields[f"wallet-{currency}"] = forms.ChoiceField(
                label=f"Pay bills in {currency} from", choices=list(choices), initial=chosen.get(currency)
            )
        if len(discounts) > 1:
            self.fields["all_discounts"] = forms.BooleanField(
                required=False, label="Take every discount that is still in time"
            )
        if discounts:
            self.fields["discounted"] = forms.MultipleChoiceField(
                required=False, label="Pay with the early-payment discount", choices=list(discounts),
                initial=list(discounted), widget=forms.CheckboxSelectMultiple,
            )  # fmt: skip

    def wallets(self) -> dict[str, str]:
        """The references of the wallets, by currency."""
        named = {name: ref for name, ref in self.cleaned_data.items() if name.startswith("wallet-")}
        return {name.removeprefix("wallet-"): ref for name, ref in named.items()}

    def discounted(self) -> list[str]:
        """The remote ids of the bills whose discount is taken."""
        if self.cleaned_data.get("all_discounts"):
            return [remote_id for remote_id, _ in self.discounts]
        return list(self.cleaned_data.get("discounted", ()))
