"""What typed words ask to do: "approve", "export expenses", "go to wallet KES main", "block card 4001".

An action does nothing by itself: it leads to the page with the form, and stands there only for whom the form does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import reverse

from dashboard import operations, operations_pages
from dashboard.access.actor import Actor
from dashboard.access.check import can, can_open
from dashboard.access.operation import Operation
from dashboard.decisions.selectors import confirms, decides, votes
from dashboard.lists.registry import REGISTRY
from dashboard.mirror.models import Card
from dashboard.mirror.scopes import visible_cards, visible_wallets
from dashboard.search import matching
from dashboard.web.navigation import empty_areas, sidebar

MOST = 5
# So many cards are looked at for those that the actor may block.
MOST_CARDS = 50
# So much of a verb has to be typed for its action to stand there.
SHORTEST_VERB = 2


@dataclass(frozen=True)
class Hit:
    """A row, a page or an action that matches: its name, what distinguishes it from others, and its address."""

    title: str
    sub: str
    href: str


def find_actions(actor: Actor, typed: str) -> list[Hit]:
    """The actions that the typed words name, of those that are open to the actor; at most five of each verb.

    The first word is the verb, or its beginning as long as nothing follows it; the others say what it is about.
    """
    verb, words = _verb_and_words(typed)
    if len(verb) < SHORTEST_VERB:
        return []
    return [
        hit
        for name, hits_of in ACTIONS.items()
        if verb == name or (not words and name.startswith(verb))
        for hit in hits_of(actor, words)[:MOST]
    ]


def is_action(typed: str) -> bool:
    """Whether the typed words begin with the whole name of a verb, so that an action is meant rather than a page."""
    return _verb_and_words(typed)[0] in ACTIONS


def _verb_and_words(typed: str) -> tuple[str, list[str]]:
    verb, *words = typed.casefold().split() or [""]
    return ("go to", words[1:]) if verb == "go" and words[:1] == ["to"] else (verb, words)


def _approve(actor: Actor, words: list[str]) -> list[Hit]:
    return _decide(actor, words, "Approve")


def _reject(actor: Actor, words: list[str]) -> list[Hit]:
    return _decide(actor, words, "Reject")


def _decide(actor: Actor, words: list[str], label: str) -> list[Hit]:
    if not can_open(actor, operations_pages.INBOX) or not (decides(actor) or votes(actor) or confirms(actor)):
        return []
    term = " ".join(words)
    query = urlencode({"show": "mine", "q": term} if term else {"show": "mine"})
    title = f"{label}: items waiting for you{f' that match “{term}”' if term else ''}"
    return [Hit(title, "opens the list", f"{reverse('approvals', args=[actor.business.slug])}?{query}")]


def _export(actor: Actor, words: list[str]) -> list[Hit]:
    if not can_open(actor, operations_pages.LISTS):
        return []
    hits = [
        Hit(f"Export {listed.title.lower()}", "opens the list", reverse(listed.address, args=[actor.business.slug]))
        for listed in REGISTRY.values()
        if can_open(actor, listed.opens) and all(word in listed.title.casefold() for word in words)
    ]
    # Only the first of them are shown: those of the sidebar, in its order, before lists that stand beneath a page.
    areas = [link.href for _, links in sidebar(actor.role, actor.business.slug, empty_areas(actor)) for link in links]
    return sorted(hits, key=lambda hit: areas.index(hit.href) if hit.href in areas else len(areas))


def _go_to(actor: Actor, words: list[str]) -> list[Hit]:
    only_wallets = words[:1] == ["wallet"]
    return ([] if only_wallets else _to_pages(actor, words)) + _to_wallets(actor, words[only_wallets:])


def _to_pages(actor: Actor, words: list[str]) -> list[Hit]:
    return [
        Hit(f"Go to {link.title}", title, link.href)
        for title, links in sidebar(actor.role, actor.business.slug, empty_areas(actor))
        for link in links
        if all(word in link.title.casefold() for word in words)
    ]


def _to_wallets(actor: Actor, words: list[str]) -> list[Hit]:
    if not can_open(actor, operations_pages.TREASURY):
        return []
    wallets = visible_wallets(actor)
    for word in words:
        wallets = wallets.filter(Q(name__icontains=word) | Q(currency__iexact=word) | Q(org_wallet_ref=word))
    return [
        Hit(
            f"Go to wallet {wallet.name or wallet.org_wallet_ref}",
            wallet.currency,
            reverse("treasury_wallet", args=[actor.business.slug, wallet.remote_id]),
        )
        for wallet in wallets.order_by("name", "pk")[:MOST]
    ]


def _block(actor: Actor, words: list[str]) -> list[Hit]:
    return _of_cards(actor, words, "Block", operations.BLOCK_CARD, "ACTIVE")


def _unblock(actor: Actor, words: list[str]) -> list[Hit]:
    return _of_cards(actor, words, "Unblock", operations.UNBLOCK_CARD, "BLOCKED")


def _of_cards(actor: Actor, words: list[str], label: str, operation: Operation, status: str) -> list[Hit]:
    # As the button on the card's own page: of the cards that one sees, those of which the gate says yes.
    cards = visible_cards(actor).filter(status=status)
    if terms := matching(" ".join(words[words[:1] == ["card"] :]), "search"):
        cards = cards.filter(terms)
    return [
        _card_hit(actor, card, label)
        for card in cards.order_by("sort_holder", "pk")[:MOST_CARDS]
        if can(actor, operation, card)
    ]


def _card_hit(actor: Actor, card: Card, label: str) -> Hit:
    address = reverse("cards_item", args=[actor.business.slug, card.remote_id])
    sub = " · ".join(part for part in (card.employee_name, card.name) if part)
    return Hit(f"{label} card ···{card.last_four}", sub, f"{address}#{label.lower()}-card")


ACTIONS: dict[str, Callable[[Actor, list[str]], list[Hit]]] = {
    "approve": _approve,
    "reject": _reject,
    "export": _export,
    "go to": _go_to,
    "block": _block,
    "unblock": _unblock,
}
