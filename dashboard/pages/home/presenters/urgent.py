"""The most urgent of what waits for a person's own decision: what it is, why to look at it, until when, and its amount."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db.models import Case, F, QuerySet, When
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.decisions.filters import PAYMENT, REQUEST, Filters
from dashboard.decisions.items import KIND_LABELS, level_of
from dashboard.decisions.sources import Source, sources_of
from dashboard.mirror.models import Approval
from dashboard.times import age, cut_off_text
from dashboard.web.risk_text import in_words

MOST_URGENT = 5
# A cut-off within this time comes before any risk; a later one presses nobody yet.
PRESSING = timedelta(days=7)
NOT_PRESSING = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Urgent:
    """An item that waits: `key` names it in the inbox's addresses, `reason` what its heaviest flag says or how long it waits,
    `level` and `risk` "" where it has none, `urgency` late, soon or "", `cut_off` "" where it has none."""

    key: str
    title: str
    about: str
    reason: str
    level: str
    risk: str
    urgency: str
    cut_off: str
    amount: str


@dataclass(frozen=True, slots=True)
class _Candidate:
    source: Source
    remote_id: str
    title: str
    person: str
    group: str
    risk: int
    amount: str
    moment: datetime
    cut_off: datetime | None

    def rank(self, now: datetime) -> tuple[datetime, int, datetime]:
        is_pressing = self.cut_off is not None and self.cut_off <= now + PRESSING
        return (self.cut_off if is_pressing and self.cut_off else NOT_PRESSING), -self.risk, self.moment


def most_urgent(actor: Actor) -> list[Urgent]:
    """The first few by a cut-off within a week, then by risk, then the longest waiting; one query for each source, one for
    the flags."""
    now = timezone.now()
    candidates = (row for source in sources_of(actor) for row in _first_of(actor, source, now))
    rows = sorted(candidates, key=lambda row: row.rank(now))[:MOST_URGENT]
    flags = _heaviest_flags(actor, [row.remote_id for row in rows if row.source.name == PAYMENT])
    return [_urgent(row, flags.get(row.remote_id, ""), now) for row in rows]


def _first_of(actor: Actor, source: Source, now: datetime) -> list[_Candidate]:
    pressing = When(**{f"{source.cut_off}__lte": now + PRESSING}, then=F(source.cut_off)) if source.cut_off else None
    order = [Case(pressing).asc(nulls_last=True)] if pressing else []
    order += [F(source.risk).desc()] if source.risk else []
    rows: QuerySet[Approval] = source.waiting(actor, Filters()).order_by(*order, source.moment, "pk")
    return [
        _Candidate(source, remote_id, title, person, group, -1 if risk is None else risk, amount, moment, cut_off)
        for remote_id, title, person, group, risk, amount, _, _, moment, cut_off in rows.values_list(*source.line)[
            :MOST_URGENT
        ]
    ]


def _heaviest_flags(actor: Actor, ids: list[str]) -> dict[str, str]:
    """What the heaviest flag of each payment says of it, with its numbers, by the payment's id."""
    rows = Approval.objects.filter(business=actor.business, remote_id__in=ids) if ids else Approval.objects.none()
    return {
        remote_id: in_words(max(signals, key=lambda signal: signal.get("weight") or 0), currency, actor.business)
        for remote_id, signals, currency in rows.values_list("remote_id", "signals", "currency")
        if signals
    }


def _urgent(row: _Candidate, flag: str, now: datetime) -> Urgent:
    kind = row.source.label or KIND_LABELS.get(row.group, "Payment request")
    level = level_of(row.risk) if row.risk >= 0 else ""
    urgency, cut_off = cut_off_text(row.cut_off, now)
    return Urgent(
        f"{row.group.replace('_', '-') if row.source.name == REQUEST else row.source.name}/{row.remote_id}",
        row.title or kind,
        f"{kind} · {row.person}" if row.person else kind,
        flag or f"waiting {age(row.moment, now)}",
        level,
        f"{level} {row.risk}" if level else "",
        urgency,
        cut_off if row.cut_off else "",
        row.amount,
    )
