"""Cards, and uses of them that were declined, as rows of the copy."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from dashboard.access.subject import Subject, people
from dashboard.mirror.mappers.mapper import ItemKind, Mapper, Payload, amount_in, moment, nested
from dashboard.mirror.models import Card, CardDecline
from dashboard.mirror.scopes import visible_cards
from dashboard.money import text, to_minor

# The limits that a card's own figures say the spend of, in the order in which a reader wants to see them.
COMPARED = (("PER_MONTH", "month"), ("PER_DAY", "day"), ("ALL_TIME", "lifetime"))
ONCE = "ONCE"


class CardColumns(NamedTuple):
    """The columns of the table of Card that its answers fill, beside what every copy has."""

    kind: str
    status: str
    blocked_by: str
    blocker_id: str
    reason: str
    employee_id: str
    employee_name: str
    team_id: str
    team_name: str
    org_wallet_ref: str
    currency: str
    funding: str
    allocation_minor: int | None
    allocation_held_minor: int | None
    name: str
    last_four: str
    month_minor: int
    limit_interval: str
    limit_minor: int | None
    spent_minor: int
    created_at: datetime
    sort_holder: str


def card(payload: Payload, locale: str) -> CardColumns:
    """The columns of a card (decisions B.7)."""
    currency, holder = str(payload.get("currency") or ""), str(payload.get("person") or "")
    interval, limit, spent = _compared(payload, currency)
    return CardColumns(
        kind=str(payload.get("type") or "VIRTUAL"),
        status=str(payload.get("status") or ""),
        blocked_by=str(payload.get("blocked_by") or ""),
        blocker_id=str(payload.get("blocked_by_id") or ""),
        reason=str(payload.get("reason") or ""),
        employee_id=str(payload.get("employee_id") or ""),
        employee_name=holder,
        team_id=nested(payload, "team", "_id", "id"),
        team_name=nested(payload, "team", "name"),
        org_wallet_ref=str(payload.get("org_wallet_ref") or ""),
        currency=currency,
        funding=str(payload.get("funding") or ""),
        allocation_minor=_allocated(payload, currency, "available"),
        allocation_held_minor=_allocated(payload, currency, "on_hold"),
        name=str(payload.get("name") or ""),
        last_four=str(payload.get("last_four") or "")[-4:],
        month_minor=_spent(payload, currency, "month"),
        limit_interval=interval,
        limit_minor=limit,
        spent_minor=spent,
        created_at=moment(payload.get("createdAt")) or datetime.now(UTC),
        sort_holder=holder.casefold(),
    )


def _compared(payload: Payload, currency: str) -> tuple[str, int | None, int]:
    # (interval, limit, spent of it): a limit on some categories alone says nothing of the whole spend.
    controls_payload = payload.get("controls")
    controls: Payload = controls_payload if isinstance(controls_payload, Mapping) else {}
    single = controls.get("single_use")
    if isinstance(single, Mapping) and isinstance(single.get("amount"), int):
        return ONCE, single["amount"], _spent(payload, currency, "lifetime")
    standing = {
        limit.get("interval"): limit.get("amount")
        for limit in controls.get("limits") or []
        if isinstance(limit, Mapping) and not limit.get("mcc")
    }
    for interval, window in COMPARED:
        if isinstance(standing.get(interval), int):
            return interval, standing[interval], _spent(payload, currency, window)
    # A limit of another window is named without a figure: what was spent in that window is not told.
    return str(next(iter(standing), "") or ""), None, _spent(payload, currency, "month")


def _allocated(payload: Payload, currency: str, part: str) -> int | None:
    allocation = payload.get("allocation")
    amount = allocation.get(part) if isinstance(allocation, Mapping) else None
    return None if amount is None or not currency else to_minor(str(amount), currency)


def _spent(payload: Payload, currency: str, window: str) -> int:
    spend = payload.get("spend")
    value = spend.get(window) if isinstance(spend, Mapping) else None
    # What was delivered has gone through the database's JSON: its shortest text is the number as it was sent.
    return 0 if value is None or not currency else to_minor(str(value), currency)


def card_subject(row: Card) -> Subject:
    """What a rule and the audit must know of a card."""
    title = f"{row.name or row.employee_name} …{row.last_four}"
    return Subject(
        business_id=row.business_id,
        kind="card",
        id=row.remote_id,
        title=title,
        holder_id=row.employee_id,
        team_id=row.team_id,
        makers=people(row.employee_id) or None,
        about=people(row.employee_id) or None,
        blocked_by_id=_blocker(row),
        is_virtual=row.kind != "PHYSICAL",
    )


def _blocker(card: Card) -> str | None:
    # On the holder's side it is the holder's, whatever name the service gives; a platform's block is nobody's to lift.
    if card.blocked_by == "USER":
        return card.employee_id or None
    return None if card.blocked_by == "SYSTEM" else card.blocker_id or card.blocked_by or None


CARD = Mapper(
    "card",
    Card,
    CardColumns,
    card,
    subject=card_subject,
    item_kind=ItemKind("Card", visible_cards, "cards_item"),
    names_ids=True,
    lists_deleted=True,
)  # fmt: skip


class DeclineColumns(NamedTuple):
    """The columns of the table of CardDecline that its answers fill, beside what every copy has."""

    card_id: str
    employee_id: str
    code: str
    check_name: str
    said: str
    amount_minor: int
    currency: str
    amount_text: str
    funding: str
    remaining_minor: int | None
    merchant: str
    mcc: str
    country: str
    channel: str
    at: datetime


def decline(payload: Payload, locale: str) -> DeclineColumns:
    """The columns of a use that was declined: the first check that was not passed is the reason."""
    minor, currency = amount_in(payload)
    checks = [check for check in payload.get("checks") or [] if isinstance(check, Mapping)]
    failed = next((str(check.get("check") or "") for check in checks if check.get("passed") is False), "")
    return DeclineColumns(
        card_id=str(payload.get("card_id") or ""),
        employee_id=str(payload.get("employee_id") or ""),
        code=str(payload.get("code") or ""),
        check_name=failed,
        said=str(payload.get("reason") or ""),
        amount_minor=minor or 0,
        currency=currency,
        amount_text=text(minor or 0, currency, locale) if currency else "",
        funding=str(payload.get("funding") or ""),
        remaining_minor=None
        if payload.get("remaining") is None or not currency
        else to_minor(str(payload["remaining"]), currency),
        merchant=str(payload.get("merchant") or ""),
        mcc=str(payload.get("mcc") or ""),
        country=str(payload.get("country") or ""),
        channel=str(payload.get("channel") or ""),
        at=moment(payload.get("createdAt")) or datetime.now(UTC),
    )


CARD_DECLINE = Mapper(
    "card_authorization",
    CardDecline,
    DeclineColumns,
    decline,
    event_verbs=frozenset({"declined"}),
)  # fmt: skip
