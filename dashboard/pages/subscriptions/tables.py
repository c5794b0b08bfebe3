"""The list of subscriptions: the one that is charged next comes first."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet, Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Lower, NullIf, Replace

from dashboard import operations, times
from dashboard.access.actor import Actor
from dashboard.commands import subscriptions
from dashboard.forecast.repeats import frequency_of
from dashboard.lists.actions import Action
from dashboard.lists.columns import Column, List
from dashboard.lists.expressions import LocalDay, exported_amount, exported_field, label, zone_of
from dashboard.lists.filters import ChoiceFilter, CurrencyFilter
from dashboard.lists.registry import register
from dashboard.lists.states import words
from dashboard.mirror.mappers.vendors import NEVER
from dashboard.mirror.models import Subscription
from dashboard.mirror.scopes import visible_subscriptions
from dashboard.pages.subscriptions import services
from dashboard.renewals.cancellations import WITHDRAW_FIRST
from dashboard.renewals.selectors import cancelled_word, with_renewals

STATES = {"ACTIVE": ("Active", "ok"), "PAUSED": ("Paused", "warn")}
CANCELLATIONS = {"OPEN": ("Being cancelled", "warn"), "ENDED": ("Cancelled", ""), "": ("–", "")}
SET_STATUS = operations.SET_SUBSCRIPTION_STATUS


def next_charge(at: datetime, actor: Actor) -> str:
    """The day of the next charge in the format of the business; "" where none is known."""
    return "" if at.year == NEVER.year else times.day(at, actor.business)


def _next_day(actor: Actor) -> Combinable:
    return LocalDay(NullIf(F("next_charge_at"), Value(NEVER)), zone=zone_of(actor))


def _rows(actor: Actor) -> QuerySet[Subscription]:
    return with_renewals(visible_subscriptions(actor))


def _act_by(row: Mapping[str, Any], _: Actor) -> str:
    day = row["act_by"]
    return f"{day.day} {day:%b %Y}" if day else ""


def _cancelled(row: Any) -> tuple[str, str] | None:
    if not row.cancellation:
        return None
    word = cancelled_word(row.cancellation)
    return word, f"It is {word}. {WITHDRAW_FIRST}"


def _often(_: Actor) -> Combinable:
    return Replace(Lower("billing_frequency"), Value("_"), Value(" "))


SUBSCRIPTIONS = register(
    List(
        name="subscriptions",
        title="Subscriptions",
        noun=("subscription", "subscriptions"),
        icon="repeat",
        opens=operations.LIST_SUBSCRIPTIONS,
        rows=_rows,
        address="subscriptions",
        item_address="subscriptions_item",
        sort="next",
        money=("currency", "amount_minor"),
        search="search",
        search_hint="Name or vendor",
        empty="Subscriptions are found in past charges, or added one by one.",
        filters=(
            ChoiceFilter("status", "Status", "status", of=tuple(words(STATES).items())),
            ChoiceFilter("cancellation", "Cancellation", "cancellation", of=(("OPEN", "Being cancelled"), ("ENDED", "Cancelled"))),
            CurrencyFilter("currency", "Currency", "currency"),
        ),
        columns=(
            Column("name", "Name", "name", exported=exported_field("name"), sort="sort_name", sorted_as=str, always=True),
            Column("vendor", "Vendor", "vendor", exported=exported_field("vendor"), less=True),
            Column(
                "often", "Billing", "billing_frequency", exported=_often,
                render=lambda row, _: frequency_of(row["billing_frequency"]),
            ),
            Column(
                "next", "Next charge", "next_charge_at", "figure", exported=_next_day, sort="next_charge_at",
                render=lambda row, actor: next_charge(row["next_charge_at"], actor),
            ),
            Column("act_by", "Last day to cancel", "act_by", "figure", exported=exported_field("act_by"), render=_act_by, less=True),
            Column(
                "cancellation", "Cancellation", "cancellation", "state", states=CANCELLATIONS,
                exported=label("cancellation", words(CANCELLATIONS)), less=True, by_default=False,
            ),
            Column("state", "Status", "status", "state", states=STATES, exported=label("status", words(STATES))),
            Column("limit", "Limit", "limit_text", "figure", less=True, by_default=False),
            Column(
                "amount", "Amount", "amount_text", "amount", exported=exported_amount("amount_minor", "currency"),
                sort="amount_minor", sorted_as=int, always=True,
            ),
        ),
        file_only=(Column("id", "Id", "remote_id"), Column("currency", "Currency", "currency")),
        seen=("status", "name", "amount_text"),
        actions=(
            Action(
                "pause", "Pause", "paused", SET_STATUS, "subscription", command=subscriptions.pause, states=("ACTIVE",),
                becomes="PAUSED", confirm="They stay listed and can be resumed at any time.",
            ),
            Action(
                "resume", "Resume", "resumed", SET_STATUS, "subscription", command=services.resume, states=("PAUSED",),
                becomes="ACTIVE", confirm="They are active again, as they were.", unfit=_cancelled,
            ),
        ),
    )
)  # fmt: skip
