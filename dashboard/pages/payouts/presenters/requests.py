"""The requests for mobile money as rows: who was asked for what, and what became of it."""

from dataclasses import dataclass
from typing import TypedDict

from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.lists.states import state_in
from dashboard.mirror.scopes import visible_employees
from dashboard.money import text
from dashboard.pages.payouts.selectors.requests import recent_requests
from dashboard.schemas.payments import MobileMoneyRequest
from dashboard.times import as_of, day_and_time

LAST = 4
STATES = {
    "PENDING": ("Waiting for an answer", "info"),
    "SUCCEEDED": ("Received", "ok"),
    "FAILED": ("Failed", "bad"),
    "CANCELLED": ("Declined", "bad"),
    "TIMED_OUT": ("No answer yet", "warn"),
}


@dataclass(frozen=True, slots=True)
class MobileMoneyRow:
    """A request: the phone by its last digits, state and tone, and a sentence on what became of it, "" where none is needed."""

    phone: str
    reference: str
    amount: str
    state: str
    tone: str
    remark: str
    sent: str


class RequestsContext(TypedDict):
    """What payouts/request.html reads of earlier requests; `requests` is None where the service did not answer, `more` how many
    there are beyond those shown."""

    requests: list[MobileMoneyRow] | None
    more: int
    seen: str


def requests_context(actor: Actor) -> RequestsContext:
    """The newest requests of the business, as they are now."""
    seen, recent = as_of(timezone.now(), actor.business), recent_requests(actor)
    if recent is None:
        return {"requests": None, "more": 0, "seen": seen}
    rows, total = recent
    names = dict(visible_employees(actor).values_list("remote_id", "name"))
    return {"requests": [_row(actor, row, names) for row in rows], "more": total - len(rows), "seen": seen}


def _row(actor: Actor, row: MobileMoneyRequest, names: dict[str, str]) -> MobileMoneyRow:
    state, tone = state_in(STATES, row.status)
    by = names.get(row.requested_by, "")
    return MobileMoneyRow(
        phone=f"···{row.phone[-LAST:]}",
        reference=row.account_reference,
        amount=text(row.amount_minor, row.currency, actor.business.locale),
        state=state,
        tone=tone,
        remark=_remark(actor, row),
        sent=f"{day_and_time(row.created_at, actor.business)}{f', {by}' if by else ''}",
    )


def _remark(actor: Actor, row: MobileMoneyRequest) -> str:
    if row.status == "SUCCEEDED":
        receipt = f"Receipt {row.receipt}, " if row.receipt else ""
        return f"{receipt}{day_and_time(row.updated_at, actor.business)}"
    if row.status == "TIMED_OUT" and row.credited_until is not None and row.credited_until > timezone.now():
        return f"Credited all the same if it comes by {day_and_time(row.credited_until, actor.business)}"
    return row.result_text
