"""The form of a workflow: what it is for, and its steps, which a button adds, removes and moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypedDict

from django import forms
from django.http import QueryDict

from dashboard.inputs import Choices, whole_number
from dashboard.money import Money
from dashboard.pages.policies.forms.reach import REACH, reaches_waiting
from dashboard.schemas.workflows import TEAM_REVIEWER, ConditionsBody, StepBody, Workflow
from dashboard.web.fields import LocaleForm, Name, WholeField, field_minor, set_choices
from dashboard.web.forms import amount_field
from dashboard.web.people_field import PeopleField
from dashboard.web.person_field import PersonChoices

MAX_STEPS, MAX_VOTES = 10, 20
PREFIX = "steps"
ANYBODY, REVIEWERS, NAMED = "role", "reviewers", "people"
ROLES = {ANYBODY: "APPROVER", REVIEWERS: TEAM_REVIEWER}
WHO = {
    ANYBODY: "Any approver whom no step names", REVIEWERS: "The reviewers of the spender's team",
    NAMED: "These approvers",
}  # fmt: skip
# The interface lets reviewers review the expenses of their teams (POST /expenses/approve), and approvers alone vote (/approvals).
ONLY_APPROVERS = (
    "Of a team's reviewers, those who are active approvers approve items of others. An expense is reviewed besides, by any"
    " reviewer of the team: an approval does not replace that."
)
# The form's fields by what the service calls them.
FIELDS = {"team_ids": "teams", "subcategory_ids": "subcategories", "vendor_ids": "vendors", "also_waiting": REACH}


@dataclass(frozen=True)
class WorkflowChoices:
    """What a workflow can be for, and who can vote."""

    currencies: Sequence[str] = ()
    teams: Choices = ()
    subcategories: Choices = ()
    vendors: Choices = ()
    vendors_hint: str = ""
    approvers: PersonChoices | None = None


class WorkflowForm(LocaleForm):
    """What a workflow is called, when it is compared, and what an item must be for it."""

    name = Name(max_length=100)
    currency = forms.ChoiceField(required=False, help_text="Amounts need one.")
    min_amount = amount_field(label="From this amount", required=False, help_text="Empty: from nothing.")
    max_amount = amount_field(label="Up to this amount", required=False, help_text="Empty: without end.")
    teams = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple, label="Only for these teams")
    subcategories = forms.MultipleChoiceField(
        required=False, widget=forms.SelectMultiple(attrs={"size": 6}), label="Only with category",
        help_text="None chosen: any.",
    )  # fmt: skip
    vendors = forms.MultipleChoiceField(
        required=False, widget=forms.SelectMultiple(attrs={"size": 6}), label="Only to these vendors",
        help_text="None chosen: any.",
    )  # fmt: skip
    priority = WholeField(
        min_value=0, max_value=1_000_000, initial=100,
        help_text="Of the workflows that match an item, the lowest number applies.",
    )  # fmt: skip
    active = forms.BooleanField(required=False, initial=True, label="Active")

    def __init__(self, *args: Any, choices: WorkflowChoices, is_new: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_new = is_new
        offered = {
            "currency": [("", "Any"), *((code, code) for code in choices.currencies)],
            "teams": choices.teams, "subcategories": choices.subcategories, "vendors": choices.vendors,
        }  # fmt: skip
        for name, options in offered.items():
            set_choices(self, name, options)
        if choices.vendors_hint:
            self.fields["vendors"].help_text = f"None chosen: any. {choices.vendors_hint}"

    def clean(self) -> dict[str, Any]:
        """The cleaned fields; errors for an amount without a currency, and for amounts that no item has."""
        cleaned: dict[str, Any] = self.cleaned_data
        low, high, currency = cleaned.get("min_amount"), cleaned.get("max_amount"), cleaned.get("currency")
        if (low is not None or high is not None) and not currency and "currency" not in self.errors:
            self.add_error("currency", "Choose the currency of the amounts.")
        elif currency:
            self._check_amount("min_amount", low, currency)
            self._check_amount("max_amount", high, currency)
        if self.is_new and not cleaned.get("active") and reaches_waiting(self):
            self.add_error(REACH, "An inactive workflow decides nothing: choose new items only.")
        if low is not None and high is not None and low > high:
            self.add_error("max_amount", "It lies below the first amount: no item would match.")
        return cleaned

    def _check_amount(self, name: str, amount: Decimal | None, currency: str) -> None:
        try:
            field_minor(self, name, amount, currency)
        except forms.ValidationError as wrong:
            self.add_error(name, wrong)

    def conditions(self) -> ConditionsBody:
        """What an item must be, as it is sent."""
        data = self.cleaned_data
        return {
            "currency": data["currency"] or None,
            "min_amount": data["min_amount"],
            "max_amount": data["max_amount"],
            "team_ids": sorted(data["teams"]),
            "subcategory_ids": sorted(data["subcategories"]),
            "vendor_ids": sorted(data["vendors"]),
        }


class StepForm(forms.Form):
    """One step: who can vote in it, and how many of them must."""

    who = forms.ChoiceField(
        choices=tuple(WHO.items()), label="Who approves", widget=forms.RadioSelect, initial=ANYBODY,
        help_text=ONLY_APPROVERS,
    )  # fmt: skip
    people = PeopleField(required=False, widget=forms.CheckboxSelectMultiple, label="Approvers")
    votes = WholeField(min_value=1, max_value=MAX_VOTES, initial=1, label="Approvals required")

    def __init__(
        self, *args: Any, approvers: PersonChoices | None = None, by_reviewers: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        if not by_reviewers:
            # A bill is nobody's spending yet.
            set_choices(self, "who", [(code, words) for code, words in WHO.items() if code != REVIEWERS])
            self.fields["who"].help_text = ""
        people = self.fields["people"]
        if approvers is not None and isinstance(people, PeopleField):
            people.offer(approvers)
        self.choosable = approvers.people if approvers is not None else None
        nobody = approvers is None or approvers.few == []
        people.help_text = "Nobody is an active approver." if nobody else ""

    def clean_people(self) -> list[str]:
        """The approvers; ValidationError for one who was seated before and cannot vote any more, by name."""
        people: list[str] = self.cleaned_data["people"]
        if not people or self.choosable is None or self.data.get(self.add_prefix("who")) != NAMED:
            return people
        gone = self.choosable.filter(remote_id__in=people).exclude(status="ACTIVE", role="APPROVER").first()
        if gone is not None:
            raise forms.ValidationError(f"{gone.name} is no longer an active approver and cannot approve: untick them.")
        return people

    def clean(self) -> dict[str, Any]:
        """The cleaned fields; an error where nobody is chosen, or fewer than must approve."""
        cleaned: dict[str, Any] = self.cleaned_data
        people = cleaned.get("people") or []
        if cleaned.get("who") == NAMED and "people" not in self.errors:
            if not people:
                self.add_error("people", "Choose at least one approver.")
            elif (cleaned.get("votes") or 0) > len(people):
                self.add_error("votes", f"Only {len(people)} {'is' if len(people) == 1 else 'are'} chosen.")
        return cleaned

    def body(self, order: int) -> StepBody:
        """The step as it is sent, at its place."""
        data = self.cleaned_data
        who: StepBody = {"approver_ids": data["people"]} if data["who"] == NAMED else {"role": ROLES[data["who"]]}
        return {"order": order, **who, "min_approvals": data["votes"]}


if TYPE_CHECKING:
    StepFormSet = forms.BaseFormSet[StepForm]
else:
    StepFormSet = forms.BaseFormSet


class Steps(StepFormSet):
    """The steps of a workflow, one after the other."""

    def clean(self) -> None:
        """An error without any step, and where somebody is named in two of them: nobody votes twice."""
        if not self.forms:
            raise forms.ValidationError("Add at least one step.", code="empty")
        named: dict[str, int] = {}
        for place, form in enumerate(self.forms, 1):
            data = getattr(form, "cleaned_data", {})
            for employee_id in data.get("people") or () if data.get("who") == NAMED else ():
                if employee_id in named:
                    form.add_error(
                        "people", f"Somebody of step {named[employee_id]} is here too: nobody approves twice."
                    )
                    break
                named[employee_id] = place

    def body(self) -> list[StepBody]:
        """The steps as they are sent."""
        return [form.body(place) for place, form in enumerate(self.forms, 1)]


def workflow_steps(
    data: QueryDict | None, *, approvers: PersonChoices | None, initial: Any = (), by_reviewers: bool = False
) -> Steps:
    """The steps of a form, as they were typed or as they are; `by_reviewers` where one may ask the reviewers of the
    spender's team."""
    factory = forms.formset_factory(
        StepForm, formset=Steps, extra=0 if initial else 1, max_num=MAX_STEPS, validate_max=True, min_num=0
    )
    options: dict[str, Any] = {
        "prefix": PREFIX,
        "form_kwargs": {"approvers": approvers, "by_reviewers": by_reviewers, "empty_permitted": False},
    }
    return factory(data, **options) if data is not None else factory(initial=initial, **options)  # type: ignore[return-value]


