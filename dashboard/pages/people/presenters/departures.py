"""An offboarding before it is started, and how far it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import NotRequired, TypedDict

from django import forms

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.mirror.models import Employee
from dashboard.offboarding.dead_ends import stuck_without
from dashboard.offboarding.heirs import Heirs
from dashboard.offboarding.labels import HOLDING_KINDS
from dashboard.offboarding.models import Offboarding, OffboardingStep
from dashboard.offboarding.outcome import GONE
from dashboard.offboarding.selectors import open_offboardings, steps_of
from dashboard.offboarding.services import NEEDS, is_theirs, may_reassign
from dashboard.pages.people.forms.departures import HoldingForm, MainHeirForm, OffboardingForms, SuccessorForm
from dashboard.times import as_of, day
from dashboard.web.submission import new_key

StepState = OffboardingStep.State
MOST_LISTED = 100
# Of more of a kind, what is proposed for all of them is said in a line, and each is there when it is opened.
MOST_OPEN = 6
TONES = {
    StepState.WAITING: "", StepState.SENDING: "info", StepState.UNKNOWN: "warn", StepState.PROPOSED: "info",
    StepState.FOR_ANOTHER: "warn", StepState.REFUSED: "bad", StepState.DONE: "ok",
}  # fmt: skip
MOVING = frozenset({StepState.WAITING, StepState.SENDING, StepState.UNKNOWN})
FOR_PEOPLE = frozenset({StepState.REFUSED, StepState.FOR_ANOTHER, StepState.UNKNOWN})
DONE_WORDS = {
    "add": "Seat given to", "assign": "Given to", "remove": "Seat removed", "replace": "Seat given to", "end": "Ended",
    "revoke": "Revoked", "decline": "Declined", "pause": "Paused", "close": "Closed", "block": "Blocked",
    "take_back": "Returned", "keep": "Left as it is", "suspend": "Suspended", "reopen": "Left to another admin",
    "take_over": "Taken over", "cancel": "Cancelled",
}  # fmt: skip
TO_DO_WORDS = {
    "add": "Give seat to", "assign": "Give to", "remove": "Remove seat", "replace": "Give seat to", "end": "End",
    "revoke": "Revoke", "decline": "Decline", "pause": "Pause", "close": "Close", "block": "Block",
    "take_back": "Return", "keep": "Leave as it is", "suspend": "Suspend", "reopen": "Have another admin confirm it",
    "take_over": "Run as another approver", "cancel": "Cancel",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Group:
    """The things of one kind that somebody leaves behind, each with its form."""

    heading: str
    lines: list[HoldingForm]

    @property
    def folded(self) -> str:
        """What stands in place of many until they are opened: "28: Give seat to successor"; "" for a few, and where one has an
        error."""
        if len(self.lines) <= MOST_OPEN or any(line.is_bound and line.errors for line in self.lines):
            return ""
        counts = Counter(line.action_label for line in self.lines)
        return ", ".join(
            f"{count} × {label}" if len(counts) > 1 else f"{count}: {label}" for label, count in counts.items()
        )


@dataclass(frozen=True, slots=True)
class StepLine:
    """One step: what it is about, what is or was done with it and for whom, its state, and a sentence where there is one."""

    title: str
    action: str
    heir: str
    state: str
    tone: str
    sentence: str
    request_id: str
    proposal_id: int | None
    number: int
    successor_form: SuccessorForm | None


class OffboardContext(TypedDict):
    """What people/offboard.html reads."""

    person: Employee
    main: MainHeirForm
    groups: list[Group]
    stuck: list[str]
    key: str
    problem: NotRequired[str]
    first_wrong: NotRequired[forms.Form | None]


class OffboardingContext(TypedDict):
    """What people/offboarding.html reads; `moving` while a worker has something to do, `theirs` steps for the actor."""

    job: Offboarding
    groups: list[tuple[str, list[StepLine]]]
    done: int
    total: int
    theirs: int
    moving: bool
    started: str


@dataclass(frozen=True, slots=True)
class OffboardingRow:
    """An open offboarding as it is listed: `state` is what is left of it, and the tone of the word."""

    job: Offboarding
    done: int
    total: int
    state: tuple[str, str]
    started: str


class OffboardingsContext(TypedDict):
    """What people/offboardings.html reads; `more` whether there are more than are shown."""

    rows: list[OffboardingRow]
    more: bool


def offboardings_context(actor: Actor) -> OffboardingsContext:
    """The open offboardings, MOST_LISTED at most."""
    jobs = list(open_offboardings(actor)[: MOST_LISTED + 1])
    return {"rows": [_row(actor, job) for job in jobs[:MOST_LISTED]], "more": len(jobs) > MOST_LISTED}


def _row(actor: Actor, offboarding: Offboarding) -> OffboardingRow:
    steps = list(offboarding.steps.all())
    started = f"{day(offboarding.started_at, actor.business)}, {offboarding.started_by.user}"
    return OffboardingRow(offboarding, sum(step.is_done for step in steps), len(steps), _left(actor, steps), started)


def _left(actor: Actor, steps: list[OffboardingStep]) -> tuple[str, str]:
    """What is left of an offboarding, what the actor can do before what others do."""
    theirs = sum(step.state in FOR_PEOPLE and is_theirs(actor, step) for step in steps)
    if theirs:
        return f"{theirs} step{'s' * (theirs != 1)} for you", "warn"
    if any(step.state in FOR_PEOPLE for step in steps):
        return "Needs another role", "warn"
    if any(step.state == StepState.PROPOSED for step in steps):
        return "Waiting for a second admin", "info"
    # All done, a worker closes it within a minute.
    return ("In progress", "info") if _is_moving(steps) or all(step.is_done for step in steps) else ("Stuck", "bad")


def offboard_context(actor: Actor, person: Employee, filled: OffboardingForms) -> OffboardContext:
    """An offboarding that is about to be started."""
    groups = [
        Group(HOLDING_KINDS[kind], list(lines))
        for kind, lines in groupby(filled.lines, key=lambda line: line.holding.kind)
    ]
    return {
        "person": person,
        "main": filled.main,
        "groups": groups,
        "stuck": stuck_without(actor, person),
        "key": new_key(),
        "first_wrong": filled.first_wrong,
    }


def successor_form(
    actor: Actor, person: Employee, step: OffboardingStep, posted: Mapping[str, str] | None = None
) -> SuccessorForm:
    """The form that gives a step another successor; each of a page has ids of its own."""
    heirs = Heirs(actor, person)
    return SuccessorForm(posted, heirs=heirs, need=NEEDS[step.kind], auto_id=f"id_{step.number}_%s")


def offboarding_context(
    actor: Actor, offboarding: Offboarding, person: Employee, refused: Mapping[int, SuccessorForm] | None = None
) -> OffboardingContext:
    """How far an offboarding is, and what the actor can do about what is left; `refused` forms by the number of their step."""
    steps = steps_of(offboarding)

    def form_of(step: OffboardingStep) -> SuccessorForm | None:
        if not may_reassign(step) or not can_open(actor, operations.SUSPEND_EMPLOYEE):
            return None
        return (refused or {}).get(step.number) or successor_form(actor, person, step)

    groups = [
        (HOLDING_KINDS[kind], [_line(step, form_of(step)) for step in lines])
        for kind, lines in groupby(steps, key=lambda step: step.kind)
    ]
    return {
        "job": offboarding,
        "groups": groups,
        "done": sum(step.is_done for step in steps),
        "total": len(steps),
        "theirs": sum(step.state in FOR_PEOPLE and is_theirs(actor, step) for step in steps),
        "moving": offboarding.is_open and _is_moving(steps),
        "started": as_of(offboarding.started_at, actor.business),
    }


def _is_moving(steps: list[OffboardingStep]) -> bool:
    """Whether a worker has anything to do: a step that waits for one that is stuck does not move."""
    done = {step.number for step in steps if step.is_done}
    return any(step.state in MOVING and (not step.after or step.after in done) for step in steps)


def _line(step: OffboardingStep, form: SuccessorForm | None) -> StepLine:
    verb = step.action.partition(":")[0]
    words = DONE_WORDS if step.is_done else TO_DO_WORDS
    state = StepState(step.state)
    action, heir = words.get(verb, verb), step.heir_name
    if step.is_done and step.sentence == GONE:
        # There was nothing to do it to: nobody was given anything.
        action, heir = "Nothing to do", ""
    return StepLine(
        step.title, action, heir, str(state.label), TONES[state], step.sentence,
        step.request_id if state in {StepState.REFUSED, StepState.UNKNOWN} else "", step.proposal_id if state == StepState.PROPOSED else None,
        step.number, form,
    )  # fmt: skip
