"""What the finder searches: the pages of the sidebar, then every list that can be searched, scoped as the list itself is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.decisions.selectors import decides
from dashboard.lists.columns import List
from dashboard.lists.registry import REGISTRY
from dashboard.mirror.scopes import visible_approvals, visible_wallets
from dashboard.operations_pages import INBOX, SAMPLES, TREASURY
from dashboard.pages.finder.selectors import actions
from dashboard.pages.finder.selectors.actions import Hit, find_actions, is_action
from dashboard.pages.finder.selectors.pay_desk import pay_desk_pages
from dashboard.search import matching
from dashboard.web.navigation import empty_areas, pages_of

# One letter is in nearly every row: it finds pages alone.
SHORTEST = 2


@dataclass(frozen=True)
class Group:
    """The hits of one list, or of the pages."""

    title: str
    icon: str
    hits: list[Hit]


def search(actor: Actor, typed: str) -> list[Group]:
    """The hits of the typed words, in groups of which none is empty; without words, the pages.

    The actions come first where the words name one; where its name is only begun ("ex" of "export"), after the pages.
    One query for each list, and at most five rows of it.
    """
    groups = [_pages(actor, typed)]
    if len(typed) >= SHORTEST:
        groups.insert(0 if is_action(typed) else 1, Group("Actions", "zap", find_actions(actor, typed)))
        groups += [_wallets(actor, typed), _payment_requests(actor, typed)]
        groups += [_of_list(actor, of, typed) for of in _lists(actor)]
    return [group for group in groups if group.hits]


def _lists(actor: Actor) -> Iterator[List]:
    for listed in REGISTRY.values():
        of = listed.declared
        if of and of.search and of.item_address and actor.role in of.opens.roles:
            yield of


def _of_list(actor: Actor, of: List, typed: str) -> Group:
    terms = matching(typed, of.search, of.money, actor.business.locale)
    rows = of.rows(actor).filter(terms) if terms else of.rows(actor).none()
    columns = tuple(column for column in of.columns if column.always or (column.by_default and not column.less))
    title, *others = columns
    hits = [
        Hit(
            title.cell(row, actor)[-1],
            " · ".join(text for column in others if (text := column.cell(row, actor)[-1]) != "–"),
            reverse(of.item_address, args=[actor.business.slug, row[of.item_id]]),
        )
        for row in rows.order_by(_order(of), "-pk").values(*of.fields(columns, _order(of).lstrip("-")))[: actions.MOST]
    ]
    return Group(of.title, of.icon, hits)


def _order(of: List) -> str:
    field = of.sorts[of.sort.lstrip("-")]
    return f"-{field}" if of.sort.startswith("-") else field


def _pages(actor: Actor, typed: str) -> Group:
    words = typed.casefold().split()
    hits = [
        Hit(link.title, title, link.href)
        for title, links in pages_of(actor.role, actor.business.slug, empty_areas(actor))
        for link in links
        if all(word in link.title.casefold() for word in words)
    ]
    if words:
        parts = (*_of_approvals(actor), *pay_desk_pages(actor), *_of_policies(actor))
        hits += [hit for hit in parts if all(word in hit.title.casefold() for word in words)]
    return Group("Pages", "arrow-right", hits)


def _of_approvals(actor: Actor) -> Iterator[Hit]:
    """The pages of the approvals that have no entry in the sidebar."""
    if decides(actor):
        inbox = reverse("approvals", args=[actor.business.slug])
        yield Hit("Looks clean", "", f"{inbox}?show=mine&lane=clean")
    if can_open(actor, SAMPLES):
        yield Hit("Audit sample", "", reverse("approvals_samples", args=[actor.business.slug]))


def _of_policies(actor: Actor) -> Iterator[Hit]:
    """The pages of spend policies and workflows that have no entry in the sidebar."""
    slug = actor.business.slug
    if can_open(actor, operations.READ_BILL_WORKFLOW):
        yield Hit("Approval workflows", "", reverse("workflows", args=[slug]))
    if can_open(actor, operations.READ_POLICY_SUMMARY):
        yield Hit("Policy simulator", "", reverse("policies_simulator", args=[slug]))
        yield Hit("Policy replays", "", reverse("policies_replays", args=[slug]))
        yield Hit("Which policies apply to somebody", "", reverse("policies_applies", args=[slug]))
    if can_open(actor, operations.CREATE_POLICY):
        yield Hit("New spend policy", "", reverse("policies_new", args=[slug]))
        yield Hit("New workflow for bills", "", reverse("workflows_new_bills", args=[slug]))


def _wallets(actor: Actor, typed: str) -> Group:
    hits = []
    if actor.role in TREASURY.roles:
        rows = visible_wallets(actor).filter(name__icontains=typed).order_by("name", "pk")[: actions.MOST]
        for row in rows:
            href = reverse("treasury_wallet", args=[actor.business.slug, row.remote_id])
            hits.append(Hit(row.name or row.org_wallet_ref, row.currency, href))
    return Group("Wallets", "wallet", hits)


def _payment_requests(actor: Actor, typed: str) -> Group:
    hits = []
    terms = matching(typed, "search", ("currency", "amount_minor"), actor.business.locale)
    if terms and actor.role in INBOX.roles:
        for row in visible_approvals(actor).filter(terms).order_by("-requested_at", "-pk")[: actions.MOST]:
            href = reverse("approvals_payment", args=[actor.business.slug, row.remote_id])
            hits.append(Hit(row.title or row.ref, f"{row.amount_text} · {row.status.lower()}", href))
    return Group("Approvals", "inbox", hits)
