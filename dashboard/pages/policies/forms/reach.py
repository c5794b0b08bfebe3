"""Whom a change of a policy or a workflow holds for: new items only, or what waits as well."""

from __future__ import annotations

from django import forms

REACH = "reach"
NEW, WAITING = "NEW", "WAITING"


def offer_reach(form: forms.Form, label: str, waiting: str, help_text: str = "") -> None:
    """Adds the choice to a form before it is validated. `waiting` names what waits, "" for nothing: then there is no choice,
    unless it was made while something did."""
    if not waiting and REACH not in form.data:
        return
    choices = ((NEW, "New items only"), (WAITING, f"Also {waiting or 'what waits'}"))
    form.fields[REACH] = forms.ChoiceField(
        label=label, choices=choices, widget=forms.RadioSelect, required=False, initial=NEW, help_text=help_text
    )


def reaches_waiting(form: forms.Form) -> bool:
    """Whether a valid form says that what waits is meant, too."""
    return bool(form.cleaned_data.get(REACH) == WAITING)


def expenses_in_review(count: int) -> str:
    """So many expenses, as the choice names them; "" for none."""
    many = "the expense that waits" if count == 1 else f"the {count:,} expenses that wait"
    return f"{many} for review" if count else ""


def marked_in_review(count: int) -> str:
    """So many expenses that a policy marks; "" for none."""
    return f"{expenses_in_review(count)} with its mark" if count else ""


def open_requests(count: int) -> str:
    """So many requests for votes; "" for none."""
    many = "the request that waits" if count == 1 else f"the {count:,} requests that wait"
    return f"{many} for approval" if count else ""
