"""One's own cards: what each has left, what it may be used for, what was declined and why, and what waits for one."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.decisions.desk_items import REQUEST_STATES
from dashboard.mirror.models import ApprovalRequest, Card, Expense
from dashboard.mirror.scopes import visible_cards, visible_declines, visible_expenses, visible_requests
from dashboard.pages.cards.presenters.activity import BalanceRow
from dashboard.pages.cards.presenters.card import DeclineRow
from dashboard.pages.cards.presenters.controls import ControlsPresenter, ControlText, current_controls
from dashboard.pages.cards.selectors.live import balances_of
from dashboard.times import day_and_time
from dashboard.web.card_text import ENDED_CARD_STATES, blocker_of, who_unblocks
from dashboard.web.card_tiles import Tile, tile

MAX_CARDS, MAX_DECLINES, MAX_ROWS = 12, 8, 10


@dataclass(frozen=True, slots=True)
class OwnCard:
    """One of the actor's own cards, with the verdicts of what may be done in its state; `blocked` says who blocked it."""

    tile: Tile
    balance: BalanceRow | None
    rules: list[ControlText]
    block: Verdict | None
    unblock: Verdict | None
    activate: Verdict | None
    blocked: str


@dataclass(frozen=True, slots=True)
class OwnCardRequest:
    """A card that somebody asked for; `state` is its text and its tone."""

    subject: ApprovalRequest
    state: tuple[str, str]
    when: str
    reason: str
    can_cancel: bool


def _visible_own(actor: Actor) -> QuerySet[Card]:
    rows = visible_cards(actor)
    return rows.filter(employee_id=actor.employee_id) if actor.employee_id else rows.none()


def own_cards(actor: Actor) -> list[OwnCard]:
    """The actor's own cards that have not ended, the newest first, each with its balance where it could be read."""
    cards = list(_visible_own(actor).exclude(status__in=ENDED_CARD_STATES).order_by("-created_at", "-id")[:MAX_CARDS])
    balances = balances_of(actor, cards)
    return [_own_card(actor, card, balances.get(card.remote_id)) for card in cards]


def _own_card(actor: Actor, card: Card, balance_row: BalanceRow | None) -> OwnCard:
    controls = current_controls(card)
    blocked = f"Blocked by {blocker_of(actor, card)}. {who_unblocks(card)}" if card.status == "BLOCKED" else ""
    return OwnCard(
        tile=tile(actor, card),
        balance=balance_row,
        rules=list(ControlsPresenter(actor.business, card.currency).texts(controls).values()),
        block=can(actor, operations.BLOCK_CARD, card) if card.status == "ACTIVE" else None,
        unblock=can(actor, operations.UNBLOCK_CARD, card) if card.status == "BLOCKED" else None,
        activate=can(actor, operations_extra.ACTIVATE_CARD, card) if card.status == "INACTIVE" else None,
        blocked=blocked,
    )


def own_declines(actor: Actor) -> list[DeclineRow]:
    """The last declined uses of the actor's own cards, the newest first."""
    cards = dict(_visible_own(actor).values_list("remote_id", "last_four"))
    rows = visible_declines(actor).filter(card_id__in=list(cards)).order_by("-at", "-id")[:MAX_DECLINES]
    return [DeclineRow.of(actor, decline, cards[decline.card_id]) for decline in rows]


def _incomplete_expenses(actor: Actor) -> QuerySet[Expense]:
    """The actor's own expenses that wait for them: for an answer, or for a receipt."""
    own = visible_expenses(actor).filter(employee_id=actor.employee_id or "-")
    bare = Q(status="PENDING", has_receipt=False, payload__receipt_required=True)
    return own.filter(Q(status="DETAILS_REQUESTED") | bare)


def expenses_to_complete(actor: Actor) -> list[tuple[Expense, str]]:
    """The actor's own expenses that wait for an answer or a receipt, each with the action as the link says it."""
    rows = _incomplete_expenses(actor).order_by("-transaction_date", "-id")[:MAX_ROWS]
    return [(row, "Answer question" if row.status == "DETAILS_REQUESTED" else "Add receipt") for row in rows]


def own_requests(actor: Actor) -> list[OwnCardRequest]:
    """The cards that the actor asked for, the newest first."""
    kinds = ("card_request", "card_order")
    own = visible_requests(actor).filter(kind__in=kinds, holder_id=actor.employee_id or "-")
    return [
        OwnCardRequest(
            subject=row,
            state=REQUEST_STATES.get(row.status, (row.status.capitalize(), "")),
            when=day_and_time(row.requested_at, actor.business),
            reason=str(row.payload.get("reason") or ""),
            can_cancel=row.kind == "card_request" and row.status == "PENDING",
        )
        for row in own.order_by("-requested_at", "-id")[:MAX_ROWS]
    ]
