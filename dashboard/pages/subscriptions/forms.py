"""The forms of subscriptions: a new one, and one form for each operation that changes a part of one."""

from datetime import date
from decimal import Decimal
from typing import Any, NotRequired, TypedDict, cast

from django import forms

from dashboard.inputs import Choices
from dashboard.mirror.models import Subscription
from dashboard.money import Money
from dashboard.renewals.models import MOST_NOTICE_DAYS, MOST_REMIND_DAYS, RenewalTerms
from dashboard.schemas.subscriptions import (
    NewSubscriptionBody,
    SubscriptionCategory,
    SubscriptionLimits,
    SubscriptionOwner,
    SubscriptionTeam,
)
from dashboard.web.fields import AmountField, DayField, LocaleForm, Name, TextLine, WholeField, field_minor
from dashboard.web.person_field import PersonChoices, PersonField

FREQUENCIES = (("WEEKLY", "Weekly"), ("MONTHLY", "Monthly"), ("QUARTERLY", "Quarterly"), ("ANNUAL", "Annual"))
TERMS = (
    ("", "–"), ("1", "Month"), ("3", "3 months"), ("6", "6 months"), ("12", "Year"), ("24", "2 years"), ("36", "3 years"),
)  # fmt: skip


class TermsBody(TypedDict):
    """The renewal terms of a subscription, in days and months."""

    notice_days: int
    remind_days: int
    renews_on: date | None
    term_months: int | None


class TermsInitial(TypedDict):
    """The initial values of a TermsForm."""

    notice_days: int
    remind_days: int
    renews_on: NotRequired[date | None]
    term_months: NotRequired[int | None]


class SubscriptionChoices(TypedDict):
    """What the forms offer: people, and as (id, name) cards with their holders, teams and subcategories."""

    people: PersonChoices
    cards: Choices
    teams: Choices
    subcategories: Choices


