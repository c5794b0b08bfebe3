"""The form of a payment run: from which wallet the bills of each currency are paid."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms


class WalletsForm(forms.Form):
    """A field per currency, named `wallet-KES`: its wallets as (reference, name with what it holds)."""

    def __init__(
        self, *args: Any, wallets: Mapping[str, Sequence[tuple[str, str]]], chosen: Mapping[str, str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        for currency, choices in sorted(wallets.items()):
            self.fields[f"wallet-{currency}"] = forms.ChoiceField(
                label=f"Pay bills in {currency} from", choices=list(choices), initial=chosen.get(currency)
            )

    def chosen(self) -> dict[str, str]:
        """The references of the wallets, by currency."""
        return {name.removeprefix("wallet-"): ref for name, ref in self.cleaned_data.items()}
