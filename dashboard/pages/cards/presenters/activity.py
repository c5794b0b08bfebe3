"""What the service answers about a card now, for the screen: its balance, what was bought with it, its record."""

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeVar, cast
from urllib.parse import urlencode

from pydantic import BaseModel

from dashboard.access.actor import Actor
from dashboard.client.page import parsed
from dashboard.client.reads import Ok
from dashboard.mirror.models import Card
from dashboard.mirror.scopes import visible_employees
from dashboard.money import text, to_minor
from dashboard.pages.cards.presenters.codes import CHANNELS, LIMIT_INTERVALS, merchant_kind_of, named_kinds
from dashboard.pages.cards.presenters.controls import ControlChange, ControlsPresenter, funding_change, whole_units
from dashboard.schemas.cards import (
    ALLOCATION,
    CardBalance,
    CardControls,
    CardEvent,
    CardSource,
    CardState,
    CardTransaction,
    LimitLeft,
)
from dashboard.times import as_of, day_and_time
from dashboard.web.card_text import FUNDINGS
from dashboard.web.card_tiles import Gauge

M = TypeVar("M", bound=BaseModel)
PURCHASE_STATES = {
    "PENDING": ("On hold", "info"),
    "POSTED": ("Settled", "ok"),
    "REVERSED": ("Released", ""),
    "EXPIRED": ("Released", ""),
}
AUDIT_TEXTS = {
    "card.create": "created the card", "card.update": "changed the card", "card.block": "blocked it",
    "card.unblock": "unblocked it", "card.retire": "closed it", "card.activate": "activated it",
    "card.expire": "marked it expired", "card.approve": "approved its order",
    "card.reject": "rejected its order", "card.deliver": "marked it delivered",
    "card.reissue": "replaced its number",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LimitRow:
    """A limit over time as it stands: its window, what is left of it, and when it resets."""

    label: str
    left: str
    gauge: Gauge
    resets: str


@dataclass(frozen=True, slots=True)
class SourceText:
    """What a card spends: its kind and name, what is left of it and on hold; "" where the actor may not know."""

    kind: str
    name: str
    left: str
    on_hold: str
    trouble: str


@dataclass(frozen=True, slots=True)
class BalanceRow:
    """What a card can spend now, as texts; `available` is None where the actor may not know what the wallet holds."""

    available: str | None
    source: SourceText | None
    held: str
    day: str
    month: str
    limits: list[LimitRow]
    seen: str


@dataclass(frozen=True, slots=True)
class Purchase:
    """A purchase with the card; `example` is the query that simulates it in the editor."""

    when: str
    merchant: str
    where: str
    state: str
    tone: str
    amount: str
    expense_id: str
    example: str
    # Whether it is the actor's own, and its expense has no receipt yet.
    misses_receipt: bool = False


@dataclass(frozen=True, slots=True)
class AuditRow:
    """A line of the service's own record: who, what, when, and what it changed."""

    who: str
    what: str
    when: str
    changes: list[ControlChange]
    reason: str


@dataclass(slots=True)
class Activity:
    """What the service answered about a card now, and `seen`, when; a part that it did not has its sentence in `failed`, by
    name: balance, purchases, audit."""

    live: bool
    seen: str
    balance: BalanceRow | None = None
    purchases: list[Purchase] = field(default_factory=list)
    audit: list[AuditRow] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)


def balance_of(actor: Actor, read_ok: Ok) -> BalanceRow:
    """The balance that the service answered, in the locale of the business; raises BadAnswer for one that is no balance."""
    balance, locale = parsed(read_ok.answer.data, CardBalance), actor.business.locale

    def amount_text(amount: Decimal) -> str:
        return text(to_minor(amount, balance.currency), balance.currency, locale)

    return BalanceRow(
        available=None if balance.available is None else amount_text(balance.available),
        source=None if balance.source is None else _source(balance.source, amount_text),
        held=amount_text(balance.held),
        day=amount_text(balance.spend.day),
        month=amount_text(balance.spend.month),
        limits=[
            LimitRow(
                label=LIMIT_INTERVALS.get(limit.interval, limit.interval)
                + (f", {named_kinds(limit.mcc)}" if limit.mcc else ""),
                left=amount_text(limit.remaining),
                gauge=Gauge(amount_text(limit.spent), f"of {amount_text(limit.amount)}", _percent(limit)),
                resets=day_and_time(limit.resets_at, actor.business),
            )
            for limit in balance.limits
            if limit.amount > 0
        ],
        seen=as_of(read_ok.as_of, actor.business),
    )


