"""What one card says now, asked all at once: itself, what it can spend, what it spent, and the service's own record.

Each part that does not answer in time is told as what it is; the card itself is shown from the copy then.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlencode

from pydantic import BaseModel, ValidationError

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.client.page import read_page, typed
from dashboard.client.reads import Err, Ok, Read, read_together
from dashboard.errors import BadAnswer, FinanceError
from dashboard.mirror.apply import upsert
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import Card, Source
from dashboard.mirror.scopes import visible_employees
from dashboard.money import text, to_minor
from dashboard.pages.cards.codes import CHANNELS, INTERVALS, kind_of, named_kinds
from dashboard.pages.cards.fields import whole_units
from dashboard.pages.cards.presenters import Change, ControlsPresenter, funding_change
from dashboard.schemas.cards import ALLOCATION, CardBalance, CardSource, CardTransaction, LimitLeft
from dashboard.times import as_of, day_and_time
from dashboard.web.card_text import FUNDINGS
from dashboard.web.card_tiles import Gauge

M = TypeVar("M", bound=BaseModel)
LIVE_S = 1.5
SHOWN = 25
SPENT_STATES = {
    "PENDING": ("On hold", "info"),
    "POSTED": ("Settled", "ok"),
    "REVERSED": ("Released", ""),
    "EXPIRED": ("Released", ""),
}
DEEDS = {
    "card.create": "created the card", "card.update": "changed the card", "card.block": "blocked it",
    "card.unblock": "unblocked it", "card.retire": "closed it", "card.activate": "activated it",
    "card.expire": "noted that its date is over", "card.approve": "approved its order",
    "card.reject": "rejected its order", "card.deliver": "noted that it was delivered",
    "card.reissue": "replaced its number",
}  # fmt: skip


@dataclass(frozen=True)
class Left:
    """A limit over time as it stands: its window, what is left of it, and when it resets."""

    label: str
    left: str
    gauge: Gauge
    anew: str


@dataclass(frozen=True)
class Spends:
    """What a card spends: its kind and name, what is left of it and on hold; empty where the asker may not know."""

    kind: str
    name: str
    left: str
    on_hold: str
    trouble: str


@dataclass(frozen=True)
class Balance:
    """What a card can spend now; `available` is None where the asker may not know what the wallet holds."""

    available: str | None
    source: Spends | None
    held: str
    day: str
    month: str
    limits: list[Left]
    seen: str


@dataclass(frozen=True)
class Use:
    """Something that was bought with the card."""

    when: str
    merchant: str
    where: str
    state: str
    tone: str
    amount: str
    expense_id: str
    example: str


@dataclass(frozen=True)
class Deed:
    """A line of the service's own record: who, what, when, and what it changed."""

    who: str
    what: str
    when: str
    changes: list[Change]
    reason: str


@dataclass
class Now:
    """What was answered; a part that was not has its sentence in `failed`, by name."""

    live: bool
    seen: str
    balance: Balance | None = None
    uses: list[Use] = field(default_factory=list)
    deeds: list[Deed] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)


def look_at(actor: Actor, card: Card) -> Now:
    """Asks for everything about a card that the actor sees, and writes the card itself through to the copy."""
    results = _fetch(actor, card)
    read = results.get("card")
    if isinstance(read, Ok):
        upsert("card", actor.business, [read.answer.data], Source.POLL, read_at=read.as_of)
        card.refresh_from_db()
    now = Now(isinstance(read, Ok), as_of(read.as_of if isinstance(read, Ok) else card.last_seen, actor.business))
    for name, result in results.items():
        try:
            if isinstance(result, Err):
                raise result.error
            _apply(actor, card, now, name, result)
        except FinanceError as error:
            now.failed[name] = error.user_message
    return now


def _fetch(actor: Actor, card: Card) -> dict[str, Ok | Err]:
    path, newest = {"id": card.remote_id}, {"limit": SHOWN}
    reads = {
        "card": Read(operations.READ_CARD, path=path, subject=card, deadline=LIVE_S),
        "balance": Read(operations.READ_CARD_BALANCE, path=path, subject=card, deadline=LIVE_S),
        "uses": Read(operations.LIST_CARD_TRANSACTIONS, path=path, query=newest, subject=card, deadline=LIVE_S),
    }
    if can_open(actor, operations_extra.LIST_AUDIT_EVENTS):
        about: dict[str, str | int] = {"resource": f"card:{card.remote_id}", "limit": SHOWN}
        reads["deeds"] = Read(operations_extra.LIST_AUDIT_EVENTS, query=about, deadline=LIVE_S)
    try:
        return read_together(actor, reads)
    except FinanceError as error:
        return {"balance": Err(error, card.last_seen), "uses": Err(error, card.last_seen)}


