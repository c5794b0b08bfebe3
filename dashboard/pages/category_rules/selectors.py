"""What the rules are read from: one of them, and what a form offers to choose from."""

from __future__ import annotations

from dataclasses import dataclass

from django.shortcuts import get_object_or_404

from dashboard.access.actor import Actor
from dashboard.categorisation.models import CategoryRule
from dashboard.categorisation.rules import visible_rules
from dashboard.mirror.choices import categories_of
from dashboard.mirror.models import Card
from dashboard.mirror.scopes import visible_cards, visible_vendors, visible_wallets

MOST_OFFERED = 500


@dataclass(frozen=True, slots=True)
class Offered:
    """What a rule can name: categories and vendors as (id, name), cards by id, currencies by code."""

    categories: list[tuple[str, str]]
    vendors: list[tuple[str, str]]
    cards: dict[str, Card]
    currencies: list[str]


def category_rule_of(actor: Actor, rule_id: str) -> CategoryRule:
    """One of the business's rules; Http404 for any other."""
    rule: CategoryRule = get_object_or_404(visible_rules(actor), pk=int(rule_id))
    return rule


def offered_to(actor: Actor) -> Offered:
    """The active categories, vendors and cards, and the currencies of the wallets."""
    vendors = visible_vendors(actor).filter(status="ACTIVE").order_by("sort_name", "pk")
    cards = visible_cards(actor).exclude(status="RETIRED").order_by("sort_holder", "pk")[:MOST_OFFERED]
    currencies = visible_wallets(actor).order_by("currency").values_list("currency", flat=True).distinct()
    return Offered(
        categories_of(actor), list(vendors.values_list("remote_id", "name")[:MOST_OFFERED]),
        {card.remote_id: card for card in cards}, list(currencies),
    )  # fmt: skip


def card_name(card: Card) -> str:
    """What a card is called in a rule: "Fuel · Carla Njeri ·· 1234"."""
    return " · ".join(part for part in (card.name, card.employee_name, f"•• {card.last_four}") if part)
