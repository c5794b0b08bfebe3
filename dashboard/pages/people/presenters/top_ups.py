"""Recurring top-ups as pages: those of the business, and one person's with what each run did."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from django.core.paginator import Page, Paginator

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.mirror.models import Employee
from dashboard.money import text
from dashboard.pages.people.forms.top_ups import TopUpForm
from dashboard.pages.people.presenters.funds import wallet_label
from dashboard.pages.people.selectors.people import funding_wallets
from dashboard.times import day_and_time, day_text
from dashboard.top_ups.models import RunState, TopUp, TopUpRun, TopUpState
from dashboard.top_ups.services import top_up_text, visible_top_ups
from dashboard.web.submission import new_key

PAGE_ROWS, MOST_RUNS = 50, 24
TONES = {TopUpState.ACTIVE: "ok", TopUpState.PAUSED: "warn", TopUpState.ENDED: ""}
RUN_TONES = {
    RunState.DONE: "ok", RunState.NOTHING: "", RunState.REFUSED: "bad", RunState.UNKNOWN: "warn",
    RunState.SENDING: "info", RunState.IN_DOUBT: "warn",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run: its day, what was there before, what was done and in which state; `is_in_doubt` where a person has to say."""

    id: int
    day: str
    before: str
    sentence: str
    when: str
    request_id: str
    state: tuple[str, str]
    is_in_doubt: bool


@dataclass(frozen=True, slots=True)
class TopUpCard:
    """A top-up with its newest runs; `reason` says why it is paused or who ended it."""

    id: str
    employee_id: str
    employee_name: str
    text: str
    state: tuple[str, str]
    reason: str
    coming: str
    by: str
    is_active: bool
    is_paused: bool
    runs: list[RunLine]


class TopUpsContext(TypedDict):
    """What people/top_ups.html reads."""

    cards: list[TopUpCard]
    pages: Page[TopUp]
    only: str


class PersonTopUpsContext(TypedDict):
    """What people/person_top_ups.html reads; `form` is None where the actor may not set one up."""

    person: Employee
    cards: list[TopUpCard]
    may_change: bool
    form: TopUpForm | None
    key: str


def top_ups_context(actor: Actor, number: str | None) -> TopUpsContext:
    """A page of all top-ups that have not ended."""
    rows = visible_top_ups(actor).exclude(state=TopUpState.ENDED)
    pages = Paginator(rows, PAGE_ROWS).get_page(number)
    return {"cards": [_card(actor, row, []) for row in pages], "pages": pages, "only": ""}


def person_top_ups_context(actor: Actor, person: Employee, form: TopUpForm | None = None) -> PersonTopUpsContext:
    """Somebody's top-ups with their newest runs, and the form for a new one."""
    rows = visible_top_ups(actor).filter(employee_id=person.remote_id)
    may_change = bool(can(actor, operations.ALLOCATE_FUNDS, person))
    offered = may_change and person.status == "ACTIVE"
    return {
        "person": person,
        "cards": [_card(actor, row, list(row.runs.order_by("-day")[:MOST_RUNS])) for row in rows],
        "may_change": may_change,
        "form": (form or top_up_form(actor)) if offered else form,
        "key": new_key(),
    }


def top_up_form(actor: Actor, posted: Mapping[str, str] | None = None) -> TopUpForm:
    """The form for a new top-up."""
    wallets, locale = funding_wallets(actor), actor.business.locale
    labels = [(wallet.org_wallet_ref, wallet_label(wallet, locale)) for wallet in wallets]
    return TopUpForm(posted, wallets=wallets, labels=labels, locale=locale)


def _card(actor: Actor, row: TopUp, runs: list[TopUpRun]) -> TopUpCard:
    state = TopUpState(row.state)
    return TopUpCard(
        str(row.pk), row.employee_id, row.employee_name, f"{top_up_text(row)[:1].upper()}{top_up_text(row)[1:]}",
        (str(state.label), TONES[state]), row.reason, day_text(row.next_on) if state == TopUpState.ACTIVE else "",
        str(row.by.user), state == TopUpState.ACTIVE, state == TopUpState.PAUSED, [_run(actor, row, run) for run in runs],
    )  # fmt: skip


def _run(actor: Actor, top_up: TopUp, run: TopUpRun) -> RunLine:
    state = RunState(run.state)
    before = "" if run.before_minor is None else text(run.before_minor, top_up.currency, actor.business.locale)
    return RunLine(
        run.pk, day_text(run.day), before, run.sentence or _doubt(actor, top_up, state), day_and_time(run.settled_at or run.started_at, actor.business), run.request_id,
        (str(state.label), RUN_TONES[state]), state == RunState.IN_DOUBT,
    )  # fmt: skip


def _doubt(actor: Actor, top_up: TopUp, state: RunState) -> str:
    if state == RunState.IN_DOUBT:
        return "It is not known whether it was allocated, and it is not asked again: look at their statement, and say."
    if state == RunState.UNKNOWN:
        when = f" after {day_and_time(top_up.due_at, actor.business)}" if top_up.due_at else ""
        return f"It is not known whether it was allocated: it is asked again{when}, and not done twice."
    return ""
