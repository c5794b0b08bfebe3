"""Payments due within a week, of what the copy knows: requests that wait for votes, and payments on their way."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.scopes import visible_approvals, visible_requests
from dashboard.mirror.models import Approval, Request
from dashboard.pages.approvals.table import KINDS, until
from dashboard.pages.home.sums import summed
from dashboard.web.times import day

WITHIN = timedelta(days=7)
SHOWN = 5
# What is voted on and moves no money at its cut-off.
NO_PAYMENT = ("POLICY", "CARD_REQUEST")
PAID = {"bill_payment": "Bill payment", "payout": "Payout"}
# Of a payment that was not sent yet.
STATES = {
    "DRAFT": "not asked for yet", "PENDING_APPROVAL": "waits for votes", "APPROVED": "approved",
    "SCHEDULED": "scheduled", "AWAITING_CODE": "waits for its code", "ON_HOLD": "on hold",
}  # fmt: skip


@dataclass(frozen=True)
class Payment:
    """A payment that is due; `href` is empty where no request for votes stands for it."""

    title: str
    about: str
    date: str
    urgency: str
    left: str
    amount: str
    href: str


@dataclass(frozen=True)
class Due:
    """How many payments are due, how many of them overdue, what they come to per currency, and the next few."""

    count: int
    late: int
    sums: list[str]
    next: list[Payment]


def due_of(actor: Actor) -> Due:
    """What is due until a week from now, and what is overdue."""
    now = timezone.now()
    asked, bills = _asked(actor, now), _bills(actor, now)
    count, sums = summed(actor, asked, bills)
    shown = sorted([*_first(asked), *_first(bills)], key=lambda one: (one.due_at, one.pk))[:SHOWN] if count else []
    return Due(
        count=count,
        late=sum(rows.filter(due_at__lte=now).count() for rows in (asked, bills)),
        sums=sums,
        next=list(_payments(actor, shown, now)),
    )


def _asked(actor: Actor, now: datetime) -> QuerySet[Approval]:
    found = visible_approvals(actor).filter(status="PENDING", due_at__lte=now + WITHIN)
    return found.exclude(kind__in=NO_PAYMENT)


def _bills(actor: Actor, now: datetime) -> QuerySet[Request]:
    # One that waits for votes is told by its request for them.
    found = visible_requests(actor).filter(kind__in=PAID, status__in=STATES, due_at__lte=now + WITHIN)
    return found.exclude(ref__in=visible_approvals(actor).filter(status="PENDING").values("ref"))


def _first(rows: QuerySet[Any]) -> QuerySet[Any]:
    return rows.order_by(F("due_at").asc(), "pk").defer("payload")[:SHOWN]


def _payments(actor: Actor, rows: list[Any], now: datetime) -> Iterator[Payment]:
    paid = [one.ref for one in rows if isinstance(one, Request)]
    votes = visible_approvals(actor).filter(ref__in=paid)
    pages = dict(votes.values_list("ref", "remote_id")) if paid else {}
    for one in rows:
        asked = isinstance(one, Approval)
        said = KINDS.get(one.kind, "Payment request") if asked else f"{PAID[one.kind]}, {STATES[one.status]}"
        page = one.remote_id if asked else pages.get(one.ref, "")
        urgency, left = until(one.due_at, now)
        yield Payment(
            title=one.title or one.ref,
            about=f"{said} · {one.payee}" if one.payee else said,
            date=day(one.due_at, actor.business),
            urgency=urgency,
            left=left,
            amount=one.amount_text or "–",
            href=reverse("approvals_payment", args=[actor.business.slug, page]) if page else "",
        )
