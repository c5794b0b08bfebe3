"""The form of an offboarding: a main heir, and for each thing that somebody leaves behind an action, with an heir of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms

from dashboard.access.actor import Actor
from dashboard.mirror.models import Employee
from dashboard.offboarding.dead_ends import Chosen, offboarding_problems
from dashboard.offboarding.heirs import Heirs
from dashboard.offboarding.labels import LeaverAction, LeftBehind
from dashboard.web.fields import set_choices
from dashboard.web.person_field import PersonChoices, PersonField, person_choices

MAIN = "main"
NO_HEIR = "Choose a successor here, or a main successor above."
NOWHERE = "No active wallet of the business has this currency: the money has nowhere to go back to."


class HeirChoice(PersonField):
    """Somebody of a list; whoever is not on it is refused by name, with the reason why."""

    def valid_value(self, value: Any) -> bool:
        """Whoever it is: who may be an heir, and why somebody may not, depends on what is taken over."""
        return True


def heir_choices(heirs: Heirs) -> PersonChoices:
    """Who is offered to take things over, read once for all the fields of a page."""
    return person_choices(heirs.actor, heirs.offered(), heirs.known())


def offer_heirs(form: forms.Form, offered: PersonChoices, nobody: str) -> None:
    """Gives the form's heir the choices; `nobody` is the label of the empty one."""
    field = form.fields["heir"]
    assert isinstance(field, PersonField)
    field.offer(offered, nobody)


class MainHeirForm(forms.Form):
    """Who takes over whatever names no heir of its own."""

    heir = HeirChoice(
        required=False, label="Main successor", help_text="Takes over everything that has no successor of its own."
    )

    def __init__(self, *args: Any, offered: PersonChoices, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "prefix": MAIN})
        offer_heirs(self, offered, "Nobody")


class SuccessorForm(forms.Form):
    """Another successor for a step that is stuck: `need` says who can be one."""

    heir = HeirChoice(label="Successor")

    def __init__(self, *args: Any, heirs: Heirs, need: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.heirs, self.need = heirs, need
        offer_heirs(self, heir_choices(heirs), "Choose…")

    def clean_heir(self) -> Employee | None:
        """The employee; ValidationError with the reason why somebody cannot be it."""
        if problem := self.heirs.problem(self.cleaned_data["heir"], self.need):
            raise forms.ValidationError(problem)
        return self.heirs.find(self.cleaned_data["heir"])


class HoldingForm(forms.Form):
    """What is done about one thing, and who takes it over where somebody does."""

    action = forms.ChoiceField()
    heir = HeirChoice(required=False, label="Successor")

    def __init__(self, *args: Any, left_behind: LeftBehind, offered: PersonChoices, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "prefix": left_behind.key})
        self.holding = left_behind
        choices = [(choice.name, choice.label) for choice in left_behind.choices]
        set_choices(self, "action", choices)
        if len(choices) == 1:
            self.fields["action"].widget = forms.HiddenInput()
            self.fields["action"].initial = choices[0][0]
        if any(choice.heir for choice in left_behind.choices):
            offer_heirs(self, offered, "Main successor")
        else:
            del self.fields["heir"]
        if not choices:
            self.fields["action"].required = False

    @property
    def action_label(self) -> str:
        """What is to be done about it as the form stands, in words; "" where there is nothing to choose."""
        chosen = self["action"].value() or next((choice.name for choice in self.holding.choices), "")
        return next((choice.label for choice in self.holding.choices if choice.name == chosen), "")

    @property
    def choice(self) -> LeaverAction | None:
        """What was chosen; None where that is no choice of this thing."""
        name = self.cleaned_data.get("action", "")
        return next((choice for choice in self.holding.choices if choice.name == name), None)


@dataclass
class OffboardingForms:
    """The main heir's form and one for each holding, read and judged together."""

    actor: Actor
    leaver: Employee
    main: MainHeirForm
    lines: list[HoldingForm]

    @classmethod
    def of(
        cls,
        actor: Actor,
        leaver: Employee,
        holdings: list[LeftBehind],
        posted: Mapping[str, str] | None,
        heir: str = "",
    ) -> OffboardingForms:
        """The forms for these holdings; `heir` is the main heir that is offered first."""
        offered = heir_choices(Heirs(actor, leaver))
        main = MainHeirForm(posted, offered=offered, initial={"heir": heir})
        return cls(
            actor, leaver, main, [HoldingForm(posted, left_behind=holding, offered=offered) for holding in holdings]
        )

    def is_valid(self) -> bool:
        """Whether everything has its action and an heir who may take it over, and nothing ends at nobody."""
        valid = [form.is_valid() for form in (self.main, *self.lines)]
        for line in self.lines:
            if not line.holding.choices:
                line.add_error(None, NOWHERE)
        self._check_heirs()
        if not self.main.errors and not any(line.errors for line in self.lines):
            problems = offboarding_problems(self.actor, self.leaver, self.chosen())
            for line in self.lines:
                if problem := problems.get(line.holding.key):
                    line.add_error("heir" if "heir" in line.fields else None, problem)
        return all(valid) and not self.main.errors and not any(line.errors for line in self.lines)

    def _check_heirs(self) -> None:
        heirs, main = Heirs(self.actor, self.leaver), self._main()
        if main and (problem := heirs.problem(main, "anybody")):
            self.main.add_error("heir", problem)
            main = ""
        for line in self.lines:
            if (choice := line.choice) is None or not choice.heir:
                continue
            heir = line.cleaned_data.get("heir") or main
            problem = heirs.problem(heir, choice.heir) if heir else "" if self.main.errors else NO_HEIR
            if problem:
                line.add_error("heir", problem)

    def _main(self) -> str:
        return str(self.main.cleaned_data.get("heir") or "")

    def chosen(self) -> list[Chosen]:
        """What was chosen for each holding, in their order, once that is valid."""
        heirs, main = Heirs(self.actor, self.leaver), self._main()
        chosen = []
        for line in self.lines:
            choice = line.choice
            if choice is not None:
                heir = heirs.find(line.cleaned_data.get("heir") or main) if choice.heir else None
                chosen.append(Chosen(line.holding, choice.name, heir))
        return chosen

    @property
    def first_wrong(self) -> forms.Form | None:
        """The first form with an error, which has the focus; None without one."""
        return next((form for form in (self.main, *self.lines) if form.is_bound and form.errors), None)
