"""The frame of the home page, and its widgets as cards and rows: the queue, a person's cards, payments due, expenses."""

from dataclasses import dataclass
from typing import TypedDict

from django.db.models import Count
from django.utils.safestring import SafeString

from dashboard import operations, operations_pages
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.cash.movement import Trend, trends_of
from dashboard.decisions.desk_items import EXPENSE_STATES
from dashboard.decisions.filters import Filters
from dashboard.decisions.selectors import confirms, decides, votes
from dashboard.decisions.totals import Totals, inbox_totals
from dashboard.mirror.models import Card
from dashboard.mirror.scopes import visible_expenses
from dashboard.money import text
from dashboard.pages.home.presenters.demo import may_be_unfinished
from dashboard.pages.home.presenters.urgent import Urgent, most_urgent
from dashboard.pages.home.selectors import (
    NEEDS_ANSWER,
    NEEDS_RECEIPT,
    Risk,
    own_cards,
    own_expenses_with_questions,
    risk_of,
)
from dashboard.pages.home.services import stored_markup
from dashboard.times import as_of, day
from dashboard.web import card_text
from dashboard.web.card_tiles import Tile, tile
from dashboard.web.charts import Chart, flow_chart

MOST_CARDS, MOST_QUESTIONS, MOST_EXPENSES = 4, 3, 6


@dataclass(frozen=True, slots=True)
class Widget:
    """A part of the page: its name in the address, its heading, and its HTML as the person saw it last or ""."""

    name: str
    label: str
    markup: SafeString | str


@dataclass(frozen=True, slots=True)
class OwnCard:
    """A card of the actor; `left` is what is left of its limit over time, "" where it has none or is not active."""

    tile: Tile
    left: str


@dataclass(frozen=True, slots=True)
class Question:
    """An own expense of which something is asked: its id, its title with the amount, what to do about it, and the part
    of its page where that is done."""

    id: str
    title: str
    task: str
    part: str


@dataclass(frozen=True, slots=True)
class Questions:
    """How many own expenses need an answer, how many a receipt, and the newest of both."""

    answers: int
    receipts: int
    newest: list[Question]


@dataclass(frozen=True, slots=True)
class ExpenseRow:
    """An expense in the table of the newest ones: its state as a word and the tone of that word."""

    id: str
    title: str
    holder: str
    date: str
    state: str
    tone: str
    amount: str


class HomeContext(TypedDict):
    """What home/home.html reads around its widgets, each with the HTML that is stored of it; `expenses_label` and
    `expenses_markup` are of the table below them, `asks_demo` is whether the progress of a demo is asked for."""

    widgets: list[Widget]
    expenses_label: str
    expenses_markup: SafeString | str
    asks_demo: bool


class QueueContext(TypedDict):
    """What the queue reads; `waiting` and `risk` are None for who decides nothing, `has_clean_lane` is whether the inbox has the lane of
    what looks clean for them."""

    waiting: Totals | None
    has_clean_lane: bool
    urgent: list[Urgent]
    risk: Risk | None
    questions: Questions


class CardsContext(TypedDict):
    """What the cards read: the newest, how many `more` there are, and as of when the oldest of the copies is."""

    cards: list[OwnCard]
    more: int
    seen: str


class MovementContext(TypedDict):
    """What the widget of money in and out reads: each currency's months with their chart, and as of when."""

    trends: list[tuple[Trend, Chart]]
    seen: str


def is_decider(actor: Actor) -> bool:
    """Whether anything can wait for the actor's decision, vote or confirmation."""
    return decides(actor) or votes(actor) or confirms(actor)


def frame_of(actor: Actor) -> HomeContext:
    """The page around its widgets, which stand in the order that follows the role."""
    sees_inbox = bool(can_open(actor, operations_pages.INBOX))
    widgets = _widgets(actor, sees_inbox)
    markup = stored_markup(actor, [*(name for name, _ in widgets), "recent"])
    return {
        "widgets": [Widget(name, label, markup.get(name, "")) for name, label in widgets],
        "expenses_label": "Latest expenses" if sees_inbox else "Your latest expenses",
        "expenses_markup": markup.get("recent", ""),
        "asks_demo": may_be_unfinished(actor),
    }


