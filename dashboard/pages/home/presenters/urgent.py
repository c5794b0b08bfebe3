"""The most urgent of what waits for a person's own decision: what it is, why to look at it, until when, and its amount."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.decisions.desk_items import KIND_LABELS, level_of
from dashboard.decisions.filters import EXPENSE_SOURCE, PAYMENT_SOURCE, Filters
from dashboard.decisions.inbox import SourceRow, inbox_rows, reason_of
from dashboard.mirror.models import Approval
from dashboard.times import cut_off_text
from dashboard.web.risk_text import in_words

MOST_URGENT = 5


@dataclass(frozen=True, slots=True)
class Urgent:
    """An item that waits: `key` names it in the inbox's addresses, `reason` what its heaviest flag says or why it stands
    where it does, `level` and `risk` "" where it has none, `urgency` late, soon or "", `cut_off` "" where it has none."""

    key: str
    title: str
    about: str
    reason: str
    level: str
    risk: str
    urgency: str
    cut_off: str
    amount: str


def most_urgent(actor: Actor) -> list[Urgent]:
    """The first few of the inbox as it stands by urgency (dashboard/decisions/urgency.py), with the heaviest flag of each
    payment; without what has a decision on its way."""
    now = timezone.now()
    rows = inbox_rows(actor, Filters(sort="urgency"), MOST_URGENT, undecided=True)
    flags = _heaviest_flags(actor, [row.remote_id for row in rows if row.source == PAYMENT_SOURCE])
    return [_urgent(row, flags.get(row.remote_id, ""), now) for row in rows]


def _heaviest_flags(actor: Actor, ids: list[str]) -> dict[str, str]:
    """What the heaviest flag of each payment says of it, with its numbers, by the payment's id."""
    rows = Approval.objects.filter(business=actor.business, remote_id__in=ids) if ids else Approval.objects.none()
    return {
        remote_id: in_words(max(signals, key=lambda signal: signal.get("weight") or 0), currency, actor.business)
        for remote_id, signals, currency in rows.values_list("remote_id", "signals", "currency")
        if signals
    }


def _urgent(row: SourceRow, flag: str, now: datetime) -> Urgent:
    kind = "Expense" if row.source == EXPENSE_SOURCE else KIND_LABELS.get(row.group, "Payment request")
    level = level_of(row.risk) if row.risk >= 0 else ""
    urgency, cut_off = cut_off_text(row.cut_off, now)
    return Urgent(
        row.key,
        row.title or kind,
        f"{kind} · {row.person}" if row.person else kind,
        flag or reason_of(row, now),
        level,
        f"{level} {row.risk}" if level else "",
        urgency,
        cut_off if row.cut_off else "",
        row.amount_text,
    )
