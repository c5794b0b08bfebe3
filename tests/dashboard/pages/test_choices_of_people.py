"""No form cuts its choice of people silently: whoever is the last by name can be chosen everywhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django import forms
from django.http import QueryDict

from dashboard.mirror.models import Employee
from dashboard.pages.cards.forms.new_card import NewCardForm
from dashboard.pages.investments.forms import OperatorsForm
from dashboard.pages.investments.selectors import operator_choices
from dashboard.pages.mandates.forms import AddForm
from dashboard.pages.mandates.selectors import people_who_could_join
from dashboard.pages.policies.forms.policy import AppliesForm, PolicyForm
from dashboard.pages.policies.forms.simulator import ExampleForm
from dashboard.pages.policies.forms.workflow import initial_steps, workflow_steps
from dashboard.pages.policies.selectors.examples import example_choices
from dashboard.pages.policies.selectors.policies import approvers_of, people_choices, policy_choices
from dashboard.pages.policies.selectors.workflows import workflow_choices
from dashboard.pages.subscriptions.forms import NewSubscriptionForm, OwnerForm
from dashboard.pages.subscriptions.selectors import choices_of
from dashboard.schemas.wallet_policies import Mandate
from dashboard.schemas.workflows import Workflow
from dashboard.web.people_field import PeopleField
from dashboard.web.person_field import PersonField
from tests.dashboard.pages.conftest import House

LAST, MANY = "Zuri Zawadi", 2_050
PAGES = Path(__file__).parents[3] / "dashboard" / "pages"
# What reads people and cuts something, and why nobody is lost by it.
NO_CHOICE = {
    ("approvals/presenters/votes.py", "_who_is_next"): "names in a sentence, with how many more",
    ("mandates/selectors.py", "people_with_roles"): "a page of a list, with the next one",
    ("people/selectors/people.py", "team_members"): "the first members of a team, with how many there are",
    ("people/tables.py", "people_of"): "the name of a team by a subquery",
    ("subscriptions/selectors.py", "choices_of"): "cards, not people",
    ("wallet_policies/presenters/holders.py", "holders_of"): "a page of a list",
    ("wallet_policies/presenters/suspensions.py", "suspensions_of"): "policies that one names",
    ("wallet_policies/presenters/access.py", "grant_choice_context"): "the first of a search, whose field stands above",
}


@pytest.fixture
def crowd(house: House) -> House:
    """A business of more approvers than any list has ever held; the last by name is Zuri, and two are called Sam Otieno."""
    names = [*(f"Person {number:04}" for number in range(MANY)), "Sam Otieno", "Sam Otieno", LAST]
    rows = [
        Employee(
            **house._mirrored(), remote_id=f"{house.business.slug}x{number}", name=name, role="APPROVER",
            status="ACTIVE", email=f"n{number}@people.test",
        )
        for number, name in enumerate(names)
    ]  # fmt: skip
    Employee.objects.bulk_create(rows)
    return house


def last(house: House) -> Employee:
    return Employee.objects.get(business=house.business, name=LAST)


def data(**values: Any) -> QueryDict:
    query = QueryDict(mutable=True)
    for name, value in values.items():
        query.setlist(name, value if isinstance(value, list) else [value])
    return query


def every_form(house: House, typed: str) -> Iterator[tuple[str, forms.BaseForm]]:
    """Each form in which somebody is chosen, with these words in the field of theirs."""
    ada = house.actor("Ada")
    yield "employee_id", NewCardForm(data(employee_id=typed), actor=ada)
    policy = policy_choices(ada, "CHANNEL")
    yield "exempt_people", PolicyForm(data(exempt_people=typed), type_="CHANNEL", choices=policy, locale="en")
    example = example_choices(ada)
    yield "person", ExampleForm(data(person=typed), choices=example, business=house.business)
    steps = workflow_steps(
        data(**{"steps-TOTAL_FORMS": "1", "steps-INITIAL_FORMS": "0", "steps-0-who": "people",
                "steps-0-people": typed, "steps-0-votes": "1"}),
        approvers=approvers_of(ada),
    )  # fmt: skip
    yield "people", steps.forms[0]
    choices = choices_of(ada)
    yield "employee_id", OwnerForm(data(employee_id=typed), choices=choices)
    yield "employee_id", NewSubscriptionForm(data(employee_id=typed), choices=choices, locale="en")
    yield "person", AppliesForm(data(person=typed), people=people_choices(ada))
    mandate = Mandate.model_validate({
        "_id": "m1", "action_type": 1, "currency": "KES", "name": "", "min_amount_minor": 0, "min_approvers": 1,
        "approvers": [], "active": True,
    })  # fmt: skip
    seats = people_who_could_join(ada, mandate)
    yield "people", AddForm(data(people=typed), choices=seats, currency="KES", locale="en")
    operators = operator_choices(ada, [])
    yield "invest", OperatorsForm(data(invest=typed, version="1"), people=operators)
    yield "withdraw", OperatorsForm(data(withdraw=typed, version="1"), people=operators)


@pytest.mark.parametrize("typed", [LAST, "{id}", "n2052@people.test"])
def test_the_last_of_many_can_be_chosen_in_every_form(crowd: House, typed: str) -> None:
    person = last(crowd)
    for name, form in every_form(crowd, typed.format(id=person.remote_id)):
        form.full_clean()
        assert name not in form.errors, (type(form).__name__, form.errors)
        cleaned = form.cleaned_data[name]
        assert cleaned in (person.remote_id, [person.remote_id]), type(form).__name__
        # Shown again, they are named, and chosen still; nobody has sent two thousand options for it.
        shown = str(form[name])
        assert LAST in shown
        assert shown.count("<option") == 0
        assert "/people/suggestions/" in shown


@pytest.mark.parametrize(("typed", "error"), [("Sam Otieno", "Several people"), ("Nobody Such", "Nobody who can be")])
def test_words_that_name_nobody_or_several_are_said_and_stay(crowd: House, typed: str, error: str) -> None:
    for name, form in every_form(crowd, typed):
        assert error in str(form.errors[name]), type(form).__name__
        assert f'value="{typed}"' in str(form[name]), type(form).__name__


def test_several_are_chosen_at_once_each_once(crowd: House) -> None:
    ada, zuri = crowd.actor("Ada"), last(crowd)
    typed = data(invest=[zuri.remote_id, LAST, "Person 0001", ""], version="1")
    form = OperatorsForm(typed, people=operator_choices(ada, []))
    assert form.is_valid(), form.errors
    one = Employee.objects.get(business=crowd.business, name="Person 0001").remote_id
    assert form.cleaned_data["invest"] == [zuri.remote_id, one]
    assert str(form["invest"]).count("checked") == 2


def test_who_is_exempt_already_stays_so_though_suspended(house: House) -> None:
    carla = house.employee_id("Carla")
    Employee.objects.filter(business=house.business, remote_id=carla).update(status="SUSPENDED")
    ada = house.actor("Ada")
    assert carla in dict(people_choices(ada, [carla]).listed or [])
    assert carla not in dict(people_choices(ada).listed or [])


def seats_of(house: House, person: str) -> str:
    """The steps of a workflow in which somebody has a seat, as the form shows them."""
    step = {"order": 1, "min_approvals": 1, "approver_ids": [person]}
    workflow = Workflow.model_validate({
        "_id": "f" * 24, "name": "Large bills", "action_type": 3, "active": True, "priority": 1, "conditions": {},
        "steps": [step], "version": 1,
    })  # fmt: skip
    choices = workflow_choices(house.actor("Ada"), workflow)
    steps = workflow_steps(None, approvers=choices.approvers, initial=initial_steps(workflow))
    return str(steps.forms[0]["people"])


def test_an_approver_keeps_their_seat_on_the_form_though_suspended(house: House) -> None:
    apollo = house.employee_id("Apollo")
    Employee.objects.filter(business=house.business, remote_id=apollo).update(status="SUSPENDED")
    shown = seats_of(house, apollo)
    assert f'value="{apollo}"' in shown
    assert "checked" in shown
    assert "(suspended)" in shown


def test_so_do_they_where_many_can_be_chosen(crowd: House) -> None:
    zuri = last(crowd)
    Employee.objects.filter(pk=zuri.pk).update(status="SUSPENDED")
    shown = seats_of(crowd, zuri.remote_id)
    assert f"{LAST} · {zuri.email} (suspended)" in shown
    # As a choice that is ticked, not as words that name nobody.
    assert f'type="checkbox" name="steps-0-people" value="{zuri.remote_id}"' in shown


def test_where_few_can_be_chosen_they_are_listed(house: House) -> None:
    for name, form in every_form(house, house.employee_id("Apollo")):
        field = form.fields[name]
        assert isinstance(field, PersonField | PeopleField)
        assert field.by_name is None, type(form).__name__


def _cut(tree: ast.AST) -> Iterator[str]:
    """The names of functions that read employees and cut what they read."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        calls = {ast.unparse(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
        reads = any(
            name in {"visible_employees", "visible_holders"} or name.startswith("Employee.objects") for name in calls
        )
        cuts = any(
            isinstance(node, ast.Slice) and node.upper is not None for node in ast.walk(function)
        )  # fmt: skip
        if reads and cuts:
            yield function.name


def test_no_page_cuts_a_list_of_people_that_is_chosen_from() -> None:
    cut = {
        (str(path.relative_to(PAGES)), name)
        for path in sorted(PAGES.rglob("*.py"))
        for name in _cut(ast.parse(path.read_text()))
    }
    assert cut == set(NO_CHOICE), cut ^ set(NO_CHOICE)
