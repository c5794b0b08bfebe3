"""What comes in from the investments' pages: a wish to hold a fund, a movement of money, a new set of operators."""

from typing import Any

from django import forms
from django.http import QueryDict

from dashboard.access.actor import Actor
from dashboard.commands.investments import operators_of
from dashboard.errors import FinanceError
from dashboard.mirror.models import FundAccount
from dashboard.pages.investments.selectors import (
    can_replace_operators,
    fund_wallet_choices,
    last_replacement_by,
    operator_choices,
)
from dashboard.schemas.investments import MovementBody, Operators, OperatorSeatBody, OptInTerms
from dashboard.web.fields import LocaleForm, TextLine, Verbatim, WholeField
from dashboard.web.forms import amount_field
from dashboard.web.people_field import PeopleField
from dashboard.web.person_field import PersonChoices

OWN_WALLET = "The account's own wallet"
MEASURES = (("amount", "An amount"), ("units", "A number of units"), ("all", "All"))


class OptInForm(forms.Form):
    """A fund that the business asks to hold, and the reason that the approvers read."""

    fund_id = Verbatim(max_length=64, widget=forms.HiddenInput())
    note = TextLine(max_length=500, required=False, label="Reason", help_text="The approvers will read it.")

    def body(self) -> OptInTerms:
        """What is sent: the fund, and why."""
        return {"fund_id": self.cleaned_data["fund_id"], "note": self.cleaned_data["note"]}


class MovementForm(LocaleForm):
    """An amount, and the wallet on the other side; `any_wallet` says what an empty choice means."""

    amount = amount_field()
    wallet = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, wallets: list[tuple[str, str]], any_wallet: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", any_wallet), *wallets] if any_wallet else wallets
        self.fields["wallet"] = forms.ChoiceField(choices=choices, required=not any_wallet, label="Wallet")

    def body(self) -> MovementBody:
        """The amount, and the wallet where one was chosen."""
        return self._with_wallet({"amount": self.cleaned_data["amount"]})

    def _with_wallet(self, body: MovementBody) -> MovementBody:
        if wallet := self.cleaned_data["wallet"]:
            body["org_wallet_ref"] = wallet
        return body


class WithdrawForm(MovementForm):
    """An amount at today's price, so many units, or everything."""

    measure = forms.ChoiceField(choices=MEASURES, label="Amount to withdraw")
    amount = amount_field(required=False, label="Amount or units", help_text="Leave empty for all.")
    field_order = ("measure", "amount", "wallet")

    def clean(self) -> dict[str, Any]:
        """The fields; an error beside the amount where the measure needs one and none was entered."""
        data = self.cleaned_data
        if data.get("measure") in {"amount", "units"} and not data.get("amount") and "amount" not in self.errors:
            self.add_error("amount", "Enter an amount.")
        return data

    def body(self) -> MovementBody:
        """How much by its measure, and the wallet where one was chosen."""
        measure, amount = self.cleaned_data["measure"], self.cleaned_data["amount"]
        if measure == "all":
            return self._with_wallet({"all": True})
        return self._with_wallet({"units": amount} if measure == "units" else {"amount": amount})


def movement_form(actor: Actor, account: FundAccount, data: Any = None, *, any_wallet: bool = False) -> MovementForm:
    """The form of a top-up, or of an investment, which may come out of the account's own wallet (`any_wallet`)."""
    return MovementForm(
        data,
        wallets=fund_wallet_choices(actor, account),
        any_wallet=OWN_WALLET if any_wallet else "",
        locale=actor.business.locale,
        # Several forms stand on one page: each field has an id of its own.
        auto_id=f"{'invest' if any_wallet else 'top_up'}_%s",
    )


def withdraw_form(actor: Actor, account: FundAccount, data: Any = None) -> WithdrawForm:
    """The form that takes money out of a fund, with the wallets it can go to."""
    return WithdrawForm(
        data,
        wallets=fund_wallet_choices(actor, account),
        any_wallet=OWN_WALLET,
        locale=actor.business.locale,
        auto_id="withdraw_%s",
    )


class OperatorsForm(forms.Form):
    """Who may invest and who may withdraw, of those who may be chosen; `version` is the set that it takes the place of."""

    version = WholeField(min_value=0, max_value=10**8, widget=forms.HiddenInput())
    invest = PeopleField(required=False, label="Can invest", widget=forms.CheckboxSelectMultiple)
    withdraw = PeopleField(required=False, label="Can withdraw", widget=forms.CheckboxSelectMultiple)

    def __init__(self, *args: Any, people: PersonChoices, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "operators_%s", **kwargs})
        for name in ("invest", "withdraw"):
            field = self.fields[name]
            assert isinstance(field, PeopleField)
            field.offer(people)

    def seats(self) -> list[OperatorSeatBody]:
        """The seats that were chosen."""
        invest, withdraw = self.cleaned_data["invest"], self.cleaned_data["withdraw"]
        return [
            {"employee_id": person, "can_invest": person in invest, "can_withdraw": person in withdraw}
            for person in dict.fromkeys([*invest, *withdraw])
        ]


def operators_form(
    actor: Actor, account: FundAccount, current_operators: Operators | None, data: QueryDict | None = None
) -> OperatorsForm | None:
    """The form with those who operate it now, or with what was chosen (`data`).

    None for who may not name operators, and where it is not known who operates it.
    """
    if not can_replace_operators(actor, account):
        return None
    if data is not None:
        chosen = [*data.getlist("invest"), *data.getlist("withdraw")]
        return OperatorsForm(data, people=operator_choices(actor, chosen))
    if current_operators is None:
        return None
    initial = {
        "version": current_operators.version,
        "invest": [operator.employee_id for operator in current_operators.operators if operator.can_invest],
        "withdraw": [operator.employee_id for operator in current_operators.operators if operator.can_withdraw],
    }
    people = operator_choices(actor, [operator.employee_id for operator in current_operators.operators])
    return OperatorsForm(people=people, initial=initial)


def overtaken_form(actor: Actor, account: FundAccount, data: QueryDict) -> OperatorsForm | None:
    """The form with what was chosen, after somebody else has replaced the set, and who that was.

    It has the version of now, so that sending it again is meant; the version that was seen where none can be read.
    """
    try:
        now = operators_of(actor, account)
    except FinanceError:
        form = operators_form(actor, account, None, data)
        problem = "Somebody replaced the operators since you opened this page, so nothing was done. Reload the page to see them."
    else:
        fresh = data.copy()
        fresh["version"] = str(now.version)
        form = operators_form(actor, account, now, fresh)
        problem = (
            f"{last_replacement_by(actor, account)} replaced the operators since you opened this page, so nothing was done. "
            "The current operators are above; your selection is kept below, and replaces them if you send it again."
        )
    if form is not None:
        form.add_error(None, problem)
    return form


class OperatorConfirmForm(forms.Form):
    """An operator who waits; `version` is the set that was seen."""

    version = WholeField(min_value=0, max_value=10**8)
