"""What comes in from the investments' pages: a wish to hold a fund, a movement of money, a new set of operators."""

from typing import Any

from django import forms

from dashboard.web.fields import LocaleForm, TextLine, Verbatim, WholeField
from dashboard.web.forms import amount_field


class OptInForm(forms.Form):
    """A fund to hold, and why."""

    fund_id = Verbatim(max_length=64, widget=forms.HiddenInput())
    note = TextLine(max_length=500, required=False, label="Why", help_text="Whoever approves it will read it.")


class MovingForm(LocaleForm):
    """An amount, and the wallet on the other side; `any_wallet` says what an empty choice means."""

    amount = amount_field()
    wallet = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, wallets: list[tuple[str, str]], any_wallet: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", any_wallet), *wallets] if any_wallet else wallets
        self.fields["wallet"] = forms.ChoiceField(choices=choices, required=not any_wallet, label="Wallet")

    def body(self) -> dict[str, Any]:
        """What is sent."""
        found = self.cleaned_data
        body: dict[str, Any] = {"amount": found["amount"]}
        return body | ({"org_wallet_ref": found["wallet"]} if found["wallet"] else {})


MEASURES = (("amount", "An amount"), ("units", "A number of units"), ("all", "Everything"))


class WithdrawForm(MovingForm):
    """An amount at today's price, so many units, or everything."""

    measure = forms.ChoiceField(choices=MEASURES, label="How much")
    amount = amount_field(required=False, label="Amount or units", help_text="Left empty for everything.")
    field_order = ("measure", "amount", "wallet")

    def clean(self) -> dict[str, Any]:
        """Exactly one measure."""
        found = self.cleaned_data
        if found.get("measure") in {"amount", "units"} and not found.get("amount") and "amount" not in self.errors:
            self.add_error("amount", "Say how much.")
        return found

    def body(self) -> dict[str, Any]:
        """What is sent."""
        found = self.cleaned_data
        measure = found["measure"]
        body: dict[str, Any] = {measure: True if measure == "all" else found["amount"]}
        return body | ({"org_wallet_ref": found["wallet"]} if found["wallet"] else {})


class OperatorsForm(forms.Form):
    """Who may invest and who may withdraw, of those who may be chosen; `version` is the set that it takes the place of."""

    version = WholeField(min_value=0, max_value=10**8, widget=forms.HiddenInput())
    invest = forms.MultipleChoiceField(required=False)
    withdraw = forms.MultipleChoiceField(required=False)

    def __init__(self, *args: Any, people: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("invest", "withdraw"):
            self.fields[name] = forms.MultipleChoiceField(choices=people, required=False)

    def seats(self) -> list[dict[str, Any]]:
        """The seats that were chosen, each with `employee_id`, `can_invest` and `can_withdraw`."""
        invest, withdraw = self.cleaned_data["invest"], self.cleaned_data["withdraw"]
        return [
            {"employee_id": one, "can_invest": one in invest, "can_withdraw": one in withdraw}
            for one in dict.fromkeys([*invest, *withdraw])
        ]


class ConfirmForm(forms.Form):
    """An operator who waits; `version` is the set that was seen."""

    version = WholeField(min_value=0, max_value=10**8)
