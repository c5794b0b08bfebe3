"""Orders of physical cards: asked for, approved or rejected by somebody else, shipped, delivered.

Locks: the cards in the order of their ids, then their orders.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from service import errors
from service.accounts.wallets import usable_wallet
from service.auth import Caller, system_caller
from service.businesses.models import Employee, Role
from service.cards import selectors, services, transitions
from service.cards.models import Card, CardOrder, OrderStatus
from service.cards.schemas import ShippingAddress
from service.cards.schemas_orders import WantedOrder
from service.cards.schemas_shapes import OrderShape
from service.cards.serializers import order
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.rails import card_network
from service.rails.card_network import Shipping

MAKERS = frozenset({Role.APPROVER, Role.ADMIN})
EVENTS = {
    transitions.APPROVE: "card_order.approved",
    transitions.REJECT: "card_order.rejected",
    "ship": "card_order.shipped",
    transitions.DELIVER: "card_order.delivered",
    "cancel": "card_order.cancelled",
}


def card_orders(caller: Caller, status: str | None = None) -> QuerySet[CardOrder]:
    """The orders of the business; 400 for a state that there is not."""
    rows = CardOrder.objects.filter(business_id=caller.business.id).select_related("card__employee__team")
    if status is None:
        return rows
    if status not in OrderStatus.values:
        raise errors.invalid_parameters("status", "There is no such state.", "unknown")
    return rows.filter(status=status)


def order_details(rows: Sequence[CardOrder]) -> list[OrderShape]:
    """The orders as the interface shows them, with their cards."""
    cards = {card["_id"]: card for card in selectors.card_details(row.card for row in rows)}
    return [order(row, cards[row.card_id]) for row in rows]


def request_order(caller: Caller, new: WantedOrder) -> CardOrder:
    """Somebody asks for a physical card of their own, or an approver or admin for somebody else (403 for others)."""
    employee_id = new.employee_id or caller.employee_id
    if employee_id is None:
        raise errors.insufficient_role("A client that acts for nobody names the employee.")
    if employee_id != caller.employee_id and caller.role not in MAKERS:
        raise errors.insufficient_role("Only an approver or an admin orders a card for somebody else.")
    with transaction.atomic():
        if (done := selectors.earlier_card(caller)) is not None:
            return card_orders(caller).get(card_id=done.id)
        person = selectors.get_holder(caller, employee_id)
        paying = usable_wallet(caller.business, new.org_wallet_ref, locked=True)
        row = services.blank(caller, person, paying.org_wallet_ref, paying.currency, new.name)
        row.type = Card.Type.PHYSICAL
        return place(caller, row, new.shipping)


def place(caller: Caller, card: Card, shipping_address: ShippingAddress | None) -> CardOrder:
    """Saves a new physical card, REQUESTED, with its order; inside the caller's transaction."""
    card.status = "REQUESTED"
    card_shape = services.add_card(caller, card)
    row = CardOrder.objects.create(
        business_id=caller.business.id,
        card=card,
        shipping=shipping_address.model_dump(exclude_none=True) if shipping_address else None,
        requested_by=caller.label,
    )
    record_event(caller.business, "card_order.requested", order(row, card_shape), actor=caller)
    record_audit(caller, "card_order.request", "card_order", row.id, after={"card_id": card.id, "status": row.status})
    return row


@dataclass(frozen=True, slots=True)
class CardOrderResult:
    """What became of one order of several: its refusal, or the order."""

    order_id: str
    refusal: errors.ServiceError | None
    row: CardOrder | None


def approve_many(caller: Caller, ids: Sequence[str]) -> list[CardOrderResult]:
    """Approves each that can be; the others keep their state and get their own refusal."""
    return _decide_many(caller, ids, transitions.APPROVE, "")


def reject_many(caller: Caller, ids: Sequence[str], reason: str) -> list[CardOrderResult]:
    """Rejects each that can be; see `approve_many`."""
    return _decide_many(caller, ids, transitions.REJECT, reason)


def _decide_many(caller: Caller, ids: Sequence[str], verb: str, reason: str) -> list[CardOrderResult]:
    order_ids, outcomes = list(dict.fromkeys(ids)), []
    with transaction.atomic():
        orders = {row.id: row for row in _locked(card_orders(caller).filter(id__in=order_ids))}
        for order_id in order_ids:
            try:
                outcomes.append(CardOrderResult(order_id, None, _decide(caller, orders.get(order_id), verb, reason)))
            except errors.ServiceError as refusal:
                outcomes.append(CardOrderResult(order_id, refusal, None))
    return outcomes


