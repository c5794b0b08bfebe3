"""What every change of a card shares: a blank row, the move, the saved version, the event."""

from typing import Any

from django.utils import timezone

from service import effects
from service.auth import Caller
from service.businesses.models import Employee
from service.cards import hooks
from service.cards.models import Card, CardStatus
from service.cards.schemas_shapes import CardShape
from service.cards.selectors import card_details
from service.cards.transitions import leads
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.rails import card_network
from service.respond import ChangedFields

ENDED = (CardStatus.RETIRED, CardStatus.EXPIRED)


def blank(caller: Caller, person: Employee, org_wallet_ref: str, currency: str, name: str) -> Card:
    """An active virtual card not saved yet, with a token in the place of a number; of one request, always the same."""
    now, card_id = timezone.now(), effects.new_id(caller)
    issued = card_network.network.issue(card_id, now.date())
    return Card(
        id=card_id,
        business_id=caller.business.id,
        employee=person,
        org_wallet_ref=org_wallet_ref,
        currency=currency,
        name=name,
        token=issued.token,
        last_four=issued.last_four,
        brand=issued.brand,
        expiry_month=issued.expiry_month,
        expiry_year=issued.expiry_year,
        created_by=caller.label,
        created_at=now,
        updated_at=now,
    )


def add_card(caller: Caller, row: Card) -> CardShape:
    """Saves a new card with its event and audit line; the card as the interface shows it."""
    row.save(force_insert=True)
    payload = card_details([row])[0]
    record_event(caller.business, "card.created", payload, actor=caller)
    record_audit(caller, "card.create", "card", row.id, after=payload)
    return payload


def save_card(caller: Caller, row: Card, event: str, action: str, before: ChangedFields) -> None:
    """Saves the fields named in `before`, with the event and the audit line; inside the caller's transaction."""
    row.version += 1
    row.save(update_fields=[*before, "version", "updated_at"])
    record_event(caller.business, event, card_details([row])[0], previous=before, actor=caller)
    record_audit(caller, action, "card", row.id, before, {name: getattr(row, name) for name in before})


def carry_out(caller: Caller, row: Card, verb: str, **fields: Any) -> bool:
    """Moves a locked card on and sets `fields` with it; False where it is there already."""
    move = leads(row, verb)
    if move is None:
        return False
    before = {"status": row.status, **{name: getattr(row, name) for name in fields}}
    row.status = move.target
    for name, value in fields.items():
        setattr(row, name, value)
    save_card(caller, row, move.event, f"card.{verb}", before)
    # A card that was reissued has no event of its own: card.reissued is recorded once the new one is there.
    if row.status in ENDED and not row.replaced_by:
        hooks.notify_ended(caller, row, None)
    return True