def _widgets(actor: Actor, sees_inbox: bool) -> list[tuple[str, str]]:
    """The names and headings of the widgets that the actor has, in their order."""
    widgets = [("queue", "Waiting for you" if is_decider(actor) else "Action required")]
    # Whoever is here for their cards finds the place where they will be; the others, where they have some.
    cards = [("cards", "Your cards")] if not sees_inbox or own_cards(actor).exists() else []
    issues = ("exceptions", "Needs attention")
    widgets += [issues] if sees_inbox else [*cards, issues]
    if can_open(actor, operations.LIST_ACCOUNTS) and can_open(actor, operations.READ_ACCOUNT_BALANCE):
        widgets.append(("cash", "Cash"))
    if can_open(actor, operations.LIST_APPROVALS):
        widgets.append(("due", "Payments due"))
    if can_open(actor, operations.READ_MONEY_MOVEMENT):
        widgets.append(("movement", "Money in and out"))
    widgets += cards if sees_inbox else []
    return [*widgets, ("spending", "Spent this month")]


def queue_of(actor: Actor) -> QueueContext:
    """What waits for the actor's decision, and what is asked of them."""
    decider = is_decider(actor)
    return {
        "waiting": inbox_totals(actor, Filters()) if decider else None,
        "has_clean_lane": decides(actor),
        "urgent": most_urgent(actor) if decider else [],
        "risk": risk_of(actor) if decider else None,
        "questions": questions_of(actor),
    }


def questions_of(actor: Actor) -> Questions:
    """What is asked of the actor about their own expenses."""
    rows = own_expenses_with_questions(actor)
    count = rows.aggregate(answers=Count("pk", filter=NEEDS_ANSWER), receipts=Count("pk", filter=NEEDS_RECEIPT))
    columns = ("remote_id", "merchant", "amount_text", "status")
    newest = [
        Question(
            remote_id,
            f"{merchant or 'Expense'} {amount}".strip(),
            *(("Answer question", "question") if status == "DETAILS_REQUESTED" else ("Add receipt", "receipts")),
        )
        for remote_id, merchant, amount, status in rows.values_list(*columns)[:MOST_QUESTIONS]
    ]
    return Questions(count["answers"], count["receipts"], newest)


def newest_own_cards(actor: Actor) -> CardsContext:
    """The newest of the actor's own cards."""
    rows = list(own_cards(actor).order_by("-created_at", "-id").defer("payload")[: MOST_CARDS + 1])
    more = own_cards(actor).count() - MOST_CARDS if len(rows) > MOST_CARDS else 0
    seen = as_of(min((row.last_seen for row in rows), default=None), actor.business)
    return {"cards": [_card(actor, row) for row in rows[:MOST_CARDS]], "more": more, "seen": seen}


def _card(actor: Actor, card: Card) -> OwnCard:
    left = ""
    if card.limit_minor is not None and card.status == "ACTIVE":
        amount = text(max(0, card.limit_minor - card.spent_minor), card.currency, actor.business.locale)
        left = f"{amount} left {card_text.LIMITS.get(card.limit_interval, '')}".strip()
    return OwnCard(tile(actor, card), left)


def movement_of(actor: Actor) -> MovementContext:
    """Money in and out of the last three months, live. Raises the FinanceError tree."""
    trends, seen = trends_of(actor)
    charts = [
        flow_chart([month.name for month in trend.months], trend.flows, trend.currency, actor.business.locale)
        for trend in trends
    ]
    return {"trends": list(zip(trends, charts, strict=True)), "seen": seen}


def recent_of(actor: Actor) -> list[ExpenseRow]:
    """The newest expenses that the actor may see."""
    columns = ("remote_id", "merchant", "employee_name", "transaction_date", "status", "amount_text")
    rows = visible_expenses(actor).order_by("-transaction_date", "-id").values_list(*columns)[:MOST_EXPENSES]
    return [
        ExpenseRow(
            remote_id,
            merchant or "Expense",
            holder,
            day(moment, actor.business),
            EXPENSE_STATES.get(status, (status.capitalize(), ""))[0],
            EXPENSE_STATES.get(status, ("", ""))[1],
            amount,
        )
        for remote_id, merchant, holder, moment, status, amount in rows
    ]