def _locked(rows: QuerySet[CardOrder]) -> list[CardOrder]:
    """The orders and their cards, locked; each order carries its locked card."""
    card_ids = rows.values_list("card_id", flat=True)
    cards = Card.objects.select_for_update(no_key=True, of=("self",)).select_related("employee__team", "business")
    locked_cards = {card.id: card for card in cards.filter(id__in=list(card_ids)).order_by("id")}
    order_rows = CardOrder.objects.select_for_update(no_key=True, of=("self",)).filter(card_id__in=locked_cards)
    orders = list(order_rows.order_by("card_id"))
    for row in orders:
        row.card = locked_cards[row.card_id]
    return orders


def _decide(caller: Caller, row: CardOrder | None, verb: str, reason: str) -> CardOrder:
    """Checks everything first: a refusal in the middle of several leaves nothing behind."""
    if row is None:
        raise errors.not_found("order")
    if caller.employee_id and caller.employee_id in (row.card.employee_id, row.requested_by):
        raise errors.self_approval_forbidden("Nobody decides on a card that they ordered or will hold.")
    if verb == transitions.APPROVE and row.card.employee.status != Employee.Status.ACTIVE:
        raise errors.invalid_state("Its holder's account is not active.")
    _carry_out(caller, row, verb, decided_by=caller.label, decided_at=timezone.now(), reason=reason)
    return row


def _carry_out(caller: Caller, row: CardOrder, verb: str, **fields: Any) -> None:
    """Moves a locked order, and its card where that moves with it."""
    previous = transitions.move(row, verb)
    if verb in (transitions.APPROVE, transitions.REJECT, transitions.DELIVER):
        services.carry_out(caller, row.card, verb)
    for name, value in fields.items():
        setattr(row, name, value)
    row.version += 1
    row.save(update_fields=["status", *fields, "version", "updated_at"])
    payload = order(row, selectors.card_details([row.card])[0])
    record_event(caller.business, EVENTS[verb], payload, previous={"status": previous}, actor=caller)
    record_audit(caller, f"card_order.{verb}", "card_order", row.id, {"status": previous}, {"status": row.status})


def cancel_order(caller: Caller, card: Card) -> None:
    """Ends the order of a card that was just retired, if it was still on its way; inside the caller's transaction."""
    open_orders = CardOrder.objects.select_for_update(no_key=True, of=("self",)).filter(
        card_id=card.id, status__in=[OrderStatus.ORDERED, OrderStatus.SHIPPED]
    )
    row = open_orders.first()
    if row is not None:
        row.card = card
        _carry_out(caller, row, "cancel")


def _moving() -> QuerySet[CardOrder]:
    return CardOrder.objects.filter(status__in=[OrderStatus.ORDERED, OrderStatus.SHIPPED]).order_by("decided_at")


def has_moving() -> bool:
    """Whether a card that was approved is on its way."""
    return _moving().exists()


def follow_shipping(limit: int = 200) -> int:
    """Asks where approved cards are, and notes what was shipped and delivered since; answers how many moved on."""
    now, moving = timezone.now(), _moving()
    moved = 0
    for order_id, status, decided_at in moving.values_list("id", "status", "decided_at")[:limit]:
        shipping = card_network.network.shipping(order_id, now - decided_at if decided_at else timedelta())
        moved += _advance(order_id, status, shipping)
    return moved


def _advance(order_id: str, status: str, shipping: Shipping) -> int:
    steps = []
    if status == OrderStatus.ORDERED and shipping != Shipping.MADE:
        steps.append("ship")
    if shipping == Shipping.DELIVERED:
        steps.append(transitions.DELIVER)
    if not steps:
        return 0
    with transaction.atomic():
        orders = _locked(CardOrder.objects.filter(id=order_id, status=status))
        for row in orders:
            if row.status == status:
                for step in steps:
                    stamp = "shipped_at" if step == "ship" else "delivered_at"
                    _carry_out(system_caller(row.card.business), row, step, **{stamp: timezone.now()})
    return len(orders)
