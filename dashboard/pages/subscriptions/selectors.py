"""What is read for subscriptions: what their forms offer, what was charged for one, and those that need attention."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import chain, islice
from typing import TypeVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.client.page import Page, parsed, read_page, typed
from dashboard.client.reads import Ok, ReadCall, read_together
from dashboard.forecast.repeats import MONTHS, months_after
from dashboard.mirror.choices import categories_of, teams_of
from dashboard.mirror.mappers.mapper import moment
from dashboard.mirror.models import Card, Mirrored, Subscription
from dashboard.mirror.scopes import visible_cards, visible_employees, visible_subscriptions
from dashboard.pages.subscriptions.forms import SubscriptionChoices
from dashboard.renewals.models import Cancellation
from dashboard.renewals.selectors import cancelled_word, expected_until
from dashboard.schemas.expenses import Expense
from dashboard.schemas.subscriptions import Spent
from dashboard.times import local
from dashboard.web.card_text import ENDED_CARD_STATES
from dashboard.web.person_field import person_choices

LIVE_S = 2.5
# So many charges on a page.
MAX_CHARGES = 24
CURSOR = re.compile(r"[A-Za-z0-9_-]{1,400}")
MONTHS_BACK = 12
MAX_CHOICES = 2000
MAX_ATTENTION = 500
BATCH = 500
# Cards on which nothing is charged now.
STOPPED = ENDED_CARD_STATES | {"BLOCKED"}
INTERVAL = {"WEEKLY": timedelta(days=7), **{code: timedelta(days=31 * months) for code, months in MONTHS.items()}}

M = TypeVar("M", bound=Mirrored)


@dataclass(frozen=True, slots=True)
class Charges:
    """A page of what was charged for a subscription, the newest first, and all of it by month; `problem` says what could not be
    read. `before` is the charge before the oldest of the page, None where that is the first; `total` how many charges there are,
    None where that is not known; `older` the cursor of the next page, "" at the end."""

    expenses: list[Expense]
    spent: Spent | None
    problem: str = ""
    before: Expense | None = None
    total: int | None = None
    older: str = ""


@dataclass(frozen=True, slots=True)
class Attention:
    """A subscription that may be paid for without being used, and why."""

    row: Subscription
    reasons: list[str]


def subscription_for(actor: Actor, remote_id: str) -> Subscription:
    """The subscription with this id; Http404 outside what the actor may see."""
    row: Subscription = get_object_or_404(visible_subscriptions(actor), remote_id=remote_id)
    return row


def card_of(actor: Actor, row: Subscription) -> Card | None:
    """The card that it is charged on, as long as that has not ended; None without one that the actor may see."""
    cards = visible_cards(actor).exclude(status__in=ENDED_CARD_STATES)
    return cards.filter(remote_id=row.card_id).first() if row.card_id else None


def choices_of(actor: Actor) -> SubscriptionChoices:
    """People who are active, cards that can be charged with their holders, teams, and subcategories."""
    cards = visible_cards(actor).exclude(status__in=ENDED_CARD_STATES).order_by("employee_name", "last_four")
    return {
        "people": person_choices(actor, visible_employees(actor).filter(status="ACTIVE").order_by("sort_name", "pk")),
        "cards": [(card.remote_id, f"{card.employee_name} ·· {card.last_four}") for card in cards[:MAX_CHOICES]],
        "teams": list(teams_of(actor)),
        "subcategories": categories_of(actor),
    }


def charges_cursor(text: str) -> str:
    """Behind which a page of charges goes on; "" for what is no cursor."""
    return text if CURSOR.fullmatch(text) else ""


def charges_of(actor: Actor, row: Subscription, after: str = "") -> Charges:
    """What was charged for it, live: the newest page, or the one behind a cursor. What could not be read is named, never taken
    for nothing."""
    today = local(timezone.now(), actor.business).date()
    since = months_after(today.replace(day=1), 1 - MONTHS_BACK)
    reads = {
        "charges": ReadCall(
            operations.LIST_SUBSCRIPTION_EXPENSES, subject=row, deadline=LIVE_S,
            query=_charges_query(row, MAX_CHARGES, after),
        ),
        "amount spent": ReadCall(
            operations.READ_SUBSCRIPTION_SPEND, subject=row, deadline=LIVE_S,
            body={"subscription_ids": [row.remote_id], "from": since, "period": "MONTH"},
        ),
    }  # fmt: skip
    results = read_together(actor, reads)
    answers = {name: result.answer.data for name, result in results.items() if isinstance(result, Ok)}
    missing = " and the ".join(name for name in reads if name not in answers)
    on_page = read_page(answers["charges"]) if "charges" in answers else Page([])
    expenses = typed(on_page.rows, Expense)
    sums = read_page(answers["amount spent"]).rows if "amount spent" in answers else []
    return Charges(
        sorted(expenses, key=lambda expense: expense.transaction_date, reverse=True),
        parsed(sums[0], Spent) if sums else None,
        f"The {missing} could not be read." if missing else "",
        _charge_before(actor, row, on_page.cursor),
        on_page.total,
        on_page.cursor,
    )


def _charges_query(row: Subscription, limit: int, after: str) -> dict[str, str | int]:
    return {"subscription_id": row.remote_id, "limit": limit, **({"cursor": after} if after else {})}


def _charge_before(actor: Actor, row: Subscription, cursor: str) -> Expense | None:
    """The first charge behind a page: what the price of the page's oldest is compared with. None at the end, and where it
    cannot be read."""
    if not cursor:
        return None
    call = ReadCall(
        operations.LIST_SUBSCRIPTION_EXPENSES, subject=row, deadline=LIVE_S, query=_charges_query(row, 1, cursor)
    )
    result = read_together(actor, {"charge": call})["charge"]
    rows = typed(read_page(result.answer.data).rows, Expense) if isinstance(result, Ok) else []
    return rows[0] if rows else None


def attention_of(actor: Actor) -> tuple[list[Attention], bool]:
    """Active subscriptions whose owner is not active or is gone, whose card is stopped, or for which nothing was charged for twice
    their interval (never at all, so long after they were added), and those that were charged after the last charge that their
    cancellation expected, which come first: of either by name. All that the actor sees are looked at; the first MAX_ATTENTION are
    told, and whether these are all."""
    live = visible_subscriptions(actor)
    until = {row.subscription_id: row for row in expected_until(actor.business)}
    expected = live.filter(remote_id__in=until).order_by("sort_name", "pk")
    late = [Attention(row, why) for row in expected if (why := _late_charge(actor, row, until))]
    active = live.filter(status="ACTIVE").order_by("sort_name", "pk").iterator(chunk_size=BATCH)
    attention = list(islice(chain(late, _unused(actor, active)), MAX_ATTENTION + 1))
    return attention[:MAX_ATTENTION], len(attention) <= MAX_ATTENTION


def _unused(actor: Actor, active: Iterator[Subscription]) -> Iterator[Attention]:
    while rows := list(islice(active, BATCH)):
        owners = _of(visible_employees(actor, deleted=True), {row.employee_id for row in rows})
        # Of an owner who is gone the service says nothing any more: the copy knows that they were there.
        people = {owner.remote_id: "" if owner.tombstoned_at else owner.status for owner in owners}
        cards = dict(_of(visible_cards(actor), {row.card_id for row in rows}).values_list("remote_id", "status"))
        now = timezone.now()
        for row in rows:
            if why := _reasons(actor, row, people.get(row.employee_id), cards.get(row.card_id), now):
                yield Attention(row, why)


def _late_charge(actor: Actor, row: Subscription, until: dict[str, Cancellation]) -> list[str]:
    cancellation = until.get(row.remote_id)
    last = cancellation.charges_until if cancellation else None
    charged = local(row.last_charge_at, actor.business).date() if row.last_charge_at else None
    if cancellation is None or last is None or charged is None or charged <= last:
        return []
    word = cancelled_word(cancellation.state)
    return [f"Charged on {_day(charged)}, though it is {word} and no charge was expected after {_day(last)}"]


def _of(rows: QuerySet[M], ids: set[str]) -> QuerySet[M]:
    return rows.filter(remote_id__in=ids - {""})


def _reasons(actor: Actor, row: Subscription, person: str | None, card: str | None, now: datetime) -> list[str]:
    reasons = []
    if not row.employee_id:
        reasons.append("Nobody owns it")
    elif person is not None and person != "ACTIVE":
        reasons.append("Its owner is no longer active")
    if card in STOPPED:
        reasons.append("Its card is closed" if card in ENDED_CARD_STATES else "Its card is blocked")
    interval = INTERVAL.get(row.billing_frequency)
    created = None if row.last_charge_at else moment(row.payload.get("createdAt"))
    since = row.last_charge_at or created
    if interval and since and since < now - 2 * interval:
        word = "Not charged since" if row.last_charge_at else "Never charged since it was added on"
        reasons.append(f"{word} {_day(local(since, actor.business).date())}, twice its interval")
    return reasons


def _day(value: date) -> str:
    return f"{value.day} {value:%b %Y}"
