"""The list of cards: as cards or as a table, those that are still alive unless the address asks for others."""

from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet

from dashboard import operations, times
from dashboard.access.actor import Actor
from dashboard.commands import cards
from dashboard.lists.actions import Action, Question
from dashboard.lists.columns import Column, List, Row
from dashboard.lists.expressions import exported_amount, exported_day, exported_field, label
from dashboard.lists.filters import ANY, ChoiceFilter, Holds, Pick
from dashboard.lists.registry import register
from dashboard.lists.states import words
from dashboard.mirror.choices import teams_of
from dashboard.mirror.scopes import visible_cards
from dashboard.money import text
from dashboard.pages.cards.presenters.gallery import gallery_row
from dashboard.web import card_text
from dashboard.web.card_text import CARD_KINDS, ENDED_CARD_STATES, FUNDINGS
from dashboard.web.card_tiles import limit_text, percent_of

LIVING, GALLERY_LOOK, TABLE_LOOK = "LIVE", "cards", "table"


@dataclass(frozen=True)
class StateFilter(ChoiceFilter):
    """A state, or all that have not ended."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """The cards in the state that was chosen, of those in `rows`."""
        return rows.exclude(status__in=ENDED_CARD_STATES) if value == LIVING else super().apply(rows, value, actor)


@dataclass(frozen=True)
class Look(ChoiceFilter):
    """How the cards are laid out: it stands in the address like a filter, and lets every row through."""

    def apply(self, rows: QuerySet[Any], value: str, actor: Actor) -> QuerySet[Any]:
        """All cards: how they are drawn leaves none out."""
        return rows

    def summary(self, value: str, actor: Actor) -> str:
        """Nothing: every row is let through."""
        return ""


def _name(row: Row, _: Actor) -> str:
    return f"{row['name'] or 'Card'} ···{row['last_four']}"


def _kind(row: Row, _: Actor) -> str:
    kind: str = row["kind"]
    return CARD_KINDS.get(kind, kind.capitalize())


def _state(row: Row, _: Actor) -> tuple[str, str]:
    state, tone = card_text.CARD_STATES.get(row["status"], (row["status"].capitalize(), ""))
    return tone, state


def _month(row: Row, actor: Actor) -> str:
    return text(row["month_minor"], row["currency"], actor.business.locale)


def _funding(row: Row, _: Actor) -> str:
    return FUNDINGS.get(row["funding"], "")


def _allocated(row: Row, actor: Actor) -> str:
    left = row["allocation_minor"]
    return "" if left is None else text(left, row["currency"], actor.business.locale)


def _of_limit(row: Row, actor: Actor) -> str:
    limit = row["limit_minor"]
    if limit is None:
        return ""
    bound = limit_text(row["limit_interval"], limit, row["currency"], actor.business.locale)
    return f"{percent_of(limit, row['spent_minor'])} % {bound}"


CARDS = register(
    List(
        name="cards",
        title="Cards",
        noun=("card", "cards"),
        icon="credit-card",
        opens=operations.READ_CARD,
        rows=visible_cards,
        address="cards",
        item_address="cards_item",
        sort="holder",
        search="search",
        search_hint="Cardholder, name or last four",
        money=("currency", "month_minor"),
        empty="No cards yet, or none you have access to.",
        filters=(
            StateFilter(
                "status", "Status", "status", usual=LIVING,
                of=((LIVING, "Open"), *words(card_text.CARD_STATES).items(), (ANY, "Any status")),
            ),
            ChoiceFilter("kind", "Kind", "kind", of=tuple(CARD_KINDS.items())),
            ChoiceFilter("funding", "Funding", "funding", of=tuple(FUNDINGS.items())),
            Pick("team", "Team", "team_id", among=teams_of),
            Holds("holder", "Cardholder", "employee_name"),
            Look("as", "View", "", usual=GALLERY_LOOK, of=((GALLERY_LOOK, "As cards"), (TABLE_LOOK, "As a table"))),
        ),
        columns=(
            Column(
                "card", "Card", "name", render=_name, needs=("last_four",), exported=exported_field("name"), always=True,
                file_title="Name",
            ),
            Column(
                "holder", "Cardholder", "employee_name", exported=exported_field("employee_name"), sort="sort_holder", sorted_as=str,
            ),
            Column("team", "Team", "team_name", exported=exported_field("team_name"), less=True),
            Column("kind", "Kind", "kind", exported=label("kind", CARD_KINDS), render=_kind, less=True),
            Column("state", "Status", "status", "state", render=_state, exported=label("status", words(card_text.CARD_STATES))),
            Column(
                "funding", "Funding", "funding", render=_funding, exported=label("funding", FUNDINGS), less=True,
            ),
            Column(
                "allocation", "Allocation left", "allocation_minor", "amount", render=_allocated, needs=("currency",),
                exported=exported_amount("allocation_minor", "currency"), less=True,
            ),
            Column(
                "spent", "Spent this month", "month_minor", "amount", render=_month, needs=("currency",), sort="month_minor",
                sorted_as=int, exported=exported_amount("month_minor", "currency"),
            ),
            Column(
                "limit", "Limit used", "limit_minor", "figure", render=_of_limit, less=True,
                needs=("limit_interval", "spent_minor", "currency"), exported=exported_amount("limit_minor", "currency"),
                file_title="Limit",
            ),
            Column("wallet", "Wallet", "org_wallet_ref", exported=exported_field("org_wallet_ref"), less=True, by_default=False),
            Column(
                "added", "Since", "created_at", "figure", exported=exported_day("created_at"), sort="created_at", less=True,
                render=lambda row, actor: times.day(row["created_at"], actor.business), by_default=False,
            ),
        ),
        file_only=(
            Column("id", "Id", "remote_id"),
            Column("last_four", "Last four", "last_four"),
            Column("currency", "Currency", "currency"),
        ),
        seen=("status", "blocked_by", "employee_name"),
        actions=(
            Action(
                "block", "Block", "blocked", operations.BLOCK_CARD, "card", states=("ACTIVE",), becomes="BLOCKED", danger=True,
                confirm="All purchases are declined until they are unblocked.",
                question=Question("Reason", "Enter a reason: the cardholders will read it.", cards.block),
            ),
            Action(
                "unblock", "Unblock", "unblocked", operations.UNBLOCK_CARD, "card", command=cards.unblock,
                states=("BLOCKED",), becomes="ACTIVE", confirm="They can be used again immediately.",
            ),
        ),
    )
)  # fmt: skip


def _gallery_rows(actor: Actor) -> QuerySet[Any, Any]:
    # No whole objects: a tile needs little of a card, and what came with it from the service is long.
    return visible_cards(actor).values_list(*CARDS.fields(CARDS.columns, CARDS.sorts["holder"]), named=True)


GALLERY = replace(CARDS, rows=_gallery_rows, row=gallery_row, template="cards/tiles.html")