class OwnerForm(forms.Form):
    """Whose it is, and the card of theirs that it is charged on."""

    def __init__(self, *args: Any, choices: SubscriptionChoices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        owner = self.fields["employee_id"] = PersonField(label="Owner")
        owner.offer(choices["people"], "–")
        self.fields["card_id"] = forms.ChoiceField(
            label="Card", required=False, choices=[("", "No card"), *choices["cards"]]
        )

    def body(self) -> SubscriptionOwner:
        """What is sent: the owner, and the card where one was chosen."""
        data = self.cleaned_data
        body: SubscriptionOwner = {"employee_id": data["employee_id"]}
        if data["card_id"]:
            body["card_id"] = data["card_id"]
        return body


class SubscriptionTeamForm(forms.Form):
    """The team that it belongs to."""

    def __init__(self, *args: Any, choices: SubscriptionChoices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["team_id"] = forms.ChoiceField(
            label="Team", required=False, choices=[("", "No team"), *choices["teams"]]
        )

    def body(self) -> SubscriptionTeam:
        """What is sent: the team; null where it has none."""
        return {"team_id": self.cleaned_data["team_id"] or None}


class LimitsForm(LocaleForm):
    """What a billing period may cost, and how often it is charged."""

    limit = AmountField(
        label="Limit per billing period", required=False, min_value=0, max_digits=18, decimal_places=4,
        help_text="Empty: no limit.",
    )  # fmt: skip
    billing_frequency = forms.ChoiceField(label="Billing", choices=FREQUENCIES)

    def body(self) -> SubscriptionLimits:
        """What is sent: how often it is charged, and at most how much."""
        return {"limit": self.cleaned_data["limit"], "billing_frequency": self.cleaned_data["billing_frequency"]}


class SubscriptionSubcategoryForm(forms.Form):
    """What its charges are filed under."""

    def __init__(self, *args: Any, choices: SubscriptionChoices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["subcategory_id"] = forms.ChoiceField(
            label="Category", choices=[("", "–"), *choices["subcategories"]]
        )

    def body(self) -> SubscriptionCategory:
        """What is sent: the subcategory that its charges are filed under."""
        return {"subcategory_id": self.cleaned_data["subcategory_id"]}


class NewSubscriptionForm(LocaleForm):
    """A subscription to add: amounts in units of its currency, by billing period; owner, card, team and category may be
    empty."""

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
        owner = self.fields["employee_id"] = PersonField(label="Owner", required=False)
        owner.offer(choices["people"], "–")
        for name, label, offered in (
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


class PartsInitial(TypedDict):
    """What the forms that change a part of a subscription begin with, by their fields."""

    employee_id: str
    card_id: str
    team_id: str
    subcategory_id: str
    billing_frequency: str
    limit: Decimal | None


def subscription_initial(subscription: Subscription) -> PartsInitial:
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


class SubscriptionTermsForm(forms.Form):
    """How long before a renewal it must be cancelled, when it renews, and how long before people are reminded."""

    notice_days = WholeField(
        label="Notice period in days", min_value=0, max_value=MOST_NOTICE_DAYS,
        help_text="0: it can be cancelled until the day before it renews.",
    )  # fmt: skip
    renews_on = DayField(
        label="Contract renews on", required=False, help_text="Empty: it renews with each charge."
    )  # fmt: skip
    term_months = forms.ChoiceField(label="Then renews every", required=False, choices=TERMS)
    remind_days = WholeField(
        label="Remind this many days before the last day", min_value=0, max_value=MOST_REMIND_DAYS,
        help_text="The owner and the admins are reminded.",
    )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        """A contract says both when it renews, and for how long."""
        data = super().clean() or self.cleaned_data
        if data.get("renews_on") and not data.get("term_months") and "term_months" not in self.errors:
            self.add_error("term_months", "Choose how long it renews for.")
        if data.get("term_months") and not data.get("renews_on") and "renews_on" not in self.errors:
            self.add_error("renews_on", "Enter the day of the next renewal.")
        return data

    def terms(self) -> TermsBody:
        """The terms as they are stored."""
        data = self.cleaned_data
        return {
            "notice_days": data["notice_days"], "remind_days": data["remind_days"], "renews_on": data["renews_on"],
            "term_months": int(data["term_months"]) if data["term_months"] else None,
        }  # fmt: skip


def terms_initial(terms: RenewalTerms | None) -> TermsInitial:
    """The initial values of a TermsForm: what is set, else a month's notice and a week's reminder."""
    if terms is None:
        return {"notice_days": 30, "remind_days": 7}
    return {
        "notice_days": terms.notice_days, "remind_days": terms.remind_days, "renews_on": terms.renews_on,
        "term_months": terms.term_months,
    }  # fmt: skip


class StepForm(LocaleForm):
    """What is asked for a step of a cancellation: of most nothing."""

    def __init__(self, *args: Any, today: date, currency: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.today, self.currency = today, currency


class VendorForm(StepForm):
    """Who told the vendor, when, and how."""

    by = Name(label="Notified by", max_length=100)
    on = DayField(label="On")
    how = TextLine(label="How", required=False, max_length=200, help_text="Such as the address, or their reference.")

    def clean_on(self) -> date:
        """No day to come: it was done."""
        on: date = self.cleaned_data["on"]
        if on > self.today:
            raise forms.ValidationError("This day is in the future.", code="future")
        return on


class LimitForm(StepForm):
    """What the card may be charged a month from now on."""

    amount = AmountField(label="New monthly limit", min_value=0, max_digits=18, decimal_places=4)

    def clean_amount(self) -> int:
        """In minor units of the card's currency, above nought."""
        minor = field_minor(self, "amount", self.cleaned_data["amount"], self.currency)
        if not minor:
            raise forms.ValidationError("Enter an amount above 0, or block the card.", code="zero")
        return minor


class NoCardForm(StepForm):
    """Why no card is stopped in a cancellation, for its record."""

    reason = TextLine(label="Why no card is stopped", max_length=200)


class ChargeForm(StepForm):
    """Until which day a charge is still expected."""

    is_expected = forms.BooleanField(label="A last charge is still expected", required=False)
    until = DayField(label="No charge is expected after")


class WithdrawalForm(forms.Form):
    """Why a cancellation is withdrawn."""

    reason = TextLine(label="Reason", max_length=300)


STEP_FORMS: dict[str, type[StepForm]] = {
    "vendor": VendorForm, "block": StepForm, "limit": LimitForm, "none": NoCardForm, "charge": ChargeForm,
    "end": StepForm,
}  # fmt: skip
