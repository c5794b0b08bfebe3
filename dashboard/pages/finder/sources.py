"""Where the finder looks: the pages of the sidebar, then every list that can be searched, scoped as the list itself is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse

from dashboard.access.actor import Actor
from dashboard.lists.columns import List
from dashboard.lists.registry import REGISTRY
from dashboard.mirror.scopes import visible_approvals, visible_wallets
from dashboard.operations_pages import INBOX, TREASURY
from dashboard.search import matching
from dashboard.web.navigation import sidebar

MOST = 5
# One letter is in nearly every row: it finds pages alone.
SHORTEST = 2


@dataclass(frozen=True)
class Found:
    """Something that was found: its name, what tells it from others, and its address."""

    title: str
    sub: str
    href: str


@dataclass(frozen=True)
class Group:
    """What was found in one place."""

    title: str
    icon: str
    found: list[Found]


def found_by(actor: Actor, typed: str) -> list[Group]:
    """What the words lead to; without words, the pages. One query for each list, and at most five rows of it."""
    groups = [_pages(actor, typed)]
    if len(typed) >= SHORTEST:
        groups += [_wallets(actor, typed), _payment_requests(actor, typed)]
        groups += [_of_list(actor, one, typed) for one in _lists(actor)]
    return [group for group in groups if group.found]


def _lists(actor: Actor) -> Iterator[List]:
    for listed in REGISTRY.values():
        one = listed.declared
        if one and one.search and one.item and actor.role in one.opens.roles:
            yield one


def _of_list(actor: Actor, of: List, typed: str) -> Group:
    terms = matching(typed, of.search, of.money, actor.business.locale)
    rows = of.rows(actor).filter(terms) if terms else of.rows(actor).none()
    title, *others = [one for one in of.columns if one.always or (one.shown and not one.less)]
    found = [
        Found(
            title.cell(row, actor)[-1],
            " · ".join(text for one in others if (text := one.cell(row, actor)[-1]) != "–"),
            reverse(of.item, args=[actor.business.slug, row[of.item_id]]),
        )
        for row in rows.order_by(_order(of), "-pk").values(*of.fields())[:MOST]
    ]
    return Group(of.title, of.icon, found)


def _order(of: List) -> str:
    field = of.sorts[of.sort.lstrip("-")]
    return f"-{field}" if of.sort.startswith("-") else field


def _pages(actor: Actor, typed: str) -> Group:
    words = typed.casefold().split()
    found = [
        Found(link.title, title, link.href)
        for title, links in sidebar(actor.role, actor.business.slug)
        for link in links
        if all(word in link.title.casefold() for word in words)
    ]
    return Group("Pages", "arrow-right", found)


def _wallets(actor: Actor, typed: str) -> Group:
    found = []
    if actor.role in TREASURY.roles:
        rows = visible_wallets(actor).filter(name__icontains=typed).order_by("name", "pk")[:MOST]
        for row in rows:
            href = reverse("treasury_wallet", args=[actor.business.slug, row.remote_id])
            found.append(Found(row.name or row.org_wallet_ref, row.currency, href))
    return Group("Wallets", "wallet", found)


def _payment_requests(actor: Actor, typed: str) -> Group:
    found = []
    terms = matching(typed, "search", ("currency", "amount_minor"), actor.business.locale)
    if terms and actor.role in INBOX.roles:
        for row in visible_approvals(actor).filter(terms).order_by("-requested_at", "-pk")[:MOST]:
            href = reverse("approvals_payment", args=[actor.business.slug, row.remote_id])
            found.append(Found(row.title or row.ref, f"{row.amount_text} · {row.status.lower()}", href))
    return Group("Approvals", "inbox", found)