def rearranged(data: QueryDict, edit: str) -> QueryDict:
    """What was typed, with a step added, removed or moved: `edit` is "add", "remove-1", "up-1" or "down-0". An edit that
    is not known leaves the steps as they are."""
    total = data.get(f"{PREFIX}-TOTAL_FORMS", "")
    count = min(whole_number(total, 999) or 0, MAX_STEPS)
    steps = [_typed(data, place) for place in range(count)]
    verb, _, number = edit.partition("-")
    place = whole_number(number, MAX_STEPS)
    if verb == "add" and count < MAX_STEPS:
        steps.append({"who": [ANYBODY], "votes": ["1"]})
    elif place is None:
        pass
    elif verb == "remove" and place < count and count > 1:
        del steps[place]
    elif verb == "up" and 0 < place < count:
        steps[place - 1], steps[place] = steps[place], steps[place - 1]
    elif verb == "down" and place < count - 1:
        steps[place + 1], steps[place] = steps[place], steps[place + 1]
    typed = data.copy()
    for name in [name for name in typed if name.startswith(f"{PREFIX}-")]:
        del typed[name]
    typed[f"{PREFIX}-TOTAL_FORMS"], typed[f"{PREFIX}-INITIAL_FORMS"] = str(len(steps)), "0"
    for place, step in enumerate(steps):
        for name, values in step.items():
            typed.setlist(f"{PREFIX}-{place}-{name}", values)
    return typed


