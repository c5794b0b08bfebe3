"""A field that names somebody: a list to choose from where few can be, else words that are looked up as they are typed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from dashboard.access.actor import Actor
from dashboard.access.roles import Role
from dashboard.inputs import is_plain, plain
from dashboard.mirror.models import Employee
from dashboard.mirror.scopes import visible_employees
from dashboard.search import matching

# So many are listed; beyond them a list is neither read nor sent, once per field of a page.
MAX_LISTED = 100
MAX_SUGGESTED = 20
MAX_TYPED = 300
BETWEEN = " · "
OUT_OF_USE = {"SUSPENDED": "suspended", "DELETED": "removed"}


def role_label(employee: Employee) -> str:
    """The role of somebody as it is read."""
    return str(Role(employee.role).label) if employee.role in Role.values else employee.role


def named_as_of_now(employee: Employee, text: str) -> str:
    """The text that names somebody, with what became of them where they are active no more."""
    state = OUT_OF_USE.get(employee.status)
    return f"{text} ({state})" if state else text


def text_of(employee: Employee) -> str:
    """What stands in the field once somebody was chosen: the name, and the email that tells two of one name apart."""
    return f"{employee.name}{BETWEEN}{employee.email}" if employee.email else employee.name


@dataclass(frozen=True)
class PersonChoices:
    """Who can be chosen, in the order of their list, and the address that suggests people for what is typed. `known` are
    those whom typed words may name besides, for a form that says of them why they cannot be chosen."""

    people: QuerySet[Employee]
    address: str
    known: QuerySet[Employee] | None = None

    @cached_property
    def few(self) -> list[Employee] | None:
        """The people; None where they are too many to be listed."""
        rows = list(self.people[: MAX_LISTED + 1])
        return None if len(rows) > MAX_LISTED else rows

    @property
    def listed(self) -> list[tuple[str, str]] | None:
        """Employee ids with names and roles; None where they are too many to be listed."""
        if self.few is None:
            return None
        return [(row.remote_id, f"{row.name}{BETWEEN}{role_label(row)}") for row in self.few]

    def named(self, typed: str) -> list[Employee]:
        """Whom an id, an email (after a name or alone) or a whole name means: two at most, which is not clear then."""
        words = plain(typed)
        ways = ({"remote_id": words}, {"email__iexact": words.rpartition(BETWEEN)[2]}, {"sort_name": words.lower()})
        # Whoever can be chosen before somebody of the same address who cannot, such as their own account of before.
        among = [rows.order_by("sort_name", "pk") for rows in (self.people, self.known) if rows is not None]
        tries = (list(rows.filter(**way)[:2]) for rows in among for way in ways)
        return next((people for people in tries if people), [])

    def id_of(self, typed: str) -> str:
        """The employee id of whoever typed words mean; ValidationError for words that name nobody, or several."""
        people = self.named(typed) if len(typed) <= MAX_TYPED and is_plain(typed) else []
        if not people:
            raise forms.ValidationError(
                f"Nobody who can be chosen is called “{typed[:60]}”: type part of a name and choose from the list."
            )
        if len(people) > 1:
            raise forms.ValidationError(f"Several people are called {people[0].name}: write their email.")
        return people[0].remote_id


def person_choices(
    actor: Actor, people: QuerySet[Employee], known: QuerySet[Employee] | None = None
) -> PersonChoices:  # fmt: skip
    """The choices of a field out of these people, as the actor sees them."""
    return PersonChoices(people, reverse("people_suggestions", args=[actor.business.slug]), known)


def suggested_people(actor: Actor, typed: str) -> list[tuple[str, str]]:
    """The active people whose name or email has words that begin so, by name, each as the text that the field takes and
    their role; none where nothing was typed."""
    terms = matching(plain(typed), "search") if is_plain(typed) else None
    if terms is None:
        return []
    rows = visible_employees(actor).filter(terms, status="ACTIVE").order_by("sort_name", "pk")[:MAX_SUGGESTED]
    return [(text_of(row), role_label(row)) for row in rows]


class PersonInput(forms.TextInput):
    """A line of text whose list of suggestions the server fills while one types."""

    def __init__(self, address: str) -> None:
        super().__init__({"autocomplete": "off", "maxlength": MAX_TYPED, "placeholder": "Name or email"})
        self.address = address

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """The context of the input, tied to its list."""
        context = super().get_context(name, value, attrs)
        context["widget"]["attrs"] |= {
            "list": self._list_id(name, attrs), "hx-get": self.address, "hx-vals": json.dumps({"field": name}),
            "hx-trigger": "input changed delay:250ms", "hx-target": "next datalist", "hx-swap": "innerHTML",
            "hx-sync": "this:replace",
        }  # fmt: skip
        return context

    def render(self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None) -> SafeString:
        """The input and its list, which is empty until something is typed."""
        control = super().render(name, value, attrs, renderer)
        return format_html('{}<datalist id="{}"></datalist>', control, self._list_id(name, attrs))

    @staticmethod
    def _list_id(name: str, attrs: dict[str, Any] | None) -> str:
        return f"{(attrs or {}).get('id') or name}_people"


class PersonField(forms.ChoiceField):
    """Somebody, cleaned to their employee id. `offer` gives it its choices before it is read or shown."""

    by_name: PersonChoices | None = None

    def offer(self, choices: PersonChoices, nobody: str) -> None:
        """Lists the people after an empty choice of this label; where they are too many, they are typed by name."""
        listed = choices.listed
        if listed is not None:
            self.choices = [("", nobody), *listed]
            return
        self.by_name = choices
        self.widget = PersonInput(choices.address)
        self.widget.is_required = self.required

    def prepare_value(self, value: Any) -> Any:
        """Whoever an id names as text, where people are typed; what else was typed as it was."""
        if self.by_name is None or not value or not is_plain(str(value)):
            return value
        people = self.by_name.named(str(value)[:MAX_TYPED])
        return text_of(people[0]) if len(people) == 1 else value

    def to_python(self, value: Any) -> str:
        """The employee id; ValidationError for words that name nobody, or several."""
        text = str(super().to_python(value)).strip()
        if self.by_name is None or not text:
            return text
        return self.by_name.id_of(text)

    def valid_value(self, value: Any) -> bool:
        """Whether it is on the list; what was typed has been looked up already."""
        return self.by_name is not None or super().valid_value(value)
