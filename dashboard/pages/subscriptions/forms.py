"""The forms of subscriptions: a new one, and one form for each operation that changes a part of one."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NotRequired, TypedDict, cast

from django import forms

from dashboard.mirror.models import Subscription
from dashboard.money import Money
from dashboard.web.fields import AmountField, LocaleForm, Name, TextLine

Choices = Sequence[tuple[str, str]]
FREQUENCIES = (("WEEKLY", "Weekly"), ("MONTHLY", "Monthly"), ("QUARTERLY", "Quarterly"), ("ANNUAL", "Annual"))


class OwnerBody(TypedDict):
    """The fields of ASSIGN_SUBSCRIPTION."""

    employee_id: str
    card_id: NotRequired[str]


class TeamBody(TypedDict):
    """The fields of SET_SUBSCRIPTION_TEAM; null for no team."""

    team_id: str | None


class LimitsBody(TypedDict):
    """The fields of SET_SUBSCRIPTION_LIMITS; null for no limit."""

    limit: Decimal | None
    billing_frequency: str


class SubcategoryBody(TypedDict):
    """The fields of SET_SUBSCRIPTION_SUBCATEGORY."""

    subcategory_id: str


class NewSubscriptionBody(TypedDict):
    """The body of CREATE_SUBSCRIPTION."""

    name: str
    vendor: str
    currency: str
    amount: Decimal
    billing_frequency: str
    limit: NotRequired[Decimal]
    employee_id: NotRequired[str]
    card_id: NotRequired[str]
    team_id: NotRequired[str]
    subcategory_id: NotRequired[str]


class SubscriptionChoices(TypedDict):
    """What the forms offer, each as (id, name): people, cards with their holders, teams and subcategories."""

    people: Choices
    cards: Choices
    teams: Choices
    subcategories: Choices


class OwnerForm(forms.Form):
    """Whose it is, and the card of theirs that it is charged on."""

    def __init__(self, *args: Any, choices: SubscriptionChoices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["employee_id"] = forms.ChoiceField(label="Owner", choices=[("", "–"), *choices["people"]])
        self.fields["card_id"] = forms.ChoiceField(
            label="Card", required=False, choices=[("", "No card"), *choices["cards"]]
        )

    def body(self) -> OwnerBody:
        """What is sent."""
        data = self.cleaned_data
        body: OwnerBody = {"employee_id": data["employee_id"]}
        if data["card_id"]:
            body["card_id"] = data["card_id"]
        return body


class TeamForm(forms.Form):
    """The team that it belongs to."""

    def __init__(self, *args: Any, choices: SubscriptionChoices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["team_id"] = forms.ChoiceField(
            label="Team", required=False, choices=[("", "No team"), *choices["teams"]]
        )

    def body(self) -> TeamBody:
        """What is sent."""
        return {"team_id": self.cleaned_data["team_id"] or None}


class LimitsForm(LocaleForm):
    """What a billing period may cost, and how often it is charged."""

    limit = AmountField(
        label="Limit per billing period", required=False, min_value=0, max_digits=18, decimal_places=4,
        help_text="Empty: no limit.",
    )  # fmt: skip
    billing_frequency = forms.ChoiceField(label="Billing", choices=FREQUENCIES)

    def body(self) -> LimitsBody:
        """What is sent."""
        return {"limit": self.cleaned_data["limit"], "billing_frequency": self.cleaned_data["billing_frequency"]}


class SubcategoryForm(forms.Form):
    """What its charges are filed under."""

    def __init__(self, *args: Any, choices: SubscriptionChoices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["subcategory_id"] = forms.ChoiceField(
            label="Category", choices=[("", "–"), *choices["subcategories"]]
        )

    def body(self) -> SubcategoryBody:
        """What is sent."""
        return {"subcategory_id": self.cleaned_data["subcategory_id"]}


class NewForm(LocaleForm):
    """A new subscription."""

    name = Name(max_length=100)
    vendor = Name(max_length=100, help_text="As its charges name it: past charges become its own.")
    currency = TextLine(min_length=3, max_length=3, help_text="Three letters, such as KES.")
    amount = AmountField(label="Amount per billing period", min_value=0, max_digits=18, decimal_places=4)
    billing_frequency = forms.ChoiceField(label="Billing", choices=FREQUENCIES, initial="MONTHLY")
    limit = AmountField(
        label="Limit per billing period", required=False, min_value=0, max_digits=18, decimal_places=4
    )  # fmt: skip

    def __init__(self, *args: Any, choices: SubscriptionChoices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, label, offered in (
            ("employee_id", "Owner", choices["people"]),
            ("card_id", "Card", choices["cards"]),
            ("team_id", "Team", choices["teams"]),
            ("subcategory_id", "Category", choices["subcategories"]),
        ):
            self.fields[name] = forms.ChoiceField(label=label, required=False, choices=[("", "–"), *offered])

    def clean_currency(self) -> str:
        """In capitals, however it was typed."""
        return str(self.cleaned_data["currency"]).upper()

    def body(self) -> NewSubscriptionBody:
        """What is sent: what was left empty is left out."""
        filled = {name: value for name, value in self.cleaned_data.items() if value not in ("", None)}
        return cast(NewSubscriptionBody, filled)


def initial_of(subscription: Subscription) -> Mapping[str, Any]:
    """The initial values of every form that changes a part of it."""
    limit = subscription.limit_minor
    return {
        "employee_id": subscription.employee_id,
        "card_id": subscription.card_id,
        "team_id": subscription.team_id,
        "subcategory_id": subscription.subcategory_id,
        "billing_frequency": subscription.billing_frequency,
        "limit": None if limit is None else Money(limit, subscription.currency).amount,
    }