def _source(card_source: CardSource, amount_text: Callable[[Decimal], str]) -> SourceText:
    states = {"ACTIVE": "", "": ""}
    trouble = states.get(card_source.status, f"It is {card_source.status.lower()}: no spending is possible.")
    return SourceText(
        kind=FUNDINGS.get(card_source.funding, card_source.funding.replace("_", " ").capitalize()),
        name=card_source.name,
        left="" if card_source.available is None else amount_text(max(card_source.available, Decimal(0))),
        # What is on hold in a wallet of the business is held by much more than cards.
        on_hold=amount_text(card_source.on_hold) if card_source.funding == ALLOCATION and card_source.on_hold else "",
        trouble=trouble,
    )


def _percent(limit_left: LimitLeft) -> int:
    return min(100, max(0, int(limit_left.spent * 100 / limit_left.amount)))


def purchase_of(actor: Actor, card_transaction: CardTransaction) -> Purchase:
    """A row of the purchases, in the locale of the business."""
    state, tone = PURCHASE_STATES.get(card_transaction.status, (card_transaction.status.capitalize(), ""))
    return Purchase(
        when=day_and_time(card_transaction.transaction_date, actor.business),
        merchant=card_transaction.merchant,
        where=" · ".join(
            part
            for part in (
                merchant_kind_of(card_transaction.mcc),
                card_transaction.country,
                CHANNELS.get(card_transaction.channel, ""),
            )
            if part
        ),
        state=state,
        tone=tone,
        amount=text(
            to_minor(card_transaction.amount, card_transaction.currency),
            card_transaction.currency,
            actor.business.locale,
        ),
        expense_id=card_transaction.expense_id,
        example=example_query(
            to_minor(card_transaction.amount, card_transaction.currency),
            card_transaction.currency,
            card_transaction.merchant,
            card_transaction.mcc,
            card_transaction.country,
            card_transaction.channel,
        ),
    )


def example_query(minor: int, currency: str, merchant: str, mcc: str, country: str, channel: str) -> str:
    """A purchase of minor units as the query of the editor's address, to be simulated there."""
    example = {
        "amount": whole_units(minor, currency), "merchant": merchant, "mcc": mcc, "country": country, "channel": channel,
    }  # fmt: skip
    return urlencode({name: value for name, value in example.items() if value})


def audit_row(actor: Actor, card: Card, card_event: CardEvent) -> AuditRow:
    """A row of the service's own record of a card: what differs between the card before and after the event."""
    before, after = card_event.before or CardState(), card_event.after or CardState()
    changes = []
    if before.controls is not None and after.controls is not None:
        controls = ControlsPresenter(actor.business, card.currency)
        changes = controls.changes(cast(CardControls, before.controls), cast(CardControls, after.controls))
    if before.name and after.name:
        changes.append(ControlChange("Name", before.name, after.name))
    if before.funding and after.funding:
        changes.append(funding_change(before.funding, after.funding))
    return AuditRow(
        who=_who(actor, card_event.acting_employee or card_event.actor),
        what=AUDIT_TEXTS.get(card_event.action, card_event.action.replace(".", " ").replace("_", " ")),
        when=day_and_time(card_event.at, actor.business),
        changes=changes,
        reason=after.reason,
    )


def _who(actor: Actor, label: str) -> str:
    known = visible_employees(actor).filter(remote_id=label or "-").values_list("name", flat=True).first()
    return known or ("The platform" if label in {"", "system"} else "The business's account")