def _typed(data: QueryDict, place: int) -> dict[str, list[str]]:
    names = {name: f"{PREFIX}-{place}-{name}" for name in ("who", "people", "votes")}
    return {name: data.getlist(key) for name, key in names.items() if key in data}


class WorkflowInitial(TypedDict):
    """What a WorkflowForm begins with, by its fields."""

    name: str
    active: bool
    priority: int
    currency: str
    min_amount: Decimal | None
    max_amount: Decimal | None
    teams: list[str]
    subcategories: list[str]
    vendors: list[str]


class StepInitial(TypedDict):
    """What the form of a step begins with, by its fields."""

    who: str
    people: list[str]
    votes: int


def workflow_initial(workflow: Workflow) -> WorkflowInitial:
    """The initial values of a WorkflowForm, as the workflow is now."""
    conditions = workflow.conditions
    low, high = (
        None if minor is None else Money(minor, conditions.currency).amount
        for minor in (conditions.min_amount_minor, conditions.max_amount_minor)
    )
    return {
        "name": workflow.name, "active": workflow.active, "priority": workflow.priority,
        "currency": conditions.currency, "min_amount": low, "max_amount": high, "teams": conditions.team_ids,
        "subcategories": conditions.subcategory_ids, "vendors": conditions.vendor_ids,
    }  # fmt: skip


def initial_steps(workflow: Workflow) -> list[StepInitial]:
    """The initial values of the steps, as they are now."""
    return [
        {
            "who": NAMED if step.approver_ids is not None else REVIEWERS if step.by_reviewers else ANYBODY,
            "people": step.approver_ids or [],
            "votes": step.min_approvals,
        }
        for step in sorted(workflow.steps, key=lambda step: step.order)
    ]
