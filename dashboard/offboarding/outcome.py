"""What carrying out a step came to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.offboarding.models import OffboardingStep
from dashboard.schemas.base import JsonObject


@dataclass(frozen=True, slots=True)
class Carried:
    """It was done, under this request id; or it was proposed, and waits for a second admin. `action` is what came of it in
    place of what was planned: then nobody was given anything."""

    request_id: str = ""
    proposal_id: int | None = None
    sentence: str = ""
    action: str = ""


SO_ALREADY, GONE = "It was so already.", "It no longer exists."
# What is prepared where the leaver holds nothing any more: nothing is sent.
OVER: JsonObject = {"over": True}


def over_before(step: OffboardingStep, action: str) -> Carried | None:
    """What a step came to that was over before it was carried out: as if `action` had been chosen; None where it was not."""
    if "over" not in step.data:
        return None
    given = f"It was over already: nothing was given to {step.heir_name}."
    return Carried(sentence=given if step.heir_id else SO_ALREADY, action=action)


def nothing(actor: Actor, step: OffboardingStep) -> JsonObject:
    """For a step that sends nothing but ids it has already."""
    return {}


@dataclass(frozen=True, slots=True)
class StepAction:
    """One action: `operation` says whose it is (None: whoever may start an offboarding); `prepare` what is sent, written
    down before it leaves; `carry_out` sends it and raises the FinanceError tree; `is_done` whether the copy shows it."""

    operation: Operation | None
    carry_out: Callable[[Actor, OffboardingStep], Carried]
    is_done: Callable[[Actor, OffboardingStep], bool]
    prepare: Callable[[Actor, OffboardingStep], JsonObject] = nothing
