"""The decisions page: a row for each decision, with what it is on and how it stands."""

from dataclasses import dataclass
from typing import TypedDict

from django.db.models import QuerySet

from dashboard.access.actor import Actor
from dashboard.decisions.models import Alert, Decision
from dashboard.decisions.registry import DECIDED
from dashboard.money import text
from dashboard.pages.decisions.selectors import own_alerts, own_decisions
from dashboard.times import day_and_time

TONES = {
    "DONE": "ok",
    "REFUSED": "bad",
    "LOST": "warn",
    "CANCELLED": "",
    "UNKNOWN": "warn",
    "WAITING": "info",
    "SENDING": "info",
}


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A decision as the page prints it; `sentence` goes on after "You", `amount` is "" where it has none."""

    decision: Decision
    sentence: str
    amount: str
    tone: str
    when: str


def decision_sentence(decision: Decision) -> str:
    """What was decided, as it goes on after "you": "approved the expense …"."""
    return DECIDED[decision.operation].sentence(decision.title)


class DecisionsContext(TypedDict):
    """What decisions/decisions.html reads; `open` says whether one of the rows is on its way."""

    rows: list[DecisionRow]
    alerts: QuerySet[Alert]
    open: bool


def decisions_context(actor: Actor) -> DecisionsContext:
    """The actor's own decisions and the alerts to them."""
    rows = [_row(actor, decision) for decision in own_decisions(actor)]
    return {"rows": rows, "alerts": own_alerts(actor), "open": any(row.decision.is_open for row in rows)}


def _row(actor: Actor, decision: Decision) -> DecisionRow:
    minor, locale = decision.amount_minor, actor.business.locale
    return DecisionRow(
        decision=decision,
        sentence=decision_sentence(decision),
        amount="" if minor is None else text(minor, decision.currency, locale),
        tone=TONES.get(decision.state, ""),
        when=day_and_time(decision.created_at, actor.business),
    )
