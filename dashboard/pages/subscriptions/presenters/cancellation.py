"""A cancellation as a checklist: each step with who did it and when, or with the forms that do it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

from django import forms
from django.urls import reverse

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.mirror.models import Card, Subscription
from dashboard.pages.subscriptions.forms import STEP_FORMS, StepForm, WithdrawalForm
from dashboard.renewals.models import Cancellation, CancellationStep
from dashboard.renewals.selectors import cancellation_of
from dashboard.times import day_and_time, today_of

Name = CancellationStep.Name
# The ways in which each step is done, each by a form of its own: its name in the address, and its button.
WAYS: dict[str, tuple[tuple[str, str], ...]] = {
    Name.VENDOR_NOTIFIED: (("vendor", "Confirm vendor was notified"),),
    Name.CARD_STOPPED: (("block", "Block card"), ("limit", "Lower monthly limit"), ("none", "Confirm without a card")),
    Name.LAST_CHARGE: (("charge", "Confirm last charge"),),
    Name.ENDED: (("end", "End subscription"),),
}
HINTS: dict[str, str] = {
    "block": "Everything charged on this card is declined until it is unblocked.",
    "limit": "Other charges on this card count towards the limit, too.",
    "none": "If nothing is charged on a card, or the card must stay in use.",
    "end": "The subscription is paused here; a later charge is reported to its owner and the admins.",
}


@dataclass(frozen=True, slots=True)
class Way:
    """A form that does a step: where it is sent, its button, and what follows."""

    name: str
    action: str
    button: str
    hint: str
    form: forms.Form


@dataclass(frozen=True, slots=True)
class StepLine:
    """A step of the checklist: what was noted, by whom and when, or the ways to do it now."""

    title: str
    note: str
    done: str
    ways: list[Way]


class ChecklistContext(TypedDict):
    """What subscriptions/cancellation.html reads; `state` is "" where nothing is cancelled."""

    row: Subscription
    state: str
    label: str
    opened: str
    steps: list[StepLine]
    withdraw_form: forms.Form


def checklist_context(
    actor: Actor, row: Subscription, card: Card | None, refused: Mapping[str, forms.Form]
) -> ChecklistContext:
    """The checklist of a subscription; `refused` are its forms that were sent and not accepted, by name."""
    live = cancellation_of(actor.business, row.remote_id)
    return {
        "row": row,
        "state": live.state if live else "",
        "label": live.get_state_display() if live else "",
        "opened": f"{live.opened_by}, {day_and_time(live.opened_at, actor.business)}" if live else "",
        "steps": _steps(actor, row, card, live, refused) if live else [],
        "withdraw_form": refused.get("withdraw", WithdrawalForm()),
    }


def _steps(
    actor: Actor, row: Subscription, card: Card | None, live: Cancellation, refused: Mapping[str, forms.Form]
) -> list[StepLine]:
    done = {step.name: step for step in live.steps.all()}
    lines = []
    for name in Name:
        step = done.get(name)
        if step is not None:
            at = day_and_time(step.done_at, actor.business)
            lines.append(StepLine(name.label, step.note, f"{step.done_by_name}, {at}", []))
            continue
        open_yet = name != Name.ENDED or len(done) == len(Name) - 1
        note = "" if open_yet else "Once the steps above are done."
        lines.append(StepLine(name.label, note, "", _ways(actor, row, card, name, refused) if open_yet else []))
    return lines


def _ways(
    actor: Actor, row: Subscription, card: Card | None, step: str, refused: Mapping[str, forms.Form]
) -> list[Way]:
    return [
        Way(
            name,
            reverse("subscriptions_cancellation_step", args=[actor.business.slug, row.remote_id, name]),
            f"{button} ···{card.last_four}" if name == "block" and card else button,
            HINTS.get(name, ""),
            refused.get(name) or form_of_step(name, actor, row, card),
        )
        for name, button in WAYS[step]
        if _is_offered(actor, name, card)
    ]  # fmt: skip


def _is_offered(actor: Actor, name: str, card: Card | None) -> bool:
    operation = {"block": operations.BLOCK_CARD, "limit": operations.UPDATE_CARD}.get(name)
    return operation is None or (card is not None and bool(can(actor, operation, card)))


def form_of_step(name: str, actor: Actor, row: Subscription, card: Card | None, data: Any = None) -> StepForm:
    """The form that does a step, with the person themself and today where nothing was sent."""
    initial = {"by": actor.name, "on": today_of(actor.business), "until": today_of(actor.business)}
    return STEP_FORMS[name](
        data, initial=initial, locale=actor.business.locale, prefix=name, today=today_of(actor.business),
        currency=card.currency if card else row.currency,
    )  # fmt: skip
