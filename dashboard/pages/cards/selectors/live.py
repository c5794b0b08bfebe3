"""What the service says of cards now: one of them with all that is known, read at once, or the balances of several.

Each part that does not answer in time is shown as such; the card itself is shown from the copy then.
"""

from collections.abc import Sequence
from dataclasses import replace

from django.shortcuts import get_object_or_404

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.client.page import read_page, typed
from dashboard.client.reads import Err, Ok, ReadCall, read_together
from dashboard.errors import FinanceError
from dashboard.mirror.live_rows import refresh_row, store_rows
from dashboard.mirror.models import Card
from dashboard.mirror.scopes import visible_cards, visible_expenses
from dashboard.pages.cards.presenters.activity import (
    Activity,
    BalanceRow,
    audit_row,
    balance_of,
    purchase_of,
)
from dashboard.schemas.cards import CardEvent, CardTransaction
from dashboard.times import as_of

LIVE_S = 1.5
MAX_ROWS = 25


def card_for(actor: Actor, remote_id: str) -> Card:
    """The card of that id; Http404 outside what the actor may see."""
    card: Card = get_object_or_404(visible_cards(actor), remote_id=remote_id)
    return card


def refresh_card(actor: Actor, card: Card) -> bool:
    """Writes the card through to the copy as it is at the service now; False where that does not answer, and the copy
    has to do."""
    return refresh_row(actor, "card", card, operations.READ_CARD)


def read_activity(actor: Actor, card: Card) -> Activity:
    """Everything about a card that the actor sees, read at once; the card itself is written through to the copy. What does
    not answer in time stands in `failed`."""
    results = _fetch(actor, card)
    read = results.get("card")
    if isinstance(read, Ok):
        store_rows(actor, "card", [read.answer.data], read_at=read.as_of)
        card.refresh_from_db()
    activity = Activity(
        isinstance(read, Ok), as_of(read.as_of if isinstance(read, Ok) else card.last_seen, actor.business)
    )
    for name, result in results.items():
        try:
            if isinstance(result, Err):
                raise result.error
            _apply(actor, card, activity, name, result)
        except FinanceError as error:
            activity.failed[name] = error.user_message
    return activity


def _fetch(actor: Actor, card: Card) -> dict[str, Ok | Err]:
    path, newest = {"id": card.remote_id}, {"limit": MAX_ROWS}
    reads = {
        "card": ReadCall(operations.READ_CARD, path=path, subject=card, deadline=LIVE_S),
        "balance": ReadCall(operations.READ_CARD_BALANCE, path=path, subject=card, deadline=LIVE_S),
        "purchases": ReadCall(
            operations.LIST_CARD_TRANSACTIONS, path=path, query=newest, subject=card, deadline=LIVE_S
        ),
    }
    if can_open(actor, operations_extra.LIST_AUDIT_EVENTS):
        about: dict[str, str | int] = {"resource": f"card:{card.remote_id}", "limit": MAX_ROWS}
        reads["audit"] = ReadCall(operations_extra.LIST_AUDIT_EVENTS, query=about, deadline=LIVE_S)
    try:
        return read_together(actor, reads)
    except FinanceError as error:
        return {"balance": Err(error, card.last_seen), "purchases": Err(error, card.last_seen)}


def _apply(actor: Actor, card: Card, activity: Activity, name: str, read_ok: Ok) -> None:
    if name == "balance":
        activity.balance = balance_of(actor, read_ok)
    elif name == "purchases":
        rows = typed(read_page(read_ok.answer.data).rows, CardTransaction)
        missing = own_without_receipt(actor, [row.expense_id for row in rows if row.expense_id])
        activity.purchases = [
            replace(purchase_of(actor, row), misses_receipt=row.expense_id in missing) for row in rows
        ]
    elif name == "audit":
        activity.audit = [
            audit_row(actor, card, event) for event in typed(read_page(read_ok.answer.data).rows, CardEvent)
        ]


def own_without_receipt(actor: Actor, expense_ids: Sequence[str]) -> set[str]:
    """Those of the expenses that are the actor's own, open, and without a receipt."""
    if not actor.employee_id or not expense_ids:
        return set()
    own = visible_expenses(actor).filter(employee_id=actor.employee_id, has_receipt=False, remote_id__in=expense_ids)
    return set(own.filter(status__in=("PENDING", "DETAILS_REQUESTED")).values_list("remote_id", flat=True))


def balances_of(actor: Actor, cards: Sequence[Card]) -> dict[str, BalanceRow]:
    """The balances of those cards that are active, by the card's id; one that cannot be read is left out."""
    calls = {
        card.remote_id: ReadCall(operations.READ_CARD_BALANCE, path={"id": card.remote_id}, subject=card)
        for card in cards
        if card.status == "ACTIVE"
    }
    try:
        results = read_together(actor, calls)
    except FinanceError:
        return {}
    balances = {}
    for remote_id, result in results.items():
        try:
            if isinstance(result, Ok):
                balances[remote_id] = balance_of(actor, result)
        except FinanceError:
            continue
    return balances
