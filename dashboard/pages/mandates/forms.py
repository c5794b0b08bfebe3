"""The forms of mandates, roles and rights: how many, who, up to how much, which permissions."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django import forms

from dashboard.access.roles import Role
from dashboard.impact.mandate_text import voting
from dashboard.inputs import InputError, typed_minor
from dashboard.money import Money
from dashboard.schemas.permissions import NewSeatBody, NewSeatsBody, Permission, SeatChanges
from dashboard.schemas.wallet_policies import Mandate, Seat
from dashboard.web.fields import LocaleForm, WholeField
from dashboard.web.forms import amount_field
from dashboard.web.people_field import PeopleField
from dashboard.web.person_field import PersonChoices

# The service names a field as the interface does.
FIELDS = {
    "approvers": "people",
    "approver_ids": "people",
    "add": "group_0",
    "remove": "group_0",
    "permissions": "group_0",
}
APPROVES = "_APPROVE"


class MinimumForm(forms.Form):
    """How many of the active approvers of a mandate must approve; it begins with as many as now."""

    min_approvers = WholeField(label="Required approvals", min_value=1)

    def __init__(self, *args: Any, mandate: Mandate, **kwargs: Any) -> None:
        kwargs["initial"] = {"min_approvers": mandate.min_approvers}
        super().__init__(*args, **kwargs)
        self.able = len(voting(mandate))
        self.fields["min_approvers"].help_text = f"Of {self.able} active approver{'s' if self.able != 1 else ''}."

    def clean_min_approvers(self) -> int:
        """The number; ValidationError where it is more than could approve."""
        minimum: int = self.cleaned_data["min_approvers"]
        if minimum > self.able:
            raise forms.ValidationError(f"Only {self.able} can approve: add approvers first.")
        return minimum


class CapForm(LocaleForm):
    """Up to how much somebody may approve, and whether it never passes without them."""

    max_amount = amount_field(label="Approval limit", required=False)
    required = forms.BooleanField(label="Required approver", required=False)

    def __init__(self, *args: Any, currency: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.currency = currency
        self.fields["max_amount"].help_text = f"{currency}. Empty: any amount."

    def clean_max_amount(self) -> Decimal | None:
        """The amount, None for any; ValidationError where the currency has no such amount."""
        amount: Decimal | None = self.cleaned_data["max_amount"]
        try:
            typed_minor(amount or Decimal(), self.currency)
        except InputError as wrong:
            raise forms.ValidationError(str(wrong)) from wrong
        return amount


class SeatForm(CapForm):
    """An approver of a mandate; `order` is asked where votes go in an order."""

    active = forms.BooleanField(
        label="Active approver", required=False, help_text="If off, the approver stays listed but cannot approve."
    )
    order = WholeField(label="Step", min_value=0, max_value=1000, required=False)

    def __init__(self, *args: Any, mandate: Mandate, seat: Seat, **kwargs: Any) -> None:
        cap = seat.max_amount_minor
        amount = None if cap is None else Money(cap, mandate.currency).amount
        initial = {"max_amount": amount, "required": seat.required, "active": seat.active, "order": seat.order}
        super().__init__(*args, currency=mandate.currency, initial=initial, **kwargs)
        if not mandate.sequential:
            del self.fields["order"]

    def body(self) -> SeatChanges:
        """The fields that differ from before."""
        data, changed = self.cleaned_data, self.changed_data
        body: SeatChanges = {}
        if "max_amount" in changed:
            body["max_amount"] = data["max_amount"]
        if "required" in changed:
            body["required"] = data["required"]
        if "active" in changed:
            body["active"] = data["active"]
        if "order" in changed:
            body["order"] = data["order"]
        return body


class AddForm(CapForm):
    """Approvers to add to a mandate."""

    people = PeopleField(
        label="Approvers", widget=forms.CheckboxSelectMultiple, error_messages={"required": "Choose at least one."}
    )
    field_order = ("people", "max_amount", "required")

    def __init__(self, *args: Any, choices: PersonChoices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = self.fields["people"]
        assert isinstance(people, PeopleField)
        people.offer(choices)
        if choices.few == []:
            people.help_text = "Every active approver is already on it."

    def body(self) -> NewSeatsBody:
        """The people that were chosen, each with the same terms."""
        cleaned = self.cleaned_data
        required, cap = cleaned["required"], cleaned["max_amount"]
        seats: list[NewSeatBody] = [{"approver_id": person, "required": required} for person in cleaned["people"]]
        if cap is not None:
            for seat in seats:
                seat["max_amount"] = cap
        return {"approvers": seats}


class RemoveForm(forms.Form):
    """Approvers to take off a mandate."""

    people = forms.MultipleChoiceField(
        label="Approvers", widget=forms.CheckboxSelectMultiple, error_messages={"required": "Choose at least one."}
    )

    def __init__(self, *args: Any, mandate: Mandate, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["people"].choices = [(seat.approver_id, seat.name) for seat in mandate.approvers]  # type: ignore[attr-defined]


class EmployeeRoleForm(forms.Form):
    """The role that somebody is to have."""

    role = forms.ChoiceField(label="Role", choices=Role.choices, widget=forms.RadioSelect)

    def clean_role(self) -> str:
        """The role; ValidationError for the one that they have."""
        role: str = self.cleaned_data["role"]
        if role == self.initial.get("role"):
            raise forms.ValidationError("This is already their role.")
        return role


class PermissionsForm(forms.Form):
    """Permissions, a field for each group of them; what a role can never have is not offered."""

    def __init__(self, *args: Any, offered: Iterable[Permission], held: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        groups: dict[str, list[tuple[str, str]]] = {}
        for permission in offered:
            groups.setdefault(permission.group or "Others", []).append(
                (permission.name, permission.title or permission.name)
            )
        self.offered = [name for group in groups.values() for name, _ in group]
        # What is held and not offered is left as it is.
        self.not_offered = [name for name in held if name not in self.offered]
        for place, (group, choices) in enumerate(groups.items()):
            self.fields[f"group_{place}"] = forms.MultipleChoiceField(
                label=group,
                choices=choices,
                required=False,
                widget=forms.CheckboxSelectMultiple,
                initial=[name for name, _ in choices if name in set(held)],
            )

    def chosen(self) -> list[str]:
        """The names of all permissions that would be held."""
        ticked = {name for values in self.cleaned_data.values() for name in values}
        return [*self.not_offered, *(name for name in self.offered if name in ticked)]
