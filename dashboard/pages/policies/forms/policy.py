"""The form of a spend policy: a sentence in fields, of one type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import time
from decimal import Decimal
from typing import Any, NotRequired, TypedDict

from django import forms

from dashboard.inputs import Choices
from dashboard.money import Money
from dashboard.pages.policies.forms import reach
from dashboard.policies import policy_text
from dashboard.policies.policy_text import ACTIONS, POLICY_STATES
from dashboard.policies.rules import SELF
from dashboard.schemas.policies import EVERY_DAY, PolicyBody, SpendPolicy
from dashboard.web.fields import HourField, LocaleForm, Name, field_minor, set_choices
from dashboard.web.forms import amount_field
from dashboard.web.people_field import PeopleField
from dashboard.web.person_field import PersonChoices, PersonField

# Of a limit that counts each person by themselves, before its period.
PER_PERSON = "PERSON_"
PERIODS = (
    ("", "Per transaction"),
    ("PERSON_DAY", "Per person and day"), ("PERSON_WEEK", "Per person and week, from Monday"),
    ("PERSON_MONTH", "Per person and calendar month"), ("PERSON_YEAR", "Per person and calendar year"),
    ("DAY", "Per day in total"), ("WEEK", "Per week in total, from Monday"),
    ("MONTH", "Per calendar month in total"), ("YEAR", "Per calendar year in total"),
)  # fmt: skip
TARGETS = {"CHANNEL": "Channel", "SUBCATEGORY": "Subcategory", "CATEGORY": "Category", "VENDOR": "Vendor"}
# The form's fields by what the service calls them.
FIELDS = {
    "exempt": "exempt_teams",
    "per_person": "period",
    "window": "weekdays",
    "body": "target",
    "also_waiting": reach.REACH,
}
MANY = {"size": 6}


@dataclass(frozen=True)
class PolicyChoices:
    """What a policy can be about, and whom it can exempt."""

    targets: Choices = ()
    currencies: Sequence[str] = ()
    workflows: Choices = ()
    teams: Choices = ()
    people: PersonChoices | None = None
    hints: dict[str, str] = field(default_factory=dict)


class PolicyForm(LocaleForm):
    """A policy of one type: what it is about, from when it is broken, what follows, and who is exempt."""

    target = forms.ChoiceField(label="About")
    limit = amount_field(required=False, help_text="Empty: any amount.")
    currency = forms.ChoiceField(required=False)
    period = forms.ChoiceField(
        choices=PERIODS, required=False, label="Limit period",
        help_text="Per person counts what each person spends, in total what everybody spends together.",
    )  # fmt: skip
    weekdays = forms.TypedMultipleChoiceField(
        label="Days on which spending is fine", coerce=int, widget=forms.CheckboxSelectMultiple,
        choices=[(number, policy_text.DAYS[number - 1]) for number in EVERY_DAY],
        error_messages={"required": "Choose at least one day."},
    )  # fmt: skip
    opens = HourField(label="Start time", required=False, help_text="Empty: from midnight.")
    closes = HourField(
        label="End time", required=False, help_text="Empty: until midnight. Earlier than the start: until the next day."
    )
    action = forms.ChoiceField(choices=tuple(ACTIONS.items()), label="Action", widget=forms.RadioSelect)
    workflow_id = forms.ChoiceField(label="Approval by", required=False, help_text="Counts where approval is required.")
    exempt_teams = forms.MultipleChoiceField(label="Exempt teams", required=False, widget=forms.CheckboxSelectMultiple)
    exempt_people = PeopleField(label="Exempt people", required=False, widget=forms.SelectMultiple(attrs=MANY))
    name = Name(max_length=100, required=False, help_text="Empty: named after what it is about.")
    status = forms.ChoiceField(
        choices=(("ACTIVE", POLICY_STATES["ACTIVE"][0]), ("INACTIVE", POLICY_STATES["INACTIVE"][0]))
    )

    def __init__(
        self, *args: Any, type_: str, choices: PolicyChoices, waiting: int = 0, is_new: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.type, self.is_new = type_, is_new
        label = "Policy applies to" if is_new else "Change applies to"
        reach.offer_reach(self, label, reach.expenses_in_review(waiting))
        offered = {
            "target": choices.targets, "currency": [(code, code) for code in choices.currencies],
            "workflow_id": [("", "The policy workflow that matches"), *choices.workflows], "exempt_teams": choices.teams,
        }  # fmt: skip
        for name, options in offered.items():
            set_choices(self, name, options)
        exempt = self.fields["exempt_people"]
        if choices.people is not None and isinstance(exempt, PeopleField):
            exempt.offer(choices.people)
        self.fields["target"].label = TARGETS.get(type_, "About")
        self.fields["target"].help_text = choices.hints.get("target", "")
        gone = ("target", "limit", "currency", "period") if type_ == "DAY_TIME" else ("weekdays", "opens", "closes")
        for name in gone:
            del self.fields[name]

    def clean(self) -> dict[str, Any]:
        """The cleaned fields; errors for what could never match, and for a period without a limit."""
        cleaned: dict[str, Any] = self.cleaned_data
        if self.type == "DAY_TIME":
            whole_day = _hours(cleaned) == ("00:00", "24:00")
            if whole_day and len(cleaned.get("weekdays") or ()) == len(EVERY_DAY):
                self.add_error("weekdays", "These hours hold all the time: the policy could never match.")
            elif cleaned.get("opens") and cleaned.get("opens") == cleaned.get("closes"):
                self.add_error("closes", "It ends when it begins: no hour would be fine.")
        elif "limit" not in self.errors:
            self._clean_limit(cleaned)
        if reach.reaches_waiting(self):
            self._clean_reach(cleaned)
        return cleaned

    def _clean_reach(self, cleaned: dict[str, Any]) -> None:
        is_active = cleaned.get("status") == "ACTIVE"
        if is_active and cleaned.get("period"):
            self.add_error(reach.REACH, "A limit over a period holds for new items only: what came before is counted.")
        if self.is_new and not is_active:
            self.add_error(reach.REACH, "An inactive policy judges nothing: choose new items only.")

    def _clean_limit(self, cleaned: dict[str, Any]) -> None:
        limit, currency = cleaned.get("limit"), cleaned.get("currency") or ""
        if limit is None and cleaned.get("period"):
            self.add_error("limit", "Enter a limit: without one nothing is counted.")
        if limit is None:
            return
        if not currency:
            self.add_error("currency", "Choose the currency of the limit.")
            return
        try:
            field_minor(self, "limit", limit, currency)
        except forms.ValidationError as wrong:
            self.add_error("limit", wrong)

    def body(self) -> PolicyBody:
        """The policy as it is sent, whole."""
        data = self.cleaned_data
        limit: Decimal | None = data.get("limit")
        is_limited, needs_votes = limit is not None, data["action"] == "REQUIRE_APPROVAL"
        period = data["period"] if is_limited else ""
        window: dict[str, object] | None = None
        if self.type == "DAY_TIME":
            opens, closes = _hours(data)
            window = {"weekdays": sorted(data["weekdays"]), "from": opens, "to": closes}
        body: PolicyBody = {
            "name": data["name"] or None,
            "target": data.get("target") or None,
            "limit": limit,
            "currency": data["currency"] if is_limited else None,
            "period": period.removeprefix(PER_PERSON) or None,
            "per_person": period.startswith(PER_PERSON),
            "window": window,
            "action": data["action"],
            "workflow_id": data["workflow_id"] or None if needs_votes else None,
            "exempt": {"team_ids": sorted(data["exempt_teams"]), "employee_ids": sorted(data["exempt_people"])},
            "status": data["status"],
        }
        if reach.reaches_waiting(self):
            body["also_waiting"] = True
        return body


class AppliesForm(forms.Form):
    """About whom it is asked what applies."""

    person = PersonField(required=False, label="Person")

    def __init__(self, *args: Any, people: PersonChoices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        person = self.fields["person"]
        assert isinstance(person, PersonField)
        person.offer(people, "Anybody")
        person.widget.attrs |= {"class": "input short", "aria-label": "Person"}


def _hours(data: dict[str, Any]) -> tuple[str, str]:
    """From and until as the interface writes them: midnight at the end is 24:00."""
    opens: time | None = data.get("opens")
    closes: time | None = data.get("closes")
    until = f"{closes:%H:%M}" if closes else "24:00"
    return (f"{opens:%H:%M}" if opens else "00:00"), ("24:00" if until == "00:00" else until)


class PolicyInitial(TypedDict):
    """What a PolicyForm begins with, by its fields; the hours of a window where the policy has one."""

    name: str
    target: str
    limit: Decimal | None
    currency: str
    period: str
    action: str
    workflow_id: str
    exempt_teams: list[str]
    exempt_people: list[str]
    status: str
    weekdays: NotRequired[list[str]]
    opens: NotRequired[str]
    closes: NotRequired[str]


def policy_initial(spend_policy: SpendPolicy) -> PolicyInitial:
    """The initial values of a PolicyForm, as the policy is now."""
    amount = None if spend_policy.limit_minor is None else Money(spend_policy.limit_minor, spend_policy.currency).amount
    initial: PolicyInitial = {
        "name": spend_policy.name, "target": spend_policy.target, "limit": amount, "currency": spend_policy.currency,
        "period": f"{PER_PERSON if spend_policy.per_person else ''}{spend_policy.period}", "action": spend_policy.action, "workflow_id": spend_policy.workflow_id,
        "exempt_teams": spend_policy.exempt.team_ids, "exempt_people": spend_policy.exempt.employee_ids,
        "status": spend_policy.status if spend_policy.status != "DELETED" else "ACTIVE",
    }  # fmt: skip
    if spend_policy.window:
        opens, closes = spend_policy.window.opens, spend_policy.window.closes
        initial["weekdays"] = [str(day) for day in spend_policy.window.weekdays]
        initial["opens"] = "" if opens == "00:00" else opens
        initial["closes"] = "" if closes == "24:00" else closes
    return initial


def policy_channels() -> list[tuple[str, str]]:
    """Every channel that a policy can be about, in words."""
    return [(code, f"{words[0].upper()}{words[1:]}") for code, words in policy_text.CHANNELS.items()]


def own_vendor_choice() -> tuple[str, str]:
    """What stands among the vendors for payments to the phone of whoever asks for them."""
    return SELF, "Payment to one's own phone"
