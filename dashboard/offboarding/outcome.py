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
    """It was done, under this request id; or it was proposed, and waits for a second admin."""

    request_id: str = ""
    proposal_id: int | None = None
    sentence: str = ""


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
