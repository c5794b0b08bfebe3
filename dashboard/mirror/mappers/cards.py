"""Cards, and uses of them that were declined, as rows of the copy."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from dashboard.access.subject import Subject, people
from dashboard.mirror.mappers.mapper import ItemKind, Mapper, Payload, amount_in, moment, nested
from dashboard.mirror.models import Card, CardDecline
from dashboard.mirror.scopes import visible_cards
from dashboard.money import text, to_minor

# The limits that a card's own figures say the spend of, in the order in which a reader wants to see them.
COMPARED = (("PER_MONTH", "month"), ("PER_DAY", "day"), ("ALL_TIME", "lifetime"))
ONCE = "ONCE"


def card(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a card (decisions B.7)."""
    currency, holder = str(payload.get("currency") or ""), str(payload.get("person") or "")
    interval, limit, spent = _compared(payload, currency)
    return (
        str(payload.get("type") or "VIRTUAL"),
        str(payload.get("status") or ""),
        str(payload.get("blocked_by") or ""),
        str(payload.get("blocked_by_id") or ""),
        str(payload.get("reason") or ""),
        str(payload.get("employee_id") or ""),
        holder,
        nested(payload, "team", "_id", "id"),
        nested(payload, "team", "name"),
        str(payload.get("org_wallet_ref") or ""),
        currency,
        str(payload.get("funding") or ""),
        _allocated(payload, currency, "available"),
        _allocated(payload, currency, "on_hold"),
        str(payload.get("name") or ""),
        str(payload.get("last_four") or "")[-4:],
        _spent(payload, currency, "month"),
        interval,
        limit,
        spent,
        moment(payload.get("createdAt")) or datetime.now(UTC),
        holder.casefold(),
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
    (
        "kind", "status", "blocked_by", "blocker_id", "reason", "employee_id", "employee_name", "team_id", "team_name",
        "org_wallet_ref", "currency", "funding", "allocation_minor", "allocation_held_minor", "name", "last_four",
        "month_minor", "limit_interval", "limit_minor", "spent_minor", "created_at", "sort_holder",
    ),
    card,
    subject=card_subject,
    item_kind=ItemKind("Card", visible_cards, "cards_item"),
    names_ids=True,
    lists_deleted=True,
)  # fmt: skip


def decline(payload: Payload, locale: str) -> tuple[Any, ...]:
    """The columns of a use that was declined: the first check that was not passed is the reason."""
    minor, currency = amount_in(payload)
    checks = [check for check in payload.get("checks") or [] if isinstance(check, Mapping)]
    failed = next((str(check.get("check") or "") for check in checks if check.get("passed") is False), "")
    return (
        str(payload.get("card_id") or ""),
        str(payload.get("employee_id") or ""),
        str(payload.get("code") or ""),
        failed,
        str(payload.get("reason") or ""),
        minor or 0,
        currency,
        text(minor or 0, currency, locale) if currency else "",
        str(payload.get("funding") or ""),
        None if payload.get("remaining") is None or not currency else to_minor(str(payload["remaining"]), currency),
        str(payload.get("merchant") or ""),
        str(payload.get("mcc") or ""),
        str(payload.get("country") or ""),
        str(payload.get("channel") or ""),
        moment(payload.get("createdAt")) or datetime.now(UTC),
    )


CARD_DECLINE = Mapper(
    "card_authorization",
    CardDecline,
    (
        "card_id", "employee_id", "code", "check_name", "said", "amount_minor", "currency", "amount_text", "funding",
        "remaining_minor", "merchant",
        "mcc", "country", "channel", "at",
    ),
    decline,
    event_verbs=frozenset({"declined"}),
)  # fmt: skip