def _apply(actor: Actor, card: Card, now: Now, name: str, result: Ok) -> None:
    if name == "balance":
        now.balance = balance_in(actor, result)
    elif name == "uses":
        now.uses = [_use(actor, one) for one in typed(read_page(result.answer.data).rows, CardTransaction)]
    elif name == "deeds":
        now.deeds = [_deed(actor, card, one) for one in read_page(result.answer.data).rows]


def balance_in(actor: Actor, result: Ok) -> Balance:
    """A balance as it was answered; BadAnswer for one that cannot be read."""
    found, locale = _model(CardBalance, result.answer.data), actor.business.locale

    def said(amount: Any) -> str:
        return text(to_minor(amount, found.currency), found.currency, locale)

    return Balance(
        available=None if found.available is None else said(found.available),
        source=None if found.source is None else _spends(found.source, said),
        held=said(found.held),
        day=said(found.spend.day),
        month=said(found.spend.month),
        limits=[
            Left(
                label=INTERVALS.get(one.interval, one.interval) + (f", {named_kinds(one.mcc)}" if one.mcc else ""),
                left=said(one.remaining),
                gauge=Gauge(said(one.spent), f"of {said(one.amount)}", _percent(one)),
                anew=day_and_time(one.resets_at, actor.business),
            )
            for one in found.limits
            if one.amount > 0
        ],
        seen=as_of(result.as_of, actor.business),
    )


def _spends(found: CardSource, said: Callable[[Any], str]) -> Spends:
    states = {"ACTIVE": "", "": ""}
    trouble = states.get(found.status, f"It is {found.status.lower()}, so nothing can be spent.")
    return Spends(
        kind=FUNDINGS.get(found.funding, found.funding.replace("_", " ").capitalize()),
        name=found.name,
        left="" if found.available is None else said(max(found.available, 0)),
        # What is on hold in a wallet of the business is held by much more than cards.
        on_hold=said(found.on_hold) if found.funding == ALLOCATION and found.on_hold else "",
        trouble=trouble,
    )


def _percent(limit: LimitLeft) -> int:
    return min(100, max(0, int(limit.spent * 100 / limit.amount)))


def _use(actor: Actor, one: CardTransaction) -> Use:
    state, tone = SPENT_STATES.get(one.status, (one.status.capitalize(), ""))
    return Use(
        when=day_and_time(one.transaction_date, actor.business),
        merchant=one.merchant,
        where=" · ".join(part for part in (kind_of(one.mcc), one.country, CHANNELS.get(one.channel, "")) if part),
        state=state,
        tone=tone,
        amount=text(to_minor(one.amount, one.currency), one.currency, actor.business.locale),
        expense_id=one.expense_id,
        example=example_query(
            to_minor(one.amount, one.currency), one.currency, one.merchant, one.mcc, one.country, one.channel
        ),
    )


def example_query(minor: int, currency: str, merchant: str, mcc: str, country: str, channel: str) -> str:
    """A purchase as the query of the editor's address, to be tried again there."""
    found = {
        "amount": whole_units(minor, currency), "merchant": merchant, "mcc": mcc, "country": country, "channel": channel,
    }  # fmt: skip
    return urlencode({name: value for name, value in found.items() if value})


def _deed(actor: Actor, card: Card, line: dict[str, Any]) -> Deed:
    before, after = line.get("before") or {}, line.get("after") or {}
    changes = []
    if isinstance(before.get("controls"), dict) and isinstance(after.get("controls"), dict):
        changes = ControlsPresenter(actor.business, card.currency).changes(before["controls"], after["controls"])
    if before.get("name") and after.get("name"):
        changes.append(Change("Name", str(before["name"]), str(after["name"])))
    if before.get("funding") and after.get("funding"):
        changes.append(funding_change(str(before["funding"]), str(after["funding"])))
    action = str(line.get("action") or "")
    return Deed(
        who=_who(actor, str(line.get("acting_employee") or line.get("actor") or "")),
        what=DEEDS.get(action, action.replace(".", " ").replace("_", " ")),
        when=day_and_time(moment(line.get("at")), actor.business),
        changes=changes,
        reason=str(after.get("reason") or ""),
    )


def _who(actor: Actor, label: str) -> str:
    known = visible_employees(actor).filter(remote_id=label or "-").values_list("name", flat=True).first()
    return known or ("The platform" if label in {"", "system"} else "The business's account")


def _model(kind: type[M], data: Any) -> M:
    try:
        return kind.model_validate(data)
    except ValidationError:
        raise BadAnswer(code="unreadable") from None
