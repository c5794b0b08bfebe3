"""The form of the simulator: one example of spending."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone

from dashboard.access.models import Business
from dashboard.inputs import Choices
from dashboard.policies import policy_text, weighed_items
from dashboard.policies.evaluation import SpendFacts
from dashboard.policies.routing import RoutedFacts
from dashboard.policies.rules import CARD_CHANNELS
from dashboard.policies.weighed_items import Lookups, Weighed
from dashboard.times import local
from dashboard.web.fields import LocaleForm, MomentField, field_minor, set_choices
from dashboard.web.forms import amount_field
from dashboard.web.person_field import PersonChoices, PersonField

KINDS = ((weighed_items.EXPENSE, "An expense or a card purchase"), (weighed_items.PAYMENT, "A payment of a bill"))
# A family is no way to pay by itself.
FAMILIES = frozenset({"CARD", "MPESA", "BANK"})


@dataclass(frozen=True)
class ExampleChoices:
    """What an example can be about."""

    currencies: list[str]
    people: PersonChoices
    subcategories: Choices
    vendors: Choices


class ExampleForm(LocaleForm):
    """An example: how much, who, how, for what, to whom, when."""

    kind = forms.ChoiceField(choices=KINDS, label="What", initial=weighed_items.EXPENSE)
    amount = amount_field()
    currency = forms.ChoiceField()
    person = PersonField(label="Person", help_text="Who spends, or requests the payment.")
    channel = forms.ChoiceField(
        choices=[
            ("", "None of these"),
            *((code, words) for code, words in policy_text.CHANNELS.items() if code not in FAMILIES),
        ],
        required=False,
    )
    subcategory = forms.ChoiceField(required=False, label="Category")
    vendor = forms.ChoiceField(required=False)
    at = MomentField(label="When", required=False, help_text="Empty: now.")

    def __init__(self, *args: Any, choices: ExampleChoices, business: Business, **kwargs: Any) -> None:
        super().__init__(*args, locale=business.locale, **kwargs)
        self.business = business
        set_choices(self, "currency", [(code, code) for code in choices.currencies])
        person = self.fields["person"]
        assert isinstance(person, PersonField)
        person.offer(choices.people, "Choose…")
        set_choices(self, "subcategory", [("", "None"), *choices.subcategories])
        set_choices(self, "vendor", [("", "None"), *choices.vendors])
        self.fields["at"].help_text = f"Empty: now. On the clock of {business.time_zone}."

    def clean(self) -> dict[str, Any]:
        """The cleaned fields; an error for an amount that the currency does not have."""
        cleaned: dict[str, Any] = self.cleaned_data
        if cleaned.get("amount") is not None and cleaned.get("currency"):
            try:
                cleaned["minor"] = field_minor(self, "amount", cleaned["amount"], cleaned["currency"])
            except forms.ValidationError as wrong:
                self.add_error("amount", wrong)
        return cleaned

    def moment(self) -> datetime:
        """When it happens: the typed moment on the business's clock, else now."""
        typed: datetime | None = self.cleaned_data["at"]
        zone = ZoneInfo(self.business.time_zone)
        return typed.replace(tzinfo=zone) if typed else local(timezone.now(), self.business)

    def item(self, lookups: Lookups) -> Weighed:
        """The example as an item to weigh: a card purchase is not filed yet when it is checked."""
        data, minor = self.cleaned_data, self.cleaned_data["minor"]
        person, team, channel = data["person"], lookups.teams.get(data["person"], ""), data["channel"]
        is_expense, is_card = data["kind"] == weighed_items.EXPENSE, channel in CARD_CHANNELS
        filed = "" if is_expense and is_card else data["subcategory"]
        parent = lookups.categories.get(filed, "")
        facts = SpendFacts(
            amount_minor=minor, currency=data["currency"], at=self.moment(),
            zone=ZoneInfo(self.business.time_zone), employee_id=person, team_id=team, channel=channel,
            subcategory_id=filed, category_id=parent, vendor_id=data["vendor"],
        )  # fmt: skip
        vendors = frozenset() if is_expense else frozenset({data["vendor"]} - {""})
        return Weighed(
            kind=data["kind"], remote_id="", page_id="", title="Example", person_id=person, team_id=team,
            at=facts.at, uses=(facts,),
            routed=RoutedFacts(
                minor, data["currency"], frozenset({team} - {""}), frozenset({filed} - {""}), vendors
            ),
            makers=frozenset({person}),
        )  # fmt: skip
